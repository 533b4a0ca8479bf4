/* The path of an export as a text for messages. */
#ifndef UVET_FORMATS_IOSTORE_ZEN_PACKAGE_EXPORT_TEXT_H
#define UVET_FORMATS_IOSTORE_ZEN_PACKAGE_EXPORT_TEXT_H

#include "formats/iostore/zen_package/zen.h"

/* An export_text is written from its end to its beginning: first the name of the export, then that
 * of the export around it, and so on, as UTF-8. Of a path that is too long its end is kept. */
enum { EXPORT_TEXT_MAX = 240 };
struct export_text {
	uint8_t text[EXPORT_TEXT_MAX];
	uint64_t start; /* of what there is of it */
};

/* export_text_write writes the path of an export. false: its name is not known. */
bool export_text_write(const struct zen *z, uint64_t export, struct export_text *out);

#endif

/* The files that a site reads of an archive, as the parts of lay_read pass them on. */
#ifndef UVET_FORMATS_ARCHIVE_LAYOUT_SITE_FILES_H
#define UVET_FORMATS_ARCHIVE_LAYOUT_SITE_FILES_H

#include "formats/archive/layout/layout.h"

/* One file of them, in memory. */
struct lay_read {
	struct decode *d;
	const struct lay_source *source;
	struct lay *out;
	uint32_t row;
	struct held bytes;
};

/* lay_refuse tells that a site refuses a file. NULL: memory ended. */
UVET_MUST_USE struct lay_row *lay_refuse(struct lay_read *r, uint32_t trait, const char *words);

/* lay_judge_manifest judges a manifest of Thunderstore. */
UVET_MUST_USE bool lay_judge_manifest(struct lay_read *r);

#endif

/* The constants of all formats, which have no header of their own, and the numbers of their
 * rows. */
#ifndef UVET_FUZZ_SUPPORT_FORMATS_H
#define UVET_FUZZ_SUPPORT_FORMATS_H

#include "formats/format.h"
#include "support/must.h"

#define FORMAT(name) extern const struct format name##_format;
#include "formats/formats.def"
#undef FORMAT

/* formats_row returns the number of a format's row in fuzz/formats.def, which has the same rows as
 * src/formats/formats.def. */
static inline size_t formats_row(const struct format *f)
{
	size_t i = 0;

	while (formats[i] && formats[i] != f)
		i++;
	MUST(formats[i], "a format has a row");
	return i;
}

#endif

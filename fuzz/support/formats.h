/* The constants of all formats, which have no header of their own. */
#ifndef UVET_FUZZ_SUPPORT_FORMATS_H
#define UVET_FUZZ_SUPPORT_FORMATS_H

#include "formats/format.h"

#define FORMAT(name) extern const struct format name##_format;
#include "formats/formats.def"
#undef FORMAT

#endif

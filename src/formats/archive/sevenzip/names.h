/* How coders are called. */
#ifndef UVET_FORMATS_ARCHIVE_SEVENZIP_NAMES_H
#define UVET_FORMATS_ARCHIVE_SEVENZIP_NAMES_H

#include <stdint.h>

/* sevenzip_coder_name names a coder that is not decoded; "a coder that is not known" if nobody has
 * seen it. */
const char *sevenzip_coder_name(uint64_t id);

#endif

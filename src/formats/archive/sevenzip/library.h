/* Decoding a folder through libarchive. */
#ifndef UVET_FORMATS_ARCHIVE_SEVENZIP_LIBRARY_H
#define UVET_FORMATS_ARCHIVE_SEVENZIP_LIBRARY_H

#include "formats/archive/sevenzip/unpack.h"

/* sevenzip_ask_library decodes a folder of ROUTE_LIBRARY. */
enum sevenzip_outcome sevenzip_ask_library(struct sevenzip_unpack *u);

/* sevenzip_take_output passes bytes of a folder on, none beyond its size; false: memory or work
 * ended. */
UVET_MUST_USE bool sevenzip_take_output(struct sevenzip_unpack *u, const uint8_t *bytes,
					uint64_t n);

#endif

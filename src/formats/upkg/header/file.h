/* The file: what its first and last bytes are. */
#ifndef UVET_FORMATS_UPKG_HEADER_FILE_H
#define UVET_FORMATS_UPKG_HEADER_FILE_H

#include "core/package_tag.h"
#include "formats/upkg/facts.h"

#define UPKG_MAGIC PACKAGE_TAG
#define UPKG_MAGIC_KF 0x9E2A83C2u /* Killing Floor */
#define UPKG_SIZE_MAX 0x7FFFFFFFu /* offsets are signed INT */
#define UPKG_TAIL 4096u           /* bytes at the end that are examined for zeros */

/* upkg_first_window returns how many bytes at the start of a file are read at once. */
uint64_t upkg_first_window(const struct decode *d);

/* upkg_recognise says what the first bytes are; false if they cannot be read. */
bool upkg_recognise(struct decode *d, struct upkg_file *f);

/* upkg_decode_file fills u->file, but for what the name promises; false: the input or memory ended,
 * which was noted for UPKG_FILE. */
bool upkg_decode_file(struct decode *d, struct upkg *u);

#endif

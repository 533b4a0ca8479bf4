/* The header: tag, version, summary, and the generations or the heritage. */
#ifndef UVET_FORMATS_UPKG_HEADER_HEADER_H
#define UVET_FORMATS_UPKG_HEADER_HEADER_H

#include "formats/upkg/facts.h"

#define UPKG_VERSION_MIN 50u     /* tables of earlier versions have another layout */
#define UPKG_VERSION_LOADED 60u  /* the oldest that a retail engine loads */
#define UPKG_VERSION_COUNTED 64u /* names are counted from here on */
#define UPKG_VERSION_GUID 68u    /* a GUID and generations from here on, a heritage before */
#define UPKG_VERSION_UE3 178u
#define UPKG_NAME_MAX 64u /* units of a name, with the NUL: NAME_SIZE */

/* upkg_decode_header reads the header up to the generations and finds where the tables are;
 * false: it stopped, which was noted for UPKG_HEADER. A history that cannot be read is noted for
 * UPKG_HISTORY alone. */
bool upkg_decode_header(struct decode *d, struct upkg *u);

/* upkg_least_row returns the fewest bytes that a row of a table has. */
uint64_t upkg_least_row(const struct upkg *u, enum upkg_table_number number);

#endif

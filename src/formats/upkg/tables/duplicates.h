/* Duplicates: imports that are the same, and exports of one outer and name. */
#ifndef UVET_FORMATS_UPKG_TABLES_DUPLICATES_H
#define UVET_FORMATS_UPKG_TABLES_DUPLICATES_H

#include "formats/upkg/tables/names.h"

/* upkg_pair_imports lists imports that are the same, upkg_pair_exports exports of one outer and
 * name; false: memory ended, which was noted for UPKG_LINKS. */
UVET_MUST_USE bool upkg_pair_imports(struct decode *d, struct upkg *u);
UVET_MUST_USE bool upkg_pair_exports(struct decode *d, struct upkg *u);

/* upkg_hash_place returns a number that is the same for objects of one outer and name. Numbers
 * of neighbours are near each other, so that what is looked up by them lies near each other too. */
#define UPKG_PLACE_FACTOR 0x9E3779B1u
UVET_WRAPS static inline uint32_t upkg_hash_place(const struct upkg *u, int32_t outer, int32_t name)
{
	return (uint32_t)outer * UPKG_PLACE_FACTOR + (uint32_t)upkg_first_name(u, name);
}

#endif

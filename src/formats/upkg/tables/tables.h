/* Reading a package's tables: what names, imports and exports have in common. */
#ifndef UVET_FORMATS_UPKG_TABLES_H
#define UVET_FORMATS_UPKG_TABLES_H

#include "formats/upkg/upkg.h"

/* A row_reader reads rows from <= i < n of a table at c, and returns the first that it could not read, or n; c stands behind the last
 * one that it read. */
typedef uint32_t row_reader(struct upkg *u, struct cursor *c, uint32_t from, uint32_t n);

/* upkg_read_table reads all rows of a table, through windows that grow while rows do not fit, and notes where it stopped if it does.
 * *window is the last window, which holds all rows. */
UVET_MUST_USE bool upkg_read_table(struct decode *d, struct upkg *u, enum upkg_table_number number, row_reader *read,
				   struct cursor *window);

/* upkg_group_of returns the fact group of a table. */
enum upkg_group upkg_group_of(enum upkg_table_number number);

/* upkg_list_odd_indexes adds the odd indexes of a table that was read to the list; the window holds all its rows. */
UVET_MUST_USE bool upkg_list_odd_indexes(struct decode *d, struct upkg *u, enum upkg_table_number number, struct cursor window);


/* upkg_hash_place returns a number that is the same for objects of one outer and name. Those of neighbours are near each other, and so
 * is what is looked up by them. */
#define UPKG_PLACE_FACTOR 0x9E3779B1u
UVET_WRAPS static inline uint32_t upkg_hash_place(const struct upkg *u, int32_t outer, int32_t name)
{
	return (uint32_t)outer * UPKG_PLACE_FACTOR + (uint32_t)upkg_first_name(u, name);
}

#endif

/* Reading a table: what names, imports and exports have in common. */
#ifndef UVET_FORMATS_UPKG_TABLES_TABLE_H
#define UVET_FORMATS_UPKG_TABLES_TABLE_H

#include "formats/upkg/facts.h"

/* A row_reader reads rows from <= i < n of a table at c, and returns the first that it could not
 * read, or n; c is then at the end of the last one that it read. */
typedef uint32_t row_reader(struct upkg *u, struct cursor *c, uint32_t from, uint32_t n);

/* upkg_read_table reads all rows of a table, through windows that grow while rows do not fit,
 * and notes where it stopped if it does. *window is the last window, which holds all rows. */
UVET_MUST_USE bool upkg_read_table(struct decode *d, struct upkg *u, enum upkg_table_number number,
				   row_reader *read, struct cursor *window);

#endif

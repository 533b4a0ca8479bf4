/* Tables: rows of facts, kept in memory or decoded anew for each block that is judged. */
#ifndef UVET_CORE_TABLE_H
#define UVET_CORE_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* How many rows are judged at a time: few enough to stay in the first-level cache. */
#define TABLE_BLOCK ((uint64_t)128)

struct table {
	const char *record; /* how places name a row: "entry" */
	uint32_t group;     /* the fact group that holds it */
	uint64_t n;
	size_t row_len;   /* bytes from row to row */
	const void *rows; /* all n rows; NULL if they are a view */
	uint64_t absent;  /* traits that no row has, as far as the decoder knows */
	/* view decodes n <= TABLE_BLOCK rows from row `first` on, a multiple of TABLE_BLOCK. It
	 * cannot fail: the decoder has checked the table's bounds. */
	void (*view)(const void *facts, uint64_t first, uint64_t n, void *rows_out);
};

#endif

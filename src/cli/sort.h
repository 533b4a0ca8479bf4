/* Sorting: an order of rows, which takes the same time for any rows. */
#ifndef UVET_CLI_SORT_H
#define UVET_CLI_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A sort_compare is below 0 if row a comes before row b, above 0 if after it, 0 if that does not
 * matter: then they stay as they are. */
typedef int sort_compare(const void *rows, uint32_t a, uint32_t b);

/* sort_rows returns the numbers of n rows in their order, which the caller frees; they and what is
 * needed meanwhile take SORT_ROOM bytes for each. NULL: memory ended. */
enum { SORT_ROOM = 2 * sizeof(uint32_t) };
uint32_t *sort_rows(const void *rows, uint32_t n, sort_compare *compare);

#endif

/* A bottom-up merge sort of row numbers. */
#include "cli/sort.h"

#include <stdlib.h>

static void merge_runs(const void *rows, sort_compare *compare, const uint32_t *from, uint32_t *to,
		       size_t first, size_t middle, size_t end)
{
	size_t a = first, b = middle;

	for (size_t i = first; i < end; i++) {
		const bool left = b >= end || (a < middle && compare(rows, from[a], from[b]) <= 0);

		to[i] = left ? from[a++] : from[b++];
	}
}

static void merge_all(const void *rows, sort_compare *compare, const uint32_t *from, uint32_t *to,
		      size_t n, size_t width)
{
	for (size_t at = 0; at < n; at += 2 * width) {
		const size_t middle = n - at > width ? at + width : n;
		const size_t end = n - at > 2 * width ? at + 2 * width : n;

		merge_runs(rows, compare, from, to, at, middle, end);
	}
}

uint32_t *sort_rows(const void *rows, uint32_t n, sort_compare *compare)
{
	const size_t room = (n > 0 ? (size_t)n : 1) * sizeof(uint32_t);
	uint32_t *from = malloc(room), *to = malloc(room), *sorted;

	if (!from || !to) {
		free(from);
		free(to);
		return NULL;
	}
	for (uint32_t i = 0; i < n; i++)
		from[i] = i;
	for (size_t width = 1; width < n; width *= 2) {
		merge_all(rows, compare, from, to, n, width);
		sorted = to;
		to = from;
		from = sorted;
	}
	free(to);
	return from;
}

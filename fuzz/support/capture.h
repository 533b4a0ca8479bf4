/* A page keeps what a writer wrote, and is held against what its format promises. */
#ifndef UVET_FUZZ_PAGE_H
#define UVET_FUZZ_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct page {
	uint8_t *bytes;                 /* kept for the next report: one is small and there are many */
	size_t n, room;
};

/* page_sink appends to a page, which is ctx. */
int page_sink(void *ctx, const void *bytes, size_t len);

/* page_check: json and sarif are JSON, ndjson is a JSON value a line, all else is text that is safe to show. */
void page_check(const struct page *p, const char *format);

/* page_is_same tells whether two pages hold the same bytes. */
bool page_is_same(const struct page *a, const struct page *b);

#endif

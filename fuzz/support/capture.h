/* A capture keeps what a writer wrote, and holds it against what its format promises. */
#ifndef UVET_FUZZ_SUPPORT_CAPTURE_H
#define UVET_FUZZ_SUPPORT_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct capture {
	uint8_t *bytes; /* kept for the next report: one is small and there are many */
	size_t n, room;
};

/* capture_sink appends to a capture, which is ctx. */
int capture_sink(void *ctx, const void *bytes, size_t len);

/* capture_check: json, sarif and gitlab are JSON, ndjson is a JSON value a line, junit and
 * checkstyle are XML, html is as well-formed, csv is a table, github has commands of its own
 * only; all else is text that is safe to show. */
void capture_check(const struct capture *p, const char *format);

/* capture_is_same tells whether two captures hold the same bytes. */
bool capture_is_same(const struct capture *a, const struct capture *b);

#endif

/* A glimpse: the first bytes of a file whose format is to be told, and how to see the others. */
#ifndef UVET_DIAGNOSIS_GLIMPSE_H
#define UVET_DIAGNOSIS_GLIMPSE_H

#include "core/source.h"

/* A tar has its signature after 257 bytes, and headers of HTTP have some hundreds. */
enum { GLIMPSE_MAX = 2048 };

struct glimpse {
	struct source *source;
	uint64_t size; /* of the file */
	size_t n;      /* how many of its first bytes are here */
	uint8_t head[GLIMPSE_MAX];
};

/* glimpse_take reads the head; false: a read failed. */
UVET_MUST_USE bool glimpse_take(struct source *s, struct glimpse *out);

/* glimpse_at copies n bytes from an offset. false: the file has not so many, or a read failed. */
UVET_MUST_USE bool glimpse_at(const struct glimpse *g, uint64_t at, uint8_t *out, uint64_t n);

/* glimpse_has tells whether n bytes stand at an offset of the head. */
bool glimpse_has(const struct glimpse *g, size_t at, const char *bytes, size_t n);

#endif

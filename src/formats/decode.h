/* Decoding: what a decoder works with, and how it says that it had to stop. */
#ifndef UVET_FORMATS_DECODE_H
#define UVET_FORMATS_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/limits.h"
#include "core/source.h"
#include "core/work.h"

/* How deep a check goes. */
enum level {
	LEVEL_STRUCTURE,        /* tables, headers, checksums of metadata */
	LEVEL_CONTENT,          /* payload too; what cannot be decoded makes the verdict undetermined */
	LEVEL_DEFAULT,          /* payload as far as codecs and keys allow */
};

/* Why a fact group is missing. */
enum stop_why {
	STOP_NOT,               /* it is not missing */
	STOP_MALFORMED,         /* the bytes make no sense: a rule of the format explains it */
	STOP_UNSUPPORTED,       /* a version we do not know: a rule of the format explains it */
	STOP_NEEDS,             /* it stands on another group, which is missing */
	STOP_LIMIT,             /* a limit was reached: RUN001 */
	STOP_MEMORY,            /* RUN005 */
	STOP_INPUT,             /* the input could not be read: RUN002 or RUN003 */
	STOP_LEVEL,             /* the level does not ask for it; nothing is wrong */
	STOP_UNVERIFIED,        /* nobody measured how it is in this version; nothing is wrong */
	STOP_CODEC,             /* this build cannot decode it: RUN007 */
};

/* A group is facts that are decoded together or not at all. */
struct group {
	enum stop_why why;
	struct span at;         /* where decoding stopped, and how many bytes were left there */
	uint32_t on;            /* STOP_NEEDS: the missing group */
	enum limit limit;       /* STOP_LIMIT */
	const char *codec;      /* STOP_CODEC: what is missing, in a few words of ours */
};

enum { GROUPS_MAX = 32 };

struct decode {
	struct source *source;
	struct arena *arena;            /* facts go here; freed after the rules have run */
	const struct limits *limits;
	struct work work;
	enum level level;
	struct group groups[GROUPS_MAX];
};

/* decode_stop notes why a group is missing, and where; it returns false, so that a decoder can return it. The first stop of a
 * group stays. */
UVET_COLD bool decode_stop(struct decode *d, uint32_t group, enum stop_why why, struct span at);

/* decode_stop_limit is decode_stop for a limit that was reached. */
UVET_COLD bool decode_stop_limit(struct decode *d, uint32_t group, enum limit limit, struct span at);

/* decode_stop_codec is decode_stop for bytes at `at` that this build cannot decode. */
UVET_COLD bool decode_stop_codec(struct decode *d, uint32_t group, const char *codec, struct span at);

/* decode_stop_needs is decode_stop for a group that stands on another one. */
UVET_COLD bool decode_stop_needs(struct decode *d, uint32_t group, uint32_t on);

/* decode_window is source_window with the reason of a failure noted for the group. */
UVET_MUST_USE bool decode_window(struct decode *d, uint32_t group, struct span span, struct cursor *out);

/* decode_alloc is arena_alloc with a failure noted for the group. */
UVET_MUST_USE static inline void *decode_alloc(struct decode *d, uint32_t group, uint64_t count, uint64_t size)
{
	void *p = arena_alloc(d->arena, count, size);

	if (!p)
		decode_stop(d, group, STOP_MEMORY, (struct span){ 0, 0 });
	return p;
}

/* decode_grow gives room for a row behind the n rows of a list: the list itself, or one that is twice as long, with the rows copied.
 * *max, 0 for a list that is still NULL, is how many rows there is room for. decode_lengthen makes the longer one. */
UVET_MUST_USE void *decode_lengthen(struct decode *d, uint32_t group, const void *rows, uint64_t n, uint64_t *max, size_t size);
UVET_MUST_USE static inline void *decode_grow(struct decode *d, uint32_t group, void *rows, uint64_t n, uint64_t *max, size_t size)
{
	if (n < *max)
		return rows;
	return decode_lengthen(d, group, rows, n, max, size);
}

/* decode_spend is work_spend with a failure noted for the group. */
UVET_MUST_USE bool decode_spend(struct decode *d, uint32_t group, uint64_t n);

/* decode_may_unpack tells whether n bytes may come out of the bytes at `packed`: no more than LIMIT_unpacked, and LIMIT_ratio times as
 * many or 1 MiB. If not, that is noted for the group. decode_unpack_max is how many may. */
UVET_MUST_USE bool decode_may_unpack(struct decode *d, uint32_t group, uint64_t n, struct span packed);
uint64_t decode_unpack_max(const struct decode *d, uint64_t packed_len);

/* decode_has tells whether a group was decoded. */
static inline bool decode_has(const struct decode *d, uint32_t group)
{
	return d->groups[group].why == STOP_NOT;
}

#endif

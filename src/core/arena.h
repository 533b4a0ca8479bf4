/* The arena: all memory of one check, under one budget, freed as a whole. */
#ifndef UVET_CORE_ARENA_H
#define UVET_CORE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compiler.h"

/* An allocator is where an arena gets its chunks. alloc returns memory aligned for any object,
 * or NULL; release takes back what alloc returned, with the size that was asked for. */
struct allocator {
	void *(*alloc)(void *ctx, size_t size);
	void (*release)(void *ctx, void *chunk, size_t size);
	void *ctx;
};

struct arena_chunk;
struct interrupt;

/* An arena owns its chunks. The budget counts whole chunks, in bytes. */
struct arena {
	struct allocator from;
	struct arena_chunk *last; /* newest chunk; the list goes backwards */
	unsigned char *next;      /* its next free byte */
	size_t left;              /* free bytes from there on */
	uint64_t budget;
	size_t chunk_len; /* of a chunk, unless what is asked for needs a longer one */
	uint64_t held;    /* bytes of all chunks now */
	uint64_t peak;    /* the most that held ever was */
	bool over_budget; /* a request was refused by the budget */
	bool refused;     /* a request was refused by the allocator */
	/* asked by long work on its memory, such as sorting, whether to stop; NULL: it never
	 * stops */
	const struct interrupt *interrupt;
};

/* The chunks of an arena, small enough that the C library keeps them between checks. In tests
 * they are shorter, so that each request for memory can be refused. */
#define ARENA_CHUNK ((size_t)32768)

/* Pointers into an arena are multiples of this. */
#define ARENA_ALIGN ((size_t)16)

/* The size of a huge page, in bytes. Long chunks are made of them because page faults are the
 * largest cost of a large table. */
#define ARENA_HUGE_PAGE ((size_t)2 << 20)

/* arena_init makes an empty arena; nothing is allocated yet. */
void arena_init(struct arena *a, struct allocator from, uint64_t budget);

/* arena_count makes the peak include `others` bytes that were held outside the arena at the same
 * time as what it holds now. */
static inline void arena_count(struct arena *a, uint64_t others)
{
	if (a->held + others > a->peak)
		a->peak = a->held + others;
}

/* arena_watch begins to measure the peak anew, and returns the one before. arena_watched ends that:
 * it is given the one before, and returns how much more was held in between than is held now. */
static inline uint64_t arena_watch(struct arena *a)
{
	const uint64_t before = a->peak;

	a->peak = a->held;
	return before;
}

static inline uint64_t arena_watched(struct arena *a, uint64_t before)
{
	const uint64_t more = a->peak - a->held;

	if (a->peak < before)
		a->peak = before;
	return more;
}

/* arena_free gives every chunk back. The arena may be used again. */
void arena_free(struct arena *a);

/* arena_alloc returns count * size bytes, uninitialised and aligned for any object, or NULL when
 * the product does not fit the budget or the allocator refuses; the arena remembers which. A
 * request for zero bytes returns a pointer that may not be read through. arena_alloc_more is its
 * slow half, for what may not fit in the last chunk. */
UVET_MUST_USE void *arena_alloc_more(struct arena *a, uint64_t count, uint64_t size);

/* arena_room is how many bytes of a chunk a request takes up, padding included; arena_take takes
 * them from the last chunk, which must have them left. */
static inline uint64_t arena_room(uint64_t asked)
{
	return (asked + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN + MEMORY_GAP;
}
static inline void *arena_take(struct arena *a, uint64_t asked)
{
	void *p = a->next;

	a->next += arena_room(asked);
	a->left -= (size_t)arena_room(asked);
	MEMORY_OPEN(p, (size_t)asked);
	return p;
}

UVET_MUST_USE static inline void *arena_alloc(struct arena *a, uint64_t count, uint64_t size)
{
	if ((count | size) > UINT16_MAX || !a->last || arena_room(count * size) > a->left)
		return arena_alloc_more(a, count, size);
	return arena_take(a, count * size);
}

/* arena_outgrow frees a piece of `size` bytes that was copied elsewhere, if it is alone in its
 * chunk and there is a newer chunk; else nothing happens. No mark that was made after the piece
 * may be rewound to any more. */
void arena_outgrow(struct arena *a, const void *piece, uint64_t size);

/* arena_has: whether a piece lies in it. */
bool arena_has(const struct arena *a, const void *piece);

/* arena_rewind frees everything that was allocated after the mark: for scratch memory. */
struct arena_mark {
	struct arena_chunk *chunk;
	unsigned char *next;
	size_t left;
};
struct arena_mark arena_mark(const struct arena *a);
void arena_rewind(struct arena *a, struct arena_mark mark);

#endif

/* The arena: chunks from one allocator, handed out in order, never one by one freed. */
#include "core/arena.h"

#include "core/checked.h"

#define ARENA_ALIGN ((size_t)16)

struct arena_chunk {
	struct arena_chunk *before;
	size_t size;                    /* of the whole chunk, this header included */
	size_t used;                    /* bytes taken, this header included */
};

#define CHUNK_HEADER ((sizeof(struct arena_chunk) + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN)

#define LONG_CHUNK ((size_t)512 << 10)

void arena_init(struct arena *a, struct allocator from, uint64_t budget)
{
	*a = (struct arena){ .from = from, .budget = budget, .chunk_len = ARENA_CHUNK };
}

static void arena_drop_last(struct arena *a)
{
	struct arena_chunk *chunk = a->last;

	a->last = chunk->before;
	a->held -= chunk->size;
	MEMORY_OPEN((unsigned char *)chunk + CHUNK_HEADER, chunk->size - CHUNK_HEADER);
	a->from.release(a->from.ctx, chunk, chunk->size);
}

void arena_free(struct arena *a)
{
	while (a->last)
		arena_drop_last(a);
}

/* A long chunk is whole huge pages where the budget has room for them: the tables that come next lie in what is left over. */
static size_t chunk_size(const struct arena *a, size_t need)
{
	size_t size = need + CHUNK_HEADER, pages = (size + ARENA_HUGE_PAGE - 1) / ARENA_HUGE_PAGE * ARENA_HUGE_PAGE;

	if (size >= LONG_CHUNK && pages <= a->budget - a->held)
		return pages;
	return size > a->chunk_len ? size : a->chunk_len;
}

static bool arena_grow(struct arena *a, size_t need)
{
	size_t size = chunk_size(a, need);
	struct arena_chunk *chunk;

	if (size > a->budget - a->held) {
		a->over_budget = true;
		return false;
	}
	chunk = a->from.alloc(a->from.ctx, size);
	if (!chunk) {
		a->refused = true;
		return false;
	}
	*chunk = (struct arena_chunk){ .before = a->last, .size = size, .used = CHUNK_HEADER };
	MEMORY_CLOSE((unsigned char *)chunk + CHUNK_HEADER, size - CHUNK_HEADER);
	a->last = chunk;
	a->held += size;
	if (a->held > a->peak)
		a->peak = a->held;
	return true;
}

void *arena_alloc(struct arena *a, uint64_t count, uint64_t size)
{
	uint64_t bytes, asked;
	void *p;

	if (!checked_mul(count, size, &asked) || asked > a->budget || asked > SIZE_MAX / 2) {
		a->over_budget = true;
		return NULL;
	}
	bytes = (asked + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN + MEMORY_GAP;
	if (!a->last || bytes > a->last->size - a->last->used) {
		if (!arena_grow(a, (size_t)bytes))
			return NULL;
	}
	p = (unsigned char *)a->last + a->last->used;
	a->last->used += (size_t)bytes;
	MEMORY_OPEN(p, (size_t)asked);
	return p;
}

struct arena_mark arena_mark(const struct arena *a)
{
	return (struct arena_mark){ a->last, a->last ? a->last->used : 0 };
}

void arena_rewind(struct arena *a, struct arena_mark mark)
{
	while (a->last != mark.chunk)
		arena_drop_last(a);
	if (!a->last)
		return;
	MEMORY_CLOSE((unsigned char *)a->last + mark.used, a->last->used - mark.used);
	a->last->used = mark.used;
}

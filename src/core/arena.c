/* The arena: pieces are cut from large chunks, in order, and are not freed one by one. */
#include "core/arena.h"

#include "core/checked.h"

struct arena_chunk {
	struct arena_chunk *before;
	size_t size; /* of the whole chunk, this header included */
	size_t used; /* bytes that its pieces take; set when a newer chunk is added */
};

#define CHUNK_HEADER ((sizeof(struct arena_chunk) + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN)

/* A chunk of at least LONG_CHUNK bytes is rounded up to whole huge pages, if that makes it at
 * most one LONG_CHUNK_PART-th longer. */
#define LONG_CHUNK ((size_t)512 << 10)
#define LONG_CHUNK_PART 8

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
	a->next = NULL;
	a->left = 0;
}

/* The size of a chunk for `need` bytes. What is left of it is used by the pieces that come next. */
static size_t chunk_size(const struct arena *a, size_t need)
{
	size_t size = need + CHUNK_HEADER,
	       pages = (size + ARENA_HUGE_PAGE - 1) / ARENA_HUGE_PAGE * ARENA_HUGE_PAGE;

	if (size >= LONG_CHUNK && pages - size <= size / LONG_CHUNK_PART &&
	    pages <= a->budget - a->held)
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
	if (a->last)
		a->last->used = a->last->size - CHUNK_HEADER - a->left;
	*chunk = (struct arena_chunk){ .before = a->last, .size = size };
	a->last = chunk;
	a->next = (unsigned char *)chunk + CHUNK_HEADER;
	a->left = size - CHUNK_HEADER;
	MEMORY_CLOSE(a->next, a->left);
	a->held += size;
	if (a->held > a->peak)
		a->peak = a->held;
	return true;
}

void *arena_alloc_more(struct arena *a, uint64_t count, uint64_t size)
{
	uint64_t asked;

	if (!checked_mul(count, size, &asked) || asked > a->budget || asked > SIZE_MAX / 2) {
		a->over_budget = true;
		return NULL;
	}
	if ((!a->last || arena_room(asked) > a->left) && !arena_grow(a, (size_t)arena_room(asked)))
		return NULL;
	return arena_take(a, asked);
}

void arena_outgrow(struct arena *a, const void *piece, uint64_t size)
{
	struct arena_chunk *newer = a->last, *chunk; /* there is one: a piece lies in it */

	while (newer->before && (const unsigned char *)newer->before + CHUNK_HEADER != piece)
		newer = newer->before;
	chunk = newer->before;
	if (!chunk || chunk->used != arena_room(size))
		return;
	newer->before = chunk->before;
	a->held -= chunk->size;
	MEMORY_OPEN((unsigned char *)chunk + CHUNK_HEADER, chunk->size - CHUNK_HEADER);
	a->from.release(a->from.ctx, chunk, chunk->size);
}

bool arena_has(const struct arena *a, const void *piece)
{
	const uintptr_t at = (uintptr_t)piece;

	for (const struct arena_chunk *chunk = a->last; chunk; chunk = chunk->before)
		if (at >= (uintptr_t)chunk && at - (uintptr_t)chunk < chunk->size)
			return true;
	return false;
}

struct arena_mark arena_mark(const struct arena *a)
{
	return (struct arena_mark){ a->last, a->next, a->left };
}

void arena_rewind(struct arena *a, struct arena_mark mark)
{
	while (a->last != mark.chunk)
		arena_drop_last(a);
	a->next = mark.next;
	a->left = mark.left;
	if (a->left > 0)
		MEMORY_CLOSE(a->next, a->left);
}

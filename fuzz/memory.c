/* The counting allocator: a header before each piece remembers its size. */
#include "memory.h"

#include <stddef.h>
#include <pthread.h>
#include <string.h>

#include "core/compiler.h"
#include "must.h"

/* A piece ends where its bytes end, so that the address sanitizer sees the first byte past them. */
struct header {
	uint64_t size;
	uint64_t mark;
};

#define HEADER_MARK 0x5AFEC0DE5AFEC0DEu

/* Arenas ask for chunks of one size over and over; the machine's allocator and the sanitizer take long over each. A few that came
 * back are kept for the next, closed to everybody meanwhile. */
enum { KEPT_SIZE = 32768, KEPT_MAX = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;       /* workers ask too */
static struct header *kept[KEPT_MAX];
static size_t n_kept;

static struct header *take(size_t size)
{
	struct header *h = size == KEPT_SIZE && n_kept > 0 ? kept[--n_kept] : malloc(sizeof *h + size);

	MUST(h, "the machine has memory for a harness");
	MEMORY_OPEN(h, sizeof *h + size);
	return h;
}

static void give(struct header *h)
{
	if (h->size != KEPT_SIZE || n_kept == KEPT_MAX) {
		free(h);
		return;
	}
	kept[n_kept++] = h;
	MEMORY_CLOSE(h, sizeof *h + KEPT_SIZE);
}

void memory_init(struct memory *m, int fill)
{
	*m = (struct memory){ .fill = fill, .fail_at = MEMORY_NEVER };
}

static void *alloc_locked(struct memory *m, size_t size)
{
	uint64_t number = m->n_asked++;
	struct header *h;

	if (number == m->fail_at || (m->forever && number > m->fail_at)) {
		m->refused = true;
		return NULL;
	}
	h = take(size);
	*h = (struct header){ size, HEADER_MARK };
#if !defined(UVET_MSAN)
	memset(h + 1, m->fill, size);
#endif
	m->n_live++;
	m->live += size;
	if (m->live > m->peak)
		m->peak = m->live;
	return h + 1;
}

static void *memory_alloc(void *ctx, size_t size)
{
	void *piece;

	pthread_mutex_lock(&lock);
	piece = alloc_locked(ctx, size);
	pthread_mutex_unlock(&lock);
	return piece;
}

static void memory_release(void *ctx, void *piece, size_t size)
{
	struct memory *m = ctx;
	struct header *h = (struct header *)piece - 1;

	MUST(h->mark == HEADER_MARK, "only what was allocated is released, and nothing was written before it");
	MUST(h->size == size, "memory is released with the size that was asked for");
	h->mark = 0;
	pthread_mutex_lock(&lock);
	m->n_live--;
	m->live -= size;
	give(h);
	pthread_mutex_unlock(&lock);
}

struct allocator memory_allocator(struct memory *m)
{
	return (struct allocator){ memory_alloc, memory_release, m };
}

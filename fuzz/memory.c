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

/* Arenas ask for chunks of few sizes over and over; the machine's allocator and the sanitizer take long over each. Some that came back
 * are kept for the next, closed to everybody meanwhile. */
enum { KEPT_LEAST = 4096, KEPT_MOST = 65536, KEPT_MAX = 32 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;       /* workers ask too */
static struct header *kept[KEPT_MAX];
static size_t kept_size[KEPT_MAX], n_kept;

/* The last that was kept of a size, or NULL. */
static struct header *take_kept(size_t size)
{
	for (size_t i = n_kept; i > 0; i--) {
		struct header *h = kept[i - 1];

		if (kept_size[i - 1] != size)
			continue;
		n_kept--;
		kept[i - 1] = kept[n_kept];
		kept_size[i - 1] = kept_size[n_kept];
		return h;
	}
	return NULL;
}

static struct header *take(size_t size)
{
	struct header *h = size >= KEPT_LEAST && size <= KEPT_MOST ? take_kept(size) : NULL;

	if (!h)
		h = malloc(sizeof *h + size);
	MUST(h, "the machine has memory for a harness");
	MEMORY_OPEN(h, sizeof *h + size);
	return h;
}

static void give(struct header *h)
{
	const size_t size = (size_t)h->size;

	if (size < KEPT_LEAST || size > KEPT_MOST || n_kept == KEPT_MAX) {
		free(h);
		return;
	}
	kept[n_kept] = h;
	kept_size[n_kept++] = size;
	MEMORY_CLOSE(h, sizeof *h + size);
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

/* The counting allocator: a header before each piece remembers its size. */
#include "support/memory.h"

#include <stddef.h>
#include <pthread.h>
#include <string.h>

#include "core/compiler.h"
#include "support/must.h"

/* A piece ends where its bytes end, so that the address sanitizer sees the first byte past them. */
struct header {
	uint64_t size;
	uint64_t mark;
};

#define HEADER_MARK 0x5AFEC0DE5AFEC0DEu

/* Checks ask for memory of the same sizes over and over; the machine's allocator and the sanitizer
 * take long over each. Freed pieces are kept by powers of two, poisoned meanwhile, and the one that
 * was kept longest is used next. */
enum { KEPT_LEAST = 6, KEPT_MOST = 17, KEPT_MAX = 8 };

struct shelf {
	struct header *kept[KEPT_MAX];
	size_t first, n;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* workers ask too */
static struct shelf shelves[KEPT_MOST + 1];

/* The power of two that has room for a piece and its header. */
static size_t shelf_of(size_t size)
{
	size_t i = KEPT_LEAST;

	while (i <= KEPT_MOST && (size_t)1 << i < sizeof(struct header) + size)
		i++;
	return i;
}

/* New memory with room for the shelf's pieces, of which only this one is open. */
static struct header *make(size_t i, size_t size)
{
	const size_t len = sizeof(struct header) + size,
		     room = i <= KEPT_MOST ? (size_t)1 << i : len;
	struct header *h = malloc(room);

	MUST(h, "the machine has memory for a harness");
	if (room > len)
		MEMORY_CLOSE((uint8_t *)h + len, room - len);
	return h;
}

static struct header *take(size_t size)
{
	const size_t i = shelf_of(size);
	struct shelf *s = &shelves[i <= KEPT_MOST ? i : 0];
	struct header *h;

	if (s->n == 0)
		return make(i, size);
	h = s->kept[s->first];
	s->first = (s->first + 1) % KEPT_MAX;
	s->n--;
	MEMORY_OPEN(h, sizeof *h + size);
	return h;
}

static void give(struct header *h)
{
	const size_t size = (size_t)h->size, i = shelf_of(size);
	struct shelf *s = &shelves[i <= KEPT_MOST ? i : 0];

	if (i > KEPT_MOST || s->n == KEPT_MAX) {
		free(h);
		return;
	}
	MEMORY_CLOSE(h, sizeof *h + size);
	s->kept[(s->first + s->n++) % KEPT_MAX] = h;
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

	MUST(h->mark == HEADER_MARK,
	     "only what was allocated is released, and nothing was written before it");
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

/* Memory with a fence: the byte after the last one cannot be touched, so that no sanitizer is
 * needed to notice who does. */
#ifndef UVET_TESTS_FENCE_H
#define UVET_TESTS_FENCE_H

#include <stddef.h>
#include <stdint.h>

#include "unit.h"

#ifdef _WIN32

#include <stdlib.h>

/* Without fences there. */
struct fence {
	void *map;
};

static inline uint8_t *fence_open(struct fence *f, size_t n)
{
	f->map = malloc(n + 1);
	assert_non_null(f->map);
	return f->map;
}

static inline void fence_close(struct fence *f)
{
	free(f->map);
}

#else

#include <sys/mman.h>
#include <unistd.h>

struct fence {
	uint8_t *map;
	size_t len;
};

/* fence_open returns n bytes, the last of which is the last of its page; what follows them is an
 * error. */
static inline uint8_t *fence_open(struct fence *f, size_t n)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (n + page - 1) / page * page;

	f->len = before + page;
	f->map = mmap(NULL, f->len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(f->map != MAP_FAILED);
	assert_int_equal(mprotect(f->map + before, page, PROT_NONE), 0);
	return f->map + before - n;
}

static inline void fence_close(struct fence *f)
{
	assert_int_equal(munmap(f->map, f->len), 0);
}

#endif

#endif

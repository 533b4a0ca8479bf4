/* What every unit test needs: cmocka, and an arena over memory that counts. */
#ifndef UVET_TESTS_UNIT_H
#define UVET_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/arena.h"
#include "core/compiler.h"
#include "fault/faults.h"

#define UNIT_PLENTY ((uint64_t)1 << 30)

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* unit_arena makes an arena over m. */
static inline struct arena unit_arena(struct fault_memory *m, uint64_t budget)
{
	struct arena a;

	*m = (struct fault_memory){ 0 };
	arena_init(&a, (struct allocator){ fault_alloc, fault_release, m }, budget);
	return a;
}

/* unit_needs leaves out the rest of a test where the build lacks a library, and says which; before
 * that nothing is opened. ci/skips.py lets no full build leave one out. */
static inline void unit_needs(bool is_available, const char *library)
{
	if (is_available)
		return;
	print_message("this build has no %s\n", library);
	skip();
}

/* unit_random steps a small generator of numbers (xorshift); the same numbers in every run. */
UVET_WRAPS static inline uint64_t unit_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#endif

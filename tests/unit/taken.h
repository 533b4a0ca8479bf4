/* A sink that takes whatever it is given, for tests of what is written. */
#ifndef UVET_TESTS_TAKEN_H
#define UVET_TESTS_TAKEN_H

#include "unit/unit.h"

/* What was taken ends in NUL. A sink that refuses takes nothing. */
static struct taken {
	char bytes[8 << 20];
	size_t n;
	bool refuses;
} taken;

static inline int take(void *ctx, const void *bytes, size_t len)
{
	(void)ctx;
	if (taken.refuses)
		return 1;
	assert_true(len < sizeof taken.bytes - taken.n);
	memcpy(taken.bytes + taken.n, bytes, len);
	taken.n += len;
	taken.bytes[taken.n] = '\0';
	return 0;
}

/* take_anew forgets what was taken. */
static inline void take_anew(void)
{
	taken.n = 0;
	taken.bytes[0] = '\0';
	taken.refuses = false;
}

#endif

/* What tests of the cursor share. */
#ifndef UVET_TESTS_CURSOR_STATE_H
#define UVET_TESTS_CURSOR_STATE_H

#include "core/cursor.h"
#include "unit.h"

/* Where the bytes of a cursor begin in their file. */
#define ORIGIN 1000

/* assert_same fails unless two cursors are equal in every field. */
static inline void assert_same(const struct cursor *a, const struct cursor *b)
{
	assert_ptr_equal(a->data, b->data);
	assert_true(a->len == b->len);
	assert_true(a->pos == b->pos);
	assert_true(a->origin == b->origin);
}

#endif

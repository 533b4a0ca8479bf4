/* What tests of walking folders begin with: a small tree in the scratch folder. */
#ifndef UVET_TESTS_TREE_H
#define UVET_TESTS_TREE_H

#include "expect_inputs.h"
#include "scratch.h"
#include "system.h"

/* A walk of all of it. */
static char *operands[] = { "tree" };
static struct settings settings = { .operands = operands, .n_operands = 1, .recursive = true };

/* make_tree and remove_tree are the setup and teardown of a test. */
static inline int make_tree(void **state)
{
	(void)state;
	assert_int_equal(mkdir("tree", 0700), 0);
	assert_int_equal(mkdir("tree/sub", 0700), 0);
	scratch_write("tree/a", "a");
	scratch_write("tree/sub/b", "b");
	scratch_write("tree/z", "z");
	return 0;
}

static inline int remove_tree(void **state)
{
	(void)state;
	system_reset();
	return unlink("tree/a") != 0 || unlink("tree/sub/b") != 0 || unlink("tree/z") != 0 ||
	       rmdir("tree/sub") != 0 || rmdir("tree") != 0;
}

/* expect_later makes a call fail, because of which the next input has to wait. */
static inline void expect_later(struct inputs *inputs, enum system_call call, int error)
{
	struct input in;

	system_fail(call, 1, error);
	assert_int_equal(inputs_next(inputs, &in), INPUTS_LATER);
}

#endif

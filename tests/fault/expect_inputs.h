/* What inputs a command is expected to find. */
#ifndef UVET_TESTS_EXPECT_INPUTS_H
#define UVET_TESTS_EXPECT_INPUTS_H

#include "cli/inputs.h"
#include "unit/unit.h"

/* expect_rest takes all inputs that are left and expects these, a line for each: its path and what
 * it is, as in "tree/a file". */
static inline void expect_rest(struct inputs *inputs, const char *expected)
{
	static const char *const kinds[] = {
		[INPUT_NAMED] = "named",
		[INPUT_WALKED] = "file",
		[INPUT_CLOSED] = "closed",
		[INPUT_LINK] = "link",
	};
	char found[256] = "";
	struct input in;

	while (inputs_next(inputs, &in) == INPUTS_NEXT) {
		strcat(strcat(strcat(strcat(found, in.path), " "), kinds[in.kind]), "\n");
		if (in.kind == INPUT_WALKED)
			platform_file_close(&in.file);
	}
	assert_string_equal(found, expected);
}

#endif

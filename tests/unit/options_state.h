/* What tests of the public interface begin with: options with their defaults. */
#ifndef UVET_TESTS_OPTIONS_STATE_H
#define UVET_TESTS_OPTIONS_STATE_H

#include "api/api.h"
#include "unit.h"
#include "uvet/uvet.h"

static uvet_options *options;

static inline int open_options(void **state)
{
	(void)state;
	return uvet_options_new(&options) == UVET_OK ? 0 : -1;
}

static inline int close_options(void **state)
{
	(void)state;
	uvet_options_free(options);
	return 0;
}

/* count_bytes is a sink that adds the length of what it is given to the size_t at ctx. */
static inline int count_bytes(void *ctx, const void *bytes, size_t len)
{
	(void)bytes;
	*(size_t *)ctx += len;
	return 0;
}

#define OPTIONS_TEST(function) \
	cmocka_unit_test_setup_teardown(function, open_options, close_options)

#endif

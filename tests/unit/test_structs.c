/* Tests of structs that callers allocate: those of older and newer callers, and sizes that none can
 * have. */
#define _DEFAULT_SOURCE 1

#include "api/api.h"
#include "fence.h"
#include "unit.h"

static uvet_engine *engine;

static int begin(void **state)
{
	(void)state;
	return uvet_engine_new(NULL, &engine) != UVET_OK;
}

static int end(void **state)
{
	(void)state;
	uvet_engine_free(engine);
	return 0;
}

/* ---- Three versions of one struct ------------------------------------------------------------ */

/* The library knows the first two; the third is of a caller that is newer. */
struct first {
	size_t struct_size;
	uint64_t a;
};

struct second {
	size_t struct_size;
	uint64_t a, b, c;
};

struct third {
	size_t struct_size;
	uint64_t a, b, c, d;
};

static const size_t versions[] = { sizeof(struct first), sizeof(struct second) };

static void older_callers_have_no_new_members(void **state)
{
	const struct first theirs = { sizeof theirs, 1 };
	struct second own = { 9, 9, 9, 9 };

	(void)state;
	assert_true(api_struct_read(&own, versions, LENGTH(versions), &theirs));
	assert_int_equal(own.a, 1);
	assert_int_equal(own.b, 0);
	assert_int_equal(own.c, 0);
}

static void older_callers_are_not_written_beyond_their_end(void **state)
{
	struct {
		struct first theirs;
		uint64_t after;
	} room = { { sizeof room.theirs, 9 }, 9 };
	const struct second own = { sizeof own, 1, 2, 3 };

	(void)state;
	assert_true(api_struct_write(&room.theirs, versions, LENGTH(versions), &own));
	assert_int_equal(room.theirs.struct_size, sizeof(struct first));
	assert_int_equal(room.theirs.a, 1);
	assert_int_equal(room.after, 9);
}

static void callers_of_today_are_read_and_written_whole(void **state)
{
	struct second theirs = { sizeof theirs, 1, 2, 3 }, own = { 0, 0, 0, 0 };

	(void)state;
	assert_true(api_struct_read(&own, versions, LENGTH(versions), &theirs));
	assert_memory_equal(&own, &theirs, sizeof own);
	theirs.a = theirs.b = theirs.c = 9;
	assert_true(api_struct_write(&theirs, versions, LENGTH(versions), &own));
	assert_memory_equal(&own, &theirs, sizeof own);
}

/* What a newer caller asks for is refused, unless it asks for nothing new. */
static void newer_callers_may_ask_for_what_is_known(void **state)
{
	struct third theirs = { sizeof theirs, 1, 2, 3, 0 };
	struct second own = { 9, 9, 9, 9 };

	(void)state;
	assert_true(api_struct_read(&own, versions, LENGTH(versions), &theirs));
	assert_int_equal(own.c, 3);
	for (size_t at = sizeof(struct second); at < sizeof theirs; at++) {
		own.c = 9;
		((uint8_t *)&theirs)[at] = 0x80;
		assert_false(api_struct_read(&own, versions, LENGTH(versions), &theirs));
		assert_int_equal(own.c, 9);
		((uint8_t *)&theirs)[at] = 0;
	}
}

static void newer_callers_are_told_what_was_filled(void **state)
{
	const struct second own = { sizeof own, 1, 2, 3 };
	struct third theirs = { sizeof theirs, 9, 9, 9, 9 };

	(void)state;
	assert_true(api_struct_write(&theirs, versions, LENGTH(versions), &own));
	assert_int_equal(theirs.struct_size, sizeof(struct second));
	assert_int_equal(theirs.c, 3);
	assert_int_equal(theirs.d, 9);
	assert_true(api_struct_write(&theirs, versions, LENGTH(versions), &own));
}

/* Whoever ends within a member has none of it: half a pointer leads nowhere. */
static void members_are_read_whole_or_not_at_all(void **state)
{
	struct second theirs = { 0, 1, 0, 0 }, own;

	(void)state;
	for (size_t size = sizeof(struct first); size < sizeof(struct second); size++) {
		theirs.struct_size = size;
		assert_true(api_struct_read(&own, versions, LENGTH(versions), &theirs));
		theirs.b = UINT64_MAX;
		assert_int_equal(api_struct_read(&own, versions, LENGTH(versions), &theirs),
				 size == sizeof(struct first));
		assert_int_equal(own.b, 0);
		own = (struct second){ sizeof own, 1, 2, 3 };
		assert_true(api_struct_write(&theirs, versions, LENGTH(versions), &own));
		assert_int_equal(theirs.struct_size, sizeof(struct first));
		assert_true(theirs.b == UINT64_MAX && theirs.c == 0);
		theirs.b = 0;
	}
}

static const size_t impossible[] = {
	0, 1, 7, sizeof(size_t), UVET_STRUCT_SIZE_MAX + 1, SIZE_MAX / 2, SIZE_MAX
};

/* Of a struct with a size that cannot be, there may be no more than the size: what follows it
 * cannot be touched. */
static void sizes_that_cannot_be_are_refused_unread(void **state)
{
	struct second own = { sizeof own, 1, 2, 3 };
	struct fence fence;
	void *theirs = fence_open(&fence, sizeof(size_t));

	(void)state;
	for (size_t i = 0; i < LENGTH(impossible); i++) {
		memcpy(theirs, &impossible[i], sizeof(size_t));
		assert_false(api_struct_read(&own, versions, LENGTH(versions), theirs));
		assert_false(api_struct_write(theirs, versions, LENGTH(versions), &own));
		assert_memory_equal(theirs, &impossible[i], sizeof(size_t));
	}
	assert_int_equal(own.c, 3);
	fence_close(&fence);
}

/* ---- The public calls ------------------------------------------------------------------------ */

static int no_sink(void *ctx, const void *bytes, size_t len)
{
	(void)ctx, (void)bytes, (void)len;
	fail_msg("a call that is refused writes nothing");
	return 1;
}

static void calls_refuse_sizes_that_cannot_be(void **state)
{
	struct fence fence;
	void *theirs = fence_open(&fence, sizeof(size_t));
	uvet_report *report = NULL, *undetermined = NULL;

	(void)state;
	assert_int_equal(uvet_check_io(engine, "a.umod", NULL, NULL, &undetermined), UVET_OK);
	for (size_t i = 0; i < LENGTH(impossible); i++) {
		memcpy(theirs, &impossible[i], sizeof(size_t));
		assert_int_equal(uvet_check_path(engine, "a", theirs, &report), UVET_BAD_CALL);
		assert_int_equal(uvet_check_memory(engine, "a", "", 0, theirs, &report),
				 UVET_BAD_CALL);
		assert_int_equal(uvet_check_io(engine, "a", NULL, theirs, &report), UVET_BAD_CALL);
		assert_int_equal(uvet_check_io(engine, "a", theirs, NULL, &report), UVET_BAD_CALL);
		assert_int_equal(uvet_map_path(engine, "a", theirs, "text", no_sink, NULL),
				 UVET_BAD_CALL);
		assert_int_equal(uvet_map_io(engine, "a", theirs, NULL, "text", no_sink, NULL),
				 UVET_BAD_CALL);
		assert_int_equal(uvet_info_path(engine, "a", theirs, "text", no_sink, NULL),
				 UVET_BAD_CALL);
		assert_int_equal(uvet_info_io(engine, "a", NULL, theirs, "text", no_sink, NULL),
				 UVET_BAD_CALL);
		assert_int_equal(uvet_rule_at(0, theirs), 0);
		assert_int_equal(uvet_rule_find("UMD006", theirs), 0);
		assert_int_equal(uvet_limit_at(0, theirs), 0);
		assert_int_equal(uvet_report_unjudged_at(undetermined, 0, theirs), 0);
		assert_memory_equal(theirs, &impossible[i], sizeof(size_t));
	}
	assert_null(report);
	uvet_report_free(undetermined);
	fence_close(&fence);
}

/* One byte less than the first version had is no version. */
static void calls_refuse_what_is_older_than_the_first_version(void **state)
{
	uvet_hooks hooks = UVET_HOOKS_INIT;
	uvet_limit limit = UVET_LIMIT_INIT;
	uvet_rule rule = UVET_RULE_INIT;
	uvet_report *report = NULL;

	(void)state;
	hooks.struct_size--;
	limit.struct_size--;
	rule.struct_size--;
	assert_int_equal(uvet_check_io(engine, "a", NULL, &hooks, &report), UVET_BAD_CALL);
	assert_int_equal(uvet_limit_at(0, &limit), 0);
	assert_int_equal(uvet_rule_at(0, &rule), 0);
	assert_null(limit.option);
	assert_null(rule.id);
}

/* Callers of a later version, whose structs have one member more. */
static void calls_take_structs_of_later_versions(void **state)
{
	struct {
		uvet_hooks hooks;
		uint64_t more;
	} hooks = { .hooks.struct_size = sizeof hooks };
	struct {
		uvet_rule rule;
		uint64_t more;
	} rule = { .rule.struct_size = sizeof rule, .more = 9 };
	struct {
		uvet_limit limit;
		uint64_t more;
	} limit = { .limit.struct_size = sizeof limit, .more = 9 };
	uvet_report *report = NULL;

	(void)state;
	assert_int_equal(uvet_check_io(engine, "a", NULL, &hooks.hooks, &report), UVET_OK);
	uvet_report_free(report);
	hooks.more = 1;
	assert_int_equal(uvet_check_io(engine, "a", NULL, &hooks.hooks, &report), UVET_BAD_CALL);
	assert_null(report);
	assert_int_equal(uvet_rule_at(0, &rule.rule), 1);
	assert_int_equal(rule.rule.struct_size, sizeof(uvet_rule));
	assert_non_null(rule.rule.id);
	assert_int_equal(uvet_limit_at(0, &limit.limit), 1);
	assert_int_equal(limit.limit.struct_size, sizeof(uvet_limit));
	assert_true(rule.more == 9 && limit.more == 9);
}

int main(void)
{
#define T(name) cmocka_unit_test(name)
#define C(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		T(older_callers_have_no_new_members),
		T(older_callers_are_not_written_beyond_their_end),
		T(callers_of_today_are_read_and_written_whole),
		T(newer_callers_may_ask_for_what_is_known),
		T(newer_callers_are_told_what_was_filled),
		T(members_are_read_whole_or_not_at_all),
		T(sizes_that_cannot_be_are_refused_unread),
		C(calls_refuse_sizes_that_cannot_be),
		C(calls_refuse_what_is_older_than_the_first_version),
		C(calls_take_structs_of_later_versions),
	};
#undef C
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}

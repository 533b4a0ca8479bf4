/* Tests of configurations that are found on POSIX systems: what cannot be read, or is not known to
 * be apart from what is checked, is not used; and of baselines where memory ends. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include <errno.h>

#include "cli/acceptance.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "quiet.h"
#include "scratch.h"
#include "system.h"

static struct config config;

static int begin(void **state)
{
	(void)state;
	scratch_write(CONFIG_NAME, "[uvet]\nlevel = content\n");
	assert_int_equal(mkdir("sub", 0700), 0);
	scratch_write("sub/a.umod", "");
	return 0;
}

static int end(void **state)
{
	unlink(CONFIG_NAME);
	unlink("sub/a.umod");
	rmdir("sub");
	return system_end(state);
}

/* Looks for a configuration of which these are checked. */
static int find(const char *operand)
{
	char path[32];
	char *operands[] = { path };
	const struct config_search search = { operands, operand ? 1 : 0, false, false };
	int status;

	unit_needs(strcmp(config_library(), "none") != 0, "inih");
	if (operand)
		strcpy(path, operand);
	config_free(&config);
	quiet_begin();
	status = config_find(&config, &search);
	quiet_end();
	return status;
}

static void expect(const char *operand, int status, size_t n)
{
	assert_int_equal(find(operand), status);
	assert_int_equal(config.n, n);
	config_free(&config);
}

static ssize_t read_nothing(size_t len)
{
	(void)len;
	return 0;
}

/* A configuration that is there and cannot be read ends the run, which would be another without. */
static void what_cannot_be_read_is_not_passed_over(void **state)
{
	(void)state;
	expect(NULL, STATUS_DONE, 1);
	system_fail(SYSTEM_PREAD, 1, EIO);
	expect(NULL, STATUS_USAGE, 0);
	system_reset();
	system_pread = read_nothing;
	system_faults[SYSTEM_PREAD].at = 1;
	expect(NULL, STATUS_USAGE, 0);
}

static void memory_that_ends_ends_the_run(void **state)
{
	unsigned n = 0;
	int status;

	(void)state;
	do {
		system_fail(SYSTEM_MALLOC, ++n, ENOMEM);
		status = find("sub/a.umod");
		assert_int_equal(status == STATUS_DONE, config.n == 1);
		assert_int_equal(status != STATUS_DONE, system_faults[SYSTEM_MALLOC].n >= n);
		config_free(&config);
	} while (status != STATUS_DONE);
	assert_true(n > 5);
}

/* Nothing is known of the owner. */
static void what_may_be_another_users_is_not_used(void **state)
{
	(void)state;
	system_fail(SYSTEM_FSTAT, 2, EIO);
	expect(NULL, STATUS_DONE, 0);
}

static void move_away(void)
{
	assert_int_equal(rename("sub", "elsewhere"), 0);
}

/* A folder that is gone when it is looked at is no longer that of the configuration. */
static void folders_may_be_moved_meanwhile(void **state)
{
	(void)state;
	system_faults[SYSTEM_MALLOC] = (struct system_fault){ .at = 1, .before = move_away };
	expect("sub/a.umod", STATUS_DONE, 1);
	assert_int_equal(rename("elsewhere", "sub"), 0);
}

/* Where the working directory cannot be looked at there is none. */
static void a_folder_that_cannot_be_looked_at_has_none(void **state)
{
	(void)state;
	system_fail(SYSTEM_STAT, 1, EACCES);
	expect(NULL, STATUS_DONE, 0);
}

/* Nor does any lie above one that cannot be looked at. */
static void the_way_up_ends_where_it_cannot_be_seen(void **state)
{
	(void)state;
	assert_int_equal(chdir("sub"), 0);
	expect(NULL, STATUS_DONE, 1);
	system_fail(SYSTEM_STAT, 4, EACCES); /* after the folder, and two names in it */
	expect(NULL, STATUS_DONE, 0);
	assert_int_equal(chdir(".."), 0);
}

/* ---- Baselines ------------------------------------------------------------------------------- */

static int count(void *ctx, const void *bytes, size_t len)
{
	(void)bytes;
	*(size_t *)ctx += len;
	return 0;
}

/* Where there is no memory for a line that is to stay, the old baseline stays. */
static void a_line_that_stays_needs_memory(void **state)
{
	struct acceptance a = { .request.mode = BASELINE_WRITE, .has_unjudged = true };
	struct baseline_line line = { .rule = "UMD006", .path = "a.umod", .reason = "known" };
	size_t n = 0;

	(void)state;
	assert_true(baseline_add(&a.known, line));
	do {
		line.fingerprint++;
		assert_true(baseline_add(&a.found, line));
	} while (a.found.n < a.found.max);
	system_fail(SYSTEM_REALLOC, 1, ENOMEM);
	assert_false(acceptance_write(&a, count, &n));
	assert_int_equal(n, 0);
	system_reset();
	assert_true(acceptance_write(&a, count, &n));
	assert_int_equal(a.found.n, line.fingerprint + 1);
	assert_true(n > 0);
	acceptance_close(&a);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		T(what_cannot_be_read_is_not_passed_over),
		T(memory_that_ends_ends_the_run),
		T(what_may_be_another_users_is_not_used),
		T(folders_may_be_moved_meanwhile),
		T(a_folder_that_cannot_be_looked_at_has_none),
		T(the_way_up_ends_where_it_cannot_be_seen),
		T(a_line_that_stays_needs_memory),
	};
#undef T

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

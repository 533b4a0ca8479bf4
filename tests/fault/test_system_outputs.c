/* Tests of outputs on POSIX systems when the system fails: nothing is lost, nothing is left, and
 * the reason is told. */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <signal.h>

#include "cli/outputs.h"
#include "scratch.h"
#include "system.h"
#include "unit/said.h"

#define DESCRIPTORS "/dev/fd"
#define ANY (-1)

static struct platform_output out;

/* Opens path, expects that result, and that no descriptor stays open for what is not. */
static void expect_open(const char *path, enum platform_output_result result, int error)
{
	const unsigned n_open = scratch_count(DESCRIPTORS);

	out = (struct platform_output){ .handle = -1 };
	assert_int_equal(platform_output_open(path, &out), result);
	if (result == PLATFORM_OUTPUT_OPEN)
		return;
	assert_true(error == ANY || platform_error() == error);
	assert_int_equal(scratch_count(DESCRIPTORS), n_open);
}

/* Begins an output to "report", which is there already if old is not NULL. */
static void begin(const char *old)
{
	if (old)
		scratch_write("report", old);
	expect_open("report", PLATFORM_OUTPUT_OPEN, 0);
	assert_true(platform_output_begin(&out));
	assert_true(platform_output_write(&out, "new", 3));
	assert_true(platform_output_finish(&out));
}

/* Expects that the report cannot take its place, and that all is as it was. */
static void expect_not_replaced(const char *there, bool is_another, int error)
{
	bool other;

	assert_false(platform_output_replace(&out, &other));
	assert_int_equal(platform_error(), error);
	assert_int_equal(other, is_another);
	platform_output_discard(&out);
	unlink("second name");
	assert_int_equal(scratch_count("."), there != NULL);
	if (there) {
		scratch_expect("report", there);
		unlink("report");
	}
}

/* ---- Opening --------------------------------------------------------------------------------- */

static void descriptors_that_cannot_be_taken(void **state)
{
	char path[32];
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	snprintf(path, sizeof path, "/dev/fd/%d", fds[1]);
	expect_open(path, PLATFORM_OUTPUT_OPEN, 0);
	platform_output_discard(&out);
	system_fail(SYSTEM_FCNTL, 3, EMFILE); /* is it open, how is it open, copy it */
	expect_open(path, PLATFORM_OUTPUT_FAILED, EMFILE);
	system_fail(SYSTEM_FSTAT, 1, EIO);
	expect_open(path, PLATFORM_OUTPUT_FAILED, EIO);
	expect_open("/dev/fd/-1", PLATFORM_OUTPUT_FAILED, EBADF);
	expect_open("/dev/fd/1:", PLATFORM_OUTPUT_FAILED, EBADF);
	close(fds[0]);
	close(fds[1]);
}

static void become_link(void)
{
	unlink("report");
	assert_int_equal(symlink("elsewhere", "report"), 0);
}

static void become_folder(void)
{
	unlink("report");
	assert_int_equal(mkdir("report", 0700), 0);
}

static void become_disk(void *result)
{
	struct stat *st = result;

	st->st_mode = (st->st_mode & 07777) | S_IFBLK;
}

/* What is there changes between the look at it and the opening. */
static void what_becomes_another_thing_is_no_file(void **state)
{
	(void)state;
	scratch_write("report", "old");
	system_faults[SYSTEM_OPENAT] = (struct system_fault){ .at = 1, .before = become_link };
	expect_open("report", PLATFORM_OUTPUT_NOT_A_FILE, ELOOP);
	assert_int_equal(access("elsewhere", F_OK), -1);
	unlink("report");
	scratch_write("report", "old");
	system_faults[SYSTEM_OPENAT] = (struct system_fault){ .at = 1, .before = become_folder };
	expect_open("report", PLATFORM_OUTPUT_NOT_A_FILE, EISDIR);
	rmdir("report");
	scratch_write("report", "old");
	/* the folder, the file */
	system_faults[SYSTEM_FSTAT] = (struct system_fault){ .at = 2, .edit = become_disk };
	expect_open("report", PLATFORM_OUTPUT_NOT_A_FILE, ANY);
	scratch_expect("report", "old");
	unlink("report");
}

static void what_cannot_be_looked_at_is_not_opened(void **state)
{
	(void)state;
	scratch_write("report", "old");
	system_fail(SYSTEM_FSTAT, 1, EIO);
	expect_open("report", PLATFORM_OUTPUT_FAILED, EIO);
	system_fail(SYSTEM_FSTAT, 2, ESTALE);
	expect_open("report", PLATFORM_OUTPUT_FAILED, ESTALE);
	system_fail(SYSTEM_FSTATAT, 1, EACCES);
	expect_open("report", PLATFORM_OUTPUT_FAILED, EACCES);
	system_fail(SYSTEM_OPENAT, 1, EACCES);
	expect_open("report", PLATFORM_OUTPUT_FAILED, EACCES);
	system_fail(SYSTEM_OPENAT, 1, ENXIO);
	expect_open("report", PLATFORM_OUTPUT_UNREAD, ENXIO);
	scratch_expect("report", "old");
	unlink("report");
}

static void standard_output_may_tell_nothing(void **state)
{
	struct platform_output o = platform_output_stdout();

	(void)state;
	assert_int_equal(o.handle, STDOUT_FILENO);
	assert_true(o.identity.number != 0);
	system_fail(SYSTEM_FSTAT, 1, EIO);
	o = platform_output_stdout();
	assert_int_equal(o.handle, STDOUT_FILENO);
	assert_int_equal(o.identity.number, 0);
	assert_false(o.is_device);
}

static void files_of_one_name_in_two_folders_are_two(void **state)
{
	struct platform_output here, there;

	(void)state;
	assert_int_equal(mkdir("folder", 0700), 0);
	assert_int_equal(platform_output_open("report", &here), PLATFORM_OUTPUT_OPEN);
	assert_int_equal(platform_output_open("folder/report", &there), PLATFORM_OUTPUT_OPEN);
	assert_false(platform_output_same(&here, &there));
	platform_output_discard(&there);
	assert_int_equal(platform_output_open("folder/../report", &there), PLATFORM_OUTPUT_OPEN);
	assert_true(platform_output_same(&here, &there));
	platform_output_discard(&there);
	assert_int_equal(platform_output_open("other", &there), PLATFORM_OUTPUT_OPEN);
	assert_false(platform_output_same(&here, &there));
	platform_output_discard(&there);
	platform_output_discard(&here);
	rmdir("folder");
}

/* ---- Beginning ------------------------------------------------------------------------------- */

static void expect_not_begun(int error)
{
	expect_open("report", PLATFORM_OUTPUT_OPEN, 0);
	assert_false(platform_output_begin(&out));
	assert_int_equal(platform_error(), error);
	platform_output_discard(&out);
	assert_int_equal(scratch_count("."), 1);
	scratch_expect("report", "old");
}

/* The first fstat of a begin is about the owner, the second about which file it is; two are asked
 * when the report is opened. */
static void what_cannot_be_begun_leaves_nothing(void **state)
{
	(void)state;
	scratch_write("report", "old");
	system_fail(SYSTEM_FSTAT, 3, EIO);
	expect_not_begun(EIO);
	system_fail(SYSTEM_FSTAT, 4, ESTALE);
	expect_not_begun(ESTALE);
	system_fail(SYSTEM_FCHMOD, 1, EPERM);
	expect_not_begun(EPERM);
	unlink("report");
}

static mode_t mode_of_begun(void)
{
	struct stat st;
	mode_t mode;

	expect_open("report", PLATFORM_OUTPUT_OPEN, 0);
	assert_true(platform_output_begin(&out));
	assert_int_equal(fstat((int)out.handle, &st), 0);
	mode = st.st_mode & 07777;
	platform_output_discard(&out);
	return mode;
}

static void of_another_owner(void *result)
{
	((struct stat *)result)->st_uid++;
}

static void of_another_group(void *result)
{
	((struct stat *)result)->st_gid++;
}

/* The owner does not matter; but the group of the old report's may be one that many are in. */
static void a_group_that_cannot_be_kept_may_do_what_all_may(void **state)
{
	(void)state;
	scratch_write("report", "old");
	assert_int_equal(chmod("report", 0664), 0);
	assert_int_equal(mode_of_begun(), 0664);
	system_fail(SYSTEM_FCHOWN, 1, EPERM);
	system_faults[SYSTEM_FSTAT] = (struct system_fault){ .at = 3, .edit = of_another_owner };
	assert_int_equal(mode_of_begun(), 0664);
	assert_int_equal(system_faults[SYSTEM_FCHOWN].n, 1);
	system_fail(SYSTEM_FCHOWN, 1, EPERM);
	system_faults[SYSTEM_FSTAT] = (struct system_fault){ .at = 3, .edit = of_another_group };
	assert_int_equal(mode_of_begun(), 0644);
	assert_int_equal(system_faults[SYSTEM_FCHOWN].n, 1);
	unlink("report");
}

static void there_is_room_for_sixteen(void **state)
{
	struct platform_output many[PLATFORM_TARGETS_MAX + 1];
	char name[32];

	(void)state;
	for (int i = 0; i <= PLATFORM_TARGETS_MAX; i++) {
		snprintf(name, sizeof name, "report%d", i);
		assert_int_equal(platform_output_open(name, &many[i]), PLATFORM_OUTPUT_OPEN);
		assert_int_equal(platform_output_begin(&many[i]), i < PLATFORM_TARGETS_MAX);
	}
	assert_int_equal(platform_error(), EMFILE);
	assert_int_equal(scratch_count("."), PLATFORM_TARGETS_MAX);
	platform_output_discard(&many[3]);
	assert_true(platform_output_begin(&many[PLATFORM_TARGETS_MAX]));
	for (int i = 0; i <= PLATFORM_TARGETS_MAX; i++)
		platform_output_discard(&many[i]);
	assert_int_equal(scratch_count("."), 0);
}

/* ---- Signals --------------------------------------------------------------------------------- */

static bool is_watched(int number)
{
	struct sigaction action;

	assert_int_equal(sigaction(number, NULL, &action), 0);
	return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

/* What a handler does, in a process that goes on: the system's own way is in the tests of the
 * command line. */
static void a_deadly_signal_takes_the_temporary_files_along(void **state)
{
	static const int numbers[] = { SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
				       SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU };
	struct platform_output second;

	(void)state;
	for (size_t i = 0; i < LENGTH(numbers); i++) {
		signal(numbers[i], SIG_DFL);
		expect_open("report", PLATFORM_OUTPUT_OPEN, 0);
		assert_int_equal(platform_output_open("second", &second), PLATFORM_OUTPUT_OPEN);
		assert_true(platform_output_begin(&out));
		assert_true(platform_output_begin(&second));
		assert_true(is_watched(numbers[i]));
		assert_int_equal(scratch_count("."), 2);
		assert_int_equal(kill(getpid(), numbers[i]), 0);
		assert_int_equal(scratch_count("."), 0);
		assert_int_equal(system_raised, numbers[i]);
		assert_int_equal(system_n_raised, i + 1);
		assert_false(is_watched(numbers[i]));
		platform_output_discard(&out);
		platform_output_discard(&second);
	}
	for (size_t i = 0; i < LENGTH(numbers); i++)
		signal(numbers[i], SIG_DFL);
}

/* Of a signal that cannot be asked about, nothing is known; so it stays as it is. */
static void signals_that_cannot_be_asked_about_are_left_alone(void **state)
{
	(void)state;
	signal(SIGHUP, SIG_DFL);
	signal(SIGUSR1, SIG_IGN);
	system_fail(SYSTEM_SIGACTION, 1, EINVAL);
	expect_open("report", PLATFORM_OUTPUT_OPEN, 0);
	assert_true(platform_output_begin(&out));
	platform_output_discard(&out);
	assert_false(is_watched(SIGHUP));
	assert_false(is_watched(SIGUSR1));
	assert_true(is_watched(SIGTERM));
	signal(SIGUSR1, SIG_DFL);
}

/* ---- Finishing ------------------------------------------------------------------------------- */

static void expect_finish(bool ok, int error)
{
	expect_open("report", PLATFORM_OUTPUT_OPEN, 0);
	assert_true(platform_output_begin(&out));
	assert_int_equal(platform_output_finish(&out), ok);
	if (!ok)
		assert_int_equal(platform_error(), error);
	platform_output_discard(&out);
	assert_int_equal(scratch_count("."), 0);
}

/* A file is synced to disk where its file system can do that. */
static void some_file_systems_cannot_wait_for_the_disk(void **state)
{
	static const int ways[] = { EINVAL, ENOSYS, ENOTSUP };

	(void)state;
	for (size_t i = 0; i < LENGTH(ways); i++) {
		system_fail(SYSTEM_FDATASYNC, 1, ways[i]);
		expect_finish(true, 0);
		assert_int_equal(system_faults[SYSTEM_FDATASYNC].n, 1);
	}
	system_fail(SYSTEM_FDATASYNC, 1, EIO);
	expect_finish(false, EIO);
}

static void an_interrupted_close_has_closed(void **state)
{
	(void)state;
	system_fail(SYSTEM_CLOSE, 1, EINTR);
	expect_finish(true, 0);
	system_fail(SYSTEM_CLOSE, 1, EDQUOT);
	expect_finish(false, EDQUOT);
	system_fail(SYSTEM_CLOSE, 1, EINTR);
	system_fail(SYSTEM_FDATASYNC, 1, EIO);
	expect_finish(false, EIO);
}

/* A stream stays open: closing a copy of it tells as much. */
static void streams_tell_what_went_wrong_late(void **state)
{
	struct platform_output o = platform_output_stdout();

	(void)state;
	assert_true(platform_output_finish(&o));
	system_fail(SYSTEM_CLOSE, 1, EIO);
	assert_false(platform_output_finish(&o));
	assert_int_equal(platform_error(), EIO);
	system_fail(SYSTEM_CLOSE, 1, EINTR);
	assert_true(platform_output_finish(&o));
	system_fail(SYSTEM_FCNTL, 1, EMFILE);
	assert_true(platform_output_finish(&o));
}

/* ---- Replacing ------------------------------------------------------------------------------- */

static void somebody_writes(void)
{
	scratch_write("report", "another");
}

static void somebody_links(void)
{
	assert_int_equal(link("report", "second name"), 0);
}

/* What was written in place has no other file that could replace it. */
static void a_descriptor_is_not_replaced(void **state)
{
	struct platform_output to;
	bool other = true;

	(void)state;
	assert_int_equal(platform_output_open("/dev/stdout", &to), PLATFORM_OUTPUT_OPEN);
	assert_true(platform_output_replace(&to, &other));
	assert_false(other);
	platform_output_discard(&to);
}

/* A file system that cannot rename to a new name in one step is looked at before. */
static void the_old_way_to_a_new_name(void **state)
{
	static const int ways[] = { EINVAL, ENOSYS };
	bool other;

	(void)state;
	for (size_t i = 0; i < LENGTH(ways); i++) {
		begin(NULL);
		system_fail(SYSTEM_RENAMEAT2, 1, ways[i]);
		assert_true(platform_output_replace(&out, &other));
		assert_int_equal(system_faults[SYSTEM_RENAMEAT].n, i + 1);
		platform_output_discard(&out);
		scratch_expect("report", "new");
		unlink("report");
	}
	begin(NULL);
	system_fail(SYSTEM_RENAMEAT2, 1, EINVAL);
	somebody_writes();
	expect_not_replaced("another", true, EEXIST);
	begin(NULL);
	system_fail(SYSTEM_RENAMEAT2, 1, EINVAL);
	system_fail(SYSTEM_FSTATAT, 1, EACCES);
	expect_not_replaced(NULL, false, EACCES);
	begin(NULL);
	system_fail(SYSTEM_RENAMEAT2, 1, EINVAL);
	system_fail(SYSTEM_RENAMEAT, 1, EROFS);
	expect_not_replaced(NULL, false, EROFS);
	begin(NULL);
	system_fail(SYSTEM_RENAMEAT2, 1, EROFS);
	expect_not_replaced(NULL, false, EROFS);
}

static void what_is_no_longer_the_same_file_stays(void **state)
{
	(void)state;
	begin("old");
	somebody_links();
	expect_not_replaced("old", true, EEXIST);
	begin("old");
	unlink("report");
	system_faults[SYSTEM_RENAMEAT2] = (struct system_fault){ .at = 1,
								 .before = somebody_writes };
	expect_not_replaced("another", true, EEXIST);
	begin("old");
	system_fail(SYSTEM_FSTATAT, 1, EACCES);
	expect_not_replaced("old", false, EACCES);
	begin("old");
	system_fail(SYSTEM_RENAMEAT, 1, EROFS);
	expect_not_replaced("old", false, EROFS);
}

/* ---- Reports --------------------------------------------------------------------------------- */

/* What goes wrong later says less about why: the disk was full before closing failed. */
static void the_first_failure_is_the_one_that_is_told(void **state)
{
	char *operands[] = { NULL };
	struct settings settings = { .operands = operands,
				     .n_outputs = 1,
				     .outputs = { { "text", "report" } } };
	struct inputs inputs = { .settings = &settings };
	struct outputs outputs;

	(void)state;
	assert_int_equal(outputs_open(&outputs, &settings, &inputs), STATUS_DONE);
	system_fail(SYSTEM_WRITE, 1, ENOSPC);
	assert_int_equal(output_sink(&outputs.of[0], "new", 3), -1);
	assert_int_equal(output_sink(&outputs.of[0], "new", 3), -1);
	assert_int_equal(system_faults[SYSTEM_WRITE].n, 1);
	system_fail(SYSTEM_FDATASYNC, 1, EIO);
	said_listen();
	assert_int_equal(outputs_close(&outputs, true), STATUS_TROUBLE);
	said_expect("uvet: the report 'report' could not be written: No space left on device\n");
	assert_int_equal(scratch_count("."), 0);
}

int main(void)
{
#define T(name) cmocka_unit_test_teardown(name, system_end)
	const struct CMUnitTest tests[] = {
		T(descriptors_that_cannot_be_taken),
		T(what_becomes_another_thing_is_no_file),
		T(what_cannot_be_looked_at_is_not_opened),
		T(standard_output_may_tell_nothing),
		T(files_of_one_name_in_two_folders_are_two),
		T(what_cannot_be_begun_leaves_nothing),
		T(a_group_that_cannot_be_kept_may_do_what_all_may),
		T(there_is_room_for_sixteen),
		T(a_deadly_signal_takes_the_temporary_files_along),
		T(signals_that_cannot_be_asked_about_are_left_alone),
		T(some_file_systems_cannot_wait_for_the_disk),
		T(an_interrupted_close_has_closed),
		T(streams_tell_what_went_wrong_late),
		T(the_old_way_to_a_new_name),
		T(what_is_no_longer_the_same_file_stays),
		T(the_first_failure_is_the_one_that_is_told),
		T(a_descriptor_is_not_replaced),
	};
#undef T

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

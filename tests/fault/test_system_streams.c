/* Tests of streams on POSIX systems: reading them when the system fails, standard input, and
 * terminals. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>

#include "cli/buffer.h"
#include "cli/engines.h"
#include "scratch.h"
#include "system.h"

/* ---- Reading ------------------------------------------------------------------------------ */

static void expect_read(bool ok, const char *text)
{
	struct platform_stream stream;
	char buf[8];
	size_t n = 0;

	scratch_write("file", "text");
	assert_true(platform_stream_open_file("file", &stream));
	assert_int_equal(platform_stream_read(&stream, buf, sizeof buf, &n), ok);
	assert_int_equal(n, strlen(text));
	assert_memory_equal(buf, text, n);
	platform_stream_close(&stream);
	unlink("file");
}

static void streams_are_read_again_where_that_helps(void **state)
{
	(void)state;
	expect_read(true, "text");
	system_fail(SYSTEM_READ, 1, EINTR);
	expect_read(true, "text");
	assert_int_equal(system_faults[SYSTEM_READ].n, 2);
	system_fail(SYSTEM_READ, 1, EAGAIN);
	expect_read(true, "text");
	assert_int_equal(system_faults[SYSTEM_POLL].n, 1);
	system_fail(SYSTEM_READ, 1, EAGAIN);
	system_fail(SYSTEM_POLL, 1, EINTR);
	expect_read(true, "text");
	system_fail(SYSTEM_READ, 1, EAGAIN);
	system_fail(SYSTEM_POLL, 1, ENOMEM);
	expect_read(false, "");
	assert_int_equal(platform_error(), ENOMEM);
	system_fail(SYSTEM_READ, 1, EIO);
	expect_read(false, "");
	assert_int_equal(platform_error(), EIO);
}

enum { MOST = 1 << 30 };

static size_t asked;

static ssize_t read_what_is_asked(size_t len)
{
	asked = len;
	return (ssize_t)len;
}

/* What is read is not looked at, so it is not written either: the memory stays the system's. */
static void a_stream_may_be_too_long(void **state)
{
	struct buffer s;

	(void)state;
	if (SANITIZED) /* which touches all that it hands out */
		skip();
	system_read = read_what_is_asked;
	assert_false(buffer_read(&s, "/dev/null", MOST));
	assert_string_equal(s.trouble, "longer than --max-memory allows");
	assert_int_equal(s.len, MOST + 1);
	buffer_free(&s);
}

static void a_stream_may_fail(void **state)
{
	struct buffer s;

	(void)state;
	system_fail(SYSTEM_READ, 1, EIO);
	assert_false(buffer_read(&s, "/dev/null", MOST));
	assert_string_equal(s.trouble, "Input/output error");
	buffer_free(&s);
}

/* ---- Standard input ----------------------------------------------------------------------- */

/* Runs the rest of a test with a file as standard input. */
static int put_on_stdin(const char *name)
{
	const int before = dup(STDIN_FILENO), fd = open(name, O_RDONLY);

	assert_true(before >= 0 && fd >= 0);
	assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	close(fd);
	return before;
}

static void restore_stdin(int before)
{
	assert_int_equal(dup2(before, STDIN_FILENO), STDIN_FILENO);
	close(before);
}

static void standard_input_is_a_file_only_if_it_is_regular(void **state)
{
	struct platform_file file;
	int before;

	(void)state;
	scratch_write("file", "text");
	before = put_on_stdin("file");
	system_fail(SYSTEM_FSTAT, 1, EIO);
	assert_false(platform_file_open_stdin(&file));
	assert_true(platform_file_open_stdin(&file));
	assert_int_equal(file.identity.size, 4);
	restore_stdin(before);
	before = put_on_stdin("/dev/null");
	assert_false(platform_file_open_stdin(&file));
	restore_stdin(before);
	unlink("file");
}

static void bytes_from_a_pipe_are_read_like_a_file(void **state)
{
	static const struct {
		uint64_t at;
		size_t len;
		const char *got;
	} reads[] = {
		{ 0, 8, "bytes" }, { 1, 2, "yt" },        { 4, 1, "s" },
		{ 5, 1, "" },      { UINT64_MAX, 8, "" }, { 2, 0, "" },
	};
	struct input in = {
		.kind = INPUT_STDIN_BYTES, .path = "stdin", .bytes = "bytes", .len = 5
	};
	struct input_reader reader;
	const uvet_io *io = input_io(&in, NULL, &reader);
	char buf[8];
	size_t n;

	(void)state;
	assert_int_equal(io->size, 5);
	for (size_t i = 0; i < LENGTH(reads); i++) {
		assert_int_equal(io->read_at(io->ctx, reads[i].at, buf, reads[i].len, &n), 0);
		assert_int_equal(n, strlen(reads[i].got));
		assert_memory_equal(buf, reads[i].got, n);
	}
}

/* ---- Terminals ---------------------------------------------------------------------------- */

/* Colours are for terminals that say what they are. */
static void some_terminals_show_colours(void **state)
{
	static const struct {
		const char *term;
		bool shows;
	} cases[] = { { "xterm", true }, { "dumb", false }, { NULL, false } };
	const int before = dup(STDOUT_FILENO), leader = posix_openpt(O_RDWR | O_NOCTTY);
	int follower;
	bool shows;

	(void)state;
	assert_true(leader >= 0 && grantpt(leader) == 0 && unlockpt(leader) == 0);
	follower = open(ptsname(leader), O_RDWR | O_NOCTTY);
	assert_true(follower >= 0);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		if (cases[i].term)
			setenv("TERM", cases[i].term, 1);
		else
			unsetenv("TERM");
		fflush(stdout);
		dup2(follower, STDOUT_FILENO);
		shows = platform_stdout_is_terminal();
		dup2(before, STDOUT_FILENO);
		assert_int_equal(shows, cases[i].shows);
	}
	close(follower);
	close(leader);
	close(before);
}

int main(void)
{
#define T(name) cmocka_unit_test_teardown(name, system_end)
	const struct CMUnitTest tests[] = {
		T(streams_are_read_again_where_that_helps),
		T(a_stream_may_be_too_long),
		T(a_stream_may_fail),
		T(standard_input_is_a_file_only_if_it_is_regular),
		T(bytes_from_a_pipe_are_read_like_a_file),
		T(some_terminals_show_colours),
	};
#undef T

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

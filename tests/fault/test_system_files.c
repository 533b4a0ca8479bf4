/* Tests of files, memory, streams and threads on POSIX systems when the system fails, or gives less
 * than it might. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "api/api.h"
#include "cli/commands.h"
#include "cli/engines.h"
#include "cli/oodle.h"
#include "cli/buffer.h"
#include "scratch.h"
#include "system.h"

/* ---- Errors ---------------------------------------------------------------------------------- */

static void errors_have_words(void **state)
{
	static const struct {
		int code;
		const char *words;
	} known[] = {
		{ ENOENT, "there is no such file" },
		{ ENOTDIR, "there is no such file" },
		{ EACCES, "access is denied" },
		{ EPERM, "access is denied" },
		{ EISDIR, "it is a folder" },
		{ ENOTSUP, "it is no regular file" },
		{ ENXIO, "it is no regular file" },
		{ EMFILE, "too many files are open" },
		{ ENFILE, "too many files are open" },
		{ ENAMETOOLONG, "its path or a name in it is too long" },
		{ EBADF, "no such descriptor was given" },
		{ ENOMEM, "memory ran out" },
		{ EIO, "the device reported an error" },
		{ ELOOP, "its path leads through too many links, or in a circle" },
		{ EPIPE, "the system refused" },
		{ 0, "the system refused" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(known); i++)
		assert_string_equal(platform_error_words(known[i].code), known[i].words);
}

static void what_the_system_says_is_cut_to_fit(void **state)
{
	char text[64], small[8] = "unused";

	(void)state;
	platform_error_text(ENOSPC, text, sizeof text);
	assert_string_equal(text, "No space left on device");
	platform_error_text(ENOSPC, small, sizeof small);
	assert_string_equal(small, "No spac");
	platform_error_text(ENOSPC, small, 1);
	assert_string_equal(small, "");
	small[0] = 'x';
	platform_error_text(ENOSPC, small, 0);
	assert_int_equal(small[0], 'x');
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void a_file_that_cannot_be_looked_at_is_not_opened(void **state)
{
	const unsigned n_open = scratch_count("/dev/fd");
	char spelling[PLATFORM_SPELLING_SIZE];
	struct platform_file file;

	(void)state;
	scratch_write("file", "text");
	system_fail(SYSTEM_FSTAT, 1, EIO);
	assert_false(platform_file_open("file", &file));
	assert_int_equal(platform_error(), EIO);
	system_fail(SYSTEM_MALLOC, 1, ENOMEM);
	assert_int_equal(platform_sibling_open("./file", "file", &file), PLATFORM_SIBLING_REFUSED);
	system_fail(SYSTEM_OPENAT, 1, EMFILE);
	assert_int_equal(platform_sibling_open("./file", "file", &file), PLATFORM_SIBLING_CROWDED);
	system_fail(SYSTEM_FDOPENDIR, 1, EMFILE);
	assert_int_equal(platform_sibling_find("./file", "FILE", spelling),
			 PLATFORM_SIBLING_CROWDED);
	system_fail(SYSTEM_READDIR, 1, EIO);
	assert_int_equal(platform_sibling_find("./file", "FILE", spelling),
			 PLATFORM_SIBLING_REFUSED);
	/* in place of the opening of the folder, which nothing makes fail */
	system_fail(SYSTEM_MALLOC, 1, EMFILE);
	assert_int_equal(platform_sibling_find("./file", "FILE", spelling),
			 PLATFORM_SIBLING_CROWDED);
	system_fail(SYSTEM_MALLOC, 1, EACCES);
	assert_int_equal(platform_sibling_find("./file", "FILE", spelling),
			 PLATFORM_SIBLING_ABSENT);
	assert_int_equal(scratch_count("/dev/fd"), n_open);
	unlink("file");
}

/* In a host that has closed its standard input a folder or a file may have the number of it. */
static void the_number_of_standard_input_is_a_descriptor(void **state)
{
	const int kept = dup(STDIN_FILENO);
	struct platform_folder folder;
	struct platform_file file;
	bool is_opened, is_beside, is_folder;

	(void)state;
	scratch_write("file", "text");
	close(STDIN_FILENO);
	is_opened = platform_file_open("file", &file);
	is_opened = is_opened && file.handle == STDIN_FILENO;
	platform_file_close(&file);
	/* behind the folder's number */
	is_beside = platform_sibling_open("./file", "file", &file) == PLATFORM_SIBLING_OPEN;
	platform_file_close(&file);
	is_folder = platform_folder_open(".", &folder);
	platform_folder_close(&folder);
	dup2(kept, STDIN_FILENO);
	close(kept);
	assert_true(is_opened);
	assert_true(is_beside);
	assert_true(is_folder);
	unlink("file");
}

/* Whoever puts a link in the place of a file between the look at it and the opening of it gets
 * nothing opened. */
static void links_in_folders_are_not_opened(void **state)
{
	struct platform_folder folder;
	struct platform_file file;

	(void)state;
	scratch_write("file", "text");
	assert_int_equal(symlink("file", "link"), 0);
	assert_true(platform_folder_open(".", &folder));
	assert_true(platform_folder_open_file(&folder, "file", &file));
	platform_file_close(&file);
	assert_false(platform_folder_open_file(&folder, "link", &file));
	platform_folder_close(&folder);
	unlink("link");
	unlink("file");
}

static size_t asked;

static ssize_t read_what_is_asked(size_t len)
{
	asked = len;
	return (ssize_t)len;
}

/* The system reads 1 GiB at most, and nothing behind the last byte that a file can have. */
static void reads_stay_in_the_systems_bounds(void **state)
{
	struct platform_file file;
	struct source_io io;
	uint8_t byte = 7;
	size_t n;

	(void)state;
	scratch_write("file", "text");
	assert_true(platform_file_open("file", &file));
	io = platform_file_io(&file);
	assert_true(io.read_at(io.ctx, (uint64_t)1 << 63, &byte, 1, &n));
	assert_int_equal(n, 0);
	assert_int_equal(byte, 7);
	system_pread = read_what_is_asked;
	assert_true(io.read_at(io.ctx, 0, &byte, ((size_t)1 << 30) + 1, &n));
	assert_int_equal(asked, (size_t)1 << 30);
	assert_int_equal(n, asked);
	platform_file_close(&file);
	unlink("file");
}

/* Contents that were changed and times that were set back leave the time of the change itself. */
static void files_that_change_are_noticed(void **state)
{
	struct platform_file file;
	struct source_io io;
	struct stat before;
	FILE *f;

	(void)state;
	scratch_write("file", "text");
	assert_int_equal(stat("file", &before), 0);
	assert_true(platform_file_open("file", &file));
	io = platform_file_io(&file);
	assert_true(io.unchanged(io.ctx));
	system_fail(SYSTEM_FSTAT, 1, EIO);
	assert_false(io.unchanged(io.ctx));
	assert_true(io.unchanged(io.ctx));
	file.identity.number++;
	assert_false(io.unchanged(io.ctx));
	file.identity.number--;
	usleep(20000); /* file systems count time in ticks */
	f = fopen("file", "r+b");
	assert_non_null(f);
	assert_int_equal(fwrite("TEXT", 1, 4, f), 4);
	fclose(f);
	assert_int_equal(utimensat(AT_FDCWD, "file",
				   (struct timespec[2]){ before.st_atim, before.st_mtim }, 0),
			 0);
	assert_false(io.unchanged(io.ctx));
	platform_file_close(&file);
	unlink("file");
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static size_t misplaced_by;

/* Maps a block that begins so far behind a huge page. */
static void *map_misplaced(size_t size)
{
	const size_t all = size + 2 * ARENA_HUGE_PAGE;
	const int zeros = open("/dev/zero", O_RDWR);
	unsigned char *p = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE, zeros, 0), *at;

	close(zeros);
	assert_ptr_not_equal(p, MAP_FAILED);
	at = p + (ARENA_HUGE_PAGE - (uintptr_t)p % ARENA_HUGE_PAGE) + misplaced_by;
	munmap(p, (size_t)(at - p));
	munmap(at + size, all - size - (size_t)(at - p));
	return at;
}

static void large_blocks_begin_with_a_huge_page(void **state)
{
	static const size_t places[] = { 0, 4096, ARENA_HUGE_PAGE - 4096 };
	unsigned char *p;

	(void)state;
	if (SANITIZED) /* all memory is malloc's */
		skip();
	system_mmap = map_misplaced;
	for (size_t i = 0; i < LENGTH(places); i++) {
		misplaced_by = places[i];
		p = platform_alloc(NULL, ARENA_HUGE_PAGE + 1);
		assert_non_null(p);
		assert_int_equal((uintptr_t)p % ARENA_HUGE_PAGE, 0);
		memset(p, 0xA5, ARENA_HUGE_PAGE + 1);
		platform_release(NULL, p, ARENA_HUGE_PAGE + 1);
	}
	system_reset();
	assert_null(platform_alloc(NULL, SIZE_MAX));
	system_fail(SYSTEM_MMAP, 1, ENOMEM);
	assert_null(platform_alloc(NULL, ARENA_HUGE_PAGE));
	assert_int_equal(system_faults[SYSTEM_MMAP].n, 1);
}

static void nothing_is_given_back(void **state)
{
	(void)state;
	platform_release(NULL, NULL, 1);
	platform_release(NULL, NULL, ARENA_HUGE_PAGE);
}

/* ---- Streams --------------------------------------------------------------------------------- */

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

enum { MOST = 1 << 30 };

/* What is read is not looked at, so it is not written either: the memory stays the system's. */
static void a_stream_may_be_too_long(void **state)
{
	struct buffer s;

	(void)state;
	if (SANITIZED) /* which touches all that it gives */
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

static void a_cancellation_needs_memory(void **state)
{
	uvet_cancellation *c = NULL;

	(void)state;
	system_fail(SYSTEM_MALLOC, 1, ENOMEM);
	assert_int_equal(uvet_cancellation_new(&c), UVET_NO_MEMORY);
	assert_null(c);
	assert_int_equal(uvet_cancellation_new(&c), UVET_OK);
	uvet_cancellation_free(c);
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

static void files_that_cannot_be_read_say_so(void **state)
{
	struct input in = { .kind = INPUT_WALKED, .path = "file" };
	struct input_reader reader;
	const uvet_io *io;
	char buf[8];
	size_t n;

	(void)state;
	scratch_write("file", "text");
	assert_true(platform_file_open("file", &in.file));
	io = input_io(&in, &reader);
	assert_int_equal(io->size, 4);
	assert_int_equal(io->read_at(io->ctx, 1, buf, sizeof buf, &n), 0);
	assert_int_equal(n, 3);
	assert_memory_equal(buf, "ext", 3);
	system_fail(SYSTEM_PREAD, 1, EIO);
	assert_int_not_equal(io->read_at(io->ctx, 0, buf, sizeof buf, &n), 0);
	input_discard(&in);
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
	const uvet_io *io = input_io(&in, &reader);
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

/* Why a file was not opened goes into its report, as words and as what the machine lacked. */
static void a_path_that_cannot_be_opened_says_why(void **state)
{
	static const struct {
		int error;
		unsigned shortages;
	} cases[] = {
		{ EMFILE, UVET_SHORT_OF_FILES },
		{ ENFILE, UVET_SHORT_OF_FILES },
		{ EACCES, 0 },
		{ ENOMEM, 0 },
	};
	uvet_engine *engine;
	uvet_report *report;
	uvet_unjudged u = UVET_UNJUDGED_INIT;

	(void)state;
	scratch_write("file.umod", "text");
	assert_int_equal(uvet_engine_new(NULL, &engine), UVET_OK);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		system_fail(SYSTEM_OPEN, 1, cases[i].error);
		assert_int_equal(uvet_check_path(engine, "file.umod", NULL, &report), UVET_OK);
		assert_int_equal(uvet_report_verdict(report), UVET_UNDETERMINED);
		assert_int_equal(uvet_report_shortages(report), cases[i].shortages);
		assert_int_equal(uvet_report_unjudged_at(report, 0, &u), 1);
		assert_string_equal(u.reason, "unreadable");
		assert_string_equal(u.what, platform_error_words(cases[i].error));
		uvet_report_free(report);
	}
	uvet_engine_free(engine);
	unlink("file.umod");
}

/* The exit code of a command whose output nobody sees. */
static int run_quietly(int (*command)(const struct settings *settings), char **words, int n)
{
	const int out = dup(STDOUT_FILENO), nothing = open("/dev/null", O_WRONLY);
	struct settings settings;
	int code;

	assert_int_equal(settings_parse(n, words, &settings), STATUS_DONE);
	fflush(stdout);
	dup2(nothing, STDOUT_FILENO);
	system_fail(SYSTEM_PREAD, 1, EIO);
	code = command(&settings);
	dup2(out, STDOUT_FILENO);
	close(out);
	close(nothing);
	settings_free(&settings);
	return code;
}

/* What cannot be read is no trouble of ours, whatever was to be shown of it. */
static void what_cannot_be_read_is_undetermined(void **state)
{
	static char *const map[] = { "uvet", "map", "file.umod" }, *const info[] = { "uvet", "info",
										     "file.umod" };
	static char *const check[] = { "uvet", "check", "file.umod" };

	(void)state;
	scratch_write("file.umod", "These bytes are longer than the trailer of an installer.");
	assert_int_equal(run_quietly(map_command, (char **)(uintptr_t)map, 3), STATUS_UNDETERMINED);
	assert_int_equal(run_quietly(info_command, (char **)(uintptr_t)info, 3),
			 STATUS_UNDETERMINED);
	assert_int_equal(run_quietly(check_command, (char **)(uintptr_t)check, 3),
			 STATUS_UNDETERMINED);
	unlink("file.umod");
}

/* ---- Libraries ------------------------------------------------------------------------------- */

static void a_library_is_called_as_unreal_calls_it(void **state)
{
	struct platform_library library = { NULL, NULL };
	uvet_options *options;
	struct oodle oodle;
	char out[8];

	(void)state;
	assert_int_equal(uvet_options_new(&options), UVET_OK);
	assert_true(oodle_open(options, OODLE_LIBRARY, &library));
	oodle = options->settings.oodle;
	assert_int_equal(oodle.decode(oodle.ctx, "bytes", 5, out, 5), 5);
	assert_memory_equal(out, "setyb", 5);
	assert_int_equal(oodle.decode(oodle.ctx, "bytes", 5, out, 4), 0);
	assert_int_equal(oodle.decode(oodle.ctx, "bytes", SIZE_MAX, out, 5), -1);
	assert_int_equal(oodle.decode(oodle.ctx, "bytes", 5, out, SIZE_MAX), -1);
	uvet_options_free(options);
	platform_library_close(&library);
	assert_null(library.handle);
	platform_library_close(&library);
}

static void a_name_alone_is_of_this_folder(void **state)
{
	struct platform_library library = { NULL, NULL };

	(void)state;
	assert_int_equal(symlink(OODLE_LIBRARY, "library.so"), 0);
	system_fail(SYSTEM_MALLOC, 1, ENOMEM);
	assert_int_equal(platform_library_open("library.so", "OodleLZ_Decompress", &library),
			 PLATFORM_LIBRARY_FAILED);
	assert_int_equal(platform_library_open("library.so", "OodleLZ_Compress", &library),
			 PLATFORM_LIBRARY_FOREIGN);
	assert_int_equal(platform_library_open("library.so", "OodleLZ_Decompress", &library),
			 PLATFORM_LIBRARY_OPEN);
	assert_true(library.function != NULL);
	platform_library_close(&library);
	unlink("library.so");
	assert_int_equal(platform_library_open("library.so", "OodleLZ_Decompress", &library),
			 PLATFORM_LIBRARY_FAILED);
}

/* ---- Threads --------------------------------------------------------------------------------- */

static long processors;

static long say_processors(void)
{
	return processors;
}

static void there_is_a_processor_at_least(void **state)
{
	static const struct {
		long said;
		unsigned n, threads;
	} cases[] = { { -1, 1, 1 }, { 0, 1, 1 }, { 3, 3, 3 }, { 64, 64, 64 }, { 300, 300, 64 } };
	uvet_options *options;

	(void)state;
	system_sysconf = say_processors;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		processors = cases[i].said;
		assert_int_equal(platform_processors(), cases[i].n);
		assert_int_equal(uvet_options_new(&options), UVET_OK);
		assert_int_equal(uvet_options_set(options, "jobs", "0"), UVET_OK);
		assert_int_equal(options->settings.threads.n, cases[i].threads);
		uvet_options_free(options);
	}
}

int main(void)
{
#define T(name) cmocka_unit_test_teardown(name, system_end)
	const struct CMUnitTest tests[] = {
		T(errors_have_words),
		T(what_the_system_says_is_cut_to_fit),
		T(a_file_that_cannot_be_looked_at_is_not_opened),
		T(reads_stay_in_the_systems_bounds),
		T(files_that_change_are_noticed),
		T(large_blocks_begin_with_a_huge_page),
		T(nothing_is_given_back),
		T(streams_are_read_again_where_that_helps),
		T(standard_input_is_a_file_only_if_it_is_regular),
		T(some_terminals_show_colours),
		T(a_stream_may_be_too_long),
		T(a_stream_may_fail),
		T(a_cancellation_needs_memory),
		T(files_that_cannot_be_read_say_so),
		T(bytes_from_a_pipe_are_read_like_a_file),
		T(a_path_that_cannot_be_opened_says_why),
		T(the_number_of_standard_input_is_a_descriptor),
		T(links_in_folders_are_not_opened),
		T(what_cannot_be_read_is_undetermined),
		T(a_library_is_called_as_unreal_calls_it),
		T(a_name_alone_is_of_this_folder),
		T(there_is_a_processor_at_least),
	};
#undef T

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

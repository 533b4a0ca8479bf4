/* Tests of files on POSIX systems when the system fails, or reads less than was asked for. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>

#include "api/api.h"
#include "cli/commands.h"
#include "cli/engines.h"
#include "quiet.h"
#include "scratch.h"
#include "system.h"

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
	/* after the folder's number */
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

/* A link that takes the place of a file after the look at it and before it is opened is not
 * followed. */
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

/* The system reads 1 GiB at most, and nothing after the last byte that a file can have. */
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
	io = input_io(&in, NULL, &reader);
	assert_int_equal(io->size, 4);
	assert_int_equal(io->read_at(io->ctx, 1, buf, sizeof buf, &n), 0);
	assert_int_equal(n, 3);
	assert_memory_equal(buf, "ext", 3);
	system_fail(SYSTEM_PREAD, 1, EIO);
	assert_int_not_equal(io->read_at(io->ctx, 0, buf, sizeof buf, &n), 0);
	input_discard(&in);
	unlink("file");
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

/* Expects the exit code of a command whose first read fails. */
static void expect_code(int (*command)(const struct settings *settings), const char *name, int code)
{
	char words[3][16] = { "uvet", "", "file.umod" };
	struct settings settings;
	int found;

	strcpy(words[1], name);
	assert_int_equal(settings_parse(3, (char *[]){ words[0], words[1], words[2] }, &settings),
			 STATUS_DONE);
	quiet_begin();
	system_fail(SYSTEM_PREAD, 1, EIO);
	found = command(&settings);
	quiet_end();
	settings_free(&settings);
	assert_int_equal(found, code);
}

/* What cannot be read is no trouble of ours, whatever was to be shown of it. */
static void what_cannot_be_read_is_undetermined(void **state)
{
	(void)state;
	scratch_write("file.umod", "These bytes are longer than the trailer of an installer.");
	expect_code(map_command, "map", STATUS_UNDETERMINED);
	expect_code(info_command, "info", STATUS_UNDETERMINED);
	expect_code(check_command, "check", STATUS_UNDETERMINED);
	unlink("file.umod");
}

/* The same of what lies in a folder. */
static void what_cannot_be_opened_is_undetermined(void **state)
{
	char words[3][16] = { "uvet", "info", "tree" };
	struct settings settings;
	int code;

	(void)state;
	assert_int_equal(mkdir("tree", 0700), 0);
	scratch_write("tree/file.umod", "text");
	assert_int_equal(settings_parse(3, (char *[]){ words[0], words[1], words[2] }, &settings),
			 STATUS_DONE);
	quiet_begin();
	system_fail(SYSTEM_OPENAT, 1, EACCES);
	code = info_command(&settings);
	quiet_end();
	settings_free(&settings);
	assert_int_equal(code, STATUS_UNDETERMINED);
	unlink("tree/file.umod");
	rmdir("tree");
}

/* A file on the way to it, or nothing. */
static void what_is_not_there_is_absent(void **state)
{
	(void)state;
	assert_true(platform_is_absent(ENOENT) && platform_is_absent(ENOTDIR));
	assert_false(platform_is_absent(EACCES));
}

int main(void)
{
#define T(name) cmocka_unit_test_teardown(name, system_end)
	const struct CMUnitTest tests[] = {
		T(a_file_that_cannot_be_looked_at_is_not_opened),
		T(reads_stay_in_the_systems_bounds),
		T(files_that_change_are_noticed),
		T(files_that_cannot_be_read_say_so),
		T(a_path_that_cannot_be_opened_says_why),
		T(the_number_of_standard_input_is_a_descriptor),
		T(links_in_folders_are_not_opened),
		T(what_cannot_be_read_is_undetermined),
		T(what_cannot_be_opened_is_undetermined),
		T(what_is_not_there_is_absent),
	};
#undef T

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}

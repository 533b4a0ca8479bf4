/* Tests of reading files on POSIX systems: pread that is interrupted, fails, or returns less, and
 * files that change or are none. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/build.h"
#include "unit/unit.h"
#include "uvet/uvet.h"

/* What the next reads do; the linker sends every pread here. */
static struct {
	unsigned n_reads, fault_at;
	unsigned n_interrupts; /* how many reads in a row are interrupted */
	enum fault_read fault;
	void (*meanwhile)(void); /* happens before read fault_at */
} script;

static ssize_t scripted(ssize_t (*read)(int, void *, size_t, off_t), int fd, void *buf, size_t len,
			off_t at)
{
	if (script.n_interrupts > 0) {
		script.n_interrupts--;
		errno = EINTR;
		return -1;
	}
	if (++script.n_reads != script.fault_at)
		return read(fd, buf, len, at);
	if (script.meanwhile)
		script.meanwhile();
	switch (script.fault) {
	case FAULT_FAILS:
		errno = EIO;
		return -1;
	case FAULT_HALF:
		return read(fd, buf, (len + 1) / 2, at);
	case FAULT_ONE_BYTE:
		return read(fd, buf, 1, at);
	case FAULT_NO_BYTES:
		return 0;
	default:
		return read(fd, buf, len, at);
	}
}

ssize_t __real_pread(int fd, void *buf, size_t len, off_t at);
ssize_t __wrap_pread(int fd, void *buf, size_t len, off_t at);
ssize_t __real_pread64(int fd, void *buf, size_t len, off_t at);
ssize_t __wrap_pread64(int fd, void *buf, size_t len, off_t at);

ssize_t __wrap_pread(int fd, void *buf, size_t len, off_t at)
{
	return scripted(__real_pread, fd, buf, len, at);
}

ssize_t __wrap_pread64(int fd, void *buf, size_t len, off_t at)
{
	return scripted(__real_pread64, fd, buf, len, at);
}

/* ---- Fixture --------------------------------------------------------------------------------- */

static char path[] = "uvet-pread-XXXXXX";
static struct build file;
static uvet_engine *engine;

static int begin_group(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	build_good(&file);
	if (fd < 0 || write(fd, file.bytes, file.n) != (ssize_t)file.n || close(fd) != 0)
		return -1;
	return uvet_engine_new(NULL, &engine) != UVET_OK;
}

static int end_group(void **state)
{
	(void)state;
	uvet_engine_free(engine);
	return unlink(path);
}

static int begin(void **state)
{
	(void)state;
	memset(&script, 0, sizeof script);
	return 0;
}

static void expect(const char *name, uvet_verdict verdict, const char *rule)
{
	uvet_report *r;
	bool found = false;

	assert_int_equal(uvet_check_path(engine, name, NULL, &r), UVET_OK);
	assert_int_equal(uvet_report_verdict(r), verdict);
	for (size_t i = 0; i < uvet_report_count(r); i++)
		found = found ||
			(rule && strcmp(uvet_finding_rule(uvet_report_at(r, i)), rule) == 0);
	assert_int_equal(found, rule != NULL);
	assert_true(rule || uvet_report_count(r) == 0);
	uvet_report_free(r);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void undisturbed(void **state)
{
	(void)state;
	expect(path, UVET_VALID, NULL);
	assert_true(script.n_reads > 0);
}

static void interrupted_reads_are_repeated(void **state)
{
	(void)state;
	script.n_interrupts = 5;
	expect(path, UVET_VALID, NULL);
	assert_int_equal(script.n_interrupts, 0);
}

static void failing_reads_are_undetermined(void **state)
{
	(void)state;
	script.fault_at = 1;
	script.fault = FAULT_FAILS;
	expect(path, UVET_UNDETERMINED, "RUN002");
}

static void short_reads_are_continued(void **state)
{
	(void)state;
	for (unsigned at = 1; at < 4; at++) {
		begin(NULL);
		script.fault_at = at;
		script.fault = FAULT_HALF;
		expect(path, UVET_VALID, NULL);
		begin(NULL);
		script.fault_at = at;
		script.fault = FAULT_ONE_BYTE;
		expect(path, UVET_VALID, NULL);
	}
}

static void a_file_that_ends_early_changed(void **state)
{
	(void)state;
	script.fault_at = 1;
	script.fault = FAULT_NO_BYTES;
	expect(path, UVET_UNDETERMINED, "RUN003");
}

static void append(void)
{
	int fd = open(path, O_WRONLY | O_APPEND);

	assert_int_equal(write(fd, "x", 1), 1);
	close(fd);
}

static void touch(void)
{
	const struct timespec times[2] = { { 1000000000, 0 }, { 1000000000, 1 } };

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void a_file_that_changes_meanwhile_is_undetermined(void **state)
{
	(void)state;
	script.fault_at = 1;
	script.meanwhile = touch;
	expect(path, UVET_UNDETERMINED, "RUN003");
	begin(NULL);
	script.fault_at = 1;
	script.meanwhile = append;
	expect(path, UVET_UNDETERMINED, "RUN003");
	assert_int_equal(truncate(path, (off_t)file.n), 0);
	begin(NULL);
	expect(path, UVET_VALID, NULL);
}

static void what_is_no_file_is_unreadable(void **state)
{
	char fifo[sizeof path + 5];

	(void)state;
	expect("/", UVET_UNDETERMINED, "RUN002");
	expect("/dev/null", UVET_UNDETERMINED, "RUN002");
	expect("/nonexistent/a.umod", UVET_UNDETERMINED, "RUN002");
	snprintf(fifo, sizeof fifo, "%s.fifo", path);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	expect(fifo, UVET_UNDETERMINED, "RUN002");
	unlink(fifo);
	assert_int_equal(script.n_reads, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(undisturbed, begin),
		cmocka_unit_test_setup(interrupted_reads_are_repeated, begin),
		cmocka_unit_test_setup(failing_reads_are_undetermined, begin),
		cmocka_unit_test_setup(short_reads_are_continued, begin),
		cmocka_unit_test_setup(a_file_that_ends_early_changed, begin),
		cmocka_unit_test_setup(a_file_that_changes_meanwhile_is_undetermined, begin),
		cmocka_unit_test_setup(what_is_no_file_is_unreadable, begin),
	};

	return cmocka_run_group_tests(tests, begin_group, end_group);
}

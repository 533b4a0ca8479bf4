/* Streams: a file without a name for each, made once. */
#define _POSIX_C_SOURCE 200809L

#include "support/streams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/must.h"
#include "support/strict.h"

enum { PATH_LEN = 4096 };

/* ---- Files ----------------------------------------------------------------------------------- */

static int make_file(void)
{
	const char *folder = getenv("TMPDIR");
	char path[PATH_LEN];
	int fd;

	MUST(snprintf(path, sizeof path, "%s/uvet-XXXXXX", folder ? folder : "/tmp") < PATH_LEN,
	     "a path has room");
	fd = mkstemp(path);
	MUST(fd >= 0 && unlink(path) == 0, "a file can be made");
	return fd;
}

static void empty_file(int fd)
{
	MUST(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0, "a file can be emptied");
}

const char *streams_file(const void *bytes, size_t n)
{
	static char path[32];
	static int fd = -1;

	if (fd < 0) {
		fd = make_file();
		snprintf(path, sizeof path, "/dev/fd/%d", fd);
	}
	empty_file(fd);
	MUST(n == 0 || pwrite(fd, bytes, n, 0) == (ssize_t)n, "a file can be written");
	return path;
}

/* ---- Standard output and standard error ------------------------------------------------------ */

static int shown_to = -1, standard_output = -1;
static FILE *standard_error, *said_to;
static char *said_bytes;
static size_t n_said;

void streams_listen(void)
{
	if (shown_to < 0) {
		shown_to = make_file();
		standard_output = dup(STDOUT_FILENO);
	}
	empty_file(shown_to);
	(void)fflush(stdout);
	said_to = open_memstream(&said_bytes, &n_said);
	MUST(said_to && standard_output >= 0, "the machine has memory for a harness");
	MUST(dup2(shown_to, STDOUT_FILENO) == STDOUT_FILENO, "standard output can be replaced");
	standard_error = stderr;
	stderr = said_to;
}

static void take(struct capture *to, const void *bytes, size_t n)
{
	to->n = 0;
	(void)capture_sink(to, bytes, n);
}

static void take_shown(struct capture *shown)
{
	const off_t n = lseek(shown_to, 0, SEEK_END);
	char *bytes = malloc(n > 0 ? (size_t)n : 1);

	MUST(n >= 0 && bytes, "the machine has memory for a harness");
	MUST(pread(shown_to, bytes, (size_t)n, 0) == (ssize_t)n, "a file can be read");
	take(shown, bytes, (size_t)n);
	free(bytes);
}

void streams_end(struct capture *shown, struct capture *said)
{
	stderr = standard_error;
	(void)fclose(said_to);
	(void)dup2(standard_output, STDOUT_FILENO);
	take(said, said_bytes, n_said);
	free(said_bytes);
	take_shown(shown);
}

void streams_check_said(const struct capture *said)
{
	static const char first[] = "uvet: ";

	for (size_t at = 0, n; at < said->n; at += n) {
		const uint8_t *line = said->bytes + at, *end = memchr(line, '\n', said->n - at);

		MUST(end, "a message is a whole line");
		n = (size_t)(end - line) + 1;
		MUST(n > strlen(first) && memcmp(line, first, strlen(first)) == 0,
		     "a message says whose it is");
	}
	MUST(!strict_text(said->bytes, said->n, false), "messages are safe to show");
}

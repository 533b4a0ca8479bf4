/* Streams and the process itself on POSIX systems. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/posix.h"

bool posix_again(int fd, short events)
{
	struct pollfd ready = { .fd = fd, .events = events };

	if (errno == EAGAIN) /* EWOULDBLOCK is another name for it */
		return poll(&ready, 1, -1) >= 0 || errno == EINTR;
	return errno == EINTR;
}

/* Reads a decimal number; -1: it is none, or above INT_MAX. */
static int descriptor_number(const char *digits)
{
	uint64_t n = 0;

	for (const char *at = digits; *at; at++) {
		if (*at < '0' || *at > '9')
			return -1;
		if (n <= INT_MAX)
			n = n * 10 + (uint64_t)(*at - '0');
	}
	return *digits && n <= INT_MAX ? (int)n : -1;
}

bool posix_names_descriptor(const char *path, int *out)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	static const char *const streams[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr" };
	bool is_named = false;
	int flags;

	*out = -1;
	for (int i = 0; i < 3 && !is_named; i++) {
		is_named = strcmp(path, streams[i]) == 0;
		if (is_named)
			*out = i;
	}
	for (size_t i = 0; i < 2 && !is_named; i++) {
		is_named = strncmp(path, folders[i], strlen(folders[i])) == 0;
		if (is_named)
			*out = descriptor_number(path + strlen(folders[i]));
	}
	/* Descriptors that this process opened are all close-on-exec, inherited ones cannot be. */
	flags = *out >= 0 ? fcntl(*out, F_GETFD) : -1;
	if (flags < 0 || flags & FD_CLOEXEC)
		*out = -1;
	return is_named;
}

/* ---- Streams --------------------------------------------------------------------------------- */

bool platform_stream_open(const char *path, struct platform_stream *out)
{
	int fd = path ? open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC) : STDIN_FILENO;

	if (fd < 0)
		return false;
	out->handle = fd;
	return true;
}

bool platform_stream_open_file(const char *path, struct platform_stream *out)
{
	struct platform_file file;
	int given, fd;

	if (!posix_names_descriptor(path, &given)) {
		if (!platform_file_open(path, &file))
			return false;
		out->handle = file.handle;
		return true;
	}
	fd = fcntl(given, F_DUPFD_CLOEXEC, 0);
	out->handle = fd;
	return fd >= 0;
}

bool platform_stream_read(struct platform_stream *s, void *buf, size_t len, size_t *n_read)
{
	ssize_t n;

	do
		n = read((int)s->handle, buf, len);
	while (n < 0 && posix_again((int)s->handle, POLLIN));
	if (n < 0)
		return false;
	*n_read = (size_t)n;
	return true;
}

void platform_stream_close(struct platform_stream *s)
{
	if (s->handle != STDIN_FILENO)
		close((int)s->handle);
	s->handle = -1;
}

/* ---- The process ----------------------------------------------------------------------------- */

static bool is_terminal(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && term && strcmp(term, "dumb") != 0;
}

bool platform_stdout_is_terminal(void)
{
	return is_terminal(STDOUT_FILENO);
}

bool platform_stderr_is_terminal(void)
{
	return is_terminal(STDERR_FILENO);
}

/* COLUMNS is what the user says, whom the terminal may contradict. */
static unsigned columns_of(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size = { .ws_col = 0 };
	unsigned n = 0;

	if (!isatty(fd))
		return 0;
	for (; columns && *columns >= '0' && *columns <= '9' && n < 1000; columns++)
		n = n * 10 + (unsigned)(*columns - '0');
	if (n > 0 && !*columns)
		return n;
	(void)ioctl(fd, TIOCGWINSZ, &size); /* if that fails, the size is not known */
	return size.ws_col;
}

unsigned platform_stdout_columns(void)
{
	return columns_of(STDOUT_FILENO);
}

unsigned platform_stderr_columns(void)
{
	return columns_of(STDERR_FILENO);
}

/* A standard stream that the parent closed becomes /dev/null, opened so that output to it fails and
 * is reported. */
static bool occupy_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		if (open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY) != fd)
			return false;
	}
	return true;
}

/* Each file takes and frees about the same memory. If pages went back to the system in between,
 * the page faults of the next file would cost more than the check itself. Blocks of huge pages
 * do go back. */
enum { KEPT_MEMORY = 32 << 20 };
static void keep_memory(void)
{
#if defined(__GLIBC__)
	mallopt(M_TRIM_THRESHOLD, KEPT_MEMORY);
	mallopt(M_MMAP_THRESHOLD, KEPT_MEMORY);
#endif
}

/* The low default limit exists for programs with select, which is not used here. Some systems do
 * not allow more than a number of their own. */
static void raise_files(void)
{
	const rlim_t most = 65536;
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= most ||
	    files.rlim_cur >= files.rlim_max)
		return;
	files.rlim_cur = files.rlim_max < most ? files.rlim_max : most;
	(void)setrlimit(RLIMIT_NOFILE, &files);
}

bool platform_working_folder(char *buf, size_t size)
{
	return getcwd(buf, size) != NULL;
}

bool platform_start(int argc, char **argv, struct platform_process *out)
{
	*out = (struct platform_process){ .argc = argc, .argv = argv };
	keep_memory();
	raise_files();
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	return occupy_standard_streams();
}

void platform_end(struct platform_process *p)
{
	p->argv = NULL;
}

/* A hard limit of 0 cannot be raised again. A failure is ignored: the check itself works
 * without. */
void platform_guard_secrets(void)
{
	const struct rlimit none = { 0, 0 };

	(void)setrlimit(RLIMIT_CORE, &none);
#if defined(__linux__)
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

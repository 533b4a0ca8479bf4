/* Streams, outputs and the process itself on POSIX systems. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/posix.h"

/* stream_again tells whether a read or write that failed is worth trying again. The parent may have made our standard streams
 * non-blocking; then it waits for the stream first. */
static bool stream_again(intptr_t fd, short events)
{
	struct pollfd ready = { .fd = (int)fd, .events = events };

	if (errno == EAGAIN || errno == EWOULDBLOCK)
		return poll(&ready, 1, -1) >= 0 || errno == EINTR;
	return errno == EINTR;
}

/* ---- Streams -------------------------------------------------------------------------------------------------------------- */

bool platform_stream_open(const char *path, struct platform_stream *out)
{
	int fd = path ? open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC) : STDIN_FILENO;

	if (fd < 0)
		return false;
	out->handle = fd;
	return true;
}

bool platform_stream_read(struct platform_stream *s, void *buf, size_t len, size_t *n_read)
{
	ssize_t n;

	do
		n = read((int)s->handle, buf, len);
	while (n < 0 && stream_again(s->handle, POLLIN));
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

/* ---- Outputs ------------------------------------------------------------------------------------------------------------ */

#define OUTPUT_FLAGS (O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

static int output_open(const char *path)
{
	int fd = open(path, OUTPUT_FLAGS | O_CREAT | O_EXCL, 0666);

	return fd < 0 && errno == EEXIST ? open(path, OUTPUT_FLAGS) : fd;
}

/* The errors of open that say what path is, rather than what went wrong. */
static enum platform_output_result output_refusal(void)
{
	bool is_no_file = errno == ELOOP || errno == EISDIR || errno == ENXIO;

	return is_no_file ? PLATFORM_OUTPUT_NOT_A_FILE : PLATFORM_OUTPUT_FAILED;
}

enum platform_output_result platform_output_create(const char *path, struct platform_output *out)
{
	enum platform_output_result result = PLATFORM_OUTPUT_OPEN;
	int fd = output_open(path);
	struct stat st;

	if (fd < 0)
		return output_refusal();
	if (fstat(fd, &st) != 0)
		result = PLATFORM_OUTPUT_FAILED;
	else if (!S_ISREG(st.st_mode))
		result = PLATFORM_OUTPUT_NOT_A_FILE;
	else if (st.st_nlink > 1)
		result = PLATFORM_OUTPUT_SHARED;
	if (result == PLATFORM_OUTPUT_OPEN)
		*out = (struct platform_output){ .handle = fd, .identity = posix_identity(&st) };
	else
		close(fd);
	return result;
}

bool platform_output_clear(struct platform_output *o)
{
	return o->identity.size == 0 || ftruncate((int)o->handle, 0) == 0;
}

struct platform_output platform_output_stdout(void)
{
	return (struct platform_output){ .handle = STDOUT_FILENO };
}

bool platform_output_write(struct platform_output *o, const void *bytes, size_t len)
{
	const char *p = bytes;

	while (len > 0) {
		ssize_t n = write((int)o->handle, p, len);

		if (n < 0 && !stream_again(o->handle, POLLOUT))
			return false;
		p += n < 0 ? 0 : n;
		len -= n < 0 ? 0 : (size_t)n;
	}
	return true;
}

bool platform_output_close(struct platform_output *o)
{
	int handle = (int)o->handle;

	o->handle = -1;
	/* After EINTR the descriptor is closed all the same on the systems that matter. */
	return handle == STDOUT_FILENO || close(handle) == 0 || errno == EINTR;
}

bool platform_stdout_is_terminal(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
}

/* ---- The process ---------------------------------------------------------------------------------------------------------- */

/* A standard stream that the parent closed becomes /dev/null, opened so that writing to it fails and is reported. */
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

/* Each file takes and gives back about the same memory. Pages that go back to the system in between would be new ones for the next file,
 * and cost more than what is done with them. Blocks of huge pages do go back. */
enum { KEPT_MEMORY = 32 << 20 };
static void keep_memory(void)
{
#if defined(__GLIBC__)
	mallopt(M_TRIM_THRESHOLD, KEPT_MEMORY);
	mallopt(M_MMAP_THRESHOLD, KEPT_MEMORY);
#endif
}

bool platform_start(int argc, char **argv, struct platform_process *out)
{
	*out = (struct platform_process){ .argc = argc, .argv = argv };
	keep_memory();
	signal(SIGPIPE, SIG_IGN);
	return occupy_standard_streams();
}

void platform_end(struct platform_process *p)
{
	p->argv = NULL;
}

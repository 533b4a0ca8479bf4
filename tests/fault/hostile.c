/* A hostile system: what the command asks of it fails where the environment variable UVET_FAULT
 * says. The functions here stand between the command and the C library (the linker's --wrap).
 *
 * UVET_FAULT is one of
 *     write=full:N            N bytes are taken in all, then the disk is full
 *     write=N:HOW, write=N+:HOW       the N-th write, or that and all after it, takes one byte or
 *                             half of them (one, half), takes nothing and says nothing (zero), is
 *                             interrupted or would block (eintr, eagain; of all after it every
 *                             second), or fails (enospc, eio, epipe)
 *     read=N:HOW, read=N+:HOW likewise: one, half, zero (the end), eintr, eio
 *     sync=N, close=N, rename=N, random=N, create=N, open=N    the N-th call fails, from 1
 *     memory=N, memory=N+     the N-th request for memory is refused, or that and all after it
 * and UVET_FAULT_MARK names a file that is made when the fault strikes. */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

ssize_t __real_write(int fd, const void *bytes, size_t len);
ssize_t __real_read(int fd, void *bytes, size_t len);
ssize_t __real_pread(int fd, void *bytes, size_t len, off_t at);
ssize_t __real_pread64(int fd, void *bytes, size_t len, off_t at);
int __real_fdatasync(int fd);
int __real_close(int fd);
int __real_renameat(int from_folder, const char *from, int to_folder, const char *to);
int __real_renameat2(int from_folder, const char *from, int to_folder, const char *to,
		     unsigned flags);
int __real_open(const char *path, int flags, mode_t mode);
int __real_open64(const char *path, int flags, mode_t mode);
int __real___open_2(const char *path, int flags);
int __real___open64_2(const char *path, int flags);
int __real_openat(int folder, const char *path, int flags, mode_t mode);
int __real_openat64(int folder, const char *path, int flags, mode_t mode);
int __real_getentropy(void *bytes, size_t len);
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t each);
void *__real_realloc(void *p, size_t size);
void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);

ssize_t __wrap_write(int fd, const void *bytes, size_t len);
ssize_t __wrap_read(int fd, void *bytes, size_t len);
ssize_t __wrap_pread(int fd, void *bytes, size_t len, off_t at);
ssize_t __wrap_pread64(int fd, void *bytes, size_t len, off_t at);
int __wrap_fdatasync(int fd);
int __wrap_close(int fd);
int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to);
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to,
		     unsigned flags);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap___open_2(const char *path, int flags);
int __wrap___open64_2(const char *path, int flags);
int __wrap_openat(int folder, const char *path, int flags, ...);
int __wrap_openat64(int folder, const char *path, int flags, ...);
int __wrap_getentropy(void *bytes, size_t len);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t each);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset);

/* ---- The fault ------------------------------------------------------------------------------- */

static const char *fault(void)
{
	const char *text = getenv("UVET_FAULT");

	return text ? text : "";
}

static bool is_fault(const char *name)
{
	return strcmp(fault(), name) == 0;
}

static void mark(void)
{
	const char *path = getenv("UVET_FAULT_MARK");
	const int error = errno,
		  fd = path ? __real_open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;

	if (fd >= 0)
		__real_close(fd);
	errno = error;
}

/* The number after "name=" or "name:", 0 if the fault is another one. *rest is what follows it. */
static unsigned long number_of(const char *name, const char **rest)
{
	const char *text = fault();
	size_t len = strlen(name);
	char *end;
	unsigned long n;

	*rest = "";
	if (strncmp(text, name, len) != 0 || (text[len] != '=' && text[len] != ':'))
		return 0;
	n = strtoul(text + len + 1, &end, 10);
	*rest = end;
	return n;
}

/* Counts a call, and tells whether it is the one that fails. */
static bool strikes(const char *name, atomic_ulong *n_calls)
{
	const char *rest;
	unsigned long at = number_of(name, &rest), now = atomic_fetch_add(n_calls, 1) + 1;

	if (at == 0 || now < at || (now > at && *rest != '+'))
		return false;
	mark();
	return true;
}

/* ---- Writing and reading --------------------------------------------------------------------- */

/* A transfer is a read or a write, which can be cut short or fail. */
struct transfer {
	bool strikes;
	const char *how; /* "one", ... */
};

/* What is interrupted is tried again: of all that follow, every second. */
static struct transfer transfer_of(const char *name, atomic_ulong *n_calls)
{
	const char *rest;
	const unsigned long at = number_of(name, &rest), now = atomic_fetch_add(n_calls, 1) + 1;
	const bool forever = *rest == '+';
	struct transfer t = { .how = forever ? rest + 1 : rest };

	if (at == 0 || *t.how != ':')
		return t;
	t.how++;
	t.strikes = now == at || (forever && now > at);
	if (t.strikes && (strcmp(t.how, "eintr") == 0 || strcmp(t.how, "eagain") == 0) &&
	    (now - at) % 2 == 1)
		t.strikes = false;
	if (t.strikes)
		mark();
	return t;
}

/* How many bytes a transfer that strikes moves of len; -1 with errno set: it fails. */
static ssize_t transfer_len(const struct transfer *t, size_t len)
{
	static const struct {
		const char *how;
		int error;
	} errors[] = {
		{ "eintr", EINTR }, { "eagain", EAGAIN }, { "enospc", ENOSPC },
		{ "eio", EIO },     { "epipe", EPIPE },
	};

	if (!t->strikes)
		return (ssize_t)len;
	if (strcmp(t->how, "one") == 0)
		return 1;
	if (strcmp(t->how, "half") == 0)
		return (ssize_t)((len + 1) / 2);
	if (strcmp(t->how, "zero") == 0)
		return 0;
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		if (strcmp(t->how, errors[i].how) != 0)
			continue;
		errno = errors[i].error;
		return -1;
	}
	abort();
}

/* How many of len bytes the disk has room for; -1: it is full. */
static ssize_t room_on_disk(size_t len)
{
	static atomic_ulong n_taken;
	const char *rest;
	const unsigned long room = number_of("write=full", &rest), taken = atomic_load(&n_taken);

	if (strncmp(fault(), "write=full:", 11) != 0)
		return (ssize_t)len;
	if (taken >= room) {
		mark();
		errno = ENOSPC;
		return -1;
	}
	len = len < room - taken ? len : room - taken;
	atomic_fetch_add(&n_taken, len);
	return (ssize_t)len;
}

/* Standard error is written as it comes, so that the reason can be seen. */
ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
	static atomic_ulong n_calls;
	struct transfer t;
	ssize_t n;

	if (fd == STDERR_FILENO || len == 0)
		return __real_write(fd, bytes, len);
	t = transfer_of("write", &n_calls);
	n = transfer_len(&t, len);
	if (n > 0)
		n = room_on_disk((size_t)n);
	return n > 0 ? __real_write(fd, bytes, (size_t)n) : n;
}

/* All ways to read count together. */
static atomic_ulong n_reads;

ssize_t __wrap_read(int fd, void *bytes, size_t len)
{
	const struct transfer t = transfer_of("read", &n_reads);
	const ssize_t n = transfer_len(&t, len);

	return n > 0 ? __real_read(fd, bytes, (size_t)n) : n;
}

ssize_t __wrap_pread(int fd, void *bytes, size_t len, off_t at)
{
	const struct transfer t = transfer_of("read", &n_reads);
	const ssize_t n = transfer_len(&t, len);

	return n > 0 ? __real_pread(fd, bytes, (size_t)n, at) : n;
}

ssize_t __wrap_pread64(int fd, void *bytes, size_t len, off_t at)
{
	const struct transfer t = transfer_of("read", &n_reads);
	const ssize_t n = transfer_len(&t, len);

	return n > 0 ? __real_pread64(fd, bytes, (size_t)n, at) : n;
}

int __wrap_fdatasync(int fd)
{
	static atomic_ulong n;

	if (!strikes("sync", &n))
		return __real_fdatasync(fd);
	errno = EIO;
	return -1;
}

/* The descriptor is closed all the same, as Linux does it. */
int __wrap_close(int fd)
{
	static atomic_ulong n;
	int result = __real_close(fd);

	if (!strikes("close", &n))
		return result;
	errno = EIO;
	return -1;
}

int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	static atomic_ulong n;

	if (!strikes("rename", &n))
		return __real_renameat(from_folder, from, to_folder, to);
	errno = EACCES;
	return -1;
}

/* rename=0 is a file system that cannot do this. */
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to,
		     unsigned flags)
{
	static atomic_ulong n;

	if (!is_fault("rename=0") && !strikes("rename", &n))
		return __real_renameat2(from_folder, from, to_folder, to, flags);
	errno = is_fault("rename=0") ? EINVAL : EACCES;
	return -1;
}

static bool refuses_to_open(void)
{
	static atomic_ulong n;

	if (!strikes("open", &n))
		return false;
	errno = EMFILE;
	return true;
}

/* The mode is there only where a file may be made. */
static mode_t mode_in(va_list args, int flags)
{
	return flags & O_CREAT ? va_arg(args, mode_t) : 0;
}

#define WRAP_OPEN(name) \
	int __wrap_##name(const char *path, int flags, ...) \
	{ \
		va_list args; \
		mode_t mode; \
\
		va_start(args, flags); \
		mode = mode_in(args, flags); \
		va_end(args); \
		return refuses_to_open() ? -1 : __real_##name(path, flags, mode); \
	}
WRAP_OPEN(open)
WRAP_OPEN(open64)

/* What a hardened build calls where it cannot tell that no file is created. */
int __wrap___open_2(const char *path, int flags)
{
	return refuses_to_open() ? -1 : __real___open_2(path, flags);
}

int __wrap___open64_2(const char *path, int flags)
{
	return refuses_to_open() ? -1 : __real___open64_2(path, flags);
}

static int create(int (*real)(int folder, const char *path, int flags, mode_t mode), int folder,
		  const char *path, int flags, mode_t mode)
{
	static atomic_ulong n;

	if (!(flags & O_CREAT) || !strikes("create", &n))
		return real(folder, path, flags, mode);
	errno = EEXIST;
	return -1;
}

int __wrap_openat(int folder, const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_in(args, flags);
	va_end(args);
	return create(__real_openat, folder, path, flags, mode);
}

int __wrap_openat64(int folder, const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_in(args, flags);
	va_end(args);
	return create(__real_openat64, folder, path, flags, mode);
}

int __wrap_getentropy(void *bytes, size_t len)
{
	static atomic_ulong n;

	if (!strikes("random", &n))
		return __real_getentropy(bytes, len);
	errno = ENOSYS;
	return -1;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static atomic_ulong n_requests;

static bool refuses(void)
{
	bool yes = strikes("memory", &n_requests);

	if (yes)
		errno = ENOMEM;
	return yes;
}

void *__wrap_malloc(size_t size)
{
	return refuses() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t each)
{
	return refuses() ? NULL : __real_calloc(n, each);
}

void *__wrap_realloc(void *p, size_t size)
{
	return refuses() ? NULL : __real_realloc(p, size);
}

/* Memory has no file. What maps one is the profile of a build that measures coverage, when the
 * process ends. */
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	return fd < 0 && refuses() ? MAP_FAILED
				   : __real_mmap(at, size, protection, flags, fd, offset);
}

void *__wrap_mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	return __wrap_mmap(at, size, protection, flags, fd, offset);
}

/* A hostile system: what the command asks of it fails where the environment variable UVET_FAULT says. The functions here stand between the
 * command and the C library (the linker's --wrap).
 *
 * UVET_FAULT is one of
 *     write=one, write=half   every write takes one byte, or half of the bytes
 *     write=eintr, =eagain    every second write is interrupted, or would block
 *     write=zero              every write takes nothing and says nothing
 *     write=full:N            N bytes are taken in all, then the disk is full
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
int __real_fdatasync(int fd);
int __real_close(int fd);
int __real_renameat(int from_folder, const char *from, int to_folder, const char *to);
int __real_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
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
int __wrap_fdatasync(int fd);
int __wrap_close(int fd);
int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to);
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
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

/* ---- The fault ------------------------------------------------------------------------------------------------------------ */

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
	const int error = errno, fd = path ? __real_open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;

	if (fd >= 0)
		__real_close(fd);
	errno = error;
}

/* The number behind "name=" or "name:", 0 if the fault is another one. *rest is what follows it. */
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

/* ---- Writing -------------------------------------------------------------------------------------------------------------- */

/* Standard error is written as it comes, so that the reason can be seen. */
ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
	static atomic_ulong n_calls, n_taken;
	const bool is_second = atomic_fetch_add(&n_calls, 1) % 2 == 0;
	const char *rest;

	if (fd == STDERR_FILENO || len == 0)
		return __real_write(fd, bytes, len);
	if (is_fault("write=one"))
		return __real_write(fd, bytes, 1);
	if (is_fault("write=half"))
		return __real_write(fd, bytes, (len + 1) / 2);
	if (is_fault("write=zero"))
		return 0;
	if (is_second && (is_fault("write=eintr") || is_fault("write=eagain"))) {
		errno = is_fault("write=eintr") ? EINTR : EAGAIN;
		return -1;
	}
	if (strncmp(fault(), "write=full:", 11) == 0) {
		unsigned long room = number_of("write=full", &rest), taken = atomic_load(&n_taken);

		if (taken >= room) {
			mark();
			errno = ENOSPC;
			return -1;
		}
		len = len < room - taken ? len : room - taken;
		atomic_fetch_add(&n_taken, len);
	}
	return __real_write(fd, bytes, len);
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
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
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

/* What a hardened build calls where it cannot tell that nothing is made. */
int __wrap___open_2(const char *path, int flags)
{
	return refuses_to_open() ? -1 : __real___open_2(path, flags);
}

int __wrap___open64_2(const char *path, int flags)
{
	return refuses_to_open() ? -1 : __real___open64_2(path, flags);
}

static int create(int (*real)(int folder, const char *path, int flags, mode_t mode), int folder, const char *path, int flags, mode_t mode)
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

/* ---- Memory --------------------------------------------------------------------------------------------------------------- */

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

/* Memory has no file. What maps one is the profile of a build that measures coverage, when the process ends. */
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	return fd < 0 && refuses() ? MAP_FAILED : __real_mmap(at, size, protection, flags, fd, offset);
}

void *__wrap_mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	return __wrap_mmap(at, size, protection, flags, fd, offset);
}

/* A system that fails on demand: each function stands between the code under test and the C
 * library's function of that name. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include "system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct system_fault system_faults[SYSTEM_CALLS];
ssize_t (*system_read)(size_t len);
ssize_t (*system_pread)(size_t len);
void *(*system_mmap)(size_t len);
long (*system_sysconf)(void);
bool system_has_openat2;
unsigned system_n_openat2;
int system_raised;
unsigned system_n_raised;

void system_reset(void)
{
	memset(system_faults, 0, sizeof system_faults);
	system_read = system_pread = NULL;
	system_mmap = NULL;
	system_sysconf = NULL;
	system_has_openat2 = false;
	system_n_openat2 = 0;
	system_raised = 0;
	system_n_raised = 0;
}

int system_end(void **state)
{
	(void)state;
	system_reset();
	return 0;
}

void system_fail(enum system_call call, unsigned at, int error)
{
	system_faults[call] = (struct system_fault){ .at = at, .error = error };
}

/* Counts a call. It returns the fault that strikes it, or NULL. */
static struct system_fault *struck(enum system_call call)
{
	struct system_fault *f = &system_faults[call];

	f->n++;
	if (f->at == 0 || f->n < f->at || (f->n > f->at && !f->forever))
		return NULL;
	if (f->before)
		f->before();
	return f;
}

static bool fails(const struct system_fault *f)
{
	if (!f || f->error == 0)
		return false;
	errno = f->error;
	return true;
}

/* Both names that a function with 64-bit offsets may have. */
#define WRAP(result, name, parameters, arguments, call, failure) \
	result __real_##name parameters; \
	result __wrap_##name parameters; \
	result __wrap_##name parameters \
	{ \
		return fails(struck(call)) ? failure : __real_##name arguments; \
	}

#define WRAP_EDITED(result, name, parameters, arguments, call, edited) \
	result __real_##name parameters; \
	result __wrap_##name parameters; \
	result __wrap_##name parameters \
	{ \
		const struct system_fault *f = struck(call); \
		result given = fails(f) ? -1 : __real_##name arguments; \
\
		if (given == 0 && f && f->edit) \
			f->edit(edited); \
		return given; \
	}

WRAP_EDITED(int, stat, (const char *path, struct stat *st), (path, st), SYSTEM_STAT, st)
WRAP_EDITED(int, stat64, (const char *path, struct stat *st), (path, st), SYSTEM_STAT, st)
WRAP_EDITED(int, fstat, (int fd, struct stat *st), (fd, st), SYSTEM_FSTAT, st)
WRAP_EDITED(int, fstat64, (int fd, struct stat *st), (fd, st), SYSTEM_FSTAT, st)
WRAP_EDITED(int, fstatat, (int folder, const char *path, struct stat *st, int flags),
	    (folder, path, st, flags), SYSTEM_FSTATAT, st)
WRAP_EDITED(int, fstatat64, (int folder, const char *path, struct stat *st, int flags),
	    (folder, path, st, flags), SYSTEM_FSTATAT, st)
WRAP(ssize_t, write, (int fd, const void *bytes, size_t len), (fd, bytes, len), SYSTEM_WRITE, -1)
WRAP(int, poll, (struct pollfd * fds, nfds_t n, int timeout), (fds, n, timeout), SYSTEM_POLL, -1)
WRAP(int, fchown, (int fd, uid_t owner, gid_t group), (fd, owner, group), SYSTEM_FCHOWN, -1)
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode), SYSTEM_FCHMOD, -1)
WRAP(int, fdatasync, (int fd), (fd), SYSTEM_FDATASYNC, -1)
WRAP(int, renameat, (int from_folder, const char *from, int to_folder, const char *to),
     (from_folder, from, to_folder, to), SYSTEM_RENAMEAT, -1)
WRAP(int, renameat2,
     (int from_folder, const char *from, int to_folder, const char *to, unsigned flags),
     (from_folder, from, to_folder, to, flags), SYSTEM_RENAMEAT2, -1)
WRAP(DIR *, fdopendir, (int fd), (fd), SYSTEM_FDOPENDIR, NULL)
WRAP(void *, malloc, (size_t size), (size), SYSTEM_MALLOC, NULL)
WRAP(void *, realloc, (void *p, size_t size), (p, size), SYSTEM_REALLOC, NULL)
WRAP(int, sigaction, (int number, const struct sigaction *new, struct sigaction *old),
     (number, new, old), SYSTEM_SIGACTION, -1)

/* The descriptor is closed all the same, as Linux does it. */
int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
	const struct system_fault *f = struck(SYSTEM_CLOSE);
	const int given = __real_close(fd);

	return fails(f) ? -1 : given;
}

/* The mode is there only where a file may be made. */
static mode_t mode_in(va_list args, int flags)
{
	return flags & O_CREAT ? va_arg(args, mode_t) : 0;
}

#define WRAP_OPEN(name) \
	int __real_##name(const char *path, int flags, mode_t mode); \
	int __wrap_##name(const char *path, int flags, ...); \
	int __wrap_##name(const char *path, int flags, ...) \
	{ \
		va_list args; \
		mode_t mode; \
\
		va_start(args, flags); \
		mode = mode_in(args, flags); \
		va_end(args); \
		return fails(struck(SYSTEM_OPEN)) ? -1 : __real_##name(path, flags, mode); \
	}
WRAP_OPEN(open)
WRAP_OPEN(open64)

#define WRAP_OPENAT(name) \
	int __real_##name(int folder, const char *path, int flags, mode_t mode); \
	int __wrap_##name(int folder, const char *path, int flags, ...); \
	int __wrap_##name(int folder, const char *path, int flags, ...) \
	{ \
		va_list args; \
		mode_t mode; \
\
		va_start(args, flags); \
		mode = mode_in(args, flags); \
		va_end(args); \
		return fails(struck(SYSTEM_OPENAT)) ? -1 \
						    : __real_##name(folder, path, flags, mode); \
	}
WRAP_OPENAT(openat)
WRAP_OPENAT(openat64)

/* What openat is where its flags are no constant. */
#define WRAP_OPENAT_2(name) \
	int __real_##name(int folder, const char *path, int flags); \
	int __wrap_##name(int folder, const char *path, int flags); \
	int __wrap_##name(int folder, const char *path, int flags) \
	{ \
		return fails(struck(SYSTEM_OPENAT)) ? -1 : __real_##name(folder, path, flags); \
	}
WRAP_OPENAT_2(__openat_2)
WRAP_OPENAT_2(__openat64_2)

/* As openat, where the system has it. */
long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
#ifdef SYS_openat2
	if (number == SYS_openat2) {
		system_n_openat2++;
		if (!system_has_openat2) {
			errno = ENOSYS;
			return -1;
		}
		if (fails(struck(SYSTEM_OPENAT)))
			return -1;
	}
#endif
	return __real_syscall(number, a, b, c, d, e, f);
}

/* Passed on as the C library itself passes it on, whatever the command takes. */
#define WRAP_FCNTL(name) \
	int __real_##name(int fd, int command, void *argument); \
	int __wrap_##name(int fd, int command, ...); \
	int __wrap_##name(int fd, int command, ...) \
	{ \
		void *argument; \
		va_list args; \
\
		va_start(args, command); \
		argument = va_arg(args, void *); \
		va_end(args); \
		return fails(struck(SYSTEM_FCNTL)) ? -1 : __real_##name(fd, command, argument); \
	}
WRAP_FCNTL(fcntl)
WRAP_FCNTL(fcntl64)

#define WRAP_READDIR(name) \
	struct dirent *__real_##name(DIR *folder); \
	struct dirent *__wrap_##name(DIR *folder); \
	struct dirent *__wrap_##name(DIR *folder) \
	{ \
		const struct system_fault *f = struck(SYSTEM_READDIR); \
		struct dirent *given = fails(f) ? NULL : __real_##name(folder); \
\
		if (given && f && f->edit) \
			f->edit(given); \
		return given; \
	}
WRAP_READDIR(readdir)
WRAP_READDIR(readdir64)

ssize_t __real_read(int fd, void *buf, size_t len);
ssize_t __wrap_read(int fd, void *buf, size_t len);
ssize_t __wrap_read(int fd, void *buf, size_t len)
{
	if (fails(struck(SYSTEM_READ)))
		return -1;
	return system_read ? system_read(len) : __real_read(fd, buf, len);
}

#define WRAP_PREAD(name) \
	ssize_t __real_##name(int fd, void *buf, size_t len, off_t at); \
	ssize_t __wrap_##name(int fd, void *buf, size_t len, off_t at); \
	ssize_t __wrap_##name(int fd, void *buf, size_t len, off_t at) \
	{ \
		if (fails(struck(SYSTEM_PREAD))) \
			return -1; \
		return system_pread ? system_pread(len) : __real_##name(fd, buf, len, at); \
	}
WRAP_PREAD(pread)
WRAP_PREAD(pread64)

/* Memory has no file. What maps one is the profile of a build that measures coverage. */
#define WRAP_MMAP(name) \
	void *__real_##name(void *at, size_t size, int protection, int flags, int fd, \
			    off_t offset); \
	void *__wrap_##name(void *at, size_t size, int protection, int flags, int fd, \
			    off_t offset); \
	void *__wrap_##name(void *at, size_t size, int protection, int flags, int fd, \
			    off_t offset) \
	{ \
		if (fd >= 0) \
			return __real_##name(at, size, protection, flags, fd, offset); \
		if (fails(struck(SYSTEM_MMAP))) \
			return MAP_FAILED; \
		return system_mmap ? system_mmap(size) \
				   : __real_##name(at, size, protection, flags, fd, offset); \
	}
WRAP_MMAP(mmap)
WRAP_MMAP(mmap64)

long __real_sysconf(int name);
long __wrap_sysconf(int name);
long __wrap_sysconf(int name)
{
	return system_sysconf ? system_sysconf() : __real_sysconf(name);
}

/* What would end the process is only noted. */
int __wrap_raise(int number);
int __wrap_raise(int number)
{
	system_raised = number;
	system_n_raised++;
	return 0;
}

/* Outputs on POSIX systems: a file is written to a temporary file, which is renamed. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/posix.h"

/* How an interrupted report is called: short enough for every file system. */
#define TEMPORARY_NAME ".uvet-unfinished-"
enum {
	RANDOM_LEN = 8,
	RANDOM_DIGITS = 2 * RANDOM_LEN,
	TEMPORARY_LEN = sizeof TEMPORARY_NAME + RANDOM_DIGITS
};

/* A new file is never one that somebody else made. The folder may be writable and not readable. */
#define CREATE_FLAGS (O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC)
#define LOOK_FLAGS (O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#ifdef O_PATH
#define FOLDER_FLAGS (O_PATH | O_CLOEXEC)
#else
#define FOLDER_FLAGS (O_RDONLY | O_CLOEXEC)
#endif

/* ---- Temporary files ------------------------------------------------------------------------- */

/* The temporary files that a signal handler has to remove. The main thread takes and frees the
 * entries, and a handler may read them in any thread: so the other members are written before
 * is_taken is set. */
static struct temporary {
	atomic_int is_taken;
	int folder;
	char name[TEMPORARY_LEN];
} temporaries[PLATFORM_TARGETS_MAX];

static const int deadly_signals[] = { SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
				      SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU };
enum { DEADLY_SIGNALS = sizeof deadly_signals / sizeof *deadly_signals };

/* SA_RESETHAND has restored the default action, which the raised signal gets when this returns and
 * it is no longer blocked. */
static void on_deadly_signal(int number)
{
	for (int i = 0; i < PLATFORM_TARGETS_MAX; i++)
		if (atomic_load(&temporaries[i].is_taken))
			unlinkat(temporaries[i].folder, temporaries[i].name, 0);
	(void)raise(number);
}

static void deadly_set(sigset_t *set)
{
	sigemptyset(set);
	for (int i = 0; i < DEADLY_SIGNALS; i++)
		sigaddset(set, deadly_signals[i]);
}

/* A signal that the parent set to be ignored stays ignored. */
static void watch_signals(void)
{
	struct sigaction action = { .sa_handler = on_deadly_signal, .sa_flags = (int)SA_RESETHAND },
			 before;

	deadly_set(&action.sa_mask);
	for (int i = 0; i < DEADLY_SIGNALS; i++)
		if (sigaction(deadly_signals[i], NULL, &before) == 0 &&
		    before.sa_handler == SIG_DFL)
			sigaction(deadly_signals[i], &action, NULL);
}

static bool choose_name(char name[TEMPORARY_LEN])
{
	unsigned char random[RANDOM_LEN];
	char *at = name + sizeof TEMPORARY_NAME - 1;

	if (getentropy(random, sizeof random) != 0)
		return false;
	memcpy(name, TEMPORARY_NAME, sizeof TEMPORARY_NAME - 1);
	for (size_t i = 0; i < sizeof random; i++) {
		*at++ = "0123456789abcdef"[random[i] >> 4];
		*at++ = "0123456789abcdef"[random[i] & 15];
	}
	*at = '\0';
	return true;
}

/* Makes a file with a new name in a folder and returns its descriptor, or a negative number. */
static int temporary_create(struct temporary *t, int folder, mode_t mode)
{
	int fd;

	if (!choose_name(t->name))
		return -1;
	t->folder = folder;
	fd = openat(folder, t->name, CREATE_FLAGS, mode);
	if (fd >= 0)
		atomic_store(&t->is_taken, 1);
	return fd;
}

static void temporary_remove(struct temporary *t)
{
	unlinkat(t->folder, t->name, 0);
	atomic_store(&t->is_taken, 0);
}

static struct temporary *temporary_free(void)
{
	for (int i = 0; i < PLATFORM_TARGETS_MAX; i++)
		if (!atomic_load(&temporaries[i].is_taken))
			return &temporaries[i];
	errno = EMFILE;
	return NULL;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* A file that is to be replaced: its folder and name, what is there now, and its temporary file. */
struct platform_target {
	int folder;
	struct platform_identity folder_identity;
	bool exists; /* there was a file, of this mode and owner */
	struct stat found;
	struct temporary *temporary;      /* NULL: there is none, or no longer */
	struct platform_identity written; /* the temporary file's */
	char name[];
};

static enum platform_output_result fail(int error)
{
	errno = error;
	return PLATFORM_OUTPUT_FAILED;
}

static enum platform_output_result open_descriptor(int given, struct platform_output *out)
{
	int flags = given < 0 ? -1 : fcntl(given, F_GETFL), fd;
	struct stat st;

	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		return fail(EBADF);
	fd = fcntl(given, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return PLATFORM_OUTPUT_FAILED;
	if (fstat(fd, &st) != 0) {
		close(fd);
		return PLATFORM_OUTPUT_FAILED;
	}
	*out = (struct platform_output){ .handle = fd,
					 .identity = posix_identity(&st),
					 .is_device = S_ISCHR(st.st_mode) };
	return PLATFORM_OUTPUT_OPEN;
}

/* Some errors of open say what the path names, rather than what went wrong. */
static enum platform_output_result refusal(void)
{
	if (errno == ENXIO)
		return PLATFORM_OUTPUT_UNREAD;
	return errno == ELOOP || errno == EISDIR ? PLATFORM_OUTPUT_NOT_A_FILE
						 : PLATFORM_OUTPUT_FAILED;
}

/* Takes what was opened. A regular file is closed again: it was opened only to see whether it may
 * be written to. */
static enum platform_output_result take(int fd, struct platform_target *b,
					struct platform_output *out)
{
	const bool is_known = fstat(fd, &b->found) == 0;
	const mode_t mode = b->found.st_mode;

	if (is_known && (S_ISCHR(mode) || S_ISFIFO(mode))) {
		*out = (struct platform_output){ .handle = fd,
						 .identity = posix_identity(&b->found),
						 .is_device = S_ISCHR(mode) };
		return PLATFORM_OUTPUT_OPEN;
	}
	close(fd);
	if (!is_known)
		return PLATFORM_OUTPUT_FAILED;
	if (!S_ISREG(mode))
		return PLATFORM_OUTPUT_NOT_A_FILE;
	if (b->found.st_nlink > 1)
		return PLATFORM_OUTPUT_SHARED;
	b->exists = true;
	*out = (struct platform_output){ .handle = -1,
					 .identity = posix_identity(&b->found),
					 .target = b };
	return PLATFORM_OUTPUT_OPEN;
}

/* Looks before it opens, because opening has an effect on some devices. */
static enum platform_output_result look(struct platform_target *b, struct platform_output *out)
{
	struct stat st;
	int fd;

	if (fstat(b->folder, &st) != 0)
		return PLATFORM_OUTPUT_FAILED;
	b->folder_identity = posix_identity(&st);
	if (fstatat(b->folder, b->name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		*out = (struct platform_output){ .handle = -1, .target = b };
		return errno == ENOENT ? PLATFORM_OUTPUT_OPEN : PLATFORM_OUTPUT_FAILED;
	}
	if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode) && !S_ISFIFO(st.st_mode))
		return PLATFORM_OUTPUT_NOT_A_FILE;
	fd = openat(b->folder, b->name, LOOK_FLAGS);
	return fd < 0 ? refusal() : take(fd, b, out);
}

static void target_free(struct platform_target *b)
{
	int error = errno;

	if (b->temporary)
		temporary_remove(b->temporary);
	close(b->folder);
	free(b);
	errno = error;
}

enum platform_output_result platform_output_open(const char *path, struct platform_output *out)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	enum platform_output_result result;
	struct platform_target *b;
	int descriptor;

	if (posix_names_descriptor(path, &descriptor))
		return open_descriptor(descriptor, out);
	if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return PLATFORM_OUTPUT_NOT_A_FILE;
	b = malloc(sizeof *b + strlen(name) + 1);
	if (!b)
		return fail(ENOMEM);
	*b = (struct platform_target){ .folder = posix_folder_of(path, FOLDER_FLAGS) };
	memcpy(b->name, name, strlen(name) + 1);
	result = b->folder < 0 ? PLATFORM_OUTPUT_FAILED : look(b, out);
	if (result != PLATFORM_OUTPUT_OPEN || !out->target)
		target_free(b);
	return result;
}

struct platform_output platform_output_stdout(void)
{
	struct platform_output o = { .handle = STDOUT_FILENO };
	struct stat st;

	if (fstat(STDOUT_FILENO, &st) == 0) {
		o.identity = posix_identity(&st);
		o.is_device = S_ISCHR(st.st_mode);
	}
	return o;
}

/* ---- Beginning ------------------------------------------------------------------------------- */

/* Gives a temporary file the owner and the mode of the file that it will replace. If the group
 * cannot be kept, the new group gets the rights of all others. */
static bool take_over_mode(int fd, const struct stat *found)
{
	mode_t mode = found->st_mode & 0777;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return false;
	if (st.st_uid != found->st_uid && fchown(fd, found->st_uid, (gid_t)-1) != 0)
		errno = 0;
	if (st.st_gid != found->st_gid && fchown(fd, (uid_t)-1, found->st_gid) != 0)
		mode &= 0707 | (mode & 07) << 3;
	return fchmod(fd, mode) == 0;
}

static bool begin(struct platform_output *o, struct platform_target *b)
{
	struct temporary *t = temporary_free();
	struct stat st;
	int fd = t ? temporary_create(t, b->folder, b->exists ? 0600 : 0666) : -1;

	if (fd < 0)
		return false;
	o->handle = fd;
	b->temporary = t;
	if (b->exists && !take_over_mode(fd, &b->found))
		return false;
	if (fstat(fd, &st) != 0)
		return false;
	b->written = posix_identity(&st);
	return true;
}

bool platform_output_begin(struct platform_output *o)
{
	sigset_t deadly, before;
	bool ok;

	if (!o->target)
		return true;
	watch_signals();
	deadly_set(&deadly);
	pthread_sigmask(SIG_BLOCK, &deadly, &before);
	ok = begin(o, o->target);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

bool platform_output_same(const struct platform_output *a, const struct platform_output *b)
{
	if (a->target && b->target && !a->target->exists && !b->target->exists)
		return platform_same_file(&a->target->folder_identity,
					  &b->target->folder_identity) &&
		       strcmp(a->target->name, b->target->name) == 0;
	return !a->is_device && platform_same_file(&a->identity, &b->identity);
}

bool platform_output_is(const struct platform_output *o, const struct platform_identity *file)
{
	const struct platform_target *b = o->target;

	return b && ((b->exists && platform_same_file(&o->identity, file)) ||
		     platform_same_file(&b->written, file));
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* A device that takes no bytes and reports no error would be asked for ever. */
bool platform_output_write(struct platform_output *o, const void *bytes, size_t len)
{
	const char *p = bytes;

	while (len > 0) {
		ssize_t n = write((int)o->handle, p, len);

		if (n == 0)
			errno = EIO;
		if (n == 0 || (n < 0 && !posix_again((int)o->handle, POLLOUT)))
			return false;
		p += n < 0 ? 0 : n;
		len -= n < 0 ? 0 : (size_t)n;
	}
	return true;
}

/* macOS has no fdatasync in its headers, and its fsync does not wait for the disk itself. */
static int sync_data(int fd)
{
#ifdef __APPLE__
	return fcntl(fd, F_FULLFSYNC) >= 0 ? 0 : fsync(fd);
#else
	return fdatasync(fd);
#endif
}

/* Some file systems have no way to wait for the disk. After EINTR the descriptor is closed
 * nevertheless on the systems that are supported.
 */
static bool sync_and_close(int fd)
{
	bool ok = sync_data(fd) == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
	int error = errno;

	if (close(fd) != 0 && errno != EINTR)
		return false;
	errno = error;
	return ok;
}

/* Closing a copy of the descriptor reports late errors, as closing the descriptor itself would. */
static bool close_copy(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	return copy < 0 || close(copy) == 0 || errno == EINTR;
}

bool platform_output_finish(struct platform_output *o)
{
	int fd = (int)o->handle;

	if (!o->target)
		return close_copy(fd);
	o->handle = -1;
	return sync_and_close(fd);
}

/* ---- Replacing ------------------------------------------------------------------------------- */

/* Renames if no file has the name. If the file system cannot do that in one step, it is looked at
 * before. */
static bool rename_to_new(const struct platform_target *b)
{
	struct stat st;

#ifdef RENAME_NOREPLACE
	if (renameat2(b->folder, b->temporary->name, b->folder, b->name, RENAME_NOREPLACE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return false;
#endif
	if (fstatat(b->folder, b->name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = EEXIST;
		return false;
	}
	return errno == ENOENT && renameat(b->folder, b->temporary->name, b->folder, b->name) == 0;
}

static bool rename_over(const struct platform_output *o, const struct platform_target *b)
{
	struct platform_identity now;
	struct stat st;

	if (fstatat(b->folder, b->name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT && rename_to_new(b);
	now = posix_identity(&st);
	if (!S_ISREG(st.st_mode) || st.st_nlink > 1 || !platform_same_file(&now, &o->identity)) {
		errno = EEXIST;
		return false;
	}
	return renameat(b->folder, b->temporary->name, b->folder, b->name) == 0;
}

bool platform_output_replace(struct platform_output *o, bool *is_another)
{
	struct platform_target *b = o->target;
	bool ok;

	*is_another = false;
	if (!b)
		return true;
	ok = b->exists ? rename_over(o, b) : rename_to_new(b);
	*is_another = !ok && errno == EEXIST;
	if (ok) {
		atomic_store(&b->temporary->is_taken, 0);
		b->temporary = NULL;
	}
	return ok;
}

void platform_output_discard(struct platform_output *o)
{
	if (o->handle >= 0 && o->handle != STDOUT_FILENO)
		close((int)o->handle);
	o->handle = -1;
	if (o->target)
		target_free(o->target);
	o->target = NULL;
}

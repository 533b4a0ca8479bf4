/* Files, memory and error texts on POSIX systems. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/posix.h"

/* ---- Errors ---------------------------------------------------------------------------------- */

int platform_error(void)
{
	return errno;
}

/* Only the main thread calls it, so the static buffer of strerror is safe; without setlocale its
 * texts are English. */
void platform_error_text(int code, char *buf, size_t size)
{
	const char *text = strerror(code);
	size_t len = strlen(text);

	if (size == 0)
		return;
	if (len > size - 1)
		len = size - 1;
	memcpy(buf, text, len);
	buf[len] = '\0';
}

bool platform_is_crowded(int code)
{
	return code == EMFILE || code == ENFILE;
}

bool platform_is_absent(int code)
{
	return code == ENOENT || code == ENOTDIR;
}

bool platform_is_hung_up(int code)
{
	return code == EPIPE;
}

const char *platform_error_words(int code)
{
	switch (code) {
	case ENOENT:
	case ENOTDIR:
		return "there is no such file";
	case EACCES:
	case EPERM:
		return "access is denied";
	case EISDIR:
		return "it is a folder";
	case ENOTSUP:
	case ENXIO:
		return "it is no regular file";
	case EMFILE:
	case ENFILE:
		return SOURCE_CROWDED;
	case ELOOP:
		return "its path leads through too many links, or in a circle";
	case ENAMETOOLONG:
		return "its path or a name in it is too long";
	case EBADF:
		return "no such descriptor was given";
	case ENOMEM:
		return "memory ran out";
	case EIO:
		return "the device reported an error";
	default:
		return "the system refused";
	}
}

/* ---- Files ----------------------------------------------------------------------------------- */

static uint64_t nanoseconds(struct timespec t)
{
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

struct platform_identity posix_identity(const struct stat *st)
{
	return (struct platform_identity){
		.device = (uint64_t)st->st_dev,
		.number = (uint64_t)st->st_ino,
		.size = (uint64_t)st->st_size,
#ifdef __APPLE__
		.modified = nanoseconds(st->st_mtimespec),
		.changed = nanoseconds(st->st_ctimespec),
#else
		.modified = nanoseconds(st->st_mtim),
		.changed = nanoseconds(st->st_ctim),
#endif
	};
}

bool platform_same_file(const struct platform_identity *a, const struct platform_identity *b)
{
	return a->device == b->device && a->number == b->number;
}

bool posix_file_take(int fd, struct platform_file *out)
{
	struct stat st;
	int error;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0) {
		if (S_ISREG(st.st_mode)) {
			*out = (struct platform_file){ .handle = fd,
						       .identity = posix_identity(&st) };
			return true;
		}
		errno = S_ISDIR(st.st_mode) ? EISDIR : ENOTSUP;
	}
	error = errno;
	close(fd);
	errno = error;
	return false;
}

bool platform_file_open(const char *path, struct platform_file *out)
{
	return posix_file_take(open(path, POSIX_OPEN_FLAGS), out);
}

size_t platform_folder_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

int posix_folder_of(const char *path, int flags)
{
	const size_t len = platform_folder_len(path);
	char *folder;
	int fd, error;

	if (len == 0)
		return open(".", flags | O_DIRECTORY);
	folder = malloc(len + 1);
	if (!folder)
		return -1;
	memcpy(folder, path, len);
	folder[len] = '\0';
	fd = open(folder, flags | O_DIRECTORY);
	error = errno;
	free(folder);
	errno = error;
	return fd;
}

bool platform_file_open_stdin(struct platform_file *out)
{
	struct stat st;

	if (lseek(STDIN_FILENO, 0, SEEK_CUR) != 0)
		return false;
	if (fstat(STDIN_FILENO, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	*out = (struct platform_file){ .handle = STDIN_FILENO, .identity = posix_identity(&st) };
	return true;
}

bool platform_file_is_own(const struct platform_file *f)
{
	struct stat st;

	return fstat((int)f->handle, &st) == 0 && (st.st_uid == geteuid() || st.st_uid == 0);
}

void platform_file_close(struct platform_file *f)
{
	close((int)f->handle);
	f->handle = -1;
}

/* Some systems refuse a longer read instead of shortening it. */
#define READ_MAX ((size_t)1 << 30)

static bool file_read_at(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	const struct platform_file *f = ctx;
	ssize_t n = 0;

	if (len > READ_MAX)
		len = READ_MAX;
	if (at <= INT64_MAX) {
		do
			n = pread((int)f->handle, buf, len, (off_t)at);
		while (n < 0 && errno == EINTR);
	}
	if (n < 0)
		return false;
	*n_read = (size_t)n;
	return true;
}

static bool file_unchanged(void *ctx)
{
	const struct platform_file *f = ctx;
	struct platform_identity now;
	struct stat st;

	if (fstat((int)f->handle, &st) != 0)
		return false;
	now = posix_identity(&st);
	return platform_same_file(&now, &f->identity) && now.size == f->identity.size &&
	       now.modified == f->identity.modified && now.changed == f->identity.changed;
}

struct source_io platform_file_io(struct platform_file *f)
{
	return (struct source_io){ .read_at = file_read_at,
				   .unchanged = file_unchanged,
				   .ctx = f,
				   .size = f->identity.size };
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* A sanitizer watches only memory from malloc. */
#if defined(__SANITIZE_ADDRESS__)
#define WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define WATCHED 1
#endif
#endif

#if defined(__linux__) && defined(MADV_HUGEPAGE) && !defined(WATCHED)

#define ANY_PAGE ((size_t)64 << 10) /* a multiple of the page size of every machine */

static size_t huge_size(size_t size)
{
	return (size + ANY_PAGE - 1) / ANY_PAGE * ANY_PAGE;
}

/* Maps one huge page too much and unmaps what lies before and after the aligned part. */
static void *huge_alloc(size_t size)
{
	size_t want = huge_size(size), head;
	unsigned char *p;

	if (size > SIZE_MAX / 2)
		return NULL;
	p = mmap(NULL, want + ARENA_HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		 -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	head = (ARENA_HUGE_PAGE - (uintptr_t)p % ARENA_HUGE_PAGE) % ARENA_HUGE_PAGE;
	if (head > 0)
		munmap(p, head);
	/* at least a page: head is less than a huge one */
	munmap(p + head + want, ARENA_HUGE_PAGE - head);
	madvise(p + head, want, MADV_HUGEPAGE);
	return p + head;
}

void *platform_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return size >= ARENA_HUGE_PAGE ? huge_alloc(size) : malloc(size);
}

void platform_release(void *ctx, void *memory, size_t size)
{
	(void)ctx;
	if (!memory)
		return;
	if (size >= ARENA_HUGE_PAGE)
		munmap(memory, huge_size(size));
	else
		free(memory);
}

#else

void *platform_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return malloc(size);
}

void platform_release(void *ctx, void *memory, size_t size)
{
	(void)ctx;
	(void)size;
	free(memory);
}

#endif

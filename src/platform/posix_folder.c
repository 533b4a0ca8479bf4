/* Folders on POSIX systems, entered and opened by descriptor, so that nobody can put a link in the
 * way. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include "platform/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/posix.h"

static enum platform_kind kind_of_mode(mode_t mode)
{
	if (S_ISREG(mode))
		return PLATFORM_FILE;
	if (S_ISDIR(mode))
		return PLATFORM_FOLDER;
	return S_ISLNK(mode) ? PLATFORM_LINK : PLATFORM_OTHER;
}

enum platform_kind platform_path_look(const char *path, struct platform_identity *out)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return PLATFORM_OTHER;
	*out = posix_identity(&st);
	return kind_of_mode(st.st_mode);
}

static bool folder_take(int fd, struct platform_folder *out)
{
	struct stat st;
	DIR *dir;
	int error;

	if (fd < 0)
		return false;
	dir = fstat(fd, &st) == 0 ? fdopendir(fd) : NULL;
	if (!dir) {
		error = errno;
		close(fd);
		errno = error;
		return false;
	}
	*out = (struct platform_folder){ .handle = dir, .device = (uint64_t)st.st_dev };
	return true;
}

bool platform_folder_open(const char *path, struct platform_folder *out)
{
	return folder_take(open(path, POSIX_OPEN_FLAGS | O_DIRECTORY), out);
}

bool platform_folder_enter(const struct platform_folder *parent, const char *name,
			   struct platform_folder *out)
{
	return folder_take(
		posix_open_beneath(dirfd(parent->handle), name, POSIX_OPEN_FLAGS | O_DIRECTORY),
		out);
}

bool platform_folder_open_file(const struct platform_folder *f, const char *name,
			       struct platform_file *out)
{
	return posix_file_take(posix_open_beneath(dirfd(f->handle), name, POSIX_OPEN_FLAGS), out);
}

static enum platform_kind entry_kind(DIR *dir, const struct dirent *entry)
{
	struct stat st;

	switch (entry->d_type) {
	case DT_REG:
		return PLATFORM_FILE;
	case DT_DIR:
		return PLATFORM_FOLDER;
	case DT_LNK:
		return PLATFORM_LINK;
	case DT_UNKNOWN:
		if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			return kind_of_mode(st.st_mode);
		return PLATFORM_OTHER;
	default:
		return PLATFORM_OTHER;
	}
}

bool platform_folder_next(struct platform_folder *f, struct platform_entry *out, bool *failed)
{
	struct dirent *entry;

	do {
		errno = 0;
		entry = readdir(f->handle);
	} while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
	*failed = !entry && errno != 0;
	if (!entry)
		return false;
	*out = (struct platform_entry){ .name = entry->d_name,
					.kind = entry_kind(f->handle, entry) };
	return true;
}

void platform_folder_close(struct platform_folder *f)
{
	closedir(f->handle);
	f->handle = NULL;
}

/* Companions on POSIX systems: opened by their names in the folder of the input, which is searched
 * for names in other case. */
#define _GNU_SOURCE 1
#define _FILE_OFFSET_BITS 64

#include "platform/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/ending.h"
#include "core/text.h"
#include "core/name_list.h"
#include "platform/posix.h"

/* Why a sibling was not opened; called before anything else changes errno. */
static enum platform_sibling refused(void)
{
	return platform_is_crowded(errno) ? PLATFORM_SIBLING_CROWDED : PLATFORM_SIBLING_REFUSED;
}

static enum platform_sibling open_in(int folder, const char *name, struct platform_file *out)
{
	if (posix_file_take(posix_open_beneath(folder, name, POSIX_OPEN_FLAGS), out))
		return PLATFORM_SIBLING_OPEN;
	return errno == ENOENT || errno == ENAMETOOLONG ? PLATFORM_SIBLING_ABSENT : refused();
}

enum platform_sibling platform_sibling_open(const char *path, const char *name,
					    struct platform_file *out)
{
	enum platform_sibling result;
	int folder;

	if (strchr(name, '/'))
		return PLATFORM_SIBLING_REFUSED;
	folder = posix_folder_of(path, POSIX_OPEN_FLAGS);
	if (folder < 0)
		return refused();
	result = open_in(folder, name, out);
	close(folder);
	return result;
}

/* ---- Other spellings ------------------------------------------------------------------------- */

enum { LISTED_MAX = 4096 + 2 }; /* with "." and ".." */

/* The order of a folder is the system's own, so all names are looked at. */
static enum platform_sibling look_through(DIR *folder, const char *name, char *spelling)
{
	const size_t size = strlen(name) + 1;
	const struct dirent *entry;
	unsigned n = 0;

	spelling[0] = '\0';
	for (errno = 0; n < LISTED_MAX && (entry = readdir(folder)) != NULL; n++)
		if (text_differs_in_case(entry->d_name, name) &&
		    (spelling[0] == '\0' || strcmp(entry->d_name, spelling) < 0))
			memcpy(spelling, entry->d_name, size);
	if (n == LISTED_MAX && readdir(folder))
		return PLATFORM_SIBLING_ABSENT;
	if (errno != 0)
		return refused();
	return spelling[0] != '\0' ? PLATFORM_SIBLING_OPEN : PLATFORM_SIBLING_ABSENT;
}

/* A folder that may not be listed counts as one without such a file. Too many open files are
 * told apart, so that reports do not depend on them. */
enum platform_sibling platform_sibling_find(const char *path, const char *name,
					    char spelling[PLATFORM_SPELLING_SIZE])
{
	enum platform_sibling result;
	DIR *listed;
	int folder;

	if (strlen(name) >= PLATFORM_SPELLING_SIZE)
		return PLATFORM_SIBLING_ABSENT;
	folder = posix_folder_of(path, POSIX_OPEN_FLAGS);
	if (folder < 0)
		return errno == EACCES ? PLATFORM_SIBLING_ABSENT : refused();
	listed = fdopendir(folder);
	if (!listed) {
		result = refused();
		close(folder);
		return result;
	}
	result = look_through(listed, name, spelling);
	closedir(listed);
	return result;
}

/* ---- Files of one kind ----------------------------------------------------------------------- */

size_t platform_siblings_list(const char *path, const char *ending,
			      char names[][PLATFORM_SPELLING_SIZE], size_t max)
{
	struct name_list list = { names, max, 0 };
	const int folder = posix_folder_of(path, POSIX_OPEN_FLAGS);
	DIR *listed = folder < 0 ? NULL : fdopendir(folder);
	const struct dirent *entry;
	unsigned n = 0;

	if (!listed) {
		if (folder >= 0)
			close(folder);
		return 0;
	}
	for (; n < LISTED_MAX && (entry = readdir(listed)) != NULL; n++)
		if (ending_is(entry->d_name, ending))
			name_list_add(&list, entry->d_name);
	if (n == LISTED_MAX && readdir(listed))
		list.n = 0;
	closedir(listed);
	return list.n;
}

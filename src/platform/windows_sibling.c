/* Companions on Windows. */
#include "core/ending.h"
#include "core/name_list.h"
#include "platform/windows.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* Makes the path of a name in the folder of the file at path; free gives it back. */
static wchar_t *sibling_path(const char *path, const char *name)
{
	wchar_t *wide = windows_path(path), *slash = wide ? wcsrchr(wide, L'\\') : NULL,
		*joined = NULL;

	if (slash) {
		*slash = L'\0';
		joined = windows_join(wide, name);
	}
	free(wide);
	return joined;
}

enum platform_sibling platform_sibling_open(const char *path, const char *name,
					    struct platform_file *out)
{
	const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
	wchar_t *wide = strpbrk(name, "/\\:") ? NULL : sibling_path(path, name);
	HANDLE handle;
	DWORD error;

	if (!wide)
		return PLATFORM_SIBLING_REFUSED;
	handle = CreateFileW(wide, GENERIC_READ, share, NULL, OPEN_EXISTING,
			     FILE_FLAG_OPEN_REPARSE_POINT, NULL);
	error = GetLastError();
	free(wide);
	if (windows_file_take(handle, FILE_ATTRIBUTE_REPARSE_POINT, out))
		return PLATFORM_SIBLING_OPEN;
	if (handle == INVALID_HANDLE_VALUE &&
	    (error == ERROR_FILE_NOT_FOUND || error == ERROR_INVALID_NAME))
		return PLATFORM_SIBLING_ABSENT;
	return handle == INVALID_HANDLE_VALUE && platform_is_crowded((int)error)
		       ? PLATFORM_SIBLING_CROWDED
		       : PLATFORM_SIBLING_REFUSED;
}

/* Windows finds names in any case, so an absent file is absent in every spelling. */
enum platform_sibling platform_sibling_find(const char *path, const char *name,
					    char spelling[PLATFORM_SPELLING_SIZE])
{
	(void)path, (void)name, (void)spelling;
	return PLATFORM_SIBLING_ABSENT;
}

enum { LISTED_MAX = 4096 };

/* The system finds a file by its short name, too, which ends otherwise. */
static void list_all(HANDLE search, WIN32_FIND_DATAW *found, const char *ending,
		     struct name_list *list)
{
	unsigned n = 0;

	do {
		char *name = windows_utf8(found->cFileName);

		if (name && ending_is(name, ending))
			name_list_add(list, name);
		free(name);
	} while (++n <= LISTED_MAX && FindNextFileW(search, found));
	if (n > LISTED_MAX)
		list->n = 0;
}

size_t platform_siblings_list(const char *path, const char *ending,
			      char names[][PLATFORM_SPELLING_SIZE], size_t max)
{
	struct name_list list = { names, max, 0 };
	char pattern[32] = "*";
	WIN32_FIND_DATAW found;
	HANDLE search;
	wchar_t *wide;

	if (strlen(ending) + 2 > sizeof pattern)
		return 0;
	memcpy(pattern + 1, ending, strlen(ending) + 1);
	wide = sibling_path(path, pattern);
	search = wide ? FindFirstFileW(wide, &found) : INVALID_HANDLE_VALUE;
	free(wide);
	if (search == INVALID_HANDLE_VALUE)
		return 0;
	list_all(search, &found, ending, &list);
	FindClose(search);
	return list.n;
}

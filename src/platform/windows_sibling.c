/* Companions on Windows. */
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

/* Libraries that are loaded while the program runs, on Windows. */
#include "platform/windows.h"

#include <stdlib.h>
#include <string.h>

enum platform_library_result platform_library_open(const char *path, const char *name,
						   struct platform_library *out)
{
	wchar_t *wide = windows_path(path);
	HMODULE handle = wide ? LoadLibraryExW(wide, NULL, LOAD_WITH_ALTERED_SEARCH_PATH) : NULL;
	FARPROC symbol;

	free(wide);
	if (!handle)
		return PLATFORM_LIBRARY_FAILED;
	symbol = GetProcAddress(handle, name);
	if (!symbol) {
		FreeLibrary(handle);
		return PLATFORM_LIBRARY_FOREIGN;
	}
	out->handle = handle;
	memcpy(&out->function, &symbol, sizeof symbol);
	return PLATFORM_LIBRARY_OPEN;
}

void platform_library_close(struct platform_library *l)
{
	if (l->handle)
		FreeLibrary(l->handle);
	*l = (struct platform_library){ NULL, NULL };
}

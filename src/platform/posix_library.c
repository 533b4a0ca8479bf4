/* Libraries that are loaded while the program runs, on POSIX systems. */
#define _GNU_SOURCE 1

#include "platform/platform.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* dlopen would search the system's folders for a name without a folder. */
static void *load(const char *path)
{
	size_t len = strlen(path);
	char *here;
	void *handle;

	if (strchr(path, '/'))
		return dlopen(path, RTLD_NOW | RTLD_LOCAL);
	here = malloc(len + 3);
	if (!here)
		return NULL;
	memcpy(here, "./", 2);
	memcpy(here + 2, path, len + 1);
	handle = dlopen(here, RTLD_NOW | RTLD_LOCAL);
	free(here);
	return handle;
}

enum platform_library_result platform_library_open(const char *path, const char *name,
						   struct platform_library *out)
{
	void *handle = load(path), *symbol;

	if (!handle)
		return PLATFORM_LIBRARY_FAILED;
	symbol = dlsym(handle, name);
	if (!symbol) {
		dlclose(handle);
		return PLATFORM_LIBRARY_FOREIGN;
	}
	out->handle = handle;
	memcpy(&out->function, &symbol, sizeof symbol); /* C has no cast from one to the other */
	return PLATFORM_LIBRARY_OPEN;
}

void platform_library_close(struct platform_library *l)
{
	if (l->handle)
		dlclose(l->handle);
	*l = (struct platform_library){ NULL, NULL };
}

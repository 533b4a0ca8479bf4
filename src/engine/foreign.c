/* Files of formats that are not read: a table of endings that mods come with. */
#include "engine/foreign.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *ending, *name;
} foreign[] = {
	{ ".pak", "an archive of Unreal Engine 4 or 5 (.pak)" },
	{ ".ucas", "a part of an IoStore container (.ucas)" },
	{ ".sig", "the signatures of a .pak (.sig)" },
	{ ".uasset", "a package of Unreal Engine 4 or 5 (.uasset)" },
	{ ".umap", "a level of Unreal Engine 4 or 5 (.umap)" },
	{ ".uexp", "a part of a package of Unreal Engine 4 or 5 (.uexp)" },
	{ ".ubulk", "a part of a package of Unreal Engine 4 or 5 (.ubulk)" },
	{ ".zip", "a zip archive (.zip)" },
	{ ".7z", "a 7z archive (.7z)" },
	{ ".rar", "a rar archive (.rar)" },
};

static char fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool ends_in(const char *name, const char *ending)
{
	const size_t len = strlen(name), n = strlen(ending);

	if (len <= n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (fold(name[len - n + i]) != ending[i])
			return false;
	return true;
}

const char *foreign_name(const char *name)
{
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (ends_in(name, foreign[i].ending))
			return foreign[i].name;
	return NULL;
}

/* Files of formats that are not read: a table of endings that mods come with, for what bytes do not
 * tell. */
#include "engine/foreign.h"

#include <string.h>

#include "core/ending.h"

static const struct {
	const char *ending, *name;
} foreign[] = {
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

static const char *by_name(const char *name)
{
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (ending_is(name, foreign[i].ending))
			return foreign[i].name;
	return NULL;
}

/* Where the ending says the same, it says it with the ending. */
const char *foreign_kind(const char *name, const struct diagnosis *d)
{
	const char *ending = by_name(name), *bytes = diagnosis_other(d);

	return bytes && !(ending && strncmp(ending, bytes, strlen(bytes)) == 0) ? bytes : ending;
}

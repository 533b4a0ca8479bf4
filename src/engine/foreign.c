/* Files of formats that are not read: a table of endings that mods come with, for what bytes do not
 * tell. */
#include "engine/foreign.h"

#include <string.h>

#include "core/ending.h"

#define NOT_READ "not read by this version"

static const struct row {
	const char *ending, *kind;
	bool is_package;
} rows[] = {
	{ ".ucas", "a part of an IoStore container (.ucas)", false },
	{ ".sig", "the signatures of a .pak (.sig)", false },
	{ ".uasset", "a package of Unreal Engine 4 or 5 (.uasset)", true },
	{ ".umap", "a level of Unreal Engine 4 or 5 (.umap)", true },
	{ ".uexp", "a part of a package of Unreal Engine 4 or 5 (.uexp)", false },
	{ ".ubulk", "a part of a package of Unreal Engine 4 or 5 (.ubulk)", false },
	{ ".zip", "a zip archive (.zip)", false },
	{ ".7z", "a 7z archive (.7z)", false },
	{ ".rar", "a rar archive (.rar)", false },
};

static const struct row *row_of(const char *name)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (ending_is(name, rows[i].ending))
			return &rows[i];
	return NULL;
}

/* Where the ending says the same, it says it with the ending. */
struct foreign foreign_tell(const struct report *r)
{
	const struct row *row = row_of(r->name);
	const char *bytes = diagnosis_other(r->diagnosis);

	if (bytes && !(row && strncmp(row->kind, bytes, strlen(bytes)) == 0))
		return (struct foreign){ NOT_READ, bytes };
	if (!row)
		return (struct foreign){ NOT_READ, NULL };
	return (struct foreign){ r->is_no_package ? "not what its name promises" : NOT_READ,
				 row->kind };
}

bool foreign_is_package(const char *name)
{
	const struct row *row = row_of(name);

	return row && row->is_package;
}

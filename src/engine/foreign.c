/* Files of formats that are not read: a table of endings that mods come with, for what bytes do not
 * tell. */
#include "engine/foreign.h"

#include <string.h>

#include "core/container_parts.h"

#define NOT_READ "not read by this version"
#define NOT_WHOLE "not complete", "a download that has not ended"

static const struct row {
	const char *ending, *why, *kind;
	bool is_package;
	const char *lacks; /* the file with which it is judged; NULL: there is none */
} rows[] = {
	{ PART_DATA, "judged only with its .utoc", "a part of an IoStore container (.ucas)", false,
	  "its .utoc" },
	{ ".sig", NOT_READ, "the signatures of a .pak (.sig)", false, NULL },
	{ ".uasset", NOT_READ, "a package of Unreal Engine 4 or 5 (.uasset)", true, NULL },
	{ ".umap", NOT_READ, "a level of Unreal Engine 4 or 5 (.umap)", true, NULL },
	{ ".uexp", NOT_READ, "a part of a package of Unreal Engine 4 or 5 (.uexp)", false, NULL },
	{ ".ubulk", NOT_READ, "a part of a package of Unreal Engine 4 or 5 (.ubulk)", false, NULL },
	{ ".crdownload", NOT_WHOLE " (.crdownload)", false, NULL },
	{ ".part", NOT_WHOLE " (.part)", false, NULL },
	{ ".partial", NOT_WHOLE " (.partial)", false, NULL },
	{ ".filepart", NOT_WHOLE " (.filepart)", false, NULL },
	{ ".download", NOT_WHOLE " (.download)", false, NULL },
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
		return (struct foreign){ NOT_READ, bytes, "" };
	if (!row)
		return (struct foreign){ NOT_READ, NULL, "" };
	return (struct foreign){ r->is_no_package ? "not what its name promises" : row->why,
				 row->kind, row->lacks ? row->lacks : "" };
}

bool foreign_is_package(const char *name)
{
	const struct row *row = row_of(name);

	return row && row->is_package;
}

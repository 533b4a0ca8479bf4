/* What is kept of a package whole, for rules that compare it with others: the rows of its tables,
 * as far as files refer to each other by them. */
#ifndef UVET_FORMATS_SUMMARY_PACKAGE_H
#define UVET_FORMATS_SUMMARY_PACKAGE_H

#include "core/arena.h"
#include "core/span.h"

/* A package_import and a package_export are rows of the tables. Object references are as in the
 * file: 0 is nothing, N export N-1, -N import N-1. Every name is one of the package's. */
struct package_import {
	uint32_t at;        /* of its entry */
	uint32_t name : 24; /* a table has no more rows than that (max-entries) */
	uint32_t len : 8;   /* bytes of the entry */
	uint32_t class_name, class_package;
	int32_t outer;
};
struct package_export {
	uint32_t at : 31; /* of its entry: packages have 2^31-1 bytes at most */
	uint32_t is_public : 1;
	uint32_t name : 24;
	uint32_t len : 8;
	int32_t class, outer;
};
struct package_generation {
	uint32_t exports, names;
};

/* A summary_package owns nothing: its rows lie in the arena that it was made in. */
struct summary_package {
	uint32_t n_names, n_imports, n_exports, n_generations;
	/* of each name where its text ends in `texts`; it begins where the one before ends. Names
	 * that neither an import nor an export has are empty */
	const uint32_t *ends;
	const uint32_t *hashes; /* package_text_hash of each, its lower half */
	const char *texts;      /* UTF-8; what an engine keeps of each name */
	const struct package_import *imports;
	const struct package_export *exports;
	const struct package_generation *generations;
	uint32_t flags;      /* PackageFlags */
	uint64_t rows_hash;  /* of all rows of the tables: packages that differ in it differ */
	struct span guid_at; /* len 0: it has none */
};

/* A package_text is the text of a name: bytes of UTF-8, not ended by a NUL. */
struct package_text {
	const char *chars;
	uint32_t len;
};

/* A package_name is a name with its hash: names whose hashes differ are not the same. */
struct package_name {
	struct package_text text;
	uint32_t hash;
};

static inline struct package_text package_text_of(const struct summary_package *p, uint32_t name)
{
	const uint32_t from = name > 0 ? p->ends[name - 1] : 0;

	return (struct package_text){ p->texts + from, p->ends[name] - from };
}

/* package_text_compare orders texts without regard to the case of ASCII letters, as engines
 * compare names; 0 means that they are the same. package_text_hash is the same for these. */
int package_text_compare(struct package_text a, struct package_text b);
uint64_t package_text_hash(struct package_text t);

static inline struct package_name package_name_of(const struct summary_package *p, uint32_t name)
{
	return (struct package_name){ package_text_of(p, name), p->hashes[name] };
}
static inline bool package_name_is(struct package_name a, struct package_name b)
{
	return a.hash == b.hash && package_text_compare(a.text, b.text) == 0;
}

/* Room for the path of an import: names have 64 characters at most, of up to three bytes.
 * package_import_path writes it to the end of room, names with a dot between them, from its package
 * on, and returns where it begins; of one that is too long the end. */
enum { PACKAGE_PATH_MAX = 600 };
size_t package_import_path(const struct summary_package *p, uint32_t import,
			   char room[PACKAGE_PATH_MAX]);

/* summary_package_copy copies one with all that it points to; NULL: memory ended. */
UVET_MUST_USE const struct summary_package *summary_package_copy(struct arena *arena,
								 const struct summary_package *p);

#endif

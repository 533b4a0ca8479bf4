/* A reference reading of a directory index against the first. */
#include "oracle/oracle_dirindex.h"

#include <stdio.h>
#include <string.h>

#include "codec/aes.h"
#include "oracle/oracle_results.h"
#include "support/must.h"

enum { FEW = 24, CUT = 3 }; /* room for a path that is too long; dots that say so */

/* ---- Counts ---------------------------------------------------------------------------------- */

/* Rules that were not judged find nothing: then something the reference reading knows of was not
 * reached. */
static void compare_counts(const struct report *r, const struct reference_count *counts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t found = oracle_found(r, counts[i].rule);

		if (found != counts[i].n)
			fprintf(stderr, "%s: %u, and %u by the reference reading\n", counts[i].rule,
				(unsigned)found, (unsigned)counts[i].n);
		MUST(found == counts[i].n,
		     "a reference reading finds as much in a directory index");
	}
}

/* ---- Paths ----------------------------------------------------------------------------------- */

static void compare_cut(const struct utoc *u, uint64_t file, const char *path, uint64_t n)
{
	char few[FEW];
	size_t k = directory_file_path(&u->directory, file, few, sizeof few);
	size_t dots = n < sizeof few ? 0 : CUT;

	MUST(k == (n < sizeof few ? n : sizeof few - 1) && strlen(few) == k,
	     "a path is cut to its room");
	MUST(memcmp(few, "...", dots) == 0 &&
		     memcmp(few + dots, path + n - k + dots, k - dots) == 0,
	     "a path is cut at its front");
}

/* Names with separators, or without anything, have paths that say less than the rows do; of names
 * in UTF-16 no package is told. */
static bool is_clear(const struct reference_index *x)
{
	for (uint64_t i = 0; i < x->n_strings; i++)
		if (x->strings[i].n == 0 || x->strings[i].wide ||
		    memchr(x->strings[i].units, '/', (size_t)x->strings[i].n))
			return false;
	for (uint64_t i = 1; i < x->n_directories; i++)
		if (x->reached_directory[i] && reference_directory(x, i, 0) >= x->n_strings)
			return false;
	return !x->mount.wide && (x->mount.n == 0 || x->mount.units[x->mount.n - 1] == '/');
}

/* Compares the path of a file and tells whether its package has another id; *sure is unset if that
 * cannot be told. */
static bool compare_path(const struct reference_index *x, const struct dirindex_subject *s,
			 const struct utoc *u, uint64_t file, bool *sure)
{
	char path[REFERENCE_PATH], ours[REFERENCE_PATH];
	uint64_t n = reference_index_path(x, file, path), id;
	uint32_t chunk = reference_file(x, file, 2);

	*sure = *sure && n > 0;
	if (n == 0)
		return false;
	MUST(directory_file_path(&u->directory, file, ours, sizeof ours) == n &&
		     strcmp(ours, path) == 0,
	     "a reference reading gives the same path");
	compare_cut(u, file, path, n);
	*sure = *sure && !strstr(path, "//");
	if (chunk >= s->chunks->n || s->chunks->kinds[chunk] != KIND_PACKAGE)
		return false;
	id = reference_package_id(path);
	return id != 0 && id != s->chunks->ids[chunk];
}

static void compare_paths(const struct reference_index *x, const struct dirindex_subject *s,
			  const struct utoc *u, const struct report *r)
{
	struct reference_count alike[REFERENCE_PATH_COUNTS], renamed = { "DIR026", 0 };
	bool sure = is_clear(x);

	if (!x->plain)
		return;
	reference_count_alike(x, alike);
	compare_counts(r, alike, REFERENCE_PATH_COUNTS);
	for (uint64_t i = 0; i < x->n_files; i++)
		if (x->reached_file[i])
			renamed.n += compare_path(x, s, u, i, &sure);
	if (sure)
		compare_counts(r, &renamed, 1);
}

/* ---- The tree -------------------------------------------------------------------------------- */

static void compare_rows(const struct reference_index *x, const struct directory *dir)
{
	for (uint64_t i = 0; i < x->n_directories; i++)
		MUST(dir->parent[i] == (x->reached_directory[i] && i > 0 ? x->parent[i] : TOC_NONE),
		     "a reference reading gives the same parents");
	for (uint64_t i = 0; i < x->n_files; i++)
		MUST(dir->directory_of_file[i] ==
			     (x->reached_file[i] ? x->directory_of[i] : TOC_NONE),
		     "a reference reading finds files in the same directories");
	MUST(dir->lost_directories.n ==
			     reference_unreached(x->reached_directory, x->n_directories) &&
		     dir->lost_files.n == reference_unreached(x->reached_file, x->n_files),
	     "a reference reading reaches as much");
}

static bool has_file(const struct reference_index *x, uint64_t chunk)
{
	for (uint64_t i = 0; i < x->n_files; i++)
		if (x->reached_file[i] && reference_file(x, i, 2) == chunk)
			return true;
	return false;
}

static void compare_chunks(const struct reference_index *x, const struct dirindex_subject *s,
			   const struct utoc *u)
{
	char path[FEW], other[FEW];

	for (uint64_t i = 0; i < s->chunks->n; i++) {
		uint32_t file = u->directory.file_of_chunk[i];

		MUST((file != TOC_NONE) == has_file(x, i),
		     "a reference reading finds files for the same chunks");
		if (file == TOC_NONE) {
			MUST(directory_path(&u->directory, i, path, sizeof path) == 0 &&
				     path[0] == 0,
			     "no file, no path");
			continue;
		}
		MUST(x->reached_file[file] && reference_file(x, file, 2) == i,
		     "a chunk's file has that chunk");
		MUST(directory_path(&u->directory, i, path, sizeof path) ==
				     directory_file_path(&u->directory, file, other,
							 sizeof other) &&
			     strcmp(path, other) == 0,
		     "a chunk has its file's path");
	}
}

static void compare_tree(const struct reference_index *x, const struct dirindex_subject *s,
			 const struct utoc *u, const struct report *r)
{
	struct reference_count counts[REFERENCE_TREE_COUNTS];

	compare_rows(x, &u->directory);
	compare_chunks(x, s, u);
	MUST(u->directory.pathless.n == reference_pathless(x, s->chunks),
	     "a reference reading finds as many packages without a path");
	reference_count_tree(x, s->chunks, counts);
	compare_counts(r, counts, REFERENCE_TREE_COUNTS);
	compare_paths(x, s, u, r);
}

/* ---- The tables ------------------------------------------------------------------------------ */

static bool is_text(struct text t, const struct reference_string *s)
{
	return t.ref.n_units == s->n && (t.ref.encoding == TEXT_UTF16LE) == s->wide &&
	       (s->n == 0 || memcmp(t.data, s->units, (size_t)(s->n << s->wide)) == 0);
}

static void compare_strings(const struct reference_index *x, const struct directory *dir)
{
	MUST(is_text(dir->mount, &x->mount), "a reference reading gives the same mount point");
	for (uint64_t i = 0; i < x->n_strings; i++)
		MUST(is_text(directory_string(dir, i), &x->strings[i]),
		     "a reference reading gives the same strings");
}

/* Whether a rule says why there is no tree. */
static bool is_explained(const struct report *r)
{
	static const char *const rules[] = { "DIR006", "DIR007", "DIR008",
					     "DIR010", "DIR011", "DIR015" };

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (oracle_found(r, rules[i]) > 0)
			return true;
	return false;
}

static void compare_tables(const struct reference_index *x, const struct dirindex_subject *s,
			   struct decode *d, const struct utoc *u, const struct report *r)
{
	const struct directory *dir = &u->directory;
	struct reference_count counts[REFERENCE_TABLE_COUNTS];

	MUST(decode_has(d, UTOC_INDEX_TABLES) == x->whole, "a reference reading comes as far");
	MUST(oracle_found(r, "DIR002") + oracle_found(r, "DIR005") == !x->whole,
	     "a rule says why the tables end");
	if (!x->whole)
		return;
	MUST(dir->n_directories == x->n_directories && dir->n_files == x->n_files &&
		     dir->n_strings == x->n_strings && dir->n_left == x->left,
	     "a reference reading counts as many");
	if (x->large)
		return;
	compare_strings(x, dir);
	reference_count_tables(x, s->chunks, s->encrypted || s->claimed, counts);
	compare_counts(r, counts, REFERENCE_TABLE_COUNTS);
	MUST(decode_has(d, UTOC_TREE) == x->sound, "a reference reading finds the same tree");
	MUST(is_explained(r) == !x->sound, "rules say why there is no tree");
	if (x->sound)
		compare_tree(x, s, u, r);
}

void oracle_dirindex(const struct dirindex_subject *s, const struct report *r, struct decode *d,
		     const struct utoc *u)
{
	static struct reference_index x;

	MUST(decode_has(d, UTOC_SECTIONS) && decode_has(d, UTOC_CHUNKS),
	     "all but the index is sound enough");
	if (s->len == 0)
		return;
	reference_index_read(&x, s->bytes, s->len);
	if (!decode_has(d, UTOC_INDEX)) {
		MUST(s->encrypted || s->claimed, "only a key can be missing");
		MUST(!x.begun || !aes_is_available(), "a key that fits is taken");
		return;
	}
	MUST(!u->directory.was_encrypted ||
		     (u->directory.held.len == s->len &&
		      memcmp(u->directory.held.bytes, s->bytes, (size_t)s->len) == 0),
	     "what is decrypted is the index");
	MUST(oracle_found(r, "DIR001") == (s->claimed && !s->encrypted),
	     "only what is not encrypted should be");
	compare_tables(&x, s, d, u, r);
}

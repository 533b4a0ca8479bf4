/* The rules for the paths of files. */
#include "formats/pak/facts_rules.h"

#include "core/path.h"

#define SPEC(n) "pak.md#" #n

#define PAK010_TEXTS \
	.class = CLASS_SECURITY, \
	.title = "The path of a file shall stay below the mount point, and the mount point be " \
		 "relative.", \
	.message = "the path {0} {1}", .data = "path defect", \
	.why = "Who unpacks the .pak writes files into other folders. The game does not find " \
	       "such a file by the path that it asks for.", \
	.fix = "Do not unpack the file. Players: get it from another source. Authors: pack " \
	       "it again with relative paths and the separator /.", \
	.spec = SPEC(4.3)

/* What is the matter with a path that leads out. */
static const char *escape_of(const struct text *t)
{
	static const struct defect_words words[] = {
		{ PATH_DRIVE, "has a name that begins with a drive" },
		{ PATH_ROOTED, "has a name that begins with a separator" },
		{ PATH_PARENT, "has a folder \"..\"" },
	};
	struct path path;
	const char *found;

	path_examine_at(t, &path);
	found = WORDS_FOR(path.traits, words);
	if (found)
		return found;
	return text_find(*t, '\\', 0) < t->ref.n_units ? "has a backslash" : NULL;
}

DEFECT_RULE(PAK010, path_escapes, ERROR, PAK_FILES, row, PAK_NAME_ESCAPES, PAK010_TEXTS,
     .sign    = SIGN_PATH, .lesser = SEVERITY_WARNING,
     .lesser_when = "it is the mount point, which engines only compare")
{
	const struct pak *p = pak_of(c);
	const struct text name = pak_file_name(p, row);
	const char *defect = escape_of(&name);
	struct pak_path_room buf;

	report(c, name_place(p, row), path_of(p, row, &buf),
	       WORD(defect ? defect : "is in a directory that leads out of the mount point"));
}

RULE(PAK010_kept, path_escapes, ERROR, PAK_PATH_HASHES, PAK010_TEXTS,
     .sign    = SIGN_PATH, .lesser = SEVERITY_WARNING,
     .lesser_when = "it is the mount point, which engines only compare")
{
	const struct pak_some *kept = &pak_of(c)->some[PAK_KEPT_ESCAPES];

	if (kept->n > 0)
		report(c, kept_place(pak_of(c), kept), WORD("kept in the path-hash index"),
		       WORD("leads out of the mount point"));
}

/* As many lead from a game's program to the folder of the game. */
enum { PARENTS_MAX = 3 };

static bool is_separator(const struct text *t, uint32_t i)
{
	return text_unit(*t, i) == '/' || text_unit(*t, i) == '\\';
}

static bool is_parent(const struct text *t, uint32_t from, uint32_t to)
{
	return to - from == 2 && text_unit(*t, from) == '.' && text_unit(*t, from + 1) == '.';
}

/* Whether there is a ".." after PARENTS_MAX of them, or after another folder. */
static bool leads_up(const struct text *t)
{
	uint32_t from = 0, n = 0;

	for (uint32_t i = 0; i <= t->ref.n_units; i++) {
		if (i < t->ref.n_units && !is_separator(t, i))
			continue;
		if (is_parent(t, from, i) && n++ == PARENTS_MAX)
			return true;
		if (!is_parent(t, from, i))
			n = PARENTS_MAX;
		from = i + 1;
	}
	return false;
}

/* `/` alone and `../` are those of real files. */
static const char *mount_escape(const struct pak *p)
{
	const struct text *t = &p->mount;

	if (p->mount_traits & PATH_DRIVE)
		return "begins with a drive";
	if (p->mount_traits & PATH_PARENT && leads_up(t))
		return "leads out of the folder of the game";
	if (t->ref.n_units < 2 || !is_separator(t, 0) || !is_separator(t, 1))
		return NULL;
	return "begins with the name of a computer";
}

RULE(PAK010_mount, path_escapes, ERROR, PAK_HEAD, PAK010_TEXTS,
     .sign    = SIGN_PATH, .lesser = SEVERITY_WARNING,
     .lesser_when = "it is the mount point, which engines only compare")
{
	const struct pak *p = pak_of(c);
	const char *defect = mount_escape(p);

	if (defect)
		report_lesser(c, AT_SPAN(p->mount_at, 4), TEXT_OF(p->mount), WORD(defect));
}

#define PAK017_TEXTS \
	.class = CLASS_COMPATIBILITY, .versions = SINCE(10), .also = BIT(PAK_NAMES), \
	.title = "The path-hash index should have the hash of each path of the full directory " \
		 "index, with the same location, and no other.", \
	.message = "{0} {1}", .data = "what defect", \
	.why = "Games look files up by their hashes: they do not find the file, or find " \
	       "another one. Tools, which go by the paths, do.", \
	.fix = "Players: nothing, if the mod works. Authors: pack it again with the packer " \
	       "of the game's engine.", \
	.spec = SPEC(4.4)

DEFECT_RULE(PAK017, path_hash_mismatch, WARNING, PAK_FILES, row,
	    PAK_HASH_ABSENT | PAK_HASH_ELSEWHERE | PAK_OWN_HASH_WRONG, PAK017_TEXTS)
{
	static const struct defect_words words[] = {
		{ PAK_HASH_ABSENT, "has no row in the path-hash index" },
		{ PAK_HASH_ELSEWHERE, "has another location in the path-hash index" },
		{ PAK_OWN_HASH_WRONG,
		  "is not among the hashes of the full directory index, with its location" },
	};
	const struct pak *p = pak_of(c);
	struct pak_path_room buf;

	report(c, name_place(p, row), path_of(p, row, &buf), WORD(WORDS_FOR(row->traits, words)));
}

RULE(PAK017_own, path_hash_mismatch, WARNING, PAK_NAMES, PAK017_TEXTS)
{
	const struct pak_flat *f = &pak_of(c)->flat;

	if (!pak_of(c)->has_paths)
		return;
	if (f->unsorted != 0)
		report(c, AT_SPAN(f->hashes_at + PAK_HASH_LEN * f->unsorted, PAK_HASH_LEN),
		       HEX(held_u64(f->hashes, PAK_HASH_LEN * f->unsorted)),
		       WORD("stands in the full directory index after a hash that is not below "
			    "it"));
	if (f->unowned < f->n_hashes)
		report(c, AT_SPAN(f->hashes_at + PAK_HASH_LEN * f->unowned, PAK_HASH_LEN),
		       HEX(held_u64(f->hashes, PAK_HASH_LEN * f->unowned)),
		       WORD("is a hash of the full directory index, whose location is that of no "
			    "path"));
	if (f->n_hashes > 0 && f->n_hashes != pak_of(c)->n_paths)
		report(c, AT_SPAN(f->hashes_at, PAK_HASH_LEN * f->n_hashes), DEC(f->n_hashes),
		       WORD("hashes are in the full directory index, which has another count of "
			    "files"));
}

EACH(PAK017_stray, path_hash_mismatch, WARNING, PAK_STRAYS, stray, PAK017_TEXTS)
{
	const struct pak *p = pak_of(c);
	const uint64_t at = p->hashes_at + (uint64_t)stray->row * pak_path_hash_fixed_len;
	const uint64_t hash = pak_row_hash(p, stray->row);

	report(c, counted(AT_SPAN(at, pak_path_hash_fixed_len), stray->n_more), HEX(hash),
	       WORD("is a hash of no path"));
}

static void report_repeated(struct check *c, enum pak_sort sort, bool is_lesser)
{
	const struct pak *p = pak_of(c);
	const struct pak_some *rows = &p->some[sort];

	if (rows->n > 0)
		report_as(c, is_lesser, row_of_hashes(p, rows), HEX(pak_row_hash(p, rows->first)),
			  either(is_lesser, "the same location, or for a path that is repeated",
				 "another location"));
}

RULE(PAK044, path_hash_repeated, ERROR, PAK_NAMES,
     .class   = CLASS_SECURITY, .versions = SINCE(10), .lesser = SEVERITY_WARNING,
     .lesser_when = "both rows have one location, or their path is repeated",
     .title   = "No two rows of the path-hash index shall have the same hash.",
     .message = "path hash {0} is that of a row before it, too, with {1}",
     .data    = "hash location",
     .why     = "A game finds one file by this hash. Packers stop where two paths have the same "
                "one; tools show both, and which of them the game loads is not told.",
     .fix     = "Players: get the file from another source. Authors: pack each path once, with "
                "the packer of the game's engine.",
     .spec    = SPEC(4.7))
{
	report_repeated(c, PAK_HASH_REPEATED, false);
	report_repeated(c, PAK_HASH_AGAIN, true);
}

DEFECT_RULE(PAK043, file_unlisted, WARNING, PAK_FILES, row, PAK_UNLISTED,
     .class   = CLASS_SECURITY, .versions = SINCE(10),
     .title   = "The full directory index should list each file that the path-hash index leads to.",
     .message = "{0} has a record, and is not in the full directory index",
     .data    = "path",
     .why     = "Games look files up by their hashes and load it. Tools that list what a .pak "
                "has do not show it, nor what it replaces.",
     .fix     = "Players: do not install a mod that hides files, unless you trust its author. "
                "Authors: pack it with a packer that lists all files.",
     .spec    = SPEC(4.6))
{
	struct pak_path_room buf;

	report(c, name_place(pak_of(c), row), path_of(pak_of(c), row, &buf));
}

DEFECT_RULE(PAK018, path_repeated, WARNING, PAK_FILES, row,
	    PAK_PATH_REPEATED | PAK_RECORD_SHARED,
     .class   = CLASS_COMPATIBILITY, .also = BIT(PAK_NAMES),
     .title   = "Each file should have a path and a record of its own.",
     .message = "{0} {1}",
     .data    = "path defect",
     .why     = "Engines take one of two files with the same path, which differ at most in the "
                "case of letters, and tools the other.",
     .fix     = "Players: nothing, if the mod works. Authors: pack each file in it once.",
     .spec    = SPEC(4.5))
{
	static const struct defect_words words[] = {
		{ PAK_PATH_REPEATED, "is the path of a file before it, too" },
		{ PAK_RECORD_SHARED, "has the record of a file before it" },
	};
	const struct pak *p = pak_of(c);
	struct pak_path_room buf;

	report(c, name_place(p, row), path_of(p, row, &buf), WORD(WORDS_FOR(row->traits, words)));
}

#define PAK051_TEXTS \
	.class = CLASS_COMPATIBILITY, \
	.title = "The path of a file should have no reserved, control or deceptive character, no " \
		 "component that is empty, a dot or a device of Windows, and none that ends in a " \
		 "dot or a space.", \
	.message = "the path {0} {1}", .data = "path defect", \
	.why = "Windows cannot have such a file, or calls it by another name; or people read " \
	       "another name than programs do.", \
	.fix = "Players: do not unpack it; nothing, if the mod works. Authors: rename the file, " \
	       "and pack it again.", \
	.spec = SPEC(4.10)

/* Of most paks no name needs a closer look. */
RULE_OF_ROWS(PAK051, path_not_portable, WARNING, PAK_FILES, row,
	     pak_of(c)->some[PAK_NAME_UNUSUAL].n > 0, .tells = 0, PAK051_TEXTS)
{
	const struct pak *p = pak_of(c);
	const struct text name = pak_file_name(p, row);
	struct pak_path_room buf;
	const char *defect;

	if (pak_is_nameless(p, row))
		return;
	defect = pak_portable_defect(&name, row->directory != PAK_NONE && pak_has_utf8(p, true));
	if (defect)
		report(c, name_place(p, row), path_of(p, row, &buf), WORD(defect));
}

/* Those that have files. */
RULE(PAK051_directory, path_not_portable, WARNING, PAK_NAMES, PAK051_TEXTS)
{
	const struct pak *p = pak_of(c);

	for (uint32_t i = 0; i < p->n_directories; i++) {
		const struct text name = pak_bare_directory(p, i);
		const char *defect;

		if (name.ref.n_units == 0 || p->directories[i].count == 0)
			continue;
		defect = pak_portable_defect(&name, pak_has_utf8(p, false));
		if (defect)
			report(c, directory_place(p, i), TEXT_OF(name), WORD(defect));
	}
}

/* ---- Files that are kept --------------------------------------------------------------------- */

static void report_kept(struct check *c, enum pak_sort sort, struct pak_kept kept,
			const char *defect)
{
	const struct pak *p = pak_of(c);
	const struct pak_some *some = &p->some[sort];
	struct pak_path_room buf;

	if (some->n > 0)
		report(c, kept_place(p, some),
		       UTF8(buf.bytes, pak_kept_path(p, kept, buf.bytes, sizeof buf.bytes)),
		       SIGNED(kept.location), WORD(defect));
}

RULE(PAK052, kept_file_mismatch, WARNING, PAK_NAMES,
     .class   = CLASS_SECURITY, .versions = SINCE(10), .also = BIT(PAK_KEPT),
     .title   = "The files that the path-hash index keeps by their names should be those of the "
                "full directory index, with the same locations.",
     .message = "{0} is kept in the path-hash index with the location {1}, and {2}",
     .data    = "path location defect",
     .why     = "A game that loads the path-hash index lists these files, and tools list those of "
                "the other part: what people are shown is not what the game finds.",
     .fix     = "Players: do not install a mod that hides files, unless you trust its author. "
                "Authors: pack it again with the packer of the game's engine.",
     .spec    = SPEC(4.11))
{
	const struct pak *p = pak_of(c);

	report_kept(c, PAK_KEPT_UNLISTED, p->kept_unlisted,
		    p->has_paths ? "is no path of the full directory index"
				 : "its hash is in no row of that");
	report_kept(c, PAK_KEPT_ELSEWHERE, p->kept_elsewhere,
		    p->has_paths ? "has another in the full directory index"
				 : "has another in the row of its hash");
}

/* ---- Directories ----------------------------------------------------------------------------- */

/* Since version 15 the names of directories lie in tables, whose beginning is shown. */
static void report_directory(struct check *c, enum pak_sort sort, const char *defect)
{
	const struct pak *p = pak_of(c);
	const struct pak_some *some = &p->some[sort];
	struct pak_path_room buf;
	uint64_t at;

	if (some->n == 0)
		return;
	at = p->names_at + (p->tail.version < PAK_FLAT ? p->directories[some->first].name : 0);
	report(c, AT_SPAN(at, 4),
	       UTF8(buf.bytes, pak_directory_path(p, some->first, buf.bytes, sizeof buf.bytes)),
	       WORD(defect));
}

RULE(PAK045, pak_directory_repeated, WARNING, PAK_NAMES,
     .class   = CLASS_COMPATIBILITY, .versions = SINCE(10),
     .title   = "No two directories of the full directory index should have the same name.",
     .message = "the directory {0} {1}",
     .data    = "directory defect",
     .why     = "An engine that goes by directories keeps one of the two, and does not find the "
                "files of the other.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again.",
     .spec    = SPEC(4.8))
{
	report_directory(c, PAK_DIRECTORY_REPEATED, "is there before, too");
}

RULE(PAK046, path_split_mismatch, WARNING, PAK_NAMES,
     .class   = CLASS_COMPATIBILITY, .versions = SINCE(10),
     .title   = "A path of the full directory index should be split after its last separator, and "
                "only the root begin with one.",
     .message = "{0} {1}",
     .data    = "name defect",
     .why     = "An engine that goes by directories does not find the file, or finds it by another "
                "path than tools show.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again with the packer of the "
                "game's engine.",
     .spec    = SPEC(4.9))
{
	const struct pak *p = pak_of(c);
	const struct pak_some *files = &p->some[PAK_FILE_SPLIT];
	struct pak_path_room buf;

	report_directory(c, PAK_DIRECTORY_SPLIT,
			 "is a directory that does not end in a separator, or begins with one");
	if (files->n == 0)
		return;
	report(c, name_place(p, &p->files[files->first]), path_of(p, &p->files[files->first], &buf),
	       WORD("has a separator in the name of the file"));
}

/* The rules for the tree of the directory index: directories, files and paths, and the chunks that
 * they name. */
#include "formats/iostore/facts.h"
#include "rule/finding.h"

static const struct directory *directory_of(const struct check *c)
{
	return &((const struct utoc *)c->facts)->directory;
}

/* A path of which the front is left out if it is too long for an argument. */
struct short_path {
	char bytes[ARG_BYTES_MAX + 1];
};

static struct arg path_of(const struct directory *x, uint64_t file, struct short_path *buf)
{
	return UTF8(buf->bytes, directory_file_path(x, file, buf->bytes, sizeof buf->bytes));
}

static struct arg name_of(const struct directory *x, uint64_t name)
{
	struct text none = { 0 };

	return name < x->n_strings ? TEXT_OF(directory_string(x, name))
				   : (struct arg){ .kind = ARG_TEXT, .text = none.ref };
}

/* ---- Reached twice, too deep, or never ------------------------------------------------------- */

DEFECT_RULE(DIR010, directory_repeated, ERROR, UTOC_DIRECTORY_ROWS, d, DIRECTORY_AGAIN,
     .class   = CLASS_SECURITY, .explains = BIT(UTOC_TREE),
     .title   = "A directory shall be reached once from the root.",
     .message = "the directory {0} is a duplicate: it is reached from the root by two "
                "ways",
     .data    = "name",
     .why     = "Readers that follow the links never come to an end, or overflow their "
                "stack and crash.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#6.10")
{
	report(c, AT(c, utoc_directory, &d->entry, name), name_of(directory_of(c), d->entry.name));
}

DEFECT_RULE(DIR011, file_repeated, ERROR, UTOC_FILE_ROWS, f, FILE_AGAIN,
     .class   = CLASS_SECURITY, .explains = BIT(UTOC_TREE),
     .title   = "A file shall be reached once from the root.",
     .message = "the file {0} is a duplicate: it is reached from the root by two ways",
     .data    = "name",
     .why     = "Readers that follow the links never come to an end, or list the file in "
                "two places.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#6.11")
{
	report(c, AT(c, utoc_file, &f->entry, name), name_of(directory_of(c), f->entry.name));
}

DEFECT_RULE(DIR015, directory_too_deep, ERROR, UTOC_DIRECTORY_ROWS, d, DIRECTORY_DEEP,
     .class   = CLASS_SECURITY, .explains = BIT(UTOC_TREE),
     .title   = "A directory shall be at most 256 levels below the root.",
     .message = "the directory {0} is more than {1} {1:level|levels} below the root",
     .data    = "name levels",
     .why     = "Readers call themselves for each level, so their stack overflows and "
                "they crash.",
     .fix     = "Players: get the file again. Authors: pack it again with fewer levels of "
                "folders.",
     .spec    = "iostore.md#6.15")
{
	report(c, AT(c, utoc_directory, &d->entry, name), name_of(directory_of(c), d->entry.name),
	       DEC(DIRECTORY_DEPTH_MAX));
}

/* The place of several rows is that of the first. */
static struct place place_of_rows(const struct directory *x, bool are_files, uint32_t first)
{
	struct place place = AT_SPAN(x->directories_at.at +
					     first * (uint64_t)utoc_directory_fixed_len,
				     utoc_directory_fixed_len);

	if (are_files)
		place = AT_SPAN(x->files_at.at + first * (uint64_t)utoc_file_fixed_len,
				utoc_file_fixed_len);
	place.record = are_files ? "file" : "directory";
	place.index = first;
	return place;
}

RULE(DIR012, never_reached, WARNING, UTOC_TREE,
     .class   = CLASS_HYGIENE,
     .title   = "Every directory and every file should be reached from the root.",
     .message = "{1} {2} is never reached; {0} in all",
     .data    = "count what first",
     .why     = "Tools do not show it, and the game does not find it by its path.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again.",
     .spec    = "iostore.md#6.12")
{
	const struct directory *x = directory_of(c);

	if (x->lost_directories.n > 0)
		report(c, place_of_rows(x, false, x->lost_directories.first),
		       DEC(x->lost_directories.n), WORD("directory"),
		       DEC(x->lost_directories.first));
	if (x->lost_files.n > 0)
		report(c, place_of_rows(x, true, x->lost_files.first), DEC(x->lost_files.n),
		       WORD("file"), DEC(x->lost_files.first));
}

RULE(DIR014, nameless, WARNING, UTOC_TREE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "Every directory but the root, and every file, should have a name that is not "
                "empty.",
     .message = "{1} {2} has no name; {0} in all",
     .data    = "count what first",
     .why     = "A path with nothing between two separators is another path on most "
                "systems, so tools cannot find or unpack the file.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again.",
     .spec    = "iostore.md#6.14")
{
	const struct directory *x = directory_of(c);

	if (x->nameless_directories.n > 0)
		report(c, place_of_rows(x, false, x->nameless_directories.first),
		       DEC(x->nameless_directories.n), WORD("directory"),
		       DEC(x->nameless_directories.first));
	if (x->nameless_files.n > 0)
		report(c, place_of_rows(x, true, x->nameless_files.first), DEC(x->nameless_files.n),
		       WORD("file"), DEC(x->nameless_files.first));
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

DEFECT_RULE(DIR016, chunk_path_repeated, WARNING, UTOC_FILE_PAIR_ROWS, p, PAIR_ONE_CHUNK,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A chunk should have one path.",
     .message = "chunk {2} has two paths, {0} and {1}",
     .data    = "path other_path chunk",
     .why     = "Tools that go from chunks to paths know one of the two only.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again with each "
                "file once.",
     .spec    = "iostore.md#6.16")
{
	const struct directory *x = directory_of(c);
	struct short_path first, second;

	report(c, place_of_rows(x, true, p->second), path_of(x, p->first, &first),
	       path_of(x, p->second, &second),
	       DEC(utoc_file_get_user_data(utoc_file_at(x->files, p->second))));
	relate(c, place_of_rows(x, true, p->first), "the chunk's first file");
}

DEFECT_RULE(DIR019, directories_differ_in_case, WARNING, UTOC_FILE_PAIR_ROWS, p, PAIR_DIRECTORIES,
     .class   = CLASS_COMPATIBILITY,
     .title   = "Directories in one directory should differ in more than case.",
     .message = "{0} is the name of both directory {1} and directory {2}",
     .data    = "name first second",
     .why     = "Windows takes them for one directory, so tools that unpack the container "
                "mix their files.",
     .fix     = "Players: nothing, if the mod works. Authors: rename one of them, cook "
                "and pack it again.",
     .spec    = "iostore.md#6.19")
{
	const struct directory *x = directory_of(c);

	report(c, place_of_rows(x, false, p->second),
	       name_of(x, utoc_directory_get_name(utoc_directory_at(x->directories, p->second))),
	       DEC(p->first), DEC(p->second));
	relate(c, place_of_rows(x, false, p->first), "the directory of that name before it");
}

DEFECT_RULE(DIR020, files_differ_in_case, WARNING, UTOC_FILE_PAIR_ROWS, p, PAIR_FILES,
     .class   = CLASS_COMPATIBILITY,
     .title   = "Files in one directory should differ in more than case.",
     .message = "{0} differs from {1} in case only",
     .data    = "path other_path",
     .why     = "On Windows a tool that unpacks the container writes one over the other, "
                "and the engine finds one of them only.",
     .fix     = "Players: nothing, if the mod works. Authors: rename one of them, cook "
                "and pack it again.",
     .spec    = "iostore.md#6.20")
{
	const struct directory *x = directory_of(c);
	struct short_path first, second;

	report(c, place_of_rows(x, true, p->second), path_of(x, p->first, &first),
	       path_of(x, p->second, &second));
	relate(c, place_of_rows(x, true, p->first), "the file of that path before it");
}

/* ---- Paths and their chunks ------------------------------------------------------------------ */

static uint64_t file_number(const struct check *c, const struct file_row *f)
{
	return (f->entry.at - directory_of(c)->files_at.at) / utoc_file_fixed_len;
}

static enum chunk_type type_of(const struct check *c, const struct file_row *f)
{
	return toc_type(&((const struct utoc *)c->facts)->toc, f->entry.user_data);
}

DEFECT_RULE(DIR021, path_long, WARNING, UTOC_FILE_ROWS, f, FILE_LONG | FILE_TOO_LONG,
     .class   = CLASS_COMPATIBILITY, .also = BIT(UTOC_TREE),
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "it has at most 512 characters",
     .title   = "A path should have at most 260 characters, with the mount point's.",
     .message = "the path of {0} is longer than {1} {1:character|characters}",
     .data    = "path characters",
     .why     = "Tools have room for 512 characters, and Windows refuses more than 260 to "
                "most programs: the file cannot be unpacked.",
     .fix     = "Players: nothing, if the mod works. Authors: use fewer or shorter "
                "folders, and pack it again.",
     .spec    = "iostore.md#6.21")
{
	const struct directory *x = directory_of(c);

	if (f->traits & FILE_TOO_LONG)
		report(c, AT(c, utoc_file, &f->entry, name), name_of(x, f->entry.name),
		       DEC(DIRECTORY_PATH_MAX));
	else
		report_lesser(c, AT(c, utoc_file, &f->entry, name), name_of(x, f->entry.name),
			      DEC(DIRECTORY_PATH_LONG));
}

DEFECT_RULE(DIR025, extension_of_other_type, WARNING, UTOC_FILE_ROWS, f, FILE_OTHER_TYPE,
     .class   = CLASS_COMPATIBILITY, .also = BIT(UTOC_TREE),
     .title   = "A file's extension should be that of its chunk's type.",
     .message = "{0} is a chunk of type {1}, which does not go with its extension",
     .data    = "path type",
     .why     = "Tools that go by the extension read the chunk as something else, and "
                "fail.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again.",
     .spec    = "iostore.md#6.25")
{
	struct short_path path;

	report(c, AT(c, utoc_file, &f->entry, user_data),
	       path_of(directory_of(c), file_number(c, f), &path),
	       WORD(chunk_type_name(type_of(c, f))));
}

DEFECT_RULE(DIR026, package_of_other_path, WARNING, UTOC_FILE_ROWS, f, FILE_OTHER_PACKAGE,
     .class   = CLASS_COMPATIBILITY, .also = BIT(UTOC_TREE),
     .title   = "The id of a package in /Game or /Engine should be the hash of the name "
                "that follows from its path.",
     .message = "{0} is the package {1}, expected the one whose id is the hash of this "
                "path's name",
     .data    = "path id",
     .why     = "The game looks up packages by the hashes of their names and never finds "
                "this one.",
     .fix     = "Players: get the mod again. Authors: cook and pack the asset again "
                "instead of renaming the file.",
     .spec    = "iostore.md#6.26")
{
	const struct utoc *u = c->facts;
	struct short_path path;

	report(c, AT(c, utoc_file, &f->entry, user_data),
	       path_of(directory_of(c), file_number(c, f), &path),
	       HEX(toc_id(&u->toc, f->entry.user_data)));
}

DEFECT_RULE(TOC025, path_of_no_asset, NOTE, UTOC_FILE_ROWS, f, FILE_OF_NO_ASSET,
     .class   = CLASS_HYGIENE, .also = BIT(UTOC_TREE),
     .title   = "Chunks that belong to the whole container should have no path.",
     .message = "{0} is a chunk of type {1}, which should have no path",
     .data    = "path type",
     .why     = "It does no harm. Only packages, bulk data and shaders have paths; this "
                "chunk was packed as if it were a file.",
     .fix     = "Players: nothing needs to be done. Authors: nothing, if you know the "
                "tool; else do not pack this file.",
     .spec    = "iostore.md#3.25")
{
	struct short_path path;

	report(c, AT(c, utoc_file, &f->entry, user_data),
	       path_of(directory_of(c), file_number(c, f), &path),
	       WORD(chunk_type_name(type_of(c, f))));
}

RULE(DIR029, package_without_path, NOTE, UTOC_TREE,
     .class   = CLASS_HYGIENE,
     .title   = "Every package should have a path, if there are paths at all.",
     .message = "chunk {1}, a package, has no path; {0} in all",
     .data    = "count first",
     .why     = "Tools list paths, and do not show these packages. The game does not need "
                "their paths.",
     .fix     = "Players: nothing needs to be done. Authors: nothing; pack it again if "
                "tools should show the packages.",
     .spec    = "iostore.md#6.29")
{
	const struct utoc *u = c->facts;
	const struct toc_section *ids = &u->toc.sections[SECTION_IDS];
	const struct odd_rows *rows = &u->directory.pathless;

	if (rows->n > 0)
		report(c, AT_SPAN(ids->at.at + rows->first * ids->row_len, ids->row_len),
		       DEC(rows->n), DEC(rows->first));
}

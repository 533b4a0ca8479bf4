/* The rules for the directory index: its bytes, its tables and its strings. */
#include "core/path.h"
#include "formats/iostore/facts.h"
#include "rule/finding.h"

static const struct directory *directory_of(const struct check *c)
{
	return &((const struct utoc *)c->facts)->directory;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

RULE(DIR001, index_not_encrypted, WARNING, UTOC_INDEX,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The directory index of an encrypted container should be encrypted.",
     .message = "the container is encrypted, but its directory index of {0} is not",
     .data    = "length",
     .why     = "Readers decrypt the index, get noise, and show no paths. Some packers do "
                "not encrypt it, and the game loads such a mod.",
     .fix     = "Players: nothing, if the game loads it. Authors: pack it with a tool "
                "that encrypts the index too.",
     .spec    = "iostore.md#6.1")
{
	const struct directory *x = directory_of(c);

	if (x->clear_in_encrypted)
		report(c, AT_SPAN(x->at.at, x->at.len), SIZE(x->at.len));
}

RULE(DIR030, index_ambiguous, ERROR, UTOC_INDEX,
     .class   = CLASS_SECURITY, .sign = SIGN_ATTACK,
     .title   = "A directory index that is not encrypted shall not become another one "
                "when it is decrypted.",
     .message = "the directory index of {0} is one as it is stored, and another one when "
                "it is decrypted with a key that was given",
     .data    = "length",
     .why     = "Tools with the key read the other one, whose names were not judged. That does not "
                "happen by chance.",
     .fix     = "Players: do not unpack the mod unless you trust its source. Authors: "
                "pack it again.",
     .spec    = "iostore.md#6.30")
{
	const struct directory *x = directory_of(c);

	if (x->is_another_decrypted)
		report(c, AT_SPAN(x->at.at, x->at.len), SIZE(x->at.len));
}

static struct place place_of_break(const struct directory *x)
{
	const uint64_t len = x->broken.left < utoc_count_fixed_len ? x->broken.left
								   : utoc_count_fixed_len;

	return AT_SPAN(x->at.at + x->broken.at, len);
}

RULE(DIR002, string_past_end, ERROR, UTOC_INDEX,
     .class   = CLASS_CORRUPTION, .explains = BIT(UTOC_INDEX_TABLES),
     .title   = "Every string shall be within the directory index.",
     .message = "{0} has length {1}, {2}; the index has {3} left, the length included",
     .data    = "what length unit left",
     .why     = "Readers make room for the string without a check, or read past the end "
                "of the index.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#6.2")
{
	const struct directory *x = directory_of(c);
	const struct index_break *b = &x->broken;

	if (b->fault != INDEX_STRING_CUT)
		return;
	report(c, place_of_break(x), WORD(b->what), SIGNED(b->value),
	       b->left < utoc_count_fixed_len
		       ? WORD("which is truncated itself")
		       : either(b->value < 0, "in units of two bytes", "in bytes"),
	       SIZE(b->left));
}

RULE(DIR005, count_past_end, ERROR, UTOC_INDEX,
     .class   = CLASS_CORRUPTION, .explains = BIT(UTOC_INDEX_TABLES),
     .title   = "The directory index shall have room for the directories, files and "
                "strings that it counts.",
     .message = "the count of {0} is {1}; the index has {2} left, the count included",
     .data    = "what count left",
     .why     = "Readers make room for that number without a check, or read past the end "
                "of the index.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#6.5")
{
	const struct directory *x = directory_of(c);

	if (x->broken.fault == INDEX_BAD_COUNT)
		report(c, place_of_break(x), WORD(x->broken.what), SIGNED(x->broken.value),
		       SIZE(x->broken.left));
}

RULE(DIR006, files_without_root, ERROR, UTOC_INDEX_TABLES,
     .class   = CLASS_CORRUPTION, .explains = BIT(UTOC_TREE),
     .title   = "A directory index with files shall have a directory.",
     .message = "the index has {0} {0:file|files} and no directory",
     .data    = "files",
     .why     = "The tree begins at the first directory, and readers look it up without a "
                "check that it is there.",
     .fix     = "Players: get the file again. Authors: pack it again.",
     .spec    = "iostore.md#6.6")
{
	const struct directory *x = directory_of(c);

	if (x->n_directories == 0 && x->n_files > 0)
		report(c, AT_SPAN(x->files_at.at, x->files_at.len), DEC(x->n_files));
}

RULE(DIR027, bytes_left, WARNING, UTOC_INDEX_TABLES,
     .class   = CLASS_HYGIENE,
     .title   = "The directory index should end with its strings, or at most 15 bytes "
                "after them if the container is encrypted.",
     .message = "{0} {0:follows|follow} the last string, expected at most the padding of "
                "an encrypted index",
     .data    = "length",
     .why     = "No reader looks at these bytes, and it is not known what they are.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again.",
     .spec    = "iostore.md#6.27")
{
	const struct directory *x = directory_of(c);
	const struct toc *t = &((const struct utoc *)c->facts)->toc;

	if (x->n_left > (t->encrypted ? DIRECTORY_PAD_MAX : 0u))
		report(c, AT_SPAN(span_end(x->strings_at), x->n_left), SIZE(x->n_left));
}

/* ---- The mount point ------------------------------------------------------------------------- */

static const char up[] = "../../../";

static bool is_root(const struct text *t)
{
	return t->ref.n_units == 1 && text_unit(*t, 0) == '/';
}

static struct text after_up(const struct directory *x)
{
	return text_starts(x->mount, up) ? text_sub(x->mount, strlen(up), x->mount.ref.n_units)
					 : x->mount;
}

static bool leads_outside(const struct directory *x)
{
	const struct text rest = after_up(x);

	if (is_root(&x->mount))
		return false;
	return path_examine(rest).traits & (PATH_ROOTED | PATH_PARENT | PATH_DRIVE | PATH_COLON) ||
	       text_find(rest, '\\', 0) < rest.ref.n_units;
}

static struct place place_of_mount(const struct directory *x)
{
	const uint64_t from = x->mount.ref.at - utoc_count_fixed_len;

	return AT_SPAN(from, x->directories_at.at - utoc_count_fixed_len - from);
}

/* A / at the end closes the last folder. DIR004 tells of what is not valid as characters. */
static const char *folder_defect(const struct directory *x)
{
	const bool is_foreign = x->string_traits[x->n_strings] & (STRING_HIGH | STRING_NOT_UNICODE);
	const uint32_t unsound = PATH_REFUSED | PATH_SELF | PATH_EMPTY_COMPONENT |
				 (is_foreign ? 0u : PATH_DECEPTIVE);
	struct text folders = after_up(x);

	if (text_unit(x->mount, x->mount.ref.n_units - 1) == '/' && folders.ref.n_units > 0)
		folders = text_sub(folders, 0, folders.ref.n_units - 1);
	return path_defect(path_examine(folders).traits & unsound);
}

/* DIR024 tells of mount points that lead outside. */
static const char *mount_defect(const struct directory *x)
{
	if (is_root(&x->mount))
		return "";
	if (!text_starts(x->mount, up))
		return "does not begin with ../../../";
	return leads_outside(x) ? "" : folder_defect(x);
}

RULE(DIR022, mount_point_malformed, WARNING, UTOC_INDEX_TABLES,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The mount point should begin with `../../../` and go on with folders that every "
                "system takes, or be `/`.",
     .message = "the mount point {0} {1}",
     .data    = "mount_point defect",
     .why     = "Tools show the files at the root instead, refuse the container, or call "
                "a folder by another name.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again with a mount "
                "point below ../../../.",
     .spec    = "iostore.md#6.22")
{
	const struct directory *x = directory_of(c);

	if (x->held.len > 0 && *mount_defect(x))
		report(c, place_of_mount(x), TEXT_OF(x->mount), WORD(mount_defect(x)));
}

RULE(DIR023, mount_point_unterminated, WARNING, UTOC_INDEX_TABLES,
     .class   = CLASS_COMPATIBILITY,
     .title   = "The mount point should end with `/`.",
     .message = "the mount point {0} does not end with /",
     .data    = "mount_point",
     .why     = "Some readers join the mount point and the first name without a "
                "separator, and find no file.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again with a mount "
                "point that ends with /.",
     .spec    = "iostore.md#6.23")
{
	const struct directory *x = directory_of(c);
	const uint32_t n = x->mount.ref.n_units;

	if (x->held.len > 0 && n > 0 && text_unit(x->mount, n - 1) != '/')
		report(c, place_of_mount(x), TEXT_OF(x->mount));
}

RULE(DIR024, mount_point_escapes, ERROR, UTOC_INDEX_TABLES,
     .class   = CLASS_SECURITY, .sign = SIGN_MOUNT,
     .title   = "After `../../../` the mount point shall have no `..`, no drive, no `\\`, "
                "and no `/` first.",
     .message = "the mount point {0} has another .., a drive, a backslash, or no folder before its "
                "first /",
     .data    = "mount_point",
     .why     = "This is path traversal: a tool that unpacks the container writes outside "
                "the folder that it was given.",
     .fix     = "Players: do not unpack it; get the mod from its author. Authors: pack it "
                "again with a mount point below ../../../.",
     .spec    = "iostore.md#6.24")
{
	const struct directory *x = directory_of(c);

	if (leads_outside(x))
		report(c, place_of_mount(x), TEXT_OF(x->mount));
}

/* ---- Strings --------------------------------------------------------------------------------- */

static struct place place_of_string(struct check *c, const struct string_row *s)
{
	struct place place = AT(c, utoc_count, s, count);

	place.field = NULL;
	if (s->is_mount)
		place = AT_SPAN(s->at, utoc_count_fixed_len);
	place.span.len = s->len;
	return place;
}

static struct arg kind_of(const struct string_row *s)
{
	return either(s->is_mount, "the mount point", "the string");
}

DEFECT_RULE(DIR003, string_not_terminated, ERROR, UTOC_STRING_ROWS, s,
     STRING_NO_NUL | STRING_INNER_NUL,
     .class   = CLASS_CORRUPTION,
     .title   = "A string shall end in a NUL and have none before its end.",
     .message = "{0} {1} {2}",
     .data    = "what text defect",
     .why     = "Readers drop the last character, or end the name at the first NUL: two "
                "tools show two names.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#6.3")
{
	report(c, place_of_string(c, s), kind_of(s), TEXT_OF(s->text),
	       either((s->traits & STRING_NO_NUL) != 0, "does not end in a NUL",
		      "has a NUL inside"));
}

DEFECT_RULE(DIR004, string_encoding, WARNING, UTOC_STRING_ROWS, s, STRING_HIGH | STRING_NOT_UNICODE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A string in single bytes should be ASCII, and one in UTF-16 should have "
                "no half of a surrogate pair.",
     .message = "{0} {1} {2}",
     .data    = "what text defect",
     .why     = "Readers disagree on what such bytes mean, and cannot find the file by its name.",
     .fix     = "Players: nothing, if the mod works. Authors: name the file in ASCII, or "
                "pack it with a tool that writes UTF-16.",
     .spec    = "iostore.md#6.4")
{
	report(c, place_of_string(c, s), kind_of(s), TEXT_OF(s->text),
	       either((s->traits & STRING_HIGH) != 0, "has bytes from 0x80 on",
		      "has half a surrogate pair"));
}

DEFECT_RULE(DIR017, name_escapes, ERROR, UTOC_STRING_ROWS, s, STRING_ESCAPES,
     .class   = CLASS_SECURITY, .sign = SIGN_PATH,
     .title   = "A name shall not be `.` or `..`, and shall have no `/`, `\\` or `:`.",
     .message = "the name {0} is not a plain name of a file or directory",
     .data    = "name",
     .why     = "This is path traversal: tools join names as they are, so they write the "
                "file outside the folder that they were given, or into a hidden stream.",
     .fix     = "Players: do not unpack it; get the mod from its author. Authors: name "
                "the file without these characters, and pack it again.",
     .spec    = "iostore.md#6.17")
{
	report(c, place_of_string(c, s), TEXT_OF(s->text));
}

DEFECT_RULE(DIR018, name_not_portable, WARNING, UTOC_STRING_ROWS, s, STRING_ODD,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A name should have no reserved, control or deceptive character, no dot "
                "or space at its end, and not be a device's on Windows.",
     .message = "the name {0} {1}",
     .data    = "name defect",
     .why     = "Windows cannot have such a file, or calls it by another name; or people "
                "read another name than programs do.",
     .fix     = "Players: nothing, if the mod works. Authors: rename the asset, cook and "
                "pack it again.",
     .spec    = "iostore.md#6.18")
{
	report(c, place_of_string(c, s), TEXT_OF(s->text),
	       WORD(path_defect(path_examine(s->text).traits & (PATH_REFUSED | PATH_DECEPTIVE))));
}

DEFECT_RULE(DIR028, string_unused, NOTE, UTOC_STRING_ROWS, s, STRING_UNUSED | STRING_REPEATED,
     .class   = CLASS_HYGIENE, .also = BIT(UTOC_TREE),
     .title   = "Every string should be used as a name, and be stored once.",
     .message = "the string {0} {1}",
     .data    = "text defect",
     .why     = "It does no harm. Packers store only the names that they need, so another "
                "tool made or changed this index.",
     .fix     = "Players: nothing needs to be done. Authors: nothing, if you know the "
                "tool; else pack it again.",
     .spec    = "iostore.md#6.28")
{
	report(c, place_of_string(c, s), TEXT_OF(s->text),
	       either((s->traits & STRING_REPEATED) != 0, "is there before",
		      "is no name of anything"));
}

/* ---- Links ----------------------------------------------------------------------------------- */

static bool is_bad(uint64_t link, uint64_t n)
{
	return link != TOC_NONE && link >= n;
}

DEFECT_RULE(DIR007, directory_link_out_of_range, ERROR, UTOC_DIRECTORY_ROWS, d,
     DIRECTORY_BAD_NAME | DIRECTORY_BAD_LINK,
     .class   = CLASS_CORRUPTION, .explains = BIT(UTOC_TREE),
     .title   = "A directory shall refer to strings, directories and files that there are.",
     .message = "a directory refers to {0} {1}, which is out of range",
     .data    = "what number",
     .why     = "Readers look it up without a check, read foreign memory, and may crash.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#6.7")
{
	const struct directory *x = directory_of(c);
	const struct utoc_directory *e = &d->entry;

	if (is_bad(e->name, x->n_strings))
		report(c, AT(c, utoc_directory, e, name), WORD("string"), DEC(e->name));
	if (is_bad(e->first_child, x->n_directories))
		report(c, AT(c, utoc_directory, e, first_child), WORD("directory"),
		       DEC(e->first_child));
	if (is_bad(e->next_sibling, x->n_directories))
		report(c, AT(c, utoc_directory, e, next_sibling), WORD("directory"),
		       DEC(e->next_sibling));
	if (is_bad(e->first_file, x->n_files))
		report(c, AT(c, utoc_directory, e, first_file), WORD("file"), DEC(e->first_file));
}

DEFECT_RULE(DIR008, file_link_out_of_range, ERROR, UTOC_FILE_ROWS, f, FILE_BAD_NAME | FILE_BAD_LINK,
     .class   = CLASS_CORRUPTION, .explains = BIT(UTOC_TREE),
     .title   = "A file shall refer to a string and a next file that there are.",
     .message = "a file refers to {0} {1}, which is out of range",
     .data    = "what number",
     .why     = "Readers look it up without a check, read foreign memory, and may crash.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#6.8")
{
	if (f->traits & FILE_BAD_NAME)
		report(c, AT(c, utoc_file, &f->entry, name), WORD("string"), DEC(f->entry.name));
	else
		report(c, AT(c, utoc_file, &f->entry, next_file), WORD("file"),
		       DEC(f->entry.next_file));
}

DEFECT_RULE(DIR009, file_chunk_out_of_range, ERROR, UTOC_FILE_ROWS, f, FILE_BAD_CHUNK,
     .class   = CLASS_CORRUPTION,
     .title   = "A file shall refer to a chunk that there is.",
     .message = "a file refers to chunk {0}, which is out of range: the count of chunks "
                "is {1}",
     .data    = "number chunks",
     .why     = "Readers look it up without a check, read foreign memory, and may crash.",
     .fix     = "Players: get the file again. Authors: pack it again if it still fails.",
     .spec    = "iostore.md#6.9")
{
	const struct utoc *u = c->facts;

	report(c, AT(c, utoc_file, &f->entry, user_data), DEC(f->entry.user_data),
	       DEC(u->toc.n_chunks));
}

DEFECT_RULE(DIR013, root_invalid, WARNING, UTOC_DIRECTORY_ROWS, d, DIRECTORY_ODD_ROOT,
     .class   = CLASS_HYGIENE,
     .title   = "The first directory, the root, should have no name and no sibling.",
     .message = "the root directory has {0} {1}",
     .data    = "what number",
     .why     = "Readers that use the root's name show all files one directory deeper "
                "than others do.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again.",
     .spec    = "iostore.md#6.13")
{
	if (d->entry.name != TOC_NONE)
		report(c, AT(c, utoc_directory, &d->entry, name), WORD("the name"),
		       DEC(d->entry.name));
	else
		report(c, AT(c, utoc_directory, &d->entry, next_sibling), WORD("the sibling"),
		       DEC(d->entry.next_sibling));
}

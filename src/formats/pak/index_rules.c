/* The rules for the index of an archive and its further parts. */
#include "formats/pak/facts_rules.h"

#include "core/path.h"

#define SPEC(n) "pak.md#" #n

/* ---- Hashes ---------------------------------------------------------------------------------- */

RULE(PAK004, index_hash_mismatch, ERROR, PAK_SUMS,
     .class   = CLASS_CORRUPTION, .sign = SIGN_DATA,
     .title   = "The hash in the footer shall be the SHA-1 of the index.",
     .message = "the footer says {0}, the index has {1}",
     .data    = "expected found",
     .why     = "The game stops at its start with a corrupted index.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote "
                "it; who edits an index writes its hash, too.",
     .spec    = SPEC(2.2))
{
	const struct pak_part *x = &pak_of(c)->index; /* it is hashed where the group is there */

	if (memcmp(x->hash, x->computed, SHA1_LEN) != 0)
		report(c, AT(c, pak_footer, &pak_of(c)->footer, hash_0),
		       HEX_BYTES(x->hash, SHA1_LEN), HEX_BYTES(x->computed, SHA1_LEN));
}

static void judge_part_hash(struct check *c, const struct pak_part *x, const char *name)
{
	const struct pak *p = pak_of(c);

	if (pak_is_changed(x))
		report(c, AT_SPAN(p->index.at.at + x->place_at + 20, SHA1_LEN), WORD(name),
		       HEX_BYTES(x->hash, SHA1_LEN), HEX_BYTES(x->computed, SHA1_LEN));
}

RULE(PAK014, index_part_hash_mismatch, ERROR, PAK_SUMS,
     .class   = CLASS_CORRUPTION, .sign = SIGN_DATA, .versions = SINCE(10),
     .title   = "The hash of a part of the index shall be its SHA-1.",
     .message = "the index says that {0} has {1}, it has {2}",
     .data    = "part expected found",
     .why     = "The game stops at its start with a corrupted index if it reads that part. It "
                "reads one of the two, tools read the other.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote "
                "it.",
     .spec    = SPEC(2.12))
{
	judge_part_hash(c, &pak_of(c)->path_hashes, "the path-hash index");
	judge_part_hash(c, &pak_of(c)->directory, "the full directory index");
}

/* ---- What the head says of files and parts --------------------------------------------------- */

RULE(PAK041, file_count_mismatch, WARNING, PAK_ENTRIES,
     .class   = CLASS_CORRUPTION, .versions = SINCE(10),
     .title   = "The count of files should be that of the paths, or, where there are none, of the "
                "path hashes.",
     .message = "the count of files is {0}, that of {1} is {2}",
     .data    = "expected part found",
     .why     = "Engines and tools show this count, and find files without it: whoever trusts it "
                "takes the .pak for another one.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again.",
     .spec    = SPEC(2.16))
{
	const struct pak *p = pak_of(c);
	const uint64_t n = p->has_paths ? p->n_paths : p->n_hashes;

	if ((uint64_t)p->count != n)
		report(c, AT_SPAN(p->count_at, 4), SIGNED(p->count),
		       WORD(p->has_paths ? "the full directory index" : "the path-hash index"),
		       DEC(n));
}

static void judge_flag(struct check *c, const struct pak_part *x, const char *name)
{
	if (x->flag > 1)
		report(c, AT_SPAN(pak_of(c)->index.at.at + x->place_at, 4), WORD(name),
		       DEC(x->flag));
}

RULE(PAK042, part_flag_unknown, WARNING, PAK_HEAD,
     .class   = CLASS_CORRUPTION, .versions = SINCE(10),
     .title   = "Whether the index has a part should be said by 0 or 1.",
     .message = "whether {0} is there is said by {1}, and not by 0 or 1",
     .data    = "part found",
     .why     = "Engines take any other number for yes, and log that the file is probably corrupt.",
     .fix     = "Players: get the file again. Authors: pack it again.",
     .spec    = SPEC(2.17))
{
	judge_flag(c, &pak_of(c)->path_hashes, "the path-hash index");
	judge_flag(c, &pak_of(c)->directory, "the full directory index");
}

RULE(PAK054, directory_anchor_mismatch, WARNING, PAK_DIRECTORY,
     .class   = CLASS_COMPATIBILITY, .versions = SINCE(15),
     .title   = "Each anchor of the full directory index should be where the name of its directory "
                "begins, and that name have nothing of the one before it.",
     .message = "{0} {1} {2} {3}, expected {4}",
     .data    = "what number says found expected",
     .why     = "Readers that look for a directory by the anchors find another one, or none; "
                "others, which read all names, show the files.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again with the packer of the "
                "game's engine.",
     .spec    = SPEC(2.18))
{
	const struct pak_flat *f = &pak_of(c)->flat;
	const uint64_t at = f->anchors_at + PAK_NUMBER_LEN * f->loose;

	if (f->n_loose > 0)
		report(c, AT_SPAN(at, PAK_NUMBER_LEN), WORD("anchor"), DEC(f->loose), WORD("is"),
		       HEX(held_u32(f->anchors, PAK_NUMBER_LEN * f->loose)), HEX(f->belongs));
	if (f->n_shared > 0)
		report(c, AT_SPAN(f->shared_at, PAK_NUMBER_LEN), WORD("directory"), DEC(f->shared),
		       WORD("has an anchor, and of the name before it"), SIZE(f->shared_len),
		       SIZE(0));
}

/* ---- The mount point ------------------------------------------------------------------------- */

static const char *mount_defect(const struct pak *p)
{
	const struct text *t = &p->mount;
	const int64_t units = p->mount_length < 0 ? -p->mount_length : p->mount_length;

	if (p->index.broken.how == PAK_BROKEN_MOUNT)
		return "does not fit into the index";
	if (units > PAK_MOUNT_MAX)
		return "has more than 65535 characters";
	if (units == 0)
		return NULL;
	if (t->ref.flags & TEXT_UNTERMINATED)
		return "has no NUL at its end";
	return text_find(*t, 0, 0) < t->ref.n_units ? "has a NUL inside" : NULL;
}

#define PAK009_TEXTS \
	.class = CLASS_SECURITY, \
	.title = "The mount point and the names of files shall be strings that end in a NUL " \
		 "and have no other.", \
	.message = "the {0} {1} {2}", .data = "what name defect", \
	.why = "Engines and tools end the string elsewhere, or read past its end.", \
	.fix = "Players: get the file again. Authors: pack it again.", .spec = SPEC(4.1)

RULE(PAK009, pak_string_malformed, ERROR, PAK_INDEX, PAK009_TEXTS, .explains = BIT(PAK_HEAD))
{
	const struct pak *p = pak_of(c);
	const char *defect = mount_defect(p);

	if (defect)
		report(c, AT_SPAN(p->mount_at, 4), WORD("mount point of length"),
		       SIGNED(p->mount_length), WORD(defect));
}

static const char *name_defect(const struct text *t)
{
	if (t->ref.flags & TEXT_UNTERMINATED)
		return "has no NUL at its end";
	return text_find(*t, 0, 0) < t->ref.n_units ? "has a NUL inside"
						    : "has half a surrogate pair";
}

DEFECT_RULE(PAK009_name, pak_string_malformed, ERROR, PAK_FILES, row, PAK_NAME_INVALID,
	    PAK009_TEXTS)
{
	const struct pak *p = pak_of(c);
	const struct text name = pak_file_name(p, row);
	struct pak_path_room buf;

	report(c, name_place(p, row), WORD("name in the path"), path_of(p, row, &buf),
	       WORD(name_defect(&name)));
}

/* Since version 12 the names of files are UTF-8. */
EACH(PAK009_utf8, pak_string_malformed, ERROR, PAK_FILES, row, PAK009_TEXTS,
     .versions = SINCE(12))
{
	const struct pak *p = pak_of(c);
	const struct text name = pak_file_name(p, row);
	struct pak_path_room buf;

	if (!pak_is_text(&name, true))
		report(c, name_place(p, row), WORD("name in the path"), path_of(p, row, &buf),
		       WORD("is no UTF-8"));
}

RULE(PAK009_directory, pak_string_malformed, ERROR, PAK_NAMES, PAK009_TEXTS, .versions = SINCE(15))
{
	const struct pak *p = pak_of(c);

	for (uint32_t i = 0; i < p->n_directories; i++) {
		const struct text name = pak_bare_directory(p, i);

		if (p->directories[i].count > 0 && !pak_is_text(&name, true))
			report(c, directory_place(p, i), WORD("directory"), TEXT_OF(name),
			       WORD("is no UTF-8"));
	}
}

RULE(PAK009_kept, pak_string_malformed, ERROR, PAK_PATH_HASHES, PAK009_TEXTS)
{
	const struct pak_some *kept = &pak_of(c)->some[PAK_KEPT_INVALID];

	if (kept->n > 0)
		report(c, kept_place(pak_of(c), kept), WORD("name kept in"),
		       WORD("the path-hash index"), WORD("is no text with a NUL at its end alone"));
}

/* ---- Counts and places ----------------------------------------------------------------------- */

static void report_count(struct check *c, const struct pak_part *part)
{
	const struct pak_broken *b = &part->broken;

	if (b->how == PAK_BROKEN_COUNT)
		report(c, AT_SPAN(b->at, 4), WORD(b->what),
		       b->row == UINT64_MAX ? WORD("of the index") : DEC(b->row), SIGNED(b->count),
		       SIZE(b->left));
}

RULE(PAK011, count_outside_index, ERROR, PAK_INDEX,
     .class   = CLASS_SECURITY,
     .explains = BIT(PAK_HEAD) | BIT(PAK_ENTRIES) | BIT(PAK_PATH_HASHES) | BIT(PAK_DIRECTORY),
     .title   = "Each count and length in the index shall be 0 or more, and what it counts shall "
                "fit into the bytes that follow.",
     .message = "{0} {1} does not fit: its number is {2}, and {3} {3:follows|follow}",
     .data    = "what row number left",
     .why     = "Games stop at their start; readers that take the number as it is run out of "
                "memory, or read past the index.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote it.",
     .spec    = SPEC(2.3))
{
	report_count(c, &pak_of(c)->index);
	report_count(c, &pak_of(c)->path_hashes);
	report_count(c, &pak_of(c)->directory);
}

RULE(PAK012, index_parts_missing, ERROR, PAK_INDEX,
     .class   = CLASS_CORRUPTION, .explains = BIT(PAK_HEAD), .versions = SINCE(10),
     .title   = "An index shall have a path-hash index or a full directory index.",
     .message = "the index says of neither part where it is",
     .data    = "",
     .why     = "The game stops at its start: it has no way to find a file.",
     .fix     = "Players: get the file again. Authors: pack it again.",
     .spec    = SPEC(2.10))
{
	const struct pak_broken *b = &pak_of(c)->index.broken;

	if (b->how == PAK_BROKEN_PLACES)
		report_plain(c, AT_SPAN(b->at, 8));
}

static bool overlaps(struct span a, struct span b)
{
	return a.len > 0 && b.len > 0 && a.at < span_end(b) && b.at < span_end(a);
}

/* What a part is in the way of; NULL: nothing. */
static const char *part_defect(const struct pak *p, const struct pak_part *x,
			       const struct pak_part *other)
{
	if (!pak_may_be_part(p, x->at))
		return "is not before the footer, or has 2 GiB or more";
	if (overlaps(x->at, p->index.at))
		return "overlaps the index";
	return other->is_there && overlaps(x->at, other->at) ? "overlaps the other part" : NULL;
}

RULE(PAK013, index_part_outside, ERROR, PAK_HEAD,
     .class   = CLASS_SECURITY, .versions = SINCE(10),
     .explains = BIT(PAK_PATH_HASHES) | BIT(PAK_DIRECTORY),
     .title   = "The parts of an index shall be before the footer, and overlap neither it nor "
                "each other.",
     .message = "{0} at {1}, {2} long, {3}",
     .data    = "part offset size defect",
     .why     = "The game stops at its start with a corrupted index; readers that do not look "
                "read past the end of the file.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote it.",
     .spec    = SPEC(2.11))
{
	const struct pak *p = pak_of(c);
	const struct pak_part *parts[] = { &p->path_hashes, &p->directory };
	static const char *const names[] = { "the path-hash index", "the full directory index" };

	for (size_t i = 0; i < 2; i++) {
		const char *defect = part_defect(p, parts[i], parts[1 - i]);

		if (parts[i]->is_there && defect)
			report(c, AT_SPAN(p->index.at.at + parts[i]->place_at + 4, 16),
			       WORD(names[i]), HEX(parts[i]->at.at), SIZE(parts[i]->at.len),
			       WORD(defect));
	}
}

#define PAK015_TEXTS \
	.class = CLASS_SECURITY, .versions = SINCE(10), \
	.title = "The encoded records shall be in the index, and a file's record in them.", \
	.message = "{0} {1} {2}, {3} {4}", .data = "what has number defect limit", \
	.why = "Engines read past the end of the index there, and may crash, or read other " \
	       "bytes than those that a packer wrote as a record.", \
	.fix = "Players: get the file again. Authors: publish the .pak as the packer wrote " \
	       "it.", \
	.spec = SPEC(2.13)

RULE(PAK015, record_outside, ERROR, PAK_INDEX, PAK015_TEXTS,
     .explains = BIT(PAK_HEAD))
{
	const struct pak_broken *b = &pak_of(c)->index.broken;

	if (b->how == PAK_BROKEN_ENCODED && b->count == 0) /* it ends before or in the length */
		report(c, AT_SPAN(b->at, PAK_NUMBER_LEN), WORD("the index"),
		       WORD("has for the length of its encoded records"), SIZE(b->left),
		       WORD("fewer than"), SIZE(PAK_NUMBER_LEN));
	else if (b->how == PAK_BROKEN_ENCODED)
		report(c, AT_SPAN(b->at, PAK_NUMBER_LEN), WORD("the index"),
		       WORD("has encoded records of the length"), SIGNED(b->count),
		       WORD("which is not from 0 to"), DEC(b->left));
}

/* Such a location is outside the encoded records, or no record can begin there. */
static void report_location(struct check *c, struct place at, struct arg what, const char *has,
			    int64_t location)
{
	const struct pak *p = pak_of(c);
	const bool is_outside = (uint64_t)location >= p->encoded.len;

	report(c, at, what, WORD(has), DEC((uint64_t)location),
	       WORD(is_outside ? "outside the encoded records, which have"
			       : "which is no multiple of"),
	       is_outside ? SIZE(p->encoded.len) : DEC(PAK_SLOT));
}

DEFECT_RULE(PAK015_file, record_outside, ERROR, PAK_FILES, row,
	    PAK_LOCATION_OUTSIDE | PAK_RECORD_INSIDE | PAK_RECORD_TRUNCATED, PAK015_TEXTS)
{
	const struct pak *p = pak_of(c);
	struct pak_path_room buf;

	if (row->traits & PAK_LOCATION_OUTSIDE)
		report_location(c, name_place(p, row), path_of(p, row, &buf), "has the location",
				pak_file_location(p, row));
	else if (row->traits & PAK_RECORD_TRUNCATED)
		report(c, record_place(p, row), path_of(p, row, &buf), WORD("has a record at"),
		       HEX(row->record - p->encoded_at),
		       WORD("truncated where the encoded records end, at"), HEX(p->encoded.len));
	else
		report(c, record_place(p, row), path_of(p, row, &buf), WORD("has a record at"),
		       HEX(row->record - p->encoded_at),
		       WORD("inside another one of the encoded records, which have"),
		       SIZE(p->encoded.len));
}

RULE(PAK015_row, record_outside, ERROR, PAK_NAMES, PAK015_TEXTS)
{
	const struct pak *p = pak_of(c);
	const struct pak_some *rows = &p->some[PAK_ROW_OUTSIDE];

	if (rows->n > 0)
		report_location(c, row_of_hashes(p, rows), HEX(pak_row_hash(p, rows->first)),
				"is a path hash with the location",
				pak_hash_location(p, rows->first));
}

RULE(PAK015_kept, record_outside, ERROR, PAK_PATH_HASHES, PAK015_TEXTS)
{
	const struct pak *p = pak_of(c);
	const struct pak_some *kept = &p->some[PAK_KEPT_OUTSIDE];

	if (kept->n > 0)
		report_location(c, kept_place(p, kept), WORD("a name kept in the path-hash index"),
				"has the location", kept_location(p, kept));
}

#define PAK016_TEXTS \
	.class = CLASS_SECURITY, .versions = SINCE(10), \
	.title = "A location below 0 shall be that of one of the records that are not encoded.", \
	.message = "{0} has the location {1}, and the index has {2} {2:record|records} that " \
		   "{2:is|are} not encoded", \
	.data = "path location records", \
	.why = "Engines read past the end of the table, and may crash.", \
	.fix = "Players: get the file again. Authors: publish the .pak as the packer wrote it.", \
	.spec = SPEC(2.14)

RULE(PAK016_row, location_unknown, ERROR, PAK_NAMES, PAK016_TEXTS)
{
	const struct pak *p = pak_of(c);
	const struct pak_some *rows = &p->some[PAK_ROW_NO_RECORD];

	if (rows->n > 0)
		report(c, row_of_hashes(p, rows), HEX(pak_row_hash(p, rows->first)),
		       SIGNED(pak_hash_location(p, rows->first)), DEC(p->n_plain));
}

RULE(PAK016_kept, location_unknown, ERROR, PAK_PATH_HASHES, PAK016_TEXTS)
{
	const struct pak *p = pak_of(c);
	const struct pak_some *kept = &p->some[PAK_KEPT_NO_RECORD];

	if (kept->n > 0)
		report(c, kept_place(p, kept), WORD("a name kept in the path-hash index"),
		       SIGNED(kept_location(p, kept)), DEC(p->n_plain));
}

DEFECT_RULE(PAK016, location_unknown, ERROR, PAK_FILES, row, PAK_NO_RECORD, PAK016_TEXTS)
{
	struct pak_path_room buf;

	report(c, name_place(pak_of(c), row), path_of(pak_of(c), row, &buf),
	       SIGNED(pak_file_location(pak_of(c), row)), DEC(pak_of(c)->n_plain));
}

DEFECT_RULE(PAK036, record_truncated, ERROR, PAK_FILES, row, PAK_FIELD_TRUNCATED,
     .class   = CLASS_SECURITY, .versions = SINCE(10),
     .title   = "An encoded record shall have the block size and the numbers of 64 bits that its "
                "first word asks for.",
     .message = "the record of {0} at {1}, of first word {2}, is truncated in a number that this "
                "asks for",
     .data    = "path at word",
     .why     = "Engines read past the end of the index there, and may crash.",
     .fix     = "Players: get the file again. Authors: publish the .pak as the packer wrote it.",
     .spec    = SPEC(2.15))
{
	const struct pak *p = pak_of(c);
	struct pak_path_room buf;

	report(c, record_place(p, row), path_of(p, row, &buf), HEX(row->record - p->encoded_at),
	       HEX(held_u32(p->index.held, row->record)));
}

/* ---- What is left ---------------------------------------------------------------------------- */

/* With these it is not known which record is that of a file. */
enum {
	RECORD_LOST = PAK_LOCATION_OUTSIDE | PAK_NO_RECORD | PAK_RECORD_INSIDE |
		      PAK_RECORD_TRUNCATED | PAK_FIELD_TRUNCATED
};

static void report_left(struct check *c, const struct pak_part *x, const char *name)
{
	const uint64_t most = pak_of(c)->key ? AES_BLOCK_LEN - 1 : 0;

	if (x->n_left > most)
		report(c, AT_SPAN(span_end(x->at) - x->n_left, x->n_left), SIZE(x->n_left),
		       WORD(name));
}

RULE(PAK035, index_left_over, WARNING, PAK_ENTRIES,
     .class   = CLASS_HYGIENE,
     .title   = "The index and its parts should have no bytes but those of their rows and records.",
     .message = "{0} {0:belongs|belong} to no row of {1}",
     .data    = "left part",
     .why     = "No reader looks at these bytes; a count that is too low hides files in them.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again.",
     .spec    = SPEC(2.4))
{
	const struct pak *p = pak_of(c);

	report_left(c, &p->index, "the index");
	report_left(c, &p->path_hashes, "the path-hash index");
	report_left(c, &p->directory, "the full directory index");
	if (p->n_unused > 0 && !(p->file_traits & RECORD_LOST))
		report(c, AT_SPAN(p->index.at.at + p->unused_at, 4), SIZE(p->n_unused),
		       WORD("the records, as no location leads there"));
}

EACH(PAK034, unreferenced_bytes, WARNING, PAK_GAPS, gap,
     .class   = CLASS_HYGIENE, .sign = SIGN_TAIL,
     .title   = "Bytes of a .pak should belong to a file, to the index or to the footer.",
     .message = "{0} at {1} {0:belongs|belong} to no file and no part of the index",
     .data    = "size offset",
     .why     = "The game does not read them: the .pak is longer than it needs to be, or its "
                "index lacks files.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again; packers that "
                "replace files in place leave such bytes.",
     .spec    = SPEC(3.11))
{
	report(c, counted(AT_SPAN(gap->span.at, gap->span.len), gap->n_more), SIZE(gap->span.len),
	       HEX(gap->span.at));
}

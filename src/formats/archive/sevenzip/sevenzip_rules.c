/* The rules for the file, its start header and its header. */
#include "formats/archive/sevenzip/facts_rules.h"

#define MEMBERS_ID(id) id##_sevenzip
#define ARC_FILE_OF(c) (&((const struct sevenzip *)(c)->facts)->file)
#define ARC_FILE_GROUP SEVENZIP_FILE
#define ARC_FILE_EXPLAINS BIT(SEVENZIP_START)
#define ARC_CUT_ID ARC004_sevenzip
#define ARC_CUT_EXPLAINS BIT(SEVENZIP_START) | BIT(SEVENZIP_NEXT)
#include "formats/archive/members/file_rules.h"

#define ARC_SECOND_OF(c) (&((const struct sevenzip *)(c)->facts)->second)
#define ARC_SECOND_KIND "7z"
#define ARC_SECOND_GROUP SEVENZIP_NEXT
#include "formats/archive/members/second_rules.h"

/* ---- The file -------------------------------------------------------------------------------- */

/* The end that the start header says, if it is there. */
static uint64_t end_of(const struct sevenzip *z)
{
	return z->header.at > 0 ? span_end(z->header) : sevenzip_start_fixed_len;
}

FILE_DEFECT_RULE(ARC009_sevenzip, archive_split, UNDETERMINED, SEVENZIP_FILE, sevenzip, z,
		 SEVENZIP_VOLUME, .class = CLASS_COMPATIBILITY,
		 .explains = BIT(SEVENZIP_START) | BIT(SEVENZIP_NEXT),
		 .title = "An archive should be one file.",
		 .message = "this is the first volume of an archive of {0}, and has {1}",
		 .data = "wanted size",
		 .why = "What is in the other volumes was not checked, and sites take one file.",
		 .fix = "Players: get all volumes, and join them with the program that made them. "
			"Authors: pack the mod as one archive.",
		 .spec = "archive.md#1.7")
{
	report(c, AT_SPAN(0, z->size), SIZE(end_of(z)), SIZE(z->size));
}

FILE_DEFECT_RULE(ARC006_sevenzip, bytes_after_archive, WARNING, SEVENZIP_PLACES, sevenzip, z,
		 SEVENZIP_TRAILED, .class = CLASS_HYGIENE, .sign = SIGN_TAIL,
		 .lesser = SEVERITY_NOTE,
		 .lesser_when = "they are zeros, as some programs pad archives",
		 .title = "Nothing should follow an archive.",
		 .message = "{0} {0:follows|follow} the end of the archive{1}",
		 .data = "length what",
		 .why = "Some programs refuse the file, and none looks at what follows.",
		 .fix = "Players: nothing needs to be done. Authors: pack the archive again.",
		 .spec = "archive.md#1.14")
{
	const uint64_t end = span_end(z->header);

	report_as(c, z->tail_is_zero, AT_SPAN(end, z->size - end), SIZE(z->size - end),
		  either(z->tail_is_zero, ", all zeros", ""));
}

FILE_DEFECT_RULE(ARC008_sevenzip, archive_names_encrypted, UNDETERMINED, SEVENZIP_NEXT, sevenzip, z,
		 SEVENZIP_NAMES_HIDDEN, .class = CLASS_SECURITY,
		 .title = "The names of an archive's members should not be encrypted.",
		 .message = "the list of the files, {0} from byte {1} on, is encrypted",
		 .data = "length at",
		 .why = "What is in it cannot be checked, and sites refuse it.",
		 .fix = "Players: get the mod from where it needs no password. Authors: pack it "
			"without one.",
		 .spec = "archive.md#1.12")
{
	report(c, AT_SPAN(z->header.at, z->header.len), SIZE(z->header.len), HEX(z->header.at));
}

/* ---- The start header ------------------------------------------------------------------------ */

static bool was_interrupted(const struct sevenzip_start *s)
{
	return (s->offset | s->size | s->next_crc) == 0;
}

FILE_DEFECT_RULE(ARC100, start_header_checksum_mismatch, ERROR, SEVENZIP_FILE, sevenzip, z,
		 SEVENZIP_START_SUM, .class = CLASS_CORRUPTION, .sign = SIGN_DATA,
		 .title = "The start header shall have the checksum that it says.",
		 .message = "the start header has the checksum {0}, and says {1}{2}",
		 .data = "checksum stated what",
		 .why = "7-Zip refuses the archive. libarchive does not look, and reads what is "
			"there.",
		 .fix = "Players: get the archive again. Authors: pack it again.",
		 .spec = "sevenzip.md#1.2")
{
	report(c, AT(c, sevenzip_start, &z->start, crc), HEX(z->start_sum), HEX(z->start.crc),
	       either(was_interrupted(&z->start), ": writing it was interrupted", ""));
}

FILE_DEFECT_RULE(ARC101, header_outside_file, ERROR, SEVENZIP_START, sevenzip, z, SEVENZIP_OUTSIDE,
		 .class = CLASS_CORRUPTION, .explains = BIT(SEVENZIP_NEXT),
		 .title = "The header shall be in the file.",
		 .message = "the header should have {1} from byte {0} on, the file has {2}",
		 .data = "at length size", .why = "No program finds the list of the files.",
		 .fix = "Players: get the archive again. Authors: pack it again.",
		 .spec = "sevenzip.md#1.3")
{
	report(c, AT(c, sevenzip_start, &z->start, offset), HEX(z->header.at), SIZE(z->header.len),
	       SIZE(z->size));
}

RULE(ARC108, archive_version_unknown, UNDETERMINED, SEVENZIP_FILE,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(SEVENZIP_START),
     .title   = "The major version of a 7z should be 0.",
     .message = "the version is {0}.{1}, and only those that begin with 0 are known",
     .data    = "major minor",
     .why     = "What is in it is not known: there is no such version.",
     .fix     = "Players: get the archive again. Authors: pack it again.",
     .spec    = "sevenzip.md#1.4")
{
	const struct sevenzip *z = c->facts;

	if (z->groups[SEVENZIP_START].why == STOP_UNSUPPORTED)
		report(c, AT(c, sevenzip_start, &z->start, major), DEC(z->start.major),
		       DEC(z->start.minor));
}

/* ---- The header ------------------------------------------------------------------------------ */

static const struct defect_words sum_words[] = {
	{ SEVENZIP_NEXT_SUM, "the header has another checksum" },
	{ SEVENZIP_HEADER_SUM, "what the header decompresses to has another checksum" },
	{ SEVENZIP_HEADER_BROKEN,
	  "the compressed header cannot be decompressed, or not to its size" },
};

FILE_DEFECT_RULE(ARC102, header_checksum_mismatch, ERROR, SEVENZIP_START, sevenzip, z,
		 SEVENZIP_NEXT_SUM | SEVENZIP_HEADER_SUM | SEVENZIP_HEADER_BROKEN,
		 .class = CLASS_CORRUPTION, .sign = SIGN_DATA,
		 .explains = BIT(SEVENZIP_NEXT) | BIT(SEVENZIP_HEADER),
		 .title = "The header shall have the checksum that the archive says, as it is "
			  "stored and decompressed.",
		 .message = "{0}: {1}, the archive says {2}", .data = "what checksum stated",
		 .why = "The list of the files is damaged. Programs refuse the archive.",
		 .fix = "Players: get the archive again. Authors: pack it again.",
		 .spec = "sevenzip.md#2.1")
{
	report(c, AT_SPAN(z->header.at, z->header.len), WORD(WORDS_FOR(z->defects, sum_words)),
	       HEX(z->found), HEX(z->wanted));
}

FILE_DEFECT_RULE(ARC103, packed_streams_misplaced, ERROR, SEVENZIP_NEXT, sevenzip, z,
		 SEVENZIP_PACKED_OUTSIDE | SEVENZIP_PACKED_TWICE, .class = CLASS_CORRUPTION,
		 .sign = SIGN_FRAME, .explains = BIT(SEVENZIP_HEADER) | BIT(SEVENZIP_PLACES),
		 .title = "The packed streams shall be between the start header and the header, "
			  "each by itself.",
		 .message = "packed streams {0}", .data = "what",
		 .why = "What is unpacked is not what was packed, or nothing is.",
		 .fix = "Players: get the archive again. Authors: pack it again.",
		 .spec = "sevenzip.md#2.3")
{
	report(c, AT_SPAN(z->header.at, z->header.len),
	       either(z->defects & SEVENZIP_PACKED_OUTSIDE,
		      "are not between the start header and the header",
		      "of the members and of the header are the same bytes"));
}

static const struct defect_words grammar_words[] = {
	{ SEVENZIP_UNKNOWN_ID, "no list begins or goes on there" },
	{ SEVENZIP_ENDS_EARLY, "a list does not end before the header does" },
	{ SEVENZIP_COUNT, "there is a count of more things than it can be" },
	{ SEVENZIP_SIZES, "a member has more bytes than its folder has left" },
	{ SEVENZIP_NO_SIZES, "a list lacks its sizes" },
	{ SEVENZIP_BITS, "a property is longer than its list" },
	{ SEVENZIP_NAME_COUNT, "there are more or fewer names than members" },
	{ SEVENZIP_STREAM_COUNT, "there are more or fewer streams than members with bytes" },
	{ SEVENZIP_PACK_COUNT, "the folders take more packed streams than there are" },
	{ SEVENZIP_EXTERNAL, "a list stands in another stream, which no program writes" },
	{ SEVENZIP_LEVELS, "the header is compressed more than four times" },
	{ SEVENZIP_LEFT, "bytes follow the end of the lists" },
	{ SEVENZIP_FORM, "a folder has a form that no program knows" },
};

#define SEVENZIP_GRAMMAR \
	(SEVENZIP_UNKNOWN_ID | SEVENZIP_ENDS_EARLY | SEVENZIP_COUNT | SEVENZIP_SIZES | \
	 SEVENZIP_NO_SIZES | SEVENZIP_BITS | SEVENZIP_NAME_COUNT | SEVENZIP_STREAM_COUNT | \
	 SEVENZIP_PACK_COUNT | SEVENZIP_EXTERNAL | SEVENZIP_LEVELS | SEVENZIP_LEFT | \
	 SEVENZIP_FORM)

FILE_DEFECT_RULE(ARC104, sevenzip_header_malformed, ERROR, SEVENZIP_NEXT, sevenzip, z,
		 SEVENZIP_GRAMMAR, .class = CLASS_CORRUPTION,
		 .explains = BIT(SEVENZIP_HEADER) | BIT(SEVENZIP_LISTS),
		 .title = "The header shall have its lists in order, each as long as what it "
			  "counts.",
		 .message = "the header cannot be read on at its byte {1}: {0}; {2} for {3}",
		 .data = "what at found wanted",
		 .why = "Programs refuse the archive, or ask for memory that nothing needs.",
		 .fix = "Players: get the archive again. Authors: pack it again with 7-Zip.",
		 .spec = "sevenzip.md#3.1")
{
	const uint64_t at = z->n_levels == 0 ? z->bad_at - z->header.at : z->bad_at;
	const bool has_byte = z->n_levels == 0 && at < z->header.len;

	report(c, has_byte ? AT_SPAN(z->bad_at, 1) : AT_SPAN(z->header.at, z->header.len),
	       WORD(WORDS_FOR(z->defects, grammar_words)), DEC(at), DEC(z->found), DEC(z->wanted));
}

RULE(ARC214, header_levels, ERROR, SEVENZIP_HEADER,
     .class = CLASS_COMPATIBILITY,
     .title = "The header shall be compressed once at most.",
     .message = "the header is compressed {0} {0:time|times}, not once", .data = "levels",
     .why = "7-Zip and libarchive refuse the archive.",
     .fix = "Players: nothing unpacks it; get the mod elsewhere. Authors: pack it with 7-Zip.",
     .spec = "sevenzip.md#2.2")
{
	const struct sevenzip *z = c->facts;

	if (z->n_levels > 1)
		report(c, AT_SPAN(z->header.at, z->header.len), DEC(z->n_levels));
}

static const char *odd_words(const struct sevenzip *z)
{
	static const char *const words[] = {
		[SEVENZIP_ODD_NOT] = "",
		[SEVENZIP_ODD_PADDING] = "padding that is not zeros",
		[SEVENZIP_ODD_BITS_BEFORE_NAMES] = "attributes of some of them before the names",
		[SEVENZIP_ODD_BITS_OF_LINKS] = "attributes of some of them, with links or devices",
		[SEVENZIP_ODD_BITS] = "attributes of some of them only",
		[SEVENZIP_ODD_PLACES] = "places in a file that is unpacked",
	};

	return words[z->odd];
}

FILE_DEFECT_RULE(
	ARC181, sevenzip_property_ambiguous, ERROR, SEVENZIP_LISTS, sevenzip, z, SEVENZIP_ODD,
	.class = CLASS_SECURITY, .sign = SIGN_INTENT, .lesser = SEVERITY_WARNING,
	.lesser_when = "programs refuse it, or lose attributes",
	.title = "The padding between the properties of members shall be zeros, and these "
		 "have attributes for all of them.",
	.message = "the members have {0}, at byte {1} of the header", .data = "what at",
	.why = "The library libarchive looks for the attributes of some members a byte later than "
	       "7-Zip: "
	       "it can read other names there, and other kinds.",
	.fix = "Players: get the archive again. Authors: pack it again with 7-Zip, from the "
	       "files alone.",
	.spec = "sevenzip.md#4.4")
{
	const bool is_lesser = z->odd >= SEVENZIP_ODD_BITS;
	const uint64_t at = z->n_levels == 0 ? z->odd_at - z->header.at : z->odd_at;

	report_as(c, is_lesser, sevenzip_header_place(z, z->odd_at, 1), WORD(odd_words(z)),
		  DEC(at));
}

EACH(ARC112, bytes_of_no_member, NOTE, SEVENZIP_GAPS, g,
     .class   = CLASS_HYGIENE,
     .title   = "Every byte before the header should belong to a member, or to the header.",
     .message = "{0} from byte {1} on {2}", .data = "length at what",
     .why     = "Nothing unpacks them: it is a place to hide something.",
     .fix     = "Players: nothing needs to be done. Authors: pack the archive again.",
     .spec    = "sevenzip.md#2.4")
{
	report(c, AT_SPAN(g->span.at, g->span.len), SIZE(g->span.len), HEX(g->span.at),
	       either(g->is_folder, "are a folder that no member has", "belong to no member"));
}

/* The rules for tar archives, but for those about names and kinds of members. */
#include "formats/archive/tar/tar.h"

#define MEMBERS_ID(id) id##_tar
#define ARC_FILE_OF(c) (&((const struct tar *)(c)->facts)->file)
#define ARC_FILE_GROUP TAR_FILE
#define ARC_FILE_EXPLAINS BIT(TAR_MEMBERS)
#define ARC_CUT_ID ARC004
#define ARC_CUT_EXPLAINS BIT(TAR_END)
#include "formats/archive/members/file_rules.h"

#define ARC_SECOND_OF(c) (&((const struct tar *)(c)->facts)->second)
#define ARC_SECOND_KIND "tar"
#define ARC_SECOND_GROUP TAR_MEMBERS
#include "formats/archive/members/second_rules.h"

static struct place header_place(const struct tar_flaw *f)
{
	return AT_SPAN(f->at, TAR_BLOCK);
}

DEFECT_RULE(ARC140, tar_checksum_mismatch, ERROR, TAR_FLAWS, row, TAR_SUM,
	    .class = CLASS_CORRUPTION, .sign = SIGN_DATA, .explains = BIT(TAR_END),
	    .title = "A header of a tar shall have the checksum that it says.",
	    .message = "the header of {0} has the checksum {1} and says {2}",
	    .data = "name found said",
	    .why = "Programs stop there, or look for the next header: what follows is missing.",
	    .fix = "Players: get the archive again. Authors: pack it again.",
	    .spec = "tar.md#2.2")
{
	report(c, header_place(row), TEXT_OF(row->name), DEC(row->found), DEC(row->said));
}

static const struct defect_words size_words[] = {
	{ TAR_SIZE_NO_NUMBER, "no number in octal, in base 256 or, in a pax header, in digits" },
	{ TAR_SIZE_NEGATIVE, "below zero, or too large" },
	{ TAR_SIZE_BEYOND, "more than that" },
	{ TAR_SIZE_UNUSED, "none that a member of its type can have" },
};

DEFECT_RULE(ARC141, tar_size_invalid, ERROR, TAR_FLAWS, row,
	    TAR_SIZE_NO_NUMBER | TAR_SIZE_NEGATIVE | TAR_SIZE_BEYOND | TAR_SIZE_UNUSED,
	    .class = CLASS_CORRUPTION, .explains = BIT(TAR_END), .lesser = SEVERITY_WARNING,
	    .lesser_when = "the member is a link, a folder, a device or a pipe, which have none, "
			   "and nothing but zeros follows; or a hard link, in a tar without pax "
			   "headers",
	    .title = "The size of a member shall be a number, and its bytes shall be in the file.",
	    .message = "{0} {0:follows|follow} the header of {1}, and the size in it is {2}",
	    .data = "left name what",
	    .why = "Programs do not find what follows, or do not agree on where it is.",
	    .fix = "Players: get the archive again. Authors: pack it again.",
	    .spec = "tar.md#2.3")
{
	report_as(c, !(row->traits & ~(uint32_t)(TAR_SIZE_UNUSED | TAR_ODD_TYPE)),
		  header_place(row), SIZE(row->found), TEXT_OF(row->name),
		  WORD(WORDS_FOR(row->traits, size_words)));
}

RULE(ARC142, tar_end_missing, NOTE, TAR_END,
     .class = CLASS_CORRUPTION,
     .title = "A tar should end with two blocks of zeros.",
     .message = "the last member is followed by {0} {0:block|blocks} of zeros, not by 2",
     .data = "blocks",
     .why = "A tar that was truncated between two members looks so. GNU tar and bsdtar are silent, "
	    "7-Zip reports it.",
     .fix = "Players: nothing, if no file is missing. Authors: pack it again.",
     .spec = "tar.md#3.1")
{
	const struct tar *t = c->facts;

	if (t->n_zeros < TAR_END_BLOCKS)
		report(c, AT_SPAN(t->end, t->after - t->end), DEC(t->n_zeros));
}

RULE(ARC210, tar_block_truncated, ERROR, TAR_END,
     .class = CLASS_CORRUPTION, .lesser = SEVERITY_WARNING,
     .lesser_when = "all blocks of members are whole, and no block of zeros follows",
     .title = "A tar shall end with a whole block.",
     .message = "the last block, of {0}, has {1} of 512", .data = "what bytes",
     .why = "It was truncated. Where a member's last block is incomplete, GNU tar, bsdtar and "
	    "CPython fail and 7-Zip reports it; where zeros after the members are, bsdtar and "
	    "7-Zip do.",
     .fix = "Players: get the archive again. Authors: pack it again.",
     .spec = "tar.md#3.3")
{
	const struct tar *t = c->facts;
	const uint64_t rest = t->size % TAR_BLOCK;
	const bool in_zeros = t->lacks == 0;

	if (rest > 0 && (!in_zeros || (t->n_zeros == 0 && t->after == t->size)))
		report_as(c, in_zeros, AT_SPAN(t->size - rest, rest),
			  either(in_zeros, "zeros after the members", "a member"), DEC(rest));
}

RULE(ARC143, tar_bytes_after_end, WARNING, TAR_END,
     .class = CLASS_HYGIENE, .sign = SIGN_TAIL,
     .title = "Nothing but zeros should follow the end of a tar.",
     .message = "{0} {0:follows|follow} the end: {1}", .data = "size what",
     .why = "Most programs end there, 7-Zip reports it: it is a place to hide something. Of "
	    "tars that were appended to one another, only the first is unpacked.",
     .fix = "Players: nothing, if no file is missing. Authors: pack all files into one archive.",
     .spec = "tar.md#3.2")
{
	const struct tar *t = c->facts;

	if (t->after < t->size)
		report(c, AT_SPAN(t->after, t->size - t->after), SIZE(t->size - t->after),
		       either(t->after_is_tar, "another tar", "no tar"));
}

static const struct defect_words pax_words[] = {
	{ TAR_PAX_MALFORMED, "a record that is no length, key and value" },
	{ TAR_PAX_TWICE, "a path, a target or a size twice" },
	{ TAR_PAX_EMPTY, "a path, a target or a size without a value" },
	{ TAR_PAX_NUL, "a NUL in a key or a value" },
};

DEFECT_RULE(ARC144, tar_pax_malformed, ERROR, TAR_FLAWS, row,
	    TAR_PAX_MALFORMED | TAR_PAX_TWICE | TAR_PAX_EMPTY | TAR_PAX_NUL,
	    .class = CLASS_SECURITY,
	    .title = "The records of a pax header shall be well-formed, and say each thing once.",
	    .message = "the pax header of {0} has {1}", .data = "name what",
	    .why = "Programs read it in different ways, and unpack other names.",
	    .fix = "Players: do not unpack the archive. Authors: pack it again with a common "
		   "program.",
	    .spec = "tar.md#2.6")
{
	report(c, header_place(row), TEXT_OF(row->name), WORD(WORDS_FOR(row->traits, pax_words)));
}

static const struct defect_words said_words[] = {
	{ TAR_SAID_TWICE, "two headers say different things" },
	{ TAR_PAX_AGAIN,
	  "two pax headers say something, of which some programs use the last alone" },
	{ TAR_LONG_CUT,
	  "a long name goes on behind the size that its header says, and some programs read on" },
	{ TAR_SAID_OF_ALL, "a pax header for all members says the name, the size or holes" },
};

DEFECT_RULE(ARC145, tar_said_twice, ERROR, TAR_FLAWS, row,
	    TAR_SAID_TWICE | TAR_SAID_OF_ALL | TAR_PAX_AGAIN | TAR_LONG_CUT,
	    .class = CLASS_SECURITY,
	    .title = "One header shall say what a member is called, and not for all members.",
	    .message = "of {0} {1}", .data = "name what",
	    .why = "Programs take one or the other: what a scanner looks at need not be what is "
		   "installed.",
	    .fix = "Players: do not unpack the archive. Authors: pack it again with a common "
		   "program.",
	    .spec = "tar.md#2.7")
{
	report(c, header_place(row), TEXT_OF(row->name), WORD(WORDS_FOR(row->traits, said_words)));
}

static const char *map_words(uint8_t map)
{
	switch (map) {
	case TAR_MAP_APPLIED:
		return "its holes were filled in";
	case TAR_MAP_MALFORMED:
		return "the map of its holes does not fit them, so its content is not known";
	default:
		return "it has no map of its holes in a form that is known";
	}
}

DEFECT_RULE(ARC146, tar_member_sparse, UNDETERMINED, TAR_FLAWS, row, TAR_SPARSE,
	    .class = CLASS_COMPATIBILITY, .lesser = SEVERITY_NOTE,
	    .lesser_when = "the map of its holes is sound",
	    .title = "A member should not be stored without its holes.",
	    .message = "{0} has {1} in the archive, which stand for {2}: {3}",
	    .data = "name stored size what",
	    .why = "Its stored bytes are not its content, which is not known without a map that "
		   "fits. Some programs unpack them as they are.",
	    .fix = "Players: unpack it with GNU tar or bsdtar. Authors: pack it again without "
		   "--sparse.",
	    .spec = "tar.md#2.8")
{
	report_as(c, row->map == TAR_MAP_APPLIED, header_place(row), TEXT_OF(row->name),
		  SIZE(row->said), SIZE(row->found), WORD(map_words(row->map)));
}

DEFECT_RULE(ARC147, tar_type_unknown, WARNING, TAR_FLAWS, row, TAR_ODD_TYPE,
	    .class = CLASS_COMPATIBILITY,
	    .title = "A member should be of a type that POSIX has.",
	    .message = "{0} is of the type {1}, which is not one of a file, a folder or a link",
	    .data = "name type",
	    .why = "Programs leave it out, or unpack it as a file.",
	    .fix = "Players: nothing, if no file is missing. Authors: pack the files of the mod, "
		   "and no backup of a disk.",
	    .spec = "tar.md#2.4")
{
	report(c, header_place(row), TEXT_OF(row->name), HEX(row->type));
}

DEFECT_RULE(ARC167, tar_number_malformed, ERROR, TAR_FLAWS, row, TAR_NUMBER_WRONG,
	    .class = CLASS_SECURITY,
	    .title = "A number in a header shall be octal digits, or in base 256.",
	    .message = "in the header of {0} the {1} is neither octal digits nor a number in base "
		       "256",
	    .data = "name field",
	    .why = "CPython takes such a header for the end of the archive and shows no member "
		   "after it, bsdtar does not open the archive, and others take the number for 0.",
	    .fix = "Players: get the archive again. Authors: pack it again.",
	    .spec = "tar.md#2.10")
{
	report(c, AT_SPAN(row->at + row->said, row->found), TEXT_OF(row->name), WORD(row->what));
}

DEFECT_RULE(ARC212, tar_number_refused, WARNING, TAR_FLAWS, row, TAR_NUMBER_ODD,
	    .class = CLASS_COMPATIBILITY,
	    .title = "A number in a header should be one that all programs take.",
	    .message = "in the header of {0} the {1} is {2}", .data = "name field what",
	    .why = "7-Zip does not open an archive whose mode or number of a device is blank or in "
		   "base 256, or ends before that member. GNU tar fails at blanks, at numbers of "
		   "owners and groups of more than 32 bits, and at times of more than 64.",
	    .fix = "Players: use bsdtar. Authors: pack it again with a common program.",
	    .spec = "tar.md#2.15")
{
	report(c, AT_SPAN(row->at + row->said, row->found), TEXT_OF(row->name), WORD(row->what),
	       WORD(row->how));
}

DEFECT_RULE(ARC168, tar_field_unused, ERROR, TAR_FLAWS, row, TAR_UNUSED_FIELD,
	    .class = CLASS_SECURITY, .lesser = SEVERITY_WARNING,
	    .lesser_when = "they may be times, as in a backup that GNU tar made",
	    .title = "A header shall have nothing in a field that its form or type does not have.",
	    .message = "the header of {0} has {1}", .data = "name what",
	    .why = "Programs differ in whether they use it: the member has another name, or other "
		   "content.",
	    .fix = "Players: do not unpack the archive, if it is no backup. Authors: pack it "
		   "again.",
	    .spec = "tar.md#2.11")
{
	report_as(c, row->traits & TAR_UNUSED_TIME, header_place(row), TEXT_OF(row->name),
		  WORD(row->what));
}

DEFECT_RULE(ARC169, tar_header_of_none, ERROR, TAR_FLAWS, row, TAR_SAID_OF_NONE,
	    .class = CLASS_CORRUPTION,
	    .title = "A header about the next member shall be followed by one.",
	    .message = "the header at {0} is about the next member, and there is none",
	    .data = "at",
	    .why = "The archive was truncated or changed. bsdtar and CPython say that it is "
		   "damaged.",
	    .fix = "Players: get the archive again. Authors: pack it again.",
	    .spec = "tar.md#2.12")
{
	report(c, header_place(row), HEX(row->at));
}

DEFECT_RULE(ARC152, tar_link_early, WARNING, TAR_FLAWS, row, TAR_LINK_EARLY,
	    .class = CLASS_COMPATIBILITY,
	    .title = "The target of a hard link should be an earlier member.",
	    .message = "no member before the hard link is called {0}, which is its target",
	    .data = "target",
	    .why = "It cannot be unpacked: the file is missing.",
	    .fix = "Players: get the file elsewhere. Authors: pack files, without links.",
	    .spec = "tar.md#2.9")
{
	report(c, header_place(row), TEXT_OF(row->name));
}

DEFECT_RULE(ARC172, tar_link_stale, ERROR, TAR_FLAWS, row, TAR_LINK_STALE,
	    .class = CLASS_SECURITY, .lesser = SEVERITY_WARNING,
	    .lesser_when = "the later member has the same bytes",
	    .title = "The target of a hard link shall not be replaced by a later member.",
	    .message = "a member after the hard link replaces {0}, which is its target, with {1}",
	    .data = "target what",
	    .why = "Some programs write the new file through the link, and others leave the link "
		   "with the old one: what a scanner looks at need not be what is installed.",
	    .fix = "Players: do not use the archive. Authors: pack files, without links.",
	    .spec = "tar.md#2.9")
{
	const bool alike = row->traits & TAR_LINK_ALIKE;

	report_as(c, alike, header_place(row), TEXT_OF(row->name),
		  either(alike, "the same bytes", "other bytes"));
}

static const char *kind_words(uint8_t type)
{
	switch (type) {
	case 'V':
		return "the label of a volume";
	case 'N':
		return "an old table of names";
	case 'D':
		return "a folder by its type, and a file by its name,";
	default:
		return "a folder by its name";
	}
}

DEFECT_RULE(ARC211, tar_folder_of_file_type, ERROR, TAR_FLAWS, row, TAR_FOLDER_OF_FILE,
	    .class = CLASS_COMPATIBILITY,
	    .title = "A member whose name ends in a separator shall not be of a file's type.",
	    .message = "{0} has the name of a folder and is of the type {1}, that of a file",
	    .data = "name type",
	    .why = "CPython makes an empty file of it, or fails, and libarchive a folder.",
	    .fix = "Players: unpack it with bsdtar. Authors: pack it again with a common program.",
	    .spec = "tar.md#2.16")
{
	report(c, header_place(row), TEXT_OF(row->name), HEX(row->type));
}

DEFECT_RULE(ARC170, tar_no_file_with_content, ERROR, TAR_FLAWS, row, TAR_NO_FILE,
	    .class = CLASS_SECURITY, .sign = SIGN_INTENT,
	    .title = "What is no file shall have no bytes.",
	    .message = "{0} is {1} and has {2}", .data = "name kind size",
	    .why = "Some programs make a file of it, and others drop the bytes: a place to hide "
		   "something.",
	    .fix = "Players: do not use the archive. Authors: pack it again.",
	    .spec = "tar.md#2.13")
{
	report(c, header_place(row), TEXT_OF(row->name), WORD(kind_words(row->type)),
	       SIZE(row->said));
}

DEFECT_RULE(ARC171, tar_long_name_empty, ERROR, TAR_FLAWS, row, TAR_LONG_EMPTY,
	    .class = CLASS_SECURITY,
	    .title = "A header for a long name shall have one.",
	    .message = "a header before {0} is for a long name, and has none", .data = "name",
	    .why = "GNU tar, bsdtar and CPython stop there, 7-Zip uses the name in the member's "
		   "own header.",
	    .fix = "Players: do not use the archive. Authors: pack it again.",
	    .spec = "tar.md#2.14")
{
	report(c, header_place(row), TEXT_OF(row->name));
}

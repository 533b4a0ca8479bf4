/* The rules of rar for the file as a whole and for its blocks. */
#include "core/path.h"
#include "formats/archive/rar/facts_rules.h"

#define SPEC(n) "rar.md#" #n

/* FILE_DEFECT_RULE for ids that are macros themselves. */
#define FILE_RULE(ID, NAME, SEVERITY, NEEDS, DEFECTS, ...) \
	FILE_DEFECT_RULE(ID, NAME, SEVERITY, NEEDS, rar, r, DEFECTS, __VA_ARGS__)

#define FIX_GET \
	"Players: get the archive again. Authors: pack it again, and test it before you " \
	"publish it."

/* ---- The file -------------------------------------------------------------------------------- */

FILE_RULE(RAR_ID(ARC001), archive_is_other_file, ERROR, RAR_FILE, RAR_FOREIGN,
	  .class = CLASS_CORRUPTION, .sign = SIGN_OTHER_FILE, .explains = BIT(RAR_SIGNATURE),
	  .title = "A file with the extension of an archive shall begin as an archive does.",
	  .message = "the file has {0}, and is no archive by its first bytes", .data = "size",
	  .why = "No program opens it. Most often it is a page of a website or a pointer to the "
		 "file, saved under its name.",
	  .fix = "Players: get the file again. Authors: upload the archive itself.",
	  .spec = "archive.md#1.2")
{
	report(c, AT_SPAN(0, r->size < 4 ? r->size : 4), SIZE(r->size));
}

FILE_DEFECT_RULE(ARC003, archive_form_unsupported, UNDETERMINED, RAR_FILE, rar, r, RAR_ANCIENT,
		 .class = CLASS_COMPATIBILITY, .explains = BIT(RAR_SIGNATURE),
		 .title = "An archive should be in a form that this program reads.",
		 .message = "the file, of {0}, is a {1}, which this program does not read",
		 .data = "size form", .why = "Nothing that is in it was checked.",
		 .fix = "Players: nothing, if your program unpacks it. Authors: pack it as a zip.",
		 .spec = "wrap.md#1.1")
{
	report(c, AT_SPAN(0, 4), SIZE(r->size), WORD("rar 1.4"));
}

FILE_RULE(RAR_ID(ARC002), archive_extension_differs, WARNING, RAR_SIGNATURE, RAR_MISNAMED,
	  .class = CLASS_COMPATIBILITY,
	  .title = "An archive should have the extension of its format.",
	  .message = "the file is a {0} archive, and its name ends in {1}", .data = "kind ending",
	  .why = "Explorer, mod managers and Thunderstore go by the extension, and fail; other "
		 "programs go by the content.",
	  .fix = "Players: rename the file. Authors: give it the extension of its format, or pack "
		 "it again.",
	  .spec = "archive.md#1.3")
{
	report(c, AT_SPAN(0, r->version == RAR_4 ? RAR4_START : RAR5_START), WORD("rar"),
	       TEXT_OF(path_extension(text_from(c->source->name))));
}

FILE_RULE(RAR_ID(ARC004), archive_truncated, ERROR, RAR_SIGNATURE, RAR_TRUNCATED,
	  .class = CLASS_CORRUPTION, .sign = SIGN_DATA, .explains = BIT(RAR_BLOCKS),
	  .title = "An archive shall not end inside of what it has.",
	  .message = "the archive has {0}, and needs at least {1}", .data = "size needed",
	  .why = "What came after is missing: the transfer or the upload broke off.",
	  .fix = "Players: get the file again. Authors: upload it again.", .spec = "archive.md#1.4")
{
	if (!(r->defects & RAR_VOLUME))
		report(c, AT_SPAN(r->end, 0), SIZE(r->size), SIZE(r->needs));
}

FILE_RULE(RAR_ID(ARC006), bytes_after_archive, WARNING, RAR_BLOCKS, RAR_TAIL | RAR_TAIL_OF_ZEROS,
	  .class = CLASS_HYGIENE, .sign = SIGN_TAIL, .lesser = SEVERITY_NOTE,
	  .lesser_when = "they are zeros, as some programs pad archives",
	  .title = "Nothing should follow an archive.",
	  .message = "{0} {0:follows|follow} the end of the archive{1}", .data = "length what",
	  .why = "Some programs refuse the file, and none looks at what follows.",
	  .fix = "Players: nothing needs to be done. Authors: pack the archive again.",
	  .spec = "archive.md#1.14")
{
	const bool is_zero = r->defects & RAR_TAIL_OF_ZEROS;

	report_as(c, is_zero, AT_SPAN(r->end, r->size - r->end), SIZE(r->size - r->end),
		  either(is_zero, ", all zeros", ""));
}

FILE_RULE(RAR_ID(ARC008), archive_names_encrypted, UNDETERMINED, RAR_SIGNATURE,
	  RAR_HEADERS_ENCRYPTED, .class = CLASS_SECURITY,
	  .title = "The names of an archive's members should not be encrypted.",
	  .message = "the headers are encrypted from {0} on, so that not even names can be "
		     "read",
	  .data = "offset", .why = "What is in it cannot be checked, and sites refuse it.",
	  .fix = "Players: get the mod from where it needs no password. Authors: pack it "
		 "without one.",
	  .spec = "archive.md#1.12")
{
	report(c, AT_SPAN(r->end, r->size - r->end), HEX(r->end));
}

/* The header of the archive, if there is one. */
static struct place first_place(const struct rar *r)
{
	return r->n_blocks > 0 ? block_place(r, &r->blocks[0]) : AT_SPAN(0, 0);
}

static const char *volume_words(const struct rar *r)
{
	return !r->is_numbered ? "" : r->volume == 0 ? ", the first" : ", not the first";
}

FILE_RULE(RAR_ID(ARC009), archive_split, UNDETERMINED, RAR_SIGNATURE, RAR_VOLUME,
	  .class = CLASS_COMPATIBILITY, .explains = BIT(RAR_BLOCKS) | BIT(RAR_CONTENT),
	  .title = "An archive should be one file.",
	  .message = "this is a volume of an archive of several{0}", .data = "number",
	  .why = "What is in the other volumes was not checked, and sites take one file.",
	  .fix = "Players: get all volumes, and join them with the program that made them. "
		 "Authors: pack the mod as one archive.",
	  .spec = "archive.md#1.7")
{
	report(c, first_place(r), WORD(volume_words(r)));
}

#define MEMBERS_ID(id) RAR_ID(id)
#define ARC_SECOND_OF(c) (&rar_of(c)->second)
#define ARC_SECOND_KIND "rar"
#define ARC_SECOND_GROUP RAR_SIGNATURE
#include "formats/archive/members/second_rules.h"

/* ---- Blocks ---------------------------------------------------------------------------------- */

DEFECT_RULE(ARC120, rar_header_checksum_mismatch, ERROR, RAR_BLOCK_ROWS, b, RAR_SUM_WRONG,
	    .class = CLASS_CORRUPTION, .sign = SIGN_DATA, .explains = BIT(RAR_BLOCKS),
	    .title = "The header of a block shall have the checksum that it says.",
	    .message = "the header at {0}, of {1}, has another checksum than it says",
	    .data = "offset length",
	    .why = "Its bytes are not those that were written: names, sizes and places may be "
		   "others. Programs leave the archive there.",
	    .fix = FIX_GET, .spec = SPEC(2.1))
{
	report(c, block_place(rar_of(c), b), HEX(b->at), SIZE(b->head_len));
}

FILE_DEFECT_RULE(ARC122, rar_block_malformed, ERROR, RAR_SIGNATURE, rar, r, RAR_BLOCK_MALFORMED,
		 .class = CLASS_CORRUPTION, .sign = SIGN_DATA, .explains = BIT(RAR_BLOCKS),
		 .title = "A block shall have the bytes that its type needs, all in the file.",
		 .message = "the block at {0} has {1} of {2}, and should have at {3} {4}",
		 .data = "offset what length bound limit",
		 .why = "Where the next block is does not follow from it. Readers that do not look "
			"loop or read past its end.",
		 .fix = FIX_GET, .spec = SPEC(4.1))
{
	const struct rar_fault *f = &r->fault;

	report(c, AT_SPAN(f->at.at, f->at.len), HEX(f->at.at), WORD(f->what), SIZE(f->has),
	       either(f->is_most, "most", "least"), SIZE(f->needs));
}

DEFECT_RULE(ARC122_extras, rar_block_malformed, ERROR, RAR_BLOCK_ROWS, b, RAR_EXTRA_BROKEN,
	    .class = CLASS_CORRUPTION, .sign = SIGN_DATA,
	    .title = "A block shall have the bytes that its type needs, all in the file.",
	    .message = "the fields or the extra records of the block at {0}, with a header of {1}, "
		       "do not end where they should",
	    .data = "offset length",
	    .why = "Where the next block is does not follow from it. Readers that do not look loop "
		   "or read past its end.",
	    .fix = FIX_GET, .spec = SPEC(4.1))
{
	report(c, block_place(rar_of(c), b), HEX(b->at), SIZE(b->head_len));
}

FILE_DEFECT_RULE(
	ARC121, rar_end_missing, WARNING, RAR_BLOCKS, rar, r, RAR_NO_END, .class = CLASS_CORRUPTION,
	.sign = SIGN_DATA, .title = "An archive of RAR 3 or later should have an end block.",
	.message = "there is no end block after {0} {0:block|blocks}", .data = "blocks",
	.why = "An archive that is truncated between two blocks looks like this: members may be "
	       "missing at its end.",
	.fix = "Players: get the archive again, if a file is missing. Authors: compare its "
	       "size with that of your own copy.",
	.spec = SPEC(2.4))
{
	report(c, AT_SPAN(r->end, 0), DEC(r->n_blocks));
}

DEFECT_RULE(ARC126, rar_stream_hidden, ERROR, RAR_BLOCK_ROWS, b, RAR_STREAM_SERVICE,
	    .class = CLASS_SECURITY, .sign = SIGN_INTENT,
	    .title = "An archive shall have no streams of files.",
	    .message = "the block at {0}, with {1} of data, is a stream of a file",
	    .data = "offset length",
	    .why = "On Windows it is written beside the contents of a file, where Explorer does "
		   "not show it, or to where its name leads.",
	    .fix = "Players: do not unpack the archive. Authors: pack it without streams.",
	    .spec = SPEC(4.5))
{
	report(c, block_place(rar_of(c), b), HEX(b->at), SIZE(b->data_len));
}

static const struct defect_words once_words[] = {
	{ RAR_HEADER_TWICE, "is a further header of the archive" },
	{ RAR_RECORD_TWICE, "has two extra records of one type" },
	{ RAR_HEADER_MISSING, "is the first, and no header of the archive" },
};

DEFECT_RULE(ARC182, rar_header_repeated, ERROR, RAR_BLOCK_ROWS, b,
	    RAR_HEADER_TWICE | RAR_RECORD_TWICE | RAR_HEADER_MISSING, .class = CLASS_SECURITY,
	    .sign = SIGN_INTENT, .lesser = SEVERITY_WARNING,
	    .lesser_when = "the first block is no header, where programs refuse the archive",
	    .title = "An archive shall have one header, which is the first block, and a member one "
		     "extra record of a type.",
	    .message = "the block at {0}, with a header of {1}, {2}", .data = "offset length what",
	    .why = "Some programs take the first and others the last, or stop there: one unpacks "
		   "other files, or links to other places, than another.",
	    .fix = "Players: do not unpack the archive. Authors: pack it again with a common "
		   "program.",
	    .spec = SPEC(4.9))
{
	const bool is_lesser = !(b->traits & (RAR_HEADER_TWICE | RAR_RECORD_TWICE));

	report_as(c, is_lesser, block_place(rar_of(c), b), HEX(b->at), SIZE(b->head_len),
		  WORD(WORDS_FOR(b->traits, once_words)));
}

static const char *copy_words(const struct rar *r)
{
	return r->defects & RAR_COPY_DIFFERS  ? "is not the header at"
	       : r->defects & RAR_COPY_HIDDEN ? "is in no block, as the header says that has"
					      : "cannot be read, of the block at";
}

FILE_DEFECT_RULE(ARC153, rar_copy_differs, ERROR, RAR_BLOCKS, rar, r,
		 RAR_COPY_DIFFERS | RAR_COPY_HIDDEN | RAR_COPY_UNUSED, .class = CLASS_SECURITY,
		 .sign = SIGN_INTENT, .lesser = SEVERITY_NOTE,
		 .lesser_when = "it has no right size or checksum, so that programs do without it",
		 .title = "A copy of a header, for quick opening, shall be that header.",
		 .message = "the copy of a header at {0}, for quick opening, {1} {2}",
		 .data = "copy what header",
		 .why = "WinRAR may show what the copies say, while other programs, and scanners, "
			"go by the headers: one sees other files than another unpacks.",
		 .fix = "Players: do not unpack the archive. Authors: pack it again.",
		 .spec = SPEC(3.6))
{
	report_as(c, !(r->defects & (RAR_COPY_DIFFERS | RAR_COPY_HIDDEN)),
		  AT_SPAN(r->copy.at.at, r->copy.at.len), HEX(r->copy.at.at), WORD(copy_words(r)),
		  HEX(r->copy.of));
}

static const char *unknown_words(uint32_t traits)
{
	return traits & RAR_EXTRA_UNKNOWN  ? "has an extra record whose type"
	       : traits & RAR_TYPE_SKIPPED ? "may be left out, and has a type that"
					   : "has a type that";
}

DEFECT_RULE(ARC127, rar_block_type_unknown, WARNING, RAR_BLOCK_ROWS, b,
	    RAR_TYPE_UNKNOWN | RAR_TYPE_SKIPPED | RAR_EXTRA_UNKNOWN, .class = CLASS_HYGIENE,
	    .lesser = SEVERITY_NOTE,
	    .lesser_when = "the block says that a program may leave it out",
	    .title = "Blocks and extra records should be of types that are known.",
	    .message = "the block at {0}, of type {1}, {2} is not known",
	    .data = "offset type what",
	    .why = "What it is for was not checked: it is newer than this program, or no program "
		   "wrote it.",
	    .fix = "Players: nothing, if the archive unpacks. Authors: pack it again with a common "
		   "program.",
	    .spec = SPEC(2.2))
{
	const bool is_skipped = !(b->traits & (RAR_TYPE_UNKNOWN | RAR_EXTRA_UNKNOWN));

	report_as(c, is_skipped, block_place(rar_of(c), b), HEX(b->at), HEX(b->type),
		  WORD(unknown_words(b->traits)));
}

static const struct defect_words record_words[] = {
	{ RAR_RECOVERABLE, "a recovery record" },
	{ RAR_AUTHENTIC, "an authenticity record" },
	{ RAR_LOCKED, "a lock" },
};

FILE_DEFECT_RULE(ARC128, rar_has_records, NOTE, RAR_SIGNATURE, rar, r,
		 RAR_RECOVERABLE | RAR_AUTHENTIC | RAR_LOCKED, .class = CLASS_HYGIENE,
		 .title = "An archive should have nothing but its members.",
		 .message = "the archive has {0}", .data = "record",
		 .why = "It does not change what is unpacked, and was not checked.",
		 .fix = "Players: nothing needs to be done. Authors: nothing, if you meant it.",
		 .spec = SPEC(4.6))
{
	for (size_t i = 0; i < sizeof record_words / sizeof *record_words; i++)
		if (r->defects & record_words[i].defect)
			report(c, first_place(r), WORD(record_words[i].words));
}

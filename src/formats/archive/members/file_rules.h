/* The rules for an archive as a file: one text for all formats of archives.
 *
 * A *_rules.c includes it after it has defined MEMBERS_ID (member_rules.h) and
 *
 *     ARC_FILE_OF(c)       the struct arc_file of the facts
 *     ARC_FILE_GROUP       the group that says whether the file is an archive at all
 *     ARC_FILE_EXPLAINS    the groups that stop where it is none
 *
 * and, unless its end is found otherwise,
 *
 *     ARC_CUT_ID           the symbol of ARC004
 *     ARC_CUT_EXPLAINS     the groups that stop where the file ends early */
#include "formats/archive/members/members.h"
#include "rule/finding.h"

/* RULE for arguments that are macros themselves. */
#define ARC_FILE_RULE(ID, NAME, SEVERITY, NEEDS, ...) RULE(ID, NAME, SEVERITY, NEEDS, __VA_ARGS__)

ARC_FILE_RULE(
	MEMBERS_ID(ARC001), archive_is_other_file, ERROR, ARC_FILE_GROUP, .class = CLASS_CORRUPTION,
	.sign = SIGN_OTHER_FILE, .explains = ARC_FILE_EXPLAINS,
	.title = "A file with the extension of an archive shall begin as an archive does.",
	.message = "the file has {0} and the extension of {1}, and does not begin as an "
		   "archive does",
	.data = "size kind",
	.why = "No program opens it. Most often it is a page of a website or a pointer to the "
	       "file, saved under its name.",
	.fix = "Players: get the file again. Authors: upload the archive itself.",
	.spec = "archive.md#1.2")
{
	const struct arc_file *f = ARC_FILE_OF(c);

	if (f->is == ARC_NO_ARCHIVE && f->promised != ARC_NO_ARCHIVE)
		report(c, AT_SPAN(0, c->source->io.size < 4 ? c->source->io.size : 4),
		       SIZE(c->source->io.size), WORD(arc_signature_name(f->promised)));
}

static bool is_of_one_kind(enum arc_signature a, enum arc_signature b)
{
	return a == b || (a == ARC_IS_RAR4 && b == ARC_IS_RAR5);
}

ARC_FILE_RULE(
	MEMBERS_ID(ARC002), archive_extension_differs, WARNING, ARC_FILE_GROUP,
	.class = CLASS_COMPATIBILITY,
	.title = "An archive should have the extension of its format.",
	.message = "the file is {0}, and its extension is that of {1}", .data = "kind extension",
	.why = "Explorer, mod managers and Thunderstore go by the extension, and fail; other "
	       "programs go by the content.",
	.fix = "Players: rename the file. Authors: give it the extension of its format, or pack "
	       "it again.",
	.spec = "archive.md#1.3")
{
	const struct arc_file *f = ARC_FILE_OF(c);

	if (f->is != ARC_NO_ARCHIVE && f->promised != ARC_NO_ARCHIVE &&
	    !is_of_one_kind(f->is, f->promised))
		report(c, AT_SPAN(0, 4), WORD(arc_signature_name(f->is)),
		       WORD(arc_signature_name(f->promised)));
}

#if defined(ARC_CUT_EXPLAINS)

ARC_FILE_RULE(ARC_CUT_ID, archive_truncated, ERROR, ARC_FILE_GROUP, .class = CLASS_CORRUPTION,
	      .explains = ARC_CUT_EXPLAINS,
	      .title = "An archive shall not end inside of what it has.",
	      .message = "the file ends after {0}, inside of {1} that begins at {2}",
	      .data = "size what begin",
	      .why = "What came after is missing: the transfer or the upload broke off.",
	      .fix = "Players: get the file again. Authors: upload it again.",
	      .spec = "archive.md#1.4")
{
	const struct arc_file *f = ARC_FILE_OF(c);

	if (f->cut)
		report(c, AT_SPAN(f->cut_at, c->source->io.size - f->cut_at),
		       SIZE(c->source->io.size), WORD(f->cut), HEX(f->cut_at));
}

#endif

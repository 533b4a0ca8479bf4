/* The rules for archives not read, installers, and programs with an archive behind them. */
#include "formats/archive/wrap/wrap.h"
#include "rule/finding.h"

static uint64_t magic_len(const struct wrap *w)
{
	return w->size < 8 ? w->size : 8;
}

FILE_DEFECT_RULE(ARC003_wrap, archive_form_unsupported, UNDETERMINED, WRAP_FILE, wrap, w,
		 WRAP_UNREAD, .class = CLASS_COMPATIBILITY, .explains = BIT(WRAP_CONTENT),
		 .title = "An archive should be in a form that this program reads.",
		 .message = "the file, of {0}, is a {1}, which this program does not read",
		 .data = "size form", .why = "Nothing that is in it was checked.",
		 .fix = "Players: nothing, if your program unpacks it. Authors: pack it as a zip.",
		 .spec = "wrap.md#1.1")
{
	report(c, AT_SPAN(0, magic_len(w)), SIZE(w->size), WORD(w->what));
}

FILE_DEFECT_RULE(
	ARC002_wrap, archive_extension_differs, WARNING, WRAP_FILE, wrap, w, WRAP_MISNAMED,
	.class = CLASS_COMPATIBILITY,
	.title = "An archive should have the extension of its format.",
	.message = "the file is {0}, and its extension is that of {1}", .data = "kind extension",
	.why = "Explorer, mod managers and Thunderstore go by the extension, and fail; other "
	       "programs go by the content.",
	.fix = "Players: rename the file. Authors: give it the extension of its format, or pack "
	       "it again.",
	.spec = "archive.md#1.3")
{
	report(c, AT_SPAN(0, magic_len(w)), WORD(w->what),
	       WORD(arc_signature_name(w->file.promised)));
}

FILE_DEFECT_RULE(ARC161, archive_is_installer, UNDETERMINED, WRAP_FILE, wrap, w, WRAP_INSTALLER,
		 .class = CLASS_SECURITY, .explains = BIT(WRAP_CONTENT),
		 .title = "A mod should not come as an installer.",
		 .message = "the file, of {0}, is an installer: {1}", .data = "size installer",
		 .why = "Nothing that it installs was checked, and it is a program that may do "
			"anything.",
		 .fix = "Players: get the mod as an archive. Authors: pack it as a zip.",
		 .spec = "wrap.md#2.1")
{
	report(c, AT_SPAN(0, magic_len(w)), SIZE(w->size), WORD(w->what));
}

#define ARC_PROGRAM_ID(id) id##_wrap
#define ARC_PROGRAM_OF(c) (&((const struct wrap *)(c)->facts)->program)
#define ARC_PROGRAM_KIND(c) arc_signature_name(((const struct wrap *)(c)->facts)->inner)
#define ARC_PROGRAM_GROUP WRAP_CONTENT
#include "formats/archive/members/program_rules.h"

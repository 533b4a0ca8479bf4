/* The rules about a program before an archive: one text for all formats of archives.
 *
 * A *_rules.c includes it after it has defined
 *
 *     ARC_PROGRAM_ID(id)     the symbol of a rule
 *     ARC_PROGRAM_OF(c)      the struct arc_program of the facts
 *     ARC_PROGRAM_KIND(c)    what the archive is, in a word
 *     ARC_PROGRAM_GROUP      the group without which it is not known */
#include "formats/archive/members/program.h"
#include "rule/finding.h"

/* RULE for arguments that are macros themselves. */
#define ARC_PROGRAM_RULE(ID, NAME, SEVERITY, NEEDS, ...) \
	RULE(ID, NAME, SEVERITY, NEEDS, __VA_ARGS__)

ARC_PROGRAM_RULE(ARC_PROGRAM_ID(ARC160), archive_unpacks_itself, NOTE, ARC_PROGRAM_GROUP,
		 .class = CLASS_SECURITY,
		 .title = "An archive should not be a program that unpacks itself.",
		 .message = "the first {0} {0:is|are} a program for {1}, before the {2} archive",
		 .data = "program system kind",
		 .why = "The archive is checked, and the program is not: whoever starts it trusts "
			"it. Sites refuse such files.",
		 .fix = "Players: unpack it with a program for archives, and do not start it. "
			"Authors: upload the archive alone.",
		 .spec = "wrap.md#3.1")
{
	const struct arc_program *p = ARC_PROGRAM_OF(c);

	if (p->system && p->archive_at > 0)
		report(c, AT_SPAN(0, p->archive_at), SIZE(p->archive_at), WORD(p->system),
		       WORD(ARC_PROGRAM_KIND(c)));
}

ARC_PROGRAM_RULE(
	ARC_PROGRAM_ID(ARC162), archive_apart_from_program, WARNING, ARC_PROGRAM_GROUP,
	.class = CLASS_SECURITY,
	.title = "An archive that unpacks itself should begin where its program ends.",
	.message = "the program ends at {0}, and the archive begins at {1}", .data = "end begin",
	.why = "What is between them is in no archive and in no section of the program: a place "
	       "to hide something.",
	.fix = "Players: unpack it with a program for archives, and do not start it. Authors: "
	       "upload the archive alone.",
	.spec = "wrap.md#3.2")
{
	const struct arc_program *p = ARC_PROGRAM_OF(c);

	if (p->is_apart)
		report(c, AT_SPAN(p->end, p->archive_at - p->end), HEX(p->end), HEX(p->archive_at));
}

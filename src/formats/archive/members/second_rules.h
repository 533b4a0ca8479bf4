/* The rule about a file that is two archives: one text for all formats of archives.
 *
 * A *_rules.c includes it after it has defined MEMBERS_ID (member_rules.h) and
 *
 *     ARC_SECOND_OF(c)      the struct arc_second of the facts
 *     ARC_SECOND_KIND       what the file is judged as, in a word
 *     ARC_SECOND_GROUP      the group without which it is not known */
#include "formats/archive/members/second.h"
#include "rule/finding.h"

/* RULE for arguments that are macros themselves. */
#define ARC_SECOND_RULE(ID, NAME, SEVERITY, NEEDS, ...) RULE(ID, NAME, SEVERITY, NEEDS, __VA_ARGS__)

ARC_SECOND_RULE(
	MEMBERS_ID(ARC015), archive_is_two, ERROR, ARC_SECOND_GROUP, .class = CLASS_SECURITY,
	.sign = SIGN_INTENT, .lesser = SEVERITY_WARNING,
	.lesser_when = "the other is within a member, which does not begin with it",
	.title = "A file shall be one archive, whichever program opens it.",
	.message = "the file is read as a {0} archive, and is a {1} archive, too, by {2} at {3}",
	.data = "kind other what at",
	.why = "Programs take the one or the other, and then there are different files in it: a "
	       "scanner can see others than are installed.",
	.fix = "Players: do not use the archive. Authors: pack it again, as one archive with "
	       "nothing before or after it.",
	.spec = "archive.md#1.15")
{
	const struct arc_second *s = ARC_SECOND_OF(c);

	if (s->is == ARC_NO_ARCHIVE)
		return;
	report_as(c, s->is_inside, AT_SPAN(s->at.at, s->at.len), WORD(ARC_SECOND_KIND),
		  WORD(s->name ? s->name : arc_signature_name(s->is)),
		  either(s->is == ARC_IS_ZIP, "its end record", "its first bytes"), HEX(s->at.at));
}

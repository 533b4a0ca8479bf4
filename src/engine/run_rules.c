/* The families RUN and ENG: why a file could not be judged, for reasons outside its format. */
#include "engine/run_rules.h"

#include <string.h>

#include "engine/foreign.h"

RULE(RUN001, limit_reached, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "A file should be checked within the limits.",
     .message = "the limit {0} of {1} was reached",
     .data    = "limit value",
     .why     = "Bytes and rows past the limit were not judged, so the file may be sound "
                "or not.",
     .fix     = "Raise the limit with the option named in the message, if you trust the "
                "file enough to spend more on it.",
     .spec    = "run.md#1.1")
{
	const struct run *r = c->facts;

	for (size_t i = 0; i < LIMIT_COUNT; i++)
		if (r->reached[i])
			report(c, NOWHERE, WORD(limit_infos[i].option), DEC(r->limits->of[i]));
}

RULE(RUN002, input_unreadable, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "An input should be readable, and so should the files beside it that belong to it.",
     .message = "{1} cannot be read: {0}",
     .data    = "reason input",
     .why     = "Bytes that could not be read were not judged, so the file may be sound or "
                "not.",
     .fix     = "Check that the path is right, that you may read the file, and that the "
                "disk is sound; then check it again.",
     .spec    = "run.md#1.2")
{
	const struct run *r = c->facts;

	if (r->unreadable)
		report(c,
		       r->trouble_at.len ? AT_SPAN(r->trouble_at.at, r->trouble_at.len) : NOWHERE,
		       WORD(r->trouble), WORD("the input"));
	for (uint32_t i = 0; i < r->report->n_companions; i++) {
		const struct report_companion *of = &r->report->companions[i];

		if (run_unreadable(of))
			report(c, AT_IN(i + 1, of->trouble_at.at, of->trouble_at.len),
			       WORD(run_unreadable(of)), WORD("a file beside the input"));
	}
}

RULE(RUN014, neighbour_packed, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "The files beside a member of an archive that belong to it should be such as can "
                "be unpacked.",
     .message = "{0}, which belongs to it, cannot be unpacked from the archive and was not judged "
                "with it",
     .data    = "file",
     .why     = "What that file holds, and whether the two fit together, is not known. The "
                "archive's own findings say what is the matter with it.",
     .fix     = "Players: get the archive again. Authors: pack it again, without a password, "
                "and test it before you publish it.",
     .spec    = "run.md#1.14")
{
	const struct report *r = ((const struct run *)c->facts)->report;

	for (uint32_t i = 0; i < r->n_companions; i++)
		if (r->companions[i].state == COMPANION_PACKED)
			report(c, AT_IN(i + 1, 0, 0), file_name(r->companions[i].name));
}

RULE(RUN003, input_changed, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "An input should not change while it is read, nor should the files beside it.",
     .message = "{0} changed while it was read",
     .data    = "input",
     .why     = "The bytes that were judged are no longer the bytes of the file.",
     .fix     = "Wait until the download or the packer has finished, then check it again.",
     .spec    = "run.md#1.3")
{
	const struct run *r = c->facts;

	if (r->changed)
		report(c, NOWHERE, WORD("the input"));
	for (uint32_t i = 0; i < r->report->n_companions; i++)
		if (r->report->companions[i].trouble == SOURCE_CHANGED)
			report(c, AT_IN(i + 1, 0, 0), WORD("a file beside the input"));
}

RULE(RUN004, format_unknown, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_COMPATIBILITY, .flags = RULE_MANDATORY,
     .title   = "A file should be of a format that uvet knows.",
     .message = "{0}: {1}",
     .data    = "reason kind",
     .why     = "Nothing in the file was judged.",
     .fix     = "Check that it is the file you meant: a download may be a web page, or not "
                "have ended. A .ucas is a part of a container, which is checked by its "
                ".utoc.",
     .spec    = "run.md#1.4")
{
	const struct run *r = c->facts;
	struct foreign foreign;

	if (!run_unknown(r))
		return;
	foreign = foreign_tell(r->report);
	report(c, NOWHERE, WORD(foreign.why),
	       WORD(foreign.kind ? foreign.kind
				 : "neither the bytes nor the name are of a known format"));
}

RULE(RUN013, format_ambiguous, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_SECURITY, .flags = RULE_MANDATORY,
     .title   = "A file whose name promises no format should have the signs of one format only.",
     .message = "the file can be read as two things: {0} and {1}; its name does not say which",
     .data    = "format other",
     .why     = "It was judged as the first of the two; a program that takes it for the "
                "other reads bytes that were not judged.",
     .fix     = "Give the file the name under which it is used; for standard input, with "
                "--stdin-name.",
     .spec    = "run.md#1.13")
{
	const struct run *r = c->facts;

	if (r->other)
		report(c, NOWHERE, WORD(r->format->title), WORD(r->other->title));
}

RULE(RUN005, memory_exhausted, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "A file should be checked within the memory that there is.",
     .message = "memory ran out; the limit max-memory is {0}",
     .data    = "limit",
     .why     = "What did not fit in memory was not judged, so the file may be sound or "
                "not.",
     .fix     = "Raise --max-memory, if you trust the file enough to spend more on it.",
     .spec    = "run.md#1.5")
{
	const struct run *r = c->facts;

	if (r->no_memory)
		report(c, NOWHERE, SIZE(r->limits->of[LIMIT_memory]));
}

RULE(RUN006, check_cancelled, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "A check should run to its end.",
     .message = "the check was cancelled",
     .data    = "",
     .why     = "The rest of the file was not judged, so it may be sound or not.",
     .fix     = "Check it again, and let the check run to its end.",
     .spec    = "run.md#1.6")
{
	const struct run *r = c->facts;

	if (r->cancelled)
		report_plain(c, NOWHERE);
}

/* Goes on to the next lack of a kind; NULL: there is none. */
static const struct lack *next_lack(const struct run *r, enum stop_why why, const struct lack *l)
{
	const struct lack *end = r->lacks + r->n_lacks;

	for (l = l ? l + 1 : r->lacks; l < end; l++)
		if (l->why == why)
			return l;
	return NULL;
}

RULE(RUN007, codec_unavailable, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "The bytes of a file should be in a form that this build of uvet decodes and "
                "verifies.",
     .message = "{0} {0:was|were} not judged: this build has no {1}",
     .data    = "length codec",
     .why     = "The bytes in that form may be sound or not; everything else was judged.",
     .fix     = "Use a build of uvet with that library. For Oodle, name the library of "
                "your game with --oodle. Or check the unpacked file.",
     .spec    = "run.md#1.7")
{
	const struct run *r = c->facts;

	for (const struct lack *l = next_lack(r, STOP_CODEC, NULL); l;
	     l = next_lack(r, STOP_CODEC, l))
		report(c, NOWHERE, SIZE(l->bytes), WORD(l->what));
}

RULE(RUN008, companion_not_read, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "The files beside an input that belong to it should be looked at.",
     .message = "{0} {0:was|were} not judged: {0:it is|they are} in files beside the input, and "
                "none was looked for",
     .data    = "length",
     .why     = "The bytes in those files may be sound or not, and the files may even be "
                "missing; only the input itself was judged.",
     .fix     = "Check the file by its path and under its right name, in the folder with "
                "its other parts, and without --siblings=none; or ask for its tables only, "
                "with --level=structure.",
     .spec    = "run.md#1.8")
{
	const struct run *r = c->facts;

	for (const struct lack *l = next_lack(r, STOP_COMPANION, NULL); l;
	     l = next_lack(r, STOP_COMPANION, l))
		report(c, l->file > 0 ? AT_IN(l->file, 0, 0) : NOWHERE, SIZE(l->bytes));
}

/* The key of an archive is a password, which nothing here takes. */
static bool is_password(const struct lack *l)
{
	return strcmp(l->what, DECODE_PASSWORD) == 0;
}

RULE(RUN009, key_missing, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "There should be a key that fits what is encrypted.",
     .message = "{0} {0:was|were} not judged: {1}",
     .data    = "length reason",
     .why     = "The encrypted bytes may be sound or not; everything else was judged.",
     .fix     = "Give the key of the container's game with --aes-key-file or "
                "--aes-key-env; one that does not fit is another game's, or not whole.",
     .spec    = "run.md#1.9")
{
	const struct run *r = c->facts;

	for (const struct lack *l = next_lack(r, STOP_KEY, NULL); l; l = next_lack(r, STOP_KEY, l))
		if (!is_password(l))
			report(c, NOWHERE, SIZE(l->bytes), WORD(l->what));
}

RULE(RUN015, password_needed, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "An archive should need no password.",
     .message = "{0} {0:was|were} not judged: the archive needs a password",
     .data    = "length",
     .why     = "The encrypted bytes may be sound or not, and uvet takes no passwords; everything "
                "else was judged.",
     .fix     = "Players: get the mod from where it needs no password. Authors: pack it without "
                "one.",
     .spec    = "run.md#1.9")
{
	const struct run *r = c->facts;

	for (const struct lack *l = next_lack(r, STOP_KEY, NULL); l; l = next_lack(r, STOP_KEY, l))
		if (is_password(l))
			report(c, NOWHERE, SIZE(l->bytes));
}

/* How many levels a file is above another. */
static uint64_t levels_above(const struct report *above, const struct report *r)
{
	uint64_t n = 0;

	for (; r && r != above; r = r->parent)
		n++;
	return n;
}

RULE(ARC017, archive_holds_itself, ERROR, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "No file shall have the bytes of one that it is in.",
     .message = "the file has the bytes of the one that is around it, {0} {0:level|levels} up",
     .data    = "levels",
     .why     = "A program that unpacks the archives in an archive does not end: each has the next "
                "in it.",
     .fix     = "Players: do not use the archive. Authors: upload the files without it.",
     .spec    = "run.md#3.5")
{
	const struct run *r = c->facts;

	if (r->copy_of)
		report(c, NOWHERE, DEC(levels_above(r->copy_of, r->report)));
}

/* Nanoseconds in a millisecond. */
enum { NANOSECONDS = 1000000 };

RULE(RUN010, time_limit_reached, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "A check should be finished in the time that it is given.",
     .message = "the check was not finished in {0} ms",
     .data    = "milliseconds",
     .why     = "The rest of the file was not judged, so it may be sound or not.",
     .fix     = "Raise --timeout, if you trust the file enough to spend more on it; "
                "--max-work is a limit that does not depend on the machine.",
     .spec    = "run.md#1.10")
{
	const struct run *r = c->facts;

	if (r->late)
		report(c, NOWHERE, DEC(r->timeout / NANOSECONDS));
}

RULE(RUN012, worker_ended, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "The process that checks a file should live until it has reported.",
     .message = "the process that checked the file ended without a report",
     .data    = "",
     .why     = "Nothing of the file was judged, and the file itself may have ended the "
                "process.",
     .fix     = "Check it again by itself. If that process ends too, report it as a bug "
                "in uvet.",
     .spec    = "run.md#1.12")
{
	const struct run *r = c->facts;

	if (r->worker_ended)
		report_plain(c, NOWHERE);
}

RULE(RUN011, nothing_judged, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "A check should ask at least one rule of the file's format that can find "
                "an error.",
     .message = "no rule of the file's format that can find an error was asked",
     .data    = "",
     .why     = "The file may be sound or not; all that is known is that it can be "
                "decoded.",
     .fix     = "Select rules of its format with --select, or ignore fewer.",
     .spec    = "run.md#1.11")
{
	const struct run *r = c->facts;

	if (r->nothing_judged)
		report_plain(c, NOWHERE);
}

RULE(ENG001, unexplained_stop, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "What was not judged shall be left out by the scope, or explained by an error or "
                "an undetermined finding.",
     .message = "the part {0} was not judged, and no finding that counts says why",
     .data    = "group",
     .why     = "A file of which a part was not judged must never pass. Most often the "
                "rule that explains it was ignored, or its severity lowered.",
     .fix     = "Do not ignore or lower that rule. If none was, report a bug in uvet.",
     .spec    = "run.md#2.1")
{
	const struct run *r = c->facts;

	if (r->unexplained)
		report(c, NOWHERE, WORD(r->unexplained));
}

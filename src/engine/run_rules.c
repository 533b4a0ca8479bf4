/* The families RUN and ENG: why a file could not be judged, for reasons outside its format. */
#include "engine/run_rules.h"

RULE(RUN001, limit_reached, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "A file should be checked within the limits.",
     .message = "the limit {0} of {1} was reached",
     .data    = "limit value",
     .why     = "What lies beyond the limit was not judged: the file may be good or bad.",
     .fix     = "Raise the limit if the file is worth it.",
     .spec    = "run.md#1.1")
{
	const struct run *r = c->facts;

	for (size_t i = 0; i < LIMIT_COUNT; i++)
		if (r->reached[i])
			fail(c, NOWHERE, WORD(limit_infos[i].option), DEC(r->limits->of[i]));
}

RULE(RUN002, input_unreadable, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "An input should be readable, and so should the files beside it that belong to it.",
     .message = "{1} cannot be read: {0}",
     .data    = "reason input",
     .why     = "Bytes that were not read were not judged.",
     .fix     = "Check the path, the rights and the disk.",
     .spec    = "run.md#1.2")
{
	const struct run *r = c->facts;

	if (r->unreadable)
		fail(c, r->trouble_at.len ? AT_SPAN(r->trouble_at.at, r->trouble_at.len) : NOWHERE, WORD(r->trouble), WORD("the input"));
	for (uint32_t i = 0; i < r->report->n_companions; i++) {
		const struct report_companion *of = &r->report->companions[i];

		if (of->state == COMPANION_UNREADABLE)
			fail(c, AT_IN(i + 1, 0, 0), WORD("it was not opened"), WORD("a file beside the input"));
		else if (of->trouble == SOURCE_UNREADABLE)
			fail(c, AT_IN(i + 1, of->trouble_at.at, of->trouble_at.len), WORD("a read failed"),
			     WORD("a file beside the input"));
	}
}

RULE(RUN003, input_changed, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "An input should not change while it is read, nor should the files beside it.",
     .message = "{0} changed while it was read",
     .data    = "input",
     .why     = "The bytes that were judged are not those that lie there now.",
     .fix     = "Check it again when nobody writes to it.",
     .spec    = "run.md#1.3")
{
	const struct run *r = c->facts;

	if (r->changed)
		fail(c, NOWHERE, WORD("the input"));
	for (uint32_t i = 0; i < r->report->n_companions; i++)
		if (r->report->companions[i].trouble == SOURCE_CHANGED)
			fail(c, AT_IN(i + 1, 0, 0), WORD("a file beside the input"));
}

RULE(RUN004, format_unknown, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_COMPATIBILITY, .flags = RULE_MANDATORY,
     .title   = "A file should be of a format that uvet knows.",
     .message = "neither the bytes nor the name are of a known format",
     .data    = "",
     .why     = "Nothing in it was judged.",
     .fix     = "Check that it is the right file.",
     .spec    = "run.md#1.4")
{
	const struct run *r = c->facts;

	if (!r->format && !r->unreadable && !r->changed && !r->no_memory && !r->cancelled)
		fail_plain(c, NOWHERE);
}

RULE(RUN005, memory_exhausted, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "A file should be checked within the memory that there is.",
     .message = "memory ran out; the limit max-memory is {0}",
     .data    = "limit",
     .why     = "What had no room was not judged: the file may be good or bad.",
     .fix     = "Raise max-memory if the file is worth it.",
     .spec    = "run.md#1.5")
{
	const struct run *r = c->facts;

	if (r->no_memory)
		fail(c, NOWHERE, SIZE(r->limits->of[LIMIT_memory]));
}

RULE(RUN006, check_cancelled, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "A check should run to its end.",
     .message = "the check was cancelled",
     .data    = "",
     .why     = "The rest of the file was not judged.",
     .fix     = "Check it again.",
     .spec    = "run.md#1.6")
{
	const struct run *r = c->facts;

	if (r->cancelled)
		fail_plain(c, NOWHERE);
}

RULE(RUN007, codec_unavailable, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the level does not ask for every payload: it is content that does",
     .title   = "Compressed bytes should be in a form that this build of uvet decodes.",
     .message = "{0} were not decoded: this build has no {1}",
     .data    = "length codec",
     .why     = "What they hold was not judged; everything around them was.",
     .fix     = "Build uvet with the library, name yours with --oodle if it is Oodle, or check the unpacked file.",
     .spec    = "run.md#1.7")
{
	const struct run *r = c->facts;

	if (r->codec && r->want_content)
		fail(c, NOWHERE, SIZE(r->undecoded), WORD(r->codec));
	else if (r->codec)
		fail_lesser(c, NOWHERE, SIZE(r->undecoded), WORD(r->codec));
}

RULE(RUN008, companion_not_read, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the level does not ask for every payload: it is content that does",
     .title   = "The files beside an input that belong to it should be looked at.",
     .message = "{0} were not checked: they lie in a file beside the input, and none was looked for",
     .data    = "length",
     .why     = "What they hold was not judged; the input itself was.",
     .fix     = "Check the file by its path, in the folder that its other parts lie in, without --siblings=none.",
     .spec    = "run.md#1.8")
{
	const struct run *r = c->facts;
	struct place place = r->unseen_file > 0 ? AT_IN(r->unseen_file, 0, 0) : NOWHERE;

	if (r->is_unseen && r->want_content)
		fail(c, place, SIZE(r->unseen));
	else if (r->is_unseen)
		fail_lesser(c, place, SIZE(r->unseen));
}

RULE(RUN009, key_missing, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .lesser  = SEVERITY_NOTE,
     .lesser_when = "the level does not ask for every payload: it is content that does",
     .title   = "There should be a key for what is encrypted.",
     .message = "{0} were not decrypted: {1}",
     .data    = "length reason",
     .why     = "What they hold was not judged; everything around them was.",
     .fix     = "Give the key with --aes-key-file or --aes-key-env.",
     .spec    = "run.md#1.9")
{
	const struct run *r = c->facts;

	if (r->key && r->want_content)
		fail(c, NOWHERE, SIZE(r->locked), WORD(r->key));
	else if (r->key)
		fail_lesser(c, NOWHERE, SIZE(r->locked), WORD(r->key));
}

RULE(ENG001, unexplained_stop, UNDETERMINED, RUN_ALWAYS,
     .class   = CLASS_RESOURCE, .flags = RULE_MANDATORY,
     .title   = "What could not be decoded shall be explained by an error or an undetermined finding.",
     .message = "the part {0} could not be decoded, and no finding that counts says why",
     .data    = "group",
     .why     = "A file of which a part was not judged must never pass; most often the rule that explains it was ignored or lowered.",
     .fix     = "Do not ignore that rule; if none was ignored, report a bug in uvet.",
     .spec    = "run.md#2.1")
{
	const struct run *r = c->facts;

	if (r->unexplained)
		fail(c, NOWHERE, WORD(r->unexplained));
}

const struct rule *const run_rules[] = {
	&RUN001_rule, &RUN002_rule, &RUN003_rule, &RUN004_rule, &RUN005_rule, &RUN006_rule, &RUN007_rule,
	&RUN008_rule, &RUN009_rule, NULL,
};

const struct rule *const engine_rules[] = { &ENG001_rule, NULL };

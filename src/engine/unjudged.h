/* What was asked for and not judged, with the reasons: what an undetermined verdict says first.
 * Source: conformance/spec/run.md, 4.3. */
#ifndef UVET_ENGINE_UNJUDGED_H
#define UVET_ENGINE_UNJUDGED_H

#include <stdbool.h>
#include <stdint.h>

/* Why something was not judged, and what is said of it beside that. */
enum unjudged_reason {
	UNJUDGED_CODEC, /* what this build lacks: "Oodle" */
	/* nothing: no file beside the input was looked for; or with which it is judged: "its .utoc"
	 */
	UNJUDGED_COMPANION,
	UNJUDGED_KEY,        /* why it is locked: "no key was given for these bytes" */
	UNJUDGED_LIMIT,      /* the limit's option: "max-work" */
	UNJUDGED_MEMORY,     /* nothing */
	UNJUDGED_UNREADABLE, /* the trouble: "a read failed" */
	UNJUDGED_CROWDED,    /* likewise, because too many files were open: SOURCE_CROWDED */
	UNJUDGED_CHANGED,    /* nothing: it changed while it was read */
	UNJUDGED_CANCELLED,  /* nothing */
	UNJUDGED_TIME,       /* nothing */
	UNJUDGED_WORKER,     /* nothing: the process that made the check ended */
	/* nothing: the format is unknown; or what it may be as well: "Unreal package" */
	UNJUDGED_FORMAT,
	UNJUDGED_RULES, /* nothing: no rule of its format that can find an error was asked */
	UNJUDGED_RULE,  /* the rule whose finding says why: "UTH003" */
	N_UNJUDGED_REASONS
};

/* An unjudged is one reason, and how many bytes it concerns. */
struct unjudged {
	enum unjudged_reason reason;
	const char *what; /* ours, ASCII; "": nothing more to say */
	/* the file beside the input that it is about; "": the input, or all of them */
	const char *file;
	uint64_t bytes; /* 0: none, or they were not counted */
};

/* unjudged_name is a reason's name in reports: "codec". */
const char *unjudged_name(enum unjudged_reason reason);

#endif

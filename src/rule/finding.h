/* Findings: what a rule found, with typed arguments and places; and the check that collects
 * them. */
#ifndef UVET_RULE_FINDING_H
#define UVET_RULE_FINDING_H

#include "core/arena.h"
#include "core/source.h"
#include "core/table.h"
#include "rule/results.h"

/* A finding_arg is an argument with its text copied: UTF-8, not escaped, at most ARG_BYTES_MAX
 * bytes, and of a name ARG_NAME_MAX. It is valid UTF-8, except in names of files on systems where
 * these may be any bytes. */
struct finding_arg {
	enum arg_kind kind;
	bool cut; /* text was longer */
	uint64_t number;
	const char *word;
	const uint8_t *text; /* of BYTES, too */
	size_t text_len;
};

struct related {
	struct place place;
	const char *words;
};

/* How many bytes of the file a finding carries for display. The first one lies at a multiple of
 * 16. */
#define SNIPPET_MAX 64

struct finding {
	const struct rule *rule;
	enum severity severity; /* as it counts, after the profile */
	struct place place;
	/* the companion that it lies in; NULL: the input. It is set when all have been found */
	const char *file;
	struct finding_arg args[ARG_MAX];
	size_t n_args;
	struct related related[RELATED_MAX];
	size_t n_related;
	uint64_t snippet_at;
	size_t snippet_len; /* 0: the bytes are not at hand */
	uint8_t snippet[SNIPPET_MAX];
	struct finding *next; /* of the same rule, in the order of the rows */
};

/* What a profile makes of a rule. */
struct rule_setting {
	bool selected, ignored, off, mandatory;
	uint8_t severity, lesser; /* enum severity */
	uint8_t aims;             /* RULE_FOR_ flags: what the user has to say of the target */
};

/* A check is one evaluation of rules over the facts of one file. */
struct check {
	const void *facts; /* of the format whose rules are evaluated */
	uint64_t version;  /* the format's */
	struct source *source;
	struct arena *arena;        /* findings are kept here */
	const struct table *tables; /* by number; 0 is none */
	size_t n_tables;
	const struct rule *const *rules; /* the whole catalog; settings are parallel to it */
	const struct rule_setting *settings;
	struct results results; /* of the file's rules */
	size_t offset;     /* a rule's number in the catalog less its index among the results */
	uint64_t keep_max; /* findings kept for one rule */

	size_t number;              /* of the rule being evaluated, in the catalog */
	struct finding *made;       /* by its last report; NULL if it was not kept */
	struct rule_result *result; /* the result of that rule; NULL: not looked up yet */
	const void *block;          /* the rows being judged, when they are a view */
	uint64_t block_first, block_n;
	size_t block_table;
	bool lost; /* a finding could not be kept: memory ended */
};

#endif

/* References: what other files of a format are compared with, learned from files that are known to
 * be good. Source: conformance/spec/policy.md. */
#ifndef UVET_ENGINE_REFERENCE_H
#define UVET_ENGINE_REFERENCE_H

#include "engine/report.h"

/* How many different values there can be, and how many bytes of texts. */
enum { REFERENCE_MAX = 64, REFERENCE_TEXTS_MAX = 4096 };

/* A reference_value is what some good file has as this fact. */
struct reference_value {
	const struct format *format;
	enum info_fact fact;
	uint32_t text_at, text_len; /* of a text, in the reference's */
	uint64_t number;            /* of a set its bits */
};

/* A reference has the values that the good files have, each once, in the order in which they were
 * learned. One of zeros is none. */
struct reference {
	struct reference_value of[REFERENCE_MAX];
	size_t n;
	uint8_t texts[REFERENCE_TEXTS_MAX];
	size_t n_texts;
	size_t n_files; /* that it was learned from, without those in them */
};

/* reference_learn adds what the file of a report says, and the files in it. It returns NULL, or in
 * a few words why nothing was learned. */
UVET_MUST_USE const char *reference_learn(struct reference *to, const struct report *good);

/* A comparison is of one report, and what the rules about it see. */
struct comparison {
	const struct reference *reference;
	const struct report *report;
};

struct evaluation;
struct rule_index;

/* reference_evaluate asks the rules that compare a report of a known format with a reference. A
 * rule is not applicable if the reference has no such fact of the format, and is not evaluated if
 * the file has none. false: memory ended, and findings are missing. */
UVET_MUST_USE bool reference_evaluate(const struct evaluation *shared,
				      const struct rule_index *index, const struct comparison *c);

/* comparison_next gives the next value that the reference has as a fact of the report's format,
 * from *i = 0 on; NULL: there are no more. */
const struct reference_value *comparison_next(const struct comparison *c, enum info_fact fact,
					      size_t *i);

/* comparison_info finds the report's info of a fact; NULL: it has none. */
const struct info *comparison_info(const struct comparison *c, enum info_fact fact);

#endif

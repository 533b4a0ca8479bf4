/* Profiles: which rules count, and how much. */
#ifndef UVET_ENGINE_PROFILE_H
#define UVET_ENGINE_PROFILE_H

#include "engine/catalog.h"
#include "rule/finding.h"

/* What a profile takes from the rules of one format. */
struct profile_cut {
	uint16_t n_off;     /* rules that are not evaluated */
	uint16_t n_lowered; /* rules that count for less than their own severity */
};

/* A profile says for each rule of the catalog whether it is evaluated and at what severity. */
struct profile {
	bool only;     /* "only" was given: nothing takes from what it selects */
	bool narrowed; /* "select" or "only" was given */
	unsigned aims; /* RULE_FOR_ flags: what was said of the target */
	struct rule_setting rules[CATALOG_MAX];
	/* what follows from them: the status that a rule has before it is asked, PASS, IGNORED, or
	 * NOT_APPLICABLE where it needs to know more of the target */
	uint8_t initial[CATALOG_MAX];
	struct profile_cut cuts[FORMATS_MAX]; /* likewise */
};

/* profile_init selects every rule at its own severity. */
void profile_init(struct profile *p);

/* A profile_error says what was wrong with a selector; text points into the selector. */
struct profile_error {
	const char *words; /* ours */
	const char *text;
	size_t text_len;
};

/* These apply one option's value, a list separated by commas for the first three. They return
 * false, with *error filled and the profile unchanged, for a selector that matches no rule, and
 * for an attempt to ignore or lower a mandatory rule. */
UVET_MUST_USE bool profile_select(struct profile *p, const char *list, struct profile_error *error);
UVET_MUST_USE bool profile_only(struct profile *p, const char *list, struct profile_error *error);
UVET_MUST_USE bool profile_ignore(struct profile *p, const char *list, struct profile_error *error);
UVET_MUST_USE bool profile_severity(struct profile *p, const char *assignment,
				    struct profile_error *error);

/* profile_settle computes `initial` and `cuts` anew, for who changes settings by hand. */
void profile_settle(struct profile *p);

/* profile_aim says what is known of the target: RULE_FOR_ flags. */
void profile_aim(struct profile *p, unsigned aims);

/* profile_counts tells whether a rule is evaluated, if it applies. */
static inline bool profile_counts(const struct profile *p, size_t rule)
{
	return p->initial[rule] != RULE_IGNORED;
}

#endif

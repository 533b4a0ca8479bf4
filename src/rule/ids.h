/* The ids of all rules. A rule is listed in one of the files of rule/ids: one that is not does
 * not compile, nor does an id that two files have. */
#ifndef UVET_RULE_IDS_H
#define UVET_RULE_IDS_H

struct rule;

/* A file of rule/ids has two kinds of rows:
 *
 *     RULE_ID(NAM006)
 *     RULE_AGAIN(NAM006, zen)
 *
 * RULE_ID lists a rule. RULE_AGAIN lists a further body of a rule that is listed elsewhere, for
 * another format or another table: `zen` says whose. Its paragraph is called NAM006_zen and has the
 * same texts; in reports and options it is NAM006, and tools list it once. */

/* The rules' numbers: their places in the catalog. */
#define RULE_ID(id) RULE_NUMBER_##id,
#define RULE_AGAIN(id, user) RULE_NUMBER_##id##_##user,
enum rule_number {
#include "rule/ids/all.def"
	N_RULES
};
#undef RULE_ID
#undef RULE_AGAIN

#define RULE_ID(id) RULE_DECLARE(id, 0)
#define RULE_AGAIN(id, user) RULE_DECLARE(id##_##user, 1)
#define RULE_DECLARE(id, is_again) \
	extern const struct rule id##_rule; \
	extern const char id##_id[7]; \
	enum { id##_is_again = (is_again) };
#include "rule/ids/all.def"
#undef RULE_ID
#undef RULE_AGAIN
#undef RULE_DECLARE

#endif

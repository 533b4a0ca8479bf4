/* The ids of all rules. A rule is listed in one of the files of rule/ids: one that is not does
 * not compile, nor does an id that two files have. */
#ifndef UVET_RULE_IDS_H
#define UVET_RULE_IDS_H

struct rule;

/* The rules' numbers: their places in the catalog. */
#define RULE_ID(id) RULE_NUMBER_##id,
enum rule_number {
#include "rule/ids/all.def"
	N_RULES
};
#undef RULE_ID

#define RULE_ID(id) extern const struct rule id##_rule;
#include "rule/ids/all.def"
#undef RULE_ID

#endif

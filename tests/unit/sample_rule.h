/* A rule made by hand, for tests of reports. */
#ifndef UVET_TESTS_SAMPLE_RULE_H
#define UVET_TESTS_SAMPLE_RULE_H

#include "rule/rule.h"
#include "unit.h"

static const struct rule sample_rule = {
	.id = "TST001",
	.name = "sample",
	.title = "A sample shall be.",
	.message = "{0}|{1}|{2}|{3}|{4}",
	.data = "a b c d e",
	.why = "because",
	.fix = "do",
	.spec = "x.md#1",
	.severity = SEVERITY_ERROR,
};

static inline struct finding_arg text_arg(const char *s, bool cut)
{
	return (struct finding_arg){
		.kind = ARG_TEXT, .text = (const uint8_t *)s, .text_len = strlen(s), .cut = cut
	};
}

#endif

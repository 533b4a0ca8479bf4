/* Rules as documents: the catalog and the records, for people and for tools. */
#ifndef UVET_REPORT_RULES_H
#define UVET_REPORT_RULES_H

#include "engine/catalog.h"
#include "report/out.h"

/* rules_text writes one line for each rule, rules_json all that is known of them, rules_md the page
 * conformance/rules.md. */
void rules_text(struct out *o);
void rules_json(struct out *o, const char *ruleset);
void rules_md(struct out *o);

/* layouts_md writes a table for each record of each format, between the marks that pages of the
 * specification have around their copy of it. */
void layouts_md(struct out *o);

/* explain_rule writes what one rule means. */
void explain_rule(struct out *o, const struct rule *r);

#endif

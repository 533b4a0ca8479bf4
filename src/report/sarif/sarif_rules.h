/* SARIF's account of the tool: its rules, and how texts and levels are written there. */
#ifndef UVET_REPORT_SARIF_RULES_H
#define UVET_REPORT_SARIF_RULES_H

#include "report/json/json.h"
#include "report/writer.h"

/* sarif_classes_make returns what is known of the classes of n_rules rules; NULL: memory ended.
 * sarif_classes_add notes a result of one: whether it has the class of its rule, or another since a
 * diagnosis explains it. Readers that know only classes of rules are told of suspicion where a
 * result has it. */
uint8_t *sarif_classes_make(struct arena *arena, size_t n_rules);
void sarif_classes_add(uint8_t *classes, size_t rule, bool is_own);

/* sarif_tool writes the member "tool" with every rule of the catalog, in its order; the writer's
 * own are the classes. */
void sarif_tool(struct json *j, const struct writer *w);

/* sarif_level returns SARIF's word for a severity: "none" for undetermined. */
const char *sarif_level(enum severity s);

/* sarif_text writes the text of a message. Braces are doubled, because they mean arguments there
 * (SARIF 2.1.0, 3.11.5), but not for GitHub, which shows them as they are. A link that the text
 * would form is broken (3.11.6). */
void sarif_text(struct json *j, const char *key, const char *text, size_t len, bool github);

#endif

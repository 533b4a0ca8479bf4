/* Statistics: counted report by report, and told in the order of formats as they came and of rules
 * as they are listed. */
#include "cli/statistics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "core/compiler.h"

bool statistics_begin(struct statistics *s)
{
	s->n_of_rules = calloc(uvet_rule_count(), sizeof *s->n_of_rules);
	return s->n_of_rules != NULL;
}

void statistics_free(struct statistics *s)
{
	free(s->n_of_rules);
	s->n_of_rules = NULL;
}

static void count_format(struct statistics *s, const char *name, uint64_t size)
{
	int i = 0;

	while (i < s->n_formats && strcmp(s->formats[i].name, name) != 0)
		i++;
	if (NEVER(i == STATISTICS_FORMATS_MAX))
		return;
	if (i == s->n_formats)
		snprintf(s->formats[s->n_formats++].name, STATISTICS_NAME_MAX, "%s", name);
	s->formats[i].n_files++;
	s->formats[i].size += size;
}

static void count_finding(struct statistics *s, const uvet_finding *finding)
{
	const size_t n = uvet_rule_count();
	uvet_rule rule = UVET_RULE_INIT;

	s->n_kept++;
	for (size_t i = 0; ALWAYS(i < n); i++) {
		(void)uvet_rule_at(i, &rule);
		if (strcmp(rule.id, uvet_finding_rule(finding)) == 0) {
			s->n_of_rules[i]++;
			return;
		}
	}
}

static void count_findings(struct statistics *s, const uvet_report *report)
{
	static const uvet_severity severities[] = { UVET_SEVERITY_ERROR, UVET_SEVERITY_WARNING,
						    UVET_SEVERITY_NOTE,
						    UVET_SEVERITY_UNDETERMINED };
	const uvet_finding *finding;

	for (size_t i = 0; i < sizeof severities / sizeof *severities; i++)
		s->n_found += uvet_report_found(report, severities[i]);
	for (size_t i = 0; (finding = uvet_report_at(report, i)) != NULL; i++)
		count_finding(s, finding);
}

void statistics_add(struct statistics *s, const uvet_report *report, uint64_t size)
{
	const uvet_report *r = report;

	s->n_files++;
	s->size += size;
	for (; r; r = uvet_report_next(report, r)) {
		const char *format = uvet_report_format(r);
		uint64_t offset, length = size;

		if (r != report && !uvet_report_place(r, &offset, &length))
			length = 0;
		s->n_nested += r != report;
		count_format(s, *format ? format : "unknown", length);
		count_findings(s, r);
	}
}

/* ---- Telling --------------------------------------------------------------------------------- */

static void tell_rules(const struct statistics *s)
{
	uvet_rule rule = UVET_RULE_INIT;
	char text[128];

	for (size_t i = 0; uvet_rule_at(i, &rule); i++) {
		if (s->n_of_rules[i] == 0)
			continue;
		snprintf(text, sizeof text, "%s %s: %llu", rule.id, rule.name,
			 (unsigned long long)s->n_of_rules[i]);
		message("statistics: %t", text);
	}
}

void statistics_tell(const struct statistics *s, uint64_t n_filtered)
{
	char text[192];

	snprintf(text, sizeof text,
		 "files: %llu, bytes: %llu, files in them: %llu, left out by globs: %llu",
		 (unsigned long long)s->n_files, (unsigned long long)s->size,
		 (unsigned long long)s->n_nested, (unsigned long long)n_filtered);
	message("statistics: %t", text);
	for (int i = 0; i < s->n_formats; i++) {
		snprintf(text, sizeof text, "%s: files: %llu, bytes: %llu", s->formats[i].name,
			 (unsigned long long)s->formats[i].n_files,
			 (unsigned long long)s->formats[i].size);
		message("statistics: %t", text);
	}
	snprintf(text, sizeof text, "findings: %llu, of which reports keep %llu",
		 (unsigned long long)s->n_found, (unsigned long long)s->n_kept);
	message("statistics: %t", text);
	tell_rules(s);
}

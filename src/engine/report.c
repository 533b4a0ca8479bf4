/* Reports: finding rules, results and files in them, and walking over a tree of them. */
#include "engine/report.h"

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = { "valid", "invalid", "undetermined", "not_applicable" };

	return names[v];
}

const char *severity_name(enum severity s)
{
	static const char *const names[] = { "none", "note", "warning", "undetermined", "error" };

	return names[s];
}

const char *rule_class_name(enum rule_class c)
{
	static const char *const names[] = { "corruption", "security", "compatibility", "hygiene",
					     "resource" };

	return names[c];
}

const char *report_file(const struct report *r, uint32_t number)
{
	return number > 0 && number <= r->n_companions ? r->companions[number - 1].name : "";
}

/* The diagnosis of a file or of one around it, as far as it is about the file: what became of a
 * companion excuses nothing in a file that lies in the input. NULL: there is none. */
static const struct diagnosis *diagnosis_of(const struct report *around, const struct report *r)
{
	const struct diagnosis *d = around->diagnosis;

	return d && (around == r || d->groups == 0) ? d : NULL;
}

enum rule_class report_class(const struct report *r, const struct rule *rule)
{
	if (rule->class != CLASS_SECURITY)
		return rule->class;
	for (const struct report *around = r; around; around = around->parent)
		if (diagnosis_explains(diagnosis_of(around, r), rule))
			return CLASS_CORRUPTION;
	return rule->class;
}

bool report_advises(const struct report *r, const struct finding *f)
{
	if (report_class(r, f->rule) != f->rule->class)
		return false;
	if (f->severity != SEVERITY_ERROR)
		return true;
	for (const struct report *around = r; around; around = around->parent)
		if (diagnosis_speaks_for(diagnosis_of(around, r), f->rule))
			return false;
	return true;
}

bool report_is_doubted(const struct report *r)
{
	for (size_t i = 0; (i = results_next(&r->results, RULE_FAIL, i, r->n_rules)) < r->n_rules;
	     i++) {
		const struct rule_result *found = results_of(&r->results, i);

		if (found->n_found[SEVERITY_ERROR] + found->n_found[SEVERITY_UNDETERMINED] > 0)
			return true;
	}
	return false;
}

const struct rule_result *report_result(const struct report *r, size_t number)
{
	static const struct rule_result none = { .status = RULE_NOT_APPLICABLE };
	const size_t i = report_find(r, number);

	return i < r->n_rules ? results_of(&r->results, i) : &none;
}

size_t report_next_failed(const struct report *r, size_t i)
{
	const size_t n_before = r->n_rules - r->first_told;

	if (i < n_before)
		i = results_next(&r->results, RULE_FAIL, r->first_told + i, r->n_rules) -
		    r->first_told;
	if (i >= n_before)
		i = n_before + results_next(&r->results, RULE_FAIL, i - n_before, r->first_told);
	return i;
}

const struct report *report_next(const struct report *top, const struct report *r)
{
	if (r->n_nested > 0)
		return r->nested[0];
	for (; r != top; r = r->parent)
		if (r->place + 1 < r->parent->n_nested)
			return r->parent->nested[r->place + 1];
	return NULL;
}

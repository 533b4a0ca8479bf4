/* The junit report: one suite a file and one case a rule that failed, or one that says that
 * the file is sound; before them one for what explains the findings, which turns out as the worst
 * of the others. A rule fails its case where fail-on counts it; what could not be judged is
 * an error of the case, as JUnit has it for tests that did not get to their end. */
#include "report/markup.h"
#include "report/pipeline/told.h"

enum outcome { PASSED, FAILED, NOT_JUDGED, SKIPPED, N_OUTCOMES };

static const char *const elements[N_OUTCOMES] = { "system-out", "failure", "error", "skipped" };

static void begin(struct writer *w)
{
	out_string(&w->out, MARKUP_XML "<testsuites name=\"uvet\">\n");
}

/* ---- Cases ----------------------------------------------------------------------------------- */

/* The findings of one rule decide by the severest that is not accepted. An error fails its case
 * whatever fail-on asks; a rule that would fail without what is accepted is skipped. */
static enum outcome rule_outcome(const struct entry *e, size_t rule, const struct fail_on *fail_on)
{
	const struct report *r = e->report;
	const struct rule_result *result = results_of(&r->results, rule);
	const enum rule_class class = report_class(r, r->rules[rule]);
	enum outcome outcome = PASSED;

	for (int s = SEVERITY_NOTE; s <= SEVERITY_ERROR; s++) {
		if (result->n_found[s] == 0 ||
		    (s != SEVERITY_ERROR && !fail_on_counts(fail_on, (enum severity)s, class)))
			continue;
		if (result->n_found[s] > entry_accepted(e, r->rules[rule], (enum severity)s))
			return FAILED;
		outcome = SKIPPED;
	}
	return result->n_found[SEVERITY_UNDETERMINED] > 0 ? NOT_JUDGED : outcome;
}

static void open_case(struct out *o, const struct report *r, const char *id, const char *name)
{
	out_string(o, "<testcase");
	markup_attribute(o, "classname", r->name);
	out_string(o, " name=\"");
	out_string(o, id);
	out_byte(o, ' ');
	out_string(o, name);
	out_string(o, "\">");
}

static void open_outcome(struct out *o, enum outcome outcome, const char *type,
			 const struct out *message)
{
	out_byte(o, '<');
	out_string(o, elements[outcome]);
	if (outcome != PASSED) {
		markup_rendered(o, "message", message);
		if (outcome != SKIPPED)
			markup_attribute(o, "type", type);
	}
	out_byte(o, '>');
}

static void close_case(struct out *o, enum outcome outcome)
{
	out_string(o, "</");
	out_string(o, elements[outcome]);
	out_string(o, "></testcase>\n");
}

/* The findings of a rule that are shown, a line each. */
static uint64_t write_findings(struct writer *w, const struct entry *e, const struct rule *rule)
{
	struct out text;
	uint64_t n = 0;

	for (size_t i = 0; i < e->n_shown; i++) {
		const struct finding *f = e->report->findings[i];

		if (f->rule != rule)
			continue;
		if (f->severity != SEVERITY_UNDETERMINED) {
			out_string(&w->out, severity_name(f->severity));
			out_string(&w->out, ": ");
		}
		told_render(&text, w,
			    &(struct told){ .entry = e, .finding = f, .severity = f->severity });
		escape_write(&w->out, ESCAPE_MARKUP_AGAIN, text.buf, text.n);
		if (entry_reason(e, i)) {
			out_string(&w->out, " (accepted: ");
			escape_string(&w->out, ESCAPE_MARKUP, entry_reason(e, i));
			out_byte(&w->out, ')');
		}
		out_byte(&w->out, '\n');
		n++;
	}
	return n;
}

static void write_more(struct out *o, uint64_t n)
{
	if (n > 0) {
		out_count(o, n, "finding");
		out_string(o, " not shown\n");
	}
}

static uint64_t n_found(const struct rule_result *result)
{
	uint64_t n = 0;

	for (size_t i = SEVERITY_NOTE; i <= SEVERITY_ERROR; i++)
		n += result->n_found[i];
	return n;
}

static void open_rule(struct out *o, const struct report *r, const struct rule *rule,
		      enum outcome outcome)
{
	struct out title;

	out_init(&title, NULL, NULL);
	if (outcome == SKIPPED)
		out_string(&title, "accepted: ");
	out_string(&title, rule->title);
	open_case(o, r, rule->id, rule->name);
	open_outcome(o, outcome, rule_class_name(report_class(r, rule)), &title);
}

static void write_rule(struct writer *w, const struct entry *e, size_t rule)
{
	const struct report *r = e->report;
	const struct rule *of = r->rules[rule];
	const struct rule_result *result = results_of(&r->results, rule);
	const enum outcome outcome = rule_outcome(e, rule, &w->engine->fail_on);

	open_rule(&w->out, r, of, outcome);
	write_more(&w->out, n_found(result) - write_findings(w, e, of));
	escape_string(&w->out, ESCAPE_MARKUP, of->why);
	out_byte(&w->out, '\n');
	escape_string(&w->out, ESCAPE_MARKUP, of->fix);
	close_case(&w->out, outcome);
}

static void write_diagnosis(struct writer *w, const struct entry *e, enum outcome outcome)
{
	const struct told diagnosis = told_at(e, told_count(e), 0);
	struct out *o = &w->out, text;

	told_render(&text, w, &diagnosis);
	open_case(o, e->report, told_rule(&diagnosis), told_name(&diagnosis));
	open_outcome(o, outcome, told_name(&diagnosis), &text);
	escape_write(o, ESCAPE_MARKUP_AGAIN, text.buf, text.n);
	told_advice(o, ESCAPE_MARKUP, &diagnosis);
	close_case(o, outcome);
}

/* A case that is about the file as a whole. */
static void write_whole(struct writer *w, const struct entry *e, enum outcome outcome)
{
	const struct report *r = e->report;
	const struct told verdict = { .entry = e };
	struct out text;

	if (outcome == PASSED) {
		out_string(&w->out, "<testcase");
		markup_attribute(&w->out, "classname", r->name);
		out_string(&w->out, " name=\"sound\"/>\n");
		return;
	}
	told_render(&text, w, &verdict);
	open_case(&w->out, r, "verdict", verdict_name(r->verdict));
	open_outcome(&w->out, outcome, verdict_name(r->verdict), &text);
	close_case(&w->out, outcome);
}

/* ---- Suites ---------------------------------------------------------------------------------- */

/* What a suite has; whole is the outcome of its case about the file, if it has one, diagnosis that
 * of the one about what explains the findings. */
struct suite {
	uint64_t n_cases, n_of[N_OUTCOMES];
	bool has_whole;
	enum outcome whole, diagnosis;
};

static void count_case(struct suite *s, enum outcome outcome)
{
	s->n_cases++;
	s->n_of[outcome]++;
}

/* Where all errors are accepted, here and in files inside, the verdict fails nothing. */
static void add_whole(struct suite *s, const struct entry *e)
{
	static const enum outcome outcomes[] = { PASSED, FAILED, NOT_JUDGED, SKIPPED };

	s->whole = entry_is_excused(e) ? SKIPPED : outcomes[e->report->verdict];
	s->has_whole = s->whole == PASSED || s->whole == SKIPPED ? s->n_cases == 0
								 : s->n_of[s->whole] == 0;
	if (s->has_whole)
		count_case(s, s->whole);
}

static void add_diagnosis(struct suite *s)
{
	s->diagnosis = s->n_of[FAILED] > 0 ? FAILED : s->n_of[NOT_JUDGED] > 0 ? NOT_JUDGED : PASSED;
	count_case(s, s->diagnosis);
}

static struct suite count_cases(const struct entry *e, const struct fail_on *fail_on)
{
	const struct report *r = e->report;
	struct suite s = { .n_cases = 0 };

	for (size_t i = 0; (i = report_next_failed(r, i)) < r->n_rules; i++)
		count_case(&s, rule_outcome(e, report_rule(r, i), fail_on));
	add_whole(&s, e);
	if (r->diagnosis)
		add_diagnosis(&s);
	return s;
}

static void open_suite(struct out *o, const char *name, const struct suite *s)
{
	out_string(o, "<testsuite");
	markup_attribute(o, "name", name);
	markup_count(o, "tests", s->n_cases);
	markup_count(o, "failures", s->n_of[FAILED]);
	markup_count(o, "errors", s->n_of[NOT_JUDGED]);
	markup_count(o, "skipped", s->n_of[SKIPPED]);
	out_string(o, ">\n");
}

static void add(struct writer *w, const struct entry *e)
{
	const struct report *r = e->report;
	const struct suite s = count_cases(e, &w->engine->fail_on);

	open_suite(&w->out, r->name, &s);
	if (r->diagnosis)
		write_diagnosis(w, e, s.diagnosis);
	for (size_t i = 0; (i = report_next_failed(r, i)) < r->n_rules; i++)
		write_rule(w, e, report_rule(r, i));
	if (s.has_whole)
		write_whole(w, e, s.whole);
	out_string(&w->out, "</testsuite>\n");
}

/* Where there was nothing to judge the command exits with 2, and the report does not look
 * passed. */
static void end(struct writer *w, const struct totals *t)
{
	const struct suite none = { .n_cases = 1, .n_of = { [NOT_JUDGED] = 1 } };

	if (totals_judged(t) == 0) {
		open_suite(&w->out, "uvet", &none);
		out_string(&w->out, "<testcase classname=\"uvet\" name=\"files\"><error "
				    "message=\"no file was judged\" type=\"undetermined\"/>"
				    "</testcase>\n</testsuite>\n");
	}
	out_string(&w->out, "</testsuites>\n");
}

const struct writer_type writer_junit = { .name = "junit", .begin = begin, .add = add, .end = end };

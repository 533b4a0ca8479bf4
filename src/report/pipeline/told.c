/* What a pipeline is told: words and paths. */
#include "report/pipeline/told.h"

#include <string.h>

#include "report/describe.h"
#include "report/message.h"

/* Where all errors are accepted it is as if there were none. */
static enum severity verdict_severity(const struct entry *e)
{
	const struct report *r = e->report;

	if (entry_is_excused(e))
		return r->n_found[SEVERITY_UNDETERMINED] > 0 ? SEVERITY_UNDETERMINED
							     : SEVERITY_NONE;
	return r->verdict == VERDICT_INVALID        ? SEVERITY_ERROR
	       : r->verdict == VERDICT_UNDETERMINED ? SEVERITY_UNDETERMINED
						    : SEVERITY_NONE;
}

static bool is_untold(const struct entry *e)
{
	const enum severity severity = verdict_severity(e);

	for (size_t i = 0; i < e->n_shown; i++)
		if (e->report->findings[i]->severity == severity && !entry_reason(e, i))
			return false;
	return severity != SEVERITY_NONE;
}

static enum severity worst_severity(const struct entry *e)
{
	enum severity worst = SEVERITY_ERROR;

	while (worst > SEVERITY_NOTE && e->report->n_found[worst] <= e->n_accepted[worst])
		worst--;
	return worst;
}

size_t told_count(const struct entry *e)
{
	return (size_t)(e->report->diagnosis != NULL) + is_untold(e) + e->n_shown;
}

struct told told_at(const struct entry *e, size_t n, size_t i)
{
	const struct report *r = e->report;
	const size_t first = n - e->n_shown;

	if (r->diagnosis && i == 0)
		return (struct told){ .entry = e,
				      .diagnosis = r->diagnosis,
				      .severity = worst_severity(e) };
	if (i < first)
		return (struct told){ .entry = e, .severity = verdict_severity(e) };
	return (struct told){ .entry = e,
			      .finding = r->findings[i - first],
			      .severity = r->findings[i - first]->severity,
			      .fingerprint = e->fingerprints ? e->fingerprints[i - first] : 0,
			      .reason = entry_reason(e, i - first) };
}

const char *told_rule(const struct told *t)
{
	if (t->diagnosis)
		return "diagnosis";
	return t->finding ? t->finding->rule->id : "verdict";
}

const char *told_name(const struct told *t)
{
	if (t->diagnosis)
		return t->diagnosis->kind->id;
	return t->finding ? t->finding->rule->name : verdict_name(t->entry->report->verdict);
}

const char *told_class(const struct told *t)
{
	const struct report *r = t->entry->report;

	return t->finding ? rule_class_name(report_class(r, t->finding->rule)) : "";
}

bool told_has_fix(const struct told *t)
{
	return t->finding || t->diagnosis;
}

void told_fix(struct out *o, enum escape medium, const struct told *t)
{
	if (t->finding)
		escape_string(o, medium, t->finding->rule->fix);
	if (!t->diagnosis)
		return;
	describe_advice(o, medium, t->diagnosis);
}

void told_advice(struct out *o, enum escape medium, const struct told *t)
{
	if (!t->diagnosis)
		return;
	out_string(o, ". ");
	told_fix(o, medium, t);
}

/* The bytes, and the file beside the input that they lie in. */
static void write_place(struct out *o, const struct report *r, const struct place *p)
{
	const char *file = report_file(r, p->file);

	if (!p->known && !*file)
		return;
	out_string(o, " [");
	if (*file) {
		escape_string(o, ESCAPE_TERMINAL, file);
		out_string(o, p->known ? ", " : "");
	}
	if (message_has_field(p)) {
		message_field(o, p);
		out_string(o, ", ");
	}
	if (p->known) {
		out_address(o, p->span.at);
		out_byte(o, '+');
		out_dec(o, p->span.len);
	}
	out_byte(o, ']');
}

static void write_verdict(struct out *o, const struct writer *w, const struct report *r)
{
	const char *before = ": ";

	out_string(o, "the file is ");
	out_string(o, verdict_name(r->verdict));
	if (r->inside) {
		out_string(o, ": in it, \"");
		escape_string(o, ESCAPE_QUOTED, r->inside->own_name);
		out_string(o, "\" is ");
		out_string(o, verdict_name(r->inside->verdict));
		return;
	}
	for (size_t i = 0; i < r->n_unjudged; i++) {
		out_string(o, before);
		describe_unjudged(o, &r->unjudged[i], &w->engine->limits);
		before = "; ";
	}
	if (r->n_unjudged == 0)
		out_string(o, ": not all of its findings are shown");
}

void told_render(struct out *o, const struct writer *w, const struct told *t)
{
	out_init(o, NULL, NULL);
	if (t->diagnosis) {
		describe_diagnosis(o, t->diagnosis);
		return;
	}
	if (!t->finding) {
		write_verdict(o, w, t->entry->report);
		return;
	}
	if (t->severity == SEVERITY_UNDETERMINED)
		out_string(o, "not judged: ");
	message_write(o, t->finding);
	write_place(o, t->entry->report, &t->finding->place);
}

void told_fingerprint(struct out *o, const struct told *t)
{
	for (int shift = 60; shift >= 0; shift -= 4)
		out_byte(o, (uint8_t) "0123456789abcdef"[t->fingerprint >> shift & 15]);
}

void told_path(struct out *o, enum escape medium, const struct told *t)
{
	const struct report *r = entry_file(t->entry).report;
	const bool is_beside = t->finding && r == t->entry->report;
	struct report short_name = *r;

	while (strncmp(short_name.name, "./", 2) == 0 && short_name.name[2])
		short_name.name += 2;
	describe_path(o, medium, &short_name, is_beside ? t->finding->place.file : 0);
}

/* The public interface to reports and findings. */
#include "api/api.h"

#include "formats/summary.h"

#include "report/message.h"

static const struct finding *inner_finding(const uvet_finding *f)
{
	return (const void *)f;
}

void uvet_report_free(uvet_report *report)
{
	report_free((void *)report);
}

uvet_verdict uvet_report_verdict(const uvet_report *report)
{
	return (uvet_verdict)api_report(report)->verdict;
}

const char *uvet_report_name(const uvet_report *report)
{
	return api_report(report)->name;
}

const char *uvet_report_format(const uvet_report *report)
{
	const struct format *f = api_report(report)->format;

	return f ? f->name : "";
}

size_t uvet_report_count(const uvet_report *report)
{
	return api_report(report)->n_findings;
}

uint64_t uvet_report_found(const uvet_report *report, uvet_severity severity)
{
	return (size_t)severity < N_SEVERITIES ? api_report(report)->n_found[severity] : 0;
}

const uvet_finding *uvet_report_at(const uvet_report *report, size_t index)
{
	const struct report *r = api_report(report);

	return index < r->n_findings ? (const void *)r->findings[index] : NULL;
}

size_t uvet_report_nested_count(const uvet_report *report)
{
	return api_report(report)->n_nested;
}

const uvet_report *uvet_report_nested_at(const uvet_report *report, size_t index)
{
	const struct report *r = api_report(report);

	return index < r->n_nested ? (const void *)r->nested[index] : NULL;
}

const uvet_report *uvet_report_parent(const uvet_report *report)
{
	return (const void *)api_report(report)->parent;
}

const uvet_report *uvet_report_next(const uvet_report *top, const uvet_report *report)
{
	return (const void *)report_next(api_report(top), api_report(report));
}

unsigned uvet_report_scope(const uvet_report *report)
{
	return api_scope(&api_report(report)->scope);
}

size_t uvet_report_unjudged_count(const uvet_report *report)
{
	return api_report(report)->n_unjudged;
}

int uvet_report_unjudged_at(const uvet_report *report, size_t index, uvet_unjudged *out)
{
	const struct report *r = api_report(report);

	if (index >= r->n_unjudged || !out)
		return 0;
	return api_unjudged_write(out, &(uvet_unjudged){
					       .reason = unjudged_name(r->unjudged[index].reason),
					       .what = r->unjudged[index].what,
					       .file = r->unjudged[index].file,
					       .bytes = r->unjudged[index].bytes,
				       });
}

const char *uvet_report_diagnosis(const uvet_report *report)
{
	const struct diagnosis *d = api_report(report)->diagnosis;

	return d ? d->kind->id : NULL;
}

int uvet_report_diagnosis_certain(const uvet_report *report)
{
	const struct diagnosis *d = api_report(report)->diagnosis;

	return d && d->confidence == CONFIDENCE_CERTAIN;
}

size_t uvet_report_diagnosis_message(const uvet_report *report, char *buf, size_t size)
{
	const struct diagnosis *d = api_report(report)->diagnosis;
	struct out o;

	out_init(&o, NULL, NULL);
	if (d)
		message_write_diagnosis(&o, d);
	return api_copy(&o, buf, size);
}

const char *uvet_report_diagnosis_fix(const uvet_report *report, int for_author)
{
	const struct diagnosis *d = api_report(report)->diagnosis;

	if (!d)
		return NULL;
	return for_author ? d->kind->author : d->kind->player;
}

const char *uvet_report_companion_at(const uvet_report *report, size_t index)
{
	const struct report *r = api_report(report);
	size_t before = 0;

	for (size_t i = 0; i < r->n_companions; i++) {
		const enum companion_state state = r->companions[i].state;

		if ((state == COMPANION_OPEN || companion_is_refused(state)) && before++ == index)
			return r->companions[i].name;
	}
	return NULL;
}

static unsigned shortage_of(const struct unjudged *u)
{
	if (u->reason == UNJUDGED_CROWDED)
		return UVET_SHORT_OF_FILES;
	return u->reason == UNJUDGED_MEMORY ? UVET_SHORT_OF_MEMORY : 0;
}

/* Whether something that sets compare had no room. */
static bool lost_kept(const struct report *r)
{
	return r->kept &&
	       (r->kept->n_lost > 0 || r->kept->arena->over_budget || r->kept->arena->refused);
}

unsigned uvet_report_shortages(const uvet_report *report)
{
	const struct report *top = api_report(report);
	unsigned shortages = lost_kept(top) ? UVET_SHORT_OF_MEMORY : 0;

	for (const struct report *r = top; r; r = report_next(top, r))
		for (size_t i = 0; i < r->n_unjudged; i++)
			shortages |= shortage_of(&r->unjudged[i]);
	return shortages;
}

int uvet_report_place(const uvet_report *report, uint64_t *offset, uint64_t *length)
{
	const struct report *r = api_report(report);

	if (!r->parent || r->decoded)
		return 0;
	*offset = r->at.at;
	*length = r->at.len;
	return 1;
}

uint64_t uvet_report_memory(const uvet_report *report)
{
	return api_report(report)->memory;
}

uint64_t uvet_report_held(const uvet_report *report)
{
	const struct report *r = api_report(report);

	return r->arena->held + (r->kept ? r->kept->arena->held : 0);
}

const char *uvet_finding_rule(const uvet_finding *finding)
{
	return inner_finding(finding)->rule->id;
}

const char *uvet_finding_name(const uvet_finding *finding)
{
	return inner_finding(finding)->rule->name;
}

uvet_severity uvet_finding_severity(const uvet_finding *finding)
{
	return (uvet_severity)inner_finding(finding)->severity;
}

int uvet_finding_place(const uvet_finding *finding, uint64_t *offset, uint64_t *length)
{
	const struct place *p = &inner_finding(finding)->place;

	if (!p->known)
		return 0;
	*offset = p->span.at;
	*length = p->span.len;
	return 1;
}

const char *uvet_finding_file(const uvet_finding *finding)
{
	const char *file = inner_finding(finding)->file;

	return file ? file : "";
}

size_t uvet_finding_message(const uvet_finding *finding, char *buf, size_t size)
{
	struct out o;

	message_render(&o, inner_finding(finding));
	return api_copy(&o, buf, size);
}

size_t uvet_finding_field(const uvet_finding *finding, char *buf, size_t size)
{
	const struct finding *f = inner_finding(finding);
	struct out o;

	out_init(&o, NULL, NULL);
	if (message_has_field(&f->place))
		message_field(&o, &f->place);
	return api_copy(&o, buf, size);
}

/* The public interface to what a finding says for programs. */
#include "api/api.h"

#include <string.h>

#include "diagnosis/diagnosis.h"
#include "report/fingerprint.h"
#include "report/message.h"

static const struct finding *inner(const uvet_finding *f)
{
	return (const void *)f;
}

const char *uvet_finding_class(const uvet_report *report, const uvet_finding *finding)
{
	return rule_class_name(report_class(api_report(report), inner(finding)->rule));
}

const char *uvet_finding_why(const uvet_finding *finding)
{
	return inner(finding)->rule->why;
}

const char *uvet_finding_fix(const uvet_finding *finding)
{
	return inner(finding)->rule->fix;
}

size_t uvet_finding_fingerprint(const uvet_report *report, const uvet_finding *finding, char *buf,
				size_t size)
{
	const uint64_t fingerprint = fingerprint_of(api_report(report), inner(finding));
	struct out o;

	out_init(&o, NULL, NULL);
	fingerprint_write(&o, fingerprint);
	return api_copy(&o, buf, size);
}

size_t uvet_finding_data_count(const uvet_finding *finding)
{
	return inner(finding)->n_args;
}

size_t uvet_finding_data_name(const uvet_finding *finding, size_t index, char *buf, size_t size)
{
	const struct finding *f = inner(finding);
	const char *name = f->rule->data;
	struct out o;

	out_init(&o, NULL, NULL);
	for (size_t i = 0; index < f->n_args && i < index; i++) {
		name += strcspn(name, " ");
		name += strspn(name, " ");
	}
	if (index < f->n_args)
		out_bytes(&o, name, strcspn(name, " "));
	return api_copy(&o, buf, size);
}

size_t uvet_finding_data_value(const uvet_finding *finding, size_t index, char *buf, size_t size)
{
	const struct finding *f = inner(finding);
	struct out o;

	out_init(&o, NULL, NULL);
	if (index < f->n_args)
		message_value(&o, &f->args[index]);
	return api_copy(&o, buf, size);
}

const char *uvet_finding_related_at(const uvet_report *report, const uvet_finding *finding,
				    size_t index, const char **file, uint64_t *offset,
				    uint64_t *length)
{
	const struct finding *f = inner(finding);
	const struct place *p;

	if (index >= f->n_related)
		return NULL;
	p = &f->related[index].place;
	*file = report_file(api_report(report), p->file);
	*offset = p->known ? p->span.at : 0;
	*length = p->known ? p->span.len : 0;
	return f->related[index].words;
}

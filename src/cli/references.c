/* References: checking them, and saying why one cannot be an example. The game's global container
 * is taken in the same way. */
#include "cli/references.h"

#include "cli/message.h"

/* What keeps a report from being good: the first error in it or in the reports of files in it, else
 * the first finding that says why something was not judged; NULL: no finding does. */
static const uvet_finding *find_cause(const uvet_report *report)
{
	const uvet_finding *cause = NULL, *f;

	for (const uvet_report *r = report; r; r = uvet_report_next(report, r))
		for (size_t i = 0; (f = uvet_report_at(r, i)) != NULL; i++) {
			const uvet_severity severity = uvet_finding_severity(f);

			if (severity == UVET_SEVERITY_ERROR)
				return f;
			if (severity == UVET_SEVERITY_UNDETERMINED && !cause)
				cause = f;
		}
	return cause;
}

enum { SAID_MAX = 512 };

static void refuse(const struct settings *settings, const char *path, const uvet_report *report)
{
	const uvet_finding *cause = find_cause(report);
	const char *trouble = uvet_options_error(settings->options);
	char said[SAID_MAX];

	if (!cause) {
		message("--%t: '%s'", trouble, path);
		return;
	}
	uvet_finding_message(cause, said, sizeof said);
	message("--%t: '%s': %t: %t", trouble, path, uvet_finding_rule(cause), said);
}

/* What the options take from a report. */
typedef uvet_status take_report(uvet_options *options, const uvet_report *report);

static int learn(const struct settings *settings, uvet_engine *engine, const char *path,
		 take_report *take)
{
	uvet_report *report;
	uvet_status status = uvet_check_path(engine, path, NULL, &report);

	if (status == UVET_OK)
		status = take(settings->options, report);
	if (status == UVET_BAD_OPTION)
		refuse(settings, path, report);
	else if (status != UVET_OK)
		message("out of memory");
	uvet_report_free(report);
	if (status == UVET_OK)
		return STATUS_DONE;
	return status == UVET_BAD_OPTION ? STATUS_USAGE : STATUS_TROUBLE;
}

/* All are checked by an engine that knows none of them yet. */
int references_learn(const struct settings *settings)
{
	uvet_engine *engine;
	int code = STATUS_DONE;

	if (settings->n_references == 0 && !settings->global)
		return STATUS_DONE;
	if (uvet_engine_new(settings->options, &engine) != UVET_OK) {
		message("out of memory");
		return STATUS_TROUBLE;
	}
	for (int i = 0; i < settings->n_references && code == STATUS_DONE; i++)
		code = learn(settings, engine, settings->references[i], uvet_options_learn);
	if (settings->global && code == STATUS_DONE)
		code = learn(settings, engine, settings->global, uvet_options_global);
	uvet_engine_free(engine);
	return code;
}

/* Acceptance: answers to the writers' question, and notes for a new baseline. */
#include "cli/acceptance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/globs.h"
#include "cli/grow.h"
#include "cli/inputs.h"
#include "cli/message.h"
#include "core/mutant.h"
#include "platform/platform.h"

/* ---- Paths ----------------------------------------------------------------------------------- */

bool acceptance_add(struct accepted_paths *paths, const char *glob, const char *rule_id,
		    const char *reason)
{
	struct accepted_path *of = grow(paths->of, &paths->max, paths->n + 1, sizeof *of);

	if (!of)
		return false;
	paths->of = of;
	of[paths->n++] = (struct accepted_path){ glob, rule_id, reason };
	return true;
}

void acceptance_free_paths(struct accepted_paths *paths)
{
	free(paths->of);
	*paths = (struct accepted_paths){ .n = 0 };
}

/* The path of the outermost file, without ./ before it. */
static const char *path_of(const uvet_report *report)
{
	const char *path;

	while (uvet_report_parent(report))
		report = uvet_report_parent(report);
	path = uvet_report_name(report);
	while (strncmp(path, "./", 2) == 0)
		path += 2;
	return path;
}

static const char *reason_of_path(const struct accepted_paths *paths, const char *path,
				  const char *rule)
{
	for (size_t i = 0; i < paths->n; i++) {
		const struct globs glob = { .of = { paths->of[i].glob }, .n = 1 };

		if (strcmp(paths->of[i].rule, rule) == 0 && globs_match(&glob, path))
			return paths->of[i].reason;
	}
	return NULL;
}

/* ---- Answers --------------------------------------------------------------------------------- */

static bool is_expired(const struct acceptance *a, const struct baseline_line *l)
{
	/* mutant: the last day does not count */
	return l->expires > 0 && l->expires < a->today + (uint32_t)MUTANT(259);
}

static struct baseline_line *known_line(const struct acceptance *a, const uvet_finding *finding,
					const char *fingerprint)
{
	struct baseline_line *line = NULL;
	uint64_t number;

	if (baseline_fingerprint(fingerprint, strlen(fingerprint), &number))
		line = baseline_find(&a->known, number);
	/* mutant: any rule will do */
	return line && (MUTANT(260) || strcmp(line->rule, uvet_finding_rule(finding)) == 0) ? line
											    : NULL;
}

static bool is_wanted(const struct acceptance *a, const uvet_finding *finding)
{
	return uvet_finding_severity(finding) != UVET_SEVERITY_NOTE || a->request.notes;
}

bool acceptance_asks(const struct acceptance *a)
{
	return a->request.mode != BASELINE_NONE || a->paths->n > 0;
}

const char *acceptance_answer(void *ctx, const uvet_report *report, const uvet_finding *finding,
			      const char *fingerprint)
{
	const struct acceptance *a = ctx;
	struct baseline_line *line = known_line(a, finding, fingerprint);
	const char *reason;

	if (line)
		line->seen = true;
	if (line && !is_expired(a, line))
		return line->reason;
	reason = reason_of_path(a->paths, path_of(report), uvet_finding_rule(finding));
	if (reason)
		return reason;
	return a->request.mode == BASELINE_WRITE && is_wanted(a, finding) ? a->request.reason
									  : NULL;
}

/* ---- A new baseline -------------------------------------------------------------------------- */

/* The name of a file in which something was found, and of those before it. */
struct file_name {
	struct file_name *before;
	char text[];
};

/* Findings of one file follow one another, and share its name. NULL: memory ended. */
static const char *keep_name(struct acceptance *a, const char *name)
{
	const size_t size = strlen(name) + 1;
	struct file_name *kept;

	if (a->names && strcmp(a->names->text, name) == 0)
		return a->names->text;
	kept = malloc(sizeof *kept + size);
	if (!kept)
		return NULL;
	memcpy(kept->text, name, size);
	kept->before = a->names;
	a->names = kept;
	return kept->text;
}

static void free_names(struct acceptance *a)
{
	struct file_name *before;

	for (; a->names; a->names = before) {
		before = a->names->before;
		free(a->names);
	}
}

static struct baseline_line new_line(const struct acceptance *a, const uvet_finding *finding,
				     const char *fingerprint)
{
	const struct baseline_line *known = known_line(a, finding, fingerprint);
	struct baseline_line line = { .reason = a->request.reason, .expires = a->request.expires };

	if (known &&
	    (MUTANT(261) || !is_expired(a, known))) /* mutant: an expired line stays as it is */
		return *known;
	(void)baseline_fingerprint(fingerprint, strlen(fingerprint), &line.fingerprint);
	memcpy(line.rule, uvet_finding_rule(finding), BASELINE_RULE_LEN);
	return line;
}

/* What a path accepts needs no line. */
static void note(struct acceptance *a, const uvet_report *report, const uvet_finding *finding,
		 const char *fingerprint)
{
	struct baseline_line line = new_line(a, finding, fingerprint);

	if (line.number == 0 &&
	    (!is_wanted(a, finding) ||
	     reason_of_path(a->paths, path_of(report), uvet_finding_rule(finding))))
		return;
	line.path = keep_name(a, uvet_report_name(report));
	if (!line.path || !baseline_add(&a->found, line))
		a->lost = true;
}

const char *acceptance_take(void *ctx, const uvet_report *report, const uvet_finding *finding,
			    const char *fingerprint)
{
	struct acceptance *a = ctx;

	a->n_kept += uvet_finding_severity(finding) != UVET_SEVERITY_NOTE;
	if (a->request.mode == BASELINE_WRITE)
		note(a, report, finding, fingerprint);
	return acceptance_answer(ctx, report, finding, fingerprint);
}

void acceptance_count(struct acceptance *a, const uvet_report *report)
{
	if (a->request.mode != BASELINE_WRITE)
		return;
	for (const uvet_report *r = report; r; r = uvet_report_next(report, r)) {
		a->n_counted += uvet_report_found(r, UVET_SEVERITY_ERROR) +
				uvet_report_found(r, UVET_SEVERITY_WARNING);
		/* mutant: what was not judged is not seen */
		a->has_unjudged = a->has_unjudged ||
				  (!MUTANT(263) &&
				   (uvet_report_verdict(r) == UVET_UNDETERMINED ||
				    uvet_report_found(r, UVET_SEVERITY_UNDETERMINED) > 0));
	}
}

static bool keep_unseen(struct acceptance *a)
{
	bool ok = true;

	/* mutant: all of them stay, whatever was judged */
	for (size_t i = 0; i < a->known.n && (a->has_unjudged || MUTANT(262)) && ok; i++)
		if (!a->known.lines[i].seen)
			ok = baseline_add(&a->found, a->known.lines[i]);
	return ok;
}

bool acceptance_write(struct acceptance *a, uvet_sink *sink, void *ctx)
{
	return !a->lost && keep_unseen(a) && baseline_settle(&a->found) &&
	       baseline_write(&a->found, sink, ctx);
}

/* ---- Before and after ------------------------------------------------------------------------ */

bool acceptance_open(struct acceptance *a, const struct baseline_request *request,
		     const struct accepted_paths *paths)
{
	*a = (struct acceptance){ .paths = paths, .request = *request };
	if (request->mode != BASELINE_NONE)
		a->today = platform_today();
	if (request->mode == BASELINE_NONE ||
	    (request->mode == BASELINE_WRITE && input_is_absent(request->file)))
		return true;
	return baseline_read(&a->known, request->mode == BASELINE_USE ? "--baseline" : "baseline",
			     request->file);
}

void acceptance_close(struct acceptance *a)
{
	free_names(a);
	baseline_free(&a->found);
	baseline_free(&a->known);
}

/* So many lines are named of each kind. */
enum { TOLD_MAX = 100 };

static void tell_line(const struct acceptance *a, const struct baseline_line *l)
{
	char number[24], date[BASELINE_DATE_LEN + 1];

	snprintf(number, sizeof number, "%llu", (unsigned long long)l->number);
	baseline_date_text(date, l->expires);
	if (l->seen)
		message("baseline: '%s', line %t: %t, accepted until %t, counts again",
			a->request.file, number, l->rule, date);
	else
		message("baseline: '%s', line %t: %t was not found", a->request.file, number,
			l->rule);
}

static void tell_lines(const struct acceptance *a)
{
	char more[24];
	uint64_t n = 0;

	for (size_t i = 0; i < a->known.n; i++) {
		const struct baseline_line *l = &a->known.lines[i];

		if ((!l->seen || is_expired(a, l)) && n++ < TOLD_MAX)
			tell_line(a, l);
	}
	if (n <= TOLD_MAX)
		return;
	snprintf(more, sizeof more, "%llu", (unsigned long long)(n - TOLD_MAX));
	message("baseline: '%s': likewise %t more", a->request.file, more);
}

static size_t count_new(const struct acceptance *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->found.n; i++)
		n += a->found.lines[i].number == 0;
	return n;
}

static void tell_written(const struct acceptance *a)
{
	const size_t n_new = count_new(a), n_kept = a->found.n - n_new,
		     n_gone = a->known.n > n_kept ? a->known.n - n_kept : 0;
	char counts[96], left[24];

	snprintf(counts, sizeof counts, "new: %llu, as before: %llu, taken out: %llu",
		 (unsigned long long)n_new, (unsigned long long)n_kept, (unsigned long long)n_gone);
	message("baseline: '%s' was written; %t", a->request.file, counts);
	if (a->n_counted <= a->n_kept)
		return;
	snprintf(left, sizeof left, "%llu", (unsigned long long)(a->n_counted - a->n_kept));
	message("baseline: not in it are errors and warnings that --max-findings and "
		"--max-per-rule leave no room for: %t",
		left);
}

void acceptance_tell(const struct acceptance *a)
{
	if (a->request.mode == BASELINE_CHECK)
		tell_lines(a);
	if (a->request.mode == BASELINE_WRITE)
		tell_written(a);
}

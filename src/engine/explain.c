/* What explains a file's findings: asking for it, and keeping it in the report. */
#include "engine/explain.h"

/* Most reports have none. */
static bool keep_diagnosis(struct report *r, const struct diagnosis *found)
{
	struct diagnosis *kept = arena_alloc(r->arena, 1, sizeof *kept);

	if (!kept)
		return false;
	*kept = *found;
	r->diagnosis = kept;
	return true;
}

/* Why reading the file or one beside it was broken off. */
static enum interrupted broken_off(const struct decode *d)
{
	if (d->work.interrupted != INTERRUPTED_NOT)
		return d->work.interrupted;
	for (const struct companion *c = d->companions; c; c = c->next)
		if (c->state == COMPANION_OPEN && c->source.interrupted != INTERRUPTED_NOT)
			return c->source.interrupted;
	return d->source->interrupted;
}

/* Reading a file for it counts as no work, but what a tree may read is limited: files in it may all
 * have the same bytes. */
bool explain_findings(struct report *r, struct tree *t, struct decode *d, const void *facts)
{
	bool lost = false;
	const struct patient p = { .decode = d,
				   .format = r->format,
				   .is_no_package = r->is_no_package,
				   .facts = facts,
				   .rules = r->rules,
				   .results = &r->results,
				   .n_rules = r->first_told,
				   .arena = r->arena,
				   .lost = &lost };
	const uint64_t len = diagnosis_cost(&p);
	struct diagnosis found;

	if (len > t->diagnosis_left)
		return true;
	if (diagnose(&p, &found))
		t->diagnosis_left -= len;
	if (ALWAYS(t->work.interrupted == INTERRUPTED_NOT))
		t->work.interrupted = broken_off(d);
	if (lost)
		return false;
	return !found.kind || keep_diagnosis(r, &found);
}

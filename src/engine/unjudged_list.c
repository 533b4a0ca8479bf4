/* Listing what was not judged: from what the check met, and from findings that say that something
 * cannot be judged. */
#include "engine/unjudged_list.h"

#include <string.h>

#include "core/checked.h"
#include "engine/foreign.h"

/* A list counts its rows, or keeps them. */
struct list {
	struct unjudged *rows; /* NULL while counting */
	size_t n;
};

static void add_reason(struct list *l, enum unjudged_reason reason, const char *what,
		       const char *file, uint64_t bytes)
{
	if (l->rows)
		l->rows[l->n] = (struct unjudged){ reason, what, file, bytes };
	l->n++;
}

/* ---- What the check met ---------------------------------------------------------------------- */

static void add_lacks(struct list *l, const struct run *r)
{
	static const enum unjudged_reason reasons[] = {
		[STOP_CODEC] = UNJUDGED_CODEC,
		[STOP_COMPANION] = UNJUDGED_COMPANION,
		[STOP_KEY] = UNJUDGED_KEY,
	};

	for (size_t i = 0; i < r->n_lacks; i++)
		add_reason(l, reasons[r->lacks[i].why], r->lacks[i].what,
			   report_file(r->report, r->lacks[i].file), r->lacks[i].bytes);
}

/* The bytes that were left where groups met a limit. */
static uint64_t left_by(const struct run *r, const struct group *groups, enum limit limit)
{
	uint64_t n = 0;

	for (uint32_t g = 0; r->format && g < r->format->n_groups; g++)
		if (groups[g].why == STOP_LIMIT && groups[g].limit == limit)
			n = capped_add(n, groups[g].at.len);
	return n;
}

static void add_limits(struct list *l, const struct run *r, const struct group *groups)
{
	for (size_t i = 0; i < LIMIT_COUNT; i++)
		if (r->reached[i])
			add_reason(l, UNJUDGED_LIMIT, limit_infos[i].option, "",
				   left_by(r, groups, (enum limit)i));
	if (r->no_memory)
		add_reason(l, UNJUDGED_MEMORY, "", "", 0);
}

static void add_unknown(struct list *l, const struct report *r)
{
	const char *lacks = foreign_tell(r).lacks;

	add_reason(l, *lacks ? UNJUDGED_COMPANION : UNJUDGED_FORMAT, lacks, "", r->size);
}

static void add_trouble(struct list *l, const struct run *r)
{
	if (r->unreadable)
		add_reason(l, r->crowded ? UNJUDGED_CROWDED : UNJUDGED_UNREADABLE, r->trouble, "",
			   0);
	if (r->changed)
		add_reason(l, UNJUDGED_CHANGED, "", "", 0);
	for (size_t i = 0; i < r->report->n_companions; i++) {
		const struct report_companion *c = &r->report->companions[i];

		if (c->state == COMPANION_PACKED)
			add_reason(l, UNJUDGED_UNREADABLE, "it cannot be unpacked from the archive",
				   c->name, 0);
		else if (run_unreadable(c))
			add_reason(l,
				   c->state == COMPANION_CROWDED ? UNJUDGED_CROWDED
								 : UNJUDGED_UNREADABLE,
				   run_unreadable(c), c->name, 0);
		else if (c->trouble == SOURCE_CHANGED)
			add_reason(l, UNJUDGED_CHANGED, "", c->name, 0);
	}
	if (r->cancelled)
		add_reason(l, UNJUDGED_CANCELLED, "", "", 0);
	if (r->late)
		add_reason(l, UNJUDGED_TIME, "", "", 0);
	if (r->worker_ended)
		add_reason(l, UNJUDGED_WORKER, "", "", r->report->size);
	if (run_unknown(r))
		add_unknown(l, r->report);
	if (r->other)
		add_reason(l, UNJUDGED_FORMAT, r->other->title, "", r->report->size);
}

/* ---- What findings say ----------------------------------------------------------------------- */

/* The family RUN says what is listed already. */
static bool is_listed(const struct rule *r)
{
	return memcmp(r->id, "RUN", 3) == 0;
}

static void add_rules(struct list *l, const struct run *run)
{
	const struct report *r = run->report;

	if (run->nothing_judged)
		add_reason(l, UNJUDGED_RULES, "", "", r->size);
	for (size_t i = 0; (i = results_next(&r->results, RULE_FAIL, i, r->n_rules)) < r->n_rules;
	     i++)
		if (!is_listed(r->rules[i]) &&
		    results_of(&r->results, i)->n_found[SEVERITY_UNDETERMINED] > 0)
			add_reason(l, UNJUDGED_RULE, r->rules[i]->id, "", 0);
}

static void add_all(struct list *l, const struct run *r, const struct group *groups)
{
	add_lacks(l, r);
	add_limits(l, r, groups);
	add_trouble(l, r);
	add_rules(l, r);
}

bool unjudged_list(struct report *r, const struct run *run, const struct group *groups)
{
	struct list l = { .n = 0 };

	add_all(&l, run, groups);
	if (l.n == 0)
		return true;
	l.rows = arena_alloc(r->arena, l.n, sizeof *l.rows);
	if (!l.rows)
		return false;
	l.n = 0;
	add_all(&l, run, groups);
	r->unjudged = l.rows;
	r->n_unjudged = l.n;
	return true;
}

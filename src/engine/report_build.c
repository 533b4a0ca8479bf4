/* Building reports: making them, the rules and results of their files, and freeing them. */
#include "engine/report_build.h"

#include <string.h>

#include "formats/summary.h"

/* The limits on findings bound the report; a tight memory limit must leave room to say that it was
 * reached. */
struct report *report_new(const struct engine *e, const struct check_input *in)
{
	struct arena first, *arena;
	struct report *r;
	const char *name;
	bool below;

	arena_init(&first, e->allocator, UINT64_MAX);
	first.chunk_len = e->chunk_len;
	arena = arena_alloc(&first, 1, sizeof *arena);
	r = arena_alloc(&first, 1, sizeof *r);
	name = path_root_name(&e->path_root, &first, in->name, &below);
	if (!arena || !r || !name) {
		arena_free(&first);
		return NULL;
	}
	*arena = first; /* it lies in its own memory */
	*r = (struct report){ .arena = arena,
			      .name = name,
			      .own_name = name,
			      .below_root = below,
			      .size = in->io.size };
	return r;
}

struct report *report_new_nested(struct report *parent, const struct member *m)
{
	struct report *r = arena_alloc(parent->arena, 1, sizeof *r);

	if (!r)
		return NULL;
	*r = (struct report){
		.arena = parent->arena,
		.parent = parent,
		.name = m->name,
		.own_name = m->own_name,
		.below_root = parent->below_root,
		.size = m->file->span.len,
		.at = m->file->span,
		.decoded = m->file->decoded || m->file->file > 0,
		.is_beside = m->file->file > 0,
		.is_namesake = (m->file->decoded && !m->file->is_listed) || m->file->file > 0,
	};
	return r;
}

/* The rules of reports about files of one format. */
static const struct rule *const *share_rules(struct tree *t, size_t number,
					     const struct rule_index *a, size_t n)
{
	const struct engine *e = t->engine;
	const size_t n_format = a->end - a->first;
	const struct rule **rules;

	if (t->rules[number])
		return t->rules[number];
	rules = arena_alloc(t->root->arena, n, sizeof(*rules));
	if (!rules)
		return NULL;
	memcpy(rules, e->rules + a->first, n_format * sizeof(*rules));
	memcpy(rules + n_format, e->rules + e->run.first, (n - n_format) * sizeof(*rules));
	t->rules[number] = rules;
	return rules;
}

static bool take_rules(struct report *r, struct tree *t, size_t number)
{
	static const struct rule_index no_format = { .first = 0 };
	const struct engine *e = t->engine;
	const struct rule_index *a = number < FORMATS_MAX ? &e->indexes[number] : &no_format;

	r->first_rule = a->first;
	r->first_told = a->end - a->first;
	r->first_own = e->run.first;
	r->n_rules = r->first_told + (e->n_rules - e->run.first);
	r->rules = share_rules(t, number, a, r->n_rules);
	return r->rules != NULL;
}

/* What results may need in the arena of reports is little, and must be there. */
bool report_begin_results(struct report *r, struct tree *t, size_t number,
			  struct results_scratch *scratch)
{
	r->arena->budget = UINT64_MAX;
	if (!take_rules(r, t, number))
		return false;
	memset(scratch->status, RULE_NOT_APPLICABLE, r->n_rules);
	memset(scratch->why, 0, r->n_rules);
	scratch->notes = (struct results_notes){
		.arena = r->arena,
		.own = scratch->own,
		.first_own = r->first_told,
		.reasons = scratch->reasons,
	};
	r->results = (struct results){ scratch->status, scratch->why, &scratch->notes };
	return true;
}

/* Files in which no rule failed mostly have the same results. */
bool report_keep_results(struct report *r, struct tree *t, size_t number)
{
	struct results *clean = &t->clean[number], kept;

	if (clean->status && results_are_same(&r->results, clean, r->n_rules)) {
		r->results = *clean;
		return true;
	}
	if (!results_copy(&kept, &r->results, r->n_rules, r->arena))
		return false;
	r->results = kept;
	if (results_next(&kept, RULE_FAIL, 0, r->n_rules) == r->n_rules)
		*clean = kept;
	return true;
}

void report_free(struct report *r)
{
	struct arena arena;

	if (!r || r->parent)
		return;
	if (r->kept) {
		arena = *r->kept->arena;
		arena_free(&arena);
	}
	arena = *r->arena; /* it lies in its own memory, as the report does */
	arena_free(&arena);
}

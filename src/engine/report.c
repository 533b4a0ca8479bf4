/* Reports: making them, walking over a tree of them, freeing it. */
#include "engine/tree.h"

#include <string.h>

/* A report's own part in an arena; name and rules stay the caller's to set. */
static struct report *alloc_report(struct arena *arena, const struct engine *e)
{
	size_t n = e->n_rules, first_own = e->run.first;
	struct report *r = arena_alloc(arena, 1, sizeof *r);
	struct rule_result *own = arena_alloc(arena, n - first_own, sizeof *own);
	struct results results;

	results.status = arena_alloc(arena, n, 1);
	results.why = arena_alloc(arena, n, 1);
	if (!r || !own || !results.status || !results.why)
		return NULL;
	results.notes = &r->notes;
	memset(results.status, RULE_NOT_APPLICABLE, n);
	*r = (struct report){ .results = results, .n_rules = n, .first_told = first_own };
	r->notes = (struct results_notes){ .arena = arena, .own = own, .first_own = first_own };
	r->scope.flags = e->level == LEVEL_STRUCTURE ? SCOPE_TABLES : 0;
	return r;
}

struct report *report_new(const struct engine *e, const struct check_input *in)
{
	struct arena arena;
	struct report *r;
	size_t len = strlen(in->name) + 1, n = e->n_rules;
	char *name;
	const struct rule **rules;

	/* The limits on findings bound the report; a tight memory limit must leave room to say that it was reached. */
	arena_init(&arena, e->allocator, UINT64_MAX);
	arena.chunk_len = e->chunk_len;
	r = alloc_report(&arena, e);
	name = arena_alloc(&arena, len, 1);
	rules = arena_alloc(&arena, n, sizeof(*rules));
	if (!r || !name || !rules) {
		arena_free(&arena);
		return NULL;
	}
	memcpy(name, in->name, len);
	memcpy(rules, e->rules, n * sizeof(*rules));
	r->name = r->own_name = name;
	r->rules = rules;
	r->size = in->io.size;
	r->arena = arena;
	r->notes.arena = &r->arena;
	return r;
}

struct report *report_new_nested(struct tree *t, struct report *parent, const struct nested_file *f)
{
	struct report *r = alloc_report(&t->root->arena, t->engine);

	if (!r)
		return NULL;
	r->parent = parent;
	r->name = f->own_name - 1 - strlen(parent->name);
	r->own_name = f->own_name;
	r->rules = parent->rules;
	r->size = f->span.len;
	r->at = f->span;
	r->decoded = f->bytes != NULL;
	return r;
}

const char *report_file(const struct report *r, uint32_t number)
{
	return number > 0 && number <= r->n_companions ? r->companions[number - 1].name : "";
}

size_t report_next_failed(const struct report *r, size_t i)
{
	const size_t n_before = r->n_rules - r->first_told;

	if (i < n_before)
		i = results_next(&r->results, RULE_FAIL, r->first_told + i, r->n_rules) - r->first_told;
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

void report_free(struct report *r)
{
	struct arena arena;

	if (!r || r->parent)
		return;
	arena = r->arena;               /* the report itself lies in it */
	arena_free(&arena);
}

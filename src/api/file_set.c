/* The public interface to sets of files that belong together. */
#include "api/api.h"

uvet_status uvet_set_new(uvet_engine *engine, uvet_set **out)
{
	struct allocator a;
	uvet_set *set;

	if (!out)
		return UVET_BAD_CALL;
	*out = NULL;
	if (!engine)
		return UVET_BAD_CALL;
	a = engine->engine.allocator;
	set = a.alloc(a.ctx, sizeof *set);
	if (!set)
		return UVET_NO_MEMORY;
	set->is_checked = false;
	file_set_init(&set->inner, &engine->engine);
	*out = set;
	return UVET_OK;
}

void uvet_set_free(uvet_set *set)
{
	struct allocator a;

	if (!set)
		return;
	a = set->inner.engine->allocator;
	file_set_free(&set->inner);
	a.release(a.ctx, set, sizeof *set);
}

uvet_status uvet_set_add(uvet_set *set, const uvet_report *report, int is_game)
{
	if (!set || !report || set->is_checked)
		return UVET_BAD_CALL;
	file_set_add(&set->inner, api_report(report), is_game ? SET_GAME : SET_GIVEN);
	return UVET_OK;
}

uvet_status uvet_set_check(uvet_set *set, const uvet_hooks *hooks, uvet_report **out)
{
	struct check_input in = { .name = "" };
	uvet_hooks own;

	if (!out)
		return UVET_BAD_CALL;
	*out = NULL;
	if (!set || set->is_checked || !api_hooks_read(&own, hooks))
		return UVET_BAD_CALL;
	set->is_checked = true;
	if (!file_set_settle(&set->inner))
		return UVET_NO_MEMORY;
	if (!file_set_is_worth_a_report(&set->inner))
		return UVET_OK;
	api_input_hook(&in, &own);
	*out = (void *)file_set_check(&set->inner, &in);
	if (!*out)
		return UVET_NO_MEMORY;
	api_pass_findings(*out, &own);
	return UVET_OK;
}

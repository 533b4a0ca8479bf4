/* The public interface to sets of files that belong together. */
#include "api/api.h"

#include <string.h>

#include "report/deps.h"

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
	set->is_settled = set->is_checked = false;
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
	if (!set || !report || set->is_settled)
		return UVET_BAD_CALL;
	file_set_add(&set->inner, api_report(report), is_game ? SET_GAME : SET_GIVEN);
	return UVET_OK;
}

uvet_status uvet_set_list(uvet_set *set, const char *name, size_t folder_len, const uvet_io *io)
{
	struct source_io source;
	uvet_io own;

	if (!set || !name || !io || set->is_settled || folder_len > strlen(name) ||
	    !api_io_read(&own, io) || !own.read_at)
		return UVET_BAD_CALL;
	source = api_source_of(&own);
	file_set_list(&set->inner, name, folder_len, &source);
	return UVET_OK;
}

/* Once, when everything was added. */
static void settle(uvet_set *set)
{
	if (!set->is_settled)
		file_set_settle(&set->inner);
	set->is_settled = true;
}

static uvet_status write_imports(uvet_set *set, const struct check_input *in, bool as_json,
				 struct out *o)
{
	const enum map_result result = as_json ? deps_json(&set->inner, in, o)
					       : deps_text(&set->inner, in, o);

	out_flush(o);
	if (o->failed)
		return UVET_WRITE_FAILED;
	if (result == MAP_NO_MEMORY)
		return UVET_NO_MEMORY;
	return result == MAP_OK ? UVET_OK : UVET_CUT;
}

/* The buffer of what is written lies in memory of its own: it is too large for the stack of a
 * caller. */
uvet_status uvet_set_imports(uvet_set *set, const uvet_hooks *hooks, const char *format,
			     uvet_sink *sink, void *ctx)
{
	struct check_input in = { .name = "" };
	uvet_status status = UVET_NO_MEMORY;
	struct arena arena;
	uvet_hooks own;
	struct out *o;

	if (!set || !format || !sink || !api_hooks_read(&own, hooks))
		return UVET_BAD_CALL;
	if (strcmp(format, "text") != 0 && strcmp(format, "json") != 0)
		return UVET_BAD_OPTION;
	settle(set);
	api_input_hook(&in, &own);
	arena_init(&arena, set->inner.engine->allocator, UINT64_MAX);
	arena.chunk_len = set->inner.engine->chunk_len;
	o = arena_alloc(&arena, 1, sizeof *o);
	if (o)
		status = write_imports(set, &in, strcmp(format, "json") == 0,
				       out_init(o, sink, ctx));
	arena_free(&arena);
	return status;
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
	settle(set);
	if (!file_set_is_worth_a_report(&set->inner))
		return UVET_OK;
	api_input_hook(&in, &own);
	*out = (void *)file_set_check(&set->inner, &in);
	if (!*out)
		return UVET_NO_MEMORY;
	api_pass_findings(*out, &own);
	return UVET_OK;
}

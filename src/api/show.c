/* The public interface to maps and infos. */
#include <string.h>

#include "api/api.h"
#include "report/map.h"

enum form { FORM_TEXT, FORM_JSON };

static bool find_form(const char *name, enum form *out)
{
	*out = strcmp(name, "json") == 0 ? FORM_JSON : FORM_TEXT;
	return *out == FORM_JSON || strcmp(name, "text") == 0;
}

static uvet_status finish(struct out *o)
{
	out_flush(o);
	return o->failed ? UVET_WRITE_FAILED : UVET_OK;
}

/* A shower writes what is asked about one input. */
typedef uvet_status shower(struct engine *e, const struct check_input *in, enum form form,
			   struct out *o);

uvet_status api_status_of(enum map_result result)
{
	switch (result) {
	case MAP_UNKNOWN_FORMAT:
		return UVET_UNKNOWN_FORMAT;
	case MAP_UNREADABLE:
		return UVET_UNREADABLE;
	case MAP_NO_MEMORY:
		return UVET_NO_MEMORY;
	case MAP_CUT:
		return UVET_CUT;
	default:
		return UVET_OK;
	}
}

static uvet_status show_map(struct engine *e, const struct check_input *in, enum form form,
			    struct out *o)
{
	enum map_result result = form == FORM_TEXT ? map_text(e, in, o) : map_json(e, in, o);
	uvet_status status = finish(o);

	return status == UVET_OK ? api_status_of(result) : status;
}

/* What a failed rule of the family RUN means for the facts. Rules about payload and about the
 * profile mean nothing for them. */
static enum map_result result_of(const struct rule *rule)
{
	static const struct {
		const char *id;
		enum map_result result;
	} known[] = {
		{ "RUN002", MAP_UNREADABLE },
		{ "RUN003", MAP_UNREADABLE },
		{ "RUN004", MAP_UNKNOWN_FORMAT },
		{ "RUN005", MAP_NO_MEMORY },
		{ "RUN007", MAP_OK },
		{ "RUN008", MAP_OK },
		{ "RUN009", MAP_OK },
		{ "RUN011", MAP_OK },
		{ "RUN013", MAP_OK },
		{ "RUN014", MAP_OK },
		{ "RUN015", MAP_OK },
	};

	if (strncmp(rule->id, "RUN", 3) != 0)
		return MAP_OK;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i].id, rule->id) == 0)
			return known[i].result;
	return MAP_CUT;
}

static enum map_result facts_result(const struct report *r)
{
	enum map_result result = r->format ? MAP_OK : MAP_UNKNOWN_FORMAT;

	for (size_t i = 0; (i = results_next(&r->results, RULE_FAIL, i, r->n_rules)) < r->n_rules;
	     i++) {
		enum map_result found = result_of(r->rules[i]);

		if (found != MAP_OK && result != MAP_NO_MEMORY)
			result = found;
	}
	return result;
}

static uvet_status show_info(struct engine *e, const struct check_input *in, enum form form,
			     struct out *o)
{
	struct check_input alone = *in;
	enum map_result result;
	struct report *r;
	uvet_status status;

	alone.alone = true;
	r = engine_check(e, &alone);
	if (!r)
		return UVET_NO_MEMORY;
	result = facts_result(r);
	if (form == FORM_TEXT)
		info_text(r, result, o);
	else
		info_json(r, result, o);
	report_free(r);
	status = finish(o);
	return status == UVET_OK ? api_status_of(result) : status;
}

/* A question is what is asked of an input, and who takes the answer. */
struct question {
	shower *show;
	const char *format;
	uvet_sink *sink;
	void *ctx;
};

static uvet_status check_question(const uvet_engine *engine, const char *name,
				  const struct question *q, enum form *form)
{
	if (!engine || !name || !q->format || !q->sink)
		return UVET_BAD_CALL;
	return find_form(q->format, form) ? UVET_OK : UVET_BAD_OPTION;
}

/* The buffer of the answer lies in memory of its own: it is too large for the stack of a caller. */
static uvet_status answer(struct engine *e, const struct check_input *in, const struct question *q,
			  enum form form)
{
	uvet_status status = UVET_NO_MEMORY;
	struct arena arena;
	struct out *o;

	arena_init(&arena, e->allocator, UINT64_MAX);
	arena.chunk_len = e->chunk_len;
	o = arena_alloc(&arena, 1, sizeof *o);
	if (o)
		status = q->show(e, in, form, out_init(o, q->sink, q->ctx));
	arena_free(&arena);
	return status;
}

static uvet_status ask_path(uvet_engine *engine, const char *path, const uvet_hooks *hooks,
			    const struct question *q)
{
	struct api_input input;
	uvet_status status;
	uvet_hooks own;
	enum form form;

	if (!api_hooks_read(&own, hooks))
		return UVET_BAD_CALL;
	status = check_question(engine, path, q, &form);
	if (status != UVET_OK)
		return status;
	api_input_of_path(&input, path);
	api_input_hook(&input.in, &own);
	status = answer(&engine->engine, &input.in, q, form);
	api_input_close(&input);
	return status;
}

static uvet_status ask_io(uvet_engine *engine, const char *name, const uvet_io *io,
			  const uvet_hooks *hooks, const struct question *q)
{
	struct api_input input;
	uvet_status status;
	uvet_hooks own;
	enum form form;

	if (!name || !api_input_of_io(&input, name, io) || !api_hooks_read(&own, hooks))
		return UVET_BAD_CALL;
	status = check_question(engine, name, q, &form);
	if (status != UVET_OK)
		return status;
	api_input_hook(&input.in, &own);
	return answer(&engine->engine, &input.in, q, form);
}

uvet_status uvet_map_path(uvet_engine *engine, const char *path, const uvet_hooks *hooks,
			  const char *format, uvet_sink *sink, void *ctx)
{
	return ask_path(engine, path, hooks, &(struct question){ show_map, format, sink, ctx });
}

uvet_status uvet_map_io(uvet_engine *engine, const char *name, const uvet_io *io,
			const uvet_hooks *hooks, const char *format, uvet_sink *sink, void *ctx)
{
	return ask_io(engine, name, io, hooks, &(struct question){ show_map, format, sink, ctx });
}

uvet_status uvet_info_path(uvet_engine *engine, const char *path, const uvet_hooks *hooks,
			   const char *format, uvet_sink *sink, void *ctx)
{
	return ask_path(engine, path, hooks, &(struct question){ show_info, format, sink, ctx });
}

uvet_status uvet_info_io(uvet_engine *engine, const char *name, const uvet_io *io,
			 const uvet_hooks *hooks, const char *format, uvet_sink *sink, void *ctx)
{
	return ask_io(engine, name, io, hooks, &(struct question){ show_info, format, sink, ctx });
}

/* The public interface to engines and checks. */
#include "api/api.h"

#include <string.h>

#include "core/path.h"

/* ---- Engine ---------------------------------------------------------------------------------- */

void api_engine_init(struct engine *e)
{
	engine_init(e, (struct allocator){ platform_alloc, platform_release, NULL });
	e->now = platform_now;
	e->path_root.backslashes = platform_folder_len("\\") > 0;
}

/* An engine's script objects are its own: the options may be freed before it. */
bool api_scripts_copy(struct script_objects *to, const struct script_objects *from,
		      struct allocator a)
{
	uint64_t *ids;

	*to = (struct script_objects){ NULL, 0 };
	if (from->n == 0)
		return true;
	ids = a.alloc(a.ctx, (size_t)from->n * sizeof *ids);
	if (!ids)
		return false;
	memcpy(ids, from->ids, (size_t)from->n * sizeof *ids);
	*to = (struct script_objects){ ids, from->n };
	return true;
}

void api_scripts_free(struct script_objects *s, struct allocator a)
{
	if (s->n > 0)
		a.release(a.ctx, (void *)(uintptr_t)s->ids, (size_t)s->n * sizeof *s->ids);
	*s = (struct script_objects){ NULL, 0 };
}

uvet_status uvet_engine_new(const uvet_options *options, uvet_engine **out)
{
	struct allocator a = { platform_alloc, platform_release, NULL };
	uvet_engine *e;

	if (!out)
		return UVET_BAD_CALL;
	*out = NULL;
	if (options)
		a = options->settings.allocator;
	e = a.alloc(a.ctx, sizeof *e);
	if (!e)
		return UVET_NO_MEMORY;
	if (options)
		memcpy(&e->engine, &options->settings, sizeof e->engine);
	else
		api_engine_init(&e->engine);
	if (options && !api_scripts_copy(&e->engine.scripts, &options->settings.scripts, a)) {
		a.release(a.ctx, e, sizeof *e);
		return UVET_NO_MEMORY;
	}
	e->engine.threads.ctx = &e->engine.threads;
	path_root_settle(&e->engine.path_root);
	*out = e;
	return UVET_OK;
}

void uvet_engine_free(uvet_engine *engine)
{
	struct allocator a;

	if (!engine)
		return;
	a = engine->engine.allocator;
	keys_wipe(&engine->engine.keys);
	api_scripts_free(&engine->engine.scripts, a);
	a.release(a.ctx, engine, sizeof *engine);
}

/* ---- Cancelling ------------------------------------------------------------------------------ */

uvet_status uvet_cancellation_new(uvet_cancellation **out)
{
	uvet_cancellation *c;

	if (!out)
		return UVET_BAD_CALL;
	*out = NULL;
	c = platform_alloc(NULL, sizeof *c);
	if (!c)
		return UVET_NO_MEMORY;
	atomic_init(&c->is_set, false);
	*out = c;
	return UVET_OK;
}

void uvet_cancellation_set(uvet_cancellation *cancellation)
{
	if (cancellation)
		atomic_store_explicit(&cancellation->is_set, true, memory_order_relaxed);
}

void uvet_cancellation_free(uvet_cancellation *cancellation)
{
	if (cancellation)
		platform_release(NULL, cancellation, sizeof *cancellation);
}

/* ---- Checking -------------------------------------------------------------------------------- */

/* Passes the findings of one report to the host; false: the host wants no more. */
static bool pass_findings(const struct report *r, const uvet_hooks *hooks)
{
	for (size_t i = 0; i < r->n_findings; i++)
		if (hooks->on_finding(hooks->ctx, (const void *)r->findings[i]) != 0)
			return false;
	return true;
}

/* Checks an input, whose check the caller's hooks may end. */
static uvet_status check(uvet_engine *engine, const struct check_input *in, uvet_report **out)
{
	struct report *r = engine_check(&engine->engine, in);

	*out = (void *)r;
	return r ? UVET_OK : UVET_NO_MEMORY;
}

void api_pass_findings(const uvet_report *report, const uvet_hooks *hooks)
{
	const struct report *top = api_report(report), *r = hooks->on_finding ? top : NULL;

	while (r && pass_findings(r, hooks))
		r = report_next(top, r);
}

uvet_status api_check(uvet_engine *engine, struct check_input *in, const uvet_hooks *hooks,
		      uvet_report **out)
{
	uvet_status status;

	api_input_hook(in, hooks);
	status = check(engine, in, out);
	if (status == UVET_OK)
		api_pass_findings(*out, hooks);
	return status;
}

uvet_status uvet_check_path(uvet_engine *engine, const char *path, const uvet_hooks *hooks,
			    uvet_report **out)
{
	struct api_input input;
	uvet_status status;
	uvet_hooks own;

	if (!out)
		return UVET_BAD_CALL;
	*out = NULL;
	if (!engine || !path || !api_hooks_read(&own, hooks))
		return UVET_BAD_CALL;
	api_input_of_path(&input, path);
	status = api_check(engine, &input.in, &own, out);
	api_input_close(&input);
	return status;
}

uvet_status uvet_check_memory(uvet_engine *engine, const char *name, const void *bytes, size_t len,
			      const uvet_hooks *hooks, uvet_report **out)
{
	struct check_input in = { .io.size = len, .memory = bytes, .name = name };
	uvet_hooks own;

	if (!out)
		return UVET_BAD_CALL;
	*out = NULL;
	if (!engine || !name || (!bytes && len > 0) || !api_hooks_read(&own, hooks))
		return UVET_BAD_CALL;
	if (!bytes)
		in.memory = (const uint8_t *)"";
	return api_check(engine, &in, &own, out);
}

uvet_status uvet_check_io(uvet_engine *engine, const char *name, const uvet_io *io,
			  const uvet_hooks *hooks, uvet_report **out)
{
	struct api_input input;
	uvet_hooks own;

	if (!out)
		return UVET_BAD_CALL;
	*out = NULL;
	if (!engine || !name || !api_input_of_io(&input, name, io) || !api_hooks_read(&own, hooks))
		return UVET_BAD_CALL;
	return api_check(engine, &input.in, &own, out);
}

uvet_status uvet_check_link(uvet_engine *engine, const char *name, uvet_report **out)
{
	struct check_input in = { .name = name,
				  .unreadable = true,
				  .trouble = "it is a link, which is not followed in folders" };

	if (!out)
		return UVET_BAD_CALL;
	*out = NULL;
	if (!engine || !name)
		return UVET_BAD_CALL;
	return format_promised(path_extension(text_from(name))) ? check(engine, &in, out) : UVET_OK;
}

uvet_status uvet_check_lost(uvet_engine *engine, const char *name, uint64_t timeout_ms,
			    uvet_report **out)
{
	struct check_input in = { .name = name,
				  .lost = true,
				  .timeout = api_nanoseconds(timeout_ms) };

	if (!out)
		return UVET_BAD_CALL;
	*out = NULL;
	return engine && name ? check(engine, &in, out) : UVET_BAD_CALL;
}

/* The public interface to engines and checks. */
#include "api/api.h"

#include <string.h>

#include "core/checked.h"
#include "core/path.h"

/* Nanoseconds in a millisecond. */
#define NANOSECONDS ((uint64_t)1000000)

/* ---- Engine ------------------------------------------------------------------------------------------------------------- */

void api_engine_init(struct engine *e)
{
	engine_init(e, (struct allocator){ platform_alloc, platform_release, NULL });
	e->now = platform_now;
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
	atomic_init(&e->engine.cancel, false);
	e->engine.crew.ctx = &e->engine.crew;
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
	a.release(a.ctx, engine, sizeof *engine);
}

void uvet_engine_cancel(uvet_engine *engine)
{
	if (engine)
		atomic_store_explicit(&engine->engine.cancel, true, memory_order_relaxed);
}

/* ---- Cancelling one check --------------------------------------------------------------------------------------------- */

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

/* ---- Checking ----------------------------------------------------------------------------------------------------------- */

static uint64_t nanoseconds(uint64_t ms)
{
	uint64_t n;

	return checked_mul(ms, NANOSECONDS, &n) ? n : UINT64_MAX;
}

/* Passes the findings of one report; false if the host wants no more. */
static bool pass_findings(const struct report *r, const uvet_hooks *hooks)
{
	for (size_t i = 0; i < r->n_findings; i++)
		if (hooks->on_finding(hooks->ctx, (const void *)r->findings[i]) != 0)
			return false;
	return true;
}

static uvet_status check(uvet_engine *engine, struct check_input *in, const uvet_hooks *hooks, uvet_report **out)
{
	struct report *r;
	const struct report *next;

	if (hooks) {
		in->cancel = hooks->cancellation ? &hooks->cancellation->is_set : NULL;
		in->timeout = nanoseconds(hooks->timeout_ms);
	}
	r = engine_check(&engine->engine, in);
	next = hooks && hooks->on_finding ? r : NULL;
	if (!r)
		return UVET_NO_MEMORY;
	while (next && pass_findings(next, hooks))
		next = report_next(r, next);
	*out = (void *)r;
	return UVET_OK;
}

uvet_status uvet_check_path(uvet_engine *engine, const char *path, const uvet_hooks *hooks, uvet_report **out)
{
	struct api_input input;
	uvet_status status;

	if (!engine || !path || !out)
		return UVET_BAD_CALL;
	*out = NULL;
	api_input_of_path(&input, path);
	status = check(engine, &input.in, hooks, out);
	api_input_close(&input);
	return status;
}

uvet_status uvet_check_memory(uvet_engine *engine, const char *name, const void *bytes, size_t len, const uvet_hooks *hooks,
			      uvet_report **out)
{
	struct check_input in = { .io.size = len, .memory = bytes, .name = name };

	if (!engine || !name || (!bytes && len > 0) || !out)
		return UVET_BAD_CALL;
	*out = NULL;
	if (!bytes)
		in.memory = (const uint8_t *)"";
	return check(engine, &in, hooks, out);
}

uvet_status uvet_check_io(uvet_engine *engine, const char *name, const uvet_io *io, const uvet_hooks *hooks, uvet_report **out)
{
	struct api_input input;

	if (!engine || !name || (io && !io->read_at) || !out)
		return UVET_BAD_CALL;
	*out = NULL;
	api_input_of_io(&input, name, io);
	return check(engine, &input.in, hooks, out);
}

uvet_status uvet_check_link(uvet_engine *engine, const char *name, uvet_report **out)
{
	struct check_input in = { .name = name, .unreadable = true, .trouble = "it is a link, which is not followed in folders" };

	if (!engine || !name || !out)
		return UVET_BAD_CALL;
	*out = NULL;
	return format_promised(text_word8(path_extension(text_from(name)))) ? check(engine, &in, NULL, out) : UVET_OK;
}

uvet_status uvet_check_lost(uvet_engine *engine, const char *name, uint64_t timeout_ms, uvet_report **out)
{
	struct check_input in = { .name = name, .lost = true, .timeout = nanoseconds(timeout_ms) };

	if (!engine || !name || !out)
		return UVET_BAD_CALL;
	*out = NULL;
	return check(engine, &in, NULL, out);
}

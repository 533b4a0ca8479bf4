/* The world: how it begins and ends, and what all calls ask of it. */
#include "targets/api_world.h"

#include <string.h>

#include "support/memory.h"
#include "support/must.h"
#include "support/random.h"
#include "targets/api_look.h"

static void *take_memory(void *ctx, size_t size)
{
	struct world *w = ctx;
	const struct allocator a = memory_allocator(&w->memory);

	return a.alloc(a.ctx, size);
}

static bool has_secret(const struct world *w, const uint8_t *bytes, size_t size)
{
	const uint8_t *at = bytes, *end = bytes + size;

	while (at && end - at >= SECRET_LEN) {
		at = memchr(at, w->secret[0], (size_t)(end - at) - SECRET_LEN + 1);
		if (at && memcmp(at, w->secret, SECRET_LEN) == 0)
			return true;
		at = at ? at + 1 : NULL;
	}
	return false;
}

static void give_memory(void *ctx, void *piece, size_t size)
{
	struct world *w = ctx;
	const struct allocator a = memory_allocator(&w->memory);

	MUST(!w->keys_given || !has_secret(w, piece, size), "no copy of a key is left in memory");
	a.release(a.ctx, piece, size);
}

void world_start(struct world *w, const uint8_t *data, size_t size)
{
	static const char *const names[N_INPUT_NAMES] = { "Mod.utoc", "Mod.utoc", "Mod.umod",
							  "Mod.u",    "Mod.u.uz", "Mod.uz2",
							  "Mod.uz3",  "download", "M d%n.ut4mod" };
	const size_t n = size > 0 ? data[0] : 0, len = n < size ? n : size > 0 ? size - 1 : 0;
	struct dice d = { random_hash(data, size) }; /* so that no input holds its own secret */
	uvet_limit limit = UVET_LIMIT_INIT;

	memset(w, 0, offsetof(struct world, outputs));
	w->calls = (struct calls){ data + (size > 0), data + (size > 0) + len };
	host_open(&w->host, w->calls.end, size - (size_t)(w->calls.end - data),
		  calls_word(&w->calls, names, N_INPUT_NAMES));
	memory_init(&w->memory, 0xA5);
	for (size_t i = 0; i < SECRET_LEN; i++)
		w->secret[i] = (uint8_t)dice_roll(&d);
	MUST(uvet_options_new(&w->options) == UVET_OK && w->options, "options can be made");
	uvet_options_allocator(w->options, take_memory, give_memory, w);
	for (size_t i = 0; uvet_limit_at(i, &limit); i++)
		w->limits[i] = limit.standard;
	w->fail_on = UVET_SEVERITY_ERROR;
	w->left = PRICE_MAX;
}

bool world_pays(struct world *w, unsigned price)
{
	if (price > w->left)
		return false;
	w->left -= price;
	return true;
}

uvet_report *world_report(struct world *w)
{
	return w->reports[calls_next(&w->calls) % REPORTS_MAX];
}

void world_end_writer(struct world *w)
{
	uvet_writer_free(w->writer);
	w->writer = NULL;
	w->n_outputs = 0;
}

/* A report outlives the engine that made it, and an engine its options. */
void world_end(struct world *w)
{
	const uint8_t order = calls_next(&w->calls);

	world_end_writer(w);
	if (order % 2)
		uvet_options_free(w->options);
	if (order / 2 % 2)
		uvet_engine_free(w->engine);
	for (size_t i = 0; i < REPORTS_MAX; i++) {
		if (w->reports[i] && order / 4 % 2)
			look_at(w->reports[i], i);
		uvet_report_free(w->reports[i]);
	}
	if (!(order / 2 % 2))
		uvet_engine_free(w->engine);
	if (!(order % 2))
		uvet_options_free(w->options);
	uvet_cancellation_free(w->cancellation);
	MUST(w->memory.n_live == 0, "what was allocated is given back");
	host_close(&w->host);
}

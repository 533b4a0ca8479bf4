/* Claims: what a file has of which a game takes one only. */
#include "engine/decoded.h"

/* Passes claims on, and knows whether the host stopped them. */
struct claiming {
	claim_sink *sink;
	void *ctx;
	bool is_stopped;
};

static bool pass(void *ctx, enum claim_kind kind, const uint8_t *bytes, size_t len)
{
	struct claiming *c = ctx;

	c->is_stopped = !c->sink(c->ctx, kind, bytes, len);
	return !c->is_stopped;
}

static enum map_result claim(struct decoded *d, struct claiming *c, unsigned *gaps)
{
	if (!d->format->claims)
		return MAP_UNKNOWN_FORMAT;
	*gaps = d->format->claims(d->facts, &d->decode, pass, c);
	if (c->is_stopped)
		return MAP_STOPPED;
	if (decoded_is_troubled(d))
		return MAP_UNREADABLE;
	if (decoded_lacks_memory(d))
		return MAP_NO_MEMORY;
	return decoded_was_cut(d) ? MAP_CUT : MAP_OK;
}

enum map_result engine_claims(struct engine *e, const struct check_input *in, claim_sink *sink,
			      void *ctx, unsigned *gaps)
{
	struct claiming c = { .sink = sink, .ctx = ctx };
	struct decoded d;
	enum map_result result = decoded_open(&d, e, in);

	*gaps = 0;
	if (result == MAP_OK)
		result = claim(&d, &c, gaps);
	decoded_close(&d);
	return result;
}

/* The public interface to claims. */
#include "api/api.h"

/* Who takes the claims of one input. */
struct taker {
	uvet_claim_callback *take;
	void *ctx;
};

static bool take_claim(void *ctx, enum claim_kind kind, const uint8_t *bytes, size_t len)
{
	static const uvet_claim kinds[] = { [CLAIM_CHUNK] = UVET_CLAIM_CHUNK,
					    [CLAIM_PACKAGE] = UVET_CLAIM_PACKAGE,
					    [CLAIM_PATH] = UVET_CLAIM_PATH };
	const struct taker *t = ctx;

	return t->take(t->ctx, kinds[kind], bytes, len) == 0;
}

static uvet_status claim(uvet_engine *engine, struct api_input *input, const uvet_hooks *hooks,
			 struct taker *t, unsigned *gaps)
{
	_Static_assert((int)CLAIMS_LOCKED == UVET_CLAIMS_LOCKED &&
			       (int)CLAIMS_UNREAD == UVET_CLAIMS_UNREAD &&
			       (int)CLAIMS_HASHED == UVET_CLAIMS_HASHED,
		       "they are the same");

	api_input_hook(&input->in, hooks);
	return api_status_of(engine_claims(&engine->engine, &input->in, take_claim, t, gaps));
}

uvet_status uvet_claims_path(uvet_engine *engine, const char *path, const uvet_hooks *hooks,
			     uvet_claim_callback *take, void *ctx, unsigned *gaps)
{
	struct taker t = { take, ctx };
	struct api_input input;
	uvet_status status;
	uvet_hooks own;

	if (!engine || !path || !take || !gaps || !api_hooks_read(&own, hooks))
		return UVET_BAD_CALL;
	api_input_of_path(&input, path);
	status = claim(engine, &input, &own, &t, gaps);
	api_input_close(&input);
	return status;
}

uvet_status uvet_claims_io(uvet_engine *engine, const char *name, const uvet_io *io,
			   const uvet_hooks *hooks, uvet_claim_callback *take, void *ctx,
			   unsigned *gaps)
{
	struct taker t = { take, ctx };
	struct api_input input;
	uvet_hooks own;

	if (!engine || !name || !take || !gaps || !api_input_of_io(&input, name, io) ||
	    !api_hooks_read(&own, hooks))
		return UVET_BAD_CALL;
	return claim(engine, &input, &own, &t, gaps);
}

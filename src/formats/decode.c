/* Decoding: noting stops. */
#include "formats/decode.h"

#include <string.h>

#include "core/canary.h"
#include "core/checked.h"

static bool note(struct decode *d, uint32_t group, struct group stop)
{
	if (d->groups[group].why == STOP_NOT)
		d->groups[group] = stop;
	return false;
}

bool decode_stop(struct decode *d, uint32_t group, enum stop_why why, struct span at)
{
	return note(d, group, (struct group){ .why = why, .at = at });
}

bool decode_stop_limit(struct decode *d, uint32_t group, enum limit limit, struct span at)
{
	return note(d, group, (struct group){ .why = STOP_LIMIT, .at = at, .limit = limit });
}

bool decode_stop_codec(struct decode *d, uint32_t group, const char *codec, struct span at)
{
	return note(d, group, (struct group){ .why = STOP_CODEC, .at = at, .codec = codec });
}

bool decode_stop_needs(struct decode *d, uint32_t group, uint32_t on)
{
	return note(d, group, (struct group){ .why = STOP_NEEDS, .on = on });
}

bool decode_window(struct decode *d, uint32_t group, struct span span, struct cursor *out)
{
	if (source_window(d->source, span, out))
		return true;
	return decode_stop(d, group, d->source->trouble != SOURCE_FINE ? STOP_INPUT : STOP_MEMORY, span);
}

void *decode_lengthen(struct decode *d, uint32_t group, const void *rows, uint64_t n, uint64_t *max, size_t size)
{
	uint64_t more = *max > 0 ? *max * 2 : 16;
	void *grown = decode_alloc(d, group, more, size);

	if (!grown)
		return NULL;
	if (n > 0)
		memcpy(grown, rows, (size_t)n * size);
	*max = more + CANARY(11);                                       /* canary: a list is a row too short */
	return grown;
}

/* However small a file is, this much may come out of it. */
#define UNPACKED_MIN ((uint64_t)1048576)

static uint64_t ratio_max(const struct decode *d, uint64_t packed_len)
{
	uint64_t most;

	if (!checked_mul(packed_len, d->limits->of[LIMIT_ratio], &most))
		return UINT64_MAX;
	return most > UNPACKED_MIN ? most : UNPACKED_MIN;
}

uint64_t decode_unpack_max(const struct decode *d, uint64_t packed_len)
{
	uint64_t by_ratio = ratio_max(d, packed_len), most = d->limits->of[LIMIT_unpacked];

	return by_ratio < most ? by_ratio : most;
}

bool decode_may_unpack(struct decode *d, uint32_t group, uint64_t n, struct span packed)
{
	if (n <= decode_unpack_max(d, packed.len))
		return true;
	return decode_stop_limit(d, group, n > d->limits->of[LIMIT_unpacked] ? LIMIT_unpacked : LIMIT_ratio, packed);
}

bool decode_spend(struct decode *d, uint32_t group, uint64_t n)
{
	if (work_spend(&d->work, n))
		return true;
	return decode_stop_limit(d, group, LIMIT_work, (struct span){ 0, 0 });
}

/* Fingerprints: hashing, and ordinals for equal ones. */
#include "report/fingerprint.h"

#include "core/order.h"
#include "report/message.h"

#define FNV_BASIS 0xCBF29CE484222325u
#define FNV_PRIME 0x00000100000001B3u

UVET_WRAPS static int hash_sink(void *ctx, const void *bytes, size_t len)
{
	uint64_t *hash = ctx;
	const uint8_t *p = bytes;

	for (size_t i = 0; i < len; i++)
		*hash = (*hash ^ p[i]) * FNV_PRIME;
	return 0;
}

uint64_t fingerprint_of(const char *path, const struct finding *f)
{
	uint64_t hash = FNV_BASIS;
	struct out o;

	out_init(&o, hash_sink, &hash);
	out_string(&o, f->rule->id);
	out_byte(&o, 0);
	for (; *path; path++)
		out_byte(&o, *path == '\\' ? '/' : (uint8_t)*path);
	out_string(&o, f->file ? "/" : "");
	out_string(&o, f->file ? f->file : "");
	out_byte(&o, 0);
	if (message_has_field(&f->place))
		message_field(&o, &f->place);
	out_byte(&o, 0);
	message_write(&o, f);
	out_flush(&o);
	return hash;
}

static uint64_t with_ordinal(uint64_t hash, uint64_t ordinal)
{
	struct out o;

	out_init(&o, hash_sink, &hash);
	out_byte(&o, '#');
	out_dec(&o, ordinal);
	out_flush(&o);
	return hash;
}

static uint64_t hash_key(const void *table, uint32_t i)
{
	return ((const uint64_t *)table)[i];
}

const uint64_t *fingerprints_make(struct arena *arena, const struct report *r, size_t n)
{
	uint64_t *hashes = arena_alloc(arena, n, sizeof *hashes), last = 0, ordinal = 0;
	struct order order;

	if (!hashes)
		return NULL;
	for (size_t i = 0; i < n; i++)
		hashes[i] = fingerprint_of(r->name, r->findings[i]);
	if (!order_by_key(arena, hashes, (uint32_t)n, hash_key, &order))
		return NULL;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t *hash = &hashes[order_row(&order, i)];

		ordinal = i > 0 && *hash == last ? ordinal + 1 : 1;
		last = *hash;
		if (ordinal > 1)
			*hash = with_ordinal(*hash, ordinal);
	}
	return hashes;
}

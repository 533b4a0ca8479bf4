/* The SHA-256 of a file: one pass over its bytes. */
#include "engine/file_digest.h"

#include "codec/sha256.h"
#include "engine/report.h"

_Static_assert((int)FILE_DIGEST_LEN == (int)SHA256_LEN, "a report has room for it");

static bool take_bytes(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	(void)at;
	sha256_add(ctx, bytes, n);
	return true;
}

void file_digest(struct source *s, struct report *r)
{
	const struct span all = { 0, s->io.size };
	struct sha256 digest;

	if (!sha256_is_available() || s->trouble == SOURCE_UNREADABLE)
		return;
	sha256_start(&digest);
	if (all.len > 0 && !source_stream(s, all, take_bytes, &digest))
		return;
	sha256_end(&digest, r->sha256);
	r->has_sha256 = true;
}

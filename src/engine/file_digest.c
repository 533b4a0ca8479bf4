/* The SHA-256 of a file: one pass over its bytes. */
#include "engine/file_digest.h"

#include "codec/sha256.h"
#include "engine/report.h"

_Static_assert((int)FILE_DIGEST_LEN == (int)SHA256_LEN, "a report has room for it");

struct pass {
	struct sha256 digest;
	const struct interrupt *interrupt;
};

/* The host and the clock are asked at each piece: the digest is no work, which would ask them. */
static bool take_bytes(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	struct pass *p = ctx;

	(void)at;
	sha256_add(&p->digest, bytes, n);
	return interrupt_look(p->interrupt) == INTERRUPTED_NOT;
}

void file_digest(struct source *s, struct report *r)
{
	const struct span all = { 0, s->io.size };
	struct pass pass = { .interrupt = s->interrupt };

	if (!sha256_is_available() || s->trouble == SOURCE_UNREADABLE)
		return;
	sha256_start(&pass.digest);
	if (all.len > 0 && !source_stream(s, all, take_bytes, &pass))
		return;
	sha256_end(&pass.digest, r->sha256);
	r->has_sha256 = true;
}

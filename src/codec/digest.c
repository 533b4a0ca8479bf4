/* The digests of chunks: one interface to SHA-1 and BLAKE3. */
#include "codec/digest.h"

#include <string.h>

#include "core/compiler.h"

_Static_assert((int)DIGEST_LEN == (int)SHA1_LEN && (int)DIGEST_LEN == (int)BLAKE3_SHORT_LEN,
	       "both digests are of one length");

bool digest_is_available(enum digest_kind kind)
{
	return kind == DIGEST_NONE ||
	       (kind == DIGEST_SHA1 ? sha1_is_available() : blake3_is_available());
}

const char *digest_name(enum digest_kind kind)
{
	static const char *const names[] = { "", "SHA-1", "BLAKE3" };

	return names[kind];
}

void digest_start(struct digest *g, enum digest_kind kind)
{
	g->kind = NEVER(!digest_is_available(kind)) ? DIGEST_NONE : kind;
	if (g->kind == DIGEST_SHA1)
		sha1_start(&g->of.sha1);
	else if (g->kind == DIGEST_BLAKE3)
		blake3_start(&g->of.blake3);
}

void digest_add(struct digest *g, const uint8_t *bytes, uint64_t n)
{
	if (g->kind == DIGEST_SHA1)
		sha1_add(&g->of.sha1, bytes, n);
	else if (g->kind == DIGEST_BLAKE3)
		blake3_add(&g->of.blake3, bytes, n);
}

void digest_end(struct digest *g, uint8_t out[DIGEST_LEN])
{
	if (g->kind == DIGEST_SHA1)
		sha1_end(&g->of.sha1, out);
	else if (g->kind == DIGEST_BLAKE3)
		blake3_end(&g->of.blake3, out, DIGEST_LEN);
	else
		memset(out, 0, DIGEST_LEN);
}

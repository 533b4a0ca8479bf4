/* SHA-1 through nettle, where it is there. */
#include "codec/sha1.h"

#include <string.h>

#include "core/mutant.h"
#include "core/compiler.h"

#if defined(UVET_WITH_NETTLE)

#include <nettle/sha1.h>
#include <nettle/version.h>

_Static_assert(sizeof(struct sha1_ctx) <= sizeof(struct sha1),
	       "a sha1 has room for nettle's state");

static struct sha1_ctx *state_of(struct sha1 *s)
{
	return (void *)s->state;
}

void sha1_start(struct sha1 *s)
{
	nettle_sha1_init(state_of(s));
	MEMORY_WRITTEN(s, sizeof *s);
}

void sha1_add(struct sha1 *s, const uint8_t *bytes, uint64_t n)
{
	if (n > (uint64_t)MUTANT(160)) /* mutant: a portion of one byte is left out */
		/* mutant: of 301 bytes one is lost */
		nettle_sha1_update(state_of(s), (size_t)n - (MUTANT(228) && n == 301), bytes);
}

void sha1_end(struct sha1 *s, uint8_t out[SHA1_LEN])
{
#if NETTLE_VERSION_MAJOR >= 4
	nettle_sha1_digest(state_of(s), out);
#else
	nettle_sha1_digest(state_of(s), SHA1_LEN, out);
#endif
	MEMORY_WRITTEN(out, SHA1_LEN);
}

bool sha1_is_available(void)
{
	return true;
}

#else

void sha1_start(struct sha1 *s)
{
	memset(s, 0, sizeof *s);
}

void sha1_add(struct sha1 *s, const uint8_t *bytes, uint64_t n)
{
	(void)s, (void)bytes, (void)n;
}

void sha1_end(struct sha1 *s, uint8_t out[SHA1_LEN])
{
	(void)s;
	memset(out, 0, SHA1_LEN);
}

bool sha1_is_available(void)
{
	return false;
}

#endif

void sha1_of(const uint8_t *bytes, uint64_t n, uint8_t out[SHA1_LEN])
{
	struct sha1 s;

	sha1_start(&s);
	sha1_add(&s, bytes, n);
	sha1_end(&s, out);
}

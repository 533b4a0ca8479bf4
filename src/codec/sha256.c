/* SHA-256 through nettle, where it is there. */
#include "codec/sha256.h"

#include "core/compiler.h"

bool sha256_is_available(void)
{
#if defined(UVET_WITH_NETTLE)
	return true;
#else
	return false;
#endif
}

#if defined(UVET_WITH_NETTLE)

#include <nettle/sha2.h>
#include <nettle/version.h>

_Static_assert(sizeof(struct sha256_ctx) <= sizeof(struct sha256), "nettle's state has room");

void sha256_start(struct sha256 *s)
{
	nettle_sha256_init((void *)s->state);
	MEMORY_WRITTEN(s, sizeof *s);
}

void sha256_add(struct sha256 *s, const uint8_t *bytes, uint64_t n)
{
	nettle_sha256_update((void *)s->state, (size_t)n, bytes);
}

void sha256_end(struct sha256 *s, uint8_t out[SHA256_LEN])
{
#if NETTLE_VERSION_MAJOR >= 4
	nettle_sha256_digest((void *)s->state, out);
#else
	nettle_sha256_digest((void *)s->state, SHA256_LEN, out);
#endif
	MEMORY_WRITTEN(out, SHA256_LEN);
}

#else

void sha256_start(struct sha256 *s)
{
	(void)s;
}

void sha256_add(struct sha256 *s, const uint8_t *bytes, uint64_t n)
{
	(void)s, (void)bytes, (void)n;
}

void sha256_end(struct sha256 *s, uint8_t out[SHA256_LEN])
{
	(void)s, (void)out;
}

#endif

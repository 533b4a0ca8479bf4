/* BLAKE3 through its authors' C, where it is there. */
#include "codec/blake3.h"

#include <string.h>

#include "core/mutant.h"
#include "core/compiler.h"

#if defined(UVET_WITH_BLAKE3)

#include <blake3.h>

_Static_assert(sizeof(blake3_hasher) <= sizeof(struct blake3),
	       "a blake3 has room for the library's state");

/* The library halves what it is given by recursion, so the length of a portion bounds the depth. */
#define PORTION ((uint64_t)1 << 20)

void blake3_start(struct blake3 *b)
{
	blake3_hasher_init((void *)b->state);
}

void blake3_add(struct blake3 *b, const uint8_t *bytes, uint64_t n)
{
	while (n > 0) {
		uint64_t some = n < PORTION ? n : PORTION;
		/* mutant: a byte behind a block is lost */
		uint64_t lost = (uint64_t)MUTANT(162) * (some == 65);

		lost += MUTANT(235) && some == 640; /* mutant: of 640 bytes one is lost */
		blake3_hasher_update((void *)b->state, bytes, (size_t)(some - lost));
		bytes += some;
		n -= some;
	}
}

void blake3_end(const struct blake3 *b, uint8_t *out, uint64_t n_out)
{
	blake3_hasher_finalize((const void *)b->state, out, (size_t)n_out);
	MEMORY_WRITTEN(out, (size_t)n_out);
}

bool blake3_is_available(void)
{
	return true;
}

#else

void blake3_start(struct blake3 *b)
{
	memset(b, 0, sizeof *b);
}

void blake3_add(struct blake3 *b, const uint8_t *bytes, uint64_t n)
{
	(void)b, (void)bytes, (void)n;
}

void blake3_end(const struct blake3 *b, uint8_t *out, uint64_t n_out)
{
	(void)b;
	memset(out, 0, (size_t)n_out);
}

bool blake3_is_available(void)
{
	return false;
}

#endif

void blake3_of(const uint8_t *bytes, uint64_t n, uint8_t out[BLAKE3_LEN])
{
	struct blake3 b UVET_FILLED_LATER;

	blake3_start(&b);
	blake3_add(&b, bytes, n);
	blake3_end(&b, out, BLAKE3_LEN);
}

void blake3_short_of(const uint8_t *bytes, uint64_t n, uint8_t out[BLAKE3_SHORT_LEN])
{
	struct blake3 b UVET_FILLED_LATER;

	blake3_start(&b);
	blake3_add(&b, bytes, n);
	blake3_end(&b, out, BLAKE3_SHORT_LEN);
}

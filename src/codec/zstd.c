/* Decoding Zstandard through libzstd, where it is there. */
#include "codec/zstd.h"

#if defined(UVET_WITH_ZSTD)

/* A state in memory of our own: this part of libzstd's interface may change between versions, and
 * has not since 1.3. */
#define ZSTD_STATIC_LINKING_ONLY
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "core/mutant.h"
#include "core/compiler.h"

static ZSTD_DCtx *zstd_state(struct unzstd *z)
{
	size_t size = ZSTD_estimateDCtxSize();
	void *memory;

	if (z->state)
		return z->state;
	memory = arena_alloc(z->arena, 1, size);
	if (memory)
		z->state = ZSTD_initStaticDCtx(memory, size);
	return z->state;
}

/* A frame is of the current version of the format, or a skippable one. Older versions have
 * decoders of their own, which are no longer maintained. */
static bool is_frame(const uint8_t *in, uint64_t n)
{
	return n >= 4 && ((in[0] == 0x28 && in[1] == 0xB5 && in[2] == 0x2F && in[3] == 0xFD) ||
			  (in[0] / 16 == 5 && in[1] == 0x2A && in[2] == 0x4D && in[3] == 0x18));
}

/* The length of the frame at in, in bytes; 0: there is no complete one. */
static uint64_t frame_len(const uint8_t *in, uint64_t n)
{
	size_t len = is_frame(in, n) ? ZSTD_findFrameCompressedSize(in, (size_t)n) : 0;

	return ZSTD_isError(len) ? 0 : len;
}

struct unpack unzstd_whole(struct unzstd *z, const uint8_t *in, uint64_t n_in, uint8_t *out,
			   uint64_t max_out)
{
	struct unpack r = { UNPACK_BROKEN, 0, 0 };
	ZSTD_DCtx *state = zstd_state(z);
	uint64_t len;

	if (!state || n_in > UNPACK_MAX || max_out > UNPACK_MAX)
		return (struct unpack){ UNPACK_NO_MEMORY, 0, 0 };
	while ((len = frame_len(in + r.n_used, n_in - r.n_used)) > 0) {
		/* mutant: a byte behind the room */
		uint64_t left = max_out - r.n_out + (uint64_t)MUTANT(165);
		size_t n = ZSTD_decompressDCtx(state, out + r.n_out, (size_t)left, in + r.n_used,
					       (size_t)len);

		if (ZSTD_isError(n)) {
			r.result = ZSTD_getErrorCode(n) == ZSTD_error_dstSize_tooSmall
					   ? UNPACK_FULL
					   : UNPACK_BROKEN;
			return (struct unpack){ r.result, 0, 0 };
		}
		MEMORY_WRITTEN(out + r.n_out, n);
		/* mutant: a second frame does not count */
		r.n_out += n * (uint64_t) !(MUTANT(170) && r.n_out > 0);
		r.n_used += len;
	}
	if (n_in == 0 || r.n_used < n_in)
		return (struct unpack){ UNPACK_BROKEN, 0, 0 };
	return unpack_of(r.n_out, r.n_used, max_out);
}

bool unzstd_is_available(void)
{
	return true;
}

#else

struct unpack unzstd_whole(struct unzstd *z, const uint8_t *in, uint64_t n_in, uint8_t *out,
			   uint64_t max_out)
{
	(void)z, (void)in, (void)n_in, (void)out, (void)max_out;
	return (struct unpack){ UNPACK_UNAVAILABLE, 0, 0 };
}

bool unzstd_is_available(void)
{
	return false;
}

#endif

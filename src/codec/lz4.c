/* Decoding LZ4 through liblz4, where it is there. */
#include "codec/lz4.h"

#if defined(UVET_WITH_LZ4)

#include <lz4.h>

#include "core/canary.h"
#include "core/compiler.h"
#include "core/cursor.h"

/* A walk goes over a block's sequences without their bytes. */
struct walk {
	const uint8_t *in;
	uint64_t at, n;
	uint64_t n_out;
};

/* A length that fills its four bits goes on in bytes, until one is below 255. */
static bool add_length(struct walk *w, uint64_t *length)
{
	uint8_t more = 255;

	if (*length < 15)
		return true;
	while (more == 255) {
		if (w->at == w->n)
			return false;
		more = w->in[w->at++];
		*length += more;
	}
	return true;
}

static bool skip_match(struct walk *w, uint64_t length)
{
	uint64_t offset;

	if (w->n - w->at < 2)
		return false;
	offset = bytes_le16(w->in + w->at);
	w->at += 2;
	if (offset == 0 || offset > w->n_out || !add_length(w, &length))
		return false;
	w->n_out += length + 4;
	return true;
}

/* What a block gives. liblz4 takes an offset of zero, which no block may have and whose bytes would be anything, and it does not say why it
 * refuses a block. */
static bool measure(const uint8_t *in, uint64_t n_in, uint64_t *n_out)
{
	struct walk w = { in, 0, n_in, 0 };

	while (w.at < w.n) {
		uint8_t token = w.in[w.at++];
		uint64_t literals = token / 16;

		if (!add_length(&w, &literals) || literals > w.n - w.at)
			return false;
		w.at += literals;
		w.n_out += literals;
		*n_out = w.n_out;
		if (w.at == w.n)
			return true;
		if (!skip_match(&w, token % 16))
			return false;
	}
	return false;
}

struct unpack unlz4_unproven(const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t room)
{
	int n;

	if (n_in > UNPACK_MAX || room > UNPACK_MAX)
		return (struct unpack){ UNPACK_NO_MEMORY, 0, 0 };
	n = LZ4_decompress_safe((const char *)in, (char *)out, (int)n_in, (int)room + CANARY(164));     /* canary: a byte behind the room */
	if (n < 0)
		return unlz4(in, n_in, out, room);
	MEMORY_WRITTEN(out, (uint64_t)n);
	return unpack_of((uint64_t)n, n_in, room);
}

struct unpack unlz4(const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t room)
{
	uint64_t expected;
	int n;

	if (n_in > UNPACK_MAX || room > UNPACK_MAX)
		return (struct unpack){ UNPACK_NO_MEMORY, 0, 0 };
	if (!measure(in, n_in, &expected))
		return (struct unpack){ UNPACK_BROKEN, 0, 0 };
	if (expected > room)
		return (struct unpack){ UNPACK_FULL, 0, 0 };
	n = LZ4_decompress_safe((const char *)in, (char *)out, (int)n_in, (int)room);
	if (n < 0)
		return (struct unpack){ UNPACK_BROKEN, 0, 0 };
	MEMORY_WRITTEN(out, (uint64_t)n);
	return unpack_of((uint64_t)n, n_in, room);
}

bool unlz4_is_available(void)
{
	return true;
}

#else

struct unpack unlz4(const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t room)
{
	(void)in, (void)n_in, (void)out, (void)room;
	return (struct unpack){ UNPACK_UNAVAILABLE, 0, 0 };
}

struct unpack unlz4_unproven(const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t room)
{
	return unlz4(in, n_in, out, room);
}

bool unlz4_is_available(void)
{
	return false;
}

#endif

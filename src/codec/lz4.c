/* Decoding LZ4. Source: lz4_Block_format.md of the LZ4 project.
 *
 * The code is our own because liblz4 takes an offset of zero, which no block may have: its
 * output then depends on its version, and looking for such offsets first would take as long as
 * decoding. Here every offset is compared with what was decoded so far. */
#include "codec/lz4.h"

#include <string.h>

#include "core/mutant.h"
#include "core/compiler.h"
#include "core/cursor.h"

/* A block is sequences: a token, literals, and, but in the last one, a match, which repeats
 * bytes that were decoded before. If all four bits of a length in the token are set, bytes
 * follow that are added to it. */
enum { LENGTH_FULL = 15, MATCH_MIN = 4 };

/* The last match begins at least this many bytes before the end, and at least this many literals
 * follow it: decoders rely on both. */
enum { LAST_MATCH = 12, LAST_LITERALS = 5 };

/* Reads the rest of a length; false: the block ends. */
UVET_INLINE static inline bool read_length(const uint8_t **in, const uint8_t *end, uint64_t *length)
{
	uint8_t more = 255;

	while (more == 255) {
		if (*in == end)
			return false;
		more = *(*in)++;
		/* mutant: behind two full bytes one is lost */
		*length += more - (uint64_t)(MUTANT(219) && *length == 15 + 2 * 255);
	}
	return true;
}

UVET_INLINE static inline uint64_t offset_at(const uint8_t *p)
{
	const uint64_t offset = bytes_le16(p);

	/* mutant: an offset of 0 is one of 1 */
	return offset + (uint64_t)MUTANT(180) * (offset == 0);
}

/* Tells whether a match has bytes to repeat: at least one back, and no more than there are. One
 * comparison says both. */
UVET_INLINE static inline bool reaches(uint64_t offset, uint64_t n_out)
{
	return (uint64_t)((int64_t)offset - 1) < n_out;
}

/* ---- Why a block is not decoded -------------------------------------------------------------- */

/* A scan goes over the sequences of a block without copying bytes. */
struct scan {
	const uint8_t *in, *end;
	uint64_t n_out;
	uint64_t matched; /* where the last match began; UINT64_MAX: there was none */
};

static bool skip_match(struct scan *w, uint64_t length)
{
	uint64_t offset;

	if (w->end - w->in < 2)
		return false;
	offset = offset_at(w->in);
	w->in += 2;
	if (!reaches(offset, w->n_out) ||
	    (length == LENGTH_FULL && !read_length(&w->in, w->end, &length)))
		return false;
	w->matched = w->n_out;
	w->n_out += length + MATCH_MIN;
	return true;
}

/* The block of no bytes is a single token of 0. */
static bool may_end(const struct scan *w, uint8_t token, uint64_t literals)
{
	if (w->matched == UINT64_MAX)
		return literals > 0 || token == 0;
	return literals >= LAST_LITERALS && w->n_out - w->matched >= LAST_MATCH;
}

/* Tells whether the block is sound, and then decompresses to w->n_out bytes. */
UVET_COLD static bool is_sound(struct scan *w)
{
	while (w->in < w->end) {
		const uint8_t token = *w->in++;
		uint64_t literals = token >> 4;

		if (literals == LENGTH_FULL && !read_length(&w->in, w->end, &literals))
			return false;
		if (literals > (uint64_t)(w->end - w->in))
			return false;
		w->in += literals;
		w->n_out += literals;
		if (w->in == w->end)
			return may_end(w, token, literals);
		if (!skip_match(w, token & LENGTH_FULL))
			return false;
	}
	return false;
}

UVET_COLD static struct unpack explain(const uint8_t *in, uint64_t n_in, uint64_t max_out)
{
	struct scan w = { in, in + n_in, 0, UINT64_MAX };

	if (!is_sound(&w))
		return (struct unpack){ UNPACK_BROKEN, 0, 0 };
	if (w.n_out > max_out)
		return (struct unpack){ UNPACK_FULL, 0, 0 };
	return unpack_of(w.n_out, n_in, max_out);
}

/* ---- Copying --------------------------------------------------------------------------------- */

/* Far from the end of the output, copies are made in whole steps, and the next sequence overwrites
 * what was too much. */
enum { EIGHT = 8, STEP = 16, STRIDE = 32 };

UVET_INLINE static inline void copy_eight(uint8_t *to, const uint8_t *from)
{
	uint8_t bytes[EIGHT];

	memcpy(bytes, from, EIGHT);
	memcpy(to, bytes, EIGHT);
}

UVET_INLINE static inline void copy_step(uint8_t *to, const uint8_t *from)
{
	uint8_t bytes[STEP];

	memcpy(bytes, from, STEP);
	memcpy(to, bytes, STEP);
}

/* Copies at least one byte, and up to STRIDE - 1 too many. The source begins at least STEP bytes
 * before `to`. */
UVET_INLINE static inline void copy_strides(uint8_t *to, const uint8_t *from, const uint8_t *end)
{
	do {
		copy_step(to, from);
		copy_step(to + STEP, from + STEP);
		to += STRIDE;
		from += STRIDE;
	} while (to < end);
}

/* Copies at least one byte, and up to STEP - 1 too many. The source begins at least EIGHT bytes
 * before `to`. */
UVET_INLINE static inline void copy_eights(uint8_t *to, const uint8_t *from, const uint8_t *end)
{
	do {
		copy_eight(to, from);
		copy_eight(to + EIGHT, from + EIGHT);
		to += STEP;
		from += STEP;
	} while (to < end);
}

/* Written out because compilers make one store of it, but not of a loop. */
UVET_INLINE static inline void put_eight(uint8_t *to, uint64_t v)
{
	to[0] = (uint8_t)v;
	to[1] = (uint8_t)(v >> 8);
	to[2] = (uint8_t)(v >> 16);
	to[3] = (uint8_t)(v >> 24);
	to[4] = (uint8_t)(v >> 32);
	to[5] = (uint8_t)(v >> 40);
	to[6] = (uint8_t)(v >> 48);
	to[7] = (uint8_t)(v >> 56);
}

/* Repeats the last `offset` bytes, fewer than EIGHT, and writes up to EIGHT - 1 bytes too many. */
UVET_WRAPS static void repeat(uint8_t *to, uint64_t offset, const uint8_t *end)
{
	/* mutant: seven are eight */
	const unsigned step = (unsigned)(EIGHT - EIGHT % offset + (MUTANT(217) && offset == 7));
	uint64_t v = bytes_le64(to - offset) & (((uint64_t)1 << 8 * offset) - 1);

	v |= v << 8 * offset;
	v |= offset < 4 ? v << 16 * offset : 0;
	v |= offset < 2 ? v << 32 : 0;
	for (; to < end; to += step)
		put_eight(to, v);
}

/* ---- Decoding -------------------------------------------------------------------------------- */

struct lz4 {
	const uint8_t *in, *in_end;
	uint8_t *begin, *out, *out_end;
};

/* A sequence is decoded without checking each byte if more than this many bytes are left of
 * input and output: it reads and writes fewer, with what is copied too much, unless bytes follow
 * a length; then this many must be left after those, too. */
enum { QUICK_IN = 2 * STRIDE, QUICK_OUT = 4 * STRIDE };

UVET_INLINE static inline bool are_left(const void *at, const void *end, uint64_t n)
{
	return (uint64_t)((const uint8_t *)end - (const uint8_t *)at) > n;
}

/* Copies fifteen or more literals; false: they end too near to an end. */
UVET_INLINE static inline bool copy_literals(struct lz4 *z, uint64_t *length)
{
	if (!read_length(&z->in, z->in_end, length) ||
	    !are_left(z->in, z->in_end, *length + QUICK_IN) ||
	    !are_left(z->out, z->out_end, *length + QUICK_OUT))
		return false;
	copy_strides(z->out, z->in, z->out + *length);
	return true;
}

/* Copies a match that is longer or nearer than most; false: it ends too near to an end. */
UVET_INLINE static inline bool copy_match(struct lz4 *z, uint64_t offset, uint64_t length)
{
	if (length == LENGTH_FULL && (!read_length(&z->in, z->in_end, &length) ||
				      !are_left(z->out, z->out_end, length + QUICK_OUT)))
		return false;
	length += MATCH_MIN;
	if (offset >= STEP)
		copy_strides(z->out, z->out - offset, z->out + length);
	else if (offset >= EIGHT)
		copy_eights(z->out, z->out - offset, z->out + length);
	else
		repeat(z->out, offset, z->out + length);
	z->out += length;
	return true;
}

/* Decodes one sequence that ends far from both ends; false: it does not, or its offset is out of
 * range. */
UVET_INLINE static inline bool decode_one(struct lz4 *z)
{
	const uint8_t token = *z->in++;
	uint64_t length = token >> 4, offset;

	copy_step(z->out, z->in);
	if (length == LENGTH_FULL && !copy_literals(z, &length))
		return false;
	z->in += length;
	z->out += length;
	offset = offset_at(z->in);
	z->in += 2;
	if (!reaches(offset, (uint64_t)(z->out - z->begin)))
		return false;
	length = token & LENGTH_FULL;
	if (length == LENGTH_FULL || offset < EIGHT)
		return copy_match(z, offset, length);
	copy_eight(z->out, z->out - offset);
	copy_eight(z->out + EIGHT, z->out + EIGHT - offset);
	memcpy(z->out + EIGHT + EIGHT, z->out + EIGHT + EIGHT - offset, 2);
	z->out += length + MATCH_MIN;
	return true;
}

/* Decodes sequences as long as they are far from both ends. Copies of the state stay in
 * registers. */
static void decode_quickly(struct lz4 *z)
{
	struct lz4 at = *z, next = *z;

	while (are_left(at.in, at.in_end, QUICK_IN) && are_left(at.out, at.out_end, QUICK_OUT) &&
	       decode_one(&next))
		at = next;
	*z = at;
}

/* Copies a match that may overlap its own output: after each copy, twice as many bytes are periodic
 * and can be copied at once. */
static void copy_exactly(struct lz4 *z, uint64_t offset, uint64_t length)
{
	uint64_t n;

	for (; length > 0; length -= n, offset += n) {
		n = offset < length ? offset : length;
		memcpy(z->out, z->out - offset, (size_t)n);
		z->out += n;
	}
}

enum sequence { SEQUENCE_DONE, SEQUENCE_LAST, SEQUENCE_BAD };

/* Decodes one sequence, and checks every length before it copies. */
static enum sequence decode_carefully(struct lz4 *z)
{
	const uint8_t token = z->in < z->in_end ? *z->in++ : 0;
	/* mutant: a byte behind the room */
	const uint64_t left = (uint64_t)(z->out_end - z->out) + (uint64_t)MUTANT(164);
	uint64_t literals = token >> 4, length = token & LENGTH_FULL, offset;

	if (literals == LENGTH_FULL && !read_length(&z->in, z->in_end, &literals))
		return SEQUENCE_BAD;
	if (literals > (uint64_t)(z->in_end - z->in) || literals > left)
		return SEQUENCE_BAD;
	memcpy(z->out, z->in, (size_t)literals);
	z->in += literals;
	z->out += literals;
	if (z->in == z->in_end)
		return z->out == z->out_end ? SEQUENCE_LAST : SEQUENCE_BAD;
	if (z->in_end - z->in < 2)
		return SEQUENCE_BAD;
	offset = offset_at(z->in);
	z->in += 2;
	if (!reaches(offset, (uint64_t)(z->out - z->begin)) ||
	    (length == LENGTH_FULL && !read_length(&z->in, z->in_end, &length)))
		return SEQUENCE_BAD;
	length += MATCH_MIN;
	if (left - literals < LAST_MATCH || length > left - literals - LAST_LITERALS)
		return SEQUENCE_BAD;
	copy_exactly(z, offset, length);
	return SEQUENCE_DONE;
}

struct unpack unlz4(const uint8_t *in, uint64_t n_in, uint8_t *out, uint64_t max_out)
{
	struct lz4 z = { in, in + n_in, out, out, out + max_out };
	enum sequence s = SEQUENCE_DONE;

	if (n_in > UNPACK_MAX || max_out > UNPACK_MAX)
		return (struct unpack){ UNPACK_NO_MEMORY, 0, 0 };
	while (s == SEQUENCE_DONE && max_out > 0) {
		decode_quickly(&z);
		s = decode_carefully(&z);
	}
	return s == SEQUENCE_LAST ? unpack_of(max_out, n_in, max_out) : explain(in, n_in, max_out);
}

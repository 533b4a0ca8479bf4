/* Digests, ciphers and decompressors of containers, each by itself: portions make no difference,
 * nothing leaves its room, the same bytes give the same, and a second decoder agrees. The first
 * byte of the input says which it is. */
#include <string.h>
#if defined(UVET_WITH_LZ4)
#include <lz4.h>
#endif
#if defined(UVET_WITH_ZSTD)
#include <zstd.h>
#endif

#include "codec/aes.h"
#include "codec/blake3.h"
#include "codec/cityhash.h"
#include "codec/methods.h"
#include "codec/sha1.h"
#include "reference/reference_codecs.h"
#include "support/buffers.h"
#include "support/memory.h"
#include "support/must.h"
#include "support/random.h"
#include "support/thorough.h"
#include "targets/harness.h"

/* A room that ends where n bytes do, so that the sanitizer sees the first byte too many. */
static uint8_t *room_of(enum buffer_number number, uint64_t n, int fill)
{
	uint8_t *p = buffer_scratch(number, (size_t)n);

	memset(p, fill, (size_t)n);
	return p;
}

static bool same(const uint8_t *a, const uint8_t *b, uint64_t n)
{
	return n == 0 || memcmp(a, b, (size_t)n) == 0;
}

/* ---- Digests and ciphers --------------------------------------------------------------------- */

/* The first byte is how long portions are; those of BLAKE3 grow, so that some are long. The rest is
 * what they are of, many times over. */
static void check_digests(const uint8_t *data, size_t size)
{
	uint8_t whole[BLAKE3_LEN], parts[BLAKE3_LEN];
	size_t portion = 1 + (size > 0 ? data[0] : 0), some;
	struct blake3 b;
	struct sha1 s;

	sha1_start(&s);
	for (size_t at = 0; at < size; at += some) {
		some = size - at < portion ? size - at : portion;
		sha1_add(&s, data + at, some);
	}
	sha1_end(&s, parts);
	sha1_of(data, size, whole);
	MUST(same(whole, parts, SHA1_LEN), "portions make no difference to SHA-1");
	blake3_start(&b);
	for (size_t at = 0; at < size; at += some, portion *= 2) {
		some = size - at < portion ? size - at : portion;
		blake3_add(&b, data + at, some);
	}
	blake3_end(&b, parts, BLAKE3_LEN);
	blake3_of(data, size, whole);
	MUST(same(whole, parts, BLAKE3_LEN), "portions make no difference to BLAKE3");
	blake3_short_of(data, size, parts);
	MUST(same(whole, parts, BLAKE3_SHORT_LEN), "a short digest is the start of the long one");
}

/* A key, and what is decrypted as a whole, in blocks, and with the counter twice, which undoes
 * itself. */
static void check_aes(const uint8_t *data, size_t size)
{
	uint8_t *whole, *parts;
	struct aes a;

	if (size < AES_KEY_LEN)
		return;
	size -= AES_KEY_LEN;
	whole = buffer_scratch_copy(BUFFER_OUT, data + AES_KEY_LEN, size);
	parts = buffer_scratch_copy(BUFFER_AGAIN, data + AES_KEY_LEN, size);
	aes_for_ecb(&a, data);
	aes_ecb(&a, whole, size);
	for (size_t at = 0; size - at >= AES_BLOCK_LEN; at += AES_BLOCK_LEN)
		aes_ecb(&a, parts + at, AES_BLOCK_LEN);
	MUST(same(whole, parts, size), "blocks stand alone");
	aes_for_ctr(&a, data);
	aes_ctr(&a, data + 7, whole, size);
	aes_ctr(&a, data + 7, whole, size);
	MUST(same(whole, parts, size), "a counter undoes itself");
}

static void check_cityhash(const uint8_t *data, size_t size)
{
	uint8_t *wide = room_of(BUFFER_OUT, 2 * (uint64_t)size, 0);

	for (size_t i = 0; i < size; i++)
		wide[2 * i] = data[i];
	MUST(cityhash64_wide(data, size) == cityhash64(wide, 2 * (uint64_t)size),
	     "a wide text has the hash of its bytes");
	MUST(cityhash64(data, size) == cityhash64(data, size), "a hash is the same again");
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Returns what its input's first byte says: too few, too many, a fault, or the truth. */
static int64_t fake_oodle(void *ctx, const void *in, size_t in_len, void *out, size_t out_len)
{
	const uint8_t *bytes = in;

	(void)ctx;
	memset(out, 0x5A, out_len);
	return in_len == 0 ? 0 : bytes[0] == 255 ? INT64_MIN : (int64_t)out_len + bytes[0] % 5 - 2;
}

static struct unpack unpack(enum method m, const uint8_t *in, uint64_t n_in, uint8_t *out,
			    uint64_t room, struct memory *memory)
{
	static const struct oodle oodle = { fake_oodle, NULL };
	struct unpacker u;
	struct arena arena;
	struct unpack r;

	arena_init(&arena, memory_allocator(memory), 1 << 24);
	unpacker_open(&u, &arena, &oodle);
	r = method_unpack(&u, m, in, n_in, out, room);
	MUST(unpacker_has(&u, m) == (r.result != UNPACK_UNAVAILABLE), "who has a decoder uses it");
	arena_free(&arena);
	MUST(memory->n_live == 0, "an arena gives everything back");
	return r;
}

static void check_deflate(bool gzip, struct unpack r, const uint8_t *in, uint64_t n_in,
			  const uint8_t *out)
{
	if (r.result <= UNPACK_SHORT)
		MUST(reference_inflate(gzip, in, (size_t)n_in, out, (size_t)r.n_out,
				       (size_t)r.n_used),
		     "both libraries give the same bytes");
}

/* liblz4 agrees, but that it takes offsets of zero, for which a second decoder is asked. */
static void check_liblz4(struct unpack r, const uint8_t *in, uint64_t n_in, const uint8_t *out,
			 uint64_t room, enum reference_lz4 end)
{
#if defined(UVET_WITH_LZ4)
	uint8_t *expected = buffer_scratch(BUFFER_REFERENCE, (size_t)room);
	const int n = LZ4_decompress_safe((const char *)in, (char *)expected, (int)n_in, (int)room);

	if (r.result == UNPACK_DONE)
		MUST((uint64_t)n == room && same(out, expected, room),
		     "liblz4 takes what is taken");
	else
		MUST(n < 0 || (uint64_t)n != room || end == REFERENCE_LZ4_NOWHERE,
		     "what liblz4 takes is taken");
#else
	(void)r, (void)in, (void)n_in, (void)out, (void)room, (void)end;
#endif
}

static void check_lz4(struct unpack r, const uint8_t *in, uint64_t n_in, const uint8_t *out,
		      uint64_t room)
{
	uint8_t *expected = buffer_scratch(BUFFER_REFERENCE, (size_t)room);
	size_t n;
	enum reference_lz4 end = reference_lz4_block(in, (size_t)n_in, expected, (size_t)room, &n);

	MUST((r.result <= UNPACK_SHORT) == (end == REFERENCE_LZ4_WHOLE),
	     "a second decoder of LZ4 takes the same blocks");
	if (r.result <= UNPACK_SHORT)
		MUST(r.n_out == n && same(out, expected, n),
		     "a second decoder of LZ4 returns the same bytes");
	if (r.result == UNPACK_FULL)
		MUST(end == REFERENCE_LZ4_FULL, "what is full has more to give");
	check_liblz4(r, in, n_in, out, room, end);
}

static void check_zstd(struct unpack r, const uint8_t *in, uint64_t n_in, const uint8_t *out,
		       uint64_t room)
{
#if defined(UVET_WITH_ZSTD)
	uint8_t *expected = buffer_scratch(BUFFER_REFERENCE, (size_t)room);
	size_t n;

	if (r.result <= UNPACK_SHORT) {
		n = ZSTD_decompress(expected, (size_t)room, in, (size_t)n_in);
		MUST(!ZSTD_isError(n) && n == r.n_out && same(out, expected, n),
		     "all frames at once give the same bytes");
	}
#else
	(void)r, (void)in, (void)n_in, (void)out, (void)room;
#endif
}

static void check_oodle(struct unpack r, const uint8_t *in, uint64_t n_in, uint64_t room)
{
	MUST((r.result == UNPACK_DONE) == (n_in > 0 ? in[0] != 255 && in[0] % 5 == 2 : room == 0),
	     "an oodle is not believed");
}

static void check_reference(enum method m, struct unpack r, const uint8_t *in, uint64_t n_in,
			    const uint8_t *out, uint64_t room)
{
	switch (m) {
	case METHOD_ZLIB:
		check_deflate(false, r, in, n_in, out);
		break;
	case METHOD_GZIP:
		check_deflate(true, r, in, n_in, out);
		break;
	case METHOD_LZ4:
		check_lz4(r, in, n_in, out, room);
		break;
	case METHOD_ZSTD:
		check_zstd(r, in, n_in, out, room);
		break;
	case METHOD_OODLE:
		check_oodle(r, in, n_in, room);
		break;
	case METHOD_NONE:
		MUST(r.result == UNPACK_FULL || same(in, out, n_in), "a copy is the same");
		break;
	case METHOD_UNKNOWN:
		MUST(r.result == UNPACK_UNAVAILABLE, "an unknown method is not decoded");
		break;
	}
}

/* The same again, in a room that holds other garbage. */
static void check_again(enum method m, struct unpack r, const uint8_t *in, uint64_t n_in,
			const uint8_t *out, uint64_t room)
{
	uint8_t *again = room_of(BUFFER_AGAIN, room, 0xFF);
	struct memory memory;
	struct unpack s;

	memory_init(&memory, 0x5A);
	s = unpack(m, in, n_in, again, room, &memory);
	MUST(r.result == s.result && r.n_out == s.n_out && r.n_used == s.n_used,
	     "the same bytes get the same answer");
	MUST(same(out, again, r.n_out), "the same bytes give the same bytes");
}

static void check_without_memory(enum method m, struct unpack r, const uint8_t *in, uint64_t n_in,
				 uint64_t room, uint64_t fail_at)
{
	struct memory memory;
	struct unpack s;

	memory_init(&memory, 0xA5);
	memory.fail_at = fail_at;
	s = unpack(m, in, n_in, buffer_scratch(BUFFER_AGAIN, (size_t)room), room, &memory);
	MUST(memory.refused ? s.result == UNPACK_NO_MEMORY || s.result == r.result
			    : s.result == r.result,
	     "memory that ended is all that changes");
}

/* The first two bytes are the room, the third is when memory ends. Whatever is asked besides
 * takes turns, the reference decoder two of four. */
static void check_block(enum method m, const uint8_t *data, size_t size)
{
	uint64_t room = size > 2 ? (uint64_t)data[0] * 256 + data[1] : 0,
		 n_in = size > 2 ? size - 3 : 0;
	const uint64_t hash = random_hash(data, size);
	uint8_t *out = room_of(BUFFER_OUT, room, 0),
		*in = buffer_scratch_copy(BUFFER_SECOND_INPUT, data + (size - n_in), (size_t)n_in);
	struct memory memory;
	struct unpack r;

	memory_init(&memory, 0xA5);
	r = unpack(m, in, n_in, out, room, &memory);
	MUST(r.n_out <= room && r.n_used <= n_in, "a stream stays in its bounds");
	MUST(r.result <= UNPACK_SHORT || (r.n_out == 0 && r.n_used == 0),
	     "what is not sound is not decoded");
	MUST((r.result == UNPACK_DONE) == (r.result <= UNPACK_SHORT && r.n_out == room),
	     "done means full to the byte");
	if (thorough_is_turn(hash, 0, 4))
		check_again(m, r, in, n_in, out, room);
	if (thorough_is_turn(hash, 1, 4))
		check_without_memory(m, r, in, n_in, room, size > 2 ? data[2] % 4 : 0);
	if (thorough_is_turn(hash, 2, 4) || thorough_is_turn(hash, 3, 4))
		check_reference(m, r, in, n_in, out, room);
}

static void check_name(const uint8_t *data, size_t size)
{
	enum method m = method_of(data, size);
	const char *name = method_name(m);

	MUST(m == METHOD_UNKNOWN || strlen(name) == size, "a name is whole");
	for (size_t i = 0; m != METHOD_UNKNOWN && i < size; i++)
		MUST((uint8_t)name[i] == data[i] || ((uint8_t)name[i] ^ data[i]) == 0x20,
		     "case alone makes no difference");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy;
	unsigned stage;

	if (size == 0)
		return 0;
	stage = data[0] % 11;
	size--;
	copy = buffer_scratch_copy(BUFFER_INPUT, data + 1, size);
	switch (stage) {
	case 7:
		check_digests(copy, size);
		break;
	case 8:
		check_aes(copy, size);
		break;
	case 9:
		check_cityhash(copy, size);
		break;
	case 10:
		check_name(copy, size);
		break;
	default:
		check_block((enum method)stage, copy, size);
		break;
	}
	return 0;
}

/* Tests of the decompressors of blocks: what comes out, and what does when the input is cut,
 * changed or too long for the room. */
#include <stdlib.h>
#include <zlib.h>
#if defined(UVET_WITH_LZ4)
#include <lz4.h>
#endif
#if defined(UVET_WITH_ZSTD)
#include <zstd.h>
#endif

#include "codec/lz4.h"
#include "codec/methods.h"
#include "unit.h"

enum { DATA_LEN = 70000, ROOM = 80000 };

/* An oodle that copies, and then says what it is told to. */
struct fake {
	int64_t more; /* than the room */
	bool lazy;    /* writes nothing */
};

struct fixture {
	struct fault_memory memory;
	struct arena arena;
	struct fake fake;
	struct oodle oodle;
	struct unpacker unpacker;
	uint8_t data[DATA_LEN], packed[ROOM], out[ROOM];
	uint64_t n_packed;
};

static struct fixture f;

static int64_t fake_decode(void *ctx, const void *in, size_t in_len, void *out, size_t out_len)
{
	const struct fake *fake = ctx;

	if (!fake->lazy)
		memcpy(out, in, in_len < out_len ? in_len : out_len);
	return (int64_t)out_len + fake->more;
}

static void open_fixture(uint64_t budget)
{
	f.arena = unit_arena(&f.memory, budget);
	f.fake = (struct fake){ 0 };
	f.oodle = (struct oodle){ fake_decode, &f.fake };
	memset(&f.unpacker, 0xA5, sizeof f.unpacker); /* opening owes nothing to what was there */
	unpacker_open(&f.unpacker, &f.arena, &f.oodle);
}

static void close_fixture(void)
{
	arena_free(&f.arena);
}

/* ---- Packing --------------------------------------------------------------------------------- */

static void pack_deflate(uint64_t n, int bits)
{
	z_stream z = {
		.next_in = f.data, .avail_in = (uInt)n, .next_out = f.packed, .avail_out = ROOM
	};

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	f.n_packed = ROOM - z.avail_out;
	deflateEnd(&z);
}

static void pack_other(enum method m, uint64_t n)
{
#if defined(UVET_WITH_LZ4)
	if (m == METHOD_LZ4)
		f.n_packed = (uint64_t)LZ4_compress_default((const char *)f.data, (char *)f.packed,
							    (int)n, ROOM);
#endif
#if defined(UVET_WITH_ZSTD)
	if (m == METHOD_ZSTD)
		f.n_packed = ZSTD_compress(f.packed, ROOM, f.data, n, 3);
#endif
	(void)m, (void)n;
}

static void pack(enum method m, uint64_t n, unsigned variety)
{
	uint64_t seed = n + variety;

	for (uint64_t i = 0; i < n; i++)
		f.data[i] = (uint8_t)(unit_random(&seed) % variety);
	f.n_packed = n;
	memcpy(f.packed, f.data, n);
	if (m == METHOD_ZLIB || m == METHOD_GZIP)
		pack_deflate(n, m == METHOD_GZIP ? 31 : 15);
	else
		pack_other(m, n);
	MEMORY_WRITTEN(f.packed, ROOM);
}

/* Decodes a copy that ends where its block of memory does, into room that does so too. */
static struct unpack decode(enum method m, uint64_t n_in, uint64_t room)
{
	uint8_t *in = malloc(n_in + 1), *out = malloc(room + 1);
	struct unpack r;

	assert_true(in && out);
	memcpy(in + 1, f.packed, n_in);
	out[0] = 0xA5;
	r = method_unpack(&f.unpacker, m, in + 1, n_in, out + 1, room);
	assert_int_equal(out[0], 0xA5);
	assert_true(r.n_out <= room && r.n_used <= n_in);
	assert_true((r.result == UNPACK_DONE) == (r.result <= UNPACK_SHORT && r.n_out == room));
	if (r.result <= UNPACK_SHORT)
		memcpy(f.out, out + 1, r.n_out);
	free(in);
	free(out);
	return r;
}

static const enum method methods[] = { METHOD_NONE, METHOD_ZLIB, METHOD_GZIP, METHOD_LZ4,
				       METHOD_ZSTD };

/* Whether there are a decoder and something to pack for it. */
static bool has(enum method m)
{
#if !defined(UVET_WITH_LZ4)
	if (m == METHOD_LZ4)
		return false;
#endif
	return unpacker_has(&f.unpacker, m);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void good_blocks(void **state)
{
	static const uint64_t lengths[] = { 0, 1, 5, 100, 4096, 65536, DATA_LEN };

	(void)state;
	open_fixture(UNIT_PLENTY);
	for (size_t i = 0; i < LENGTH(lengths) * LENGTH(methods); i++) {
		uint64_t n = lengths[i / LENGTH(methods)];
		enum method m = methods[i % LENGTH(methods)];
		struct unpack r;

		if (!has(m))
			continue;
		pack(m, n, i % 2 ? 256 : 5);
		r = decode(m, f.n_packed, n);
		assert_int_equal(r.result, UNPACK_DONE);
		assert_int_equal(r.n_used, f.n_packed);
		assert_memory_equal(f.out, f.data, n);
		r = decode(m, f.n_packed, n + 10);
		assert_int_equal(r.result, UNPACK_SHORT);
		assert_int_equal(r.n_out, n);
		if (n > 0)
			assert_int_equal(decode(m, f.n_packed, n - 1).result, UNPACK_FULL);
		if (n > 1)
			assert_int_equal(decode(m, f.n_packed, 0).result, UNPACK_FULL);
	}
	close_fixture();
}

/* A block that was cut is never whole. LZ4 has no end of its own, so that a cut between two
 * sequences is a shorter block. */
static void cut_blocks(void **state)
{
	(void)state;
	open_fixture(UNIT_PLENTY);
	for (size_t i = 1; i < LENGTH(methods); i++) {
		if (!has(methods[i]))
			continue;
		pack(methods[i], 600, 20);
		for (uint64_t n = 0; n < f.n_packed; n++) {
			enum unpack_result result = decode(methods[i], n, 600).result;

			assert_true(result == UNPACK_BROKEN ||
				    (methods[i] == METHOD_LZ4 && result == UNPACK_SHORT));
		}
	}
	close_fixture();
}

static void flipped_bits(void **state)
{
	(void)state;
	open_fixture(UNIT_PLENTY);
	for (size_t i = 1; i < LENGTH(methods); i++) {
		pack(methods[i], 400, 20);
		for (uint64_t bit = 0; bit < 8 * f.n_packed; bit++) {
			f.packed[bit / 8] ^= (uint8_t)(1u << bit % 8);
			decode(methods[i], f.n_packed, 400);
			decode(methods[i], f.n_packed, 399);
			f.packed[bit / 8] ^= (uint8_t)(1u << bit % 8);
		}
	}
	close_fixture();
}

static void bytes_after_a_stream_are_not_its(void **state)
{
	static const enum method ending[] = { METHOD_ZLIB, METHOD_GZIP };

	(void)state;
	open_fixture(UNIT_PLENTY);
	for (size_t i = 0; i < LENGTH(ending); i++) {
		if (!has(ending[i]))
			continue;
		pack(ending[i], 500, 9);
		memset(f.packed + f.n_packed, 0x28, 20);
		for (uint64_t more = 0; more < 20; more++) {
			struct unpack r = decode(ending[i], f.n_packed + more, 500);

			assert_int_equal(r.result, UNPACK_DONE);
			assert_int_equal(r.n_used, f.n_packed);
		}
	}
	close_fixture();
}

static void use(const uint8_t *bytes, size_t n)
{
	memcpy(f.packed, bytes, n);
	f.n_packed = n;
}

/* By hand, after the formats' descriptions. */
static void lz4_by_hand(void **state)
{
	static const uint8_t hello[] = { 0x50, 'h', 'e', 'l', 'l', 'o' };
	/* 1, then 15 again, then 5 */
	static const uint8_t run[] = { 0x1B, 'a', 1, 0, 0x50, 'a', 'a', 'a', 'a', 'a' };
	/* reaches before the start */
	static const uint8_t far[] = { 0x1B, 'a', 2, 0, 0x50, 'a', 'a', 'a', 'a', 'a' };
	/* reaches nowhere */
	static const uint8_t here[] = { 0x1B, 'a', 0, 0, 0x50, 'a', 'a', 'a', 'a', 'a' };
	/* fewer than five literals at the end */
	static const uint8_t early[] = { 0x11, 'a', 1, 0, 0x10, 'a' };
	static const uint8_t endless[] = { 0x1F, 'a', 1, 0, 255, 255 };
	static const uint8_t half[] = { 0x11, 'a', 1 }; /* of an offset */
	/* a match eleven bytes before the end */
	static const uint8_t near[] = { 0x12, 'a', 1, 0, 0x50, 'a', 'a', 'a', 'a', 'a' };
	static const uint8_t empty[] = { 0 };
	static const uint8_t nothing[] = { 1 }; /* empty, but for a match of nothing */

	(void)state;
	open_fixture(UNIT_PLENTY);
	use(hello, sizeof hello);
	assert_int_equal(decode(METHOD_LZ4, sizeof hello, 5).result, UNPACK_DONE);
	assert_memory_equal(f.out, "hello", 5);
	use(run, sizeof run);
	assert_int_equal(decode(METHOD_LZ4, sizeof run, 21).result, UNPACK_DONE);
	assert_memory_equal(f.out, "aaaaaaaaaaaaaaaaaaaaa", 21);
	use(far, sizeof far);
	assert_int_equal(decode(METHOD_LZ4, sizeof far, 21).result, UNPACK_BROKEN);
	use(here, sizeof here);
	assert_int_equal(decode(METHOD_LZ4, sizeof here, 21).result, UNPACK_BROKEN);
	use(early, sizeof early);
	assert_int_equal(decode(METHOD_LZ4, sizeof early, 7).result, UNPACK_BROKEN);
	assert_int_equal(decode(METHOD_LZ4, sizeof early, 100).result, UNPACK_BROKEN);
	use(near, sizeof near);
	assert_int_equal(decode(METHOD_LZ4, sizeof near, 12).result, UNPACK_BROKEN);
	assert_int_equal(decode(METHOD_LZ4, sizeof near, 100).result, UNPACK_BROKEN);
	use(endless, sizeof endless);
	assert_int_equal(decode(METHOD_LZ4, sizeof endless, 600).result, UNPACK_BROKEN);
	use(half, sizeof half);
	assert_int_equal(decode(METHOD_LZ4, sizeof half, 6).result, UNPACK_BROKEN);
	use(empty, sizeof empty);
	assert_int_equal(decode(METHOD_LZ4, 1, 0).result, UNPACK_DONE);
	assert_int_equal(decode(METHOD_LZ4, 0, 0).result, UNPACK_BROKEN);
	use(nothing, sizeof nothing);
	assert_int_equal(decode(METHOD_LZ4, 1, 0).result, UNPACK_BROKEN);
	close_fixture();
}

enum { SEQUENCES = 100, SEQUENCE_LEN = 6, SEQUENCE_OUT = 14 };

/* Writes a hundred sequences of three literals and a match of eleven bytes, which goes back by
 * `offset` in one of them; then five literals. */
static void pack_sequences(unsigned at, unsigned offset)
{
	f.n_packed = 0;
	for (unsigned i = 0; i < SEQUENCES; i++) {
		const unsigned back = i == at ? offset : 1 + i % 17 % (SEQUENCE_OUT * i + 3);
		const uint8_t sequence[SEQUENCE_LEN] = {
			0x37, (uint8_t)i, 'b', 'c', (uint8_t)back, (uint8_t)(back >> 8)
		};

		memcpy(f.packed + f.n_packed, sequence, sizeof sequence);
		f.n_packed += sizeof sequence;
	}
	memcpy(f.packed + f.n_packed,
	       "\x50"
	       "12345",
	       6);
	f.n_packed += 6;
}

/* Far from the ends, where sequences are decoded in another way, and near them: a match goes
 * back by one byte at the least, and by all there are at the most. */
static void lz4_offsets_anywhere(void **state)
{
	const uint64_t room = SEQUENCES * SEQUENCE_OUT + 5;

	(void)state;
	open_fixture(UNIT_PLENTY);
	for (unsigned i = 0; i < SEQUENCES; i++) {
		const unsigned all = SEQUENCE_OUT * i + 3;
		const struct {
			unsigned offset;
			bool sound;
		} cases[] = { { 0, false }, { 1, true }, { all, true }, { all + 1, false } };

		for (size_t k = 0; k < LENGTH(cases); k++) {
			pack_sequences(i, cases[k].offset);
			assert_int_equal(decode(METHOD_LZ4, f.n_packed, room).result,
					 cases[k].sound ? UNPACK_DONE : UNPACK_BROKEN);
			assert_int_equal(decode(METHOD_LZ4, f.n_packed, room + 1).result,
					 cases[k].sound ? UNPACK_SHORT : UNPACK_BROKEN);
			assert_int_equal(decode(METHOD_LZ4, f.n_packed, room - 1).result,
					 cases[k].sound ? UNPACK_FULL : UNPACK_BROKEN);
		}
	}
	close_fixture();
}

/* Appends a length that fills its four bits. */
static void put_length(uint64_t length)
{
	for (length -= 15; length >= 255; length -= 255)
		f.packed[f.n_packed++] = 255;
	f.packed[f.n_packed++] = (uint8_t)length;
}

static uint64_t put_literals(uint64_t n_out, uint64_t n)
{
	if (n >= 15)
		put_length(n);
	for (uint64_t i = 0; i < n; i++)
		f.packed[f.n_packed++] = f.data[n_out + i] = (uint8_t)(7 * i + n);
	return n_out + n;
}

/* Packs literals, a match and literals, and writes what comes out, a byte after the other, to
 * f.data; returns how much that is. */
static uint64_t pack_match(uint64_t literals, uint64_t offset, uint64_t length, uint64_t end)
{
	uint64_t n_out;

	f.packed[0] = (uint8_t)((literals < 15 ? literals : 15) * 16 +
				(length < 19 ? length - 4 : 15));
	f.n_packed = 1;
	n_out = put_literals(0, literals);
	f.packed[f.n_packed++] = (uint8_t)offset;
	f.packed[f.n_packed++] = (uint8_t)(offset >> 8);
	if (length >= 19)
		put_length(length - 4);
	for (uint64_t i = 0; i < length; i++, n_out++)
		f.data[n_out] = f.data[n_out - offset];
	f.packed[f.n_packed++] = (uint8_t)((end < 15 ? end : 15) * 16);
	return put_literals(n_out, end);
}

/* Every offset and every length, near the end and far from it. */
static void lz4_matches_overlap(void **state)
{
	enum { LITERALS = 40, LENGTH_MAX = 300 };
	static const uint64_t ends[] = { 5, 8, 200 };

	(void)state;
	open_fixture(UNIT_PLENTY);
	for (uint64_t offset = 1; offset <= LITERALS; offset++)
		for (uint64_t i = 4 * LENGTH(ends); i < LENGTH_MAX * LENGTH(ends); i++) {
			const uint64_t length = i / LENGTH(ends), end = ends[i % LENGTH(ends)];
			const uint64_t n = pack_match(LITERALS, offset, length, end);
			const struct unpack r = decode(METHOD_LZ4, f.n_packed, n);

			assert_int_equal(r.result, length + end < 12 ? UNPACK_BROKEN : UNPACK_DONE);
			assert_memory_equal(f.out, f.data, r.n_out);
		}
	close_fixture();
}

/* Lengths that go on in bytes until the block ends, or past what may come out, far from both
 * ends. */
static void lz4_lengths_without_end(void **state)
{
	enum { BYTES = 400, LONG = 4000, END = 200 };
	static const uint8_t literals[] = { 0xF0 }, match[] = { 0x1F, 'a', 1, 0 };
	uint64_t n;

	(void)state;
	open_fixture(UNIT_PLENTY);
	memset(f.packed, 255, BYTES);
	use(literals, sizeof literals);
	assert_int_equal(decode(METHOD_LZ4, BYTES, LONG).result, UNPACK_BROKEN);
	use(match, sizeof match);
	assert_int_equal(decode(METHOD_LZ4, BYTES, LONG).result, UNPACK_BROKEN);
	n = pack_match(1, 1, LONG, END);
	assert_int_equal(decode(METHOD_LZ4, f.n_packed, n).result, UNPACK_DONE);
	assert_int_equal(decode(METHOD_LZ4, f.n_packed, LONG - END).result, UNPACK_FULL);
	close_fixture();
}

/* A frame of one raw block, a frame to skip, a frame with a window of 2 GB, a frame of version
 * 0.7. */
static void zstd_by_hand(void **state)
{
	static const uint8_t hello[] = { 0x28, 0xB5, 0x2F, 0xFD, 0x20, 5,   0x29,
					 0,    0,    'h',  'e',  'l',  'l', 'o' };
	static const uint8_t skipped[] = { 0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 9, 9 };
	static const uint8_t wide[] = { 0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xA8, 0x29,
					0,    0,    'h',  'e',  'l',  'l',  'o' };
	static const uint8_t old[] = { 0x27, 0xB5, 0x2F, 0xFD, 0x20, 5,   0x29,
				       0,    0,    'h',  'e',  'l',  'l', 'o' };

	(void)state;
	open_fixture(UNIT_PLENTY);
	if (has(METHOD_ZSTD)) {
		use(hello, sizeof hello);
		memcpy(f.packed + sizeof hello, skipped, sizeof skipped);
		memcpy(f.packed + sizeof hello + sizeof skipped, hello, sizeof hello);
		f.n_packed = 2 * sizeof hello + sizeof skipped;
		assert_int_equal(decode(METHOD_ZSTD, f.n_packed, 10).result, UNPACK_DONE);
		assert_memory_equal(f.out, "hellohello", 10);
		assert_int_equal(decode(METHOD_ZSTD, f.n_packed, 9).result, UNPACK_FULL);
		assert_int_equal(decode(METHOD_ZSTD, sizeof hello + sizeof skipped, 5).n_used,
				 sizeof hello + sizeof skipped);
		for (size_t more = 1; more < sizeof hello; more++)
			assert_int_equal(
				decode(METHOD_ZSTD, sizeof hello + sizeof skipped + more, 5).result,
				UNPACK_BROKEN);
		assert_int_equal(decode(METHOD_ZSTD, 0, 0).result, UNPACK_BROKEN);
		use(skipped, sizeof skipped);
		assert_int_equal(decode(METHOD_ZSTD, sizeof skipped, 0).result, UNPACK_DONE);
		for (size_t i = 0; i < 4; i++) {
			f.packed[i] ^= 0x80;
			assert_int_equal(decode(METHOD_ZSTD, sizeof skipped, 0).result,
					 UNPACK_BROKEN);
			f.packed[i] ^= 0x80;
		}
		use(wide, sizeof wide);
		assert_int_equal(decode(METHOD_ZSTD, sizeof wide, 5).result, UNPACK_DONE);
		use(old, sizeof old);
		assert_int_equal(decode(METHOD_ZSTD, sizeof old, 5).result, UNPACK_BROKEN);
	}
	close_fixture();
}

/* A header may have a checksum of its own. */
static void gzip_headers(void **state)
{
	(void)state;
	open_fixture(UNIT_PLENTY);
	pack(METHOD_GZIP, 300, 30);
	/* The checksum of the header's first ten bytes, wrong. */
	memmove(f.packed + 12, f.packed + 10, f.n_packed - 10);
	f.packed[3] |= 2;
	f.packed[10] = f.packed[11] = 0;
	assert_int_equal(decode(METHOD_GZIP, f.n_packed + 2, 300).result, UNPACK_BROKEN);
	f.packed[10] = (uint8_t)crc32(0, f.packed, 10);
	f.packed[11] = (uint8_t)(crc32(0, f.packed, 10) >> 8);
	assert_int_equal(decode(METHOD_GZIP, f.n_packed + 2, 300).result, UNPACK_DONE);
	assert_memory_equal(f.out, f.data, 300);
	close_fixture();
}

static void oodle_is_not_believed(void **state)
{
	static const int64_t wrong[] = { -1, 1, -51, INT64_MAX - 50, INT64_MIN };

	(void)state;
	open_fixture(UNIT_PLENTY);
	pack(METHOD_OODLE, 50, 256);
	assert_int_equal(decode(METHOD_OODLE, 50, 50).result, UNPACK_DONE);
	assert_memory_equal(f.out, f.data, 50);
	for (size_t i = 0; i < LENGTH(wrong); i++) {
		f.fake.more = wrong[i];
		assert_int_equal(decode(METHOD_OODLE, 50, 50).result, UNPACK_BROKEN);
	}
	f.fake = (struct fake){ .lazy = true };
	memset(f.data, 0, 50);
	assert_int_equal(decode(METHOD_OODLE, 50, 50).result, UNPACK_DONE);
	assert_memory_equal(f.out, f.data, 50);
	f.oodle.decode = NULL;
	assert_int_equal(decode(METHOD_OODLE, 50, 50).result, UNPACK_UNAVAILABLE);
	assert_false(has(METHOD_OODLE));
	close_fixture();
}

static void names_without_case(void **state)
{
	static const struct {
		const char *name;
		enum method method;
	} names[] = { { "None", METHOD_NONE },    { "Zlib", METHOD_ZLIB },
		      { "ZLIB", METHOD_ZLIB },    { "gzip", METHOD_GZIP },
		      { "lZ4", METHOD_LZ4 },      { "Zstd", METHOD_ZSTD },
		      { "OODLE", METHOD_OODLE },  { "", METHOD_UNKNOWN },
		      { "Zli", METHOD_UNKNOWN },  { "Zlibb", METHOD_UNKNOWN },
		      { "Zlid", METHOD_UNKNOWN }, { "Oodle2", METHOD_UNKNOWN },
		      { "LZ@", METHOD_UNKNOWN },  { "LZ\x14", METHOD_UNKNOWN } };

	(void)state;
	open_fixture(UNIT_PLENTY);
	for (size_t i = 0; i < LENGTH(names); i++)
		assert_int_equal(method_of((const uint8_t *)names[i].name, strlen(names[i].name)),
				 names[i].method);
	for (enum method m = METHOD_NONE; m < METHOD_UNKNOWN; m++)
		assert_int_equal(method_of((const uint8_t *)method_name(m), strlen(method_name(m))),
				 m);
	assert_string_equal(method_name(METHOD_UNKNOWN), "");
	assert_true(has(METHOD_NONE) && has(METHOD_ZLIB) && has(METHOD_GZIP) &&
		    !has(METHOD_UNKNOWN));
	assert_int_equal(decode(METHOD_UNKNOWN, 0, 0).result, UNPACK_UNAVAILABLE);
	for (enum method m = METHOD_LZ4; m <= METHOD_ZSTD; m++)
		assert_true(has(m) == (decode(m, 0, 0).result != UNPACK_UNAVAILABLE));
	close_fixture();
}

/* Each request for memory is refused once: the answer is that, or the right one. */
static void memory_may_end(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(methods); i++) {
		for (uint64_t at = 1; at < 5; at++) {
			struct unpack r;

			open_fixture(UNIT_PLENTY);
			pack(methods[i], 100, 7);
			f.memory.fail_at = at;
			r = decode(methods[i], f.n_packed, 100);
			if (has(methods[i]))
				assert_int_equal(r.result,
						 f.arena.refused ? UNPACK_NO_MEMORY : UNPACK_DONE);
			close_fixture();
		}
	}
}

/* No block is longer than the libraries can count. */
static void lengths_are_bounded(void **state)
{
	static const enum method all[] = { METHOD_ZLIB, METHOD_GZIP, METHOD_LZ4, METHOD_ZSTD,
					   METHOD_OODLE };
	uint8_t in = 0, out = 0;

	(void)state;
	open_fixture(UNIT_PLENTY);
	for (size_t i = 0; i < LENGTH(all); i++) {
		const enum method m = all[i];

		if (!has(m))
			continue;
		assert_int_equal(method_unpack(&f.unpacker, m, &in, UNPACK_MAX + 1, &out, 1).result,
				 UNPACK_NO_MEMORY);
		assert_int_equal(method_unpack(&f.unpacker, m, &in, 1, &out, UNPACK_MAX + 1).result,
				 UNPACK_NO_MEMORY);
	}
	close_fixture();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_blocks),
		cmocka_unit_test(cut_blocks),
		cmocka_unit_test(flipped_bits),
		cmocka_unit_test(bytes_after_a_stream_are_not_its),
		cmocka_unit_test(lz4_by_hand),
		cmocka_unit_test(lz4_offsets_anywhere),
		cmocka_unit_test(lz4_lengths_without_end),
		cmocka_unit_test(lz4_matches_overlap),
		cmocka_unit_test(zstd_by_hand),
		cmocka_unit_test(gzip_headers),
		cmocka_unit_test(oodle_is_not_believed),
		cmocka_unit_test(names_without_case),
		cmocka_unit_test(memory_may_end),
		cmocka_unit_test(lengths_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

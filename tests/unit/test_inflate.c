/* Tests of inflating, of good streams and of broken ones; and of .lzma's limits. */
#include <stdlib.h>
#include <zlib.h>

#include "codec/inflate.h"
#include "codec/lzma.h"
#include "unit.h"

enum { DATA_LEN = 40000, ROOM = 60000 };

struct fixture {
	struct fault_memory memory;
	struct arena arena;
	struct inflater inflater;
	uint8_t data[DATA_LEN], packed[ROOM], out[ROOM];
	uint64_t n_packed;
};

static struct fixture f;

static void open_fixture(uint64_t budget)
{
	memset(&f.memory, 0, sizeof f.memory);
	f.arena = unit_arena(&f.memory, budget);
	f.inflater = (struct inflater){ .arena = &f.arena };
}

static void close_fixture(void)
{
	arena_free(&f.arena);
}

static void pack(uint64_t n, int level, unsigned variety)
{
	uLongf n_packed = ROOM;
	uint64_t seed = n + variety;

	for (uint64_t i = 0; i < n; i++)
		f.data[i] = (uint8_t)(unit_random(&seed) % variety);
	assert_int_equal(compress2(f.packed, &n_packed, f.data, n, level), Z_OK);
	f.n_packed = n_packed;
}

/* Decodes a copy that ends where its block of memory does, into room that does so too. */
static struct inflated decode(uint64_t n_in, uint64_t max_out)
{
	uint8_t *in = malloc(n_in + 1), *out = malloc(max_out + 1), *exact_in = in + 1,
		*exact_out = out + 1;
	struct inflated r;

	assert_true(in && out);
	memcpy(exact_in, f.packed, n_in);
	r = inflate_whole(&f.inflater, exact_in, n_in, exact_out, max_out);
	if (r.result == INFLATE_DONE)
		memcpy(f.out, exact_out, r.n_out);
	free(in);
	free(out);
	return r;
}

static void good_streams(void **state)
{
	static const uint64_t lengths[] = { 0, 1, 2, 100, 32767, 32768, 32769, DATA_LEN };

	(void)state;
	open_fixture(UNIT_PLENTY);
	for (size_t i = 0; i < LENGTH(lengths); i++) {
		for (int level = 0; level <= 9; level += 3) {
			pack(lengths[i], level, i % 2 ? 256 : 7);
			assert_int_equal(decode(f.n_packed, lengths[i]).result, INFLATE_DONE);
			assert_memory_equal(f.out, f.data, lengths[i]);
			assert_int_equal(decode(f.n_packed, lengths[i] + 10).result, INFLATE_DONE);
			if (lengths[i] > 0)
				assert_int_equal(decode(f.n_packed, lengths[i] - 1).result,
						 INFLATE_FULL);
		}
	}
	close_fixture();
}

static void lengths_without_room(void **state)
{
	static const uint64_t lengths[] = { 1, 1023, 1024, 1025, DATA_LEN };

	(void)state;
	open_fixture(UNIT_PLENTY);
	for (size_t i = 0; i < LENGTH(lengths); i++) {
		const uint64_t n = lengths[i];

		pack(n, 6, 5);
		assert_int_equal(inflate_length(&f.inflater, f.packed, f.n_packed, n + 1), n);
		assert_int_equal(inflate_length(&f.inflater, f.packed, f.n_packed, n), n);
		/* no more is decompressed than is asked about */
		assert_int_equal(inflate_length(&f.inflater, f.packed, f.n_packed, n / 2), n / 2);
		assert_int_equal(inflate_length(&f.inflater, f.packed, f.n_packed - 1, n + 1), 0);
		f.packed[f.n_packed - 1] ^= 1;
		assert_int_equal(inflate_length(&f.inflater, f.packed, f.n_packed, n + 1), 0);
	}
	close_fixture();
	open_fixture(100);
	assert_int_equal(inflate_length(&f.inflater, f.packed, f.n_packed, DATA_LEN + 1), 0);
	close_fixture();
}

static void bytes_after_a_stream_are_not_its(void **state)
{
	(void)state;
	open_fixture(UNIT_PLENTY);
	pack(500, 6, 9);
	memset(f.packed + f.n_packed, 0x78, 50);
	for (uint64_t more = 0; more < 50; more++) {
		assert_int_equal(decode(f.n_packed + more, 500).result, INFLATE_DONE);
		assert_int_equal(decode(f.n_packed + more, 500).n_used, f.n_packed);
	}
	close_fixture();
}

static void cut_streams(void **state)
{
	(void)state;
	open_fixture(UNIT_PLENTY);
	for (int level = 0; level <= 9; level += 9) {
		pack(700, level, 30);
		for (uint64_t n = 0; n < f.n_packed; n++)
			assert_int_equal(decode(n, 700).result, INFLATE_BROKEN);
	}
	close_fixture();
}

/* A stream that ends as it should decompresses to the bytes that its Adler-32 is of, whatever bit
 * of it is another. */
static void flipped_bits(void **state)
{
	(void)state;
	open_fixture(UNIT_PLENTY);
	pack(300, 9, 40);
	for (uint64_t bit = 0; bit < 8 * f.n_packed; bit++) {
		struct inflated r;

		f.packed[bit / 8] ^= (uint8_t)(1u << bit % 8);
		r = decode(f.n_packed, 300);
		assert_int_not_equal(r.result, INFLATE_NO_MEMORY);
		if (r.result == INFLATE_DONE) {
			assert_int_equal(r.n_out, 300);
			assert_memory_equal(f.out, f.data, 300);
		}
		f.packed[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	close_fixture();
}

static void an_adler_counts(void **state)
{
	(void)state;
	open_fixture(UNIT_PLENTY);
	pack(300, 9, 40);
	f.packed[f.n_packed - 1] ^= 1;
	assert_int_equal(decode(f.n_packed, 300).result, INFLATE_BROKEN);
	close_fixture();
}

static void headers(void **state)
{
	(void)state;
	open_fixture(UNIT_PLENTY);
	pack(10, 6, 3);
	for (unsigned first = 0; first < 256; first++) {
		for (unsigned second = 0; second < 256; second++) {
			f.packed[0] = (uint8_t)first;
			f.packed[1] = (uint8_t)second;
			assert_int_equal(decode(f.n_packed, 10).result == INFLATE_DONE,
					 inflate_looks_like_zlib(first, second));
		}
	}
	close_fixture();
}

/* Reserved symbols and numbers of codes, which other libraries take. */
static void reserved_codes(void **state)
{
	static const uint8_t symbol_286[] = { 0x78, 0x01, 0x73, 0x1C, 0x03,
					      0x00, 0x67, 0xF8, 0x41, 0xC4 };
	static const uint8_t symbol_287[] = { 0x78, 0x01, 0x73, 0x1C, 0x07,
					      0x00, 0x67, 0xF8, 0x41, 0xC4 };
	static const uint8_t distances_31[] = { 0x78, 0x01, 0x05, 0xFE, 0x21, 0x09, 0x00, 0x00,
						0x00, 0x00, 0x20, 0x6C, 0xF3, 0xFF, 0x29, 0x7D,
						0x02, 0x02, 0x03, 0xD4, 0x01, 0x46 };
	static const struct {
		const uint8_t *bytes;
		size_t n;
	} streams[] = {
		{ symbol_286, sizeof symbol_286 },
		{ symbol_287, sizeof symbol_287 },
		{ distances_31, sizeof distances_31 },
	};

	(void)state;
	open_fixture(UNIT_PLENTY);
	for (size_t i = 0; i < LENGTH(streams); i++) {
		memcpy(f.packed, streams[i].bytes, streams[i].n);
		assert_int_equal(decode(streams[i].n, 300).result, INFLATE_BROKEN);
	}
	close_fixture();
}

/* Each request for memory is refused once: the answer is that, or the right one. */
static void memory_may_end(void **state)
{
	(void)state;
	pack(10, 6, 3);
	open_fixture(100);
	assert_int_equal(decode(f.n_packed, 10).result, INFLATE_NO_MEMORY);
	assert_true(f.arena.over_budget);
	close_fixture();
	for (uint64_t at = 1; at < 6; at++) {
		struct inflated r;

		open_fixture(UNIT_PLENTY);
		f.arena.chunk_len = 64;
		f.memory.fail_at = at;
		r = decode(f.n_packed, 10);
		assert_int_equal(r.result, f.arena.refused ? INFLATE_NO_MEMORY : INFLATE_DONE);
		close_fixture();
	}
}

/* ---- LZMA ------------------------------------------------------------------------------------ */

static bool go_on(void *ctx)
{
	unsigned *left = ctx;

	if (*left == 0)
		return false;
	--*left;
	return true;
}

/* "AAAAA" as five literals, with an end marker. Source: conformance/assembler/rangecoder.py. */
static const uint8_t five[] = { 0x00, 0x20, 0x90, 0x44, 0x29, 0xAD, 0x48, 0x94,
				0x78, 0x60, 0xFF, 0xF7, 0xBD, 0xC0, 0x00 };

static struct unlzma unpack(struct unlzma_header h, uint64_t n_in, uint8_t *out, uint64_t max,
			    unsigned pulses)
{
	return unlzma_whole(&f.arena, h, five, n_in, out, max, go_on, &pulses);
}

static void lzma_memory_may_end(void **state)
{
	struct unlzma_header h = { 0x5D, 67108864, 1u << 26 };
	struct unlzma r;

	(void)state;
	unit_needs(unlzma_is_available(), "liblzma");
	open_fixture(150000);
	r = unpack(h, sizeof five, NULL, 1u << 26, 9);
	assert_int_equal(r.result, UNLZMA_NO_MEMORY);
	assert_true(f.arena.over_budget);
	close_fixture();
	open_fixture(100);
	assert_int_equal(unpack(h, sizeof five, NULL, 10, 9).result, UNLZMA_NO_MEMORY);
	close_fixture();
	/* A dictionary larger than what may come out is not asked for. */
	open_fixture(1 << 20);
	h.size = LZMA_SIZE_UNKNOWN;
	assert_int_equal(unpack(h, sizeof five, NULL, 100, 9).result, UNLZMA_DONE);
	close_fixture();
	/* Nor one larger than what the input can decompress to. */
	open_fixture(1 << 20);
	h.dictionary = UINT32_MAX;
	assert_int_equal(unpack(h, sizeof five, NULL, UINT64_MAX, 9).result, UNLZMA_DONE);
	close_fixture();
}

static void lzma_sizes(void **state)
{
	struct unlzma_header h = { 0x5D, 4096, LZMA_SIZE_UNKNOWN };
	struct unlzma r;
	uint8_t out[8] = { 0 };

	(void)state;
	unit_needs(unlzma_is_available(), "liblzma");
	open_fixture(UNIT_PLENTY);
	r = unpack(h, sizeof five, out, 5, 9);
	assert_int_equal(r.result, UNLZMA_DONE);
	assert_int_equal(r.n_out, 5);
	assert_int_equal(r.n_used, sizeof five);
	assert_memory_equal(out, "AAAAA\0", 6);
	assert_int_equal(unpack(h, sizeof five, NULL, 5, 9).n_out, 5);
	assert_int_equal(unpack(h, sizeof five, out, 4, 9).result, UNLZMA_FULL);
	assert_int_equal(unpack(h, sizeof five, NULL, 4, 9).result, UNLZMA_FULL);
	for (uint64_t n = 0; n < sizeof five; n++)
		assert_int_equal(unpack(h, n, out, 5, 9).result, UNLZMA_BROKEN);
	h.size = 5;
	assert_int_equal(unpack(h, sizeof five, out, 5, 9).result, UNLZMA_DONE);
	assert_int_equal(unpack(h, sizeof five, out, 6, 9).n_out, 5);
	for (h.size = 0; h.size < 8; h.size++)
		assert_int_equal(unpack(h, sizeof five, out, h.size, 9).result,
				 h.size == 5 ? UNLZMA_DONE : UNLZMA_BROKEN);
	close_fixture();
}

static void lzma_stops(void **state)
{
	struct unlzma_header h = { 0x5D, 4096, LZMA_SIZE_UNKNOWN };

	(void)state;
	unit_needs(unlzma_is_available(), "liblzma");
	open_fixture(UNIT_PLENTY);
	assert_int_equal(unpack(h, sizeof five, NULL, 100, 0).result, UNLZMA_STOPPED);
	h.properties = 224;
	assert_int_equal(unpack(h, sizeof five, NULL, 100, 9).result, UNLZMA_UNAVAILABLE);
	close_fixture();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_streams),
		cmocka_unit_test(lengths_without_room),
		cmocka_unit_test(bytes_after_a_stream_are_not_its),
		cmocka_unit_test(cut_streams),
		cmocka_unit_test(flipped_bits),
		cmocka_unit_test(an_adler_counts),
		cmocka_unit_test(headers),
		cmocka_unit_test(reserved_codes),
		cmocka_unit_test(memory_may_end),
		cmocka_unit_test(lzma_sizes),
		cmocka_unit_test(lzma_memory_may_end),
		cmocka_unit_test(lzma_stops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

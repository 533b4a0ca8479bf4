/* Tests of the stages of .uz, each by itself: known values, edges, broken input, and a decoder that
 * goes one step at a time. */
#include <stdlib.h>

#include "codec/bwt.h"
#include "codec/huffman.h"
#include "codec/mtf.h"
#include "codec/runs.h"
#include "unit.h"

/* ---- Huffman --------------------------------------------------------------------------------- */

/* Bits, the first lowest in its byte. */
struct bits {
	uint8_t bytes[70000];
	uint64_t n;
};

static struct bits bits;

static void put_bit(unsigned bit)
{
	if (bits.n % 8 == 0)
		bits.bytes[bits.n / 8] = 0;
	bits.bytes[bits.n / 8] |= (uint8_t)(bit << bits.n % 8);
	bits.n++;
}

static void put_bits(const char *s)
{
	for (; *s; s++)
		put_bit(*s == '1');
}

static void put_leaf(unsigned byte)
{
	put_bit(0);
	for (unsigned i = 0; i < 8; i++)
		put_bit(byte >> i & 1);
}

static enum huffman_fault read_tree(struct huffman *h, uint64_t n_bytes)
{
	*h = (struct huffman){ .in = bits.bytes, .n_in = n_bytes };
	return huffman_read_tree(h);
}

static enum huffman_fault read_whole_tree(struct huffman *h)
{
	return read_tree(h, (bits.n + 7) / 8);
}

static void a_tree_may_be_one_leaf(void **state)
{
	static struct huffman h;
	uint8_t out[5] = { 0 };

	(void)state;
	bits.n = 0;
	put_leaf('x');
	assert_int_equal(read_whole_tree(&h), HUFFMAN_FINE);
	assert_true(huffman_is_single(&h));
	assert_int_equal(h.tree_bits, 9);
	assert_int_equal(h.shortest, 0);
	assert_int_equal(huffman_decode(&h, out, 0), 0);
	assert_int_equal(out[0], 0);
	huffman_make_fast(&h);
	assert_false(h.has_fast);
	assert_int_equal(huffman_decode(&h, out, 4), 4);
	assert_memory_equal(out, "xxxx\0", 5);
	assert_int_equal(h.bit, 9);
}

/* A tree of two nodes, in which a has a code of one bit, b and c of two. */
static void make_three_leaves(void)
{
	bits.n = 0;
	put_bits("1");
	put_leaf('a');
	put_bits("1");
	put_leaf('b');
	put_leaf('c');
}

static void a_tree_is_whole_or_cut(void **state)
{
	static struct huffman h;

	(void)state;
	make_three_leaves();
	assert_int_equal(read_whole_tree(&h), HUFFMAN_FINE);
	assert_int_equal(h.n_nodes, 2);
	assert_int_equal(h.depth, 2);
	assert_int_equal(h.shortest, 1);
	for (uint64_t n = 0; n < (bits.n + 7) / 8; n++)
		assert_int_equal(read_tree(&h, n), HUFFMAN_TREE_CUT);
}

/* A chain of nodes, each with a leaf first: as deep as a tree gets. */
static void make_chain(unsigned n_nodes)
{
	bits.n = 0;
	for (unsigned i = 0; i < n_nodes; i++) {
		put_bit(1);
		put_leaf(i);
	}
	put_leaf(255);
}

static void a_tree_has_256_leaves_at_most(void **state)
{
	static struct huffman h;

	(void)state;
	make_chain(255);
	assert_int_equal(read_whole_tree(&h), HUFFMAN_FINE);
	assert_int_equal(h.depth, 255);
	assert_int_equal(h.n_nodes, 255);
	make_chain(256);
	assert_int_equal(read_whole_tree(&h), HUFFMAN_TREE_DEEP);
	bits.n = 0;
	for (unsigned i = 0; i < 255; i++)
		put_bit(1);
	for (unsigned i = 0; i < 256; i++)
		put_leaf(i);
	assert_int_equal(read_whole_tree(&h), HUFFMAN_FINE);
	assert_int_equal(h.links[2 * 254 + 1], 0);
	assert_int_equal(h.shortest, 1);
	bits.n = 0;
	for (unsigned i = 0; i < 256; i++)
		put_bit(1);
	assert_int_equal(read_whole_tree(&h), HUFFMAN_TREE_DEEP);
	/* Two chains of 128 nodes have 257 leaves between them, with the root. */
	bits.n = 0;
	put_bit(1);
	for (unsigned side = 0; side < 2; side++) {
		for (unsigned i = 0; i < 127 + side; i++) {
			put_bit(1);
			put_leaf(i);
		}
		put_leaf(0);
	}
	assert_int_equal(read_whole_tree(&h), HUFFMAN_TREE_WIDE);
}

/* Decodes with and without the table, in portions, and one bit at a time by hand. */
static void all_ways_agree(uint64_t n_symbols)
{
	static struct huffman h, slow;
	static uint8_t expected[60000], fast[60000];
	uint64_t n, portion = 1, done = 0;

	assert_int_equal(read_whole_tree(&slow), HUFFMAN_FINE);
	n = huffman_decode(&slow, expected, n_symbols);
	assert_int_equal(read_whole_tree(&h), HUFFMAN_FINE);
	huffman_make_fast(&h);
	memset(fast, 0xEE, sizeof fast);
	assert_int_equal(huffman_decode(&h, fast, n_symbols), n);
	assert_memory_equal(fast, expected, n);
	assert_int_equal(h.bit, slow.bit);
	if (n < sizeof fast)
		assert_int_equal(fast[n_symbols], 0xEE);
	assert_int_equal(read_whole_tree(&h), HUFFMAN_FINE);
	huffman_make_fast(&h);
	while (done < n) {
		uint64_t some = n - done < portion ? n - done : portion;

		assert_int_equal(huffman_decode(&h, fast + done, some), some);
		done += some;
		portion = portion % 97 + 13;
	}
	assert_memory_equal(fast, expected, n);
}

static void codes_of_every_length(void **state)
{
	uint64_t seed = 77;

	(void)state;
	for (unsigned chain = 1; chain <= 255; chain += 23) {
		make_chain(chain);
		for (unsigned i = 0; i < 2000; i++)
			put_bit(unit_random(&seed) % 8 != 0);
		all_ways_agree(1000);
		all_ways_agree(7);
	}
	/* Short codes: up to three in one lookup. */
	make_chain(3);
	for (unsigned i = 0; i < 90000; i++)
		put_bit(unit_random(&seed) & 1);
	all_ways_agree(40000);
}

static void codes_end_with_the_bits(void **state)
{
	static struct huffman h;
	uint8_t out[64];

	(void)state;
	make_three_leaves();
	/* 29 + 6 bits, and the first of a code that ends with the byte */
	put_bits("0"
		 "10"
		 "11"
		 "0"
		 "1");
	while (bits.n % 8 != 0)
		put_bit(1);
	put_bit(1);
	bits.n--;
	assert_int_equal(read_tree(&h, bits.n / 8), HUFFMAN_FINE);
	assert_int_equal(huffman_decode(&h, out, 64), 6);
	assert_memory_equal(out, "abcacc", 6);
	assert_true(8 * h.n_in - h.bit <= 1);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static void put_u32(uint8_t *p, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static void make_block(uint8_t *p, uint32_t len, uint32_t first, uint32_t last, const void *bytes,
		       size_t n)
{
	put_u32(p, len);
	put_u32(p + 4, first);
	put_u32(p + 8, last);
	memcpy(p + 12, bytes, n);
}

static void a_block_is_checked(void **state)
{
	static const struct {
		uint32_t len, first, last;
		uint64_t n;
		enum bwt_fault fault;
	} rows[] = {
		{ 3, 1, 0, 16, BWT_FINE },
		{ 3, 3, 3, 16, BWT_FINE },
		{ 3, 4, 0, 16, BWT_FIRST },
		{ 3, 0, 4, 16, BWT_LAST },
		{ 3, 0, 0xFFFFFFFF, 16, BWT_LAST },
		{ 3, 0x80000000, 0, 16, BWT_FIRST },
		{ 3, 1, 0, 15, BWT_CUT },
		{ 0, 0, 0, 13, BWT_FINE },
		{ 0, 1, 0, 13, BWT_FIRST },
		{ 0, 0, 0, 12, BWT_CUT },
		{ 0, 0, 0, 11, BWT_HEADER_CUT },
		{ 0, 0, 0, 0, BWT_HEADER_CUT },
		{ 0x40001, 0, 0, 16, BWT_LENGTH },
		{ 0x40000, 0, 0, 16, BWT_CUT },
		{ 0xFFFFFFFF, 0, 0, 16, BWT_LENGTH },
	};
	uint8_t bytes[20] = { 0 };

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct bwt_block b;

		make_block(bytes + 4, rows[i].len, rows[i].first, rows[i].last, "ABCD", 4);
		assert_int_equal(bwt_read(bytes, 4 + rows[i].n, 4, &b), rows[i].fault);
		assert_int_equal(b.at, 4);
	}
}

/* The definition, one step at a time. */
static void decode_by_hand(const struct bwt_block *b, uint8_t *out)
{
	uint32_t *from = malloc(((size_t)b->len + 1) * sizeof *from), n = 0, at = b->first;

	assert_non_null(from);
	for (unsigned symbol = 0; symbol <= 256; symbol++)
		for (uint32_t i = 0; i <= b->len; i++)
			if ((i == b->last ? 256u : b->bytes[i]) == symbol)
				from[n++] = i;
	for (uint32_t i = 0; i < b->len; i++) {
		out[i] = b->bytes[at];
		at = from[at];
	}
	free(from);
}

/* Random blocks of few or many values; most of them no compressor would write. */
static void blocks_by_the_definition(uint32_t least, uint32_t most, unsigned rounds)
{
	uint8_t *bytes = malloc(most + 1), *out = malloc(most + 1), *expected = malloc(most + 1);
	uint32_t *scratch = malloc(bwt_scratch_len(most) * sizeof *scratch);
	uint64_t seed = 3 + most;

	assert_true(bytes && out && expected && scratch);
	for (unsigned round = 0; round < rounds; round++) {
		uint32_t len = least + (uint32_t)(unit_random(&seed) % (most - least + 1));
		struct bwt_block b = { 0, len, (uint32_t)(unit_random(&seed) % (len + 1)),
				       (uint32_t)(unit_random(&seed) % (len + 1)), bytes };

		if (round % 5 == 0)
			b.first = round % 2 ? 0 : len;
		for (uint32_t i = 0; i <= len; i++)
			bytes[i] = (uint8_t)(unit_random(&seed) %
					     (round % 3 ? 256 : 1 + round % 4));
		decode_by_hand(&b, expected);
		bwt_decode(&b, scratch, out);
		assert_memory_equal(out, expected, len);
	}
	free(bytes);
	free(out);
	free(expected);
	free(scratch);
}

static void short_blocks(void **state)
{
	(void)state;
	blocks_by_the_definition(0, 5, 300);
	blocks_by_the_definition(0, 700, 60);
}

/* From 4096 bytes on a block is walked in segments. */
static void long_blocks(void **state)
{
	(void)state;
	blocks_by_the_definition(4090, 4100, 60);
	blocks_by_the_definition(4096, 9000, 40);
	blocks_by_the_definition(BWT_LEN_MAX, BWT_LEN_MAX, 2);
}

/* Every First of one block. */
static void first_is_anywhere(void **state)
{
	enum { LEN = 4200 };
	static uint8_t bytes[LEN + 1], out[LEN], expected[LEN];
	static uint32_t scratch[3 * (LEN + 1)];
	uint64_t seed = 8;

	(void)state;
	for (unsigned i = 0; i <= LEN; i++)
		bytes[i] = (uint8_t)(unit_random(&seed) % 40);
	for (uint32_t first = 0; first <= LEN; first += first % 131 < 4 || first > 4180 ? 1 : 63) {
		struct bwt_block b = { 0, LEN, first, first / 2, bytes };

		decode_by_hand(&b, expected);
		bwt_decode(&b, scratch, out);
		assert_memory_equal(out, expected, LEN);
	}
}

static void a_block_decodes_in_its_own_place(void **state)
{
	/* ABRACADABRA: the order of its suffixes by hand. */
	static const uint8_t order[] = { 0, 7, 3, 5, 10, 1, 8, 4, 6, 2, 9, 11 };
	uint8_t bytes[24], sorted[12];
	uint32_t scratch[36];
	struct bwt_block b;

	(void)state;
	for (unsigned i = 0; i < 12; i++)
		sorted[i] = (uint8_t)(order[i] ? "ABRACADABRA"[order[i] - 1] : 'A');
	make_block(bytes, 11, 5, 0, sorted, 12);
	assert_int_equal(bwt_read(bytes, 24, 0, &b), BWT_FINE);
	assert_int_equal(bwt_scratch_len(11), 36);
	bwt_decode(&b, scratch, bytes);
	assert_memory_equal(bytes, "ABRACADABRA", 11);
}

/* ---- Places and runs ------------------------------------------------------------------------- */

/* A stream that is announced as one of n bytes. */
static void check_places(uint64_t n)
{
	enum { N = 5000 };
	static uint8_t bytes[N], expected[N], list[256];
	uint64_t seed = 9;
	struct mtf m;

	for (unsigned i = 0; i < 256; i++)
		list[i] = (uint8_t)i;
	for (unsigned i = 0; i < N; i++) {
		unsigned place = (unsigned)(unit_random(&seed) % (i % 3 == 0   ? 256
								  : i % 3 == 1 ? 10
									       : 2));
		uint8_t byte = list[place];

		bytes[i] = (uint8_t)place;
		for (; place > 0; place--)
			list[place] = list[place - 1];
		list[0] = expected[i] = byte;
	}
	mtf_start(&m, n);
	mtf_decode(&m, bytes, 7);
	mtf_decode(&m, bytes + 7, 0);
	mtf_decode(&m, bytes + 7, N - 7);
	assert_memory_equal(bytes, expected, N);
	assert_memory_equal(m.list, list, 256);
}

static void places_move_to_the_front(void **state)
{
	(void)state;
	check_places(5000);
	check_places(MTF_LARGE - 1);
	check_places(MTF_LARGE);
}

static void check_runs(const char *in, size_t n, enum runs_fault fault, uint64_t at, uint64_t n_out,
		       uint64_t odd_at)
{
	struct runs_size s = runs_measure((const uint8_t *)in, n);

	assert_int_equal(s.fault, fault);
	assert_int_equal(s.n_out, n_out);
	assert_int_equal(s.odd_at, odd_at);
	if (fault != RUNS_FINE)
		assert_int_equal(s.at, at);
}

static void runs_have_counts(void **state)
{
	uint8_t out[600];

	(void)state;
	check_runs("", 0, RUNS_FINE, 0, 0, 0);
	check_runs("aaaa", 4, RUNS_FINE, 0, 4, 4);
	check_runs("aaaaa", 5, RUNS_CUT, 5, 5, 5);
	check_runs("xaaaaa", 6, RUNS_CUT, 6, 6, 6);
	check_runs("aaaaa\5", 6, RUNS_FINE, 0, 5, 6);
	check_runs("aaaaa\xFF", 6, RUNS_FINE, 0, 255, 6);
	check_runs("aaaaa\1b", 7, RUNS_COUNT, 5, 5, 7);
	check_runs("aaaaa\0b", 7, RUNS_COUNT, 5, 5, 7);
	check_runs("aaaaa\2bbbbb\4", 12, RUNS_FINE, 0, 10, 5);
	check_runs("aaaaa\6aaaaa\7aaaa", 16, RUNS_FINE, 0, 17, 16);
	check_runs("aaaaaaaaaaa", 11, RUNS_CUT, 11, 102, 11); /* the sixth a is a count */
	assert_int_equal(runs_measure((const uint8_t *)"aaaaa\1", 6).count, 1);
	runs_expand((const uint8_t *)"xyaaaaa\x07zbbbbb\x03"
				     "c",
		    16, out);
	assert_memory_equal(out, "xyaaaaaaazbbbbbc", 16);
}

/* The engine's own way: a byte at a time. */
static uint64_t expand_by_hand(const uint8_t *in, uint64_t n, uint8_t *out)
{
	unsigned count = 0;
	uint8_t before = 0;
	uint64_t n_out = 0;

	for (uint64_t i = 0; i < n; i++) {
		count = in[i] == before ? count + 1 : 1;
		before = in[i];
		out[n_out++] = in[i];
		if (count < RUNS_LEAD)
			continue;
		for (unsigned more = in [++i]; more > RUNS_LEAD; more--)
			out[n_out++] = before;
		count = 0;
	}
	return n_out;
}

static void runs_as_the_engine_reads_them(void **state)
{
	static uint8_t in[400], out[100000], expected[100000];
	uint64_t seed = 4;

	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		size_t n = (size_t)(unit_random(&seed) % sizeof in);
		struct runs_size s;

		for (size_t i = 0; i < n; i++)
			in[i] = (uint8_t)(2 + unit_random(&seed) % (1 + round % 4));
		s = runs_measure(in, n);
		if (s.fault != RUNS_FINE)
			continue;
		assert_int_equal(expand_by_hand(in, n, expected), s.n_out);
		runs_expand(in, n, out);
		assert_memory_equal(out, expected, s.n_out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_may_be_one_leaf),
		cmocka_unit_test(a_tree_is_whole_or_cut),
		cmocka_unit_test(a_tree_has_256_leaves_at_most),
		cmocka_unit_test(codes_of_every_length),
		cmocka_unit_test(codes_end_with_the_bits),
		cmocka_unit_test(a_block_is_checked),
		cmocka_unit_test(short_blocks),
		cmocka_unit_test(long_blocks),
		cmocka_unit_test(first_is_anywhere),
		cmocka_unit_test(a_block_decodes_in_its_own_place),
		cmocka_unit_test(places_move_to_the_front),
		cmocka_unit_test(runs_have_counts),
		cmocka_unit_test(runs_as_the_engine_reads_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of chains of filters: what comes out however the input is cut into pieces, where a stream
 * ends, and what is not known. */
#if defined(UVET_WITH_LZMA)
#include <lzma.h>
#endif

#include "codec/unchain.h"
#include "core/cursor.h"
#include "unit.h"

static const struct chain_link lzma2 = { .method = CHAIN_LZMA2, .dictionary = 4096 };
static const struct chain_link x86 = { .method = CHAIN_X86 }, delta = { .method = CHAIN_DELTA };

/* Two chunks that are not compressed, and the end. */
static const uint8_t stored[] = { 1, 0, 4, 'h', 'e', 'l', 'l', 'o', 2, 0, 0, '!', 0 };

/* Decodes in pieces of n_in and n_out bytes. */
static struct unchained decode(struct unchain *u, struct cursor in, uint64_t n_in, uint8_t *out,
			       uint64_t room, uint64_t n_out)
{
	struct unchained all = { UNCHAIN_FULL, 0, 0 };

	while (all.result == UNCHAIN_FULL || all.result == UNCHAIN_GOES_ON) {
		const uint64_t left = in.len - all.n_used, here = left < n_in ? left : n_in,
			       space = room - all.n_out;
		const struct unchained r = unchain_some(u, in.data + all.n_used, here, here == left,
							out + all.n_out,
							space < n_out ? space : n_out);

		all.result = r.result;
		all.n_out += r.n_out;
		all.n_used += r.n_used;
		if (space == 0 && r.result == UNCHAIN_FULL)
			break;
	}
	return all;
}

static void pieces_do_not_matter(void **state)
{
	struct fault_memory memory;
	uint8_t out[16];

	(void)state;
	unit_needs(unchain_knows(&lzma2, 1), "liblzma");
	for (uint64_t n_in = 1; n_in <= sizeof stored; n_in++)
		for (uint64_t n_out = 1; n_out <= 7; n_out++) {
			struct arena a = unit_arena(&memory, UNIT_PLENTY);
			struct unchain *u = unchain_begin(&a, &lzma2, 1);
			struct unchained r;

			assert_non_null(u);
			r = decode(u, cursor_init(stored, sizeof stored, 0), n_in, out, 6, n_out);
			assert_int_equal(r.n_out, 6);
			assert_memory_equal(out, "hello!", 6);
			arena_free(&a);
		}
}

static void where_a_stream_ends(void **state)
{
	static const struct {
		uint64_t n_in;
		enum unchain_result result;
	} cases[] = {
		{ sizeof stored, UNCHAIN_DONE },
		{ sizeof stored - 1, UNCHAIN_BROKEN }, /* the end is missing */
		{ 6, UNCHAIN_BROKEN },
		{ 0, UNCHAIN_BROKEN },
	};
	struct fault_memory memory;
	uint8_t out[16];

	(void)state;
	unit_needs(unchain_knows(&lzma2, 1), "liblzma");
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct arena a = unit_arena(&memory, UNIT_PLENTY);
		struct unchain *u = unchain_begin(&a, &lzma2, 1);
		struct unchained r;

		assert_non_null(u);
		r = decode(u, cursor_init(stored, cases[i].n_in, 0), sizeof stored, out, sizeof out,
			   sizeof out);
		assert_int_equal(r.result, cases[i].result);
		arena_free(&a);
	}
}

static void what_is_left_is_told(void **state)
{
	struct fault_memory memory;
	struct arena a = unit_arena(&memory, UNIT_PLENTY);
	uint8_t in[sizeof stored + 3] = { 0 }, out[16];
	struct unchain *u;
	struct unchained r;

	(void)state;
	memcpy(in, stored, sizeof stored);
	if (unchain_knows(&lzma2, 1)) {
		u = unchain_begin(&a, &lzma2, 1);
		assert_non_null(u);
		r = unchain_some(u, in, sizeof in, true, out, sizeof out);
		assert_int_equal(r.result, UNCHAIN_DONE);
		assert_int_equal(r.n_used, sizeof stored);
		assert_int_equal(r.n_out, 6);
	}
	arena_free(&a);
}

static void chains_that_are_none(void **state)
{
	const struct chain_link no_packer[] = { x86, delta }, two_packers[] = { lzma2, lzma2 };
	const struct chain_link bits = { .method = CHAIN_LZMA, .properties = 8 }, /* lc 8 */
		properties = { .method = CHAIN_LZMA, .properties = 225 };

	(void)state;
	assert_false(unchain_knows(no_packer, 2));
	assert_false(unchain_knows(two_packers, 2));
	assert_false(unchain_knows(&x86, 1));
	assert_false(unchain_knows(&lzma2, 0));
	assert_false(unchain_knows(&bits, 1));
	assert_false(unchain_knows(&properties, 1));
}

static void without_memory_nothing_begins(void **state)
{
	const struct chain_link large = { .method = CHAIN_LZMA2, .dictionary = 1 << 24 };
	struct fault_memory memory;
	struct arena a = unit_arena(&memory, 1 << 20);
	uint8_t out[16];
	struct unchain *u;

	(void)state;
	if (unchain_knows(&large, 1)) {
		u = unchain_begin(&a, &large, 1);
		assert_true(!u ||
			    unchain_some(u, stored, sizeof stored, true, out, sizeof out).result ==
				    UNCHAIN_NO_MEMORY);
		assert_true(a.over_budget);
	}
	arena_free(&a);
}

#if defined(UVET_WITH_LZMA) && defined(LZMA_FILTER_LZMA1EXT)
enum { DATA_LEN = 5000, PACKED_ROOM = 8000 };

/* Packs jumps by LZMA without a mark at its end, behind a filter for x86. */
static size_t pack(const uint8_t *data, uint8_t *out)
{
	lzma_options_lzma options;
	lzma_filter filters[] = { { LZMA_FILTER_X86, NULL },
				  { LZMA_FILTER_LZMA1EXT, &options },
				  { LZMA_VLI_UNKNOWN, NULL } };
	size_t n = 0;

	assert_false(lzma_lzma_preset(&options, 1));
	options.dict_size = 65536;
	options.ext_flags = 0;
	lzma_set_ext_size(options, DATA_LEN);
	assert_int_equal(
		lzma_raw_buffer_encode(filters, NULL, data, DATA_LEN, out, &n, PACKED_ROOM),
		LZMA_OK);
	return n;
}

static void a_filter_gives_its_last_bytes(void **state)
{
	const struct chain_link links[] = {
		x86,
		{ .method = CHAIN_LZMA, .properties = 93, .dictionary = 65536, .size = DATA_LEN },
	};
	static uint8_t data[DATA_LEN], packed[PACKED_ROOM], out[DATA_LEN];
	struct fault_memory memory;
	size_t n;

	(void)state;
	for (size_t i = 0; i < DATA_LEN; i++)
		data[i] = i % 5 == 0 ? 0xE8 : (uint8_t)(i / 7);
	n = pack(data, packed);
	for (uint64_t n_in = 1; n_in <= 4096; n_in *= 8) {
		struct arena a = unit_arena(&memory, UNIT_PLENTY);
		struct unchain *u = unchain_begin(&a, links, 2);
		struct unchained r;

		assert_non_null(u);
		r = decode(u, cursor_init(packed, n, 0), n_in, out, DATA_LEN, 777);
		assert_int_equal(r.n_out, DATA_LEN);
		assert_memory_equal(out, data, DATA_LEN);
		arena_free(&a);
	}
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_do_not_matter),
		cmocka_unit_test(where_a_stream_ends),
		cmocka_unit_test(what_is_left_is_told),
		cmocka_unit_test(chains_that_are_none),
		cmocka_unit_test(without_memory_nothing_begins),
#if defined(UVET_WITH_LZMA) && defined(LZMA_FILTER_LZMA1EXT)
		cmocka_unit_test(a_filter_gives_its_last_bytes),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

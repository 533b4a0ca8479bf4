/* Tests of what keeps the stored bytes of containers from being decoded: keys, codecs, memory,
 * names and limits. */
#include "codec/aes.h"
#include "codec/blake3.h"

#include "box.h"

/* ---- Keys: the bytes in the box are random, so that what a key makes of them is too ---------- */

static void lock_box(size_t n_keys)
{
	unit_needs(n_keys == 0 || aes_is_available(), "nettle");
	box.toc[80] |= TOC_ENCRYPTED;
	box.keys.n = n_keys;
	for (size_t i = 0; i < n_keys; i++)
		box.keys.of[i] = (struct key){ .for_any = true, .bytes = { (uint8_t)i } };
}

static void zero_hashes(void)
{
	for (size_t i = 0; i < box.n_chunks; i++)
		memset(box.toc + metas_at() + i * META, 0, 20);
}

static void a_key_that_nothing_confirms_is_not_used(void **state)
{
	(void)state;
	zero_hashes();
	lock_box(1);
	assert_int_equal(decode_with(&thread_pool_single)->content.key, KEY_UNCONFIRMED);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_KEY);
	assert_int_equal(decoder.groups[UTOC_KEY].why, STOP_NEEDS);
}

/* The hash of a chunk is that of what the second key makes of it. */
static void hash_with_second_key(size_t chunk)
{
	const uint8_t key[32] = { 1 };
	uint8_t clear[3 * BLOCK];
	struct aes aes;

	memcpy(clear, box.ucas + box.first[chunk] * BLOCK, (size_t)box.length[chunk]);
	aes_for_ecb(&aes, key);
	aes_ecb(&aes, clear, box.length[chunk]);
	sha1_of(clear, box.length[chunk], box.toc + metas_at() + chunk * META);
}

static void chunks_that_cannot_tell_are_not_asked(void **state)
{
	const struct utoc *u;

	(void)state;
	zero_hashes();
	hash_with_second_key(CHUNKS_MAX - 1);
	lock_box(3);
	u = decode_with(&thread_pool_single);
	assert_int_equal(u->content.key, KEY_FITS);
	assert_ptr_equal(u->content.key_used, &box.keys.of[1]);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_NOT);
}

/* What a key is by whose bytes no SHA-1 is right: the other digest may be. */
static enum key_fit without_match(void)
{
	return blake3_is_available() ? KEY_WRONG : KEY_UNTOLD;
}

static void fill_with(size_t n_short, bool is_first)
{
	fill_box(0);
	for (size_t i = 0; i <= n_short; i++) {
		const bool is_long = i == (is_first ? 0 : n_short);

		add_chunk(box.n_blocks, is_long ? 2 * BLOCK : BLOCK);
		box.n_blocks += is_long ? 2 : 1;
	}
	write_box();
	hash_with_second_key(is_first ? 0 : n_short);
	lock_box(2);
}

static void the_shortest_chunks_are_asked(void **state)
{
	static const struct {
		size_t n_short;
		bool is_first;
		bool fits;
	} cases[] = {
		{ 7, false, true },
		{ 7, true, true },
		{ 8, false, false },
		{ 8, true, false },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		fill_with(cases[i].n_short, cases[i].is_first);
		assert_int_equal(decode_with(&thread_pool_single)->content.key,
				 cases[i].fits ? KEY_FITS : without_match());
		leave();
	}
}

static void no_key_fits_other_hashes(void **state)
{
	(void)state;
	lock_box(2);
	assert_int_equal(decode_with(&thread_pool_single)->content.key, without_match());
	assert_int_equal(decoder.groups[UTOC_CONTENT].why,
			 without_match() == KEY_WRONG ? STOP_KEY : STOP_CODEC);
}

static void no_key_fits_what_cannot_be_decoded(void **state)
{
	(void)state;
	name_method("Zlib");
	lock_box(2);
	assert_int_equal(decode_with(&thread_pool_single)->content.key, KEY_WRONG);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_KEY);
	leave();
	zero_hashes();
	assert_int_equal(decode_with(&thread_pool_single)->content.key, KEY_WRONG);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_KEY);
}

static void keys_are_not_tried_on_cut_or_empty_chunks(void **state)
{
	(void)state;
	put_big(box.toc + 144 + box.n_chunks * 12 + 5, 1048577, 5);
	put_big(box.toc + 144 + box.n_chunks * 12 + 15, 0, 5);
	lock_box(1);
	for (size_t i = 2; i < box.n_chunks; i++)
		memset(box.toc + metas_at() + i * META, 0, 20);
	assert_int_equal(decode_with(&thread_pool_single)->content.key, KEY_UNCONFIRMED);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_KEY);
}

static void a_key_costs_work(void **state)
{
	(void)state;
	lock_box(2);
	decode_with(&thread_pool_single);
	leave();
	engine.limits.of[LIMIT_work] = decoder.work.done - 1;
	assert_int_equal(decode_with(&thread_pool_single)->content.key, KEY_UNASKED);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_LIMIT);
}

static void nothing_needs_no_key(void **state)
{
	(void)state;
	fill_box(0);
	lock_box(0);
	assert_int_equal(decode_with(&thread_pool_single)->content.key, KEY_UNNEEDED);
}

static void a_key_is_not_wrong_because_a_read_fails(void **state)
{
	(void)state;
	lock_box(2);
	box.fail_at = 0;
	assert_int_equal(decode_with(&thread_pool_single)->content.key, KEY_UNASKED);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_INPUT);
}

static void a_cancelled_check_tries_no_more_keys(void **state)
{
	(void)state;
	lock_box(2);
	decode_with(&thread_pool_single);
	assert_true(box.n_reads > 3);
	leave();
	box.n_reads = 0;
	box.cancel_at = 3;
	assert_int_equal(decode_with(&thread_pool_single)->content.key, KEY_UNASKED);
	assert_int_equal(box.n_reads, 3);
	assert_int_equal(decoder.work.interrupted, INTERRUPTED_CANCELLED);
	atomic_store(&is_cancelled, false);
}

/* ---- Codecs ---------------------------------------------------------------------------------- */

static void what_no_codec_is_for_is_named(void **state)
{
	static const struct {
		const char *name, *codec;
	} rows[] = { { "Oodle", "Oodle" },
		     { "", "decoder for a compression method that has no name" } };

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		name_method(rows[i].name);
		decode_with(&thread_pool_single);
		assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_CODEC);
		assert_string_equal(decoder.groups[UTOC_CONTENT].codec, rows[i].codec);
		leave();
	}
}

/* A compressed block that decompresses to nothing is no block of a chunk. */
static void a_block_may_give_nothing(void **state)
{
	(void)state;
	name_method("Zlib");
	for (size_t i = 0; i < box.n_blocks; i++)
		box.toc[blocks_at() + i * 12 + 8] = 0;
	assert_int_equal(decode_with(&thread_pool_single)->content.n_decoded, 0);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_MALFORMED);
}

/* Whatever memory workers have: their decoders have enough, or it is said. */
static void decoders_say_that_memory_ends(void **state)
{
	unsigned n_said = 0;
	uint64_t peak;

	(void)state;
	name_method("Zlib");
	decode_with(&forwards);
	peak = arena.peak;
	leave();
	for (uint64_t budget = peak / 2; budget < 2 * peak; budget += 4096) {
		arena = unit_arena(&box_memory, budget);
		decode_with(&forwards);
		n_said += decoder.groups[UTOC_PAYLOAD].why == STOP_MEMORY;
		assert_true(decoder.groups[UTOC_PAYLOAD].why != STOP_MEMORY || arena.over_budget);
		leave();
	}
	assert_true(n_said > 0);
}

/* ---- Names, limits and maps ------------------------------------------------------------------ */

static void a_ucas_may_be_spelt_otherwise(void **state)
{
	const struct utoc *u;

	(void)state;
	box.in_capitals = true;
	u = decode_with(&thread_pool_single);
	assert_string_equal(u->content.partitions[0].wanted, "Box_P.ucas");
	assert_int_equal(u->content.n_decoded, CHUNKS_MAX);
}

static void partitions_are_limited(void **state)
{
	(void)state;
	put(box.toc + 52, 2, 4);
	engine.limits.of[LIMIT_companions] = 1;
	decode_with(&thread_pool_single);
	assert_int_equal(decoder.groups[UTOC_SET].why, STOP_LIMIT);
	assert_int_equal(decoder.groups[UTOC_SET].limit, LIMIT_companions);
}

static bool stop_after(void *ctx, const struct region *r)
{
	unsigned *left = ctx;

	(void)r;
	return (*left)-- > 1;
}

static void a_map_can_be_stopped(void **state)
{
	const struct utoc *u = decode_with(&thread_pool_single);

	(void)state;
	for (unsigned n = 1; n <= CHUNKS_MAX; n++) {
		unsigned left = n;

		assert_false(content_map(u, &decoder, stop_after, &left));
		assert_int_equal(left, 0);
	}
	for (unsigned n = 1;; n++) {
		unsigned left = n;

		if (utoc_format.map(u, &decoder, stop_after, &left)) {
			assert_true(n > 3 * CHUNKS_MAX); /* an id, a range and a meta each */
			break;
		}
		assert_int_equal(left, 0);
	}
}

static bool see(void *ctx, struct decode *d, const struct format *f, uint64_t version,
		const struct region *r)
{
	uint64_t *seen = ctx;

	(void)d, (void)f, (void)version;
	*seen += r->span.len;
	return true;
}

/* Whatever request for memory is refused: the map says so, or is whole. */
static void a_map_without_memory_is_none(void **state)
{
	const struct check_input in = {
		.io.size = box.n_toc, .memory = box.toc, .name = "Box_P.utoc", .siblings = &siblings
	};
	unsigned n_without = 0;
	bool whole = false;

	(void)state;
	engine.chunk_len = 1; /* whatever is taken is asked for */
	for (unsigned i = 1; !whole; i++) {
		enum map_result result;
		uint64_t seen = 0;

		memory.fail_at = memory.n_asked + i;
		result = engine_map(&engine, &in, see, &seen);
		whole = memory.n_asked < memory.fail_at;
		n_without += result == MAP_NO_MEMORY;
		assert_true(result == MAP_NO_MEMORY || seen >= box.n_ucas);
		assert_true(!whole || result == MAP_OK);
	}
	/* facts, regions, their order, those of each file, and the blocks */
	assert_true(n_without > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_key_that_nothing_confirms_is_not_used, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(chunks_that_cannot_tell_are_not_asked, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(the_shortest_chunks_are_asked, begin_box, end_box),
		cmocka_unit_test_setup_teardown(a_key_costs_work, begin_box, end_box),
		cmocka_unit_test_setup_teardown(no_key_fits_other_hashes, begin_box, end_box),
		cmocka_unit_test_setup_teardown(no_key_fits_what_cannot_be_decoded, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(keys_are_not_tried_on_cut_or_empty_chunks,
						begin_box, end_box),
		cmocka_unit_test_setup_teardown(nothing_needs_no_key, begin_box, end_box),
		cmocka_unit_test_setup_teardown(a_key_is_not_wrong_because_a_read_fails, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(a_cancelled_check_tries_no_more_keys, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(what_no_codec_is_for_is_named, begin_box, end_box),
		cmocka_unit_test_setup_teardown(a_block_may_give_nothing, begin_box, end_box),
		cmocka_unit_test_setup_teardown(decoders_say_that_memory_ends, begin_box, end_box),
		cmocka_unit_test_setup_teardown(a_ucas_may_be_spelt_otherwise, begin_box, end_box),
		cmocka_unit_test_setup_teardown(partitions_are_limited, begin_box, end_box),
		cmocka_unit_test_setup_teardown(a_map_can_be_stopped, begin_box, end_box),
		cmocka_unit_test_setup_teardown(a_map_without_memory_is_none, begin_box, end_box),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

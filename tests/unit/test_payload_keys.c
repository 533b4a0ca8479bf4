/* Tests of what keeps the stored bytes of containers from being decoded: keys, codecs, memory, names and limits. */
#include "box.h"

/* ---- Keys: the bytes in the box are random, so that what a key makes of them is too ------------------------------------------ */

static void lock_box(size_t n_keys)
{
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

static void a_key_is_believed_where_nothing_tells(void **state)
{
	(void)state;
	zero_hashes();
	lock_box(1);
	assert_int_equal(decode_with(&crew_alone)->payload.key, KEY_FITS);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_NOT);
}

static void no_key_fits_other_hashes(void **state)
{
	(void)state;
	lock_box(2);
	assert_int_equal(decode_with(&crew_alone)->payload.key, KEY_WRONG);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_KEY);
}

static void no_key_fits_what_cannot_be_decoded(void **state)
{
	(void)state;
	name_method("Zlib");
	lock_box(2);
	assert_int_equal(decode_with(&crew_alone)->payload.key, KEY_WRONG);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_KEY);
	leave();
	zero_hashes();
	assert_int_equal(decode_with(&crew_alone)->payload.key, KEY_WRONG);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_KEY);
}

static void keys_are_not_tried_on_long_or_empty_chunks(void **state)
{
	(void)state;
	put_big(box.toc + 144 + box.n_chunks * 12 + 5, 1048577, 5);
	put_big(box.toc + 144 + box.n_chunks * 12 + 15, 0, 5);
	zero_hashes();
	lock_box(1);
	assert_int_equal(decode_with(&crew_alone)->payload.key, KEY_FITS);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_MALFORMED);
}

static void nothing_needs_no_key(void **state)
{
	(void)state;
	fill_box(0);
	lock_box(0);
	assert_int_equal(decode_with(&crew_alone)->payload.key, KEY_UNNEEDED);
}

static void a_key_is_not_wrong_because_a_read_fails(void **state)
{
	(void)state;
	lock_box(2);
	box.fail_at = 0;
	assert_int_equal(decode_with(&crew_alone)->payload.key, KEY_UNASKED);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_INPUT);
}

static void a_cancelled_check_tries_no_more_keys(void **state)
{
	(void)state;
	lock_box(2);
	decode_with(&crew_alone);
	assert_true(box.n_reads > 3);
	leave();
	box.n_reads = 0;
	box.cancel_at = 3;
	assert_int_equal(decode_with(&crew_alone)->payload.key, KEY_UNASKED);
	assert_int_equal(box.n_reads, 3);
	assert_int_equal(decoder.work.interrupted, INTERRUPTED_CANCELLED);
	atomic_store(&engine.cancel, false);
}

/* ---- Codecs ------------------------------------------------------------------------------------------------------------------- */

static void what_no_codec_is_for_is_named(void **state)
{
	static const struct {
		const char *name, *codec;
	} rows[] = { { "Oodle", "Oodle" }, { "", "method without a name" } };

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		name_method(rows[i].name);
		decode_with(&crew_alone);
		assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_CODEC);
		assert_string_equal(decoder.groups[UTOC_CONTENT].codec, rows[i].codec);
		leave();
	}
}

/* A compressed block that gives nothing is no block of a chunk. */
static void a_block_may_give_nothing(void **state)
{
	(void)state;
	name_method("Zlib");
	for (size_t i = 0; i < box.n_blocks; i++)
		box.toc[blocks_at() + i * 12 + 8] = 0;
	assert_int_equal(decode_with(&crew_alone)->payload.n_decoded, 0);
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

/* ---- Names, limits and maps --------------------------------------------------------------------------------------------------- */

static void a_ucas_may_be_spelt_otherwise(void **state)
{
	const struct utoc *u;

	(void)state;
	box.in_capitals = true;
	u = decode_with(&crew_alone);
	assert_true(u->payload.partitions[0].other_case);
	assert_int_equal(u->payload.n_decoded, CHUNKS_MAX);
}

static void partitions_are_limited(void **state)
{
	(void)state;
	put(box.toc + 52, 2, 4);
	engine.limits.of[LIMIT_companions] = 1;
	decode_with(&crew_alone);
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
	const struct utoc *u = decode_with(&crew_alone);

	(void)state;
	for (unsigned n = 1; n <= CHUNKS_MAX; n++) {
		unsigned left = n;

		assert_false(payload_map(u, &decoder, stop_after, &left));
		assert_int_equal(left, 0);
	}
	for (unsigned n = 1;; n++) {
		unsigned left = n;

		if (utoc_format.map(u, &decoder, stop_after, &left)) {
			assert_true(n > 3 * CHUNKS_MAX);        /* an id, a range and a meta each */
			break;
		}
		assert_int_equal(left, 0);
	}
}

static bool see(void *ctx, struct decode *d, const struct format *f, uint64_t version, const struct region *r)
{
	uint64_t *seen = ctx;

	(void)d, (void)f, (void)version;
	*seen += r->span.len;
	return true;
}

/* Whatever request for memory is refused: the map says so, or is whole. */
static void a_map_without_memory_is_none(void **state)
{
	const struct check_input in = { .io.size = box.n_toc, .memory = box.toc, .name = "Box_P.utoc", .siblings = &siblings };
	unsigned n_without = 0;
	bool whole = false;

	(void)state;
	engine.chunk_len = 1;                   /* whatever is taken is asked for */
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
	assert_true(n_without > 5);             /* facts, regions, their order, those of each file, and the blocks */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_key_is_believed_where_nothing_tells, begin_box, end_box),
		cmocka_unit_test_setup_teardown(no_key_fits_other_hashes, begin_box, end_box),
		cmocka_unit_test_setup_teardown(no_key_fits_what_cannot_be_decoded, begin_box, end_box),
		cmocka_unit_test_setup_teardown(keys_are_not_tried_on_long_or_empty_chunks, begin_box, end_box),
		cmocka_unit_test_setup_teardown(nothing_needs_no_key, begin_box, end_box),
		cmocka_unit_test_setup_teardown(a_key_is_not_wrong_because_a_read_fails, begin_box, end_box),
		cmocka_unit_test_setup_teardown(a_cancelled_check_tries_no_more_keys, begin_box, end_box),
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

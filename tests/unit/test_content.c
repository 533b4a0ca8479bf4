/* Tests of the stored bytes of containers: workers, memory, reads that fail, chunks that share
 * blocks. */
#include "box.h"
#include "formats/iostore/content/parts.h"
#include "formats/iostore/zen_package/claims.h"

/* ---- Tests ----------------------------------------------------------------------------------- */

static void every_chunk_is_decoded(void **state)
{
	const struct thread_pool *const pools[] = { &thread_pool_single, &forwards, &backwards };

	(void)state;
	for (size_t i = 0; i < LENGTH(pools); i++) {
		const struct utoc *u = decode_with(pools[i]);

		assert_true(decode_has(&decoder, UTOC_CONTENT));
		assert_int_equal(u->content.n_decoded, CHUNKS_MAX);
		assert_int_equal(u->content.n_decoded_bytes, box.n_blocks * BLOCK);
		assert_int_equal(u->content.n_rows, 0);
		leave();
	}
}

static void all_pools_find_the_same(void **state)
{
	const struct thread_pool *const pools[] = { &thread_pool_single, &forwards, &backwards };

	(void)state;
	unit_needs(sha1_is_available(), "nettle");
	for (size_t i = 0; i < CHUNKS_MAX; i += 7)
		box.toc[metas_at() + i * META] ^= 1;
	for (size_t i = 0; i < LENGTH(pools); i++) {
		const struct utoc *u = decode_with(pools[i]);

		assert_int_equal(u->content.n_rows, (CHUNKS_MAX + 6) / 7);
		for (size_t k = 0; k < u->content.n_rows; k++) {
			assert_int_equal(u->content.rows[k].chunk, k * 7);
			assert_int_equal(u->content.rows[k].block, TOC_NONE);
			assert_int_equal(u->content.rows[k].traits, PAYLOAD_HASH);
		}
		leave();
	}
}

static void chunks_may_have_the_same_blocks(void **state)
{
	const struct utoc *u;

	(void)state;
	unit_needs(sha1_is_available(), "nettle");
	for (size_t i = 1; i < CHUNKS_MAX; i++) {
		box.first[i] = box.first[0];
		box.length[i] = box.length[0];
	}
	write_box();
	box.toc[metas_at() + 9 * META] ^= 1;
	u = decode_with(&forwards);
	assert_true(decode_has(&decoder, UTOC_CONTENT));
	assert_int_equal(u->content.n_decoded, CHUNKS_MAX);
	assert_int_equal(u->content.n_decoded_bytes, box.length[0]);
	assert_int_equal(u->content.n_rows, 1);
	assert_int_equal(u->content.rows[0].chunk, 9);
}

/* A block that is longer than what is read at once. */
static void a_long_block_is_read_whole(void **state)
{
	uint8_t *const range = box.toc + 144 + 2 * 12, *block;
	const uint64_t size = UCAS_MAX - BLOCK;
	const struct utoc *u;

	(void)state;
	box.n_chunks = box.n_blocks = 2;
	write_box();
	block = box.toc + blocks_at();
	put(box.toc + 44, 1 << 20, 4);
	put(block + 5, size, 3);
	put(block + 8, size, 3);
	put(block + 12, size, 5);
	put_big(range, 0, 5);
	put_big(range + 5, size, 5);
	put_big(range + 10, 1 << 20, 5);
	put_big(range + 15, BLOCK, 5);
	sha1_of(box.ucas, size, box.toc + metas_at());
	sha1_of(box.ucas + size, BLOCK, box.toc + metas_at() + META);
	box.n_ucas = UCAS_MAX;
	u = decode_with(&thread_pool_single);
	assert_true(decode_has(&decoder, UTOC_CONTENT));
	assert_int_equal(u->content.n_decoded_bytes, UCAS_MAX);
	assert_int_equal(u->content.n_rows, 0);
}

/* One chunk whose two blocks are each longer than half of what is read at once. */
static void make_two_long_blocks(void)
{
	enum { LONG = 150000 };
	uint8_t *const range = box.toc + 144 + 12, *block;

	box.n_chunks = 1;
	box.n_blocks = 2;
	write_box();
	block = box.toc + blocks_at();
	put(box.toc + 44, LONG, 4);
	for (size_t i = 0; i < 2; i++) {
		put(block + i * 12, i * LONG, 5);
		put(block + i * 12 + 5, LONG, 3);
		put(block + i * 12 + 8, LONG, 3);
	}
	put_big(range + 5, 2 * LONG, 5);
	sha1_of(box.ucas, 2 * LONG, box.toc + metas_at());
	box.n_ucas = 2 * LONG;
}

/* Blocks are looked at many together, where they follow one another. */
static void runs_of_blocks_may_go_back_or_be_cut(void **state)
{
	const struct utoc *u;

	(void)state;
	box.n_ucas = 100 * BLOCK;
	u = decode_with(&thread_pool_single);
	assert_int_equal(u->content.partitions[0].n_cut, box.n_blocks - 100);
	assert_int_equal(u->content.order.n_descending, 0);
	leave();
	for (size_t i = 64; i < box.n_blocks; i++)
		put(box.toc + blocks_at() + i * 12, (i - 64) * BLOCK, 5);
	u = decode_with(&thread_pool_single);
	assert_int_equal(u->content.order.n_descending, 1);
	assert_int_equal(u->content.order.descending, 64);
	leave();
	for (size_t i = 0; i < 32; i++) /* in 32 bits the 32nd follows the 31st */
		put(box.toc + blocks_at() + i * 12, 0x100000000 - (32 - i) * BLOCK, 5);
	for (size_t i = 32; i < 64; i++)
		put(box.toc + blocks_at() + i * 12, (i - 32) * BLOCK, 5);
	u = decode_with(&thread_pool_single);
	assert_int_equal(u->content.order.n_descending, 2);
	assert_int_equal(u->content.order.descending, 32);
}

/* As much as a number can say is no limit. */
static void the_largest_ratio_is_none(void **state)
{
	(void)state;
	for (size_t i = 0; i < box.n_blocks; i++)
		put(box.toc + blocks_at() + i * 12 + 8, 0xFFFFFF, 3);
	assert_true(decode_with(&thread_pool_single)->content.gives_too_much);
	leave();
	engine.limits.of[LIMIT_ratio] = UINT64_MAX;
	assert_false(decode_with(&thread_pool_single)->content.gives_too_much);
}

/* Blocks that several chunks claim are decoded again until as much came out twice as there is. */
static void blocks_are_not_decoded_for_ever(void **state)
{
	(void)state;
	box.n_chunks = 2;
	box.n_blocks = 300;
	box.first[0] = 0;
	box.first[1] = 1;
	box.length[0] = 300 * BLOCK;
	box.length[1] = 299 * BLOCK;
	write_box();
	assert_int_equal(decode_with(&thread_pool_single)->content.n_decoded, 2);
	assert_true(decode_has(&decoder, UTOC_CONTENT));
	leave();
	for (box.n_chunks = 0; box.n_chunks < 200; box.n_chunks++) {
		box.first[box.n_chunks] = box.n_chunks;
		box.length[box.n_chunks] = (300 - box.n_chunks) * BLOCK;
	}
	write_box();
	decode_with(&thread_pool_single);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_LIMIT);
	assert_int_equal(decoder.groups[UTOC_CONTENT].limit, LIMIT_ratio);
}

/* The same where a few blocks decompress to much: 100 MiB, and then no more than 16 MiB beyond as
 * much again. */
static void few_blocks_are_not_decoded_for_ever(void **state)
{
	(void)state;
	engine.limits.of[LIMIT_ratio] = UINT64_MAX;
	box.n_chunks = box.n_blocks = 100;
	name_method("Zlib");
	put(box.toc + 44, 1 << 20, 4);
	for (size_t i = 0; i < 100; i++) {
		put(box.toc + blocks_at() + i * 12 + 8, 1 << 20, 3);
		put_big(box.toc + 144 + 1200 + i * 10, (uint64_t)i << 20, 5);
		put_big(box.toc + 144 + 1200 + i * 10 + 5, (uint64_t)(100 - i) << 20, 5);
	}
	decode_with(&thread_pool_single);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_LIMIT);
	assert_int_equal(decoder.groups[UTOC_CONTENT].limit, LIMIT_ratio);
}

/* The same where none of them can be decoded: the last block, which all claim, decompresses to more
 * than a block may. */
static void blocks_are_not_looked_at_for_ever(void **state)
{
	(void)state;
	box.n_blocks = 600;
	for (box.n_chunks = 0; box.n_chunks < 300; box.n_chunks++) {
		box.first[box.n_chunks] = box.n_chunks;
		box.length[box.n_chunks] = (600 - box.n_chunks) * BLOCK;
	}
	write_box();
	put(box.toc + blocks_at() + 599 * 12 + 8, BLOCK + 1, 3);
	decode_with(&thread_pool_single);
	assert_int_equal(decoder.groups[UTOC_CONTENT].why, STOP_LIMIT);
	assert_int_equal(decoder.groups[UTOC_CONTENT].limit, LIMIT_ratio);
}

/* Whatever request for memory is refused: it is said, or all was decoded. */
static void refused_memory_is_said(void **state)
{
	bool all = false;

	(void)state;
	for (unsigned i = 1; !all; i++) {
		const struct utoc *u;

		box_memory.fail_at = box_memory.n_asked + i;
		u = decode_with(&forwards);
		all = u && !arena.refused;
		if (all) {
			assert_true(decode_has(&decoder, UTOC_CONTENT));
			assert_int_equal(u->content.n_decoded, CHUNKS_MAX);
		} else if (u) {
			assert_false(decode_has(&decoder, UTOC_CONTENT));
		}
		leave();
		arena = unit_arena(&box_memory, UNIT_PLENTY);
	}
}

static void a_read_that_fails_is_said(void **state)
{
	(void)state;
	box.fail_at = 20000;
	decode_with(&forwards);
	assert_false(decode_has(&decoder, UTOC_CONTENT));
	assert_int_equal(decoder.groups[UTOC_PAYLOAD].why, STOP_INPUT);
	assert_int_equal(decoder.groups[UTOC_PAYLOAD].file, 1);
	assert_int_equal(source_numbered(&source, 1)->trouble, SOURCE_UNREADABLE);
}

static void a_cancelled_check_is_not_whole(void **state)
{
	(void)state;
	atomic_store(&is_cancelled, true);
	decode_with(&forwards);
	assert_false(decode_has(&decoder, UTOC_CONTENT));
	leave();
	atomic_store(&is_cancelled, false);
	decode_with(&cancelled);
	assert_false(decode_has(&decoder, UTOC_CONTENT));
	assert_int_equal(decoder.work.interrupted, INTERRUPTED_CANCELLED);
	atomic_store(&is_cancelled, false);
}

/* How many reads of the .ucas a check takes that is cancelled during one of them; 0: it is not. */
static unsigned reads_until_cancelled(const struct thread_pool *pool, unsigned at)
{
	box.n_reads = 0;
	box.cancel_at = at;
	decode_with(pool);
	assert_int_equal(decoder.work.interrupted,
			 at > 0 ? INTERRUPTED_CANCELLED : INTERRUPTED_NOT);
	assert_int_equal(decode_has(&decoder, UTOC_CONTENT) &&
				 decode_has(&decoder, UTOC_SIGNED_BLOCKS),
			 at == 0);
	leave();
	atomic_store(&is_cancelled, false);
	return box.n_reads;
}

/* Whoever cancels does not wait for the rest of a large container: no worker reads another
 * block. */
static void a_cancelled_check_reads_no_more(void **state)
{
	unsigned all;

	(void)state;
	all = reads_until_cancelled(&forwards, 0);
	assert_true(all > 10);
	for (unsigned at = 1; at <= all; at++)
		assert_int_equal(reads_until_cancelled(&forwards, at), at);
	decode_with(&cancelled);
	assert_int_equal(box.n_reads, all);
	leave();
	atomic_store(&is_cancelled, false);
}

/* Nor does one worker end a long chunk first. */
static void a_cancelled_worker_leaves_its_chunk(void **state)
{
	(void)state;
	make_two_long_blocks();
	assert_int_equal(reads_until_cancelled(&thread_pool_single, 0), 2);
	assert_int_equal(reads_until_cancelled(&thread_pool_single, 1), 1);
}

/* The same for the hashes of stored blocks. */
static void a_cancelled_check_hashes_no_more(void **state)
{
	unsigned all;

	(void)state;
	unit_needs(sha1_is_available(), "nettle");
	box.has_digests = true;
	write_box();
	all = reads_until_cancelled(&forwards, 0);
	assert_true(all > 20);
	assert_int_equal(reads_until_cancelled(&forwards, all - 5), all - 5);
}

static void every_signed_block_is_hashed(void **state)
{
	static unsigned n_runs;
	static const struct thread_pool second = { 5, run_cancelled_later, &n_runs };
	const struct utoc *u;

	(void)state;
	unit_needs(sha1_is_available(), "nettle");
	box.has_digests = true;
	write_box();
	u = decode_with(&forwards);
	assert_true(decode_has(&decoder, UTOC_SIGNED_BLOCKS));
	assert_int_equal(u->content.n_rows, 0);
	leave();
	box.toc[blocks_at() + box.n_blocks * 12 + 6 + 7 * 20] ^= 1;
	u = decode_with(&forwards);
	assert_int_equal(u->content.n_rows, 1);
	assert_int_equal(u->content.rows[0].block, 7);
	assert_int_equal(u->content.rows[0].traits, PAYLOAD_UNSIGNED);
	leave();
	decode_with(&second);
	assert_int_equal(n_runs, 2);
	assert_false(decode_has(&decoder, UTOC_SIGNED_BLOCKS));
	atomic_store(&is_cancelled, false);
}

/* The bytes after the blocks would pass for blocks of a place that cannot be read, were they taken
 * for some. */
static void no_block_after_the_last_is_hashed(void **state)
{
	uint8_t *after;

	(void)state;
	unit_needs(sha1_is_available(), "nettle");
	box.has_digests = true;
	write_box();
	box.fail_at = box.n_ucas;
	box.n_ucas += BLOCK;
	after = box.toc + blocks_at() + box.n_blocks * 12;
	for (size_t i = 1; i < box.n_blocks; i++) { /* the first holds the length of signatures */
		put(after + i * 12, box.fail_at, 5);
		put(after + i * 12 + 5, BLOCK, 3);
		put(after + i * 12 + 8, BLOCK, 4);
	}
	decode_with(&forwards);
	assert_int_equal(decoder.groups[UTOC_SIGNED_BLOCKS].why, STOP_NOT);
}

/* A task has 31 bits for its chunk. */
static void more_chunks_than_tasks_can_name_are_too_many(void **state)
{
	static const struct {
		uint64_t n_chunks;
		enum stop_why why;
	} cases[] = {
		{ TASK_SAME - 1, STOP_MEMORY },
		{ TASK_SAME, STOP_LIMIT },
		{ (uint64_t)TASK_SAME + 1, STOP_LIMIT },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct utoc u = { .toc.n_chunks = cases[i].n_chunks };
		struct content_check c = { .d = &decoder, .u = &u };

		decode_with(&thread_pool_single);
		decoder.groups[UTOC_CONTENT].why = STOP_NOT;
		assert_false(content_make_plan(&c));
		assert_int_equal(decoder.groups[UTOC_CONTENT].why, cases[i].why);
		leave();
	}
}

static void a_pool_that_does_not_know_how_many_it_is(void **state)
{
	(void)state;
	assert_int_equal(decode_with(&unnumbered)->content.n_decoded, CHUNKS_MAX);
	assert_true(decode_has(&decoder, UTOC_CONTENT));
}

/* A chunk's bytes lie nowhere as they are where something is between them, or where they are not
 * all there. */
static void bytes_without_a_place(void **state)
{
	uint8_t *const block = box.toc + blocks_at(), *range = box.toc + 144 + CHUNKS_MAX * 12;
	struct utoc *u;
	uint32_t number;
	uint64_t at, len;

	(void)state;
	box.first[0] = 0;
	box.length[0] = 3 * BLOCK;
	write_box();
	u = (struct utoc *)(uintptr_t)decode_with(&thread_pool_single);
	assert_true(content_find_byte(u, 0, 20, &number, &at));
	block[12 + 11] = 1;
	assert_false(content_find_byte(u, 0, 20, &number, &at));
	assert_false(content_find_byte(u, 0, BLOCK, &number, &at));
	block[12 + 11] = 0;
	block[12]++;
	assert_false(content_find_byte(u, 0, 20, &number, &at));
	block[12]--;
	block[8] = 20;
	assert_false(content_find_byte(u, 0, 20, &number, &at));
	block[8] = BLOCK;
	u->toc.partition_size = BLOCK;
	assert_false(content_find_byte(u, 0, BLOCK, &number, &at));
	u->toc.partition_size = TOC_UNPARTITIONED;
	assert_true(content_find_byte(u, 0, 20, &number, &at));
	put_big(range + 5, 1 << 30, 5);
	assert_false(content_find_byte(u, 0, 20, &number, &at));
	put_big(range + 5, 3 * BLOCK, 5);
	u->toc.encrypted = true;
	assert_false(content_find_byte(u, 0, 20, &number, &at));
	leave();
	name_method("Zlib");
	u = (struct utoc *)(uintptr_t)decode_with(&thread_pool_single);
	assert_null(content_chunk(&decoder, u, CONTAINER_BYTES, 0, UINT64_MAX, &len));
	assert_int_equal(decoder.groups[CONTAINER_BYTES].why, STOP_MALFORMED);
	assert_true(u->content.broke);
	assert_int_equal(u->content.broke_at, box.first[0]);
}

static void a_chunk_can_be_had(void **state)
{
	struct utoc *u;
	const uint8_t *bytes;
	uint64_t len = 0, at;
	uint32_t number;

	(void)state;
	u = (struct utoc *)(uintptr_t)decode_with(&thread_pool_single);
	for (uint64_t i = 0; i < CHUNKS_MAX; i += 37) {
		bytes = content_chunk(&decoder, u, CONTAINER_BYTES, i, UINT64_MAX, &len);
		assert_non_null(bytes);
		assert_int_equal(len, box.length[i]);
		assert_memory_equal(bytes, box.ucas + box.first[i] * BLOCK, len);
		assert_true(content_find_byte(u, i, len - 1, &number, &at));
		assert_int_equal(number, 1);
		assert_int_equal(at, box.first[i] * BLOCK + len - 1);
		assert_false(content_find_byte(u, i, len, &number, &at));
	}
	bytes = content_chunk(&decoder, u, CONTAINER_BYTES, 0, 10, &len);
	assert_non_null(bytes);
	assert_int_equal(len, 10);
}

/* What the container says of a package is kept in the memory of who asks. */
static void claims_need_memory(void **state)
{
	const struct nested third = { .row = 3 };
	const struct package_claims *claims;
	struct fault_memory few;
	struct arena own = unit_arena(&few, UNIT_PLENTY);
	const struct utoc *u = decode_with(&thread_pool_single);

	(void)state;
	assert_true(utoc_format.nested->claims(u, &third, &own, &claims));
	assert_true(claims->id == 4 && claims->is_ue4 && !claims->has_counts);
	arena_free(&own);
	own = unit_arena(&few, 0);
	assert_false(utoc_format.nested->claims(u, &third, &own, &claims));
	assert_null(claims);
	arena_free(&own);
}

/* ---- Blocks that chunks share ---------------------------------------------------------------- */

static void check_sum(const struct toc *t, uint64_t first, uint64_t n)
{
	const struct toc_sum s = toc_sum_of(t, first, n);
	uint64_t given = 0, partial = UINT64_MAX, compressed = UINT64_MAX;

	for (uint64_t i = first; i < first + n; i++) {
		const struct toc_block b = toc_block(t, i);

		given += b.uncompressed;
		partial = partial == UINT64_MAX && b.uncompressed != t->block_size ? i : partial;
		compressed = compressed == UINT64_MAX && b.method != 0 ? i : compressed;
	}
	assert_int_equal(s.given, given);
	assert_true(s.partial == partial || (partial == UINT64_MAX && s.partial >= first + n));
	assert_true(s.compressed == compressed ||
		    (compressed == UINT64_MAX && s.compressed >= first + n));
}

/* Sums are those of one block after the other, however rare the odd ones are, at the ends of words
 * too. */
static void blocks_that_are_shared_are_summed(void **state)
{
	static const uint64_t counts[] = { 1, 63, 64, 65, 128, 200, 640 };
	const struct toc *t;
	uint64_t random = 11;

	(void)state;
	for (size_t k = 0; k < LENGTH(counts); k++) {
		fill_box(0);
		box.n_blocks = counts[k];
		add_chunk(0, counts[k] * BLOCK);
		add_chunk(0, counts[k] * BLOCK);
		write_box();
		for (uint64_t i = 0; i < counts[k]; i++) {
			box.toc[blocks_at() + i * 12 + 8] = unit_random(&random) % 50 == 0 ? 7
											   : BLOCK;
			box.toc[blocks_at() + i * 12 + 11] = unit_random(&random) % 70 == 0;
		}
		t = &decode_with(&thread_pool_single)->toc;
		for (unsigned i = 0; i < 2000; i++) {
			const uint64_t first = unit_random(&random) % counts[k];

			check_sum(t, first, 1 + unit_random(&random) % (counts[k] - first));
		}
		leave();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_chunk_is_decoded, begin_box, end_box),
		cmocka_unit_test_setup_teardown(all_pools_find_the_same, begin_box, end_box),
		cmocka_unit_test_setup_teardown(chunks_may_have_the_same_blocks, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(a_long_block_is_read_whole, begin_box, end_box),
		cmocka_unit_test_setup_teardown(runs_of_blocks_may_go_back_or_be_cut, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(the_largest_ratio_is_none, begin_box, end_box),
		cmocka_unit_test_setup_teardown(blocks_are_not_decoded_for_ever, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(few_blocks_are_not_decoded_for_ever, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(blocks_are_not_looked_at_for_ever, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(refused_memory_is_said, begin_box, end_box),
		cmocka_unit_test_setup_teardown(a_read_that_fails_is_said, begin_box, end_box),
		cmocka_unit_test_setup_teardown(a_cancelled_check_is_not_whole, begin_box, end_box),
		cmocka_unit_test_setup_teardown(a_cancelled_check_reads_no_more, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(a_cancelled_worker_leaves_its_chunk, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(a_cancelled_check_hashes_no_more, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(every_signed_block_is_hashed, begin_box, end_box),
		cmocka_unit_test_setup_teardown(no_block_after_the_last_is_hashed, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(more_chunks_than_tasks_can_name_are_too_many,
						begin_box, end_box),
		cmocka_unit_test_setup_teardown(a_pool_that_does_not_know_how_many_it_is, begin_box,
						end_box),
		cmocka_unit_test_setup_teardown(bytes_without_a_place, begin_box, end_box),
		cmocka_unit_test_setup_teardown(a_chunk_can_be_had, begin_box, end_box),
		cmocka_unit_test_setup_teardown(claims_need_memory, begin_box, end_box),
		cmocka_unit_test_setup_teardown(blocks_that_are_shared_are_summed, begin_box,
						end_box),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

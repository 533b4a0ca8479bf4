/* Tests of the payload of archives: workers, and checks that are cancelled. */
#include "archive.h"

static void run_each(void *ctx, thread_job *job, void *work)
{
	const unsigned *n = ctx;

	for (unsigned i = 0; i < *n; i++)
		job(work, i);
}

/* Cancels when all workers have ended. */
static void run_and_cancel(void *ctx, thread_job *job, void *work)
{
	run_each(ctx, job, work);
	atomic_store(&is_cancelled, true);
}

static unsigned three = 3;
static const struct thread_pool in_turn = { 3, run_each, &three },
				cancelled = { 3, run_and_cancel, &three };

static void every_file_is_looked_at(void **state)
{
	const struct thread_pool *const pools[] = { &thread_pool_single, &in_turn };

	(void)state;
	unit_needs(sha1_is_available(), "nettle");
	for (size_t i = 0; i < 2; i++) {
		const struct pak *p = decode_archive(pools[i]);

		assert_true(decode_has(&decoder, PAK_PAYLOAD));
		assert_int_equal(p->content.n_headers, FILES_MAX);
		assert_int_equal(p->content.n_hashes, FILES_MAX);
		assert_int_equal(p->content.n_payloads, 0);
		leave_archive();
	}
}

static void all_pools_find_the_same(void **state)
{
	const struct thread_pool *const pools[] = { &thread_pool_single, &in_turn };

	(void)state;
	unit_needs(sha1_is_available(), "nettle");
	for (size_t i = 0; i < FILES_MAX; i += 7)
		archive.bytes[archive_file_at(i) + ARCHIVE_RECORD + i] ^= 1;
	for (size_t i = 0; i < 2; i++) {
		const struct pak *p = decode_archive(pools[i]);

		assert_int_equal(p->content.n_payloads, (FILES_MAX + 6) / 7);
		for (size_t k = 0; k < p->content.n_payloads; k++) {
			assert_int_equal(p->content.payloads[k].file, k * 7);
			assert_int_equal(p->content.payloads[k].traits, PAK_HASH_DIFFERS);
		}
		leave_archive();
	}
}

static void a_pool_that_does_not_know_how_many_it_is(void **state)
{
	static unsigned one = 1;
	static const struct thread_pool unknown = { 0, run_each, &one };

	(void)state;
	assert_int_equal(decode_archive(&unknown)->content.n_headers, FILES_MAX);
	assert_true(decode_has(&decoder, PAK_PAYLOAD));
}

/* Whenever a check is cancelled, it reads no more and is not whole. */
static void a_cancelled_check_reads_no_more(void **state)
{
	unsigned all;

	(void)state;
	decode_archive(&in_turn);
	all = archive.n_reads;
	assert_true(all > 10);
	leave_archive();
	for (unsigned at = 1; at <= all; at++) {
		archive.cancel_at = at;
		decode_archive(&in_turn);
		assert_int_equal(archive.n_reads, at);
		assert_int_equal(decoder.work.interrupted, INTERRUPTED_CANCELLED);
		assert_false(decode_has(&decoder, PAK_PAYLOAD));
		leave_archive();
		atomic_store(&is_cancelled, false);
	}
}

/* Even where all was read: what is told of the check is that it was cancelled. */
static void a_check_that_is_cancelled_at_its_end_is_not_whole(void **state)
{
	(void)state;
	decode_archive(&cancelled);
	assert_int_equal(decoder.work.interrupted, INTERRUPTED_CANCELLED);
	assert_false(decode_has(&decoder, PAK_PAYLOAD));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_file_is_looked_at, begin_archive,
						end_archive),
		cmocka_unit_test_setup_teardown(all_pools_find_the_same, begin_archive,
						end_archive),
		cmocka_unit_test_setup_teardown(a_pool_that_does_not_know_how_many_it_is,
						begin_archive, end_archive),
		cmocka_unit_test_setup_teardown(a_cancelled_check_reads_no_more, begin_archive,
						end_archive),
		cmocka_unit_test_setup_teardown(a_check_that_is_cancelled_at_its_end_is_not_whole,
						begin_archive, end_archive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

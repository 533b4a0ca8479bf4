/* Tests of what reads blocks, by blocks that no container has: windows, ciphers, methods and
 * defects. */
#include "engine_state.h"
#include "formats/blocks/shares.h"

enum { GROUP = 3, FILE_LEN = 4096, LARGEST = 256 };

static struct {
	uint8_t bytes[2][FILE_LEN];
	struct fault_input inputs[2];
	struct source sources[2];
	struct arena arena;
	struct decode d;
	struct block_reader reader;
} f;

static int begin_blocks(void **state)
{
	begin(state);
	memset(&f, 0, sizeof f);
	arena_init(&f.arena, engine.allocator, UNIT_PLENTY);
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned k = 0; k < FILE_LEN; k++)
			f.bytes[i][k] = (uint8_t)(k * 7 + k / 256 + i);
		f.inputs[i] = (struct fault_input){ .bytes = f.bytes[i], .size = FILE_LEN };
		source_init(&f.sources[i],
			    (struct source_io){ fault_source_read, NULL, &f.inputs[i], FILE_LEN },
			    "a", &f.arena, SOURCE_WINDOW);
	}
	f.d = engine_decode(&engine, &f.sources[0], &f.arena, NULL);
	return 0;
}

static int end_blocks(void **state)
{
	arena_free(&f.arena);
	return end(state);
}

static void open_reader(uint64_t longest_source)
{
	const struct block_reader_plan plan = { LARGEST, LARGEST, longest_source, true, 1 };

	assert_true(block_reader_open(&f.d, GROUP, &plan, &f.reader));
}

static const uint8_t *decode_block(struct block b, enum block_defect *defect)
{
	return block_reader_decode(&f.reader, &f.sources[0], &b, 0, defect);
}

/* ---- The window ------------------------------------------------------------------------------ */

static void what_follows_is_read_ahead(void **state)
{
	static const struct {
		uint64_t at, n, until, n_reads;
	} steps[] = {
		{ 100, 10, 0, 1 },                            /* no more than was asked for */
		{ 110, 10, 400, 2 },                          /* and what follows, */
		{ 120, 200, 400, 2 },                         /* which is there then, */
		{ 399, 1, 0, 2 },           { 400, 1, 0, 3 }, /* and no more of it */
		{ 0, 8, FILE_LEN, 4 },                        /* as much as the window takes */
		{ 1023, 1, 0, 4 },          { 1024, 1, 0, 5 },
		{ 4090, 6, UINT64_MAX, 6 }, /* and nothing after the end */
		{ 4089, 1, 0, 7 },
	};

	(void)state;
	open_reader(1024);
	for (size_t i = 0; i < LENGTH(steps); i++) {
		const struct span span = { steps[i].at, steps[i].n };
		const uint8_t *bytes = block_reader_stored(&f.reader, &f.sources[0], span,
							   steps[i].until);

		assert_non_null(bytes);
		assert_memory_equal(bytes, f.bytes[0] + span.at, span.len);
		assert_int_equal(f.inputs[0].n_reads, steps[i].n_reads);
	}
	block_reader_close(&f.reader);
}

static void a_window_is_of_one_source(void **state)
{
	(void)state;
	open_reader(FILE_LEN);
	for (unsigned i = 0; i < 6; i++) {
		const uint8_t *bytes = block_reader_stored(&f.reader, &f.sources[i % 2],
							   (struct span){ 50, 10 }, FILE_LEN);

		assert_non_null(bytes);
		assert_memory_equal(bytes, f.bytes[i % 2] + 50, 10);
	}
	assert_int_equal(f.inputs[0].n_reads + f.inputs[1].n_reads, 6);
	block_reader_close(&f.reader);
}

static void a_block_may_be_longer_than_a_source_is_said_to_be(void **state)
{
	const uint8_t *bytes;

	(void)state;
	open_reader(0);
	bytes = block_reader_stored(&f.reader, &f.sources[0], (struct span){ 1, LARGEST }, 0);
	assert_non_null(bytes);
	assert_memory_equal(bytes, f.bytes[0] + 1, LARGEST);
	block_reader_close(&f.reader);
}

/* ---- What a reader cannot do ----------------------------------------------------------------- */

static void a_read_that_fails_ends_it(void **state)
{
	(void)state;
	open_reader(FILE_LEN);
	f.inputs[0].fails_over = true;
	f.inputs[0].bad_offset = 300;
	assert_null(block_reader_stored(&f.reader, &f.sources[0], (struct span){ 200, 16 }, 400));
	assert_int_equal(f.reader.why, STOP_INPUT);
	assert_false(block_reader_stop(&f.d, GROUP, &f.reader));
	assert_int_equal(f.d.groups[GROUP].why, STOP_INPUT);
	assert_int_equal(f.d.groups[GROUP].at.at, 200);
	assert_int_equal(f.d.groups[GROUP].at.len, 200);
	block_reader_close(&f.reader);
}

static void a_check_that_is_cancelled_ends_it(void **state)
{
	static atomic_bool cancelled;
	const struct interrupt interrupt = { .cancel = &cancelled };

	(void)state;
	atomic_store(&cancelled, false);
	f.d.work.interrupt = &interrupt;
	open_reader(FILE_LEN);
	assert_non_null(
		block_reader_stored(&f.reader, &f.sources[0], (struct span){ 0, 16 }, FILE_LEN));
	atomic_store(&cancelled, true);
	assert_null(
		block_reader_stored(&f.reader, &f.sources[0], (struct span){ 0, 16 }, FILE_LEN));
	assert_int_equal(f.reader.why, STOP_LIMIT);
	assert_false(block_reader_stop(&f.d, GROUP, &f.reader));
	assert_int_equal(f.d.groups[GROUP].why, STOP_LIMIT);
	assert_int_equal(f.d.work.interrupted, INTERRUPTED_CANCELLED);
	block_reader_close(&f.reader);
}

/* A reader has the share of memory that it was opened for: here none is left for the state of a
 * decoder. */
static void memory_that_ends_ends_it(void **state)
{
	static const struct block b = {
		.stored = 16, .size = 64, .method = METHOD_ZLIB, .is_packed = true
	};
	const struct block_reader_plan plan = { LARGEST, LARGEST, 0, false, 1u << 31 };
	enum block_defect defect;

	(void)state;
	assert_true(block_reader_open(&f.d, GROUP, &plan, &f.reader));
	assert_null(decode_block(b, &defect));
	assert_int_equal(defect, BLOCK_SOUND);
	assert_int_equal(f.reader.why, STOP_MEMORY);
	assert_false(block_reader_stop(&f.d, GROUP, &f.reader));
	assert_int_equal(f.d.groups[GROUP].why, STOP_MEMORY);
	assert_true(f.arena.over_budget);
	block_reader_close(&f.reader);
}

static void a_reader_that_has_no_memory_is_not_opened(void **state)
{
	const struct block_reader_plan plan = { LARGEST, LARGEST, 0, true, 1 };

	(void)state;
	f.arena.budget = f.arena.held;
	assert_false(block_reader_open(&f.d, GROUP, &plan, &f.reader));
	assert_int_equal(f.d.groups[GROUP].why, STOP_MEMORY);
}

/* ---- Methods --------------------------------------------------------------------------------- */

/* 64 letters in the form of LZ4: one, 58 that repeat it, and five. */
static const uint8_t lz4[] = { 0x1F, 'a', 1, 0, 39, 0x50, 'a', 'a', 'a', 'a', 'a' };

/* Three letters in the form of Zlib, stored as they are, and a byte more. */
static const uint8_t zlib[] = { 0x78, 1,   1,    3,    0,    0xFC, 0xFF, 'a',
				'a',  'a', 0x02, 0x49, 0x01, 0x24, 0 };

static void a_block_is_decompressed(void **state)
{
	static const struct {
		const uint8_t *bytes;
		uint64_t n, size;
		enum method method;
		bool is_decoded;
		enum block_defect defect;
	} cases[] = {
		{ lz4, sizeof lz4, 64, METHOD_LZ4, true, BLOCK_SOUND },
		{ lz4, sizeof lz4, 65, METHOD_LZ4, false, BLOCK_SHORT },
		{ lz4, sizeof lz4, 63, METHOD_LZ4, false, BLOCK_LONG },
		{ lz4, 3, 64, METHOD_LZ4, false, BLOCK_BROKEN },
		{ lz4, sizeof lz4, sizeof lz4, METHOD_NONE, true, BLOCK_SOUND },
		{ lz4, 3, 2, METHOD_NONE, false, BLOCK_LONG },
		{ lz4, sizeof lz4, 64, METHOD_UNKNOWN, false, BLOCK_BROKEN },
	};
	enum block_defect defect;

	(void)state;
	open_reader(FILE_LEN);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		const uint64_t at = 100 * i;
		const struct block b = { .offset = at,
					 .stored = cases[i].n,
					 .size = cases[i].size,
					 .method = cases[i].method,
					 .is_packed = true };
		const uint8_t *bytes;

		memcpy(f.bytes[0] + at, cases[i].bytes, (size_t)cases[i].n);
		bytes = decode_block(b, &defect);
		assert_int_equal(bytes != NULL, cases[i].is_decoded);
		assert_int_equal(defect, cases[i].defect);
		assert_int_equal(f.reader.why, STOP_NOT);
		for (uint64_t k = 0; bytes && k < b.size; k++)
			assert_int_equal(bytes[k], b.method == METHOD_NONE ? lz4[k] : 'a');
	}
	block_reader_close(&f.reader);
}

static void bytes_after_a_stream_are_told(void **state)
{
	const struct block whole = {
		.stored = sizeof zlib - 1, .size = 3, .method = METHOD_ZLIB, .is_packed = true
	};
	struct block longer = whole;
	const uint8_t *bytes;
	enum block_defect defect;

	(void)state;
	longer.stored++;
	memcpy(f.bytes[0], zlib, sizeof zlib);
	open_reader(FILE_LEN);
	bytes = decode_block(whole, &defect);
	assert_true(bytes && memcmp(bytes, "aaa", 3) == 0 && defect == BLOCK_SOUND);
	bytes = decode_block(longer, &defect);
	assert_true(bytes && memcmp(bytes, "aaa", 3) == 0 && defect == BLOCK_LEFT_OVER);
	block_reader_close(&f.reader);
}

static void a_number_means_a_method(void **state)
{
	struct block_methods m;

	(void)state;
	block_methods_init(&m);
	block_methods_add(&m, 1, (const uint8_t *)"zLIB", 4);
	block_methods_add(&m, 2, (const uint8_t *)"", 0);
	block_methods_add(&m, 3, (const uint8_t *)"Zlob", 4);
	block_methods_add(&m, 255, (const uint8_t *)"Oodle", 5);
	block_methods_add(&m, 256, (const uint8_t *)"LZ4", 3);
	assert_int_equal(block_methods_get(&m, 0), METHOD_NONE);
	assert_int_equal(block_methods_get(&m, 1), METHOD_ZLIB);
	assert_int_equal(block_methods_get(&m, 2), BLOCK_METHOD_NAMELESS);
	assert_int_equal(block_methods_get(&m, 3), METHOD_UNKNOWN);
	assert_int_equal(block_methods_get(&m, 4), METHOD_UNKNOWN);
	assert_int_equal(block_methods_get(&m, 255), METHOD_OODLE);
	assert_int_equal(block_methods_get(&m, 256), METHOD_UNKNOWN);
}

static void needs_add_up(void **state)
{
	static const struct block blocks[] = {
		{ 0, 20, 18, METHOD_NONE, false, BLOCK_CLEAR, NULL, 0 },
		{ 0, 20, 18, METHOD_NONE, false, BLOCK_ECB, NULL, 0 },
		{ 0, 20, 90, METHOD_LZ4, true, BLOCK_ECB, NULL, 0 },
		{ 0, 33, 60, METHOD_LZ4, true, BLOCK_CTR, NULL, 0 },
	};
	struct block_needs n = { .read = 0 };

	(void)state;
	for (size_t i = 0; i < LENGTH(blocks); i++)
		block_needs_add(&n, &blocks[i]);
	assert_int_equal(n.read, 18 + 32 + 32 + 33);
	assert_int_equal(n.decoded, 18 + 18 + 90 + 60);
	assert_int_equal(n.packed, 32 + 33);
	assert_int_equal(n.largest_read, 33);
	assert_int_equal(n.largest_decoded, 90);
}

static void a_decoder_that_is_missing_is_told(void **state)
{
	static const struct {
		struct block b;
		bool lacks;
		enum method lacking;
	} cases[] = {
		{ { .stored = 9, .size = 10, .method = METHOD_LZ4, .is_packed = true },
		  false,
		  METHOD_NONE },
		{ { .stored = 10, .size = 10, .method = METHOD_LZ4, .is_packed = true },
		  true,
		  METHOD_NONE },
		{ { .stored = 10, .size = 10, .method = METHOD_NONE }, false, METHOD_NONE },
		{ { .stored = 9, .size = 0, .method = METHOD_LZ4, .is_packed = true },
		  false,
		  METHOD_NONE },
		{ { .stored = 9, .size = 10, .method = METHOD_OODLE, .is_packed = true },
		  true,
		  METHOD_OODLE },
		{ { .stored = 9, .size = 10, .method = BLOCK_METHOD_NAMELESS, .is_packed = true },
		  true,
		  METHOD_UNKNOWN },
	};
	struct block_needs needs = { .read = 0 };
	struct unpacker codecs;

	(void)state;
	unpacker_open(&codecs, &f.arena, f.d.oodle);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		enum method lacking = METHOD_NONE;

		assert_int_equal(block_lacks_decoder(&cases[i].b, &codecs, &lacking),
				 cases[i].lacks);
		assert_int_equal(lacking, cases[i].lacking);
		needs.lacking[lacking] += cases[i].lacks ? cases[i].b.stored : 0;
	}
	block_stop_codecs(&f.d, GROUP, &needs, true);
	assert_int_equal(f.d.groups[GROUP].why, STOP_CODEC);
	assert_int_equal(f.d.n_lacks, 3);
	assert_string_equal(f.d.lacks[0].what, "decoder for blocks that save nothing");
	assert_int_equal(f.d.lacks[0].bytes, 10);
	assert_string_equal(f.d.lacks[1].what, "Oodle");
	assert_string_equal(f.d.lacks[2].what, "decoder for a compression method that has no name");
	/* bytes that another group counts are told without their number */
	f.d.n_lacks = 0;
	memset(f.d.groups, 0, sizeof f.d.groups);
	block_stop_codecs(&f.d, GROUP, &needs, false);
	assert_int_equal(f.d.n_lacks, 3);
	for (size_t i = 0; i < f.d.n_lacks; i++)
		assert_int_equal(f.d.lacks[i].bytes, 0);
}

/* Stored bytes may be decoded a second time, and 16 MiB more; what goes beyond that costs four
 * units a byte. */
static void what_is_decoded_again_costs_work(void **state)
{
	const uint64_t free = 16777216 + 2 * 1000;

	(void)state;
	assert_int_equal(block_repeat_work(1000, 0), 0);
	assert_int_equal(block_repeat_work(1000, free), 0);
	assert_int_equal(block_repeat_work(1000, free + 5), 20);
}

/* ---- Ciphers --------------------------------------------------------------------------------- */

/* Blocks of a length that is no multiple of 16, from bytes that are what they were encrypted to. */
static void a_block_is_decrypted(void **state)
{
	static const struct key key = { .bytes = { 1, 2, 3 } };
	static const uint8_t vector[BLOCK_VECTOR_LEN] = { 9, 8, 7, 6, 5, 4, 3, 2, 1, 9, 8, 7 };
	static const uint8_t first[] = { 1, 2, 3, 4 };
	static const enum block_cipher ciphers[] = { BLOCK_ECB, BLOCK_CTR };
	enum block_defect defect;

	(void)state;
	unit_needs(aes_is_available(), "nettle");
	open_reader(FILE_LEN);
	for (size_t i = 0; i < LENGTH(ciphers); i++) {
		struct block b = { .offset = 64,
				   .stored = 20,
				   .size = 20,
				   .cipher = ciphers[i],
				   .vector = vector,
				   .counter = 0x01020304 };
		uint8_t wanted[32], counter[AES_BLOCK_LEN] = { 0 };
		struct aes aes;
		const uint8_t *bytes;

		memcpy(wanted, f.bytes[0] + 64, sizeof wanted);
		memcpy(counter, vector, sizeof vector);
		memcpy(counter + sizeof vector, first, sizeof first);
		if (b.cipher == BLOCK_CTR) {
			aes_for_ctr(&aes, key.bytes);
			aes_ctr(&aes, counter, wanted, sizeof wanted);
		} else {
			aes_for_ecb(&aes, key.bytes);
			aes_ecb(&aes, wanted, sizeof wanted);
		}
		block_reader_use_key(&f.reader, b.cipher, &key);
		bytes = decode_block(b, &defect);
		assert_non_null(bytes);
		assert_memory_equal(bytes, wanted, 20);
		b.cipher = BLOCK_CLEAR; /* the key is for those that are encrypted */
		bytes = decode_block(b, &defect);
		assert_memory_equal(bytes, f.bytes[0] + 64, 20);
		b.cipher = ciphers[i];
		block_reader_use_key(&f.reader, b.cipher, NULL);
		bytes = decode_block(b, &defect);
		assert_memory_equal(bytes, f.bytes[0] + 64, 20);
	}
	block_reader_close(&f.reader);
}

/* ---- Shares ---------------------------------------------------------------------------------- */

static void every_task_is_taken_once(void **state)
{
	static const struct {
		uint64_t n, stored, n_workers, first; /* how many the first batch has */
	} lists[] = {
		{ 0, 0, 1, 0 },                /* nothing to do */
		{ 1, INT64_MAX, 2, 1 },        /* a long task is one batch */
		{ 10, 100, 1, 10 },            /* one worker takes what fits, */
		{ 80, 800, 2, 11 },            /* several leave some for the others, */
		{ 1 << 20, 1 << 20, 2, 1024 }, /* and no batch has many */
		{ 100, 100 * 262144, 2, 2 },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(lists); i++) {
		struct block_shares shares;
		uint64_t from, to, done = 0;

		block_shares_start(&shares, lists[i].n, lists[i].stored, lists[i].n_workers);
		while (block_shares_take(&shares, &from, &to)) {
			assert_int_equal(from, done);
			assert_true(to > from);
			if (done == 0)
				assert_int_equal(to, lists[i].first);
			done = to;
		}
		assert_int_equal(done, lists[i].n);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_blocks, end_blocks)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_follows_is_read_ahead),
		TEST(a_window_is_of_one_source),
		TEST(a_block_may_be_longer_than_a_source_is_said_to_be),
		TEST(a_read_that_fails_ends_it),
		TEST(a_check_that_is_cancelled_ends_it),
		TEST(memory_that_ends_ends_it),
		TEST(a_reader_that_has_no_memory_is_not_opened),
		TEST(a_block_is_decompressed),
		TEST(bytes_after_a_stream_are_told),
		TEST(a_number_means_a_method),
		TEST(needs_add_up),
		TEST(a_decoder_that_is_missing_is_told),
		TEST(what_is_decoded_again_costs_work),
		TEST(a_block_is_decrypted),
		TEST(every_task_is_taken_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

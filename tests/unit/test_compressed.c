/* Tests of decoding compressed downloads of every form where vectors do not reach: work that ends
 * at each step, each read that fails, maps that are not wanted to their end, and what is nested. */
#include "compressed_state.h"

static void work_ends_at_each_step(void **state)
{
	struct fixture f;
	bool done;

	(void)state;
	for (size_t k = 0; k < n_images(); k++) {
		uint64_t max = 0;

		do {
			open_fixture(&f, &images[k], images[k].name);
			f.decode.work.max = max++;
			assert_non_null(images[k].format->decode(&f.decode));
			done = is_whole(&f, &images[k]);
			assert_int_equal(n_stopped(&f, images[k].format, STOP_LIMIT), !done);
			end_fixture(&f);
		} while (!done);
		assert_in_range(max, 2, 40);
	}
}

static void each_read_fails(void **state)
{
	struct fixture f;
	bool done;

	(void)state;
	for (size_t k = 0; k < n_images(); k++) {
		uint64_t fault_at = 1;

		do {
			open_fixture(&f, &images[k], images[k].name);
			f.input.fault = FAULT_FAILS;
			f.input.fault_at = fault_at++;
			assert_non_null(images[k].format->decode(&f.decode));
			done = is_whole(&f, &images[k]);
			assert_int_equal(n_stopped(&f, images[k].format, STOP_INPUT), !done);
			/* it is not the file's fault */
			assert_int_equal(n_stopped(&f, images[k].format, STOP_MALFORMED), 0);
			end_fixture(&f);
		} while (!done);
		assert_in_range(fault_at, 3, 20);
	}
}

static void each_request_for_memory_fails(void **state)
{
	struct fixture f;
	bool done;

	(void)state;
	for (size_t k = 0; k < n_images(); k++) {
		uint64_t fail_at = 1;

		do {
			open_fixture(&f, &images[k], images[k].name);
			f.arena.chunk_len = 1; /* whatever is taken is asked for */
			f.memory.fail_at = fail_at++;
			f.memory.forever = true;
			f.facts = images[k].format->decode(&f.decode);
			done = f.facts && is_whole(&f, &images[k]);
			assert_true(!f.facts || done ||
				    n_stopped(&f, images[k].format, STOP_MEMORY) == 1);
			assert_int_equal(n_stopped(&f, images[k].format, STOP_MALFORMED), 0);
			end_fixture(&f);
		} while (!done);
		assert_in_range(fail_at, 4, 40);
	}
}

/* ---- What the engine asks of the facts ------------------------------------------------------- */

static void maps_end_when_nobody_listens(void **state)
{
	struct fixture f;

	(void)state;
	for (size_t k = 0; k < n_images(); k++) {
		struct taking t = { 0, SIZE_MAX };
		size_t all;

		open_fixture(&f, &images[k], images[k].name);
		f.facts = images[k].format->decode(&f.decode);
		assert_true(images[k].format->map(f.facts, &f.decode, take_some, &t));
		all = t.n;
		for (size_t max = 0; max < all; max++) {
			t = (struct taking){ 0, max };
			assert_false(images[k].format->map(f.facts, &f.decode, take_some, &t));
			assert_int_equal(t.n, max + 1);
		}
		end_fixture(&f);
	}
}

static void nothing_is_known_of_what_cannot_be_read(void **state)
{
	struct fixture f;

	(void)state;
	for (size_t k = 0; k < n_images(); k++) {
		struct taking t = { 0, SIZE_MAX };

		open_fixture(&f, &images[k], images[k].name);
		f.input.fault = FAULT_FAILS;
		f.input.fault_at = 1;
		f.facts = images[k].format->decode(&f.decode);
		assert_true(images[k].format->map(f.facts, &f.decode, take_some, &t));
		assert_int_equal(t.n, 0);
		assert_int_equal(images[k].format->explained(f.facts), 0);
		end_fixture(&f);
	}
}

static void what_comes_out_is_nested(void **state)
{
	static const uint8_t byte;
	const struct source download = { .name = "T.u.uz" };
	struct unpacked u = { .bytes = &byte, .len = 1, .name = text_from("T.txt") };
	struct nested_walk walk = { .file = 0 };
	struct nested n;

	(void)state;
	unpacked_describe(&u, &download);
	assert_true(unpacked_next(&u, &walk, &n));
	assert_true(n.decoded && n.span.len == 1 && n.installed_as.ref.n_units == 0);
	assert_true(text_is(n.name, "T.u"));
	assert_false(unpacked_next(&u, &walk, &n));
	walk.file = 0;
	u.further = text_from("T.umod");
	assert_true(unpacked_next(&u, &walk, &n));
	assert_true(unpacked_next(&u, &walk, &n));
	assert_true(text_is(n.name, "T.u") && text_is(n.installed_as, "T.umod"));
	assert_false(unpacked_next(&u, &walk, &n));
}

/* By content alone a .lzma is nothing. */
static void content_tells_the_format(void **state)
{
	struct fixture f;

	(void)state;
	for (size_t k = 0; k < LENGTH(images); k++)
		for (unsigned fault = 0; fault < 2; fault++) {
			open_fixture(&f, &images[k], "download");
			f.input.fault = fault ? FAULT_FAILS : FAULT_NONE;
			f.input.fault_at = 1;
			assert_int_equal(images[k].format->sniff(&f.decode),
					 !fault && images[k].format != &lzma_format);
			end_fixture(&f);
		}
}

static bool sniffs(const struct format *format, const uint8_t *bytes, size_t n)
{
	struct image i = whole("download", format, bytes, n);
	struct fixture f;
	bool yes;

	open_fixture(&f, &i, i.name);
	yes = format->sniff(&f.decode);
	end_fixture(&f);
	return yes;
}

/* As much as there is of a signature, a size and a stream is not enough; nor are sizes without a
 * stream, or a key without a name. */
static void half_a_format_is_none(void **state)
{
	static const uint8_t stream[] = { 0x2E, 0x16, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F, 0x78, 0x9C };
	static const uint8_t no_stream[] = { 0x2E, 0x16, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F, 0x78, 0x9D };
	static const uint8_t chunk[] = { 2, 0, 0, 0, 9, 0, 0, 0, 0x78, 0x9C },
			     no_chunk[] = { 2, 0, 0, 0, 9, 0, 0, 0, 0x79, 0x9C };
	static const uint8_t long_chunk[] = { 3, 0, 0, 0, 9, 0, 0, 0, 0x78, 0x9C };
	static const uint8_t key[] = { 1, 0, 0, 0, 12, 0, 0, 0, 172, 2, 'A', 0 },
			     no_key[] = { 1, 0, 0, 0, 12, 0, 0, 0, 172, 0, 'A', 0 };
	static const uint8_t long_name[] = { 0xD2, 4, 0, 0, 0x6C, 5, 'A', 0 };

	(void)state;
	assert_true(sniffs(&uz3_format, stream, 10));
	assert_false(sniffs(&uz3_format, stream, 9));
	assert_false(sniffs(&uz3_format, stream, 8));
	assert_false(sniffs(&uz3_format, no_stream, 10));
	assert_true(sniffs(&uz2_format, chunk, 10));
	assert_false(sniffs(&uz2_format, no_chunk, 10));
	assert_false(sniffs(&uz2_format, long_chunk, 10));
	assert_true(sniffs(&uz_format, key, 12));
	assert_false(sniffs(&uz_format, no_key, 12));
	assert_false(sniffs(&uz_format, long_name, 4));
	assert_false(sniffs(&uz_format, long_name, 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_ends_at_each_step),
		cmocka_unit_test(each_read_fails),
		cmocka_unit_test(maps_end_when_nobody_listens),
		cmocka_unit_test(nothing_is_known_of_what_cannot_be_read),
		cmocka_unit_test(what_comes_out_is_nested),
		cmocka_unit_test(content_tells_the_format),
		cmocka_unit_test(half_a_format_is_none),
		cmocka_unit_test(each_request_for_memory_fails),
	};

	return cmocka_run_group_tests(tests, make_images, NULL);
}

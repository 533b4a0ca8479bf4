/* Tests of how far files reach, where their bytes cannot be read when somebody asks: nothing is
 * said that was not seen. */
#include "formats/pak/parts.h"
#include "formats/umod/umod.h"
#include "formats/upkg/upkg.h"
#include "unit.h"

enum { LEN = 3 * SOURCE_WHOLE };

static struct {
	struct fault_memory memory;
	struct arena arena;
	struct fault_input input;
	struct source source;
	struct decode d;
	uint8_t bytes[LEN];
} f;

static void open_bytes(uint64_t n)
{
	f.arena = unit_arena(&f.memory, UNIT_PLENTY);
	f.input = (struct fault_input){ .bytes = f.bytes, .size = n };
	source_init(&f.source, (struct source_io){ fault_source_read, NULL, &f.input, n }, "a",
		    &f.arena, 16);
	f.d = (struct decode){ .source = &f.source, .arena = &f.arena };
}

/* An end is proved by a trailer that stands there, and again at the end of the file. */
static void a_trailer_that_cannot_be_read_proves_nothing(void **state)
{
	static struct umod u;

	(void)state;
	memset(f.bytes, 0x11, sizeof f.bytes);
	for (unsigned fails = 0; fails < 3; fails++) {
		struct extent x = { .needs = 0 };

		open_bytes(LEN);
		f.d.groups[UMOD_DIRECTORY].why = STOP_INPUT;
		f.input.fails_over = fails > 0;
		f.input.bad_offset = fails == 1 ? 100 : LEN - 1;
		u.trailer.file_size = 110;
		umod_format.extent(&u, &f.d, 0, &x);
		assert_true(x.is_end && x.needs == 110);
		assert_int_equal(x.is_proved, fails == 0);
		arena_free(&f.arena);
	}
}

/* A file of less than a tag begins as a package does, or not. */
static void a_part_of_a_tag_ends_early(void **state)
{
	static const uint8_t tag[] = { 0xC1, 0x83, 0x2A, 0x9E };
	static struct upkg u;

	(void)state;
	for (unsigned fails = 0; fails < 2; fails++) {
		for (uint64_t n = 0; n <= sizeof tag; n++) {
			struct extent x = { .needs = 0 };

			memcpy(f.bytes, tag, sizeof tag);
			open_bytes(n);
			f.d.groups[UPKG_HEADER].why = STOP_INPUT;
			f.input.fault_at = fails;
			f.input.fault = FAULT_FAILS;
			upkg_format.extent(&u, &f.d, 0, &x);
			assert_int_equal(x.ends_early, n < sizeof tag && (fails == 0 || n == 0));
			arena_free(&f.arena);
		}
	}
}

/* An index whose parts lie where the places after its mount point say. */
static const uint8_t index_head[] = { 2, 0, 0, 0, '/', 0 };

static void write_places(void)
{
	enum {
		PART = sizeof index_head + 12,
		IS_THERE = PART,
		OFFSET = PART + 4,
		SIZE = PART + 12
	};

	memset(f.bytes, 0, sizeof f.bytes);
	memcpy(f.bytes, index_head, sizeof index_head);
	f.bytes[IS_THERE] = 1;
	f.bytes[OFFSET + 2] = 1;
	f.bytes[SIZE + 1] = 1;
}

static void the_end_of_an_index_that_cannot_be_read_is_not_known(void **state)
{
	(void)state;
	write_places();
	for (unsigned fails = 0; fails < 2; fails++) {
		struct extent x = { .needs = 0 };

		open_bytes(LEN);
		f.input.fails_over = fails > 0;
		f.input.bad_offset = sizeof index_head + 90;
		pak_reach(&f.source, &x);
		assert_int_equal(x.ends_early, !fails);
		assert_int_equal(x.needs, fails ? 0 : 0x10100);
		arena_free(&f.arena);
	}
}

/* Up to version 9 an index has its rows itself: paths, here of 8000 bytes, and records. */
enum { ROW = 4 + 8000 + 53, N_ROWS = 4, ROWS_AT = sizeof index_head + 4 };

static void write_rows(void)
{
	memset(f.bytes, 0, sizeof f.bytes);
	memcpy(f.bytes, index_head, sizeof index_head);
	f.bytes[sizeof index_head] = N_ROWS;
	for (unsigned i = 0; i < N_ROWS; i++) {
		uint8_t *row = f.bytes + ROWS_AT + i * ROW;

		row[0] = 8000 & 0xFF;
		row[1] = 8000 >> 8;
	}
}

/* Where rows cannot be read nothing is said, whichever of them it is, and in which field. */
static void rows_that_cannot_be_read_end_nowhere(void **state)
{
	enum { END = ROWS_AT + N_ROWS * ROW };
	static const uint64_t bad[] = { 0, ROWS_AT + 2 * ROW + 2, ROWS_AT + 2 * ROW + 4 + 8000 + 20,
					ROWS_AT + 3 * ROW + 1, ROWS_AT + 3 * ROW + 4 + 8000 + 30 };

	(void)state;
	write_rows();
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct extent x = { .needs = 0 };

		open_bytes(END);
		f.input.fails_over = bad[i] > 0;
		f.input.bad_offset = bad[i];
		pak_reach(&f.source, &x);
		assert_int_equal(x.ends_early, bad[i] == 0);
		assert_int_equal(x.needs, 0);
		arena_free(&f.arena);
	}
}

/* The parts may lie in either order: the index ends with the one that ends last. */
static void the_last_of_two_parts_is_the_end(void **state)
{
	enum { SECOND = 18 + 40 };

	(void)state;
	for (unsigned later = 0; later < 2; later++) {
		struct extent x = { .needs = 0 };

		write_places();
		f.bytes[SECOND] = 1;
		f.bytes[SECOND + 4 + 2] = later ? 2 : 0;
		open_bytes(LEN);
		pak_reach(&f.source, &x);
		assert_true(x.ends_early);
		assert_int_equal(x.needs, later ? 0x20000 : 0x10100);
		arena_free(&f.arena);
	}
}

/* Places and rows by which nothing is known of an end. */
static void an_index_of_another_kind_has_no_end(void **state)
{
	static const struct {
		uint64_t at;
		uint8_t value;
	} changes[] = { { 18, 2 }, { 29, 0x80 }, { 33, 0x80 } };

	(void)state;
	for (unsigned i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		struct extent x = { .needs = 0 };

		write_places();
		f.bytes[6] = 1; /* a file, whose row is none */
		f.bytes[changes[i].at] = changes[i].value;
		open_bytes(LEN);
		pak_reach(&f.source, &x);
		assert_false(x.ends_early);
		assert_int_equal(x.needs, 0);
		arena_free(&f.arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_trailer_that_cannot_be_read_proves_nothing),
		cmocka_unit_test(a_part_of_a_tag_ends_early),
		cmocka_unit_test(the_end_of_an_index_that_cannot_be_read_is_not_known),
		cmocka_unit_test(rows_that_cannot_be_read_end_nowhere),
		cmocka_unit_test(the_last_of_two_parts_is_the_end),
		cmocka_unit_test(an_index_of_another_kind_has_no_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

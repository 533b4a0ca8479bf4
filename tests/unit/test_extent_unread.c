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

/* Where an index ends is said behind its mount point. */
static void the_end_of_an_index_that_cannot_be_read_is_not_known(void **state)
{
	static const uint8_t index[] = { 2, 0, 0, 0, '/', 0 };
	enum { PART = sizeof index + 12, IS_THERE = PART, OFFSET = PART + 4, SIZE = PART + 12 };

	(void)state;
	memset(f.bytes, 0, sizeof f.bytes);
	memcpy(f.bytes, index, sizeof index);
	f.bytes[IS_THERE] = 1;
	f.bytes[OFFSET + 2] = 1;
	f.bytes[SIZE + 1] = 1;
	for (unsigned fails = 0; fails < 2; fails++) {
		struct extent x = { .needs = 0 };

		open_bytes(LEN);
		f.input.fails_over = fails > 0;
		f.input.bad_offset = sizeof index + 90;
		pak_reach(&f.source, &x);
		assert_true(x.ends_early);
		assert_int_equal(x.needs, fails ? 0 : 0x10100);
		arena_free(&f.arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_trailer_that_cannot_be_read_proves_nothing),
		cmocka_unit_test(a_part_of_a_tag_ends_early),
		cmocka_unit_test(the_end_of_an_index_that_cannot_be_read_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of decoding .uz2 downloads where vectors do not reach: chunks that do not fit their file,
 * or need parts that are missing. */
#include "compressed_state.h"

static bool add_span(void *ctx, const struct region *r)
{
	uint64_t *end = ctx;

	assert_int_equal(r->span.at, *end);
	*end += r->span.len;
	return true;
}

/* In the map a chunk that claims to be longer than the file ends where the file does. */
static void maps_end_with_the_file(void **state)
{
	struct image i = images[2];
	struct fixture f;
	uint64_t end = 0;

	(void)state;
	i.bytes[0] += 200;
	open_fixture(&f, &i, i.name);
	f.facts = uz2_format.decode(&f.decode);
	assert_int_equal(f.decode.groups[UZ2_CHUNKS].why, STOP_MALFORMED);
	assert_true(uz2_format.map(f.facts, &f.decode, add_span, &end));
	assert_int_equal(end, i.n);
	end_fixture(&f);
}

/* A chunk of no bytes has no stream in the map. */
static void a_chunk_may_be_empty(void **state)
{
	static const uint8_t bytes[] = { 0, 0, 0, 0, 9, 0, 0, 0 };
	struct image i = whole("T.u.uz2", &uz2_format, bytes, sizeof bytes);
	struct taking t = { 0, SIZE_MAX };
	struct fixture f;

	(void)state;
	open_fixture(&f, &i, i.name);
	f.facts = uz2_format.decode(&f.decode);
	assert_true(uz2_format.map(f.facts, &f.decode, take_some, &t));
	assert_int_equal(t.n, 1);
	end_fixture(&f);
}

/* The memory that a chunk says it decompresses to is asked for once. */
static void chunks_take_what_they_say(void **state)
{
	uint64_t peaks[2];
	struct fixture f;

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		struct image i = images[2];

		i.bytes[4] = 0;
		i.bytes[5] = k == 0 ? 1 : 2; /* 256 or 512 bytes, of which 11 come */
		open_fixture(&f, &i, i.name);
		f.arena.chunk_len = 1;
		assert_non_null(uz2_format.decode(&f.decode));
		assert_int_equal(f.decode.groups[UZ2_CONTENT].why, STOP_MALFORMED);
		peaks[k] = f.arena.peak;
		end_fixture(&f);
	}
	assert_int_equal(peaks[1] - peaks[0], 256);
}

static void expect_stops(enum level level, uint8_t packed, const enum stop_why *whys)
{
	struct image i = images[2];
	struct fixture f;

	i.bytes[0] = packed;
	open_fixture(&f, &i, i.name);
	f.decode.level = level;
	assert_non_null(uz2_format.decode(&f.decode));
	for (uint32_t g = 0; g < GROUPS_MAX; g++)
		assert_int_equal(f.decode.groups[g].why, g < uz2_n_groups ? whys[g] : STOP_NOT);
	end_fixture(&f);
}

/* What was not asked for is told from what stands on something that is missing. */
static void parts_of_chunks_stand_on_each_other(void **state)
{
	const uint8_t packed = images[2].bytes[0];

	(void)state;
	expect_stops(LEVEL_CONTENT, packed,
		     (enum stop_why[]){ STOP_NOT, STOP_NOT, STOP_NOT, STOP_NOT });
	expect_stops(LEVEL_STRUCTURE, packed,
		     (enum stop_why[]){ STOP_NOT, STOP_NOT, STOP_LEVEL, STOP_LEVEL });
	expect_stops(LEVEL_CONTENT, 0,
		     (enum stop_why[]){ STOP_NOT, STOP_MALFORMED, STOP_NEEDS, STOP_NEEDS });
	expect_stops(LEVEL_STRUCTURE, 0,
		     (enum stop_why[]){ STOP_NOT, STOP_MALFORMED, STOP_NEEDS, STOP_NEEDS });
}

/* What is asked of streams is asked when they were decoded. */
static void tables_of_chunks_have_their_groups(void **state)
{
	struct table t[TABLES_MAX];
	struct fixture f;

	(void)state;
	open_fixture(&f, &images[2], images[2].name);
	f.facts = uz2_format.decode(&f.decode);
	assert_int_equal(uz2_format.tables(f.facts, t), uz2_n_tables);
	assert_int_equal(t[UZ2_HEADERS].group, UZ2_FILE);
	assert_int_equal(t[UZ2_BODIES].group, UZ2_STREAMS);
	assert_int_equal(t[UZ2_HEADERS].n, 2);
	assert_int_equal(t[UZ2_BODIES].n, 2);
	end_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_end_with_the_file),
		cmocka_unit_test(a_chunk_may_be_empty),
		cmocka_unit_test(chunks_take_what_they_say),
		cmocka_unit_test(parts_of_chunks_stand_on_each_other),
		cmocka_unit_test(tables_of_chunks_have_their_groups),
	};

	return cmocka_run_group_tests(tests, make_images, NULL);
}

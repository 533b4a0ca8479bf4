/* The records of a .utoc: what their generated readers give, quick and thorough, is what a walk over their fields gives. */
#include "unit.h"

#include "formats/iostore/toc/perfect_hash.h"
#include "formats/iostore/utoc.h"

enum { AT = 1000, LONGEST = 256 };

static void fill(uint8_t *bytes, size_t n, unsigned seed)
{
	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)(seed + 37 * i + (i * i >> 2));
}

static int64_t next_number(const struct layout *l, struct cursor *c, size_t *i)
{
	struct layout_value v;

	assert_true(layout_walk(l, 0, c, i, &v));
	return v.number;
}

/* One function for each record: all fields are numbers. A window a byte too short gives nothing. */
#define RECORD(r, meaning) \
	static void check_##r(unsigned seed) \
	{ \
		uint8_t bytes[LONGEST]; \
		struct r thorough, quick; \
		struct cursor a, b, walk, cut; \
		size_t i = 0; \
		fill(bytes, sizeof bytes, seed); \
		a = b = walk = cursor_init(bytes, r##_fixed_len, AT); \
		assert_true(r##_read(&a, 0, &thorough)); \
		assert_true(r##_few(&b, 0, &quick)); \
		assert_int_equal(a.pos, r##_fixed_len); \
		assert_int_equal(b.pos, r##_fixed_len); \
		assert_true(thorough.at == AT && quick.at == AT);
#define FIELD(r, wire, kind, field, versions, meaning) \
		assert_true(thorough.field == quick.field); \
		assert_true((int64_t)thorough.field == next_number(&r##_layout, &walk, &i));
#define END(r, len) \
		assert_int_equal(i, r##_n_fields); \
		cut = cursor_init(bytes, r##_fixed_len - 1, AT); \
		assert_false(r##_read(&cut, 0, &thorough)); \
		assert_false(r##_few(&cut, 0, &quick)); \
		assert_int_equal(cut.pos, 0); \
	}
#include "formats/iostore/utoc.def"
#undef RECORD
#undef FIELD
#undef END

static void records_are_read_as_they_are_walked(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 256; seed++) {
#define RECORD(r, meaning) check_##r(seed);
#define FIELD(r, wire, kind, field, versions, meaning)
#define END(r, len)
#include "formats/iostore/utoc.def"
#undef RECORD
#undef FIELD
#undef END
	}
}

/* What the tables' accessors give is what the records' readers do. */
static void rows_are_records(void **state)
{
	uint8_t bytes[LONGEST];
	struct toc t = { .sections = {
		[SECTION_RANGES] = { .at = { AT, sizeof bytes }, .row_len = utoc_range_fixed_len, .bytes = bytes },
		[SECTION_BLOCKS] = { .at = { AT, sizeof bytes }, .row_len = utoc_block_fixed_len, .bytes = bytes },
	} };
	struct utoc_range range;
	struct utoc_block block;
	struct cursor ranges, blocks;

	(void)state;
	fill(bytes, sizeof bytes, 200);
	ranges = blocks = cursor_init(bytes, sizeof bytes, AT);
	for (uint64_t i = 0; i < sizeof bytes / utoc_block_fixed_len; i++) {
		assert_true(utoc_range_read(&ranges, 0, &range) && utoc_block_read(&blocks, 0, &block));
		assert_true(toc_offset(&t, i) == range.offset && toc_length(&t, i) == range.length);
		assert_int_equal(toc_block(&t, i).at, block.at);
		assert_int_equal(toc_block(&t, i).offset, block.offset);
		assert_int_equal(toc_block(&t, i).compressed, block.compressed);
		assert_int_equal(toc_block(&t, i).uncompressed, block.uncompressed);
		assert_int_equal(toc_block(&t, i).method, block.method);
	}
}

/* The quotient by the inverse is one too small for some of these. */
static void a_remainder_needs_no_division(void **state)
{
	static const uint64_t by[] = { 1, 2, 3, 7, 64, 99999, 100000, (uint64_t)1 << 31, UINT32_MAX };
	uint64_t random = 9;

	(void)state;
	for (size_t i = 0; i < LENGTH(by); i++) {
		const struct remainder r = remainder_by(by[i]);

		for (uint64_t k = 0; k < 100; k++) {
			const uint64_t values[] = { k, UINT64_MAX - k, k * by[i], UINT64_MAX / by[i] * by[i] - k, unit_random(&random) };

			for (size_t v = 0; v < LENGTH(values); v++)
				assert_int_equal(remainder_of(&r, values[v]), values[v] % by[i]);
		}
	}
}

/* One seed sends every id to the same place, or nowhere. */
static void a_seed_leads_to_a_chunk_or_nowhere(void **state)
{
	static const struct { int32_t seed; bool leads; } rows[] = { { -1, true }, { 5, true }, { 0, false }, { -2, false } };
	uint8_t id[utoc_chunk_id_fixed_len] = { 1, 2, 3 }, seed[4], many[FINDER_MANY * utoc_chunk_id_fixed_len];
	const struct toc t = { .version = TOC_OVERFLOW, .n_chunks = 1, .n_seeds = 1, .sections = {
		[SECTION_IDS] = { .n = 1, .row_len = sizeof id, .bytes = id },
		[SECTION_SEEDS] = { .n = 1, .row_len = sizeof seed, .bytes = seed },
	} };
	const struct finder f = finder_of(&t);

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		for (unsigned k = 0; k < sizeof seed; k++)
			seed[k] = (uint8_t)((uint32_t)rows[i].seed >> 8 * k);
		for (size_t k = 0; k < FINDER_MANY; k++)
			memcpy(many + k * sizeof id, id, sizeof id);
		assert_int_equal(finder_find(&f, id), rows[i].leads ? 0 : TOC_NONE);
		assert_int_equal(finder_has_all(&f, many, FINDER_MANY), rows[i].leads);
		many[10 * sizeof id] = 9;
		assert_int_equal(finder_find(&f, many + 10 * sizeof id), TOC_NONE);
		assert_false(finder_has_all(&f, many, FINDER_MANY));
		assert_int_equal(finder_has_all(&f, many, 10), rows[i].leads);
	}
}

static void types_go_both_ways(void **state)
{
	(void)state;
	for (unsigned version = 2; version <= 10; version++) {
		assert_int_equal(chunk_type_of(version, 200), CHUNK_UNKNOWN);
		assert_int_equal(chunk_type_byte(version, CHUNK_UNKNOWN), 0);
		for (unsigned type = CHUNK_INSTALL_MANIFEST; type < CHUNK_UNKNOWN; type++)
			if (chunk_type_byte(version, (enum chunk_type)type) != 0)
				assert_int_equal(chunk_type_of(version, chunk_type_byte(version, (enum chunk_type)type)), type);
	}
	assert_int_equal(chunk_type_byte(4, CHUNK_SCRIPT_OBJECTS), 0);
	assert_int_equal(chunk_type_byte(5, CHUNK_GLOBAL_NAMES), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_read_as_they_are_walked),
		cmocka_unit_test(rows_are_records),
		cmocka_unit_test(a_remainder_needs_no_division),
		cmocka_unit_test(a_seed_leads_to_a_chunk_or_nowhere),
		cmocka_unit_test(types_go_both_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The records of a .utoc: what their generated readers return is what a walk over their fields
 * finds. */
#include "unit.h"

#include "formats/iostore/toc/perfect_hash.h"
#include "formats/iostore/utoc.h"

/* Those of names, too. */
#define SHARED_RECORD

enum { AT = 1000, LONGEST = 256 };

static void fill(uint8_t *bytes, size_t n, unsigned seed)
{
	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)(seed + 37 * i + (i * i >> 2));
}

static int64_t next_number(const struct layout *l, struct cursor *c, size_t *i,
			   struct layout_value *v)
{
	assert_true(layout_walk(l, 0, c, i, v));
	return v->number;
}

/* One function for each record: all fields are numbers. A window a byte too short gives nothing. */
/* clang-format off */
#define RECORD(r, meaning) \
	static void check_##r(unsigned seed) \
	{ \
		uint8_t bytes[LONGEST]; \
		struct r read; \
		struct cursor a, walk, cut; \
		size_t i = 0; \
		struct layout_value v; \
		fill(bytes, sizeof bytes, seed); \
		a = walk = cursor_init(bytes, r##_fixed_len, AT); \
		assert_true(r##_read(&a, 0, &read)); \
		assert_int_equal(a.pos, r##_fixed_len); \
		assert_true(read.at == AT);
#define FIELD(r, wire, kind, field, versions, meaning) \
		assert_true((int64_t)read.field == next_number(&r##_layout, &walk, &i, &v));
#define END(r, len) \
		assert_int_equal(i, r##_n_fields); \
		cut = cursor_init(bytes, r##_fixed_len - 1, AT); \
		assert_false(r##_read(&cut, 0, &read)); \
		assert_int_equal(cut.pos, 0); \
	}
#define ROWS(r, meaning)
#define COLUMN(r, wire, kind, field, meaning)
#define ROWS_END(r, len)
/* clang-format on */
#include "formats/iostore/utoc.def"
#include "core/layout_end.h"

/* Rows likewise: of some that lie one after another each field of each, and zeros after the
 * last. */
/* clang-format off */
#define RECORD(r, meaning)
#define FIELD(r, wire, kind, field, versions, meaning)
#define END(r, len)
#define ROWS(r, meaning) \
	static void check_##r(unsigned seed) \
	{ \
		uint8_t bytes[LONGEST]; \
		const struct r##_rows rows = r##_in((struct held){ bytes, sizeof bytes }); \
		const struct r##_row none = r##_at(rows, rows.n); \
		struct cursor walk = cursor_init(bytes, sizeof bytes, AT); \
		fill(bytes, sizeof bytes, seed); \
		assert_int_equal(rows.n, sizeof bytes / r##_fixed_len); \
		check_bytes_of_##r(rows, bytes); \
		for (uint64_t k = 0; k < rows.n; k++) { \
			const struct r##_row row = r##_at(rows, k); \
			size_t i = 0; \
			struct layout_value v;
#define COLUMN(r, wire, kind, field, meaning) \
			assert_true((int64_t)r##_get_##field(row) == next_number(&r##_layout, &walk, &i, &v)); \
			assert_true(r##_get_##field(none) == 0);
#define ROWS_END(r, len) \
			assert_int_equal(i, r##_n_fields); \
		} \
	}
/* clang-format on */

/* Bytes and words of a row whatever its fields are, and stretches of rows. */
#define CHECK_BYTES(r) \
	static void check_bytes_of_##r(struct r##_rows rows, const uint8_t *bytes) \
	{ \
		const struct r##_row row = r##_at(rows, 1); \
		for (uint64_t i = 0; i < r##_fixed_len; i++) \
			assert_int_equal(r##_byte(row, i), bytes[r##_fixed_len + i]); \
		for (uint64_t i = 0; 4 * i + 4 <= r##_fixed_len; i++) \
			assert_int_equal(r##_word(row, i), \
					 bytes_le32(bytes + r##_fixed_len + 4 * i)); \
		assert_true(r##_byte(row, r##_fixed_len) == 0 && r##_byte(row, UINT64_MAX) == 0); \
		assert_true(r##_word(row, r##_fixed_len / 4) == 0 && \
			    r##_word(row, UINT64_MAX) == 0); \
		assert_ptr_equal(r##_at(r##_part(rows, 1, rows.n - 1), 0).bytes, row.bytes); \
		assert_int_equal(r##_part(rows, 1, rows.n).n, 0); \
		assert_int_equal(r##_part(rows, 0, rows.n + 1).n, 0); \
		assert_int_equal(r##_part(rows, UINT64_MAX, 2).n, 0); \
		assert_int_equal(r##_part(rows, rows.n, 0).n, 0); \
		r##_fetch(rows, 0, rows.n); \
		r##_fetch_one(rows, UINT64_MAX); \
	}
CHECK_BYTES(utoc_chunk_id)
CHECK_BYTES(utoc_range)
CHECK_BYTES(utoc_seed)
CHECK_BYTES(utoc_block)
CHECK_BYTES(utoc_meta)
CHECK_BYTES(utoc_short_meta)
CHECK_BYTES(utoc_directory)
CHECK_BYTES(utoc_file)
CHECK_BYTES(utoc_count)
CHECK_BYTES(container_count)
CHECK_BYTES(container_package_id)
CHECK_BYTES(container_entry_pre_initial)
CHECK_BYTES(container_entry_initial)
CHECK_BYTES(container_entry_counted)
CHECK_BYTES(container_entry)
CHECK_BYTES(zen_name_head)
CHECK_BYTES(zen_name_hash)
CHECK_BYTES(container_localized)
CHECK_BYTES(container_redirect)
CHECK_BYTES(container_old_redirect)
CHECK_BYTES(container_soft_entry)
CHECK_BYTES(script_object_count)
CHECK_BYTES(script_object)
#include "formats/iostore/utoc.def"
#include "core/layout_end.h"

static void records_are_read_as_they_are_walked(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 256; seed++) {
#define RECORD(r, meaning) check_##r(seed);
#define FIELD(r, wire, kind, field, versions, meaning)
#define END(r, len)
#define ROWS(r, meaning) check_##r(seed);
#define COLUMN(r, wire, kind, field, meaning)
#define ROWS_END(r, len)
#include "formats/iostore/utoc.def"
#include "core/layout_end.h"
	}
}

/* What the tables' accessors return is what the rows have. */
static void accessors_give_what_rows_have(void **state)
{
	uint8_t bytes[LONGEST];
	const struct held held = { bytes, sizeof bytes };
	struct toc t = { .ranges = utoc_range_in(held), .blocks = utoc_block_in(held) };

	(void)state;
	t.sections[SECTION_BLOCKS].at = (struct span){ AT, sizeof bytes };
	fill(bytes, sizeof bytes, 200);
	for (uint64_t i = 0; i < t.blocks.n; i++) {
		const struct utoc_block_row block = utoc_block_at(t.blocks, i);
		const struct utoc_range_row range = utoc_range_at(t.ranges, i);

		assert_true(toc_offset(&t, i) == utoc_range_get_offset(range) &&
			    toc_length(&t, i) == utoc_range_get_length(range));
		assert_int_equal(toc_block(&t, i).at, AT + i * utoc_block_fixed_len);
		assert_int_equal(toc_block(&t, i).offset, utoc_block_get_offset(block));
		assert_int_equal(toc_block(&t, i).compressed, utoc_block_get_compressed(block));
		assert_int_equal(toc_block(&t, i).uncompressed, utoc_block_get_uncompressed(block));
		assert_int_equal(toc_block(&t, i).method, utoc_block_get_method(block));
	}
}

/* What is outside of bytes that are held reads as zeros. */
static void nothing_is_read_outside(void **state)
{
	uint8_t bytes[LONGEST];
	const struct held all = { bytes, 9 }, none = { bytes, 0 };
	const struct rows rows = { bytes, 3, 3 };

	(void)state;
	fill(bytes, sizeof bytes, 1);
	assert_true(held_u8(all, 8) == bytes[8] && held_u8(all, 9) == 0 &&
		    held_u8(all, UINT64_MAX) == 0);
	assert_true(held_u16(all, 7) == bytes_le16(bytes + 7) && held_u16(all, 8) == 0 &&
		    held_u16(all, UINT64_MAX) == 0);
	assert_true(held_u32(all, 5) == bytes_le32(bytes + 5) && held_u32(all, 6) == 0 &&
		    held_u32(none, 0) == 0);
	assert_true(held_u64(all, 1) == bytes_le64(bytes + 1) && held_u64(all, 2) == 0 &&
		    held_u64(all, UINT64_MAX - 3) == 0);
	assert_true(held_part(all, 4, 5).bytes == bytes + 4 && held_part(all, 4, 5).len == 5);
	assert_true(held_part(all, 4, 6).len == 0 && held_part(all, UINT64_MAX, 2).len == 0 &&
		    held_part(all, 9, 0).len == 0);
	assert_true(held_find(all, bytes[3]) == 3 && held_find(none, 0) == 0);
	assert_true(rows_at(rows, 2).bytes == bytes + 6 && rows_at(rows, 2).len == 3 &&
		    rows_at(rows, 3).len == 0);
}

/* The quotient by the inverse is one too small for some of these. */
static void a_remainder_needs_no_division(void **state)
{
	static const uint64_t by[] = {
		1, 2, 3, 7, 64, 99999, 100000, (uint64_t)1 << 31, UINT32_MAX
	};
	uint64_t random = 9;

	(void)state;
	for (size_t i = 0; i < LENGTH(by); i++) {
		const struct remainder r = remainder_by(by[i]);

		for (uint64_t k = 0; k < 100; k++) {
			const uint64_t values[] = { k, UINT64_MAX - k, k * by[i],
						    UINT64_MAX / by[i] * by[i] - k,
						    unit_random(&random) };

			for (size_t v = 0; v < LENGTH(values); v++)
				assert_int_equal(remainder_of(&r, values[v]), values[v] % by[i]);
		}
	}
}

/* One seed sends every id to the same place, or nowhere. */
static void a_seed_leads_to_a_chunk_or_nowhere(void **state)
{
	static const struct {
		int32_t seed;
		bool leads;
	} rows[] = { { -1, true }, { 5, true }, { 0, false }, { -2, false } };
	uint8_t id[utoc_chunk_id_fixed_len] = { 1, 2, 3 }, seed[4],
		many[FINDER_MANY * utoc_chunk_id_fixed_len];
	const struct toc t = { .version = TOC_OVERFLOW,
			       .n_chunks = 1,
			       .n_seeds = 1,
			       .ids = { id, 1 },
			       .seeds = { seed, 1 } };
	const struct utoc_chunk_id_rows all = { many, FINDER_MANY };
	const struct finder f = finder_of(&t);

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		for (unsigned k = 0; k < sizeof seed; k++)
			seed[k] = (uint8_t)((uint32_t)rows[i].seed >> 8 * k);
		for (size_t k = 0; k < FINDER_MANY; k++)
			memcpy(many + k * sizeof id, id, sizeof id);
		assert_int_equal(finder_find(&f, utoc_chunk_id_at(t.ids, 0)),
				 rows[i].leads ? 0 : TOC_NONE);
		assert_int_equal(finder_has_all(&f, all), rows[i].leads);
		many[10 * sizeof id] = 9;
		assert_int_equal(finder_find(&f, utoc_chunk_id_at(all, 10)), TOC_NONE);
		assert_false(finder_has_all(&f, all));
		assert_int_equal(finder_has_all(&f, utoc_chunk_id_part(all, 0, 10)), rows[i].leads);
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
				assert_int_equal(
					chunk_type_of(
						version,
						chunk_type_byte(version, (enum chunk_type)type)),
					type);
	}
	assert_int_equal(chunk_type_byte(4, CHUNK_SCRIPT_OBJECTS), 0);
	assert_int_equal(chunk_type_byte(5, CHUNK_GLOBAL_NAMES), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_read_as_they_are_walked),
		cmocka_unit_test(accessors_give_what_rows_have),
		cmocka_unit_test(nothing_is_read_outside),
		cmocka_unit_test(a_remainder_needs_no_division),
		cmocka_unit_test(a_seed_leads_to_a_chunk_or_nowhere),
		cmocka_unit_test(types_go_both_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of layouts: for every record, the decoder, the walk and the places must tell the same
 * story. */
#include "core/layout.h"
#include "unit.h"

#define LAYOUT_FILE "probe.def"
#include "core/layout_declare.h"
#include "core/layout_define.h"
#undef LAYOUT_FILE
#define LAYOUT_FILE "formats/umod/umod.def"
#include "core/layout_declare.h"
#undef LAYOUT_FILE
#define LAYOUT_FILE "formats/upkg/upkg.def"
#include "core/layout_declare.h"
#undef LAYOUT_FILE
#define LAYOUT_FILE "formats/compressed/uz.def"
#include "core/layout_declare.h"
#undef LAYOUT_FILE
#define LAYOUT_FILE "formats/compressed/uz2.def"
#include "core/layout_declare.h"
#undef LAYOUT_FILE
#define LAYOUT_FILE "formats/compressed/uz3.def"
#include "core/layout_declare.h"
#undef LAYOUT_FILE
#define LAYOUT_FILE "formats/compressed/lzma.def"
#include "core/layout_declare.h"
#undef LAYOUT_FILE

static void expect_number(const struct layout_value *v, uint64_t number)
{
	assert_true((uint64_t)v->number == number);
}

#define EXPECT_u8(v, field) expect_number(v, field)
#define EXPECT_u16(v, field) expect_number(v, field)
#define EXPECT_u32(v, field) expect_number(v, field)
#define EXPECT_u24(v, field) expect_number(v, field)
#define EXPECT_u40(v, field) expect_number(v, field)
#define EXPECT_u40be(v, field) expect_number(v, field)
#define EXPECT_u64(v, field) expect_number(v, field)
#define EXPECT_i32(v, field) expect_number(v, (uint64_t)(field))
#define EXPECT_index(v, field) expect_number(v, (uint64_t)(field).value)
#define EXPECT_string(v, field) assert_memory_equal(&(v)->text, &(field), sizeof(field))
#define EXPECT_zstring(v, field) EXPECT_string(v, field)

/* A walk beside a decoder. */
struct pair {
	struct cursor walk;
	size_t i;
	struct layout_value v;
	uint64_t at; /* where the next field must begin */
	bool walked;
};

static void step(struct pair *p, const struct layout *l, uint64_t version, struct cursor start,
		 const char *name, size_t number)
{
	struct span place;

	if (p->walked) {
		p->walked = layout_walk(l, version, &p->walk, &p->i, &p->v);
		assert_string_equal(p->v.field->name, name); /* of one that cannot be read, too */
	}
	assert_int_equal(p->walked, layout_place(l, version, start, number, &place));
	if (!p->walked)
		return;
	assert_int_equal(p->v.at.at, p->at);
	assert_memory_equal(&p->v.at, &place, sizeof place);
	p->at += p->v.at.len;
}

/* How many records the fast decoders read, and how many fields flags left out or let in. */
static uint64_t n_fast, n_left_out, n_let_in;

/* Whether a record that took so many bytes is as long as its layout says; 0: that varies. */
static bool has_length(uint64_t taken, uint64_t len)
{
	return len == 0 || taken == len;
}

/* compare_RECORD decodes and walks one record in one context from the same bytes; it returns
 * whether it could be read. */
/* clang-format off */
#define RECORD(r, meaning) \
	static bool compare_##r(struct cursor start, uint64_t context) \
	{ \
		struct pair p = { .walk = start, .at = cursor_at(&start), .walked = true }; \
		struct r rec, none; \
		struct cursor k = start; \
		bool read; \
		memset(&rec, 0x77, sizeof rec); \
		memset(&none, 0, sizeof none); \
		read = r##_read(&k, context, &rec);
#define FIELD(r, wire, kind, field, versions, meaning) FIELD_WHERE(r, wire, field, (layout_has((struct layout_versions)versions, context)))
#define FIELD_IF(r, wire, kind, field, versions, flags, mask, meaning) \
		FIELD_BY_FLAGS(r, wire, field, (layout_has((struct layout_versions)versions, context)), (rec.flags & (mask)) != 0)
#define FIELD_UNLESS(r, wire, kind, field, versions, flags, mask, meaning) \
		FIELD_BY_FLAGS(r, wire, field, (layout_has((struct layout_versions)versions, context)), (rec.flags & (mask)) == 0)
#define FIELD_FOR(r, wire, kind, field, versions, mask, meaning) \
		FIELD_WHERE(r, wire, field, (layout_has((struct layout_versions)versions, context) && (context >> 32 & (mask)) != 0))
#define FIELD_NOT_FOR(r, wire, kind, field, versions, mask, meaning) \
		FIELD_WHERE(r, wire, field, (layout_has((struct layout_versions)versions, context) && (context >> 32 & (mask)) == 0))
/* clang-format on */
/* The flags of a record that could not be read are not known. */
/* clang-format off */
#define FIELD_BY_FLAGS(r, wire, field, is_of_version, is_let_in) \
		if (!read) \
			return false; \
		n_left_out += is_of_version && !(is_let_in); \
		n_let_in += is_of_version && (is_let_in); \
		FIELD_WHERE(r, wire, field, is_of_version && (is_let_in))
#define FIELD_WHERE(r, wire, field, exists) \
		if (exists) { \
			step(&p, &r##_layout, context, start, #field, r##_field_##field); \
			if (read) \
				EXPECT_##wire(&p.v, rec.field); \
		} else { \
			assert_false(layout_place(&r##_layout, context, start, r##_field_##field, &(struct span){ 0, 0 })); \
			assert_true(!read || memcmp(&rec.field, &none.field, sizeof none.field) == 0); \
		}
#define END(r, len) \
		assert_int_equal(read, p.walked); \
		if (read) { \
			assert_int_equal(rec.at, cursor_at(&start)); \
			assert_int_equal(cursor_at(&k), p.at); \
			assert_false(layout_walk(&r##_layout, context, &p.walk, &p.i, &p.v)); \
			assert_null(p.v.field); \
			assert_true(has_length(p.at - rec.at, len)); \
		} else { \
			assert_memory_equal(&k, &start, sizeof k); \
			assert_memory_equal(&rec, &none, sizeof rec); \
		} \
		return read; \
	}
#define ROWS(r, meaning)
#define COLUMN(r, wire, kind, field, meaning)
#define ROWS_END(r, len)
/* clang-format on */
#include "core/layout_alike_fast.h"
#include "probe.def"
#include "formats/umod/umod.def"
#include "formats/upkg/upkg.def"
#include "formats/compressed/uz.def"
#include "core/layout_end.h"

/* Where a fast decoder reads a record, it reads what the thorough one does. */
#define FAST_RECORD(r, meaning) \
	static void compare_fast_##r(struct cursor start, uint64_t context) \
	{ \
		struct cursor k = start, f = start; \
		struct r rec, fast; \
		const bool read = r##_read(&k, context, &rec), \
			   is_fast = r##_fast(&f, layout_version(context), &fast); \
		n_fast += is_fast; \
		assert_true(!is_fast || (read && memcmp(&fast, &rec, sizeof rec) == 0)); \
		assert_memory_equal(&f, is_fast ? &k : &start, sizeof f); \
	}
#define FAST_FIELD(r, wire, kind, field, versions, meaning)
#define FAST_END(r, len)
#include "core/layout_fast_only.h"
#include "probe.def"
#include "formats/upkg/upkg.def"
#include "core/layout_end.h"

static uint64_t compare_all(struct cursor c, uint64_t context)
{
	uint64_t n_read = 0;

#define RECORD(r, meaning) n_read += compare_##r(c, context);
#define FIELD(r, wire, kind, field, versions, meaning)
#define END(r, len)
#define ROWS(r, meaning)
#define COLUMN(r, wire, kind, field, meaning)
#define ROWS_END(r, len)
#include "core/layout_alike_fields.h"
#include "core/layout_alike_fast.h"
#include "probe.def"
#include "formats/umod/umod.def"
#include "formats/upkg/upkg.def"
#include "formats/compressed/uz.def"
#include "core/layout_end.h"
#define FAST_RECORD(r, meaning) compare_fast_##r(c, context);
#define FAST_FIELD(r, wire, kind, field, versions, meaning)
#define FAST_END(r, len)
#include "core/layout_fast_only.h"
#include "probe.def"
#include "formats/upkg/upkg.def"
#include "core/layout_end.h"
	return n_read;
}

/* Every record of these files, from random bytes, of every length, around every version that a
 * field comes or goes with, and with every flag that a probe knows. */
static void decoder_walk_and_place_agree(void **state)
{
	static const uint64_t versions[] = {
		0, 1, 2, 3, 4, 5, 6, 7, 8, 63, 64, 67, 68, UINT32_MAX
	};
	uint8_t bytes[80];
	uint64_t seed = 7, n_read = 0;

	(void)state;
	for (unsigned turn = 0; turn < 3000; turn++) {
		const uint64_t len = turn % (sizeof bytes + 1);

		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (uint8_t)(unit_random(&seed) >> (unit_random(&seed) % 3 * 8));
		bytes[turn % 5] = (uint8_t)(turn % 11);
		bytes[bytes[0] % sizeof bytes] = turn % 3 == 0 ? bytes[0] : 0;
		n_read += compare_all(
			cursor_init(bytes, len, 1000),
			layout_context(versions[turn % LENGTH(versions)], turn / 14 % 4));
	}
	assert_true(n_read > 3000 && n_fast > 1000 && n_fast < n_read);
	assert_true(n_left_out > 500 && n_let_in > 500);
}

/* A context is a version and flags, and neither is taken for the other. */
static void a_context_is_two_things(void **state)
{
	const uint64_t context = layout_context(7, 0x80000001);

	(void)state;
	assert_int_equal(layout_version(context), 7);
	assert_true(layout_is_for(context, 1) && layout_is_for(context, 0x80000000) &&
		    !layout_is_for(context, 7 << 1));
	assert_true(layout_has((struct layout_versions)BETWEEN(7, 7), context));
	assert_false(layout_has((struct layout_versions)SINCE(8), context));
	assert_int_equal(layout_context(UINT64_MAX, 0), UINT32_MAX);
}

static void strings_say_how_they_were_written(void **state)
{
	static const struct {
		uint8_t bytes[12];
		uint8_t n;
		struct text_ref expected;
	} rows[] = {
		{ { 3, 'a', 'b', 0 }, 4, { .at = 1, .n_units = 2, .head_len = 1 } },
		{ { 2, 'a', 'b' },
		  3,
		  { .at = 1, .n_units = 2, .head_len = 1, .flags = TEXT_UNTERMINATED } },
		{ { 1, 0 }, 2, { .at = 1, .head_len = 1 } },
		{ { 0 }, 1, { .at = 1, .head_len = 1, .flags = TEXT_COUNT_ZERO } },
		{ { 0x80 },
		  1,
		  { .at = 1, .head_len = 1, .flags = TEXT_COUNT_ZERO | TEXT_COUNT_OVERLONG } },
		{ { 0x42, 0x00, 'a', 0 },
		  4,
		  { .at = 2, .n_units = 1, .head_len = 2, .flags = TEXT_COUNT_OVERLONG } },
		{ { 0x82, 'a', 0, 0, 0 },
		  5,
		  { .at = 1, .n_units = 1, .head_len = 1, .encoding = TEXT_UTF16LE } },
		{ { 0x81, 0, 'a' },
		  3,
		  { .at = 1,
		    .n_units = 1,
		    .head_len = 1,
		    .encoding = TEXT_UTF16LE,
		    .flags = TEXT_UNTERMINATED } },
		{ { 0x81, 'a', 0 },
		  3,
		  { .at = 1,
		    .n_units = 1,
		    .head_len = 1,
		    .encoding = TEXT_UTF16LE,
		    .flags = TEXT_UNTERMINATED } },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct cursor c = cursor_init(rows[i].bytes, rows[i].n, 0);
		struct text_ref t;

		assert_true(layout_read_string(&c, &t));
		assert_memory_equal(&t, &rows[i].expected, sizeof t);
		assert_int_equal(cursor_left(&c), 0);
		c = cursor_init(rows[i].bytes, rows[i].n - 1u, 0);
		assert_false(layout_read_string(&c, &t));
		assert_int_equal(c.pos, 0);
	}
}

static void the_longest_strings_do_not_wrap(void **state)
{
	static const uint8_t longest[] = { 0x7F, 0xFF, 0xFF, 0xFF, 0x0F, 'a', 0 },
			     lowest[] = { 0xC0, 0x80, 0x80, 0x80, 0x10, 'a', 0 };
	struct cursor c = cursor_init(longest, sizeof longest, 0);
	struct text_ref t;

	(void)state;
	assert_false(layout_read_string(&c, &t));
	c = cursor_init(lowest, sizeof lowest, 0);
	assert_false(layout_read_string(&c, &t));
	assert_int_equal(c.pos, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decoder_walk_and_place_agree),
		cmocka_unit_test(a_context_is_two_things),
		cmocka_unit_test(strings_say_how_they_were_written),
		cmocka_unit_test(the_longest_strings_do_not_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of layouts: for every record, the decoder, the walk and the places must tell the same story. */
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

#define EXPECT_u8(v, field)     expect_number(v, field)
#define EXPECT_u16(v, field)    expect_number(v, field)
#define EXPECT_u32(v, field)    expect_number(v, field)
#define EXPECT_u64(v, field)    expect_number(v, field)
#define EXPECT_i32(v, field)    expect_number(v, (uint64_t)(field))
#define EXPECT_index(v, field)  expect_number(v, (uint64_t)(field).value)
#define EXPECT_string(v, field) assert_memory_equal(&(v)->text, &(field), sizeof(field))
#define EXPECT_zstring(v, field) EXPECT_string(v, field)

/* A walk beside a decoder. */
struct pair {
	struct cursor walk;
	size_t i;
	struct layout_value v;
	uint64_t at;                    /* where the next field must begin */
	bool walked;
};

static void step(struct pair *p, const struct layout *l, uint64_t version, struct cursor start, const char *name, size_t number)
{
	struct span place;

	if (p->walked) {
		p->walked = layout_walk(l, version, &p->walk, &p->i, &p->v);
		assert_string_equal(p->v.field->name, name);    /* of one that cannot be read, too */
	}
	assert_int_equal(p->walked, layout_place(l, version, start, number, &place));
	if (!p->walked)
		return;
	assert_int_equal(p->v.at.at, p->at);
	assert_memory_equal(&p->v.at, &place, sizeof place);
	p->at += p->v.at.len;
}

/* How many records the quick decoders read. */
static uint64_t n_quick;

/* compare_RECORD decodes and walks one record of one version from the same bytes; it returns whether it could be read. */
#define RECORD(r, meaning) \
	static bool compare_##r(struct cursor start, uint64_t version) \
	{ \
		struct pair p = { .walk = start, .at = cursor_at(&start), .walked = true }; \
		struct r rec, none, quick; \
		struct cursor k = start, q = start; \
		bool read, is_quick; \
		memset(&rec, 0x77, sizeof rec); \
		memset(&none, 0, sizeof none); \
		read = r##_read(&k, version, &rec); \
		is_quick = r##_few(&q, version, &quick); \
		n_quick += is_quick; \
		assert_true(!is_quick || (read && memcmp(&quick, &rec, sizeof rec) == 0)); \
		assert_memory_equal(&q, is_quick ? &k : &start, sizeof q);
#define FIELD(r, wire, kind, field, versions, meaning) \
		if (layout_has((struct layout_versions)versions, version)) { \
			step(&p, &r##_layout, version, start, #field, r##_field_##field); \
			if (read) \
				EXPECT_##wire(&p.v, rec.field); \
		} else { \
			assert_false(layout_place(&r##_layout, version, start, r##_field_##field, &(struct span){ 0, 0 })); \
		}
#define END(r, len) \
		assert_int_equal(read, p.walked); \
		if (read) { \
			assert_int_equal(rec.at, cursor_at(&start)); \
			assert_int_equal(cursor_at(&k), p.at); \
			assert_false(layout_walk(&r##_layout, version, &p.walk, &p.i, &p.v)); \
			assert_null(p.v.field); \
			assert_true((len) == 0 || version > UINT32_MAX || p.at - rec.at == (len)); \
		} else { \
			assert_memory_equal(&k, &start, sizeof k); \
			assert_memory_equal(&rec, &none, sizeof rec); \
		} \
		return read; \
	}
#include "probe.def"
#include "formats/umod/umod.def"
#include "formats/upkg/upkg.def"
#include "formats/compressed/uz.def"
#undef RECORD
#undef FIELD
#undef END

/* Every record of these files, from random bytes, of every length and around every version that a field comes or goes with. */
static void decoder_walk_and_place_agree(void **state)
{
	static const uint64_t versions[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 63, 64, 67, 68, UINT64_MAX };
	uint8_t bytes[80];
	uint64_t seed = 7, n_read = 0;

	(void)state;
	for (unsigned turn = 0; turn < 3000; turn++) {
		uint64_t len = turn % (sizeof bytes + 1), version = versions[turn % LENGTH(versions)];
		struct cursor c;

		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (uint8_t)(unit_random(&seed) >> (unit_random(&seed) % 3 * 8));
		bytes[turn % 5] = (uint8_t)(turn % 11);
		bytes[bytes[0] % sizeof bytes] = turn % 3 == 0 ? bytes[0] : 0;
		c = cursor_init(bytes, len, 1000);
#define RECORD(r, meaning) n_read += compare_##r(c, version);
#define FIELD(r, wire, kind, field, versions, meaning)
#define END(r, len)
#include "probe.def"
#include "formats/umod/umod.def"
#include "formats/upkg/upkg.def"
#include "formats/compressed/uz.def"
#undef RECORD
#undef FIELD
#undef END
	}
	assert_true(n_read > 3000 && n_quick > 3000 && n_quick < n_read);
}

static void strings_say_how_they_were_written(void **state)
{
	static const struct {
		uint8_t bytes[12];
		uint8_t n;
		struct text_ref expected;
	} rows[] = {
		{ { 3, 'a', 'b', 0 }, 4, { .at = 1, .n_units = 2, .head_len = 1 } },
		{ { 2, 'a', 'b' }, 3, { .at = 1, .n_units = 2, .head_len = 1, .flags = TEXT_UNTERMINATED } },
		{ { 1, 0 }, 2, { .at = 1, .head_len = 1 } },
		{ { 0 }, 1, { .at = 1, .head_len = 1, .flags = TEXT_COUNT_ZERO } },
		{ { 0x80 }, 1, { .at = 1, .head_len = 1, .flags = TEXT_COUNT_ZERO | TEXT_COUNT_OVERLONG } },
		{ { 0x42, 0x00, 'a', 0 }, 4, { .at = 2, .n_units = 1, .head_len = 2, .flags = TEXT_COUNT_OVERLONG } },
		{ { 0x82, 'a', 0, 0, 0 }, 5, { .at = 1, .n_units = 1, .head_len = 1, .encoding = TEXT_UTF16LE } },
		{ { 0x81, 0, 'a' }, 3, { .at = 1, .n_units = 1, .head_len = 1, .encoding = TEXT_UTF16LE, .flags = TEXT_UNTERMINATED } },
		{ { 0x81, 'a', 0 }, 3, { .at = 1, .n_units = 1, .head_len = 1, .encoding = TEXT_UTF16LE, .flags = TEXT_UNTERMINATED } },
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
	static const uint8_t longest[] = { 0x7F, 0xFF, 0xFF, 0xFF, 0x0F, 'a', 0 }, lowest[] = { 0xC0, 0x80, 0x80, 0x80, 0x10, 'a', 0 };
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
		cmocka_unit_test(strings_say_how_they_were_written),
		cmocka_unit_test(the_longest_strings_do_not_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

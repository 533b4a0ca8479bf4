/* Tests of decoding .uz downloads where vectors do not reach: names, zlib streams in the place of
 * codes, and codes that cannot be read. */

#include "compressed_state.h"

/* The stored name T.u is held against the file's, byte for byte. */
static void names_are_compared(void **state)
{
	static const struct {
		const char *name;
		bool differs;
	} rows[] = {
		{ "T.u.uz", false },       { "t.U.uz", false }, { "T\x7F.u.uz", true },
		{ "T\x80.u.uz", true },    { "S.u.uz", true },  { "T.u.uz2", false },
		{ "\xC3\x9C.u.uz", true }, { "U.u.uz", true },
	};
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct uz *u;

		open_fixture(&f, &images[0], rows[i].name);
		u = uz_format.decode(&f.decode);
		assert_int_equal((u->defects & UZ_NAME_MISMATCH) != 0, rows[i].differs);
		end_fixture(&f);
	}
}

/* A letter beyond ASCII is none that is written in ASCII. */
static void a_name_beyond_ascii_differs(void **state)
{
	struct image i = images[0];
	const struct uz *u;
	struct fixture f;

	(void)state;
	i.bytes[5] = 0xDC; /* the stored name's first letter */
	open_fixture(&f, &i, "\x7F.u.uz");
	u = uz_format.decode(&f.decode);
	assert_true((u->defects & UZ_NAME_MISMATCH) != 0);
	end_fixture(&f);
}

/* A .uz with a zlib stream after its name, or with the first byte of one; n more bytes after it. */
static void open_with_zlib(struct fixture *f, bool cut, uint64_t n, uint64_t fault_at)
{
	static uint8_t bytes[200000];
	struct image i = whole("T.u.uz", &uz_format, old_form, 9), stream = { .n = 0 };

	put_stream(&stream, "ABRACADABRA", false);
	memcpy(bytes, i.bytes, (size_t)i.n);
	memcpy(bytes + i.n, stream.bytes + 4, (size_t)stream.n - 4);
	open_fixture(f, &i, i.name);
	f->input = (struct fault_input){ .bytes = bytes,
					 .size = cut ? i.n + 1 : i.n + stream.n - 4 + n,
					 .fault_at = fault_at,
					 .fault = fault_at ? FAULT_FAILS : FAULT_NONE };
	f->source.io.size = f->input.size;
}

static uint64_t defects_with_zlib(bool cut, uint64_t n, uint64_t fault_at)
{
	uint64_t defects;
	struct fixture f;

	open_with_zlib(&f, cut, n, fault_at);
	defects = ((const struct uz *)uz_format.decode(&f.decode))->defects;
	end_fixture(&f);
	return defects;
}

static void zlib_after_the_name_is_seen(void **state)
{
	(void)state;
	assert_int_equal(defects_with_zlib(false, 0, 0), UZ_ZLIB_INSIDE);
	assert_int_equal(defects_with_zlib(false, 150000, 0), UZ_ZLIB_INSIDE);
	assert_int_equal(defects_with_zlib(true, 0, 0), UZ_TOTAL_CUT);
	for (uint64_t fault_at = 1; fault_at < 4; fault_at++)
		defects_with_zlib(false, 3000, fault_at);
	assert_int_not_equal(defects_with_zlib(false, 3000, 2), UZ_ZLIB_INSIDE);
}

/* To look whether it is zlib takes bytes as decoding does. */
static void zlib_is_looked_for_within_the_limits(void **state)
{
	static const struct {
		uint64_t taken;
		enum stop_why why;
	} rows[] = { { 0, STOP_MALFORMED }, { 992, STOP_LIMIT } };

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct fixture f;

		open_with_zlib(&f, false, 0, 0);
		f.limits.of[LIMIT_unpacked] = 32000;
		f.decode.work.packed = rows[i].taken;
		assert_non_null(uz_format.decode(&f.decode));
		assert_int_equal(f.decode.groups[UZ_TREE].why, rows[i].why);
		assert_true(rows[i].why != STOP_LIMIT ||
			    f.decode.groups[UZ_TREE].limit == LIMIT_unpacked);
		end_fixture(&f);
	}
}

/* The head of a long file is read, the rest of it is not. */
static void codes_cannot_be_read(void **state)
{
	static uint8_t bytes[4000];
	struct fixture f;

	(void)state;
	memcpy(bytes, old_form, sizeof old_form);
	open_fixture(&f, &images[0], "T.u.uz");
	f.input = (struct fault_input){
		.bytes = bytes, .size = sizeof bytes, .fails_over = true, .bad_offset = 3000
	};
	f.source.io.size = sizeof bytes;
	assert_non_null(uz_format.decode(&f.decode));
	assert_int_equal(f.decode.groups[UZ_TREE].why, STOP_NOT);
	assert_int_equal(f.decode.groups[UZ_CODES].why, STOP_INPUT);
	end_fixture(&f);
}

/* ---- How far it reaches ---------------------------------------------------------------------- */

static struct extent extent_of(const struct uz *u)
{
	const struct decode d = { .level = LEVEL_CONTENT };
	struct extent x = { .needs = 0 };

	uz_format.extent(u, &d, 0, &x);
	return x;
}

/* A few bytes that ask for very many of one symbol, and for nothing else. */
static void one_symbol_is_a_bomb(void **state)
{
	struct huffman h = { .n_nodes = 0 };
	struct uz u = { .over = 16 << 20, .codes.total = 16 << 20, .data.len = 63, .huffman = &h };

	(void)state;
	assert_true(extent_of(&u).is_bomb);
	u.over--;
	u.codes.total--;
	assert_false(extent_of(&u).is_bomb);
	u.codes.total = u.over = 16 << 20;
	u.data.len++;
	assert_false(extent_of(&u).is_bomb);
	u.data.len--;
	u.codes.total++;
	assert_false(extent_of(&u).is_bomb);
	u.codes.total--;
	h.n_nodes = 1;
	assert_false(extent_of(&u).is_bomb);
}

/* A file whose last symbols are missing ends early, unless it ends as the last code does: then the
 * codes were out of step for a while. */
static void a_few_symbols_may_be_lost_on_the_way(void **state)
{
	static const uint8_t zero[] = { 0 }, others[] = { 0x80 };
	struct huffman h = { .in = zero, .n_in = 1, .bit = 1, .n_nodes = 1 };
	struct uz u = {
		.defects = UZ_SYMBOLS_MISSING, .codes.total = 100, .n_symbols = 88, .huffman = &h
	};

	(void)state;
	assert_false(extent_of(&u).ends_early);
	u.n_symbols--;
	assert_true(extent_of(&u).ends_early);
	u.n_symbols++;
	h.in = others;
	assert_true(extent_of(&u).ends_early);
}

/* Behind a package bytes are another's if they are many, or if a changed bit could not have put
 * them there: in the first block it changes the package's beginning. */
static void what_follows_a_package_is_no_part_of_it(void **state)
{
	struct huffman h = { .n_nodes = 1 };
	struct uz u = { .size = 1000,
			.defects = UZ_LEFT_OVER,
			.n_blocks = 1,
			.n_unused = 1,
			.content.is_package = true,
			.huffman = &h };

	(void)state;
	assert_int_equal(extent_of(&u).needs, 999);
	u.n_blocks = 2;
	assert_int_equal(extent_of(&u).needs, 0);
	u.n_unused = 16;
	assert_int_equal(extent_of(&u).needs, 0);
	u.n_unused = 17;
	assert_int_equal(extent_of(&u).needs, 983);
	u.content.is_package = false;
	assert_int_equal(extent_of(&u).needs, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_compared),
		cmocka_unit_test(a_name_beyond_ascii_differs),
		cmocka_unit_test(zlib_after_the_name_is_seen),
		cmocka_unit_test(zlib_is_looked_for_within_the_limits),
		cmocka_unit_test(codes_cannot_be_read),
		cmocka_unit_test(one_symbol_is_a_bomb),
		cmocka_unit_test(a_few_symbols_may_be_lost_on_the_way),
		cmocka_unit_test(what_follows_a_package_is_no_part_of_it),
	};

	return cmocka_run_group_tests(tests, make_images, NULL);
}

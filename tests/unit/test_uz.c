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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_compared),
		cmocka_unit_test(a_name_beyond_ascii_differs),
		cmocka_unit_test(zlib_after_the_name_is_seen),
		cmocka_unit_test(zlib_is_looked_for_within_the_limits),
		cmocka_unit_test(codes_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, make_images, NULL);
}

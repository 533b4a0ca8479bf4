/* Tests of what a package's tables do not keep of their rows: it is read again as it stands
 * there. */
#include "formats/upkg/tables/flags.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"
#include "formats/upkg/tables/references.h"
#include "package.h"

/* ---- Names ----------------------------------------------------------------------------------- */

/* A name in the making: what its entry has for a count, its units and what follows them. */
struct entry {
	int64_t count;  /* 0: none is written, as before version 64 */
	bool overlong;  /* the count takes a byte more than it needs */
	uint32_t n;     /* units of the text */
	uint32_t width; /* bytes of each */
	bool has_nul;
};

static void put_count(const struct entry *e)
{
	if (!e->overlong) {
		put_index(e->count);
		return;
	}
	put(0x40 | ((uint64_t)e->count & 0x3F), 1);
	put((uint64_t)e->count >> 6, 1);
}

static void put_entry(const struct entry *e, bool counted, uint32_t flags)
{
	if (counted)
		put_count(e);
	for (uint32_t i = 0; i < e->n; i++)
		put('a' + i % 26, e->width);
	if (e->has_nul)
		put(0, e->width);
	put(flags, 4);
	image.counts[TABLE_NAMES]++;
}

static void expect_name(const struct upkg *u, uint32_t i, const struct entry *e, uint16_t head_len)
{
	const struct text t = upkg_text(u, &u->names[i]);

	assert_int_equal(t.ref.n_units, e->n);
	assert_int_equal(t.ref.at, u->names[i].at + head_len);
	assert_int_equal(t.ref.head_len, head_len);
	assert_int_equal(t.ref.encoding, e->width == 2 ? TEXT_UTF16LE : TEXT_CP1252);
	for (uint32_t k = 0; k < e->n; k++)
		assert_int_equal(text_unit(t, k), 'a' + k % 26);
	assert_int_equal(upkg_name_flags(u, &u->names[i]), 0x00070000 + i);
}

static void counted_names_are_read_again(void **state)
{
	static const struct entry entries[] = {
		{ 2, false, 1, 1, true },      { 1, false, 0, 1, true },
		{ 0, false, 0, 1, false },     { 63, false, 62, 1, true },
		{ 63, false, 63, 1, false },   { 64, false, 63, 1, true },
		{ 65, false, 64, 1, true },    { 127, false, 126, 1, true },
		{ 128, false, 127, 1, true },  { 129, false, 128, 1, true },
		{ 300, false, 300, 1, false }, { -5, false, 4, 2, true },
		{ -5, false, 5, 2, false },    { 5, true, 4, 1, true },
		{ 3, false, 3, 1, false }
	};
	struct fixture f;

	(void)state;
	begin();
	open_table(TABLE_NAMES);
	for (uint32_t i = 0; i < LENGTH(entries); i++)
		put_entry(&entries[i], true, 0x00070000 + i);
	end_package();
	decode(&f);
	assert_int_equal(why(&f, UPKG_NAMES), STOP_NOT);
	for (uint32_t i = 0; i < LENGTH(entries); i++)
		expect_name(f.u, i, &entries[i],
			    entries[i].overlong || entries[i].count > 63 ? 2 : 1);
	end_decode(&f);
}

static void terminated_names_are_read_again(void **state)
{
	static const uint32_t lengths[] = { 1, 0, 62, 63, 64, 126, 127, 128, 300 };
	struct fixture f;

	(void)state;
	begin();
	open_table(TABLE_NAMES);
	for (uint32_t i = 0; i < LENGTH(lengths); i++)
		put_entry(&(struct entry){ .n = lengths[i], .width = 1, .has_nul = true }, false,
			  0x00070000 + i);
	end_package();
	set_u32(4, 60); /* before counts, and with a heritage, of which there is none */
	set_u32(36, 0);
	set_u32(40, 0);
	decode(&f);
	assert_int_equal(why(&f, UPKG_NAMES), STOP_NOT);
	for (uint32_t i = 0; i < LENGTH(lengths); i++)
		expect_name(f.u, i, &(struct entry){ .n = lengths[i], .width = 1 }, 0);
	end_decode(&f);
}

/* ---- Imports and exports --------------------------------------------------------------------- */

static void imports_are_read_again(void **state)
{
	static const int64_t packages[] = { N_CORE, N_FOO, 70, -700000, 0 };
	static const int64_t classes[] = { N_PACKAGE, N_CLASS, N_CORE, 70, -9 };
	static const enum upkg_word words[] = { WORD_Package, WORD_Class, WORD_Core, WORD_OTHER,
						WORD_OTHER };
	struct fixture f;

	(void)state;
	begin();
	put_standard_names();
	open_table(TABLE_IMPORTS);
	for (uint32_t i = 0; i < LENGTH(packages); i++)
		put_import(packages[i], classes[i], 0, N_BAR);
	end_package();
	decode(&f);
	for (uint32_t i = 0; i < LENGTH(packages); i++) {
		const struct upkg_import *m = &f.u->imports[i];

		assert_int_equal(upkg_import_entry_of(f.u, m).class_package.value, packages[i]);
		assert_int_equal(upkg_import_entry_of(f.u, m).class_name.value, classes[i]);
		assert_int_equal(upkg_import_class(f.u, m), words[i]);
		assert_int_equal((f.u->imports_traits[i] & IMPORT_BAD_NAME) != 0, i > 1);
	}
	end_decode(&f);
}

/* Of an export's flags two are kept in other words. */
static void exports_are_read_again(void **state)
{
	static const uint32_t flags[] = { UPKG_LOAD_FOR_CLIENT, UPKG_LOAD_FOR_SERVER,
					  UPKG_LOAD_FOR_EDIT | 0x02000000, 0x00070004 };
	static const int64_t supers[] = { 0, -2, 70, -700000 };
	struct fixture f;

	(void)state;
	begin_exports();
	for (uint32_t i = 0; i < LENGTH(flags); i++) {
		put_export(-2, supers[i], 0, N_FOO, i % 2, 0);
		set_u32(image.n - 5 - i % 2, flags[i]);
	}
	end_package();
	decode(&f);
	for (uint32_t i = 0; i < LENGTH(flags); i++) {
		const struct upkg_export *e = &f.u->exports[i];
		const uint64_t end = i + 1 < LENGTH(flags) ? f.u->exports[i + 1].at : image.n;

		assert_int_equal(upkg_export_entry_of(f.u, e).flags, flags[i]);
		assert_int_equal(upkg_export_entry_of(f.u, e).super.value, supers[i]);
		assert_int_equal(upkg_super_of(f.u, e), supers[i]);
		assert_int_equal(upkg_place_of(f.u, e), end - i % 2);
		assert_int_equal(upkg_is_for_editor(f.u, i), i == 2);
		assert_int_equal((e->traits & EXPORT_HAS_STACK) != 0, i == 2);
	}
	end_decode(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counted_names_are_read_again),
		cmocka_unit_test(terminated_names_are_read_again),
		cmocka_unit_test(imports_are_read_again),
		cmocka_unit_test(exports_are_read_again),
	};

	return cmocka_run_group_tests(tests, make_image, free_image);
}

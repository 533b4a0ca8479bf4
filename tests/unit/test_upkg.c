/* Tests of decoding packages: facts and stops from bytes built by hand, through any window, within
 * limits, and without memory. */
#include <stdatomic.h>
#include <stdio.h>

#include "formats/upkg/header/games.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/references.h"
#include "package.h"

enum { ALIKE_MAX = 400000 };

static void good_is_decoded_whole(void **state)
{
	struct fixture f;

	(void)state;
	build_good();
	decode(&f);
	for (uint32_t g = 0; g < upkg_n_groups; g++)
		assert_int_equal(why(&f, g), STOP_NOT);
	assert_int_equal(f.u->tag.version, 69);
	assert_int_equal(f.u->tag.licensee, 0);
	assert_int_equal(f.u->header_end, HEADER_LEN);
	assert_int_equal(f.u->tables[TABLE_NAMES].n, N_STANDARD);
	assert_int_equal(f.u->tables[TABLE_EXPORTS].end, image.n);
	assert_true(text_is(upkg_text_of(f.u, N_BAR), "Bar"));
	assert_int_equal(upkg_text_of(f.u, N_STANDARD).ref.n_units, 0);
	assert_int_equal(upkg_text_of(f.u, -1).ref.n_units, 0);
	assert_int_equal(upkg_word_of(f.u, N_CLASS), WORD_Class);
	assert_int_equal(upkg_word_of(f.u, N_FOO), WORD_OTHER);
	assert_int_equal(upkg_class_word(f.u, &f.u->exports[1]), WORD_Package);
	assert_int_equal(f.u->name_pairs.n + f.u->import_pairs.n + f.u->export_pairs.n +
				 f.u->n_long_indexes,
			 0);
	assert_int_equal(f.u->n_overlaps + f.u->n_gaps, 0);
	assert_int_equal(f.u->explained, image.n);
	assert_int_equal(f.u->export_traits, 0);
	end_decode(&f);
	set_u32(4, 70);
	decode(&f);
	assert_int_equal(why(&f, UPKG_MEASURED), STOP_UNVERIFIED);
	assert_int_equal(why(&f, UPKG_REGIONS), STOP_NOT);
	end_decode(&f);
}

/* ---- Limits, cancelling, windows ------------------------------------------------------------- */

static void limits_stop_their_groups(void **state)
{
	static const struct {
		uint64_t entries;
		enum upkg_group stopped;
	} cases[] = {
		{ 0, UPKG_HISTORY },
		{ 5, UPKG_NAMES },
		{ 1, UPKG_IMPORTS },
		{ 1, UPKG_EXPORTS },
	};
	struct fixture f;

	(void)state;
	build_good();
	for (size_t i = 0; i < LENGTH(cases); i++) {
		open_fixture(&f, "a.u");
		f.limits.of[LIMIT_entries] = cases[i].entries;
		f.u = upkg_format.decode(&f.decode);
		assert_int_equal(why(&f, cases[i].stopped), STOP_LIMIT);
		assert_int_equal(f.decode.groups[cases[i].stopped].limit, LIMIT_entries);
		assert_int_equal(why(&f, UPKG_REGIONS), STOP_NEEDS);
		end_decode(&f);
	}
	open_fixture(&f, "a.u");
	f.limits.of[LIMIT_entries] = N_STANDARD;
	f.u = upkg_format.decode(&f.decode);
	assert_int_equal(why(&f, UPKG_REGIONS), STOP_NOT);
	end_decode(&f);
}

/* Whatever the work ends in, what was not decoded is missing. */
static void work_that_ends_leaves_no_group_half_done(void **state)
{
	static const unsigned groups[] = { UPKG_HEADER, UPKG_NAMES, UPKG_EXPORTS, UPKG_LINKS,
					   UPKG_REGIONS };
	uint64_t done = 0, n_done[LENGTH(groups)] = { 0 };
	struct fixture f;

	(void)state;
	build_good();
	for (uint64_t max = 0; done == 0 || max <= done + 1; max++) {
		open_fixture(&f, "a.u");
		f.decode.work.max = max;
		f.u = upkg_format.decode(&f.decode);
		for (size_t i = 0; i < LENGTH(groups); i++) {
			const enum stop_why w = why(&f, groups[i]);

			assert_true(w == STOP_NOT || w == STOP_LIMIT || w == STOP_NEEDS);
			/* more work takes nothing away */
			assert_true(w == STOP_NOT || n_done[i] == 0);
			assert_true(w != STOP_NOT || i == 0 || why(&f, groups[i - 1]) == STOP_NOT);
			n_done[i] += w == STOP_NOT;
		}
		assert_true(f.decode.work.done <= max);
		if (f.u && !f.decode.work.exhausted && done == 0)
			done = f.decode.work.done;
		end_decode(&f);
	}
	for (size_t i = 0; i < LENGTH(groups); i++)
		assert_true(n_done[i] >= 2 && n_done[i] <= done);
}

static void a_cancelled_check_stops(void **state)
{
	atomic_bool cancel = true;
	const struct interrupt interrupt = { .cancel = &cancel };
	struct fixture f;

	(void)state;
	build_good();
	open_fixture(&f, "a.u");
	f.decode.work.interrupt = &interrupt;
	f.u = upkg_format.decode(&f.decode);
	assert_int_equal(f.decode.work.interrupted, INTERRUPTED_CANCELLED);
	for (unsigned g = UPKG_NAMES; g <= UPKG_REGIONS; g++)
		assert_int_not_equal(why(&f, g), STOP_NOT);
	end_decode(&f);
}

static void expect_same(const struct upkg *a, const struct upkg *b)
{
	assert_int_equal(a->tables[TABLE_NAMES].n, b->tables[TABLE_NAMES].n);
	assert_int_equal(a->tables[TABLE_NAMES].end, b->tables[TABLE_NAMES].end);
	assert_memory_equal(a->names, b->names, a->tables[TABLE_NAMES].n * sizeof *a->names);
	assert_memory_equal(a->exports, b->exports,
			    a->tables[TABLE_EXPORTS].n * sizeof *a->exports);
	assert_int_equal(a->n_long_indexes, b->n_long_indexes);
	assert_int_equal(a->name_pairs.n, b->name_pairs.n);
	for (uint32_t i = 0; i < a->tables[TABLE_NAMES].n; i++) {
		struct text x = upkg_text_of(a, (int32_t)i), y = upkg_text_of(b, (int32_t)i);

		assert_int_equal(x.ref.n_units, y.ref.n_units);
		assert_memory_equal(x.data, y.data, x.ref.n_units);
	}
}

/* The first window of a table is a guess, and long names outgrow it several times. */
static void tables_are_read_through_any_window(void **state)
{
	static const uint64_t lens[] = { 1, 7, 4095, 4096, 65536 };
	char name[64];
	struct fixture whole, f;

	(void)state;
	begin();
	put_standard_names();
	for (unsigned i = 0; i < 3000; i++) {
		snprintf(name, sizeof name, "%030u_of_a_table_of_long_names", i);
		put_name(name);
	}
	put_standard_imports();
	open_table(TABLE_EXPORTS);
	for (unsigned i = 0; i < 2000; i++)
		put_export(-2, 0, 0, N_STANDARD + i, 0, 0);
	end_package();
	decode(&whole);
	assert_int_equal(why(&whole, UPKG_REGIONS), STOP_NOT);
	for (size_t i = 0; i < LENGTH(lens); i++) {
		decode_windows(&f, lens[i]);
		assert_int_equal(why(&f, UPKG_REGIONS), STOP_NOT);
		expect_same(whole.u, f.u);
		end_decode(&f);
	}
	end_decode(&whole);
}

/* A row that is illegal in the first window stops the table there; one that is only cut, at the end
 * of the file. */
static void stops_are_where_the_row_is(void **state)
{
	struct fixture f;
	size_t at;

	(void)state;
	begin();
	put_standard_names();
	at = image.n;
	put(0x44, 1);
	put(0x20808080, 4);
	image.counts[TABLE_NAMES]++;
	image.n += 100000;
	memset(image.bytes + at + 5, 1, 100000 - 5);
	end_package();
	decode_windows(&f, 4096);
	assert_int_equal(why(&f, UPKG_NAMES), STOP_MALFORMED);
	assert_int_equal(f.u->stops[TABLE_NAMES].traits, CUT_INDEX_BITS);
	assert_int_equal(f.u->stops[TABLE_NAMES].fifth, 0x20);
	assert_int_equal(f.u->stops[TABLE_NAMES].row, N_STANDARD);
	assert_int_equal(f.u->stops[TABLE_NAMES].index_at, at);
	end_decode(&f);
	set_u32(at, 0xFFFFFF7F);
	image.bytes[at + 4] = 0x0F;
	decode_windows(&f, 4096);
	assert_int_equal(f.u->stops[TABLE_NAMES].traits, CUT_NAME);
	assert_int_equal(f.u->stops[TABLE_NAMES].at.at, at);
	assert_int_equal(span_end(f.u->stops[TABLE_NAMES].at), image.n);
	end_decode(&f);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* A package in which every list has rows. */
static void build_bad(void)
{
	begin();
	put_standard_names();
	put_name("foo");
	put(0, 3);
	put_standard_imports();
	put_import(N_CORE, N_CLASS, -1, N_PACKAGE);
	open_table(TABLE_EXPORTS);
	put_export(-2, 0, 0, N_FOO, 2, image.offsets[TABLE_IMPORTS] - 2);
	put_export(-2, 0, 0, N_STANDARD, 2, image.offsets[TABLE_IMPORTS] - 3);
	put_export(0, 0, 0, N_BAR, 0, 0);
	put(0x0040, 2);
	put(0, 5);
	put_index(N_BAR);
	put(0, 5);
	image.counts[TABLE_EXPORTS]++;
	end_package();
}

/* Counts the groups that lack memory; every table that has rows must have them. */
static unsigned count_without_memory(const struct fixture *f)
{
	struct table tables[TABLES_MAX];
	size_t n = upkg_format.tables(f->u, tables);
	unsigned n_stopped = 0;

	for (size_t i = 1; i < n; i++)
		assert_true(tables[i].n == 0 || tables[i].rows);
	for (unsigned g = 0; g < upkg_n_groups; g++)
		n_stopped += why(f, g) == STOP_MEMORY;
	return n_stopped;
}

/* Adds up the regions that lie in no other; what belongs to two of them counts twice. */
static bool sum_up(void *ctx, const struct region *r)
{
	if (r->depth == 0)
		*(uint64_t *)ctx += r->span.len;
	return true;
}

/* Decodes with request `at` refused; true if there was such a request. The map shows what was
 * decoded then. */
static bool decode_without(uint64_t at, bool forever)
{
	struct fixture f;
	bool asked;

	open_fixture(&f, "a.u");
	f.arena.chunk_len = 1;
	f.memory.fail_at = at;
	f.memory.forever = forever;
	f.input = (struct fault_input){ .bytes = image.bytes, .size = image.n };
	source_init(&f.source, (struct source_io){ fault_source_read, NULL, &f.input, image.n },
		    "a.u", &f.arena, 64);
	f.u = upkg_format.decode(&f.decode);
	asked = f.memory.n_asked >= at;
	if (asked && f.u)
		assert_true(count_without_memory(&f) > 0);
	if (!asked)
		assert_int_equal(count_without_memory(&f), 0);
	if (f.u) {
		uint64_t explained = 0;

		assert_true(upkg_format.map(f.u, &f.decode, sum_up, &explained));
		/* a byte of two bodies */
		assert_in_range(explained, upkg_format.explained(f.u),
				upkg_format.explained(f.u) + 1);
	}
	end_decode(&f);
	return asked;
}

static void memory_may_end_anywhere(void **state)
{
	uint64_t n = 0;

	(void)state;
	build_bad();
	while (decode_without(n + 1, false))
		n++;
	for (uint64_t at = 1; at <= n; at++)
		assert_true(decode_without(at, true));
	assert_true(n > 15);
}

/* ---- Names ----------------------------------------------------------------------------------- */

static int compare_hashes(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Puts as many names as it takes for two of them to have one hash, and tells which two. */
static void find_alike(uint32_t *a, uint32_t *b)
{
	uint64_t *keys = malloc(ALIKE_MAX * sizeof *keys);
	char name[16];
	struct fixture f;

	assert_non_null(keys);
	begin();
	open_table(TABLE_NAMES);
	for (uint32_t i = 0; i < ALIKE_MAX; i++) {
		snprintf(name, sizeof name, "Name%07X", (unsigned)i);
		put_name(name);
	}
	end_package();
	decode(&f);
	assert_int_equal(why(&f, UPKG_NAMES), STOP_NOT);
	assert_int_equal(f.u->name_pairs.n, 0);
	for (uint32_t i = 0; i < ALIKE_MAX; i++)
		keys[i] = (uint64_t)f.u->name_hashes[i] << 32 | i;
	end_decode(&f);
	qsort(keys, ALIKE_MAX, sizeof *keys, compare_hashes);
	*a = *b = 0;
	for (uint32_t i = 1; i < ALIKE_MAX; i++)
		if (keys[i - 1] >> 32 == keys[i] >> 32) {
			*a = (uint32_t)keys[i - 1];
			*b = (uint32_t)keys[i];
		}
	free(keys);
}

/* Names whose hashes collide are not the same, and each finds its own double among them. */
static void colliding_names_are_told_apart(void **state)
{
	uint32_t a, b;
	char first[16], second[16];
	struct fixture f;

	(void)state;
	find_alike(&a, &b);
	assert_true(a < b);
	snprintf(first, sizeof first, "Name%07X", (unsigned)a);
	snprintf(second, sizeof second, "nAME%07X", (unsigned)b);
	begin();
	put_standard_names();
	put_name(first);
	put_name(second);
	end_package();
	decode(&f);
	assert_int_equal(f.u->name_hashes[N_STANDARD], f.u->name_hashes[N_STANDARD + 1]);
	assert_int_equal(f.u->name_pairs.n, 0);
	end_decode(&f);
	begin();
	put_standard_names();
	for (unsigned i = 0; i < 40; i++) {
		put_name(first);
		put_name(second);
	}
	end_package();
	decode(&f);
	assert_int_equal(f.u->name_pairs.n, 78);
	for (uint32_t i = 0; i < f.u->name_pairs.n; i++) {
		assert_int_equal(f.u->name_pairs.rows[i].first,
				 N_STANDARD + (f.u->name_pairs.rows[i].second - N_STANDARD) % 2);
		assert_int_equal(upkg_first_name(f.u, (int32_t)f.u->name_pairs.rows[i].second),
				 f.u->name_pairs.rows[i].first);
	}
	assert_int_equal(upkg_first_name(f.u, N_FOO), N_FOO);
	assert_int_equal(upkg_first_name(f.u, -7), -7);
	end_decode(&f);
}

/* ---- The file -------------------------------------------------------------------------------- */

static void names_promise_the_format(void **state)
{
	static const char *const names[] = { "a.u",   "A.UNR", "x/a.utx", "a.uax", "a.umx",
					     "a.ut2", "a.usx", "a.ukx",   "a.uxx", "a.dx",
					     "a.rom", "a.un2", "a.umf",   ".u" };
	static const char *const others[] = { "u", "a.uc", "a.uz",  "a.u/b",
					      "",  "a.",   "a.run", "a.UPX" };
	struct fixture f;

	(void)state;
	build_good();
	open_fixture(&f, "none");
	assert_true(upkg_format.sniff(&f.decode));
	end_decode(&f);
	image.bytes[0] = 0;
	for (size_t i = 0; i < LENGTH(names) + LENGTH(others); i++) {
		open_fixture(&f, i < LENGTH(names) ? names[i] : others[i - LENGTH(names)]);
		assert_int_equal(upkg_format.sniff(&f.decode), i < LENGTH(names));
		end_decode(&f);
	}
}

static void games_with_other_tables_are_known(void **state)
{
	static const struct {
		uint32_t version, licensee;
		bool other;
	} cases[] = { { 69, 0, false },      { 95, 69, true },    { 95, 68, false },
		      { 95, 133, true },     { 100, 8, false },   { 100, 9, true },
		      { 100, 17, true },     { 100, 18, false },  { 100, 120, true },
		      { 100, 124, true },    { 100, 125, false }, { 102, 28, true },
		      { 119, 27, false },    { 119, 28, true },   { 119, 30, true },
		      { 119, 0x9127, true }, { 128, 29, false },  { 128, 32, true },
		      { 128, 33, true },     { 128, 34, true },   { 129, 35, true },
		      { 130, 35, false },    { 130, 56, true },   { 143, 59, true },
		      { 144, 59, false },    { 151, 0, true },    { 151, 1, true },
		      { 159, 1, true },      { 160, 1, false },   { 150, 1, false } };
	struct upkg u = { .size = 0 };

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		u.tag = (struct upkg_tag){ .version = cases[i].version,
					   .licensee = cases[i].licensee };
		assert_int_equal(upkg_has_other_tables(&u), cases[i].other);
	}
}

/* ---- The map --------------------------------------------------------------------------------- */

struct mapped {
	uint8_t depth[512]; /* how many regions of depth 0 cover each byte */
	unsigned n, stop_after;
};

static bool cover(void *ctx, const struct region *r)
{
	struct mapped *m = ctx;

	assert_true(span_end(r->span) <= image.n && image.n <= sizeof m->depth);
	assert_true(r->span.len > 0);
	for (uint64_t i = r->span.at; r->depth == 0 && i < span_end(r->span); i++)
		m->depth[i]++;
	return ++m->n != m->stop_after;
}

static void expect_map(uint64_t explained)
{
	struct mapped m = { .n = 0 };
	struct fixture f;
	uint64_t n = 0;

	decode(&f);
	assert_true(upkg_format.map(f.u, &f.decode, cover, &m));
	for (size_t i = 0; i < image.n; i++)
		n += m.depth[i] > 0;
	assert_int_equal(n, explained);
	assert_int_equal(upkg_format.explained(f.u), explained);
	for (unsigned stop = 1; stop <= m.n; stop++) {
		struct mapped part = { .stop_after = stop };

		assert_false(upkg_format.map(f.u, &f.decode, cover, &part));
		assert_int_equal(part.n, stop);
	}
	end_decode(&f);
}

static void the_map_covers_what_is_explained(void **state)
{
	(void)state;
	build_good();
	expect_map(image.n);
	put(0, 5);
	expect_map(image.n - 5);
	build_bad();
	expect_map(image.n);
	/* the names lie past the end of the file: imports, exports and bodies are told still */
	set_u32(16, (uint32_t)image.n);
	expect_map(image.n - (image.offsets[TABLE_IMPORTS] - 3 - HEADER_LEN));
	set_u32(52, 0x7FFFFFFF); /* without generations the header is shorter */
	expect_map(image.n - (image.offsets[TABLE_IMPORTS] - 3 - HEADER_LEN) - 8);
	build_good();
	set_u32(4, 67); /* the header is shorter, and a GUID of the heritage stands in its end */
	set_u32(36, 1);
	set_u32(40, 48);
	expect_map(image.n - 4);
	set_u32(4, 200);
	expect_map(0);
	image.n = 40;
	expect_map(0);
	image.n = 0;
	expect_map(0);
}

/* What a file is worth telling of fits in a report. */
static void count_info(void *ctx, const struct info *i)
{
	assert_non_null(i->name);
	++*(unsigned *)ctx;
}

static void infos_are_few(void **state)
{
	struct fixture f;
	unsigned n = 0;

	(void)state;
	build_good();
	decode(&f);
	upkg_format.info(f.u, count_info, &n);
	assert_int_equal(n, 8);
	end_decode(&f);
	set_u32(20, 0xFFFFFFFF);
	n = 0;
	decode(&f);
	upkg_format.info(f.u, count_info, &n);
	assert_int_equal(n, 7);
	end_decode(&f);
	image.n = 3;
	n = 0;
	decode(&f);
	upkg_format.info(f.u, count_info, &n);
	assert_int_equal(n, 0);
	end_decode(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_is_decoded_whole),
		cmocka_unit_test(limits_stop_their_groups),
		cmocka_unit_test(work_that_ends_leaves_no_group_half_done),
		cmocka_unit_test(a_cancelled_check_stops),
		cmocka_unit_test(tables_are_read_through_any_window),
		cmocka_unit_test(stops_are_where_the_row_is),
		cmocka_unit_test(memory_may_end_anywhere),
		cmocka_unit_test(colliding_names_are_told_apart),
		cmocka_unit_test(names_promise_the_format),
		cmocka_unit_test(games_with_other_tables_are_known),
		cmocka_unit_test(the_map_covers_what_is_explained),
		cmocka_unit_test(infos_are_few),
	};

	return cmocka_run_group_tests(tests, make_image, free_image);
}

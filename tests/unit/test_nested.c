/* Tests of files within files: which are checked, names and places, verdicts, bounds on depth,
 * number and work. */
#include <stdio.h>

#include "nested_state.h"

static struct build innermost, other;

static void make_ubisoft(struct build *b)
{
	set_u32(b, b->trailer_at + 12, 2);
}

/* ---- What is checked ------------------------------------------------------------------------- */

static void each_is_told_where_it_lies(void **state)
{
	struct report *r;

	(void)state;
	build_good(&innermost);
	build_around(&inner, &(struct build_inner){ "Help\\Core.rmod", &innermost }, 1);
	build_good(&other);
	build_around(&file,
		     (struct build_inner[]){ { "System\\Inner.umod", &inner },
					     { "Other.UT2MOD", &other } },
		     2);
	r = check();
	assert_int_equal(n_reports(r), 4);
	assert_int_equal(r->n_nested, 2);
	assert_string_equal(r->nested[0]->name, "a.umod!System\\Inner.umod");
	assert_string_equal(r->nested[0]->own_name, "System\\Inner.umod");
	assert_string_equal(r->nested[0]->nested[0]->name,
			    "a.umod!System\\Inner.umod!Help\\Core.rmod");
	assert_string_equal(r->nested[1]->name, "a.umod!Other.UT2MOD");
	assert_int_equal(r->nested[1]->number, 3);
	assert_int_equal(r->nested[1]->place, 1);
	assert_ptr_equal(r->nested[1]->parent, r);
	assert_memory_equal(file.bytes + r->nested[1]->at.at, other.bytes, other.n);
	assert_int_equal(r->nested[1]->at.len, other.n);
	assert_int_equal(r->nested[1]->size, other.n);
	assert_false(r->nested[1]->decoded);
	for (const struct report *next = r; next; next = report_next(r, next)) {
		assert_int_equal(next->verdict, VERDICT_VALID);
		assert_string_equal(next->format->name, "umod");
		assert_int_equal(next->explained, next->size);
	}
	assert_ptr_equal(report_next(r->nested[0], r->nested[0]), r->nested[0]->nested[0]);
	assert_null(report_next(r->nested[0], r->nested[0]->nested[0]));
	report_free(r->nested[0]);
	assert_string_equal(r->nested[0]->own_name, "System\\Inner.umod");
	report_free(r);
}

static void only_names_that_promise_are_looked_at(void **state)
{
	static const struct {
		const char *name;
		bool checked;
	} names[] = { { "a.umod", true },       { "b.UMod", true },     { ".umod", true },
		      { "x.txt.ut4mod", true }, { "a.umd", true },      { "a.umodx", false },
		      { "a.ut2modern", false }, { "umod", false },      { "a.umod.txt", false },
		      { "a.um", false },        { "a.\xF6mod", false }, { "Setup.exe", false },
		      { "a.", false } };

	(void)state;
	build_good(&inner);
	for (size_t i = 0; i < LENGTH(names); i++) {
		struct report *r;

		build_around(&file, &(struct build_inner){ names[i].name, &inner }, 1);
		r = check();
		assert_int_equal(r->n_nested, names[i].checked);
		report_free(r);
	}
}

static void what_is_not_there_is_not_checked(void **state)
{
	struct report *r;

	(void)state;
	put_in(NULL);
	/* where the last member begins */
	set_u32(&file, file.trailer_at - 12, (uint32_t)file.dir_at);
	build_put_crc(&file);
	r = check();
	assert_int_equal(r->n_nested, 0);
	assert_true(n_found(r, "UMD010") > 0);
	report_free(r);
}

static void a_file_can_be_checked_alone(void **state)
{
	struct report *r;

	(void)state;
	put_in(break_crc);
	r = engine_check(&engine, &(struct check_input){ .io.size = file.n,
							 .memory = file.bytes,
							 .name = "a.umod",
							 .alone = true });
	assert_int_equal(r->verdict, VERDICT_VALID);
	assert_int_equal(r->n_nested, 0);
	report_free(r);
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* Makes a file around an empty one whose name has n units, the last of them NUL. */
static void put_named(const void *units, size_t n, bool wide)
{
	file = (struct build){ .n = 0 };
	put_uint(&file, 1, 1);
	put_uint(&file, (wide ? 0xC0 : 0x40) + n % 64, 1);
	put_uint(&file, n / 64, 1);
	put_bytes(&file, units, wide ? 2 * n : n);
	put_bytes(&file, "\0\0\0\0\0\0\0\0\0\0\0", 12);
	put_trailer(&file);
}

static void expect_name(const char *name)
{
	struct report *r = check();

	assert_int_equal(r->n_nested, 1);
	assert_string_equal(r->nested[0]->own_name, name);
	assert_true(n_found(r->nested[0], "UMD001") > 0);
	report_free(r);
}

static void names_are_read_in_their_encoding(void **state)
{
	(void)state;
	put_named("\x80\\\xE4.umod", 9, false);
	expect_name("\xE2\x82\xAC\\\xC3\xA4.umod");
	put_named("\x3D\xD8\x00\xDE.\0u\0m\0o\0d\0\0", 8, true);
	expect_name("\xF0\x9F\x98\x80.umod");
	put_named("\x3D\xD8.\0u\0m\0o\0d\0\0", 7, true);
	expect_name("\xEF\xBF\xBD.umod");
	put_named("a\0b.umod", 9, false);
	expect_name("a?b.umod");
}

static void long_names_keep_their_end(void **state)
{
	char name[400], expected[800];

	(void)state;
	memset(name, 'n', sizeof name);
	name[0] = 'x';
	for (size_t n = 258; n <= 300; n++) {
		memcpy(name + n - 5, ".umod", 6);
		put_named(name, n + 1, false);
		snprintf(expected, sizeof expected, "%s%s", n > 260 ? "..." : "",
			 n > 260 ? name + n - 260 : name);
		expect_name(expected);
		memset(name + n - 5, 'n', 6);
	}
}

/* ---- Members under the names that they are installed as -------------------------------------- */

/* put_installed makes an installer with System\Mod.dat and with lines that install it. */
static void put_installed(const char *lines)
{
	char ini[2048];

	snprintf(ini, sizeof ini,
		 "[Setup]\r\nProduct=Mod\r\nVersion=100\r\nGroup=Files\r\n\r\n[Files]\r\nCopy=(Src="
		 "System\\Manifest.ini,Flags=3)\r\n"
		 "Copy=(Src=System\\Manifest.int,Flags=3)\r\n%s",
		 lines);
	build_installer(&file,
			(const struct build_member[]){ { "System\\Manifest.ini", ini, 3 },
						       { "System\\Manifest.int", build_int, 3 },
						       { "System\\Mod.dat", "code", 0 } },
			3);
}

static void members_are_checked_as_what_they_become(void **state)
{
	struct report *r;

	(void)state;
	put_installed("File=(Src=System\\Mod.dat,Dest=\x80\\Mod.umod)\r\n");
	expect_name("System\\Mod.dat -> \xE2\x82\xAC\\Mod.umod");
	put_installed("File=(Src=system/"
		      "mod.dat,Dest=Mod.umod)\r\nFile=(Src=System\\Mod.dat,Dest=Mod.ut2mod)\r\n");
	expect_name("System\\Mod.dat -> Mod.umod");
	put_installed("File=(Src=System\\Mod.dat,Dest=Mod.umod.txt)\r\nFile=(Src=System\\Mod.dat,"
		      "Dest=Mod.umod\\Mod)\r\n"
		      "File=(Src=System\\None.dat,Dest=Mod.umod)\r\nFile=(Src=System\\Mod.dat,Dest="
		      ")\r\n");
	r = check();
	assert_int_equal(r->n_nested, 0);
	report_free(r);
	put_installed(
		"File=(Src=System\\Mod.dat,Dest=Mod.ut2modern)\r\nFile=(Src=System\\Mod.dat,Dest="
		"Mod.ut2mod)\r\n"
		"File=(Src=System\\Mod.dat,Dest=Mod)\r\nFile=(Src=System\\None.dat,Dest=Mod.u)\r\n"
		"File=(Src=System\\Mod.dat,Dest=Mod.u)\r\nFile=(Src=System\\Mod.dat,Dest=Mod.txt)"
		"\r\n");
	r = check();
	assert_int_equal(r->n_nested, 2);
	assert_string_equal(r->nested[0]->own_name, "System\\Mod.dat -> Mod.ut2mod");
	assert_string_equal(r->nested[1]->own_name, "System\\Mod.dat -> Mod.u");
	report_free(r);
	put_installed("File=(Src=System\\Mod.dat,Dest=Mod.uz)\r\nFile=(Src=System\\Mod.dat,Dest="
		      "Mod.uz3)\r\nFile=(Src=System\\Mod.dat,Dest=Mod.uz2)\r\n");
	r = check();
	assert_int_equal(r->n_nested, 3);
	assert_string_equal(r->nested[0]->name, "a.umod!System\\Mod.dat -> Mod.uz");
	assert_string_equal(r->nested[1]->own_name, "System\\Mod.dat -> Mod.uz3");
	assert_string_equal(r->nested[2]->own_name, "System\\Mod.dat -> Mod.uz2");
	assert_true(r->nested[0]->at.at == r->nested[1]->at.at && r->nested[1]->at.len == 4);
	report_free(r);
}

static void long_names_of_both_kinds_keep_their_ends(void **state)
{
	char lines[1024], dest[400], expected[800];

	(void)state;
	memset(dest, 'n', sizeof dest);
	memcpy(dest + 295, ".umod", 6);
	snprintf(lines, sizeof lines, "File=(Src=System\\Mod.dat,Dest=%s)\r\n", dest);
	put_installed(lines);
	snprintf(expected, sizeof expected, "System\\Mod.dat -> ...%s", dest + 40);
	expect_name(expected);
}

static void further_names_are_within_the_limits(void **state)
{
	size_t n = 0;

	(void)state;
	put_installed("File=(Src=System\\Mod.dat,Dest=Mod.umod)\r\nFile=(Src=System\\Mod.dat,Dest="
		      "Mod.u)\r\n");
	for (uint64_t max = 0; max < 1000; max++) {
		struct report *r;

		engine.limits.of[LIMIT_work] = max;
		r = check();
		assert_true(r->verdict == (n_found_in_tree(r, "UMD001") > 0
						   ? VERDICT_INVALID
						   : VERDICT_UNDETERMINED));
		assert_true(n_reports(r) >= n);
		n = n_reports(r);
		report_free(r);
	}
	assert_int_equal(n, 3);
	for (uint64_t max = 0; max < 3; max++) {
		struct report *r;

		engine.limits.of[LIMIT_nested] = max;
		r = check();
		assert_int_equal(r->n_nested, max);
		assert_int_equal(n_found(r, "RUN001"), max < 2);
		report_free(r);
	}
}

/* ---- Verdicts -------------------------------------------------------------------------------- */

static void a_file_is_no_better_than_what_lies_in_it(void **state)
{
	static const struct {
		void (*first)(struct build *b), (*second)(struct build *b);
		enum verdict verdict;
		int inside;
	} rows[] = {
		{ NULL, NULL, VERDICT_VALID, -1 },
		{ break_crc, NULL, VERDICT_INVALID, 0 },
		{ NULL, break_crc, VERDICT_INVALID, 1 },
		{ make_ubisoft, NULL, VERDICT_UNDETERMINED, 0 },
		{ make_ubisoft, break_crc, VERDICT_INVALID, 1 },
		{ break_crc, make_ubisoft, VERDICT_INVALID, 0 },
		{ make_ubisoft, make_ubisoft, VERDICT_UNDETERMINED, 0 },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct report *r;

		build_good(&inner);
		build_good(&other);
		if (rows[i].first)
			rows[i].first(&inner);
		if (rows[i].second)
			rows[i].second(&other);
		build_around(&file,
			     (struct build_inner[]){ { "a.umod", &inner }, { "b.umod", &other } },
			     2);
		r = check();
		assert_int_equal(r->verdict, rows[i].verdict);
		assert_int_equal(r->n_found[SEVERITY_ERROR] + r->n_found[SEVERITY_UNDETERMINED], 0);
		assert_ptr_equal(r->inside, rows[i].inside < 0 ? NULL : r->nested[rows[i].inside]);
		report_free(r);
	}
}

static void own_findings_are_named_before_others(void **state)
{
	struct report *r;

	(void)state;
	put_in(break_crc);
	break_crc(&file);
	r = check();
	assert_int_equal(r->verdict, VERDICT_INVALID);
	assert_null(r->inside);
	report_free(r);
}

static void the_deepest_is_to_blame(void **state)
{
	struct report *r;

	(void)state;
	build_good(&innermost);
	break_crc(&innermost);
	build_around(&inner, &(struct build_inner){ "c.umod", &innermost }, 1);
	build_around(&file, &(struct build_inner){ "b.umod", &inner }, 1);
	r = check();
	assert_int_equal(r->verdict, VERDICT_INVALID);
	assert_ptr_equal(r->inside, r->nested[0]->nested[0]);
	assert_ptr_equal(r->nested[0]->inside, r->inside);
	report_free(r);
}

/* ---- Bounds ---------------------------------------------------------------------------------- */

static void depth_is_bounded(void **state)
{
	(void)state;
	build_good(&file);
	for (uint64_t levels = 0; levels < 6; levels++) {
		for (uint64_t max = 0; max < 8; max++) {
			struct report *r;
			uint64_t expected = max < levels ? max : levels;

			engine.limits.of[LIMIT_depth] = max;
			r = check();
			assert_int_equal(n_reports(r), expected + 1);
			assert_int_equal(r->verdict,
					 max < levels ? VERDICT_UNDETERMINED : VERDICT_VALID);
			assert_int_equal(n_found_in_tree(r, "RUN001"), max < levels);
			report_free(r);
		}
		inner = file;
		build_around(&file, &(struct build_inner){ "b.umod", &inner }, 1);
	}
}

static void shared_bytes_are_no_bomb(void **state)
{
	struct report *r;

	(void)state;
	build_bomb();
	assert_true(file.n < 4096);
	r = check();
	assert_int_equal(n_reports(r), 4097);
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	assert_true(n_found_in_tree(r, "RUN001") > 0);
	report_free(r);
	engine.limits.of[LIMIT_nested] = 30;
	r = check();
	assert_int_equal(n_reports(r), 31);
	report_free(r);
	engine.limits.of[LIMIT_nested] = 0;
	r = check();
	assert_int_equal(n_reports(r), 1);
	assert_int_equal(n_found(r, "RUN001"), 1);
	report_free(r);
	engine.limits.of[LIMIT_nested] = UINT64_MAX;
	engine.limits.of[LIMIT_work] = 100000;
	r = check();
	assert_true(n_reports(r) < 1500);
	assert_true(n_found(r, "RUN001") == 1 && r->verdict == VERDICT_UNDETERMINED);
	report_free(r);
}

/* The bytes that reports of n good files in an installer hold beside its own; each piece of them is
 * a chunk. */
static uint64_t held_by_good_files(size_t n)
{
	struct check_input in = { .memory = file.bytes, .name = "a.umod", .alone = true };
	struct build_inner list[60];
	struct report *r;
	uint64_t held, own;

	for (size_t i = 0; i < n; i++)
		list[i] = (struct build_inner){ "b.umod", &inner };
	build_around(&file, list, n);
	in.io.size = file.n;
	r = engine_check(&engine, &in);
	own = r->arena->held;
	report_free(r);
	r = check();
	assert_int_equal(n_reports(r), 1 + n);
	for (size_t i = 1; i < n; i++)
		assert_ptr_equal(r->nested[i]->results.status, r->nested[0]->results.status);
	held = r->arena->held;
	report_free(r);
	return held - own;
}

/* Of a file in which no rule fails a report keeps its name and facts, and shares what became of the
 * rules: such files may be many. */
static void good_files_in_files_hold_little(void **state)
{
	enum { BYTES_EACH = 1024 };

	(void)state;
	build_good(&inner);
	engine.chunk_len = 0;
	assert_in_range(held_by_good_files(60) - held_by_good_files(20), 1, 40 * BYTES_EACH);
}

/* A rule is found by its number in the catalog, if it is the format's or the engine's own. */
static void expect_rules_of(const struct report *r)
{
	size_t first, end, first_own, end_own, n = 0;

	catalog_range(r->format, &first, &end);
	catalog_range(NULL, &first_own, &end_own);
	for (size_t i = 0; i < catalog_count(); i++) {
		const size_t at = report_find(r, i);

		if ((i < first || i >= end) && i < first_own) {
			assert_int_equal(at, r->n_rules);
			assert_int_equal(report_result(r, i)->status, RULE_NOT_APPLICABLE);
			continue;
		}
		assert_int_equal(at, n++);
		assert_ptr_equal(r->rules[at], catalog_rule(i));
		assert_int_equal(report_number(r, at), i);
		assert_ptr_equal(report_result(r, i), results_of(&r->results, at));
	}
	assert_int_equal(n, r->n_rules);
}

static void a_report_has_the_rules_of_its_file(void **state)
{
	struct report *r;

	(void)state;
	build_good(&inner);
	other = (struct build){ .bytes = { 0xC1, 0x83, 0x2A, 0x9E }, .n = 4 };
	build_around(&file, (struct build_inner[]){ { "a.umod", &inner }, { "b.u", &other } }, 2);
	r = check();
	assert_int_equal(r->n_nested, 2);
	assert_string_equal(r->nested[1]->format->name, "upkg");
	expect_rules_of(r);
	expect_rules_of(r->nested[0]);
	expect_rules_of(r->nested[1]);
	assert_ptr_equal(r->rules, r->nested[0]->rules);
	report_free(r);
}

/* Results are shared only where they are the same. */
static void results_are_each_files_own(void **state)
{
	struct report *r;

	(void)state;
	build_good(&inner);
	other = inner;
	break_crc(&other);
	build_around(&file,
		     (struct build_inner[]){
			     { "a.umod", &inner }, { "b.umod", &other }, { "c.umod", &inner } },
		     3);
	r = check();
	assert_int_equal(r->n_nested, 3);
	assert_int_equal(n_found(r->nested[1], "UMD006"), 1);
	assert_int_equal(n_found(r->nested[0], "UMD006") + n_found(r->nested[2], "UMD006"), 0);
	assert_ptr_equal(r->nested[0]->results.status, r->nested[2]->results.status);
	report_free(r);
}

static void any_number_of_work_units_is_safe(void **state)
{
	size_t n = 0;

	(void)state;
	put_in(NULL);
	for (uint64_t max = 0; max < 1000; max++) {
		struct report *r;

		engine.limits.of[LIMIT_work] = max;
		r = check();
		assert_true((r->verdict == VERDICT_VALID) == (n_found_in_tree(r, "RUN001") == 0));
		assert_true(n_reports(r) >= n);
		n = n_reports(r);
		report_free(r);
	}
	assert_int_equal(n, 2);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		T(each_is_told_where_it_lies),
		T(only_names_that_promise_are_looked_at),
		T(what_is_not_there_is_not_checked),
		T(a_file_can_be_checked_alone),
		T(names_are_read_in_their_encoding),
		T(long_names_keep_their_end),
		T(members_are_checked_as_what_they_become),
		T(long_names_of_both_kinds_keep_their_ends),
		T(further_names_are_within_the_limits),
		T(a_file_is_no_better_than_what_lies_in_it),
		T(own_findings_are_named_before_others),
		T(the_deepest_is_to_blame),
		T(depth_is_bounded),
		T(shared_bytes_are_no_bomb),
		T(any_number_of_work_units_is_safe),
		T(good_files_in_files_hold_little),
		T(a_report_has_the_rules_of_its_file),
		T(results_are_each_files_own),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of what accepts findings on the command line: baselines, their days and their order, and
 * paths. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/acceptance.h"
#include "unit.h"

/* ---- Baselines ------------------------------------------------------------------------------- */

static struct baseline baseline;

/* Takes a text as buffer_read would have it. */
static bool take(const char *text, size_t len, struct baseline_trouble *trouble)
{
	baseline = (struct baseline){ .n = 0 };
	baseline.text.bytes = malloc(len + 1);
	assert_non_null(baseline.text.bytes);
	memcpy(baseline.text.bytes, text, len);
	baseline.text.bytes[len] = '\0';
	baseline.text.len = len;
	return baseline_take(&baseline, trouble);
}

/* Every text that is a beginning of one is taken or refused, and nothing is read beyond it. */
static void every_beginning(void **state)
{
	static const char text[] = BASELINE_FIRST "\r\n# c\n0123456789abcdef UMD006 2027-01-31 a b"
						  "\t\n fedcba9876543210\tABC000 - c\n";
	struct baseline_trouble trouble;
	size_t n_taken = 0;

	(void)state;
	for (size_t len = 0; len < sizeof text; len++) {
		if (take(text, len, &trouble))
			n_taken++;
		else
			assert_true(trouble.words && trouble.number <= 4);
		baseline_free(&baseline);
	}
	assert_true(n_taken > 10);
	assert_true(take(text, sizeof text - 1, &trouble));
	assert_int_equal(baseline.n, 2);
	assert_int_equal(baseline.lines[0].expires, 20270131);
	assert_string_equal(baseline.lines[0].reason, "a b");
	assert_int_equal(baseline.lines[1].number, 4);
	assert_string_equal(baseline.lines[1].rule, "ABC000");
	baseline_free(&baseline);
}

/* A line with one wrong character is refused. */
static void every_character(void **state)
{
	static const char good[] = "0123456789abcdef UMD006 2027-01-31 x", wrong[] = "gG/:`@[;-";
	char text[sizeof BASELINE_FIRST + sizeof good];
	struct baseline_trouble trouble;
	size_t at = sizeof BASELINE_FIRST;

	(void)state;
	memcpy(text, BASELINE_FIRST "\n", at);
	for (size_t i = 0; i + 2 < strlen(good); i++) {
		for (size_t k = 0; k < strlen(wrong); k++) {
			memcpy(text + at, good, sizeof good);
			if (good[i] == wrong[k] || (i >= 17 && i < 20 && wrong[k] == 'G'))
				continue;
			text[at + i] = wrong[k];
			assert_false(take(text, at + strlen(good), &trouble));
			assert_int_equal(trouble.number, 2);
			baseline_free(&baseline);
		}
	}
}

static void days(void **state)
{
	static const struct {
		const char *text;
		uint32_t day;
	} cases[] = {
		{ "2027-12-31", 20271231 }, { "2024-02-29", 20240229 }, { "2000-02-29", 20000229 },
		{ "1900-02-29", 0 },        { "2023-02-29", 0 },        { "2023-04-31", 0 },
		{ "0000-01-01", 0 },        { "9999-12-31", 99991231 }, { "2023-1-011", 0 },
	};
	char text[BASELINE_DATE_LEN + 1];
	uint32_t day;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		day = 0;
		assert_int_equal(baseline_date(cases[i].text, 10, &day), cases[i].day > 0);
		assert_int_equal(day, cases[i].day);
		baseline_date_text(text, day);
		if (day > 0)
			assert_string_equal(text, cases[i].text);
	}
	assert_false(baseline_date("2027-12-310", 11, &day));
}

enum { MANY = 3001 };

/* All lines are found, and no others, whatever their order was. */
static void many_lines(void **state)
{
	struct baseline b = { .n = 0 };
	uint64_t n = 1;

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		assert_true(baseline_add(&b, (struct baseline_line){ .fingerprint = 2 * n }));
		n = n * 17 % 65537;
	}
	assert_null(baseline_find(&b, 2));
	assert_true(baseline_settle(&b));
	for (size_t i = 0; i < MANY; i++) {
		assert_ptr_equal(baseline_find(&b, b.lines[i].fingerprint), &b.lines[i]);
		assert_null(baseline_find(&b, b.lines[i].fingerprint + 1));
	}
	assert_null(baseline_find(&b, 0));
	assert_null(baseline_find(&b, UINT64_MAX));
	baseline_free(&b);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* A sink that refuses after some bytes. */
struct room {
	char bytes[1024];
	size_t n, max;
};

static int fill(void *ctx, const void *bytes, size_t len)
{
	struct room *r = ctx;

	if (len > r->max - r->n)
		return -1;
	memcpy(r->bytes + r->n, bytes, len);
	r->n += len;
	return 0;
}

static void fill_baseline(struct baseline *b)
{
	static const char first[] = "a\n.umod", second[] = "b.umod";

	*b = (struct baseline){ .n = 0 };
	assert_true(baseline_add(
		b, (struct baseline_line){ 3, "UMD006", .path = second, .reason = "x" }));
	assert_true(baseline_add(b, (struct baseline_line){ 2, "UMD006", .path = second,
							    .reason = "y", .expires = 20270131 }));
	assert_true(baseline_add(
		b, (struct baseline_line){ 1, "UMD007", .path = second, .reason = "z" }));
	assert_true(baseline_add(
		b, (struct baseline_line){ 9, "UMD009", .path = first, .reason = "w" }));
	assert_true(baseline_add(b, (struct baseline_line){ 8, "UMD009", .reason = "v" }));
	assert_true(baseline_add(
		b, (struct baseline_line){ 9, "UMD009", .path = second, .reason = "repeated" }));
	assert_true(baseline_settle(b));
}

static void lines_are_in_the_order_of_paths(void **state)
{
	static const char lines[] = "0000000000000008 UMD009 - v\n"
				    "# a\\x0A.umod\n"
				    "0000000000000009 UMD009 - w\n"
				    "# b.umod\n"
				    "0000000000000002 UMD006 2027-01-31 y\n"
				    "0000000000000003 UMD006 - x\n"
				    "0000000000000001 UMD007 - z\n";
	static struct room room;
	struct baseline_trouble trouble;
	struct baseline b;
	size_t len;

	(void)state;
	fill_baseline(&b);
	room = (struct room){ .max = sizeof room.bytes };
	assert_true(baseline_write(&b, fill, &room));
	assert_memory_equal(room.bytes, BASELINE_FIRST "\n#", sizeof BASELINE_FIRST + 1);
	assert_memory_equal(room.bytes + room.n - strlen(lines), lines, strlen(lines));
	assert_true(take(room.bytes, room.n, &trouble));
	assert_int_equal(baseline.n, 5);
	baseline_free(&baseline);
	baseline_free(&b);
	len = room.n;
	for (size_t max = 0; max < len; max++) {
		fill_baseline(&b);
		room = (struct room){ .max = max };
		assert_false(baseline_write(&b, fill, &room));
		baseline_free(&b);
	}
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* Two files of no known format, one of which is invalid. */
static uvet_engine *engine;
static uvet_report *report;

/* The only finding of an empty installer is not asked about here but by name. */
static void open_report(const char *name)
{
	static const uint8_t bytes[64] = { 0 };
	uvet_options *options;

	assert_int_equal(uvet_options_new(&options), UVET_OK);
	assert_int_equal(uvet_engine_new(options, &engine), UVET_OK);
	uvet_options_free(options);
	assert_int_equal(uvet_check_memory(engine, name, bytes, sizeof bytes, NULL, &report),
			 UVET_OK);
	assert_true(uvet_report_count(report) > 0);
}

static void close_report(void)
{
	uvet_report_free(report);
	uvet_engine_free(engine);
}

static void a_path_accepts_what_a_rule_finds(void **state)
{
	static const struct {
		const char *name, *glob;
		bool is_own_rule, is_accepted;
	} cases[] = {
		{ "Mods/old/a.umod", "*.umod", true, true },
		{ "./Mods/old/a.umod", "Mods/*/a.umod", true, true },
		{ "Mods/old/a.umod", "old", true, true },
		{ "Mods/old/a.umod", "Mods/**", true, true },
		{ "Mods/old/a.umod", "*.umod", false, false },
		{ "Mods/old/a.umod", "b.umod", true, false },
		{ "Mods/old/a.umod", "Mods/*.umod", true, false },
	};
	const struct baseline_request nothing = { .mode = BASELINE_NONE };
	const uvet_finding *finding;
	struct acceptance a;
	const char *reason;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct accepted_paths paths = { .n = 0 };

		open_report(cases[i].name);
		finding = uvet_report_at(report, 0);
		assert_true(acceptance_open(&a, &nothing, &paths));
		assert_false(acceptance_asks(&a));
		assert_true(acceptance_add(&paths, "nowhere", uvet_finding_rule(finding), "never"));
		assert_true(acceptance_add(
			&paths, cases[i].glob,
			cases[i].is_own_rule ? uvet_finding_rule(finding) : "ABC000", "known"));
		assert_true(acceptance_asks(&a));
		reason = acceptance_answer(&a, report, finding, "0123456789abcdef");
		assert_int_equal(reason != NULL, cases[i].is_accepted);
		if (reason)
			assert_string_equal(reason, "known");
		acceptance_close(&a);
		acceptance_free_paths(&paths);
		close_report();
	}
}

/* A line holds to the end of its last day. */
static void the_last_day_counts(void **state)
{
	struct acceptance a = { .today = 20270131 };
	struct accepted_paths paths = { .n = 0 };
	const uvet_finding *finding;

	(void)state;
	open_report("a.umod");
	finding = uvet_report_at(report, 0);
	a.paths = &paths;
	for (uint32_t day = 20270130; day <= 20270201; day += day == 20270131 ? 70 : 1) {
		struct baseline_line line = { .fingerprint = 10,
					      .expires = day,
					      .reason = "known" };

		memcpy(line.rule, uvet_finding_rule(finding), BASELINE_RULE_LEN);
		assert_true(baseline_add(&a.known, line));
		assert_true(baseline_settle(&a.known));
		assert_int_equal(acceptance_answer(&a, report, finding, "000000000000000a") != NULL,
				 day >= a.today);
		assert_true(a.known.lines[0].seen);
		assert_null(acceptance_answer(&a, report, finding, "000000000000000b"));
		assert_null(acceptance_answer(&a, report, finding, "a"));
		baseline_free(&a.known);
	}
	acceptance_close(&a);
	close_report();
}

/* Nothing of a baseline that is refused accepts anything, whoever asks it. */
static void a_refused_baseline_accepts_nothing(void **state)
{
	static const char lines[] = BASELINE_FIRST "\n000000000000000a ABC000 - first\n"
						   "000000000000000b ABC000 - second\n"
						   "000000000000000b ABC000 - repeated\n";
	struct baseline_request request = { .mode = BASELINE_USE, .file = "refused.txt" };
	struct accepted_paths paths = { .n = 0 };
	struct acceptance a;
	FILE *file = fopen(request.file, "wb");

	(void)state;
	assert_non_null(file);
	assert_int_equal(fwrite(lines, 1, strlen(lines), file), strlen(lines));
	assert_int_equal(fclose(file), 0);
	assert_false(acceptance_open(&a, &request, &paths));
	assert_int_equal(a.known.n, 0);
	assert_null(baseline_find(&a.known, 10));
	assert_null(baseline_find(&a.known, 11));
	acceptance_close(&a);
	assert_int_equal(remove(request.file), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_beginning),
		cmocka_unit_test(every_character),
		cmocka_unit_test(days),
		cmocka_unit_test(many_lines),
		cmocka_unit_test(lines_are_in_the_order_of_paths),
		cmocka_unit_test(a_path_accepts_what_a_rule_finds),
		cmocka_unit_test(the_last_day_counts),
		cmocka_unit_test(a_refused_baseline_accepts_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

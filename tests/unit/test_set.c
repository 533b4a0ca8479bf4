/* Tests of sets: which sources are checked, in which order, and what each finds beside it. */
#include <stdio.h>

#include "box_files.h"

/* What is checked, and the reports that came of it. */
enum { SOURCES_MAX = 6000 };

static struct {
	const char *names[SOURCES_MAX];
	const uvet_io *ios[SOURCES_MAX];
	size_t n;
	uvet_options *options;
	uvet_engine *engine;
	uvet_report *reports[SOURCES_MAX];
	size_t order[SOURCES_MAX]; /* indexes, as the reports came */
	size_t n_told, enough;
	unsigned n_opened;
} set;

static int read_nothing(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	(void)ctx, (void)at, (void)buf, (void)len;
	*n_read = 0;
	return 0;
}

static int open_sibling(void *ctx, const char *name, uvet_io *out)
{
	(void)ctx, (void)name, (void)out;
	set.n_opened++;
	return UVET_SIBLING_UNREADABLE;
}

static void close_source(void *ctx)
{
	(void)ctx;
	set.n_opened++;
}

/* Sources that bring siblings of their own, which are not asked. */
static uvet_io toc = { .read_at = read_box,
		       .ctx = &box.n_toc,
		       .open_sibling = open_sibling,
		       .close = close_source },
	       ucas = { .read_at = read_box, .ctx = &box.n_ucas, .close = close_source },
	       pak_io = { .read_at = read_box, .ctx = &pak_len, .close = close_source },
	       empty = { .read_at = read_nothing };

static int begin_set(void **state)
{
	(void)state;
	memset(&set, 0, sizeof set);
	fill_box(20);
	toc.struct_size = ucas.struct_size = pak_io.struct_size = empty.struct_size = sizeof toc;
	toc.size = box.n_toc;
	ucas.size = box.n_ucas;
	pak_io.size = pak_len;
	return uvet_options_new(&set.options) == UVET_OK ? 0 : -1;
}

static void forget(void)
{
	for (size_t i = 0; i < set.n; i++)
		uvet_report_free(set.reports[i]);
	memset(set.reports, 0, sizeof set.reports);
	uvet_engine_free(set.engine);
	set.engine = NULL;
	set.n_told = 0;
}

static int end_set(void **state)
{
	(void)state;
	forget();
	uvet_options_free(set.options);
	return 0;
}

static void add(const char *name, const uvet_io *io)
{
	set.names[set.n] = name;
	set.ios[set.n++] = io;
}

static int take(void *ctx, size_t index, uvet_report *report)
{
	assert_ptr_equal(ctx, &set);
	assert_true(index < set.n && !set.reports[index]);
	assert_string_equal(uvet_report_name(report), set.names[index]);
	set.reports[index] = report;
	set.order[set.n_told++] = index;
	return set.n_told == set.enough;
}

static uvet_status check_hooked(const uvet_hooks *hooks)
{
	forget();
	assert_int_equal(uvet_engine_new(set.options, &set.engine), UVET_OK);
	return uvet_check_set(set.engine, set.names, set.ios, set.n, hooks, take, &set);
}

/* Checks the set; order has the indexes of the sources with reports, as "0 3 1". */
static void expect(const char *order)
{
	char told[64] = "", *end = told;

	assert_int_equal(check_hooked(NULL), UVET_OK);
	for (size_t i = 0; i < set.n_told; i++)
		end += snprintf(end, sizeof told - (size_t)(end - told), i > 0 ? " %zu" : "%zu",
				set.order[i]);
	assert_string_equal(told, order);
	assert_int_equal(set.n_opened, 0);
}

static void expect_verdict(size_t index, uvet_verdict verdict)
{
	assert_non_null(set.reports[index]);
	assert_int_equal(uvet_report_verdict(set.reports[index]), verdict);
}

static bool found_in(const uvet_report *r, const char *rule)
{
	for (size_t i = 0; i < uvet_report_count(r); i++)
		if (strcmp(uvet_finding_rule(uvet_report_at(r, i)), rule) == 0)
			return true;
	return false;
}

/* In the report, or in that of the .pak of a container. */
static bool found(size_t index, const char *rule)
{
	const uvet_report *top = set.reports[index], *r = top;

	while (r && !found_in(r, rule))
		r = uvet_report_next(top, r);
	return r != NULL;
}

/* ---- What has a report ----------------------------------------------------------------------- */

static void a_container_has_one_report(void **state)
{
	(void)state;
	add("Box_P.pak", &pak_io);
	add("other.umod", &empty);
	add("Box_P.ucas", &ucas);
	add("Box_P.utoc", &toc);
	add("Box_P.sig", &empty);
	expect("1 3");
	expect_verdict(1, UVET_INVALID);
	expect_verdict(3, sound_box());
	assert_int_equal(uvet_report_scope(set.reports[3]), 0);
}

static void what_no_container_claims_comes_last(void **state)
{
	(void)state;
	add("lone.ucas", &ucas);
	add("lone.SIG", &empty);
	add("Box_P_s2.ucas", &ucas);
	add("Box_P.utoc", &toc);
	add("Box_P.ucas", &ucas);
	add("Box_P.pak", &pak_io);
	add("lone.pak", &pak_io);
	add("a", &empty);
	expect("3 7 0 1 2 6");
	expect_verdict(0, UVET_UNDETERMINED);
	expect_verdict(3, sound_box());
}

/* A check that ended before it asked for its parts says nothing of them. */
static void parts_of_a_broken_container_have_reports(void **state)
{
	(void)state;
	add("Box_P_s1.ucas", &ucas);
	add("Box_P_s3.ucas", &ucas);
	add("Box_P.ucas", &ucas);
	add("Box_P.pak", &pak_io);
	add("Box_P.utoc", &empty);
	add("Box_P_s2.ucas", &ucas);
	add("Box_P.sig", &empty);
	expect("4 0 1 2 3 5");
	expect_verdict(4, UVET_INVALID);
	expect_verdict(2, UVET_UNDETERMINED);
}

/* Of sources with one name the first is what a container asks for. */
static void containers_with_one_name(void **state)
{
	(void)state;
	add("Box_P.utoc", &toc);
	add("Box_P.utoc", &empty);
	add("Box_P.ucas", &ucas);
	add("Box_P.ucas", &ucas);
	add("Box_P.pak", &pak_io);
	expect("0 1 3");
	expect_verdict(0, sound_box());
	expect_verdict(1, UVET_INVALID);
}

static void an_empty_set_has_no_reports(void **state)
{
	(void)state;
	assert_int_equal(uvet_engine_new(set.options, &set.engine), UVET_OK);
	assert_int_equal(uvet_check_set(set.engine, NULL, NULL, 0, NULL, take, &set), UVET_OK);
	assert_int_equal(set.n_told, 0);
}

static void whoever_takes_reports_may_end_it(void **state)
{
	(void)state;
	add("b.ucas", &empty);
	add("a.umod", &empty);
	add("b.umod", &empty);
	set.enough = 1;
	expect("1");
	set.enough = 2;
	expect("1 2");
}

/* ---- What is found beside an input ----------------------------------------------------------- */

static void folders_are_kept_apart(void **state)
{
	(void)state;
	add("a/Box_P.utoc", &toc);
	add("b/Box_P.ucas", &ucas);
	add("Box_P.ucas", &ucas);
	add("a/Box_P.pak", &pak_io);
	add("a/b/Box_P.ucas", &ucas);
	expect("0 1 2 4");
	expect_verdict(0, UVET_INVALID);
	set.names[4] = "a/Box_P.ucas";
	expect("0 1 2");
	expect_verdict(0, sound_box());
	set.names[0] = "C:\\a/b\\Box_P.utoc";
	set.names[3] = "C:\\a/b\\Box_P.pak";
	set.names[4] = "C:\\a/b\\Box_P.ucas";
	expect("0 1 2");
	expect_verdict(0, sound_box());
}

static void a_name_in_other_case_is_found_and_told(void **state)
{
	(void)state;
	add("BOX_p.ucas", &empty);
	add("Box_P.utoc", &toc);
	add("BOX_P.ucas", &ucas);
	add("Box_P.pak", &pak_io);
	add("BOY_P.ucas", &empty);
	expect("1 0 4");
	expect_verdict(1, sound_box());
	assert_true(found(1, "SET005"));
	add("Box_P.ucas", &ucas);
	expect("1 0 2 4");
	expect_verdict(1, sound_box());
	assert_false(found(1, "SET005"));
}

static void a_name_that_is_too_long_is_no_other_spelling(void **state)
{
	static char container[300], part[300];

	(void)state;
	memset(container, 'a', 280);
	memset(part, 'A', 280);
	memcpy(container + 280, ".utoc", sizeof ".utoc");
	memcpy(part + 280, ".ucas", sizeof ".ucas");
	add(container, &toc);
	add(part, &ucas);
	expect("0 1");
	expect_verdict(0, UVET_INVALID);
}

static void of_two_with_one_name_the_first_is_taken(void **state)
{
	(void)state;
	add("Box_P.utoc", &toc);
	add("Box_P.ucas", &ucas);
	add("Box_P.pak", &pak_io);
	add("Box_P.ucas", &empty);
	add("Box_P.utoc", &toc);
	expect("0 4 3");
	expect_verdict(0, sound_box());
	expect_verdict(4, sound_box());
}

static void what_cannot_be_opened_is_there(void **state)
{
	(void)state;
	add("Box_P.utoc", &toc);
	add("Box_P.ucas", NULL);
	add("Box_P.pak", &pak_io);
	add("a.umod", NULL);
	expect("0 3");
	expect_verdict(0, UVET_UNDETERMINED);
	expect_verdict(3, UVET_UNDETERMINED);
	assert_true(found(3, "RUN002"));
}

/* What a check only looks at to explain what is missing still has a report. */
static void a_renamed_part_is_named_and_told(void **state)
{
	static char names[SOURCES_MAX][16];

	(void)state;
	add("Box_P.utoc", &toc);
	add("Box_P.pak", &pak_io);
	add("Renamed.ucas", &ucas);
	add("Renamed.ucas", &ucas);
	expect("0 2 3");
	assert_string_equal(uvet_report_diagnosis(set.reports[0]), "renamed");
	assert_int_equal(uvet_report_diagnosis_certain(set.reports[0]), 0);
	/* in a folder of too many names nobody looks for it */
	for (size_t i = 0; i < 4093; i++) {
		snprintf(names[i], sizeof names[i], "%zu.pak", i);
		add(names[i], NULL);
	}
	set.enough = 1;
	assert_int_equal(check_hooked(NULL), UVET_OK);
	assert_string_equal(uvet_report_diagnosis(set.reports[0]), "missing_companion");
	assert_int_equal(uvet_report_diagnosis_certain(set.reports[0]), 1);
	set.names[3] = "a/a";
	assert_int_equal(check_hooked(NULL), UVET_OK);
	assert_string_equal(uvet_report_diagnosis(set.reports[0]), "renamed");
}

static void names_may_be_anything(void **state)
{
	static const char *const odd[] = {
		"",   "/",       "\\",      ".utoc",         ".ucas",         ".", "..",
		"a/", "a/.utoc", "a/.ucas", "\xFF\x80.utoc", "\xFF\x80.ucas", ":", "//.pak"
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(odd); i++)
		add(odd[i], &empty);
	expect("0 1 2 3 4 5 6 7 8 9 10 12 13 11");
}

/* ---- Many, and little memory ----------------------------------------------------------------- */

static void every_one_of_many_has_its_report(void **state)
{
	static char names[SOURCES_MAX][24];

	(void)state;
	for (size_t i = 0; i < SOURCES_MAX; i++) {
		snprintf(names[i], sizeof names[i], "%zu/%zu.%s", i * 7919 % 97, i / 2,
			 i % 2 ? "ucas" : "utoc");
		add(names[i], &empty);
	}
	assert_int_equal(check_hooked(NULL), UVET_OK);
	assert_int_equal(set.n_told, SOURCES_MAX);
	for (size_t i = 0; i < SOURCES_MAX; i++)
		assert_int_equal(set.order[i],
				 i < SOURCES_MAX / 2 ? 2 * i : 2 * (i - SOURCES_MAX / 2) + 1);
}

/* What finds names is a part of what a check may hold, and where it leaves too little the check
 * says so. */
static void the_names_count_for_memory(void **state)
{
	unsigned n_valid = 0, n_short = 0;
	uvet_status status;

	(void)state;
	assert_int_equal(uvet_options_set(set.options, "max-memory", "128K"), UVET_OK);
	add("Box_P.utoc", &toc);
	add("Box_P.ucas", &ucas);
	add("Box_P.pak", &pak_io);
	set.enough = 1;
	while ((status = check_hooked(NULL)) == UVET_OK && set.n < SOURCES_MAX) {
		if (found(0, "RUN005")) {
			n_short++;
		} else {
			expect_verdict(0, sound_box());
			assert_int_equal(n_short, 0);
			n_valid++;
		}
		for (unsigned i = 0; i < 100; i++)
			add("a.umod", &empty);
	}
	assert_int_equal(status, UVET_NO_MEMORY);
	assert_int_equal(set.n_told, 0);
	assert_true(n_valid > 0 && n_short > 0);
}

static void memory_that_ends_is_a_status_or_told(void **state)
{
	uvet_status status = UVET_NO_MEMORY;

	(void)state;
	memory = (struct fault_memory){ .fail_at = 0 };
	uvet_options_allocator(set.options, fault_alloc, fault_release, &memory);
	add("b.ucas", &ucas);
	add("Box_P.utoc", &toc);
	add("Box_P.ucas", &ucas);
	add("Box_P.pak", &pak_io);
	for (uint64_t at = 2;
	     status != UVET_OK || set.n_told != 2 || found(1, "RUN005") || found(0, "RUN005");
	     at++) {
		assert_true(at < 1000);
		memory.n_asked = 0;
		memory.fail_at = at;
		status = check_hooked(NULL);
		assert_true(status == UVET_OK || status == UVET_NO_MEMORY);
		/* parts that the container did not come to have reports of their own */
		assert_true(status == UVET_NO_MEMORY || (set.n_told >= 2 && set.n_told <= 4));
	}
	expect_verdict(1, sound_box());
	forget();
	assert_int_equal(memory.n_live, 0);
}

/* ---- Hooks ----------------------------------------------------------------------------------- */

static int count(void *ctx, const uvet_finding *finding)
{
	(void)finding;
	++*(unsigned *)ctx;
	return 0;
}

static void hooks_are_those_of_each_check(void **state)
{
	uvet_hooks hooks = UVET_HOOKS_INIT;
	uvet_cancellation *cancellation;
	unsigned n = 0;

	(void)state;
	add("a.umod", &empty);
	add("b.ucas", &empty);
	hooks.on_finding = count;
	hooks.ctx = &n;
	assert_int_equal(check_hooked(&hooks), UVET_OK);
	assert_int_equal(n, uvet_report_count(set.reports[0]) + uvet_report_count(set.reports[1]));
	assert_int_equal(uvet_cancellation_new(&cancellation), UVET_OK);
	uvet_cancellation_set(cancellation);
	hooks.cancellation = cancellation;
	assert_int_equal(check_hooked(&hooks), UVET_OK);
	expect_verdict(0, UVET_UNDETERMINED);
	expect_verdict(1, UVET_UNDETERMINED);
	assert_true(found(0, "RUN006") && found(1, "RUN006"));
	uvet_cancellation_free(cancellation);
}

/* ---- The same as elsewhere ------------------------------------------------------------------- */

struct written {
	char bytes[65536];
	size_t n;
};

static int write(void *ctx, const void *bytes, size_t len)
{
	struct written *t = ctx;

	assert_true(len < sizeof t->bytes - t->n);
	memcpy(t->bytes + t->n, bytes, len);
	t->n += len;
	t->bytes[t->n] = '\0';
	return 0;
}

static int open_box(void *ctx, const char *name, uvet_io *out)
{
	(void)ctx;
	if (strcmp(name, "Box_P.ucas") != 0)
		return UVET_SIBLING_ABSENT;
	*out = ucas;
	out->close = NULL;
	return UVET_SIBLING_OPEN;
}

static void a_report_is_that_of_a_single_check(void **state)
{
	static struct written of_set, alone;
	uvet_report *report;
	uvet_io io;

	(void)state;
	add("Box_P.utoc", &toc);
	add("Box_P.ucas", &ucas);
	expect("0");
	io = toc;
	io.open_sibling = open_box;
	assert_int_equal(uvet_check_io(set.engine, "Box_P.utoc", &io, NULL, &report), UVET_OK);
	assert_int_equal(uvet_report_memory(report), uvet_report_memory(set.reports[0]));
	assert_int_equal(uvet_report_write(set.engine, report, "json", write, &alone), UVET_OK);
	assert_int_equal(uvet_report_write(set.engine, set.reports[0], "json", write, &of_set),
			 UVET_OK);
	assert_string_equal(alone.bytes, of_set.bytes);
	uvet_report_free(report);
}

/* ---- Mistakes -------------------------------------------------------------------------------- */

static void mistakes_are_refused_before_the_first_check(void **state)
{
	uvet_io unreadable = empty, sizeless = empty;
	uvet_hooks hooks = UVET_HOOKS_INIT;

	(void)state;
	add("a.umod", &empty);
	add("b.umod", &empty);
	unreadable.read_at = NULL;
	sizeless.struct_size = 1;
	set.ios[1] = &unreadable;
	assert_int_equal(check_hooked(NULL), UVET_BAD_CALL);
	set.ios[1] = &sizeless;
	assert_int_equal(check_hooked(NULL), UVET_BAD_CALL);
	set.ios[1] = NULL;
	set.names[1] = NULL;
	assert_int_equal(check_hooked(NULL), UVET_BAD_CALL);
	set.names[1] = "b.umod";
	hooks.struct_size = 1;
	assert_int_equal(check_hooked(&hooks), UVET_BAD_CALL);
	assert_int_equal(uvet_check_set(set.engine, set.names, set.ios, 2, NULL, NULL, NULL),
			 UVET_BAD_CALL);
	assert_int_equal(uvet_check_set(set.engine, NULL, set.ios, 2, NULL, take, NULL),
			 UVET_BAD_CALL);
	assert_int_equal(uvet_check_set(set.engine, set.names, NULL, 2, NULL, take, NULL),
			 UVET_BAD_CALL);
	assert_int_equal(uvet_check_set(NULL, set.names, set.ios, 2, NULL, take, NULL),
			 UVET_BAD_CALL);
	assert_int_equal(
		uvet_check_set(set.engine, set.names, set.ios, UINT32_MAX, NULL, take, NULL),
		UVET_BAD_CALL);
	assert_int_equal(set.n_told, 0);
}

#define SET_TEST(function) cmocka_unit_test_setup_teardown(function, begin_set, end_set)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SET_TEST(a_container_has_one_report),
		SET_TEST(what_no_container_claims_comes_last),
		SET_TEST(parts_of_a_broken_container_have_reports),
		SET_TEST(containers_with_one_name),
		SET_TEST(an_empty_set_has_no_reports),
		SET_TEST(whoever_takes_reports_may_end_it),
		SET_TEST(folders_are_kept_apart),
		SET_TEST(a_name_in_other_case_is_found_and_told),
		SET_TEST(a_name_that_is_too_long_is_no_other_spelling),
		SET_TEST(of_two_with_one_name_the_first_is_taken),
		SET_TEST(what_cannot_be_opened_is_there),
		SET_TEST(a_renamed_part_is_named_and_told),
		SET_TEST(names_may_be_anything),
		SET_TEST(every_one_of_many_has_its_report),
		SET_TEST(the_names_count_for_memory),
		SET_TEST(memory_that_ends_is_a_status_or_told),
		SET_TEST(hooks_are_those_of_each_check),
		SET_TEST(a_report_is_that_of_a_single_check),
		SET_TEST(mistakes_are_refused_before_the_first_check),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

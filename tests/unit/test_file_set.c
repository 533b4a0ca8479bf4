/* Tests of sets of files: in whatever order they come, whatever memory is refused, and what a set
 * says of files that it does not know. */
#include "package.h"

#undef fail /* cmocka's; rules have their own */

#include "engine/file_set.h"
#include "uvet/uvet.h"

static struct engine engine;
static struct fault_memory memory;

/* ---- Files ----------------------------------------------------------------------------------- */

/* Imports an object of Foo that is not there, and one that lies in a group of it. */
static void make_user(void)
{
	begin();
	put_standard_names();
	open_table(TABLE_IMPORTS);
	put_import(N_CORE, N_PACKAGE, 0, N_FOO);
	put_import(N_CORE, N_BAR, -1, N_CORE);
	put_import(N_CORE, N_BAR, -1, N_BAR);
	open_table(TABLE_EXPORTS);
	end_package();
}

enum { FILES_MAX = 4 };

static struct {
	const char *name;
	struct report *report;
} files[FILES_MAX];
static size_t n_files;

static void check_file(const char *name, void (*make)(void))
{
	make();
	files[n_files].name = name;
	files[n_files].report = engine_check(&engine, &(struct check_input){
							      .io.size = image.n,
							      .memory = image.bytes,
							      .name = name,
						      });
	assert_non_null(files[n_files].report);
	n_files++;
}

static void open_files(void)
{
	memory = (struct fault_memory){ 0 };
	engine_init(&engine, (struct allocator){ fault_alloc, fault_release, &memory });
	engine.sets = true;
	engine.chunk_len = 64;
	n_files = 0;
}

static void two_files(void)
{
	open_files();
	check_file("a/System/Foo.u", build_good);
	check_file("a/System/User.u", make_user);
}

static void close_files(void)
{
	for (size_t i = 0; i < n_files; i++)
		report_free(files[i].report);
	assert_int_equal(memory.n_live, 0);
}

/* ---- Sets ------------------------------------------------------------------------------------ */

static uint64_t n_found(const struct report *r, const char *id)
{
	uint64_t n = 0;

	for (size_t s = 0; s <= SEVERITY_ERROR; s++)
		n += report_result(r, catalog_find(id, 6))->n_found[s];
	return n;
}

static atomic_bool is_cancelled;

/* The report of all files, added from the first on or from the last on. NULL: there is none. */
static struct report *judge(struct file_set *s, bool backwards)
{
	struct report *r = NULL;

	for (size_t i = 0; i < n_files; i++)
		file_set_add(s, files[backwards ? n_files - 1 - i : i].report, SET_GIVEN);
	file_set_settle(s);
	if (file_set_is_worth_a_report(s))
		r = file_set_check(s, &(struct check_input){ .cancel = &is_cancelled });
	return r;
}

static struct report *judge_all(bool backwards)
{
	struct file_set s;
	struct report *r;

	file_set_init(&s, &engine);
	r = judge(&s, backwards);
	file_set_free(&s);
	return r;
}

static void test_the_order_does_not_count(void **state)
{
	struct report *r[2];

	(void)state;
	two_files();
	for (int i = 0; i < 2; i++) {
		r[i] = judge_all(i == 1);
		assert_non_null(r[i]);
		assert_int_equal(n_found(r[i], "XFL003"), 2);
		assert_string_equal(r[i]->name, "a/System/");
		assert_int_equal(r[i]->verdict, VERDICT_INVALID);
		assert_int_equal(r[i]->n_companions, 2);
		assert_string_equal(r[i]->companions[1].name, "User.u");
	}
	assert_int_equal(r[0]->n_findings, r[1]->n_findings);
	for (size_t i = 0; i < r[0]->n_findings; i++) {
		assert_ptr_equal(r[0]->findings[i]->rule, r[1]->findings[i]->rule);
		assert_int_equal(r[0]->findings[i]->place.file, 2);
		assert_int_equal(r[0]->findings[i]->place.span.at,
				 r[1]->findings[i]->place.span.at);
		assert_string_equal(r[0]->findings[i]->file, "User.u");
	}
	report_free(r[0]);
	report_free(r[1]);
	close_files();
}

/* A name that is given twice is one file, whichever of the two came first. */
static void test_of_one_name_one_file_is_taken(void **state)
{
	struct report *r[2];

	(void)state;
	two_files();
	check_file("a/System/Foo.u", make_user);
	for (int i = 0; i < 2; i++) {
		r[i] = judge_all(i == 1);
		assert_int_equal(r[i]->n_companions, 2);
	}
	assert_int_equal(r[0]->companions[0].size, r[1]->companions[0].size);
	assert_int_equal(r[0]->n_findings, r[1]->n_findings);
	report_free(r[0]);
	report_free(r[1]);
	close_files();
}

static void test_folders_have_nothing_to_do_with_each_other(void **state)
{
	struct report *r;

	(void)state;
	open_files();
	check_file("a/System/Foo.u", build_good);
	check_file("b/System/User.u", make_user);
	r = judge_all(false);
	assert_null(r);
	check_file("b/Textures/Foo.utx", build_good);
	r = judge_all(false);
	assert_int_equal(n_found(r, "XFL003"), 2);
	assert_string_equal(r->name, ".");
	report_free(r);
	close_files();
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Each request for memory is refused in turn: there is no report, or one that says it. */
static void test_every_request_may_be_refused(void **state)
{
	bool is_whole = false;

	(void)state;
	two_files();
	for (uint64_t n = 1; !is_whole; n++) {
		const uint64_t before = memory.n_asked;
		struct report *r;

		memory.fail_at = before + n;
		r = judge_all(false);
		is_whole = memory.n_asked < memory.fail_at;
		if (r && !is_whole)
			assert_true(n_found(r, "RUN005") > 0 || n_found(r, "XFL003") == 2);
		if (r && n_found(r, "XFL003") < 2)
			assert_int_equal(r->verdict == VERDICT_VALID, false);
		report_free(r);
	}
	memory.fail_at = 0;
	close_files();
}

/* What was not kept is not missing. */
static void test_lost_files_are_told(void **state)
{
	struct report *r;

	(void)state;
	two_files();
	engine.limits.of[LIMIT_memory] = 1024;
	r = judge_all(false);
	assert_non_null(r);
	assert_int_equal(n_found(r, "XFL003"), 0);
	assert_int_equal(n_found(r, "RUN005"), 1);
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	report_free(r);
	close_files();
}

/* Where a report could not keep its file, that file is not compared. */
static void test_files_that_were_not_kept_are_told(void **state)
{
	struct report *r;

	(void)state;
	open_files();
	check_file("a/System/User.u", make_user);
	engine.limits.of[LIMIT_memory] = 1024;
	check_file("a/System/Foo.u", build_good);
	engine.limits.of[LIMIT_memory] = 1 << 20;
	r = judge_all(false);
	assert_non_null(r);
	assert_int_equal(n_found(r, "XFL003"), 0);
	assert_int_equal(r->verdict, VERDICT_UNDETERMINED);
	report_free(r);
	close_files();
}

static void test_a_set_can_be_cancelled(void **state)
{
	struct report *r;

	(void)state;
	two_files();
	is_cancelled = true;
	r = judge_all(false);
	assert_int_equal(n_found(r, "RUN006"), 1);
	assert_int_equal(n_found(r, "XFL003"), 0);
	is_cancelled = false;
	report_free(r);
	close_files();
}

/* ---- Imports --------------------------------------------------------------------------------- */

struct seen {
	unsigned n_files, n[SET_OBJECT_NOT_JUDGED + 1];
};

static void see(void *ctx, const struct set_import *i)
{
	struct seen *s = ctx;

	if (i->row == SET_NO_ROW)
		s->n_files++;
	else
		s->n[i->found]++;
}

static void test_imports_are_told_with_what_became_of_them(void **state)
{
	struct seen seen = { 0 };
	struct file_set s;

	(void)state;
	two_files();
	file_set_init(&s, &engine);
	for (size_t i = 0; i < n_files; i++)
		file_set_add(&s, files[i].report, SET_GIVEN);
	file_set_settle(&s);
	assert_int_equal(file_set_imports(&s, &(struct check_input){ .name = "" }, see, &seen),
			 MAP_OK);
	assert_int_equal(seen.n_files, 2);
	assert_int_equal(seen.n[SET_FOUND_NOT_GIVEN], 1);
	assert_int_equal(seen.n[SET_FOUND_GIVEN], 1);
	assert_int_equal(seen.n[SET_OBJECT_MISSING], 1);
	assert_int_equal(seen.n[SET_OBJECT_MOVED], 1);
	file_set_free(&s);
	close_files();
}

/* ---- By the public interface ----------------------------------------------------------------- */

struct copy {
	uint8_t bytes[1024];
	size_t n;
};

static int read_copy(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	const struct copy *c = ctx;
	const size_t left = at < c->n ? c->n - (size_t)at : 0;

	*n_read = len < left ? len : left;
	if (*n_read > 0)
		memcpy(buf, c->bytes + at, *n_read);
	return 0;
}

static uvet_io copy_io(struct copy *c, void (*make)(void))
{
	make();
	assert_true(image.n <= sizeof c->bytes);
	memcpy(c->bytes, image.bytes, image.n);
	c->n = image.n;
	return (uvet_io){
		.struct_size = sizeof(uvet_io), .read_at = read_copy, .ctx = c, .size = c->n
	};
}

/* What became of a set: how many of its sources had reports, and that of the whole. */
struct taken {
	size_t n, enough;
	uvet_report *whole;
};

static int take(void *ctx, size_t index, uvet_report *report)
{
	struct taken *t = ctx;

	assert_true(index <= 2);
	if (index == 2)
		t->whole = report;
	else
		uvet_report_free(report);
	return ++t->n == t->enough;
}

static struct taken check_set(const char *wanted, size_t enough)
{
	static const char *const names[] = { "a/System/Foo.u", "a/System/User.u" };
	static struct copy copies[2];
	const uvet_io foo = copy_io(&copies[0], build_good), user = copy_io(&copies[1], make_user);
	const uvet_io *const ios[] = { &foo, &user };
	struct taken t = { .enough = enough };
	uvet_options *options;
	uvet_engine *made;

	assert_int_equal(uvet_options_new(&options), UVET_OK);
	assert_int_equal(uvet_options_set(options, "sets", wanted), UVET_OK);
	assert_int_equal(uvet_engine_new(options, &made), UVET_OK);
	assert_int_equal(uvet_check_set(made, names, ios, 2, NULL, take, &t), UVET_OK);
	uvet_engine_free(made);
	uvet_options_free(options);
	return t;
}

static void test_the_report_of_a_set_is_that_of_no_source(void **state)
{
	struct taken t = check_set("yes", 0);

	(void)state;
	assert_int_equal(t.n, 3);
	assert_string_equal(uvet_report_format(t.whole), "set");
	assert_int_equal(uvet_report_found(t.whole, UVET_SEVERITY_ERROR), 1);
	assert_string_equal(uvet_finding_file(uvet_report_at(t.whole, 0)), "User.u");
	uvet_report_free(t.whole);
	t = check_set("yes", 2); /* whoever ends it wants no more */
	assert_int_equal(t.n, 2);
	assert_null(t.whole);
	t = check_set("no", 0);
	assert_int_equal(t.n, 2);
	assert_null(t.whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_order_does_not_count),
		cmocka_unit_test(test_of_one_name_one_file_is_taken),
		cmocka_unit_test(test_folders_have_nothing_to_do_with_each_other),
		cmocka_unit_test(test_every_request_may_be_refused),
		cmocka_unit_test(test_lost_files_are_told),
		cmocka_unit_test(test_files_that_were_not_kept_are_told),
		cmocka_unit_test(test_a_set_can_be_cancelled),
		cmocka_unit_test(test_imports_are_told_with_what_became_of_them),
		cmocka_unit_test(test_the_report_of_a_set_is_that_of_no_source),
	};

	return cmocka_run_group_tests(tests, make_image, free_image);
}

/* Tests of what the public interface says of a container whose host knows its folder, does not know
 * it, or cannot read in it. */
#include "box_files.h"

/* What the host answers when it is asked for a file beside the container. */
static struct {
	int ucas, pak; /* enum of UVET_SIBLING_ */
	unsigned n_asked, n_looked;
	bool is_spelt_otherwise; /* the .pak is, if it is absent */
} host;

static int open_sibling(void *ctx, const char *name, uvet_io *out)
{
	(void)ctx;
	host.n_asked++;
	if (strcmp(name, "Box_P.pak") == 0 ||
	    (host.is_spelt_otherwise && strcmp(name, "BOX_P.pak") == 0)) {
		*out = (uvet_io){ .read_at = read_box, .ctx = &pak_len, .size = pak_len };
		return host.pak;
	}
	if (strcmp(name, "Box_P.ucas") != 0)
		return UVET_SIBLING_ABSENT;
	*out = (uvet_io){ .read_at = read_box, .ctx = &box.n_ucas, .size = box.n_ucas };
	return host.ucas;
}

static int find_sibling(void *ctx, const char *name, char spelling[UVET_SPELLING_SIZE])
{
	(void)ctx;
	host.n_looked++;
	if (!host.is_spelt_otherwise || strcmp(name, "Box_P.pak") != 0)
		return UVET_SIBLING_ABSENT;
	host.pak = UVET_SIBLING_OPEN;
	memcpy(spelling, "BOX_P.pak", sizeof "BOX_P.pak");
	return UVET_SIBLING_SPELT_OTHERWISE;
}

/* A check, and what was made of it. */
static struct {
	uvet_options *options;
	uvet_engine *engine;
	uvet_report *report;
} made;

static int begin_host(void **state)
{
	(void)state;
	made.engine = NULL;
	made.report = NULL;
	host.ucas = host.pak = UVET_SIBLING_OPEN;
	host.n_asked = host.n_looked = 0;
	host.is_spelt_otherwise = false;
	fill_box(20);
	return uvet_options_new(&made.options) == UVET_OK ? 0 : -1;
}

static void forget(void)
{
	uvet_report_free(made.report);
	uvet_engine_free(made.engine);
	made.report = NULL;
	made.engine = NULL;
}

static int end_host(void **state)
{
	(void)state;
	forget();
	uvet_options_free(made.options);
	return 0;
}

static uvet_verdict check_io(int (*opens)(void *ctx, const char *name, uvet_io *out))
{
	const uvet_io io = {
		.struct_size = sizeof(uvet_io),
		.read_at = read_box,
		.ctx = &box.n_toc,
		.size = box.n_toc,
		.open_sibling = opens,
		.find_sibling = find_sibling,
	};

	forget();
	assert_int_equal(uvet_engine_new(made.options, &made.engine), UVET_OK);
	assert_int_equal(uvet_check_io(made.engine, "Box_P.utoc", &io, NULL, &made.report),
			 UVET_OK);
	return uvet_report_verdict(made.report);
}

static uvet_verdict check_memory(void)
{
	forget();
	assert_int_equal(uvet_engine_new(made.options, &made.engine), UVET_OK);
	assert_int_equal(uvet_check_memory(made.engine, "Box_P.utoc", box.toc, box.n_toc, NULL,
					   &made.report),
			 UVET_OK);
	return uvet_report_verdict(made.report);
}

static void set(const char *option, const char *value)
{
	assert_int_equal(uvet_options_set(made.options, option, value), UVET_OK);
}

static unsigned n_of(const char *rule)
{
	unsigned n = 0;

	for (size_t i = 0; i < uvet_report_count(made.report); i++)
		n += strcmp(uvet_finding_rule(uvet_report_at(made.report, i)), rule) == 0;
	return n;
}

static void expect_one_reason(const char *reason, const char *what, uint64_t bytes)
{
	uvet_unjudged u = UVET_UNJUDGED_INIT;

	assert_int_equal(uvet_report_unjudged_count(made.report), 1);
	assert_int_equal(uvet_report_unjudged_at(made.report, 0, &u), 1);
	assert_string_equal(u.reason, reason);
	assert_string_equal(u.what, what);
	assert_string_equal(u.file, "");
	assert_int_equal(u.bytes, bytes);
	assert_int_equal(uvet_report_unjudged_at(made.report, 1, &u), 0);
	assert_int_equal(uvet_report_unjudged_at(made.report, 0, NULL), 0);
}

static void a_container_with_its_files_is_valid(void **state)
{
	(void)state;
	needs_sha1();
	assert_int_equal(check_io(open_sibling), UVET_VALID);
	assert_int_equal(uvet_report_scope(made.report), 0);
	assert_int_equal(uvet_report_unjudged_count(made.report), 0);
	assert_true(host.n_asked >= 2);
}

/* To look for another spelling takes as long as the folder is: a container that has its files costs
 * none of that. */
static void a_folder_is_looked_through_for_what_is_missing(void **state)
{
	(void)state;
	needs_sha1();
	assert_int_equal(check_io(open_sibling), UVET_VALID);
	assert_int_equal(host.n_looked, 0);
	host.pak = UVET_SIBLING_ABSENT;
	assert_int_equal(check_io(open_sibling), UVET_INVALID);
	assert_int_equal(host.n_looked, 1);
	host.is_spelt_otherwise = true;
	assert_int_equal(check_io(open_sibling), UVET_VALID);
	assert_int_equal(host.n_looked, 2);
	assert_int_equal(n_of("SET005"), 1);
}

/* What a host cannot know is no defect of the file, and no merit. */
static void a_host_without_a_folder_leaves_it_open(void **state)
{
	(void)state;
	assert_int_equal(check_io(NULL), UVET_UNDETERMINED);
	expect_one_reason("companion", "", box.n_blocks * BLOCK);
	assert_int_equal(uvet_report_found(made.report, UVET_SEVERITY_ERROR), 0);
	assert_int_equal(n_of("RUN008"), 1);
	assert_string_equal(uvet_finding_rule(uvet_report_at(made.report, 0)), "RUN008");
	assert_int_equal(check_memory(), UVET_UNDETERMINED);
	expect_one_reason("companion", "", box.n_blocks * BLOCK);
	set("siblings", "none");
	assert_int_equal(check_io(open_sibling), UVET_UNDETERMINED);
	expect_one_reason("companion", "", box.n_blocks * BLOCK);
	assert_int_equal(host.n_asked, 0);
}

/* A container without chunks has no .ucas, but it should have a .pak. */
static void an_empty_container_is_left_open_too(void **state)
{
	(void)state;
	box.n_chunks = box.n_blocks = 0;
	write_box();
	put(box.toc + 52, 0, 4);
	assert_int_equal(check_memory(), UVET_UNDETERMINED);
	expect_one_reason("companion", "", 0);
	assert_int_equal(uvet_report_found(made.report, UVET_SEVERITY_ERROR), 0);
}

/* A host that says that a file is not there knows it: no game mounts such a container. */
static void a_host_that_knows_is_believed(void **state)
{
	(void)state;
	host.pak = UVET_SIBLING_ABSENT;
	assert_int_equal(check_io(open_sibling), UVET_INVALID);
	assert_int_equal(n_of("SET001"), 1);
	assert_int_equal(uvet_report_unjudged_count(made.report), 0);
	host.ucas = UVET_SIBLING_ABSENT;
	assert_int_equal(check_io(open_sibling), UVET_INVALID);
	assert_int_equal(n_of("SET002"), 1);
}

static void a_file_that_cannot_be_read_is_not_missing(void **state)
{
	uvet_unjudged u = UVET_UNJUDGED_INIT;

	(void)state;
	host.pak = host.ucas = UVET_SIBLING_UNREADABLE;
	assert_int_equal(check_io(open_sibling), UVET_UNDETERMINED);
	assert_int_equal(uvet_report_found(made.report, UVET_SEVERITY_ERROR), 0);
	assert_int_equal(uvet_report_unjudged_count(made.report), 2);
	assert_int_equal(uvet_report_unjudged_at(made.report, 0, &u), 1);
	assert_string_equal(u.reason, "unreadable");
	assert_string_equal(u.file, "Box_P.ucas");
	assert_string_equal(u.what, "it was not opened");
	assert_int_equal(uvet_report_shortages(made.report), 0);
	assert_string_equal(uvet_report_companion_at(made.report, 0), "Box_P.ucas");
	assert_string_equal(uvet_report_companion_at(made.report, 1), "Box_P.pak");
}

/* What is not there, and what nobody asked for, no check has looked at. */
static void files_that_were_looked_at_are_told(void **state)
{
	(void)state;
	host.pak = UVET_SIBLING_ABSENT;
	host.ucas = UVET_SIBLING_OPEN;
	assert_int_equal(check_io(open_sibling), UVET_INVALID);
	assert_string_equal(uvet_report_companion_at(made.report, 0), "Box_P.ucas");
	assert_null(uvet_report_companion_at(made.report, 1));
	host.pak = UVET_SIBLING_OPEN;
	assert_int_equal(check_io(NULL), UVET_UNDETERMINED);
	assert_null(uvet_report_companion_at(made.report, 0));
}

/* A file that can be opened when fewer are open is as unreadable as others, but the host is told
 * that it may try again. */
static void too_many_open_files_are_a_shortage(void **state)
{
	uvet_unjudged u = UVET_UNJUDGED_INIT;

	(void)state;
	needs_sha1();
	host.ucas = UVET_SIBLING_CROWDED;
	assert_int_equal(check_io(open_sibling), UVET_UNDETERMINED);
	assert_int_equal(uvet_report_shortages(made.report), UVET_SHORT_OF_FILES);
	assert_int_equal(uvet_report_unjudged_count(made.report), 1);
	assert_int_equal(uvet_report_unjudged_at(made.report, 0, &u), 1);
	assert_string_equal(u.reason, "unreadable");
	assert_string_equal(u.file, "Box_P.ucas");
	assert_string_equal(u.what, "too many files are open");
	host.ucas = UVET_SIBLING_OPEN;
	host.pak = UVET_SIBLING_CROWDED;
	assert_int_equal(check_io(open_sibling), UVET_UNDETERMINED);
	assert_int_equal(uvet_report_shortages(made.report), UVET_SHORT_OF_FILES);
	host.pak = UVET_SIBLING_OPEN;
	assert_int_equal(check_io(open_sibling), UVET_VALID);
	assert_int_equal(uvet_report_shortages(made.report), 0);
}

/* Who asks for tables gets an answer about those that are there, and is told what it is about. */
static void tables_alone_are_judged(void **state)
{
	uvet_writer *writer;

	(void)state;
	needs_sha1();
	set("level", "structure");
	assert_int_equal(check_io(open_sibling), UVET_VALID);
	assert_int_equal(uvet_report_scope(made.report), UVET_SCOPE_TABLES);
	assert_int_equal(check_memory(), UVET_VALID);
	assert_int_equal(uvet_report_scope(made.report), UVET_SCOPE_TABLES | UVET_SCOPE_ALONE);
	assert_int_equal(uvet_writer_new(made.engine, &writer), UVET_OK);
	assert_int_equal(uvet_writer_scope(writer), 0);
	assert_int_equal(uvet_writer_add(writer, made.report), UVET_OK);
	assert_int_equal(uvet_writer_scope(writer), UVET_SCOPE_TABLES | UVET_SCOPE_ALONE);
	assert_int_equal(uvet_writer_exit_code(writer), 0);
	uvet_writer_free(writer);
	/* the files beside it are held against the tables, if there is a way to them */
	box.n_ucas -= BLOCK;
	assert_int_equal(check_io(open_sibling), UVET_INVALID);
	assert_true(n_of("BLK008") > 0);
	assert_int_equal(check_memory(), UVET_VALID);
}

/* Nothing of the payload is asked for at that level, and so nothing of it is missing. */
static void tables_need_no_decoder(void **state)
{
	(void)state;
	needs_sha1();
	name_method("Oodle");
	assert_int_equal(check_io(open_sibling), UVET_UNDETERMINED);
	expect_one_reason("codec", "Oodle", box.n_blocks * BLOCK / 2);
	assert_int_equal(uvet_report_found(made.report, UVET_SEVERITY_UNDETERMINED), 1);
	set("level", "structure");
	assert_int_equal(check_io(open_sibling), UVET_VALID);
	assert_int_equal(uvet_report_unjudged_count(made.report), 0);
	assert_int_equal(uvet_report_scope(made.report), UVET_SCOPE_TABLES);
}

static void scopes_follow_the_profile(void **state)
{
	(void)state;
	set("ignore", "SET001");
	host.pak = UVET_SIBLING_ABSENT;
	assert_int_equal(check_io(open_sibling), UVET_VALID);
	assert_int_equal(uvet_report_scope(made.report), UVET_SCOPE_RULES);
	set("ignore", "all");
	assert_int_equal(check_io(open_sibling), UVET_UNDETERMINED);
	expect_one_reason("rules", "", box.n_toc);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, begin_host, end_host)
	const struct CMUnitTest tests[] = {
		T(a_container_with_its_files_is_valid),
		T(a_folder_is_looked_through_for_what_is_missing),
		T(a_host_without_a_folder_leaves_it_open),
		T(an_empty_container_is_left_open_too),
		T(a_host_that_knows_is_believed),
		T(a_file_that_cannot_be_read_is_not_missing),
		T(files_that_were_looked_at_are_told),
		T(too_many_open_files_are_a_shortage),
		T(tables_alone_are_judged),
		T(tables_need_no_decoder),
		T(scopes_follow_the_profile),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}

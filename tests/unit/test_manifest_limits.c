/* Tests of manifests that meet a limit: memory that ends, findings that are not kept, too many
 * lines. */
#include <stdio.h>

#include "manifest_state.h"

/* Refuses one request of a check: it is never valid then, and nothing is left behind. It returns
 * whether there are fewer requests. */
static bool check_refused(const char *ini, uint64_t at)
{
	struct check_input in = { .name = "a.umod" };
	bool whole;

	report_free(report);
	memory = (struct fault_memory){ 0 };
	report = NULL;
	check_ini(ini);
	report_free(report);
	memory = (struct fault_memory){ .fail_at = at };
	in.io.size = file.n;
	in.memory = file.bytes;
	report = engine_check(&engine, &in);
	whole = memory.n_asked < at;
	if (report && !whole)
		assert_true(report->verdict == VERDICT_INVALID || n_found("RUN005") == 1);
	return whole;
}

/* Every sort of list. */
static void memory_that_ends_anywhere(void **state)
{
	static const char ini[] = SETUP
		"Version=2\r\nRequires=Need\r\nReadMe=a.txt\r\n[A]\r\nGroup=B\r\n[B]\r\nGroup="
		"A\r\n[A]\r\nGroup=C\r\n[Need]\r\n"
		"Product=UT2004\r\nProduct=UT2003\r\nVersion=1\r\n" FILES
		"Folder=%DestPath%\r\n[Files]x=y\r\nGroup =\xE9\r\n[\xC9]\r\n"
		"File=(Src=System\\Mod.txt)\r\nFile=(Src=System\\mod.txt,Dest=System\\Mod.u)\r\n"
		"AddIni=a.ini,b.ServerPackages=Mod\r\n";
	uint64_t at = 1;

	(void)state;
	engine.chunk_len = 0;
	while (!check_refused(ini, at))
		at++;
	assert_true(at > 20);
	third_name = "System\\Manifest.det";
	for (at = 1; !check_refused(ini, at);)
		at++;
	assert_true(at > 20);
}

#define LONG_NAME "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

/* More characters than a path may have. */
#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
#define LONG FIFTY FIFTY FIFTY FIFTY FIFTY

/* Sanitizers are slow, and see one request in three. */
#if defined(UVET_ASAN) || defined(UVET_MSAN)
enum { EACH_REQUEST = 3 };
#else
enum { EACH_REQUEST = 1 };
#endif

/* One list each that is longer than what other lists leave of the memory that they got. */
static void memory_that_ends_in_long_lists(void **state)
{
	static const char *const lines[] = { "File=(Src=\xF6)\r\n",
					     "Folder=%SrcPath%\r\n",
					     "Group=\xE9\r\n",
					     "[Files]a=b\r\n",
					     "Group= Files\r\n",
					     "junk\r\n",
					     "Version=a\r\nVersion=b\r\n",
					     "Delete=a\r\n",
					     "Ini=\r\n",
					     "\x01\r\n",
					     "DirectXHook=a\r\n",
					     "AddIni=UT2004.ini,.b=\r\n",
					     "AddIni=System\\a.txt,b.c=\r\n",
					     "[Setup]\r\nExe=/\r\n",
					     "aURL=/\r\n",
					     "aURL=a\r\n",
					     "aURL=a\\b\r\n",
					     "aURL=aa:b\r\n",
					     "Shortcut=a\r\n",
					     "Group=" LONG_NAME "\r\n",
					     "File=(Src=a) \r\n",
					     "File=(Src=\xD6,Ref=a)\r\n",
					     "Copy=(Src=System/Manifest.int)\r\n",
					     "Folder=" LONG "\r\n",
					     "File=(Src=\xD6,Dest=" LONG ")\r\n",
					     "File=(Dest=\"Src=a\",Src=\xD6)\r\n" };
	static char ini[40000];

	(void)state;
	third_name = "\xD6";
	engine.chunk_len = 0;
	for (size_t k = 0; k < LENGTH(lines); k++) {
		size_t n = (size_t)snprintf(ini, sizeof ini, "%s", SETUP "Requires=\xC9\r\n");
		uint64_t at = 1;

		for (unsigned i = 0; k == 1 && i < 700; i++)
			n += (size_t)snprintf(ini + n, sizeof ini - n, "k%u=%%a%%\r\n",
					      i * 11 % 700);
		n += (size_t)snprintf(ini + n, sizeof ini - n, "%s", FILES "[\xC9]\r\n");
		for (unsigned i = 0; i < 100; i++)
			n += (size_t)snprintf(ini + n, sizeof ini - n, "%s", lines[k]);
		while (!check_refused(ini, at))
			at += EACH_REQUEST;
		assert_true(at > 20);
	}
}

static uint64_t n_kept(const char *id)
{
	return report_result(report, catalog_find(id, 6))->n_kept;
}

static void assert_severities(const char *id, uint64_t n_notes, uint64_t n_warnings,
			      uint64_t n_errors)
{
	const struct rule_result *result = report_result(report, catalog_find(id, 6));

	assert_int_equal(result->n_found[SEVERITY_NOTE], n_notes);
	assert_int_equal(result->n_found[SEVERITY_WARNING], n_warnings);
	assert_int_equal(result->n_found[SEVERITY_ERROR], n_errors);
}

/* Of what no finding is kept it is known how often it is there, and how bad it is. */
static void what_is_not_kept_is_counted(void **state)
{
	static const char part[] = "junk\r\nRemovePath=..\\a\r\nDelete=..\\b\r\nRemovePath=.."
				   "\\c\r\nGroup=\"Files\"\r\nGroup= Files\r\n"
				   "x=\x02\r\n[Files]x\r\n[Files]x=y\r\nDelete=%CdPath%"
				   "\r\nRemovePath=%CdPath%\r\nRequires=\xE9\r\n";
	const struct rule_result *result;
	char ini[16384];
	size_t n = (size_t)snprintf(ini, sizeof ini, "%s",
				    SETUP
				    "Product=x\r\nProduct=y\r\nProduct=z\r\n[\xC9]\r\n" FILES);

	(void)state;
	for (unsigned i = 0; i < 40; i++)
		n += (size_t)snprintf(ini + n, sizeof ini - n, "%s", part);
	for (uint64_t keep = 0; keep < 4; keep++) {
		engine.limits.of[LIMIT_rule_findings] = keep;
		check_ini(ini);
		assert_int_equal(n_found("MAN025"), 80);
		assert_int_equal(n_kept("MAN025"), keep);
		assert_int_equal(n_found("MAN012"), 80);
		assert_severities("MAN026", 0, 40, 0);
		assert_severities("MAN034", 40, 80, 0);
		assert_severities("MAN035", 0, 40, 40);
		assert_severities("MAN032", 0, 40, 40);
		assert_severities("MAN033", 0, 3, 0);
		assert_int_equal(n_kept("MAN024"), keep);
		result = report_result(report, catalog_find("MAN024", 6));
		assert_int_equal(result->n_found[SEVERITY_WARNING], 80);
		assert_int_equal(result->n_found[SEVERITY_ERROR], 40);
	}
	assert_int_equal(report_result(report, catalog_find("MAN024", 6))->first->severity,
			 SEVERITY_WARNING);
	assert_int_equal(report_result(report, catalog_find("MAN024", 6))->first->next->severity,
			 SEVERITY_ERROR);
}

static void too_many_lines_are_a_limit(void **state)
{
	(void)state;
	engine.limits.of[LIMIT_entries] = 5;
	check_ini(SETUP FILES);
	assert_int_equal(report->verdict, VERDICT_UNDETERMINED);
	assert_int_equal(n_found("RUN001"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MANIFEST_TEST(memory_that_ends_anywhere),
		MANIFEST_TEST(memory_that_ends_in_long_lists),
		MANIFEST_TEST(what_is_not_kept_is_counted),
		MANIFEST_TEST(too_many_lines_are_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

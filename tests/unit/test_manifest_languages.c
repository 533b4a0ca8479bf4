/* Tests of the manifests of other languages: many of them, and what keeps one of them from being
 * read. */
#include <stdio.h>

#include "installer_state.h"

static const char ini[] =
	"[Setup]\r\nProduct=Mod\r\nVersion=100\r\nGroup=Files\r\n[Files]\r\n"
	"Copy=(Src=System\\Manifest.ini,Flags=3)\r\nCopy=(Src=System\\Manifest.int,Flags=3)\r\n";

enum { OTHERS = 40, OTHER_SECTIONS = 70 };

/* check_others checks an installer with some manifests of other languages, all with one content but
 * the first. */
static void check_others(unsigned n, const char *first, const char *content)
{
	struct build_member members[2 + OTHERS] = { { "System\\Manifest.ini", ini, 3 },
						    { "System\\Manifest.int", build_int, 3 } };
	char names[OTHERS][24];

	for (unsigned i = 0; i < n; i++) {
		snprintf(names[i], sizeof names[i], "System\\Manifest.t%02u", i);
		members[2 + i] = (struct build_member){ names[i], i == 0 ? first : content, 3 };
	}
	build_installer(&file, members, 2 + n);
	check_file();
}

/* Each has its own sections, of which there are more than go into one block of memory. */
static void many_manifests_of_other_languages(void **state)
{
	char text[1024];
	size_t n = 0;

	(void)state;
	for (unsigned i = 0; i < OTHER_SECTIONS; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "[a%02u]\n", i);
	snprintf(text + n, sizeof text - n, "[A07]\n");
	check_others(OTHERS, "", text);
	assert_int_equal(n_found("MAN020"), OTHERS - 1);
	assert_int_equal(n_found("MAN001"), 0);
	engine.limits.of[LIMIT_rule_findings] = 2;
	check_others(OTHERS, text, "\xFF\xFE]");
	assert_int_equal(n_found("MAN020"), 1);
	assert_int_equal(n_found("MAN001"), OTHERS - 1);
	assert_int_equal(result_of("MAN001")->n_kept, 2);
}

/* What lies in the bytes of all the others is one of them all the same. */
static void a_manifest_of_another_language_that_is_everything(void **state)
{
	(void)state;
	check_others(2, "[a]\n", "[b]\n[b]\n");
	assert_int_equal(n_found("MAN020"), 1);
	set_u32(&file, file.trailer_at - 12, 0);
	set_u32(&file, file.trailer_at - 8, (uint32_t)file.dir_at);
	build_put_crc(&file);
	check_file();
	assert_int_equal(n_found("MAN020"), 2);
	assert_int_equal(n_found("UMD010"), 0);
}

static void work_that_ends_anywhere(void **state)
{
	(void)state;
	for (uint64_t work = 1; work == 1 || n_found("RUN001") > 0; work++) {
		engine.limits.of[LIMIT_work] = work;
		check_others(2, "[a]\n[b]\n[c]\n", "[a]\n[b]\n[c]\n");
		assert_int_equal(report->verdict,
				 n_found("RUN001") > 0 ? VERDICT_UNDETERMINED : VERDICT_VALID);
	}
}

/* One that is too long does not keep us from the next. */
static void a_manifest_of_another_language_that_is_too_long(void **state)
{
	char text[sizeof ini + 8];

	(void)state;
	snprintf(text, sizeof text, "%s[long]\r\n", ini);
	engine.limits.of[LIMIT_text] = strlen(text) - 1;
	check_others(2, text, "[a]\n[a]\n");
	assert_int_equal(report->verdict, VERDICT_UNDETERMINED);
	assert_int_equal(n_found("RUN001"), 1);
	assert_int_equal(n_found("MAN020"), 1);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, installer_begin, installer_end)
	const struct CMUnitTest tests[] = {
		T(many_manifests_of_other_languages),
		T(a_manifest_of_another_language_that_is_everything),
		T(a_manifest_of_another_language_that_is_too_long),
		T(work_that_ends_anywhere),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of manifests: what the vectors do not reach, such as names whose hashes collide. Copies and
 * limits have files of their own. */
#include "collide.h"
#include "manifest_state.h"

/* ---- [Setup] --------------------------------------------------------------------------------- */

static void the_first_value_counts_and_the_last(void **state)
{
	(void)state;
	check_ini("[Setup]\r\nProduct=\r\nProduct=Mod\r\nProduct=Unreal\r\nGroup=Files\r\nArchive="
		  "\r\nArchive=a\r\nArchive=..\\b\r\n" FILES);
	assert_int_equal(n_found("MAN001"), 0);
	assert_int_equal(n_found("MAN016"), 1);
	assert_int_equal(n_found("MAN018"), 1);
	assert_int_equal(n_found("MAN033"), 4);
	check_ini("[Setup]\r\nProduct=Unreal\r\nProduct=a\r\nProduct=unreal\r\nGroup="
		  "Files\r\nArchive=..\\b\r\nArchive=../b\r\n" FILES);
	assert_int_equal(n_found("MAN016"), 1);
	assert_int_equal(n_found("MAN018"), 2);
	assert_int_equal(n_found("MAN033"), 2);
	check_ini("[Setup]\r\nProduct=a\r\nProduct=Unreal\r\nProduct=A\r\nVersion=1\r\nVersion="
		  "1\r\n" FILES);
	assert_int_equal(n_found("MAN016"), 0);
	assert_int_equal(n_found("MAN033"), 1);
}

static void an_add_on_is_no_game(void **state)
{
	(void)state;
	check_ini("[Setup]\r\nProduct=UTBonusPack4\r\nGroup=Files\r\n" FILES);
	assert_int_equal(n_found("MAN016"), 0);
}

/* ---- References ------------------------------------------------------------------------------ */

static void many_missing_sections(void **state)
{
	char ini[4096];
	size_t n = (size_t)snprintf(ini, sizeof ini, "%s", SETUP);

	(void)state;
	for (unsigned i = 0; i < 60; i++)
		n += (size_t)snprintf(ini + n, sizeof ini - n, "Group=Missing%u\r\n", i);
	snprintf(ini + n, sizeof ini - n, "%s", FILES);
	check_ini(ini);
	assert_int_equal(n_found("MAN002"), 60);
}

static void a_requirement_named_twice_is_one(void **state)
{
	(void)state;
	check_ini(SETUP "Requires=Need\r\nRequires=need\r\nRequires=Gone\r\n[Need]\r\nProduct="
			"Nothing Known\r\nVersion=1\r\n" FILES);
	assert_int_equal(n_found("MAN009"), 1);
	assert_int_equal(n_found("MAN002"), 1);
}

/* Names of one length that begin alike have one key. */
static void sections_whose_keys_collide(void **state)
{
	static const char a[] = "Part One", b[] = "part two";
	char ini[1024];

	(void)state;
	snprintf(ini, sizeof ini, SETUP "Group=%s\r\nGroup=%s\r\n[%s]\r\n[%s]\r\n" FILES, a, b, b,
		 a);
	check_ini(ini);
	assert_int_equal(n_found("MAN020") + n_found("MAN002") + n_found("MAN003"), 0);
	snprintf(ini, sizeof ini, SETUP "Group=%s\r\n[%s]\r\n" FILES, b, a);
	check_ini(ini);
	assert_int_equal(n_found("MAN002"), 1);
	snprintf(ini, sizeof ini, SETUP "Group=%s\r\n[%s]\r\n" FILES, a, b);
	check_ini(ini);
	assert_int_equal(n_found("MAN002"), 1);
}

/* ---- Actions --------------------------------------------------------------------------------- */

static void settings_badly_written(void **state)
{
	static const struct {
		const char *value, *rule;
	} bad[] = { { "", "MAN042" },           { "a.ini", "MAN042" },
		    { "a.ini,", "MAN042" },     { "a.ini,b", "MAN042" },
		    { "a.ini,b.c", "MAN042" },  { "a.ini,b=c", "MAN042" },
		    { "a.ini,=", "MAN042" },    { "a.ini,b=.c", "MAN042" },
		    { "a.ini,.c=d", "MAN013" }, { "a.ini,b.=c", "MAN013" },
		    { "a.ini, .=", "MAN013" },  { "a.txt,b.c=d", "MAN041" },
		    { ",b.c=d", "MAN041" } };
	char ini[1024];

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++) {
		snprintf(ini, sizeof ini, SETUP FILES "AddIni=%s\r\n", bad[i].value);
		check_ini(ini);
		if (n_found(bad[i].rule) != 1 ||
		    n_found("MAN013") + n_found("MAN041") + n_found("MAN042") != 1)
			fail_msg("AddIni=%s is badly written", bad[i].value);
	}
	check_ini(SETUP FILES "AddIni=a.ini,b.d.c=\r\n");
	assert_int_equal(n_found("MAN013") + n_found("MAN041") + n_found("MAN042"), 0);
}

static void packages_whose_hashes_collide(void **state)
{
	char a[COLLIDE_LEN], b[COLLIDE_LEN], ini[1024], name[16];
	struct build_member members[] = { { "System\\Manifest.ini", ini, 3 },
					  { "System\\Manifest.int", build_int, 3 },
					  { name, "1", 0 } };

	(void)state;
	assert_true(collide(a, b));
	snprintf(ini, sizeof ini,
		 SETUP FILES "AddIni=a.ini,Engine.GameEngine.ServerPackages=%s\r\n"
			     "AddIni=a.ini,Engine.GameEngine.ServerPackages=%s\r\n",
		 a, b);
	snprintf(name, sizeof name, "%s.u", a);
	build_installer(&file, members, 3);
	check_file();
	assert_int_equal(n_found("MAN014"), 1);
	snprintf(name, sizeof name, "%s.u", b);
	build_installer(&file, members, 3);
	check_file();
	assert_int_equal(n_found("MAN014"), 1);
}

/* ---- Placeholders ---------------------------------------------------------------------------- */

static void keys_whose_hashes_collide(void **state)
{
	char a[COLLIDE_LEN], b[COLLIDE_LEN], ini[1024];
	const char *names[] = { a, b };

	(void)state;
	assert_true(collide(a, b));
	for (unsigned harmful = 0; harmful < 2; harmful++) {
		snprintf(ini, sizeof ini, SETUP "%s=Foo\r\n%s=..\r\nFolder=%%%s%%\r\n" FILES,
			 names[!harmful], names[harmful], names[0]);
		check_ini(ini);
		assert_int_equal(n_found("MAN032"), !harmful);
		snprintf(ini, sizeof ini, SETUP "%s=..\r\nFolder=%%%s%%\r\n" FILES, names[harmful],
			 names[!harmful]);
		check_ini(ini);
		assert_int_equal(n_found("MAN032"), 0);
	}
}

/* However often a key is there, and whatever it stands for elsewhere, one harmful value is
 * found. */
static void one_harmful_value_of_many(void **state)
{
	static char ini[20000];

	(void)state;
	for (unsigned harmful = 0; harmful <= 400; harmful += 50) {
		size_t n = (size_t)snprintf(ini, sizeof ini, "%s",
					    SETUP "Folder=%Where%\r\nFolder=%Other%\r\n");

		for (unsigned i = 0; i < 400; i++)
			n += (size_t)snprintf(ini + n, sizeof ini - n, "%s=%s\r\n",
					      i % 2 ? "where" : "OTHER",
					      i == harmful ? "../Foo" : "Foo");
		snprintf(ini + n, sizeof ini - n, "%s", FILES);
		check_ini(ini);
		assert_int_equal(n_found("MAN032"), harmful < 400);
	}
}

/* ---- Encodings ------------------------------------------------------------------------------- */

/* check_wide checks an installer with the ini in UTF-16 of the given byte order. */
static void check_wide(const char *ini, bool big_endian)
{
	size_t n = strlen(ini), at;

	file = (struct build){ .n = 0 };
	put_bytes(&file, big_endian ? "\xFE\xFF" : "\xFF\xFE", 2);
	for (size_t i = 0; i < n; i++) {
		put_uint(&file, big_endian ? 0 : (uint8_t)ini[i], 1);
		put_uint(&file, big_endian ? (uint8_t)ini[i] : 0, 1);
	}
	at = file.n;
	put_bytes(&file, build_int, sizeof build_int - 1);
	file.dir_at = file.n;
	put_uint(&file, 2, 1);
	put_name(&file, "System\\Manifest.ini");
	put_uint(&file, 0, 4);
	put_uint(&file, at, 4);
	put_uint(&file, 3, 4);
	put_name(&file, "System\\Manifest.int");
	put_uint(&file, at, 4);
	put_uint(&file, sizeof build_int - 1, 4);
	put_uint(&file, 3, 4);
	put_trailer(&file);
	check_file();
}

static void utf16_of_both_orders(void **state)
{
	(void)state;
	for (int big_endian = 0; big_endian < 2; big_endian++) {
		check_wide(SETUP "ReadMe=Manifest.int\r\nLicense=Gone.txt\r\nLogo=System\\Manifest."
				 "int\r\n" FILES,
			   big_endian);
		assert_int_equal(report->verdict, VERDICT_VALID);
		assert_int_equal(n_found("MAN015"), 1);
		assert_int_equal(n_found("MAN001"), 0);
	}
}

static void marks_that_are_none(void **state)
{
	static const char *const starts[] = { "\xFE",     "\xFF",  "\xFE\xFE",
					      "\xFF\xFF", "\xFFx", "\xFEx" };
	char ini[1024];

	(void)state;
	for (size_t i = 0; i < LENGTH(starts); i++) {
		snprintf(ini, sizeof ini, "%s\r\n" SETUP FILES, starts[i]);
		check_ini(ini);
		assert_int_equal(n_found("MAN001"), 0);
		assert_int_equal(n_found("MAN025"), 1);
	}
	check_ini("\xFE");
	assert_int_equal(n_found("MAN001"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MANIFEST_TEST(the_first_value_counts_and_the_last),
		MANIFEST_TEST(an_add_on_is_no_game),
		MANIFEST_TEST(many_missing_sections),
		MANIFEST_TEST(a_requirement_named_twice_is_one),
		MANIFEST_TEST(sections_whose_keys_collide),
		MANIFEST_TEST(settings_badly_written),
		MANIFEST_TEST(packages_whose_hashes_collide),
		MANIFEST_TEST(keys_whose_hashes_collide),
		MANIFEST_TEST(one_harmful_value_of_many),
		MANIFEST_TEST(utf16_of_both_orders),
		MANIFEST_TEST(marks_that_are_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of what manifests copy: every way to write a tuple badly, names whose hashes collide, and
 * patches. */
#include "collide.h"
#include "manifest_state.h"

/* check_copy checks a manifest that has this value of File. */
static void check_copy(const char *value)
{
	char ini[1024];

	snprintf(ini, sizeof ini, SETUP FILES "File=%s\r\n", value);
	check_ini(ini);
}

static void tuples_badly_written(void **state)
{
	static const char *const bad[] = {
		"",
		"Src=System\\Mod.txt",
		"(",
		")",
		"(Src=System\\Mod.txt",
		"()",
		"(Src)",
		"(Size=4)",
		"(Src=,Size=4)",
		"(Src=System\\Mod.txt,Size=x)",
		"(Src=System\\Mod.txt,Flags=-1)",
		"(Src=\"System\\Mod.txt)",
		"(Src=\"System\\Mod.txt\"x)",
		"(Size=x,Src=\"System\\Mod.txt)",
		"(Src=\"System\\Mod.txt\"x,Dest=\"System\\Mod.txt\"y)",
		"(Src=System\\Mod.txt,Size=x,Flags=y)",
		"(Src=System\\Mod.txt,Dest)",
		"(Src=System\\Mod.txt,,Size=4)",
		"(Size=x,Dest,Src=System\\Mod.txt)",
		"( Src = System\\Mod.txt , Size = 4 )",
		"\"\"",
		"\"",
		"\"(\"",
		"\"x",
		"(Size=4,Src=)",
		"\"(Src=System\\Mod.txt)\"",
		"Src=\"System\\Mod.txt",
		"Src=\"",
		"(Src=System\\Mod.txt,Dest= a)",
		"(Src=System\\Mod.txt,Dest=a\tb,Ref=c d)",
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++) {
		check_copy(bad[i]);
		if (n_found("MAN021") != 1)
			fail_msg("%s is badly written", bad[i]);
	}
}

static void tuples_well_written(void **state)
{
	static const char *const good[] = {
		"(Src=System\\Mod.txt)",
		"( Src=System\\Mod.txt , Size = 4 )",
		"(Src=\"System\\Mod.txt\",Size=4)",
		"(Src=\"System\\Mod.txt\" , Size=4)",
		"(SRC=system/mod.txt,Master=x)",
		"(Src=System\\Mod.txt,Dest=\"a,b.u\")",
		"(Src=System\\Mod.txt,)",
		"(Src=System\\Mod.txt,Dest=)",
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(good); i++) {
		check_copy(good[i]);
		if (n_found("MAN021") != 0 || n_found("MAN004") != 0 || n_found("MAN007") != 0)
			fail_msg("%s is well written", good[i]);
	}
}

/* Blanks around what is hardly a value, and quotes at one end of it alone. */
static void ends_of_values(void **state)
{
	static const char *const good[] = { " ",
					    "  \t",
					    " \"",
					    "\" ",
					    "\"(Src=System\\Mod.txt,Size=4) ",
					    "(Src=System\\Mod.txt,Size=4) \"",
					    "\" \" " };
	static const char *const bad[] = { "(Src=System\\Mod.txt) ", "\"(Src=System\\Mod.txt) \"",
					   "(Src=x,Dest=)\t", "(Ref=a,Src=) " };

	(void)state;
	for (size_t i = 0; i < LENGTH(good) + LENGTH(bad); i++) {
		const bool is_good = i < LENGTH(good);
		const char *value = is_good ? good[i] : bad[i - LENGTH(good)];

		check_copy(value);
		if (n_found("MAN045") != !is_good)
			fail_msg("File=%s", value);
	}
	check_ini(SETUP FILES "File= (Src=System\\Mod.txt)");
	assert_int_equal(n_found("MAN045"), 0);
	check_ini(SETUP FILES "File=(Src=System\\Mod.txt) ");
	assert_int_equal(n_found("MAN045"), 1);
}

static void members_whose_hashes_collide(void **state)
{
	char a[COLLIDE_LEN], b[COLLIDE_LEN], ini[1024];
	struct build_member members[] = { { "System\\Manifest.ini", ini, 3 },
					  { "System\\Manifest.int", build_int, 3 },
					  { b, "1", 0 },
					  { a, "2", 0 } };

	(void)state;
	assert_true(collide(a, b));
	snprintf(ini, sizeof ini, SETUP FILES "File=(Src=%s)\r\nFile=(Src=%s)\r\n", a, b);
	build_installer(&file, members, 4);
	check_file();
	assert_int_equal(
		n_found("UMD013") + n_found("MAN004") + n_found("MAN007") + n_found("MAN023"), 0);
	build_installer(&file, members, 3);
	check_file();
	assert_int_equal(n_found("MAN004"), 1);
	members[2].name = a;
	build_installer(&file, members, 3);
	check_file();
	assert_int_equal(n_found("MAN004"), 1);
}

/* The line's own guess, the member that follows the last one named, may be wrong in every way. */
static void copies_in_any_order(void **state)
{
	static const struct build_member members[] = {
		{ "System\\Manifest.ini",
		  SETUP FILES "File=(Src=b.txt)\r\nFile=(Src=a.txt)\r\nFile=(Src=b.txt)\r\nFile=("
			      "Src=c.txt)\r\n",
		  3 },
		{ "System\\Manifest.int", build_int, 3 },
		{ "a.txt", "1", 0 },
		{ "b.txt", "2", 0 },
		{ "A.txt", "3", 0 },
		{ "c.txt", "4", 0 },
	};

	(void)state;
	build_installer(&file, members, LENGTH(members));
	check_file();
	assert_int_equal(n_found("MAN004"), 0);
	assert_int_equal(n_found("UMD013"), 1);
	assert_int_equal(n_found("MAN022"), 1);
	assert_int_equal(n_found("MAN007"), 0);
}

static void places_whose_hashes_collide(void **state)
{
	char a[COLLIDE_LEN], b[COLLIDE_LEN], ini[1024];

	(void)state;
	assert_true(collide(a, b));
	snprintf(ini, sizeof ini,
		 SETUP "[Files]\r\nCopy=(Src=System\\Manifest.ini,Flags=3,Dest=%s)\r\nCopy=(Src="
		       "System\\Manifest.int,Flags=3,Dest=%s)\r\n"
		       "File=(Src=System\\Mod.txt,Dest=%s)\r\n",
		 a, b, a);
	check_ini(ini);
	assert_int_equal(n_found("MAN023"), 1);
}

/* There are more than are held while the content is read; the last but one is none. */
static void many_patches(void **state)
{
	enum { MANY = 12 };
	static const char delta[] = "\x12\x29\xF9\x92";
	struct build_member members[2 + MANY] = { { "System\\Manifest.ini", NULL, 3 },
						  { "System\\Manifest.int", build_int, 3 } };
	char ini[1024] = SETUP FILES, names[MANY][8];

	(void)state;
	for (unsigned i = 0; i < MANY; i++) {
		const size_t n = strlen(ini);

		snprintf(names[i], sizeof names[i], "P%u.u", i);
		snprintf(ini + n, sizeof ini - n, "File=(Src=%s,Ref=%s,Size=99)\r\n", names[i],
			 names[i]);
		members[2 + i] = (struct build_member){ names[i], i == MANY - 2 ? "12345" : delta,
							0 };
	}
	members[0].content = ini;
	build_installer(&file, members, LENGTH(members));
	check_file();
	assert_int_equal(n_found("MAN036"), MANY - 1);
	assert_int_equal(n_found("MAN005"), 1);
	assert_int_equal(report->verdict, VERDICT_INVALID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MANIFEST_TEST(tuples_badly_written), MANIFEST_TEST(tuples_well_written),
		MANIFEST_TEST(ends_of_values),       MANIFEST_TEST(members_whose_hashes_collide),
		MANIFEST_TEST(copies_in_any_order),  MANIFEST_TEST(places_whose_hashes_collide),
		MANIFEST_TEST(many_patches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

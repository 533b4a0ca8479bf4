/* Tests of manifests: what the vectors do not reach, such as names whose hashes collide, and every
 * way to write a tuple badly. */
#include "collide.h"
#include "installer_state.h"

static const char *third_name;

static int begin_with_name(void **state)
{
	third_name = "System\\Mod.txt";
	return installer_begin(state);
}

/* check_ini checks an installer with this Manifest.ini, a proper Manifest.int, and a third member,
 * System\Mod.txt if not told otherwise. */
static void check_ini(const char *ini)
{
	build_installer(&file,
			(const struct build_member[]){ { "System\\Manifest.ini", ini, 3 },
						       { "System\\Manifest.int", build_int, 3 },
						       { third_name, "code", 0 } },
			3);
	check_file();
}

#define SETUP "[Setup]\r\nProduct=Mod\r\nVersion=100\r\nGroup=Files\r\n"
#define FILES \
	"[Files]\r\nCopy=(Src=System\\Manifest.ini,Flags=3)\r\nCopy=(Src=System\\Manifest.int," \
	"Flags=3)\r\n"

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

/* ---- Copies ---------------------------------------------------------------------------------- */

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
	char ini[1024];

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++) {
		snprintf(ini, sizeof ini, SETUP FILES "File=%s\r\n", bad[i]);
		check_ini(ini);
		if (n_found("MAN021") != 1)
			fail_msg("%s is badly written", bad[i]);
	}
	for (size_t i = 0; i < LENGTH(good); i++) {
		snprintf(ini, sizeof ini, SETUP FILES "File=%s\r\n", good[i]);
		check_ini(ini);
		if (n_found("MAN021") != 0 || n_found("MAN004") != 0 || n_found("MAN007") != 0)
			fail_msg("%s is well written", good[i]);
	}
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
	char ini[1024];

	(void)state;
	for (size_t i = 0; i < LENGTH(good) + LENGTH(bad); i++) {
		const bool is_good = i < LENGTH(good);
		const char *value = is_good ? good[i] : bad[i - LENGTH(good)];

		snprintf(ini, sizeof ini, SETUP FILES "File=%s\r\n", value);
		check_ini(ini);
		if (n_found("MAN045") != !is_good)
			fail_msg("File=%s", value);
	}
	check_ini(SETUP FILES "File= (Src=System\\Mod.txt)");
	assert_int_equal(n_found("MAN045"), 0);
	check_ini(SETUP FILES "File=(Src=System\\Mod.txt) ");
	assert_int_equal(n_found("MAN045"), 1);
}

/* ---- Actions --------------------------------------------------------------------------------- */

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
					     "File=(Src=\xD6,Dest=" LONG ")\r\n" };
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
			at++;
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
#define T(name) cmocka_unit_test_setup_teardown(name, begin_with_name, installer_end)
	const struct CMUnitTest tests[] = {
		T(the_first_value_counts_and_the_last),
		T(an_add_on_is_no_game),
		T(many_missing_sections),
		T(a_requirement_named_twice_is_one),
		T(sections_whose_keys_collide),
		T(tuples_badly_written),
		T(members_whose_hashes_collide),
		T(copies_in_any_order),
		T(places_whose_hashes_collide),
		T(ends_of_values),
		T(many_patches),
		T(settings_badly_written),
		T(packages_whose_hashes_collide),
		T(keys_whose_hashes_collide),
		T(one_harmful_value_of_many),
		T(utf16_of_both_orders),
		T(marks_that_are_none),
		T(memory_that_ends_anywhere),
		T(memory_that_ends_in_long_lists),
		T(what_is_not_kept_is_counted),
		T(too_many_lines_are_a_limit),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}

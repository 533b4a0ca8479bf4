/* What tests of manifests begin with: an installer that is made around a Manifest.ini, and
 * checked. */
#ifndef UVET_TESTS_MANIFEST_STATE_H
#define UVET_TESTS_MANIFEST_STATE_H

#include "installer_state.h"

static const char *third_name;

static inline int begin_with_name(void **state)
{
	third_name = "System\\Mod.txt";
	return installer_begin(state);
}

/* check_ini checks an installer with this Manifest.ini, a proper Manifest.int, and a third member,
 * System\Mod.txt if not told otherwise. */
static inline void check_ini(const char *ini)
{
	build_installer(&file,
			(const struct build_member[]){ { "System\\Manifest.ini", ini, 3 },
						       { "System\\Manifest.int", build_int, 3 },
						       { third_name, "code", 0 } },
			3);
	check_file();
}

/* A manifest begins with these sections. */
#define SETUP "[Setup]\r\nProduct=Mod\r\nVersion=100\r\nGroup=Files\r\n"
#define FILES \
	"[Files]\r\nCopy=(Src=System\\Manifest.ini,Flags=3)\r\nCopy=(Src=System\\Manifest.int," \
	"Flags=3)\r\n"

#define MANIFEST_TEST(name) cmocka_unit_test_setup_teardown(name, begin_with_name, installer_end)

#endif

/* Installers whose manifest is the point: n lines of each kind, and the worst that a manifest can
 * be. */
#include "forge.h"

#include <stdlib.h>

static void finish(struct forge *f, struct heap *lines)
{
	forge_manifests(f, lines);
	free(lines->data);
}

/* n lines that differ in a number at most; what stands between % signs is theirs. */
#define LINES(NAME, FORMAT) \
	static void write_##NAME(struct forge *f, uint32_t n) \
	{ \
		struct heap lines = { 0 }; \
		for (unsigned i = 0; i < n; i++) \
			heap_format(&lines, FORMAT "\r\n", i); \
		finish(f, &lines); \
	}

/* The same in [Setup], which is a section that may stand again. */
#define SETUP_LINES(NAME, FORMAT) \
	static void write_##NAME(struct forge *f, uint32_t n) \
	{ \
		struct heap lines = { 0 }; \
		heap_format(&lines, "[Setup]\r\n"); \
		for (unsigned i = 0; i < n; i++) \
			heap_format(&lines, FORMAT "\r\n", i); \
		finish(f, &lines); \
	}

/* Lines as short as they can be, so that there are as many as can be: three letters at most tell
 * them apart. */
static char short_letter(unsigned i, unsigned place)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-./"
				      ":<>?@^_`{|}~\x80\x82\x83\x84\x85\x86\x87\x89"
				      "\x8B\x91\x92\x93\x94\x95\x96\x97\x98\xA1\xA2\xA3\xA4\xA5\xA6"
				      "\xA7\xA8\xA9\xAA\xAB\xAC\xAE"
				      "\xAF\xB0\xB1\xB2\xB3";
	const unsigned base = sizeof letters - 1;

	for (; place > 0; place--)
		i /= base;
	return letters[i % base];
}

#define SHORT_LINES_AFTER(NAME, FIRST, FORMAT) \
	static void write_##NAME(struct forge *f, uint32_t n) \
	{ \
		struct heap lines = { 0 }; \
		heap_format(&lines, FIRST); \
		for (unsigned i = 0; i < n; i++) \
			heap_format(&lines, FORMAT "\n", short_letter(i, 0), short_letter(i, 1), \
				    short_letter(i, 2)); \
		finish(f, &lines); \
	}
#define SHORT_LINES(NAME, FORMAT) SHORT_LINES_AFTER(NAME, "\n", FORMAT)

LINES(file_missing, "File=(Src=System\\None%u.u,Size=1)")
LINES(file_again, "File=(Src=System\\Manifest.int)")
LINES(copy_again, "Copy=(Src=\"System/Manifest.INT\",Dest=\"Maps\\X%u.unr\",Flags=9)")
LINES(dest_clash, "File=(Src=System\\A%u.u,Dest=System\\Same.u)")
LINES(tuple_bad, "File=Src=%u,,,,====((((")
LINES(group_missing, "Group=None%u")
LINES(group_self, "Group=Files")
LINES(section_equal, "[Same]")
LINES(section_other, "[Other%u]")
LINES(add_ini, "AddIni=Foo.ini,Engine.GameEngine.ServerPackages=Foo%u")
LINES(add_ini_same, "AddIni=Foo.ini,Engine.GameEngine.ServerPackages=Manifest")
LINES(ini_bad, "Ini=..\\..%u.x,,Core...=")
LINES(delete_lines, "Delete=..\\CON%u")
LINES(control, "%u\x01\x02\x7F\x1B")
LINES(no_pair, "%u what is this")
LINES(comment, ";%u=")
LINES(other_key, "Key%u=")
LINES(url, "XURL=javascript%u:x")
SHORT_LINES(section_empty, "[]")
SHORT_LINES(section_short, "[%c%c%c]")
SHORT_LINES(file_empty, "File=")
SHORT_LINES(file_short, "File=(Src=%c%c%c)")
SHORT_LINES(file_dest_short, "File=(Src=%c%c%c,Dest=a)")
SHORT_LINES(group_short, "Group=")
SHORT_LINES(ini_short, "Ini=")
SHORT_LINES(line_shortest, "a")
SHORT_LINES_AFTER(logo_short, "[Setup]\n", "Logo=a")
SETUP_LINES(read_me, "ReadMe=None%u.txt")
SETUP_LINES(product, "Product=Unreal%u")

/* [G0] names G1, which names G2, and so on; the last names the first where `closed`. */
static void write_chain(struct forge *f, uint32_t n, const char *key, bool closed)
{
	struct heap lines = { 0 };

	heap_format(&lines, "%s=G0\r\n", key);
	for (unsigned i = 0; i < n; i++)
		heap_format(&lines, "[G%u]\r\n%s=G%u\r\n", i, key,
			    i + 1 < n || !closed ? i + 1 : 0);
	finish(f, &lines);
}

static void write_group_chain(struct forge *f, uint32_t n)
{
	write_chain(f, n, "Group", false);
}

static void write_group_cycle(struct forge *f, uint32_t n)
{
	write_chain(f, n, "Group", true);
}

static void write_requires_chain(struct forge *f, uint32_t n)
{
	write_chain(f, n, "Requires", true);
}

/* Every section names the first and the last, so that each is met again and again. */
static void write_group_fan(struct forge *f, uint32_t n)
{
	struct heap lines = { 0 };

	for (unsigned i = 0; i < n; i++)
		heap_format(&lines, "[G%u]\r\nGroup=G0\r\nGroup=G%u\r\nGroup=G%u\r\n", i,
			    (unsigned)n - 1, (i + 1) % (unsigned)n);
	finish(f, &lines);
}

static void write_requirements(struct forge *f, uint32_t n)
{
	struct heap lines = { 0 };

	for (unsigned i = 0; i < n; i++)
		heap_format(&lines, "Requires=R%u\r\n", i);
	for (unsigned i = 0; i < n; i++)
		heap_format(&lines, "[R%u]\r\nProduct=Mine%u\r\nVersion=x\r\nProduct=UT2004\r\n", i,
			    i);
	finish(f, &lines);
}

/* One member with a name of 16 n characters, and n lines that each look for a package of this
 * archive. */
static void write_add_ini_long(struct forge *f, uint32_t n)
{
	struct heap name = { 0 };

	write_add_ini(f, n);
	heap_format(&name, "System\\");
	for (uint32_t i = 0; i < n; i++)
		heap_format(&name, "abcdefghijklmnop");
	forge_named(f, &name);
}

/* One line of n parts. */
static void write_one_line(struct forge *f, uint32_t n, const char *start, const char *part)
{
	struct heap lines = { 0 };

	heap_format(&lines, "%s", start);
	for (uint32_t i = 0; i < n; i++)
		heap_format(&lines, "%s", part);
	heap_format(&lines, ")\r\n");
	finish(f, &lines);
}

static void write_tuple_pairs(struct forge *f, uint32_t n)
{
	write_one_line(f, n, "File=(Src=a", ",Dest=\"b,=\" ,Size=");
}

static void write_tuple_quotes(struct forge *f, uint32_t n)
{
	write_one_line(f, n, "File=(Src=\"a", "\" \"=b");
}

static void write_line_of_equals(struct forge *f, uint32_t n)
{
	write_one_line(f, n, "[", "=.:,][");
}

static void write_blank(struct forge *f, uint32_t n)
{
	write_one_line(f, n, "", " \t \r\r\n\n");
}

/* A manifest in UTF-16, whose lines name members that are there. */
static void write_wide(struct forge *f, uint32_t n)
{
	struct heap text = { 0 }, wide = { 0 };

	heap_format(&text, "[Setup]\nProduct=Bench\nGroup=Files\n[Files]\n");
	for (unsigned i = 0; i < n; i++)
		heap_format(&text, "File=(Src=System\\Manifest.int,Dest=\xF6\xE4%u)\n", i);
	heap_add(&wide, "\xFF\xFE", 2);
	for (size_t i = 0; i < text.len; i++) {
		heap_add(&wide, &text.data[i], 1);
		heap_add(&wide, text.data[i] < 0xF0 ? "" : "\x4E", 1);
	}
	forge_member(f, "System\\Manifest.ini", wide.data, wide.len, 3);
	forge_member(f, "System\\Manifest.int", "[Setup]\n", 8, 3);
	free(text.data);
	free(wide.data);
}

#define KIND(name) \
	{ \
#name, write_##name \
	}

const struct forge_kind manifest_kinds[] = {
	KIND(file_missing),  KIND(file_again),     KIND(copy_again),    KIND(dest_clash),
	KIND(tuple_bad),     KIND(group_missing),  KIND(group_self),    KIND(section_empty),
	KIND(section_short), KIND(file_empty),     KIND(file_short),    KIND(file_dest_short),
	KIND(group_short),   KIND(ini_short),      KIND(line_shortest), KIND(logo_short),
	KIND(section_equal), KIND(section_other),  KIND(add_ini),       KIND(add_ini_same),
	KIND(ini_bad),       KIND(delete_lines),   KIND(control),       KIND(no_pair),
	KIND(comment),       KIND(other_key),      KIND(url),           KIND(read_me),
	KIND(product),       KIND(group_chain),    KIND(group_cycle),   KIND(requires_chain),
	KIND(group_fan),     KIND(requirements),   KIND(add_ini_long),  KIND(tuple_pairs),
	KIND(tuple_quotes),  KIND(line_of_equals), KIND(blank),         KIND(wide),
	{ NULL, NULL }
};

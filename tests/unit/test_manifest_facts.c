/* Tests of what is kept of manifests: the tree of section names, the numbers of lines, and how much
 * memory the worst lines take. */
#include "formats/umod/umod.h"

#include <stdio.h>
#include <stdlib.h>

#include "unit.h"

struct fixture {
	struct fault_memory memory;
	struct arena arena;
	struct source source;
	struct limits limits;
	struct decode decode;
	uint8_t *bytes;
	size_t n;
};

static struct fixture f;

static int begin(void **state)
{
	(void)state;
	f = (struct fixture){ .limits = limits_standard() };
	f.arena = unit_arena(&f.memory, UNIT_PLENTY);
	f.decode = (struct decode){ .source = &f.source,
				    .arena = &f.arena,
				    .limits = &f.limits,
				    .level = LEVEL_STRUCTURE,
				    .work = { .max = UINT64_MAX } };
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(&f.arena);
	free(f.bytes);
	return f.memory.n_live != 0;
}

/* ---- The tree of names ----------------------------------------------------------------------- */

/* Names are of three letters, from number i. */
enum { N_NAMES = 3000, NAME_LEN = 3 };

static void open_names(struct manifest *m)
{
	f.bytes = malloc((size_t)N_NAMES * NAME_LEN);
	assert_non_null(f.bytes);
	for (unsigned i = 0; i < N_NAMES; i++)
		for (unsigned k = 0; k < NAME_LEN; k++)
			f.bytes[i * NAME_LEN + k] = (uint8_t)('A' + i /
									    (k == 0   ? 1
									     : k == 1 ? 26
										      : 676) %
									    26);
	*m = (struct manifest){ .roots = { SECTION_NIL, SECTION_NIL },
				.texts[MANIFEST_INI].n_units = (uint32_t)N_NAMES * NAME_LEN };
	m->windows[MANIFEST_INI] = cursor_init(f.bytes, (uint64_t)N_NAMES * NAME_LEN, 0);
}

static struct text name_of(const struct manifest *m, uint32_t i)
{
	return manifest_part(m, MANIFEST_INI, i * NAME_LEN, NAME_LEN);
}

static void add_all(struct manifest *m, uint32_t first, uint32_t step)
{
	for (uint32_t i = 0, at = first; i < N_NAMES; i++, at = (at + step) % N_NAMES) {
		const struct text name = name_of(m, at);
		bool added = false;

		assert_int_equal(manifest_add_section(&f.decode, m, MANIFEST_INI, &name, &added),
				 i);
		assert_true(added);
		assert_int_equal(manifest_add_section(&f.decode, m, MANIFEST_INI, &name, &added),
				 i);
		assert_false(added);
	}
}

/* How many sections stand on the way to a name. */
static unsigned depth_of(const struct manifest *m, uint32_t wanted)
{
	const struct text name = name_of(m, wanted);
	uint32_t i = m->roots[MANIFEST_INI];
	unsigned depth = 1;

	while (i != manifest_find_section(m, MANIFEST_INI, &name)) {
		const struct manifest_section *s = MANIFEST_ROW(m, sections, manifest_section, i);
		unsigned side = 0;

		for (unsigned k = NAME_LEN; k > 0; k--)
			if (f.bytes[s->from + k - 1] != name.data[k - 1]) {
				side = f.bytes[s->from + k - 1] < name.data[k - 1];
				break;
			}
		i = s->link[side] & SECTION_NIL;
		assert_int_not_equal(i, SECTION_NIL);
		depth++;
	}
	return depth;
}

/* Whatever order names come in, the way to each is short: no more than 1.44 times the logarithm of
 * their number. */
static void names_are_found_on_short_ways(void **state)
{
	static const uint32_t orders[][2] = {
		{ 0, 1 }, { N_NAMES - 1, N_NAMES - 1 }, { 7, 1201 }, { 0, 1499 }, { 3, 187 }
	};
	struct manifest m;

	(void)state;
	for (size_t o = 0; o < LENGTH(orders); o++) {
		free(f.bytes);
		open_names(&m);
		add_all(&m, orders[o][0], orders[o][1]);
		assert_int_equal(m.sections.n, N_NAMES);
		for (uint32_t i = 0; i < N_NAMES; i++)
			assert_in_range(depth_of(&m, i), 1, 17);
	}
}

static void names_that_are_not_there(void **state)
{
	struct text name = text_from("zz");
	struct manifest m;

	(void)state;
	open_names(&m);
	assert_int_equal(manifest_find_section(&m, MANIFEST_INI, &name), MANIFEST_NONE);
	add_all(&m, 0, 1);
	assert_int_equal(manifest_find_section(&m, MANIFEST_INI, &name), MANIFEST_NONE);
	name = text_from("zz{");
	assert_int_equal(manifest_find_section(&m, MANIFEST_INI, &name), MANIFEST_NONE);
	name = text_from("aaa");
	assert_int_equal(manifest_find_section(&m, MANIFEST_INI, &name), 0);
	assert_int_equal(manifest_find_section(&m, MANIFEST_INT, &name), MANIFEST_NONE);
}

/* ---- Numbers of lines ------------------------------------------------------------------------ */

static const struct umod *decode_manifest(const void *ini, size_t n)
{
	static const char name[] = "System\\Manifest.ini";
	const uint32_t numbers[] = { 0,           (uint32_t)n,
				     3,           0x9FE3C5A3,
				     (uint32_t)n, (uint32_t)(n + 2 + sizeof name + 12 + 20),
				     1,           0 };
	const struct umod *u;
	uint8_t *p;

	f.n = numbers[5];
	f.bytes = malloc(f.n);
	assert_non_null(f.bytes);
	memcpy(f.bytes, ini, n);
	p = f.bytes + n;
	*p++ = 1;
	*p++ = sizeof name;
	memcpy(p, name, sizeof name);
	p += sizeof name;
	for (size_t i = 0; i < LENGTH(numbers); i++)
		for (unsigned k = 0; k < 4; k++)
			*p++ = (uint8_t)(numbers[i] >> 8 * k);
	source_init_memory(&f.source, f.bytes, f.n, "a.umod", &f.arena);
	u = umod_format.decode(&f.decode);
	assert_non_null(u);
	assert_int_equal(f.decode.groups[UMOD_MANIFEST].why, STOP_NOT);
	return u;
}

/* Lines end in CR, LF or both, also where a stride begins; some are longer than a stride. */
static void every_unit_lies_in_its_line(void **state)
{
	static const char *const ends[] = { "\n", "\r", "\r\n", "\n\r\n", "\r\r\n" };
	static char ini[40 * MANIFEST_STRIDE];
	const struct umod *u;
	uint32_t number = 1;
	size_t n = 0;

	(void)state;
	for (unsigned i = 0; n < 30 * MANIFEST_STRIDE; i++) {
		const size_t len = i % 7 == 3 ? 2 * MANIFEST_STRIDE + 5 - i % 5 : i % 3 * 341;
		const char *line_end = ends[i % LENGTH(ends)];

		memset(ini + n, 'a', len);
		n += len;
		memcpy(ini + n, line_end, strlen(line_end));
		n += strlen(line_end);
	}
	ini[n++] = '\r'; /* nothing follows it that could belong to it */
	u = decode_manifest(ini, n);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(manifest_number(&u->manifest, MANIFEST_INI, i), number);
		number += ini[i] == '\n' || (ini[i] == '\r' && ini[i + 1] != '\n');
	}
	assert_int_equal(manifest_number(&u->manifest, MANIFEST_INI, (uint32_t)n), number);
}

static void a_line_is_read_around_any_of_its_units(void **state)
{
	static const char ini[] = "[A]\r\n \t key = value  \r\nGroup=\r\n";
	const struct umod *u = decode_manifest(ini, sizeof ini - 1);
	struct manifest_line line;

	(void)state;
	for (uint32_t i = 5; i < 21; i++) {
		line = manifest_line_around(&u->manifest, MANIFEST_INI, i);
		assert_int_equal(line.number, 2);
		assert_true(text_is(manifest_text(&u->manifest, MANIFEST_INI, line.key), "key"));
		assert_true(
			text_is(manifest_text(&u->manifest, MANIFEST_INI, line.value), "value"));
	}
	line = manifest_line_around(&u->manifest, MANIFEST_INI, 29);
	assert_int_equal(line.number, 3);
	assert_int_equal(line.key_id, KEY_GROUP);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Fills a manifest of about `size` bytes: `first`, and `before` again and again, each with three
 * letters and `after` unless that is NULL. Returns its length. */
static size_t fill(char *ini, size_t size, const char *first, const char *before, const char *after)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-./"
		":<>?@^_`{|}~\x80\x82\x83\x84\x85\x86\x87\x89\x8B\x91\x92\x93\x94"
		"\x95\x96\x97\x98\xA1\xA2\xA3\xA4\xA5\xA6\xA7\xA8\xA9\xAA\xAB\xAC\xAE\xAF\xB0\xB1"
		"\xB2\xB3";
	const size_t base = sizeof letters - 1;
	size_t n = strlen(first);

	memcpy(ini, first, n);
	for (size_t i = 0; n + 64 < size; i++) {
		for (const char *c = before; *c; c++)
			ini[n++] = *c;
		if (after) {
			ini[n++] = letters[i % base];
			ini[n++] = letters[i / base % base];
			ini[n++] = letters[i / base / base % base];
			for (const char *c = after; *c; c++)
				ini[n++] = *c;
		}
	}
	return n;
}

/* What the manifests are made of: a beginning, and a piece that is repeated to the end of the file.
 * If there is a third text, three letters stand between the second and the third, others each
 * time. */
static const char *const kinds[][3] = {
	{ "", "a\n", NULL },
	{ "", "a\r", NULL },
	{ "", "\x01\n", NULL },
	{ "", "[]\n", NULL },
	{ "", "[", "]\n" },
	{ "[A]\n", "File=\n", NULL },
	{ "[A]\n", "File=(Src=a)\n", NULL },
	{ "[A]\n", "File=(Src=", ")\n" },
	{ "[A]\n", "File=(Src=a,Dest=", ")\n" },
	{ "[A]\n", "File=(Src=a,Dest=a)\nFile=(Src=b,Dest=a)\n", NULL },
	{ "[A]\n", "Group=\n", NULL },
	{ "[A]\n[B]\n[A]\n", "Group=B\n", NULL },
	{ "[b]\n[a]\nGroup=a\n[b]\n", "Group=\n", NULL },
	{ "[A]\nRequires=A\n", "Product=\n", NULL },
	{ "[A]\n", "Version=\n", NULL },
	{ "", "[a]\nGroup=b\n[b]\nGroup=a\n", NULL },
	{ "[A]\n", "Requires=", "\n" },
	{ "[Setup]\n", "Logo=a\n", NULL },
	{ "[A]\n", "Ini=\n", NULL },
	{ "[A]\n", "Ini=a.ini,b.ServerPackages=a\n", NULL },
	{ "[A]\n", "Delete=\\\n", NULL },
	{ "[A]\n", "RemovePath=\\\n", NULL },
	{ "[A]\n", "URL=a:\n", NULL },
	{ "[A]\n", "a=\n", NULL },
	{ "", "\n", NULL },
	{ "[A]\n", "File=(Src=System\\Manifest.ini)\n", NULL },
	{ "[A]\n", " a=\n", NULL },
	{ "", "[]a=\n", NULL },
	{ "", "[ ]\n", NULL },
	{ "[\xC9]\n", "Group=\xE9\n", NULL },
	{ "[Setup]\n", "Product=a\nProduct=b\n", NULL },
	{ "[A]\nRequires=A\nVersion=a\n", "Version=\n", NULL },
	{ "[Setup]\nFolder=%a%\n", "a=\n", NULL },
	{ "[Setup]\nFolder=%AAA%\n", "", "=\n" },
	{ "[Setup]\n", "Folder=%a%\na=.\n", NULL },
};

/* Whatever a manifest is made of, what is kept of it is no more than four times its bytes. */
static void facts_are_bounded_by_the_text(void **state)
{
	const size_t size = (size_t)1 << 20;
	char *ini = malloc(size);

	assert_non_null(ini);
	for (size_t i = 0; i < LENGTH(kinds); i++) {
		size_t n;

		begin(state);
		n = fill(ini, size, kinds[i][0], kinds[i][1], kinds[i][2]);
		decode_manifest(ini, n);
		if (f.arena.peak > ((uint64_t)1 << 19) + 4 * (uint64_t)n)
			fail_msg("%s: %llu bytes for %zu", kinds[i][1],
				 (unsigned long long)f.arena.peak, n);
		end(state);
	}
	free(ini);
	begin(state);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		T(names_are_found_on_short_ways), T(names_that_are_not_there),
		T(every_unit_lies_in_its_line),   T(a_line_is_read_around_any_of_its_units),
		T(facts_are_bounded_by_the_text),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}

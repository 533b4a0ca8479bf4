/* Tests of the path policy: every dangerous name, equality and its hash, stems and extensions. */
#include <stdlib.h>

#include "core/path.h"
#include "core/path_plain.h"
#include "unit.h"

static struct text from_bytes(const char *s)
{
	return (struct text){ (const uint8_t *)s, { .n_units = (uint32_t)strlen(s) } };
}

/* widen copies an ASCII or Latin-1 text to UTF-16LE. */
static struct text widen(struct text t, uint8_t *buf)
{
	for (uint64_t i = 0; i < t.ref.n_units; i++) {
		uint32_t c = text_unit(t, i);

		buf[2 * i] = (uint8_t)c;
		buf[2 * i + 1] = (uint8_t)(c >> 8);
	}
	return (struct text){ buf, { .n_units = t.ref.n_units, .encoding = TEXT_UTF16LE } };
}

/* The quick way for a name of a table says the same as the slow one, or nothing. */
static void expect_no_other_name(struct text t, struct path p)
{
	uint64_t tail;
	uint32_t hash;

	if (!path_plain_name(t.data, t.ref.n_units, &hash, &tail))
		return;
	assert_int_equal(p.traits & ~(uint32_t)PATH_LONG_NAME, 0);
	assert_int_equal(hash, p.hash);
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(tail >> 8 * (7 - i) & 0xFF,
				 i < t.ref.n_units ? t.data[t.ref.n_units - 1 - i] | 0x20 : 0);
}

static struct text units(const uint16_t *u, size_t n, uint8_t *buf)
{
	for (size_t i = 0; i < n; i++) {
		buf[2 * i] = (uint8_t)u[i];
		buf[2 * i + 1] = (uint8_t)(u[i] >> 8);
	}
	return (struct text){ buf, { .n_units = (uint32_t)n, .encoding = TEXT_UTF16LE } };
}

struct row {
	const char *name;
	uint32_t traits;
};

enum {
	SEP = PATH_SEPARATOR,
	SLASH = PATH_SEPARATOR | PATH_SLASH,
};

/* In each row, exactly these traits. */
static const struct row rows[] = {
	/* nothing wrong */
	{ "", 0 },
	{ "a", 0 },
	{ "a.b.c", 0 },
	{ "System\\Foo.u", SEP },
	{ "System/Foo.u", SLASH },
	{ "..a", 0 },
	{ ".a", 0 },
	{ "a\\..b", SEP },
	{ "...a\\b", SEP },
	{ "\x80\x9F\xA0\xFF", 0 },
	/* rooted: absolute, UNC, device paths */
	{ "\\a", PATH_ROOTED | SEP },
	{ "/a", PATH_ROOTED | SLASH },
	{ "\\\\server\\share", PATH_ROOTED | PATH_EMPTY_COMPONENT | SEP },
	{ "\\\\?\\C:\\a", PATH_ROOTED | PATH_EMPTY_COMPONENT | PATH_RESERVED | PATH_COLON | SEP },
	{ "\\\\.\\PhysicalDrive0", PATH_ROOTED | PATH_EMPTY_COMPONENT | PATH_SELF | SEP },
	{ "\\", PATH_ROOTED | PATH_EMPTY_COMPONENT | SEP },
	{ "//./a", PATH_ROOTED | PATH_EMPTY_COMPONENT | PATH_SELF | SLASH },
	{ "\\??\\a", PATH_ROOTED | PATH_RESERVED | SEP },
	/* drives and streams */
	{ "C:", PATH_DRIVE },
	{ "c:a", PATH_DRIVE },
	{ "z:\\a", PATH_DRIVE | SEP },
	{ "Z:/a", PATH_DRIVE | SLASH },
	{ "C:a:b", PATH_DRIVE | PATH_COLON },
	{ "1:a", PATH_COLON },
	{ "@:a", PATH_COLON },
	{ "[:a", PATH_COLON },
	{ "`:a", PATH_COLON },
	{ "{:a", PATH_COLON },
	{ ":", PATH_COLON },
	{ ":a", PATH_COLON },
	{ "ab:c", PATH_COLON },
	{ "a\\b:c", PATH_COLON | SEP },
	{ "a.txt::$DATA", PATH_COLON },
	{ "\xC4:a", PATH_COLON },
	/* dots */
	{ "..", PATH_PARENT },
	{ "..\\a", PATH_PARENT | SEP },
	{ "a\\..\\b", PATH_PARENT | SEP },
	{ "a/..", PATH_PARENT | SLASH },
	{ ".", PATH_SELF },
	{ ".\\a", PATH_SELF | SEP },
	{ "a\\.\\b", PATH_SELF | SEP },
	{ "a\\.", PATH_SELF | SEP },
	{ "...", PATH_TRAILING },
	{ "a.", PATH_TRAILING },
	{ "a.\\b", PATH_TRAILING | SEP },
	{ ".. ", PATH_TRAILING | PATH_SPACE },
	{ "a ", PATH_TRAILING | PATH_SPACE },
	{ "a \\b", PATH_TRAILING | PATH_SPACE | SEP },
	{ " a", PATH_SPACE },
	{ " ", PATH_TRAILING | PATH_SPACE },
	{ ".. .", PATH_TRAILING | PATH_SPACE },
	{ "b.", PATH_TRAILING },
	{ "x.", PATH_TRAILING },
	/* empty components */
	{ "a\\\\b", PATH_EMPTY_COMPONENT | SEP },
	{ "a\\", PATH_EMPTY_COMPONENT | SEP },
	{ "a/\\b", PATH_EMPTY_COMPONENT | SLASH },
	/* controls */
	{ "a\x01", PATH_CONTROL },
	{ "a\x1F", PATH_CONTROL },
	{ "a\x7F", PATH_CONTROL },
	{ "a\tb", PATH_CONTROL },
	{ "a\nb", PATH_CONTROL },
	/* reserved characters */
	{ "<", PATH_RESERVED },
	{ ">", PATH_RESERVED },
	{ "\"", PATH_RESERVED },
	{ "|", PATH_RESERVED },
	{ "?", PATH_RESERVED },
	{ "a*", PATH_RESERVED },
	/* no devices */
	{ "CONSOLE", 0 },
	{ "CO", 0 },
	{ "COM", 0 },
	{ "COM10", 0 },
	{ "COMA", 0 },
	{ "COM/", PATH_EMPTY_COMPONENT | SLASH },
	{ "LPT", 0 },
	{ "LPTX.u", 0 },
	{ "XCON", 0 },
	{ "CONIN", 0 },
	{ "CLOCK", 0 },
	{ "AUXX", 0 },
	{ "NULL", 0 },
	{ "PRNT", 0 },
	{ "a.CON", 0 },
	{ "LPT\xB4", 0 },
	{ "LPX1", 0 },
	{ "COM:", PATH_COLON },
	/* lengths of the last component */
	{ "0123456789012345678901234567890", 0 },
	{ "01234567890123456789012345678901", PATH_LONG_NAME },
	{ "01234567890123456789012345678901\\a", SEP },
	{ "a\\01234567890123456789012345678901", PATH_LONG_NAME | SEP },

	{ "!#$%&'()+,-;=@[]^_`{}~", 0 },
};

static void each_name_has_its_traits(void **state)
{
	uint8_t buf[256];

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct text t = from_bytes(rows[i].name);
		uint32_t found = path_examine(t).traits;

		expect_no_other_name(t, path_examine(t));
		if (found != rows[i].traits)
			fail_msg("\"%s\": traits %x, expected %x", rows[i].name, found,
				 rows[i].traits);
		if (strchr(rows[i].name, '\x80'))
			continue;
		assert_int_equal(path_examine(widen(t, buf)).traits, rows[i].traits);
	}
}

static const char *const devices[] = { "CON",     "PRN",     "AUX",    "NUL",  "CLOCK$", "CONIN$",
				       "CONOUT$", "COM0",    "COM1",   "COM2", "COM3",   "COM4",
				       "COM5",    "COM6",    "COM7",   "COM8", "COM9",   "COM\xB9",
				       "COM\xB2", "COM\xB3", "LPT0",   "LPT1", "LPT2",   "LPT3",
				       "LPT4",    "LPT5",    "LPT6",   "LPT7", "LPT8",   "LPT9",
				       "LPT\xB9", "LPT\xB2", "LPT\xB3" };

static void expect_device(const char *before, const char *device, const char *after, bool lower)
{
	char name[64];
	uint8_t buf[128];
	size_t n = strlen(before), d = strlen(device);
	struct text t;

	memcpy(name, before, n);
	for (size_t i = 0; i < d; i++)
		name[n + i] = (char)(lower && device[i] >= 'A' && device[i] <= 'Z' ? device[i] + 32
										   : device[i]);
	memcpy(name + n + d, after, strlen(after) + 1);
	t = from_bytes(name);
	expect_no_other_name(t, path_examine(t));
	if (!(path_examine(t).traits & PATH_DEVICE) ||
	    !(path_examine(widen(t, buf)).traits & PATH_DEVICE))
		fail_msg("\"%s\" is a device", name);
}

static void each_device_is_one_in_every_dress(void **state)
{
	static const char *const prefixes[] = { "", "a\\", "a/", "..\\", " ", "C:\\" };
	static const char *const suffixes[] = { "",  ".txt",   ".a.b",    "\\b", "/b",
						" ", "  .txt", ":stream", "." };

	(void)state;
	for (size_t d = 0; d < LENGTH(devices); d++)
		for (size_t b = 0; b < LENGTH(prefixes); b++)
			for (size_t a = 0; a < LENGTH(suffixes); a++) {
				expect_device(prefixes[b], devices[d], suffixes[a], false);
				expect_device(prefixes[b], devices[d], suffixes[a], true);
			}
}

/* What only UTF-16 can say. */
static void wide_names_have_their_own_dangers(void **state)
{
	static const uint16_t deceptive[] = {
		0x061C, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D,
		0x202E, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0xFEFF, 0xD800, 0xDBFF, 0xDC00,
		0xDFFF, 0x00AD, 0x034F, 0x115F, 0x1160, 0x180B, 0x2028, 0x2061, 0x206F, 0x3164,
		0xFDD0, 0xFE0F, 0xFFA0, 0xFFF0, 0xFFFB, 0xFFFE, 0xFFFF
	};
	static const uint16_t harmless[] = { 0x061B, 0x061D, 0x200A, 0x2010, 0x2027, 0x202F,
					     0x205F, 0x2070, 0xFEFE, 0xFF00, 0xD7FF, 0xE000,
					     0x00A0, 0x00AC, 0x00AE, 0x034E, 0x0350, 0x3163,
					     0x3165, 0xFE10, 0xFFFC, 0xFFFD };
	static const uint16_t controls[] = { 0x0001, 0x001F, 0x007F, 0x0080, 0x009F };
	uint8_t buf[16];

	(void)state;
	for (size_t i = 0; i < LENGTH(deceptive); i++)
		assert_int_equal(
			path_examine(units((const uint16_t[]){ 'a', deceptive[i], 'b' }, 3, buf))
				.traits,
			PATH_DECEPTIVE);
	for (size_t i = 0; i < LENGTH(harmless); i++)
		assert_int_equal(
			path_examine(units((const uint16_t[]){ 'a', harmless[i], 'b' }, 3, buf))
				.traits,
			0);
	for (size_t i = 0; i < LENGTH(controls); i++)
		assert_int_equal(
			path_examine(units((const uint16_t[]){ 'a', controls[i], 'b' }, 3, buf))
				.traits,
			PATH_CONTROL);
	assert_int_equal(path_examine(units((const uint16_t[]){ 'a', 0, 'b' }, 3, buf)).traits,
			 PATH_NUL);
}

static void halves_of_pairs(void **state)
{
	uint8_t buf[16];

	(void)state;
	assert_int_equal(path_examine(units((const uint16_t[]){ 0xD83D, 0xDE00 }, 2, buf)).traits,
			 0);
	assert_int_equal(path_examine(units((const uint16_t[]){ 0xDB40, 0xDC61 }, 2, buf)).traits,
			 PATH_DECEPTIVE);
	assert_int_equal(path_examine(units((const uint16_t[]){ 0xD83F, 0xDFFE }, 2, buf)).traits,
			 PATH_DECEPTIVE);
	assert_int_equal(path_examine(units((const uint16_t[]){ 0xDE00, 0xD83D }, 2, buf)).traits,
			 PATH_DECEPTIVE);
	assert_int_equal(path_examine(units((const uint16_t[]){ 0xDE00 }, 1, buf)).traits,
			 PATH_DECEPTIVE);
	assert_int_equal(path_examine(units((const uint16_t[]){ 'a', 0xD83D }, 2, buf)).traits,
			 PATH_DECEPTIVE);
	assert_int_equal(
		path_examine(units((const uint16_t[]){ 0xD83D, 0xD83D, 0xDE00 }, 3, buf)).traits,
		PATH_DECEPTIVE);
	assert_int_equal(
		path_examine(units((const uint16_t[]){ 0xD83D, 0xDE00, 0xDE00 }, 3, buf)).traits,
		PATH_DECEPTIVE);
}

static void nul_is_seen_in_bytes(void **state)
{
	struct text t = { (const uint8_t *)"a\0b", { .n_units = 3 } };

	(void)state;
	assert_int_equal(path_examine(t).traits, PATH_NUL);
}

static void equal_paths_have_equal_hashes(void **state)
{
	static const char *const pairs[][2] = {
		{ "System/Foo.u", "sYSTEM\\fOO.U" },
		{ "\xE4\xF6\xFC\xFF", "\xC4\xD6\xDC\x9F" },
		{ "\x9A\x9C\x9E", "\x8A\x8C\x8E" },
		{ "", "" },
		{ "12345678\\12345678", "12345678/12345678" },
	};
	uint8_t buf[64];

	(void)state;
	for (size_t i = 0; i < LENGTH(pairs); i++) {
		struct text a = from_bytes(pairs[i][0]), b = from_bytes(pairs[i][1]);

		assert_int_equal(path_compare(a, b), 0);
		assert_int_equal(path_examine(a).hash, path_examine(b).hash);
		assert_int_equal(path_compare(widen(a, buf), b), 0);
		assert_int_equal(path_examine(widen(a, buf)).hash, path_examine(b).hash);
	}
}

static bool is_letter_or_digit(unsigned c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Every pair of single characters, in both encodings: what is equal by compare is so by hash,
 * and letters and digits differ by both. Some signs share a hash. */
static void single_characters_agree(void **state)
{
	uint8_t buf[2];

	(void)state;
	for (unsigned x = 0; x < 256; x++) {
		uint8_t a = (uint8_t)x;
		struct text narrow = { &a, { .n_units = 1 } };

		assert_int_equal(path_examine(narrow).hash, path_examine(widen(narrow, buf)).hash);
		assert_int_equal(path_compare(narrow, widen(narrow, buf)), 0);
		for (unsigned y = 0; y < 256; y++) {
			uint8_t b = (uint8_t)y;
			struct text other = { &b, { .n_units = 1 } };

			bool equal = path_compare(narrow, other) == 0,
			     same = path_examine(narrow).hash == path_examine(other).hash;

			assert_true(!equal || same);
			assert_true(equal || !same || !is_letter_or_digit(x) ||
				    !is_letter_or_digit(y));
		}
	}
}

/* Bytes are looked at many at a time, 16-bit units one by one: names of every length must come
 * out alike. The exact-size copy makes a byte too far an error under a sanitizer. */
static void bytes_and_units_agree(void **state)
{
	static const char plain[] = "abcdxyzABXYZ0189._-+{@[]^`\\\\..",
			  odd[] = "/: *?<>|\"\x7F\x01\xC4,(";
	uint8_t buf[2 * 80];
	uint64_t seed = 11;

	(void)state;
	for (unsigned turn = 0; turn < 40000; turn++) {
		uint32_t n = turn % 81;
		uint8_t *name = malloc(n > 0 ? n : 1);
		struct text narrow = { name, { .n_units = n } };
		struct path a, b;

		assert_non_null(name);
		for (uint32_t i = 0; i < n; i++)
			name[i] = (uint8_t)plain[unit_random(&seed) % (sizeof plain - 1)];
		if (n > 0 && turn % 3 == 0)
			name[unit_random(&seed) % n] = (uint8_t)
				odd[unit_random(&seed) % (sizeof odd - 1)];
		a = path_examine(narrow);
		b = path_examine(widen(narrow, buf));
		assert_memory_equal(&a, &b, sizeof a);
		expect_no_other_name(narrow, a);
		free(name);
	}
}

/* Short names are quick too, and so are those that only begin as a device's does. */
static void plain_names_are_told_quickly(void **state)
{
	static const char *const plain[] = {
		"a",        "UI", "Maps", "Content", "Common", "Color_01", "AudioMixer.uasset",
		"Lpt12345", "C",  "co",   "lptx1"
	};
	static const char *const others[] = { "",         "con", "Con.u", "COM1", "com1.uasset",
					      "nul.umap", "a.",  "a b",   "a/b",  "a\\b",
					      "\xC4",     "a:b", "Maps?" };
	uint64_t tail;
	uint32_t hash;

	(void)state;
	for (size_t i = 0; i < LENGTH(plain); i++)
		assert_true(path_plain_name((const uint8_t *)plain[i], (uint32_t)strlen(plain[i]),
					    &hash, &tail));
	for (size_t i = 0; i < LENGTH(others); i++)
		assert_false(path_plain_name((const uint8_t *)others[i],
					     (uint32_t)strlen(others[i]), &hash, &tail));
}

/* Whatever the quick way says, the slow one says too. */
static void plain_names_are_hashed_alike(void **state)
{
	static const char letters[] = "abcXYZ019_-+.,\\/:* \x7F\x80\xFF{|~";
	uint64_t random = 77, n_plain = 0, tail;

	(void)state;
	for (unsigned round = 0; round < 200000; round++) {
		uint8_t name[72];
		uint32_t n = (uint32_t)(unit_random(&random) % 70), hash = 0,
			 few = round % 3 == 0 ? sizeof letters - 1 : 12;
		const struct text t = { name, { .n_units = n, .encoding = TEXT_CP1252 } };
		struct path p;
		bool quick;

		for (uint32_t i = 0; i < n; i++)
			name[i] = (uint8_t)letters[unit_random(&random) % few];
		quick = path_plain_name(name, n, &hash, &tail);
		path_examine_at(&t, &p);
		n_plain += quick;
		assert_true(!quick || p.hash == hash);
		assert_true(!quick || (p.traits & ~(uint32_t)PATH_LONG_NAME) == 0);
	}
	assert_in_range(n_plain, 50000, 200000);
}

static void compare_orders(void **state)
{
	(void)state;
	assert_int_equal(path_compare(from_bytes("a"), from_bytes("b")), -1);
	assert_int_equal(path_compare(from_bytes("b"), from_bytes("A")), 1);
	assert_int_equal(path_compare(from_bytes("a"), from_bytes("ab")), -1);
	assert_int_equal(path_compare(from_bytes("ab"), from_bytes("a")), 1);
}

/* Of every letter the two forms are one name, by comparison and by hash, in whatever encoding
 * CP1252 can say them. */
static void forms_of_letters_are_one_name(void **state)
{
	uint8_t a[2], b[2];

	(void)state;
	for (uint32_t c = 0x80; c < 0x10000; c++) {
		struct text x = units((const uint16_t[]){ (uint16_t)c }, 1, a),
			    y = units((const uint16_t[]){ (uint16_t)text_fold_far(c) }, 1, b);

		assert_int_equal(path_compare(x, y), 0);
		assert_int_equal(path_examine(x).hash, path_examine(y).hash);
	}
	for (unsigned byte = 0x80; byte < 0x100; byte++) {
		struct text narrow = { &(uint8_t){ (uint8_t)byte }, { .n_units = 1 } };
		struct text x = units(
			(const uint16_t[]){ (uint16_t)text_fold_far(text_unit(narrow, 0)) }, 1, a);

		assert_int_equal(path_compare(x, narrow), 0);
		assert_int_equal(path_examine(x).hash, path_examine(narrow).hash);
	}
}

/* Any other character that CP1252 does not have counts as itself. */
static void characters_beyond_cp1252_are_told_apart(void **state)
{
	uint8_t a[4], b[4];
	struct text x = units((const uint16_t[]){ 0x0416 }, 1, a),
		    y = units((const uint16_t[]){ 0x0417 }, 1, b);

	(void)state;
	assert_int_not_equal(path_examine(x).hash, path_examine(y).hash);
	assert_int_equal(path_compare(x, y), -1);
	assert_int_equal(path_examine(x).traits, 0);
}

static void expect_parts(const char *path, const char *first, const char *last, const char *stem,
			 const char *extension)
{
	struct text t = from_bytes(path);

	assert_true(text_is(path_first(t), first));
	assert_true(text_is(path_last(t), last));
	assert_true(text_is(path_stem(t), stem));
	assert_true(text_is(path_extension(t), extension));
}

static void expect_other(const char *path, const char *ending)
{
	assert_true(text_is(path_other_ending(from_bytes(path), "pak"), ending));
}

static void endings_that_are_others(void **state)
{
	(void)state;
	expect_other("a/Mod_P.pak", "");
	expect_other("Mod_P.PAK", "");
	expect_other("Mod_P.pak.bak", ".bak");
	expect_other("a.b/Mod_P.txt", ".txt");
	expect_other("a.txt/Mod_P", "");
	expect_other("Mod_P.pak.", "");
	expect_other("", "");
}

/* Many bytes are looked at at a time, so that every place of a separator is tried. */
static void places_of_last_parts(void **state)
{
	static const char separators[] = { '/', '\\' },
			  others[] = { 'a', '.', '\xE9', '\xAF', '\xDC' };
	char path[32];

	(void)state;
	for (uint32_t n = 0; n < sizeof path; n++) {
		for (uint32_t at = 0; at <= n; at++) {
			struct text t = { (const uint8_t *)path, { .n_units = n } };

			for (uint32_t i = 0; i < n; i++)
				path[i] = others[(i * 3 + at + n) % sizeof others];
			if (at > 0)
				path[at - 1] = separators[n % 2];
			if (at > 3)
				path[at - 3] = '/';
			assert_int_equal(path_last_at(&t), at);
			assert_int_equal(path_last(t).ref.n_units, n - at);
		}
	}
}

static void parts_of_paths(void **state)
{
	(void)state;
	expect_parts("System\\Foo.Bar.u", "System", "Foo.Bar.u", "Foo.Bar", "u");
	expect_parts("a/b\\c", "a", "c", "c", "");
	expect_parts("Foo.u", "", "Foo.u", "Foo", "u");
	expect_parts("a.b\\c", "a.b", "c", "c", "");
	expect_parts("a\\", "a", "", "", "");
	expect_parts("\\a.", "", "a.", "a", "");
	expect_parts(".u", "", ".u", "", "u");
	expect_parts("", "", "", "", "");
}

static void danger_names_one_trait(void **state)
{
	(void)state;
	assert_string_equal(path_danger(0), "");
	assert_string_equal(path_danger((uint32_t)~PATH_UNSAFE), "");
	for (unsigned bit = 0; bit < 16; bit++) {
		uint32_t trait = 1u << bit;

		assert_int_equal(path_danger(trait)[0] != '\0', (trait & PATH_UNSAFE) != 0);
	}
	assert_string_equal(path_danger(PATH_PARENT | PATH_CONTROL), path_danger(PATH_PARENT));
}

static void a_defect_is_what_no_name_should_have(void **state)
{
	const uint32_t unsound = PATH_UNSAFE | PATH_RESERVED | PATH_DECEPTIVE | PATH_SELF |
				 PATH_EMPTY_COMPONENT;

	(void)state;
	assert_string_equal(path_defect((uint32_t)~unsound), "");
	for (unsigned bit = 0; bit < 16; bit++) {
		uint32_t trait = 1u << bit;

		assert_int_equal(path_defect(trait)[0] != '\0', (trait & unsound) != 0);
		assert_true(!(trait & PATH_UNSAFE) ||
			    strcmp(path_defect(trait | PATH_RESERVED), path_danger(trait)) == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_name_has_its_traits),
		cmocka_unit_test(each_device_is_one_in_every_dress),
		cmocka_unit_test(wide_names_have_their_own_dangers),
		cmocka_unit_test(halves_of_pairs),
		cmocka_unit_test(nul_is_seen_in_bytes),
		cmocka_unit_test(equal_paths_have_equal_hashes),
		cmocka_unit_test(single_characters_agree),
		cmocka_unit_test(bytes_and_units_agree),
		cmocka_unit_test(plain_names_are_told_quickly),
		cmocka_unit_test(plain_names_are_hashed_alike),
		cmocka_unit_test(compare_orders),
		cmocka_unit_test(forms_of_letters_are_one_name),
		cmocka_unit_test(characters_beyond_cp1252_are_told_apart),
		cmocka_unit_test(endings_that_are_others),
		cmocka_unit_test(parts_of_paths),
		cmocka_unit_test(places_of_last_parts),
		cmocka_unit_test(danger_names_one_trait),
		cmocka_unit_test(a_defect_is_what_no_name_should_have),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

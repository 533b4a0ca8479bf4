/* Paths and texts: traits against a slow reading of the policy, and laws that hold for every path. */
#include <stdlib.h>
#include <string.h>

#include "core/path.h"
#include "harness.h"
#include "must.h"
#include "oracle.h"
#include "strict.h"

enum { UNITS_MAX = 1024 };

/* A slow text is its code units, decoded once into an array. */
struct slow {
	uint32_t units[UNITS_MAX];
	size_t n;
	bool wide;
};

static const uint16_t cp1252[32] = {
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
};

static void decode(struct slow *s, const uint8_t *p, size_t n, enum text_encoding e)
{
	s->n = n;
	s->wide = e != TEXT_CP1252;
	for (size_t i = 0; i < n; i++) {
		if (e == TEXT_CP1252)
			s->units[i] = p[i] >= 0x80 && p[i] < 0xA0 ? cp1252[p[i] - 0x80] : p[i];
		else
			s->units[i] = e == TEXT_UTF16LE ? p[2 * i] | (uint32_t)p[2 * i + 1] << 8 : (uint32_t)p[2 * i] << 8 | p[2 * i + 1];
	}
}

static bool is_sep(uint32_t c)
{
	return c == '/' || c == '\\';
}

/* ---- Traits ------------------------------------------------------------------------------------------------------------- */

static uint32_t upper(uint32_t c)
{
	return c >= 'a' && c <= 'z' ? c - 32 : c;
}

static bool equals_word(const uint32_t *u, size_t n, const char *word)
{
	size_t i = 0;

	for (; i < n && word[i]; i++)
		if (upper(u[i]) != (uint32_t)(uint8_t)word[i])
			return false;
	return i == n && !word[i];
}

/* A tab before a device's name is a control character, which is dangerous enough. */
static bool is_slow_device(const uint32_t *u, size_t n)
{
	static const char *const names[] = { "CON", "PRN", "AUX", "NUL", "CLOCK$", "CONIN$", "CONOUT$" };
	size_t end = 0;

	if (*u == '\t')
		return false;
	while (end < n && u[end] != '.' && u[end] != ':')
		end++;
	while (end > 0 && (u[end - 1] == ' ' || u[end - 1] == '\t'))
		end--;
	while (end > 0 && (*u == ' ' || *u == '\t')) {
		u++;
		end--;
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (equals_word(u, end, names[i]))
			return true;
	if (end != 4 || !((u[3] >= '0' && u[3] <= '9') || u[3] == 0xB9 || u[3] == 0xB2 || u[3] == 0xB3))
		return false;
	return equals_word(u, 3, "COM") || equals_word(u, 3, "LPT");
}

static uint32_t slow_component(const uint32_t *u, size_t n)
{
	uint32_t traits = 0;

	if (n == 0)
		return PATH_EMPTY_COMPONENT;
	if (n == 1 && u[0] == '.')
		return PATH_SELF;
	if (n == 2 && u[0] == '.' && u[1] == '.')
		return PATH_PARENT;
	if (u[n - 1] == '.' || u[n - 1] == ' ')
		traits |= PATH_TRAILING;
	return is_slow_device(u, n) ? traits | PATH_DEVICE : traits;
}

static bool is_slow_deceptive(const struct slow *s, size_t i)
{
	static const uint32_t list[] = {
		0x61C, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2060, 0x2066, 0x2067, 0x2068,
		0x2069, 0xFEFF,
	};
	uint32_t c = s->units[i];

	if (!s->wide)
		return false;
	if (c >= 0xD800 && c < 0xDC00)
		return i + 1 == s->n || s->units[i + 1] < 0xDC00 || s->units[i + 1] > 0xDFFF;
	if (c >= 0xDC00 && c < 0xE000)
		return i == 0 || s->units[i - 1] < 0xD800 || s->units[i - 1] > 0xDBFF;
	for (size_t k = 0; k < sizeof list / sizeof *list; k++)
		if (c == list[k])
			return true;
	return false;
}

static uint32_t slow_unit(const struct slow *s, size_t i)
{
	uint32_t c = s->units[i], traits = 0;

	if (c == 0)
		traits |= PATH_NUL;
	else if (c < 0x20 || c == 0x7F || (s->wide && c >= 0x80 && c < 0xA0))
		traits |= PATH_CONTROL;
	if (c == ' ')
		traits |= PATH_SPACE;
	if (c == '/')
		traits |= PATH_SLASH;
	if (is_sep(c))
		traits |= PATH_SEPARATOR;
	if (c != 0 && c < 0x80 && strchr("<>\"|?*", (int)c))
		traits |= PATH_RESERVED;
	if (is_slow_deceptive(s, i))
		traits |= PATH_DECEPTIVE;
	return traits;
}

static uint32_t slow_colons(const struct slow *s)
{
	bool drive = s->n >= 2 && s->units[1] == ':' && upper(s->units[0]) >= 'A' && upper(s->units[0]) <= 'Z';
	uint32_t traits = drive ? PATH_DRIVE : 0;

	for (size_t i = drive ? 2 : 0; i < s->n; i++)
		if (s->units[i] == ':')
			traits |= PATH_COLON;
	return traits;
}

static uint32_t slow_traits(const struct slow *s)
{
	uint32_t traits = slow_colons(s);
	size_t start = 0;

	for (size_t i = 0; i < s->n; i++) {
		traits |= slow_unit(s, i);
		if (!is_sep(s->units[i]))
			continue;
		traits |= i == 0 ? PATH_ROOTED : slow_component(s->units + start, i - start);
		start = i + 1;
	}
	if (s->n > 0)
		traits |= slow_component(s->units + start, s->n - start);
	return s->n - start > 31 ? traits | PATH_LONG_NAME : traits;
}

/* ---- Parts --------------------------------------------------------------------------------------------------------------- */

/* Where a part lies in its path, in units. */
static size_t offset_of(struct text whole, struct text part)
{
	return (size_t)((part.ref.at - whole.ref.at) / text_width(whole.ref.encoding));
}

static void check_parts(struct text t, const struct slow *s)
{
	struct text last = path_last(t), first = path_first(t), stem = path_stem(t), extension = path_extension(t);
	size_t start = s->n, dot = s->n, sep = 0;

	while (start > 0 && !is_sep(s->units[start - 1]))
		start--;
	for (size_t i = start; i < s->n; i++)
		if (s->units[i] == '.')
			dot = i;
	while (sep < s->n && !is_sep(s->units[sep]))
		sep++;
	MUST(offset_of(t, last) == start && last.ref.n_units == s->n - start, "the last component is what follows the last separator");
	MUST(first.ref.n_units == (sep < s->n ? sep : 0), "the first component ends at the first separator");
	MUST(offset_of(t, stem) == start && stem.ref.n_units == dot - start, "the stem ends at the last dot");
	MUST(extension.ref.n_units == (dot < s->n ? s->n - dot - 1 : 0), "the extension follows the last dot");
	MUST(path_last(last).ref.n_units == last.ref.n_units && path_compare(path_last(last), last) == 0, "the last of the last is itself");
}

/* ---- Laws ---------------------------------------------------------------------------------------------------------------- */

static void check_traits(struct text t, const struct slow *s)
{
	struct path p = path_examine(t);
	uint32_t traits = slow_traits(s);

	if (p.traits != traits)
		fprintf(stderr, "traits %05X, slowly %05X\n", (unsigned)p.traits, (unsigned)traits);
	MUST(p.traits == traits, "a path has its traits");
	MUST((path_danger(p.traits)[0] != '\0') == ((traits & PATH_UNSAFE) != 0), "a danger has a name");
}

static void check_pair(struct text a, struct text b)
{
	int ab = path_compare(a, b), ba = path_compare(b, a);

	MUST(ab == -ba && path_compare(a, a) == 0, "comparing has two sides");
	MUST(ab != 0 || path_examine(a).hash == path_examine(b).hash, "equal paths have equal hashes");
	MUST(text_compare(a, b) != 0 || ab == 0, "equal texts are equal paths");
}

/* The same path in other letters and separators. */
static void check_variant(struct text t, struct dice *dice)
{
	uint8_t *copy = oracle_bytes(t.data, (size_t)text_span(t.ref).len);
	struct text other = { copy, t.ref };
	uint64_t width = text_width(t.ref.encoding), low = t.ref.encoding == TEXT_UTF16BE;

	for (uint64_t i = 0; i < t.ref.n_units; i++) {
		uint32_t c = text_unit(t, i);

		if (!dice_one_in(dice, 2))
			continue;
		if ((c | 32) >= 'a' && (c | 32) <= 'z')
			copy[i * width + low] ^= 32;
		else if (is_sep(c))
			copy[i * width + low] = c == '/' ? '\\' : '/';
	}
	MUST(path_compare(t, other) == 0, "case and kind of separator make no difference");
	MUST(path_examine(t).hash == path_examine(other).hash, "nor do they to the hash");
	free(copy);
}

/* The same path in two bytes a unit. */
static void check_widened(struct text t, const struct slow *s)
{
	uint8_t *copy = malloc(2 * s->n + 1);
	struct text wide = { copy, { .n_units = (uint32_t)s->n, .encoding = TEXT_UTF16LE } };

	MUST(copy, "the machine has memory for a harness");
	for (size_t i = 0; i < s->n; i++) {
		copy[2 * i] = (uint8_t)s->units[i];
		copy[2 * i + 1] = (uint8_t)(s->units[i] >> 8);
	}
	MUST(path_compare(t, wide) == 0, "the encoding makes no difference");
	MUST(path_examine(t).hash == path_examine(wide).hash, "nor does it to the hash");
	free(copy);
}

/* Every search for a control character gives the next one. */
static void check_controls(struct text t, const struct slow *s)
{
	uint64_t from = 0, found;

	for (uint64_t i = 0; i < s->n; i++) {
		uint32_t c = s->units[i];

		if (c >= 0x20 && c != 0x7F && !(s->wide && c >= 0x80 && c < 0xA0))
			continue;
		MUST(text_find_control(&t, from) == i, "control characters are found, one by one");
		from = i + 1;
	}
	found = text_find_control(&t, from);
	MUST(found == s->n, "and nothing else is");
}

static void check_text(struct text t, const struct slow *s)
{
	struct text trimmed = text_trim(t);
	static uint8_t utf8[4 * UNITS_MAX];
	bool whole;
	size_t n = text_utf8(t, UNITS_MAX, utf8, &whole);
	uint64_t number = 0, i = text_find(t, '=', 0);

	MUST(strict_utf8(utf8, n) && whole, "text becomes UTF-8");
	MUST(i == s->n || s->units[i] == '=', "what is found is there");
	for (uint64_t k = 0; k < i; k++)
		MUST(s->units[k] != '=', "what is there is found");
	MUST(text_compare(text_trim(trimmed), trimmed) == 0 && text_compare(t, t) == 0, "trimming twice is trimming");
	if (text_number(t, &number))
		MUST(number <= INT64_MAX && s->n > 0, "a number is one");
	for (size_t k = 0; k < s->n; k++)
		MUST(text_unit(t, k) == s->units[k] && text_fold(text_fold(s->units[k])) == text_fold(s->units[k]),
		     "folding twice is folding");
}

/* A text over an exact block of bytes. */
static struct text make_text(uint8_t *bytes, size_t size, enum text_encoding e)
{
	uint64_t n = size / text_width(e);

	return (struct text){ bytes, { .at = 64, .n_units = (uint32_t)(n < UNITS_MAX ? n : UNITS_MAX), .encoding = (uint8_t)e } };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct slow s;
	enum text_encoding e = size > 0 ? data[0] % 3 : TEXT_CP1252;
	size_t n = size > 0 ? (size - 1) / 2 / text_width(e) * text_width(e) : 0;
	struct dice dice = { random_hash(data, size) };
	uint8_t *first, *second;
	struct text a, b;

	if (size == 0)
		return 0;
	first = oracle_bytes(data + 1, n);
	second = oracle_bytes(data + 1 + n, size - 1 - n);
	a = make_text(first, n, e);
	b = make_text(second, size - 1 - n, e);
	decode(&s, first, a.ref.n_units, e);
	check_traits(a, &s);
	check_parts(a, &s);
	check_pair(a, b);
	check_variant(a, &dice);
	check_widened(a, &s);
	check_text(a, &s);
	check_controls(a, &s);
	free(first);
	free(second);
	return 0;
}

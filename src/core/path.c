/* The path policy: one look at each unit, then one look at each component. */
#include "core/path.h"

#include <string.h>

#include "core/mutant.h"
#include "core/path_plain.h"

/* The key of each byte of CP1252, for the hash: alike for the two cases of a letter, and for `/`
 * and `\`. In ASCII that is the byte with bit 5 set, except for `/`; so some other bytes share a
 * key, too. */
static const uint8_t path_key[256] = {
	0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x2B, 0x2C, 0x2D, 0x2E,
	0x2F, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3A, 0x3B, 0x3C, 0x3D,
	0x3E, 0x3F, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x2B, 0x2C,
	0x2D, 0x2E, 0x7C, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3A, 0x3B,
	0x3C, 0x3D, 0x3E, 0x3F, 0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A,
	0x6B, 0x6C, 0x6D, 0x6E, 0x6F, 0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79,
	0x7A, 0x7B, 0x7C, 0x7D, 0x7E, 0x7F, 0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68,
	0x69, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F, 0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77,
	0x78, 0x79, 0x7A, 0x7B, 0x7C, 0x7D, 0x7E, 0x7F, 0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6,
	0xA7, 0xA8, 0xA9, 0xAA, 0xAB, 0xAC, 0xAD, 0xAE, 0xAF, 0xB0, 0xB1, 0xB2, 0xB3, 0xB4, 0xB5,
	0xB6, 0xB7, 0xB8, 0xB9, 0xAA, 0xBB, 0xAC, 0xBD, 0xAE, 0xBF, 0xA0, 0xA1, 0xA2, 0xA3, 0xA4,
	0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xAB, 0xAC, 0xAD, 0xAE, 0xAF, 0xB0, 0xB1, 0xB2, 0xB3,
	0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA, 0xBB, 0xBC, 0xBD, 0xBE, 0xBF, 0xE0, 0xE1, 0xE2,
	0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xEB, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1,
	0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF, 0xE0,
	0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xEB, 0xEC, 0xED, 0xEE, 0xEF,
	0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE,
	0xBF
};

/* The traits that each byte of CP1252 gives to a path. What a colon means depends on its place:
 * see colon_traits. */
#define C PATH_CONTROL
#define R PATH_RESERVED
#define F (PATH_SLASH | PATH_SEPARATOR)
#define B PATH_SEPARATOR
/* clang-format off */
static const uint16_t byte_traits[256] = {
	PATH_NUL,
	   C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
	C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
	PATH_SPACE, 0, R, 0, 0, 0, 0, 0, 0, 0, R, 0, 0, 0, 0, F, /* " * / */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PATH_COLON, 0, R, 0, R, R, /* : < > ? */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, B, 0, 0, 0, /* backslash */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, R, 0, 0, C, /* | DEL */
	[0xAD] = PATH_DECEPTIVE, /* soft hyphen */
};
/* clang-format on */
#undef C
#undef R
#undef F
#undef B

/* Bytes 0x80-0x9F of CP1252 are letters and signs; the same numbers in UTF-16 are the C1
 * controls. */
static uint32_t wide_traits(struct text t, uint64_t i, uint32_t c)
{
	uint64_t next = i;

	if (text_between(c, 0x80, 0x9F))
		return PATH_CONTROL;
	if (text_between(c, 0xDC00, 0xDFFF))
		return i > 0 && text_between(text_unit(t, i - 1), 0xD800, 0xDBFF) ? 0
										  : PATH_DECEPTIVE;
	c = text_next(t, &next);
	return text_between(c, 0xD800, 0xDBFF) || text_is_unseen(c) ? PATH_DECEPTIVE : 0;
}

static bool is_port_digit(uint32_t c)
{
	return text_between(c, '0', '9') || c == 0xB9 || c == 0xB2 || c == 0xB3;
}

/* Source: Microsoft, "Naming Files, Paths, and Namespaces". A device name counts with any
 * extension, and with spaces before it. */
UVET_RARE static bool is_device(struct text component)
{
	static const char *const whole[] = { "CON",    "PRN",    "AUX",    "NUL",
					     "CLOCK$", "CONIN$", "CONOUT$" };
	uint64_t n = text_find(component, '.', 0);
	struct text stem = text_trim(text_sub(
		component, 0, n < text_find(component, ':', 0) ? n : text_find(component, ':', 0)));

	if (text_is_one(stem, whole, sizeof whole / sizeof whole[0]))
		return true;
	if (stem.ref.n_units != 4 || !is_port_digit(text_unit(stem, 3)))
		return false;
	return text_starts(stem, "COM") || text_starts(stem, "LPT");
}

const uint8_t path_first_bytes[256] = {
	['A'] = AFTER_AN, ['a'] = AFTER_AN, ['N'] = AFTER_AN, ['n'] = AFTER_AN, ['C'] = AFTER_C,
	['c'] = AFTER_C,  ['L'] = AFTER_L,  ['l'] = AFTER_L,  ['P'] = AFTER_P,  ['p'] = AFTER_P,
};
const uint8_t path_second_bytes[256] = {
	['U'] = AFTER_AN, ['u'] = AFTER_AN, ['O'] = AFTER_C, ['o'] = AFTER_C, ['L'] = AFTER_C,
	['l'] = AFTER_C,  ['P'] = AFTER_L,  ['p'] = AFTER_L, ['R'] = AFTER_P, ['r'] = AFTER_P,
};

/* The traits of the component in units from <= i < to. */
UVET_RARE static uint32_t component_traits(const struct text *t, uint32_t from, uint32_t to)
{
	struct text component = text_sub(*t, from, to - from);
	uint32_t first, last, traits = 0;

	if (from == to)
		return PATH_EMPTY_COMPONENT;
	first = text_unit(component, 0);
	last = text_unit(component, to - from - 1);
	if (last == '.' && to - from == 1)
		return PATH_SELF;
	if (last == '.' && to - from == 2 && first == '.')
		return PATH_PARENT;
	if (last == '.' || (last == ' ' && !MUTANT(4))) /* mutant: a trailing space passes */
		traits |= PATH_TRAILING;
	/* mutant: a space hides a device */
	if (first != '\t' && !(first == ' ' && MUTANT(3)) && is_device(component))
		traits |= PATH_DEVICE;
	return traits;
}

/* The traits of a path that has a colon. */
UVET_RARE static uint32_t colon_traits(struct text t)
{
	uint64_t first = text_find(t, ':', 0);
	uint32_t traits = 0;

	if (first == 1 && text_between(text_fold(text_unit(t, 0)), 'A', 'Z')) {
		traits |= PATH_DRIVE;
		first = text_find(t, ':', 2);
	}
	return first < t.ref.n_units ? traits | PATH_COLON : traits;
}

/* The CP1252 byte of a character, or -1. */
static int cp1252_byte(uint32_t c)
{
	struct text one;
	uint8_t byte;

	if (c < 0x80 || text_between(c, 0xA0, 0xFF))
		return (int)c;
	for (byte = 0x80; byte < 0xA0; byte++) {
		one = (struct text){ &byte, { .n_units = 1 } };
		if (text_unit(one, 0) == c)
			return byte;
	}
	return -1;
}

/* A hash that is computed key by key. */
struct path_hash {
	uint64_t word, sum; /* the last eight keys, the first of them in the lowest byte */
	uint32_t n;
};

static void path_hash_add(struct path_hash *h, uint8_t key)
{
	if (h->n > 0 && h->n % 8 == 0)
		h->sum = hash_mix(h->sum, h->word);
	h->word = h->word >> 8 | (uint64_t)key << 56;
	h->n++;
}

/* A character that CP1252 does not have is hashed as two bytes. */
static void hash_wide_unit(struct path_hash *h, uint32_t c)
{
	int byte = cp1252_byte(c = text_fold_far(c));

	if (byte >= 0) {
		/* mutant: case counts */
		path_hash_add(h, MUTANT(5) ? (uint8_t)byte : path_key[byte]);
	} else {
		path_hash_add(h, (uint8_t)(c >> 8));
		path_hash_add(h, (uint8_t)c);
	}
}

/* Examines the component that ends at unit i, a separator. */
static void end_component(struct path *p, const struct text *t, uint32_t i)
{
	p->traits |= PATH_SEPARATOR;
	p->traits |= i > 0 ? component_traits(t, p->last, i) : PATH_ROOTED;
	if (p->last == 0)
		p->first = i;
	p->last = i + 1;
}

/* Examines the last component, and what depends on all of them. */
static void end_path(struct path *p, const struct text *t)
{
	uint32_t n = t->ref.n_units;

	if (n > 0)
		p->traits |= component_traits(t, p->last, n);
	if (n - p->last > 31)
		p->traits |= PATH_LONG_NAME;
	if (p->traits & PATH_COLON)
		p->traits = (p->traits & ~(uint32_t)PATH_COLON) | colon_traits(*t);
}

/* Looks for the last dot of the last component, unit by unit. */
UVET_RARE static void search_extension(struct path *p, const struct text *t)
{
	uint32_t n = t->ref.n_units, dot = n;

	while (dot > p->last && text_unit(*t, dot - 1) != '.')
		dot--;
	p->dot = dot > p->last ? dot - 1 : n;
	p->extension = dot > p->last ? text_word(text_part(t, dot, n)) : 0;
}

/* Looks at the bytes one by one. */
UVET_RARE static void examine_each(const struct text *t, struct path *p)
{
	struct path_hash h = { 0 };

	*p = (struct path){ 0 };
	for (uint32_t i = 0; i < t->ref.n_units; i++) {
		uint8_t byte = t->data[i];

		path_hash_add(&h, path_key[byte]);
		p->traits |= byte_traits[byte];
		if (byte_traits[byte] & PATH_SEPARATOR)
			end_component(p, t, i);
	}
	p->hash = path_hash_end(h.sum, h.word, h.n);
	end_path(p, t);
	search_extension(p, t);
}

UVET_RARE static void examine_wide(const struct text *t, struct path *p)
{
	struct path_hash h = { 0 };

	*p = (struct path){ 0 };
	for (uint32_t i = 0; i < t->ref.n_units; i++) {
		uint32_t c = text_unit(*t, i);

		hash_wide_unit(&h, c);
		p->traits |= c < 0x80 ? byte_traits[c] : wide_traits(*t, i, c);
		if (path_is_separator(c))
			end_component(p, t, i);
	}
	p->hash = path_hash_end(h.sum, h.word, h.n);
	end_path(p, t);
	search_extension(p, t);
}

/* ---- Names ----------------------------------------------------------------------------------- */

void path_examine_at(const struct text *t, struct path *out)
{
	if (t->ref.encoding != TEXT_CP1252)
		examine_wide(t, out);
	else if (!path_examine_plain(t, '\\', out) && !path_examine_plain(t, '/', out))
		examine_each(t, out);
}

void path_examine_slashed(const struct text *t, struct path *out)
{
	if (t->ref.encoding != TEXT_CP1252 || !path_examine_plain(t, '/', out))
		path_examine_at(t, out);
}

void path_folders(struct text t, path_folder_sink *sink, void *ctx)
{
	struct path_hash h = { 0 };

	for (uint32_t i = 0; i < t.ref.n_units; i++) {
		const uint32_t c = text_unit(t, i);

		if (path_is_separator(c) && i > 0 &&
		    !sink(ctx, i, path_hash_end(h.sum, h.word, h.n)))
			return;
		if (t.ref.encoding == TEXT_CP1252)
			path_hash_add(&h, path_key[t.data[i]]);
		else
			hash_wide_unit(&h, c);
	}
}

static uint32_t path_unit(struct text t, uint64_t i)
{
	uint32_t c = text_unit(t, i);

	return c == '/' ? '\\' : text_fold(c < 0x100 ? c : text_fold_far(c));
}

bool path_is_spelt_alike(const struct text *a, const struct text *b)
{
	return a->ref.encoding == b->ref.encoding && a->ref.n_units == b->ref.n_units &&
	       a->ref.n_units > 0 && memcmp(a->data, b->data, (size_t)text_span(a->ref).len) == 0;
}

int path_compare(struct text a, struct text b)
{
	uint64_t n = a.ref.n_units < b.ref.n_units ? a.ref.n_units : b.ref.n_units;

	if (path_is_spelt_alike(&a, &b))
		return 0;
	for (uint64_t i = 0; i < n; i++) {
		uint32_t x = path_unit(a, i), y = path_unit(b, i);

		if (x != y)
			return x < y ? -1 : 1;
	}
	if (a.ref.n_units == b.ref.n_units)
		return 0;
	return a.ref.n_units < b.ref.n_units ? -1 : 1;
}

/* Where the component begins that follows the last separator among eight ASCII characters, which
 * end before unit `end`; 0: none of them is one. */
UVET_WRAPS static uint32_t after_separator(uint64_t word, uint32_t end)
{
	const uint64_t found = (EQUAL(word, '/') | EQUAL(word, '\\')) & TOP_BITS;

	return found ? end - 7 + bits_highest(found) / 8 : 0;
}

uint32_t path_last_at(const struct text *t)
{
	const bool is_wide = t->ref.encoding != TEXT_CP1252;
	uint32_t i = t->ref.n_units;

	while (!is_wide && i >= 8) {
		const uint64_t word = bytes_le64(t->data + i - 8);
		const uint32_t at = after_separator(word, i);

		if (word & TOP_BITS)
			break;
		if (at > 0)
			return at;
		i -= 8;
	}
	while (i > 0 && !path_is_separator(is_wide ? text_unit(*t, i - 1) : t->data[i - 1]))
		i--;
	return i;
}

struct text path_last(struct text t)
{
	return text_sub(t, path_last_at(&t), t.ref.n_units);
}

/* The index of the last dot of a component, or its length. */
static uint64_t last_dot(struct text t)
{
	for (uint64_t i = t.ref.n_units; i > 0; i--)
		if (text_unit(t, i - 1) == '.')
			return i - 1;
	return t.ref.n_units;
}

struct text path_extension(struct text t)
{
	for (uint64_t i = t.ref.n_units; i > 0; i--) {
		uint32_t c = text_unit(t, i - 1);

		if (c == '.')
			return text_sub(t, i, t.ref.n_units);
		if (path_is_separator(c))
			break;
	}
	return text_sub(t, t.ref.n_units, 0);
}

struct text path_stem(struct text t)
{
	struct text last = path_last(t);

	return text_sub(last, 0, last_dot(last));
}

struct text path_other_ending(struct text t, const char *extension)
{
	const struct text own = path_extension(t);

	if (own.ref.n_units == 0 || text_is(own, extension))
		return text_sub(t, t.ref.n_units, 0);
	return text_sub(t, t.ref.n_units - own.ref.n_units - 1, t.ref.n_units);
}

struct text path_first(struct text t)
{
	for (uint64_t i = 0; i < t.ref.n_units; i++)
		if (path_is_separator(text_unit(t, i)))
			return text_sub(t, 0, i);
	return text_sub(t, 0, 0);
}

const char *path_defect(uint32_t traits)
{
	static const struct {
		uint32_t trait;
		const char *words;
	} defects[] = {
		{ PATH_PARENT, "has a \"..\" component" },
		{ PATH_DRIVE, "names a drive" },
		{ PATH_ROOTED, "is absolute" },
		{ PATH_COLON, "has a colon" },
		{ PATH_DEVICE, "names a DOS device" },
		{ PATH_CONTROL, "has a control character" },
		{ PATH_TRAILING, "has a component that ends in a dot or a space" },
		{ PATH_RESERVED, "has a character that Windows reserves" },
		{ PATH_DECEPTIVE, "has a character that reorders text or is not seen" },
		{ PATH_SELF, "has a component that is a single dot" },
		{ PATH_EMPTY_COMPONENT, "has an empty component" },
	};

	for (size_t i = 0; i < sizeof defects / sizeof defects[0]; i++)
		if (traits & defects[i].trait)
			return defects[i].words;
	return "";
}

const char *path_danger(uint32_t traits)
{
	return path_defect(traits & PATH_UNSAFE);
}

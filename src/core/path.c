/* The path policy: one look at each unit, then one look at each component. */
#include "core/path.h"

#include <string.h>

#include "core/canary.h"

/* CP1252 bytes in upper case, and `/` as `\`: the key under which paths are compared. */
static const uint8_t path_key[256] = {
	0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
	0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E, 0x1F,
	0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x2B, 0x2C, 0x2D, 0x2E, 0x5C,
	0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3A, 0x3B, 0x3C, 0x3D, 0x3E, 0x3F,
	0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F,
	0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0x5B, 0x5C, 0x5D, 0x5E, 0x5F,
	0x60, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F,
	0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0x7B, 0x7C, 0x7D, 0x7E, 0x7F,
	0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x8F,
	0x90, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x8A, 0x9B, 0x8C, 0x9D, 0x8E, 0x9F,
	0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xAB, 0xAC, 0xAD, 0xAE, 0xAF,
	0xB0, 0xB1, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA, 0xBB, 0xBC, 0xBD, 0xBE, 0xBF,
	0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF,
	0xD0, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF,
	0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF,
	0xD0, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xF7, 0xD8, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0x9F,
};

/* What each byte of CP1252 says by itself. Whether a colon stands for a drive, its place decides. */
#define C PATH_CONTROL
#define R PATH_RESERVED
#define F (PATH_SLASH | PATH_SEPARATOR)
#define B PATH_SEPARATOR
static const uint16_t byte_traits[256] = {
	PATH_NUL, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
	C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
	PATH_SPACE, 0, R, 0, 0, 0, 0, 0, 0, 0, R, 0, 0, 0, 0, F,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PATH_COLON, 0, R, 0, R, R,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, B, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, R, 0, 0, C,
};
#undef C
#undef R
#undef F
#undef B

static bool is_deceptive(uint32_t c)
{
	return c == 0x061C || text_between(c, 0x200B, 0x200F) || text_between(c, 0x202A, 0x202E) || c == 0x2060 ||
	       text_between(c, 0x2066, 0x2069) || c == 0xFEFF;
}

/* Bytes 0x80-0x9F of CP1252 are letters and signs; the same numbers in UTF-16 are the C1 controls. */
static uint32_t wide_traits(struct text t, uint64_t i, uint32_t c)
{
	uint64_t next = i;

	if (text_between(c, 0x80, 0x9F))
		return PATH_CONTROL;
	if (text_between(c, 0xDC00, 0xDFFF))
		return i > 0 && text_between(text_unit(t, i - 1), 0xD800, 0xDBFF) ? 0 : PATH_DECEPTIVE;
	if (text_between(c, 0xD800, 0xDBFF))
		return text_next(t, &next) == c ? PATH_DECEPTIVE : 0;
	return is_deceptive(c) ? PATH_DECEPTIVE : 0;
}

static bool is_separator(uint32_t c)
{
	return c == '\\' || c == '/';
}

static bool is_port_digit(uint32_t c)
{
	return text_between(c, '0', '9') || c == 0xB9 || c == 0xB2 || c == 0xB3;
}

/* Source: Microsoft, "Naming Files, Paths, and Namespaces". A device name counts with any extension, and with spaces before it. */
static bool is_device(struct text component)
{
	static const char *const whole[] = { "CON", "PRN", "AUX", "NUL", "CLOCK$", "CONIN$", "CONOUT$" };
	uint64_t n = text_find(component, '.', 0);
	struct text stem = text_trim(text_sub(component, 0, n < text_find(component, ':', 0) ? n : text_find(component, ':', 0)));

	for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
		if (text_is(stem, whole[i]))
			return true;
	if (stem.ref.n_units != 4 || !is_port_digit(text_unit(stem, 3)))
		return false;
	return text_starts(stem, "COM") || text_starts(stem, "LPT");
}

/* A look at two letters tells for nearly every name that it is no device's. */
static inline bool may_be_device(uint32_t first, uint32_t second)
{
	switch (first) {
	case ' ':
		return !CANARY(3);                                      /* canary: a space hides a device */
	case 'A': case 'a': case 'N': case 'n':
		return second == 'U' || second == 'u';
	case 'C': case 'c':
		return second == 'O' || second == 'o' || second == 'L' || second == 'l';
	case 'L': case 'l':
		return second == 'P' || second == 'p';
	case 'P': case 'p':
		return second == 'R' || second == 'r';
	default:
		return false;
	}
}

/* A unit as far as components go by it: what is not ASCII only has to be different. */
static inline uint32_t unit_at(const struct text *t, uint32_t i, bool wide)
{
	return wide ? text_unit(*t, i) : t->data[i];
}

/* Of the component that takes the units from <= i < to. */
static inline uint32_t component_traits(const struct text *t, uint32_t from, uint32_t to, bool wide)
{
	uint32_t first, last, traits = 0;

	if (from == to)
		return PATH_EMPTY_COMPONENT;
	first = unit_at(t, from, wide);
	last = unit_at(t, to - 1, wide);
	if (last == '.' && to - from == 1)
		return PATH_SELF;
	if (last == '.' && first == '.' && to - from == 2)
		return PATH_PARENT;
	if (last == '.' || (last == ' ' && !CANARY(4)))         /* canary: a trailing space passes */
		traits |= PATH_TRAILING;
	if (to - from >= 3 && may_be_device(first, unit_at(t, from + 1, wide)) && is_device(text_sub(*t, from, to - from)))
		traits |= PATH_DEVICE;
	return traits;
}

/* The traits of a path that has a colon. */
static uint32_t colon_traits(struct text t)
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

/* The hash goes by words of eight keys, the first of them in the lowest byte, and ends with how many keys there were. */
struct path_hash {
	uint64_t word, sum;
	uint32_t n;
};

UVET_WRAPS static inline uint64_t mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
	return sum ^ sum >> 32;
}

static void path_hash_add(struct path_hash *h, uint8_t key)
{
	h->word |= (uint64_t)key << 8 * (h->n++ & 7);
	if ((h->n & 7) != 0)
		return;
	h->sum = mix(h->sum, h->word);
	h->word = 0;
}

static uint32_t path_hash_end(const struct path_hash *h)
{
	return (uint32_t)mix(h->sum, h->word ^ (uint64_t)h->n << 32);
}

#define EACH_BYTE(byte) ((uint64_t)(byte) * 0x0101010101010101u)

/* The keys of eight ASCII bytes: the top bit of a byte of `lower` and `slash` says that the character is one. */
static inline uint64_t ascii_keys(uint64_t v)
{
	uint64_t lower = (v + EACH_BYTE(0x80 - 'a')) & ~(v + EACH_BYTE(0x7F - 'z')) & EACH_BYTE(0x80);
	uint64_t slash = ~((v ^ EACH_BYTE('/')) + EACH_BYTE(0x7F)) & EACH_BYTE(0x80);

	return v - (lower >> 2) + (slash >> 7) * ('\\' - '/');
}

/* Of n bytes, at most eight. */
static uint64_t byte_keys(const uint8_t *bytes, uint32_t n)
{
	uint64_t keys = 0;

	for (uint32_t i = 0; i < n; i++)
		keys |= (uint64_t)path_key[bytes[i]] << 8 * i;
	return keys;
}

static uint32_t hash_bytes(const uint8_t *bytes, uint32_t n)
{
	struct path_hash h = { .n = n };

	for (; n >= 8; n -= 8, bytes += 8) {
		uint64_t v = bytes_le64(bytes);

		h.sum = mix(h.sum, v & EACH_BYTE(0x80) ? byte_keys(bytes, 8) : ascii_keys(v));
	}
	h.word = byte_keys(bytes, n);
	return path_hash_end(&h);
}

/* What CP1252 does not have is hashed as two bytes. */
static void hash_wide_unit(struct path_hash *h, uint32_t c)
{
	int byte = cp1252_byte(c);

	if (byte >= 0) {
		path_hash_add(h, CANARY(5) ? (uint8_t)byte : path_key[byte]);   /* canary: case counts */
	} else {
		path_hash_add(h, (uint8_t)(c >> 8));
		path_hash_add(h, (uint8_t)c);
	}
}

/* The component that the separator at unit i ends. */
static inline void end_component(struct path *p, const struct text *t, uint32_t i, bool wide)
{
	p->traits |= i > 0 ? component_traits(t, p->last, i, wide) : PATH_ROOTED;
	if (p->last == 0)
		p->first = i;
	p->last = i + 1;
}

/* What can be said once all components but the last are known. */
static inline void end_path(struct path *p, const struct text *t, bool wide)
{
	uint32_t n = t->ref.n_units, dot = n;

	if (n > 0)
		p->traits |= component_traits(t, p->last, n, wide);
	if (n - p->last > 31)
		p->traits |= PATH_LONG_NAME;
	if (p->traits & PATH_COLON)
		p->traits = (p->traits & ~(uint32_t)PATH_COLON) | colon_traits(*t);
	while (dot > p->last && unit_at(t, dot - 1, wide) != '.')
		dot--;
	p->dot = dot > p->last ? dot - 1 : n;
}

static struct path examine_bytes(const struct text *t)
{
	const uint8_t *bytes = t->data;
	uint32_t n = t->ref.n_units;
	struct path p = { .hash = hash_bytes(bytes, n) };

	for (uint32_t i = 0; i < n; i++) {
		uint32_t traits = byte_traits[bytes[i]];

		p.traits |= traits;
		if (traits & PATH_SEPARATOR)
			end_component(&p, t, i, false);
	}
	end_path(&p, t, false);
	return p;
}

static struct path examine_wide(const struct text *t)
{
	struct path_hash h = { 0 };
	struct path p = { 0 };

	for (uint32_t i = 0; i < t->ref.n_units; i++) {
		uint32_t c = text_unit(*t, i);

		hash_wide_unit(&h, c);
		p.traits |= c < 0x80 ? byte_traits[c] : wide_traits(*t, i, c);
		if (is_separator(c))
			end_component(&p, t, i, true);
	}
	p.hash = path_hash_end(&h);
	end_path(&p, t, true);
	return p;
}

struct path path_examine_at(const struct text *t)
{
	return t->ref.encoding == TEXT_CP1252 ? examine_bytes(t) : examine_wide(t);
}

static uint32_t path_unit(struct text t, uint64_t i)
{
	uint32_t c = text_unit(t, i);

	return c == '/' ? '\\' : text_fold(c);
}

/* Most paths that are equal are spelt alike. */
static bool are_same(const struct text *a, const struct text *b)
{
	return a->ref.encoding == b->ref.encoding && a->ref.n_units == b->ref.n_units && a->ref.n_units > 0 &&
	       memcmp(a->data, b->data, (size_t)text_span(a->ref).len) == 0;
}

int path_compare(struct text a, struct text b)
{
	uint64_t n = a.ref.n_units < b.ref.n_units ? a.ref.n_units : b.ref.n_units;

	if (are_same(&a, &b))
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

struct text path_last(struct text t)
{
	uint64_t i = t.ref.n_units;

	while (i > 0 && !is_separator(text_unit(t, i - 1)))
		i--;
	return text_sub(t, i, t.ref.n_units);
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
	struct text last = path_last(t);

	return text_sub(last, last_dot(last) + 1, last.ref.n_units);
}

struct text path_stem(struct text t)
{
	struct text last = path_last(t);

	return text_sub(last, 0, last_dot(last));
}

struct text path_first(struct text t)
{
	for (uint64_t i = 0; i < t.ref.n_units; i++)
		if (is_separator(text_unit(t, i)))
			return text_sub(t, 0, i);
	return text_sub(t, 0, 0);
}

const char *path_danger(uint32_t traits)
{
	static const struct {
		uint32_t trait;
		const char *words;
	} dangers[] = {
		{ PATH_PARENT,   "has a \"..\" component" },
		{ PATH_DRIVE,    "names a drive" },
		{ PATH_ROOTED,   "is absolute" },
		{ PATH_COLON,    "has a colon" },
		{ PATH_DEVICE,   "names a DOS device" },
		{ PATH_CONTROL,  "has a control character" },
		{ PATH_TRAILING, "has a component that ends in a dot or a space" },
	};

	for (size_t i = 0; i < sizeof dangers / sizeof dangers[0]; i++)
		if (traits & dangers[i].trait)
			return dangers[i].words;
	return "";
}

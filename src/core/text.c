/* Untrusted text: decoding, folding and comparing without libc and without a locale. */
#include "core/text.h"

#include "core/ascii.h"
#include "core/mutant.h"
#include "core/text_controls.h"

/* Code points of the bytes 0x80-0x9F in CP1252. The five bytes it leaves undefined keep their
 * own number, as Windows does. Source: Microsoft's table "windows-1252". */
static const uint16_t cp1252_high[32] = { 0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020,
					  0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
					  0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D,
					  0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
					  0x0153, 0x009D, 0x017E, 0x0178 };

struct text text_from(const char *ascii)
{
	return (struct text){ (const uint8_t *)ascii, { .n_units = (uint32_t)strlen(ascii) } };
}

bool text_differs_in_case(const char *a, const char *b)
{
	bool differs = false;

	for (; *a && ascii_lower(*a) == ascii_lower(*b); a++, b++)
		differs = differs || *a != *b;
	return differs && *a == *b;
}

struct text text_prefixed(const char *ascii, struct text t, uint8_t *buf)
{
	uint64_t width = text_width(t.ref.encoding), low = t.ref.encoding == TEXT_UTF16BE ? 1 : 0,
		 n = 0;
	struct text out = { buf, t.ref };

	for (; ascii[n]; n++) {
		if (width == 2)
			buf[n * 2 + 1 - low] = 0;
		buf[n * width + low] = (uint8_t)ascii[n];
	}
	for (uint64_t i = 0; i < t.ref.n_units * width; i++)
		buf[n * width + i] = t.data[i];
	out.ref.n_units += (uint32_t)n;
	return out;
}

uint32_t text_wide_unit(const uint8_t *data, enum text_encoding encoding, uint64_t i)
{
	uint32_t c;

	switch (encoding) {
	case TEXT_UTF16LE:
		return data[2 * i] + 256u * data[2 * i + 1];
	case TEXT_UTF16BE:
		return 256u * data[2 * i] + data[2 * i + 1];
	default:
		c = data[i];
		return text_between(c, 0x80, 0x9F) ? cp1252_high[c - 0x80] : c;
	}
}

uint32_t text_next(struct text t, uint64_t *i)
{
	uint32_t c = text_unit(t, (*i)++);
	uint32_t low;

	if (!text_between(c, 0xD800, 0xDBFF) || *i >= t.ref.n_units)
		return c;
	low = text_unit(t, *i);
	if (!text_between(low, 0xDC00, 0xDFFF))
		return c;
	(*i)++;
	return 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
}

uint64_t text_find_control(const struct text *t, uint64_t from)
{
	const uint32_t n = t->ref.n_units;
	const bool wide = t->ref.encoding != TEXT_CP1252;

	/* mutant: a byte too far */
	for (; !wide && from + 16 <= n + (uint64_t)MUTANT(2); from += 16) {
		unsigned at = first_control(t->data + from);

		if (at < 16)
			return from + at;
	}
	for (; from < n; from++) {
		uint32_t c = wide ? text_unit(*t, from) : t->data[from];
		/* mutant: far from the start one is passed over */
		const uint32_t last = 0x9F - (uint32_t)MUTANT(236) * (from > 20);

		if (c < 0x20 || c == 0x7F || (wide && text_between(c, 0x80, last)))
			break;
	}
	return from < n ? from : n;
}

/* Source: Unicode's Default_Ignorable_Code_Point, Bidi_Control and general categories Cc, Cf, Zl,
 * Zp, Cn of the noncharacters. */
static const struct {
	uint32_t first, last;
} unseen[] = { { 0x0080, 0x009F },   { 0x00AD, 0x00AD },   { 0x034F, 0x034F },  { 0x061C, 0x061C },
	       { 0x115F, 0x1160 },   { 0x17B4, 0x17B5 },   { 0x180B, 0x180F },  { 0x200B, 0x200F },
	       { 0x2028, 0x202E },   { 0x2060, 0x206F },   { 0x3164, 0x3164 },  { 0xFDD0, 0xFDEF },
	       { 0xFE00, 0xFE0F },   { 0xFEFF, 0xFEFF },   { 0xFFA0, 0xFFA0 },  { 0xFFF0, 0xFFFB },
	       { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A }, { 0xE0000, 0xE0FFF } };

bool text_is_unseen(uint32_t c)
{
	if (c < 0x80)
		return c < 0x20 || c == 0x7F;
	for (size_t i = 0; i < sizeof unseen / sizeof *unseen && c >= unseen[i].first; i++)
		if (c <= unseen[i].last)
			return true;
	return (c & 0xFFFE) == 0xFFFE;
}

uint32_t text_fold_high(uint32_t c)
{
	if (text_between(c, 0xE0, 0xFE) && c != 0xF7)
		return c - 32;
	switch (c) {
	case 0x00FF:
		return 0x0178;
	case 0x0153:
		return 0x0152;
	case 0x0161:
		return 0x0160;
	case 0x017E:
		return 0x017D;
	default:
		return c;
	}
}

uint64_t text_word8(struct text t)
{
	const bool wide = t.ref.encoding != TEXT_CP1252;
	uint64_t word = 0;

	if (t.ref.n_units > 8)
		return 0;
	for (uint32_t i = t.ref.n_units; i > 0; i--) {
		uint32_t c = wide ? text_unit(t, i - 1) : t.data[i - 1];

		if (!text_between(c, 1, 0x7F))
			return 0;
		word = word << 8 | text_fold(c);
	}
	return word;
}

int text_compare(struct text a, struct text b)
{
	uint64_t n = a.ref.n_units < b.ref.n_units ? a.ref.n_units : b.ref.n_units;

	for (uint64_t i = 0; i < n; i++) {
		uint32_t x = text_fold(text_unit(a, i)), y = text_fold(text_unit(b, i));

		if (x != y)
			return x < y ? -1 : 1;
	}
	if (a.ref.n_units == b.ref.n_units)
		return 0;
	return a.ref.n_units < b.ref.n_units ? -1 : 1;
}

static size_t utf8_put(uint32_t c, uint8_t *p)
{
	if (text_between(c, 0xD800, 0xDFFF))
		c = 0xFFFD;
	if (c < 0x80) {
		p[0] = (uint8_t)c;
		return 1;
	}
	if (c < 0x800) {
		p[0] = (uint8_t)(0xC0 + (c >> 6));
		p[1] = (uint8_t)(0x80 + (c & 0x3F));
		return 2;
	}
	if (c < 0x10000) {
		p[0] = (uint8_t)(0xE0 + (c >> 12));
		p[1] = (uint8_t)(0x80 + (c >> 6 & 0x3F));
		p[2] = (uint8_t)(0x80 + (c & 0x3F));
		return 3;
	}
	p[0] = (uint8_t)(0xF0 + (c >> 18));
	p[1] = (uint8_t)(0x80 + (c >> 12 & 0x3F));
	p[2] = (uint8_t)(0x80 + (c >> 6 & 0x3F));
	p[3] = (uint8_t)(0x80 + (c & 0x3F));
	return 4;
}

size_t text_utf8_len(struct text t)
{
	uint8_t bytes[4];
	size_t n = 0;

	for (uint64_t i = 0; i < t.ref.n_units;)
		n += utf8_put(text_next(t, &i), bytes);
	return n;
}

size_t text_utf8(struct text t, size_t max, uint8_t *buf, bool *whole)
{
	size_t n = 0;
	uint64_t i = 0;

	for (; i < t.ref.n_units && max > 0; max--)
		n += utf8_put(text_next(t, &i), buf + n);
	*whole = i >= t.ref.n_units;
	return n;
}

/* Untrusted text: decoding, folding and comparing without libc and without a locale. */
#include "core/text.h"

/* Code points of the bytes 0x80-0x9F in CP1252. The five bytes it leaves undefined keep their own number, as Windows
 * does. Source: Microsoft's table "windows-1252". */
static const uint16_t cp1252_high[32] = {
	0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
	0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
	0x0153, 0x009D, 0x017E, 0x0178,
};

struct span text_span(struct text_ref ref)
{
	return (struct span){ ref.at, ref.n_units * text_width(ref.encoding) };
}

struct text text_at(const struct cursor *window, struct text_ref ref)
{
	struct cursor c = *window;
	const uint8_t *data;

	if (!cursor_seek(&c, ref.at) || !cursor_bytes(&c, text_span(ref).len, &data))
		return (struct text){ NULL, { .at = ref.at } };
	return (struct text){ data, ref };
}

struct text text_from(const char *ascii)
{
	uint32_t n = 0;

	while (ascii[n])
		n++;
	return (struct text){ (const uint8_t *)ascii, { .n_units = n } };
}

struct text text_sub(struct text t, uint64_t from, uint64_t n)
{
	uint64_t left, width = text_width(t.ref.encoding);

	if (from > t.ref.n_units)
		from = t.ref.n_units;
	left = t.ref.n_units - from;
	if (from > 0)
		t.data += from * width;
	t.ref.at += from * width;
	t.ref.n_units = (uint32_t)(n < left ? n : left);
	return t;
}

struct text text_prefixed(const char *ascii, struct text t, uint8_t *buf)
{
	uint64_t width = text_width(t.ref.encoding), low = t.ref.encoding == TEXT_UTF16BE ? 1 : 0, n = 0;
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

static bool is_blank(uint32_t c)
{
	return c == ' ' || c == '\t';
}

struct text text_trim(struct text t)
{
	uint64_t from = 0, to = t.ref.n_units;

	while (from < to && is_blank(text_unit(t, from)))
		from++;
	while (to > from && is_blank(text_unit(t, to - 1)))
		to--;
	return text_sub(t, from, to - from);
}

uint32_t text_unit(struct text t, uint64_t i)
{
	uint32_t c;

	switch (t.ref.encoding) {
	case TEXT_UTF16LE:
		return t.data[2 * i] + 256u * t.data[2 * i + 1];
	case TEXT_UTF16BE:
		return 256u * t.data[2 * i] + t.data[2 * i + 1];
	default:
		c = t.data[i];
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

uint64_t text_find(struct text t, uint32_t c, uint64_t from)
{
	while (from < t.ref.n_units && text_unit(t, from) != c)
		from++;
	return from < t.ref.n_units ? from : t.ref.n_units;
}

uint32_t text_fold(uint32_t c)
{
	if (c < 0x80)
		return text_between(c, 'a', 'z') ? c - 32 : c;
	if (text_between(c, 0xE0, 0xFE) && c != 0xF7)
		return c - 32;
	switch (c) {
	case 0x00FF: return 0x0178;
	case 0x0153: return 0x0152;
	case 0x0161: return 0x0160;
	case 0x017E: return 0x017D;
	default:     return c;
	}
}

/* How many units of t match the word from its start; the word's length in *len. */
static uint64_t matching_units(struct text t, const char *ascii, uint64_t *len)
{
	uint64_t i = 0, n;

	while (ascii[i] && i < t.ref.n_units && text_fold(text_unit(t, i)) == text_fold((uint8_t)ascii[i]))
		i++;
	for (n = i; ascii[n]; n++)
		;
	*len = n;
	return i;
}

bool text_starts(struct text t, const char *ascii)
{
	uint64_t len;

	return matching_units(t, ascii, &len) == len;
}

bool text_is(struct text t, const char *ascii)
{
	uint64_t len;

	return matching_units(t, ascii, &len) == len && len == t.ref.n_units;
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

bool text_number(struct text t, uint64_t *out)
{
	uint64_t v = 0;

	if (t.ref.n_units == 0)
		return false;
	for (uint64_t i = 0; i < t.ref.n_units; i++) {
		uint32_t c = text_unit(t, i);

		if (!text_between(c, '0', '9') || v > ((uint64_t)INT64_MAX - (c - '0')) / 10)
			return false;
		v = v * 10 + (c - '0');
	}
	*out = v;
	return true;
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

size_t text_utf8(struct text t, size_t max, uint8_t *buf, bool *whole)
{
	size_t n = 0;
	uint64_t i = 0;

	while (i < t.ref.n_units && max-- > 0)
		n += utf8_put(text_next(t, &i), buf + n);
	*whole = i >= t.ref.n_units;
	return n;
}

/* The path policy, as it is told. */
#include "reference/reference_path.h"

#include <string.h>

static const uint16_t cp1252[32] = {
	0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
	0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
	0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178
};

void reference_path_decode(struct reference_path *s, const uint8_t *p, size_t n,
			   enum text_encoding e)
{
	s->n = n;
	s->wide = e != TEXT_CP1252;
	for (size_t i = 0; i < n; i++) {
		if (e == TEXT_CP1252)
			s->units[i] = p[i] >= 0x80 && p[i] < 0xA0 ? cp1252[p[i] - 0x80] : p[i];
		else
			s->units[i] = e == TEXT_UTF16LE ? p[2 * i] | (uint32_t)p[2 * i + 1] << 8
							: (uint32_t)p[2 * i] << 8 | p[2 * i + 1];
	}
}

bool reference_is_separator(uint32_t c)
{
	return c == '/' || c == '\\';
}

/* ---- Traits ---------------------------------------------------------------------------------- */

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
	static const char *const names[] = { "CON",    "PRN",    "AUX",    "NUL",
					     "CLOCK$", "CONIN$", "CONOUT$" };
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
	if (end != 4 ||
	    !((u[3] >= '0' && u[3] <= '9') || u[3] == 0xB9 || u[3] == 0xB2 || u[3] == 0xB3))
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

static bool is_in_list(uint32_t c)
{
	static const uint32_t list[] = { 0xAD,    0xAD,    0x34F,   0x34F,   0x61C,   0x61C,
					 0x115F,  0x1160,  0x17B4,  0x17B5,  0x180B,  0x180F,
					 0x200B,  0x200F,  0x2028,  0x202E,  0x2060,  0x206F,
					 0x3164,  0x3164,  0xFDD0,  0xFDEF,  0xFE00,  0xFE0F,
					 0xFEFF,  0xFEFF,  0xFFA0,  0xFFA0,  0xFFF0,  0xFFFB,
					 0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A, 0xE0000, 0xE0FFF };

	for (size_t k = 0; k < sizeof list / sizeof *list; k += 2)
		if (c >= list[k] && c <= list[k + 1])
			return true;
	return c % 0x10000 > 0xFFFD;
}

static bool is_slow_deceptive(const struct reference_path *s, size_t i)
{
	uint32_t c = s->units[i];

	if (c >= 0xD800 && c < 0xDC00) {
		if (i + 1 == s->n || s->units[i + 1] < 0xDC00 || s->units[i + 1] > 0xDFFF)
			return true;
		return is_in_list(0x10000 + (c - 0xD800) * 0x400 + s->units[i + 1] - 0xDC00);
	}
	if (c >= 0xDC00 && c < 0xE000)
		return i == 0 || s->units[i - 1] < 0xD800 || s->units[i - 1] > 0xDBFF;
	return is_in_list(c);
}

static uint32_t slow_unit(const struct reference_path *s, size_t i)
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
	if (reference_is_separator(c))
		traits |= PATH_SEPARATOR;
	if (c != 0 && c < 0x80 && strchr("<>\"|?*", (int)c))
		traits |= PATH_RESERVED;
	if (is_slow_deceptive(s, i))
		traits |= PATH_DECEPTIVE;
	return traits;
}

static uint32_t slow_colons(const struct reference_path *s)
{
	bool drive = s->n >= 2 && s->units[1] == ':' && upper(s->units[0]) >= 'A' &&
		     upper(s->units[0]) <= 'Z';
	uint32_t traits = drive ? PATH_DRIVE : 0;

	for (size_t i = drive ? 2 : 0; i < s->n; i++)
		if (s->units[i] == ':')
			traits |= PATH_COLON;
	return traits;
}

uint32_t reference_path_traits(const struct reference_path *s)
{
	uint32_t traits = slow_colons(s);
	size_t start = 0;

	for (size_t i = 0; i < s->n; i++) {
		traits |= slow_unit(s, i);
		if (!reference_is_separator(s->units[i]))
			continue;
		traits |= i == 0 ? PATH_ROOTED : slow_component(s->units + start, i - start);
		start = i + 1;
	}
	if (s->n > 0)
		traits |= slow_component(s->units + start, s->n - start);
	return s->n - start > 31 ? traits | PATH_LONG_NAME : traits;
}

/* What characters stand for in names. Source: Unicode 15; for what HFS+ passes over, Apple's
 * Technical Note 1150; for fullwidth forms, the best fits of Windows's code pages. */
#include "core/text_alike.h"

#include "core/compiler.h"

/* ---- Letters --------------------------------------------------------------------------------- */

static const struct letter {
	uint16_t letter, first, second;
} letters[] = {
#define L(c, a, b) { 0x##c, 0x##a, 0x##b },
#include "core/text_letters.def"
#undef L
};

/* What a letter stands for, or NULL. */
static const struct letter *letter_of(uint32_t c)
{
	size_t from = 0, to = sizeof letters / sizeof *letters;

	while (to - from > 1) {
		const size_t middle = from + (to - from) / 2;

		if (c < letters[middle].letter)
			to = middle;
		else
			from = middle;
	}
	return letters[from].letter == c ? &letters[from] : NULL;
}

/* ---- Marks ----------------------------------------------------------------------------------- */

/* Combining marks, and their classes: those of one class stay in the order in which they stand. */
static const struct marks {
	uint16_t first, last;
	uint8_t class;
} marks[] = {
	{ 0x0300, 0x0314, 230 }, { 0x0315, 0x0315, 232 }, { 0x0316, 0x0319, 220 },
	{ 0x031A, 0x031A, 232 }, { 0x031B, 0x031B, 216 }, { 0x031C, 0x0320, 220 },
	{ 0x0321, 0x0322, 202 }, { 0x0323, 0x0326, 220 }, { 0x0327, 0x0328, 202 },
	{ 0x0329, 0x0333, 220 }, { 0x0334, 0x0338, 1 },   { 0x0339, 0x033C, 220 },
	{ 0x033D, 0x0344, 230 }, { 0x0345, 0x0345, 240 }, { 0x0346, 0x0346, 230 },
	{ 0x0347, 0x0349, 220 }, { 0x034A, 0x034C, 230 }, { 0x034D, 0x034E, 220 },
	{ 0x0350, 0x0352, 230 }, { 0x0353, 0x0356, 220 }, { 0x0357, 0x0357, 230 },
	{ 0x0358, 0x0358, 232 }, { 0x0359, 0x035A, 220 }, { 0x035B, 0x035B, 230 },
	{ 0x035C, 0x035C, 233 }, { 0x035D, 0x035E, 234 }, { 0x035F, 0x035F, 233 },
	{ 0x0360, 0x0361, 234 }, { 0x0362, 0x0362, 233 }, { 0x0363, 0x036F, 230 },
	{ 0x0483, 0x0487, 230 }, { 0x3099, 0x309A, 8 },
};

static unsigned mark_class(uint32_t c)
{
	size_t from = 0, to = sizeof marks / sizeof *marks;

	while (to - from > 1) {
		const size_t middle = from + (to - from) / 2;

		if (c < marks[middle].first)
			to = middle;
		else
			from = middle;
	}
	return text_between(c, marks[from].first, marks[from].last) ? marks[from].class : 0;
}

/* ---- Characters ------------------------------------------------------------------------------ */

enum {
	HANGUL_FIRST = 0xAC00,
	HANGUL_LAST = 0xD7A3,
	LEADS = 0x1100,
	VOWELS = 0x1161,
	N_VOWELS = 21,
	TAILS = 0x11A7, /* the one before the first */
	N_TAILS = 28,
	JAMO_LAST = 0x11FF,
};

static bool is_wide(uint32_t c)
{
	return text_between(c, 0xFF01, 0xFF5E) && c != 0xFF0F && c != 0xFF3C; /* no separators */
}

static bool is_unseen(uint32_t c)
{
	return c > 0x9F && text_is_unseen(c);
}

bool text_stands_alone(uint32_t c)
{
	const struct letter *letter;

	if (c < 0x80)
		return true;
	if (is_wide(c) || is_unseen(c) || text_between(c, LEADS, JAMO_LAST) || mark_class(c) > 0)
		return false;
	letter = letter_of(c);
	return !letter || (letter->second != 0 && mark_class(letter->second) > 0);
}

/* Of more marks in a row the order counts, as Unicode's stream-safe text has no more. */
enum { MARKS_MAX = 30 };

static uint32_t unit_at(const uint8_t *out, uint32_t i)
{
	return out[2 * (size_t)i] | (uint32_t)out[2 * (size_t)i + 1] << 8;
}

static void write_unit(uint8_t *out, uint32_t i, uint32_t unit)
{
	out[2 * (size_t)i] = (uint8_t)unit;
	out[2 * (size_t)i + 1] = (uint8_t)(unit >> 8);
}

/* A mark goes before those of higher classes. */
static void put_unit(uint32_t unit, uint8_t *out, uint32_t *n)
{
	const unsigned class = mark_class(unit);
	uint32_t at = (*n)++;

	for (unsigned i = 0; class > 0 && i < MARKS_MAX && at > 0; i++, at--) {
		const uint32_t before = unit_at(out, at - 1);

		if (mark_class(before) <= class)
			break;
		write_unit(out, at, before);
	}
	write_unit(out, at, unit);
}

static unsigned put_hangul(uint32_t c, uint8_t *out, uint32_t *n)
{
	const uint32_t i = c - HANGUL_FIRST;

	put_unit(LEADS + i / (N_VOWELS * N_TAILS), out, n);
	put_unit(VOWELS + i / N_TAILS % N_VOWELS, out, n);
	if (i % N_TAILS > 0)
		put_unit(TAILS + i % N_TAILS, out, n);
	return TEXT_LIKE_MACOS;
}

static unsigned put_letter(uint32_t c, uint8_t *out, uint32_t *n)
{
	uint32_t rest[TEXT_ALIKE_MAX - 1];
	const struct letter *letter = letter_of(c);
	const unsigned why = letter ? TEXT_LIKE_MACOS : 0;
	unsigned n_rest = 0;

	for (; letter && n_rest < TEXT_ALIKE_MAX - 1; letter = letter_of(c)) {
		if (letter->second > 0)
			rest[n_rest++] = letter->second;
		c = letter->first;
	}
	put_unit(c, out, n);
	while (n_rest > 0)
		put_unit(rest[--n_rest], out, n);
	return why;
}

unsigned text_alike_put(uint32_t c, uint8_t *out, uint32_t *n)
{
	if (c < 0x80 || c >= 0x10000 || is_wide(c) || is_unseen(c)) {
		if (is_unseen(c))
			return TEXT_LIKE_UNSEEN;
		if (c >= 0x10000) {
			put_unit(0xD800 + (((c - 0x10000) >> 10) & 0x3FF), out, n);
			put_unit(0xDC00 + (c & 0x3FF), out, n);
			return 0;
		}
		put_unit(is_wide(c) ? c - 0xFEE0 : c, out, n);
		return is_wide(c) ? TEXT_LIKE_WIDE : 0;
	}
	return text_between(c, HANGUL_FIRST, HANGUL_LAST) ? put_hangul(c, out, n)
							  : put_letter(c, out, n);
}

/* ---- Code page 437 --------------------------------------------------------------------------- */

uint32_t text_cp437(uint8_t byte)
{
	static const uint16_t high[] = {
		0x00C7, 0x00FC, 0x00E9, 0x00E2, 0x00E4, 0x00E0, 0x00E5, 0x00E7, 0x00EA, 0x00EB,
		0x00E8, 0x00EF, 0x00EE, 0x00EC, 0x00C4, 0x00C5, 0x00C9, 0x00E6, 0x00C6, 0x00F4,
		0x00F6, 0x00F2, 0x00FB, 0x00F9, 0x00FF, 0x00D6, 0x00DC, 0x00A2, 0x00A3, 0x00A5,
		0x20A7, 0x0192, 0x00E1, 0x00ED, 0x00F3, 0x00FA, 0x00F1, 0x00D1, 0x00AA, 0x00BA,
		0x00BF, 0x2310, 0x00AC, 0x00BD, 0x00BC, 0x00A1, 0x00AB, 0x00BB, 0x2591, 0x2592,
		0x2593, 0x2502, 0x2524, 0x2561, 0x2562, 0x2556, 0x2555, 0x2563, 0x2551, 0x2557,
		0x255D, 0x255C, 0x255B, 0x2510, 0x2514, 0x2534, 0x252C, 0x251C, 0x2500, 0x253C,
		0x255E, 0x255F, 0x255A, 0x2554, 0x2569, 0x2566, 0x2560, 0x2550, 0x256C, 0x2567,
		0x2568, 0x2564, 0x2565, 0x2559, 0x2558, 0x2552, 0x2553, 0x256B, 0x256A, 0x2518,
		0x250C, 0x2588, 0x2584, 0x258C, 0x2590, 0x2580, 0x03B1, 0x00DF, 0x0393, 0x03C0,
		0x03A3, 0x03C3, 0x00B5, 0x03C4, 0x03A6, 0x0398, 0x03A9, 0x03B4, 0x221E, 0x03C6,
		0x03B5, 0x2229, 0x2261, 0x00B1, 0x2265, 0x2264, 0x2320, 0x2321, 0x00F7, 0x2248,
		0x00B0, 0x2219, 0x00B7, 0x221A, 0x207F, 0x00B2, 0x25A0, 0x00A0,
	};

	return byte < 0x80 ? byte : high[byte - 0x80];
}

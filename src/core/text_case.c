/* The two forms of letters that have them, beyond Latin-1, as file systems compare names. */
#include "core/text.h"

/* Letters from `first` to `last`, `step` apart, each so much before the form that stands for
 * both. Source: Unicode's simple mappings to capitals, where the capital's small letter is the
 * letter, and final sigma. CP1252 has the small one of U+0191 alone, so that this stands for
 * both. */
static const struct {
	uint16_t first, last;
	uint8_t step;
	int16_t by;
} letters[] = {
	{ 0x0101, 0x012F, 2, -1 },   { 0x0133, 0x0137, 2, -1 },   { 0x013A, 0x0148, 2, -1 },
	{ 0x014B, 0x0177, 2, -1 },   { 0x017A, 0x017E, 2, -1 },   { 0x0180, 0x0180, 1, 195 },
	{ 0x0183, 0x0185, 2, -1 },   { 0x0188, 0x0188, 1, -1 },   { 0x018C, 0x018C, 1, -1 },
	{ 0x0191, 0x0191, 1, 1 },    { 0x0195, 0x0195, 1, 97 },   { 0x0199, 0x0199, 1, -1 },
	{ 0x019A, 0x019A, 1, 163 },  { 0x019E, 0x019E, 1, 130 },  { 0x01A1, 0x01A5, 2, -1 },
	{ 0x01A8, 0x01A8, 1, -1 },   { 0x01AD, 0x01AD, 1, -1 },   { 0x01B0, 0x01B0, 1, -1 },
	{ 0x01B4, 0x01B6, 2, -1 },   { 0x01B9, 0x01B9, 1, -1 },   { 0x01BD, 0x01BD, 1, -1 },
	{ 0x01BF, 0x01BF, 1, 56 },   { 0x01C6, 0x01C6, 1, -2 },   { 0x01C9, 0x01C9, 1, -2 },
	{ 0x01CC, 0x01CC, 1, -2 },   { 0x01CE, 0x01DC, 2, -1 },   { 0x01DD, 0x01DD, 1, -79 },
	{ 0x01DF, 0x01EF, 2, -1 },   { 0x01F3, 0x01F3, 1, -2 },   { 0x01F5, 0x01F5, 1, -1 },
	{ 0x01F9, 0x021F, 2, -1 },   { 0x0223, 0x0233, 2, -1 },   { 0x023C, 0x023C, 1, -1 },
	{ 0x0242, 0x0242, 1, -1 },   { 0x0247, 0x024F, 2, -1 },   { 0x0253, 0x0253, 1, -210 },
	{ 0x0254, 0x0254, 1, -206 }, { 0x0256, 0x0257, 1, -205 }, { 0x0259, 0x0259, 1, -202 },
	{ 0x025B, 0x025B, 1, -203 }, { 0x0260, 0x0260, 1, -205 }, { 0x0263, 0x0263, 1, -207 },
	{ 0x0268, 0x0268, 1, -209 }, { 0x0269, 0x0269, 1, -211 }, { 0x026F, 0x026F, 1, -211 },
	{ 0x0272, 0x0272, 1, -213 }, { 0x0275, 0x0275, 1, -214 }, { 0x0280, 0x0280, 1, -218 },
	{ 0x0283, 0x0283, 1, -218 }, { 0x0288, 0x0288, 1, -218 }, { 0x0289, 0x0289, 1, -69 },
	{ 0x028A, 0x028B, 1, -217 }, { 0x028C, 0x028C, 1, -71 },  { 0x0292, 0x0292, 1, -219 },
	{ 0x0371, 0x0373, 2, -1 },   { 0x0377, 0x0377, 1, -1 },   { 0x037B, 0x037D, 1, 130 },
	{ 0x03AC, 0x03AC, 1, -38 },  { 0x03AD, 0x03AF, 1, -37 },  { 0x03B1, 0x03C1, 1, -32 },
	{ 0x03C2, 0x03C2, 1, -31 },  { 0x03C3, 0x03CB, 1, -32 },  { 0x03CC, 0x03CC, 1, -64 },
	{ 0x03CD, 0x03CE, 1, -63 },  { 0x03D7, 0x03D7, 1, -8 },   { 0x03D9, 0x03EF, 2, -1 },
	{ 0x03F2, 0x03F2, 1, 7 },    { 0x03F3, 0x03F3, 1, -116 }, { 0x03F8, 0x03F8, 1, -1 },
	{ 0x03FB, 0x03FB, 1, -1 },   { 0x0430, 0x044F, 1, -32 },  { 0x0450, 0x045F, 1, -80 },
	{ 0x0461, 0x0481, 2, -1 },   { 0x048B, 0x04BF, 2, -1 },   { 0x04C2, 0x04CE, 2, -1 },
	{ 0x04CF, 0x04CF, 1, -15 },  { 0x04D1, 0x052F, 2, -1 },   { 0x0561, 0x0586, 1, -48 },
	{ 0x1E01, 0x1E95, 2, -1 },   { 0x1EA1, 0x1EFF, 2, -1 },   { 0xFF41, 0xFF5A, 1, -32 }
};

uint32_t text_fold_far(uint32_t c)
{
	size_t from = 0, to = sizeof letters / sizeof *letters;

	while (to - from > 1) {
		const size_t middle = from + (to - from) / 2;

		if (c < letters[middle].first)
			to = middle;
		else
			from = middle;
	}
	if (c < letters[from].first || c > letters[from].last ||
	    (c - letters[from].first) % letters[from].step != 0)
		return c;
	return (uint32_t)((int32_t)c + letters[from].by);
}

/* The spellings of a path beyond ASCII, by whose hashes it may be found: packers and engines do not
 * agree on which letters they make small. */
#include "formats/pak/parts.h"

#include "core/utf8.h"

/* Capitals from `first` to `last`, `step` apart; each plus `by` is its small letter: Latin-1,
 * Latin Extended-A and -B, Greek, Cyrillic, Armenian, Latin Extended Additional and fullwidth
 * Latin. Source: Unicode's simple mappings to lower case. */
static const struct {
	uint16_t first, last;
	uint8_t step;
	int16_t by;
} capitals[] = {
	{ 0x00C0, 0x00D6, 1, 32 },   { 0x00D8, 0x00DE, 1, 32 },    { 0x0100, 0x012E, 2, 1 },
	{ 0x0132, 0x0136, 2, 1 },    { 0x0139, 0x0147, 2, 1 },     { 0x014A, 0x0176, 2, 1 },
	{ 0x0178, 0x0178, 1, -121 }, { 0x0179, 0x017D, 2, 1 },     { 0x0181, 0x0181, 1, 210 },
	{ 0x0182, 0x0184, 2, 1 },    { 0x0186, 0x0186, 1, 206 },   { 0x0187, 0x0187, 1, 1 },
	{ 0x0189, 0x018A, 1, 205 },  { 0x018B, 0x018B, 1, 1 },     { 0x018E, 0x018E, 1, 79 },
	{ 0x018F, 0x018F, 1, 202 },  { 0x0190, 0x0190, 1, 203 },   { 0x0191, 0x0191, 1, 1 },
	{ 0x0193, 0x0193, 1, 205 },  { 0x0194, 0x0194, 1, 207 },   { 0x0196, 0x0196, 1, 211 },
	{ 0x0197, 0x0197, 1, 209 },  { 0x0198, 0x0198, 1, 1 },     { 0x019C, 0x019C, 1, 211 },
	{ 0x019D, 0x019D, 1, 213 },  { 0x019F, 0x019F, 1, 214 },   { 0x01A0, 0x01A4, 2, 1 },
	{ 0x01A6, 0x01A6, 1, 218 },  { 0x01A7, 0x01A7, 1, 1 },     { 0x01A9, 0x01A9, 1, 218 },
	{ 0x01AC, 0x01AC, 1, 1 },    { 0x01AE, 0x01AE, 1, 218 },   { 0x01AF, 0x01AF, 1, 1 },
	{ 0x01B1, 0x01B2, 1, 217 },  { 0x01B3, 0x01B5, 2, 1 },     { 0x01B7, 0x01B7, 1, 219 },
	{ 0x01B8, 0x01B8, 1, 1 },    { 0x01BC, 0x01BC, 1, 1 },     { 0x01C4, 0x01C4, 1, 2 },
	{ 0x01C5, 0x01C5, 1, 1 },    { 0x01C7, 0x01C7, 1, 2 },     { 0x01C8, 0x01C8, 1, 1 },
	{ 0x01CA, 0x01CA, 1, 2 },    { 0x01CB, 0x01DB, 2, 1 },     { 0x01DE, 0x01EE, 2, 1 },
	{ 0x01F1, 0x01F1, 1, 2 },    { 0x01F2, 0x01F4, 2, 1 },     { 0x01F6, 0x01F6, 1, -97 },
	{ 0x01F7, 0x01F7, 1, -56 },  { 0x01F8, 0x021E, 2, 1 },     { 0x0220, 0x0220, 1, -130 },
	{ 0x0222, 0x0232, 2, 1 },    { 0x023A, 0x023A, 1, 10795 }, { 0x023B, 0x023B, 1, 1 },
	{ 0x023D, 0x023D, 1, -163 }, { 0x023E, 0x023E, 1, 10792 }, { 0x0241, 0x0241, 1, 1 },
	{ 0x0243, 0x0243, 1, -195 }, { 0x0244, 0x0244, 1, 69 },    { 0x0245, 0x0245, 1, 71 },
	{ 0x0246, 0x024E, 2, 1 },    { 0x0370, 0x0372, 2, 1 },     { 0x0376, 0x0376, 1, 1 },
	{ 0x037F, 0x037F, 1, 116 },  { 0x0386, 0x0386, 1, 38 },    { 0x0388, 0x038A, 1, 37 },
	{ 0x038C, 0x038C, 1, 64 },   { 0x038E, 0x038F, 1, 63 },    { 0x0391, 0x03A1, 1, 32 },
	{ 0x03A3, 0x03AB, 1, 32 },   { 0x03CF, 0x03CF, 1, 8 },     { 0x03D8, 0x03EE, 2, 1 },
	{ 0x03F4, 0x03F4, 1, -60 },  { 0x03F7, 0x03F7, 1, 1 },     { 0x03F9, 0x03F9, 1, -7 },
	{ 0x03FA, 0x03FA, 1, 1 },    { 0x03FD, 0x03FF, 1, -130 },  { 0x0400, 0x040F, 1, 80 },
	{ 0x0410, 0x042F, 1, 32 },   { 0x0460, 0x0480, 2, 1 },     { 0x048A, 0x04BE, 2, 1 },
	{ 0x04C0, 0x04C0, 1, 15 },   { 0x04C1, 0x04CD, 2, 1 },     { 0x04D0, 0x052E, 2, 1 },
	{ 0x0531, 0x0556, 1, 48 },   { 0x1E00, 0x1E94, 2, 1 },     { 0x1E9E, 0x1E9E, 1, -7615 },
	{ 0x1EA0, 0x1EFE, 2, 1 },    { 0xFF21, 0xFF3A, 1, 32 }
};

static uint32_t small_letter(uint32_t c)
{
	size_t from = 0, to = sizeof capitals / sizeof *capitals;

	while (to - from > 1) {
		const size_t middle = from + (to - from) / 2;

		if (c < capitals[middle].first)
			to = middle;
		else
			from = middle;
	}
	if (c < capitals[from].first || c > capitals[from].last ||
	    (c - capitals[from].first) % capitals[from].step != 0)
		return c;
	return (uint32_t)((int32_t)c + capitals[from].by);
}

/* Adds a unit of UTF-16 to the path in each spelling. */
static void add_unit(const struct pak *p, struct pak_spelled *s, uint32_t c)
{
	const uint32_t small = small_letter(c);

	s->hashes[0] = pak_hash_unit(p, s->hashes[0], c);
	s->hashes[1] = pak_hash_unit(p, s->hashes[1], c <= 0xFF ? small : c);
	s->hashes[2] = pak_hash_unit(p, s->hashes[2], small);
}

/* A byte that belongs to no character counts as U+FFFD. */
static void add_utf8(const struct pak *p, struct pak_spelled *s, struct held name)
{
	for (uint64_t at = 0; at < name.len;) {
		const struct held left = held_part(name, at, name.len - at);
		uint32_t c;
		const size_t len = utf8_next(left.bytes, (size_t)left.len, &c);

		at += len > 0 ? len : 1;
		if (len == 4) {
			add_unit(p, s, 0xD7C0 + (c >> 10));
			add_unit(p, s, 0xDC00 | (c & 0x3FF));
		} else {
			add_unit(p, s, len > 0 ? c : 0xFFFD);
		}
	}
}

static void add_part(const struct pak *p, struct pak_spelled *s, bool is_utf8,
		     const struct text *part)
{
	const struct held bytes = { part->data, part->ref.n_units };

	if (is_utf8)
		add_utf8(p, s, bytes);
	else if (part->ref.encoding == TEXT_CP1252)
		for (uint64_t i = 0; i < bytes.len; i++)
			add_unit(p, s, (uint32_t)held_u8(bytes, i));
	else
		for (uint64_t i = 0; i < part->ref.n_units; i++)
			add_unit(p, s, text_unit(*part, i));
}

struct pak_spelled pak_spell(struct pak_speller *s, const struct pak_file *row)
{
	const struct pak *p = s->pak;
	const uint64_t start = pak_hash_start(p);
	struct text part;
	struct pak_spelled out;

	if (!s->has_directory || s->directory != row->directory) {
		part = pak_directory_name(p, row->directory);
		s->has_directory = true;
		s->directory = row->directory;
		s->spelled = (struct pak_spelled){ { start, start, start } };
		add_part(p, &s->spelled, pak_is_flat(p), &part);
	}
	out = s->spelled;
	part = pak_file_name(p, row);
	add_part(p, &out, p->tail.version >= PAK_UTF8, &part);
	return out;
}

/* The spellings of a path beyond ASCII, by whose hashes it may be found: packers and engines do not
 * agree on which letters they make small. */
#include "formats/pak/parts.h"

#include "core/utf8.h"

/* Adds a unit of UTF-16 to the path in each spelling. */
static void add_unit(const struct pak *p, struct pak_spelled *s, uint32_t c)
{
	const uint32_t small = text_small_letter(c);

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

void pak_spell_part(const struct pak *p, struct pak_spelled *s, bool is_utf8,
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
		pak_spell_part(p, &s->spelled, pak_is_flat(p), &part);
	}
	out = s->spelled;
	part = pak_file_name(p, row);
	pak_spell_part(p, &out, p->tail.version >= PAK_UTF8, &part);
	return out;
}

/* Names that are not one name on Windows, and are on other systems, to the eye, or to programs that
 * read bytes of no declared encoding as zip has them. */
#include <string.h>

#include "core/path.h"
#include "core/text_alike.h"
#include "formats/archive/members/keys.h"

/* ---- Characters ------------------------------------------------------------------------------ */

/* A code point is written as the units that it has in UTF-16. */
enum { UNITS_MAX = 3 * TEXT_ALIKE_MAX }; /* a unit is at most three bytes of UTF-8 */

struct alike {
	uint8_t *out; /* UTF-16 */
	uint32_t n;
	unsigned why; /* enum text_likeness */
	bool expands; /* characters become what they stand for; else they stay */
};

static void put(struct alike *a, uint32_t c)
{
	if (a->expands) {
		a->why |= text_alike_put(c, a->out, &a->n);
		return;
	}
	a->out[2 * (size_t)a->n] = (uint8_t)c;
	a->out[2 * (size_t)a->n + 1] = (uint8_t)(c >> 8);
	a->n++;
}

/* The bytes of a code point as UTF-8 has them. */
static void put_bytes(struct alike *a, struct text one)
{
	uint8_t bytes[4];
	bool whole;
	const size_t n = text_utf8(one, 1, bytes, &whole);

	for (size_t i = 0; i < n; i++)
		put(a, text_cp437(bytes[i]));
}

static void put_all(struct alike *a, struct text name, bool decodes)
{
	for (uint64_t i = 0; i < name.ref.n_units;) {
		const uint64_t at = i;
		const uint32_t c = text_next(name, &i);

		if (!decodes)
			put(a, c);
		else if (name.ref.encoding == TEXT_CP1252)
			put(a, text_cp437_at(name, at));
		else
			put_bytes(a, text_sub(name, at, i - at));
	}
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* Whether a row's name is taken for bytes of code page 437. */
static bool decodes(const struct name_index *k, uint32_t row)
{
	return k->likeness == ARC_ALIKE_DECODED && member_is_undeclared(&k->m->rows[row]);
}

static bool is_wide(struct text name)
{
	return name.ref.encoding != TEXT_CP1252;
}

static bool write_alike(struct decode *d, const struct name_index *k, uint32_t row,
			struct text name, bool expands, struct text *out)
{
	struct alike a = { .expands = expands };

	a.out = decode_alloc(d, k->group, (uint64_t)name.ref.n_units * UNITS_MAX, 2);
	if (!a.out)
		return false;
	put_all(&a, name, decodes(k, row));
	*out = (struct text){ a.out, { .n_units = a.n, .encoding = TEXT_UTF16LE } };
	k->m->rows[row].why |= (uint8_t)a.why;
	return true;
}

/* Bytes of an encoding that is not known stay what they are, where they are not decoded. */
static bool make_row(struct decode *d, struct name_index *k, uint32_t row)
{
	const struct text key = member_key(k->plain, row), name = k->m->rows[row].name;

	k->other[row] = key;
	k->hashes[row] = k->plain->hashes[row];
	if (k->names)
		k->names[row] = name;
	if (!is_wide(name) && !decodes(k, row))
		return true;
	if (decodes(k, row) && !write_alike(d, k, row, name, false, &k->names[row]))
		return false;
	if (!write_alike(d, k, row, key, true, &k->other[row]))
		return false;
	k->hashes[row] = path_examine(k->other[row]).hash;
	return true;
}

static bool make(struct decode *d, struct name_index *k, enum arc_likeness likeness)
{
	const struct name_index *plain = k->plain;

	k->likeness = (uint8_t)likeness;
	k->is_ordered = false;
	k->other = decode_alloc(d, k->group, k->m->n, sizeof *k->other);
	k->hashes = decode_alloc(d, k->group, k->m->n, sizeof *k->hashes);
	k->names = NULL;
	if (likeness == ARC_ALIKE_DECODED) {
		k->names = decode_alloc(d, k->group, k->m->n, sizeof *k->names);
		if (!k->names)
			return false;
	}
	if (!k->other || !k->hashes || !decode_spend(d, k->group, plain->m->n))
		return false;
	for (uint32_t i = 0; i < k->m->n; i++)
		if (!decode_goes_on(d, k->group, i) || !make_row(d, k, i))
			return false;
	return members_find_relatives(d, k->group, k);
}

/* ---- Whether there are such names ------------------------------------------------------------ */

static bool stands_alone(struct text name)
{
	for (uint64_t i = 0; i < name.ref.n_units;)
		if (!text_stands_alone(text_next(name, &i)))
			return false;
	return true;
}

/* Names that are alike are not both of characters that stand alone. */
bool member_name_is_unlike(struct text name)
{
	return is_wide(name) && !stands_alone(name);
}

/* Of two names that are alike one is of no declared encoding, and the other is not. */
static bool may_be_decoded(const struct name_index *k)
{
	return k->m->has_cp437 && k->n_undeclared > 0 && k->n_undeclared < k->m->n;
}

bool members_find_alike(struct decode *d, uint32_t group, const struct name_index *plain)
{
	struct name_index k = { .m = plain->m, .plain = plain, .group = group };

	return (!plain->has_unlike || make(d, &k, ARC_ALIKE_ELSEWHERE)) &&
	       (!may_be_decoded(plain) || make(d, &k, ARC_ALIKE_DECODED));
}

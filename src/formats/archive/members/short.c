/* Names that are the short names which Windows gives to others: MYLONG~1.PAK is another name of
 * MyLongName.pak there. Source: Microsoft, MS-FSCC 2.1.5.2.1, and RtlGenerate8dot3Name. */
#include <string.h>

#include "core/hash.h"
#include "core/mutant.h"
#include "core/path.h"
#include "formats/archive/members/keys.h"

/* ---- Parts of names -------------------------------------------------------------------------- */

enum { BASE_MAX = 8, BASE_KEPT = 6, HASHED_KEPT = 2, HASH_DIGITS = 4, EXTENSION_MAX = 3 };

/* What is left of a part in its short name, in capital letters and without the number. Of short
 * names with a hash fewer letters are left; a mark stands in place of that. */
struct stem {
	uint8_t units[BASE_KEPT + EXTENSION_MAX];
	uint8_t is_hashed;
};

struct part {
	struct stem stem;
	bool is_short; /* it is one; else it has one */
	uint32_t row;
	uint32_t folder; /* the hash of what stands before it */
};

struct parts {
	struct part *rows;
	uint32_t n, room;
};

static bool is_digit(uint32_t c)
{
	return text_between(c, '1', '9');
}

static bool is_hash_digit(uint32_t c)
{
	return text_between(c, '0', '9') || text_between(text_fold(c), 'A', 'F');
}

/* The last dot, unless the part begins with it; its length: there is none. */
static uint32_t dot_of(struct text part)
{
	uint32_t at = part.ref.n_units;

	while (at > 0 && text_unit(part, at - 1) != '.')
		at--;
	return at > 1 ? at - 1 : part.ref.n_units;
}

static bool is_replaced(uint32_t c)
{
	return c >= 0x80 || (c != 0 && strchr("+,;=[]", (int)c));
}

/* Whether a part is its own short name. */
static bool is_own(struct text part, uint32_t dot)
{
	const uint32_t n = part.ref.n_units;

	if (dot == 0 || dot > BASE_MAX || n > dot + 1 + EXTENSION_MAX)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t c = text_unit(part, i);

		if (c == ' ' || is_replaced(c) || (c == '.' && i != dot))
			return false;
	}
	return true;
}

/* Copies what is left of the units from <= i < to, at most `max`. */
static void keep(struct text part, uint32_t from, uint32_t to, uint8_t *out, unsigned max)
{
	unsigned n = 0;

	for (uint32_t i = from; i < to && n < max; i++) {
		const uint32_t c = text_unit(part, i);

		if (c != ' ' && c != '.')
			out[n++] = is_replaced(c) ? '_' : (uint8_t)text_fold(c);
	}
}

static struct stem stem_of(struct text part, uint32_t base, uint32_t dot, unsigned kept)
{
	struct stem s = { .is_hashed = kept < BASE_KEPT };

	keep(part, 0, base, s.units, kept);
	if (dot < part.ref.n_units)
		keep(part, dot + 1, part.ref.n_units, s.units + BASE_KEPT, EXTENSION_MAX);
	return s;
}

/* How many units stand before the ~ and a digit at the end of a base; 0: it does not end so. */
static uint32_t before_number(struct text part, uint32_t dot)
{
	if (dot < 3 || !is_digit(text_unit(part, dot - 1)) || text_unit(part, dot - 2) != '~')
		return 0;
	return dot - 2;
}

/* How many of them stand before a hash; 0: they do not end in one. */
static uint32_t before_hash(struct text part, uint32_t n)
{
	if (n <= HASH_DIGITS)
		return 0;
	for (uint32_t i = n - HASH_DIGITS; i < n; i++)
		if (!is_hash_digit(text_unit(part, i)))
			return 0;
	return n - HASH_DIGITS;
}

static void add(struct parts *p, const struct part *part)
{
	if (p->rows && !NEVER(p->n == p->room))
		p->rows[p->n] = *part;
	p->n++;
}

/* Without rows they are counted only. */
static void add_part(struct parts *p, struct text part, uint32_t row, uint32_t folder)
{
	const uint32_t dot = dot_of(part);
	struct part out = { .row = row, .folder = folder, .is_short = is_own(part, dot) };
	const uint32_t base = out.is_short ? before_number(part, dot) : dot;
	const uint32_t hashed = out.is_short ? before_hash(part, base) : dot;

	if (base == 0)
		return;
	out.stem = stem_of(part, base, dot, BASE_KEPT);
	add(p, &out);
	if (hashed == 0)
		return;
	out.stem = stem_of(part, hashed, dot, HASHED_KEPT);
	add(p, &out);
}

/* ---- All of them ----------------------------------------------------------------------------- */

struct search {
	struct parts *parts;
	struct text key;
	uint32_t row;
	uint32_t from;   /* of the part that comes next */
	uint32_t folder; /* the hash of what stands before it */
};

static bool end_part(void *ctx, uint32_t n_units, uint32_t hash)
{
	struct search *s = ctx;

	add_part(s->parts, text_sub(s->key, s->from, n_units - s->from), s->row, s->folder);
	s->from = n_units + 1;
	s->folder = hash;
	return true;
}

static void add_all(const struct name_index *k, struct parts *parts)
{
	parts->n = 0;
	for (uint32_t i = 0; i < k->m->n; i++) {
		struct search s = { .parts = parts, .key = member_key(k, i), .row = i };

		path_folders(s.key, end_part, &s);
		add_part(parts, text_sub(s.key, s.from, UINT32_MAX), i, s.folder);
	}
}

static uint64_t hash_of(const void *table, uint32_t i)
{
	const struct part *part = &((const struct parts *)table)->rows[i];
	uint64_t sum = part->folder;

	for (size_t n = 0; n < sizeof part->stem.units; n++)
		sum = hash_mix(sum, part->stem.units[n]);
	return hash_mix(sum, part->stem.is_hashed);
}

/* Nobody who makes hashes of folders collide hides anything. */
static int compare(const void *table, uint32_t a, uint32_t b)
{
	const struct part *x = &((const struct parts *)table)->rows[a],
			  *y = &((const struct parts *)table)->rows[b];
	const int by_folder = order_numbers(x->folder, y->folder);

	return by_folder != 0 ? by_folder : memcmp(&x->stem, &y->stem, sizeof x->stem);
}

/* What is known of two of one name says more. */
static void note(struct members *m, const struct part *part, uint32_t other)
{
	struct arc_member *row = &m->rows[part->row];

	if (row->traits & MEMBER_KINSHIPS)
		return;
	row->traits |= ARC_SHORT_NAME;
	row->relative = other;
}

/* Those of one stem in one folder stand together. */
static void note_all(struct members *m, const struct parts *p, const struct order *o)
{
	for (uint32_t from = 0, to; from < o->n; from = to) {
		uint32_t other = ORDER_NONE;

		for (to = from; to < o->n && compare(p, order_row(o, from), order_row(o, to)) == 0;
		     to++)
			if (!p->rows[order_row(o, to)].is_short)
				other = p->rows[order_row(o, to)].row;
		for (uint32_t i = from; i < to && other != ORDER_NONE; i++)
			if (p->rows[order_row(o, i)].is_short)
				note(m, &p->rows[order_row(o, i)], other);
	}
}

/* ---- Whether there are any ------------------------------------------------------------------- */

bool member_name_has_number(struct text name)
{
	uint64_t at = text_find(name, '~', 0);

	while (at + 1 < name.ref.n_units) {
		if (is_digit(text_unit(name, at + 1)))
			return true;
		at = text_find(name, '~', at + 1);
	}
	return false;
}

bool members_find_short(struct decode *d, uint32_t group, const struct name_index *k)
{
	struct parts parts = { NULL, 0, 0 };
	struct order order;

	if (!k->has_number)
		return true;
	add_all(k, &parts);
	if (!decode_spend(d, group, parts.n))
		return false;
	parts.room = parts.n;
	parts.rows = decode_alloc(d, group, parts.n, sizeof *parts.rows);
	if (!parts.rows)
		return false;
	add_all(k, &parts);
	if (!order_by_hash(d->arena, &parts, parts.n, hash_of, compare, &order))
		return decode_stop(d, group, STOP_MEMORY, (struct span){ 0, 0 });
	note_all(k->m, &parts, &order);
	return true;
}

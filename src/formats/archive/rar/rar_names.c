/* Names of members of rar 4: in a code page, in UTF-8, or in both a code page and packed UTF-16.
 * Source: conformance/spec/rar.md, 2.3. */
#include "core/mutant.h"
#include "formats/archive/rar/rar_walk.h"

/* ---- Packed UTF-16 --------------------------------------------------------------------------- */

/* A second form of a name, while it is unpacked. */
struct packed {
	struct held plain, packed; /* the first form, and the packed one */
	uint64_t at;               /* in the packed one */
	uint8_t *out;              /* has room for `max` units */
	uint64_t n, max;
	bool is_short; /* it ended before a unit did, or has more units than there is room for */
};

static uint64_t next_byte(struct packed *p)
{
	p->is_short |= p->at >= p->packed.len;
	return held_u8(p->packed, p->at++);
}

static void put_unit(struct packed *p, uint64_t unit)
{
	p->is_short |= p->n >= p->max + (uint64_t)MUTANT(423); /* mutant: a unit has no room */
	if (p->is_short)
		return;
	p->out[2 * p->n] = (uint8_t)unit;
	p->out[2 * p->n + 1] = (uint8_t)(unit >> 8);
	p->n++;
}

/* Units of the first form, perhaps moved by a number. */
static void put_run(struct packed *p, uint64_t high)
{
	const uint64_t code = next_byte(p), n = (code & 0x7F) + 2;
	const bool is_moved = code & 0x80;
	const uint64_t by = is_moved ? next_byte(p) : 0;

	for (uint64_t i = 0; i < n && !p->is_short; i++)
		put_unit(p, (held_u8(p->plain, p->n) + by) % 256 + (is_moved ? high << 8 : 0));
}

static void put_coded(struct packed *p, uint64_t code, uint64_t high)
{
	uint64_t unit;

	switch (code) {
	case 0:
		put_unit(p, next_byte(p));
		return;
	case 1:
		put_unit(p, next_byte(p) + (high << 8));
		return;
	case 2:
		unit = next_byte(p);
		unit += next_byte(p) << 8;
		put_unit(p, unit);
		return;
	default:
		put_run(p, high);
	}
}

/* Bits after the last unit mean nothing. */
static void unpack(struct packed *p)
{
	const uint64_t high = next_byte(p);

	while (p->at < p->packed.len && !p->is_short) {
		const uint64_t codes = next_byte(p);

		for (unsigned shift = 8; shift > 0 && p->at < p->packed.len && !p->is_short;
		     shift -= 2)
			put_coded(p, codes >> (shift - 2) & 3, high);
	}
}

/* ---- Separators ------------------------------------------------------------------------------ */

static void turn(uint8_t *bytes, uint64_t n, uint64_t width)
{
	const struct held all = { bytes, n };

	for (uint64_t i = 0; i < n; i += width)
		if (held_u8(all, i) == '\\' && (width == 1 || held_u8(all, i + 1) == 0))
			bytes[i] = '/';
}

static bool has_separator(struct held name)
{
	return held_find(name, '\\') < name.len;
}

/* A name of single bytes. It is copied only where its separators have to be turned. */
static bool name_plain(struct decode *d, struct held plain, uint64_t at, enum arc_coding coding,
		       uint32_t *traits, struct text *out)
{
	uint8_t *copy;

	if (!has_separator(plain))
		return members_name(d, RAR_MEMBERS, plain, at, coding, traits, out);
	copy = decode_alloc(d, RAR_MEMBERS, plain.len, 1);
	if (!copy)
		return false;
	memcpy(copy, plain.bytes, (size_t)plain.len);
	turn(copy, plain.len, 1);
	return members_name(d, RAR_MEMBERS, (struct held){ copy, plain.len }, at, coding, traits,
			    out);
}

/* Whether the two forms, as far as both have ASCII at their ends, are different names. What a code
 * page cannot hold is ? or _ in the first form. */
static bool differ(const struct packed *p)
{
	const struct held wide = { p->out, 2 * p->n };
	uint64_t left = p->n, plain_left = p->plain.len;

	while (left > 0 && plain_left > 0) {
		const uint64_t unit = held_u16(wide, 2 * --left);
		const uint64_t byte = held_u8(p->plain, --plain_left);

		if (unit >= 0x80 || byte >= 0x80)
			return false;
		if (unit != byte)
			return byte != '?' && byte != '_';
	}
	return left > 0 ? held_u16(wide, 2 * left - 2) < 0x80
			: plain_left > 0 && held_u8(p->plain, plain_left - 1) < 0x80;
}

static bool name_wide(struct decode *d, struct packed p, uint64_t at, uint32_t *own,
		      uint32_t *traits, struct text *out)
{
	p.out = decode_alloc(d, RAR_MEMBERS, p.max, 2);
	if (!p.out)
		return false;
	unpack(&p);
	*own |= !p.is_short && differ(&p) ? RAR_NAMES_DIFFER : 0;
	turn(p.out, 2 * p.n, 2);
	*traits |= p.is_short ? ARC_MISCODED : 0;
	return members_name(d, RAR_MEMBERS, (struct held){ p.out, 2 * p.n }, at, ARC_UTF16, traits,
			    out);
}

/* A name of which nothing is known but folders' separators and what follows the first dot. */
static bool is_lost_name(struct held plain)
{
	const uint64_t end = held_find(plain, '.');
	uint64_t n = 0;

	for (uint64_t i = 0; i < end; i++) {
		if (held_u8(plain, i) != '?' && held_u8(plain, i) != '\\')
			return false;
		n += held_u8(plain, i) == '?';
	}
	return n > 0;
}

/* No name has more units in its second form than bytes in both. */
bool rar4_name(struct decode *d, struct held stored, uint64_t at, bool is_unicode, uint32_t *own,
	       uint32_t *traits, struct text *out)
{
	const uint64_t nul = is_unicode ? held_find(stored, 0) : stored.len;
	const struct held plain = held_part(stored, 0, nul);

	if (!is_unicode) {
		*own |= is_lost_name(stored) ? RAR_NAME_LOST : 0;
		return name_plain(d, stored, at, ARC_UNSAID, traits, out);
	}
	if (nul == stored.len)
		return name_plain(d, stored, at, ARC_UTF8_SAID, traits, out);
	return name_wide(
		d,
		(struct packed){ .plain = plain,
				 .packed = held_part(stored, nul + 1, stored.len - nul - 1),
				 .max = stored.len },
		at, own, traits, out);
}

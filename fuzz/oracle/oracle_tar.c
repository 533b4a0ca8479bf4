/* A reference reading of a tar: header by header, from the specification. It stops at what it does
 * not know, and then only what came before is held against the facts. */
#include <string.h>

#include "formats/archive/tar/tar.h"
#include "oracle/oracle_format.h"
#include "support/must.h"

enum { BLOCK = 512, SUM_AT = 148, SUM_LEN = 8, SIZE_AT = 124, SIZE_LEN = 12, TYPE_AT = 156 };

/* Octal digits alone; false: another form of a number, or none. */
static bool digits(const uint8_t *p, unsigned n, uint64_t *out)
{
	unsigned i = 0;

	for (*out = 0; i < n && p[i] >= '0' && p[i] <= '7'; i++)
		*out = *out * 8 + (uint64_t)(p[i] - '0');
	return i > 0 && (i == n || p[i] == 0 || p[i] == ' ');
}

static bool has_sum(const uint8_t *p)
{
	uint64_t said, plain = 0;
	int64_t as_signed = 0;

	if (!digits(p + SUM_AT, SUM_LEN, &said))
		return false;
	for (unsigned i = 0; i < BLOCK; i++) {
		const uint8_t byte = i >= SUM_AT && i < SUM_AT + SUM_LEN ? ' ' : p[i];

		plain += byte;
		as_signed += byte < 128 ? byte : byte - 256;
	}
	return said == plain || (as_signed >= 0 && said == (uint64_t)as_signed);
}

static bool is_zero(const uint8_t *p, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		if (p[i] != 0)
			return false;
	return true;
}

/* Nothing but spaces and NULs follow the digits, or the field is no number. */
static bool is_number(const uint8_t *p, size_t n)
{
	size_t i = 0;

	while (i < n && p[i] == ' ')
		i++;
	while (i < n && p[i] >= '0' && p[i] <= '7')
		i++;
	while (i < n && (p[i] == ' ' || p[i] == 0))
		i++;
	return i == n;
}

/* Types whose headers are a member's own, and are followed by the bytes of it or by none. */
static bool is_plain(uint8_t type)
{
	return type == 0 || (type >= '0' && type <= '7');
}

static void compare_facts(const struct trial *t, const void *facts)
{
	const struct tar *u = facts;
	uint64_t at = 0, n = 0, size;

	while (u->groups[TAR_MEMBERS].why == STOP_NOT && t->subject->size - at >= BLOCK) {
		const uint8_t *p = t->subject->data + at;

		if (is_zero(p, BLOCK)) {
			MUST(u->members.n == n && u->end == at, "a block of zeros is the end");
			return;
		}
		if (!has_sum(p) || !is_plain(p[TYPE_AT]) || !is_number(p + SIZE_AT, SIZE_LEN) ||
		    !digits(p + SIZE_AT, SIZE_LEN, &size))
			return;
		if (p[TYPE_AT] >= '1' && p[TYPE_AT] <= '6')
			size = 0;
		if (size > t->subject->size - at - BLOCK)
			return;
		MUST(n < u->members.n, "a header that is sound is that of a member");
		MUST(u->members.rows[n].head_at == at && u->members.rows[n].at == at + BLOCK &&
			     u->members.rows[n].packed == size,
		     "a member lies behind its header");
		n++;
		at += BLOCK + size;
		at += (BLOCK - size % BLOCK) % BLOCK < t->subject->size - at
			      ? (BLOCK - size % BLOCK) % BLOCK
			      : t->subject->size - at;
	}
}

const struct oracle_format oracle_tar = {
	.names = { "Mod.tar", "Mod.tar", "Mod.tar", "a/M od%n.tar", "Mod.tgz", "download",
		   "b.txt" },
	.compare_facts = compare_facts,
};

/* A reference reading of a container's tables, slow and from the specification: what the rules must
 * say of it, and the facts. */
#include <string.h>

#include "formats/iostore/utoc.h"
#include "oracle/oracle_container.h"
#include "oracle/oracle_format.h"
#include "oracle/oracle_results.h"
#include "oracle/oracle_stored.h"
#include "reference/reference.h"
#include "reference/reference_digest.h"
#include "reference/reference_rsa.h"
#include "support/must.h"

/* ---- Reading --------------------------------------------------------------------------------- */

/* A chunk claims its blocks up to the first that another has. */
static void claim(struct reading *u, struct chunk *c)
{
	for (uint64_t k = 0; k < c->n_blocks && !c->outside && !c->overlaps; k++) {
		c->overlaps = u->owned[c->first + k];
		u->owned[c->first + k] = true;
	}
}

static void look(const struct reading *u, struct chunk *c)
{
	uint64_t sum = 0, left = c->length;

	for (uint64_t k = 0; k < c->n_blocks; k++) {
		struct reference_block b = reference_block(&u->t, c->first + k);
		bool last = k + 1 == c->n_blocks;

		c->partial = c->partial || (!last && b.uncompressed != u->t.block_size);
		c->last_short = c->last_short || (last && b.uncompressed < left);
		c->last_long = c->last_long || (last && b.uncompressed > left);
		c->compressed = c->compressed || b.method != 0;
		sum += b.uncompressed;
		left -= last ? 0 : u->t.block_size;
	}
	c->decodes = sum > 0;
	c->too_short = sum < c->length;
}

static void read_chunks(struct reading *u)
{
	memset(u->owned, 0, sizeof u->owned);
	for (uint64_t i = 0; i < u->t.n_chunks; i++) {
		struct chunk *c = &u->chunks[i];
		uint64_t offset = reference_offset(&u->t, i);

		*c = (struct chunk){ .length = reference_length(&u->t, i) };
		c->first = reference_blocks_of(&u->t, i, &c->n_blocks);
		c->outside = c->length > 0 && (c->n_blocks > u->t.n_blocks ||
					       c->first > u->t.n_blocks - c->n_blocks);
		c->misaligned = c->length > 0 && offset % u->t.block_size != 0;
		c->past_space = offset + c->length > (uint64_t)1 << 40;
		claim(u, c);
		c->looked = c->length > 0 && !c->outside && !c->misaligned;
		if (c->looked)
			look(u, c);
	}
}

static bool read_all(struct reading *u, const uint8_t *data, uint64_t size)
{
	if (!reference_toc_read(&u->t, data, size) || !u->t.whole || u->t.block_size == 0)
		return false;
	if (u->t.n_chunks > ROWS_MAX || u->t.n_blocks > ROWS_MAX || u->t.n_methods > 255 ||
	    (u->t.n_methods > 0 && u->t.name_len == 0))
		return false;
	read_chunks(u);
	return true;
}

/* ---- What the rules must say ----------------------------------------------------------------- */

static void check_sizes(const struct reference_toc *t, const struct report *r)
{
	uint64_t n = oracle_found(r, "UTH035") + oracle_found(r, "UTH038") +
		     oracle_found(r, "SIG001");

	if (!t->sure || !oracle_was_judged(r, "UTH035") || !oracle_was_judged(r, "UTH038") ||
	    !oracle_was_judged(r, "SIG001"))
		return;
	MUST((n > 0) == (t->expected > t->size),
	     "a file that ends before its tables do is told, and no other");
	oracle_expect(r, "UTH036", t->expected < t->size);
}

/* Version 128 may be none at all, but the size of an older header. */
static void check_version(const uint8_t *data, uint64_t size, const struct report *r)
{
	uint8_t version = size >= REFERENCE_HEADER ? data[AT_VERSION] : 128;

	if (version == 128 || memcmp(data, "-==--==--==--==-", 16) != 0)
		return;
	oracle_expect(r, "UTH004", version < 2);
	oracle_expect(r, "UTH005", version == 9 || version > 10);
}

static void check_methods(const struct reference_toc *t, const struct report *r)
{
	uint64_t endless = 0, dirty = 0;

	for (uint64_t i = 0; i < t->n_methods; i++) {
		const uint8_t *p = reference_row(t, REFERENCE_METHODS, i);
		bool ended = false, is_dirty = false;

		for (uint64_t k = 0; k < t->name_len; k++) {
			ended = ended || p[k] == 0;
			is_dirty = is_dirty || (ended ? p[k] != 0 : p[k] >= 0x80);
		}
		endless += !ended;
		dirty += is_dirty;
	}
	oracle_expect(r, "BLK025", endless);
	oracle_expect(r, "BLK028", dirty);
}

static void check_ids(const struct reading *u, const struct report *r)
{
	const struct reference_toc *t = &u->t;
	uint64_t repeated = 0, zero = 0;

	for (uint64_t i = 0; i < t->n_chunks; i++) {
		uint64_t first = 0;

		while (memcmp(reference_row(t, REFERENCE_IDS, first),
			      reference_row(t, REFERENCE_IDS, i), 12) != 0)
			first++;
		repeated += first < i;
		zero += reference_is_zero(reference_row(t, REFERENCE_IDS, i), 12);
	}
	oracle_expect(r, "TOC001", repeated);
	oracle_expect(r, "TOC002", zero);
}

static void check_chunks(const struct reading *u, const struct report *r)
{
	uint64_t outside = 0, misaligned = 0, past = 0, overlaps = 0, empty = 0, partial = 0,
		 last = 0, too_short = 0;

	for (uint64_t i = 0; i < u->t.n_chunks; i++) {
		const struct chunk *c = &u->chunks[i];

		outside += c->outside;
		misaligned += c->misaligned;
		past += c->past_space;
		overlaps += c->overlaps;
		empty += c->length == 0;
		partial += c->partial;
		last += !c->partial && (c->last_short || c->last_long);
		too_short += c->too_short;
	}
	/* without any it is UTH043 that tells */
	oracle_expect(r, "TOC011", u->t.n_blocks > 0 ? outside : 0);
	oracle_expect(r, "TOC012", misaligned);
	oracle_expect(r, "TOC014", overlaps);
	oracle_expect(r, "TOC015", past);
	oracle_expect(r, "TOC016", empty);
	oracle_expect(r, "TOC018", too_short);
	oracle_expect(r, "BLK003", partial);
	oracle_expect(r, "BLK004", last);
}

static void check_blocks(const struct reading *u, const struct report *r)
{
	uint64_t method = 0, large = 0, nothing = 0, raw = 0, saved = 0, unowned = 0;

	for (uint64_t i = 0; i < u->t.n_blocks; i++) {
		struct reference_block b = reference_block(&u->t, i);
		bool none = b.compressed == 0 && b.uncompressed > 0;

		method += b.method > u->t.n_methods;
		large += b.uncompressed > u->t.block_size;
		nothing += none;
		raw += !none && b.method == 0 && b.compressed != b.uncompressed;
		saved += b.method != 0 && b.compressed > 0 && b.compressed >= b.uncompressed;
		unowned += !u->owned[i];
	}
	oracle_expect(r, "BLK001", method);
	oracle_expect(r, "BLK002", large);
	oracle_expect(r, "BLK005", nothing);
	oracle_expect(r, "BLK006", raw);
	oracle_expect(r, "BLK007", saved);
	oracle_expect_any(r, "TOC017", unowned);
}

static uint64_t count_seeds(const struct reference_toc *t, bool lowest)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < t->n_seeds; i++) {
		uint64_t seed = reference_read(reference_row(t, REFERENCE_SEEDS, i), 4);

		if (lowest ? seed == 0x80000000
			   : seed > 0x80000000 && 0xFFFFFFFF - seed >= t->n_chunks)
			n++;
	}
	return n;
}

static void check_overflow(const struct reference_toc *t, const struct report *r)
{
	uint64_t outside = 0, repeated = 0;

	for (uint64_t i = 0; i < t->n_overflow; i++) {
		uint64_t slot = reference_read(reference_row(t, REFERENCE_OVERFLOW, i), 4),
			 first = 0;

		while (reference_read(reference_row(t, REFERENCE_OVERFLOW, first), 4) != slot)
			first++;
		outside += slot >= t->n_chunks;
		repeated += slot < t->n_chunks && first < i;
	}
	oracle_expect(r, "PHS002", outside);
	oracle_expect(r, "PHS003", repeated);
}

/* A chunk that is not found at its own place. */
static void check_hash(const struct reference_toc *t, const struct report *r)
{
	uint64_t lost = 0;

	if (t->n_seeds > ROWS_MAX || t->n_overflow > ROWS_MAX)
		return;
	for (uint64_t i = 0; i < t->n_chunks && t->n_seeds > 0; i++)
		lost += !reference_finds(t, i);
	oracle_expect(r, "PHS001", lost);
	oracle_expect(r, "PHS004", count_seeds(t, true));
	if (t->version == 4)
		oracle_expect(r, "PHS005", count_seeds(t, false));
	if (t->version >= 5)
		check_overflow(t, r);
}

static void check_metas(const struct reading *u, const struct report *r)
{
	const struct reference_toc *t = &u->t;
	uint64_t flags = 0, compressed = 0, pad = 0, no_hash = 0;
	bool is_short = t->version >= 8;

	for (uint64_t i = 0; i < t->n_chunks; i++) {
		const uint8_t *p = reference_row(t, REFERENCE_METAS, i);
		const struct chunk *c = &u->chunks[i];
		uint8_t f = p[is_short ? 20 : 32];

		flags += f > 3;
		compressed += (c->decodes || c->length == 0) && (f & 1) != c->compressed;
		pad += is_short ? !reference_is_zero(p + 21, 3) : !reference_is_zero(p + 20, 12);
		no_hash += reference_is_zero(p, 20);
	}
	oracle_expect(r, "MET001", flags);
	oracle_expect(r, "MET002", compressed);
	oracle_expect(r, "MET003", pad);
	oracle_expect(r, "MET006", no_hash);
}

/* Two signatures stand before the digests of blocks: of the header, and of the digests. */
static void check_signatures(const struct reference_toc *t, const struct report *r)
{
	const uint8_t *p = t->data + t->part[REFERENCE_SIGNATURES].at;
	uint64_t wrong = 0, len;
	uint8_t header[20], digests[20];

	if (t->flags & 4) {
		len = reference_read(p, 4);
		reference_sha1(t->data, REFERENCE_HEADER, header);
		reference_sha1(p + 4 + 2 * len, 20 * t->n_blocks, digests);
		wrong += !reference_verifies(p + 4, len, header);
		wrong += !reference_verifies(p + 4 + len, len, digests);
	}
	oracle_expect(r, "SIG004", wrong);
	oracle_expect(r, "SIG005", 0);
}

static bool has_place(const struct reference_toc *t, const struct reference_block *b)
{
	if (b->compressed == 0 || t->partition_len == 0 ||
	    b->offset + b->compressed >= (uint64_t)1 << 40)
		return false;
	return b->offset / t->partition_len < t->n_partitions &&
	       b->compressed <= t->partition_len - b->offset % t->partition_len;
}

/* Blocks that share bytes are the same block, or a rule tells of them. */
static void check_places(const struct reference_toc *t, const struct report *r)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < t->n_blocks; i++) {
		struct reference_block a = reference_block(t, i);

		for (uint64_t k = 0; k < i && has_place(t, &a); k++) {
			struct reference_block b = reference_block(t, k);
			bool same = a.offset == b.offset && a.compressed == b.compressed;

			n += has_place(t, &b) && !same && a.offset < b.offset + b.compressed &&
			     b.offset < a.offset + a.compressed;
		}
	}
	MUST(n == 0 || oracle_found(r, "BLK014") > 0 || !oracle_was_judged(r, "BLK014"),
	     "blocks that share bytes are told");
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void compare_report(const struct trial *t, const struct report *r)
{
	static struct reading u;

	oracle_expect(r, "UTH001", t->subject->size < REFERENCE_HEADER);
	check_version(t->subject->data, t->subject->size, r);
	if (!reference_toc_read(&u.t, t->subject->data, t->subject->size))
		return;
	check_sizes(&u.t, r);
	if (!read_all(&u, t->subject->data, t->subject->size))
		return;
	check_ids(&u, r);
	check_chunks(&u, r);
	check_blocks(&u, r);
	check_methods(&u.t, r);
	check_places(&u.t, r);
	check_hash(&u.t, r);
	check_metas(&u, r);
	check_signatures(&u.t, r);
	if (t->subject->has_folder)
		oracle_stored(&u, t, r);
}

/* ---- The facts ------------------------------------------------------------------------------- */

static void check_section(const struct toc *t, enum toc_section_name section,
			  const struct reference_toc *s, enum reference_part part)
{
	const struct toc_section *of = &t->sections[section];
	uint64_t len = s->part[part].n * s->part[part].row;

	MUST(of->at.len == len, "a section is as long as a reference reading says");
	MUST(len == 0 || (of->at.at == s->part[part].at &&
			  memcmp(of->held.bytes, reference_row(s, part, 0), len) == 0),
	     "a section is its bytes");
}

static void compare_facts(const struct trial *trial, const void *facts)
{
	static const struct {
		enum toc_section_name section;
		enum reference_part part;
	} sections[] = {
		{ SECTION_IDS, REFERENCE_IDS },
		{ SECTION_RANGES, REFERENCE_RANGES },
		{ SECTION_SEEDS, REFERENCE_SEEDS },
		{ SECTION_OVERFLOW, REFERENCE_OVERFLOW },
		{ SECTION_BLOCKS, REFERENCE_BLOCKS },
		{ SECTION_METHODS, REFERENCE_METHODS },
		{ SECTION_SIGNATURES, REFERENCE_SIGNATURES },
		{ SECTION_DIRECTORY, REFERENCE_DIRECTORY },
		{ SECTION_METAS, REFERENCE_METAS },
	};
	const struct utoc *all = facts;
	const struct toc *t = &all->toc;
	static struct reading u;

	if (!read_all(&u, trial->subject->data, trial->subject->size) ||
	    all->groups[UTOC_CHUNKS].why != STOP_NOT)
		return;
	MUST(t->version == u.t.version && t->expected == u.t.expected,
	     "the header says what a reference reading says");
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		check_section(t, sections[i].section, &u.t, sections[i].part);
	for (uint64_t i = 0; i < u.t.n_chunks; i++) {
		MUST(toc_offset(t, i) == reference_offset(&u.t, i) &&
			     toc_length(t, i) == u.chunks[i].length,
		     "a chunk has its range");
		MUST(u.chunks[i].outside || u.chunks[i].n_blocks == toc_block_count(t, i),
		     "a chunk has as many blocks");
		MUST(toc_has_blocks(t, i) == !u.chunks[i].outside || u.chunks[i].length == 0,
		     "a chunk has its blocks, or it has not");
	}
	for (uint64_t i = 0; i < u.t.n_blocks; i++)
		MUST(t->owned && (t->owned[i / 64] >> i % 64 & 1) == u.owned[i],
		     "a block belongs to a chunk, or it does not");
	if (trial->subject->has_folder)
		oracle_stored_facts(&u, trial, all);
}

const struct oracle_format oracle_utoc = {
	.names = { "Mod_P.utoc", "Mod_P.utoc", "Mod.utoc", "a/M od%n_12_P.utoc", "global.utoc",
		   "download", "b.txt" },
	.compare_report = compare_report,
	.compare_facts = compare_facts,
	.content_is_elsewhere = true,
};

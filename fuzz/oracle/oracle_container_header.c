/* A reference reading of a container header: what the rules must say of it, and the facts. */
#include "oracle/oracle_container_header.h"

#include <stdio.h>
#include <string.h>

#include "codec/cityhash.h"
#include "formats/iostore/container_header/walk.h"
#include "formats/iostore/facts.h"
#include "oracle/oracle_results.h"
#include "reference/reference.h"
#include "reference/reference_container_header.h"
#include "support/must.h"

#define NONE UINT64_MAX

static struct reference_container_header h;

static uint64_t number(uint64_t at, unsigned n)
{
	return reference_read(h.p + at, n);
}

static void expect(const struct report *r, const char *id, uint64_t n)
{
	if (oracle_was_judged(r, id) && oracle_found(r, id) != n)
		fprintf(stderr, "%s: found %llu, a reference reading finds %llu\n", id,
			(unsigned long long)oracle_found(r, id), (unsigned long long)n);
	MUST(!oracle_was_judged(r, id) || oracle_found(r, id) == n,
	     "a reference reading of the container header finds the same");
}

/* ---- The head, and the end ------------------------------------------------------------------- */

static bool goes_together(uint64_t toc, int form)
{
	switch (toc) {
	case 5:
		return form >= 1 && form <= 3;
	case 6:
	case 7:
		return form == 3;
	case 8:
		return form >= 4;
	default:
		return true;
	}
}

static void check_head(const struct reference_toc *t, const struct report *r)
{
	const bool head = h.magic && h.len >= 16;

	expect(r, "CHD001", t->version >= 5 && !h.magic && h.len >= 4);
	expect(r, "CHD002", h.magic);
	expect(r, "CHD003", head && (h.claimed == 0 || h.claimed > 5));
	expect(r, "CHD007", h.cut == CUT_COUNT);
	expect(r, "CHD030", h.cut == CUT_CULTURE);
	expect(r, "NAM001", h.cut == CUT_NAMES);
	if (!h.known)
		return;
	expect(r, "CHD004", !goes_together(t->version, h.form));
	expect(r, "CHD005", h.container != t->container);
	expect(r, "CHD010", h.fork);
	expect(r, "CHD039", h.form < 0);
	expect(r, "CHD006", h.form <= 1 && h.package_count != h.packages.ids.n);
	expect(r, "CHD036", h.packages.ids.n == 0 && h.optional.ids.n == 0);
}

static void check_end(const struct reference_toc *t, const struct report *r)
{
	uint64_t rest = h.len - h.end;
	bool block = t->version == 2 && t->block_size > 0 && h.len % t->block_size == 0 &&
		     rest < t->block_size;

	if (h.has_end)
		expect(r, "CHD035",
		       !reference_is_zero(h.p + h.end, rest) || (rest >= 16 && !block));
}

/* ---- Packages -------------------------------------------------------------------------------- */

static uint64_t package_id(const struct reference_packages *l, uint64_t i)
{
	return number(l->ids.at + 8 * i, 8);
}

/* The first package that has an id; as many as there are: none. */
static uint64_t find(const struct reference_packages *l, uint64_t id)
{
	uint64_t i = 0;

	while (i < l->ids.n && package_id(l, i) != id)
		i++;
	return i;
}

static bool is_short(const struct reference_packages *l)
{
	return l->entries.n < l->ids.n * l->each;
}

/* What is found in a list, by rules. */
struct tally {
	uint64_t zero, repeated, unsorted, outside, empty, unaligned, untidy, imports, counts,
		shaders;
};

static bool is_repeated(const uint8_t *row, const uint8_t *first, uint64_t each)
{
	for (; first < row; first += each)
		if (memcmp(first, row, each) == 0)
			return true;
	return false;
}

/* Whether one of the rows is zeros, equal to an earlier one, or, of imports, to the package's own
 * id. */
static bool has_odd_row(const struct reference_packages *l, const struct reference_view *v,
			uint64_t each, const uint8_t *own)
{
	const uint8_t *first = h.p + l->entries.at + v->start;

	for (uint64_t i = 0; i < v->n; i++) {
		const uint8_t *row = first + i * each;

		if (reference_is_zero(row, each) || is_repeated(row, first, each) ||
		    (own && memcmp(row, own, each) == 0))
			return true;
	}
	return false;
}

/* Counts the views that have each byte of the store entries. */
static void cover(uint8_t *covered, const struct reference_view *v, uint64_t each)
{
	for (uint64_t k = 0; k < v->n * each; k++)
		covered[v->start + k] += covered[v->start + k] < 2;
}

static bool tally_view(struct tally *t, const struct reference_view *v, uint64_t each,
		       uint8_t *covered)
{
	t->outside += v->n > 0 && !v->inside;
	t->unaligned += v->n > 0 && v->start % 4 != 0;
	t->empty += v->n == 0 && v->offset != 0;
	if (v->n == 0 || !v->inside)
		return false;
	cover(covered, v, each);
	return true;
}

static void tally_entry(struct tally *t, const struct reference_packages *l, uint64_t i,
			uint8_t *covered)
{
	uint64_t imports = reference_imports_in(h.form), hashes = reference_hashes_in(h.form),
		 counts = reference_counts_in(h.form);
	struct reference_view v = reference_view_of(&h, l, i, imports, 8);

	if (tally_view(t, &v, 8, covered))
		t->imports += has_odd_row(l, &v, 8, h.p + l->ids.at + 8 * i);
	if (hashes != NONE) {
		v = reference_view_of(&h, l, i, hashes, 20);
		if (tally_view(t, &v, 20, covered))
			t->shaders += has_odd_row(l, &v, 20, NULL);
	}
	if (counts != NONE) {
		uint64_t exports = number(l->entries.at + i * l->each + counts, 4),
			 bundles = number(l->entries.at + i * l->each + counts + 4, 4);

		t->counts += exports >= 0x80000000 || bundles >= 0x80000000 ||
			     (bundles == 0 && exports > 0);
	}
}

static void tally_list(struct tally *t, const struct reference_packages *l)
{
	static uint8_t covered[CONTAINER_LEN_MAX];
	uint64_t outside = t->outside, first = l->ids.n * l->each;
	bool sorted = true, tidy = true;

	memset(covered, 0, l->entries.n);
	for (uint64_t i = 0; i < l->ids.n; i++) {
		t->zero += package_id(l, i) == 0;
		t->repeated += find(l, package_id(l, i)) < i;
		sorted = sorted && (i == 0 || package_id(l, i) >= package_id(l, i - 1));
		tally_entry(t, l, i, covered);
	}
	for (uint64_t k = first; k < l->entries.n; k++)
		tidy = tidy && covered[k] == 1;
	t->unsorted += !sorted;
	t->untidy += !tidy && t->outside == outside;
}

static void check_packages(const struct report *r)
{
	struct tally t = { 0 };
	uint64_t unlisted = 0;

	tally_list(&t, &h.packages);
	if (h.form >= 2)
		tally_list(&t, &h.optional);
	for (uint64_t i = 0; i < h.optional.ids.n; i++)
		unlisted += find(&h.packages, package_id(&h.optional, i)) == h.packages.ids.n;
	expect(r, "CHD011", t.zero);
	expect(r, "CHD012", t.repeated);
	expect(r, "CHD013", t.unsorted);
	expect(r, "CHD015", t.outside);
	expect(r, "CHD016", t.empty);
	expect(r, "CHD017", t.unaligned);
	expect(r, "CHD018", t.untidy);
	expect(r, "CHD019", t.imports);
	expect(r, "CHD020", t.counts);
	expect(r, "CHD025", h.packages.ids.n > 0 ? unlisted : 0);
	expect(r, "CHD037", t.shaders);
}

/* ---- Chunks of packages ---------------------------------------------------------------------- */

static bool is_package(const struct reference_toc *t, uint64_t chunk)
{
	return reference_row(t, REFERENCE_IDS, chunk)[11] == (t->version >= 5 ? 1 : 2);
}

static uint64_t chunk_id(const struct reference_toc *t, uint64_t chunk)
{
	return reference_read(reference_row(t, REFERENCE_IDS, chunk), 8);
}

/* The first chunk with the index 0 and a byte of 0 after it, which store entries describe. */
static uint64_t own_chunk(const struct reference_toc *t, uint64_t id)
{
	uint64_t i = 0;

	while (i < t->n_chunks && (!is_package(t, i) || chunk_id(t, i) != id ||
				   reference_read(reference_row(t, REFERENCE_IDS, i) + 8, 3) != 0))
		i++;
	return i;
}

static void check_chunks(const struct reference_toc *t, const struct report *r)
{
	uint64_t strays = 0, missing = 0, differ = 0, orders = 0;

	for (uint64_t i = 0; i < t->n_chunks; i++)
		strays += is_package(t, i) &&
			  find(&h.packages, chunk_id(t, i)) == h.packages.ids.n &&
			  find(&h.optional, chunk_id(t, i)) == h.optional.ids.n;
	for (uint64_t i = 0; i < h.packages.ids.n; i++) {
		const uint8_t *entry = h.p + h.packages.entries.at + i * h.packages.each;
		uint64_t id = package_id(&h.packages, i), chunk = own_chunk(t, id), k = 0;

		missing += chunk == t->n_chunks && id != 0;
		if (h.form != 0)
			continue;
		differ += chunk < t->n_chunks &&
			  reference_read(entry, 8) != reference_length(t, chunk);
		while (reference_read(h.p + h.packages.entries.at + k * h.packages.each + 16, 4) !=
		       reference_read(entry + 16, 4))
			k++;
		orders += (k < i) + (reference_read(entry + 20, 4) != 0);
	}
	expect(r, "TOC020", strays);
	expect(r, "TOC021", missing);
	expect(r, "CHD022", differ);
	expect(r, "CHD023", orders);
}

/* ---- Names ----------------------------------------------------------------------------------- */

enum { NAME_MAX_CHARACTERS = 1023 };

static uint64_t character(const struct reference_name *n, uint64_t i)
{
	return n->wide ? number(n->at + 2 * i, 2) : h.p[n->at + i];
}

static bool is_ascii(const struct reference_name *n)
{
	for (uint64_t i = 0; i < n->n; i++)
		if (character(n, i) >= 0x80)
			return false;
	return true;
}

static bool is_low(const struct reference_name *n, uint64_t i)
{
	return i < n->n && character(n, i) / 0x400 == 0xDC00 / 0x400;
}

/* A zero, or half a pair of surrogates. */
static bool is_broken(const struct reference_name *n)
{
	for (uint64_t i = 0; i < n->n; i++) {
		bool high = n->wide && character(n, i) / 0x400 == 0xD800 / 0x400;

		if (character(n, i) == 0 || (n->wide && is_low(n, i)) ||
		    (high && !is_low(n, i + 1)))
			return true;
		i += high;
	}
	return false;
}

static uint8_t small(uint64_t c)
{
	return (uint8_t)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

/* The hash of an ASCII name, in the width that it has. */
static uint64_t hash_of(const struct reference_name *n)
{
	uint8_t text[NAME_MAX_CHARACTERS];

	for (uint64_t i = 0; i < n->n; i++)
		text[i] = small(character(n, i));
	return n->wide ? cityhash64_wide(text, n->n) : cityhash64(text, n->n);
}

static bool is_same(const struct reference_name *a, const struct reference_name *b)
{
	return a->wide == b->wide && a->n == b->n &&
	       memcmp(h.p + a->at, h.p + b->at, a->n << a->wide) == 0;
}

static void check_names(const struct report *r)
{
	uint64_t too_long = 0, empty = 0, hash = 0, repeated = 0, width = 0, broken = 0;

	for (uint64_t i = 0; i < h.n_names; i++) {
		const struct reference_name *n = &h.names[i];
		uint64_t k = 0;

		while (!is_same(&h.names[k], n))
			k++;
		repeated += k < i;
		too_long += n->n > NAME_MAX_CHARACTERS;
		empty += n->n == 0;
		if (n->n == 0)
			continue;
		width += n->wide == is_ascii(n);
		broken += is_broken(n);
		hash += n->n <= NAME_MAX_CHARACTERS && i < h.n_hashes && is_ascii(n) &&
			h.algorithm == 0xC1640000 && hash_of(n) != n->hash;
	}
	expect(r, "NAM003",
	       (h.form <= 0 ? h.hashes.n >= 8 : h.n_names > 0) && h.algorithm != 0xC1640000);
	expect(r, "NAM004", too_long);
	expect(r, "NAM005", empty);
	expect(r, "NAM006", hash);
	expect(r, "NAM007", repeated);
	expect(r, "NAM008", width);
	expect(r, "NAM012", broken);
}

static void check_batches(const struct report *r)
{
	const bool old = h.form <= 0;

	if (!h.known)
		return;
	expect(r, "CHD008", old && h.name_bytes.n > 0);
	if (!h.has_names)
		return;
	expect(r, "CHD009", old && !h.hashes_fit);
	expect(r, "NAM009", old && !h.names_end);
	expect(r, "NAM010", old && h.names_end && h.n_hashes != h.n_names);
	expect(r, "NAM002", !old && h.names_sum != h.names_len);
	if (h.names_good)
		check_names(r);
}

/* ---- Maps ------------------------------------------------------------------------------------ */

/* What a source should be by its name, followed by its number; false: that cannot be told. */
static bool source_of(uint64_t index, uint64_t count, uint64_t *source)
{
	uint8_t text[NAME_MAX_CHARACTERS + 16];
	const struct reference_name *n = &h.names[index];
	uint64_t len = n->n;

	if (n->n > NAME_MAX_CHARACTERS || !is_ascii(n))
		return false;
	for (uint64_t i = 0; i < n->n; i++)
		text[i] = small(character(n, i));
	if (count > 0)
		len += (uint64_t)snprintf((char *)text + len, 16, "_%llu",
					  (unsigned long long)count - 1);
	*source = cityhash64_wide(text, len);
	return true;
}

struct map_tally {
	uint64_t rows, unknown, sources, odd;
};

static void tally_name(struct map_tally *t, uint64_t at, uint64_t source)
{
	uint64_t name = number(at, 4), index = name % 0x40000000, hash;

	if (name / 0x40000000 != 1 || index >= h.n_names)
		t->unknown++;
	else if (source_of(index, number(at + 4, 4), &hash))
		t->sources += hash != source;
}

static void tally_map(struct map_tally *t, const struct reference_map *m, bool packages)
{
	for (uint64_t i = 0; i < m->rows.n; i++) {
		uint64_t at = m->rows.at + i * m->each, source = number(at, 8), k = 0;
		bool odd;

		while (number(m->rows.at + k * m->each, 8) != source)
			k++;
		odd = k < i;
		if (m->has_target) {
			odd = odd || number(at + 8, 8) == source;
			odd = odd || (packages &&
				      find(&h.packages, number(at + 8, 8)) == h.packages.ids.n);
		}
		t->odd += odd;
		if (m->has_name && h.names_good)
			tally_name(t, at + (m->has_target ? 16 : 8), source);
	}
	t->rows += m->rows.n;
}

static void check_maps(const struct report *r, bool packages)
{
	struct map_tally t = { 0 };
	bool bad = h.names_sum != h.names_len;

	for (uint64_t i = 0; i < h.n_maps; i++)
		tally_map(&t, &h.maps[i], packages);
	for (uint64_t i = 0; h.names_good && i < h.n_names; i++)
		bad = bad || h.names[i].n > NAME_MAX_CHARACTERS;
	expect(r, "CHD026", h.form >= 1 && t.rows > 0 && bad);
	expect(r, "CHD027", t.unknown);
	expect(r, "CHD028", t.sources);
	expect(r, "CHD029", t.odd);
}

/* ---- Soft references ------------------------------------------------------------------------- */

static bool is_soft_row_bad(uint64_t i)
{
	uint64_t n, start;

	if (8 * (i + 1) > h.soft_entries.n)
		return true;
	n = number(h.soft_entries.at + 8 * i, 4);
	start = 8 * i + number(h.soft_entries.at + 8 * i + 4, 4);
	if (n > 0 && (start < 8 * h.packages.ids.n || start + 4 * n > h.soft_entries.n))
		return true;
	for (uint64_t k = 0; k < n; k++)
		if (number(h.soft_entries.at + start + 4 * k, 4) >= h.soft_ids.n)
			return true;
	return false;
}

static void check_soft(const struct report *r)
{
	uint64_t bad = 0;

	expect(r, "CHD032", h.soft_astray);
	expect(r, "CHD033", h.soft_overrun || h.soft_used != h.soft_end);
	if (!h.has_soft)
		return;
	for (uint64_t i = 0; h.flag != 0 && i < h.packages.ids.n; i++)
		bad += is_soft_row_bad(i);
	expect(r, "CHD031", h.flag > 1);
	expect(r, "CHD034", bad);
}

/* ---- All ------------------------------------------------------------------------------------- */

static bool are_packages_good(void)
{
	return h.has_packages && !is_short(&h.packages) && !is_short(&h.optional);
}

void oracle_container_header(const struct report *r, const struct reference_toc *t,
			     const uint8_t *bytes, uint64_t len)
{
	reference_container_header_read(&h, bytes, len, t->version);
	check_head(t, r);
	check_batches(r);
	check_end(t, r);
	if (h.known)
		check_soft(r);
	expect(r, "CHD014", h.packages.is_read && is_short(&h.packages));
	expect(r, "CHD024", h.optional.is_read && is_short(&h.optional));
	if (are_packages_good()) {
		check_packages(r);
		check_chunks(t, r);
	}
	if (h.has_maps)
		check_maps(r, are_packages_good());
}

/* ---- The facts ------------------------------------------------------------------------------- */

/* A part that a reference reading has whole may only be missing because it costs too much. */
static void check_group(const struct utoc *u, enum utoc_group group, bool good)
{
	enum stop_why why = u->groups[group].why;

	MUST(why == STOP_NOT || why == STOP_LIMIT || !good,
	     "what a reference reading has of the container header is there");
	MUST(why != STOP_NOT || good, "what it has not is not");
}

static void check_list(const struct container_packages *p, const struct reference_packages *l)
{
	MUST(p->n == l->ids.n && p->ids.n == p->n && p->entries.len == l->entries.n,
	     "a list has its packages");
	MUST(p->n == 0 || (p->ids_at == l->ids.at && p->entries_at == l->entries.at),
	     "and they lie where they lie");
	MUST(p->n == 0 || memcmp(p->ids.bytes, h.p + l->ids.at, p->n * 8) == 0, "with their ids");
}

static void check_name_facts(const struct container_header *facts)
{
	MUST(facts->names.n == h.n_names, "there are as many names");
	for (uint64_t i = 0; i < h.n_names; i++) {
		struct name_row name;

		names_row(&facts->names, i, &name);
		MUST(name.at == h.names[i].at && name.n_units == h.names[i].n &&
			     name.wide == h.names[i].wide && name.hash == h.names[i].hash,
		     "a name lies where it lies");
	}
}

static void check_map_facts(const struct container_header *facts)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < h.n_maps; i++)
		for (uint64_t k = 0; k < h.maps[i].rows.n; k++, n++)
			MUST(n < facts->n_links &&
				     facts->links[n].at == h.maps[i].rows.at + k * h.maps[i].each,
			     "a row of a map lies where it lies");
	MUST(n == facts->n_links, "there are as many rows of maps");
}

static void check_chunk_facts(const struct container_header *facts, const struct reference_toc *t)
{
	for (uint64_t i = 0; i < h.packages.ids.n; i++) {
		uint64_t chunk = own_chunk(t, package_id(&h.packages, i));

		MUST(facts->chunk_of[i] == (chunk < t->n_chunks ? chunk : TOC_NONE),
		     "a package has its chunk");
	}
}

void oracle_container_header_facts(const struct utoc *u, const struct reference_toc *t,
				   const uint8_t *bytes, uint64_t len)
{
	const struct container_header *facts = &u->container_header;

	if (u->groups[CONTAINER_BYTES].why != STOP_NOT ||
	    u->groups[CONTAINER_HEAD].why == STOP_LIMIT)
		return;
	reference_container_header_read(&h, bytes, len, t->version);
	MUST(facts->held.len == len && memcmp(facts->held.bytes, bytes, len) == 0,
	     "the container header is what the .ucas has");
	check_group(u, CONTAINER_HEAD, h.known);
	check_group(u, CONTAINER_PACKAGES, are_packages_good());
	check_group(u, CONTAINER_NAMES, h.has_names && h.names_good);
	check_group(u, CONTAINER_MAPS, h.has_maps);
	check_group(u, CONTAINER_SOFT, h.has_soft);
	check_group(u, CONTAINER_END, h.has_end);
	if (u->groups[CONTAINER_HEAD].why == STOP_NOT)
		MUST(facts->version == h.form && facts->has_magic == h.magic &&
			     facts->container_id == h.container,
		     "it has one form");
	if (u->groups[CONTAINER_PACKAGES].why == STOP_NOT) {
		check_list(&facts->packages, &h.packages);
		check_list(&facts->optional, &h.optional);
		check_chunk_facts(facts, t);
	}
	if (u->groups[CONTAINER_NAMES].why == STOP_NOT)
		check_name_facts(facts);
	if (u->groups[CONTAINER_MAPS].why == STOP_NOT)
		check_map_facts(facts);
	if (u->groups[CONTAINER_END].why == STOP_NOT)
		MUST(facts->walk.end == h.end && span_end(facts->trailing) == len,
		     "it ends where it ends");
}

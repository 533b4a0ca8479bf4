/* What is kept of a package: who it is, the packages that it imports from, and the objects that
 * others may import. */
#include "formats/upkg/summary.h"

#include "core/hash.h"
#include "formats/summary.h"
#include "formats/upkg/facts.h"
#include "formats/upkg/header/header.h"
#include "formats/upkg/tables/flags.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"

static bool is_needed(const struct upkg *u, uint32_t i)
{
	const uint32_t traits = u->imports_traits[i];

	return u->imports[i].outer == 0 && traits & IMPORT_IS_PACKAGE && !(traits & IMPORT_IS_SELF);
}

static uint64_t count_needed(const struct upkg *u, uint32_t n)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < n; i++)
		count += is_needed(u, i);
	return count;
}

static void list_needs(const struct upkg *u, struct decode *d, struct summary *out)
{
	const bool is_known = decode_has(d, UPKG_LINKS);
	const uint32_t n = is_known ? u->tables[TABLE_IMPORTS].n : 0;

	summary_open(out, &out->needs, is_known, count_needed(u, n));
	for (uint32_t i = 0; i < n && summary_goes_on(out, d, i); i++)
		if (is_needed(u, i))
			summary_add_name(&out->needs, upkg_kept_name(u, u->imports[i].name), 0);
}

/* The name of what an object lies in, by which the engine tells objects of one name apart. */
static uint64_t hash_of_outer(const struct upkg *u, int32_t outer)
{
	if (outer > 0 && (uint32_t)outer <= u->tables[TABLE_EXPORTS].n)
		return summary_hash(upkg_kept_name(u, u->exports[outer - 1].name));
	if (outer < 0 && (uint32_t) - (int64_t)outer <= u->tables[TABLE_IMPORTS].n)
		return summary_hash(upkg_kept_name(u, u->imports[-(int64_t)outer - 1].name));
	return 0;
}

static bool is_offered(const struct upkg *u, const struct upkg_export *e)
{
	return !(e->traits & EXPORT_PLACEHOLDER) && upkg_export_entry_of(u, e).flags & UPKG_PUBLIC;
}

static void list_offers(const struct upkg *u, struct decode *d, struct summary *out)
{
	const bool is_known = decode_has(d, UPKG_LINKS);
	const uint32_t n = is_known ? u->tables[TABLE_EXPORTS].n : 0;

	summary_open(out, &out->offers, is_known, n);
	for (uint32_t i = 0; i < n && summary_goes_on(out, d, i); i++) {
		const struct upkg_export *e = &u->exports[i];

		if (is_offered(u, e))
			summary_add_name(&out->offers, upkg_kept_name(u, e->name),
					 hash_of_outer(u, e->outer));
	}
}

static void identify(const struct upkg *u, struct summary *out)
{
	const struct upkg_header *h = &u->header;

	out->licensee = u->tag.licensee;
	if (u->tag.version < UPKG_VERSION_GUID)
		return;
	out->identity = SUMMARY_GUID;
	out->guid[0] = (uint32_t)h->guid_a;
	out->guid[1] = (uint32_t)h->guid_b;
	out->guid[2] = (uint32_t)h->guid_c;
	out->guid[3] = (uint32_t)h->guid_d;
}

/* Where the GUID stands: behind eight bytes of the tag and seven words of the summary. */
enum { GUID_AT = 36 };

/* The highest number of a name that a kept row has room for. */
#define NAME_MAX_INDEX 0xFFFFFFu

/* ---- Rows, for sets -------------------------------------------------------------------------- */

/* A table in the arena of summaries, or NULL, which is noted. */
static void *rows_alloc(struct summary *out, uint64_t n, size_t size)
{
	void *rows = arena_alloc(out->arena, n, size);

	if (!rows)
		out->gaps |= SUMMARY_NO_MEMORY;
	return rows;
}

/* A row with a name that does not exist is an error, so that the rows are not compared. */
static uint32_t index_of(const struct upkg *u, int64_t name)
{
	return upkg_name_of(u, (int32_t)name) ? (uint32_t)name : 0;
}

static bool keep_imports(const struct upkg *u, struct decode *d, struct summary *out,
			 struct summary_package *p)
{
	struct package_import *rows = rows_alloc(out, p->n_imports, sizeof *rows);
	uint64_t hash = p->rows_hash;

	for (uint32_t i = 0; rows && i < p->n_imports && summary_goes_on(out, d, i); i++) {
		const struct upkg_import_entry e = upkg_import_entry_of(u, &u->imports[i]);

		rows[i] = (struct package_import){
			.at = (uint32_t)e.at,
			.name = index_of(u, e.name.value) & NAME_MAX_INDEX,
			.len = (e.class_package.len + e.class_name.len + 4 + e.name.len) &
			       UINT8_MAX,
			.class_name = index_of(u, e.class_name.value),
			.class_package = index_of(u, e.class_package.value),
			.outer = (int32_t)e.outer,
		};
		hash = hash_mix(hash, (uint64_t)rows[i].name << 32 | (uint32_t)rows[i].outer);
		hash = hash_mix(hash, (uint64_t)rows[i].class_name << 32 | rows[i].class_package);
	}
	p->imports = rows;
	p->rows_hash = hash;
	return rows && out->gaps == 0;
}

static bool keep_exports(const struct upkg *u, struct decode *d, struct summary *out,
			 struct summary_package *p)
{
	struct package_export *rows = rows_alloc(out, p->n_exports, sizeof *rows);
	uint64_t hash = p->rows_hash;

	for (uint32_t i = 0; rows && i < p->n_exports && summary_goes_on(out, d, i); i++) {
		const struct upkg_export *of = &u->exports[i];
		const struct upkg_export_entry e = upkg_export_entry_of(u, of);

		rows[i] = (struct package_export){
			.at = of->at & INT32_MAX,
			.is_public = (e.flags & UPKG_PUBLIC) != 0,
			.name = index_of(u, of->name) & NAME_MAX_INDEX,
			.len = (uint32_t)(upkg_place_of(u, of) - of->at) & UINT8_MAX,
			.class = of->class,
			.outer = of->outer,
		};
		hash = hash_mix(hash, (uint64_t)rows[i].name << 32 | (uint32_t)of->outer);
		hash = hash_mix(hash, (uint64_t)(uint32_t)of->class << 32 | (uint32_t)e.flags);
		hash = hash_mix(hash, (uint64_t)(uint32_t)of->size << 32 | (uint32_t)of->offset);
	}
	p->exports = rows;
	p->rows_hash = hash;
	return rows && out->gaps == 0;
}

/* The names that rows have, each with 1 in `ends`. All rows were filled. */
static void mark_names(const struct summary_package *p, uint32_t *ends)
{
	memset(ends, 0, p->n_names * sizeof *ends);
	for (uint32_t i = 0; i < p->n_imports; i++) {
		ends[p->imports[i].name] = 1;
		ends[p->imports[i].class_name] = 1;
		ends[p->imports[i].class_package] = 1;
	}
	for (uint32_t i = 0; i < p->n_exports; i++)
		ends[p->exports[i].name] = 1;
}

/* Names have UPKG_NAME_MAX units at most, each of three bytes of UTF-8 at most: all texts together
 * have less than 4 GiB. */
static uint32_t room_for_names(const struct upkg *u, uint32_t n, const uint32_t *marks)
{
	uint32_t room = 0;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t units = u->names[i].n_units;

		if (marks[i] > 0)
			room += 3 * (units == NAME_UNUSUAL ? UPKG_NAME_MAX : units);
	}
	return room;
}

static uint32_t write_names(const struct upkg *u, uint32_t n, uint32_t *ends, char *texts,
			    uint32_t *hashes)
{
	uint8_t utf8[4 * UPKG_NAME_MAX];
	uint32_t at = 0;
	bool whole;

	for (uint32_t i = 0; i < n; i++) {
		struct package_text t = { texts + at, 0 };

		if (ends[i] > 0)
			t.len = (uint32_t)text_utf8(upkg_kept_name(u, (int32_t)i), UPKG_NAME_MAX,
						    utf8, &whole);
		if (t.len > 0)
			memcpy(texts + at, utf8, t.len);
		hashes[i] = (uint32_t)package_text_hash(t);
		at += t.len;
		ends[i] = at;
	}
	return at;
}

static bool keep_names(const struct upkg *u, struct summary *out, struct summary_package *p)
{
	uint32_t *ends = rows_alloc(out, p->n_names, sizeof *ends);
	uint32_t *hashes = rows_alloc(out, p->n_names, sizeof *hashes);
	uint32_t len;
	char *texts;

	if (!ends || !hashes)
		return false;
	mark_names(p, ends);
	texts = rows_alloc(out, room_for_names(u, p->n_names, ends), 1);
	if (!texts)
		return false;
	len = write_names(u, p->n_names, ends, texts, hashes);
	p->ends = ends;
	p->hashes = hashes;
	p->texts = texts;
	p->rows_hash = hash_mix(p->rows_hash,
				package_text_hash((struct package_text){ texts, len }));
	return true;
}

static bool keep_generations(const struct upkg *u, struct summary *out, struct summary_package *p)
{
	struct package_generation *rows = rows_alloc(out, p->n_generations, sizeof *rows);

	for (uint32_t i = 0; rows && i < p->n_generations; i++) {
		rows[i] = (struct package_generation){ (uint32_t)u->generations[i].export_count,
						       (uint32_t)u->generations[i].name_count };
		p->rows_hash = hash_mix(p->rows_hash,
					(uint64_t)rows[i].exports << 32 | rows[i].names);
	}
	p->rows_hash = hash_mix(p->rows_hash, p->flags);
	p->generations = rows;
	return rows != NULL;
}

/* Without links no reference and no name is known to exist. */
static void keep_package(const struct upkg *u, struct decode *d, struct summary *out)
{
	struct summary_package *p = rows_alloc(out, 1, sizeof *p);

	if (!p || !decode_has(d, UPKG_LINKS))
		return;
	*p = (struct summary_package){
		.n_names = u->tables[TABLE_NAMES].n,
		.n_imports = u->tables[TABLE_IMPORTS].n,
		.n_exports = u->tables[TABLE_EXPORTS].n,
		.n_generations = decode_has(d, UPKG_HISTORY) ? u->n_generations : 0,
		.flags = (uint32_t)u->header.flags,
		.guid_at = { GUID_AT, out->identity == SUMMARY_GUID ? 16 : 0 },
	};
	if (p->n_names > NAME_MAX_INDEX || (p->n_names == 0 && p->n_imports + p->n_exports > 0))
		out->gaps |= SUMMARY_UNREAD;
	else if (keep_imports(u, d, out, p) && keep_exports(u, d, out, p) &&
		 keep_names(u, out, p) && keep_generations(u, out, p) && out->gaps == 0)
		out->package = p;
}

void upkg_summary(const void *facts, struct decode *d, struct summary *out)
{
	const struct upkg *u = facts;

	if (decode_has(d, UPKG_HEADER))
		identify(u, out);
	if (decode_has(d, UPKG_NAMES))
		out->n_names = u->tables[TABLE_NAMES].n;
	if (decode_has(d, UPKG_IMPORTS))
		out->n_imports = u->tables[TABLE_IMPORTS].n;
	if (decode_has(d, UPKG_EXPORTS))
		out->n_exports = u->tables[TABLE_EXPORTS].n;
	if (out->for_sets) {
		keep_package(u, d, out);
		return;
	}
	list_needs(u, d, out);
	list_offers(u, d, out);
}

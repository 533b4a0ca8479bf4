/* Ids of chunks: which are the same, and whether the package is there that bulk data is of. */
#include "formats/iostore/toc/chunk_ids.h"

#include "formats/iostore/toc/perfect_hash.h"

static uint64_t id_key(const void *table, uint32_t i)
{
	return toc_id(table, i);
}

static int compare_ids(const void *table, uint32_t a, uint32_t b)
{
	return memcmp(toc_id_row(table, a).bytes, toc_id_row(table, b).bytes,
		      utoc_chunk_id_fixed_len);
}

static int match_id(const void *table, uint32_t i, const void *what)
{
	return memcmp(toc_id_row(table, i).bytes, what, utoc_chunk_id_fixed_len);
}

/* An id of another type, with index 0. */
static void put_id(struct utoc_chunk_id_row like, uint8_t type, uint8_t id[utoc_chunk_id_fixed_len])
{
	const uint64_t hash = utoc_chunk_id_get_id(like);

	for (unsigned i = 0; i < 8; i++) /* memcpy would be a call here, for these few bytes */
		id[i] = (uint8_t)(hash >> 8 * i);
	for (unsigned i = 8; i < 11; i++)
		id[i] = 0;
	id[11] = type;
}

/* Chunks are looked up by the perfect hash if it finds all of them, else in the order of ids. */
static bool is_found_by_hash(const struct toc *t)
{
	return t->finds_all && t->n_overflow == 0;
}

static uint32_t find_id(const struct toc *t, const uint8_t id[utoc_chunk_id_fixed_len])
{
	const struct finder f = finder_of(t);
	const struct utoc_chunk_id_row wanted = utoc_chunk_id_at(
		utoc_chunk_id_in((struct held){ id, utoc_chunk_id_fixed_len }), 0);
	uint32_t place;

	if (is_found_by_hash(t))
		return finder_find(&f, wanted);
	place = order_find(&t->by_id, t, id_key, utoc_chunk_id_get_id(wanted), match_id, id);
	return place == ORDER_NONE ? TOC_NONE : place;
}

static bool has_package(const struct toc *t, struct utoc_chunk_id_row bulk)
{
	uint8_t id[utoc_chunk_id_fixed_len];

	put_id(bulk, chunk_type_byte(t->version, CHUNK_EXPORT_BUNDLE), id);
	return find_id(t, id) != TOC_NONE;
}

uint32_t toc_find_bulk(const struct toc *t, uint64_t package, enum chunk_type type)
{
	uint8_t id[utoc_chunk_id_fixed_len];

	if (!t->is_sorted || t->n_of_type[type] == 0)
		return TOC_NONE;
	put_id(toc_id_row(t, package), chunk_type_byte(t->version, type), id);
	return find_id(t, id);
}

bool toc_is_alone(const struct toc *t, uint64_t chunk)
{
	return toc_is_bulk(toc_type(t, chunk)) && t->is_sorted &&
	       !has_package(t, toc_id_row(t, chunk));
}

/* Lists chunks with the same id; in the order of ids they follow one another. */
static bool list_pairs(struct decode *d, struct toc *t, const struct order *o)
{
	uint64_t max = 0;

	for (uint32_t i = 1; o->n_ties > 0 && i < o->n; i++) {
		const uint32_t a = order_row(o, i - 1), b = order_row(o, i);
		struct toc_pair *rows;

		if (compare_ids(t, a, b) != 0)
			continue;
		rows = decode_grow(d, UTOC_CHUNKS, t->pairs, t->n_pairs, &max, sizeof *rows);
		if (!rows)
			return false;
		t->pairs = rows;
		rows[t->n_pairs++] = (struct toc_pair){ .chunk = b, .before = a };
	}
	return true;
}

UVET_WRAPS static uint32_t hash_id(struct utoc_chunk_id_row id)
{
	const uint64_t h = (utoc_chunk_id_get_id(id) ^
			    utoc_chunk_id_word(id, 2) * 0x9E3779B97F4A7C15u) *
			   0xD6E8FEB86659FD93u;

	return (uint32_t)(h >> 32);
}

bool toc_find_pairs(struct decode *d, struct toc *t)
{
	uint32_t *hashes = decode_alloc(d, UTOC_CHUNKS, t->n_chunks, sizeof *hashes);
	struct order o;

	if (!hashes)
		return false;
	for (uint64_t i = 0; i < t->n_chunks; i++)
		hashes[i] = hash_id(toc_id_row(t, i));
	if (!order_suspects(d->arena, hashes, (uint32_t)t->n_chunks, t, compare_ids, &o))
		return decode_stop(d, UTOC_CHUNKS, STOP_MEMORY, t->sections[SECTION_IDS].at);
	return list_pairs(d, t, &o);
}

/* Ids of packages that should be there, to be looked for together. */
struct packages {
	struct finder finder;
	uint64_t n;
	uint8_t ids[FINDER_MANY][utoc_chunk_id_fixed_len];
};

static bool has_all(struct packages *p)
{
	const uint64_t n = p->n;

	p->n = 0;
	return finder_has_all(&p->finder, utoc_chunk_id_in((struct held){
						  p->ids[0], n * utoc_chunk_id_fixed_len }));
}

static bool add_package(struct packages *p, struct utoc_chunk_id_row bulk, uint8_t type)
{
	put_id(bulk, type, p->ids[p->n++]);
	return p->n < FINDER_MANY || has_all(p);
}

/* For the case that the perfect hash finds every chunk. */
static bool packages_are_found(const struct toc *t)
{
	const uint8_t type = chunk_type_byte(t->version, CHUNK_EXPORT_BUNDLE);
	struct packages p = { .finder = finder_of(t) };

	for (uint64_t i = 0; i < t->n_chunks; i++)
		if (toc_is_bulk(toc_type(t, i)) && !add_package(&p, toc_id_row(t, i), type))
			return false;
	return has_all(&p);
}

static bool packages_are_listed(const struct toc *t)
{
	for (uint64_t i = 0; i < t->n_chunks; i++)
		if (toc_is_alone(t, i))
			return false;
	return true;
}

bool toc_find_packages(struct decode *d, struct toc *t)
{
	if (t->n_of_type[CHUNK_BULK] + t->n_of_type[CHUNK_OPTIONAL_BULK] +
		    t->n_of_type[CHUNK_MAPPED_BULK] ==
	    0)
		return true;
	if (!is_found_by_hash(t) &&
	    !order_by_hash(d->arena, t, (uint32_t)t->n_chunks, id_key, compare_ids, &t->by_id))
		return decode_stop(d, UTOC_CHUNKS, STOP_MEMORY, t->sections[SECTION_IDS].at);
	t->is_sorted = true;
	if (!(is_found_by_hash(t) ? packages_are_found(t) : packages_are_listed(t)))
		t->chunk_traits |= CHUNK_BULK_ALONE;
	return true;
}

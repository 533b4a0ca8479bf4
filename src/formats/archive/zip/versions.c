/* Names with the number of a version, as VMS has them: Info-ZIP drops it. Source:
 * conformance/spec/zip.md, 2.17. */
#include "core/path.h"
#include "formats/archive/members/keys.h"
#include "formats/archive/zip/zip.h"

/* A versions is the members with such a name, and what is left of each, as a key. */
struct versions {
	const struct name_index *index;
	struct text *keys;
	uint32_t *hashes, *rows;
	uint32_t n;
};

/* How many units of a name stand before a semicolon with nothing but digits after it; all: it has
 * none. */
static uint32_t units_before(struct text name)
{
	uint32_t n = name.ref.n_units;

	while (n > 0 && text_between(text_unit(name, n - 1), '0', '9'))
		n--;
	return n > 0 && text_unit(name, n - 1) == ';' ? n - 1 : name.ref.n_units;
}

static bool has_version(const struct arc_member *m)
{
	return m->kind != ARC_DIRECTORY && units_before(m->name) < m->name.ref.n_units;
}

static uint64_t hash_of(const void *versions, uint32_t i)
{
	return ((const struct versions *)versions)->hashes[i];
}

static int compare(const void *versions, uint32_t a, uint32_t b)
{
	const struct versions *v = versions;

	return member_keys_compare(v->keys[a], v->keys[b]);
}

static bool add(struct decode *d, struct versions *v, const struct members *m, uint32_t row)
{
	const struct text name = m->rows[row].name;

	if (!member_key_of(d, ZIP_NAMES, text_sub(name, 0, units_before(name)), &v->keys[v->n]))
		return false;
	v->hashes[v->n] = path_examine(v->keys[v->n]).hash;
	v->rows[v->n++] = row;
	return true;
}

/* Which clash with a member whose name has no version, or with each other. */
static bool find_clashes(struct decode *d, struct zip *z, struct versions *v)
{
	struct order order;

	if (!member_keys_order(d, ZIP_NAMES, z->members->index))
		return false;
	if (!order_by_hash(d->arena, v, v->n, hash_of, compare, &order))
		return decode_stop(d, ZIP_NAMES, STOP_MEMORY, (struct span){ 0, 0 });
	for (uint32_t i = 0; i < v->n; i++) {
		const uint32_t here = order_row(&order, i),
			       last = order_row(&order, i > 0 ? i - 1 : 0);
		struct zip_entry *e = &z->entries[v->rows[here]];

		if (i > 0 && v->hashes[here] == v->hashes[last] && compare(v, here, last) == 0)
			e->traits |= ZIP_VERSION_CLASHES;
		if (member_keys_find(v->index, v->hashes[here], v->keys[here], NULL) != MEMBER_NONE)
			e->traits |= ZIP_VERSION_CLASHES;
		e->traits |= ZIP_VERSION;
		z->traits |= e->traits;
	}
	return true;
}

bool zip_find_versions(struct decode *d, struct zip *z)
{
	struct versions v = { .index = z->members->index };
	uint32_t n = 0;

	for (uint64_t i = 0; i < z->members->n; i++)
		n += has_version(&z->members->rows[i]);
	if (n == 0)
		return true;
	v.keys = decode_alloc(d, ZIP_NAMES, n, sizeof *v.keys);
	v.hashes = decode_alloc(d, ZIP_NAMES, n, sizeof *v.hashes);
	v.rows = decode_alloc(d, ZIP_NAMES, n, sizeof *v.rows);
	if (!v.keys || !v.hashes || !v.rows || !decode_spend(d, ZIP_NAMES, n))
		return false;
	for (uint32_t i = 0; v.n < n && i < z->members->n; i++)
		if (has_version(&z->members->rows[i]) && !add(d, &v, z->members, i))
			return false;
	return find_clashes(d, z, &v);
}

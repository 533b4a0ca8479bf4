/* Finding members by name: at the place where they are expected, or through an index that is made when it is first needed. */
#include "formats/umod/umod.h"

/* Names go by three bytes of their hash: to compare the few that share them costs less than to sort by a fourth. */
static uint64_t short_hash(uint32_t hash)
{
	return hash >> 8;
}

static uint64_t member_key(const void *facts, uint32_t i)
{
	return short_hash(((const struct umod *)facts)->hashes[i]);
}

static int compare_names(const void *facts, uint32_t a, uint32_t b)
{
	const struct umod *u = facts;

	return path_compare(umod_name(u, &u->members[a]), umod_name(u, &u->members[b]));
}

/* The first place in the index whose name is not before this one. */
static uint32_t lower_bound(const struct umod *u, struct text name, uint32_t hash)
{
	uint32_t low = 0, high = u->n_members;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uint32_t row = order_row(&u->by_name, middle);
		uint64_t key = member_key(u, row);

		if (key < short_hash(hash) || (key == short_hash(hash) && path_compare(umod_name(u, &u->members[row]), name) < 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool umod_index_names(struct decode *d, struct umod *u)
{
	if (!u->has_index && !order_by_hash(d->arena, u, u->n_members, member_key, compare_names, &u->by_name))
		return decode_stop(d, UMOD_MANIFEST, STOP_MEMORY, (struct span){ 0, 0 });
	u->has_index = true;
	return true;
}

uint32_t umod_find(const struct umod *u, struct text name, uint32_t hash)
{
	uint32_t place = lower_bound(u, name, hash), row;

	if (place == u->n_members)
		return u->n_members;
	row = order_row(&u->by_name, place);
	return u->hashes[row] == hash && path_compare(umod_name(u, &u->members[row]), name) == 0 ? row : u->n_members;
}

bool umod_is_spelt(const struct umod *u, uint32_t member, const struct text *name)
{
	const struct umod_member *m = &u->members[member];
	struct text own = umod_name(u, m);

	return !(m->traits & UMOD_NAME_REPEATED) && path_is_spelt_alike(&own, name);
}

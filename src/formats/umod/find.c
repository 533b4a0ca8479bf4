/* Finding members by name: by trying the expected one, or through an index that is built when it is
 * first needed. */
#include "formats/umod/umod.h"

static uint64_t member_key(const void *facts, uint32_t i)
{
	return ((const struct umod *)facts)->hashes[i];
}

int umod_compare_names(const void *facts, uint32_t a, uint32_t b)
{
	const struct umod *u = facts;

	return path_compare(umod_name(u, &u->members[a]), umod_name(u, &u->members[b]));
}

static int match_name(const void *facts, uint32_t i, const void *name)
{
	const struct umod *u = facts;

	return path_compare(umod_name(u, &u->members[i]), *(const struct text *)name);
}

bool umod_index_names(struct decode *d, struct umod *u)
{
	if (!u->has_index &&
	    !order_by_hash(d->arena, u, u->n_members, member_key, umod_compare_names, &u->by_name))
		return decode_stop(d, UMOD_MANIFEST, STOP_MEMORY, (struct span){ 0, 0 });
	u->has_index = true;
	return true;
}

uint32_t umod_find(const struct umod *u, struct text name, uint32_t hash)
{
	uint32_t row = order_find(&u->by_name, u, member_key, hash, match_name, &name);

	return row == ORDER_NONE ? u->n_members : row;
}

bool umod_is_spelt(const struct umod *u, uint32_t member, const struct text *name)
{
	const struct umod_member *m = &u->members[member];
	struct text own = umod_name(u, m);

	return !(m->traits & UMOD_NAME_REPEATED) && path_is_spelt_alike(&own, name);
}

/* Members that are installed under a name which promises another format than their own name does:
 * they are checked under that name too. */
#include "formats/umod/install.h"

#include <string.h>

static bool make_room(struct decode *d, struct umod *u)
{
	struct manifest *m = &u->manifest;

	if (m->alias_formats)
		return true;
	m->alias_formats = decode_alloc(d, UMOD_MANIFEST, u->n_members, sizeof *m->alias_formats);
	if (!m->alias_formats || !decode_spend(d, UMOD_MANIFEST, u->n_members))
		return false;
	memset(m->alias_formats, 0, u->n_members * sizeof *m->alias_formats);
	return true;
}

/* The formats that a member's own name promises. Setup may decompress a .uz, so the name without
 * ".uz" counts as well. */
static uint32_t own_formats(struct text name)
{
	uint32_t set = format_set(path_extension(name));

	if (umod_is_unpacked(name))
		set |= format_set(path_extension(path_stem(name)));
	return set;
}

bool install_add_alias(struct decode *d, struct umod *u, uint32_t member, uint32_t promised,
		       uint32_t to, uint32_t n_units)
{
	struct manifest *m = &u->manifest;
	struct manifest_alias *row;

	if (own_formats(umod_name(u, &u->members[member])) & promised)
		return true;
	if (!make_room(d, u))
		return false;
	if (m->alias_formats[member] & promised)
		return true;
	m->alias_formats[member] |= promised;
	row = manifest_add(d, &m->aliases, sizeof *row);
	if (!row)
		return false;
	*row = (struct manifest_alias){ member, to, n_units };
	return true;
}

bool install_find_namesakes(struct decode *d, struct umod *u)
{
	uint32_t *namesakes;

	if (u->manifest.aliases.n == 0 || u->duplicates.n == 0)
		return true;
	namesakes = decode_alloc(d, UMOD_MANIFEST, u->n_members, sizeof *namesakes);
	if (!namesakes || !decode_spend(d, UMOD_MANIFEST, u->n_members) || !umod_index_names(d, u))
		return false;
	for (uint32_t i = 0; i < u->n_members; i++) {
		const uint32_t next = i + 1 < u->n_members ? order_row(&u->by_name, i + 1)
							   : MANIFEST_NONE;
		const bool again = next != MANIFEST_NONE &&
				   u->members[next].traits & UMOD_NAME_REPEATED;

		namesakes[order_row(&u->by_name, i)] = again ? next : MANIFEST_NONE;
	}
	u->manifest.namesakes = namesakes;
	return true;
}

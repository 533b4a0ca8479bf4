/* Which names are used: those of imports and in bodies, which were noted when these were read, and
 * those of exports. */
#include "formats/upkg/tables/uses.h"

#include "core/mutant.h"
#include "formats/upkg/tables/names.h"

static void use_name(struct upkg *u, int32_t name)
{
	if (upkg_name_of(u, name))
		upkg_use_name(u, name);
}

static bool is_used(const struct upkg *u, uint32_t name)
{
	return u->used_names[name / 8] >> name % 8 & 1 || u->names[name].word == WORD_None;
}

void upkg_count_uses(struct decode *d, struct upkg *u)
{
	if (!u->uses_are_known) {
		decode_stop(d, UPKG_USES, STOP_UNVERIFIED, (struct span){ u->header_end, 0 });
		return;
	}
	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++)
		use_name(u, u->exports[i].name);
	for (uint32_t i = u->tables[TABLE_NAMES].n; i > 0; i--) {
		if (is_used(u, i - 1))
			continue;
		u->n_unused_names++;
		u->first_unused = i - 1;
	}
}

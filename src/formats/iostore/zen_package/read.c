/* Decoding a zen package: the order of its parts, and their stops. */
#include "formats/iostore/zen_package/parts.h"

/* The group that each group needs; each has one, but for the first, which needs none. */
#define GROUP(group, name, meaning, on) [group] = (on),
static const uint8_t needs[zen_n_groups] = {
#include "formats/iostore/zen_package/zen.def"
};
#undef GROUP

/* A group stands after the one that it needs. */
void zen_spread_stops(struct zen *z)
{
	for (uint32_t i = ZEN_FILE + 1; i < zen_n_groups; i++)
		if (!zen_has(z, needs[i]))
			z->stops[i] = (struct zen_stop){ .why = STOP_NEEDS, .on = needs[i] };
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void read_graph(struct zen_reader *r)
{
	if (zen_is_ue4(r->z)) {
		zen_read_old_graph(r);
	} else if (zen_is_counted(r->z)) {
		zen_read_graph(r);
	} else {
		zen_read_dependencies(r);
		zen_check_creation(r);
	}
}

static void read_parts(struct zen_reader *r)
{
	struct zen *z = r->z;

	if (!zen_read_summary(z) || !zen_place_sections(z))
		return;
	zen_read_names(r);
	zen_read_objects(r);
	if (zen_has(z, ZEN_OBJECTS))
		read_graph(r);
	if (zen_has(z, ZEN_NAMES))
		zen_read_bulk(r);
	if (zen_has(z, ZEN_OBJECTS))
		zen_check_payload(z);
}

bool zen_read(struct zen *z, struct arena *arena, const struct zen_input *in,
	      const struct package_claims *claims)
{
	struct zen_reader r = { z, arena, false };

	memset(z, 0, sizeof *z);
	z->in = *in;
	z->claims = claims;
	z->size = in->length;
	read_parts(&r);
	zen_spread_stops(z);
	return !r.failed;
}

static uint64_t all_defects(const struct zen *z)
{
	uint64_t all = z->defects;

	for (size_t i = 0; i < ZEN_N_BATCHES; i++)
		all |= z->batches[i].defects | z->batches[i].seen;
	all |= z->import_traits | z->cell_import_traits | z->hash_traits;
	all |= z->export_traits | z->cell_traits | z->entry_traits | z->bundle_traits;
	all |= z->arc_traits | z->dependency_head_traits | z->dependency_traits;
	return all | z->bulk_traits;
}

bool zen_is_plain(const struct zen *z)
{
	bool stopped = false;

	for (uint32_t i = 0; i < zen_n_groups; i++)
		stopped |= !zen_has(z, i);
	return !stopped && all_defects(z) == 0;
}

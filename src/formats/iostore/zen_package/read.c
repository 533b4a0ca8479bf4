/* Decoding a zen package: the order of its parts, and their stops. */
#include "formats/iostore/zen_package/parts.h"

/* The order of the groups is that of their needs. */
void zen_spread_stops(struct zen *z)
{
	static const struct {
		uint8_t group, on;
	} needs[] = {
		{ ZEN_SUMMARY, ZEN_FILE },    { ZEN_SECTIONS, ZEN_SUMMARY },
		{ ZEN_NAMES, ZEN_SECTIONS },  { ZEN_OBJECTS, ZEN_SECTIONS },
		{ ZEN_GRAPH, ZEN_OBJECTS },   { ZEN_BULK, ZEN_NAMES },
		{ ZEN_PAYLOAD, ZEN_OBJECTS },
	};

	for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
		if (!zen_has(z, needs[i].on))
			z->stops[needs[i].group] = (struct zen_stop){ .why = STOP_NEEDS,
								      .on = needs[i].on };
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void read_parts(struct zen_reader *r)
{
	struct zen *z = r->z;

	if (!zen_read_summary(z) || !zen_place_sections(z))
		return;
	zen_read_names(r);
	zen_read_objects(r);
	if (zen_has(z, ZEN_OBJECTS)) {
		if (zen_is_ue4(z))
			zen_read_old_graph(r);
		else if (zen_is_counted(z))
			zen_read_graph(r);
		else
			zen_read_dependencies(r);
	}
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

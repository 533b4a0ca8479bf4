/* The entries of export bundles: the order in which exports are created and serialized. Source:
 * conformance/spec/zen.md, 6. */
#include "formats/iostore/zen_package/parts.h"

enum { COMMAND_CREATE, COMMAND_SERIALIZE, N_COMMANDS };
enum { IS_CREATED = 1 << COMMAND_CREATE, IS_SERIALIZED = 1 << COMMAND_SERIALIZE };

/* In UE4 the bundles stand before the entries; what is left for them tells how many there are. */
static bool place_old_entries(struct zen *z, struct held *bytes)
{
	const struct held all = zen_section_bytes(z, ZEN_AT_ENTRIES);
	const uint64_t len = z->n_exports * N_COMMANDS * zen_entry_fixed_len;

	if (zen_bundles_least(z) > all.len || (all.len - len) % zen_old_bundle_fixed_len != 0)
		return zen_malformed(z, ZEN_OBJECTS, ZEN_BUNDLES_SIZE,
				     (struct span){ z->sections[ZEN_AT_ENTRIES].at, all.len });
	z->n_bundles = (all.len - len) / zen_old_bundle_fixed_len;
	z->bundles_at = z->sections[ZEN_AT_ENTRIES].at;
	*bytes = held_part(all, all.len - len, len);
	return true;
}

/* What the entries so far have done to exports and cells. */
struct progress {
	const struct zen *z;
	uint8_t *done;
	uint64_t n;
	uint32_t if_repeated; /* the trait of an entry that repeats one */
};

/* Whether an export lies in one that was not created yet. One that lies in itself never can be. */
static bool is_before_outer(const struct progress *p, uint64_t i)
{
	uint64_t outer;

	if (i >= p->z->n_exports || p->z->traits_of_exports[i] & ZEN_EXPORT_CYCLE)
		return false;
	outer = zen_export_get_outer(zen_export_at(p->z->exports, i));
	return outer < p->z->n_exports && !(p->done[outer] & IS_CREATED);
}

static uint32_t entry_traits(const struct progress *p, struct zen_entry_row row)
{
	const uint64_t i = zen_entry_get_export(row), command = zen_entry_get_command(row);
	uint32_t traits = 0;
	uint8_t done;

	/* mutant: an entry may have an export after the last one */
	if (i >= p->n + MUTANT(310))
		traits |= ZEN_ENTRY_EXPORT_OUT;
	if (command >= N_COMMANDS)
		traits |= ZEN_ENTRY_COMMAND;
	if (traits)
		return traits;
	done = p->done[i];
	p->done[i] = (uint8_t)(done | 1u << command);
	if (done >> command & 1)
		return p->if_repeated;
	if (command == COMMAND_CREATE)
		return is_before_outer(p, i) ? (uint32_t)ZEN_ENTRY_OUTER_LATER : 0;
	return done & IS_CREATED ? 0 : (uint32_t)ZEN_ENTRY_TOO_EARLY;
}

/* Traits are bytes, which may be anything to a compiler, and a package has many entries. */
static uint32_t look_at_entries(const struct zen *z, struct progress p)
{
	const struct zen_entry_rows rows = z->entries;
	const uint64_t n = z->n_entries;
	uint8_t *const traits = z->traits_of_entries;
	uint32_t seen = 0;

	for (uint64_t i = 0; i < n; i++) {
		const uint32_t found = entry_traits(&p, zen_entry_at(rows, i));

		traits[i] = (uint8_t)found;
		seen |= found;
	}
	return seen;
}

static void note_missing(struct zen *z, uint8_t *done)
{
	for (uint64_t i = 0; i < z->n_exports; i++) {
		const uint32_t traits = (done[i] & IS_CREATED ? 0u : ZEN_EXPORT_NOT_CREATED) |
					(done[i] & IS_SERIALIZED ? 0u : ZEN_EXPORT_NOT_SERIALIZED);

		z->traits_of_exports[i] |= traits;
		z->export_traits |= traits;
	}
	for (uint64_t i = 0; i < z->n_cells; i++) {
		const uint8_t bits = done[z->n_exports + i];
		const uint32_t traits = (bits & IS_CREATED ? 0u : ZEN_CELL_NOT_CREATED) |
					(bits & IS_SERIALIZED ? 0u : ZEN_CELL_NOT_SERIALIZED);

		z->traits_of_cells[i] |= (uint8_t)traits;
		z->cell_traits |= traits;
	}
}

void zen_read_entries(struct zen_reader *r)
{
	struct zen *z = r->z;
	const uint64_t n = z->n_exports + z->n_cells;
	struct held bytes = zen_section_bytes(z, ZEN_AT_ENTRIES);
	struct arena_mark mark;
	uint8_t *done;

	if (zen_is_ue4(z) && !place_old_entries(z, &bytes))
		return;
	z->n_entries = bytes.len / zen_entry_fixed_len;
	z->entries = zen_entry_in(bytes);
	if (!zen_takes(z, ZEN_OBJECTS, z->n_entries, z->sections[ZEN_AT_ENTRIES]))
		return;
	if (z->n_entries != N_COMMANDS * n)
		z->defects |= ZEN_ENTRY_COUNT;
	/* mutant: of many entries the last has no place for its traits */
	z->traits_of_entries = zen_alloc(r, ZEN_OBJECTS,
					 z->n_entries - (MUTANT(311) && z->n_entries > 7), 1);
	mark = arena_mark(r->arena);
	done = zen_alloc(r, ZEN_OBJECTS, n, 1);
	if (!z->traits_of_entries || !done)
		return;
	memset(done, 0, (size_t)n);
	z->entry_traits = look_at_entries(
		z, (struct progress){ z, done, n,
				      z->defects & ZEN_ENTRY_COUNT ? 0 : ZEN_ENTRY_REPEATED });
	if (!(z->defects & ZEN_ENTRY_COUNT) &&
	    !(z->entry_traits & (ZEN_ENTRY_EXPORT_OUT | ZEN_ENTRY_COMMAND)))
		note_missing(z, done);
	arena_rewind(r->arena, mark);
}

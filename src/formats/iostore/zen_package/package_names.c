/* Names: the package's own, those of the packages that it imports, and its ids. Source:
 * conformance/spec/zen.md, 3 and 10.1. */
#include "formats/iostore/zen_package/parts.h"

/* ---- Batches --------------------------------------------------------------------------------- */

UVET_COLD static bool stop_names(struct zen *z, const struct name_batch *b)
{
	return zen_note_stop(z, ZEN_NAMES, STOP_MALFORMED,
			     (struct span){ b->start, b->held.len - b->start });
}

static bool find_own_names(struct zen *z)
{
	struct name_batch *b = &z->batches[ZEN_OWN_NAMES];
	const struct zen_place names = z->sections[ZEN_AT_NAMES],
			       hashes = z->sections[ZEN_AT_NAME_HASHES];

	bool is_found = !(b->defects & BATCH_OUTSIDE);

	if (zen_is_ue4(z)) { /* else it was looked for, as others begin where it ends */
		z->n_batches = 1;
		is_found = names_find_interleaved(b, held_part(z->in.header, 0, z->header_end),
						  (struct span){ names.at, names.len },
						  zen_section_bytes(z, ZEN_AT_NAME_HASHES),
						  hashes.at);
	}
	if (!is_found)
		return stop_names(z, b);
	return true;
}

/* The numbers of the names follow the batch. */
static bool find_packages(struct zen *z)
{
	struct name_batch *b = &z->batches[ZEN_PACKAGE_NAMES];

	z->n_batches = ZEN_N_BATCHES;
	if (!names_find(b, held_part(z->in.header, 0, z->header_end),
			z->sections[ZEN_AT_PACKAGES].at))
		return stop_names(z, b);
	z->packages_end = b->end + b->n * zen_number_fixed_len;
	if (z->packages_end > z->header_end)
		return zen_malformed(z, ZEN_NAMES, ZEN_NUMBERS_LONG,
				     (struct span){ b->end, z->header_end - b->end });
	if (z->packages_end < z->header_end)
		z->defects |= ZEN_HEADER_END;
	return true;
}

/* A batch whose lengths do not add up has no names. Names without hashes take two bytes each, and
 * looking for the same one among them more memory than a header of their size is worth. */
static bool read_batch(struct zen_reader *r, enum zen_batch which)
{
	struct name_batch *b = &r->z->batches[which];
	const bool once = which == ZEN_OWN_NAMES && !(b->defects & BATCH_HASHES);

	if (!zen_takes(r->z, ZEN_NAMES, b->n, (struct zen_place){ b->start, b->end - b->start }))
		return false;
	if (!names_read(b, r->arena, once))
		return zen_fail(r, ZEN_NAMES);
	if (!names_are_read(b))
		return stop_names(r->z, b);
	return true;
}

/* ---- Packages -------------------------------------------------------------------------------- */

/* The ids are in the order of the store entry. */
static bool read_packages(struct zen_reader *r)
{
	struct zen *z = r->z;
	const struct name_batch *b = &z->batches[ZEN_PACKAGE_NAMES];
	const struct zen_number_rows numbers = zen_number_in(
		held_part(z->in.header, b->end, b->n * zen_number_fixed_len));
	/* mutant: of two imported packages one has no place for its id */
	uint64_t *ids = zen_alloc(r, ZEN_NAMES, b->n - (MUTANT(319) && b->n > 1), sizeof *ids);

	if (!ids)
		return false;
	z->has_packages = true;
	for (uint64_t i = 0; i < b->n; i++) {
		const uint64_t number = zen_number_get_number(zen_number_at(numbers, i));

		if (!names_package_id(b, i, number, &ids[i])) {
			ids[i] = 0;
			z->has_packages = false;
		}
	}
	z->packages = ids;
	z->n_packages = b->n;
	return true;
}

static bool has_name(const struct zen *z, uint64_t name)
{
	return names_have(&z->batches[ZEN_OWN_NAMES], NAME_OF_PACKAGE, name);
}

static bool id_of(const struct zen *z, uint64_t name, uint64_t number, uint64_t *id)
{
	return names_package_id(&z->batches[ZEN_OWN_NAMES], mapped_index(name), number, id);
}

/* A translated package of UE4 may go by the id of the one that it translates. */
static void check_id(struct zen *z)
{
	const struct zen_summary *s = &z->summary;
	const bool has_name_of_own = has_name(z, s->name),
		   has_source = zen_is_ue4(z) && has_name(z, s->source_name);

	if (!has_name_of_own)
		z->defects |= ZEN_NAME_OUT;
	if (zen_is_ue4(z) && !has_source)
		z->defects |= ZEN_SOURCE_OUT;
	z->has_package_id = has_name_of_own && id_of(z, s->name, s->number, &z->package_id);
	if (has_source && !id_of(z, s->source_name, s->source_number, &z->source_id))
		z->has_package_id = false;
	if (z->claims && z->has_package_id && z->claims->id != z->package_id &&
	    !(has_source && z->claims->id == z->source_id))
		z->defects |= ZEN_ID_DIFFERS;
}

void zen_read_names(struct zen_reader *r)
{
	struct zen *z = r->z;

	if (!find_own_names(z) || (zen_is_named(z) && !find_packages(z)))
		return;
	if (!read_batch(r, ZEN_OWN_NAMES) ||
	    (zen_is_named(z) && (!read_batch(r, ZEN_PACKAGE_NAMES) || !read_packages(r))))
		return;
	check_id(z);
}

/* Zen packages: sniffing, decoding, and what the engine needs to know of the format. */
#include "formats/iostore/zen_package/parts.h"

#include "core/container_parts.h"
#include "core/path.h"

#define FORMAT zen
#define FORMAT_DEF "formats/iostore/zen_package/zen.def"
#define FORMAT_RULES "rule/ids/zen.def"
#include "formats/define.h"

/* ---- Decoding -------------------------------------------------------------------------------- */

/* The header, as many bytes as its summary says, and the last four bytes. */
static bool read_input(struct decode *d, struct zen_input *in)
{
	const uint64_t size = d->source->io.size,
		       least = size < ZEN_SUMMARY_MOST ? size : ZEN_SUMMARY_MOST,
		       tail = size < zen_trailer_fixed_len ? size : zen_trailer_fixed_len;
	struct held first;
	uint64_t len;

	*in = (struct zen_input){ .length = size,
				  .scripts = d->scripts,
				  .most_rows = d->limits->of[LIMIT_entries] };
	if (!decode_bytes(d, ZEN_FILE, (struct span){ 0, least }, &first))
		return false;
	len = zen_header_size(first, size, d->claims);
	return decode_bytes(d, ZEN_FILE, (struct span){ 0, len }, &in->header) &&
	       decode_bytes(d, ZEN_FILE, (struct span){ size - tail, tail }, &in->tail) &&
	       decode_spend(d, ZEN_FILE, zen_work(len));
}

static void take_stops(struct decode *d, const struct zen *z)
{
	for (uint32_t i = 0; i < zen_n_groups; i++) {
		const struct zen_stop *s = &z->stops[i];

		if (s->why == STOP_NEEDS)
			decode_stop_needs(d, i, s->on);
		else if (s->why == STOP_LIMIT)
			decode_stop_limit(d, i, LIMIT_entries, s->at);
		else if (s->why != STOP_NOT)
			decode_stop(d, i, s->why, s->at);
	}
}

static const void *zen_decode(struct decode *d)
{
	struct zen *z = arena_alloc(d->arena, 1, sizeof *z);
	struct zen_input in;

	if (!z)
		return NULL;
	memset(z, 0, sizeof *z);
	z->groups = d->groups; /* where nothing was read that replaces the facts */
	if (read_input(d, &in)) {
		const bool whole = zen_read(z, d->arena, &in, d->claims);

		(void)whole; /* if it is not, a stop says so */
		z->groups = d->groups;
		take_stops(d, z);
	} else {
		zen_note_stop(z, ZEN_FILE, STOP_NEEDS, (struct span){ 0, 0 });
		zen_spread_stops(z);
	}
	decode_spread(d, zen_groups, zen_n_groups);
	return z;
}

/* A .ucas often begins with a package, and belongs to a container whatever it begins with. */
static bool zen_sniff(struct decode *d)
{
	const struct text extension = path_extension(text_from(d->source->name));
	const uint64_t size = d->source->io.size,
		       len = size < ZEN_SUMMARY_MOST ? size : ZEN_SUMMARY_MOST;
	struct held first = { rows_zeros, 0 };
	struct cursor c;
	bool is_taken;

	if (format_has_extension(&zen_format, extension))
		return true;
	if (ending_is(d->source->name, PART_DATA) ||
	    !source_window(d->source, (struct span){ 0, len }, &c))
		return false;
	is_taken = held_take(&c, len, &first);
	return ALWAYS(is_taken) && held_u32(first, 0) != PACKAGE_TAG &&
	       zen_is_likely(first, size, format_shares(&zen_format, extension));
}

static uint64_t zen_version_of(const void *facts)
{
	const struct zen *z = facts;

	return z->version;
}

/* ---- What there is to tell ------------------------------------------------------------------- */

static void zen_info(const void *facts, info_sink *sink, void *ctx)
{
	const struct zen *z = facts;

	if (!zen_has(z, ZEN_SECTIONS))
		return;
	if (zen_has(z, ZEN_NAMES))
		sink(ctx, &(struct info){ .name = "names", .number = z->batches[ZEN_OWN_NAMES].n });
	if (zen_has(z, ZEN_OBJECTS)) {
		sink(ctx, &(struct info){ .name = "imports", .number = z->n_imports });
		sink(ctx, &(struct info){ .name = "exports", .number = z->n_exports });
	}
	if (zen_has(z, ZEN_NAMES) && z->has_package_id)
		sink(ctx, &(struct info){ .name = "package_id",
					  .number = z->package_id,
					  .hex = true,
					  .plain = true });
	sink(ctx, &(struct info){ .name = "flags", .number = z->summary.flags, .hex = true });
	sink(ctx, &(struct info){ .name = "header_size", .number = z->header_end, .plain = true });
}

/* Whether the tag is where the exports end, by their sizes. */
static bool has_tag_at_end(const struct decode *d, uint64_t end)
{
	uint8_t tag[zen_trailer_fixed_len];

	return source_copy(d->source, (struct span){ end - sizeof tag, sizeof tag }, tag) &&
	       held_u32((struct held){ tag, sizeof tag }, 0) == PACKAGE_TAG;
}

/* The header says where it ends, and the exports how long what follows is. Where there is more, it
 * is the end if the tag stands there. */
static void zen_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out)
{
	const struct zen *z = facts;

	(void)file; /* it has no companions */
	if (z->defects & ZEN_SUMMARY_SHORT) {
		out->needs = zen_summary_counted_fixed_len;
		return;
	}
	if (zen_has(z, ZEN_SUMMARY) && !zen_has(z, ZEN_SECTIONS)) {
		out->needs = z->defects & ZEN_HEADER_LONG ? z->header_end : 0;
		return;
	}
	if (!zen_has(z, ZEN_OBJECTS) || z->export_traits & ZEN_EXPORT_OVERLAP ||
	    z->cell_traits & ZEN_CELL_OVERLAP)
		return;
	out->needs = zen_sum(zen_sum(z->header_end, z->serial_sum),
			     zen_is_named(z) ? zen_trailer_fixed_len : 0);
	out->is_end = !zen_is_counted(z) &&
		      (!zen_is_named(z) || out->needs >= z->size || has_tag_at_end(d, out->needs));
}

const struct format zen_format = {
	.name = "zen",
	.title = "zen package",
	.groups = zen_groups,
	.n_groups = zen_n_groups,
	.traits = zen_traits,
	.n_tables = zen_n_tables,
	.layouts = zen_layouts,
	.rules = zen_rules,
	.extensions = zen_extensions,
	.shared = zen_shared,
	.takes_claims = true,
	.sniff = zen_sniff,
	.decode = zen_decode,
	.version = zen_version_of,
	.tables = zen_tables,
	.explained = zen_explained,
	.map = zen_map,
	.info = zen_info,
	.extent = zen_extent,
};

/* 7z: the order of decoding, the files inside, and the format as the engine sees it. */
#include "core/path.h"
#include "formats/archive/sevenzip/payload.h"

#define FORMAT sevenzip
#define FORMAT_DEF "formats/archive/sevenzip/sevenzip.def"
#define FORMAT_RULES "rule/ids/sevenzip.def"
#include "formats/define.h"

/* ---- Decoding -------------------------------------------------------------------------------- */

/* A file whose name promises a 7z is one, if its bytes are no other archive. */
static bool sevenzip_sniff(struct decode *d)
{
	const enum arc_signature s = arc_source_signature(d->source);

	return s == ARC_IS_7Z ||
	       (s == ARC_NO_ARCHIVE && text_is(path_extension(text_from(d->source->name)), "7z"));
}

/* What is missing is noted for the group. */
static bool examine_layout(struct decode *d, struct sevenzip *z)
{
	const struct lay_archive archive = { .members = z->members,
					     .kind = "7z",
					     .is_whole = true };

	return lay_examine(d, SEVENZIP_TREE, &archive, z->layout);
}

/* Members that say of another that it is to be deleted. */
static void find_deleted(struct sevenzip *z)
{
	const uint32_t alike = ARC_TWICE | ARC_TWICE_ALIKE | ARC_TWIN;

	if (!(z->entry_traits & SEVENZIP_ANTI) || !(z->members->traits & alike))
		return;
	for (uint64_t i = 0; i < z->members->n; i++) {
		const struct arc_member *m = &z->members->rows[i];
		struct sevenzip_entry *a = &z->entries[i], *b = &z->entries[m->relative];

		if (!(m->traits & alike) || (a->traits & b->traits & SEVENZIP_ANTI))
			continue;
		a = a->traits & SEVENZIP_ANTI ? a : b;
		if (a->traits & SEVENZIP_ANTI)
			a->traits |= SEVENZIP_ANTI_MEMBER;
	}
}

static bool decode_all(struct decode *d, struct sevenzip *z)
{
	bool has_places;

	sevenzip_decode_header(d, z);
	if (!sevenzip_find_second(d, z))
		return false;
	decode_spread(d, sevenzip_groups, sevenzip_n_groups);
	if (!decode_has(d, SEVENZIP_LISTS))
		return false;
	has_places = sevenzip_find_places(d, z);
	if (!members_examine(d, SEVENZIP_NAMES, z->members))
		return false;
	find_deleted(z);
	return examine_layout(d, z) && has_places && sevenzip_plan_payload(d, z);
}

static const void *sevenzip_decode(struct decode *d)
{
	struct sevenzip *z = arena_alloc(d->arena, 1, sizeof *z);
	struct members *members = arena_alloc(d->arena, 1, sizeof *members);
	struct lay *layout = arena_alloc(d->arena, 1, sizeof *layout);
	struct sevenzip_payload *payload = arena_alloc(d->arena, 1, sizeof *payload);
	bool is_whole;

	if (!z || !members || !layout || !payload)
		return NULL;
	*members = (struct members){ .n = 0 };
	*layout = (struct lay){ .roots = { LAY_NONE } };
	*payload = (struct sevenzip_payload){ .block_folder = UINT64_MAX, .beside = UINT64_MAX };
	*z = (struct sevenzip){ .groups = d->groups,
				.size = d->source->io.size,
				.members = members,
				.layout = layout,
				.payload = payload,
				.signature = arc_source_signature(d->source) };
	arc_file_look(&z->file, d->source);
	is_whole = decode_all(d, z);
	(void)is_whole; /* the groups say what is missing */
	decode_spread(d, sevenzip_groups, sevenzip_n_groups);
	return z;
}

/* ---- Files inside ---------------------------------------------------------------------------- */

static void fill(const struct sevenzip *z, uint64_t row, struct nested *out)
{
	const struct arc_member *m = &z->members->rows[row];
	const bool is_stored = sevenzip_is_stored(z, row) && sevenzip_may_open(z, row);

	*out = (struct nested){ .name = m->name,
				.decoded = !is_stored,
				.is_listed = true,
				.is_seen = z->entries[row].state & SEVENZIP_IS_SEEN,
				.row = row,
				.span = { is_stored ? m->at : 0, m->size } };
}

/* Those that no name promises, in the order of the list. */
static bool next_late(const struct sevenzip *z, struct nested_walk *w, struct nested *out)
{
	const unsigned is_known = SEVENZIP_IS_OPENED | SEVENZIP_IS_CLAIMED;

	while (w->row < z->members->n) {
		const uint64_t row = w->row++;

		if (!(z->entries[row].state & SEVENZIP_IS_SEEN) ||
		    z->entries[row].state & is_known || !sevenzip_may_open(z, row))
			continue;
		fill(z, row, out);
		return true;
	}
	return false;
}

static bool sevenzip_next(const void *facts, const struct decode *d, struct nested_walk *w,
			  struct nested *out)
{
	const struct sevenzip *z = facts;

	if (!decode_has(d, SEVENZIP_PAYLOAD))
		return false;
	if (w->is_late)
		return next_late(z, w, out);
	while (w->row < z->payload->n_order) {
		const uint64_t row = z->payload->order[w->row++];

		if (!sevenzip_may_open(z, row) || z->entries[row].state & SEVENZIP_IS_CLAIMED)
			continue;
		fill(z, row, out);
		return true;
	}
	return false;
}

static bool sevenzip_beside(const void *facts, struct decode *d, const struct nested *of,
			    const char *name, bool any_case, struct nested *out)
{
	const struct sevenzip *z = facts;
	const uint64_t row = members_find(d, SEVENZIP_NAMES, z->members, of->row, name, any_case);

	if (row == MEMBER_NONE)
		return false;
	z->payload->beside = row;
	fill(z, row, out);
	return true;
}

static void sevenzip_claim(const void *facts, const struct nested *n)
{
	((const struct sevenzip *)facts)->entries[n->row].state |= SEVENZIP_IS_CLAIMED;
}

static bool sevenzip_next_beside(const void *facts, const struct decode *d, const struct nested *of,
				 struct nested_walk *w, struct nested *out)
{
	const struct sevenzip *z = facts;
	const uint64_t row = members_next_beside(z->members, of->row, &w->row);

	(void)d;
	if (row == MEMBER_NONE)
		return false;
	fill(z, row, out);
	return true;
}

static const struct nested_files sevenzip_nested_files = {
	.next = sevenzip_next,
	.finds_late = true,
	.open = sevenzip_open,
	.beside = sevenzip_beside,
	.claim = sevenzip_claim,
	.next_beside = sevenzip_next_beside,
};

/* ---- As the engine sees it ------------------------------------------------------------------- */

static uint64_t no_version(const void *facts)
{
	(void)facts;
	return 0;
}

static void sevenzip_info(const void *facts, info_sink *sink, void *ctx)
{
	const struct sevenzip *z = facts;

	if (z->groups[SEVENZIP_HEADER].why == STOP_NOT)
		sink(ctx, &(struct info){
				  .name = "header_bytes", .number = z->header_len, .plain = true });
	if (z->groups[SEVENZIP_NAMES].why != STOP_NOT)
		return;
	sink(ctx, &(struct info){ .name = "members", .number = z->members->n });
	sink(ctx, &(struct info){ .name = "files", .number = z->members->n_files });
	sink(ctx, &(struct info){ .name = "folders", .number = z->n_folders });
	sink(ctx, &(struct info){ .name = "unpacked_bytes", .number = z->members->total });
	sink(ctx,
	     &(struct info){ .name = "coder_memory", .number = z->coder_memory, .plain = true });
}

static void sevenzip_extent(const void *facts, const struct decode *d, uint32_t file,
			    struct extent *out)
{
	const struct sevenzip *z = facts;

	(void)file; /* a 7z has no companions */
	out->ends_early = z->defects & SEVENZIP_CUT && z->header.len == 0;
	if (!decode_has(d, SEVENZIP_START) || z->defects & (SEVENZIP_OUTSIDE | SEVENZIP_VOLUME))
		return;
	out->needs = span_end(z->header);
	out->is_end = true;
	out->is_agreed = !(z->defects & SEVENZIP_START_SUM);
	out->is_proved = decode_has(d, SEVENZIP_NEXT) && out->is_agreed;
}

const struct format sevenzip_format = {
	.name = "sevenzip",
	.title = "7z archive",
	.groups = sevenzip_groups,
	.n_groups = sevenzip_n_groups,
	.traits = sevenzip_traits,
	.n_tables = sevenzip_n_tables,
	.layouts = sevenzip_layouts,
	.rules = sevenzip_rules,
	.extensions = sevenzip_extensions,
	.shared = sevenzip_shared,
	.sniff = sevenzip_sniff,
	.decode = sevenzip_decode,
	.version = no_version,
	.tables = sevenzip_tables,
	.explained = sevenzip_explained,
	.map = sevenzip_map,
	.info = sevenzip_info,
	.nested = &sevenzip_nested_files,
	.finish = sevenzip_finish,
	.extent = sevenzip_extent,
};

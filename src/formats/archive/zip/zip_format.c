/* Zip: the order of decoding, the files inside, and the format as the engine sees it. */
#include "core/checked.h"
#include "core/path.h"
#include "formats/archive/zip/zip.h"

#define FORMAT zip
#define FORMAT_DEF "formats/archive/zip/zip.def"
#define FORMAT_RULES "rule/ids/zip.def"
#include "formats/define.h"

/* ---- Decoding -------------------------------------------------------------------------------- */

/* What self-extracting archives and scripts begin with; NULL: no program is known that begins
 * so. */
static const char *stub_of(struct source *s)
{
	uint8_t first[4] = { 0 };
	const struct held bytes = { first, sizeof first };

	if (s->io.size < sizeof first || !source_copy(s, (struct span){ 0, sizeof first }, first))
		return NULL;
	if (held_u16(bytes, 0) == 0x5A4D)
		return ", a program for Windows";
	if (held_u32(bytes, 0) == 0x464C457F)
		return ", a program for Linux";
	return held_u16(bytes, 0) == 0x2123 ? ", a script" : NULL;
}

/* A file whose name promises a zip is one, if its bytes are no other archive, or one that is not
 * read and has the directory of a zip at its end. So is a program or a script with that. */
static bool zip_sniff(struct decode *d)
{
	const enum arc_signature s = arc_source_signature(d->source);

	const bool is_promised = text_is(path_extension(text_from(d->source->name)), "zip");

	if (s == ARC_IS_UNREAD)
		return is_promised && zip_has_directory(d->source);
	if (s != ARC_NO_ARCHIVE)
		return s == ARC_IS_ZIP;
	return is_promised || (stub_of(d->source) && zip_has_directory(d->source));
}

static bool begins_with_member(const struct zip *z)
{
	for (uint64_t i = 0; i < z->n_entries; i++)
		if (z->entries[i].local_at == 0)
			return true;
	return false;
}

static bool is_seen(const void *facts, uint64_t row)
{
	const struct zip *z = facts;

	return z->payload->states && z->payload->states[row] & ZIP_IS_SEEN;
}

/* What is missing is noted for the group. */
static void examine_layout(struct decode *d, struct zip *z)
{
	const struct lay_archive archive = { .members = z->members,
					     .kind = "zip",
					     .is_seen = is_seen,
					     .facts = z,
					     .is_whole = !z->ends_broken,
					     .is_zip = true,
					     .begins_at_0 = begins_with_member(z) };

	lay_examine(d, ZIP_TREE, &archive, z->layout);
}

/* What follows the archive, and what it would be if it were a tar or the image of a disc. */
static bool look_around(struct decode *d, struct zip *z)
{
	return arc_second_after(d, ZIP_END, z->find.tail_at, ARC_IS_ZIP, &z->second) &&
	       arc_second_tar(d, ZIP_END, ARC_IS_ZIP, &z->second) && zip_look_for_disc(d, z);
}

static enum arc_cover nothing(const void *facts, uint64_t i, struct span *out)
{
	(void)facts;
	(void)i;
	*out = (struct span){ 0, 0 };
	return ARC_COVERS_NOTHING;
}

/* What stands before the first member. */
static bool look_before(struct decode *d, struct zip *z)
{
	const struct arc_covers covers = { .span = nothing };
	const struct span before = { 0, z->first_at };

	if (z->first_at == 0)
		return true;
	return arc_second_within(d, ZIP_LOCALS, before, &z->second) &&
	       arc_second_zip(d, ZIP_LOCALS, z->first_at, &covers, &z->second) &&
	       zip_look_at_prefix(d, z) && arc_program_read(d, ZIP_LOCALS, &z->program) &&
	       arc_program_join(d, ZIP_LOCALS, z->first_at, &z->program);
}

/* The first part of a zip that was cut into parts is called x.zip.001, that of one that was split
 * x.z01, or any up to x.z99. */
static bool is_volume(struct text name)
{
	const struct text extension = path_extension(name);

	if (text_is(extension, "001"))
		return text_is(path_extension(path_stem(name)), "zip");
	return extension.ref.n_units == 3 && text_starts(extension, "z") &&
	       text_between(text_unit(extension, 1), '0', '9') &&
	       text_between(text_unit(extension, 2), '0', '9');
}

static void decode_all(struct decode *d, struct zip *z)
{
	z->stub = stub_of(d->source);
	z->is_volume = is_volume(text_from(d->source->name));
	if (!zip_find_end(d, z) || !look_around(d, z))
		return;
	if (!zip_find_directory(d, z)) {
		zip_find_lost(d, z);
		return;
	}
	if (!zip_read_directory(d, z))
		return;
	if (!members_examine(d, ZIP_NAMES, z->members) || !zip_find_versions(d, z))
		return;
	if (zip_read_locals(d, z) && look_before(d, z))
		zip_plan_payload(d, z);
	zip_find_surplus(z);
	examine_layout(d, z);
}

static const void *zip_decode(struct decode *d)
{
	struct zip *z = arena_alloc(d->arena, 1, sizeof *z);
	struct members *members = arena_alloc(d->arena, 1, sizeof *members);
	struct lay *layout = arena_alloc(d->arena, 1, sizeof *layout);
	struct zip_payload *payload = arena_alloc(d->arena, 1, sizeof *payload);

	if (!z || !members || !layout || !payload)
		return NULL;
	*members = (struct members){ .has_cp437 = true };
	*layout = (struct lay){ .roots = { LAY_NONE } };
	*payload = (struct zip_payload){ .buffer = NULL };
	*z = (struct zip){ .groups = d->groups,
			   .size = d->source->io.size,
			   .members = members,
			   .layout = layout,
			   .payload = payload,
			   .signature = arc_source_signature(d->source) };
	arc_file_look(&z->file, d->source);
	decode_all(d, z);
	if (decode_has(d, ZIP_END)) /* whatever stands before it */
		z->file.is = ARC_IS_ZIP;
	decode_spread(d, zip_groups, zip_n_groups);
	return z;
}

/* ---- Files inside ---------------------------------------------------------------------------- */

static void fill(const struct zip *z, uint64_t row, struct nested *out)
{
	const struct arc_member *m = &z->members->rows[row];
	const bool is_stored = m->method == ZIP_STORED && zip_may_open(z, row);

	*out = (struct nested){ .name = m->name,
				.decoded = !is_stored,
				.streamed = m->method == ZIP_DEFLATE && m->size > ZIP_WHOLE,
				.is_seen = is_seen(z, row),
				.is_listed = true,
				.row = row,
				.span = { is_stored ? m->at : 0, m->size } };
}

/* A .pak may belong to a container, which is checked before it. */
static bool is_part(const struct arc_member *m)
{
	return text_ends(m->name, ".pak");
}

/* What stands in its first bytes is known late of a member that zip_peek does not decode. */
static bool is_next(const struct zip *z, uint64_t row, const struct nested_walk *w)
{
	const struct arc_member *m = &z->members->rows[row];
	const bool is_promised = format_is_opened(path_extension(m->name)),
		   is_late = m->traits & ARC_UNCOMMON_METHOD && !is_promised;

	return is_part(m) == (w->file == 1) && is_late == w->is_late && zip_may_open(z, row) &&
	       !(z->payload->states[row] & ZIP_IS_CLAIMED) &&
	       (z->payload->states[row] & ZIP_IS_SEEN || is_promised);
}

/* First what may have parts beside it, then what may be such a part. */
static bool zip_next(const void *facts, const struct decode *d, struct nested_walk *w,
		     struct nested *out)
{
	const struct zip *z = facts;

	if (!decode_has(d, ZIP_PAYLOAD))
		return false;
	for (; w->file < 2; w->file++, w->row = 0)
		while (w->row < z->members->n)
			if (is_next(z, w->row++, w)) {
				fill(z, w->row - 1, out);
				return true;
			}
	return false;
}

static bool zip_beside(const void *facts, struct decode *d, const struct nested *of,
		       const char *name, bool any_case, struct nested *out)
{
	const struct zip *z = facts;
	const uint64_t row = members_find(d, ZIP_NAMES, z->members, of->row, name, any_case);

	if (row == MEMBER_NONE)
		return false;
	fill(z, row, out);
	return true;
}

static void zip_claim(const void *facts, const struct nested *n)
{
	((const struct zip *)facts)->payload->states[n->row] |= ZIP_IS_CLAIMED;
}

static bool zip_next_beside(const void *facts, const struct decode *d, const struct nested *of,
			    struct nested_walk *w, struct nested *out)
{
	const struct zip *z = facts;
	const uint64_t row = members_next_beside(z->members, of->row, &w->row);

	(void)d;
	if (row == MEMBER_NONE)
		return false;
	fill(z, row, out);
	return true;
}

const struct nested_files zip_nested_files = {
	.next = zip_next,
	.finds_late = true,
	.open = zip_open,
	.stream = zip_stream,
	.beside = zip_beside,
	.claim = zip_claim,
	.next_beside = zip_next_beside,
};

/* ---- As the engine sees it ------------------------------------------------------------------- */

static uint64_t no_version(const void *facts)
{
	(void)facts;
	return 0;
}

static void zip_info(const void *facts, info_sink *sink, void *ctx)
{
	const struct zip *z = facts;

	if (z->groups[ZIP_NAMES].why != STOP_NOT)
		return;
	sink(ctx, &(struct info){ .name = "members", .number = z->members->n });
	sink(ctx, &(struct info){ .name = "files", .number = z->members->n_files });
	sink(ctx, &(struct info){ .name = "unpacked_bytes", .number = z->members->total });
}

static void zip_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out)
{
	const struct zip *z = facts;

	(void)file; /* a zip has no companions */
	out->is_inner = z->gap_traits & ZIP_GAP_COVERS;
	out->ends_early = out->is_inner ||
			  (!decode_has(d, ZIP_END) && z->signature == ARC_IS_ZIP && !z->is_volume);
	if (!decode_has(d, ZIP_END) || out->ends_early)
		return;
	out->needs = z->find.tail_at;
	out->is_end = out->is_agreed = true;
	out->is_proved = decode_has(d, ZIP_DIRECTORY) && z->walk_end == z->directory_end;
	out->is_bomb = z->is_deep;
	out->n_surplus = z->n_surplus;
	if (z->n_lost > 0) {
		out->needs = capped_add(z->size, z->n_lost);
		out->is_moved = true;
	}
}

static uint64_t zip_marked_end(struct source *s, uint64_t at)
{
	uint8_t bytes[zip_end_fixed_len] = { 0 };
	const struct span span = { at, sizeof bytes };
	struct cursor c = cursor_init(bytes, sizeof bytes, at);
	struct zip_end e;

	if (s->io.size < span.len || at > s->io.size - span.len || !source_copy(s, span, bytes) ||
	    !zip_end_read(&c, 0, &e) || e.directory_at > at || e.directory_len > at)
		return 0;
	return at + zip_end_fixed_len + e.comment_len;
}

const struct format zip_format = {
	.name = "zip",
	.title = "zip archive",
	.groups = zip_groups,
	.n_groups = zip_n_groups,
	.traits = zip_traits,
	.n_tables = zip_n_tables,
	.layouts = zip_layouts,
	.rules = zip_rules,
	.extensions = zip_extensions,
	.shared = zip_shared,
	.sniff = zip_sniff,
	.decode = zip_decode,
	.version = no_version,
	.tables = zip_tables,
	.explained = zip_explained,
	.map = zip_map,
	.info = zip_info,
	.nested = &zip_nested_files,
	.finish = zip_finish,
	.extent = zip_extent,
	.end_magic = ZIP_END_MAGIC,
	.marked_end = zip_marked_end,
};

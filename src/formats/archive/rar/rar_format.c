/* Archives of rar: sniffing, the order in which the parts are decoded, and the format as the engine
 * sees it. */
#include "core/checked.h"
#include "core/path.h"
#include "formats/archive/rar/rar_payload.h"
#include "formats/archive/rar/rar_walk.h"

#define FORMAT rar
#define FORMAT_DEF "formats/archive/rar/rar.def"
#define FORMAT_RULES "rule/ids/rar.def"
#include "formats/define.h"

/* ---- The first bytes ------------------------------------------------------------------------- */

/* The version; 0: it is no rar. */
static uint64_t version_of(struct held first)
{
	const enum arc_signature s = arc_signature_of(first);
	struct cursor c = cursor_init(first.bytes, first.len, 0);
	struct rar_signature signature;

	if ((s != ARC_IS_RAR4 && s != ARC_IS_RAR5) || !rar_signature_read(&c, 0, &signature))
		return 0;
	return signature.form == 0 ? RAR_4 : RAR_5;
}

static struct span first_span(uint64_t size)
{
	return (struct span){ 0, size < ARC_SIGNATURE_LEN ? size : ARC_SIGNATURE_LEN };
}

/* The extensions of other archives. */
static bool is_other_extension(struct text extension)
{
	static const char *const others[] = { "zip", "7z",  "tar", "gz",  "tgz", "xz",  "txz",
					      "zst", "bz2", "tbz", "jar", "pk3", "cab", "ace" };

	return text_is_one(extension, others, sizeof others / sizeof *others);
}

/* By the bytes; by the name only what is no archive at all. */
static bool rar_sniff(struct decode *d)
{
	switch (arc_source_signature(d->source)) {
	case ARC_IS_RAR4:
	case ARC_IS_RAR5:
		return true;
	case ARC_NO_ARCHIVE:
		return format_shares(&rar_format, path_extension(text_from(d->source->name)));
	default:
		return false;
	}
}

static bool read_signature(struct decode *d, struct rar *r)
{
	static const uint8_t ancient[] = { 'R', 'E', '~', '^' };
	const struct span at = first_span(r->size);
	struct held first;

	if (!decode_bytes(d, RAR_SIGNATURE, at, &first))
		return false;
	r->version = version_of(first);
	if (r->version == 0) {
		const bool is_ancient = first.len >= sizeof ancient &&
					memcmp(first.bytes, ancient, sizeof ancient) == 0;

		r->defects |= is_ancient ? RAR_ANCIENT : RAR_FOREIGN;
		return decode_stop(d, RAR_SIGNATURE, is_ancient ? STOP_UNSUPPORTED : STOP_MALFORMED,
				   at);
	}
	if (is_other_extension(path_extension(text_from(d->source->name))))
		r->defects |= RAR_MISNAMED;
	return true;
}

/* ---- The blocks ------------------------------------------------------------------------------ */

/* RAR 5 ends its volumes with seven zeros. */
enum { VOLUME_TAIL = 7 };

static bool look_at_tail(struct decode *d, struct rar *r)
{
	const struct span tail = { r->end, r->size - r->end };
	const bool is_volume = r->defects & RAR_VOLUME && r->version == RAR_5;
	bool is_zero;

	if (tail.len == 0)
		return true;
	if (!rar_is_zero(d, r->end, &is_zero))
		return false;
	if (!is_zero)
		r->defects |= RAR_TAIL;
	else if (!is_volume || tail.len != VOLUME_TAIL)
		r->defects |= RAR_TAIL_OF_ZEROS;
	return true;
}

/* 7-Zip opens no archive that begins with another block. */
static void look_at_first(struct rar *r)
{
	if (r->n_blocks == 0 || r->blocks[0].kind == RAR_ARCHIVE)
		return;
	r->blocks[0].traits |= RAR_HEADER_MISSING;
	r->block_traits |= RAR_HEADER_MISSING;
}

/* What can be said when the last block was followed. */
static bool look_at_end(struct decode *d, struct rar *r)
{
	const bool has_members = r->members->n > 0;

	if (r->defects & RAR_HEADERS_ENCRYPTED)
		return decode_stop_key(d, has_members ? RAR_BLOCKS : RAR_MEMBERS, DECODE_PASSWORD,
				       (struct span){ r->end, r->size - r->end }) ||
		       has_members;
	if (!decode_has(d, RAR_BLOCKS))
		return true;
	look_at_first(r);
	if (!(r->defects & RAR_HAS_END) && rar_needs_end(r))
		r->defects |= RAR_NO_END;
	return look_at_tail(d, r);
}

/* The fewest bytes that a header has, in both versions. */
enum { HEAD_LEAST = 7 };

static bool read_blocks(struct decode *d, struct rar *r)
{
	struct rar_walk w = { .d = d, .r = r };

	w.at = r->end = r->version == RAR_4 ? RAR4_START : RAR5_START;
	if (!(r->version == RAR_4 ? rar4_walk(&w) : rar5_walk(&w)))
		return false;
	if (r->n_blocks == 0 && decode_has(d, RAR_BLOCKS)) /* a signature is no archive */
		rar_stop_truncated(&w, r->end + HEAD_LEAST);
	return look_at_end(d, r) && members_examine(d, RAR_MEMBERS, r->members) &&
	       members_follow_copies(d, RAR_MEMBERS, r->members);
}

/* Stored members are what they are, if they are all there. */
static enum arc_cover cover_of(const void *facts, uint64_t i, struct span *out)
{
	const struct rar *r = facts;
	const struct arc_member *m = &r->members->rows[i];
	const uint32_t traits = r->entries[i].traits;

	*out = (struct span){ m->at, m->packed };
	if (!(traits & RAR_STORED))
		return ARC_COVERS_PACKED;
	return traits & RAR_SPLIT ? ARC_COVERS_PART : ARC_COVERS_FILE;
}

/* Another archive in the file: where blocks end, bytes that are no member's begin. */
static bool find_second(struct decode *d, struct rar *r)
{
	const struct arc_covers covers = { r, r->members->n, cover_of };
	const enum arc_signature is = r->version == RAR_4 ? ARC_IS_RAR4 : ARC_IS_RAR5;

	return arc_second_zip(d, RAR_MEMBERS, r->size, &covers, &r->second) &&
	       (r->defects & RAR_HEADERS_ENCRYPTED ||
		arc_second_after(d, RAR_MEMBERS, r->end, is, &r->second)) &&
	       arc_second_tar(d, RAR_MEMBERS, is, &r->second);
}

/* Bytes of the file that are members', of which several may claim the same. */
static uint64_t packed_bytes(const struct rar *r)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < r->members->n; i++)
		sum = capped_add(sum, rar_packed(&r->members->rows[i]).len);
	return sum < r->size ? sum : r->size;
}

/* Payload is read when the files inside are opened, and after that. */
static void plan_payload(struct decode *d, const struct rar *r)
{
	if (d->level == LEVEL_STRUCTURE)
		decode_stop(d, RAR_PAYLOAD, STOP_LEVEL, (struct span){ 0, packed_bytes(r) });
	else
		(void)rar_peek(r, d); /* it has noted a failure */
}

static bool is_seen(const void *facts, uint64_t row)
{
	const struct rar *r = facts;

	return r->entries[row].traits & RAR_SEEN;
}

/* What is missing is noted for the group. */
static void examine_layout(struct decode *d, struct rar *r)
{
	const struct lay_archive archive = { .members = r->members,
					     .kind = "rar",
					     .is_seen = is_seen,
					     .facts = r,
					     .is_whole = decode_has(d, RAR_BLOCKS) };

	lay_examine(d, RAR_TREE, &archive, r->layout);
}

static const void *rar_decode(struct decode *d)
{
	struct rar *r = arena_alloc(d->arena, 1, sizeof *r);
	struct members *m = arena_alloc(d->arena, 1, sizeof *m);
	struct rar_work *work = arena_alloc(d->arena, 1, sizeof *work);
	struct lay *layout = arena_alloc(d->arena, 1, sizeof *layout);

	if (!r || !m || !work || !layout)
		return NULL;
	*layout = (struct lay){ .roots = { LAY_NONE } };
	*m = (struct members){ .n = 0 };
	*work = (struct rar_work){ .traits = 0 };
	*r = (struct rar){ .groups = d->groups,
			   .size = d->source->io.size,
			   .members = m,
			   .work = work,
			   .layout = layout };
	if (read_signature(d, r) && read_blocks(d, r) && find_second(d, r)) {
		plan_payload(d, r);
		examine_layout(d, r);
	}
	decode_spread(d, rar_groups, rar_n_groups);
	return r;
}

static void rar_finish(const void *facts, struct decode *d)
{
	const struct rar *r = facts;

	if (decode_has(d, RAR_PAYLOAD))
		rar_read_payload(r, d);
	decode_spread(d, rar_groups, rar_n_groups);
}

/* ---- What the engine asks -------------------------------------------------------------------- */

static uint64_t rar_version(const void *facts)
{
	const struct rar *r = facts;

	return r->version;
}

const struct format rar_format = {
	.name = "rar",
	.title = "rar archive",
	.groups = rar_groups,
	.n_groups = rar_n_groups,
	.traits = rar_traits,
	.n_tables = rar_n_tables,
	.layouts = rar_layouts,
	.rules = rar_rules,
	.extensions = rar_extensions,
	.shared = rar_shared,
	.sniff = rar_sniff,
	.decode = rar_decode,
	.version = rar_version,
	.tables = rar_tables,
	.explained = rar_explained,
	.map = rar_map,
	.info = rar_info,
	.nested = &rar_nested_files,
	.finish = rar_finish,
	.extent = rar_extent,
	.next_changed = rar_next_changed,
};

/* Tar archives: sniffing, and the format as the engine sees it. */
#include "formats/archive/tar/tar.h"

#include "core/path.h"
#include "formats/archive/tar/sparse.h"

#define FORMAT tar
#define FORMAT_DEF "formats/archive/tar/tar.def"
#define FORMAT_RULES "rule/ids/tar.def"
#include "formats/define.h"

/* ---- Decoding -------------------------------------------------------------------------------- */

/* A file that is called a tar is one too, if its first header has only a wrong checksum, or nothing
 * is in it. */
static bool seems_a_tar(struct held first)
{
	static const char magic[] = "ustar";
	const struct held at_magic = held_part(first, 257, sizeof magic - 1);

	return first.len == TAR_BLOCK &&
	       (held_is_zero(first) || memcmp(at_magic.bytes, magic, sizeof magic - 1) == 0);
}

static bool decode_first(struct decode *d, struct tar *t)
{
	const struct span first = { 0, t->size < TAR_BLOCK ? t->size : TAR_BLOCK };
	struct held bytes;

	if (!decode_bytes(d, TAR_FILE, first, &bytes))
		return false;
	arc_file_look(&t->file, d->source);
	if (t->file.is == ARC_NO_ARCHIVE && seems_a_tar(bytes))
		t->file.is = ARC_IS_TAR;
	if (t->file.is == ARC_NO_ARCHIVE)
		return decode_stop(d, TAR_MEMBERS, STOP_MALFORMED, first);
	return true;
}

/* What has the content of a member: itself, or what a hard link leads to. */
static const struct tar_entry *content_of(const struct tar *t, uint64_t row)
{
	return &t->entries[t->entries[row].content];
}

static bool is_seen(const void *facts, uint64_t row)
{
	return content_of(facts, row)->state & TAR_IS_SEEN;
}

/* What is missing is noted for the group. */
static void examine_layout(struct decode *d, struct tar *t)
{
	const struct lay_archive archive = { .members = &t->members,
					     .kind = "tar",
					     .is_seen = is_seen,
					     .facts = t,
					     .is_whole = decode_has(d, TAR_END) };

	if (decode_has(d, TAR_MEMBERS))
		lay_examine(d, TAR_TREE, &archive, &t->layout);
}

/* A sparse member's bytes are not its content. */
static enum arc_cover cover_of(const void *facts, uint64_t i, struct span *out)
{
	const struct tar *t = facts;
	const struct arc_member *m = &t->members.rows[i];

	*out = (struct span){ m->at, m->packed };
	return m->packed == m->size ? ARC_COVERS_FILE : ARC_COVERS_PACKED;
}

/* Another archive in the file. */
static bool find_second(struct decode *d, struct tar *t)
{
	const struct arc_covers covers = { t, t->members.n, cover_of };

	return arc_second_zip(d, TAR_MEMBERS, t->size, &covers, &t->second) &&
	       arc_second_after(d, TAR_MEMBERS, t->after, ARC_IS_TAR, &t->second);
}

/* A hole costs nothing in the archive, so that a member may be of any size: more than so many times
 * its stored bytes are not read, if they are many at all. */
static void limit_holes(struct decode *d, struct tar *t)
{
	const uint64_t ratio = d->limits->of[LIMIT_ratio];

	for (uint64_t i = 0; t->flaw_traits & TAR_SPARSE && i < t->members.n; i++) {
		const struct arc_member *m = &t->members.rows[i];

		if (t->entries[i].map != TAR_MAP_APPLIED || m->size <= UNPACKED_FREE ||
		    m->size / (ratio > 0 ? ratio : 1) <= m->packed)
			continue;
		decode_stop_limit(d, TAR_CONTENT, LIMIT_ratio, (struct span){ m->at, m->packed });
		t->entries[i].state |= TAR_IS_LOST;
	}
}

static const void *tar_decode(struct decode *d)
{
	struct tar *t = arena_alloc(d->arena, 1, sizeof *t);

	if (!t)
		return NULL;
	*t = (struct tar){ .groups = d->groups, .size = d->source->io.size };
	t->after = t->size;
	if (decode_first(d, t) && tar_walk_all(d, t))
		(void)find_second(d, t); /* it has noted a failure */
	examine_layout(d, t);
	limit_holes(d, t);
	decode_spread(d, tar_groups, tar_n_groups);
	return t;
}

/* By the checksum of its first header; by name, if it is no other archive. */
static bool tar_sniff(struct decode *d)
{
	struct arc_file file = { 0 };

	arc_file_look(&file, d->source);
	return file.is == ARC_IS_TAR || (file.is == ARC_NO_ARCHIVE && file.promised == ARC_IS_TAR);
}

static uint64_t tar_version(const void *facts)
{
	(void)facts;
	return 0;
}

/* ---- What lies where ------------------------------------------------------------------------- */

/* The bytes that fill a member up to a whole block; after the last of a file that was cut there are
 * fewer. */
static uint64_t padding_of(const struct tar *t, const struct arc_member *m)
{
	const uint64_t end = m->at + m->packed, rest = m->packed % TAR_BLOCK,
		       wanted = rest > 0 ? TAR_BLOCK - rest : 0;

	return wanted < t->size - end ? wanted : t->size - end;
}

/* The zeros that end it, and those that fill up its last record. */
static struct span end_of(const struct tar *t)
{
	if (t->groups[TAR_END].why != STOP_NOT)
		return (struct span){ t->size, 0 };
	return (struct span){ t->end, t->after - t->end };
}

static bool has_members(const struct tar *t)
{
	return t->groups[TAR_MEMBERS].why == STOP_NOT;
}

static uint64_t tar_explained(const void *facts)
{
	const struct tar *t = facts;
	uint64_t n = end_of(t).len;

	for (uint64_t i = 0; has_members(t) && i < t->members.n; i++) {
		const struct arc_member *m = &t->members.rows[i];

		n += m->at - m->head_at + m->packed + padding_of(t, m);
	}
	return n;
}

static bool tell(map_sink *sink, void *ctx, struct region r)
{
	return r.span.len == 0 || sink(ctx, &r);
}

static bool tell_member(const struct tar *t, uint64_t i, map_sink *sink, void *ctx)
{
	const struct arc_member *m = &t->members.rows[i];
	const uint64_t end = m->at + m->packed;

	return tell(sink, ctx,
		    (struct region){ .span = { m->head_at, m->at - m->head_at },
				     .kind = "header",
				     .label = "header",
				     .index = i }) &&
	       tell(sink, ctx,
		    (struct region){ .span = { m->at, m->packed },
				     .kind = "payload",
				     .label = "member",
				     .index = i }) &&
	       tell(sink, ctx,
		    (struct region){ .span = { end, padding_of(t, m) },
				     .kind = "padding",
				     .label = "padding",
				     .index = i });
}

static bool tar_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct tar *t = facts;

	(void)d;
	for (uint64_t i = 0; has_members(t) && i < t->members.n; i++)
		if (!tell_member(t, i, sink, ctx))
			return false;
	return tell(sink, ctx,
		    (struct region){ .span = end_of(t),
				     .kind = "padding",
				     .label = "end",
				     .index = UINT64_MAX });
}

/* ---- What is worth telling ------------------------------------------------------------------- */

/* The newest of the forms that its headers have. */
static const char *newest_form(const struct tar *t)
{
	if (t->forms & TAR_PAX)
		return "pax";
	if (t->forms & TAR_GNU)
		return "gnu";
	return t->forms & TAR_USTAR ? "ustar" : "v7";
}

static void tar_info(const void *facts, info_sink *sink, void *ctx)
{
	const struct tar *t = facts;

	if (!has_members(t))
		return;
	sink(ctx, &(struct info){ .name = "members", .number = t->members.n });
	sink(ctx, &(struct info){ .name = "unpacked_bytes", .number = t->members.total });
	if (t->forms)
		sink(ctx, &(struct info){ .name = "form", .word = newest_form(t) });
}

/* ---- The files inside ------------------------------------------------------------------------ */

static bool may_open(const struct tar *t, uint64_t row)
{
	const struct tar_entry *e = content_of(t, row);

	return (t->members.rows[e->content].kind == ARC_FILE || e->state & TAR_IS_FOLDER_BY_NAME) &&
	       !(e->state & TAR_IS_LOST);
}

/* A folder that some programs make a file of is one without the separator. */
static struct text name_of(const struct tar *t, uint64_t row)
{
	const struct text name = t->members.rows[row].name;

	return t->entries[row].state & TAR_IS_FOLDER_BY_NAME && arc_name_is_slashed(name)
		       ? text_sub(name, 0, name.ref.n_units - 1)
		       : name;
}

static void describe(const struct tar *t, uint64_t row, struct nested *out)
{
	const struct tar_entry *e = content_of(t, row);
	const struct arc_member *m = &t->members.rows[e->content];
	const bool is_sparse = e->map == TAR_MAP_APPLIED, is_plain = may_open(t, row) && !is_sparse;

	*out = (struct nested){ .name = name_of(t, row),
				.decoded = !is_plain,
				.is_listed = true,
				.streamed = is_sparse,
				.is_seen = e->state & TAR_IS_SEEN,
				.is_shared = !(t->flaw_traits & TAR_SPARSE),
				.row = row,
				.span = { is_plain ? m->at : 0, m->size } };
}

/* A .pak may belong to a container, which is checked before it. */
static bool is_part(struct text name)
{
	return text_ends(name, ".pak");
}

static bool is_next(const struct tar *t, uint64_t row, bool parts)
{
	const struct text name = name_of(t, row);

	return is_part(name) == parts && may_open(t, row) && !t->members.rows[row].is_replaced &&
	       !(t->entries[row].state & TAR_IS_CLAIMED) &&
	       (content_of(t, row)->map != TAR_MAP_APPLIED || is_seen(t, row) ||
		format_is_opened(path_extension(name)));
}

/* First what may have parts beside it, then what may be such a part. */
static bool tar_next(const void *facts, const struct decode *d, struct nested_walk *w,
		     struct nested *out)
{
	const struct tar *t = facts;

	for (; decode_has(d, TAR_MEMBERS) && w->file < 2; w->file++, w->row = 0)
		while (w->row < t->members.n)
			if (is_next(t, w->row++, w->file == 1)) {
				describe(t, w->row - 1, out);
				return true;
			}
	return false;
}

/* Where the content of a sparse member is read. */
struct sparse_file {
	const struct tar *t;
	struct source *source;
	uint64_t row, size;
};

static bool read_sparse(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	const struct sparse_file *f = ctx;
	const uint64_t left = at < f->size ? f->size - at : 0;

	*n_read = left < len ? (size_t)left : len;
	return tar_sparse_copy(f->t, f->row, f->source, at, buf, *n_read);
}

static bool tar_stream(const void *facts, struct decode *d, const struct nested *n,
		       struct arena *arena, struct decode *user, struct source_io *out)
{
	const struct tar *t = facts;
	const uint64_t row = t->entries[n->row].content;
	struct sparse_file *f;

	(void)user; /* whoever reads it pays for what it reads */
	d->is_undecodable = !may_open(t, n->row);
	if (d->is_undecodable)
		return false;
	f = arena_alloc(arena, 1, sizeof *f);
	if (!f)
		return false;
	*f = (struct sparse_file){ t, d->source, row, t->members.rows[row].size };
	*out = (struct source_io){ .read_at = read_sparse, .ctx = f, .size = f->size };
	return true;
}

/* Of others that have no place in the file the content cannot be had. */
static const uint8_t *tar_open(const void *facts, struct decode *d, const struct nested *n,
			       struct arena *arena)
{
	(void)facts, (void)n, (void)arena;
	d->is_undecodable = true;
	return NULL;
}

static bool tar_beside(const void *facts, struct decode *d, const struct nested *of,
		       const char *name, bool any_case, struct nested *out)
{
	const struct tar *t = facts;
	const uint64_t row = members_find(d, TAR_MEMBERS, &t->members, of->row, name, any_case);

	if (row == MEMBER_NONE)
		return false;
	describe(t, row, out);
	return true;
}

static void tar_claim(const void *facts, const struct nested *n)
{
	((const struct tar *)facts)->entries[n->row].state |= TAR_IS_CLAIMED;
}

static bool tar_next_beside(const void *facts, const struct decode *d, const struct nested *of,
			    struct nested_walk *w, struct nested *out)
{
	const struct tar *t = facts;
	const uint64_t row = members_next_beside(&t->members, of->row, &w->row);

	(void)d;
	if (row == MEMBER_NONE)
		return false;
	describe(t, row, out);
	return true;
}

static const struct nested_files tar_nested_files = { .next = tar_next,
						      .open = tar_open,
						      .stream = tar_stream,
						      .beside = tar_beside,
						      .claim = tar_claim,
						      .next_beside = tar_next_beside };

/* ---- How far it reaches ---------------------------------------------------------------------- */

static void tar_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out)
{
	const struct tar *t = facts;

	(void)file; /* a tar has no companions */
	out->needs = t->needs;
	out->ends_early = t->file.cut || t->needs > t->size;
	if (decode_has(d, TAR_END)) {
		out->needs = t->after;
		out->is_end = t->n_zeros == TAR_END_BLOCKS;
	}
}

const struct format tar_format = {
	.name = "tar",
	.title = "tar archive",
	.groups = tar_groups,
	.n_groups = tar_n_groups,
	.traits = tar_traits,
	.n_tables = tar_n_tables,
	.layouts = tar_layouts,
	.rules = tar_rules,
	.extensions = tar_extensions,
	.shared = tar_shared,
	.sniff = tar_sniff,
	.decode = tar_decode,
	.version = tar_version,
	.tables = tar_tables,
	.extent = tar_extent,
	.explained = tar_explained,
	.map = tar_map,
	.info = tar_info,
	.nested = &tar_nested_files,
};

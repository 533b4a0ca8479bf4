/* What uvet tells of a rar besides defects: its regions, what is worth knowing, and how far it
 * reaches. */
#include "core/mutant.h"
#include "formats/archive/rar/rar_walk.h"

/* ---- The map --------------------------------------------------------------------------------- */

static const char *label_of(const struct rar_block *b)
{
	static const char *const labels[] = {
		[RAR_ARCHIVE] = "archive", [RAR_MEMBER] = "member", [RAR_SERVICE] = "service",
		[RAR_END] = "end",         [RAR_OTHER] = "block",
	};

	return labels[b->kind];
}

/* A way to the sink. */
struct mapper {
	const struct rar *r;
	map_sink *sink;
	void *ctx;
};

static bool tell(const struct mapper *m, struct region x)
{
	return x.span.len == 0 || m->sink(m->ctx, &x);
}

/* Each field region begins where the one before ends. */
static bool tell_record(const struct mapper *m, uint64_t at, uint64_t index, const char *label,
			const struct layout *layout)
{
	return tell(m, (struct region){ .span = { at, layout->fixed_len },
					.kind = "header",
					.label = label,
					.index = index,
					.layout = layout,
					.depth = 1 });
}

static bool tell_head(const struct mapper *m, uint64_t index)
{
	const struct rar_block *b = &m->r->blocks[index];
	const bool is_file = b->kind == RAR_MEMBER || b->kind == RAR_SERVICE;

	if (!tell(m, (struct region){ .span = { b->at, b->head_len },
				      .kind = "header",
				      .label = label_of(b),
				      .index = index }))
		return false;
	if (m->r->version == RAR_5)
		return tell_record(m, b->at, index, "header", &rar5_block_layout);
	return tell_record(m, b->at, index, "header", &rar4_block_layout) &&
	       (!is_file ||
		tell_record(m, b->at + rar4_block_fixed_len, index, "file", &rar4_file_layout));
}

static bool tell_data(const struct mapper *m, uint64_t index)
{
	const struct rar_block *b = &m->r->blocks[index];

	return tell(m, (struct region){ .span = { b->at + b->head_len, b->data_len },
					.kind = "payload",
					.label = label_of(b),
					.index = index });
}

static bool is_read(const struct rar *r)
{
	return r->groups[RAR_SIGNATURE].why == STOP_NOT;
}

/* Zeros after the end. */
static struct span padding(const struct rar *r)
{
	return (struct span){ r->end, r->defects & RAR_TAIL_OF_ZEROS ? r->size - r->end : 0 };
}

bool rar_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct rar *r = facts;
	const struct mapper m = { .r = r, .sink = sink, .ctx = ctx };

	(void)d;
	if (!is_read(r))
		return true;
	if (!tell(&m,
		  (struct region){ .span = { 0, r->version == RAR_4 ? RAR4_START : RAR5_START },
				   .kind = "header",
				   .label = "signature",
				   .index = UINT64_MAX,
				   .layout = r->version == RAR_4 ? &rar_signature_layout : NULL }))
		return false;
	for (uint64_t i = 0; i < r->n_blocks; i++)
		if (!tell_head(&m, i) || !tell_data(&m, i))
			return false;
	return tell(&m, (struct region){ .span = padding(r),
					 .kind = "padding",
					 .label = "padding",
					 .index = UINT64_MAX });
}

uint64_t rar_explained(const void *facts)
{
	const struct rar *r = facts;

	/* mutant: a byte more than the map has */
	return is_read(r) ? r->end + padding(r).len + (uint64_t)MUTANT(422) : 0;
}

/* ---- What there is to tell ------------------------------------------------------------------- */

void rar_info(const void *facts, info_sink *sink, void *ctx)
{
	const struct rar *r = facts;

	if (r->groups[RAR_MEMBERS].why != STOP_NOT)
		return;
	sink(ctx, &(struct info){ .name = "members", .number = r->members->n });
	sink(ctx, &(struct info){ .name = "files", .number = r->members->n_files, .plain = true });
	sink(ctx, &(struct info){
			  .name = "unpacked_bytes", .number = r->members->total, .plain = true });
	sink(ctx, &(struct info){ .name = "solid",
				  .word = r->defects & RAR_SOLID ? "yes" : "no",
				  .plain = true });
	if (r->groups[RAR_PAYLOAD].why == STOP_NOT)
		sink(ctx, &(struct info){ .name = "members_read",
					  .number = r->work->n_read,
					  .plain = true });
	sink(ctx, &(struct info){ .name = "decoder_bytes",
				  .number = r->work->decoder_len + r->work->kept_len,
				  .plain = true });
}

/* ---- How far it reaches ---------------------------------------------------------------------- */

void rar_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out)
{
	const struct rar *r = facts;

	(void)file;
	if (!decode_has(d, RAR_SIGNATURE))
		return;
	if (r->defects & RAR_TRUNCATED) {
		out->needs = r->needs;
		out->is_agreed = true;
	} else if (r->defects & RAR_HAS_END) {
		out->needs = r->end;
		out->is_end = true;
	}
}

bool rar_next_changed(const void *facts, const struct decode *d, uint32_t file, uint64_t *at,
		      struct span *out)
{
	const struct rar *r = facts;

	(void)d;
	while (file == 0 && r->groups[RAR_MEMBERS].why == STOP_NOT && *at < r->members->n) {
		const struct arc_member *m = &r->members->rows[(*at)++];

		*out = (struct span){ m->at, m->packed };
		if (m->payload & (ARC_WRONG_SUM | ARC_BROKEN))
			return true;
	}
	return false;
}

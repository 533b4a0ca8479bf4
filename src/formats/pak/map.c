/* What uvet tells of an archive besides defects: its regions, what is worth knowing, and how far it
 * reaches. */
#include "core/mutant.h"
#include "formats/pak/parts.h"

/* ---- The map --------------------------------------------------------------------------------- */

/* A way through the regions in the order of the file. A region that begins before the end of one
 * before it is told from there on. */
struct way {
	const struct pak *p;
	map_sink *sink;
	void *ctx;
	uint64_t done;
};

static bool tell(struct way *w, struct region r)
{
	const uint64_t end = span_end(r.span);

	if (r.span.len == 0 || end <= w->done)
		return true;
	if (r.span.at < w->done) {
		/* mutant: a region begins in the one before it */
		r.span = (struct span){ w->done - (uint64_t)MUTANT(303),
					end - w->done + (uint64_t)MUTANT(303) };
		r.layout = NULL;
	}
	w->done = end;
	return w->sink(w->ctx, &r);
}

static bool tell_inner(const struct way *w, uint64_t *at, uint64_t len, struct region r)
{
	if (len == 0)
		return true;
	r.span = (struct span){ *at, len };
	r.kind = "header";
	r.depth = 1;
	*at += len;
	return w->sink(w->ctx, &r);
}

/* The record before the bytes of a file, with the blocks between its fields. */
static bool tell_record(const struct way *w, uint32_t number, const struct pak_entry *e)
{
	const uint64_t front = pak_front_len(w->p->context),
		       end = w->p->tail.version < PAK_BLOCKS ? 0u : pak_record_end_fixed_len;
	uint64_t at = e->offset;

	return tell_inner(w, &at, front,
			  (struct region){ .label = "record",
					   .index = number,
					   .layout = &pak_record_layout }) &&
	       tell_inner(w, &at, e->header_len - front - end,
			  (struct region){ .label = "blocks", .index = number }) &&
	       tell_inner(w, &at, end,
			  (struct region){ .label = "record_end",
					   .index = number,
					   .layout = &pak_record_end_layout });
}

static bool tell_file(struct way *w, uint32_t number, const struct pak_entry *e)
{
	const struct pak *p = w->p;
	const struct pak_file *row = &p->files[number];
	const bool is_whole = e->offset >= w->done;
	struct region r = {
		.span = pak_data(e), .kind = "payload", .label = "entry", .index = number
	};

	if (!pak_is_nameless(p, row) && !p->key)
		r.name = pak_file_name(p, row).ref;
	if (!tell(w, r))
		return false;
	return !is_whole || tell_record(w, number, e);
}

static bool tell_files(struct way *w)
{
	const struct pak *p = w->p;

	for (uint32_t i = 0; i < p->n_by_offset; i++) {
		const uint32_t number = p->by_offset[i];
		const struct pak_entry e = pak_entry_of(p, &p->files[number]);

		if (!tell_file(w, number, &e))
			return false;
	}
	return true;
}

static bool tell_parts(struct way *w)
{
	const struct pak_part *parts[PAK_N_PARTS];
	const unsigned n = pak_sort_parts(w->p, parts);

	for (unsigned i = 0; i < n; i++) {
		const char *label = parts[i] == &w->p->index         ? "index"
				    : parts[i] == &w->p->path_hashes ? "path_hashes"
								     : "directory";

		if (!tell(w, (struct region){ .span = parts[i]->at,
					      .kind = "index",
					      .label = label,
					      .index = UINT64_MAX }))
			return false;
	}
	return true;
}

static bool tell_methods(struct way *w)
{
	const struct pak_tail *t = &w->p->tail;

	for (unsigned i = 0; i < t->n_methods; i++)
		if (!tell(w, (struct region){
				     .span = { t->methods_at + i * PAK_METHOD_LEN, PAK_METHOD_LEN },
				     .kind = "text",
				     .label = "method",
				     .index = i + 1 }))
			return false;
	return true;
}

static bool tell_footer(struct way *w)
{
	const struct pak_tail *t = &w->p->tail;
	const bool is_frozen = t->version == PAK_FROZEN;
	const uint64_t end = t->magic_at + PAK_MAGIC_LEN + (is_frozen && t->is_known ? 1u : 0u);

	if (!tell(w, (struct region){ .span = { t->at, t->magic_at - t->at },
				      .kind = "header",
				      .label = "lock",
				      .index = UINT64_MAX,
				      .layout = &pak_lock_layout }) ||
	    !tell(w, (struct region){ .span = { t->magic_at, end - t->magic_at },
				      .kind = "header",
				      .label = "footer",
				      .index = UINT64_MAX,
				      .layout = is_frozen && !t->is_known ? NULL
									  : &pak_footer_layout }))
		return false;
	return tell_methods(w) &&
	       (t->end_at == 0 || tell(w, (struct region){ .span = { t->end_at, PAK_END_LEN },
							   .kind = "header",
							   .label = "end",
							   .index = UINT64_MAX,
							   .layout = &pak_end_layout }));
}

static bool has_ranges(const struct pak *p)
{
	return p->groups[PAK_RANGES].why == STOP_NOT;
}

/* The files beside it, of which the container is looked at for being there alone. */
static bool tell_beside(const struct way *w)
{
	const struct pak_content *content = &w->p->content;
	const struct {
		const struct companion *file;
		const char *kind, *label;
	} files[] = { { content->signature.file, "signature", "signatures" },
		      { content->container, "index", "container" } };

	for (unsigned i = 0; i < 2; i++)
		if (files[i].file &&
		    !w->sink(w->ctx, &(struct region){ .span = { 0, files[i].file->source.io.size },
						       .file = files[i].file->number,
						       .kind = files[i].kind,
						       .label = files[i].label,
						       .index = UINT64_MAX }))
			return false;
	return true;
}

/* What follows the files. */
static bool tell_rest(struct way *w)
{
	return tell_parts(w) && tell_footer(w) && tell_beside(w);
}

bool pak_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct pak *p = facts;
	struct way w = { .p = p, .sink = sink, .ctx = ctx };

	(void)d;
	if (p->groups[PAK_FOOTER].why != STOP_NOT)
		return true;
	return (!has_ranges(p) || tell_files(&w)) && tell_rest(&w);
}

static bool count_region(void *ctx, const struct region *r)
{
	uint64_t *sum = ctx;

	*sum += r->span.len;
	return true;
}

uint64_t pak_explained(const void *facts)
{
	const struct pak *p = facts;
	uint64_t sum = has_ranges(p) ? p->data_len : 0;
	struct way w = {
		.p = p, .sink = count_region, .ctx = &sum, .done = has_ranges(p) ? p->data_end : 0
	};

	bool is_told;

	if (p->groups[PAK_FOOTER].why != STOP_NOT)
		return 0;
	is_told = tell_rest(&w); /* nothing lies in these regions */
	return ALWAYS(is_told) ? sum : 0;
}

/* ---- What there is to tell ------------------------------------------------------------------- */

/* The methods that files are compressed with. */
static struct info methods_in_use(const struct pak *p)
{
	struct info i = {
		.name = "method", .word = "none", .fact = FACT_METHODS, .u.set.words = method_names
	};
	unsigned n = 0;

	for (unsigned m = METHOD_NONE + 1; m <= METHOD_UNKNOWN; m++) {
		if (!(p->methods_in_use >> m & 1))
			continue;
		i.u.set.bits |= UINT64_C(1) << m;
		i.word = n++ > 0              ? "several"
			 : m < METHOD_UNKNOWN ? method_name((enum method)m)
					      : "unknown";
	}
	return i;
}

static void tell_key(const struct pak *p, info_sink *sink, void *ctx)
{
	struct info key = { .name = "key_guid", .is_guid = true };
	const struct held guid = { p->tail.guid, sizeof p->tail.guid };

	for (unsigned i = 0; i < 4; i++)
		key.u.guid[i] = (uint32_t)held_u32(guid, 4 * i);
	if (!held_is_zero(guid) || p->is_encrypted)
		sink(ctx, &key);
}

void pak_info(const void *facts, info_sink *sink, void *ctx)
{
	static const char *const protections[] = { "encrypted" };
	const struct pak *p = facts;
	struct info methods;

	if (p->groups[PAK_VERSION].why != STOP_NOT)
		return;
	sink(ctx,
	     &(struct info){ .name = "index_size", .number = p->tail.index_size, .plain = true });
	sink(ctx, &(struct info){ .name = "index_encrypted",
				  .word = p->tail.encrypted ? "yes" : "no",
				  .fact = FACT_PROTECTION,
				  .u.set = { p->tail.encrypted ? 1u : 0u, protections } });
	tell_key(p, sink, ctx);
	if (p->groups[PAK_HEAD].why == STOP_NOT)
		sink(ctx, &(struct info){ .name = "mount_point",
					  .is_text = true,
					  .u.text = &p->mount,
					  .fact = FACT_MOUNT_POINT });
	if (p->groups[PAK_ENTRIES].why != STOP_NOT)
		return;
	methods = methods_in_use(p);
	sink(ctx, &(struct info){ .name = "files", .number = p->n_files });
	sink(ctx, &(struct info){ .name = "deleted_files", .number = p->n_deleted, .plain = true });
	sink(ctx,
	     &(struct info){ .name = "encrypted_files", .number = p->n_encrypted, .plain = true });
	sink(ctx, &methods);
	if (p->groups[PAK_PAYLOAD].why != STOP_NOT)
		return;
	sink(ctx, &(struct info){
			  .name = "headers_equal", .number = p->content.n_headers, .plain = true });
	sink(ctx, &(struct info){
			  .name = "hashes_right", .number = p->content.n_hashes, .plain = true });
	sink(ctx, &(struct info){
			  .name = "decoded_files", .number = p->content.n_decoded, .plain = true });
}

/* ---- How far it reaches ---------------------------------------------------------------------- */

enum { N_PARTS = 3 };

static const struct pak_part *part_of(const struct pak *p, uint64_t i)
{
	return i == 0 ? &p->index : i == 1 ? &p->path_hashes : &p->directory;
}

bool pak_next_changed(const void *facts, const struct decode *d, uint32_t file, uint64_t *at,
		      struct span *out)
{
	const struct pak *p = facts;

	(void)d;
	while (file == 0 && *at < N_PARTS) {
		const struct pak_part *part = part_of(p, (*at)++);

		*out = part->at;
		if (pak_is_changed(part))
			return true;
	}
	while (file == 0 && *at - N_PARTS < p->content.n_payloads) {
		const struct pak_payload *row = &p->content.payloads[(*at)++ - N_PARTS];
		struct pak_entry e;

		if (!(row->traits & PAK_HASH_DIFFERS))
			continue;
		e = pak_entry_of(p, &p->files[row->file]);
		*out = (struct span){ e.offset + e.header_len, e.size };
		return true;
	}
	return false;
}

/* Tells whether the index begins as much before the place that the footer says as it would reach
 * into that: bytes before it were lost. Up to version 9 the index is all in one piece before the
 * footer. */
static uint64_t lost_before(const struct pak *p, const struct decode *d)
{
	const uint64_t end = span_end(p->index.at), begin = p->index.at.at;
	const uint64_t n = end > p->tail.at ? end - p->tail.at : 0;

	return n > 0 && n <= begin && p->tail.version <= 9 && pak_begins_index(d->source, begin - n)
		       ? n
		       : 0;
}

/* The footer is the end, and follows the index. A file that lacks it has lost its end. */
void pak_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out)
{
	const struct pak *p = facts;
	const uint64_t footer = p->size - p->tail.at;
	uint64_t lost;

	if (file != 0)
		return;
	if (!decode_has(d, PAK_FOOTER)) {
		if (p->tail.n_magics == 0)
			pak_reach(d->source, out);
		return;
	}
	for (unsigned i = 0; i < N_PARTS; i++) {
		const struct pak_part *part = part_of(p, i);
		const uint64_t end = span_end(part->at);

		if (part->held.len > 0 && end + footer > out->needs)
			out->needs = end + footer;
	}
	out->is_end = out->needs > 0;
	lost = lost_before(p, d);
	if (lost == 0)
		return;
	out->needs = p->size + lost;
	out->is_agreed = out->is_moved = true;
}

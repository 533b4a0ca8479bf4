/* The map of the .ucas files, and what is told about them. */
#include "formats/iostore/content/parts.h"

/* ---- The map --------------------------------------------------------------------------------- */

/* Blocks of one chunk that follow one another are one region. */
struct run {
	const struct utoc *u;
	const uint32_t *owners; /* the chunk of each block, or TOC_NONE */
	struct region region;
	uint64_t done; /* where the regions so far end, over all partitions */
	map_sink *sink;
	void *ctx;
};

static uint32_t *find_owners(const struct utoc *u, struct arena *arena)
{
	const struct toc *t = &u->toc;
	uint32_t *owners = arena_alloc(arena, t->n_blocks, sizeof *owners);

	for (uint64_t i = 0; owners && i < t->n_blocks; i++)
		owners[i] = TOC_NONE;
	for (uint64_t i = 0; owners && i < t->n_chunks; i++) {
		if (!toc_has_blocks(t, i) || (t->overlapping && toc_bit(t->overlapping, i)))
			continue;
		for (uint64_t k = 0; k < toc_block_count(t, i); k++)
			owners[toc_first_block(t, i) + k] = (uint32_t)i;
	}
	return owners;
}

static bool tell(struct run *r)
{
	const bool told = r->region.span.len == 0 || r->sink(r->ctx, &r->region);

	r->region.span.len = 0;
	return told;
}

/* A block's bytes that lie in the file and in no region before it. */
static struct span rest_of(const struct run *r, const struct toc_block *b, uint64_t *partition)
{
	struct span s;
	uint64_t from = b->offset > r->done ? b->offset : r->done,
		 end = b->offset + toc_stored(b->compressed), at, size;

	*partition = content_partition(&r->u->toc, b->offset, &at);
	if (*partition >= r->u->content.n_partitions || from >= end)
		return (struct span){ 0, 0 };
	size = r->u->content.partitions[*partition].size;
	s = (struct span){ at + (from - b->offset), end - from };
	if (s.at >= size)
		return (struct span){ 0, 0 };
	s.len = s.len < size - s.at ? s.len : size - s.at;
	return s;
}

static bool add_block(struct run *r, uint64_t block)
{
	const struct toc_block b = toc_block(&r->u->toc, block);
	const uint32_t owner = r->owners[block];
	uint64_t partition;
	struct span s = rest_of(r, &b, &partition);
	uint32_t file;

	if (b.compressed == 0 || s.len == 0)
		return true;
	file = r->u->content.partitions[partition].file->number;
	r->done = b.offset + toc_stored(b.compressed);
	if (r->region.span.len > 0 && r->region.file == file && owner != TOC_NONE &&
	    r->region.index == owner && span_end(r->region.span) == s.at) {
		r->region.span.len += s.len;
		return true;
	}
	if (!tell(r))
		return false;
	r->region = (struct region){ .span = s,
				     .file = file,
				     .kind = "payload",
				     .label = owner == TOC_NONE ? "block" : "chunk",
				     .index = owner == TOC_NONE ? block : owner };
	return true;
}

static uint64_t block_key(const void *toc, uint32_t i)
{
	return toc_block(toc, i).offset;
}

static bool map_blocks(const struct utoc *u, struct decode *d, map_sink *sink, void *ctx)
{
	struct run r = { .u = u, .owners = find_owners(u, d->arena), .sink = sink, .ctx = ctx };
	struct order order;

	if (!r.owners ||
	    !order_by_key(d->arena, &u->toc, (uint32_t)u->toc.n_blocks, block_key, &order))
		return false;
	for (uint32_t i = 0; i < order.n; i++)
		if (!add_block(&r, order_row(&order, i)))
			return false;
	return tell(&r);
}

bool content_map(const struct utoc *u, struct decode *d, map_sink *sink, void *ctx)
{
	const struct arena_mark mark = arena_mark(d->arena);
	bool done;

	if (!decode_has(d, UTOC_RANGES) || !u->content.asked)
		return true;
	done = map_blocks(u, d, sink, ctx);
	arena_rewind(d->arena, mark);
	return done;
}

/* ---- What there is to tell ------------------------------------------------------------------- */

/* The methods that blocks are compressed with: in `set`, and in a word. One that is called None is
 * none. */
static struct info methods_in_use(const struct utoc *u)
{
	struct info i = {
		.name = "method", .word = "none", .fact = FACT_METHODS, .u.set.words = method_names
	};
	unsigned n = 0;

	for (unsigned row = 1; row < 256; row++) {
		const enum method named = block_methods_get(&u->content.methods, row);
		const bool is_known = named < METHOD_UNKNOWN; /* else it may be a number above */
		const enum method method = is_known ? named : METHOD_UNKNOWN;

		if (!toc_bit(u->toc.methods_used, row) || method == METHOD_NONE)
			continue;
		i.u.set.bits |= UINT64_C(1) << method;
		i.word = n++ > 0 ? "several" : is_known ? method_name(method) : "unknown";
	}
	return i;
}

void content_info(const struct utoc *u, info_sink *sink, void *ctx)
{
	const struct content *p = &u->content;
	struct info methods;

	if (u->groups[UTOC_RANGES].why != STOP_NOT)
		return;
	methods = methods_in_use(u);
	sink(ctx, &(struct info){ .name = "compressed_blocks",
				  .number = u->toc.n_compressed_blocks,
				  .plain = true });
	sink(ctx, &(struct info){ .name = "stored_bytes", .number = p->stored, .plain = true });
	sink(ctx, &(struct info){ .name = "unpacked_bytes", .number = p->given, .plain = true });
	sink(ctx, &methods);
	sink(ctx, &(struct info){ .name = "encrypted", .word = u->toc.encrypted ? "yes" : "no" });
	if (u->groups[UTOC_PAYLOAD].why == STOP_NOT)
		sink(ctx, &(struct info){ .name = "decoded_chunks",
					  .number = p->n_decoded,
					  .plain = true });
	if (p->packages.n_judged == 0)
		return;
	sink(ctx, &(struct info){ .name = "packages", .number = p->packages.n_judged });
	/* a line of a report has both where they are different */
	sink(ctx, &(struct info){ .name = "sound_packages",
				  .number = p->packages.n_sound,
				  .plain = p->packages.n_sound == p->packages.n_judged });
}

/* Where the sections after the header lie, and whether the file has them. */
#include "core/mutant.h"
#include "formats/iostore/toc/toc.h"

/* Metas had 21 bytes before version 8 was released; the length of the file tells. */
#define META_SIZE_EARLY 21u

static uint64_t n_vectors(const struct toc *t)
{
	return t->version >= TOC_VECTORS ? t->header.reserved_8 & UINT32_MAX : 0;
}

/* Counts and sizes have 32 bits, so their products have 64, and the sum of these few cannot
 * wrap. */
static void measure_sections(struct toc *t)
{
	const bool on_demand = t->version == TOC_ON_DEMAND_METAS &&
			       t->header.flags & TOC_ON_DEMAND && !t->on_demand_missing;
	const struct {
		uint64_t n, row_len;
	} rows[SECTION_N] = {
		[SECTION_IDS] = { t->n_chunks, utoc_chunk_id_fixed_len },
		[SECTION_RANGES] = { t->n_chunks, utoc_range_fixed_len },
		[SECTION_SEEDS] = { t->n_seeds, utoc_seed_fixed_len },
		/* mutant: no such section */
		[SECTION_OVERFLOW] = { t->n_overflow,
				       utoc_seed_fixed_len - 4 * (uint64_t)MUTANT(115) },
		[SECTION_BLOCKS] = { t->n_blocks, utoc_block_fixed_len },
		[SECTION_VECTORS] = { n_vectors(t), BLOCK_VECTOR_LEN },
		[SECTION_METHODS] = { t->n_methods, t->header.method_name_size },
		[SECTION_SIGNATURES] = { t->is_signed ? 1 : 0, 4 + SIGNATURE_N * t->signature_size +
								       TOC_HASH_LEN * t->n_blocks },
		[SECTION_DIRECTORY] = { t->header.directory_size > 0 ? 1 : 0,
					t->header.directory_size },
		[SECTION_METAS] = { t->n_chunks, t->meta_size },
		[SECTION_ON_DEMAND] = { on_demand ? 1 : 0,
					TOC_HASH_LEN * (t->n_chunks + t->n_blocks) },
	};
	uint64_t at = utoc_header_fixed_len;

	for (size_t i = 0; i < SECTION_N; i++) {
		const struct span span = { at, rows[i].n * rows[i].row_len };

		t->sections[i] = (struct toc_section){ .at = span,
						       .n = rows[i].n,
						       .row_len = rows[i].row_len };
		at += span.len;
	}
	t->expected = at;
}

/* The size of the signatures precedes them. */
static void read_signature_size(struct decode *d, struct toc *t)
{
	struct cursor c;
	int64_t size;

	measure_sections(t);
	if (!t->is_signed)
		return;
	if (!source_peek(d->source, (struct span){ t->sections[SECTION_SIGNATURES].at.at, 4 },
			 &c) ||
	    !layout_read_i32(&c, &size))
		return; /* the file ends before it */
	t->signature_broken = size <= 0 || 2 * (uint64_t)size > t->size;
	if (!t->signature_broken)
		t->signature_size = (uint64_t)size;
	measure_sections(t);
	t->signature_broken = t->signature_broken ||
			      span_end(t->sections[SECTION_SIGNATURES].at) > t->size;
}

/* Tries sizes of other readings of the version, if the file has exactly that length. */
static void try_other_sizes(struct toc *t)
{
	const uint64_t on_demand = TOC_HASH_LEN * (t->n_chunks + t->n_blocks);

	if (t->version == TOC_ON_DEMAND_METAS && on_demand > 0) {
		t->on_demand_missing = t->header.flags & TOC_ON_DEMAND &&
				       t->size == t->expected - on_demand;
		t->on_demand_extra = !(t->header.flags & TOC_ON_DEMAND) &&
				     t->size == t->expected + on_demand;
	}
	if (t->version == TOC_SHORT_METAS &&
	    t->size == t->expected - (utoc_short_meta_fixed_len - META_SIZE_EARLY) * t->n_chunks)
		t->meta_size = META_SIZE_EARLY;
	measure_sections(t);
}

static struct held section(const struct toc *t, enum toc_section_name name)
{
	return t->sections[name].held;
}

/* Sets the rows of the sections that have rows. */
static void point_rows(struct toc *t)
{
	const struct held metas = section(t, SECTION_METAS), methods = section(t, SECTION_METHODS);

	t->ids = utoc_chunk_id_in(section(t, SECTION_IDS));
	t->ranges = utoc_range_in(section(t, SECTION_RANGES));
	t->seeds = utoc_seed_in(section(t, SECTION_SEEDS));
	t->overflow = utoc_seed_in(section(t, SECTION_OVERFLOW));
	t->blocks = utoc_block_in(section(t, SECTION_BLOCKS));
	if (t->version < TOC_SHORT_METAS)
		t->metas = utoc_meta_in(metas);
	else if (t->meta_size == utoc_short_meta_fixed_len)
		t->short_metas = utoc_short_meta_in(metas);
	else
		t->early_metas = (struct rows){ metas.bytes, t->n_chunks, t->meta_size };
	t->methods = (struct rows){ methods.bytes, t->n_methods, t->header.method_name_size };
}

/* The file is as long as all sections together, so the window has all of them. */
static bool point_sections(struct cursor all, struct toc *t)
{
	bool is_there = held_take(&all, utoc_header_fixed_len, &t->held);

	if (NEVER(!is_there))
		return false;
	for (size_t i = 0; i < SECTION_N; i++) {
		struct toc_section *s = &t->sections[i];

		is_there = held_take(&all, s->at.len, &s->held);
		if (NEVER(!is_there))
			return false;
	}
	t->held.len = t->expected;
	point_rows(t);
	return true;
}

bool toc_decode_sections(struct decode *d, struct toc *t)
{
	const uint64_t most = d->limits->of[LIMIT_entries];
	const struct span rest = { utoc_header_fixed_len, t->size - utoc_header_fixed_len };
	struct cursor all;

	if (!decode_window(d, UTOC_SECTIONS, (struct span){ 0, t->size }, &all))
		return false;
	read_signature_size(d, t);
	try_other_sizes(t);
	/* mutant: a byte may be missing */
	if (t->signature_broken || t->expected > t->size + (uint64_t)MUTANT(111))
		return decode_stop(d, UTOC_SECTIONS, STOP_MALFORMED, rest);
	if (t->n_chunks > most || t->n_blocks > most || t->n_seeds > most)
		return decode_stop_limit(d, UTOC_SECTIONS, LIMIT_entries, rest);
	return point_sections(all, t);
}

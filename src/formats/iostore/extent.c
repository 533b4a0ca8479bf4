/* How far a container's files reach: the .utoc to the end of its sections, a .ucas to that of its
 * last block. */
#include "formats/iostore/extent.h"

/* A chunk of zeros alone was never filled in, which is no content of another container; nor is one
 * that has the digest of the other engine. */
static bool differs(const struct payload_row *row)
{
	return !(row->traits & (PAYLOAD_ZEROS | PAYLOAD_OTHER_DIGEST)) &&
	       row->traits & (PAYLOAD_HASH | PAYLOAD_BROKEN | PAYLOAD_SHORT | PAYLOAD_LONG);
}

/* A row is a chunk or a block of one; those of a chunk follow one another. */
static void count_chunks(const struct content *c, struct extent *out)
{
	uint32_t last = TOC_NONE;

	for (uint64_t i = 0; i < c->n_rows; i++) {
		const struct payload_row *row = &c->rows[i];

		if (row->chunk == last || !differs(row))
			continue;
		out->n_differ++;
		last = row->chunk;
	}
}

static void take_partition(const struct utoc *u, const struct partition *p, struct extent *out)
{
	/* writers pad the last block */
	out->needs = p->size > p->end && p->size <= p->stored_end ? p->size : p->end;
	out->is_end = true;
	out->n_compared = u->toc.n_chunks;
	out->n_same = u->content.n_right;
	count_chunks(&u->content, out);
}

void utoc_extent(const void *facts, const struct decode *d, uint32_t file, struct extent *out)
{
	const struct utoc *u = facts;

	if (file == 0) {
		out->needs = u->toc.expected;
		out->is_end = decode_has(d, UTOC_SECTIONS);
		out->ends_early = u->toc.size < utoc_header_fixed_len;
		return;
	}
	for (uint64_t i = 0; decode_has(d, UTOC_BLOCKS) && i < u->content.n_partitions; i++)
		if (u->content.partitions[i].file && u->content.partitions[i].file->number == file)
			take_partition(u, &u->content.partitions[i], out);
}

/* How the files' bytes lie: whether they overlap, and what nothing refers to. */
#include "core/mutant.h"
#include "formats/pak/parts.h"

#include "core/order.h"
#include "formats/keep.h"

/* Packers align files; longer gaps are none of that, unless a packer was told to align to more. */
enum { GAP_MAX = 2048, ALIGN_MAX = 1 << 20 };

struct sweep {
	struct decode *d;
	struct pak *p;
	struct keep keep;
	uint64_t end; /* of what was passed */
};

static uint64_t key_of(const void *pak, uint32_t row)
{
	const struct pak *p = pak;

	return pak_entry_offset(p, p->files[row].record);
}

/* Most packers list files in the order of their bytes. */
static bool sort_files(struct decode *d, struct pak *p)
{
	const struct order_by by = { .table = p, .keys = p, .key = key_of };
	struct order o;

	if (!order_rows(d->arena, &by, p->by_offset, p->n_by_offset, &o))
		return decode_stop(d, PAK_RANGES, STOP_MEMORY, (struct span){ 0, 0 });
	return true;
}

static void pass(struct sweep *s, struct span span)
{
	struct pak *p = s->p;

	if (span.at > s->end && span.at - s->end > GAP_MAX) {
		const struct span gap = { s->end, span.at - s->end };

		if (keep_row(s->d, &s->keep, p->n_gaps))
			p->gaps[p->n_gaps++] = (struct pak_gap){ .span = gap };
		else
			p->gaps[s->keep.last].n_more++;
	}
	if (span_end(span) > s->end)
		s->end = span_end(span);
}

static bool add_bytes(void *all, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	uint8_t *some = all;

	(void)at;
	*some |= !held_is_zero((struct held){ bytes, n });
	return true;
}

/* Whether zeros lead from what was passed to a file that is aligned for patches. */
static bool is_padding(struct sweep *s, uint64_t at)
{
	const struct span gap = { s->end, at - s->end };
	uint64_t align = GAP_MAX;
	uint8_t some = 0;

	while (align <= gap.len)
		align *= 2;
	return align <= ALIGN_MAX && at % align == 0 &&
	       decode_stream(s->d, PAK_RANGES, gap, add_bytes, &some) && some == 0;
}

static bool pass_files(struct sweep *s)
{
	struct pak *p = s->p;

	for (uint32_t i = 0; i < p->n_by_offset; i++) {
		struct pak_file *row = &p->files[p->by_offset[i]];
		const struct pak_entry e = pak_entry_of(p, row);
		const struct span data = pak_data(&e);

		if (!decode_goes_on(s->d, PAK_RANGES, i))
			return false;
		if (i > 0 && e.offset < s->end)
			pak_mark(p, row, PAK_DATA_OVERLAPS);
		if (e.offset > s->end && e.offset - s->end > GAP_MAX && is_padding(s, e.offset))
			s->end = e.offset;
		if (span_end(data) > s->end)
			p->data_len += span_end(data) - (data.at > s->end ? data.at : s->end) +
				       (uint64_t)MUTANT(304); /* mutant: a byte is counted twice */
		pass(s, data);
	}
	p->data_end = s->end;
	return true;
}

unsigned pak_sort_parts(const struct pak *p, const struct pak_part *out[PAK_N_PARTS])
{
	const struct pak_part *parts[PAK_N_PARTS] = { &p->index, &p->path_hashes, &p->directory };
	unsigned n = 0;

	for (unsigned i = 0; i < PAK_N_PARTS; i++) {
		unsigned k = n;

		if (parts[i]->held.len == 0) /* no byte of it was read */
			continue;
		for (; k > 0 && out[k - 1]->at.at > parts[i]->at.at; k--)
			out[k] = out[k - 1];
		out[k] = parts[i];
		n++;
	}
	return n;
}

static void pass_parts(struct sweep *s)
{
	const struct pak_part *parts[PAK_N_PARTS];
	const unsigned n = pak_sort_parts(s->p, parts);

	for (unsigned i = 0; i < n; i++)
		pass(s, parts[i]->at);
	pass(s, (struct span){ s->p->tail.at, s->p->size - s->p->tail.at });
}

static bool may_have_holes(const struct pak *p)
{
	return p->file_traits &
	       (PAK_LOCATION_OUTSIDE | PAK_RECORD_TRUNCATED | PAK_FIELD_TRUNCATED | PAK_NO_RECORD |
		PAK_RECORD_INSIDE | PAK_SIZE_NEGATIVE | PAK_DATA_OUTSIDE);
}

bool pak_check_ranges(struct decode *d, struct pak *p)
{
	struct sweep s = { .d = d, .p = p };
	const uint64_t most = keep_most(d, (uint64_t)p->n_by_offset + PAK_N_PARTS + 1, 1);
	struct arena_mark mark;
	bool done;

	p->gaps = decode_alloc(d, PAK_RANGES, most, sizeof *p->gaps);
	if (!p->gaps || !decode_spend(d, PAK_RANGES, p->n_by_offset))
		return false;
	mark = arena_mark(d->arena);
	done = sort_files(d, p);
	arena_rewind(d->arena, mark);
	if (!done || !pass_files(&s))
		return false;
	pass_parts(&s);
	/* where files are not known, nor is what refers to nothing */
	if (may_have_holes(p))
		p->n_gaps = 0;
	return decode_has(d, PAK_RANGES);
}

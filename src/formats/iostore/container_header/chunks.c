/* Matches packages with chunks: which chunk is which package's, and which chunks no package has.
 * Source: conformance/spec/iostore.md, 3 and 8. */
#include "core/mutant.h"
#include "formats/iostore/container_header/walk.h"

/* A finder looks ids up in a sorted list. The upper bits of an id select a range of the list;
 * the rest is a binary search. Hashes spread evenly, so ranges are short; ids that were chosen
 * to share their upper bits cost no more than the search. */
struct finder {
	const struct container_packages *p;
	/* by the upper bits: the first place in the order with these or higher ones */
	uint32_t *starts;
	unsigned shift;
};

static uint64_t id_at(const struct container_packages *p, uint64_t place)
{
	return container_package_id_get_id(
		container_package_id_at(p->ids, order_row(&p->order, (uint32_t)place)));
}

/* There are about as many starts as ids. */
static bool finder_open(struct decode *d, struct finder *f, const struct container_packages *p)
{
	uint64_t place = 0, n = 2;

	*f = (struct finder){ .p = p, .shift = 63 };
	while (n < p->n) {
		n *= 2;
		f->shift--;
	}
	f->starts = decode_alloc(d, CONTAINER_PACKAGES, n + 1, sizeof *f->starts);
	if (!f->starts)
		return false;
	for (uint64_t i = 0; i < n; i++) {
		while (place < p->n && id_at(p, place) >> f->shift < i)
			place++;
		f->starts[i] = (uint32_t)place;
	}
	f->starts[n] = (uint32_t)p->n;
	return true;
}

/* Returns the first place of an id in the order, or the number of places. */
static uint64_t finder_find(const struct finder *f, uint64_t id)
{
	const uint64_t bucket = id >> f->shift;
	uint64_t low = f->starts[bucket], high = f->starts[bucket + 1];

	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;

		if (id_at(f->p, middle) < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->p->n && id_at(f->p, low) == id ? low : f->p->n;
}

/* ---- Matching -------------------------------------------------------------------------------- */

struct matching {
	struct decode *d;
	struct container_header *h;
	const struct toc *t;
	struct finder packages, optional;
	uint32_t *chunk_of;
	uint64_t strays_max;
};

/* Assigns the chunk to all rows with that id if engines ask for it; rows that have a chunk keep it.
 * Returns whether there are such rows. */
static bool give_chunk(struct matching *m, uint64_t id, uint32_t chunk, bool is_sought)
{
	const struct container_packages *p = &m->h->packages;
	uint64_t place = finder_find(&m->packages, id);
	const bool found = place < p->n;

	for (; is_sought && place < p->n && id_at(p, place) == id; place++) {
		const uint32_t row = order_row(&p->order, (uint32_t)place);

		if (m->chunk_of[row] != TOC_NONE)
			break;
		p->traits[row] &= (uint16_t)~PACKAGE_NO_CHUNK;
		m->chunk_of[row] = chunk;
	}
	return found;
}

static bool add_stray(struct matching *m, uint32_t chunk)
{
	struct container_header *h = m->h;

	h->strays = decode_grow(m->d, CONTAINER_PACKAGES, h->strays, h->n_strays, &m->strays_max,
				sizeof *h->strays);
	if (!h->strays)
		return false;
	h->strays[h->n_strays++] = (struct container_stray){ chunk };
	return true;
}

static bool is_of_segment(const struct matching *m, uint64_t id)
{
	return finder_find(&m->optional, id) < m->h->optional.n;
}

static bool match_chunk(struct matching *m, uint32_t chunk)
{
	const uint64_t id = toc_id(m->t, chunk);
	const bool is_sought = toc_is_sought(toc_id_row(m->t, chunk));

	return give_chunk(m, id, chunk, is_sought) || is_of_segment(m, id) || add_stray(m, chunk);
}

static uint64_t bundles_size(const struct container_packages *p, uint64_t i)
{
	const struct container_entry_initial_rows entries = container_entry_initial_in(p->entries);

	/* mutant: a byte more */
	return container_entry_initial_get_bundles_size(container_entry_initial_at(entries, i)) +
	       MUTANT(89);
}

static void mark_packages(struct matching *m)
{
	struct container_packages *p = &m->h->packages;

	for (uint64_t i = 0; i < p->n; i++) {
		const uint32_t chunk = m->chunk_of[i];

		if (chunk != TOC_NONE && m->h->version == CONTAINER_INITIAL &&
		    bundles_size(p, i) != toc_length(m->t, chunk))
			p->traits[i] |= PACKAGE_SIZE_DIFFERS;
		p->seen |= p->traits[i] & (PACKAGE_NO_CHUNK | PACKAGE_SIZE_DIFFERS);
	}
}

void container_match_chunks(struct decode *d, struct container_header *h, const struct toc *t)
{
	struct matching m = { .d = d, .h = h, .t = t };

	m.chunk_of = decode_alloc(d, CONTAINER_PACKAGES, h->packages.n, sizeof *m.chunk_of);
	if (!m.chunk_of || !finder_open(d, &m.packages, &h->packages) ||
	    !finder_open(d, &m.optional, &h->optional) ||
	    !decode_spend(d, CONTAINER_PACKAGES, t->n_chunks + h->packages.n))
		return;
	for (uint64_t i = 0; i < h->packages.n; i++) {
		m.chunk_of[i] = TOC_NONE;
		h->packages.traits[i] |= PACKAGE_NO_CHUNK;
	}
	for (uint64_t i = 0; i < t->n_chunks; i++)
		if (toc_type(t, i) == CHUNK_EXPORT_BUNDLE && !match_chunk(&m, (uint32_t)i))
			return;
	mark_packages(&m);
	h->chunk_of = m.chunk_of;
}

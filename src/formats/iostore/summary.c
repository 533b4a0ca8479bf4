/* What is kept of a container: its id, the packages that its own import and that it does not have,
 * and its chunks. */
#include "formats/iostore/summary.h"

#include "formats/iostore/container_header/walk.h"
#include "formats/iostore/facts.h"
#include "formats/summary.h"

/* ---- Chunks ---------------------------------------------------------------------------------- */

/* Where two containers have a chunk of one id, all twelve bytes of it, the engine takes one of
 * them. */
static void list_offers(const struct toc *t, struct decode *d, struct summary *out)
{
	const bool is_known = decode_has(d, UTOC_CHUNKS);
	const uint64_t n = is_known ? t->n_chunks : 0;

	summary_open(out, &out->offers, is_known, n);
	for (uint64_t i = 0; i < n && summary_goes_on(out, d, i); i++) {
		const struct utoc_chunk_id_row id = toc_id_row(t, i);

		summary_add_id(&out->offers, utoc_chunk_id_get_id(id), utoc_chunk_id_word(id, 2));
	}
}

/* ---- Imported packages ----------------------------------------------------------------------- */

/* Imports of packages that the container does not have, each as often as a package names it. */
struct imports {
	const struct container_header *header;
	uint64_t *ids; /* NULL: they are only counted */
	uint64_t n;
};

static void take_imports(struct imports *x, const struct container_package *p)
{
	const struct container_packages *own = &x->header->packages,
					*list = p->optional ? &x->header->optional : own;
	const struct held all = held_part(list->entries, p->imports.start,
					  p->imports.n * CONTAINER_IMPORT_LEN);
	const struct rows rows = { all.bytes, all.len / CONTAINER_IMPORT_LEN,
				   CONTAINER_IMPORT_LEN };

	for (uint64_t i = 0; i < rows.n; i++) {
		const uint64_t id = held_u64(rows_at(rows, i), 0);

		if (id == 0 || container_find(own, id) < own->n)
			continue;
		if (x->ids)
			x->ids[x->n] = id;
		x->n++;
	}
}

static void go_over_imports(const struct utoc *u, struct decode *d, struct summary *out,
			    struct imports *x)
{
	const struct container_header *h = &u->container_header;

	*x = (struct imports){ .header = h, .ids = x->ids };
	for (uint64_t i = 0; i < h->packages.n + h->optional.n && summary_goes_on(out, d, i); i++) {
		struct container_package p;

		container_view_packages(h, i, 1, &p);
		take_imports(x, &p);
	}
}

static uint64_t import_key(const void *imports, uint32_t i)
{
	const struct imports *x = imports;

	return x->ids[i];
}

/* Each package counts once. */
static void add_imports(struct summary *out, const struct imports *x)
{
	struct order o;

	if (!order_by_key(out->arena, x, (uint32_t)x->n, import_key, &o)) {
		out->gaps |= SUMMARY_NO_MEMORY;
		return;
	}
	for (uint32_t i = 0; i < o.n; i++) {
		const uint64_t id = x->ids[order_row(&o, i)];

		if (i == 0 || id != x->ids[order_row(&o, i - 1)])
			summary_add_id(&out->needs, id, 0);
	}
}

static void sort_imports(const struct utoc *u, struct decode *d, struct summary *out, uint64_t n)
{
	const struct arena_mark mark = arena_mark(out->arena);
	struct imports x = { .ids = NULL };

	if (n <= UINT32_MAX)
		x.ids = arena_alloc(out->arena, n, sizeof *x.ids);
	if (x.ids) {
		go_over_imports(u, d, out, &x);
		add_imports(out, &x);
	} else {
		out->gaps |= SUMMARY_NO_MEMORY;
	}
	arena_rewind(out->arena, mark);
}

/* A container without a header says nothing of what it needs. */
static void list_needs(const struct utoc *u, struct decode *d, struct summary *out)
{
	const bool is_known = decode_has(d, CONTAINER_PACKAGES);
	struct imports x = { .ids = NULL };

	if (is_known && u->container_header.chunk == TOC_NONE)
		return;
	if (is_known)
		go_over_imports(u, d, out, &x);
	summary_open(out, &out->needs, is_known, x.n);
	if (x.n > 0)
		sort_imports(u, d, out, x.n);
}

/* ---- All of it ------------------------------------------------------------------------------- */

void utoc_summary(const void *facts, struct decode *d, struct summary *out)
{
	const struct utoc *u = facts;

	if (decode_has(d, UTOC_HEADER) && u->toc.header.container_id != TOC_NO_CONTAINER) {
		out->identity = SUMMARY_CONTAINER;
		out->container = u->toc.header.container_id;
	}
	out->is_container = true;
	if (decode_has(d, CONTAINER_HEAD) && u->container_header.chunk != TOC_NONE)
		out->header = (uint64_t)(u->container_header.version + 2);
	if (out->for_sets)
		return;
	list_needs(u, d, out);
	list_offers(&u->toc, d, out);
	out->n_imports = out->needs.n;
	out->n_exports = out->offers.n;
}

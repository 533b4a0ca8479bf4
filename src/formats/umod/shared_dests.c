/* File= and Copy= lines that install different members under one name. */
#include "formats/umod/install.h"

static const struct manifest_copy *copy_row(const struct manifest *m, uint32_t i)
{
	return MANIFEST_ROW(m, copies, manifest_copy, i);
}

static struct text destination(const struct manifest *m, const struct manifest_copy *c)
{
	return manifest_part(m, MANIFEST_INI, c->to, c->n_units_dest / 2);
}

static int compare_dests(const void *manifest, uint32_t a, uint32_t b)
{
	return path_compare(destination(manifest, copy_row(manifest, a)),
			    destination(manifest, copy_row(manifest, b)));
}

/* The Src of a copy, and its line. Both are read from the text again when they are needed. */
struct origin {
	struct manifest_line line;
	struct text_ref src;
};

static struct origin read_origin(const struct manifest *m, const struct manifest_copy *c)
{
	struct manifest_line line = manifest_line_around(m, MANIFEST_INI, c->to);
	const struct text list = install_value(m, &line);
	struct tuple_search search = { .found.line = &line };
	struct manifest_tuple t = { .line = &line };

	install_read_list(&list, &t);
	if (t.has[TUPLE_SRC])
		return (struct origin){ line, t.text[TUPLE_SRC] };
	install_search_list(&list, &search);
	return (struct origin){ line, search.found.text[TUPLE_SRC] };
}

/* A run is copies with the same destination. The first one is read only once, because its line may
 * be long and there may be many others. */
struct run {
	const struct manifest_copy *first;
	struct origin origin;
	bool is_read;
};

static bool compare_origins(struct decode *d, struct manifest *m, struct run *run,
			    const struct manifest_copy *c)
{
	struct origin own;

	if (!(run->first->n_units_dest & 1) && !(c->n_units_dest & 1))
		return true; /* both are installed as their Src, so that is the same */
	if (!run->is_read)
		run->origin = read_origin(m, run->first);
	run->is_read = true;
	own = read_origin(m, c);
	if (path_compare(manifest_text(m, MANIFEST_INI, run->origin.src),
			 manifest_text(m, MANIFEST_INI, own.src)) == 0)
		return true;
	return manifest_note_line(d, m, DEFECT_DEST_SHARED,
				  &(struct manifest_note){
					  .line = own.line,
					  .at = destination(m, c).ref,
					  .text = own.src,
					  .first = destination(m, run->first).ref,
					  .first_src = run->origin.src,
					  .first_number = run->origin.line.number,
				  });
}

static bool find_dest_clashes(struct decode *d, struct manifest *m, const struct order *by_dest)
{
	uint32_t first = order_row(by_dest, 0);
	struct run run = { .first = copy_row(m, first) };

	for (uint32_t i = 1; i < by_dest->n; i++) {
		const uint32_t row = order_row(by_dest, i);

		if (m->dest_hashes[first] != m->dest_hashes[row] ||
		    compare_dests(m, first, row) != 0) {
			first = row;
			run = (struct run){ .first = copy_row(m, first) };
		} else if (!compare_origins(d, m, &run, copy_row(m, row))) {
			return false;
		}
	}
	return true;
}

bool install_find_shared_dests(struct decode *d, struct manifest *m)
{
	struct order by_dest;

	if (!order_suspects(d->arena, m->dest_hashes, m->copies.n, m, compare_dests, &by_dest))
		return decode_stop(d, UMOD_MANIFEST, STOP_MEMORY, (struct span){ 0, 0 });
	return by_dest.n_ties == 0 || find_dest_clashes(d, m, &by_dest);
}

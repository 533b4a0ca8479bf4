/* The names of localized packages and redirects: a batch. Source: conformance/spec/iostore.md, 8.8
 * and 9. */
#include "formats/iostore/container_header/walk.h"

/* The walk has found the batch of UE5. */
static bool find_names(struct container_header *h)
{
	const struct container_part *p = &h->walk.parts[PART_NAMES],
				    *hashes = &h->walk.parts[PART_HASHES];

	if (h->version > CONTAINER_INITIAL)
		return true;
	return names_find_interleaved(&h->names, h->held, (struct span){ p->at, p->len },
				      held_part(h->held, hashes->at, hashes->len), hashes->at);
}

void container_read_names(struct decode *d, struct container_header *h)
{
	struct name_batch *b = &h->names;

	if (!find_names(h)) {
		decode_stop(d, CONTAINER_NAMES, STOP_MALFORMED, h->id_at);
		return;
	}
	if (b->n > d->limits->of[LIMIT_entries]) {
		decode_stop_limit(d, CONTAINER_NAMES, LIMIT_entries, h->id_at);
		return;
	}
	if (!decode_spend(d, CONTAINER_NAMES, b->n))
		return;
	if (!names_read(b, d->arena, true))
		decode_stop(d, CONTAINER_NAMES, STOP_MEMORY, h->id_at);
	else if (b->defects & BATCH_SUM)
		decode_stop(d, CONTAINER_NAMES, STOP_MALFORMED, h->id_at);
}

/* Summaries: texts, lists, and the list of all of them. */
#include "formats/summary.h"

/* ---- All of them ----------------------------------------------------------------------------- */

struct summary *summaries_add(struct summaries *all, const struct format *f, struct text name)
{
	struct summary *s = arena_alloc(all->arena, 1, sizeof *s);

	if (!s) {
		all->n_lost++;
		return NULL;
	}
	*s = (struct summary){ .arena = all->arena,
			       .format = f,
			       .name = summary_text_of(name),
			       .for_sets = all->for_sets };
	if (all->last)
		all->last->next = s;
	else
		all->first = s;
	all->last = s;
	all->n++;
	return s;
}

static bool is_trouble(enum stop_why why)
{
	return why == STOP_MALFORMED || why == STOP_UNSUPPORTED || why == STOP_LIMIT ||
	       why == STOP_MEMORY || why == STOP_INPUT;
}

void summary_note_stops(struct summary *s, const struct decode *d)
{
	for (uint32_t g = 0; g < s->format->n_groups; g++)
		if (is_trouble(d->groups[g].why))
			s->gaps |= SUMMARY_DOUBTED;
}

bool summary_goes_on(struct summary *s, struct decode *d, uint64_t row)
{
	if (row % DECODE_POLL != 0 || work_spend(&d->work, 0))
		return true;
	s->gaps |= SUMMARY_UNREAD;
	return false;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

UVET_WRAPS uint64_t summary_hash(struct text t)
{
	const uint32_t n = t.ref.n_units < SUMMARY_HASHED ? t.ref.n_units : SUMMARY_HASHED;
	uint64_t hash = hash_mix(0, t.ref.n_units);

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t c = text_unit(t, i);

		hash = hash_mix(hash, c == '/' ? '\\' : text_fold(c));
	}
	return hash;
}

struct summary_text summary_text_of(struct text t)
{
	uint8_t utf8[4 * SUMMARY_TEXT];
	struct summary_text out = { .hash = summary_hash(t) };
	size_t len = text_utf8(t, SUMMARY_TEXT, utf8, &out.whole);

	if (len > SUMMARY_TEXT) {
		out.whole = false;
		/* a byte inside a character */
		for (len = SUMMARY_TEXT; (utf8[len] & 0xC0) == 0x80;)
			len--;
	}
	memcpy(out.utf8, utf8, len);
	out.len = (uint8_t)len;
	return out;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

void summary_open(struct summary *s, struct summary_list *list, bool is_known, uint64_t most)
{
	const uint64_t kept = most < SUMMARY_ROWS ? most : SUMMARY_ROWS;

	*list = (struct summary_list){ .is_known = is_known };
	if (!is_known) {
		s->gaps |= SUMMARY_UNREAD;
		return;
	}
	list->rows = arena_alloc(s->arena, kept, sizeof *list->rows);
	if (list->rows)
		list->max_rows = (uint32_t)kept;
	else
		s->gaps |= SUMMARY_NO_MEMORY;
}

/* Sums do not depend on the order, and unlike an exclusive or they count rows that are the same. */
UVET_WRAPS static struct summary_row *add_row(struct summary_list *list, uint64_t hash)
{
	struct summary_row *row;

	list->n++;
	list->hash += hash;
	if (list->n_rows == list->max_rows)
		return NULL;
	row = &list->rows[list->n_rows++];
	*row = (struct summary_row){ .hash = hash };
	return row;
}

void summary_add_name(struct summary_list *list, struct text name, uint64_t more)
{
	struct summary_row *row = add_row(list, hash_mix(summary_hash(name), more));

	if (row)
		row->name = summary_text_of(name);
}

void summary_add_id(struct summary_list *list, uint64_t id, uint64_t more)
{
	struct summary_row *row = add_row(list, hash_mix(hash_mix(0, id), more));

	if (row)
		row->id = id;
}

/* Long indexes: compact indexes of the tables that are not written in the shortest way. */
#include "formats/upkg/tables/indexes.h"

#include "core/mutant.h"
#include "formats/upkg/tables/tables.h"

/* A walk over the rows of a table. */
struct walk {
	const struct decode *d;
	struct upkg *u;
	enum upkg_table_number number;
	uint32_t row;
	uint32_t left; /* long indexes that are still to be met */
};

static void note_index(struct walk *w, const struct layout_value *v, struct cursor c)
{
	const uint64_t at = cursor_at(&c);
	enum index_form form;
	int64_t value;

	if (v->field->wire != LAYOUT_index && v->field->wire != LAYOUT_string)
		return;
	if (cursor_index_form(&c, &value, &form) != INDEX_OK || form == INDEX_MINIMAL)
		return;
	w->left--;
	upkg_add_long_index(w->d, w->u, (struct span){ at, cursor_at(&c) - at }, form, w->number,
			    w->row);
}

/* Walks the fields of one record. It returns the value of the last one. */
static int64_t note_record(struct walk *w, const struct layout *l, struct cursor *c)
{
	struct layout_value v = { 0 };
	struct cursor before = *c;

	for (size_t i = 0; layout_walk(l, w->u->tag.version, c, &i, &v); before = *c)
		note_index(w, &v, before);
	return v.number;
}

/* The table is read again for it, and only if it has long indexes: u->long_counts says how many. */
bool upkg_list_long_indexes(struct decode *d, struct upkg *u, enum upkg_table_number number,
			    struct cursor window)
{
	struct walk w = { .d = d, .u = u, .number = number, .left = u->long_counts[number] };
	const uint64_t n = u->n_long_indexes + keep_most(d, w.left, 2);
	const enum upkg_group group = upkg_group_of(number);
	/* mutant: one less */
	struct upkg_long_index *list = decode_alloc(d, group, n - (uint64_t)MUTANT(64),
						    sizeof *list);

	if (!list)
		return false;
	if (u->n_long_indexes > 0)
		memcpy(list, u->long_indexes, u->n_long_indexes * sizeof *list);
	u->long_indexes = list;
	u->max_long_indexes = n;
	for (; w.left > 0; w.row++)
		if (note_record(&w, upkg_entry_layout(number), &window) != 0 &&
		    number == TABLE_EXPORTS)
			note_record(&w, &upkg_export_place_layout, &window);
	return true;
}

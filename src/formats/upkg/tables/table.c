/* Reading tables: windows that grow, stops, and the indexes that are not written in the shortest way. */
#include "formats/upkg/tables/table.h"

#include "core/mutant.h"
#include "formats/upkg/header/file.h"

/* What the first window has for each row, in bytes, where the end of the table is not known. Names of real packages have 15 on average. */
#define ROW_GUESS ((uint64_t)20)
#define WINDOW_MIN ((uint64_t)4096)

static enum upkg_group group_of(enum upkg_table_number number)
{
	static const enum upkg_group groups[N_UPKG_TABLES] = { UPKG_NAMES, UPKG_IMPORTS, UPKG_EXPORTS };

	return groups[number];
}

/* The nearest place behind a table where something else begins. In real files that is where imports and exports end. */
static uint64_t next_start(const struct upkg *u, uint64_t at)
{
	uint64_t next = u->limit;

	for (unsigned t = 0; t < N_UPKG_TABLES; t++)
		if (u->tables[t].n > 0 && u->tables[t].at > at && u->tables[t].at < next)
			next = u->tables[t].at;
	return next;
}

static uint64_t first_window(const struct decode *d, const struct upkg *u, const struct upkg_table *t)
{
	const uint64_t first = upkg_first_window(d), held = t->at < first ? first - t->at : WINDOW_MIN;
	const uint64_t least = d->source->window_len < held ? d->source->window_len : held;
	uint64_t guess = t->n * ROW_GUESS, room = next_start(u, t->at) - t->at;

	if (guess < least)
		guess = least;
	return guess < room ? guess : room;
}

static const struct layout *entry_layout(enum upkg_table_number number)
{
	static const struct layout *const layouts[N_UPKG_TABLES] = {
		&upkg_name_entry_layout, &upkg_import_entry_layout, &upkg_export_entry_layout,
	};

	return layouts[number];
}

static uint8_t fifth_byte(struct cursor c)
{
	return (uint8_t)held_u8(cursor_part(&c, cursor_at(&c), 5), 4);
}

/* Says why a row at c, in a window to the end of the file, cannot be read. */
static void explain_cut(const struct upkg *u, enum upkg_table_number number, struct cursor c, struct upkg_stop *stop)
{
	const struct layout *l = entry_layout(number);
	struct layout_value v;
	enum layout_wire wire;
	enum index_form form;
	int64_t value;
	size_t i = 0;

	while (layout_walk(l, u->tag.version, &c, &i, &v)) {}
	wire = v.field ? v.field->wire : upkg_export_place_layout.fields->wire;         /* all of an export but its offset */
	stop->cut = wire == LAYOUT_zstring ? CUT_NO_NUL : CUT_ROW;
	stop->index_at = cursor_at(&c);
	if (wire != LAYOUT_index && wire != LAYOUT_string)
		return;
	stop->fifth = fifth_byte(c);
	switch (cursor_index_form(&c, &value, &form)) {
	case INDEX_SHORT:                               /* without a byte there is no index that could be cut */
		stop->cut = MUTANT(62) ? CUT_NOT : cursor_left(&c) > 0 ? CUT_INDEX : CUT_ROW;   /* mutant: a cut is silence */
		return;
	case INDEX_ILLEGAL:
		stop->cut = CUT_ILLEGAL;
		return;
	case INDEX_OK:                                  /* the text behind it does not fit */
		return;
	}
}

/* What no longer window mends. */
static bool is_illegal(const struct upkg *u, enum upkg_table_number number, struct cursor c)
{
	struct upkg_stop stop = { .cut = CUT_NOT };

	explain_cut(u, number, c, &stop);
	return stop.cut == CUT_ILLEGAL;
}

static bool stop_table(struct decode *d, struct upkg *u, enum upkg_table_number number, uint32_t row, struct cursor c)
{
	struct span left = { cursor_at(&c), cursor_left(&c) };

	u->stops[number] = (struct upkg_stop){ .row = row, .at = left };
	explain_cut(u, number, c, &u->stops[number]);
	return decode_stop(d, group_of(number), STOP_MALFORMED, left);
}

bool upkg_read_table(struct decode *d, struct upkg *u, enum upkg_table_number number, row_reader *read, struct cursor *window)
{
	struct upkg_table *t = &u->tables[number];
	struct span all = { t->at, u->limit - t->at - MUTANT(55) };     /* mutant: the last byte is no table's */
	uint32_t done = 0;
	struct cursor c;

	t->end = t->at;
	*window = cursor_init(NULL, 0, 0);
	if (t->n == 0)
		return true;
	if (!decode_spend(d, group_of(number), t->n))
		return false;
	for (uint64_t len = first_window(d, u, t);; len = len < all.len / 4 ? len * 4 : all.len) {
		if (!decode_window(d, group_of(number), (struct span){ all.at, len }, window))
			return false;
		c = *window;
		if (!cursor_seek(&c, t->end))
			return stop_table(d, u, number, done, c);
		done = read(u, &c, done, t->n);
		t->end = cursor_at(&c);
		if (done == t->n)
			return true;
		if (len == all.len || is_illegal(u, number, c))
			return stop_table(d, u, number, done, c);
	}
}

/* ---- Odd indexes ------------------------------------------------------------------------------------------------------- */

/* What is noted is that there is one, in a row of its own or in another's. */
struct odd_walk {
	const struct decode *d;
	struct upkg *u;
	enum upkg_table_number number;
	uint32_t row;
	uint32_t left;                          /* odd indexes that are still to be met */
};

static void note_index(struct odd_walk *w, const struct layout_value *v, struct cursor c)
{
	const uint64_t at = cursor_at(&c);
	struct keep *keep;
	enum index_form form;
	int64_t value;

	if (v->field->wire != LAYOUT_index && v->field->wire != LAYOUT_string)
		return;
	if (cursor_index_form(&c, &value, &form) != INDEX_OK || form == INDEX_MINIMAL)
		return;
	w->left--;
	keep = &w->u->odd_keeps[form == INDEX_NEGATIVE_ZERO];
	if (keep_row(w->d, keep, w->u->n_odd_indexes))
		w->u->odd_indexes[w->u->n_odd_indexes++] = (struct upkg_odd_index){
			.at = (uint32_t)at,
			.len = (uint8_t)(cursor_at(&c) - at),
			.negative_zero = form == INDEX_NEGATIVE_ZERO,
			.table = (uint8_t)w->number,
			.row = w->row,
		};
	else
		w->u->odd_indexes[keep->last].n_more++;
}

/* Walks the fields of one record. It returns the value of the last one. */
static int64_t note_record(struct odd_walk *w, const struct layout *l, struct cursor *c)
{
	struct layout_value v = { 0 };
	struct cursor before = *c;

	for (size_t i = 0; layout_walk(l, w->u->tag.version, c, &i, &v); before = *c)
		note_index(w, &v, before);
	return v.number;
}

/* The table is walked once more, and only when it has odd indexes: u->odd_counts says how many. */
bool upkg_list_odd_indexes(struct decode *d, struct upkg *u, enum upkg_table_number number, struct cursor window)
{
	struct odd_walk w = { .d = d, .u = u, .number = number, .left = u->odd_counts[number] };
	const uint64_t n = u->n_odd_indexes + keep_most(d, w.left, 2);
	struct upkg_odd_index *list = decode_alloc(d, group_of(number), n - (uint64_t)MUTANT(64), sizeof *list); /* mutant: one less */

	if (!list)
		return false;
	if (u->n_odd_indexes > 0)
		memcpy(list, u->odd_indexes, u->n_odd_indexes * sizeof *list);
	u->odd_indexes = list;
	u->max_odd_indexes = n;
	for (; w.left > 0; w.row++)
		if (note_record(&w, entry_layout(number), &window) != 0 && number == TABLE_EXPORTS)
			note_record(&w, &upkg_export_place_layout, &window);
	return true;
}

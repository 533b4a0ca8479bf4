/* Reading a table: windows that grow, and why it stops. */
#include "formats/upkg/tables/table.h"

#include "core/mutant.h"
#include "formats/upkg/header/file.h"
#include "formats/upkg/tables/tables.h"

/* What the first window has for each row, in bytes, where the end of the table is not known. Names
 * of real packages have 15 on average. */
#define ROW_GUESS ((uint64_t)20)
#define WINDOW_MIN ((uint64_t)4096)

/* The nearest place after `at` where another table begins. In real files imports and exports end
 * there. */
static uint64_t next_start(const struct upkg *u, uint64_t at)
{
	uint64_t next = u->limit;

	for (unsigned t = 0; t < N_UPKG_TABLES; t++)
		if (u->tables[t].n > 0 && u->tables[t].at > at && u->tables[t].at < next)
			next = u->tables[t].at;
	return next;
}

static uint64_t first_window(const struct decode *d, const struct upkg *u,
			     const struct upkg_table *t)
{
	const uint64_t first = upkg_first_window(d),
		       held = t->at < first ? first - t->at : WINDOW_MIN;
	const uint64_t least = d->source->window_len < held ? d->source->window_len : held;
	const uint64_t most = next_start(u, t->at) - t->at;
	uint64_t guess = t->n * ROW_GUESS;

	if (guess < least)
		guess = least;
	return guess < most ? guess : most;
}

static uint8_t fifth_byte(struct cursor c)
{
	return (uint8_t)held_u8(cursor_part(&c, cursor_at(&c), 5), 4);
}

/* Says why a row at c, in a window to the end of the file, cannot be read. */
static void explain_stop(const struct upkg *u, enum upkg_table_number number, struct cursor c,
			 struct upkg_stop *stop)
{
	static const uint32_t cut[N_UPKG_TABLES] = { CUT_NAME, CUT_IMPORT, CUT_EXPORT };
	const struct layout *l = upkg_entry_layout(number);
	struct layout_value v;
	enum layout_wire wire;
	enum index_form form;
	int64_t value;
	size_t i = 0;

	while (layout_walk(l, u->tag.version, &c, &i, &v)) {
	}
	/* all of an export was read but its offset */
	wire = v.field ? v.field->wire : upkg_export_place_layout.fields->wire;
	stop->traits = wire == LAYOUT_zstring ? CUT_NO_NUL : cut[number];
	stop->index_at = cursor_at(&c);
	if (wire != LAYOUT_index && wire != LAYOUT_string)
		return;
	stop->fifth = fifth_byte(c);
	switch (cursor_index_form(&c, &value, &form)) {
	case INDEX_SHORT: /* without a byte there is no index that could be truncated */
		if (cursor_left(&c) > 0)
			stop->traits = CUT_INDEX;
		stop->traits *= !MUTANT(62); /* mutant: a cut is silence */
		return;
	case INDEX_ILLEGAL:
		stop->traits = (stop->fifth & 0xE0) != 0 ? CUT_INDEX_BITS : CUT_INDEX_RANGE;
		return;
	case INDEX_OK: /* the text after it does not fit */
		return;
	}
}

/* Tells whether a row at c has an index that a longer window cannot make one. */
static bool is_illegal(const struct upkg *u, enum upkg_table_number number, struct cursor c)
{
	struct upkg_stop stop = { .traits = 0 };

	explain_stop(u, number, c, &stop);
	return (stop.traits & (CUT_INDEX_BITS | CUT_INDEX_RANGE)) != 0;
}

static bool stop_table(struct decode *d, struct upkg *u, enum upkg_table_number number,
		       uint32_t row, struct cursor c)
{
	struct span left = { cursor_at(&c), cursor_left(&c) };

	u->stops[number] = (struct upkg_stop){ .row = row, .at = left };
	explain_stop(u, number, c, &u->stops[number]);
	u->stop_traits |= u->stops[number].traits;
	return decode_stop(d, upkg_group_of(number), STOP_MALFORMED, left);
}

bool upkg_read_table(struct decode *d, struct upkg *u, enum upkg_table_number number,
		     row_reader *read, struct cursor *window)
{
	struct upkg_table *t = &u->tables[number];
	/* mutant: the last byte is no table's */
	struct span all = { t->at, u->limit - t->at - MUTANT(55) };
	uint32_t done = 0;
	struct cursor c;

	t->end = t->at;
	*window = cursor_init(NULL, 0, 0);
	if (t->n == 0)
		return true;
	if (!decode_spend(d, upkg_group_of(number), t->n))
		return false;
	for (uint64_t len = first_window(d, u, t);; len = len < all.len / 4 ? len * 4 : all.len) {
		if (!decode_window(d, upkg_group_of(number), (struct span){ all.at, len }, window))
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

/* The plan of an input: which fields, rows and parts lie where. Edits move what follows them, and
 * what points there. */
#ifndef UVET_FUZZ_MUTATE_MUTATE_PLAN_H
#define UVET_FUZZ_MUTATE_MUTATE_PLAN_H

#include "formats/format.h"
#include "mutate/mutate_format.h"

enum { FIELDS_MAX = 2048, ROWS_MAX = 512, PARTS_MAX = 512 };

#define NO_ROW UINT64_MAX

/* A field is an integer, an index or a text of a record. It has the number of the row that it is
 * in, or NO_ROW. */
struct field {
	struct span at;
	enum layout_wire wire;
	enum layout_kind kind;
	const char *name;
	uint64_t row;
	int64_t off; /* what is added to an index when all edits are done */
};

/* A row is one or more records, one after another, that have the same label and number. */
struct row {
	struct span at;
	const char *label;
	uint64_t number;
};

/* A plan is what lies where in an input. A part is a piece of payload, with the number of the row
 * that describes it. */
struct plan {
	const struct mutate_format *format;
	uint8_t *data;
	size_t size, max;
	struct dice *dice;
	struct field fields[FIELDS_MAX];
	size_t n_fields;
	struct row rows[ROWS_MAX];
	size_t n_rows;
	struct {
		struct span at;
		uint64_t row;
	} parts[PARTS_MAX];
	size_t n_parts;
};

/* plan_draw draws the plan of an input, which edits will change in place to at most max bytes. It
 * returns false where the format's map shows no field. */
bool plan_draw(struct plan *p, const struct format *f, uint8_t *data, size_t size, size_t max,
	       struct dice *dice);

/* plan_width is the number of bytes of a number, and 0 for what has no fixed width. plan_get and
 * plan_put read and write such a number; what lies outside of the input is 0, and stays. */
uint64_t plan_width(const struct field *f);
uint64_t plan_get(const struct plan *p, const struct field *f);
void plan_put(struct plan *p, const struct field *f, uint64_t v);

/* plan_index reads an index, and plan_put_index puts another in its place, which may be longer or
 * shorter. plan_write_index writes an index in as many bytes as it needs, or now and then more, and
 * returns their number. */
int64_t plan_index(const struct plan *p, const struct field *f);
void plan_put_index(struct plan *p, struct field *f, int64_t value);
size_t plan_write_index(struct plan *p, int64_t value, uint8_t out[5]);

/* plan_edit replaces n bytes at `at` by m others, unless they have no room. Indexes that point
 * after them follow in plan_settle, which is called when all edits are done. */
void plan_edit(struct plan *p, uint64_t at, uint64_t n, const uint8_t *bytes, uint64_t m);
void plan_settle(struct plan *p);

/* plan_add_to_count adds to the number of rows with that label, seven times in eight. */
void plan_add_to_count(struct plan *p, const char *label, int64_t by);

#endif

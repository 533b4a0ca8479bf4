/* The family CIX: compact indexes of the tables. */
#include "formats/upkg/facts.h"
#include "rule/finding.h"

#define TABLE_GROUPS (BIT(UPKG_NAMES) | BIT(UPKG_IMPORTS) | BIT(UPKG_EXPORTS))

static const char *const row_names[N_UPKG_TABLES + 1] = {
	[TABLE_NAMES] = "name",
	[TABLE_IMPORTS] = "import",
	[TABLE_EXPORTS] = "export",
	[N_UPKG_TABLES] = "the body of export",
};

static struct arg row_name(const struct check *c, const struct upkg_stop *s)
{
	return WORD(row_names[s - ((const struct upkg *)c->facts)->stops]);
}

DEFECT_RULE(CIX001, index_truncated, ERROR, UPKG_STOP_ROWS, s, CUT_INDEX,
     .class   = CLASS_CORRUPTION, .explains = TABLE_GROUPS,
     .title   = "A compact index shall end inside the file.",
     .message = "an index of {0} {1} at {2} is truncated by the end of the file",
     .data    = "table row at",
     .why     = "The game cannot read the rest of the table and refuses the package or crashes. "
                "The file is truncated, or bytes before the index were changed.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#3.1")
{
	const struct upkg *u = c->facts;

	report(c, AT_SPAN(s->index_at, u->size - s->index_at), row_name(c, s), DEC(s->row),
	       HEX(s->index_at));
}

DEFECT_RULE(CIX002, index_exceeds_32_bits, ERROR, UPKG_STOP_ROWS, s, CUT_INDEX_BITS,
     .class   = CLASS_SECURITY, .explains = TABLE_GROUPS,
     .title   = "The fifth byte of a compact index shall be below 0x20.",
     .message = "the fifth byte of an index of {0} {1} is {2}, expected less than 0x20",
     .data    = "table row byte",
     .why     = "Engines and tools treat such a byte differently, so that they read different "
                "values. Most often the file was damaged.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#3.2")
{
	report(c, AT_SPAN(s->index_at, 5), row_name(c, s), DEC(s->row), HEX(s->fifth));
}

DEFECT_RULE(CIX003, index_out_of_range, ERROR, UPKG_STOP_ROWS, s, CUT_INDEX_RANGE,
     .class   = CLASS_SECURITY, .explains = TABLE_GROUPS,
     .title   = "The fifth byte of a compact index shall be below 0x10, or be that of -2147483648.",
     .message = "the fifth byte of an index of {0} {1} is {2}, expected less than 0x10",
     .data    = "table row byte",
     .why     = "The value does not fit a signed 32-bit number, so that engines and tools read "
                "different values. Most often the file was damaged.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#3.2")
{
	report(c, AT_SPAN(s->index_at, 5), row_name(c, s), DEC(s->row), HEX(s->fifth));
}

DEFECT_RULE(CIX004, index_too_long, NOTE, UPKG_LONG_INDEX_ROWS, i, INDEX_LONG,
     .class   = CLASS_HYGIENE, .also = TABLE_GROUPS,
     .title   = "A compact index should be written in as few bytes as it needs.",
     .message = "an index of {0} {1} takes {2} {2:byte|bytes}, fewer are enough",
     .data    = "table row len",
     .why     = "The game loads it, but no engine saves it so: another tool rewrote the package, "
                "and tools that compare bytes are misled.",
     .fix     = "None is needed if it works. Its author can save the package again in UnrealEd or "
                "with ucc.",
     .spec    = "upkg.md#3.3")
{
	report(c, counted(AT_SPAN(i->at, i->len), i->n_more), WORD(row_names[i->table]),
	       DEC(i->row), DEC(i->len));
}

DEFECT_RULE(CIX005, index_negative_zero, NOTE, UPKG_LONG_INDEX_ROWS, i, INDEX_ZERO_SIGNED,
     .class   = CLASS_HYGIENE, .also = TABLE_GROUPS,
     .title   = "A compact index of 0 should not have the sign of a negative number.",
     .message = "an index of {0} {1} is -0, expected 0",
     .data    = "table row",
     .why     = "No engine saves it so, and a tool that looks at the sign first takes the index "
                "for a reference to an import.",
     .fix     = "None is needed if it works. Its author can save the package again in UnrealEd or "
                "with ucc.",
     .spec    = "upkg.md#3.3")
{
	report(c, counted(AT_SPAN(i->at, i->len), i->n_more), WORD(row_names[i->table]),
	       DEC(i->row));
}

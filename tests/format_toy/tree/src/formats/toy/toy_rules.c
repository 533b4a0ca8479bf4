/* The rules for toy shops. */
#include "formats/toy/toy.h"
#include "rule/finding.h"

RULE(TOY001, toy_magic_missing, ERROR, TOY_FILE,
     .class   = CLASS_CORRUPTION, .explains = BIT(TOY_TAG),
     .title   = "A .toy shall begin with its magic number and a version.",
     .message = "the file has {0}, and does not begin with 0x21594F54 and a version",
     .data    = "size",
     .why     = "The game takes it for a file of another kind.",
     .fix     = "Get the file again.",
     .spec    = "toy.md#1.1")
{
	const struct toy *t = c->facts;

	if (t->groups[TOY_TAG].why == STOP_MALFORMED)
		report(c, AT_SPAN(0, t->size < toy_tag_fixed_len ? t->size : toy_tag_fixed_len),
		       SIZE(t->size));
}

RULE(TOY002, toy_version_unsupported, UNDETERMINED, TOY_TAG,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(TOY_HEADER),
     .title   = "The version of a .toy shall be 1 or 2.",
     .message = "version {0} is not known",
     .data    = "version",
     .why     = "What lies after the version cannot be judged.",
     .fix     = "Use a newer uvet, if there is one that knows this version.",
     .spec    = "toy.md#1.2")
{
	const struct toy *t = c->facts;

	if (t->groups[TOY_HEADER].why == STOP_UNSUPPORTED)
		report(c, AT(c, toy_tag, &t->tag, version), DEC(t->tag.version));
}

RULE(TOY003, toy_truncated, ERROR, TOY_TAG,
     .class   = CLASS_CORRUPTION, .explains = BIT(TOY_HEADER) | BIT(TOY_ITEMS),
     .title   = "A .toy shall have its whole header, as many items as that counts, and a trailer.",
     .message = "{0} {0:is|are} left at {1}, which {0:is|are} too few",
     .data    = "left at",
     .why     = "The game meets the end of the file and stops; most often the download was cut.",
     .fix     = "Get the file again.",
     .spec    = "toy.md#1.3")
{
	const struct toy *t = c->facts;

	if (t->is_truncated)
		report(c, AT_SPAN(t->end, t->size - t->end), SIZE(t->size - t->end), HEX(t->end));
}

/* Rows lie one after another, after the header. */
static struct place item_place(struct check *c, const struct toy_row *row,
			       enum toy_item_fields field)
{
	const struct toy *t = c->facts;
	const uint64_t number = (uint64_t)(row - t->rows);

	return check_place(c, &toy_item_layout, row, t->end + number * t->item_len, field);
}

EACH(TOY004, item_ids_unsorted, ERROR, TOY_ROWS, row,
     .class   = CLASS_CORRUPTION,
     .title   = "The id of an item shall be above that of the item before it.",
     .message = "id {0} is not above {1}, the one before it",
     .data    = "id before",
     .why     = "The game searches the table by halves, and does not find the item.",
     .fix     = "Sort the items by their ids.",
     .spec    = "toy.md#2.1")
{
	const struct toy *t = c->facts;

	if (row > t->rows && row->id <= row[-1].id)
		report(c, item_place(c, row, toy_item_field_id), DEC(row->id), DEC(row[-1].id));
}

DEFECT_RULE(TOY005, price_zero, WARNING, TOY_ROWS, row, TOY_IS_FREE,
     .class   = CLASS_HYGIENE,
     .title   = "The price of an item should be above 0.",
     .message = "item {0} has the price 0",
     .data    = "id",
     .why     = "Players cannot buy it: the shop leaves it out.",
     .fix     = "Give it a price, or remove it.",
     .spec    = "toy.md#2.2")
{
	report(c, item_place(c, row, toy_item_field_price), DEC(row->id));
}

RULE(TOY006, toy_size_mismatch, ERROR, TOY_ITEMS,
     .class   = CLASS_CORRUPTION,
     .title   = "The trailer shall be the end of the file, and say how long that is.",
     .message = "the trailer ends at {0} and stores the size {1}, the file has {2}",
     .data    = "end stored size",
     .why     = "The game refuses the file.",
     .fix     = "Get the file again.",
     .spec    = "toy.md#3.1")
{
	const struct toy *t = c->facts;
	const uint64_t end = t->trailer.at + toy_trailer_fixed_len;

	if (end != t->size || t->trailer.size != t->size)
		report(c, AT(c, toy_trailer, &t->trailer, size), HEX(end), SIZE(t->trailer.size),
		       SIZE(t->size));
}

/* Of the family HDR the rules of how header, tables and bodies lie in the file. */
#include "formats/upkg/facts.h"
#include "rule/finding.h"

FILE_DEFECT_RULE(HDR020, names_elsewhere, WARNING, UPKG_REGIONS, upkg, u, FILE_LATE_NAMES,
		 .class = CLASS_HYGIENE,
		 .title = "The names should be the first of what follows the header.",
		 .message = "the names begin at {0}, after other parts; the header ends at {1}",
		 .data = "offset header_end",
		 .why = "Every engine writes them there: the package was protected or rewritten.",
		 .fix = "Use the package as its author saved it.", .spec = "upkg.md#2.10")
{
	report(c, AT(c, upkg_header, &u->header, name_offset), HEX(u->tables[TABLE_NAMES].at),
	       HEX(u->header_end));
}

static const char *const region_names[] = {
	[REGION_HEADER] = "the header",   [REGION_HERITAGE] = "the heritage",
	[REGION_NAMES] = "the names",     [REGION_IMPORTS] = "the imports",
	[REGION_EXPORTS] = "the exports", [REGION_BODY] = "a body",
};

DEFECT_RULE(HDR022, parts_overlap, ERROR, UPKG_OVERLAP_ROWS, o, OVERLAP_TABLES,
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_REGIONS),
     .title   = "The header and the tables shall not overlap.",
     .message = "{0}, from {1} on, and {2}, up to {3}, share bytes",
     .data    = "second at first end",
     .why     = "The same bytes cannot be both; readers that trust them read one as the other.",
     .fix     = "Get the file again; if it still fails, do not use it.",
     .spec    = "upkg.md#2.10")
{
	report(c, counted(AT_SPAN(o->second_at.at, o->second_at.len), o->n_more),
	       WORD(region_names[o->second_kind]), HEX(o->second_at.at),
	       WORD(region_names[o->first_kind]), HEX(span_end(o->first_at)));
	relate(c, AT_SPAN(o->first_at.at, o->first_at.len), region_names[o->first_kind]);
}

DEFECT_RULE(HDR023, bytes_between, WARNING, UPKG_GAP_ROWS, g, GAP_BETWEEN,
     .class   = CLASS_HYGIENE,
     .title   = "The header, the tables and the bodies should leave no bytes between them.",
     .message = "nothing refers to {0} at {1}",
     .data    = "len at",
     .why     = "Bytes that no engine reads can hold anything, and the file was not written by an "
                "engine as it is.",
     .fix     = "Save the package again.",
     .spec    = "upkg.md#2.10")
{
	report(c, counted(AT_SPAN(g->span.at, g->span.len), g->n_more), SIZE(g->span.len),
	       HEX(g->span.at));
}

DEFECT_RULE(HDR024, bytes_after_package, WARNING, UPKG_GAP_ROWS, g, GAP_AT_END,
     .class   = CLASS_HYGIENE, .sign = SIGN_TAIL,
     .title   = "Nothing should stand behind the last table or body.",
     .message = "{0} {0:follows|follow} the package's end at {1}",
     .data    = "len at",
     .why     = "Bytes that no engine reads can hold anything; some upload tools leave their own "
                "there.",
     .fix     = "Cut the file at the end of the package, or get it again.",
     .spec    = "upkg.md#2.10")
{
	report(c, AT_SPAN(g->span.at, g->span.len), SIZE(g->span.len), HEX(g->span.at));
}

FILE_DEFECT_RULE(
	HDR025, parts_out_of_order, NOTE, UPKG_REGIONS, upkg, u, FILE_UNUSUAL_ORDER,
	.class = CLASS_HYGIENE,
	.title = "Bodies, imports and exports should stand behind the names in this order.",
	.message = "bodies, imports and exports are not in this order", .data = "",
	.why = "Every engine writes them so: the package was protected or rewritten by another "
	       "tool.",
	.fix = "Use the package as its author saved it.", .spec = "upkg.md#2.10")
{
	(void)u;
	report_plain(c, NOWHERE);
}

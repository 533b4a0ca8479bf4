/* Of the family HDR the rules of how header, tables and bodies lie in the file. */
#include "formats/upkg/facts.h"
#include "rule/finding.h"

FILE_DEFECT_RULE(HDR020, names_elsewhere, WARNING, UPKG_REGIONS, upkg, u, FILE_LATE_NAMES,
		 .class = CLASS_HYGIENE,
		 .title = "The name table should be the first part after the header.",
		 .message = "the name table begins at {0}, after other parts; it should begin at "
			    "the header's end at {1}",
		 .data = "offset header_end",
		 .why = "The game loads it, but no engine saves packages so: the file was "
			"protected or rewritten by another tool, and tools may misread it.",
		 .fix = "None is needed if it works; otherwise ask its author for the package as "
			"UnrealEd or ucc saved it.",
		 .spec = "upkg.md#2.10")
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
     .title   = "The header and the tables shall not share bytes.",
     .message = "{0}, from {1} on, and {2}, up to {3}, share bytes",
     .data    = "second at first end",
     .why     = "The same bytes cannot be both, so the game reads other names or objects, or "
                "crashes.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#2.10")
{
	report(c, counted(AT_SPAN(o->second_at.at, o->second_at.len), o->n_more),
	       WORD(region_names[o->second_kind]), HEX(o->second_at.at),
	       WORD(region_names[o->first_kind]), HEX(span_end(o->first_at)));
	relate(c, AT_SPAN(o->first_at.at, o->first_at.len), region_names[o->first_kind]);
}

DEFECT_RULE(HDR023, bytes_between, WARNING, UPKG_GAP_ROWS, g, GAP_BETWEEN,
     .class   = CLASS_HYGIENE,
     .title   = "There should be no unused bytes between header, tables and bodies.",
     .message = "nothing refers to {0} at {1}",
     .data    = "len at",
     .why     = "No engine reads these bytes and none leaves them: another tool wrote the file, "
                "or an object is missing from the export table.",
     .fix     = "None is needed if it works; otherwise get the file again. Its author should save "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#2.10")
{
	report(c, counted(AT_SPAN(g->span.at, g->span.len), g->n_more), SIZE(g->span.len),
	       HEX(g->span.at));
}

DEFECT_RULE(HDR024, bytes_after_package, WARNING, UPKG_GAP_ROWS, g, GAP_AT_END,
     .class   = CLASS_HYGIENE, .sign = SIGN_TAIL,
     .title   = "Nothing should follow the last table or body.",
     .message = "{0} {0:follows|follow} the package's end at {1}",
     .data    = "len at",
     .why     = "No engine reads these bytes. Some upload tools append bytes of their own, and "
                "sometimes two files were joined.",
     .fix     = "Nothing needs to be done if the game loads it; if not, get the file again. Its "
                "author should upload the package as UnrealEd or ucc saved it.",
     .spec    = "upkg.md#2.10")
{
	report(c, AT_SPAN(g->span.at, g->span.len), SIZE(g->span.len), HEX(g->span.at));
}

FILE_DEFECT_RULE(
	HDR025, parts_out_of_order, NOTE, UPKG_REGIONS, upkg, u, FILE_UNUSUAL_ORDER,
	.class = CLASS_HYGIENE,
	.title = "Bodies, imports and exports should follow the name table in this order.",
	.message = "bodies, imports and exports are in another order than that in which engines "
		   "save them",
	.data = "",
	.why = "The game loads it, but no engine saves packages so: the file was protected or "
	       "rewritten by another tool, and tools may misread it.",
	.fix = "None is needed if it works; otherwise ask its author for the package as UnrealEd "
	       "or ucc saved it.",
	.spec = "upkg.md#2.10")
{
	(void)u;
	report_plain(c, NOWHERE);
}

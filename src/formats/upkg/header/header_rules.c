/* The family HDR: tag, version, counts, history. How the parts lie in the file is judged in
 * tables/region_rules.c. */
#include "formats/upkg/header/games.h"
#include "formats/upkg/header/header.h"
#include "rule/finding.h"

/* ---- Versions -------------------------------------------------------------------------------- */

static bool is_unsupported(const struct upkg *u)
{
	return u->file.kind == UPKG_IS_PACKAGE && u->groups[UPKG_HEADER].why == STOP_UNSUPPORTED;
}

/* Unreal Engine 4 and 5 have a small negative number where version and licensee are. */
#define LEGACY_MIN (-16)

RULE(HDR001, version_later, UNDETERMINED, UPKG_FILE,
     .class   = CLASS_COMPATIBILITY, .sign = SIGN_OTHER_FILE, .explains = BIT(UPKG_HEADER),
     .title   = "A package should be of a version below 178.",
     .message = "version {0}: {1}, which uvet does not read as a package of Unreal Engine 1 or 2",
     .data    = "version engine",
     .why     = "Later engines have other tables after the same tag, and games of Unreal Engine 1 "
                "and 2 do not load them. Nothing after the version was judged.",
     .fix     = "Check that the package is meant for your game. Its author should check it with a "
                "tool for its engine.",
     .spec    = "upkg.md#2.2")
{
	const struct upkg *u = c->facts;
	int64_t legacy = (int64_t)(u->tag.version | u->tag.licensee << 16) - ((int64_t)1 << 32);
	struct place place;

	if (!is_unsupported(u) || u->tag.version < UPKG_VERSION_UE3)
		return;
	place = AT(c, upkg_tag, &u->tag, version);
	if (legacy >= LEGACY_MIN) {
		place.span.len = 4;
		report(c, place, SIGNED(legacy), WORD("Unreal Engine 4 or 5"));
	} else {
		report(c, place, SIGNED((int64_t)u->tag.version), WORD("Unreal Engine 3"));
	}
}

RULE(HDR002, version_earlier, UNDETERMINED, UPKG_FILE,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(UPKG_HEADER),
     .title   = "A package should be of version 50 or later.",
     .message = "version {0}, expected 50 or later: it is from before the release of Unreal, with "
                "other tables",
     .data    = "version",
     .why     = "No released game loads it, and nothing after the version was judged.",
     .fix     = "Look for a later copy of the package. Its author should save it again with a "
                "released UnrealEd.",
     .spec    = "upkg.md#2.2")
{
	const struct upkg *u = c->facts;

	if (is_unsupported(u) && u->tag.version < UPKG_VERSION_MIN)
		report(c, AT(c, upkg_tag, &u->tag, version), DEC(u->tag.version));
}

RULE(HDR003, version_outdated, WARNING, UPKG_HEADER,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A package should be of version 60 or later.",
     .message = "version {0}, the oldest that released games load is 60",
     .data    = "version",
     .why     = "The game refuses to load it as outdated.",
     .fix     = "Look for a later copy of the package. Its author should save it again with a "
                "released UnrealEd.",
     .spec    = "upkg.md#2.2")
{
	const struct upkg *u = c->facts;

	if (u->tag.version < UPKG_VERSION_LOADED)
		report(c, AT(c, upkg_tag, &u->tag, version), DEC(u->tag.version));
}

RULE(HDR026, licensee_tables, UNDETERMINED, UPKG_FILE,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(UPKG_HEADER),
     .title   = "A package should be of a game whose tables are those of Unreal Engine 1 or 2.",
     .message = "version {0} with licensee {1} is of a game with tables of its own, which uvet "
                "does not read",
     .data    = "version licensee",
     .why     = "The game changed the header or the tables after the same tag. Other games do not "
                "load it, and nothing after the version was judged.",
     .fix     = "Check that the package is meant for your game. Its author should check it with a "
                "tool for that game.",
     .spec    = "upkg.md#2.3")
{
	const struct upkg *u = c->facts;

	if (is_unsupported(u) && upkg_has_other_tables(u))
		report(c, AT(c, upkg_tag, &u->tag, licensee), DEC(u->tag.version),
		       DEC(u->tag.licensee));
}

/* The licensees that are known, with their versions. Sources: Unreal Library's and UEViewer's
 * tables of games, and the census. */
static const struct upkg_games known[] = { { 68, 68, 2, 2 },           { 69, 69, 227, 227 },
					   { 99, 117, 0, 25 },         { 117, 128, 25, 29 },
					   { 110, 110, 2481, 2609 },   { 100, 100, 58, 58 },
					   { 118, 118, 11, 14 },       { 118, 120, 4, 8 },
					   { 129, 130, 27, 27 },       { 134, 150, 1, 1 },
					   { 143, 146, 61447, 61447 }, { 156, 156, 36, 36 },
					   { 159, 159, 29, 29 } };

static bool is_of_known_game(const struct upkg *u)
{
	return u->tag.licensee == 0 || upkg_is_of(u, known, sizeof known / sizeof known[0]);
}

RULE(HDR004, licensee_unknown, NOTE, UPKG_HEADER,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A package's version and licensee should be those of a known game.",
     .message = "version {0} with licensee {1} is of no game that uvet knows",
     .data    = "version licensee",
     .why     = "Some games changed how objects are stored, so a finding about this package may "
                "be mistaken, and the package may not load in your game.",
     .fix     = "Check that the package is meant for your game. Its author should save it with "
                "that game's UnrealEd.",
     .spec    = "upkg.md#2.3")
{
	const struct upkg *u = c->facts;

	if (!is_of_known_game(u))
		report(c, AT(c, upkg_tag, &u->tag, licensee), DEC(u->tag.version),
		       DEC(u->tag.licensee));
}

RULE(HDR027, objects_unknown, UNDETERMINED, UPKG_HEADER,
     .class   = CLASS_COMPATIBILITY, .explains = BIT(UPKG_BODIES),
     .title   = "Objects should be of a known game, so that they can be judged.",
     .message = "{2} of objects {2:was|were} not judged: version {0} with licensee {1} is of no "
                "game that uvet knows",
     .data    = "version licensee bytes",
     .why     = "Some games load a package whatever licensee it names, so broken or harmful "
                "objects cannot be ruled out.",
     .fix     = "Check that the package is meant for your game. Its author should check it with a "
                "tool for that game.",
     .spec    = "upkg.md#2.3")
{
	const struct upkg *u = c->facts;

	if (u->groups[UPKG_BODIES].why == STOP_UNVERIFIED && u->groups[UPKG_BODIES].at.len > 0 &&
	    !is_of_known_game(u))
		report(c, AT(c, upkg_tag, &u->tag, licensee), DEC(u->tag.version),
		       DEC(u->tag.licensee), SIZE(u->groups[UPKG_BODIES].at.len));
}

/* ---- Where the tables are -------------------------------------------------------------------- */

static const struct {
	const char *name;
	size_t count, offset; /* fields of the header */
	uint32_t explains;
} tables[N_UPKG_TABLES] = {
	[TABLE_NAMES] = { "names", upkg_header_field_name_count, upkg_header_field_name_offset,
			  BIT(UPKG_NAMES) },
	[TABLE_IMPORTS] = { "imports", upkg_header_field_import_count,
			    upkg_header_field_import_offset, BIT(UPKG_IMPORTS) },
	[TABLE_EXPORTS] = { "exports", upkg_header_field_export_count,
			    upkg_header_field_export_offset, BIT(UPKG_EXPORTS) },
};

#define TABLE_GROUPS (BIT(UPKG_NAMES) | BIT(UPKG_IMPORTS) | BIT(UPKG_EXPORTS))

static int64_t count_of(const struct upkg *u, size_t table)
{
	const int64_t counts[N_UPKG_TABLES] = { u->header.name_count, u->header.import_count,
						u->header.export_count };

	return counts[table];
}

static int64_t offset_of(const struct upkg *u, size_t table)
{
	const int64_t offsets[N_UPKG_TABLES] = { u->header.name_offset, u->header.import_offset,
						 u->header.export_offset };

	return offsets[table];
}

static struct place field_place(struct check *c, size_t field)
{
	const struct upkg *u = c->facts;

	return check_place(c, &upkg_header_layout, &u->header, u->header.at, field);
}

DEFECT_RULE(HDR005, count_negative, ERROR, UPKG_TABLE_ROWS, row, TABLE_NEGATIVE,
     .class   = CLASS_SECURITY, .explains = TABLE_GROUPS,
     .title   = "The counts of the header shall not be negative.",
     .message = "the count of {0} is {1}, expected 0 or more",
     .data    = "table count",
     .why     = "Engines use the count as a size: they run out of memory or write to memory of "
                "something else, and crash (CVE-2003-1432).",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#2.4")
{
	const struct upkg *u = c->facts;
	const size_t t = (size_t)(row - u->tables);

	report(c, field_place(c, tables[t].count), WORD(tables[t].name), SIGNED(count_of(u, t)));
}

DEFECT_RULE(HDR006, table_in_header, ERROR, UPKG_TABLE_ROWS, row, TABLE_IN_HEADER,
     .class   = CLASS_CORRUPTION, .explains = TABLE_GROUPS,
     .title   = "A table that has rows shall begin after the header.",
     .message = "the {0} begin at {1}, the header ends at {2}",
     .data    = "table offset header_end",
     .why     = "The game reads bytes of the header as rows of the table, and refuses the package "
                "or crashes.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#2.5")
{
	const struct upkg *u = c->facts;
	const size_t t = (size_t)(row - u->tables);

	report(c, field_place(c, tables[t].offset), WORD(tables[t].name), SIGNED(offset_of(u, t)),
	       DEC(u->header_end));
}

DEFECT_RULE(HDR007, table_outside_file, ERROR, UPKG_TABLE_ROWS, row, TABLE_OUTSIDE,
     .class   = CLASS_CORRUPTION, .explains = TABLE_GROUPS,
     .title   = "A table that has rows shall begin inside the file.",
     .message = "the {0} begin at {1}, but the file ends at {2}",
     .data    = "table offset size",
     .why     = "The game cannot load the package, because the table is missing. Most often the "
                "download is truncated.",
     .fix     = "Get the file again; if it still fails, its author must upload the whole package.",
     .spec    = "upkg.md#2.5")
{
	const struct upkg *u = c->facts;
	const size_t t = (size_t)(row - u->tables);

	report(c, field_place(c, tables[t].offset), WORD(tables[t].name),
	       HEX((uint64_t)offset_of(u, t)), HEX(u->size));
}

static uint64_t rows_at_most(const struct upkg *u, size_t table)
{
	return (u->limit - (uint64_t)offset_of(u, table)) /
	       upkg_least_row(u, (enum upkg_table_number)table);
}

DEFECT_RULE(HDR008, count_beyond_file, ERROR, UPKG_TABLE_ROWS, row, TABLE_TOO_LONG,
     .class   = CLASS_SECURITY, .explains = TABLE_GROUPS,
     .title   = "A table shall have no more rows than its bytes can hold.",
     .message = "the count of {0} is {1}; there is room for {4} at most in the {3} from {2} on",
     .data    = "table count offset left room",
     .why     = "The game and tools allocate memory for the count before they read a row: they "
                "run out of memory or read past the end of the file.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#2.4")
{
	const struct upkg *u = c->facts;
	const size_t t = (size_t)(row - u->tables);

	report(c, field_place(c, tables[t].count), WORD(tables[t].name),
	       DEC((uint64_t)count_of(u, t)), HEX((uint64_t)offset_of(u, t)),
	       SIZE(u->limit - (uint64_t)offset_of(u, t)), DEC(rows_at_most(u, t)));
}

/* ---- Generations and heritage ---------------------------------------------------------------- */

RULE(HDR009, generation_count_out_of_range, ERROR, UPKG_HEADER,
     .class   = CLASS_CORRUPTION, .explains = BIT(UPKG_HISTORY),
     .versions = SINCE(UPKG_VERSION_GUID),
     .title   = "A package shall have at least one generation, and all of them shall be in the "
                "file.",
     .message = "the count of generations is {0}, expected at least 1 and, by the room in the "
                "file, at most {1}",
     .data    = "count room",
     .why     = "The engine reads the generations before it checks anything else, and runs out of "
                "memory or refuses the package.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#2.8")
{
	const struct upkg *u = c->facts;

	if (u->groups[UPKG_HISTORY].why == STOP_MALFORMED)
		report(c, AT(c, upkg_header, &u->header, generation_count),
		       SIGNED(u->header.generation_count),
		       DEC((u->limit - u->header_end) / upkg_generation_fixed_len));
}

RULE(HDR010, generations_many, NOTE, UPKG_HISTORY,
     .class   = CLASS_COMPATIBILITY, .versions = SINCE(UPKG_VERSION_GUID),
     .title   = "A package should have at most 64 generations.",
     .message = "the count of generations is {0}, expected at most 64",
     .data    = "count",
     .why     = "Unreal 227 keeps 64 generations and drops the rest when it saves: clients with "
                "an older copy of the package may then be refused.",
     .fix     = "None is needed to play it. Its author should not save it in Unreal 227 if older "
                "copies are in use.",
     .spec    = "upkg.md#2.8")
{
	const struct upkg *u = c->facts;

	if (u->n_generations > 64)
		report(c, AT(c, upkg_header, &u->header, generation_count), DEC(u->n_generations));
}

/* Where a generation's wrong count is. */
static struct place generation_place(struct check *c, const struct upkg_generation *g,
				     bool of_exports)
{
	return of_exports ? AT(c, upkg_generation, g, export_count)
			  : AT(c, upkg_generation, g, name_count);
}

RULE(HDR011, last_generation_mismatch, WARNING, UPKG_HISTORY,
     .class   = CLASS_HYGIENE, .versions = SINCE(UPKG_VERSION_GUID),
     .title   = "The last generation should have the counts of the header.",
     .message = "the last generation has {0} {0:export|exports} and {1} {1:name|names}, the "
                "header has {2} and {3}",
     .data    = "generation_exports generation_names exports names",
     .why     = "Client and server agree by these counts which objects they both have: online "
                "players may be disconnected.",
     .fix     = "None is needed to play it alone. Its author should save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#2.8")
{
	const struct upkg *u = c->facts;
	const struct upkg_generation *last = &u->generations[u->n_generations - 1];

	if (last->export_count != u->header.export_count ||
	    last->name_count != u->header.name_count)
		report(c, generation_place(c, last, last->export_count != u->header.export_count),
		       SIGNED(last->export_count), SIGNED(last->name_count),
		       SIGNED(u->header.export_count), SIGNED(u->header.name_count));
}

EACH(HDR012, generation_shrinks, WARNING, UPKG_GENERATION_ROWS, g,
     .class   = CLASS_HYGIENE, .versions = SINCE(UPKG_VERSION_GUID),
     .title   = "A generation should have at least the exports and names of the one before it.",
     .message = "generation {0} has {1} {1:export|exports} and {2} {2:name|names}, fewer than the "
                "one before it, {3} and {4}",
     .data    = "generation exports names exports_before names_before",
     .why     = "A client with the older copy refers by number to what is missing in the newer "
                "one: online players may be disconnected.",
     .fix     = "None is needed to play it alone. Its author should conform the package to the "
                "older one again with ucc conform.",
     .spec    = "upkg.md#2.8")
{
	const struct upkg *u = c->facts;
	const struct upkg_generation *before;

	if (g == u->generations)
		return;
	before = g - 1;
	if (g->export_count < before->export_count || g->name_count < before->name_count)
		report(c, generation_place(c, g, g->export_count < before->export_count),
		       DEC((uint64_t)(g - u->generations)), SIGNED(g->export_count),
		       SIGNED(g->name_count), SIGNED(before->export_count),
		       SIGNED(before->name_count));
}

RULE(HDR013, heritage_not_one, WARNING, UPKG_HISTORY,
     .class   = CLASS_COMPATIBILITY, .versions = UNTIL(UPKG_VERSION_GUID - 1),
     .title   = "A package before version 68 should have one GUID.",
     .message = "the package has {0} {0:GUID|GUIDs}, expected 1",
     .data    = "count",
     .why     = "The engine always wrote one GUID; some readers demand it and do not load the "
                "package.",
     .fix     = "None is needed if it works. Its author should save the package again in UnrealEd "
                "or with ucc.",
     .spec    = "upkg.md#2.9")
{
	const struct upkg *u = c->facts;

	if (u->header.heritage_count != 1)
		report(c, AT(c, upkg_header, &u->header, heritage_count),
		       SIGNED(u->header.heritage_count));
}

RULE(HDR014, heritage_outside_file, ERROR, UPKG_HEADER,
     .class   = CLASS_CORRUPTION, .explains = BIT(UPKG_HISTORY),
     .versions = UNTIL(UPKG_VERSION_GUID - 1),
     .title   = "The GUIDs of a package before version 68 shall be inside the file, after the "
                "header.",
     .message = "{0} {0:GUID|GUIDs} at {1} {0:does|do} not fit between the header's end at {2} "
                "and the end of the file",
     .data    = "count offset header_end",
     .why     = "The engine takes the last of them as the package's own, and cannot load the "
                "package without it.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#2.9")
{
	const struct upkg *u = c->facts;

	if (u->groups[UPKG_HISTORY].why == STOP_MALFORMED)
		report(c, AT(c, upkg_header, &u->header, heritage_count),
		       SIGNED(u->header.heritage_count), SIGNED(u->header.heritage_offset),
		       DEC(u->header_end));
}

RULE(HDR015, heritage_elsewhere, WARNING, UPKG_HISTORY,
     .class   = CLASS_HYGIENE, .versions = UNTIL(UPKG_VERSION_GUID - 1),
     .title   = "The GUID of a package before version 68 should directly follow the header.",
     .message = "the GUID is at {0}, expected at the header's end at {1}",
     .data    = "offset header_end",
     .why     = "The game loads it, but no engine saves packages so: another tool rewrote the "
                "file, and tools may misread it.",
     .fix     = "None is needed if it works. Its author can save the package again in UnrealEd or "
                "with ucc.",
     .spec    = "upkg.md#2.9")
{
	const struct upkg *u = c->facts;

	if (u->heritage.len > 0 && u->heritage.at != u->header_end)
		report(c, AT(c, upkg_header, &u->header, heritage_offset), HEX(u->heritage.at),
		       HEX(u->header_end));
}

RULE(HDR016, guid_blank, WARNING, UPKG_HEADER,
     .class   = CLASS_COMPATIBILITY, .versions = SINCE(UPKG_VERSION_GUID),
     .title   = "A package's GUID should be neither all zeros nor all ones.",
     .message = "the GUID is {0}, expected another value",
     .data    = "guid",
     .why     = "Clients keep downloaded packages by their GUID, so that two packages with such a "
                "GUID are taken for each other.",
     .fix     = "None is needed to play it alone. Its author should save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#2.7")
{
	const struct upkg_header *h = &((const struct upkg *)c->facts)->header;
	uint64_t all = h->guid_a & h->guid_b & h->guid_c & h->guid_d,
		 any = h->guid_a | h->guid_b | h->guid_c | h->guid_d;
	struct place place;

	if (any != 0 && all != UINT32_MAX)
		return;
	place = AT(c, upkg_header, h, guid_a);
	place.span.len = 16;
	report(c, place, either(any == 0, "all zeros", "all ones"));
}

/* ---- Flags ----------------------------------------------------------------------------------- */

#define FLAGS_RUNTIME 0x8018u /* BrokenLinks, Unsecure, Need */
#define FLAGS_PROTECTED 0x21u

static bool flags_are_known(uint64_t flags)
{
	static const uint64_t seen[] = { 0, 0x1, 0x3, 0x5, 0x7, 0x21, 0x25, 0x10001, 0x10005 };

	for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++)
		if (flags == seen[i])
			return true;
	return false;
}

RULE(HDR017, flags_combination_unknown, NOTE, UPKG_HEADER,
     .class   = CLASS_HYGIENE,
     .title   = "A package's flags should be a combination that packages of games have.",
     .message = "the package's flags are {0}, a combination that no game's package has",
     .data    = "flags",
     .why     = "The game ignores flags that it does not know, but another tool than UnrealEd or "
                "ucc made the package.",
     .fix     = "None is needed if it works. Its author can set the flags with UnrealEd or ucc.",
     .spec    = "upkg.md#2.6")
{
	const struct upkg *u = c->facts;

	if (!flags_are_known(u->header.flags) && !(u->header.flags & FLAGS_RUNTIME))
		report(c, AT(c, upkg_header, &u->header, flags), HEX(u->header.flags));
}

RULE(HDR018, package_protected, WARNING, UPKG_HEADER,
     .class   = CLASS_SECURITY, .versions = BETWEEN(58, 69), .also = BIT(UPKG_MEASURED),
     .title   = "A package of Unreal or Unreal Tournament should not be protected.",
     .message = "the package's flags are {0}: its names and code are deliberately unreadable",
     .data    = "flags",
     .why     = "Neither players nor server owners can see what a protected package does. "
                "Anti-cheat mods are known to protect theirs.",
     .fix     = "Use it only if you trust its author, or ask for the package as ucc compiled it.",
     .spec    = "upkg.md#2.6")
{
	const struct upkg *u = c->facts;

	if (u->header.flags == FLAGS_PROTECTED && u->tag.licensee != UPKG_LICENSEE_227)
		report(c, AT(c, upkg_header, &u->header, flags), HEX(u->header.flags));
}

RULE(HDR019, flags_of_runtime, NOTE, UPKG_HEADER,
     .class   = CLASS_HYGIENE,
     .title   = "A package's flags should not include those that only a loaded package has.",
     .message = "the package's flags are {0}, with one or more of 0x8018, which only packages in "
                "memory have",
     .data    = "flags",
     .why     = "The game ignores these flags in a file, but another tool than UnrealEd or ucc "
                "may have made the package.",
     .fix     = "None is needed if it works. Its author can save the package again in UnrealEd or "
                "with ucc.",
     .spec    = "upkg.md#2.6")
{
	const struct upkg *u = c->facts;

	if (u->header.flags & FLAGS_RUNTIME)
		report(c, AT(c, upkg_header, &u->header, flags), HEX(u->header.flags));
}

RULE(HDR021, package_empty, NOTE, UPKG_HEADER,
     .class   = CLASS_HYGIENE,
     .title   = "A package should have names, imports or exports.",
     .message = "the package has neither names nor imports nor exports",
     .data    = "",
     .why     = "The game loads it, but it contains nothing; a few of the games' own files are so "
                "too.",
     .fix     = "None is needed if it works. Its author should check that the package was saved "
                "with its objects.",
     .spec    = "upkg.md#2.11")
{
	const struct upkg *u = c->facts;

	if (u->header.name_count == 0 && u->header.import_count == 0 && u->header.export_count == 0)
		report_plain(c, AT(c, upkg_header, &u->header, name_count));
}

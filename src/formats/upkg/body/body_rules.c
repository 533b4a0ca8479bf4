/* The families BOD and PRP: state frames and properties of objects. */
#include "formats/upkg/body/flaw_rules.h"

/* flaw_property is the property that a flaw is about. */
static struct arg flaw_property(const struct check *c, const struct upkg_flaw *f)
{
	return flaw_name(c, f->property);
}

static const char *const type_names[16] = { "0",       "Byte",   "Int",    "Bool",
					    "Float",   "Object", "Name",   "String",
					    "Class",   "Array",  "Struct", "Vector",
					    "Rotator", "Str",    "Map",    "FixedArray" };

#define ERA_LESSER \
	.lesser = SEVERITY_WARNING, .lesser_when = "the package is of UE2, where native classes " \
						   "write forms of their own, or " EDITOR_ALONE

DEFECT_RULE(BOD001, state_frame_truncated, ERROR, UPKG_FLAW_ROWS, f, KIND(FRAME_CUT),
     .class   = CLASS_CORRUPTION, EDITOR_LESSER,
     .title   = "The state frame of an object with HasStack shall lie in its body.",
     .message = "the state frame of export {0}, {1}, does not end in its {2}",
     .data    = "export object len",
     .why     = "The engine reads on into the next object.",
     .fix     = "Get the file again; if it still fails, do not use it.",
     .spec    = "upkg.md#7.1")
{
	report_body(c, f, SIZE(f->len));
}

DEFECT_RULE(BOD002, state_frame_invalid, WARNING, UPKG_FLAW_ROWS, f,
     KIND(FRAME_NODE) | KIND(FRAME_STATE) | KIND(FRAME_PLACE),
     .class   = CLASS_CORRUPTION,
     .title   = "A saved object's state frame should name one state twice, and no place in its "
                "code.",
     .message = "the state frame of export {0}, {1}, {2}",
     .data    = "export object defect",
     .why     = "Objects are saved before any of their code has run; the engine would go on in the "
                "middle of something.",
     .fix     = "Save the package again.",
     .spec    = "upkg.md#7.1")
{
	if (f->kind == FLAW_FRAME_NODE)
		report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), WORD("has no node"));
	else if (f->kind == FLAW_FRAME_STATE)
		report(c, flaw_place(f), DEC(f->export), flaw_object(c, f),
		       WORD("has another state than node"));
	else if (f->kind == FLAW_FRAME_PLACE)
		report(c, flaw_place(f), DEC(f->export), flaw_object(c, f),
		       WORD("stands inside code"));
}

DEFECT_RULE(BOD003, frame_reference_missing, ERROR, UPKG_FLAW_ROWS, f, KIND(FRAME_REFERENCE),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "What a state frame refers to shall exist.",
     .message = "the state frame of export {0}, {1}, refers to {2}, which does not exist",
     .data    = "export object reference",
     .why     = "Readers index their tables with the number and read what lies beyond them.",
     .fix     = "Get the file again; if it still fails, do not use it.",
     .spec    = "upkg.md#7.1")
{
	report_body(c, f, SIGNED(f->first));
}

DEFECT_RULE(BOD004, data_behind_properties, ERROR, UPKG_FLAW_ROWS, f, KIND(OWN_DATA),
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the package is of UE2 or of licensee 227, where Actor may have data of its "
                    "own, or " EDITOR_ALONE,
     .title   = "An object shall end with its properties if its class is the package's own and "
                "descends from none that is native but "
		"Actor and Object.",
     .message = "export {0}, {1}, has {2} behind its properties, where its class has no data",
     .data    = "export object bytes",
     .why     = "The engine stops with an error when an object has another size than the table "
                "says.",
     .fix     = "Save the package again.",
     .spec    = "upkg.md#7.4")
{
	report_body_as(c, !upkg_is_of_unreal(c->facts), f, SIZE(f->len));
}

DEFECT_RULE(PRP001, property_name_missing, ERROR, UPKG_FLAW_ROWS, f, KIND(TAG_NAME),
     .class   = CLASS_SECURITY, ERA_LESSER,
     .title   = "A property's name shall be in the name table.",
     .message = "a property of export {0}, {1}, has the name {2}; the count of names is {3}",
     .data    = "export object name names",
     .why     = "Readers index their table with the number and read what lies beyond it.",
     .fix     = "Get the file again; if it still fails, do not use it.",
     .spec    = "upkg.md#7.2.1")
{
	const struct upkg *u = c->facts;

	report_by_era(c, f, SIGNED(f->first), DEC(u->tables[TABLE_NAMES].n));
}

DEFECT_RULE(PRP002, property_outside_body, ERROR, UPKG_FLAW_ROWS, f, KIND(TAG_CUT),
     .class   = CLASS_CORRUPTION, ERA_LESSER,
     .title   = "A property shall lie in its object's body.",
     .message = "property {2} of export {0}, {1}, does not fit in the {3} that {3:is|are} left",
     .data    = "export object property left",
     .why     = "The engine reads on into the next object.",
     .fix     = "Get the file again; if it still fails, do not use it.",
     .spec    = "upkg.md#7.2.1")
{
	report_by_era(c, f, flaw_property(c, f), SIZE(f->len));
}

DEFECT_RULE(PRP003, properties_without_end, ERROR, UPKG_FLAW_ROWS, f,
     KIND(LIST_OPEN) | KIND(LIST_INDEX),
     .class   = CLASS_CORRUPTION, ERA_LESSER,
     .title   = "A list of properties shall end in the name None.",
     .message = "the properties of export {0}, {1}, {2}",
     .data    = "export object defect",
     .why     = "The engine reads on into the next object.",
     .fix     = "Get the file again; if it still fails, do not use it.",
     .spec    = "upkg.md#7.2.1")
{
	report_by_era(c, f,
		      either(f->kind == FLAW_LIST_INDEX, "go on with a name whose index is none",
			     "do not end in None before their bytes do"));
}

DEFECT_RULE(PRP004, property_type, ERROR, UPKG_FLAW_ROWS, f, KIND(TAG_TYPE) | KIND(TAG_TYPE_ZERO),
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the type exists and no engine writes it, the package is of UE2, or "
		    EDITOR_ALONE,
     .title   = "A property's type shall be one that engines write.",
     .message = "property {2} of export {0}, {1}, has the type {3}",
     .data    = "export object property type",
     .why     = "The engine stops at a type that it does not know.",
     .fix     = "Save the package again.",
     .spec    = "upkg.md#7.2.2")
{
	report_body_as(c, f->kind == FLAW_TAG_TYPE || !is_ue1(c), f, flaw_property(c, f),
		       WORD(type_names[f->first]));
}

DEFECT_RULE(PRP005, property_size_not_minimal, WARNING, UPKG_FLAW_ROWS, f, KIND(SIZE_CODE),
     .class   = CLASS_HYGIENE,
     .title   = "A property's size should be written in the shortest form.",
     .message = "property {2} of export {0}, {1}, has the size {3} in form {4}, which is not the "
                "shortest",
     .data    = "export object property size form",
     .why     = "No engine writes it so; the package was made by another tool.",
     .fix     = "Save the package again.",
     .spec    = "upkg.md#7.2.3")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_property(c, f),
	       SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(PRP006, array_index_zero, WARNING, UPKG_FLAW_ROWS, f, KIND(ARRAY_ZERO),
     .class   = CLASS_HYGIENE,
     .title   = "A property's index in an array should not be written when it is 0.",
     .message = "property {2} of export {0}, {1}, has the array flag and the index 0",
     .data    = "export object property",
     .why     = "No engine writes it so; the package was made by another tool.",
     .fix     = "Save the package again.",
     .spec    = "upkg.md#7.2.4")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_property(c, f));
}

DEFECT_RULE(PRP007, property_repeated, WARNING, UPKG_FLAW_ROWS, f, KIND(TAG_TWICE),
     .class   = CLASS_HYGIENE, .versions = BETWEEN(58, 69),
     .title   = "A property of one index should stand in a list once.",
     .message = "property {2}[{3}] of export {0}, {1}, occurs a second time",
     .data    = "export object property index",
     .why     = "The last one counts in the engine, the first one in some tools.",
     .fix     = "Save the package again.",
     .spec    = "upkg.md#7.2.4")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_property(c, f),
	       SIGNED(f->first));
}

DEFECT_RULE(PRP008, value_size, ERROR, UPKG_FLAW_ROWS, f, KIND(VALUE_SIZE),
     .class   = CLASS_CORRUPTION, ERA_LESSER,
     .title   = "A property's size shall be that of its type.",
     .message = "property {2} of export {0}, {1}, is of type {3} and has the size {4}",
     .data    = "export object property type size",
     .why     = "Engines ignore the size of what they know, tools do not: each reads another "
                "object from there on.",
     .fix     = "Save the package again.",
     .spec    = "upkg.md#7.2.5")
{
	report_by_era(c, f, flaw_property(c, f), WORD(type_names[f->first]), SIGNED(f->second));
}

DEFECT_RULE(PRP009, value_reference, ERROR, UPKG_FLAW_ROWS, f,
     KIND(VALUE_REFERENCE) | KIND(VALUE_INDEX) | KIND(VALUE_LENGTH),
     .class   = CLASS_SECURITY, ERA_LESSER,
     .title   = "A property's object or name shall exist and take all of its bytes.",
     .message = "property {2} of export {0}, {1}, refers to {3}{4}",
     .data    = "export object property reference defect",
     .why     = "Readers index their tables with the number and read what lies beyond them.",
     .fix     = "Get the file again; if it still fails, do not use it.",
     .spec    = "upkg.md#7.2.6")
{
	if (f->kind == FLAW_VALUE_REFERENCE)
		report_by_era(c, f, flaw_property(c, f), SIGNED(f->first),
			      WORD(", which does not exist"));
	else if (f->kind == FLAW_VALUE_INDEX)
		report_by_era(c, f, flaw_property(c, f), WORD("nothing"),
			      WORD(", since its bytes are no index"));
	else if (f->kind == FLAW_VALUE_LENGTH)
		report_by_era(c, f, flaw_property(c, f), SIGNED(f->first),
			      WORD(" in other bytes than its size says"));
}

DEFECT_RULE(PRP010, value_text, ERROR, UPKG_FLAW_ROWS, f,
     KIND(TEXT_COUNT) | KIND(TEXT_LENGTH) | KIND(TEXT_NUL),
     .class   = CLASS_SECURITY, ERA_LESSER,
     .title   = "A property's text shall fill its bytes and end in a NUL.",
     .message = "text {2} of export {0}, {1}, {3}",
     .data    = "export object property defect",
     .why     = "Readers that go by the count and readers that go by the size read different "
                "texts, or beyond them.",
     .fix     = "Get the file again; if it still fails, do not use it.",
     .spec    = "upkg.md#7.2.7")
{
	static const char *const defects[] = {
		[IN_LIST(TEXT_COUNT)] = "has no count",
		[IN_LIST(TEXT_LENGTH)] = "is not as long as its size",
		[IN_LIST(TEXT_NUL)] = "does not end in a NUL",
	};

	report_by_era(c, f, flaw_property(c, f), flaw_word(f, defects));
}

DEFECT_RULE(PRP011, struct_size, WARNING, UPKG_FLAW_ROWS, f, KIND(STRUCT_SIZE),
     .class   = CLASS_CORRUPTION,
     .title   = "A struct that lies as in memory should have the size of its kind.",
     .message = "property {2} of export {0}, {1}, is a {3} and has {4}",
     .data    = "export object property struct size",
     .why     = "The engine reads the bytes that it knows, whatever the size says.",
     .fix     = "Save the package again.",
     .spec    = "upkg.md#7.2.8")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_property(c, f),
	       flaw_name(c, f->first), SIZE((uint64_t)f->second));
}

DEFECT_RULE(PRP012, struct_name_missing, ERROR, UPKG_FLAW_ROWS, f, KIND(STRUCT_NAME),
     .class   = CLASS_SECURITY, ERA_LESSER,
     .title   = "The name of a property's struct shall be in the name table.",
     .message = "struct {2} of export {0}, {1}, has the type {3}; the count of names is {4}",
     .data    = "export object property name names",
     .why     = "Readers index their table with the number and read what lies beyond it.",
     .fix     = "Get the file again; if it still fails, do not use it.",
     .spec    = "upkg.md#7.2.8")
{
	const struct upkg *u = c->facts;

	report_by_era(c, f, flaw_property(c, f), SIGNED(f->first), DEC(u->tables[TABLE_NAMES].n));
}

DEFECT_RULE(PRP013, struct_without_end, WARNING, UPKG_FLAW_ROWS, f,
     KIND(STRUCT_OPEN) | KIND(STRUCT_SHORT),
     .class   = CLASS_CORRUPTION, .versions = SINCE(118),
     .title   = "A struct that is a list of properties should end in None where its size ends.",
     .message = "struct {2} of export {0}, {1}, {3}",
     .data    = "export object property defect",
     .why     = "Tools that go by the size lose their place. Two of UT2004's own packages are so.",
     .fix     = "Save the package again.",
     .spec    = "upkg.md#7.2.8")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_property(c, f),
	       either(f->kind == FLAW_STRUCT_SHORT, "ends in None before its size does",
		      "does not end in None where its size does"));
}

DEFECT_RULE(PRP014, array_count, ERROR, UPKG_FLAW_ROWS, f, KIND(ARRAY_COUNT) | KIND(ARRAY_INDEX),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "An array's count shall be neither negative nor larger than its bytes.",
     .message = "array {2} of export {0}, {1}, has {3} {3:element|elements} in {4}",
     .data    = "export object property count size",
     .why     = "Engines allocate for the count before they read an element.",
     .fix     = "Get the file again; if it still fails, do not use it.",
     .spec    = "upkg.md#7.2.9")
{
	if (f->kind == FLAW_ARRAY_INDEX)
		report_body(c, f, flaw_property(c, f), WORD("no number of"), SIZE(f->len));
	else if (f->kind == FLAW_ARRAY_COUNT)
		report_body(c, f, flaw_property(c, f), SIGNED(f->first), SIZE(f->len));
}

DEFECT_RULE(PRP015, delegate_value, WARNING, UPKG_FLAW_ROWS, f, KIND(DELEGATE),
     .class   = CLASS_CORRUPTION, .versions = SINCE(99),
     .title   = "A delegate should be an object and a function's name, and nothing else.",
     .message = "delegate {2} of export {0}, {1}, is not an object and a name in {3}",
     .data    = "export object property size",
     .why     = "Tools that go by the size lose their place.",
     .fix     = "Save the package again.",
     .spec    = "upkg.md#7.2.9")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_property(c, f),
	       SIZE(f->len));
}

DEFECT_RULE(PRP016, text_too_long, ERROR, UPKG_FLAW_ROWS, f, KIND(TEXT_LONG),
     .class   = CLASS_SECURITY, EDITOR_LESSER, .versions = BETWEEN(58, 69),
     .title   = "A text without a count shall have at most 255 bytes, its NUL included.",
     .message = "text {2} of export {0}, {1}, has {3}, and engines have room for {4} of such a "
                "text",
     .data    = "export object property size most",
     .why     = "Where the class has a Str of that name, the engine copies all of them onto its "
                "stack, over what lies behind.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#7.2.7")
{
	report_body(c, f, flaw_property(c, f), SIZE(f->len), SIGNED(f->first));
}

DEFECT_RULE(PRP017, text_element, ERROR, UPKG_FLAW_ROWS, f, KIND(TEXT_INDEX),
     .class   = CLASS_SECURITY, EDITOR_LESSER, .versions = BETWEEN(58, 69),
     .title   = "A text without a count shall be the first of its array from version 62 on, where "
                "texts have counts.",
     .message = "text {2} of export {0}, {1}, has no count and is element {3} of an array",
     .data    = "export object property index",
     .why     = "Where the class has a Str of that name, the engine writes the text to that "
                "element without asking whether it exists.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#7.2.7")
{
	report_body(c, f, flaw_property(c, f), SIGNED(f->first));
}

DEFECT_RULE(BOD005, need_not_loaded, ERROR, UPKG_FLAW_ROWS, f,
     KIND(NAME_NOT_IN_GAME) | KIND(IMPORT_NOT_IN_GAME) | KIND(EXPORT_NOT_IN_GAME),
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_UE2 ", or " EDITOR_ALONE,
     .title   = "What an object needs shall be loaded where it is made: by games, and by servers "
                "if it is.",
     .message = "export {0}, {1}, needs {2} {3}, {4}, which games that make the object do not load",
     .data    = "export object kind number name",
     .why     = "The engine reads None or nothing in its place: other properties, code and objects "
                "than the editor and tools see.",
     .fix     = "Save the package again; if you did not make it, do not use it.",
     .spec    = "upkg.md#4.9")
{
	const struct upkg *u = c->facts;

	if (f->kind == FLAW_NAME_NOT_IN_GAME)
		report_by_era(c, f, WORD("name"), SIGNED(f->first), flaw_name(c, f->first));
	else if (f->kind == FLAW_IMPORT_NOT_IN_GAME)
		report_by_era(c, f, WORD("import"), SIGNED(f->first),
			      flaw_name(c, u->imports[f->first].name));
	else if (f->kind == FLAW_EXPORT_NOT_IN_GAME)
		report_by_era(c, f, WORD("export"), SIGNED(f->first),
			      flaw_name(c, u->exports[f->first].name));
}

DEFECT_RULE(BOD008, class_by_import, ERROR, UPKG_FLAW_ROWS, f, KIND(CLASS_BY_IMPORT),
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_UE2 ", or " EDITOR_ALONE,
     .title   = "A class shall have the class 0, and not the import of Core.Class.",
     .message = "export {0}, {1}, has the import {2}, Core.Class, as its class",
     .data    = "export object reference",
     .why     = "The engine reads a class there, with its code; who goes by the number reads "
                "properties, and nothing behind them.",
     .fix     = "Compile the package again.",
     .spec    = "upkg.md#7.5")
{
	report_by_era(c, f, SIGNED(f->first));
}

DEFECT_RULE(BOD007, outer_of_path, WARNING, UPKG_FLAW_ROWS, f, KIND(OUTER_PATH),
     .class   = CLASS_SECURITY,
     .title   = "The name of what an object lies in should have no separator and no colon.",
     .message = "export {0}, {1}, lies in export {2}, whose name is a path: {3}",
     .data    = "export object outer name",
     .why     = "Where the object's class saves settings for each object, the engine writes them "
                "to the file of that name.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.4")
{
	const struct upkg *u = c->facts;

	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first),
	       flaw_name(c, u->exports[f->first].name));
}

DEFECT_RULE(BOD006, frame_code, ERROR, UPKG_FLAW_ROWS, f, KIND(FRAME_CLASS) | KIND(FRAME_OUTSIDE),
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_UE2 ", or " EDITOR_ALONE,
     .title   = "A state frame shall name classes or states, and a place that their code can have.",
     .message = "the state frame of export {0}, {1}, names {2} {3}, {4}",
     .data    = "export object part number defect",
     .why     = "The engine takes the object for code without a look, and stops where the place "
                "lies outside of it.",
     .fix     = "Save the package again; if it still fails, do not use it.",
     .spec    = "upkg.md#7.1")
{
	if (f->kind == FLAW_FRAME_CLASS)
		report_by_era(c, f, WORD("the object"), SIGNED(f->first),
			      WORD("which is no class and no state"));
	else if (f->kind == FLAW_FRAME_OUTSIDE)
		report_by_era(c, f, WORD("the place"), SIGNED(f->first),
			      WORD("which lies outside of its code"));
}

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
     .title   = "The state frame of an object with HasStack shall end inside its body.",
     .message = "the state frame of export {0}, {1}, does not end in its {2}",
     .data    = "export object len",
     .why     = "The engine reads on into the next object: the game crashes or loads something "
                "else.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd.",
     .spec    = "upkg.md#7.1")
{
	report_body(c, f, SIZE(f->len));
}

DEFECT_RULE(BOD002, state_frame_invalid, WARNING, UPKG_FLAW_ROWS, f,
     KIND(FRAME_NODE) | KIND(FRAME_STATE) | KIND(FRAME_PLACE),
     .class   = CLASS_CORRUPTION,
     .title   = "A saved object's state frame should name the same state in both of its fields, "
                "and no place in its code.",
     .message = "the state frame of export {0}, {1}, {2}",
     .data    = "export object defect",
     .why     = "Objects are saved before their code has run: with this frame the object would "
                "begin in the middle of a state's code.",
     .fix     = "None is needed if it works; otherwise get the file again. Its author should save "
                "the package again in UnrealEd.",
     .spec    = "upkg.md#7.1")
{
	if (f->kind == FLAW_FRAME_NODE)
		report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), WORD("has no node"));
	else if (f->kind == FLAW_FRAME_STATE)
		report(c, flaw_place(f), DEC(f->export), flaw_object(c, f),
		       WORD("has a state that is not its node"));
	else if (f->kind == FLAW_FRAME_PLACE)
		report(c, flaw_place(f), DEC(f->export), flaw_object(c, f),
		       WORD("has a place inside the code"));
}

DEFECT_RULE(BOD003, frame_reference_missing, ERROR, UPKG_FLAW_ROWS, f, KIND(FRAME_REFERENCE),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The objects to which a state frame refers shall exist.",
     .message = "the state frame of export {0}, {1}, refers to {2}, which does not exist",
     .data    = "export object reference",
     .why     = "The reference is out of range, so that engines and tools read other memory: the "
                "game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd.",
     .spec    = "upkg.md#7.1")
{
	report_body(c, f, SIGNED(f->first));
}

DEFECT_RULE(BOD004, data_behind_properties, ERROR, UPKG_FLAW_ROWS, f, KIND(OWN_DATA),
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the package is of UE2 or of licensee 227, where Actor may have data of its "
                    "own, or " EDITOR_ALONE,
     .title   = "An object of the package's own class shall end with its properties, unless the "
                "class descends from a native class other than Actor and Object.",
     .message = "export {0}, {1}, has {2} after its properties, expected none: its class stores "
                "no data there",
     .data    = "export object bytes",
     .why     = "The engine stops with an error when an object is larger than what it reads: the "
                "game crashes while it loads the package.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd.",
     .spec    = "upkg.md#7.4")
{
	report_body_as(c, !upkg_is_of_unreal(c->facts), f, SIZE(f->len));
}

DEFECT_RULE(PRP001, property_name_missing, ERROR, UPKG_FLAW_ROWS, f, KIND(TAG_NAME),
     .class   = CLASS_SECURITY, ERA_LESSER,
     .title   = "A property's name shall be in the name table.",
     .message = "a property of export {0}, {1}, has the name {2}; the count of names is {3}",
     .data    = "export object name names",
     .why     = "The number of the name is out of range, so that engines and tools read other "
                "memory: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#7.2.1")
{
	const struct upkg *u = c->facts;

	report_by_era(c, f, SIGNED(f->first), DEC(u->tables[TABLE_NAMES].n));
}

DEFECT_RULE(PRP002, property_outside_body, ERROR, UPKG_FLAW_ROWS, f, KIND(TAG_CUT),
     .class   = CLASS_CORRUPTION, ERA_LESSER,
     .title   = "A property shall end inside its object's body.",
     .message = "property {2} of export {0}, {1}, does not fit in the {3} that {3:is|are} left",
     .data    = "export object property left",
     .why     = "The engine reads on into the next object: the game crashes or loads something "
                "else.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
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
     .why     = "The engine does not find the end of the properties and reads on into the next "
                "object: the game crashes or loads something else.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#7.2.1")
{
	report_by_era(c, f,
		      either(f->kind == FLAW_LIST_INDEX,
			     "continue with a name whose index is not a compact index",
			     "do not end in None inside the body"));
}

DEFECT_RULE(PRP004, property_type, ERROR, UPKG_FLAW_ROWS, f, KIND(TAG_TYPE) | KIND(TAG_TYPE_ZERO),
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the type exists but no engine writes it, the package is of UE2, or "
		    EDITOR_ALONE,
     .title   = "A property's type shall be one that engines write.",
     .message = "property {2} of export {0}, {1}, has the type {3}, which no engine writes",
     .data    = "export object property type",
     .why     = "The engine stops at a type that it does not know: the game crashes while it "
                "loads the package.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
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
     .why     = "The game loads it, but no engine saves it so: another tool made the package, and "
                "tools may misread it.",
     .fix     = "None is needed if it works. Its author can save the package again in UnrealEd or "
                "with ucc.",
     .spec    = "upkg.md#7.2.3")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_property(c, f),
	       SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(PRP006, array_index_zero, WARNING, UPKG_FLAW_ROWS, f, KIND(ARRAY_ZERO),
     .class   = CLASS_HYGIENE,
     .title   = "A property's index in an array should not be written when it is 0.",
     .message = "property {2} of export {0}, {1}, has the array flag and the index 0, which is "
                "not written",
     .data    = "export object property",
     .why     = "The game loads it, but no engine saves it so: another tool made the package, and "
                "tools may misread it.",
     .fix     = "None is needed if it works. Its author can save the package again in UnrealEd or "
                "with ucc.",
     .spec    = "upkg.md#7.2.4")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_property(c, f));
}

DEFECT_RULE(PRP007, property_repeated, WARNING, UPKG_FLAW_ROWS, f, KIND(TAG_TWICE),
     .class   = CLASS_HYGIENE, .versions = BETWEEN(58, 69),
     .title   = "A list of properties should have no duplicates with the same index.",
     .message = "property {2}[{3}] of export {0}, {1}, is a duplicate",
     .data    = "export object property index",
     .why     = "The engine takes the last one and some tools the first, so that they see "
                "different values.",
     .fix     = "None is needed if it works. Its author should save the package again in UnrealEd "
                "or with ucc.",
     .spec    = "upkg.md#7.2.4")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_property(c, f),
	       SIGNED(f->first));
}

DEFECT_RULE(PRP008, value_size, ERROR, UPKG_FLAW_ROWS, f, KIND(VALUE_SIZE),
     .class   = CLASS_CORRUPTION, ERA_LESSER,
     .title   = "A property's size shall be that of its type.",
     .message = "property {2} of export {0}, {1}, is of type {3} and has the size {4}, which is "
                "not a size of that type",
     .data    = "export object property type size",
     .why     = "Engines ignore the size of types that they know, and tools do not: they read "
                "different objects from there on, and the game may crash.",
     .fix     = "Get the file again; if it still fails, its author must save the package again in "
                "UnrealEd or with ucc.",
     .spec    = "upkg.md#7.2.5")
{
	report_by_era(c, f, flaw_property(c, f), WORD(type_names[f->first]), SIGNED(f->second));
}

DEFECT_RULE(PRP009, value_reference, ERROR, UPKG_FLAW_ROWS, f,
     KIND(VALUE_REFERENCE) | KIND(VALUE_INDEX) | KIND(VALUE_LENGTH),
     .class   = CLASS_SECURITY, ERA_LESSER,
     .title   = "The object or name of a property shall exist and fill the property's size.",
     .message = "property {2} of export {0}, {1}, refers to {3}{4}",
     .data    = "export object property reference defect",
     .why     = "The reference is out of range or does not fit its size, so that engines and "
                "tools read other memory: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#7.2.6")
{
	if (f->kind == FLAW_VALUE_REFERENCE)
		report_by_era(c, f, flaw_property(c, f), SIGNED(f->first),
			      WORD(", which does not exist"));
	else if (f->kind == FLAW_VALUE_INDEX)
		report_by_era(c, f, flaw_property(c, f), WORD("nothing"),
			      WORD(", because its bytes are not a compact index"));
	else if (f->kind == FLAW_VALUE_LENGTH)
		report_by_era(c, f, flaw_property(c, f), SIGNED(f->first),
			      WORD(", which does not fill the property's size"));
}

DEFECT_RULE(PRP010, value_text, ERROR, UPKG_FLAW_ROWS, f,
     KIND(TEXT_COUNT) | KIND(TEXT_LENGTH) | KIND(TEXT_NUL),
     .class   = CLASS_SECURITY, ERA_LESSER,
     .title   = "A property's text shall fill its size and end in a NUL.",
     .message = "text {2} of export {0}, {1}, {3}",
     .data    = "export object property defect",
     .why     = "Engines and tools disagree about the text, or read past its end: the game shows "
                "other text or crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#7.2.7")
{
	static const char *const defects[] = {
		[IN_LIST(TEXT_COUNT)] = "has no count",
		[IN_LIST(TEXT_LENGTH)] = "does not fill its size",
		[IN_LIST(TEXT_NUL)] = "does not end in a NUL",
	};

	report_by_era(c, f, flaw_property(c, f), flaw_word(f, defects));
}

DEFECT_RULE(PRP011, struct_size, WARNING, UPKG_FLAW_ROWS, f, KIND(STRUCT_SIZE),
     .class   = CLASS_CORRUPTION,
     .title   = "A struct that is stored as it is in memory should have the size of its kind.",
     .message = "property {2} of export {0}, {1}, is a {3} and has {4}, which is not the size of "
                "that struct",
     .data    = "export object property struct size",
     .why     = "The engine reads as many bytes as the struct has, whatever the size says: it and "
                "tools read different objects from there on.",
     .fix     = "None is needed if it works; otherwise get the file again. Its author should save "
                "the package again in UnrealEd or with ucc.",
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
     .why     = "The number of the name is out of range, so that engines and tools read other "
                "memory: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
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
     .why     = "Tools that go by the size misread the rest of the object. Two of UT2004's own "
                "packages are so, and the game loads them.",
     .fix     = "None is needed if it works. Its author can save the package again in UnrealEd or "
                "with ucc.",
     .spec    = "upkg.md#7.2.8")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_property(c, f),
	       either(f->kind == FLAW_STRUCT_SHORT, "ends in None before its size does",
		      "does not end in None where its size does"));
}

DEFECT_RULE(PRP014, array_count, ERROR, UPKG_FLAW_ROWS, f, KIND(ARRAY_COUNT) | KIND(ARRAY_INDEX),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "An array's count shall not be negative, and its elements shall fit in its bytes.",
     .message = "array {2} of export {0}, {1}, has {3} {3:element|elements} in {4}",
     .data    = "export object property count size",
     .why     = "Engines allocate memory for the count before they read an element: the game runs "
                "out of memory or crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
     .spec    = "upkg.md#7.2.9")
{
	if (f->kind == FLAW_ARRAY_INDEX)
		report_body(c, f, flaw_property(c, f), WORD("no number of"), SIZE(f->len));
	else if (f->kind == FLAW_ARRAY_COUNT)
		report_body(c, f, flaw_property(c, f), SIGNED(f->first), SIZE(f->len));
}

DEFECT_RULE(PRP015, delegate_value, WARNING, UPKG_FLAW_ROWS, f, KIND(DELEGATE),
     .class   = CLASS_CORRUPTION, .versions = SINCE(99),
     .title   = "The value of a delegate should be an object and a function's name, and nothing "
                "else.",
     .message = "delegate {2} of export {0}, {1}, has {3}, which are not an object and a name",
     .data    = "export object property size",
     .why     = "Tools that go by the size misread the rest of the object.",
     .fix     = "None is needed if it works. Its author should save the package again in UnrealEd "
                "or with ucc.",
     .spec    = "upkg.md#7.2.9")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), flaw_property(c, f),
	       SIZE(f->len));
}

DEFECT_RULE(PRP016, text_too_long, ERROR, UPKG_FLAW_ROWS, f, KIND(TEXT_LONG),
     .class   = CLASS_SECURITY, EDITOR_LESSER, .versions = BETWEEN(58, 69),
     .title   = "A text without a count shall have at most 255 bytes, its NUL included.",
     .message = "text {2} of export {0}, {1}, has {3}, and engines have room for {4} in a text "
                "without a count",
     .data    = "export object property size most",
     .why     = "Where the class has a Str of that name, the engine copies the text to its stack "
                "and overwrites what follows: the game crashes or runs code from the text.",
     .fix     = "Do not use the file. Its author must shorten the text and save the package again "
                "in UnrealEd or with ucc.",
     .spec    = "upkg.md#7.2.7")
{
	report_body(c, f, flaw_property(c, f), SIZE(f->len), SIGNED(f->first));
}

DEFECT_RULE(PRP017, text_element, ERROR, UPKG_FLAW_ROWS, f, KIND(TEXT_INDEX),
     .class   = CLASS_SECURITY, EDITOR_LESSER, .versions = BETWEEN(58, 69),
     .title   = "From version 62 on a text without a count shall be the first element of its "
                "array.",
     .message = "text {2} of export {0}, {1}, has no count and is element {3} of an array, "
                "expected element 0",
     .data    = "export object property index",
     .why     = "Where the class has a Str of that name, the engine writes to that element even "
                "if it does not exist: the game crashes.",
     .fix     = "Do not use the file. Its author must save the package again in UnrealEd or with "
                "ucc.",
     .spec    = "upkg.md#7.2.7")
{
	report_body(c, f, flaw_property(c, f), SIGNED(f->first));
}

DEFECT_RULE(BOD005, need_not_loaded, ERROR, UPKG_FLAW_ROWS, f,
     KIND(NAME_NOT_IN_GAME) | KIND(IMPORT_NOT_IN_GAME) | KIND(EXPORT_NOT_IN_GAME),
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_UE2 ", or " EDITOR_ALONE,
     .title   = "What an object needs shall be loaded wherever the object is, by games and by "
                "servers.",
     .message = "export {0}, {1}, needs {2} {3}, {4}, which games that load the object do not load",
     .data    = "export object kind number name",
     .why     = "The game reads None or nothing in its place, and so gets other properties, code "
                "and objects than the editor and tools show.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd or with ucc.",
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
     .message = "export {0}, {1}, has the import {2}, Core.Class, as its class, expected 0",
     .data    = "export object reference",
     .why     = "The engine reads a class with its code, but tools that go by the number read "
                "only properties: they do not see the code that the game runs.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#7.5")
{
	report_by_era(c, f, SIGNED(f->first));
}

DEFECT_RULE(BOD007, outer_of_path, WARNING, UPKG_FLAW_ROWS, f, KIND(OUTER_PATH),
     .class   = CLASS_SECURITY,
     .title   = "The name of an object's outer should have no separator and no colon.",
     .message = "export {0}, {1}, has export {2} as its outer, whose name is a path: {3}",
     .data    = "export object outer name",
     .why     = "If the object's class saves settings for each object, the engine writes them to "
                "a file of that path, also outside the game's folders (path traversal).",
     .fix     = "Do not use the file. Its author should rename the outer in UnrealEd and save the "
                "package again.",
     .spec    = "upkg.md#8.4")
{
	const struct upkg *u = c->facts;

	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first),
	       flaw_name(c, u->exports[f->first].name));
}

DEFECT_RULE(BOD006, frame_code, ERROR, UPKG_FLAW_ROWS, f, KIND(FRAME_CLASS) | KIND(FRAME_OUTSIDE),
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_UE2 ", or " EDITOR_ALONE,
     .title   = "A state frame shall name classes or states, and a place inside their code.",
     .message = "the state frame of export {0}, {1}, names {2} {3}, {4}",
     .data    = "export object part number defect",
     .why     = "The engine treats the object as code without a check, and stops at a place "
                "outside of it: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the package again in UnrealEd.",
     .spec    = "upkg.md#7.1")
{
	if (f->kind == FLAW_FRAME_CLASS)
		report_by_era(c, f, WORD("the object"), SIGNED(f->first),
			      WORD("which is neither a class nor a state"));
	else if (f->kind == FLAW_FRAME_OUTSIDE)
		report_by_era(c, f, WORD("the place"), SIGNED(f->first),
			      WORD("which is outside the code"));
}

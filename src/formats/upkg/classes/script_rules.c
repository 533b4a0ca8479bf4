/* The families BYT, CLS and FUN: code, classes and functions. */
#include "formats/upkg/body/flaw_rules.h"
#include "formats/upkg/classes/kinds.h"
#include "formats/upkg/classes/parts.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"
#include "formats/upkg/tables/references.h"

DEFECT_RULE(BYT001, script_size, ERROR, UPKG_SCRIPT_FLAW_ROWS, f,
     KIND(SCRIPT_SIZE) | KIND(SCRIPT_CUT),
     .class   = CLASS_CORRUPTION, EDITOR_LESSER,
     .title   = "Code shall take as many bytes in memory as its size says.",
     .message = "the code of export {0}, {1}, is said to have {2} {2:byte|bytes} in memory: {3}",
     .data    = "export object size defect",
     .why     = "The engine reads code until it has that many bytes: it goes on into what follows, "
                "or stops inside a token.",
     .fix     = "Get the file again; if it still fails, do not use it.",
     .spec    = "upkg.md#8.1")
{
	if (f->kind == FLAW_SCRIPT_SIZE && f->first < 0)
		report_body(c, f, SIGNED(f->first), WORD("it cannot be negative"));
	else if (f->kind == FLAW_SCRIPT_SIZE)
		report_body(c, f, SIGNED(f->first), WORD("its last token is longer"));
	else if (f->kind == FLAW_SCRIPT_CUT)
		report_body(c, f, SIGNED(f->second), WORD("the body ends before it"));
}

DEFECT_RULE(BYT002, script_reference, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(SCRIPT_REFERENCE),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "What code refers to shall exist.",
     .message = "the code or head of export {0}, {1}, refers to {2}, which does not exist",
     .data    = "export object reference",
     .why     = "Readers index their tables with the number and read what lies beyond them.",
     .fix     = "Get the file again; if it still fails, do not use it.",
     .spec    = "upkg.md#8.2")
{
	report_body(c, f, SIGNED(f->first));
}

DEFECT_RULE(BYT003, token_unknown, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(TOKEN),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "Code shall consist of tokens that the engine has.",
     .message = "the code of export {0}, {1}, has the token {2} at {3} in memory",
     .data    = "export object token at",
     .why     = "The engine stops with an error, or calls what its table has by chance.",
     .fix     = "Get the file again; if it still fails, do not use it.",
     .spec    = "upkg.md#8.2")
{
	report_body(c, f, HEX((uint64_t)f->first), SIGNED(f->second));
}

DEFECT_RULE(BYT004, target_inside_token, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(TARGET),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A jump shall lead to the start of a token inside the code.",
     .message = "a jump in the code of export {0}, {1}, leads to {2}, where no token of its {3} "
                "{3:byte|bytes} begins",
     .data    = "export object target size",
     .why     = "The engine goes on with whatever lies there.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.3")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(BYT005, length_of_expression, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(SKIP),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The length that stands before an expression shall be the expression's.",
     .message = "in the code of export {0}, {1}, the length before an expression is {2}; by the "
                "expression it is {3}",
     .data    = "export object length found",
     .why     = "The engine skips by the length when an object is missing: it goes on inside a "
                "token.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.3")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(BYT006, expression_too_deep, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(DEPTH),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "Expressions shall stand at most 64 deep in each other.",
     .message = "expressions in the code of export {0}, {1}, are nested more than {2} deep",
     .data    = "export object depth",
     .why     = "The engine calls itself for each: its stack ends. The deepest of real code is 36.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.2")
{
	report_body(c, f, SIGNED(f->first));
}

DEFECT_RULE(BYT007, label_outside_code, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(LABEL),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A label shall be the start of a token inside its code.",
     .message = "a label of export {0}, {1}, is at {2}, where no token of its {3} {3:byte|bytes} "
                "begins",
     .data    = "export object label size",
     .why     = "The engine goes on with whatever lies there.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.3")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(BYT008, state_labels_outside_code, ERROR, UPKG_SCRIPT_FLAW_ROWS, f,
     KIND(STATE_LABEL) | KIND(STATE_LABEL_NO_CODE),
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "there is no code at all, or " EDITOR_ALONE,
     .title   = "The place of a state's labels shall be that of its table of labels.",
     .message = "the labels of export {0}, {1}, are at {2}, and its table of labels is at {3}",
     .data    = "export object labels table",
     .why     = "The engine takes whatever lies there for labels, and goes on at the places that "
                "they say.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.3")
{
	report_body_as(c, f->kind == FLAW_STATE_LABEL_NO_CODE, f, SIGNED(f->first),
		       f->second < 0 ? WORD("no place") : SIGNED(f->second));
}

static const char *const things[] = {
	[THING_VARIABLE] = "a variable",     [THING_FUNCTION] = "a function",
	[THING_CLASS] = "a class",           [THING_STRUCT] = "a struct",
	[THING_ENUM] = "an enum or nothing", [THING_ELEMENT] = "a variable that lies in it",
	[THING_STATE] = "a state",           [THING_BOOL] = "a Bool variable",
};

/* What something is: the name of its class. */
static struct arg class_name(const struct upkg *u, int32_t reference)
{
	if (reference < 0)
		return TEXT(upkg_text_of(u, (int32_t)upkg_import_entry_of(
						    u, &u->imports[-(int64_t)reference - 1])
						    .class_name.value)
				    .ref);
	if (reference == 0)
		return WORD("nothing");
	reference = u->exports[reference - 1].class;
	if (reference < 0 && upkg_refers(u, reference))
		return TEXT(upkg_text_of(u, u->imports[-(int64_t)reference - 1].name).ref);
	return WORD(reference == 0 ? "Class" : "an object of the package's own class");
}

DEFECT_RULE(BYT009, token_refers_to_another, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(THING),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "Tokens shall refer to what they are about: a variable, a function, a class, a "
                "struct.",
     .message = "a token in the code of export {0}, {1}, is about {2} and refers to {3}: {4}",
     .data    = "export object thing reference class",
     .why     = "The engine does not ask: it takes other memory for what the token is about, and "
                "may call it.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.2")
{
	report_body(c, f, WORD(things[f->part]), SIGNED(f->first),
		    class_name(c->facts, (int32_t)f->first));
}

DEFECT_RULE(BYT010, code_without_end, ERROR, UPKG_SCRIPT_FLAW_ROWS, f,
     KIND(CODE_EMPTY) | KIND(CODE_END) | KIND(CODE_JUMP),
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the package is of a version below 68, of which nobody counted how code ends, "
                    "or " EDITOR_ALONE,
     .title   = "The code of a function shall end in Return, and that of a state in Stop.",
     .message = "the code of export {0}, {1}, {2} {3}, and shall end in token {4}",
     .data    = "export object defect found expected",
     .why     = "The engine runs code until it comes to that token: it goes on into whatever the "
                "memory has there.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.2")
{
	static const char *const defects[] = {
		[IN_LIST(CODE_EMPTY)] = "has no statement, its size is",
		[IN_LIST(CODE_END)] = "ends in the statement",
		[IN_LIST(CODE_JUMP)] = "has a jump or a label behind its last statement, to",
	};

	report_body_as(c, ((const struct upkg *)c->facts)->tag.version < 68, f,
		       flaw_word(f, defects), HEX((uint64_t)f->first), HEX((uint64_t)f->second));
}

DEFECT_RULE(BYT011, label_table_unaligned, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(LABEL_TABLE),
     .class   = CLASS_CORRUPTION, EDITOR_LESSER,
     .title   = "A table of labels shall begin at a multiple of 4.",
     .message = "a table of labels in the code of export {0}, {1}, begins at {2}, which is no "
                "multiple of 4",
     .data    = "export object table",
     .why     = "The engine stops.",
     .fix     = "Compile the package again.",
     .spec    = "upkg.md#8.3")
{
	report_body(c, f, SIGNED(f->first));
}

DEFECT_RULE(BYT012, replication_outside_code, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(REPLICATION),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The condition under which something is replicated shall be the start of a token "
                "of its class's code.",
     .message = "export {0}, {1}, is replicated under the condition at {2} of class {3}, where no "
                "token begins",
     .data    = "export object place class",
     .why     = "The engine reads the condition while it loads the class, beyond its code.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.3")
{
	const struct upkg *u = c->facts;

	report_body(c, f, SIGNED(f->first), flaw_name(c, u->exports[f->second].name));
}

DEFECT_RULE(BYT013, token_out_of_place, ERROR, UPKG_SCRIPT_FLAW_ROWS, f,
     KIND(TOKEN_PLACE) | KIND(TOKEN_CASE),
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it is what follows a switch, of which nobody counted any, or " EDITOR_ALONE,
     .title   = "A token shall stand where the engine can run it.",
     .message = "the code of export {0}, {1}, has the token {2} at {3} in memory, {4}",
     .data    = "export object token at expected",
     .why     = "The engine does not ask what stands there: it writes to memory that nobody gave "
                "it, stops, or never ends.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.2")
{
	static const char *const places[] = {
		[PLACE_ANY] = "where it cannot stand: outside of what it belongs to",
		[PLACE_ASSIGNED] = "where something is assigned and a variable shall stand",
		[PLACE_ARRAY] = "where an element is taken and a variable shall stand",
		[PLACE_BOOL] =
			"where a Bool is read and token 0x00, 0x01, 0x02, 0x29 or 0x36 shall stand",
		[PLACE_STATEMENT] = "where a statement shall begin",
		[PLACE_PARAMETERS] = "where a parameter shall stand",
		[PLACE_ITERATOR] = "where an iterator shall be called",
		[PLACE_IN_ITERATION] = "where no loop over an iterator is open",
	};

	if (f->kind == FLAW_TOKEN_CASE)
		report_body_as(c, true, f, HEX((uint64_t)f->first), SIGNED(f->second),
			       WORD("where the first case of a switch shall stand"));
	else
		report_body(c, f, HEX((uint64_t)f->first), SIGNED(f->second),
			    WORD(places[f->part]));
}

/* What is wrong with where the variable lies that a token refers to. */
static const char *owner_defect(int64_t token)
{
	switch (token) {
	case 0x00:
	case 0x29:
		return "does not lie in the function whose code it is";
	case 0x36:
		return "lies in no struct";
	default:
		return "lies in a function";
	}
}

DEFECT_RULE(BYT014, variable_of_another_owner, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(OWNER),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A token shall refer to a variable that lies where it looks for it: in the "
                "function, in the object, in a struct.",
     .message = "the token {2} in the code of export {0}, {1}, refers to variable {3}, which {4}",
     .data    = "export object token reference defect",
     .why     = "The engine takes the variable's place for one in other memory than that which has "
                "it, and writes beyond that.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.2")
{
	report_body(c, f, HEX((uint64_t)f->second), SIGNED(f->first),
		    WORD(owner_defect(f->second)));
}

DEFECT_RULE(CLS001, class_reference, WARNING, UPKG_SCRIPT_FLAW_ROWS, f,
     KIND(DEPENDENCY) | KIND(WITHIN),
     .class   = CLASS_CORRUPTION,
     .title   = "What a class depends on and stands within should be classes.",
     .message = "class {1}, export {0}, {2} {3}, which is no class",
     .data    = "export object how reference",
     .why     = "The engine loads what is named there before the class, and takes it for a class.",
     .fix     = "Compile the package again.",
     .spec    = "upkg.md#8.4")
{
	if (f->kind == FLAW_DEPENDENCY)
		report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), WORD("depends on"),
		       SIGNED(f->first));
	else if (f->kind == FLAW_WITHIN)
		report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), WORD("stands within"),
		       SIGNED(f->first));
}

DEFECT_RULE(CLS002, super_mismatch, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(SUPER),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The super that a body says shall be that of the export table.",
     .message = "export {0}, {1}, has the super {2}, and {3} in the export table",
     .data    = "export object super row",
     .why     = "The table says what is loaded first, the body what the engine goes by: it may be "
                "itself, without end.",
     .fix     = "Compile the package again.",
     .spec    = "upkg.md#8.4")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

#define FIELD_FLAWS \
	(KIND(FIELD_NONE) | KIND(FIELD_ELSEWHERE) | KIND(FIELD_TWICE) | KIND(FIELD_AFTER_CLASS))

DEFECT_RULE(CLS003, field_list, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, FIELD_FLAWS,
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it is only that something follows a class, or " EDITOR_ALONE,
     .title   = "The fields of a struct shall be a list: each is a field, in the same object, and "
                "in no list a second time.",
     .message = "the list of fields that export {0}, {1}, has or is in goes on with {2}, which {3}",
     .data    = "export object field defect",
     .why     = "The engine takes what stands there for a field, and goes on until the list ends.",
     .fix     = "Compile the package again.",
     .spec    = "upkg.md#8.5")
{
	static const char *const defects[] = {
		[IN_LIST(FIELD_NONE)] = "is no field of the package",
		[IN_LIST(FIELD_ELSEWHERE)] = "another object contains",
		[IN_LIST(FIELD_TWICE)] = "a list has already",
		[IN_LIST(FIELD_AFTER_CLASS)] = "follows a class",
	};

	report_body_as(c, f->kind == FLAW_FIELD_AFTER_CLASS, f, SIGNED(f->first),
		       flaw_word(f, defects));
}

DEFECT_RULE(CLS004, source_no_text, WARNING, UPKG_SCRIPT_FLAW_ROWS, f, KIND(SOURCE),
     .class   = CLASS_CORRUPTION,
     .title   = "The source of a class should be a text buffer.",
     .message = "the source of export {0}, {1}, is {2}, which is no text buffer",
     .data    = "export object reference",
     .why     = "Editors read it as a text.",
     .fix     = "Compile the package again.",
     .spec    = "upkg.md#8.5")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first));
}

DEFECT_RULE(CLS005, variable_elements, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(ELEMENTS),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A variable shall have from 1 to 1048576 elements, and a Bool one.",
     .message = "variable {1}, export {0}, has {2} {2:element|elements}, and from 1 to {3} "
                "{3:is|are} possible",
     .data    = "export object elements most",
     .why     = "The engine writes the elements that an object saves wherever the number allows: "
                "over other memory.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.6")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

/* What is wrong with the name of a configuration. */
static const char *configuration_defect(const struct check *c, int64_t name)
{
	const uint32_t traits = upkg_path_traits(c->facts, (int32_t)name);

	return traits == 0 ? "has a dot" : upkg_path_defect(traits);
}

DEFECT_RULE(CLS006, class_configuration, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(CONFIGURATION),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The name of a class's configuration shall be no path and have no extension.",
     .message = "the settings of class {1}, export {0}, are in the file {2}, which {3}",
     .data    = "export object name defect",
     .why     = "Code of the class writes a file of that name, with lines of its choice: in any "
                "folder, and of any kind.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.4")
{
	report_body(c, f, flaw_name(c, f->first), WORD(configuration_defect(c, f->first)));
}

DEFECT_RULE(CLS007, variable_refers_to_another, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(VARIABLE),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A variable shall refer to what its class is about: a struct, a class, an enum, "
                "the variable that its elements are.",
     .message = "variable {1}, export {0}, is about {2} and refers to {3}: {4}",
     .data    = "export object thing reference class",
     .why     = "The engine does not ask: it takes sizes and places from other memory, or stops.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.6")
{
	report_body(c, f, WORD(things[f->part]), SIGNED(f->first),
		    class_name(c->facts, (int32_t)f->first));
}

DEFECT_RULE(CLS008, struct_in_itself, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(STRUCT_ENDLESS),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "No struct shall hold itself.",
     .message = "export {0}, {1}, {2} struct {3}, which holds itself or a struct that does",
     .data    = "export object how struct",
     .why     = "The engine walks over the variables of a struct with calls of itself: its stack "
                "ends.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.6")
{
	const struct upkg *u = c->facts;

	report_body(c, f, either(f->second, "descends from", "is a variable of"),
		    flaw_name(c, u->exports[f->first].name));
}

DEFECT_RULE(CLS009, super_of_another_kind, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(SUPER_KIND),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The super of a class, function, state or struct shall be one too, and every class "
                "but Core.Object shall have one.",
     .message = "export {0}, {1}, is {2} and has the super {3}: {4}",
     .data    = "export object thing super class",
     .why     = "The engine does not ask: it takes sizes, variables and a constructor from other "
                "memory, or stops.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.4")
{
	report_body(c, f, WORD(things[f->part]), SIGNED(f->first),
		    class_name(c->facts, (int32_t)f->first));
}

DEFECT_RULE(CLS010, within_nothing, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(WITHIN_NONE),
     .class   = CLASS_CORRUPTION, EDITOR_LESSER,
     .title   = "A class shall stand within another, Object if in no other.",
     .message = "class {1}, export {0}, stands within nothing",
     .data    = "export object",
     .why     = "The engine stops.",
     .fix     = "Compile the package again.",
     .spec    = "upkg.md#8.4")
{
	report_body_alone(c, false, f);
}

DEFECT_RULE(CLS011, friendly_name_none, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(FRIENDLY),
     .class   = CLASS_CORRUPTION, EDITOR_LESSER,
     .title   = "The name that a class, function, state or struct has in its body shall not be "
                "None.",
     .message = "export {0}, {1}, has the name None in its body",
     .data    = "export object",
     .why     = "The engine stops.",
     .fix     = "Compile the package again.",
     .spec    = "upkg.md#8.4")
{
	report_body_alone(c, false, f);
}

DEFECT_RULE(FUN001, native_index, ERROR, UPKG_SCRIPT_FLAW_ROWS, f,
     KIND(NATIVE_INDEX) | KIND(NATIVE_FLAG),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A function's native index shall be at most 4095, and 0 unless the function is "
                "native.",
     .message = "function {1}, export {0}, has the native index {2}{3}",
     .data    = "export object index defect",
     .why     = "The engine stops, or calls by the index, whatever the function's flags say.",
     .fix     = "Compile the package again.",
     .spec    = "upkg.md#8.4")
{
	if (f->kind == FLAW_NATIVE_INDEX)
		report_body(c, f, SIGNED(f->first), WORD(", at most 4095 is one"));
	else if (f->kind == FLAW_NATIVE_FLAG)
		report_body(c, f, SIGNED(f->first), WORD(" and is not native"));
}

static struct arg outer_name(const struct check *c, const struct upkg_flaw *f)
{
	return flaw_name(c, ((const struct upkg *)c->facts)->exports[f->first].name);
}

DEFECT_RULE(FUN002, out_parameters, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(OUTS),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A function shall have at most 16 out parameters.",
     .message = "variable {1}, export {0}, is the 17th out parameter of {2}; there is room for {3}",
     .data    = "export object function room",
     .why     = "When the function is called the engine lists them in an array of 16 on its stack, "
                "and overwrites what lies behind it.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.4")
{
	report_body(c, f, outer_name(c, f), SIGNED(f->second));
}

DEFECT_RULE(CLS012, variables_too_large, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(SIZES),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The variables of a class, struct or function shall take less than 2 GiB.",
     .message = "with variable {1}, export {0}, those of {2} take {3} or more, and at most "
                "2147483647 are possible",
     .data    = "export object outer bytes",
     .why     = "The engine adds their sizes in 32 bits, allocates what the sum comes to, and "
                "writes them behind it.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#8.6")
{
	report_body(c, f, outer_name(c, f), SIZE((uint64_t)f->second));
}

DEFECT_RULE(FUN003, locals_too_large, WARNING, UPKG_SCRIPT_FLAW_ROWS, f, KIND(LOCALS),
     .class   = CLASS_SECURITY,
     .title   = "The variables of a function should take no more than 1 MiB.",
     .message = "with variable {1}, export {0}, those of function {2} take {3} or more, and should "
                "take at most 1048576",
     .data    = "export object function bytes",
     .why     = "An engine that runs the function's code has them on its stack, which ends.",
     .fix     = "Move large arrays from the function to its class.",
     .spec    = "upkg.md#8.6")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), outer_name(c, f),
	       SIZE((uint64_t)f->second));
}

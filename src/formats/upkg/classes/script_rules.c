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
     .why     = "The engine reads code until it has that many bytes: it runs into what follows, "
                "or stops inside a token, and the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.1")
{
	if (f->kind == FLAW_SCRIPT_SIZE && f->first < 0)
		report_body(c, f, SIGNED(f->first), WORD("it cannot be negative"));
	else if (f->kind == FLAW_SCRIPT_SIZE)
		report_body(c, f, SIGNED(f->first), WORD("its last token ends after that"));
	else if (f->kind == FLAW_SCRIPT_CUT)
		report_body(c, f, SIGNED(f->second), WORD("the body ends before that"));
}

DEFECT_RULE(BYT002, script_reference, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(SCRIPT_REFERENCE),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The objects to which code refers shall exist.",
     .message = "the code or head of export {0}, {1}, refers to {2}, which does not exist",
     .data    = "export object reference",
     .why     = "The reference is out of range, so that engines and tools read other memory: the "
                "game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.2")
{
	report_body(c, f, SIGNED(f->first));
}

DEFECT_RULE(BYT003, token_unknown, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(TOKEN),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "Code shall consist of tokens that the engine knows.",
     .message = "the code of export {0}, {1}, has the unknown token {2} at {3} in memory",
     .data    = "export object token at",
     .why     = "The engine stops with an error, or calls whatever its table has for the token: "
                "the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.2")
{
	report_body(c, f, HEX((uint64_t)f->first), SIGNED(f->second));
}

DEFECT_RULE(BYT004, target_inside_token, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(TARGET),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A jump shall lead to the beginning of a token inside the code.",
     .message = "a jump in the code of export {0}, {1}, leads to {2}, where no token of its {3} "
                "{3:byte|bytes} begins",
     .data    = "export object target size",
     .why     = "The engine runs whatever bytes are there as code: the game crashes or does what "
                "its script does not say.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.3")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(BYT005, length_of_expression, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(SKIP),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The length that is stored before an expression shall be that of the expression.",
     .message = "in the code of export {0}, {1}, the length before an expression is {2}, but the "
                "expression has {3}",
     .data    = "export object length found",
     .why     = "The engine skips by this length when an object is missing, and continues inside "
                "a token: the game crashes or does what its script does not say.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.3")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(BYT006, expression_too_deep, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(DEPTH),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "Expressions shall be nested at most 64 deep.",
     .message = "expressions in the code of export {0}, {1}, are nested more than {2} deep",
     .data    = "export object depth",
     .why     = "The engine calls itself for each level, so that its stack overflows and the game "
                "crashes. The deepest known code has 36 levels.",
     .fix     = "Get the file again; if it still fails, do not use it. Its author must split the "
                "expression and compile the package again with ucc.",
     .spec    = "upkg.md#8.2")
{
	report_body(c, f, SIGNED(f->first));
}

DEFECT_RULE(BYT007, label_outside_code, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(LABEL),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A label shall be at the beginning of a token inside its code.",
     .message = "a label of export {0}, {1}, is at {2}, where no token of its {3} {3:byte|bytes} "
                "begins",
     .data    = "export object label size",
     .why     = "The engine runs whatever bytes are there as code: the game crashes or does what "
                "its script does not say.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
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
     .message = "the labels of export {0}, {1}, are at {2}, but its table of labels is at {3}",
     .data    = "export object labels table",
     .why     = "The engine reads whatever bytes are there as labels, and runs code at the places "
                "that they name: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.3")
{
	report_body_as(c, f->kind == FLAW_STATE_LABEL_NO_CODE, f, SIGNED(f->first),
		       f->second < 0 ? WORD("no place") : SIGNED(f->second));
}

static const char *const things[] = {
	[THING_VARIABLE] = "a variable",     [THING_FUNCTION] = "a function",
	[THING_CLASS] = "a class",           [THING_STRUCT] = "a struct",
	[THING_ENUM] = "an enum or nothing", [THING_ELEMENT] = "a variable that it contains",
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
     .title   = "A token shall refer to an object of its kind: a variable, a function, a class or "
                "a struct.",
     .message = "a token in the code of export {0}, {1}, needs {2}, but refers to {3}: {4}",
     .data    = "export object thing reference class",
     .why     = "The engine uses the object as that kind without a check: it reads, writes or "
                "calls other memory, and the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.2")
{
	report_body(c, f, WORD(things[f->part]), SIGNED(f->first),
		    class_name(c->facts, (int32_t)f->first));
}

DEFECT_RULE(BYT010, code_without_end, ERROR, UPKG_SCRIPT_FLAW_ROWS, f,
     KIND(CODE_EMPTY) | KIND(CODE_END) | KIND(CODE_JUMP),
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "the package is of a version below 68, where it was not measured how code "
                    "ends, or " EDITOR_ALONE,
     .title   = "The code of a function shall end in Return, and that of a state in Stop.",
     .message = "the code of export {0}, {1}, {2} {3}, and should end in token {4}",
     .data    = "export object defect found expected",
     .why     = "The engine runs code until it finds that token, into whatever memory follows: "
                "the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.2")
{
	static const char *const defects[] = {
		[IN_LIST(CODE_EMPTY)] = "has no statement, and its size is",
		[IN_LIST(CODE_END)] = "ends in the statement",
		[IN_LIST(CODE_JUMP)] = "has a jump or a label after its last statement, to",
	};

	report_body_as(c, ((const struct upkg *)c->facts)->tag.version < 68, f,
		       flaw_word(f, defects), HEX((uint64_t)f->first), HEX((uint64_t)f->second));
}

DEFECT_RULE(BYT011, label_table_unaligned, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(LABEL_TABLE),
     .class   = CLASS_CORRUPTION, EDITOR_LESSER,
     .title   = "A table of labels shall begin at a multiple of 4.",
     .message = "a table of labels in the code of export {0}, {1}, begins at {2}, which is not a "
                "multiple of 4",
     .data    = "export object table",
     .why     = "The engine stops with an assertion: the game crashes.",
     .fix     = "Get the file again; if it still fails, its author must compile the package again "
                "with ucc.",
     .spec    = "upkg.md#8.3")
{
	report_body(c, f, SIGNED(f->first));
}

DEFECT_RULE(BYT012, replication_outside_code, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(REPLICATION),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The condition of a replication shall be at the beginning of a token in its "
                "class's code.",
     .message = "export {0}, {1}, is replicated under the condition at {2} of class {3}, where no "
                "token begins",
     .data    = "export object place class",
     .why     = "The engine reads the condition while it loads the class, outside the class's "
                "code: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.3")
{
	const struct upkg *u = c->facts;

	report_body(c, f, SIGNED(f->first), flaw_name(c, u->exports[f->second].name));
}

DEFECT_RULE(BYT013, token_out_of_place, ERROR, UPKG_SCRIPT_FLAW_ROWS, f,
     KIND(TOKEN_PLACE) | KIND(TOKEN_CASE),
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it is the token after a switch, for which it was not measured, "
                    "or " EDITOR_ALONE,
     .title   = "A token shall be where the engine can run it.",
     .message = "the code of export {0}, {1}, has the token {2} at {3} in memory, {4}",
     .data    = "export object token at expected",
     .why     = "The engine runs the token without a check: it writes to other memory, stops, or "
                "hangs.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.2")
{
	static const char *const places[] = {
		[PLACE_ANY] = "outside of the statement that it belongs to",
		[PLACE_ASSIGNED] = "where a variable is expected, because something is assigned",
		[PLACE_ARRAY] = "where a variable is expected, because an element of it is taken",
		[PLACE_BOOL] =
			"where a Bool is read and token 0x00, 0x01, 0x02, 0x29 or 0x36 is expected",
		[PLACE_STATEMENT] = "where a statement is expected",
		[PLACE_PARAMETERS] = "where a parameter is expected",
		[PLACE_ITERATOR] = "where the call of an iterator is expected",
		[PLACE_IN_ITERATION] = "where no loop over an iterator is open",
	};

	if (f->kind == FLAW_TOKEN_CASE)
		report_body_as(c, true, f, HEX((uint64_t)f->first), SIGNED(f->second),
			       WORD("where the first case of a switch is expected"));
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
		return "is not in the function that has the code";
	case 0x36:
		return "is not in a struct";
	default:
		return "is in a function";
	}
}

DEFECT_RULE(BYT014, variable_of_another_owner, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(OWNER),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A token shall refer to a variable in the place where it looks for one: in the "
                "function, in the object or in a struct.",
     .message = "the token {2} in the code of export {0}, {1}, refers to variable {3}, which {4}",
     .data    = "export object token reference defect",
     .why     = "The engine uses the variable's offset in other memory than the variable's own, "
                "and writes past its end: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.2")
{
	report_body(c, f, HEX((uint64_t)f->second), SIGNED(f->first),
		    WORD(owner_defect(f->second)));
}

DEFECT_RULE(CLS001, class_reference, WARNING, UPKG_SCRIPT_FLAW_ROWS, f,
     KIND(DEPENDENCY) | KIND(WITHIN),
     .class   = CLASS_CORRUPTION,
     .title   = "What a class depends on, and the class that it is within, should be classes.",
     .message = "class {1}, export {0}, {2} {3}, which is not a class",
     .data    = "export object how reference",
     .why     = "The engine loads the object before the class and uses it as a class: the game "
                "may crash.",
     .fix     = "None is needed if it works; otherwise get the file again. Its author should "
                "compile the package again with ucc.",
     .spec    = "upkg.md#8.4")
{
	if (f->kind == FLAW_DEPENDENCY)
		report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), WORD("depends on"),
		       SIGNED(f->first));
	else if (f->kind == FLAW_WITHIN)
		report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), WORD("is within"),
		       SIGNED(f->first));
}

DEFECT_RULE(CLS002, super_mismatch, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(SUPER),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The super in an object's body shall be that in the export table.",
     .message = "export {0}, {1}, has the super {2} in its body, but {3} in the export table",
     .data    = "export object super row",
     .why     = "The engine loads by the table and works by the body: it may use a super that is "
                "not loaded, or follow supers without end, and the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.4")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

#define FIELD_FLAWS \
	(KIND(FIELD_NONE) | KIND(FIELD_ELSEWHERE) | KIND(FIELD_TWICE) | KIND(FIELD_AFTER_CLASS))

DEFECT_RULE(CLS003, field_list, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, FIELD_FLAWS,
     .class   = CLASS_SECURITY,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "only a field that follows a class is reported, or " EDITOR_ALONE,
     .title   = "The fields of a struct shall be a list in which each is a field of the same "
                "object and none is a duplicate.",
     .message = "the list of fields that export {0}, {1}, has or is in continues with {2}, which "
                "{3}",
     .data    = "export object field defect",
     .why     = "The engine uses the object as a field without a check, or follows the list "
                "without end: the game crashes or hangs.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.5")
{
	static const char *const defects[] = {
		[IN_LIST(FIELD_NONE)] = "is not a field of the package",
		[IN_LIST(FIELD_ELSEWHERE)] = "is in another object",
		[IN_LIST(FIELD_TWICE)] = "is already in a list",
		[IN_LIST(FIELD_AFTER_CLASS)] = "follows a class",
	};

	report_body_as(c, f->kind == FLAW_FIELD_AFTER_CLASS, f, SIGNED(f->first),
		       flaw_word(f, defects));
}

DEFECT_RULE(CLS004, source_no_text, WARNING, UPKG_SCRIPT_FLAW_ROWS, f, KIND(SOURCE),
     .class   = CLASS_CORRUPTION,
     .title   = "The source of a class should be a text buffer.",
     .message = "the source of export {0}, {1}, is {2}, which is not a TextBuffer",
     .data    = "export object reference",
     .why     = "The editor reads the object as a text and may crash; the game does not use it.",
     .fix     = "None is needed to play it. Its author should compile the package again with ucc.",
     .spec    = "upkg.md#8.5")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first));
}

DEFECT_RULE(CLS005, variable_elements, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(ELEMENTS),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A variable shall have 1 to 1048576 elements, and a Bool 1.",
     .message = "variable {1}, export {0}, has {2} {2:element|elements}, expected 1 to {3}",
     .data    = "export object elements most",
     .why     = "The engine writes saved elements as far as this number allows, over other "
                "memory: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
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
     .class   = CLASS_SECURITY, .sign = SIGN_NAME, EDITOR_LESSER,
     .title   = "The name of a class's file of settings shall not be a path and shall have no "
                "extension.",
     .message = "the settings of class {1}, export {0}, are in the file {2}, which {3}",
     .data    = "export object name defect",
     .why     = "Code of the class writes a file of that name with lines of its own, in any "
                "folder and of any kind (path traversal).",
     .fix     = "Do not use the file; no mod needs such a name. Its author must give a plain name "
                "after config and compile the package again.",
     .spec    = "upkg.md#8.4")
{
	report_body(c, f, flaw_name(c, f->first), WORD(configuration_defect(c, f->first)));
}

DEFECT_RULE(CLS007, variable_refers_to_another, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(VARIABLE),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A variable shall refer to an object of its kind: a struct, a class, an enum, or "
                "the variable of its elements.",
     .message = "variable {1}, export {0}, needs {2}, but refers to {3}: {4}",
     .data    = "export object thing reference class",
     .why     = "The engine uses the object as that kind without a check: it takes sizes and "
                "offsets from other memory, or stops, and the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.6")
{
	report_body(c, f, WORD(things[f->part]), SIGNED(f->first),
		    class_name(c->facts, (int32_t)f->first));
}

DEFECT_RULE(CLS008, struct_in_itself, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(STRUCT_ENDLESS),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "No struct shall contain itself.",
     .message = "export {0}, {1}, {2} struct {3}, which contains itself or a struct that does",
     .data    = "export object how struct",
     .why     = "The engine goes through the variables of a struct with calls of itself, so that "
                "its stack overflows and the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.6")
{
	const struct upkg *u = c->facts;

	report_body(c, f, either(f->second, "descends from", "is a variable of"),
		    flaw_name(c, u->exports[f->first].name));
}

DEFECT_RULE(CLS009, super_of_another_kind, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(SUPER_KIND),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The super of a class, function, state or struct shall be of the same kind, and "
                "every class but Core.Object shall have one.",
     .message = "export {0}, {1}, is {2} and has the super {3}: {4}",
     .data    = "export object thing super class",
     .why     = "The engine uses the super without a check: it takes sizes, variables and a "
                "constructor from other memory, or stops, and the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.4")
{
	report_body(c, f, WORD(things[f->part]), SIGNED(f->first),
		    class_name(c->facts, (int32_t)f->first));
}

DEFECT_RULE(CLS010, within_nothing, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(WITHIN_NONE),
     .class   = CLASS_CORRUPTION, EDITOR_LESSER,
     .title   = "A class shall be within another one, which is Object if no other is named.",
     .message = "class {1}, export {0}, is within no class, expected Object or another one",
     .data    = "export object",
     .why     = "The engine stops with an assertion: the game crashes while it loads the class.",
     .fix     = "Get the file again; if it still fails, its author must compile the package again "
                "with ucc.",
     .spec    = "upkg.md#8.4")
{
	report_body_alone(c, false, f);
}

DEFECT_RULE(CLS011, friendly_name_none, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(FRIENDLY),
     .class   = CLASS_CORRUPTION, EDITOR_LESSER,
     .title   = "The name of a class, function, state or struct in its body shall not be None.",
     .message = "export {0}, {1}, has the name None in its body, expected its own",
     .data    = "export object",
     .why     = "The engine stops with an assertion: the game crashes while it loads the object.",
     .fix     = "Get the file again; if it still fails, its author must compile the package again "
                "with ucc.",
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
     .why     = "The engine stops, or calls a function of its own by this number, whatever the "
                "flags say: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "compiled the package again with ucc.",
     .spec    = "upkg.md#8.4")
{
	if (f->kind == FLAW_NATIVE_INDEX)
		report_body(c, f, SIGNED(f->first), WORD(", expected at most 4095"));
	else if (f->kind == FLAW_NATIVE_FLAG)
		report_body(c, f, SIGNED(f->first), WORD(", but is not native"));
}

static struct arg outer_name(const struct check *c, const struct upkg_flaw *f)
{
	return flaw_name(c, ((const struct upkg *)c->facts)->exports[f->first].name);
}

DEFECT_RULE(FUN002, out_parameters, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(OUTS),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A function shall have at most 16 out parameters.",
     .message = "variable {1}, export {0}, is out parameter 17 of {2}, expected at most {3}",
     .data    = "export object function room",
     .why     = "The engine lists them in an array of 16 on its stack when the function is "
                "called, and overwrites what follows: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it. Its author must use fewer "
                "out parameters and compile the package again.",
     .spec    = "upkg.md#8.4")
{
	report_body(c, f, outer_name(c, f), SIGNED(f->second));
}

DEFECT_RULE(CLS012, variables_too_large, ERROR, UPKG_SCRIPT_FLAW_ROWS, f, KIND(SIZES),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The variables of a class, struct or function shall take less than 2 GiB.",
     .message = "with variable {1}, export {0}, those of {2} take {3} or more, expected at most "
                "2147483647",
     .data    = "export object outer bytes",
     .why     = "The engine adds their sizes in 32 bits and allocates the sum, so that it writes "
                "past the end of that memory: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it. Its author must make the "
                "arrays smaller and compile the package again.",
     .spec    = "upkg.md#8.6")
{
	report_body(c, f, outer_name(c, f), SIZE((uint64_t)f->second));
}

DEFECT_RULE(FUN003, locals_too_large, WARNING, UPKG_SCRIPT_FLAW_ROWS, f, KIND(LOCALS),
     .class   = CLASS_SECURITY,
     .title   = "The variables of a function should take no more than 1 MiB.",
     .message = "with variable {1}, export {0}, those of function {2} take {3} or more, expected "
                "at most 1048576",
     .data    = "export object function bytes",
     .why     = "The engine has them on its stack while it runs the function: the stack overflows "
                "and the game crashes.",
     .fix     = "None is needed if it works. Its author should move large arrays from the "
                "function to its class and compile the package again.",
     .spec    = "upkg.md#8.6")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), outer_name(c, f),
	       SIZE((uint64_t)f->second));
}

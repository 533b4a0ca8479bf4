/* Code of UnrealScript: tokens with operands, read without recursion. Offsets are those of the
 * code in memory, where references and names take four bytes. */
#include "formats/upkg/classes/script.h"

#include "core/mutant.h"
#include "formats/upkg/body/reader.h"
#include "formats/upkg/classes/kinds.h"
#include "formats/upkg/classes/operands.h"
#include "formats/upkg/classes/parts.h"
#include "formats/upkg/classes/scratch.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/references.h"

/* How deep expressions can be nested: the deepest of the census is 36. */
enum { DEPTH_MAX = 64 };

enum { TARGET_LEN = 2, LABEL_LEN = 4 };

enum {
	TOKEN_RETURN = 0x04,
	TOKEN_STOP = 0x08,
	TOKEN_NOTHING = 0x0B,
	TOKEN_LABELS = 0x0C,
	TOKEN_LET_BOOL = 0x14,
	TOKEN_END_CODE = 0x15,
	TOKEN_END_PARMS = 0x16,
	TOKEN_NATIVE_LONG = 0x60,
	TOKEN_NATIVE = 0x70,
	TOKEN_LET = 0x0F,
	TOKEN_DYNAMIC_ELEMENT = 0x10,
	TOKEN_CLASS_CONTEXT = 0x12,
	TOKEN_CONTEXT = 0x19,
	TOKEN_ELEMENT = 0x1A,
	TOKEN_LOCAL = 0x00,
	TOKEN_NATIVE_PARM = 0x29,
	TOKEN_MEMBER = 0x36,
	TOKEN_BOOL = 0x2D,
	TOKEN_SWITCH = 0x05,
	TOKEN_CASE = 0x0A,
	TOKEN_VIRTUAL = 0x1B,
	TOKEN_FINAL = 0x1C,
	TOKEN_GLOBAL = 0x38,
	TOKEN_ITERATE = 0x2F,
	TOKEN_ITERATOR_POP = 0x30,
	TOKEN_ITERATOR_NEXT = 0x31
};

#define VERSION_BARE_RETURN 61u /* the last in which Return has no expression */
#define VERSION_END_CODE 63u    /* the last in which code may end in a token of its own */

/* An open token: the operands that are still to be read. */
struct open {
	const char *rest;
	uint8_t token, place; /* an enum upkg_token_place: what it is there for */
	bool checks; /* its last expression, the next one, is to have the length that was read */
	uint64_t length, more; /* that length, and by how much it is more than the expression */
	uint64_t length_at;    /* in the file */
	uint64_t from;         /* where the expression begins in memory */
};

struct walk {
	struct body *b;
	uint64_t at; /* in memory */
	int64_t size;
	struct open stack[DEPTH_MAX];
	uint32_t depth;
	uint64_t token_at; /* in the file, of the last token */
	/* the farthest end of a loop over an iterator so far; -1: there was none */
	int64_t iterates_to;
};

/* ---- Places in memory ------------------------------------------------------------------------ */

/* Jumps have 16 bits: what lies beyond is never a target. */
static void mark_start(struct walk *w)
{
	struct class_scratch *s = scratch_of(w->b);

	if (w->at >= SCRIPT_STARTS)
		return;
	s->starts[w->at / 64] |= UINT64_C(1) << w->at % 64;
	s->starts_end = w->at + 1;
}

/* Clears what the last script marked, which takes less time than clearing all. */
static void forget_starts(struct class_scratch *s)
{
	/* mutant: they stay */
	memset(s->starts, 0, (size_t)((s->starts_end + 63) / 64) * sizeof *s->starts * !MUTANT(68));
	s->starts_end = 0;
}

/* Keeps what was read last: the target of a jump, or a label. */
static bool keep_target(struct walk *w, uint64_t target, bool is_label)
{
	const unsigned len = is_label ? LABEL_LEN : TARGET_LEN;
	struct class_scratch *s = scratch_of(w->b);
	struct script_target *list = decode_grow(w->b->d, UPKG_SCRIPTS, s->targets, s->n_targets,
						 &s->max_targets, sizeof *list);

	if (!list)
		return false;
	s->targets = list;
	list[s->n_targets++] = (struct script_target){ .to = (uint32_t)target,
						       .at = (uint32_t)body_at(w->b) - len,
						       .is_label = is_label };
	return true;
}

static void examine_targets(struct walk *w)
{
	const struct class_scratch *s = scratch_of(w->b);
	const uint64_t size = (uint64_t)w->size;

	for (uint64_t i = 0; i < s->n_targets; i++) {
		const struct script_target *t = &s->targets[i];

		/* mutant: any place in the code will do */
		if (script_is_start(s->starts, size, t->to) || (MUTANT(67) && t->to < size))
			continue;
		if (!t->is_label)
			body_flaw(w->b, FLAW_TARGET, t->at, TARGET_LEN, t->to, w->size);
		else if (!MUTANT(72) ||
			 t->to != size) /* mutant: a label may stand behind the code */
			body_flaw(w->b, FLAW_LABEL, t->at, LABEL_LEN, t->to, w->size);
	}
}

/* ---- Operands -------------------------------------------------------------------------------- */

static bool read_text(struct walk *w)
{
	uint64_t byte;

	do {
		if (!body_u8(w->b, &byte))
			return false;
		w->at++;
	} while (byte != 0);
	return true;
}

static bool read_words(struct walk *w)
{
	uint64_t word;

	do {
		if (!body_u16(w->b, &word))
			return false;
		w->at += 2;
	} while (word != 0);
	return true;
}

static bool read_pairs(struct walk *w)
{
	uint64_t byte;

	for (;;) {
		if (!body_u8(w->b, &byte))
			return false;
		w->at++;
		if (byte == 0)
			return true;
		if (!body_skip(w->b, 1))
			return false;
		w->at++;
	}
}

static bool read_labels(struct walk *w)
{
	int32_t name;
	uint64_t offset;

	scratch_of(w->b)->end.table = (int64_t)w->at;
	if (w->at % 4 != 0)
		body_flaw(w->b, FLAW_LABEL_TABLE, w->token_at, 1, (int64_t)w->at, 0);
	for (;;) {
		if (!decode_spend(w->b->d, UPKG_SCRIPTS, 1) ||
		    !body_name(w->b, FLAW_SCRIPT_REFERENCE, &name) || !body_u32(w->b, &offset))
			return false;
		w->at += 8;
		if (upkg_word_of(w->b->u, name) == WORD_None)
			return true;
		if (!keep_target(w, offset, true))
			return false;
	}
}

static bool read_target(struct walk *w, struct open *o, bool of_case)
{
	uint64_t target;

	if (!body_u16(w->b, &target))
		return false;
	w->at += 2;
	/* mutant: a last case may say one less */
	if (of_case && (target == 0xFFFF || (MUTANT(234) && target == 0xFFFE)))
		return true;
	if (of_case)
		o->rest = "e";
	if (o->token == TOKEN_ITERATE && (int64_t)target > w->iterates_to)
		w->iterates_to = (int64_t)target;
	/* mutant: from deep inside one may go anywhere */
	return (MUTANT(229) && w->depth > 8) || keep_target(w, target, false);
}

/* Reads the length of the last expression of a token, which is `more` than the expression takes. */
static bool read_length(struct walk *w, struct open *o, uint64_t more)
{
	o->length_at = body_at(w->b);
	if (!body_u16(w->b, &o->length))
		return false;
	w->at += 2;
	o->checks = !(MUTANT(205) && w->depth > 24); /* mutant: deep ones are believed */
	/* mutant: at one depth it is one more */
	o->more = more + (MUTANT(237) && w->depth == 5 && more > 0);
	return true;
}

static bool skip(struct walk *w, uint64_t n)
{
	w->at += n;
	return body_skip(w->b, n);
}

/* Whether a variable of the package lies where a token looks for it. Other packages do not say
 * where theirs lie. */
static bool is_owned(const struct body *b, uint64_t token, int32_t variable)
{
	int32_t owner;

	if (variable <= 0)
		return true;
	owner = b->u->exports[variable - 1].outer;
	if (!upkg_refers(b->u, owner))
		return true;
	switch (token) {
	case TOKEN_LOCAL:
	case TOKEN_NATIVE_PARM:
		return owner == (int32_t)b->export + 1 &&
		       body_is_thing(b->u, owner, THING_FUNCTION);
	case TOKEN_MEMBER:
		return body_is_thing(b->u, owner, THING_STRUCT);
	default: /* of the object, or of its defaults */
		return !body_is_thing(b->u, owner, THING_FUNCTION);
	}
}

/* Reads a reference to a thing, or to any object. */
static bool read_object(struct walk *w, const struct open *o, char kind)
{
	const uint64_t at = body_at(w->b);
	const enum upkg_thing thing = kind == 'F'              ? THING_FUNCTION
				      : kind == 'C'            ? THING_CLASS
				      : kind == 'S'            ? THING_STRUCT
				      : o->place == PLACE_BOOL ? THING_BOOL
							       : THING_VARIABLE;
	int32_t v;

	w->at += 4;
	if (!body_object(w->b, FLAW_SCRIPT_REFERENCE, &v))
		return false;
	if (kind != 'o' && upkg_refers(w->b->u, v) && !body_is_thing(w->b->u, v, thing))
		body_note(w->b, FLAW_THING, (uint8_t)thing, at, body_at(w->b) - at, v, 0);
	else if (kind == 'V' && upkg_refers(w->b->u, v) && !is_owned(w->b, o->token, v))
		body_note(w->b, FLAW_OWNER, 0, at, body_at(w->b) - at, v, o->token);
	return true;
}

/* Reads one operand that is no expression. */
static bool read_operand(struct walk *w, struct open *o, char kind)
{
	int32_t v;

	switch (kind) {
	case 'o':
	case 'V':
	case 'F':
	case 'C':
	case 'S':
		return read_object(w, o, kind);
	case 'n':
		w->at += 4u - MUTANT(69); /* mutant: a name takes three bytes in memory */
		return body_name(w->b, FLAW_SCRIPT_REFERENCE, &v);
	case 'b':
		return skip(w, 1);
	case 'w':
		return skip(w, 2);
	case 'd':
		return skip(w, 4);
	case 'v':
		return skip(w, 12);
	case 'z':
		return read_text(w);
	case 'u':
		return read_words(w);
	case 'x':
		return read_pairs(w);
	case 'l':
		return read_labels(w);
	case 'j':
		return read_target(w, o, false);
	case 'c':
		return read_target(w, o, true);
	case 'k':
		return read_length(w, o, 0);
	default:
		return read_length(w, o, 1);
	}
}

/* ---- Tokens ---------------------------------------------------------------------------------- */

static const char *operands_of(const struct walk *w, uint64_t token)
{
	const uint64_t version = w->b->u->tag.version;

	if (token >= TOKEN_NATIVE)
		return "p";
	if (token >= TOKEN_NATIVE_LONG)
		return "bp";
	if (token == TOKEN_RETURN && version <= VERSION_BARE_RETURN)
		return "";
	if (token == TOKEN_LET_BOOL && version <= 63)
		return "x";
	return script_operands[token];
}

/* Notes that the body ends before the code, unless it was memory or work that ended. */
static bool code_is_cut(struct walk *w)
{
	const uint64_t left = span_end(w->b->all) - w->token_at;

	if (!decode_has(w->b->d, UPKG_SCRIPTS) || MUTANT(75)) /* mutant: cut code is silence */
		return false;
	return body_flaw(w->b, FLAW_SCRIPT_CUT, w->token_at, left, (int64_t)w->at, w->size);
}

/* Whether in such a place nothing is asked of the expression in a context. */
static bool holds_all(enum upkg_token_place place)
{
	return place == PLACE_STATEMENT || place == PLACE_PARAMETERS;
}

/* The place of the next expression. In a context it is the place of the context. */
static enum upkg_token_place next_place(const struct walk *w)
{
	const struct open *o = &w->stack[w->depth > 0 ? w->depth - 1 : 0];
	bool is_last;

	if (w->depth == 0)
		return PLACE_STATEMENT;
	if (*o->rest == 'p')
		return PLACE_PARAMETERS;
	is_last = o->rest[1] == '\0';
	switch (o->token) {
	case TOKEN_LET:
	case TOKEN_LET_BOOL:
		return is_last ? PLACE_ANY : PLACE_ASSIGNED;
	case TOKEN_ELEMENT:
	case TOKEN_DYNAMIC_ELEMENT:
		return is_last ? PLACE_ARRAY : PLACE_ANY;
	case TOKEN_CLASS_CONTEXT:
	case TOKEN_CONTEXT:
		return is_last && !holds_all(o->place) ? o->place : PLACE_ANY;
	case TOKEN_BOOL:
		return PLACE_BOOL;
	case TOKEN_ITERATE:
		return PLACE_ITERATOR;
	default:
		return PLACE_ANY;
	}
}

/* Whether the first operand of a token is a variable. */
static bool names_variable(uint64_t token)
{
	return script_operands[token] && *script_operands[token] == 'V';
}

/* Whether what begins with a token is a variable, or may lead to one. */
static bool begins_variable(uint64_t token)
{
	switch (token) {
	case TOKEN_BOOL:
	case TOKEN_ELEMENT:
	case TOKEN_DYNAMIC_ELEMENT:
	case TOKEN_CLASS_CONTEXT:
	case TOKEN_CONTEXT:
		return true;
	default:
		return names_variable(token);
	}
}

/* Whether what begins with a token calls a function, or may do so. */
static bool begins_call(uint64_t token)
{
	switch (token) {
	case TOKEN_VIRTUAL:
	case TOKEN_FINAL:
	case TOKEN_GLOBAL:
	case TOKEN_CLASS_CONTEXT:
	case TOKEN_CONTEXT:
		return true;
	default:
		return token >= TOKEN_NATIVE_LONG;
	}
}

/* Whether a token goes on with a loop over an iterator, or ends it. */
static bool is_iteration(uint64_t token)
{
	return token == TOKEN_ITERATOR_POP || token == TOKEN_ITERATOR_NEXT;
}

static bool fits_place(uint64_t token, enum upkg_token_place place)
{
	switch (place) {
	case PLACE_ASSIGNED:
	case PLACE_ARRAY:
		return begins_variable(token);
	case PLACE_BOOL:
		return names_variable(token);
	case PLACE_ITERATOR:
		return begins_call(token);
	case PLACE_PARAMETERS:
		return !is_iteration(token);
	case PLACE_STATEMENT:
		return token != TOKEN_END_PARMS;
	default:
		return token != TOKEN_END_PARMS && !is_iteration(token);
	}
}

/* Notes that the last token, which is at `at` in memory, does not fit its place. */
static void note_place(struct walk *w, enum upkg_token_place place, uint64_t token, uint64_t at)
{
	body_note(w->b, FLAW_TOKEN_PLACE, (uint8_t)place, w->token_at, 1, (int64_t)token,
		  (int64_t)at);
}

/* Opens the next token. */
static bool open_token(struct walk *w, uint64_t *token)
{
	const enum upkg_token_place place = next_place(w);
	const char *rest;

	w->token_at = body_at(w->b);
	if (!decode_spend(w->b->d, UPKG_SCRIPTS, 1))
		return false;
	mark_start(w);
	if (!body_u8(w->b, token))
		return code_is_cut(w);
	w->at++;
	rest = operands_of(w, *token);
	if (!rest)
		return body_flaw(w->b, FLAW_TOKEN, w->token_at, 1, (int64_t)*token,
				 (int64_t)w->at - 1);
	if (w->depth == DEPTH_MAX + (uint32_t)MUTANT(70)) /* mutant: one deeper */
		return body_flaw(w->b, FLAW_DEPTH, w->token_at, 1, DEPTH_MAX, 0);
	if (!fits_place(*token, place))
		note_place(w, place, *token, w->at - 1);
	w->stack[w->depth++] = (struct open){ .rest = rest,
					      .token = (uint8_t)*token,
					      .place = (uint8_t)place };
	return true;
}

/* Ends an expression of the token that is open now: its last one, or one of a list. */
static void close_expression(struct walk *w, uint64_t token)
{
	struct open *o = &w->stack[w->depth - 1];

	if (*o->rest == 'p') {
		/* mutant: at depth forty a list goes on */
		if (token == TOKEN_END_PARMS && !(MUTANT(204) && w->depth == 40))
			o->rest++;
		return;
	}
	o->rest++;
	/* mutant: believed */
	if (o->checks && w->at - o->from + o->more != o->length && !(MUTANT(73) && o->more))
		body_flaw(w->b, FLAW_SKIP, o->length_at, 2, (int64_t)o->length,
			  (int64_t)(w->at - o->from + o->more));
}

/* A token that goes on with a loop over an iterator, or ends it, is to be in one; a switch is to be
 * followed by its first case. */
static void examine_statement(struct walk *w, uint64_t at, uint64_t token)
{
	const uint64_t last = scratch_of(w->b)->end.last;

	if (is_iteration(token) && (int64_t)at > w->iterates_to)
		note_place(w, PLACE_IN_ITERATION, token, at);
	if (last == TOKEN_SWITCH && token != TOKEN_CASE)
		body_note(w->b, FLAW_TOKEN_CASE, 0, w->token_at, 1, (int64_t)token, (int64_t)at);
}

/* Notes a statement that begins at `at` in memory. Padding after the last statement is not one. */
static void note_statement(struct walk *w, uint64_t at, uint64_t token)
{
	struct script_end *e = &scratch_of(w->b)->end;
	const uint64_t version = w->b->u->tag.version;
	const bool is_stop = token == TOKEN_STOP ||
			     (token == TOKEN_END_CODE && version <= VERSION_END_CODE);

	if (token == TOKEN_RETURN)
		e->returns = (int64_t)at;
	else if (version > VERSION_BARE_RETURN || (!is_stop && token != TOKEN_NOTHING))
		e->returns = -1;
	if (is_stop)
		e->stops = (int64_t)at;
	else if (token != TOKEN_NOTHING && token != TOKEN_LABELS)
		e->stops = -1;
	e->last = token;
}

/* Reads a whole expression: a token, its operands, and the expressions inside it. */
static bool walk_expression(struct walk *w)
{
	uint64_t tokens[DEPTH_MAX + 1];
	const uint64_t at = w->at;

	if (!open_token(w, &tokens[0]))
		return false;
	examine_statement(w, at, tokens[0]);
	note_statement(w, at, tokens[0]);
	while (w->depth > 0) {
		struct open *o = &w->stack[w->depth - 1];
		char kind = *o->rest;

		if (kind == '\0') {
			w->depth--;
			if (w->depth > 0)
				close_expression(w, tokens[w->depth]);
			continue;
		}
		if (kind == 'e' || kind == 'p') {
			o->from = w->at;
			if (!open_token(w, &tokens[w->depth]))
				return false;
			continue;
		}
		o->rest++;
		if (!read_operand(w, o, kind))
			return code_is_cut(w);
	}
	return true;
}

bool body_script(struct body *b, int64_t size)
{
	struct walk w = { .b = b, .size = size, .iterates_to = -1 };
	uint64_t from = body_at(b);

	if (size < 0)
		return body_flaw(b, FLAW_SCRIPT_SIZE, from - 4, 4, size, 0);
	scratch_of(b)->end = (struct script_end){
		.size_at = from - 4, .size = size, .returns = -1, .stops = -1, .table = -1
	};
	forget_starts(scratch_of(b));
	scratch_of(b)->n_targets *= MUTANT(71); /* mutant: the targets of the code before stay */
	while (w.at < (uint64_t)size)
		if (!walk_expression(&w))
			return false;
	if (w.at != (uint64_t)size)
		return body_flaw(b, FLAW_SCRIPT_SIZE, from - 4, 4, size, (int64_t)w.at);
	examine_targets(&w);
	return true;
}

void body_code_end(struct body *b, bool is_state)
{
	const struct class_scratch *s = scratch_of(b);
	const struct script_end *e = &s->end;
	const int64_t end = is_state ? e->stops : e->returns;
	const int64_t token = is_state ? TOKEN_STOP : TOKEN_RETURN;

	if (end < 0)
		body_note(b, e->size == 0 ? FLAW_CODE_EMPTY : FLAW_CODE_END, 0, e->size_at, 4,
			  (int64_t)e->last, token);
	for (uint64_t i = 0; end >= 0 && i < s->n_targets; i++) {
		const struct script_target *t = &s->targets[i];

		if (t->to > end && t->to < e->size)
			body_note(b, FLAW_CODE_JUMP, 0, t->at, t->is_label ? LABEL_LEN : TARGET_LEN,
				  t->to, token);
	}
}

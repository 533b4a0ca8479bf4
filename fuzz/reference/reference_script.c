/* The slow walker: clauses 8.1 to 8.3 of the specification of packages, an expression at a time. */
#include "reference/reference_script.h"

#include <string.h>

#include "reference/reference.h"

enum { DEEPEST = 64, END_OF_LIST = 0x16 };

/* The table of clause 8.2. Letters: r reference, n name, 1 byte, 2 u16, 4 u32, C twelve bytes, e
 * expression, p expressions up to and with token 16, t target, c target of a case, l labels, z
 * bytes up to 0, w units up to 0, k length of the last expression, K that and one more, x pairs
 * of bytes. */
static const struct {
	unsigned first, last;
	const char *operands;
} rows[] = { { 0x00, 0x02, "r" },    { 0x20, 0x20, "r" },    { 0x29, 0x29, "r" },
	     { 0x04, 0x04, "e" },    { 0x05, 0x05, "1e" },   { 0x2B, 0x2B, "1e" },
	     { 0x06, 0x06, "t" },    { 0x07, 0x07, "te" },   { 0x09, 0x09, "2e" },
	     { 0x0A, 0x0A, "c" },    { 0x08, 0x08, "" },     { 0x0B, 0x0B, "" },
	     { 0x15, 0x17, "" },     { 0x25, 0x28, "" },     { 0x2A, 0x2A, "" },
	     { 0x30, 0x31, "" },     { 0x0C, 0x0C, "l" },    { 0x0D, 0x0E, "e" },
	     { 0x2D, 0x2D, "e" },    { 0x39, 0x5A, "e" },    { 0x0F, 0x10, "ee" },
	     { 0x1A, 0x1A, "ee" },   { 0x11, 0x11, "eeee" }, { 0x12, 0x12, "ek1e" },
	     { 0x19, 0x19, "ek1e" }, { 0x13, 0x13, "re" },   { 0x2E, 0x2E, "re" },
	     { 0x36, 0x36, "re" },   { 0x14, 0x14, "ee" },   { 0x18, 0x18, "Ke" },
	     { 0x1B, 0x1B, "np" },   { 0x38, 0x38, "np" },   { 0x1C, 0x1C, "rp" },
	     { 0x1D, 0x1E, "4" },    { 0x1F, 0x1F, "z" },    { 0x21, 0x21, "n" },
	     { 0x22, 0x23, "C" },    { 0x24, 0x24, "1" },    { 0x2C, 0x2C, "1" },
	     { 0x2F, 0x2F, "et" },   { 0x32, 0x33, "ree" },  { 0x34, 0x34, "w" },
	     { 0x60, 0x6F, "1p" },   { 0x70, 0xFF, "p" } };

const char *reference_operands(uint64_t version, unsigned token)
{
	if (token == 0x04 && version <= 61)
		return "";
	if (token == 0x14 && version <= 63)
		return "x";
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (token >= rows[i].first && token <= rows[i].last)
			return rows[i].operands;
	return NULL;
}

/* ---- What is found --------------------------------------------------------------------------- */

static void tell(struct reference_code *c, enum reference_kind kind, uint64_t at, int64_t first,
		 int64_t second)
{
	if (c->n_defects < REFERENCE_DEFECTS)
		c->defects[c->n_defects++] = (struct reference_defect){ kind, at, first, second };
}

static void note(struct reference_place *list, size_t *n, uint64_t at, uint64_t value)
{
	if (*n < REFERENCE_TOKENS)
		list[(*n)++] = (struct reference_place){ at, value };
}

/* ---- Operands -------------------------------------------------------------------------------- */

static bool take(struct reference_code *c, uint64_t n)
{
	if (n > c->n - c->at)
		return false;
	c->at += n;
	c->memory += n;
	return true;
}

static bool take_number(struct reference_code *c, unsigned n, uint64_t *v)
{
	const uint8_t *p = c->data + c->at;

	*v = 0;
	if (!take(c, n))
		return false;
	for (unsigned i = n; i > 0; i--)
		*v = *v << 8 | p[i - 1];
	return true;
}

static uint64_t least_length(int64_t v)
{
	uint64_t n = 1, left = (uint64_t)(v < 0 ? -v : v) >> 6;

	for (; left > 0; left >>= 7)
		n++;
	return n;
}

/* A reference or a name: its index, which in memory is four bytes. */
static bool take_index(struct reference_code *c, int64_t least, int64_t most, int64_t *v)
{
	uint64_t len = reference_index(c->data + c->at, c->n - c->at, v);

	if (len == 0)
		return false;
	if (len != least_length(*v) || (*v == 0 && c->data[c->at] & 0x80))
		c->n_odd++;
	if (*v < least || *v > most)
		tell(c, REFERENCE_REFERENCE, c->at, *v, 0);
	c->at += len;
	c->memory += 4;
	return true;
}

static bool take_name(struct reference_code *c, int64_t *v)
{
	return take_index(c, 0, c->n_names - 1, v);
}

static bool take_labels(struct reference_code *c)
{
	int64_t name = 0;
	uint64_t place;

	if (c->memory % 4 != 0)
		tell(c, REFERENCE_TABLE, c->at - 1, (int64_t)c->memory, 0);
	for (;;) {
		if (!take_name(c, &name) || !take_number(c, 4, &place))
			return false;
		if (name == c->none)
			return true;
		note(c->labels, &c->n_labels, c->at - 4, place);
	}
}

/* Numbers of that width up to one that is 0; of pairs only the first byte counts. */
static bool take_until_0(struct reference_code *c, unsigned width, bool pairs)
{
	uint64_t v;

	for (;;) {
		if (!take_number(c, width, &v))
			return false;
		if (v == 0)
			return true;
		if (pairs && !take(c, 1))
			return false;
	}
}

static bool take_plain(struct reference_code *c, char kind)
{
	int64_t v;

	switch (kind) {
	case 'r':
		return take_index(c, -c->n_imports, c->n_exports, &v);
	case 'n':
		return take_name(c, &v);
	case '1':
		return take(c, 1);
	case '2':
		return take(c, 2);
	case '4':
		return take(c, 4);
	case 'C':
		return take(c, 12);
	case 'l':
		return take_labels(c);
	case 'z':
		return take_until_0(c, 1, false);
	case 'w':
		return take_until_0(c, 2, false);
	default:
		return take_until_0(c, 1, true);
	}
}

/* ---- Expressions ----------------------------------------------------------------------------- */

/* Expressions are nested at most 64 deep, and so are these calls. What an expression may begin with
 * is a list of tokens; NULL: any but the end of a list, and those of loops. */
static bool walk_expression(struct reference_code *c, unsigned depth, const char *fits,
			    unsigned *token);

static const char any_call[] = "12 19 1B 1C 38";
static const char in_list[] = "list", at_top[] = "top",
		  any_variable[] = "00 01 02 10 12 19 1A 29 2D 36";

static bool is_in(const char *fits, unsigned token)
{
	char digits[] = { "0123456789ABCDEF"[token / 16], "0123456789ABCDEF"[token % 16], '\0' };

	if (!fits || fits == in_list || fits == at_top)
		return (fits == in_list || token != END_OF_LIST) &&
		       (fits == at_top || (token != 0x30 && token != 0x31));
	if (fits == any_call && token >= 0x60)
		return true;
	return strstr(fits, digits) != NULL;
}

/* What an expression of a token may begin with; fits: what that may itself. */
static const char *fitting(unsigned token, bool is_last, const char *fits)
{
	if (token == 0x2F)
		return any_call;
	if (token == 0x2D)
		return "00 01 02 29 36";
	if (token == 0x12 || token == 0x19)
		return is_last && fits != in_list && fits != at_top ? fits : NULL;
	if (is_last ? token == 0x10 || token == 0x1A : token == 0x0F || token == 0x14)
		return any_variable;
	return NULL;
}

static bool walk_list(struct reference_code *c, unsigned depth)
{
	unsigned token = 0;

	while (token != END_OF_LIST)
		if (!walk_expression(c, depth, in_list, &token))
			return false;
	return true;
}

/* A target; in a case nothing follows the target 0xFFFF. */
static bool walk_target(struct reference_code *c, unsigned of, unsigned depth)
{
	const bool of_case = of == 0x0A;
	uint64_t target;
	unsigned token;

	if (!take_number(c, 2, &target))
		return false;
	if (of_case && target == 0xFFFF)
		return true;
	note(c->targets, &c->n_targets, c->at - 2, target);
	if (of == 0x2F && (int64_t)target > c->loop_end)
		c->loop_end = (int64_t)target;
	return !of_case || walk_expression(c, depth, NULL, &token);
}

/* The last expression of a token, which a length may precede. */
static bool walk_measured(struct reference_code *c, unsigned depth, const char *fits,
			  uint64_t length_at, uint64_t length, uint64_t more)
{
	uint64_t from = c->memory;
	unsigned token;

	if (!walk_expression(c, depth, fits, &token))
		return false;
	note(c->lengths, &c->n_lengths, length_at, c->memory - from + more);
	if (c->memory - from + more != length)
		tell(c, REFERENCE_LENGTH, length_at, (int64_t)length,
		     (int64_t)(c->memory - from + more));
	return true;
}

static bool walk_operands(struct reference_code *c, unsigned of, const char *operands,
			  unsigned depth, const char *fits)
{
	uint64_t length = 0, length_at = 0, more = 0;
	unsigned token;

	for (const char *o = operands; *o; o++) {
		bool fine;

		if (*o == 'k' || *o == 'K') {
			length_at = c->at;
			more = *o == 'K';
			fine = take_number(c, 2, &length);
		} else if (*o == 'e' && length_at > 0 && o[1] == '\0') {
			fine = walk_measured(c, depth, fitting(of, true, fits), length_at, length,
					     more);
		} else if (*o == 'e') {
			fine = walk_expression(c, depth, fitting(of, o[1] == '\0', fits), &token);
		} else if (*o == 'p') {
			fine = walk_list(c, depth);
		} else if (*o == 't' || *o == 'c') {
			fine = walk_target(c, of, depth);
		} else {
			fine = take_plain(c, *o);
		}
		if (!fine)
			return false;
	}
	return true;
}

static void judge_statement(struct reference_code *c, unsigned token)
{
	if ((token == 0x30 || token == 0x31) && (int64_t)c->memory > c->loop_end)
		tell(c, REFERENCE_PLACE_OF_TOKEN, c->at, (int64_t)token, (int64_t)c->memory);
	if (c->last == 0x05 && token != 0x0A)
		tell(c, REFERENCE_PLACE_OF_TOKEN, c->at, (int64_t)token, (int64_t)c->memory);
	c->last = token;
}

static bool walk_expression(struct reference_code *c, unsigned depth, const char *fits,
			    unsigned *token)
{
	size_t number = c->n_tokens;
	const char *operands;

	if (c->n_tokens < REFERENCE_TOKENS)
		c->tokens[c->n_tokens++] = (struct reference_token){ c->at, c->memory, c->at,
								     depth };
	if (c->at == c->n)
		return false;
	*token = c->data[c->at];
	operands = reference_operands(c->version, *token);
	if (!operands)
		tell(c, REFERENCE_TOKEN, c->at, (int64_t)*token, (int64_t)c->memory);
	else if (depth == DEEPEST)
		tell(c, REFERENCE_DEPTH, c->at, DEEPEST, 0);
	if (!operands || depth == DEEPEST)
		return false;
	if (!is_in(fits, *token))
		tell(c, REFERENCE_PLACE_OF_TOKEN, c->at, (int64_t)*token, (int64_t)c->memory);
	if (depth == 0)
		judge_statement(c, *token);
	if (!take(c, 1) || !walk_operands(c, *token, operands, depth + 1, fits))
		return false;
	if (number < REFERENCE_TOKENS)
		c->tokens[number].end = c->at;
	return true;
}

/* ---- The code -------------------------------------------------------------------------------- */

static bool begins_token(const struct reference_code *c, uint64_t memory)
{
	for (size_t i = 0; i < c->n_tokens; i++)
		if (c->tokens[i].memory == memory)
			return true;
	return false;
}

static void judge_place(struct reference_code *c, enum reference_kind kind,
			const struct reference_place *p)
{
	if (p->value > 0xFFFF || (int64_t)p->value >= c->size || !begins_token(c, p->value))
		tell(c, kind, p->at, (int64_t)p->value, c->size);
}

/* Targets and labels, as they follow each other in the code. */
static void judge_places(struct reference_code *c)
{
	size_t label = 0;

	for (size_t i = 0; i < c->n_targets; i++) {
		for (; label < c->n_labels && c->labels[label].at < c->targets[i].at; label++)
			judge_place(c, REFERENCE_LABEL, &c->labels[label]);
		judge_place(c, REFERENCE_TARGET, &c->targets[i]);
	}
	for (; label < c->n_labels; label++)
		judge_place(c, REFERENCE_LABEL, &c->labels[label]);
}

static bool stopped(const struct reference_code *c)
{
	enum reference_kind last = c->n_defects > 0 ? c->defects[c->n_defects - 1].kind
						    : REFERENCE_LABEL;

	return c->n_defects > 0 && (last == REFERENCE_TOKEN || last == REFERENCE_DEPTH);
}

void reference_script(struct reference_code *c)
{
	unsigned token;

	c->at = c->memory = c->n_odd = 0;
	c->n_defects = c->n_tokens = c->n_targets = c->n_lengths = c->n_labels = 0;
	c->ended = false;
	c->loop_end = -1;
	c->last = 0;
	if (c->size < 0) {
		tell(c, REFERENCE_CODE_SIZE, 0, c->size, 0);
		return;
	}
	while (c->size == REFERENCE_NO_SIZE ? c->at < c->n : (int64_t)c->memory < c->size) {
		if (walk_expression(c, 0, at_top, &token))
			continue;
		if (!stopped(c))
			tell(c, REFERENCE_CODE_CUT, 0, 0, c->size);
		return;
	}
	c->ended = c->size == REFERENCE_NO_SIZE || (int64_t)c->memory == c->size;
	if (!c->ended)
		tell(c, REFERENCE_CODE_SIZE, 0, c->size, (int64_t)c->memory);
	if (c->ended)
		judge_places(c);
}

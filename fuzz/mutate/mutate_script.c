/* Changes to code of UnrealScript: whole expressions are inserted, removed and moved; targets and
 * lengths are mostly repaired. */
#include "mutate/mutate_script.h"

#include <string.h>

#include "inputs/script_input.h"
#include "mutate/mutate_blind.h"
#include "reference/reference.h"
#include "reference/reference_script.h"

enum { PIECE = 512, NAMES = 12 };

/* Code that is being changed. */
struct making {
	uint8_t *bytes;
	size_t n, max;
	uint64_t version;
	struct dice *dice;
};

/* ---- Making expressions ---------------------------------------------------------------------- */

static void put_byte(struct making *t, uint64_t v)
{
	if (t->n < t->max)
		t->bytes[t->n++] = (uint8_t)v;
}

static void put_number(struct making *t, unsigned n, uint64_t v)
{
	for (unsigned i = 0; i < n; i++)
		put_byte(t, i < 8 ? v >> 8 * i : 0);
}

static void put_index(struct making *t, int64_t v)
{
	uint8_t bytes[5];
	unsigned n = reference_put_index(bytes, v);

	for (unsigned i = 0; i < n; i++)
		put_byte(t, bytes[i]);
}

/* A small number, or one at the edge of a range. */
static uint64_t some_number(struct dice *dice)
{
	static const uint64_t numbers[] = { 0,          1,          2,         0x7F,   0xFF,
					    0x7FFF,     0x8000,     0xFFFE,    0xFFFF, 0x10000,
					    0x7FFFFFFF, 0x80000000, 0xFFFFFFFF };

	return dice_one_in(dice, 4) ? numbers[dice_below(dice, sizeof numbers / sizeof *numbers)]
				    : dice_below(dice, 64);
}

static void put_operand(struct making *t, char kind)
{
	switch (kind) {
	case 'r':
		put_index(t, dice_one_in(t->dice, 8) ? (int64_t)dice_below(t->dice, 9) - 4 : -1);
		break;
	case 'n':
		put_index(t, (int64_t)dice_below(t->dice, dice_one_in(t->dice, 8) ? NAMES : 8));
		break;
	case '1':
		put_byte(t, dice_roll(t->dice));
		break;
	case '2':
	case 'k':
	case 'K':
	case 't':
		put_number(t, 2, some_number(t->dice));
		break;
	case '4':
		put_number(t, 4, some_number(t->dice));
		break;
	case 'C':
		put_number(t, 12, 0);
		break;
	case 'z':
		put_byte(t, 'a');
		put_byte(t, 0);
		break;
	case 'w':
		put_number(t, 4, 'a');
		break;
	case 'x':
		put_number(t, 3, 0x0101);
		break;
	case 'l':
		for (uint64_t n = dice_below(t->dice, 3); n > 0; n--) {
			put_index(t, 1 + (int64_t)dice_below(t->dice, NAMES));
			put_number(t, 4, some_number(t->dice));
		}
		put_index(t, 0);
		put_number(t, 4, 0xFFFF);
		break;
	default:
		break;
	}
}

static unsigned draw_token(struct making *t, unsigned depth)
{
	static const uint8_t leaves[] = { 0x00, 0x01, 0x0B, 0x17, 0x1D, 0x25, 0x27, 0x28,
					  0x2A, 0x2C, 0x1F, 0x21, 0x20, 0x24, 0x30, 0x31 };
	static const uint8_t jumps[] = { 0x06, 0x07, 0x0A, 0x0C, 0x12, 0x14,
					 0x18, 0x19, 0x2F, 0x34, 0x1B, 0x1C };

	if (depth > 3 || dice_one_in(t->dice, 3))
		return leaves[dice_below(t->dice, sizeof leaves)];
	if (dice_one_in(t->dice, 3))
		return jumps[dice_below(t->dice, sizeof jumps)];
	return (unsigned)dice_below(t->dice, 256);
}

/* Makes an expression. What stands inside it is made in turn, at most four deep. */
static void make_expression(struct making *t, unsigned depth)
{
	unsigned token = draw_token(t, depth);
	const char *o = reference_operands(t->version, token);

	put_byte(t, token);
	for (; o && *o; o++) {
		if (*o == 'e') {
			make_expression(t, depth + 1);
		} else if (*o == 'p') {
			for (uint64_t n = dice_below(t->dice, 3); n > 0; n--)
				make_expression(t, depth + 1);
			put_byte(t, 0x16);
		} else if (*o == 'c') {
			bool last = dice_one_in(t->dice, 2);

			put_number(t, 2, last ? 0xFFFF : some_number(t->dice));
			if (!last)
				make_expression(t, depth + 1);
		} else {
			put_operand(t, *o);
		}
	}
}

/* ---- Changing code --------------------------------------------------------------------------- */

static void replace(struct making *t, uint64_t at, uint64_t n, const uint8_t *bytes, uint64_t m)
{
	if (at > t->n || n > t->n - at || m > t->max - (t->n - n))
		return;
	memmove(t->bytes + at + m, t->bytes + at + n, t->n - at - n);
	if (m > 0)
		memcpy(t->bytes + at, bytes, m);
	t->n = t->n - n + m;
}

static struct reference_code *walk(const struct making *t)
{
	static struct reference_code c;

	script_input_walk(&(struct script_input){ .version = (unsigned)t->version,
						  .code = t->bytes,
						  .n = t->n },
			  &c);
	return &c;
}

/* Nests an expression in others, as deep as it may be or deeper. */
static void wrap(struct making *t, const struct reference_token *token)
{
	uint8_t bytes[80];
	uint64_t n = dice_one_in(t->dice, 2) ? 60 + dice_below(t->dice, 8)
					     : 1 + dice_below(t->dice, 4);

	memset(bytes, 0x2D, sizeof bytes);
	replace(t, token->at, 0, bytes, n > token->depth ? n - token->depth : 1);
}

static void change_expression(struct making *t)
{
	const struct reference_code *c = walk(t);
	const struct reference_token
		*token = &c->tokens[dice_below(t->dice, c->n_tokens > 0 ? c->n_tokens : 1)],
		*other = &c->tokens[dice_below(t->dice, c->n_tokens > 0 ? c->n_tokens : 1)];
	uint8_t made[PIECE];
	struct making piece = { made, 0, sizeof made, t->version, t->dice };
	uint64_t at = c->n_tokens > 0 ? token->at : 0,
		 n = c->n_tokens > 0 ? token->end - token->at : 0;

	switch (dice_below(t->dice, 6)) {
	case 0:
	case 1:
		make_expression(&piece, 0);
		replace(t, at, dice_one_in(t->dice, 2) ? n : 0, made, piece.n);
		break;
	case 2:
		replace(t, at, n, NULL, 0);
		break;
	case 3:
		if (c->n_tokens == 0 || other->end - other->at > sizeof made)
			break;
		memcpy(made, t->bytes + other->at, other->end - other->at);
		replace(t, at, dice_one_in(t->dice, 2) ? n : 0, made, other->end - other->at);
		break;
	case 4:
		if (c->n_tokens > 0)
			wrap(t, token);
		break;
	default:
		make_expression(&piece, 0);
		replace(t, t->n, 0, made, piece.n);
		break;
	}
}

static void set_word(struct making *t, uint64_t at, uint64_t v)
{
	if (at + 2 > t->n)
		return;
	t->bytes[at] = (uint8_t)v;
	t->bytes[at + 1] = (uint8_t)(v >> 8);
}

/* Sets a target or length to a value near a limit. */
static void change_place(struct making *t)
{
	const struct reference_code *c = walk(t);
	const struct reference_place *p = NULL;
	uint64_t v;

	if (c->n_targets > 0)
		p = &c->targets[dice_below(t->dice, c->n_targets)];
	if (c->n_lengths > 0 && (!p || dice_one_in(t->dice, 3)))
		p = &c->lengths[dice_below(t->dice, c->n_lengths)];
	if (!p)
		return;
	v = dice_one_in(t->dice, 2) ? p->value : c->memory;
	set_word(t, p->at,
		 dice_one_in(t->dice, 4) ? some_number(t->dice) : v + dice_below(t->dice, 3) - 1);
}

/* Seven times in eight, makes targets lead to tokens and lengths right. */
static void repair(struct making *t)
{
	const struct reference_code *c = walk(t);

	for (size_t i = 0; i < c->n_lengths; i++)
		if (!dice_one_in(t->dice, 8))
			set_word(t, c->lengths[i].at, c->lengths[i].value);
	for (size_t i = 0; i < c->n_targets; i++) {
		bool leads = false;

		for (size_t k = 0; k < c->n_tokens && !leads; k++)
			leads = c->tokens[k].memory == c->targets[i].value;
		if (!leads && c->n_tokens > 0 && !dice_one_in(t->dice, 8))
			set_word(t, c->targets[i].at,
				 c->tokens[dice_below(t->dice, c->n_tokens)].memory);
	}
}

static size_t change_script(uint8_t *data, size_t size, size_t max, uint64_t version,
			    struct dice *dice)
{
	struct making t = { data, size, max, version, dice };

	for (uint64_t times = 1 + dice_below(dice, 3); times > 0; times--) {
		if (dice_one_in(dice, 8))
			t.n = mutate_havoc(data, t.n, max, dice);
		else
			change_expression(&t);
	}
	if (!dice_one_in(dice, 8))
		repair(&t);
	if (dice_one_in(dice, 4))
		change_place(&t);
	return t.n;
}

size_t mutate_expression(uint8_t *out, size_t max, uint64_t version, struct dice *dice)
{
	struct making t = { out, 0, max, version, dice };

	make_expression(&t, 0);
	return t.n;
}

size_t mutate_script_input(uint8_t *data, size_t size, size_t max, struct dice *dice)
{
	struct script_input input;

	if (max < SCRIPT_HEAD || !script_input_read(&input, data, size))
		return mutate_havoc(data, size, max, dice);
	if (dice_one_in(dice, 16))
		data[dice_below(dice, SCRIPT_HEAD)] = (uint8_t)dice_roll(dice);
	return SCRIPT_HEAD + change_script(data + SCRIPT_HEAD, size - SCRIPT_HEAD,
					   max - SCRIPT_HEAD, input.version, dice);
}

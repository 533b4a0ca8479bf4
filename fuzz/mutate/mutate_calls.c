/* Changes to a program of calls and the files that it is about (fuzz_api.c). */
#include "mutate/mutate_calls.h"

#include <string.h>

#include "inputs/calls.h"
#include "mutate/mutate_bundle.h"
#include "support/formats.h"

enum { PROGRAM_MAX = 255, CALL_MAX = 6 };

/* A program while it is changed; its first byte is the name of the input. */
struct program {
	uint8_t bytes[PROGRAM_MAX];
	size_t n;
};

/* Replaces n bytes at `at` by m others, as far as there is room. */
static void replace(struct program *p, size_t at, size_t n, const uint8_t *bytes, size_t m)
{
	if (m > PROGRAM_MAX - (p->n - n))
		m = PROGRAM_MAX - (p->n - n);
	memmove(p->bytes + at + m, p->bytes + at + n, p->n - at - n);
	memcpy(p->bytes + at, bytes, m);
	p->n = p->n - n + m;
}

/* A call and a few arguments, most of them small. */
static size_t draw_call(uint8_t call[CALL_MAX], struct dice *dice)
{
	const size_t n = 1 + (size_t)dice_below(dice, CALL_MAX);

	call[0] = (uint8_t)dice_below(dice, N_CALLS);
	for (size_t i = 1; i < n; i++)
		call[i] = (uint8_t)(dice_one_in(dice, 3) ? dice_roll(dice) : dice_below(dice, 16));
	return n;
}

static void change_program(struct program *p, struct dice *dice)
{
	uint8_t bytes[PROGRAM_MAX];
	const size_t at = p->n > 0 ? (size_t)dice_below(dice, p->n) : 0, rest = p->n - at;
	size_t n = rest > 0 ? (size_t)dice_below(dice, rest < CALL_MAX ? rest + 1 : CALL_MAX) : 0;

	switch (p->n > 0 ? dice_below(dice, 6) : 0) {
	case 0:
	case 1:
		replace(p, at, 0, bytes, draw_call(bytes, dice));
		break;
	case 2:
		replace(p, at, n, bytes, draw_call(bytes, dice));
		break;
	case 3:
		replace(p, at, n, bytes, 0);
		break;
	case 4:
		p->bytes[at] = (uint8_t)(p->bytes[at] + dice_below(dice, 5) - 2);
		break;
	default:
		n = rest < 32 ? rest : (size_t)dice_below(dice, 32);
		memcpy(bytes, p->bytes + at, n);
		replace(p, (size_t)dice_below(dice, p->n + 1), 0, bytes, n);
		break;
	}
}

/* The format whose files have the name that the program begins with. */
static const struct format *format_of(uint8_t name)
{
	static const struct format *const by_name[] = { &utoc_format, &utoc_format, &umod_format,
							&upkg_format };

	return name % N_INPUT_NAMES < 4 ? by_name[name % N_INPUT_NAMES] : &umod_format;
}

size_t mutate_calls(uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind)
{
	struct dice dice = { seed };
	const size_t said = size > 0 ? data[0] : 0,
		     n = said < size ? said
			 : size > 0  ? size - 1
				     : 0,
		     files = size > 0 ? size - 1 - n : 0;
	struct program p = { .n = n };
	uint64_t times = 1 + dice_below(&dice, 3);

	if (size == 0 || max < 1 + PROGRAM_MAX || dice_one_in(&dice, 16))
		return mutate_blindly(data, size, max, &dice, blind);
	if (dice_one_in(&dice, 2) && files > 0)
		return 1 + n +
		       mutate_bundle(format_of(n > 0 ? data[1] : 0), data + 1 + n, files,
				     max - 1 - n, dice_roll(&dice), blind);
	memcpy(p.bytes, data + 1, n);
	while (times-- > 0)
		change_program(&p, &dice);
	if (1 + p.n + files > max)
		return size;
	memmove(data + 1 + p.n, data + 1 + n, files);
	memcpy(data + 1, p.bytes, p.n);
	data[0] = (uint8_t)p.n;
	return 1 + p.n + files;
}

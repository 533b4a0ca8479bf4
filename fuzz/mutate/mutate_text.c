/* Changes to text and to bytes of which nothing is known. */
#include <string.h>

#include "mutate/mutate.h"
#include "support/tokens.h"

/* Replaces n bytes at `at` by m others; the size stays within max. */
static size_t splice(uint8_t *data, size_t size, size_t max, size_t at, size_t n, const void *bytes, size_t m)
{
	if (m > max - (size - n))
		m = max - (size - n);
	memmove(data + at + m, data + at + n, size - at - n);
	if (m > 0)
		memcpy(data + at, bytes, m);
	return size - n + m;
}

static const struct token *draw_token(struct dice *dice)
{
	if (dice_one_in(dice, 3))
		return &path_tokens[dice_below(dice, TOKENS(path_tokens))];
	return &manifest_tokens[dice_below(dice, TOKENS(manifest_tokens))];
}

/* The start of a line, drawn from all places. */
static size_t line_start(const uint8_t *data, size_t size, struct dice *dice)
{
	size_t at = (size_t)dice_below(dice, size + 1);

	while (at > 0 && data[at - 1] != '\n')
		at--;
	return at;
}

static size_t line_end(const uint8_t *data, size_t size, size_t at)
{
	while (at < size && data[at] != '\n')
		at++;
	return at < size ? at + 1 : size;
}

static size_t copy_line(uint8_t *data, size_t size, size_t max, struct dice *dice)
{
	uint8_t line[256];
	size_t from = line_start(data, size, dice), n = line_end(data, size, from) - from;
	uint64_t times = dice_one_in(dice, 8) ? 1 + dice_below(dice, 1000) : 1;

	if (n > sizeof line)
		n = sizeof line;
	memcpy(line, data + from, n);
	from = line_start(data, size, dice);
	while (times-- > 0 && size + n <= max)
		size = splice(data, size, max, from, 0, line, n);
	return size;
}

static size_t change_digits(uint8_t *data, size_t size, struct dice *dice)
{
	size_t at = (size_t)dice_below(dice, size);

	for (size_t i = 0; i < size; i++, at = (at + 1) % size) {
		if (data[at] < '0' || data[at] > '9')
			continue;
		data[at] = (uint8_t)('0' + dice_below(dice, 10));
		break;
	}
	return size;
}

size_t mutate_text(uint8_t *data, size_t size, size_t max, struct dice *dice)
{
	const struct token *t = draw_token(dice);
	size_t at, n;

	if (size == 0)
		return splice(data, size, max, 0, 0, t->bytes, t->n);
	at = (size_t)dice_below(dice, size);
	switch (dice_below(dice, 8)) {
	case 0:
	case 1:
		return splice(data, size, max, line_start(data, size, dice), 0, t->bytes, t->n);
	case 2:
		return splice(data, size, max, at, 0, t->bytes, t->n);
	case 3:
		n = (size_t)dice_below(dice, 8);
		return splice(data, size, max, at, n < size - at ? n : size - at, t->bytes, t->n);
	case 4:
		at = line_start(data, size, dice);
		return splice(data, size, max, at, line_end(data, size, at) - at, NULL, 0);
	case 5:
		return copy_line(data, size, max, dice);
	case 6:
		return change_digits(data, size, dice);
	default:
		return mutate_havoc(data, size, max, dice);
	}
}

size_t mutate_havoc(uint8_t *data, size_t size, size_t max, struct dice *dice)
{
	uint64_t times = 1 + dice_below(dice, 4), bytes;
	size_t at, n;

	while (times-- > 0) {
		at = size > 0 ? (size_t)dice_below(dice, size) : 0;
		n = size > 0 ? (size_t)dice_below(dice, size - at < 16 ? size - at : 16) : 0;
		bytes = dice_roll(dice);
		switch (size > 0 ? dice_below(dice, 5) : 4) {
		case 0: data[at] ^= (uint8_t)(1 << bytes % 8); break;
		case 1: data[at] = (uint8_t)bytes; break;
		case 2: size = splice(data, size, max, at, n, NULL, 0); break;
		case 3: memmove(data + (size_t)dice_below(dice, size - n), data + at, n); break;
		default: size = splice(data, size, max, at, 0, &bytes, 1 + bytes % 8); break;
		}
	}
	return size;
}

size_t mutate_blindly(uint8_t *data, size_t size, size_t max, struct dice *dice, mutate_blind *blind)
{
	if (max == 0)
		return 0;
	return blind ? blind(data, size, max) : mutate_havoc(data, size, max, dice);
}

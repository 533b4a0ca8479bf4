/* Changes to texts. */
#include "mutate/mutate_text.h"

#include "mutate/mutate_blind.h"

static const struct token *draw_token(struct dice *dice, const struct mutate_words *words)
{
	if (dice_one_in(dice, 3))
		return &path_tokens[dice_below(dice, TOKENS(path_tokens))];
	return &words->tokens[dice_below(dice, words->n)];
}

/* The start of the line of a byte that is drawn from all. */
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
		size = mutate_splice(data, size, max, from, 0, line, n);
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

size_t mutate_words(uint8_t *data, size_t size, size_t max, struct dice *dice,
		    const struct mutate_words *words)
{
	const struct token *t = draw_token(dice, words);
	size_t at, n;

	if (size == 0)
		return mutate_splice(data, size, max, 0, 0, t->bytes, t->n);
	at = (size_t)dice_below(dice, size);
	switch (dice_below(dice, 8)) {
	case 0:
	case 1:
		return mutate_splice(data, size, max, line_start(data, size, dice), 0, t->bytes,
				     t->n);
	case 2:
		return mutate_splice(data, size, max, at, 0, t->bytes, t->n);
	case 3:
		n = (size_t)dice_below(dice, 8);
		return mutate_splice(data, size, max, at, n < size - at ? n : size - at, t->bytes,
				     t->n);
	case 4:
		at = line_start(data, size, dice);
		return mutate_splice(data, size, max, at, line_end(data, size, at) - at, NULL, 0);
	case 5:
		return copy_line(data, size, max, dice);
	case 6:
		return change_digits(data, size, dice);
	default:
		return mutate_havoc(data, size, max, dice);
	}
}

size_t mutate_text(uint8_t *data, size_t size, size_t max, struct dice *dice)
{
	static const struct mutate_words words = { manifest_tokens, TOKENS(manifest_tokens) };

	return mutate_words(data, size, max, dice, &words);
}

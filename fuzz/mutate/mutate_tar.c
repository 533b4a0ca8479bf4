/* Tars: the checksums of headers follow what was changed, and sizes and types are drawn from those
 * that matter. */
#include <stdio.h>
#include <string.h>

#include "mutate/mutate_format.h"

enum { BLOCK = 512, SUM_AT = 148, SUM_LEN = 8, SIZE_AT = 124, SIZE_LEN = 12, TYPE_AT = 156 };

static uint64_t octal(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < n && p[i] >= '0' && p[i] <= '7'; i++)
		v = v * 8 + (uint64_t)(p[i] - '0');
	return v;
}

/* A number of at most 11 digits. */
static void write_size(uint8_t *p, uint64_t v)
{
	char digits[SIZE_LEN + 12];

	snprintf(digits, sizeof digits, "%011llo", (unsigned long long)(v & 0x1FFFFFFFF));
	memcpy(p + SIZE_AT, digits, SIZE_LEN);
}

static void write_sum(uint8_t *p)
{
	char digits[SUM_LEN + 12];
	unsigned sum = 0;

	memset(p + SUM_AT, ' ', SUM_LEN);
	for (unsigned i = 0; i < BLOCK; i++)
		sum += p[i];
	snprintf(digits, sizeof digits, "%07o", sum);
	memcpy(p + SUM_AT, digits, SUM_LEN);
}

/* A size at the edge of what follows, or a type that is read in a way of its own. */
static void change(uint8_t *p, uint64_t left, struct dice *dice)
{
	static const char types[] = "01234567xXgLKSVMND";

	if (dice_one_in(dice, 16))
		write_size(p, left + dice_below(dice, 3) - 1);
	else if (dice_one_in(dice, 16))
		write_size(p, dice_below(dice, 2 * BLOCK));
	else if (dice_one_in(dice, 16))
		p[TYPE_AT] = (uint8_t)types[dice_below(dice, sizeof types - 1)];
}

static void repair(uint8_t *data, size_t size, struct dice *dice)
{
	uint64_t at = 0;

	while (size - at >= BLOCK && data[at] != 0) {
		uint64_t len;

		change(data + at, size - at - BLOCK, dice);
		if (!dice_one_in(dice, 16))
			write_sum(data + at);
		len = octal(data + at + SIZE_AT, SIZE_LEN);
		at += BLOCK;
		if (len > size - at)
			return;
		at += len;
		at += (BLOCK - len % BLOCK) % BLOCK;
		if (at > size)
			return;
	}
}

const struct mutate_format mutate_tar = { .repair = repair };

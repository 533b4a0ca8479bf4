/* Changes to bytes of which nothing is known. */
#include "mutate/mutate_blind.h"

#include <string.h>

size_t mutate_splice(uint8_t *data, size_t size, size_t max, size_t at, size_t n, const void *bytes,
		     size_t m)
{
	if (m > max - (size - n))
		m = max - (size - n);
	memmove(data + at + m, data + at + n, size - at - n);
	if (m > 0)
		memcpy(data + at, bytes, m);
	return size - n + m;
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
		case 0:
			data[at] ^= (uint8_t)(1 << bytes % 8);
			break;
		case 1:
			data[at] = (uint8_t)bytes;
			break;
		case 2:
			size = mutate_splice(data, size, max, at, n, NULL, 0);
			break;
		case 3:
			memmove(data + (size_t)dice_below(dice, size - n), data + at, n);
			break;
		default:
			size = mutate_splice(data, size, max, at, 0, &bytes, 1 + bytes % 8);
			break;
		}
	}
	return size;
}

size_t mutate_blindly(uint8_t *data, size_t size, size_t max, struct dice *dice,
		      mutate_blind *blind)
{
	if (max == 0)
		return 0;
	return blind ? blind(data, size, max) : mutate_havoc(data, size, max, dice);
}

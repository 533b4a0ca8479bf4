/* Reading programs of calls. */
#include "inputs/calls.h"

uint8_t calls_next(struct calls *c)
{
	return c->at < c->end ? *c->at++ : 0;
}

uint64_t calls_number(struct calls *c)
{
	const uint8_t kind = calls_next(c);
	uint64_t v = 0;

	switch (kind % 4) {
	case 0:
		return kind / 4;
	case 1:
		return UINT64_MAX - kind / 4;
	case 2:
		return (uint64_t)1 << kind / 4;
	default:
		for (int i = 0; i < 4; i++)
			v = v << 8 | calls_next(c);
		return v;
	}
}

const char *calls_word(struct calls *c, const char *const *words, size_t n)
{
	return words[calls_next(c) % n];
}

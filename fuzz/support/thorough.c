/* Thoroughness, as the environment asks for it. */
#include "support/thorough.h"

#include <stdlib.h>

#include "support/random.h"

bool thorough_is_on(void)
{
	static int known;

	if (known == 0)
		known = getenv("UVET_FUZZ_THOROUGH") ? 2 : 1;
	return known == 2;
}

bool thorough_is_turn(uint64_t hash, uint64_t which, uint64_t n)
{
	struct dice d = { hash };

	return thorough_is_on() || dice_below(&d, n) == which;
}

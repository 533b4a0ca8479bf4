/* What harnesses need of the oracle that have one of their own: it stands alone so that they are linked with little else. */
#include "oracle/oracle.h"

#include <string.h>

#include "core/compiler.h"
#include "support/must.h"
#include "support/random.h"

bool oracle_is_thorough(void)
{
	static int known;

	if (known == 0)
		known = getenv("UVET_FUZZ_THOROUGH") ? 2 : 1;
	return known == 2;
}

uint8_t *oracle_bytes(const uint8_t *data, size_t n)
{
	uint8_t *copy = malloc(n > 0 ? n : 1);

	MUST(copy, "the machine has memory for a harness");
	if (n > 0)
		memcpy(copy, data, n);
	return copy;
}

bool oracle_is_turn(uint64_t hash, uint64_t which, uint64_t n)
{
	struct dice d = { hash };

	return oracle_is_thorough() || dice_below(&d, n) == which;
}

uint8_t *oracle_room(enum oracle_room_number number, size_t n)
{
	static struct { uint8_t *bytes; size_t size; } rooms[ORACLE_ROOMS];
	uint8_t *p = rooms[number].bytes;

	if (n >= rooms[number].size) {
		rooms[number].size = 2 * n + 64;
		rooms[number].bytes = realloc(p, rooms[number].size);
		p = rooms[number].bytes;
		MUST(p, "the machine has memory for a harness");
	}
	MEMORY_OPEN(p, n);
	MEMORY_CLOSE(p + n, rooms[number].size - n);
	return p;
}

uint8_t *oracle_room_with(enum oracle_room_number number, const uint8_t *data, size_t n)
{
	uint8_t *p = oracle_room(number, n);

	if (n > 0)
		memcpy(p, data, n);
	return p;
}

/* What harnesses need of the oracle that have one of their own: it stands alone so that they are linked with little else. */
#include "oracle.h"

#include <string.h>

#include "must.h"

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

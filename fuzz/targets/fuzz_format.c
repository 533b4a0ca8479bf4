/* The whole check of one format. It is built once for each: FUZZ_FORMAT is the format's
 * constant. */
#include "oracle/oracle.h"

#include <stdlib.h>

#include "oracle/oracle_formats.h"
#include "support/buffers.h"
#include "targets/harness.h"

#ifndef FUZZ_FORMAT
#define FUZZ_FORMAT umod_format
#endif

extern const struct format FUZZ_FORMAT;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = buffer_copy(data, size);
	struct subject subject = { .format = &FUZZ_FORMAT, .data = copy, .size = size };
	struct key key = { .for_any = true };

	if (oracle_format(&FUZZ_FORMAT)->has_key) {
		for (unsigned i = 0; i < sizeof key.bytes; i++)
			key.bytes[i] = (uint8_t)i;
		key.bytes[0] = size % 8 == 7 ? 0x0F : 0; /* now and then none that fits */
		subject.key = &key;
	}
	oracle_check(&subject);
	free(copy);
	return 0;
}

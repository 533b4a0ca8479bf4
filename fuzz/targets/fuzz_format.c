/* The whole check of one format. It is built once for each: FUZZ_FORMAT is the format's
 * constant. */
#include "oracle/oracle.h"

#include <stdlib.h>

#include "support/buffers.h"
#include "targets/harness.h"

#ifndef FUZZ_FORMAT
#define FUZZ_FORMAT umod_format
#endif

extern const struct format FUZZ_FORMAT;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = buffer_copy(data, size);

	oracle_check(&(struct subject){ .format = &FUZZ_FORMAT, .data = copy, .size = size });
	free(copy);
	return 0;
}

/* Oodle through the user's library, of which no more is believed than has to be. */
#include "codec/oodle.h"

#include <string.h>

#include "core/mutant.h"
#include "core/compiler.h"

struct unpack oodle_unpack(const struct oodle *o, const uint8_t *in, uint64_t n_in, uint8_t *out,
			   uint64_t max_out)
{
	int64_t n;

	if (!o->decode)
		return (struct unpack){ UNPACK_UNAVAILABLE, 0, 0 };
	if (n_in > UNPACK_MAX || max_out > UNPACK_MAX)
		return (struct unpack){ UNPACK_NO_MEMORY, 0, 0 };
	memset(out, 0, (size_t)max_out);
	n = o->decode(o->ctx, in, (size_t)n_in, out, (size_t)max_out);
	MEMORY_WRITTEN(out, max_out);
	/* mutant: a byte more passes */
	if (n < 0 || (uint64_t)n - (uint64_t)MUTANT(167) * ((uint64_t)n > max_out) != max_out)
		return (struct unpack){ UNPACK_BROKEN, 0, 0 };
	return unpack_of((uint64_t)n, n_in, max_out);
}

/* The mutator of each format, from its row of fuzz/formats.def. */
#include "mutate/mutate_formats.h"

#include "support/formats.h"

#define FORMAT(name, harnesses, oracle, mutator, ...) extern const struct mutate_format mutator;
#include "formats.def"
#undef FORMAT

#define FORMAT(name, harnesses, oracle, mutator, ...) &mutator,
static const struct mutate_format *const mutators[] = {
#include "formats.def"
};
#undef FORMAT

const struct mutate_format *mutate_format(const struct format *f)
{
	return mutators[formats_row(f)];
}

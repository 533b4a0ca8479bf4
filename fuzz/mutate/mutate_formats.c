/* The mutator of each format, from its row of fuzz/formats.def. */
#include "mutate/mutate_formats.h"

#include "support/formats.h"
#include "support/must.h"

#define FORMAT(name, harnesses, oracle, mutator, ...) extern const struct mutate_format mutator;
#include "formats.def"
#undef FORMAT

#define FORMAT(name, harnesses, oracle, mutator, ...) { &name##_format, &mutator },
static const struct {
	const struct format *format;
	const struct mutate_format *mutator;
} rows[] = {
#include "formats.def"
};
#undef FORMAT

const struct mutate_format *mutate_format(const struct format *f)
{
	size_t i = 0;

	while (i < sizeof rows / sizeof *rows && rows[i].format != f)
		i++;
	MUST(i < sizeof rows / sizeof *rows, "a format has a mutator");
	return rows[i].mutator;
}

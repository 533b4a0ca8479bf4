/* The oracle of each format, from its row of fuzz/formats.def. */
#include "oracle/oracle_formats.h"

#include "support/formats.h"
#include "support/must.h"

#define FORMAT(name, harnesses, oracle, ...) extern const struct oracle_format oracle;
#include "formats.def"
#undef FORMAT

#define FORMAT(name, harnesses, oracle, ...) { &name##_format, &oracle },
static const struct {
	const struct format *format;
	const struct oracle_format *oracle;
} rows[] = {
#include "formats.def"
};
#undef FORMAT

const struct oracle_format *oracle_format(const struct format *f)
{
	size_t i = 0;

	while (i < sizeof rows / sizeof *rows && rows[i].format != f)
		i++;
	MUST(i < sizeof rows / sizeof *rows, "a format has an oracle");
	return rows[i].oracle;
}

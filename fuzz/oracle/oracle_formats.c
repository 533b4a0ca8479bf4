/* The oracle of each format, from its row of fuzz/formats.def. */
#include "oracle/oracle_formats.h"

#include "support/formats.h"

#define FORMAT(name, harnesses, oracle, ...) extern const struct oracle_format oracle;
#include "formats.def"
#undef FORMAT

#define FORMAT(name, harnesses, oracle, ...) &oracle,
static const struct oracle_format *const oracles[] = {
#include "formats.def"
};
#undef FORMAT

const struct oracle_format *oracle_format(const struct format *f)
{
	return oracles[formats_row(f)];
}

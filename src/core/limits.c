/* The table of limits.def and its defaults. */
#include "core/limits.h"

const struct limit_info limit_infos[LIMIT_COUNT] = {
#define LIMIT(name, option, standard, meaning) { #name, option, standard, meaning },
#include "core/limits.def"
#undef LIMIT
};

struct limits limits_standard(void)
{
	struct limits l;

	for (size_t i = 0; i < LIMIT_COUNT; i++)
		l.of[i] = limit_infos[i].standard;
	return l;
}

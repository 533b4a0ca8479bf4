/* The limits of a check: how much a file may cost before the answer is "undetermined". */
#ifndef UVET_CORE_LIMITS_H
#define UVET_CORE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

enum limit {
#define LIMIT(name, option, standard, meaning) LIMIT_##name,
#include "core/limits.def"
#undef LIMIT
	LIMIT_COUNT
};

/* limit_info describes one row of limits.def. */
struct limit_info {
	const char *name;   /* as in reports: "entries" */
	const char *option; /* as on the command line: "max-entries" */
	uint64_t standard;  /* the default */
	const char *meaning;
};

struct limits {
	uint64_t of[LIMIT_COUNT];
};

extern const struct limit_info limit_infos[LIMIT_COUNT];

/* limits_standard returns the defaults of limits.def. */
struct limits limits_standard(void);

#endif

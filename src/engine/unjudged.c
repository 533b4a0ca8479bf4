/* Names of the reasons why something was not judged. */
#include "engine/unjudged.h"

const char *unjudged_name(enum unjudged_reason reason)
{
	static const char *const names[N_UNJUDGED_REASONS] = {
		"codec",   "companion", "key",  "limit",  "memory", "unreadable", "unreadable",
		"changed", "cancelled", "time", "worker", "format", "rules",      "rule"
	};

	return names[reason];
}

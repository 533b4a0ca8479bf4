/* Values: what options take that are no files and none of the library's. */
#include "cli/values.h"

#include <string.h>

#include "cli/message.h"

bool values_refuse(const char *option, const char *value, const char *expected)
{
	message("--%t: '%s' is not %t; see: uvet help check", option, value, expected);
	return false;
}

/* Reads a number of at most `most`. */
static bool read_number(const char *value, uint64_t most, uint64_t *out)
{
	const char *at = value;

	for (*out = 0; *at >= '0' && *at <= '9' && *out <= most; at++)
		*out = *out * 10 + (uint64_t)(*at - '0');
	return at != value && !*at && *out <= most;
}

bool values_jobs(struct settings *s, const char *value)
{
	uint64_t n;

	if (!read_number(value, JOBS_MAX, &n))
		return values_refuse("jobs", value, "a number from 0 to 64");
	s->jobs = (unsigned)n;
	return true;
}

bool values_max_files(struct settings *s, const char *value)
{
	return read_number(value, UINT32_MAX, &s->max_files) ||
	       values_refuse("max-files", value, "a number, 0 for any");
}

bool values_color(struct settings *s, const char *value)
{
	static const char *const names[] = {
		[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"
	};

	for (int i = COLOR_AUTO; i <= COLOR_NEVER; i++) {
		if (strcmp(value, names[i]) == 0) {
			s->color = (enum color)i;
			return true;
		}
	}
	return values_refuse("color", value, "auto, always or never");
}

bool values_progress(struct settings *s, const char *value)
{
	s->no_progress = strcmp(value, "never") == 0;
	return s->no_progress || strcmp(value, "auto") == 0 ||
	       values_refuse("progress", value, "auto or never");
}

bool values_sets(struct settings *s, const char *value)
{
	s->no_sets = strcmp(value, "none") == 0;
	return s->no_sets || strcmp(value, "auto") == 0 ||
	       values_refuse("sets", value, "auto or none");
}

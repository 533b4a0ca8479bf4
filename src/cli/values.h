/* The values of options: numbers and words. */
#ifndef UVET_CLI_VALUES_H
#define UVET_CLI_VALUES_H

#include "cli/settings.h"

/* values_refuse says that the value of an option is not what was expected; it returns false. */
bool values_refuse(const char *option, const char *value, const char *expected);

/* Each sets what its option says; false: the value is none, which a message says. */
bool values_jobs(struct settings *s, const char *value);
bool values_max_files(struct settings *s, const char *value);
bool values_progress(struct settings *s, const char *value);
bool values_color(struct settings *s, const char *value);
bool values_sets(struct settings *s, const char *value);

#endif

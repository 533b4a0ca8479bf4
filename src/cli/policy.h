/* Policies: what the lines of a configuration set. */
#ifndef UVET_CLI_POLICY_H
#define UVET_CLI_POLICY_H

#include "cli/settings.h"

/* policy_profile returns the line of the profile that a configuration begins with; NULL: none. */
const struct config_line *policy_profile(const struct config *c);

/* policy_tell_line says which line of a configuration the message before is about. */
void policy_tell_line(const struct config *c, const struct config_line *line);

/* policy_take makes the settings of the configuration that s has. false: one cannot be made, which
 * messages say, with its line. */
bool policy_take(struct settings *s);

/* policy_show prints the settings of a run as a configuration, and what none may have as comments.
 * It returns the exit code. */
int policy_show(const struct settings *s);

#endif

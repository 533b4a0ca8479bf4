/* The program and its commands. Each returns the exit code. */
#ifndef UVET_CLI_COMMANDS_H
#define UVET_CLI_COMMANDS_H

#include "cli/settings.h"

/* program_run does what the arguments of main ask for, and returns what main is to return. */
int program_run(int argc, char **argv);

int check_command(const struct settings *settings);
int explain_command(const struct settings *settings);
int rules_command(const struct settings *settings);
int map_command(const struct settings *settings);
int info_command(const struct settings *settings);
int deps_command(const struct settings *settings);
int conflicts_command(const struct settings *settings);
int profile_command(const struct settings *settings);
int completion_command(const struct settings *settings);
int schema_command(const struct settings *settings);
int version_command(const struct settings *settings);
int help_command(const struct settings *settings);

#endif

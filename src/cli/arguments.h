/* Arguments: what a command line says, before any of it is acted upon. */
#ifndef UVET_CLI_ARGUMENTS_H
#define UVET_CLI_ARGUMENTS_H

#include "cli/settings.h"

/* A given option is one that stands on the command line. number: as option_at counts; value is NULL
 * if it takes none. */
struct given {
	size_t number;
	const char *value;
};

/* Arguments point into argv and own the list. Of --help and --version the command is that of the
 * same name, and what stands behind them was not read. */
struct arguments {
	enum command_id named; /* the command that the first word names; COMMAND_COUNT: none */
	enum command_id command;
	struct given *given;
	size_t n_given, max_given;
	char **operands;
	int n_operands;
};

/* arguments_read reads the arguments of main. It returns STATUS_DONE, or the exit code after a
 * message; arguments_free is called either way. */
int arguments_read(int argc, char **argv, struct arguments *out);
void arguments_free(struct arguments *a);

/* arguments_last returns the value of the last option of that number; NULL: none was given. */
const char *arguments_last(const struct arguments *a, size_t number);

/* arguments_have tells whether an option was given. */
bool arguments_have(const struct arguments *a, size_t number);

/* command_near returns the name of the command that is nearly the word; NULL: none is. */
const char *command_near(const char *typed);

#endif

/* Help: texts that help and manual share. */
#ifndef UVET_CLI_HELP_H
#define UVET_CLI_HELP_H

#include "cli/page.h"

#define ABOUT \
	"uvet checks Unreal Engine mod files and says what is wrong, where and why. It changes " \
	"nothing."
#define ABOUT_OPERANDS "The path - is standard input. Behind --, no argument is an option."

/* exit_codes says what each exit code of check means; NULL ends them. */
extern const struct exit_code {
	const char *code, *meaning;
} exit_codes[];

/* manual_print writes the manual page uvet(1), in roff. */
void manual_print(struct page *p);

#endif

/* References: files that are known to be good, which --policy-from names, and the game's global
 * container, which --global does. */
#ifndef UVET_CLI_REFERENCES_H
#define UVET_CLI_REFERENCES_H

#include "cli/settings.h"

/* references_learn checks the files of --policy-from and --global, as the settings say, and has the
 * options learn from their reports. It returns STATUS_DONE, or the exit code after a message. */
int references_learn(const struct settings *settings);

#endif

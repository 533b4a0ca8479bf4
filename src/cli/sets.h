/* Sets: what the command adds to those of the library, which are the game's files. */
#ifndef UVET_CLI_SETS_H
#define UVET_CLI_SETS_H

#include "cli/settings.h"

/* sets_find_game tells whether what --game-dir names is a folder, if it is given; a message says if
 * not. */
bool sets_find_game(const struct settings *settings);

/* sets_want has engines that are made from now on keep what sets compare, unless nobody wants
 * it. */
void sets_want(const struct settings *settings);

/* sets_add_game checks the files of the game, if one was named, and adds them to a set; nothing is
 * told of them. memory is what a check may use. It changes the settings for engines that are made
 * after it. Any status but UVET_OK ends the run. */
uvet_status sets_add_game(uvet_set *set, const struct settings *settings, uint64_t memory);

#endif

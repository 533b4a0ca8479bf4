/* Options that say for which engine or game files are judged. */
#ifndef UVET_API_OPTION_TARGETS_H
#define UVET_API_OPTION_TARGETS_H

#include "api/api.h"

/* option_boolean reads yes or no, or an option without a value; false: it is neither, as *error
 * says. */
bool option_boolean(bool *out, const char *value, struct profile_error *error);

/* Each sets what its option says; false: the value is none, as *error says. */
bool option_engine(struct engine *e, const char *value, struct profile_error *error);
bool option_game(struct engine *e, const char *value, struct profile_error *error);
bool option_game_signs(struct engine *e, const char *value, struct profile_error *error);

#endif

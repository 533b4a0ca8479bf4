/* Options that say for which engine or game files are judged. */
#include "api/option_targets.h"

#include <string.h>

bool option_boolean(bool *out, const char *value, struct profile_error *error)
{
	const bool is_yes = strcmp(value, "yes") == 0;

	if (!is_yes && strcmp(value, "no") != 0) {
		*error = (struct profile_error){ "expected yes or no", value, strlen(value) };
		return false;
	}
	*out = is_yes;
	return true;
}

/* Rules about the target are asked once it is known. */
static void aim(struct engine *e)
{
	profile_aim(&e->profile, (e->target.engine ? (unsigned)RULE_FOR_ENGINE : 0) |
					 (e->target.signs ? (unsigned)RULE_FOR_SIGNED : 0));
}

bool option_engine(struct engine *e, const char *value, struct profile_error *error)
{
	const struct engine_info *engine = target_engine(value);

	if (!engine) {
		*error = (struct profile_error){
			"expected a version of Unreal Engine from 4.16 to 4.27 or 5.0 to 5.8",
			value, strlen(value)
		};
		return false;
	}
	e->target.engine = engine;
	aim(e);
	return true;
}

bool option_game_signs(struct engine *e, const char *value, struct profile_error *error)
{
	if (!option_boolean(&e->target.signs, value, error))
		return false;
	aim(e);
	return true;
}

bool option_game(struct engine *e, const char *value, struct profile_error *error)
{
	const struct game_info *game = target_game(value);

	if (!game) {
		*error = (struct profile_error){
#define GAME(name, engine, signs, source) name ", "
			"expected one of "
#include "core/games.def"
			"or the option engine in its place",
#undef GAME
			value, strlen(value)
		};
		return false;
	}
	e->target = (struct aim){ target_engine(game->engine), game->signs };
	aim(e);
	return true;
}

/* The tables of engines and games. */
#include "core/target.h"

#include <string.h>

static const struct engine_info engines[] = {
#define ENGINE(name, utoc, first, last, refuses_older, refuses_newer, pak) \
	{ name, utoc, first, last, refuses_older, refuses_newer, pak },
#include "core/engines.def"
#undef ENGINE
};

static const struct game_info games[] = {
#define GAME(name, engine, signs, source) { name, engine, signs, source },
#include "core/games.def"
#undef GAME
};

const struct engine_info *target_engine_at(size_t i)
{
	return i < sizeof engines / sizeof *engines ? &engines[i] : NULL;
}

const struct game_info *target_game_at(size_t i)
{
	return i < sizeof games / sizeof *games ? &games[i] : NULL;
}

const struct engine_info *target_engine(const char *name)
{
	const struct engine_info *e;
	size_t i = 0;

	while ((e = target_engine_at(i)) && strcmp(e->name, name) != 0)
		i++;
	return e;
}

const struct game_info *target_game(const char *name)
{
	const struct game_info *g;
	size_t i = 0;

	while ((g = target_game_at(i)) && strcmp(g->name, name) != 0)
		i++;
	return g;
}

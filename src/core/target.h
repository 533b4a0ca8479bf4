/* Targets: the engine, and the game, that a mod is for. What they take is data: engines.def and
 * games.def. */
#ifndef UVET_CORE_TARGET_H
#define UVET_CORE_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An engine_info is a row of engines.def. */
struct engine_info {
	const char *name; /* "5.3" */
	uint8_t utoc;     /* the newest version of a .utoc; 0: not known */
	/* the versions of container headers; header_first above header_last: not known */
	int8_t header_first, header_last;
	bool refuses_older, refuses_newer; /* proved of container headers; else it is inferred */
	uint8_t pak;                       /* the newest version of a .pak */
};

/* A game_info is a row of games.def. */
struct game_info {
	const char *name, *engine;
	bool signs;
	const char *source;
};

/* An aim is what the user says that files are for. */
struct aim {
	const struct engine_info *engine; /* NULL: no engine was named */
	bool signs;                       /* the game refuses containers that are not signed */
};

/* These find a row by its name, NULL: there is none; and give one by its number, NULL past the
 * last. */
const struct engine_info *target_engine(const char *name);
const struct engine_info *target_engine_at(size_t i);
const struct game_info *target_game(const char *name);
const struct game_info *target_game_at(size_t i);

#endif

/* Games: which packages are theirs, and what is known of these. */
#ifndef UVET_FORMATS_UPKG_HEADER_GAMES_H
#define UVET_FORMATS_UPKG_HEADER_GAMES_H

#include "formats/upkg/facts.h"

#define UPKG_LICENSEE_227 227u /* Unreal 227 */

/* A upkg_games is a range of versions with a range of licensees, both ends included. upkg_is_of
 * tells whether a package is in one of n. */
struct upkg_games {
	uint32_t first, last, licensee_first, licensee_last;
};
bool upkg_is_of(const struct upkg *u, const struct upkg_games *games, size_t n);

/* upkg_has_other_tables tells whether a game of this version and licensee is known to lay out its
 * tables in its own way. */
bool upkg_has_other_tables(const struct upkg *u);

/* upkg_era_of returns the engine whose objects the package has, by its tag. */
enum upkg_era upkg_era_of(const struct upkg *u);

/* upkg_is_of_unreal tells whether the package is one of Unreal or Unreal Tournament, whose
 * engine's sources are known. A rule that rests on them is milder for others. */
static inline bool upkg_is_of_unreal(const struct upkg *u)
{
	return u->era == UPKG_UE1 && u->tag.licensee == 0;
}

#endif

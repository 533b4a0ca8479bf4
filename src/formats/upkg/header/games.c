/* Games: which packages are theirs, and what is known of these. */
#include "formats/upkg/header/games.h"

/* Games that lay out their tables in their own way after the same tag. Sources: UEViewer's
 * UnPackage2.cpp and GameDatabase.cpp, Unreal Library. */
static const struct upkg_games own_tables[] = {
	/* Deus Ex: Invisible War, Thief: Deadly Shadows */
	{ 95, 95, 69, 69 },
	{ 95, 95, 133, 133 },
	{ 100, 100, 9, 17 },
	{ 100, 100, 120, 124 },
	{ 102, 102, 28, 28 }, /* Splinter Cell */
	/* Unreal Championship 1 and 2 */
	{ 119, 119, 28, 28 },
	{ 119, 119, 30, 30 },
	{ 151, 151, 0, 0 },
	{ 119, 119, 0x9127, 0x9127 }, /* Pariah */
	{ 128, 128, 32, 33 },         /* America's Army 2 */
	{ 128, 129, 34, 35 },         /* Vanguard */
	{ 130, 143, 56, 59 },         /* BioShock */
	{ 151, 159, 1, 1 },           /* Republic Commando */
};

bool upkg_is_of(const struct upkg *u, const struct upkg_games *games, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (u->tag.version >= games[i].first && u->tag.version <= games[i].last &&
		    u->tag.licensee >= games[i].licensee_first &&
		    u->tag.licensee <= games[i].licensee_last)
			return true;
	return false;
}

bool upkg_has_other_tables(const struct upkg *u)
{
	return upkg_is_of(u, own_tables, sizeof own_tables / sizeof own_tables[0]);
}

static bool is_measured(const struct upkg *u)
{
	const uint64_t v = u->tag.version, licensee = u->tag.licensee;

	if (v >= 58 && v <= 69)
		return licensee == 0 || licensee == UPKG_LICENSEE_227;
	return v >= 99 && v <= 128 && (licensee == 0 || (licensee >= 25 && licensee <= 29));
}

enum upkg_era upkg_era_of(const struct upkg *u)
{
	if (!is_measured(u))
		return UPKG_OTHER;
	return u->tag.version < 99 ? UPKG_UE1 : UPKG_UE2;
}

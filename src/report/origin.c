/* Origins: tables of versions and licensees. Sources: conformance/spec/iostore.md, 2, for
 * containers; upkg.md, 2.2 for engines and 2.3 for games. */
#include "report/origin.h"

#include <string.h>

struct engine_row {
	const char *format;
	uint64_t first, last;
	const char *engine;
};

static const struct engine_row engines[] = {
	{ "utoc", 2, 2, "Unreal Engine 4.26" },
	{ "utoc", 3, 3, "Unreal Engine 4.27" },
	{ "utoc", 4, 4, "Unreal Engine 5 before 5.0" },
	{ "utoc", 5, 5, "Unreal Engine 5.0 to 5.3" },
	{ "utoc", 6, 6, "Unreal Engine 5.4" },
	{ "utoc", 7, 7, "Unreal Engine 5 between 5.4 and 5.5" },
	{ "utoc", 8, 8, "Unreal Engine 5.5 or later" },
	{ "utoc", 9, 10, "Unreal Engine 6, before its release" },
	{ "upkg", 0, 59, "Unreal Engine 1, before the release of Unreal" },
	{ "upkg", 60, 85, "Unreal Engine 1" },
	{ "upkg", 99, 177, "Unreal Engine 2" },
	{ "upkg", 178, 0x7FFF, "Unreal Engine 3" },
	{ "upkg", 0xFFF0, 0xFFFF, "Unreal Engine 4 or 5" },
};

/* Both ranges with their ends. */
struct game_row {
	uint64_t first, last, licensee_first, licensee_last;
	const char *games;
};

static const struct game_row games[] = {
	{ 60, 67, 0, 0, "Unreal" },
	{ 68, 69, 0, 0, "Unreal Tournament and others" },
	{ 58, 69, 227, 227, "Unreal 227" },
	{ 68, 68, 2, 2, "Duke Nukem Forever" },
	{ 156, 156, 36, 36, "Duke Nukem Forever" },
	{ 100, 100, 58, 58, "XIII" },
	{ 110, 110, 2481, 2609, "Unreal II" },
	{ 118, 118, 11, 14, "Raven Shield" },
	{ 118, 120, 4, 8, "Devastation" },
	{ 129, 130, 27, 27, "SWAT 4 or Tribes: Vengeance" },
	{ 99, 117, 0, 25, "Unreal Tournament 2003 or 2004" },
	{ 117, 128, 25, 29, "Unreal Tournament 2003 or 2004" },
	{ 134, 150, 1, 1, "Republic Commando" },
	{ 143, 146, 61447, 61447, "Advent Rising" },
	{ 159, 159, 29, 29, "Spellborn" },
};

static const char *engine_of(const char *format, uint64_t version)
{
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
		if (strcmp(engines[i].format, format) == 0 && version >= engines[i].first &&
		    version <= engines[i].last)
			return engines[i].engine;
	return NULL;
}

static const char *games_of(uint64_t version, uint64_t licensee)
{
	for (size_t i = 0; i < sizeof games / sizeof *games; i++)
		if (version >= games[i].first && version <= games[i].last &&
		    licensee >= games[i].licensee_first && licensee <= games[i].licensee_last)
			return games[i].games;
	return NULL;
}

/* Version 0 is that of a file whose version was not decoded. Only packages have a licensee. */
struct origin origin_of(const struct report *r)
{
	struct origin origin = { NULL, NULL };

	if (!r->format || r->version == 0)
		return origin;
	origin.engine = engine_of(r->format->name, r->version);
	for (size_t i = 0; i < r->n_infos; i++)
		if (strcmp(r->infos[i].name, "licensee") == 0)
			origin.games = games_of(r->version, r->infos[i].number);
	return origin;
}

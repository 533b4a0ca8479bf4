/* The header: tag, version, summary, and the generations or the heritage. */
#include "formats/upkg/header/header.h"

#include "core/mutant.h"
#include "formats/upkg/header/games.h"

enum { HEADER_MAX = 64 }; /* bytes of tag and summary, in every version */

/* ---- Tables ---------------------------------------------------------------------------------- */

/* A name has a character, a NUL and flags, and since version 64 a count before them. */
uint64_t upkg_least_row(const struct upkg *u, enum upkg_table_number number)
{
	static const uint64_t least[N_UPKG_TABLES] = {
		[TABLE_NAMES] = 6, [TABLE_IMPORTS] = 7, [TABLE_EXPORTS] = 12
	};

	return number == TABLE_NAMES && u->tag.version >= UPKG_VERSION_COUNTED ? 7 : least[number];
}

static uint32_t table_traits(const struct upkg *u, enum upkg_table_number number, int64_t n,
			     int64_t at)
{
	if (n < 0)
		return TABLE_NEGATIVE;
	if (n == 0)
		return 0;
	if (at < (int64_t)u->header_end)
		return TABLE_IN_HEADER;
	if (at >= (int64_t)u->limit)
		return TABLE_OUTSIDE;
	/* mutant: a row more */
	if ((uint64_t)n > (u->limit - (uint64_t)at) / upkg_least_row(u, number) + MUTANT(56))
		return TABLE_TOO_LONG;
	return 0;
}

static void place_table(struct upkg *u, enum upkg_table_number number, int64_t n, int64_t at)
{
	struct upkg_table *t = &u->tables[number];

	t->traits = table_traits(u, number, n, at);
	u->table_traits |= t->traits;
	t->n = t->traits == 0 ? (uint32_t)n : 0;
	t->at = t->end = t->n > 0 ? (uint64_t)at : 0;
}

static void place_tables(struct upkg *u)
{
	const struct upkg_header *h = &u->header;

	place_table(u, TABLE_NAMES, h->name_count, h->name_offset);
	place_table(u, TABLE_IMPORTS, h->import_count, h->import_offset);
	place_table(u, TABLE_EXPORTS, h->export_count, h->export_offset);
}

/* ---- Generations and heritage ---------------------------------------------------------------- */

static bool stop_history(struct decode *d, struct upkg *u, uint64_t at)
{
	return decode_stop(d, UPKG_HISTORY, STOP_MALFORMED, (struct span){ at, u->size - at });
}

static bool decode_generations(struct decode *d, struct upkg *u)
{
	int64_t n = u->header.generation_count;
	struct span span = { u->header_end, 0 };
	struct cursor c;

	/* mutant: one behind the file */
	if (n < 1 ||
	    (uint64_t)n > (u->limit - u->header_end) / upkg_generation_fixed_len + MUTANT(65))
		return stop_history(d, u, u->header_end);
	if ((uint64_t)n > d->limits->of[LIMIT_entries])
		return decode_stop_limit(d, UPKG_HISTORY, LIMIT_entries, span);
	span.len = (uint64_t)n * upkg_generation_fixed_len;
	u->generations = decode_alloc(d, UPKG_HISTORY, (uint64_t)n, sizeof *u->generations);
	if (!u->generations || !decode_window(d, UPKG_HISTORY, span, &c))
		return false;
	while (u->n_generations < (uint64_t)n &&
	       upkg_generation_read(&c, 0, &u->generations[u->n_generations]))
		u->n_generations++;
	u->header_end = span_end(span);
	return true;
}

static bool decode_heritage(struct decode *d, struct upkg *u)
{
	int64_t n = u->header.heritage_count, at = u->header.heritage_offset;

	if (n < 0 || (n > 0 && at < (int64_t)u->header_end) || (n > 0 && at >= (int64_t)u->limit))
		return stop_history(d, u, u->header_end);
	if ((uint64_t)n > (n > 0 ? (u->limit - (uint64_t)at) / upkg_heritage_fixed_len : 0))
		return stop_history(d, u, (uint64_t)at);
	u->heritage = (struct span){ n > 0 ? (uint64_t)at : 0,
				     (uint64_t)n * upkg_heritage_fixed_len };
	return true;
}

/* ---- The header ------------------------------------------------------------------------------ */

static bool is_supported(const struct upkg *u)
{
	return u->tag.version >= UPKG_VERSION_MIN && u->tag.version < UPKG_VERSION_UE3 &&
	       !upkg_has_other_tables(u);
}

bool upkg_decode_header(struct decode *d, struct upkg *u)
{
	struct span span = { 0, u->size < HEADER_MAX ? u->size : HEADER_MAX };
	struct cursor c;

	if (!decode_window(d, UPKG_HEADER, span, &c))
		return false;
	if (!upkg_tag_read(&c, 0, &u->tag))
		return decode_stop(d, UPKG_HEADER, STOP_MALFORMED, span);
	if (!is_supported(u))
		return decode_stop(d, UPKG_HEADER, STOP_UNSUPPORTED, (struct span){ 4, 4 });
	if (!upkg_header_read(&c, u->tag.version, &u->header))
		return decode_stop(d, UPKG_HEADER, STOP_MALFORMED, span);
	u->header_end = cursor_at(&c);
	u->era = upkg_era_of(u);
	if (u->era == UPKG_OTHER)
		decode_stop(d, UPKG_MEASURED, STOP_UNVERIFIED, (struct span){ 4, 0 });
	if (u->tag.version >= UPKG_VERSION_GUID)
		decode_generations(d, u);
	else
		decode_heritage(d, u);
	place_tables(u);
	return true;
}

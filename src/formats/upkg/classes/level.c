/* Levels: the list of actors, where the level is, and the paths through it. */
#include "formats/upkg/classes/readers.h"

#include "core/mutant.h"
#include "formats/upkg/body/parts.h"
#include "formats/upkg/classes/kinds.h"
#include "formats/upkg/classes/parts.h"
#include "formats/upkg/tables/references.h"

static bool read_object(struct body *b, int32_t *out)
{
	return body_whole(b, body_object(b, FLAW_NATIVE_REFERENCE, out));
}

static bool skip_string(struct body *b)
{
	return body_string(b, FLAW_TEXT_OPEN);
}

static bool skip_strings(struct body *b, uint64_t each)
{
	int64_t n;

	if (!body_count(b, each, &n))
		return false;
	for (uint64_t i = 0; i < (uint64_t)n * each; i++)
		if (!decode_spend(b->d, UPKG_LEVELS, 1) || !skip_string(b))
			return false;
	return true;
}

/* The engine stops if the first actor is nothing or no LevelInfo; an unknown class may descend
 * from that. Only the editor asks for the second. */
static void examine_first(struct body *b, int64_t number, int32_t actor, struct span at)
{
	static const enum upkg_word wanted[] = { WORD_LevelInfo, WORD_Brush };
	const enum upkg_word class = upkg_refers(b->u, actor) ? upkg_class_of(b->u, actor)
							      : wanted[number];
	const bool is_wrong = number == 0 && (actor == 0 || class == WORD_Brush);

	if (class != wanted[number])
		body_flaw(b, is_wrong ? FLAW_LEVEL_ACTOR : FLAW_LEVEL_ACTOR_UNKNOWN, at.at, at.len,
			  number, actor);
}

static bool read_actors(struct body *b)
{
	const uint64_t list = body_at(b);
	int32_t actor;
	int64_t n;

	if (!body_list(b, 1, FLAW_LEVEL_COUNT, &n))
		return false;
	for (int64_t i = 0; i < n; i++) {
		uint64_t at = body_at(b);

		if (!decode_spend(b->d, UPKG_LEVELS, 1) || !read_object(b, &actor))
			return false;
		if (!body_is_wanted(b->u, actor, WANT_ACTOR))
			body_flaw_part(b, FLAW_LEVEL_THING, LEVEL_ACTOR, at, body_at(b) - at, actor,
				       0);
		else if (i < 2 + MUTANT(82)) /* mutant: a third one */
			examine_first(b, i, actor, (struct span){ at, body_at(b) - at });
	}
	if (n < 2)
		body_flaw(b, n == 0 ? FLAW_LEVEL_ACTOR : FLAW_LEVEL_ACTOR_UNKNOWN, list, 4, n, 0);
	return true;
}

static bool read_model(struct body *b)
{
	uint64_t at = body_at(b);
	int32_t model;

	if (!read_object(b, &model))
		return false;
	if (upkg_refers(b->u, model) && upkg_class_of(b->u, model) != WORD_Model)
		body_flaw(b, FLAW_LEVEL_MODEL, at, body_at(b) - at, model, 0);
	return true;
}

static bool read_reach_specs(struct body *b)
{
	int64_t n;

	if (!body_count(b, 19, &n))
		return false;
	for (int64_t i = 0; i < n; i++)
		if (!decode_spend(b->d, UPKG_LEVELS, 1) || !body_step(b, 4) ||
		    !body_thing(b, FLAW_LEVEL_THING, LEVEL_PATH_START, WANT_ACTOR) ||
		    !body_thing(b, FLAW_LEVEL_THING, LEVEL_PATH_END, WANT_ACTOR) ||
		    !body_step(b, 13))
			return false;
	return true;
}

enum { TEXTS = 16 };

static bool read_texts(struct body *b)
{
	for (unsigned i = 0; i < TEXTS; i++)
		if (!body_thing(b, FLAW_LEVEL_THING, LEVEL_TEXT, WANT_TEXT))
			return false;
	return true;
}

/* After the text blocks comes what travellers take along: pairs of texts since version 63, two
 * lists in 61, nothing before. */
static bool read_travel(struct body *b)
{
	const uint64_t version = b->u->tag.version;

	if (version >= 63)
		return skip_strings(b, 2);
	return version != 61 || (skip_strings(b, 1) && skip_strings(b, 1));
}

bool body_level(struct body *b)
{
	for (unsigned i = 0; i < 5; i++)
		if (i == 0 ? !read_actors(b) : !skip_string(b))
			return false;
	if (!skip_strings(b, 1) || !body_step(b, 8) || !read_model(b) || !read_reach_specs(b) ||
	    !body_step(b, 4) || !body_thing(b, FLAW_LEVEL_THING, LEVEL_REMOVED, WANT_ACTOR) ||
	    !read_texts(b) || !read_travel(b))
		return false;
	return b->u->tag.version == 62 ? body_leave_other(b) : body_closed(b, true);
}

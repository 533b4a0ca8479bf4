/* State frames: where in its code an object stands. */
#include "formats/upkg/body/frame.h"

#include "formats/upkg/tables/references.h"

/* Code takes at most 64 KiB in memory, since places in it are u16, and at most four times its bytes
 * in the file. */
enum { PLACES = 65536, GROWS_BY = 4 };

/* Whether a reference can be a node or a state: these are classes or states. */
static bool is_code(const struct upkg *u, int32_t reference)
{
	const enum upkg_word class = upkg_refers(u, reference) ? upkg_class_of(u, reference)
							       : WORD_Class;

	return reference == 0 || class == WORD_Class || class == WORD_State;
}

/* Whether a place lies outside any code that the node can have. The code of an import is not
 * known. */
static bool is_outside(const struct upkg *u, int32_t node, int64_t place)
{
	if (place == -1)
		return false;
	return place < -1 || place >= PLACES ||
	       (node > 0 && upkg_refers(u, node) &&
		place > (int64_t)GROWS_BY * u->exports[node - 1].size);
}

static void examine_frame_code(struct body *b, int32_t node, struct span node_at, int32_t state,
			       struct span state_at)
{
	if (!is_code(b->u, node))
		body_flaw(b, FLAW_FRAME_CLASS, node_at.at, node_at.len, node, 0);
	if (!is_code(b->u, state) && state != node)
		body_flaw(b, FLAW_FRAME_CLASS, state_at.at, state_at.len, state, 0);
}

bool body_frame(struct body *b)
{
	const struct upkg_export *e = &b->u->exports[b->export];
	uint64_t at = body_at(b), state_at, place_at;
	int32_t node, state;
	int64_t place = -1;

	if (!(e->traits & EXPORT_HAS_STACK))
		return true;
	if (!body_object(b, FLAW_FRAME_REFERENCE, &node))
		return body_flaw_plain(b, FLAW_FRAME_CUT, at, b->all.len);
	state_at = body_at(b);
	if (!body_object(b, FLAW_FRAME_REFERENCE, &state) || !body_skip(b, 12))
		return body_flaw_plain(b, FLAW_FRAME_CUT, at, b->all.len);
	place_at = body_at(b);
	if (node != 0 && !body_index(b, &place))
		return body_flaw_plain(b, FLAW_FRAME_CUT, at, b->all.len);
	if (node == 0)
		body_flaw_plain(b, FLAW_FRAME_NODE, at, state_at - at);
	else if (state != node && upkg_refers(b->u, node) && upkg_refers(b->u, state))
		body_flaw(b, FLAW_FRAME_STATE, state_at, place_at - 12 - state_at, state, node);
	examine_frame_code(b, node, (struct span){ at, state_at - at }, state,
			   (struct span){ state_at, place_at - 12 - state_at });
	if (is_outside(b->u, node, place))
		body_flaw(b, FLAW_FRAME_OUTSIDE, place_at, body_at(b) - place_at, place, 0);
	else if (place != -1)
		body_flaw(b, FLAW_FRAME_PLACE, place_at, body_at(b) - place_at, place, 0);
	return true;
}

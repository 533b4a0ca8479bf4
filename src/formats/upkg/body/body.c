/* The bodies of exports: frame, properties, and then what the class has of its own. */
#include "formats/upkg/body/body.h"

#include "core/mutant.h"
#include "core/path.h"

/* ---- Reading ------------------------------------------------------------------------------------------------------------- */

static struct cursor at_end(uint64_t at)
{
	return cursor_init(NULL, 0, at);
}

/* Moves the bytes that are left in the window to the start of the buffer, and returns how many they are. */
static uint64_t keep_rest(struct body *b)
{
	struct cursor rest = b->window;
	uint64_t n = cursor_left(&rest);
	const uint8_t *bytes;

	if (n > 0 && cursor_bytes(&rest, n, &bytes))
		memmove(b->scratch->buffer, bytes, (size_t)n);
	return n;
}

/* Sets the window to the bytes from where it stands on: those that the source holds, or n of them, or as many as a read takes at once and
 * the buffer holds. */
static bool load(struct body *b, uint64_t n)
{
	const uint64_t len = b->d->source->window_len < BODY_WINDOW ? b->d->source->window_len : BODY_WINDOW, max = len > n ? len : n;
	uint64_t at = body_at(b), kept;
	struct span span = { at, span_end(b->all) - at + MUTANT(74) };  /* mutant: the byte behind a body is read with it */

	if (source_peek(b->d->source, span, &b->window))
		return true;
	if (span.len > max)
		span.len = max;
	kept = keep_rest(b);
	if (!source_copy(b->d->source, (struct span){ at + kept, span.len - kept }, b->scratch->buffer + kept)) {
		b->unreadable = true;
		b->window = at_end(at);
		return false;
	}
	b->window = cursor_init(b->scratch->buffer, span.len, at);
	return true;
}

void body_open(struct body *b, struct decode *d, struct upkg *u, uint32_t export, struct scratch *scratch)
{
	const struct upkg_export *e = &u->exports[export];

	*b = (struct body){
		.d = d, .u = u, .export = export, .class = upkg_class_word(u, e), .property = -1, .scratch = scratch,
		.asks_who_loads = u->name_traits & NAME_NOT_ON_SERVER || u->export_traits & EXPORT_NOT_ON_SERVER,
		.all = { (uint64_t)e->offset, (uint64_t)e->size },
	};
	b->window = at_end(b->all.at);
}

bool body_fill(struct body *b, uint64_t n)
{
	return n <= body_left(b) && load(b, n);
}

void body_move(struct body *b, uint64_t at)
{
	if (NEVER(at < b->all.at || at > span_end(b->all)))
		at = span_end(b->all);
	if (!cursor_seek(&b->window, at))
		b->window = at_end(at);
}

static bool note_odd(struct body *b, uint64_t at, enum index_form form)
{
	struct upkg *u = b->u;
	struct keep *keep = &u->odd_keeps[form == INDEX_NEGATIVE_ZERO];
	struct upkg_odd_index *list;

	list = decode_grow(b->d, UPKG_BODIES, u->odd_indexes, u->n_odd_indexes, &u->max_odd_indexes, sizeof *list);
	if (!list)
		return false;
	u->odd_indexes = list;
	if (keep_row(b->d, keep, u->n_odd_indexes))
		list[u->n_odd_indexes++] = (struct upkg_odd_index){
			.at = (uint32_t)at, .row = b->export, .len = (uint8_t)(body_at(b) - at), .table = N_UPKG_TABLES,
			.negative_zero = form == INDEX_NEGATIVE_ZERO,
		};
	else
		list[keep->last].n_more++;
	return true;
}

static bool read_index(struct body *b, int64_t *out, enum index_form *form)
{
	uint64_t n = body_left(b) < 5 ? body_left(b) : 5;

	if (n == 0 || !body_has(b, n))
		return false;
	if (cursor_index(&b->window, out, form))
		return true;
	if (n == 5)
		b->bad_index_at = body_at(b);
	return false;
}

bool body_index(struct body *b, int64_t *out)
{
	uint64_t at = body_at(b);
	enum index_form form;

	return read_index(b, out, &form) && (form == INDEX_MINIMAL || note_odd(b, at, form));
}

bool body_peek(struct body *b, int64_t *out)
{
	enum index_form form;

	return read_index(b, out, &form);
}

/* A server that is no client needs names of its own; else a game loads what either has. */
static bool game_loads(const struct body *b, bool on_server, bool in_game)
{
	const uint32_t traits = b->u->exports[b->export].traits;

	return traits & EXPORT_FOR_EDITOR || on_server || (in_game && traits & EXPORT_NOT_ON_SERVER);
}

void body_use_name(struct body *b, int32_t name, uint64_t at)
{
	uint32_t traits;

	upkg_use_name(b->u, name);
	if (!b->asks_who_loads)
		return;
	traits = b->u->names[name].traits;
	if (!game_loads(b, !(traits & NAME_NOT_ON_SERVER), !(traits & NAME_NOT_IN_GAME)))
		body_flaw(b, FLAW_NAME_NOT_IN_GAME, at, body_at(b) - at, name, 0);
}

/* What an import and those that it lies in say. */
static uint32_t traits_of_imports(const struct upkg *u, int64_t object)
{
	uint32_t traits = 0;

	for (unsigned step = 0; step < UPKG_OUTERS_MAX && object < 0 && upkg_refers(u, object); step++) {
		traits |= u->imports_traits[-object - 1];
		object = u->imports[-object - 1].outer;
	}
	return traits;
}

void body_use_object(struct body *b, int64_t object, uint64_t at)
{
	uint32_t traits;

	if (object >= 0 || !b->asks_who_loads)
		return;
	traits = traits_of_imports(b->u, object);
	if (!game_loads(b, !(traits & IMPORT_NOT_ON_SERVER), !(traits & IMPORT_NOT_IN_GAME)))
		body_flaw(b, FLAW_IMPORT_NOT_IN_GAME, at, body_at(b) - at, -object - 1, 0);
}

bool body_name(struct body *b, enum upkg_flaw_kind kind, int32_t *out)
{
	uint64_t at = body_at(b);
	int64_t v;

	if (!body_index(b, &v))
		return false;
	*out = (int32_t)v;
	if (upkg_name_of(b->u, *out))
		body_use_name(b, *out, at);
	else
		body_flaw(b, kind, at, body_at(b) - at, v, 0);
	return true;
}

bool upkg_refers(const struct upkg *u, int64_t object)
{
	return object <= (int64_t)u->tables[TABLE_EXPORTS].n && -object <= (int64_t)u->tables[TABLE_IMPORTS].n;
}

bool body_object(struct body *b, enum upkg_flaw_kind kind, int32_t *out)
{
	uint64_t at = body_at(b);
	int64_t v;

	if (!body_index(b, &v))
		return false;
	*out = (int32_t)v;
	if (upkg_refers(b->u, v))
		body_use_object(b, v, at);
	else
		body_flaw(b, kind, at, body_at(b) - at, v, 0);
	return true;
}

void *scratch_room(struct body *b, struct room *room, uint64_t n, size_t size)
{
	if (n * size > room->len || !room->memory) {
		room->memory = decode_alloc(b->d, UPKG_BODIES, n + n / 2 - MUTANT(79) * (n / 2 + (n > 0)), size); /* mutant: one less */
		room->len = room->memory ? (n + n / 2) * size : 0;
	}
	return room->memory;
}

static void count_left(struct body *b, uint32_t group, uint64_t n)
{
	struct group *g = &b->d->groups[group];

	if (g->why == STOP_UNVERIFIED)
		g->at.len += n;
}

bool body_leave(struct body *b, uint32_t group)
{
	count_left(b, group, body_left(b));
	return true;
}

void body_leave_bytes(struct body *b, uint64_t at, uint64_t n)
{
	if (n > 0)
		decode_stop(b->d, UPKG_OTHER_DATA, STOP_UNVERIFIED, (struct span){ at, 0 });
	count_left(b, UPKG_OTHER_DATA, n);
}

bool body_leave_other(struct body *b)
{
	body_leave_bytes(b, body_at(b), body_left(b));
	return true;
}

/* ---- Flaws ---------------------------------------------------------------------------------------------------------------- */

/* Tells what is FLAW_IS_OTHER. */
static bool is_other(enum upkg_flaw_kind kind, uint8_t part, int64_t first, int64_t second)
{
	switch (kind) {
	case FLAW_TAG_TYPE:
		return first != 0;
	case FLAW_OWN_DATA:
		return first == 0;
	case FLAW_FIELD:
		return part == FIELD_BEHIND_CLASS;
	case FLAW_STATE_LABEL:
		return part == LABELS_WITHOUT_CODE;
	case FLAW_TOKEN_PLACE:
		return part == PLACE_CASE;
	case FLAW_COUNT:
	case FLAW_ZONES:
		return first < 0;
	case FLAW_POLY_VERTICES:
		return first < POLY_VERTICES_MIN;
	case FLAW_NODE_VERTS:
		return part == 1;
	case FLAW_LEVEL_ACTOR:
		return part == LEVEL_ACTOR_DOUBTFUL;
	case FLAW_SEQUENCE:
		return part == SEQUENCE_END || first >= 0;
	case FLAW_FONT:
		return part == FONT_BEYOND;
	case FLAW_SOUND_TYPE:
		return first == SOUND_OGG;
	case FLAW_MESH:
	case FLAW_MIP_COUNT:
	case FLAW_WAVE_CHUNK:
		return second != 0;
	default:
		return false;
	}
}

void body_note(struct body *b, enum upkg_flaw_kind kind, uint8_t part, uint64_t at, uint64_t n, int64_t first, int64_t second)
{
	struct upkg_flaws *list = &b->u->flaws[kind / FLAWS_IN_LIST];
	const unsigned editor = upkg_is_for_editor(b->u, b->export) ? FLAW_IS_FOR_EDITOR : 0;
	const unsigned sort = editor | (is_other(kind, part, first, second) ? FLAW_IS_OTHER : 0);
	struct keep *keep = &list->keeps[kind % FLAWS_IN_LIST][sort];
	struct upkg_flaw *rows;

	if (b->unreadable || !decode_has(b->d, UPKG_BODIES))            /* what is missing is not the file's fault */
		return;
	rows = decode_grow(b->d, UPKG_BODIES, list->rows, list->n, &list->max, sizeof *rows);
	if (!rows)
		return;
	list->rows = rows;
	list->kinds |= FLAW_MARK(kind);
	if (keep_row(b->d, keep, list->n))
		rows[list->n++] = (struct upkg_flaw){
			.export = b->export, .property = b->property, .kind = (uint8_t)kind,
			.sort = (uint8_t)sort, .part = part, .at = at, .len = n, .first = first, .second = second,
		};
	else
		rows[keep->last].n_more++;
}

/* ---- The state frame -------------------------------------------------------------------------------------------------------- */

/* Code has 64 KiB in memory at most, since its places are u16, and four times its bytes in the file. */
enum { PLACES = 65536, GROWS_BY = 4 };

/* The node and the state are classes or states. */
static bool is_code(const struct upkg *u, int32_t reference)
{
	const enum upkg_word class = upkg_refers(u, reference) ? upkg_class_of(u, reference) : WORD_Class;

	return reference == 0 || class == WORD_Class || class == WORD_State;
}

/* Tells whether no code of the node can have a place. That of an import is not known. */
static bool is_outside(const struct upkg *u, int32_t node, int64_t place)
{
	if (place == -1)
		return false;
	return place < -1 || place >= PLACES ||
	       (node > 0 && upkg_refers(u, node) && place > (int64_t)GROWS_BY * u->exports[node - 1].size);
}

static void judge_frame_code(struct body *b, int32_t node, struct span node_at, int32_t state, struct span state_at)
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
		return body_flaw(b, FLAW_FRAME_CUT, at, b->all.len, 0, 0);
	state_at = body_at(b);
	if (!body_object(b, FLAW_FRAME_REFERENCE, &state) || !body_skip(b, 12))
		return body_flaw(b, FLAW_FRAME_CUT, at, b->all.len, 0, 0);
	place_at = body_at(b);
	if (node != 0 && !body_index(b, &place))
		return body_flaw(b, FLAW_FRAME_CUT, at, b->all.len, 0, 0);
	if (node == 0)
		body_flaw(b, FLAW_FRAME_NODE, at, state_at - at, 0, 0);
	else if (state != node && upkg_refers(b->u, node) && upkg_refers(b->u, state))
		body_flaw(b, FLAW_FRAME_STATE, state_at, place_at - 12 - state_at, state, node);
	judge_frame_code(b, node, (struct span){ at, state_at - at }, state, (struct span){ state_at, place_at - 12 - state_at });
	if (is_outside(b->u, node, place))
		body_flaw(b, FLAW_FRAME_OUTSIDE, place_at, body_at(b) - place_at, place, 0);
	else if (place != -1)
		body_flaw(b, FLAW_FRAME_PLACE, place_at, body_at(b) - place_at, place, 0);
	return true;
}

/* ---- All bodies --------------------------------------------------------------------------------------------------------------- */

static bool has_body(const struct upkg_export *e)
{
	return e->size > 0 && !(e->traits & (EXPORT_OUTSIDE | EXPORT_BAD_CLASS | EXPORT_OVERLAPS));
}

uint64_t upkg_body_bytes(const struct upkg *u)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++)
		n += has_body(&u->exports[i]) ? (uint64_t)u->exports[i].size : 0;
	return n;
}

/* What the object lies in, which most often is what the one before it lies in. */
static void use_outer(struct body *b, int32_t outer)
{
	struct scratch *s = b->scratch;

	if (outer <= 0 || !upkg_refers(b->u, outer))
		return;
	if (s->outer != outer)
		s->outer_path = upkg_path_traits(b->u, b->u->exports[outer - 1].name);
	s->outer = outer;
	if (s->outer_path & (PATH_SEPARATOR | PATH_DRIVE | PATH_COLON))
		body_flaw(b, FLAW_OUTER_PATH, body_at(b), 0, outer - 1, 0);
}

/* An export of the package that another needs to be made. */
static void use_export(struct body *b, int32_t export)
{
	const struct upkg_export *e;

	if (export <= 0 || !upkg_refers(b->u, export))
		return;
	e = &b->u->exports[export - 1];
	if (upkg_name_of(b->u, e->name))
		body_use_name(b, e->name, body_at(b));
	if (!game_loads(b, !(e->traits & EXPORT_NOT_ON_SERVER), !(e->traits & EXPORT_FOR_EDITOR)))
		body_flaw(b, FLAW_EXPORT_NOT_IN_GAME, body_at(b), 0, export - 1, 0);
}

/* What the tables say of an object: the names of it, of its class and of what it lies in. */
static void use_own(struct body *b, const struct upkg_export *e)
{
	use_outer(b, e->outer);
	if (!b->asks_who_loads)
		return;
	if (upkg_name_of(b->u, e->name))
		body_use_name(b, e->name, body_at(b));
	body_use_object(b, e->class, body_at(b));
	body_use_object(b, e->outer, body_at(b));
	use_export(b, e->class);
	use_export(b, e->outer);
	if (e->traits & EXPORT_OWN_SUPER)
		use_export(b, upkg_super_of(b->u, e));
}

/* The body of an object that is no class. *in_properties tells whether it ended in these. */
static bool read_object(struct body *b, bool *in_properties)
{
	if (!body_frame(b))
		return false;
	*in_properties = !body_properties(b);
	return !*in_properties && body_field(b);
}

/* What ends a body too early makes the file invalid where a game meets it. Where it is told as a warning alone, in what only the editor
 * loads and in the properties of UE2, the rest was not judged. */
static bool decode_body(struct body *b)
{
	const struct upkg_export *e = &b->u->exports[b->export];
	bool in_properties = false, is_read;

	use_own(b, e);
	if (b->class == WORD_Class && e->class != 0)
		body_flaw(b, FLAW_CLASS_BY_IMPORT, body_at(b), 0, e->class, 0);
	is_read = b->class == WORD_Class ? body_class(b) : read_object(b, &in_properties);
	if (!is_read && !b->unreadable && decode_has(b->d, UPKG_BODIES) &&
	    (upkg_is_for_editor(b->u, b->export) || (in_properties && b->u->era == UPKG_UE2)))
		body_leave_other(b);
	return is_read;
}

void upkg_decode_bodies(struct decode *d, struct upkg *u)
{
	struct scratch scratch = {
		.buffer = decode_alloc(d, UPKG_BODIES, BODY_WINDOW, 1),
		.starts = decode_alloc(d, UPKG_BODIES, SCRIPT_STARTS / 8, 1),
	};

	if (!scratch.buffer || !scratch.starts)
		return;
	memset(scratch.starts, 0, SCRIPT_STARTS / 8);
	u->uses_are_known = true;
	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++) {
		UVET_FILLED_LATER struct body b;

		if (!has_body(&u->exports[i])) {
			u->uses_are_known = u->uses_are_known && u->exports[i].size == 0;
			continue;
		}
		if (!decode_spend(d, UPKG_BODIES, 1 + work_of_bytes((uint64_t)u->exports[i].size)))
			return;
		body_open(&b, d, u, i, &scratch);
		if (!decode_body(&b) || body_left(&b) > 0)
			u->uses_are_known = false;
		if (b.unreadable)
			decode_stop(d, UPKG_BODIES, STOP_INPUT, b.all);
		if (!decode_has(d, UPKG_BODIES))
			return;
	}
	font_judge_pages(d, u, &scratch);
	script_judge_conditions(d, u, &scratch);
	structs_judge(d, u, &scratch);
}

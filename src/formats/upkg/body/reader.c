/* Reading the bodies of exports: the window over one body, references, and what is noted of it. */
#include "formats/upkg/body/reader.h"

#include "core/mutant.h"
#include "formats/upkg/tables/indexes.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"
#include "formats/upkg/tables/references.h"

/* ---- Reading --------------------------------------------------------------------------------- */

static struct cursor at_end(uint64_t at)
{
	return cursor_init(NULL, 0, at);
}

/* Moves the bytes that are left in the window to the start of the buffer, and returns their
 * number. */
static uint64_t keep_rest(struct body *b)
{
	struct cursor rest = b->window;
	uint64_t n = cursor_left(&rest);
	const uint8_t *bytes;

	if (n > 0 && cursor_bytes(&rest, n, &bytes))
		memmove(b->scratch->buffer, bytes, (size_t)n);
	return n;
}

/* Sets the window to the bytes from its place on: all that the source holds in memory, or else
 * n, or more where a read takes more at once and the buffer has space for them. */
static bool load(struct body *b, uint64_t n)
{
	const uint64_t len = b->d->source->window_len < BODY_WINDOW ? b->d->source->window_len
								    : BODY_WINDOW,
		       max = len > n ? len : n;
	uint64_t at = body_at(b), kept;
	/* mutant: the byte behind a body is read with it */
	struct span span = { at, span_end(b->all) - at + MUTANT(74) };

	if (source_peek(b->d->source, span, &b->window))
		return true;
	if (span.len > max)
		span.len = max;
	kept = keep_rest(b);
	if (!source_copy(b->d->source, (struct span){ at + kept, span.len - kept },
			 b->scratch->buffer + kept)) {
		b->unreadable = true;
		b->window = at_end(at);
		return false;
	}
	b->window = cursor_init(b->scratch->buffer, span.len, at);
	return true;
}

void body_open(struct body *b, struct decode *d, struct upkg *u, uint32_t export,
	       struct scratch *scratch)
{
	const struct upkg_export *e = &u->exports[export];

	*b = (struct body){
		.d = d,
		.u = u,
		.export = export,
		.class = upkg_class_word(u, e),
		.property = -1,
		.scratch = scratch,
		.asks_who_loads = u->name_traits & NAME_NOT_ON_SERVER ||
				  u->export_traits & EXPORT_NOT_ON_SERVER,
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

static bool note_long(struct body *b, uint64_t at, enum index_form form)
{
	struct upkg *u = b->u;
	struct upkg_long_index *list;

	list = decode_grow(b->d, UPKG_BODIES, u->long_indexes, u->n_long_indexes,
			   &u->max_long_indexes, sizeof *list);
	if (!list)
		return false;
	u->long_indexes = list;
	upkg_add_long_index(b->d, u, (struct span){ at, body_at(b) - at }, form, N_UPKG_TABLES,
			    b->export);
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

	return read_index(b, out, &form) && (form == INDEX_MINIMAL || note_long(b, at, form));
}

bool body_peek(struct body *b, int64_t *out)
{
	enum index_form form;

	return read_index(b, out, &form);
}

/* A dedicated server loads only what has LoadForServer. What it does not make, a client does, which
 * loads what has either flag. */
bool body_game_loads(const struct body *b, bool on_server, bool in_game)
{
	const uint32_t traits = b->u->exports[b->export].traits;

	return traits & EXPORT_FOR_EDITOR || on_server ||
	       (in_game && traits & EXPORT_NOT_ON_SERVER);
}

void body_use_name(struct body *b, int32_t name, uint64_t at)
{
	uint32_t traits;

	upkg_use_name(b->u, name);
	if (!b->asks_who_loads)
		return;
	traits = b->u->names[name].traits;
	if (!body_game_loads(b, !(traits & NAME_NOT_ON_SERVER), !(traits & NAME_NOT_IN_GAME)))
		body_flaw(b, FLAW_NAME_NOT_IN_GAME, at, body_at(b) - at, name, 0);
}

/* The traits of an import and of those that it lies in. */
static uint32_t traits_of_imports(const struct upkg *u, int64_t object)
{
	uint32_t traits = 0;

	for (unsigned step = 0; step < UPKG_OUTERS_MAX && object < 0 && upkg_refers(u, object);
	     step++) {
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
	if (!body_game_loads(b, !(traits & IMPORT_NOT_ON_SERVER), !(traits & IMPORT_NOT_IN_GAME)))
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

/* ---- Flaws ----------------------------------------------------------------------------------- */

void body_note(struct body *b, enum upkg_flaw_kind kind, uint8_t part, uint64_t at, uint64_t n,
	       int64_t first, int64_t second)
{
	struct upkg_flaws *list = &b->u->flaws[kind / FLAWS_IN_LIST];
	const bool for_editor = upkg_is_for_editor(b->u, b->export);
	struct keep *keep = &list->keeps[kind % FLAWS_IN_LIST][for_editor];
	struct upkg_flaw *rows;

	/* what is missing is not the file's fault */
	if (b->unreadable || !decode_has(b->d, UPKG_BODIES))
		return;
	rows = decode_grow(b->d, UPKG_BODIES, list->rows, list->n, &list->max, sizeof *rows);
	if (!rows)
		return;
	list->rows = rows;
	list->kinds |= FLAW_MARK(kind);
	if (keep_row(b->d, keep, list->n))
		rows[list->n++] = (struct upkg_flaw){
			.export = b->export,
			.property = b->property,
			.kind = (uint16_t)kind,
			.part = part,
			.for_editor = for_editor,
			.at = at,
			.len = n,
			.first = first,
			.second = second,
		};
	else
		rows[keep->last].n_more++;
}

/* A file that is missing, and may be there under another name. */
#include "core/container_parts.h"
#include "diagnosis/beside.h"

/* What is looked for. */
struct search {
	const struct patient *patient;
	const struct companion *missing;
	struct extent extent; /* of the missing file */
};

/* What programs make of a name: what stands between it and its ending, or follows both. */
static const struct spoilt {
	const char *before, *after;
	bool is_partial; /* programs call a download so until it is whole */
} spoilt[] = {
	{ " (1)", "", false },     { " (2)", "", false },     { " - Copy", "", false },
	{ " copy", "", false },    { "", ".txt", false },     { "", ".bak", false },
	{ "", ".part", true },     { "", ".partial", true },  { "", ".crdownload", true },
	{ "", ".download", true }, { "", ".filepart", true }, { "", ".tmp", true },
};
enum { SPOILT_MAX = 16 }; /* bytes that are added to a name */

enum fit { FITS_NOT, FITS_PARTLY, FITS };

/* ---- One file -------------------------------------------------------------------------------- */

/* Tells whether the folder has a file of that name; *size is set, and how far its bytes are of the
 * kind of the missing one, if they are wanted. */
static bool look(const struct search *s, const char *name, uint64_t *size, enum likeness *like)
{
	_Alignas(max_align_t) unsigned char room[COMPANION_ROOM];
	const struct decode *d = s->patient->decode;
	struct source_io io;
	struct source source;

	if (d->siblings->open(d->siblings->ctx, name, room, &io) != COMPANION_OPEN)
		return false;
	*size = io.size;
	if (like) {
		source_init(&source, io, name, d->arena, d->source->window_len);
		*like = s->patient->format->likeness(&source, s->missing->name);
		source_take_trouble(d->source, &source);
	}
	d->siblings->close(d->siblings->ctx, &io);
	return true;
}

/* Tells whether the file has a container of its own: a .utoc of its name, or the one that is
 * judged. */
static bool is_taken(const struct search *s, const char *name)
{
	const char *ending = strrchr(name, '.');
	const size_t stem_len = ending ? (size_t)(ending - name) : 0;
	char utoc[SPELLING_SIZE + 8];
	uint64_t size;

	if (stem_len == 0 || stem_len >= SPELLING_SIZE)
		return true;
	memcpy(utoc, name, stem_len);
	memcpy(utoc + stem_len, PART_CONTAINER, sizeof PART_CONTAINER);
	return strcmp(utoc, beside_own_name(s->patient->decode)) == 0 || look(s, utoc, &size, NULL);
}

/* What has no length of its own is known by its bytes: those of a kind that stands by itself too
 * need a name that is like the missing one's. */
static enum fit fit_of(const struct search *s, const char *name, const struct spoilt *how)
{
	const uint64_t needs = s->extent.needs;
	enum likeness like;
	uint64_t size;

	if (is_taken(s, name) || !look(s, name, &size, &like))
		return FITS_NOT;
	if (like == LIKE_NOTHING || (needs > 0 && !beside_reaches(&s->extent, size)))
		return how && how->is_partial && (needs == 0 || size < needs) ? FITS_PARTLY
									      : FITS_NOT;
	return needs > 0 || like == LIKE_COMPANION || how ? FITS : FITS_NOT;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* The one of these names that fits best. NULL: none does, or several do. */
struct best {
	const char *name;
	enum fit fit;
	bool is_one;
};

static void add(struct best *best, const char *name, enum fit fit)
{
	if (fit == FITS_NOT || fit < best->fit)
		return;
	*best = (struct best){ name, fit, fit > best->fit };
}

static char *put(char *at, const char *text, size_t len)
{
	memcpy(at, text, len);
	return at + len;
}

/* NULL: memory ended. */
static char *spoil(const struct search *s, const char *ending, const struct spoilt *how)
{
	const char *name = s->missing->name;
	const size_t len = strlen(name);
	char *out = arena_alloc(s->patient->arena, len + SPOILT_MAX, 1), *at = out;

	*s->patient->lost = *s->patient->lost || !out;
	if (!out)
		return NULL;
	at = put(at, name, (size_t)(ending - name));
	at = put(at, how->before, strlen(how->before));
	at = put(at, ending, strlen(ending));
	put(at, how->after, strlen(how->after) + 1);
	return out;
}

/* Names that are like the missing one's. */
static void look_for_spoilt(const struct search *s, const char *ending, struct best *best)
{
	for (size_t i = 0; i < sizeof spoilt / sizeof *spoilt; i++) {
		const struct arena_mark mark = arena_mark(s->patient->arena);
		const char *name = spoil(s, ending, &spoilt[i]);
		const enum fit fit = name ? fit_of(s, name, &spoilt[i]) : FITS_NOT;

		if (fit == FITS_NOT)
			arena_rewind(s->patient->arena, mark);
		add(best, name, fit);
	}
}

/* The names are the report's only if one of them may be the one. */
static void look_for_others(const struct search *s, const char *ending, struct best *best)
{
	const struct patient *p = s->patient;
	const struct siblings *siblings = p->decode->siblings;
	const struct arena_mark mark = arena_mark(p->arena);
	char(*names)[SPELLING_SIZE] = siblings->list
					      ? arena_alloc(p->arena, BESIDE_MAX, sizeof *names)
					      : NULL;
	bool fits = false;
	size_t n;

	*p->lost = *p->lost || (siblings->list && !names);
	n = names ? siblings->list(siblings->ctx, ending, names, BESIDE_MAX) : 0;
	for (size_t i = 0; n <= BESIDE_MAX && i < n; i++) {
		const enum fit fit = fit_of(s, names[i], NULL);

		fits = fits || fit != FITS_NOT;
		add(best, names[i], fit);
	}
	if (!fits)
		arena_rewind(p->arena, mark);
}

const char *beside_renamed(const struct evidence *e, const struct companion *missing,
			   bool *is_unfinished)
{
	const struct patient *p = e->patient;
	struct search s = { .patient = p, .missing = missing };
	struct best best = { NULL, FITS_NOT, false };
	const char *ending = strrchr(missing->name, '.');

	/* it was asked for, by a name with an ending, so there are both */
	if (NEVER(!ending || !p->decode->siblings))
		return NULL;
	if (!p->format->likeness) /* nobody knows what would fit */
		return NULL;
	p->format->extent(p->facts, p->decode, missing->number, &s.extent);
	look_for_spoilt(&s, ending, &best);
	if (best.fit != FITS)
		look_for_others(&s, ending, &best);
	*is_unfinished = best.fit == FITS_PARTLY;
	return best.is_one ? best.name : NULL;
}

/* Beginning a session: where the bytes of its file come from. */
#include "engine/session_open.h"
#include "formats/set_files.h"

/* ---- Beginning ------------------------------------------------------------------------------- */

static void start(struct session *s, struct tree *t, struct report *r)
{
	struct engine *e = t->engine;

	s->tree = t;
	s->inner = NULL;
	s->report = r;
	s->format = NULL;
	s->number = FORMATS_MAX;
	s->index = NULL;
	s->facts = NULL;
	s->n_waiting = 0;
	s->is_finished = false;
	s->idle = s->lost = s->is_sidecar = false;
	s->run = (struct run){ .trouble = "a read failed", .limits = &e->limits };
	arena_init(&s->arena, e->allocator, e->limits.of[LIMIT_memory]);
	s->arena.chunk_len = e->chunk_len;
	s->arena.interrupt = &t->interrupt;
	s->decode = engine_decode(e, &s->source, &s->arena, &t->interrupt);
	s->decode.work = t->work;
}

void session_open(struct session *s, struct tree *t, struct report *r, const struct check_input *in)
{
	const uint64_t max = t->engine->limits.of[LIMIT_memory];

	s->outer = NULL;
	s->depth = 0;
	s->beneath = in->held;
	start(s, t, r);
	s->arena.budget = max > s->beneath ? max - s->beneath : 0;
	if (in->memory)
		source_init_memory(&s->source, in->memory, in->io.size, in->name, &s->arena);
	else
		source_init(&s->source, in->io, in->name, &s->arena, t->engine->window_len);
	s->source.interrupt = &t->interrupt;
	s->decode.siblings = t->engine->no_siblings ? NULL : in->siblings;
	s->decode.set = in->set;
	if (in->set && in->set->n_listed == 0) /* no folder is to be uploaded */
		s->decode.upload = UPLOAD_INSIDE;
	s->run.worker_ended = in->lost && in->timeout == 0;
	s->run.late = in->lost && in->timeout > 0;
	if (!in->unreadable)
		return;
	s->run.unreadable = true;
	s->run.crowded = in->crowded;
	s->run.trouble = in->trouble ? in->trouble : "it was not opened";
}

/* A part of a container has the files beside that. */
static void share_neighbours(struct session *s, struct session *outer)
{
	s->decode.siblings = outer->decode.siblings;
	if (outer->decode.siblings != &outer->neighbours.siblings)
		return;
	s->neighbours = outer->neighbours;
	s->neighbours.own = &s->decode;
	s->neighbours.beneath = &s->beneath;
	neighbours_init(&s->neighbours);
	s->decode.siblings = &s->neighbours.siblings;
}

/* What lies in a companion has the same files beside it as the input. */
static bool open_place(struct session *s, struct session *outer, const struct nested *n,
		       const char *name)
{
	const struct source *of = source_numbered(&outer->source, n->file);

	if (NEVER(!of))
		return false;
	source_init_member(&s->source, of, n->span, name, &s->arena);
	s->decode.is_part = n->file > 0;
	if (s->decode.is_part)
		share_neighbours(s, outer);
	return true;
}

/* The files beside it in the one around it. */
static void find_neighbours(struct session *s, struct session *outer, const struct nested *n)
{
	if (!outer->format->nested->beside || outer->tree->engine->no_siblings)
		return;
	s->neighbours = (struct neighbours){ .format = outer->format,
					     .facts = outer->facts,
					     .outer = &outer->decode,
					     .own = &s->decode,
					     .file = *n,
					     .beneath = &s->beneath };
	neighbours_init(&s->neighbours);
	s->decode.siblings = &s->neighbours.siblings;
}

static bool open_stream(struct session *s, struct session *outer, const struct nested *n,
			const char *name)
{
	struct source_io io;
	bool there;

	s->decode.work = s->tree->work;
	there = outer->format->nested->stream(outer->facts, &outer->decode, n, &s->arena,
					      &s->decode, &io);
	s->tree->work = s->decode.work;
	if (there)
		source_init(&s->source, io, name, &s->arena, s->tree->engine->window_len);
	return there;
}

/* Decodes a file into its own memory. What the decoder took meanwhile of that around it, and gave
 * back, was held at the same time. */
static const uint8_t *decode_nested(struct session *s, struct session *outer,
				    const struct nested *n)
{
	const uint64_t before = arena_watch(&outer->arena);
	const uint8_t *bytes = outer->format->nested->open(outer->facts, &outer->decode, n,
							   &s->arena);

	arena_count(&s->arena, arena_watched(&outer->arena, before));
	return bytes;
}

static bool open_decoded(struct session *s, struct session *outer, const struct nested *n,
			 const char *name)
{
	const struct nested_files *files = outer->format->nested;
	const uint8_t *bytes;

	if (n->streamed)
		return open_stream(s, outer, n, name);
	outer->decode.work = s->tree->work;
	bytes = decode_nested(s, outer, n);
	s->tree->work = s->decode.work = outer->decode.work;
	source_init_memory(&s->source, bytes, n->span.len, name, &s->arena);
	return bytes &&
	       (!files->claims || files->claims(outer->facts, n, &s->arena, &s->decode.claims));
}

/* The bytes of a file that has a place in the one around it, or beside that, are read there; those
 * of another are decoded into its own memory. */
static bool open_source(struct session *s, struct session *outer, const struct member *m)
{
	const char *name = m->own_name + m->alias_at;

	return m->file->decoded ? open_decoded(s, outer, m->file, name)
				: open_place(s, outer, m->file, name);
}

bool session_open_nested(struct session *s, struct session *outer, struct report *r,
			 const struct member *m)
{
	struct session *inner = s->inner;
	bool there;

	s->outer = outer;
	s->depth = outer->depth + 1;
	s->beneath = outer->beneath + outer->arena.held;
	start(s, outer->tree, r);
	s->inner = inner;
	session_share(s);
	there = open_source(s, outer, m);
	find_neighbours(s, outer, m->file);
	s->decode.threads = outer->format->nested->stream && !m->file->is_shared
				    ? &thread_pool_single
				    : outer->decode.threads;
	s->beneath = outer->beneath + outer->arena.held; /* which may have grown */
	s->source.role = SOURCE_MEMBER;
	s->decode.upload = m->file->is_upload ? outer->decode.upload : UPLOAD_INSIDE;
	session_share(s);
	return there;
}

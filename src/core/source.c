/* The source: windows over a reader, held so that no structural byte is read twice. */
#include "core/source.h"

#include <string.h>

#include "core/mutant.h"

void source_init(struct source *s, struct source_io io, const char *name, struct arena *arena,
		 uint64_t window_len)
{
	*s = (struct source){ .io = io, .name = name, .window_len = window_len, .arena = arena };
}

void source_init_memory(struct source *s, const uint8_t *data, uint64_t len, const char *name,
			struct arena *arena)
{
	source_init(s, (struct source_io){ .size = len }, name, arena, SOURCE_WINDOW);
	s->held[0] = (struct source_held){ { 0, len }, data };
	s->n_held = 1;
}

void source_init_member(struct source *s, const struct source *of, struct span span,
			const char *name, struct arena *arena)
{
	struct cursor held;

	source_init(s, of->io, name, arena, of->window_len);
	s->interrupt = of->interrupt;
	s->io.size = span.len;
	s->base = of->base + span.at;
	s->role = SOURCE_MEMBER;
	if (!source_peek(of, span, &held))
		return;
	s->io.read_at = NULL;
	s->held[0] = (struct source_held){ { 0, span.len }, held.data };
	s->n_held = 1;
}

bool source_forget(struct source *s)
{
	struct cursor whole;

	/* what reads them lies in it */
	if (s->io.read_at && arena_has(s->arena, s->io.ctx))
		return false;
	/* bytes that were decoded for this check go with its arena */
	if (!s->io.read_at)
		return s->n_held == 0 || !arena_has(s->arena, s->held[0].data);
	if (source_peek(s, (struct span){ 0, s->io.size }, &whole))
		return false;
	s->n_held = s->max_more = 0;
	s->more = NULL;
	s->stream_buffer = NULL;
	return true;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static const struct source_held *held_at(const struct source *s, size_t i)
{
	return i < SOURCE_HELD_FEW ? &s->held[i] : &s->more[i - SOURCE_HELD_FEW];
}

static bool span_inside(struct span inner, struct span outer)
{
	return inner.at >= outer.at && inner.at - outer.at <= outer.len &&
	       inner.len <= outer.len - (inner.at - outer.at);
}

static bool source_fail(struct source *s, enum source_trouble trouble, struct span at)
{
	if (trouble > s->trouble) {
		s->trouble = trouble;
		s->trouble_at = at;
	}
	return false;
}

/* How many bytes are read at once. Between such reads the check may be interrupted. */
#define SOURCE_PIECE ((uint64_t)16777216)

/* An input that ends before its size has shrunk since it was opened. */
static bool source_read(struct source *s, struct span span, uint8_t *buf)
{
	size_t n = 0;

	for (uint64_t got = 0; got < span.len; got += n) {
		const uint64_t len = min_u64(span.len - got, SOURCE_PIECE);

		s->interrupted = got > 0 ? interrupt_look(s->interrupt) : INTERRUPTED_NOT;
		if (s->interrupted != INTERRUPTED_NOT)
			return false;
		if (!s->io.read_at(s->io.ctx, s->base + span.at + got, buf + got, (size_t)len,
				   &n) ||
		    n > len)
			return source_fail(s, SOURCE_UNREADABLE, span);
		if (n == 0)
			/* mutant: a short input passes */
			return MUTANT(7) || source_fail(s, SOURCE_CHANGED, span);
	}
	return true;
}

/* The length of the run of bytes that begins at offset at of the source, max bytes at most, and is
 * held as a whole or not at all. *held points to it; NULL: it has to be read. */
static uint64_t next_run(const struct source *s, uint64_t at, uint64_t max, const uint8_t **held)
{
	uint64_t n = max;

	*held = NULL;
	for (size_t i = 0; i < s->n_held; i++) {
		const struct source_held *h = held_at(s, i);

		if (at >= h->span.at && at - h->span.at < h->span.len) {
			*held = h->data + (at - h->span.at);
			return min_u64(h->span.len - (at - h->span.at), max);
		}
		if (h->span.at > at)
			n = min_u64(n, h->span.at - at);
	}
	return n;
}

bool source_copy(struct source *s, struct span span, uint8_t *buf)
{
	const uint8_t *held;
	uint64_t n;

	if (!span_inside(span, (struct span){ 0, s->io.size }))
		return false;
	for (uint64_t got = 0; got < span.len; got += n) {
		const uint64_t at = span.at + got;

		n = next_run(s, at, span.len - got, &held);
		if (held)
			memcpy(buf + got, held, (size_t)n);
		else if (!source_read(s, (struct span){ at, n }, buf + got))
			return false;
	}
	return true;
}

bool source_peek(const struct source *s, struct span span, struct cursor *out)
{
	for (size_t i = 0; i < s->n_held; i++) {
		const struct source_held *h = held_at(s, i);

		if (!span_inside(span, h->span))
			continue;
		*out = cursor_init(h->data + (span.at - h->span.at), span.len, span.at);
		return true;
	}
	return false;
}

/* Windows overlap where a table was read in steps: the one that reaches farthest holds the whole
 * record. */
bool source_peek_from(const struct source *s, uint64_t at, struct cursor *out)
{
	const struct source_held *best = NULL;
	uint64_t skipped;

	for (size_t i = 0; i < s->n_held; i++) {
		const struct source_held *h = held_at(s, i);

		if (at >= h->span.at && at < span_end(h->span) &&
		    (!best || span_end(h->span) > span_end(best->span)))
			best = h;
	}
	if (!best)
		return false;
	skipped = at - best->span.at;
	*out = cursor_init(best->data + skipped, best->span.len - skipped, at);
	return true;
}

/* Space for one more window; NULL: memory ended. */
static struct source_held *next_held(struct source *s)
{
	const size_t max = s->max_more > 0 ? 2 * s->max_more : SOURCE_HELD_FEW;
	struct source_held *list;
	size_t n;

	if (s->n_held < SOURCE_HELD_FEW)
		return &s->held[s->n_held];
	n = s->n_held - SOURCE_HELD_FEW;
	if (n < s->max_more)
		return &s->more[n];
	list = arena_alloc(s->arena, max, sizeof *list);
	if (!list)
		return NULL;
	if (n > 0)
		memcpy(list, s->more, n * sizeof *list);
	s->more = list;
	s->max_more = max;
	return &list[n];
}

bool source_window(struct source *s, struct span span, struct cursor *out)
{
	bool whole = s->io.size <= s->window_len && s->io.size <= SOURCE_WHOLE;
	struct span want = { whole ? 0 : span.at, whole ? s->io.size : span.len };
	struct source_held *held;
	uint8_t *data;

	if (!span_inside(span, (struct span){ 0, s->io.size }))
		return false;
	if (source_peek(s, span, out))
		return true;
	held = next_held(s);
	data = held ? arena_alloc(s->arena, want.len, 1) : NULL;
	if (!data || !source_copy(s, want, data))
		return false;
	*held = (struct source_held){ want, data };
	s->n_held++;
	*out = cursor_init(data + (span.at - want.at), span.len, span.at);
	return true;
}

bool source_window_once(struct source *s, struct span span, struct cursor *out)
{
	uint8_t *data;

	if (!span_inside(span, (struct span){ 0, s->io.size }))
		return false;
	if (source_peek(s, span, out))
		return true;
	data = arena_alloc(s->arena, span.len, 1);
	if (!data || !source_copy(s, span, data))
		return false;
	*out = cursor_init(data, span.len, span.at);
	return true;
}

/* Reads a span of at most window_len bytes into the buffer of streams, which is allocated at the
 * first such read. NULL: that failed. */
static const uint8_t *read_streamed(struct source *s, struct span span)
{
	if (!s->stream_buffer)
		s->stream_buffer = arena_alloc(s->arena, s->window_len, 1);
	if (!s->stream_buffer || !source_read(s, span, s->stream_buffer))
		return NULL;
	return s->stream_buffer;
}

bool source_stream(struct source *s, struct span span, source_sink *sink, void *ctx)
{
	const uint8_t *bytes;
	uint64_t n;

	if (!span_inside(span, (struct span){ 0, s->io.size }))
		return false;
	for (uint64_t got = 0; got < span.len; got += n) {
		const uint64_t at = span.at + got;

		n = next_run(s, at, min_u64(span.len - got, s->window_len), &bytes);
		if (!bytes)
			bytes = read_streamed(s, (struct span){ at, n });
		if (!bytes || !sink(ctx, at, bytes, n))
			return false;
	}
	return true;
}

struct source *source_numbered(struct source *input, uint32_t number)
{
	struct source *s = input;

	while (s && s->number != number)
		s = s->next;
	return s;
}

void source_take_trouble(struct source *s, const struct source *copy)
{
	source_fail(s, copy->trouble, copy->trouble_at);
}

void source_finish(struct source *s)
{
	if (s->io.unchanged && !s->io.unchanged(s->io.ctx))
		source_fail(s, SOURCE_CHANGED, (struct span){ 0, s->io.size });
}

/* A long member as a source: its stream is decoded from the last noted point before what is asked
 * for. */
#include "formats/archive/zip/stream.h"

#include "codec/crc32.h"

/* How many points a stream has at most: one for so many bytes of output, or for a part of the
 * member. */
enum { POINTS_MAX = 128 };
#define POINT_SPACE ((uint64_t)1048576)
#define INPUT_LEN ((uint64_t)65536)

/* A point is where the stream can be taken up again. */
struct point {
	uint64_t out;    /* bytes of output before it */
	uint64_t in;     /* bytes of input before it, the one with the spare bits among them */
	unsigned spare;  /* bits of the last of these that belong to what follows */
	uint8_t last;    /* that byte */
	uint8_t *window; /* the output before it */
	uint64_t window_len;
};

struct zip_stream {
	struct decode *d, *user;
	const struct arc_member *m;
	struct inflater inflater;
	uint8_t *input;         /* INPUT_LEN bytes */
	uint64_t in_at, in_len; /* what of the member's bytes is in it; */
	uint64_t in;            /* how many of its bytes were taken */
	uint8_t last;           /* the last of them */
	uint8_t *ring;          /* the last INFLATE_WINDOW bytes of output */
	uint64_t out;           /* bytes of output so far */
	struct span chunk;      /* what of the output came last, and still is in the ring */
	bool has_ended, is_broken, has_failed;
	struct point points[POINTS_MAX];
	uint64_t n_points, spacing;
};

/* ---- Decoding on ----------------------------------------------------------------------------- */

static bool fail(struct zip_stream *s)
{
	s->has_failed = true;
	return false;
}

static bool fill_input(struct zip_stream *s)
{
	const uint64_t left = s->m->packed - s->in;
	const struct span span = { s->m->at + s->in, left < INPUT_LEN ? left : INPUT_LEN };

	if (s->in >= s->in_at && s->in - s->in_at < s->in_len)
		return true;
	if (span.len == 0)
		return true;
	if (!work_spend(&s->user->work, work_of_bytes(span.len)) ||
	    !source_copy(s->d->source, span, s->input))
		return fail(s);
	s->in_at = s->in;
	s->in_len = span.len;
	return true;
}

static void take(struct zip_stream *s, struct inflated r, struct held rest)
{
	if (r.n_used > 0)
		s->last = (uint8_t)held_u8(rest, r.n_used - 1);
	s->in += r.n_used;
	s->chunk = (struct span){ s->out, r.n_out };
	s->out += r.n_out;
	s->has_ended = r.result == INFLATE_DONE;
	s->is_broken = r.result == INFLATE_BROKEN ||
		       (r.result == INFLATE_GOES_ON && s->in == s->m->packed);
	s->has_failed = r.result == INFLATE_NO_MEMORY;
}

/* Decodes some more bytes, which may be none: s->chunk. false: the stream has ended, is broken, or
 * it failed. */
static bool decode_some(struct zip_stream *s, bool *at_block)
{
	const uint64_t place = s->out % INFLATE_WINDOW;
	struct held rest;
	struct inflated r;

	*at_block = false;
	if (s->has_ended || s->is_broken || s->has_failed || !fill_input(s))
		return false;
	rest = held_part((struct held){ s->input, s->in_len }, s->in - s->in_at,
			 s->in_len - (s->in - s->in_at));
	r = inflate_block(&s->inflater, rest.bytes, rest.len, s->ring + place,
			  INFLATE_WINDOW - place);
	if (!work_spend(&s->user->work, work_of_bytes(r.n_out)))
		return fail(s);
	take(s, r, rest);
	*at_block = r.result == INFLATE_BLOCK;
	return !s->has_failed;
}

/* ---- Points ---------------------------------------------------------------------------------- */

/* The window lies in the ring, the oldest byte where the next one goes. */
static void copy_window(const struct zip_stream *s, struct point *p)
{
	const uint64_t place = s->out % INFLATE_WINDOW;

	if (s->out < INFLATE_WINDOW) {
		memcpy(p->window, s->ring, (size_t)s->out);
		return;
	}
	memcpy(p->window, s->ring + place, (size_t)(INFLATE_WINDOW - place));
	memcpy(p->window + (INFLATE_WINDOW - place), s->ring, (size_t)place);
}

static bool note_point(struct zip_stream *s)
{
	const uint64_t last = s->n_points > 0 ? s->points[s->n_points - 1].out : 0;
	struct point p = { .out = s->out,
			   .in = s->in,
			   .spare = inflate_spare_bits(&s->inflater),
			   .last = s->last,
			   .window_len = s->out < INFLATE_WINDOW ? s->out : INFLATE_WINDOW };

	if (s->n_points == POINTS_MAX || s->out - last < s->spacing)
		return true;
	p.window = arena_alloc(s->inflater.arena, p.window_len, 1);
	if (!p.window)
		return fail(s);
	copy_window(s, &p);
	s->points[s->n_points++] = p;
	return true;
}

static bool restart(struct zip_stream *s, const struct point *p)
{
	s->in = p ? p->in : 0;
	s->out = p ? p->out : 0;
	s->chunk = (struct span){ s->out, 0 };
	s->has_ended = s->is_broken = false;
	if (!p)
		return inflate_begin(&s->inflater);
	if (p->window_len < INFLATE_WINDOW) {
		memcpy(s->ring, p->window, (size_t)p->window_len);
	} else {
		const uint64_t place = p->out % INFLATE_WINDOW;

		memcpy(s->ring + place, p->window, (size_t)(INFLATE_WINDOW - place));
		memcpy(s->ring, p->window + (INFLATE_WINDOW - place), (size_t)place);
	}
	return inflate_resume(&s->inflater, p->spare, p->last, p->window, p->window_len);
}

/* Goes to where `at` can be decoded from: on from here, or from the last point before it. */
static bool seek(struct zip_stream *s, uint64_t at)
{
	const struct point *best = NULL;

	if (at >= s->chunk.at && at - s->chunk.at < s->chunk.len)
		return true;
	for (uint64_t i = 0; i < s->n_points && s->points[i].out <= at; i++)
		best = &s->points[i];
	if (at >= s->out && (!best || best->out <= s->out))
		return true;
	return restart(s, best);
}

/* ---- As a source ----------------------------------------------------------------------------- */

/* Copies what the chunk has from `at` on. */
static uint64_t copy_chunk(const struct zip_stream *s, uint64_t at, uint8_t *out, uint64_t len)
{
	const uint64_t skipped = at - s->chunk.at, left = s->chunk.len - skipped,
		       n = left < len ? left : len;

	/* a chunk does not go round the ring */
	memcpy(out, s->ring + at % INFLATE_WINDOW, (size_t)n);
	return n;
}

static bool read_stream(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	struct zip_stream *s = ctx;
	bool at_block;

	*n_read = 0;
	if (at >= s->m->size)
		return true;
	if (len > s->m->size - at)
		len = (size_t)(s->m->size - at);
	if (!seek(s, at))
		return false;
	while (*n_read < len) {
		const uint64_t here = at + *n_read;

		if (here >= s->chunk.at && here - s->chunk.at < s->chunk.len)
			*n_read += (size_t)copy_chunk(s, here, (uint8_t *)buf + *n_read,
						      len - *n_read);
		else if (!decode_some(s, &at_block))
			return false;
	}
	return true;
}

/* Looks at all bytes once. */
static bool look_at_all(struct zip_stream *s, struct zip_pass *pass)
{
	bool at_block = false;

	if (!inflate_begin(&s->inflater))
		return fail(s);
	while (s->out <= s->m->size && decode_some(s, &at_block)) {
		pass->crc = crc32_add(pass->crc, s->ring + s->chunk.at % INFLATE_WINDOW,
				      s->chunk.len);
		if (at_block && !note_point(s))
			return false;
	}
	pass->n_out = s->out;
	if (s->is_broken)
		pass->traits |= ARC_BROKEN;
	else if (s->out > s->m->size)
		pass->traits |= ARC_TOO_LONG;
	else if (s->out < s->m->size)
		pass->traits |= ARC_TOO_SHORT;
	else if (s->m->has_crc && pass->crc != s->m->crc)
		pass->traits |= ARC_WRONG_SUM;
	if (s->has_ended && s->in < s->m->packed)
		pass->traits |= ARC_LEFT_OVER;
	return !s->has_failed;
}

bool zip_stream_open(struct decode *d, const struct arc_member *m, struct arena *arena,
		     struct decode *user, struct zip_pass *pass, struct source_io *out)
{
	struct zip_stream *s = arena_alloc(arena, 1, sizeof *s);

	*pass = (struct zip_pass){ .crc = 0 };
	if (!s)
		return false;
	*s = (struct zip_stream){ .d = d, .user = user, .m = m, .inflater = { .arena = arena } };
	s->spacing = m->size / POINTS_MAX > POINT_SPACE ? m->size / POINTS_MAX : POINT_SPACE;
	s->input = arena_alloc(arena, INPUT_LEN, 1);
	s->ring = arena_alloc(arena, INFLATE_WINDOW, 1);
	if (!s->input || !s->ring || !look_at_all(s, pass))
		return false;
	if (pass->traits & (ARC_BROKEN | ARC_TOO_LONG | ARC_TOO_SHORT))
		return false;
	*out = (struct source_io){ .read_at = read_stream, .ctx = s, .size = m->size };
	return restart(s, NULL);
}

/* Decoding a folder: as it is, or through liblzma or libarchive. Source:
 * conformance/spec/sevenzip.md, chapter 3. */
#include "formats/archive/sevenzip/unpack.h"

#include "codec/coder_work.h"
#include "formats/archive/sevenzip/library.h"

/* Bytes of output that are decoded at once, and of input that are read at once. */
enum { ROOM = 65536, PIECE = 65536 };

/* A dictionary is no longer than the output: no match reaches back before its first byte. liblzma's
 * least is this. */
#define DICTIONARY_MIN ((uint64_t)4096)

/* What decoding takes, in the arena. */
struct state {
	struct sevenzip_unpack *u;
	struct sevenzip_graph graph;
	struct sevenzip_plan plan;
	struct unchain *chain;
	bool has_ended; /* the stream has */
	bool stopped;   /* outcome says how it ended */
	enum sevenzip_outcome outcome;
	uint8_t room[ROOM], piece[PIECE];
};

static bool stop(struct state *s, enum sevenzip_outcome outcome)
{
	s->stopped = true;
	s->outcome = outcome;
	return false;
}

bool sevenzip_take_output(struct sevenzip_unpack *u, const uint8_t *bytes, uint64_t n)
{
	if (!decode_spend(u->d, u->group, work_of_coded(n, u->work_out)) ||
	    !u->sink(u->ctx, bytes, n))
		return false;
	u->n_out += n;
	return true;
}

/* Passes on what came out, but nothing beyond the folder's size. */
static bool pass(struct state *s, const uint8_t *bytes, uint64_t n)
{
	const uint64_t left = s->u->folder->size - s->u->n_out;

	if (!sevenzip_take_output(s->u, bytes, n < left ? n : left))
		return stop(s, OUTCOME_FAILED);
	return n <= left || stop(s, OUTCOME_LONG);
}

/* ---- As it is -------------------------------------------------------------------------------- */

static bool take_stored(struct state *s, const uint8_t *bytes, uint64_t n, bool is_last)
{
	(void)is_last;
	return pass(s, bytes, n);
}

/* ---- A chain --------------------------------------------------------------------------------- */

static bool take_result(struct state *s, enum unchain_result result)
{
	switch (result) {
	case UNCHAIN_BROKEN:
		return stop(s, OUTCOME_BROKEN);
	case UNCHAIN_NO_MEMORY:
		decode_stop(s->u->d, s->u->group, STOP_MEMORY, s->u->folder->packed);
		return stop(s, OUTCOME_FAILED);
	default:
		s->has_ended = result == UNCHAIN_DONE;
		return true;
	}
}

static bool take_packed(struct state *s, const uint8_t *bytes, uint64_t n, bool is_last)
{
	struct unchained r = { .result = UNCHAIN_FULL };
	struct held in = { bytes, n };

	if (s->has_ended) {
		s->u->is_left_over = true;
		return false;
	}
	while (r.result == UNCHAIN_FULL) {
		r = unchain_some(s->chain, in.bytes, in.len, is_last, s->room, ROOM);
		if (!pass(s, s->room, r.n_out) || !take_result(s, r.result))
			return false;
		in = held_part(in, r.n_used, in.len - r.n_used);
	}
	s->u->is_left_over = s->has_ended && in.len > 0;
	return !s->u->is_left_over;
}

static bool begin_chain(struct state *s)
{
	const uint64_t size = s->u->folder->size > DICTIONARY_MIN ? s->u->folder->size
								  : DICTIONARY_MIN;

	for (size_t i = 0; i < s->plan.n_links; i++)
		if (s->plan.links[i].dictionary > size)
			s->plan.links[i].dictionary = (uint32_t)size;
	s->chain = unchain_begin(s->u->d->arena, s->plan.links, s->plan.n_links);
	return s->chain || decode_stop(s->u->d, s->u->group, STOP_MEMORY, s->u->folder->packed);
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* The description was read before, and can be read again. */
static bool plan(struct state *s)
{
	const struct sevenzip_folder *f = s->u->folder;
	struct sevenzip *none = decode_alloc(s->u->d, s->u->group, 1, sizeof *none);
	struct sevenzip_reader r = { .d = s->u->d, .z = none, .group = s->u->group };
	bool is_read;

	if (!none)
		return false;
	none->defects = 0;
	r.c = cursor_init(f->form, f->form_len, f->form_at);
	is_read = sevenzip_read_graph(&r, &s->graph);
	if (NEVER(!is_read))
		return false;
	s->plan = sevenzip_plan_folder(&s->graph, s->u->streams->sizes + f->first_size);
	s->u->work_out = s->plan.work_out;
	return s->plan.work_in == 0 ||
	       decode_spend(s->u->d, s->u->group, work_of_coded(f->packed.len, s->plan.work_in));
}

/* What the stream is, once all its bytes were given. */
static enum sevenzip_outcome settle(const struct state *s, bool has_end)
{
	if (s->stopped)
		return s->outcome;
	if (!decode_has(s->u->d, s->u->group))
		return OUTCOME_FAILED;
	if (has_end && !s->has_ended)
		return OUTCOME_BROKEN;
	return s->u->n_out < s->u->folder->size ? OUTCOME_SHORT : OUTCOME_WHOLE;
}

/* A taker gets the packed bytes, piece by piece; if it returns false, the state says why. */
typedef bool taker(struct state *s, const uint8_t *bytes, uint64_t n, bool is_last);

/* The pieces lie in memory that is given back, so that no window of the source may be made here. */
static void give_pieces(struct state *s, taker *take)
{
	const struct span packed = s->u->folder->packed;

	for (uint64_t done = 0; done < packed.len;) {
		const uint64_t left = packed.len - done, n = left < PIECE ? left : PIECE;
		const struct span piece = { packed.at + done, n };

		if (!decode_copy(s->u->d, s->u->group, piece, s->piece) ||
		    !take(s, s->piece, n, n == left))
			return;
		done += n;
	}
}

static enum sevenzip_outcome decode(struct state *s)
{
	switch (s->plan.route) {
	case ROUTE_COPY:
		give_pieces(s, take_stored);
		return settle(s, false);
	case ROUTE_CHAIN:
		if (!begin_chain(s))
			return OUTCOME_FAILED;
		give_pieces(s, take_packed);
		return settle(s, true);
	case ROUTE_LIBRARY:
		return sevenzip_ask_library(s->u);
	default:
		return OUTCOME_LACKS;
	}
}

enum sevenzip_outcome sevenzip_unpack(struct sevenzip_unpack *u)
{
	const struct arena_mark mark = arena_mark(u->d->arena);
	struct state *s = decode_alloc(u->d, u->group, 1, sizeof *s);
	enum sevenzip_outcome outcome = OUTCOME_FAILED;

	if (s) {
		s->u = u;
		s->chain = NULL;
		s->has_ended = s->stopped = false;
		if (plan(s))
			outcome = decode(s);
	}
	arena_rewind(u->d->arena, mark);
	return outcome;
}

/* Decoding: noting stops, and the files beside the input. */
#include "formats/decode.h"

#include <string.h>

#include "core/mutant.h"
#include "core/checked.h"
#include "core/text.h"
#include "core/rows.h"

static struct lack *find_lack(struct decode *d, enum stop_why why, const char *what)
{
	for (size_t i = 0; i < d->n_lacks; i++)
		if (d->lacks[i].why == why && strcmp(d->lacks[i].what, what) == 0)
			return &d->lacks[i];
	return NULL;
}

static void note_lack(struct decode *d, const struct group *stop)
{
	const char *what = stop->codec ? stop->codec : stop->key ? stop->key : "";
	struct lack *l;

	if (stop->why != STOP_CODEC && stop->why != STOP_COMPANION && stop->why != STOP_KEY)
		return;
	l = find_lack(d, stop->why, what);
	if (!l && d->n_lacks < LACKS_MAX) {
		l = &d->lacks[d->n_lacks++];
		*l = (struct lack){ .why = stop->why, .what = what, .file = stop->file };
	}
	if (!l)
		l = &d->lacks[LACKS_MAX - 1];
	l->bytes = capped_add(l->bytes, stop->at.len);
}

static bool note(struct decode *d, uint32_t group, struct group stop)
{
	note_lack(d, &stop);
	if (d->groups[group].why == STOP_NOT)
		d->groups[group] = stop;
	return false;
}

/* A sort that failed does not say why: if the arena refused nothing, it was interrupted. */
static bool was_interrupted(struct decode *d)
{
	if (d->arena->refused || d->arena->over_budget)
		return false;
	if (d->work.interrupted == INTERRUPTED_NOT)
		d->work.interrupted = interrupt_look(d->work.interrupt);
	return d->work.interrupted != INTERRUPTED_NOT;
}

bool decode_stop(struct decode *d, uint32_t group, enum stop_why why, struct span at)
{
	if (why == STOP_MEMORY && was_interrupted(d))
		return decode_stop_limit(d, group, LIMIT_work, at);
	return note(d, group, (struct group){ .why = why, .at = at });
}

bool decode_stop_limit(struct decode *d, uint32_t group, enum limit limit, struct span at)
{
	return note(d, group, (struct group){ .why = STOP_LIMIT, .at = at, .limit = limit });
}

bool decode_stop_codec(struct decode *d, uint32_t group, const char *codec, struct span at)
{
	return note(d, group, (struct group){ .why = STOP_CODEC, .at = at, .codec = codec });
}

bool decode_stop_key(struct decode *d, uint32_t group, const char *words, struct span at)
{
	return note(d, group, (struct group){ .why = STOP_KEY, .at = at, .key = words });
}

bool decode_stop_in(struct decode *d, uint32_t group, enum stop_why why, const struct source *s,
		    struct span at)
{
	struct source *own = source_numbered(d->source, s->number);

	if (own && own != s)
		source_take_trouble(own, s);
	return note(d, group, (struct group){ .why = why, .at = at, .file = s->number });
}

bool decode_stop_needs(struct decode *d, uint32_t group, uint32_t on)
{
	return note(d, group, (struct group){ .why = STOP_NEEDS, .on = on });
}

void decode_stop_with(struct decode *d, uint32_t group, uint32_t on)
{
	const struct group *missing = &d->groups[on];

	if (NEVER(missing->why == STOP_NOT))
		return;
	if (missing->why == STOP_LEVEL || missing->why == STOP_UNVERIFIED ||
	    missing->why == STOP_GAME)
		decode_stop(d, group, missing->why, (struct span){ missing->at.at, 0 });
	else
		decode_stop_needs(d, group, on);
}

void decode_spread(struct decode *d, const struct format_group *groups, uint32_t n)
{
	uint64_t missing = 0; /* a bit for each group up to here */

	for (uint32_t g = 0; g < n; g++) {
		for (size_t i = 0; i < groups[g].n_needs && decode_has(d, g); i++)
			if (missing >> groups[g].needs[i] & 1)
				decode_stop_with(d, g, groups[g].needs[i]);
		missing |= (uint64_t)!decode_has(d, g) << g;
	}
}

/* ---- Companions ------------------------------------------------------------------------------ */

/* A name that leads out of the folder, or to a stream of a file, is not tried, so it stays
 * unknown whether there is such a file. */
static bool may_be_name(const char *name)
{
	if (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return false;
	return strpbrk(name, "/\\:") == NULL;
}

static void append_source(struct decode *d, struct source *s)
{
	struct source *last = d->last_source ? d->last_source : d->source;

	last->next = s;
	d->last_source = s;
}

static void open_companion(struct decode *d, struct companion *c)
{
	struct source_io io = { 0 };

	if (!d->siblings || !may_be_name(c->name))
		return;
	c->state = d->siblings->open(d->siblings->ctx, c->name, c->room, &io);
	if (c->state != COMPANION_OPEN)
		return;
	source_init(&c->source, io, c->name, d->arena, d->source->window_len);
	c->source.interrupt = d->work.interrupt;
	c->source.role = SOURCE_COMPANION;
	c->source.number = c->number;
	append_source(d, &c->source);
}

static struct companion *new_companion(struct decode *d, const char *name)
{
	size_t len = strlen(name) + 1;
	struct companion *c = arena_alloc(d->arena, 1, sizeof *c);
	char *copy = arena_alloc(d->arena, len, 1);

	if (!c || !copy)
		return NULL;
	memcpy(copy, name, len);
	*c = (struct companion){ .name = copy,
				 .state = COMPANION_NOT_ASKED,
				 .number = (uint32_t)++d->n_companions };
	c->source.number = c->number;
	return c;
}

struct companion *decode_new_companion(struct decode *d, const char *name)
{
	struct companion **end = d->last_companion ? &d->last_companion->next : &d->companions, *c;

	if (d->n_companions >= d->limits->of[LIMIT_companions] ||
	    NEVER(d->n_companions == UINT32_MAX))
		return NULL;
	c = new_companion(d, name);
	if (!c)
		return NULL;
	*end = c;
	d->last_companion = c;
	open_companion(d, c);
	return c;
}

struct companion *decode_companion(struct decode *d, const char *name)
{
	for (struct companion *c = d->companions; c; c = c->next)
		if (strcmp(c->name, name) == 0)
			return c;
	return decode_new_companion(d, name);
}

/* How many names are looked for in another spelling: each time a long folder may be listed. */
enum { SPELT_MAX = 16 };

struct companion *decode_companion_spelt(struct decode *d, struct companion *absent)
{
	char spelling[SPELLING_SIZE] = "";
	enum companion_state state;
	struct companion *c;

	if (!d->siblings->find || d->n_spelt == SPELT_MAX)
		return absent;
	d->n_spelt++;
	state = d->siblings->find(d->siblings->ctx, absent->name, spelling);
	spelling[SPELLING_SIZE - 1] = '\0';
	if (state != COMPANION_OPEN) {
		absent->state = state;
		return absent;
	}
	if (!text_differs_in_case(absent->name, spelling))
		return absent;
	c = decode_new_companion(d, spelling);
	return c && c->state == COMPANION_ABSENT ? absent : c;
}

bool decode_stop_companion(struct decode *d, uint32_t group, struct span at)
{
	if (d->n_companions >= d->limits->of[LIMIT_companions])
		return decode_stop_limit(d, group, LIMIT_companions, at);
	return decode_stop(d, group, STOP_MEMORY, at);
}

void decode_close(struct decode *d)
{
	for (struct companion *c = d->companions; c; c = c->next)
		if (c->state == COMPANION_OPEN)
			d->siblings->close(d->siblings->ctx, &c->source.io);
	d->companions = d->last_companion = NULL;
	d->last_source = NULL;
	d->source->next = NULL;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool stop_reading(struct decode *d, uint32_t group, struct span span)
{
	if (d->source->interrupted != INTERRUPTED_NOT) {
		d->work.interrupted = d->source->interrupted;
		return decode_stop_limit(d, group, LIMIT_work, span);
	}
	return decode_stop(d, group, d->source->trouble != SOURCE_FINE ? STOP_INPUT : STOP_MEMORY,
			   span);
}

/* A read can take any time, so the clock is looked at before each. */
static bool pay_for(struct decode *d, uint32_t group, uint64_t n)
{
	return decode_poll(d, group) && decode_spend(d, group, work_of_bytes(n));
}

bool decode_window(struct decode *d, uint32_t group, struct span span, struct cursor *out)
{
	if (!pay_for(d, group, span.len))
		return false;
	if (source_window(d->source, span, out))
		return true;
	return stop_reading(d, group, span);
}

bool decode_bytes(struct decode *d, uint32_t group, struct span span, struct held *out)
{
	struct cursor c;
	bool is_whole;

	if (!decode_window(d, group, span, &c))
		return false;
	is_whole = held_take(&c, span.len, out);
	return ALWAYS(is_whole);
}

bool decode_copy(struct decode *d, uint32_t group, struct span span, uint8_t *buf)
{
	if (!pay_for(d, group, span.len))
		return false;
	if (source_copy(d->source, span, buf))
		return true;
	return stop_reading(d, group, span);
}

/* A stream whose bytes are charged as work while it is read. */
struct paid_stream {
	struct decode *d;
	uint32_t group;
	source_sink *sink;
	void *ctx;
	bool stopped; /* by the sink, or because work ended */
};

static bool pay(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	struct paid_stream *s = ctx;

	s->stopped = !pay_for(s->d, s->group, n) || !s->sink(s->ctx, at, bytes, n);
	return !s->stopped;
}

bool decode_stream(struct decode *d, uint32_t group, struct span span, source_sink *sink, void *ctx)
{
	struct paid_stream s = { d, group, sink, ctx, false };

	if (source_stream(d->source, span, pay, &s))
		return true;
	return s.stopped ? false : stop_reading(d, group, span);
}

void *decode_lengthen(struct decode *d, uint32_t group, const void *rows, uint64_t n, uint64_t *max,
		      size_t size)
{
	const uint64_t more = *max + *max / 4 + 16;
	void *grown = decode_alloc(d, group, more, size);

	if (!grown)
		return NULL;
	if (n > 0)
		memcpy(grown, rows, (size_t)n * size);
	if (rows)
		arena_outgrow(d->arena, rows, *max * size);
	*max = more + MUTANT(11); /* mutant: a list is a row too short */
	return grown;
}

static uint64_t ratio_max(const struct decode *d, uint64_t packed_len)
{
	uint64_t most;

	if (!checked_mul(packed_len, d->limits->of[LIMIT_ratio], &most))
		return UINT64_MAX;
	return most > UNPACKED_FREE ? most : UNPACKED_FREE;
}

/* All compressed files in an input together may decompress to this many times what one of them
 * may. There is a limit because they may be the same bytes under many names. */
#define UNPACKED_TOGETHER 8u

static uint64_t together(uint64_t n)
{
	return n > UINT64_MAX / UNPACKED_TOGETHER ? UINT64_MAX : n * UNPACKED_TOGETHER;
}

static uint64_t left_to_unpack(const struct decode *d)
{
	const uint64_t most = d->limits->of[LIMIT_unpacked],
		       others = d->work.unpacked - d->unpacked, all = together(most);
	const uint64_t left = others < all ? all - others : 0;

	return left < most ? left : most;
}

uint64_t decode_unpack_max(const struct decode *d, uint64_t packed_len)
{
	const uint64_t by_ratio = ratio_max(d, packed_len), most = left_to_unpack(d);

	return by_ratio < most ? by_ratio : most;
}

bool decode_may_unpack(struct decode *d, uint32_t group, uint64_t n, struct span packed)
{
	if (n > decode_unpack_max(d, packed.len))
		return decode_stop_limit(
			d, group, n > left_to_unpack(d) ? LIMIT_unpacked : LIMIT_ratio, packed);
	if (n > d->unpacked) {
		d->work.unpacked += n - d->unpacked;
		d->unpacked = n;
	}
	return true;
}

/* A long stream may decompress to little, so the bytes that go in have a limit, too: however
 * small the input is, they may be this part of what may come out. */
#define TAKEN_SHARE 256u

bool decode_may_take(struct decode *d, uint32_t group, struct span packed)
{
	const uint64_t input_len = d->work.input_len > 0 ? d->work.input_len : d->source->io.size;
	const uint64_t by_input = together(input_len),
		       by_limit = together(d->limits->of[LIMIT_unpacked]) / TAKEN_SHARE;
	const uint64_t most = by_input > by_limit ? by_input : by_limit;

	if (packed.len > most - d->work.packed)
		return decode_stop_limit(d, group, LIMIT_unpacked, packed);
	d->work.packed += packed.len;
	return true;
}

bool decode_spend(struct decode *d, uint32_t group, uint64_t n)
{
	if (work_spend(&d->work, n))
		return true;
	return decode_stop_limit(d, group, LIMIT_work, (struct span){ 0, 0 });
}

bool decode_poll(struct decode *d, uint32_t group)
{
	d->work.look_at = d->work.done;
	return decode_spend(d, group, 0);
}

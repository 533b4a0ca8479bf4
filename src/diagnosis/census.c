/* The census: one pass over the bytes. */
#include "diagnosis/census.h"

#include <string.h>

/* The host is asked whether to go on after every POLL pieces. */
enum { PIECE = 4096, POLL = 64 };

/* What is carried from one byte to the next. */
struct pass {
	struct census *out;
	struct probe *probes;
	size_t n_probes;
	uint64_t at;        /* of the next byte */
	uint64_t zeros;     /* the run that ends before it */
	uint8_t before[2];  /* the last byte, and the one before it */
	uint32_t last_four; /* as a number, the last byte highest */
	uint32_t mark;
	bool after_lf;     /* the last byte is a LF, and what stands before it is not of a text */
	unsigned n_follow; /* continuation bytes of UTF-8 that are still due */
	uint32_t scalar, scalar_min;
};

static bool is_of_text(uint8_t b)
{
	return (b >= 0x20 && b < 0x7F) || b == '\t' || b == '\r' || b == '\n';
}

static void take_line_end(struct pass *p, uint8_t b)
{
	struct census *c = p->out;
	const uint8_t last = p->before[0];

	c->n_binary_lf += p->after_lf && !is_of_text(b);
	p->after_lf = false;
	c->n_cr += b == '\r';
	if (b != '\n' || p->at == 0)
		return;
	c->n_lf++;
	c->n_pairs += last == '\r';
	p->after_lf = !is_of_text(last == '\r' ? p->before[1] : last);
}

static void begin_sequence(struct pass *p, uint8_t b)
{
	static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };

	if (b < 0x80)
		return;
	p->n_follow = b >= 0xF0 && b < 0xF5 ? 3 : b >= 0xE0 && b < 0xF0 ? 2 : b >= 0xC2 ? 1 : 0;
	if (b < 0xC2 || b >= 0xF5)
		p->out->is_utf8 = false;
	p->scalar = b & (0x3Fu >> p->n_follow);
	p->scalar_min = least[p->n_follow];
}

static void take_utf8(struct pass *p, uint8_t b)
{
	struct census *c = p->out;

	if (!c->is_utf8)
		return;
	if (p->n_follow == 0) {
		begin_sequence(p, b);
		return;
	}
	if ((b & 0xC0) != 0x80 || (p->scalar = p->scalar << 6 | (b & 0x3Fu)) > 0x10FFFF) {
		c->is_utf8 = false;
		return;
	}
	if (--p->n_follow > 0)
		return;
	c->is_utf8 = p->scalar >= p->scalar_min && (p->scalar < 0xD800 || p->scalar > 0xDFFF);
	c->n_sequences++;
	c->n_replaced += p->scalar == 0xFFFD;
}

/* A run of zeros touches a probe where it overlaps its place or ends right before it. */
static void end_run(struct pass *p)
{
	const struct span run = { p->at - p->zeros, p->zeros };

	if (run.at == 0)
		p->out->head_zeros = run.len;
	if (run.len > p->out->most_zeros.len)
		p->out->most_zeros = run;
	for (size_t i = 0; run.len >= CENSUS_RUN_MIN && i < p->n_probes; i++) {
		struct probe *probe = &p->probes[i];

		if (run.at <= span_end(probe->place) && probe->place.at <= span_end(run) &&
		    run.len > probe->zeros.len)
			probe->zeros = run;
	}
}

/* Most bytes of most files are none that anything depends on. */
static bool is_plain(const struct pass *p, uint8_t b)
{
	return b != 0 && p->zeros == 0 && b != '\n' && b != '\r' && !p->after_lf &&
	       !p->out->is_utf8 && p->mark == 0;
}

static void take_byte(struct pass *p, uint8_t b)
{
	p->out->n_controls += !is_of_text(b) && b < 0x80;
	if (is_plain(p, b)) {
		p->before[1] = p->before[0];
		p->before[0] = b;
		p->at++;
		return;
	}
	if (b == 0) {
		p->out->n_odd_zeros += p->at % 2;
		p->zeros++;
	} else if (p->zeros > 0) {
		end_run(p);
		p->zeros = 0;
	}
	take_line_end(p, b);
	take_utf8(p, b);
	p->last_four = p->last_four >> 8 | (uint32_t)b << 24;
	if (p->mark != 0 && p->last_four == p->mark && p->at >= 3)
		p->out->mark_at = p->at - 3;
	p->before[1] = p->before[0];
	p->before[0] = b;
	p->at++;
}

bool census_take(struct source *s, uint32_t mark, struct probe *probes, size_t n,
		 struct census *out)
{
	const uint64_t end = s->io.size < CENSUS_MAX ? s->io.size : CENSUS_MAX;
	struct pass p = { .out = out, .probes = probes, .n_probes = n, .mark = mark };
	uint8_t piece[PIECE];
	unsigned n_pieces = 0;

	*out = (struct census){ .n = end, .is_utf8 = true, .mark_at = UINT64_MAX };
	for (uint64_t at = 0, len; at < end; at += len) {
		len = end - at < PIECE ? end - at : PIECE;
		if (n_pieces++ % POLL == 0)
			s->interrupted = interrupt_look(s->interrupt);
		if (s->interrupted != INTERRUPTED_NOT)
			return false;
		if (!source_copy(s, (struct span){ at, len }, piece))
			return false;
		for (uint64_t i = 0; i < len; i++)
			take_byte(&p, piece[i]);
	}
	if (p.zeros > 0)
		end_run(&p);
	out->tail_zeros = end == s->io.size ? p.zeros : 0;
	out->is_utf8 = out->is_utf8 && (p.n_follow == 0 || end < s->io.size);
	return true;
}

/* The census: one pass over the bytes. */
#include "diagnosis/census.h"

#include <string.h>

/* The host is asked whether to go on after every POLL pieces. Of the bytes before a piece LEAD are
 * kept in front of it. */
enum { PIECE = 1984, POLL = 128, LEAD = 3 };

/* What is carried from one piece to the next. */
struct pass {
	struct census *out;
	struct probe *probes;
	size_t n_probes;
	uint64_t at;    /* of the piece */
	uint64_t zeros; /* the run that ends before it */
	uint32_t mark;
	bool after_lf;     /* it begins right after a LF that nothing of a text stands before */
	unsigned n_follow; /* continuation bytes of UTF-8 that are still due */
	uint32_t scalar, scalar_min;
};

static bool is_of_text(uint8_t b)
{
	return (b >= 0x20 && b < 0x7F) || b == '\t' || b == '\r' || b == '\n';
}

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

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

static void continue_sequence(struct pass *p, uint8_t b)
{
	struct census *c = p->out;

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

/* A binary file is no UTF-8 after its first few bytes. */
static void take_utf8(struct pass *p, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n && p->out->is_utf8; i++)
		if (p->n_follow == 0)
			begin_sequence(p, bytes[i]);
		else
			continue_sequence(p, bytes[i]);
}

/* ---- Zeros ----------------------------------------------------------------------------------- */

/* Beside a hole a few bytes are zeros by themselves. */
enum { BESIDE_MAX = 16 };

static bool is_of_sectors(struct span run)
{
	const uint64_t before = (CENSUS_SECTOR - run.at % CENSUS_SECTOR) % CENSUS_SECTOR;
	const uint64_t after = span_end(run) % CENSUS_SECTOR;

	return before < BESIDE_MAX && after < BESIDE_MAX &&
	       run.len >= before + after + CENSUS_SECTOR;
}

static uint64_t shared_len(struct span a, struct span b)
{
	const uint64_t at = a.at > b.at ? a.at : b.at;
	const uint64_t end = span_end(a) < span_end(b) ? span_end(a) : span_end(b);

	return end > at ? end - at : 0;
}

static bool is_near(struct span run, struct span place)
{
	return run.len >= CENSUS_RUN_MIN && run.at <= span_end(place) && place.at <= span_end(run);
}

static bool is_hole_at(const struct probe *probe, struct span run, bool is_tail)
{
	const uint64_t shared = shared_len(run, probe->place);
	const bool is_all = shared == probe->place.len;

	if (probe->of == PROBE_NEAR)
		return is_near(run, probe->place);
	if (run.len < CENSUS_PART_MIN || shared == 0 || (shared < CENSUS_PART_MIN && !is_all))
		return false;
	return probe->of == PROBE_STREAM || (is_all && probe->is_data) || is_of_sectors(run) ||
	       (is_tail && run.len >= CENSUS_RUN_MIN) || run.len >= CENSUS_RUN_RARE;
}

static void take_run(struct pass *p, struct span run, bool is_tail)
{
	struct census *c = p->out;

	if (run.at == 0)
		c->head_zeros = run.len;
	if (run.len > c->most_zeros.len)
		c->most_zeros = run;
	if (run.len < CENSUS_PART_MIN)
		return;
	if (run.len > c->sector_zeros.len && is_of_sectors(run))
		c->sector_zeros = run;
	for (size_t i = 0; i < p->n_probes; i++)
		if (run.len > p->probes[i].zeros.len && is_hole_at(&p->probes[i], run, is_tail))
			p->probes[i].zeros = run;
}

static void end_run(struct pass *p, uint64_t end)
{
	const struct span run = { end - p->zeros, p->zeros };

	p->zeros = 0;
	take_run(p, run, false);
}

/* Takes the zeros from bytes[i] on, and returns the index after them. A run goes on in the next
 * piece. */
static size_t take_zeros(struct pass *p, const uint8_t *bytes, size_t i, size_t n)
{
	size_t end = i;

	while (end < n && bytes[end] == 0)
		end++;
	p->out->n_odd_zeros += (p->at % 2 + end) / 2 - (p->at % 2 + i) / 2;
	p->zeros += end - i;
	if (end < n)
		end_run(p, p->at + end);
	return end;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* bytes[i] is a LF that is not the first byte of the file. Up to LEAD bytes stand before
 * bytes[0]. */
static void take_line_end(struct pass *p, const uint8_t *bytes, size_t i, size_t n)
{
	struct census *c = p->out;
	const uint8_t *lf = bytes + i;
	const bool is_pair = lf[-1] == '\r';
	const bool is_binary = !is_of_text(is_pair ? lf[-2] : lf[-1]);

	c->n_lf++;
	c->n_pairs += is_pair;
	if (i + 1 < n)
		c->n_binary_lf += is_binary && !is_of_text(bytes[i + 1]);
	else
		p->after_lf = is_binary;
}

/* Controls and what needs a closer look are found by a table, a byte at a time. */
enum { PLAIN_BYTE, CONTROL, CARRIAGE_RETURN, LINE_FEED, ZERO };

static unsigned kind_of(uint8_t b)
{
	return b == 0      ? ZERO
	       : b == '\n' ? LINE_FEED
	       : b == '\r' ? CARRIAGE_RETURN
	       : b < 0x80  ? (is_of_text(b) ? PLAIN_BYTE : CONTROL)
			   : PLAIN_BYTE;
}

static void fill_kinds(uint8_t kinds[256])
{
	for (unsigned b = 0; b < 256; b++)
		kinds[b] = (uint8_t)kind_of((uint8_t)b);
}

static void take_lines(struct pass *p, const uint8_t kinds[256], const uint8_t *bytes, size_t n)
{
	struct census *c = p->out;
	size_t i = 0;

	if (p->after_lf)
		c->n_binary_lf += !is_of_text(bytes[0]);
	p->after_lf = false;
	if (p->zeros > 0 && bytes[0] != 0)
		end_run(p, p->at);
	while (i < n) {
		const unsigned kind = kinds[bytes[i]];

		if (kind == ZERO) {
			const size_t end = take_zeros(p, bytes, i, n);

			c->n_controls += end - i;
			i = end;
			continue;
		}
		c->n_controls += kind == CONTROL;
		c->n_cr += kind == CARRIAGE_RETURN;
		if (kind == LINE_FEED && p->at + i > 0)
			take_line_end(p, bytes, i, n);
		i++;
	}
}

/* ---- The mark -------------------------------------------------------------------------------- */

/* It may begin in the bytes before the piece. */
static void take_mark(struct pass *p, const uint8_t *bytes, size_t n)
{
	const uint8_t mark[4] = { (uint8_t)p->mark, (uint8_t)(p->mark >> 8),
				  (uint8_t)(p->mark >> 16), (uint8_t)(p->mark >> 24) };
	const size_t before = p->at < LEAD ? (size_t)p->at : LEAD;

	if (p->mark == 0)
		return;
	for (size_t end = n + before; end >= sizeof mark; end--) {
		const uint8_t *at = bytes - before + (end - sizeof mark);

		if (*at != mark[0] || memcmp(at, mark, sizeof mark) != 0)
			continue;
		p->out->mark_at = p->at - before + (end - sizeof mark);
		return;
	}
}

/* ---- The whole ------------------------------------------------------------------------------- */

static bool read_piece(struct source *s, struct pass *p, uint8_t *bytes, uint64_t n)
{
	if (p->at / PIECE % POLL == 0)
		s->interrupted = interrupt_look(s->interrupt);
	return s->interrupted == INTERRUPTED_NOT &&
	       source_copy(s, (struct span){ p->at, n }, bytes);
}

bool census_take(struct source *s, uint32_t mark, struct probe *probes, size_t n,
		 struct census *out)
{
	const uint64_t end = s->io.size < CENSUS_MAX ? s->io.size : CENSUS_MAX;
	struct pass p = { .out = out, .probes = probes, .n_probes = n, .mark = mark };
	uint8_t piece[LEAD + PIECE] = { 0 }, kinds[256];
	uint8_t *const bytes = piece + LEAD;

	*out = (struct census){ .n = end, .is_utf8 = true, .mark_at = UINT64_MAX };
	fill_kinds(kinds);
	for (uint64_t len; p.at < end; p.at += len) {
		len = end - p.at < PIECE ? end - p.at : PIECE;
		if (!read_piece(s, &p, bytes, len))
			return false;
		take_utf8(&p, bytes, (size_t)len);
		take_lines(&p, kinds, bytes, (size_t)len);
		take_mark(&p, bytes, (size_t)len);
		memmove(piece, piece + len, LEAD);
	}
	out->tail_zeros = end == s->io.size ? p.zeros : 0;
	if (p.zeros > 0)
		take_run(&p, (struct span){ end - p.zeros, p.zeros }, out->tail_zeros > 0);
	out->is_utf8 = out->is_utf8 && (p.n_follow == 0 || end < s->io.size);
	return true;
}

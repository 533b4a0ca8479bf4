/* The census: one pass over the bytes. */
#include "diagnosis/census.h"

#include <string.h>

/* The host is asked whether to go on after every POLL pieces. Of the bytes before a piece LEAD are
 * kept in front of it. A line of text has TEXT_MIN bytes or more. */
enum { PIECE = 448, POLL = 512, TEXT_MIN = 16, LEAD = TEXT_MIN + 2 };

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
	uint32_t counts[0x80]; /* of each byte below 0x80 */
	uint32_t n_ff;         /* of 0xFF */
	/* of each of 0x0C, CR and 0x0E how often 0x09, LF and 0x0B follow */
	uint32_t follow[3][3];
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
_Static_assert(CENSUS_PART_MIN >= 2 * BESIDE_MAX, "a run around one border of sectors is shorter");

/* Of a run of CENSUS_PART_MIN bytes or more: one that begins before one border and ends behind
 * another. */
static bool is_of_sectors(struct span run)
{
	const uint64_t before = (CENSUS_SECTOR - run.at % CENSUS_SECTOR) % CENSUS_SECTOR;
	const uint64_t after = span_end(run) % CENSUS_SECTOR;

	return before < BESIDE_MAX && after < BESIDE_MAX;
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
	if (shared == 0 || (shared < CENSUS_PART_MIN && !is_all))
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
	p->out->n_odd_zeros += (uint32_t)((p->at % 2 + end) / 2 - (p->at % 2 + i) / 2);
	p->zeros += end - i;
	if (end < n)
		end_run(p, p->at + end);
	return end;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* A line of markup, as of a page in place of data, was never in a mod. */
static bool is_line(const uint8_t *end)
{
	if (end[-1] == '>')
		return false;
	for (size_t i = 1; i <= TEXT_MIN; i++)
		if (!is_of_text(*(end - i)))
			return false;
	return true;
}

/* bytes[i] is a LF that is not the first byte of the file. LEAD bytes stand before bytes[0], zeros
 * where the file has none. */
static void take_line_end(struct pass *p, const uint8_t *bytes, size_t i, size_t n)
{
	struct census *c = p->out;
	const uint8_t *const lf = bytes + i;
	const size_t n_cr = lf[-1] != '\r' ? 0 : lf[-2] != '\r' ? 1 : 2;
	const bool is_binary = !is_of_text(*(lf - n_cr - 1));

	c->n_lf++;
	c->n_pairs += n_cr > 0;
	c->n_twice += n_cr > 1;
	c->n_lines += is_line(lf - n_cr);
	if (i + 1 < n)
		c->n_binary_lf += is_binary && !is_of_text(bytes[i + 1]);
	else
		p->after_lf = is_binary;
}

static void take_follower(struct pass *p, const uint8_t *at)
{
	if (at[-1] >= 0x0C && at[-1] <= 0x0E)
		p->follow[at[-1] - 0x0C][at[0] - 0x09]++;
}

/* What needs a closer look is found by a table, a byte at a time. */
enum { PLAIN_BYTE, FOLLOWER, LINE_FEED, ZERO };

static const uint8_t kinds[256] = {
	[0] = ZERO, [0x09] = FOLLOWER, ['\n'] = LINE_FEED, [0x0B] = FOLLOWER
};

static void count(struct pass *p, uint8_t b)
{
	if (b < 0x80) {
		p->counts[b]++;
		return;
	}
	p->out->n_high++;
	p->n_ff += b == 0xFF;
}

static void take_lines(struct pass *p, const uint8_t *bytes, size_t n)
{
	size_t i = 0;

	if (p->after_lf)
		p->out->n_binary_lf += !is_of_text(bytes[0]);
	p->after_lf = false;
	if (p->zeros > 0 && bytes[0] != 0)
		end_run(p, p->at);
	while (i < n) {
		const unsigned kind = kinds[bytes[i]];

		if (kind == ZERO) {
			const size_t end = take_zeros(p, bytes, i, n);

			p->counts[0] += (uint32_t)(end - i);
			i = end;
			continue;
		}
		count(p, bytes[i]);
		if (kind != PLAIN_BYTE)
			take_follower(p, bytes + i);
		if (kind == LINE_FEED && p->at + i > 0)
			take_line_end(p, bytes, i, n);
		i++;
	}
}

/* ---- What is due ----------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static struct due due_of(const uint32_t *counts, const uint8_t near[4])
{
	struct due due = { counts[near[0]], counts[near[0]] };

	for (size_t i = 1; i < 4; i++) {
		const uint32_t n = counts[near[i]];

		due.least = n < due.least ? n : due.least;
		due.most = n > due.most ? n : due.most;
	}
	return due;
}

/* As many pairs are due as of both bytes with the neighbours of the other, if these are so
 * frequent with one another. */
static uint64_t pairs_due(const struct pass *p)
{
	const uint64_t with_cr = (uint64_t)p->follow[1][0] + p->follow[1][2];
	const uint64_t with_lf = (uint64_t)p->follow[0][1] + p->follow[2][1];
	const uint64_t others = (uint64_t)p->follow[0][0] + p->follow[0][2] + p->follow[2][0] +
				p->follow[2][2];

	return others == 0 ? 0 : least(with_cr * with_lf / others, least(with_cr / 2, with_lf / 2));
}

static void sum_up(const struct pass *p)
{
	const uint32_t *const counts = p->counts;
	struct census *c = p->out;

	for (unsigned b = 0; b < 0x80; b++)
		if (!is_of_text((uint8_t)b)) {
			c->n_controls += counts[b];
			c->n_control_kinds += b > 0 && counts[b] > 0;
		}
	c->n_zeros = counts[0];
	c->n_cr = counts['\r'];
	c->n_questions = counts['?'];
	c->n_by_questions = counts['?' - 1] + counts['?' + 1];
	c->cr_due = due_of(counts, (const uint8_t[4]){ 0x0B, 0x0C, 0x0E, 0x0F });
	c->lf_due = due_of(counts, (const uint8_t[4]){ 0x08, 0x0B, 0x0C, 0x0E });
	c->zeros_due = (uint32_t)least(least(counts[0x01], counts[0x02]),
				       least(counts[0x03], p->n_ff));
	c->pairs_due = (uint32_t)pairs_due(p);
}

/* ---- The mark -------------------------------------------------------------------------------- */

/* It may begin in the bytes before the piece. */
static void take_mark(struct pass *p, const uint8_t *bytes, size_t n)
{
	const uint8_t mark[4] = { (uint8_t)p->mark, (uint8_t)(p->mark >> 8),
				  (uint8_t)(p->mark >> 16), (uint8_t)(p->mark >> 24) };
	const size_t before = p->at < sizeof mark - 1 ? (size_t)p->at : sizeof mark - 1;

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
	uint8_t piece[LEAD + PIECE] = { 0 };
	uint8_t *const bytes = piece + LEAD;

	*out = (struct census){ .n = end, .is_utf8 = true, .mark_at = UINT64_MAX };
	for (uint64_t len; p.at < end; p.at += len) {
		len = end - p.at < PIECE ? end - p.at : PIECE;
		if (!read_piece(s, &p, bytes, len))
			return false;
		take_utf8(&p, bytes, (size_t)len);
		take_lines(&p, bytes, (size_t)len);
		take_mark(&p, bytes, (size_t)len);
		memmove(piece, piece + len, LEAD);
	}
	out->tail_zeros = end == s->io.size ? p.zeros : 0;
	if (p.zeros > 0)
		take_run(&p, (struct span){ end - p.zeros, p.zeros }, out->tail_zeros > 0);
	sum_up(&p);
	return true;
}

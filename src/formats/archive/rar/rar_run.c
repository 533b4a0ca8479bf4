/* Compressed members, decoded by libarchive: each by itself, or with those that it needs in a solid
 * archive of rar 5. Source: conformance/spec/rar.md, 4.7. */
#include "codec/coder_work.h"
#include "formats/archive/rar/rar_payload.h"

/* ---- What libarchive is given ---------------------------------------------------------------- */

/* The rows first <= i < end are decoded in one go: the members that need each other, and folders
 * and links between them, which have no bytes. */
struct run {
	uint64_t first, end;
};

static bool goes_with_others(const struct rar *r, uint64_t row)
{
	return r->version == RAR_5 &&
	       (r->entries[row].traits & RAR_IS_SOLID || !rar_has_bytes(r, row));
}

/* The run of a row that has bytes; the last of its rows has some, too. */
static struct run run_of(const struct rar *r, uint64_t row)
{
	struct run x = { row, row + 1 };

	while (x.first > 0 && goes_with_others(r, x.first))
		x.first--;
	while (x.end < r->members->n && goes_with_others(r, x.end))
		x.end++;
	while (x.end > row + 1 && !rar_has_bytes(r, x.end - 1))
		x.end--;
	return x;
}

/* The signature and a header of an archive of our own, because libarchive does not read all that
 * are sound; the blocks of members with bytes; and zeros, because it looks ahead. */
struct pieces {
	struct decode *d;
	const struct rar *r;
	struct run run;
	struct held head;
	uint64_t row, row_at; /* where the block of a row begins for libarchive */
	uint64_t end;         /* where the last block ends for it, and zeros begin */
};

enum { LOOK_AHEAD = 64 };

static const uint8_t rar4_head[] = { 'R', 'a', 'r', '!', 0x1A, 7, 0, 0xCF, 0x90, 0x73,
				     0,   0,   13,  0,   0,    0, 0, 0,    0,    0 };
static const uint8_t rar5_head[] = { 'R',  'a',  'r',  '!',  0x1A, 7, 1, 0,
				     0xC5, 0x1A, 0x33, 0x32, 3,    1, 0, 0 };
static const uint8_t rar5_solid_head[] = { 'R',  'a',  'r',  '!',  0x1A, 7, 1, 0,
					   0xDC, 0xDE, 0x5E, 0x35, 3,    1, 0, 4 };

/* The block of a row with its data: empty if it has none. */
static struct span piece_of(const struct pieces *p, uint64_t row)
{
	const struct rar_block *b = &p->r->blocks[p->r->entries[row].block];

	return (struct span){ b->at, rar_has_bytes(p->r, row) ? b->head_len + b->data_len : 0 };
}

/* The bytes of the file that begin at `at` for libarchive. */
static struct span find_piece(struct pieces *p, uint64_t at)
{
	struct span s;

	if (at < p->row_at) {
		p->row = p->run.first;
		p->row_at = p->head.len;
	}
	for (s = piece_of(p, p->row); at >= p->row_at + s.len; s = piece_of(p, p->row)) {
		p->row_at += s.len;
		p->row++;
	}
	return (struct span){ s.at + (at - p->row_at), s.len - (at - p->row_at) };
}

/* Puts up to len bytes into buf, and returns how many; 0: the input failed. */
static uint64_t read_some(struct pieces *p, uint64_t at, uint8_t *buf, uint64_t len)
{
	struct span s = { 0, UINT64_MAX };
	uint64_t n;

	if (at < p->head.len)
		s.len = p->head.len - at;
	else if (at < p->end)
		s = find_piece(p, at);
	n = s.len < len ? s.len : len;
	if (at < p->head.len)
		memcpy(buf, held_part(p->head, at, n).bytes, (size_t)n);
	else if (at >= p->end)
		memset(buf, 0, (size_t)n);
	else if (!decode_copy(p->d, RAR_PAYLOAD, (struct span){ s.at, n }, buf))
		return 0;
	return n;
}

static bool read_piece(void *ctx, uint64_t at, uint8_t *buf, size_t len)
{
	for (uint64_t done = 0, n; done < len; done += n) {
		n = read_some(ctx, at + done, buf + done, len - done);
		if (n == 0)
			return false;
	}
	return true;
}

static struct pieces pieces_of(const struct rar *r, struct decode *d, struct run x)
{
	struct pieces p = { .d = d, .r = r, .run = x, .row = x.first };

	if (r->version == RAR_4)
		p.head = (struct held){ rar4_head, sizeof rar4_head };
	else if (x.end - x.first == 1)
		p.head = (struct held){ rar5_head, sizeof rar5_head };
	else
		p.head = (struct held){ rar5_solid_head, sizeof rar5_solid_head };
	p.row_at = p.end = p.head.len;
	for (uint64_t i = x.first; i < x.end; i++)
		p.end += piece_of(&p, i).len;
	return p;
}

/* What libarchive allocates: its tables and filters, and the dictionary; for the PPMd of rar 4 what
 * the first two bytes of the stream say. */
#define RAR4_TABLES ((uint64_t)6 << 20)
#define RAR5_TABLES ((uint64_t)3 << 20)
#define RAR5_DICTIONARY ((uint64_t)131072)

static uint64_t memory_of_rar5(const struct rar *r, struct run x)
{
	unsigned most = 0;

	for (; x.first < x.end; x.first++) {
		const struct rar_member *e = &r->entries[x.first];

		if (e->dictionary > most && !(e->traits & RAR_DICTIONARY_LARGE))
			most = e->dictionary;
	}
	return RAR5_TABLES + (RAR5_DICTIONARY << most);
}

/* *work_out: what a byte that comes out costs, in units of work. */
static bool memory_needed(const struct rar *r, struct decode *d, struct run x, uint64_t *out,
			  unsigned *work_out)
{
	const struct arc_member *m = &r->members->rows[x.first];
	uint8_t bytes[2];
	const struct held first = { bytes, sizeof bytes };

	*out = r->version == RAR_5 ? memory_of_rar5(r, x) : RAR4_TABLES;
	if (r->version == RAR_5 || m->packed < sizeof bytes)
		return true;
	if (!decode_copy(d, RAR_PAYLOAD, (struct span){ m->at, sizeof bytes }, bytes))
		return false;
	if (held_u8(first, 0) & 0x80) {
		*out += (held_u8(first, 1) + 1) << 20;
		*work_out = PPMD_WORK_OUT;
	}
	return true;
}

/* ---- One pass -------------------------------------------------------------------------------- */

/* A pass through a run. */
struct pass {
	const struct rar *r;
	struct decode *d;
	struct arena *arena; /* for libarchive */
	struct unarchive *u;
	uint64_t row; /* whose bytes go to out; UINT64_MAX: none's */
	uint8_t *out;
	unsigned work_out; /* units of work for a byte that comes out; 0: as one that is read */
	bool keeps;        /* those worth a look, as far as there is room */
	bool is_broken;    /* memory or work ended, or the input failed, which is noted */
};

/* How much of LIMIT_memory may be kept. */
enum { KEPT_SHARE = 4 };

/* A member that its name promises is opened before the others are read, and one whose bytes
 * promise it after that. */
static bool will_be_asked(const struct rar *r, uint64_t row)
{
	const struct arc_member *m = &r->members->rows[row];

	if (rar_is_promised(r, row))
		return m->payload == 0;
	return r->entries[row].traits & RAR_SEEN && m->kind == ARC_FILE &&
	       !(r->work->kept && r->work->kept[row]);
}

/* Room for a member that will be asked for later; NULL: none. */
static uint8_t *room_for(const struct pass *p, uint64_t row)
{
	const struct arc_member *m = &p->r->members->rows[row];
	struct rar_work *work = p->r->work;
	const uint64_t most = p->d->limits->of[LIMIT_memory] / KEPT_SHARE;
	uint8_t *room;

	if (row == p->row)
		return p->out;
	if (!p->keeps || row < p->row || !will_be_asked(p->r, row) ||
	    m->size > most - work->kept_len)
		return NULL;
	if (!work->kept) {
		work->kept = arena_alloc(p->d->arena, p->r->members->n, sizeof *work->kept);
		if (!work->kept)
			return NULL;
		memset(work->kept, 0, (size_t)p->r->members->n * sizeof *work->kept);
	}
	room = arena_alloc(p->d->arena, m->size, 1);
	work->kept_len += room ? m->size : 0;
	return room;
}

/* Reads all of the member that libarchive has come to. */
static enum unarchive_result read_all(struct pass *p, struct rar_sink *s)
{
	const uint8_t *bytes;
	uint64_t n, zeros;

	for (;;) {
		const enum unarchive_result result = unarchive_read(p->u, &bytes, &n, &zeros);

		if (result != UNARCHIVE_FINE)
			return result;
		if (zeros > 0)
			return UNARCHIVE_BROKEN; /* rar has no holes */
		if (!decode_spend(p->d, RAR_PAYLOAD, work_of_coded(n, p->work_out)))
			return UNARCHIVE_STOPPED;
		if (!rar_sink_take(s, bytes, n))
			return UNARCHIVE_END;
	}
}

/* Each member counts as a compressed file. */
static bool may_unpack(const struct pass *p, const struct arc_member *m)
{
	p->d->unpacked = 0;
	return decode_may_unpack(p->d, RAR_CONTENT, m->size, rar_packed(m));
}

/* Goes to the next member and reads it, if anybody wants it. It is not what our walk found if its
 * size is another. */
static enum unarchive_result take_member(struct pass *p, uint64_t row, struct rar_sink *s)
{
	const struct arc_member *m = &p->r->members->rows[row];
	struct unarchive_member listed = { .size = 0 };
	const enum unarchive_result result = unarchive_next(p->u, &listed);

	if (result != UNARCHIVE_FINE)
		return result == UNARCHIVE_END ? UNARCHIVE_UNSUPPORTED : result;
	if (listed.size != m->size || listed.is_encrypted)
		return UNARCHIVE_UNSUPPORTED;
	s->out = room_for(p, row);
	if (!s->out && m->payload & ARC_IS_READ)
		return UNARCHIVE_FINE;
	return read_all(p, s);
}

/* Notes that a member is in a form that is not decoded. */
static void note_unsupported(const struct pass *p, uint64_t row)
{
	struct rar_member *e = &p->r->entries[row];

	if (p->r->version == RAR_4) {
		e->traits |= RAR_HAS_FILTERS;
		p->r->work->traits |= RAR_HAS_FILTERS;
		rar_stop_member(p->r, p->d, row);
	} else {
		decode_stop_codec(p->d, RAR_CONTENT, "decoder for that form of rar 5",
				  rar_packed(&p->r->members->rows[row]));
	}
}

/* What became of a member. It returns whether the next one can be decoded. */
static bool judge_member(struct pass *p, uint64_t row, enum unarchive_result result,
			 const struct rar_sink *s)
{
	const struct arc_member *m = &p->r->members->rows[row];

	switch (result) {
	case UNARCHIVE_FINE: /* it was passed over */
		return true;
	case UNARCHIVE_END:
		if (!(m->payload & ARC_IS_READ))
			rar_note_read(p->r, row, s, false);
		if (s->out && row != p->row && !(m->payload & ~(unsigned)ARC_IS_READ))
			p->r->work->kept[row] = s->out;
		return !s->is_long;
	case UNARCHIVE_BROKEN:
	case UNARCHIVE_OVER:
		if (!(m->payload & ARC_IS_READ))
			rar_note_read(p->r, row, s, true);
		return false;
	case UNARCHIVE_UNSUPPORTED:
		note_unsupported(p, row);
		return false;
	case UNARCHIVE_NO_MEMORY:
		decode_stop(p->d, RAR_PAYLOAD, STOP_MEMORY, rar_packed(m));
		p->is_broken = true;
		return false;
	default: /* whoever stopped it has noted why */
		p->is_broken = true;
		return false;
	}
}

/* The members of a run from one on cannot be decoded, because they need one that was not. */
static void lose(const struct pass *p, uint64_t row, uint64_t end)
{
	for (; row < end; row++) {
		const struct arc_member *m = &p->r->members->rows[row];
		struct rar_member *e = &p->r->entries[row];

		if (!rar_has_bytes(p->r, row) || m->payload & ARC_IS_READ || e->traits & RAR_STORED)
			continue;
		e->traits |= RAR_LOST;
		p->r->work->traits |= RAR_LOST;
		decode_stop(p->d, RAR_CONTENT, STOP_UNSUPPORTED, rar_packed(m)); /* ARC124 */
	}
}

/* false: those after it cannot be decoded, or nothing can. */
static bool go_to_next(struct pass *p, uint64_t row)
{
	const struct arc_member *m = &p->r->members->rows[row];
	struct rar_sink s = { .size = m->size };

	if (rar_is_openable(p->r, row))
		return may_unpack(p, m) && judge_member(p, row, take_member(p, row, &s), &s);
	rar_stop_member(p->r, p->d, row);
	return false;
}

static void go_through(struct pass *p, struct run x)
{
	for (uint64_t i = x.first; i < x.end; i++) {
		if (!rar_has_bytes(p->r, i) || go_to_next(p, i))
			continue;
		if (!p->is_broken)
			lose(p, i + 1, x.end);
		return;
	}
}

static uint64_t packed_len(const struct pass *p, struct run x)
{
	uint64_t n = 0;

	for (; x.first < x.end; x.first++)
		n += rar_has_bytes(p->r, x.first) ? p->r->members->rows[x.first].packed : 0;
	return n;
}

static void pass_through(struct pass *p, struct run x)
{
	struct pieces pieces = pieces_of(p->r, p->d, x);
	const struct unarchive_input input = { .read_at = read_piece,
					       .ctx = &pieces,
					       .size = pieces.end + LOOK_AHEAD };
	const struct span packed = { p->r->members->rows[x.first].at, packed_len(p, x) };
	const struct rar_sink nothing = { .size = 0 };
	enum unarchive_result result;
	uint64_t memory;

	for (uint64_t i = x.first; i < x.end; i++)
		p->r->entries[i].traits |= RAR_TRIED;
	p->is_broken = !memory_needed(p->r, p->d, x, &memory, &p->work_out);
	if (p->is_broken || !decode_may_take(p->d, RAR_CONTENT, packed))
		return;
	if (memory > p->r->work->decoder_len)
		p->r->work->decoder_len = memory;
	result = unarchive_open(p->arena, p->r->version == RAR_4 ? UNARCHIVE_RAR4 : UNARCHIVE_RAR5,
				input, memory, &p->u);
	if (result != UNARCHIVE_FINE) {
		(void)judge_member(p, x.first, result, &nothing);
		return;
	}
	go_through(p, x);
	unarchive_close(p->u);
}

/* ---- What is asked for ----------------------------------------------------------------------- */

bool rar_open_run(const struct rar *r, struct decode *d, uint64_t row, uint8_t *out,
		  struct arena *arena)
{
	const struct arena_mark mark = arena_mark(arena);
	struct pass p = { .r = r, .d = d, .arena = arena, .row = row, .out = out, .keeps = true };
	const unsigned not_sound = ~(unsigned)(ARC_IS_READ | ARC_WRONG_SUM);
	const struct arc_member *m = &r->members->rows[row];

	if (m->payload & not_sound || (r->entries[row].traits & RAR_TRIED && m->payload == 0))
		return false;
	pass_through(&p, run_of(r, row));
	arena_rewind(arena, mark);
	return m->payload & ARC_IS_READ && !(m->payload & not_sound) && !p.is_broken;
}

bool rar_check_run(const struct rar *r, struct decode *d, uint64_t row)
{
	const struct arena_mark mark = arena_mark(d->arena);
	struct pass p = { .r = r, .d = d, .arena = d->arena, .row = UINT64_MAX };

	if (r->entries[row].traits & RAR_TRIED)
		return true;
	pass_through(&p, run_of(r, row));
	arena_rewind(d->arena, mark);
	return !p.is_broken;
}

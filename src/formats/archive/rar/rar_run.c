/* Compressed members, decoded by libarchive: each by itself, or with those that it needs in a solid
 * archive of rar 5. Source: conformance/spec/rar.md, 4.7. */
#include "formats/archive/rar/rar_payload.h"

/* ---- What libarchive is given ---------------------------------------------------------------- */

/* The signature and the header of the archive, and the blocks of members. */
struct pieces {
	struct decode *d;
	uint64_t head;      /* bytes from the file's first on */
	struct span blocks; /* follow them */
};

static bool read_piece(void *ctx, uint64_t at, uint8_t *buf, size_t len)
{
	const struct pieces *p = ctx;
	const uint64_t left = at < p->head ? p->head - at : 0, n = left < len ? left : len;
	const struct span rest = { p->blocks.at + (at + n - p->head), len - n };

	if (n > 0 && !decode_copy(p->d, RAR_PAYLOAD, (struct span){ at, n }, buf))
		return false;
	return n == len || decode_copy(p->d, RAR_PAYLOAD, rest, buf + n);
}

static uint64_t block_end(const struct rar_block *b)
{
	return b->at + b->head_len + b->data_len;
}

/* The rows first <= i < end are decoded in one go: the members that need each other. */
struct run {
	uint64_t first, end;
};

/* Folders and links have no bytes, and stand between those that need each other as they come. */
static bool goes_with_others(const struct rar *r, uint64_t row)
{
	return r->version == RAR_5 &&
	       (r->entries[row].traits & RAR_IS_SOLID || !rar_has_bytes(r, row));
}

static struct run run_of(const struct rar *r, uint64_t row)
{
	struct run x = { row, row + 1 };

	while (x.first > 0 && goes_with_others(r, x.first))
		x.first--;
	while (x.end < r->members->n && goes_with_others(r, x.end))
		x.end++;
	return x;
}

static struct pieces pieces_of(const struct rar *r, struct decode *d, struct run x)
{
	const uint64_t at = r->blocks[r->entries[x.first].block].at;

	return (struct pieces){
		.d = d,
		.head = r->blocks[0].kind == RAR_ARCHIVE ? block_end(&r->blocks[0])
			: r->version == RAR_4            ? RAR4_START
							 : RAR5_START,
		.blocks = { at, block_end(&r->blocks[r->entries[x.end - 1].block]) - at },
	};
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

static bool memory_needed(const struct rar *r, struct decode *d, struct run x, uint64_t *out)
{
	const struct arc_member *m = &r->members->rows[x.first];
	uint8_t bytes[2];
	const struct held first = { bytes, sizeof bytes };

	*out = r->version == RAR_5 ? memory_of_rar5(r, x) : RAR4_TABLES;
	if (r->version == RAR_5 || m->packed < sizeof bytes)
		return true;
	if (!decode_copy(d, RAR_PAYLOAD, (struct span){ m->at, sizeof bytes }, bytes))
		return false;
	if (held_u8(first, 0) & 0x80)
		*out += (held_u8(first, 1) + 1) << 20;
	return true;
}

/* ---- One pass -------------------------------------------------------------------------------- */

/* A pass through a run. */
struct pass {
	const struct rar *r;
	struct decode *d;
	struct arena *arena; /* for libarchive */
	struct unarchive *u;
	uint64_t row;   /* whose bytes go to out; UINT64_MAX: none's */
	uint8_t *out;
	bool keeps;     /* those worth a look, as far as there is room */
	bool is_broken; /* memory or work ended, or the input failed, which is noted */
};

/* How much of LIMIT_memory may be kept. */
enum { KEPT_SHARE = 4 };

/* Room for a member that will be asked for later; NULL: none. */
static uint8_t *room_for(const struct pass *p, uint64_t row)
{
	const struct arc_member *m = &p->r->members->rows[row];
	struct rar_work *work = p->r->work;
	const uint64_t most = p->d->limits->of[LIMIT_memory] / KEPT_SHARE;
	uint8_t *room;

	if (row == p->row)
		return p->out;
	if (!p->keeps || row < p->row || !rar_is_promised(p->r, row) || m->payload != 0 ||
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
		if (!decode_spend(p->d, RAR_PAYLOAD, work_of_bytes(n)))
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
	if (!rar_has_bytes(p->r, row))
		return UNARCHIVE_FINE;
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
	for (; row < end; row++)
		if (rar_has_bytes(p->r, row) && !(p->r->members->rows[row].payload & ARC_IS_READ) &&
		    !(p->r->entries[row].traits & RAR_STORED))
			decode_stop_codec(p->d, RAR_CONTENT, "member that these bytes need",
					  rar_packed(&p->r->members->rows[row]));
}

static void go_through(struct pass *p, struct run x)
{
	for (uint64_t i = x.first; i < x.end; i++) {
		const struct arc_member *m = &p->r->members->rows[i];
		struct rar_sink s = { .size = m->size };
		bool goes_on = true;

		if (rar_has_bytes(p->r, i) && !rar_is_openable(p->r, i)) {
			rar_stop_member(p->r, p->d, i);
			goes_on = false;
		}
		goes_on = goes_on && (!rar_has_bytes(p->r, i) || may_unpack(p, m)) &&
			  judge_member(p, i, take_member(p, i, &s), &s);
		if (!goes_on) {
			if (!p->is_broken)
				lose(p, i + 1, x.end);
			return;
		}
	}
}

static void pass_through(struct pass *p, struct run x)
{
	struct pieces pieces = pieces_of(p->r, p->d, x);
	const struct unarchive_input input = { .read_at = read_piece,
					       .ctx = &pieces,
					       .size = pieces.head + pieces.blocks.len };
	const struct rar_sink nothing = { .size = 0 };
	enum unarchive_result result;
	uint64_t memory;

	for (uint64_t i = x.first; i < x.end; i++)
		p->r->entries[i].traits |= RAR_TRIED;
	p->is_broken = !memory_needed(p->r, p->d, x, &memory);
	if (p->is_broken || !decode_may_take(p->d, RAR_CONTENT, pieces.blocks))
		return;
	result = unarchive_open(p->arena,
				p->r->version == RAR_4 ? UNARCHIVE_RAR4 : UNARCHIVE_RAR5, input,
				memory, &p->u);
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

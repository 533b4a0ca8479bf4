/* The maps of sparse members: where they are, whether they are sound, and the content that they
 * make of what is stored. */
#include "formats/archive/tar/sparse.h"

/* ---- Pieces ---------------------------------------------------------------------------------- */

static bool add_piece(struct tar_walk *w, uint64_t to, uint64_t len)
{
	struct tar *t = w->t;
	struct tar_piece *grown;

	if (t->n_pieces >= w->d->limits->of[LIMIT_entries])
		return decode_stop_limit(w->d, TAR_MEMBERS, LIMIT_entries,
					 (struct span){ w->at, t->size - w->at });
	grown = decode_grow(w->d, TAR_MEMBERS, t->pieces, t->n_pieces, &w->max_pieces,
			    sizeof *t->pieces);
	if (!grown)
		return false;
	t->pieces = grown;
	t->pieces[t->n_pieces++] = (struct tar_piece){ .to = to, .len = len };
	return true;
}

/* ---- Old maps of GNU ------------------------------------------------------------------------- */

/* Where such a map begins, how many pieces fit in it, and the two numbers of a piece. */
enum {
	IN_HEADER = 386,
	N_IN_HEADER = 4,
	N_IN_BLOCK = 21,
	NUMBER_LEN = 12,
	PIECE_LEN = 2 * NUMBER_LEN,
};

bool tar_map_gnu(struct tar_walk *w, struct held block, enum tar_map_part part)
{
	const unsigned n = part == TAR_MAP_IN_HEADER ? N_IN_HEADER : N_IN_BLOCK;
	const uint64_t begin = part == TAR_MAP_IN_HEADER ? IN_HEADER : 0;

	for (unsigned i = 0; i < n; i++) {
		const uint64_t at = begin + (uint64_t)i * PIECE_LEN;
		const struct held to = held_part(block, at, NUMBER_LEN),
				  len = held_part(block, at + NUMBER_LEN, NUMBER_LEN);
		uint64_t to_value, len_value;

		if (held_u8(to, 0) == 0 && held_u8(len, 0) == 0) {
			w->is_map_over = true;
			continue;
		}
		if (w->is_map_over || tar_read_number(to, &to_value) != TAR_NUMBER ||
		    tar_read_number(len, &len_value) != TAR_NUMBER)
			w->is_map_malformed = true;
		else if (!add_piece(w, to_value, len_value))
			return false;
	}
	return true;
}

/* ---- Maps of pax ----------------------------------------------------------------------------- */

static bool key_is(struct held key, const char *name)
{
	return key.len == strlen(name) && memcmp(key.bytes, name, (size_t)key.len) == 0;
}

static bool is_number(const struct tar_said *s, uint64_t n)
{
	uint64_t value;

	return tar_read_decimal(s->value, &value) == TAR_NUMBER && value == n;
}

/* A pairing is numbers one after the other, of which two make a piece. */
struct pairing {
	struct tar_walk *w;
	uint64_t to;
	bool has_to;
};

static bool take_number(struct pairing *p, uint64_t n)
{
	p->has_to = !p->has_to;
	if (!p->has_to)
		return add_piece(p->w, p->to, n);
	p->to = n;
	return true;
}

static bool take_text(struct pairing *p, struct held digits)
{
	uint64_t n;

	if (tar_read_decimal(digits, &n) == TAR_NUMBER)
		return take_number(p, n);
	p->w->is_map_malformed = true;
	return true;
}

/* 0.1: all numbers in one record, with commas between them. */
static bool take_list(struct pairing *p, struct held list)
{
	for (bool goes_on = true; goes_on && !p->w->is_map_malformed;) {
		const uint64_t n = held_find(list, ',');

		if (!take_text(p, held_part(list, 0, n)))
			return false;
		goes_on = n < list.len;
		list = goes_on ? held_part(list, n + 1, list.len - n - 1) : list;
	}
	return true;
}

/* 0.0 has a record for each number, the first of each pair called otherwise than the second. */
static bool take_records(struct tar_walk *w, bool *is_there)
{
	struct pairing p = { .w = w };
	uint64_t from = 0, n_lists = 0, n_single = 0;
	struct held key, value;

	while (tar_next_record(w->before.sparse_records, &from, &key, &value)) {
		const bool is_to = key_is(key, "GNU.sparse.offset"),
			   is_len = key_is(key, "GNU.sparse.numbytes"),
			   is_list = key_is(key, "GNU.sparse.map");

		n_lists += is_list;
		n_single += is_to || is_len;
		if ((is_to || is_len) && p.has_to != is_len)
			w->is_map_malformed = true;
		else if ((is_to || is_len) && !take_text(&p, value))
			return false;
		else if (is_list && !take_list(&p, value))
			return false;
	}
	*is_there = n_lists > 0 || n_single > 0;
	if (p.has_to || n_lists > 1 || (n_lists > 0 && n_single > 0))
		w->is_map_malformed = true;
	return true;
}

/* A reading is the text of a map before the stored bytes, a piece of the file at a time. */
struct reading {
	struct tar_walk *w;
	uint64_t at, end; /* of the member's bytes */
	uint8_t piece[TAR_BLOCK];
	uint64_t n, next; /* of the piece */
	bool is_over;     /* the bytes ended, or the file failed */
};

static bool next_byte(struct reading *r, uint8_t *out)
{
	if (r->next == r->n) {
		const uint64_t left = r->end - r->at;

		r->n = left < sizeof r->piece ? left : sizeof r->piece;
		r->next = 0;
		r->is_over = r->n == 0 ||
			     !decode_spend(r->w->d, TAR_MEMBERS, work_of_bytes(r->n)) ||
			     !decode_copy(r->w->d, TAR_MEMBERS, (struct span){ r->at, r->n },
					  r->piece);
		if (r->is_over)
			return false;
		r->at += r->n;
	}
	*out = r->piece[r->next++];
	return true;
}

/* A number of a map of 1.0: at most 19 digits, and a line feed. */
enum { DIGITS_MAX = 19 };

static bool next_number(struct reading *r, uint64_t *out)
{
	uint8_t digits[DIGITS_MAX + 1];
	uint64_t n = 0;

	do {
		if (n > DIGITS_MAX || !next_byte(r, &digits[n]))
			return false;
	} while (digits[n++] != '\n');
	return tar_read_decimal((struct held){ digits, n - 1 }, out) == TAR_NUMBER;
}

/* 1.0: how many pieces there are, and their numbers, each in a line, up to a whole block. *len is
 * what that takes of the member's bytes. */
static bool take_lines(struct tar_walk *w, const struct arc_member *m, uint64_t *len)
{
	struct reading r = { .w = w, .at = m->at, .end = m->at + m->packed };
	struct pairing p = { .w = w };
	uint64_t n_pieces, n;

	w->is_map_malformed = !next_number(&r, &n_pieces);
	for (uint64_t i = 0; !w->is_map_malformed && i / 2 < n_pieces; i++)
		if (!next_number(&r, &n))
			w->is_map_malformed = true;
		else if (!take_number(&p, n))
			return false;
	*len = r.at - m->at;
	return decode_has(w->d, TAR_MEMBERS);
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* The pieces follow each other in the content up to its end, and one after the other have all
 * stored bytes. What follows the last of them GNU tar does not write. */
static bool are_sound(const struct tar_walk *w, uint64_t size, uint64_t stored)
{
	uint64_t end = 0, sum = 0;

	for (uint64_t i = w->first_piece; i < w->t->n_pieces; i++) {
		const struct tar_piece *p = &w->t->pieces[i];

		if (p->to < end || p->to > size || p->len > size - p->to || p->len > stored - sum)
			return false;
		end = p->to + p->len;
		sum += p->len;
	}
	return sum == stored && end == size;
}

/* Says where the pieces are in the file. Empty ones are dropped: a reader of the content would pass
 * them each time. */
static void place(const struct tar_walk *w, uint64_t from)
{
	struct tar *t = w->t;
	uint64_t n = w->first_piece;

	for (uint64_t i = w->first_piece; i < t->n_pieces; i++) {
		const struct tar_piece p = { t->pieces[i].to, from, t->pieces[i].len };

		from += p.len;
		if (p.len > 0)
			t->pieces[n++] = p;
	}
	t->n_pieces = n;
}

/* Takes the map of a form that is known, if it has one; *head is what of its bytes is map. */
static bool take_map(struct tar_walk *w, const struct tar_header *h, const struct arc_member *m,
		     bool *is_known, uint64_t *head)
{
	const struct tar_before *b = &w->before;
	const bool is_1_0 = is_number(&b->sparse_major, 1) && is_number(&b->sparse_minor, 0),
		   is_0 = b->sparse_major.value.len == 0 || is_number(&b->sparse_major, 0);

	*head = 0;
	if (h->type == 'S') {
		*is_known = h->form == TAR_GNU && !b->is_sparse;
		return true;
	}
	*is_known = (h->type == 0 || h->type == '0') && !b->is_sparse_twice &&
		    b->real_size.value.len > 0 && (is_0 || is_1_0);
	if (!*is_known)
		return true;
	return is_1_0 ? take_lines(w, m, head) : take_records(w, is_known);
}

bool tar_map_settle(struct tar_walk *w, const struct tar_header *h, const struct arc_member *m,
		    struct tar_entry *e)
{
	uint64_t head;
	bool is_known;

	if (!take_map(w, h, m, &is_known, &head))
		return false;
	e->first = w->first_piece;
	if (!is_known)
		e->map = TAR_MAP_UNKNOWN;
	else if (w->is_map_malformed || !are_sound(w, m->size, m->packed - head))
		e->map = TAR_MAP_MALFORMED;
	else
		e->map = TAR_MAP_APPLIED;
	if (e->map == TAR_MAP_APPLIED)
		place(w, m->at + head);
	else
		w->t->n_pieces = w->first_piece; /* nobody asks for them */
	e->n = w->t->n_pieces - w->first_piece;
	return true;
}

/* ---- Content --------------------------------------------------------------------------------- */

/* The first piece that ends after `at`; e->n: there is none. */
static uint64_t find_piece(const struct tar_piece *pieces, uint64_t n, uint64_t at)
{
	uint64_t low = 0, high = n;

	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;

		if (pieces[middle].to + pieces[middle].len > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

bool tar_sparse_copy(const struct tar *t, uint64_t row, struct source *s, uint64_t at, uint8_t *out,
		     uint64_t n)
{
	const struct tar_entry *e = &t->entries[row];
	const struct tar_piece *pieces = t->pieces + e->first;
	uint64_t i = find_piece(pieces, e->n, at);

	while (n > 0) {
		const struct tar_piece *p = i < e->n ? &pieces[i] : NULL;
		const uint64_t hole = !p ? n : p->to > at ? p->to - at : 0;
		uint64_t taken = hole < n ? hole : n;

		if (taken > 0) {
			memset(out, 0, (size_t)taken);
		} else {
			const uint64_t skipped = at - p->to, left = p->len - skipped;

			taken = left < n ? left : n;
			if (!source_copy(s, (struct span){ p->from + skipped, taken }, out))
				return false;
			i += taken == left;
		}
		at += taken;
		out += taken;
		n -= taken;
	}
	return true;
}

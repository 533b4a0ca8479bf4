/* The way through a tar: header by header, and what follows the end. */
#include "formats/archive/tar/walk.h"

#include "core/mutant.h"
#include "formats/archive/tar/sparse.h"

/* Bytes of headers before one member's own, all together, that are kept. */
static uint64_t room_before(const struct tar_walk *w)
{
	return w->d->limits->of[LIMIT_text];
}

static uint64_t left(const struct tar_walk *w)
{
	return w->t->size - w->at;
}

static struct held first_block(const struct tar_walk *w)
{
	return (struct held){ w->block, TAR_BLOCK };
}

/* A header about the next member, or all that follow. */
static bool is_before(uint8_t type)
{
	return type == 'x' || type == 'X' || type == 'g' || type == 'L' || type == 'K';
}

/* ---- Flaws ----------------------------------------------------------------------------------- */

bool tar_add_flaw(struct tar_walk *w, const struct tar_flaw *flaw)
{
	struct tar *t = w->t;
	struct tar_flaw *grown = decode_grow(w->d, TAR_MEMBERS, t->flaws, t->n_flaws, &w->max_flaws,
					     sizeof *t->flaws);

	if (!grown)
		return false;
	t->flaws = grown;
	t->flaws[t->n_flaws++] = *flaw;
	t->flaw_traits |= flaw->traits;
	return true;
}

/* The name in a header, kept: as it is, without what other headers say. */
static bool header_name(struct tar_walk *w, const struct tar_header *h, struct text *out)
{
	uint8_t *copy = decode_alloc(w->d, TAR_MEMBERS, h->name.len, 1);
	uint32_t traits = 0;

	if (!copy)
		return false;
	memcpy(copy, h->name.bytes, (size_t)h->name.len);
	return members_name(w->d, TAR_MEMBERS, (struct held){ copy, h->name.len }, h->at,
			    ARC_UNSAID, &traits, out);
}

static bool add_of_header(struct tar_walk *w, const struct tar_header *h, uint32_t traits,
			  uint64_t said, uint64_t found)
{
	struct tar_flaw flaw = {
		.at = h->at, .said = said, .found = found, .traits = traits, .type = h->type
	};

	return header_name(w, h, &flaw.name) && tar_add_flaw(w, &flaw);
}

static bool add_of_number(struct tar_walk *w, struct tar_flaw flaw, const struct tar_field *field,
			  uint32_t traits)
{
	if (!field)
		return true;
	flaw.traits = traits;
	flaw.said = field->at;
	flaw.found = field->len;
	flaw.what = field->name;
	return tar_add_flaw(w, &flaw);
}

/* Fields that programs read in different ways, or stop at. A size that counts is told by
 * settle_size. */
static bool look_at_fields(struct tar_walk *w, const struct tar_header *h)
{
	const bool has_other_size = w->before.size.value.len > 0 && !is_before(h->type);
	const struct tar_field *field = tar_find_malformed(first_block(w), has_other_size);
	bool may_be_time;
	const char *unused = tar_find_unused(first_block(w), &may_be_time);
	const struct tar_odd odd = tar_find_odd(first_block(w));
	struct tar_flaw flaw = { .at = h->at, .type = h->type };

	if (!field && !unused && !odd.field)
		return true;
	if (!header_name(w, h, &flaw.name))
		return false;
	flaw.how = odd.how;
	if (!add_of_number(w, flaw, field, TAR_NUMBER_WRONG) ||
	    !add_of_number(w, flaw, odd.field, TAR_NUMBER_ODD))
		return false;
	if (!unused)
		return true;
	flaw.traits = TAR_UNUSED_FIELD | (may_be_time ? (uint32_t)TAR_UNUSED_TIME : 0);
	flaw.what = unused;
	return tar_add_flaw(w, &flaw);
}

static bool end_here(struct tar_walk *w)
{
	return decode_stop(w->d, TAR_END, STOP_MALFORMED, (struct span){ w->at, left(w) });
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* How many bytes from the place where the walk is were read behind the last header. */
static uint64_t read_ahead(const struct tar_walk *w)
{
	const uint64_t end = w->block_at + w->n_block;

	return w->at >= w->block_at && w->at < end ? end - w->at : 0;
}

/* Copies the next n bytes; what was read is not read again. */
static bool copy_next(struct tar_walk *w, uint64_t n, uint8_t *out)
{
	const uint64_t ahead = read_ahead(w), kept = ahead < n ? ahead : n;

	if (kept > 0)
		memcpy(out, w->block + (w->n_block - ahead), (size_t)kept);
	return kept == n ||
	       decode_copy(w->d, TAR_MEMBERS, (struct span){ w->at + kept, n - kept }, out + kept);
}

/* Reads a header, and the block behind it, which has a member's first bytes. */
static bool read_block(struct tar_walk *w)
{
	const uint64_t n = left(w) < sizeof w->block ? left(w) : sizeof w->block;
	uint8_t next[sizeof w->block];

	if (!copy_next(w, n, next))
		return false;
	memcpy(w->block, next, (size_t)n);
	w->block_at = w->at;
	w->n_block = n;
	return true;
}

/* ---- Headers before a member's own ----------------------------------------------------------- */

static void note_before(struct tar_walk *w, uint64_t at, uint32_t traits)
{
	if (traits && !w->before.traits)
		w->before.wrong_at = at;
	w->before.traits |= traits;
}

static struct held until_nul(struct held text)
{
	return held_part(text, 0, held_find(text, 0));
}

static uint32_t take_long(struct tar_said *s, struct held name, uint64_t at)
{
	return tar_say(s, name, at) | (name.len == 0 ? (uint32_t)TAR_LONG_EMPTY : 0);
}

static uint32_t take_before(struct tar_walk *w, const struct tar_header *h, struct held bytes)
{
	struct tar_before all = { .is_sparse = false };
	const uint64_t at = h->at + TAR_BLOCK;
	uint32_t wrong;

	switch (h->type) {
	case 'L':
		return take_long(&w->before.long_path, until_nul(bytes), at);
	case 'K':
		return take_long(&w->before.long_link, until_nul(bytes), at);
	case 'g':
		wrong = tar_read_pax(bytes, at, &all);
		if (all.path.at || all.link.at || all.size.at || all.is_sparse)
			wrong |= TAR_SAID_OF_ALL;
		return wrong;
	default:
		wrong = w->before.has_pax ? TAR_PAX_AGAIN : 0;
		w->before.has_pax = true;
		return wrong | tar_read_pax(bytes, at, &w->before);
	}
}

/* A long name ends with its size for some programs, and at the next NUL for others. */
static uint32_t look_behind(struct held name, uint64_t size)
{
	return held_find(name, 0) > size ? (uint32_t)TAR_LONG_CUT : 0;
}

/* What such a header has is kept: names are made of it. */
static bool read_before(struct tar_walk *w, const struct tar_header *h)
{
	const struct span span = { w->at, h->size };
	const bool is_long = h->type == 'L' || h->type == 'K';
	const bool is_filled = h->size % TAR_BLOCK > 0 && left(w) > h->size;
	const uint64_t n = h->size + (is_long && is_filled ? 1 : 0);
	uint8_t *bytes;

	if (w->at - w->member_at > room_before(w) || h->size > room_before(w))
		return decode_stop_limit(w->d, TAR_MEMBERS, LIMIT_text, span);
	bytes = decode_alloc(w->d, TAR_MEMBERS, n, 1);
	if (!bytes || !copy_next(w, n, bytes) || !decode_spend(w->d, TAR_MEMBERS, h->size))
		return false;
	if (h->type != 'g' && !w->before.is_of_next) {
		w->before.is_of_next = true;
		w->before.at = h->at;
	}
	w->t->forms |= is_long ? TAR_GNU : TAR_PAX;
	note_before(w, h->at, look_behind((struct held){ bytes, n }, h->size));
	note_before(w, h->at, take_before(w, h, (struct held){ bytes, h->size }));
	return true;
}

/* ---- Members --------------------------------------------------------------------------------- */

/* Links, devices, folders and pipes have no bytes, whatever size their headers say. */
static bool has_bytes(uint8_t type)
{
	return type < '1' || type > '6';
}

static bool is_known(uint8_t type)
{
	return type == 0 || (type >= '0' && type <= '7') || type == 'S' || is_before(type);
}

/* A volume's label, or a table of names that old programs wrote: no member. */
static bool is_aside(uint8_t type)
{
	return type == 'V' || type == 'N';
}

/* What programs pass over that believe the size of a link or a folder: zeros, or others' headers.
 * All believe that of a hard link only where there are pax headers. */
static bool is_followed(const struct tar_walk *w, const struct tar_header *h)
{
	const struct held read = { w->block, w->n_block };

	return (h->type != '1' || w->t->forms & TAR_PAX) &&
	       !held_is_zero(held_part(read, TAR_BLOCK, read.len - TAR_BLOCK));
}

static uint32_t unused_size(const struct tar_walk *w, const struct tar_header *h)
{
	if (h->size == 0 || has_bytes(h->type))
		return 0;
	return TAR_SIZE_UNUSED | (is_followed(w, h) ? (uint32_t)TAR_SIZE_FOLLOWED : 0);
}

/* A pax header says the size in place of the member's own header. */
static uint32_t settle_size(const struct tar_walk *w, struct tar_header *h)
{
	const struct tar_said *said = &w->before.size;

	if (said->value.len > 0 && !is_before(h->type))
		h->size_is = tar_read_decimal(said->value, &h->size);
	switch (h->size_is) {
	case TAR_NO_NUMBER:
		return TAR_SIZE_NO_NUMBER;
	case TAR_NEGATIVE:
		return TAR_SIZE_NEGATIVE;
	default:
		return unused_size(w, h);
	}
}

/* The map of an old sparse member: what its header has of it, and blocks with more. */
static bool pass_map(struct tar_walk *w, const struct tar_header *h)
{
	uint8_t block[TAR_BLOCK];
	bool goes_on = h->type == 'S' && h->is_extended;

	if (h->type == 'S' && !tar_map_gnu(w, first_block(w), TAR_MAP_IN_HEADER))
		return false;
	while (goes_on) {
		if (left(w) < TAR_BLOCK) {
			w->t->file.cut = "the map of a sparse member";
			w->t->file.cut_at = h->at;
			return end_here(w);
		}
		if (!copy_next(w, TAR_BLOCK, block))
			return false;
		goes_on = tar_map_goes_on((struct held){ block, TAR_BLOCK });
		if (!tar_map_gnu(w, (struct held){ block, TAR_BLOCK }, TAR_MAP_IN_BLOCK) ||
		    !decode_spend(w->d, TAR_MEMBERS, 1))
			return false;
		w->at += TAR_BLOCK;
	}
	return true;
}

/* What is wrong with headers before a member's own, where none follows them. */
static bool tell_before(struct tar_walk *w)
{
	const struct tar_flaw flaw = { .at = w->before.wrong_at,
				       .traits = w->before.traits,
				       .type = 'x' };

	return w->before.traits == 0 || tar_add_flaw(w, &flaw);
}

static bool begin_member(struct tar_walk *w)
{
	const bool is_told = tell_before(w);

	w->before = (struct tar_before){ .is_sparse = false };
	w->member_at = w->at;
	w->first_piece = w->t->n_pieces;
	w->is_map_malformed = w->is_map_over = false;
	return is_told;
}

/* Bytes are filled up to whole blocks; the file may end inside of the last one. */
static void pass_bytes(struct tar_walk *w, uint64_t len)
{
	const uint64_t rest = len % TAR_BLOCK, padding = rest > 0 ? TAR_BLOCK - rest : 0;

	w->at += len;
	w->t->lacks = padding > left(w) ? padding - left(w) : 0;
	w->at += padding - w->t->lacks;
}

static bool stop_beyond(struct tar_walk *w, const struct tar_header *h, uint64_t len)
{
	w->t->needs = w->at + len; /* both have 63 bits */
	if (!add_of_header(w, h, TAR_SIZE_BEYOND, len, left(w)))
		return false;
	if (!is_before(h->type) && !is_aside(h->type) &&
	    !tar_add_member(w, h, w->at, left(w), true))
		return false;
	w->at = w->t->size;
	return end_here(w);
}

static bool take_one(struct tar_walk *w, struct tar_header *h)
{
	uint32_t flaws = settle_size(w, h) | (is_known(h->type) ? 0 : TAR_ODD_TYPE);
	const uint64_t len = has_bytes(h->type) ? h->size : 0;

	if (is_aside(h->type) && h->size_is == TAR_NUMBER && len > 0)
		flaws |= TAR_NO_FILE;
	if (flaws && !add_of_header(w, h, flaws, h->size, left(w)))
		return false;
	if (flaws & (TAR_SIZE_NO_NUMBER | TAR_SIZE_NEGATIVE))
		return end_here(w);
	if (!pass_map(w, h))
		return false;
	if (len > left(w))
		return stop_beyond(w, h, len);
	if (is_before(h->type)) {
		if (!read_before(w, h))
			return false;
		pass_bytes(w, len);
		return true;
	}
	if (is_aside(h->type) && w->before.is_of_next)
		note_before(w, w->before.at, TAR_SAID_OF_NONE);
	if (!is_aside(h->type) && !tar_add_member(w, h, w->at, len, false))
		return false;
	pass_bytes(w, len);
	return begin_member(w);
}

/* ---- Headers --------------------------------------------------------------------------------- */

static bool take_header(struct tar_walk *w)
{
	const struct arc_tar_sum sum = arc_tar_sum_of(first_block(w));
	struct tar_header h = tar_read_header(first_block(w), w->at);

	w->t->needs = w->t->end = w->at;
	if (!arc_tar_sum_is_right(&sum) && !MUTANT(400)) /* mutant: any header is right */
		return add_of_header(w, &h, TAR_SUM, sum.said, sum.plain) && end_here(w);
	w->t->forms |= h.form;
	w->at += TAR_BLOCK;
	return decode_spend(w->d, TAR_MEMBERS, 4) && look_at_fields(w, &h) && take_one(w, &h);
}

static bool stop_cut(struct tar_walk *w)
{
	w->t->file.cut = "a header";
	w->t->file.cut_at = w->at;
	w->t->needs = w->at + TAR_BLOCK;
	return end_here(w);
}

/* ---- The end --------------------------------------------------------------------------------- */

/* Whoever looks for the first block that is not all zeros. It comes to lie in the walk's own. */
struct search {
	struct tar_walk *w;
	uint64_t n;     /* bytes of a block that has begun */
	uint64_t found; /* UINT64_MAX: there is none yet */
};

/* Takes bytes for the block that has begun; it returns how many, and 0 where zeros end. */
static uint64_t take_for_block(struct search *s, struct held more, uint64_t at)
{
	const uint64_t wanted = TAR_BLOCK - s->n, n = more.len < wanted ? more.len : wanted;

	memcpy(s->w->block + s->n, more.bytes, (size_t)n);
	s->n += n;
	if (s->n < TAR_BLOCK)
		return n;
	if (!held_is_zero((struct held){ s->w->block, TAR_BLOCK })) {
		s->found = at + n - TAR_BLOCK;
		return 0;
	}
	s->n = 0;
	return n;
}

static bool look(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	struct search *s = ctx;
	struct held left_of = { bytes, n };

	while (left_of.len > 0) {
		const uint64_t whole = s->n == 0 ? left_of.len - left_of.len % TAR_BLOCK : 0;
		uint64_t taken = whole;

		if (whole == 0 || !held_is_zero(held_part(left_of, 0, whole)))
			taken = take_for_block(s, left_of, at);
		if (taken == 0)
			return false;
		at += taken;
		left_of = held_part(left_of, taken, left_of.len - taken);
	}
	return true;
}

/* Looks at what was read behind the last header, and then at the rest of the file. */
static bool search_all(struct tar_walk *w, struct search *s)
{
	uint8_t before[sizeof w->block];
	const uint64_t kept = read_ahead(w);
	const struct span rest = { w->at + kept, left(w) - kept };

	memcpy(before, w->block + (w->n_block - kept), (size_t)kept);
	if (!look(s, w->at, before, kept))
		return true;
	return decode_stream(w->d, TAR_END, rest, look, s) || s->found != UINT64_MAX;
}

static bool find_after(struct tar_walk *w)
{
	struct search s = { w, 0, UINT64_MAX };
	struct tar *t = w->t;
	uint64_t n;

	t->end = w->at;
	t->needs = w->at + t->lacks;
	if (!search_all(w, &s))
		return false;
	if (s.found == UINT64_MAX) /* what has begun is a part of a block, and the file's end */
		t->after = t->size - (held_is_zero((struct held){ w->block, s.n }) ? 0 : s.n);
	else
		t->after = s.found;
	n = (t->after - w->at) / TAR_BLOCK;
	t->n_zeros = n < TAR_END_BLOCKS ? n : TAR_END_BLOCKS;
	t->after_is_tar = s.found != UINT64_MAX && arc_signature_of(first_block(w)) == ARC_IS_TAR;
	return true;
}

static bool walk(struct tar_walk *w)
{
	while (left(w) >= TAR_BLOCK) {
		if (!read_block(w))
			return false;
		if (held_is_zero(first_block(w)))
			return find_after(w);
		if (!take_header(w))
			return false;
		w->t->needs = w->t->end = w->at;
	}
	if (!find_after(w)) /* fewer bytes than a block: zeros, or the beginning of a header */
		return false;
	return w->t->after == w->t->size || stop_cut(w);
}

bool tar_walk_all(struct decode *d, struct tar *t)
{
	struct tar_walk w = { .d = d, .t = t };
	bool is_done;

	t->needs = t->end = t->after = t->size;
	is_done = walk(&w);
	if (is_done && w.before.is_of_next)
		note_before(&w, w.before.at, TAR_SAID_OF_NONE);
	if (!decode_has(d, TAR_MEMBERS) || !tell_before(&w))
		return false;
	return members_examine(d, TAR_MEMBERS, &t->members) && tar_follow_links(&w) && is_done;
}

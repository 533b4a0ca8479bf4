/* The bytes of the members of a 7z: each folder is decoded once, when the first of its members
 * is opened as a file or at the end. Source: conformance/spec/archive.md, chapter 3. */
#include "formats/archive/sevenzip/payload.h"

#include "codec/crc32.h"
#include "core/mutant.h"
#include "core/path.h"
#include "formats/archive/members/reparse.h"

/* A split is the way of a folder's bytes to its members. */
struct split {
	struct decode *d;
	const struct sevenzip *z;
	const struct sevenzip_folder *f;
	uint64_t folder, row; /* the member that the next bytes are of */
	uint64_t end;         /* the first row after those of the folder */
	uint64_t in_row;      /* bytes of the member so far */
	uint32_t crc;         /* of these */
	uint32_t whole_crc;   /* of the folder */
	uint8_t *block;       /* for what is kept; NULL: nothing is */
	uint64_t only;        /* the one row whose bytes go to `out`; UINT64_MAX: none */
	uint8_t *out;
};

static struct arc_member *member_of(const struct sevenzip *z, uint64_t row)
{
	return &z->members->rows[row];
}

static bool is_of_folder(const struct split *s, uint64_t row)
{
	return s->z->entries[row].folder == s->folder;
}

static void note(const struct split *s, uint64_t row, unsigned traits)
{
	members_note_payload(s->z->members, member_of(s->z, row), traits | ARC_IS_READ);
}

/* ---- A member -------------------------------------------------------------------------------- */

static void see_what_it_is(const struct split *s, struct arc_member *m)
{
	const uint64_t n = m->size < ARC_SIGNATURE_LEN ? m->size : ARC_SIGNATURE_LEN;
	const struct held first = { s->z->payload->first, n };

	members_note_content(m, first);
	if (n > 0 && arc_is_checked(first))
		s->z->entries[s->row].state |= SEVENZIP_IS_SEEN;
	s->z->members->traits |= m->traits;
}

static void end_member(struct split *s)
{
	struct arc_member *m = member_of(s->z, s->row);
	const bool is_wrong = m->has_crc && s->crc != m->crc;

	see_what_it_is(s, m);
	note(s, s->row, is_wrong ? ARC_WRONG_SUM : 0);
	s->in_row = 0;
	s->crc = 0;
	s->row++;
}

/* Goes to the next member of the folder, over those that have no bytes. */
static void reach_member(struct split *s)
{
	while (s->row < s->end &&
	       (!is_of_folder(s, s->row) || s->in_row == member_of(s->z, s->row)->size))
		if (is_of_folder(s, s->row))
			end_member(s);
		else
			s->row++;
}

/* Where bytes of the member go; NULL: nowhere. */
static uint8_t *place_of(const struct split *s)
{
	const struct sevenzip_entry *e = &s->z->entries[s->row];

	if (s->row == s->only)
		return s->out;
	return s->block && e->state & SEVENZIP_IS_KEPT ? s->block + e->kept_at : NULL;
}

/* The target of a link, as far as it is kept. */
static void take_target(const struct split *s, const uint8_t *bytes, uint64_t n)
{
	const struct sevenzip_entry *e = &s->z->entries[s->row];
	const uint64_t left = s->in_row < SEVENZIP_TARGET_MAX ? SEVENZIP_TARGET_MAX - s->in_row : 0;

	if (e->state & SEVENZIP_IS_LINK && left > 0)
		memcpy(s->z->payload->targets + e->target_at + s->in_row, bytes,
		       (size_t)(n < left ? n : left));
}

static void take_first(const struct split *s, const uint8_t *bytes, uint64_t n)
{
	const uint64_t left = s->in_row < ARC_SIGNATURE_LEN ? ARC_SIGNATURE_LEN - s->in_row : 0;

	if (left > 0)
		memcpy(s->z->payload->first + s->in_row, bytes, (size_t)(n < left ? n : left));
}

static bool take_bytes(void *ctx, const uint8_t *bytes, uint64_t n)
{
	struct split *s = ctx;
	struct held in = { bytes, n };

	if (s->f->has_crc && s->f->n_rows > 1)
		s->whole_crc = crc32_add(s->whole_crc, bytes, n);
	for (reach_member(s); in.len > 0 && s->row < s->end; reach_member(s)) {
		const uint64_t left = member_of(s->z, s->row)->size - s->in_row,
			       take = in.len < left ? in.len : left;
		uint8_t *place = place_of(s);

		take_first(s, in.bytes, take);
		take_target(s, in.bytes, take);
		if (place)
			memcpy(place + s->in_row, in.bytes, (size_t)take);
		s->crc = crc32_add(s->crc, in.bytes, take);
		s->in_row += take;
		in = held_part(in, take, in.len - take);
	}
	return true;
}

/* ---- A folder -------------------------------------------------------------------------------- */

static unsigned trait_of(enum sevenzip_outcome outcome)
{
	return outcome == OUTCOME_SHORT ? ARC_TOO_SHORT : ARC_BROKEN;
}

static uint64_t last_row(const struct split *s)
{
	uint64_t row = s->end - 1;

	while (row > s->f->first_row && !is_of_folder(s, row))
		row--;
	return row;
}

/* A checksum of the folder stands for those members that have none of their own. */
static void check_whole(const struct split *s)
{
	if (!s->f->has_crc || s->f->n_rows < 2 || s->whole_crc == s->f->crc)
		return;
	for (uint64_t i = s->f->first_row; i < s->end; i++)
		if (is_of_folder(s, i) && !member_of(s->z, i)->has_crc)
			note(s, i, ARC_WRONG_SUM);
}

/* What a folder's end means for its members: those that were not reached are lost with it. */
static void settle(struct split *s, const struct sevenzip_unpack *u, enum sevenzip_outcome outcome)
{
	reach_member(s);
	if (outcome == OUTCOME_LONG)
		note(s, last_row(s), ARC_TOO_LONG);
	if (u->is_left_over)
		note(s, last_row(s), ARC_LEFT_OVER);
	if (outcome == OUTCOME_WHOLE)
		check_whole(s);
	for (; s->row < s->end; s->row++)
		if (is_of_folder(s, s->row))
			note(s, s->row, trait_of(outcome));
}

/* Decodes a folder; false: memory, work or the input ended, or libarchive does not know it,
 * which is noted. */
static bool decode_folder(struct split *s)
{
	struct sevenzip_payload *p = s->z->payload;
	struct sevenzip_unpack u = { .d = s->d,
				     .group = SEVENZIP_PAYLOAD,
				     .streams = &s->z->streams,
				     .folder = s->f,
				     .sink = take_bytes,
				     .ctx = s };
	enum sevenzip_outcome outcome;

	s->row = s->f->first_row;
	s->end = sevenzip_rows_end(s->z, s->folder);
	outcome = sevenzip_unpack(&u);
	if (outcome == OUTCOME_FAILED)
		return false;
	if (outcome == OUTCOME_LACKS) {
		p->folders[s->folder] |= FOLDER_IS_SKIPPED;
		return decode_stop_codec(s->d, SEVENZIP_CONTENT, "decoder for this chain of coders",
					 s->f->packed);
	}
	settle(s, &u, outcome);
	p->folders[s->folder] |= FOLDER_IS_READ;
	return true;
}

static struct split begin(const struct sevenzip *z, struct decode *d, uint64_t folder)
{
	return (struct split){
		.d = d, .z = z, .f = &z->folders[folder], .folder = folder, .only = UINT64_MAX
	};
}

/* ---- As the engine asks ---------------------------------------------------------------------- */

bool sevenzip_is_stored(const struct sevenzip *z, uint64_t row)
{
	const uint32_t folder = z->entries[row].folder;

	return folder == UINT32_MAX || z->folders[folder].traits & FOLDER_STORED;
}

bool sevenzip_may_open(const struct sevenzip *z, uint64_t row)
{
	const uint32_t folder = z->entries[row].folder;
	const struct arc_member *m = member_of(z, row);

	if (m->kind != ARC_FILE || z->groups[SEVENZIP_PAYLOAD].why != STOP_NOT)
		return false;
	if (folder == UINT32_MAX)
		return true;
	if (sevenzip_is_stored(z, row) && m->size > m->packed)
		return false; /* its folder has fewer bytes than it should */
	return !(z->payload->folders[folder] & FOLDER_IS_SKIPPED);
}

/* Decodes a folder for a file that is opened: what that takes, and gives back, is memory of that
 * file's. */
static bool decode_into(struct split *s, struct arena *arena)
{
	struct arena *const own = s->d->arena;
	bool is_done;

	s->d->arena = arena;
	is_done = decode_folder(s);
	s->d->arena = own;
	return is_done;
}

/* Decodes a folder with all that is kept of it; NULL: that failed. */
static uint8_t *block_of(const struct sevenzip *z, struct decode *d, uint64_t folder,
			 struct arena *arena)
{
	struct sevenzip_payload *p = z->payload;
	struct split s = begin(z, d, folder);

	if (p->block_folder == folder)
		return p->block;
	if (!p->block)
		p->block = decode_alloc(d, SEVENZIP_PAYLOAD, p->block_size, 1);
	if (!p->block)
		return NULL;
	p->block_folder = UINT64_MAX;
	s.block = p->block;
	if (!decode_into(&s, arena))
		return NULL;
	p->block_folder = folder;
	return p->block;
}

static uint8_t *kept_of(const struct sevenzip *z, struct decode *d, uint64_t row,
			struct arena *arena)
{
	uint8_t *block = block_of(z, d, z->entries[row].folder, arena);

	return block ? block + z->entries[row].kept_at : NULL;
}

/* Decodes a folder for one of its members. */
static uint8_t *open_alone(const struct sevenzip *z, struct decode *d, uint64_t row,
			   struct arena *arena)
{
	const struct arc_member *m = member_of(z, row);
	struct split s = begin(z, d, z->entries[row].folder);

	s.only = row;
	s.out = arena_alloc(arena, m->size, 1);
	return s.out && decode_into(&s, arena) ? s.out : NULL;
}

/* A member that nobody counted among those that are kept is a compressed file of its own. */
static bool may_take(const struct sevenzip *z, struct decode *d, uint64_t row)
{
	const struct sevenzip_folder *f = &z->folders[z->entries[row].folder];

	if (z->entries[row].state & SEVENZIP_IS_KEPT)
		return true;
	d->unpacked = 0;
	return decode_may_unpack(d, SEVENZIP_CONTENT, member_of(z, row)->size, f->packed);
}

/* The block may be in use by the file beside which another is opened, and so it is not replaced
 * then. */
static bool is_in_block(const struct sevenzip *z, uint64_t row, bool is_beside)
{
	const struct sevenzip_entry *e = &z->entries[row];

	return e->state & SEVENZIP_IS_KEPT && z->folders[e->folder].n_kept > 1 &&
	       (!is_beside || z->payload->block_folder == e->folder);
}

const uint8_t *sevenzip_open(const void *facts, struct decode *d, const struct nested *n,
			     struct arena *arena)
{
	const struct sevenzip *z = facts;
	const struct sevenzip_entry *e = &z->entries[n->row];
	const bool is_beside = z->payload->beside == n->row;
	const uint8_t *bytes;

	z->payload->beside = UINT64_MAX;
	d->is_undecodable = !sevenzip_may_open(z, n->row) || !may_take(z, d, n->row);
	if (d->is_undecodable)
		return NULL;
	bytes = is_in_block(z, n->row, is_beside) ? kept_of(z, d, n->row, arena)
						  : open_alone(z, d, n->row, arena);
	d->is_undecodable = (!bytes && z->payload->folders[e->folder] & FOLDER_IS_SKIPPED) ||
			    member_of(z, n->row)->payload &
				    (ARC_BROKEN | ARC_TOO_SHORT | ARC_TOO_LONG);
	return d->is_undecodable ? NULL : bytes;
}

static bool is_unread(const struct sevenzip *z, uint64_t folder)
{
	return z->folders[folder].n_rows > 0 && z->payload->folders &&
	       z->payload->folders[folder] == 0;
}

/* The targets of links, which say where these lead. */
static bool read_target(const struct sevenzip *z, struct decode *d, uint64_t row)
{
	struct arc_member *m = member_of(z, row);
	const struct held target = { z->payload->targets + z->entries[row].target_at,
				     m->size < SEVENZIP_TARGET_MAX ? m->size
								   : SEVENZIP_TARGET_MAX };
	uint32_t unused = 0;

	/* with a wrong checksum too: programs make the link, and then say so */
	if (!(m->payload & ARC_IS_READ) || m->payload & (ARC_BROKEN | ARC_TOO_SHORT))
		return true;
	if (m->kind != ARC_SYMLINK)
		return members_note_reparse(d, SEVENZIP_PAYLOAD, z->members, m, target);
	if (!members_name(d, SEVENZIP_PAYLOAD, target, 0, ARC_UNSAID, &unused, &m->target))
		return false;
	members_note_target(z->members, m, m->size <= SEVENZIP_TARGET_MAX);
	return true;
}

static bool read_targets(const struct sevenzip *z, struct decode *d)
{
	for (uint64_t i = 0; z->payload->n_links > 0 && i < z->members->n; i++)
		if (z->entries[i].state & SEVENZIP_IS_LINK && !read_target(z, d, i))
			return false;
	return members_follow_targets(d, SEVENZIP_PAYLOAD, z->members);
}

void sevenzip_finish(const void *facts, struct decode *d)
{
	const struct sevenzip *z = facts;

	for (uint64_t i = 0; decode_has(d, SEVENZIP_PAYLOAD) && i < z->n_folders; i++) {
		struct split s = begin(z, d, i);

		if (is_unread(z, i) && !decode_folder(&s) && !decode_has(d, SEVENZIP_PAYLOAD))
			break;
	}
	if (decode_has(d, SEVENZIP_PAYLOAD))
		sevenzip_plan_late(d, z);
	if ((!decode_has(d, SEVENZIP_PAYLOAD) || !read_targets(z, d)) &&
	    decode_has(d, SEVENZIP_CONTENT))
		decode_stop_with(d, SEVENZIP_CONTENT, SEVENZIP_PAYLOAD);
}

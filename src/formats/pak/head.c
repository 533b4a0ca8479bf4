/* The index up to its records: mount point and count of files; since version 10 where its further
 * parts are, and the records. */
#include "formats/pak/parts.h"

#include "core/path.h"
#include "formats/blocks/index_string.h"

/* ---- The mount point ------------------------------------------------------------------------- */

static bool read_mount(struct decode *d, struct pak *p, struct cursor *c)
{
	struct pak_broken broken = { .how = PAK_BROKEN_MOUNT,
				     .what = "the length of the mount point",
				     .at = cursor_at(c),
				     .row = UINT64_MAX };
	struct path path;

	p->mount_at = cursor_at(c);
	if (!index_string_read(c, &p->mount, &p->mount_length)) {
		broken.count = p->mount_length;
		return pak_stop_broken(d, PAK_HEAD, &p->index, c, broken);
	}
	path_examine_at(&p->mount, &path);
	p->mount_traits = path.traits;
	return true;
}

/* The fewest bytes of a file in a legacy index: an empty name and a record. */
static uint64_t least_file(const struct pak *p)
{
	return INDEX_STRING_HEAD + pak_record_len(p->context, 0, 0);
}

static bool read_count(struct decode *d, struct pak *p, struct cursor *c)
{
	struct pak_broken broken = { .how = PAK_BROKEN_COUNT,
				     .what = "the count of files",
				     .at = cursor_at(c),
				     .row = UINT64_MAX };

	p->count_at = broken.at;
	if (!pak_take_number(c, &p->count))
		return pak_stop_broken(d, PAK_HEAD, &p->index, c, broken);
	broken.count = p->count;
	if (p->count < 0 ||
	    (p->tail.version < PAK_PATH_HASH && !cursor_fits(c, (uint64_t)p->count, least_file(p))))
		return pak_stop_broken(d, PAK_HEAD, &p->index, c, broken);
	p->entries_at = c->pos;
	return true;
}

/* ---- Since version 10 ------------------------------------------------------------------------ */

static bool read_place(struct cursor *c, struct pak_part *part)
{
	struct pak_place place;
	struct held hash;

	part->place_at = (uint32_t)c->pos;
	if (!pak_place_read(c, 0, &place))
		return false;
	part->flag = place.is_there;
	part->is_there = place.is_there != 0 && place.offset != UINT64_MAX;
	part->at = (struct span){ place.offset, place.size };
	if (!part->is_there)
		return true;
	hash = cursor_part(c, cursor_at(c) - SHA1_LEN, SHA1_LEN);
	memcpy(part->hash, hash.bytes, sizeof part->hash);
	return true;
}

static bool read_places(struct decode *d, struct pak *p, struct cursor *c)
{
	const struct pak_broken broken = { .how = PAK_BROKEN_PLACES,
					   .what = "the places of its parts",
					   .at = cursor_at(c),
					   .row = UINT64_MAX };

	if (!cursor_u64(c, &p->seed) || !read_place(c, &p->path_hashes) ||
	    !read_place(c, &p->directory))
		return pak_stop_broken(d, PAK_HEAD, &p->index, c, broken);
	if (!p->path_hashes.is_there && !p->directory.is_there)
		return pak_stop_broken(d, PAK_HEAD, &p->index, c, broken);
	return true;
}

static bool read_encoded(struct decode *d, struct pak *p, struct cursor *c)
{
	struct pak_broken broken = { .how = PAK_BROKEN_ENCODED,
				     .what = "the length of the encoded records",
				     .at = cursor_at(c),
				     .row = UINT64_MAX };

	if (!pak_take_number(c, &broken.count) || broken.count < 0)
		return pak_stop_broken(d, PAK_HEAD, &p->index, c, broken);
	p->encoded_at = c->pos;
	if (!held_take(c, (uint64_t)broken.count, &p->encoded))
		return pak_stop_broken(d, PAK_HEAD, &p->index, c, broken);
	return true;
}

/* Records whose numbers do not fit into an encoded one. */
static bool read_plain(struct decode *d, struct pak *p, struct cursor *c)
{
	struct pak_broken broken = { .how = PAK_BROKEN_COUNT,
				     .what = "the count of records that are not encoded",
				     .at = cursor_at(c),
				     .row = UINT64_MAX };
	uint32_t *plain;
	struct pak_entry e;
	bool ends_in_number;

	if (!pak_take_number(c, &broken.count) || broken.count < 0 ||
	    !cursor_fits(c, (uint64_t)broken.count, pak_record_len(p->context, 0, 0)))
		return pak_stop_broken(d, PAK_HEAD, &p->index, c, broken);
	if ((uint64_t)broken.count > d->limits->of[LIMIT_entries])
		return decode_stop_limit(d, PAK_HEAD, LIMIT_entries, p->index.at);
	plain = decode_alloc(d, PAK_HEAD, (uint64_t)broken.count, sizeof *plain);
	if (!plain || !decode_spend(d, PAK_HEAD, (uint64_t)broken.count))
		return false;
	for (uint64_t i = 0; i < (uint64_t)broken.count; i++) {
		plain[i] = (uint32_t)c->pos;
		broken.row = i;
		broken.what = "a record that is not encoded";
		if (!pak_entry_read(p, c->pos, &e, &ends_in_number))
			return pak_stop_broken(d, PAK_HEAD, &p->index, c, broken);
		/* no real file shows where such a record has its vector */
		if (pak_is_flat(p) && e.flags & PAK_FLAG_ENCRYPTED)
			return decode_stop_key(d, PAK_HEAD, PAK_LAYOUT_UNKNOWN, p->index.at);
		c->pos = e.end;
	}
	p->plain = plain;
	p->n_plain = (uint64_t)broken.count;
	return true;
}

bool pak_read_head(struct decode *d, struct pak *p)
{
	struct cursor c = cursor_init(p->index.held.bytes, p->index.held.len, p->index.at.at);

	if (!read_mount(d, p, &c) || !read_count(d, p, &c))
		return false;
	if (p->tail.version < PAK_PATH_HASH)
		return true;
	if (!read_places(d, p, &c) || !read_encoded(d, p, &c) || !read_plain(d, p, &c))
		return false;
	p->index.n_left = cursor_left(&c);
	return true;
}

/* All members: each looked at by itself, then together, and summed up. */
#include "formats/archive/members/members.h"

#include <string.h>

#include "core/checked.h"
#include "core/path.h"
#include "formats/archive/members/keys.h"

/* Members that swell are worth a note from this size and this factor on. */
#define SWELLS_FROM ((uint64_t)1048576)
#define SWELLS_TIMES 200u

bool members_swell(uint64_t size, uint64_t packed)
{
	return size > SWELLS_FROM && packed > 0 && (size - 1) / SWELLS_TIMES >= packed;
}

static void look_at_link(struct arc_member *m)
{
	if (m->target.ref.n_units > 0 && members_link_leaves(m))
		m->traits |= ARC_LINK_OUT;
}

void members_note_target(struct members *m, struct arc_member *member, bool is_whole)
{
	look_at_link(member);
	if (!is_whole)
		member->traits |= ARC_LINK_OUT;
	m->traits |= member->traits;
}

static void sum_up(struct members *m)
{
	m->traits = 0;
	m->n_files = m->total = 0;
	for (uint64_t i = 0; i < m->n; i++) {
		const struct arc_member *row = &m->rows[i];

		m->traits |= row->traits;
		m->n_files += row->kind != ARC_DIRECTORY;
		m->total = capped_add(m->total, row->size);
	}
}

static bool look_at_all(struct decode *d, uint32_t group, struct name_index *k)
{
	for (uint32_t i = 0; i < k->m->n; i++) {
		struct arc_member *row = &k->m->rows[i];

		if (!decode_goes_on(d, group, i))
			return false;
		k->hashes[i] = members_look_at(row);
		k->has_unlike = k->has_unlike || member_name_is_unlike(row->name);
		k->has_number = k->has_number || member_name_has_number(row->name);
		k->n_undeclared += member_is_undeclared(row);
		look_at_link(row);
		if (row->kind == ARC_FILE && members_swell(row->size, row->packed))
			row->traits |= ARC_SWELLS;
	}
	return true;
}

bool members_examine(struct decode *d, uint32_t group, struct members *m)
{
	struct name_index *k = decode_alloc(d, group, 1, sizeof *k);
	uint32_t *hashes = decode_alloc(d, group, m->n, sizeof *hashes);
	struct arena_mark mark;
	bool is_done;

	if (!k || !hashes)
		return false;
	*k = (struct name_index){ .m = m, .hashes = hashes };
	is_done = decode_spend(d, group, m->n) && look_at_all(d, group, k) &&
		  member_keys_make(d, group, k);
	mark = arena_mark(d->arena);
	is_done = is_done && members_find_relatives(d, group, k) &&
		  members_find_crossings(d, group, k) && members_find_alike(d, group, k) &&
		  members_find_short(d, group, k);
	arena_rewind(d->arena, mark);
	k->is_ordered = false; /* its rows went with the rest */
	m->index = is_done ? k : NULL;
	sum_up(m);
	return is_done;
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

enum arc_kind arc_mode_kind(uint64_t mode)
{
	enum { MODE_KIND = 0170000 };

	switch (mode & MODE_KIND) {
	case 0040000:
		return ARC_DIRECTORY;
	case 0120000:
		return ARC_SYMLINK;
	case 0020000:
		return ARC_CHARACTER_DEVICE;
	case 0060000:
		return ARC_BLOCK_DEVICE;
	case 0010000:
		return ARC_FIFO;
	case 0140000:
		return ARC_SOCKET;
	default:
		return ARC_FILE;
	}
}

/* ---- Files beside a member ------------------------------------------------------------------- */

/* How many units of a name stand before its last part, with the separator. */
static uint32_t folder_units(struct text name)
{
	uint32_t n = name.ref.n_units;

	while (n > 0 && !path_is_separator(text_unit(name, n - 1)))
		n--;
	return n;
}

static bool are_beside(const struct members *m, uint64_t a, uint64_t b)
{
	const struct text x = member_key(m->index, a), y = member_key(m->index, b);

	const struct text of_x = text_sub(x, 0, folder_units(x)),
			  of_y = text_sub(y, 0, folder_units(y));

	return member_keys_compare(of_x, of_y) == 0;
}

uint64_t members_next_beside(const struct members *m, uint64_t of, uint64_t *row)
{
	enum { BESIDE_MAX = 4096 };

	while (m->n <= BESIDE_MAX && *row < m->n) {
		const uint64_t i = (*row)++;

		if (i != of && m->rows[i].kind == ARC_FILE && !m->rows[i].is_replaced &&
		    are_beside(m, i, of))
			return i;
	}
	return MEMBER_NONE;
}

/* A name in the folder of another. That of a file beside a file is ASCII, or bytes that are
 * compared as such. */
static bool put_beside(struct decode *d, uint32_t group, struct text of, const char *name,
		       struct text *out)
{
	const struct text folder = text_sub(of, 0, folder_units(of));
	const uint64_t len = strlen(name), width = text_width(folder.ref.encoding),
		       before = folder.ref.n_units * width;
	uint8_t *bytes = decode_alloc(d, group, before + len * width, 1);

	if (!bytes)
		return false;
	memcpy(bytes, folder.data, (size_t)before);
	for (uint64_t i = 0; i < len * width; i++)
		bytes[before + i] = i % width == 0 ? (uint8_t)name[i / width] : 0;
	*out = folder;
	out->data = bytes;
	out->ref.n_units += (uint32_t)len;
	return true;
}

static bool is_file_or_link(const struct arc_member *m)
{
	return m->kind == ARC_FILE || m->kind == ARC_SYMLINK || m->kind == ARC_HARD_LINK;
}

uint64_t members_find(struct decode *d, uint32_t group, const struct members *m, uint64_t of,
		      const char *name, bool any_case)
{
	struct text key, path;
	uint32_t hash;
	uint64_t row;

	if (!m->index || !member_keys_order(d, group, m->index) ||
	    !put_beside(d, group, member_key(m->index, of), name, &key) ||
	    !put_beside(d, group, m->rows[of].name, name, &path))
		return MEMBER_NONE;
	hash = path_examine(key).hash;
	row = member_keys_find(m->index, hash, key, &path);
	if (row == MEMBER_NONE)
		row = member_keys_find(m->index, hash, key, NULL);
	if (row == MEMBER_NONE || !is_file_or_link(&m->rows[row]))
		return MEMBER_NONE;
	return any_case || member_spelling_compare(member_key(m->index, row), key) == 0
		       ? row
		       : MEMBER_NONE;
}

uint64_t members_find_before(struct decode *d, uint32_t group, const struct members *m,
			     struct text name, uint64_t before)
{
	struct text key;

	if (!m->index || !member_keys_order(d, group, m->index) ||
	    !member_key_of(d, group, name, &key))
		return MEMBER_NONE;
	return member_keys_find_before(m->index, path_examine(key).hash, key, name, before);
}

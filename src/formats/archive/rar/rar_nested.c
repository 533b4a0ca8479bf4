/* The members that are checked as files of their own. */
#include "core/path.h"
#include "formats/archive/rar/rar_payload.h"

bool rar_is_promised(const struct rar *r, uint64_t row)
{
	const struct arc_member *m = &r->members->rows[row];

	return m->kind == ARC_FILE && format_is_opened(path_extension(m->name));
}

static bool has_place(const struct rar *r, uint64_t row)
{
	const struct arc_member *m = &r->members->rows[row];

	return r->entries[row].traits & RAR_STORED && m->packed == m->size;
}

/* Compressed bytes are payload, which not every level asks for. */
static bool may_open(const struct rar *r, const struct decode *d, uint64_t row)
{
	if (r->members->rows[row].kind != ARC_FILE || !rar_is_openable(r, row))
		return false;
	return has_place(r, row) ||
	       (d->level != LEVEL_STRUCTURE && !(r->entries[row].traits & RAR_STORED));
}

/* false: its bytes cannot be had. */
static bool describe(const struct rar *r, const struct decode *d, uint64_t row, struct nested *out)
{
	const struct arc_member *m = &r->members->rows[row];

	const bool is_there = may_open(r, d, row);

	*out = (struct nested){ .name = m->name,
				.is_listed = true,
				.is_seen = r->entries[row].traits & RAR_SEEN,
				.row = row,
				.span = rar_packed(m) };
	if (is_there && has_place(r, row))
		return true;
	out->decoded = true;
	out->content = m;
	out->span = (struct span){ 0, m->size };
	return is_there;
}

static bool has_members(const struct decode *d)
{
	return decode_has(d, RAR_MEMBERS);
}

/* A .pak may belong to a container, which is checked before it. */
static bool is_part(const struct arc_member *m)
{
	return text_ends(m->name, ".pak");
}

/* What stands in its first bytes is known late of a compressed member. */
static bool is_next(const struct rar *r, uint64_t row, const struct nested_walk *w)
{
	const uint64_t traits = r->entries[row].traits;
	const bool is_promised = rar_is_promised(r, row),
		   is_late = !(traits & RAR_STORED) && !is_promised;

	return is_part(&r->members->rows[row]) == (w->file == 1) && is_late == w->is_late &&
	       !(traits & RAR_CLAIMED) && (traits & RAR_SEEN || is_promised);
}

/* First what may have parts beside it, then what may be such a part. */
static bool next_file(const void *facts, const struct decode *d, struct nested_walk *w,
		      struct nested *out)
{
	const struct rar *r = facts;

	for (; has_members(d) && w->file < 2; w->file++, w->row = 0)
		while (w->row < r->members->n) {
			const uint64_t row = w->row++;

			if (is_next(r, row, w) && describe(r, d, row, out))
				return true;
		}
	return false;
}

static const uint8_t *open_file(const void *facts, struct decode *d, const struct nested *n,
				struct arena *arena)
{
	const struct rar *r = facts;
	uint8_t *out;

	d->is_undecodable = !may_open(r, d, n->row);
	if (d->is_undecodable)
		return NULL;
	if (r->work->kept && r->work->kept[n->row])
		return r->work->kept[n->row];
	d->is_undecodable = n->span.len > decode_unpack_max(d, r->members->rows[n->row].packed);
	if (d->is_undecodable)
		return NULL;
	out = arena_alloc(arena, n->span.len, 1);
	if (!out)
		return NULL;
	if (!rar_has_bytes(r, n->row) || rar_open_run(r, d, n->row, out, arena))
		return out;
	d->is_undecodable = decode_has(d, RAR_PAYLOAD);
	return NULL;
}

static bool find_beside(const void *facts, struct decode *d, const struct nested *of,
			const char *name, bool any_case, struct nested *out)
{
	const struct rar *r = facts;
	const uint64_t row = members_find(d, RAR_MEMBERS, r->members, of->row, name, any_case);

	if (row == MEMBER_NONE)
		return false;
	/* one whose bytes cannot be had is there all the same, and open_file says so */
	(void)describe(r, d, row, out);
	return true;
}

static void claim(const void *facts, const struct nested *n)
{
	((const struct rar *)facts)->entries[n->row].traits |= RAR_CLAIMED;
}

static bool next_beside(const void *facts, const struct decode *d, const struct nested *of,
			struct nested_walk *w, struct nested *out)
{
	const struct rar *r = facts;
	uint64_t row;

	do
		row = members_next_beside(r->members, of->row, &w->row);
	while (row != MEMBER_NONE && !describe(r, d, row, out));
	return row != MEMBER_NONE;
}

const struct nested_files rar_nested_files = { .next = next_file,
					       .finds_late = true,
					       .open = open_file,
					       .beside = find_beside,
					       .claim = claim,
					       .next_beside = next_beside };

/* Files of versions before 10: a path and a whole record each, one after the other. */
#include "formats/pak/parts.h"

static bool make_rows(struct decode *d, struct pak *p)
{
	const uint64_t n = (uint64_t)p->count;

	if (n > d->limits->of[LIMIT_entries])
		return decode_stop_limit(d, PAK_ENTRIES, LIMIT_entries, p->index.at);
	p->files = decode_alloc(d, PAK_ENTRIES, n, sizeof *p->files);
	p->by_offset = decode_alloc(d, PAK_ENTRIES, n, sizeof *p->by_offset);
	return p->files && p->by_offset && decode_spend(d, PAK_ENTRIES, 2 * n);
}

/* Reads file i at c; false: the index ends before it does. */
static bool read_file(struct pak *p, struct cursor *c, struct pak_file *row, uint32_t *hash)
{
	struct text path;
	bool is_plain;
	int64_t length;
	uint64_t end;

	*row = (struct pak_file){ .name = (uint32_t)c->pos, .directory = PAK_NONE };
	if (!pak_take_name(p, false, c, &path, &length))
		return false;
	*hash = pak_quick_hash(&path, &row->traits, &is_plain);
	if (!is_plain)
		pak_note(p, PAK_NAME_UNUSUAL, (uint64_t)(row - p->files));
	row->record = (uint32_t)c->pos;
	pak_judge_record(p, row, &end);
	p->file_traits |= row->traits;
	c->pos = end;
	return !(row->traits & PAK_RECORD_TRUNCATED);
}

static bool read_all(struct decode *d, struct pak *p, uint32_t *hashes)
{
	struct cursor c = cursor_init(p->index.held.bytes, p->index.held.len, p->index.at.at);
	struct pak_broken broken = { .how = PAK_BROKEN_COUNT, .what = "a file", .count = p->count };

	c.pos = p->entries_at;
	for (uint64_t i = 0; i < (uint64_t)p->count; i++) {
		broken.at = cursor_at(&c);
		broken.row = i;
		if (!decode_goes_on(d, PAK_ENTRIES, i))
			return false;
		if (!read_file(p, &c, &p->files[i], &hashes[i])) {
			p->file_traits = 0;
			return pak_stop_broken(d, PAK_ENTRIES, &p->index, &c, broken);
		}
	}
	p->n_files = (uint64_t)p->count;
	p->index.n_left = cursor_left(&c);
	return true;
}

bool pak_read_legacy(struct decode *d, struct pak *p)
{
	struct arena_mark mark;
	struct pak_hashes same = { .whole = NULL };
	uint32_t *hashes;
	bool done;

	p->has_paths = true;
	p->names = p->index.held;
	p->names_at = p->index.at.at;
	if (!make_rows(d, p))
		return false;
	mark = arena_mark(d->arena);
	hashes = decode_alloc(d, PAK_ENTRIES, (uint64_t)p->count, sizeof *hashes);
	done = hashes && read_all(d, p, hashes);
	same.suspects = hashes;
	if (done && !pak_find_same(d, p, &same))
		decode_stop(d, PAK_NAMES, STOP_MEMORY, (struct span){ 0, 0 });
	arena_rewind(d->arena, mark);
	return done;
}

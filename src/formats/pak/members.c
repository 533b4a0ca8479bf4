/* The files of an archive that are judged as files of their own. */
#include <string.h>

#include "core/mutant.h"
#include "formats/pak/payload.h"

static bool has_place(const struct pak_entry *e)
{
	return e->method == 0 && !pak_is_encrypted(e);
}

/* The whole path of a file if it is short and of ASCII, or else the last component. */
static struct text label_of(const struct pak *p, const struct pak_file *row)
{
	char *label = p->content.label;
	const size_t n = pak_file_path(p, row, label, PAK_LABEL);
	bool is_plain = n < PAK_LABEL - 1;

	for (size_t i = 0; i < n && is_plain; i++)
		is_plain = (unsigned char)label[i] < 0x80;
	return is_plain ? text_from(label) : pak_file_name(p, row);
}

static void name_file(const struct pak *p, const struct pak_file *row, const struct pak_entry *e,
		      struct nested *out)
{
	*out = (struct nested){ .name = label_of(p, row), .span = pak_stored(e) };
	if (has_place(e))
		return;
	out->decoded = true;
	out->content = row;
	out->span = (struct span){ 0, e->whole };
}

static bool next_file(const void *facts, const struct decode *d, struct nested_walk *walk,
		      struct nested *out)
{
	const struct pak *p = facts;

	(void)d;
	if (!p->content.label)
		return false;
	while (walk->file < p->n_files) {
		const struct pak_file *row = &p->files[walk->file++];

		if (row->traits & PAK_OPENABLE) {
			const struct pak_entry e = pak_entry_of(p, row);

			name_file(p, row, &e, out);
			return true;
		}
	}
	return false;
}

/* The check of the content has decoded these blocks. */
static bool decode_file(struct pak_worker *w, const struct pak_entry *e, uint8_t *out)
{
	struct pak_pieces walk = { .n = 0 };
	uint64_t done = 0;
	struct block b;

	while (pak_next_block(w->check->p, e, &walk, &b)) {
		enum block_defect defect;
		const uint8_t *bytes = block_reader_decode(&w->reader, w->check->d->source, &b,
							   span_end(pak_stored(e)), &defect);

		if (!bytes || NEVER(b.size > e->whole - done))
			return false;
		memcpy(out + done, bytes, (size_t)b.size);
		done += b.size;
	}
	return done == e->whole;
}

static const uint8_t *decode_with(struct pak_check *c, const struct pak_entry *e, uint8_t *out)
{
	struct pak_pieces walk = { .n = 0 };
	struct pak_worker *w;
	struct block b;
	bool done;

	while (pak_next_block(c->p, e, &walk, &b))
		block_needs_add(&c->needs, &b);
	if (!decode_spend(c->d, PAK_PAYLOAD,
			  block_work(c->needs.read + c->needs.decoded) + walk.n + 1))
		return NULL;
	w = decode_alloc(c->d, PAK_PAYLOAD, 1, sizeof *w);
	if (!w || !pak_open_worker(c, PAK_PAYLOAD, 1, w))
		return NULL;
	done = decode_file(w, e, out);
	arena_count(c->d->arena, w->reader.arena.peak);
	block_reader_close(&w->reader);
	return done ? out : NULL;
}

/* Copies keep the facts, and the stops, as the rules saw them, and take all memory from the arena
 * of the file that is opened. They are too long for the stack, which has the frames of who asks for
 * the file, too. */
struct copies {
	struct pak p;
	struct decode d;
};

static const uint8_t *open_file(const void *facts, struct decode *d, const struct nested *n,
				struct arena *arena)
{
	/* mutant: the last byte of a file has no place */
	uint8_t *out = arena_alloc(arena, n->span.len - (uint64_t)MUTANT(309), 1);
	const struct arena_mark mark = arena_mark(arena);
	struct copies *own = arena_alloc(arena, 1, sizeof *own);
	const uint8_t *bytes = NULL;

	if (out && own) {
		struct pak_check c = { .d = &own->d, .p = &own->p };
		const struct pak_entry e = pak_entry_of(facts, n->content);

		own->p = *(const struct pak *)facts;
		own->d = *d;
		own->d.arena = arena;
		bytes = decode_with(&c, &e, out);
		d->work = own->d.work;
	}
	arena_rewind(arena, mark);
	return bytes;
}

const struct nested_files pak_nested_files = { .next = next_file, .open = open_file };

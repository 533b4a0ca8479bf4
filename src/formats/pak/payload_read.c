/* Reading a file of an archive: its bytes are hashed as they are stored, and decoded. */
#include <string.h>

#include "core/package_tag.h"
#include "formats/pak/payload.h"

bool pak_is_legacy(struct held bytes)
{
	return bytes.len >= PAK_TAG_LEN && held_u32(bytes, 0) == PACKAGE_TAG;
}

/* The marks of a file that begins so. */
static uint32_t marks_of(struct held bytes)
{
	if (pak_is_legacy(bytes))
		return PAK_MARK_LEGACY | PAK_MARK_TAGGED;
	return bytes.len >= PAK_TAG_LEN && held_u32(bytes, 0) == PACKAGE_TAG_SWAPPED
		       ? PAK_MARK_TAGGED
		       : 0u;
}

static const uint32_t traits_of[] = {
	[BLOCK_SOUND] = 0,
	[BLOCK_LEFT_OVER] = PAK_STREAM_LEFT_OVER,
	[BLOCK_SHORT] = PAK_STREAM_SHORT,
	[BLOCK_LONG] = PAK_STREAM_LONG,
	[BLOCK_BROKEN] = PAK_STREAM_BROKEN,
};

/* Adds what is stored of a file up to offset `end` to its hash, which has it up to *from. */
static void hash_up_to(struct pak_worker *w, struct digest *g, uint64_t *from, uint64_t end)
{
	while (*from < end && pak_worker_runs(w)) {
		const uint64_t left = end - *from, n = left < BLOCK_WINDOW ? left : BLOCK_WINDOW;
		const uint8_t *bytes = block_reader_stored(&w->reader, w->check->d->source,
							   (struct span){ *from, n }, w->until);

		if (bytes)
			digest_add(g, bytes, n);
		*from += n;
	}
}

static bool is_right(const struct pak_worker *w, struct digest *g)
{
	uint8_t computed[DIGEST_LEN];

	digest_end(g, computed);
	return memcmp(computed, w->hash, sizeof computed) == 0;
}

/* A hash of zeros says nothing of the bytes, nor do two hashes that differ. */
static bool has_hash(const struct pak_worker *w)
{
	return w->is_agreed && !held_is_zero((struct held){ w->hash, sizeof w->hash });
}

/* Adds what is known of a block; the first of the gravest is the one that is told. */
static void note_block(struct pak_payload *row, enum block_defect defect, uint64_t number)
{
	const uint32_t traits = traits_of[defect];

	if (traits & ~row->traits)
		row->block = (uint32_t)number;
	row->traits |= traits;
}

/* Keeps what a file begins with; of several blocks each may have fewer bytes than a tag. */
static void keep_first(struct pak_worker *w, struct held block)
{
	for (uint64_t i = 0; i < block.len && w->n_first < PAK_TAG_LEN; i++)
		w->first[w->n_first++] = (uint8_t)held_u8(block, i);
}

/* Decodes the blocks of a file and hashes them on the way, so that both read the same window. */
static void read_blocks(struct pak_worker *w, const struct pak_entry *e, struct digest *g,
			uint64_t *hashed)
{
	const struct pak *p = w->check->p;
	const uint64_t end = span_end(pak_stored(e));
	struct pak_pieces walk = { .n = 0 };
	struct block b;

	while (pak_worker_runs(w) && !(w->row->traits & PAK_STREAM_DEFECTS) &&
	       pak_next_block(p, e, &walk, &b)) {
		enum block_defect defect;
		const struct span all = { b.offset, block_read_len(&b) };
		const uint8_t *bytes;

		/* the window has all of it when it is hashed, and still when it is decoded */
		(void)block_reader_stored(&w->reader, w->check->d->source, all, w->until);
		hash_up_to(w, g, hashed, span_end(all) < end ? span_end(all) : end);
		if (!pak_worker_runs(w))
			break;
		bytes = block_reader_decode(&w->reader, w->check->d->source, &b, w->until, &defect);
		note_block(w->row, defect, walk.n - 1);
		if (bytes)
			keep_first(w, (struct held){ bytes, b.size });
		if (e->method == 0) /* what lies in it is judged as a file of its own */
			break;
	}
}

/* Decodes a file as far as it can be, and compares its hash. */
static void read_bytes(struct pak_worker *w, const struct pak_entry *e, enum pak_kind kind)
{
	const bool hashes = w->check->can_hash && has_hash(w);
	struct pak_payload *row = w->row;
	uint64_t hashed = pak_stored(e).at;
	UVET_FILLED_LATER struct digest g;

	digest_start(&g, hashes ? DIGEST_SHA1 : DIGEST_NONE);
	if (!(row->traits & PAK_MARK_UNDECODED) && pak_needs_decoding(e, kind)) {
		read_blocks(w, e, &g, &hashed);
		if (pak_may_be_package(kind))
			row->traits |= marks_of((struct held){ w->first, w->n_first });
		if (!(row->traits & PAK_STREAM_DEFECTS))
			row->traits |= PAK_MARK_DECODED;
	}
	if (!hashes)
		return;
	hash_up_to(w, &g, &hashed, span_end(pak_stored(e)));
	row->traits |= is_right(w, &g) ? PAK_MARK_HASH : PAK_HASH_DIFFERS;
}

void pak_check_file(struct pak_worker *w, struct pak_payload *row)
{
	const struct pak *p = w->check->p;
	const struct pak_file *file = &p->files[row->file];
	const struct pak_entry e = pak_entry_of(p, file);

	w->row = row;
	w->n_first = 0;
	row->traits |= pak_compare_header(w, &e) ? PAK_MARK_HEADER : PAK_HEADER_DIFFERS;
	if (pak_worker_runs(w))
		read_bytes(w, &e, pak_kind_of(p, file));
}

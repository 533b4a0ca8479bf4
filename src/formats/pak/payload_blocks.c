/* The blocks of an archive's files, as they are read. */
#include "core/path.h"
#include "formats/pak/payload.h"

enum pak_kind pak_kind_of(const struct pak *p, const struct pak_file *row)
{
	static const char *const packages[] = { "uasset", "umap" };
	static const char *const parts[] = { "uexp", "ubulk", "uptnl" };
	const struct text extension = path_extension(pak_file_name(p, row));

	if (pak_is_nameless(p, row))
		return PAK_KIND_NAMELESS;
	if (text_is_one(extension, packages, sizeof packages / sizeof packages[0]))
		return PAK_KIND_PACKAGE;
	if (text_is_one(extension, parts, sizeof parts / sizeof parts[0]))
		return PAK_KIND_PART;
	return format_promised(extension) ? PAK_KIND_PROMISED : PAK_KIND_OTHER;
}

/* A piece of a file that is not compressed. */
static bool next_piece(const struct pak_entry *e, struct pak_pieces *walk, struct block *out)
{
	const uint64_t left = e->size - walk->done;

	if (left == 0)
		return false;
	out->offset = pak_stored(e).at + walk->done;
	out->size = out->stored = left < BLOCK_WINDOW ? left : BLOCK_WINDOW;
	walk->done += out->size;
	return true;
}

/* More bytes than any of the methods makes of `size` bytes: no decoder needs those that are stored
 * after that many. */
static uint64_t most_stored(uint64_t size)
{
	return size + size / 16 + 1024;
}

static bool next_packed(const struct pak *p, const struct pak_entry *e, struct pak_pieces *walk,
			struct block *out)
{
	const uint64_t left = e->whole - walk->done;
	struct span span = pak_stored(e);

	if (p->tail.version < PAK_BLOCKS ? walk->n > 0 : !pak_entry_block(p, e, &walk->walk, &span))
		return false;
	out->is_packed = true;
	out->method = block_methods_get(&p->methods, e->method);
	out->offset = span.at;
	out->size = e->n_blocks > 1 && e->block_size < left ? e->block_size : left;
	out->stored = span.len < most_stored(out->size) ? span.len : most_stored(out->size);
	walk->done += out->size;
	return true;
}

/* One counter goes through the stored bytes of a file, with what fills up its blocks. */
static void set_vector(const struct pak *p, const struct pak_entry *e, struct block *out)
{
	if (out->cipher != BLOCK_CTR)
		return;
	out->vector = held_part(p->index.held, e->vector_at, PAK_VECTOR_LEN).bytes;
	out->counter = (out->offset - pak_stored(e).at) / AES_BLOCK_LEN;
}

bool pak_next_block(const struct pak *p, const struct pak_entry *e, struct pak_pieces *walk,
		    struct block *out)
{
	*out = (struct block){ .cipher = pak_is_encrypted(e) ? p->cipher : BLOCK_CLEAR };
	if (!(e->method == 0 ? next_piece(e, walk, out) : next_packed(p, e, walk, out)))
		return false;
	set_vector(p, e, out);
	walk->n++;
	return true;
}

bool pak_lacks_decoder(const struct block *b, const struct unpacker *codecs, enum method *lacking)
{
	if (!b->is_packed)
		return false;
	if (b->stored >= b->size && unpacker_has(codecs, b->method))
		return false;
	return block_lacks_decoder(b, codecs, lacking);
}

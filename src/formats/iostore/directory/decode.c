/* The bytes of the directory index, decrypted where they must be, and the order in which its parts
 * are decoded. */
#include "formats/blocks/key_ring.h"
#include "formats/iostore/directory/parts.h"

/* ---- Decryption ------------------------------------------------------------------------------ */

/* The index's vector is the last, after those of the blocks. */
static bool read_vector(const struct toc *t, uint8_t vector[BLOCK_VECTOR_LEN])
{
	const struct held all = t->sections[SECTION_VECTORS].held;

	if (all.len < BLOCK_VECTOR_LEN)
		return false;
	memcpy(vector, held_part(all, all.len - BLOCK_VECTOR_LEN, BLOCK_VECTOR_LEN).bytes,
	       BLOCK_VECTOR_LEN);
	return true;
}

static bool parses(const void *at, struct held bytes)
{
	return directory_parses(*(const struct span *)at, bytes);
}

/* NULL: no key fits, or there is a stop. */
static const uint8_t *try_keys(struct decode *d, const struct toc *t, const struct directory *x,
			       struct held stored, const struct key **fitting)
{
	struct key_ring_index index = {
		.stored = stored, .cipher = toc_cipher(t), .parses = parses, .ctx = &x->at
	};
	uint8_t guid[KEY_GUID_LEN];

	toc_guid(t, guid);
	if (index.cipher == BLOCK_CTR && !read_vector(t, index.vector))
		return NULL;
	return key_ring_open_index(d, UTOC_INDEX, guid, &index, fitting);
}

static bool has_key(const struct decode *d, const struct toc *t)
{
	uint8_t guid[KEY_GUID_LEN];

	toc_guid(t, guid);
	return key_ring_has(d->keys, guid);
}

static bool open_index(struct decode *d, const struct toc *t, struct directory *x,
		       struct held stored)
{
	const struct key *key = NULL;

	if (!toc_cipher_is_known(t))
		return decode_stop_key(d, UTOC_INDEX, TOC_CIPHER_UNKNOWN, x->at);
	if (!has_key(d, t))
		return decode_stop_key(d, UTOC_INDEX, "there is no key for the directory index",
				       x->at);
	if (!aes_is_available())
		return decode_stop_codec(d, UTOC_INDEX, "AES", x->at);
	x->held = (struct held){ try_keys(d, t, x, stored, &key), x->at.len };
	x->was_encrypted = x->held.bytes != NULL;
	x->key = x->was_encrypted ? key : NULL;
	if (!x->was_encrypted)
		x->held.len = 0;
	if (!x->was_encrypted && decode_has(d, UTOC_INDEX))
		decode_stop_key(d, UTOC_INDEX, "no key that was given fits the directory index",
				x->at);
	return x->was_encrypted;
}

/* An index that is not encrypted is judged as it is, but readers with the key decrypt it; that
 * should not give another index. */
static void check_decrypted(struct decode *d, const struct toc *t, struct directory *x,
			    struct held stored)
{
	const struct key *key = NULL;

	if (toc_cipher_is_known(t) && aes_is_available() && has_key(d, t))
		x->is_another_decrypted = try_keys(d, t, x, stored, &key) != NULL;
}

/* There is a packer that sets the flag and does not encrypt the index. */
static bool take_bytes(struct decode *d, const struct toc *t, struct directory *x)
{
	const struct toc_section *s = &t->sections[SECTION_DIRECTORY];

	if (!decode_has(d, UTOC_SECTIONS))
		return decode_stop_needs(d, UTOC_INDEX, UTOC_SECTIONS);
	if (s->held.len == 0 || !(t->header.flags & TOC_INDEXED))
		return true;
	x->at = s->at;
	x->clear_in_encrypted = t->encrypted && directory_parses(s->at, s->held);
	if (t->encrypted && !x->clear_in_encrypted)
		return open_index(d, t, x, s->held);
	if (x->clear_in_encrypted)
		check_decrypted(d, t, x, s->held);
	x->held = s->held;
	return true;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static bool alloc_traits(struct decode *d, struct directory *x)
{
	x->directory_traits = decode_alloc(d, UTOC_INDEX_TABLES, x->n_directories,
					   sizeof *x->directory_traits);
	x->file_traits = decode_alloc(d, UTOC_INDEX_TABLES, x->n_files, sizeof *x->file_traits);
	x->string_traits = decode_alloc(d, UTOC_INDEX_TABLES, x->n_strings + 1,
					sizeof *x->string_traits);
	if (!x->directory_traits || !x->file_traits || !x->string_traits) {
		x->string_traits = NULL;
		return false;
	}
	memset(x->directory_traits, 0, (size_t)x->n_directories * sizeof *x->directory_traits);
	memset(x->file_traits, 0, (size_t)x->n_files * sizeof *x->file_traits);
	return true;
}

static bool within_limits(struct decode *d, const struct directory *x)
{
	const uint64_t most = d->limits->of[LIMIT_entries];

	if (x->n_directories > most || x->n_files > most || x->n_strings > most)
		return decode_stop_limit(d, UTOC_INDEX_TABLES, LIMIT_entries, x->at);
	return decode_spend(d, UTOC_INDEX_TABLES, x->n_directories + x->n_files + x->n_strings);
}

static bool read_strings(struct decode *d, struct directory *x, struct cursor *c)
{
	struct arena_mark mark;
	uint32_t *hashes,
		*strings = decode_alloc(d, UTOC_INDEX_TABLES, x->n_strings, sizeof *strings);
	bool done;

	if (!strings || !alloc_traits(d, x))
		return false;
	mark = arena_mark(d->arena);
	hashes = decode_alloc(d, UTOC_INDEX_TABLES, x->n_strings, sizeof *hashes);
	if (!hashes)
		return false;
	x->strings = strings;
	if (!directory_read_names(x, c, strings, hashes)) {
		x->string_traits = NULL;
		return decode_stop(d, UTOC_INDEX_TABLES, STOP_MALFORMED,
				   (struct span){ x->at.at + x->broken.at, x->broken.left });
	}
	done = directory_same_names(d, x, hashes);
	if (!x->same_name)
		arena_rewind(d->arena, mark);
	return done;
}

static bool read_tables(struct decode *d, struct directory *x)
{
	struct cursor c = cursor_init(x->held.bytes, x->held.len, x->at.at);

	if (!directory_read_head(x, &c))
		return decode_stop(d, UTOC_INDEX_TABLES, STOP_MALFORMED,
				   (struct span){ x->at.at + x->broken.at, x->broken.left });
	if (!within_limits(d, x) || !read_strings(d, x, &c))
		return false;
	x->n_left = cursor_left(&c);
	x->strings_at.len -= x->n_left;
	directory_check_links(x);
	return true;
}

void directory_decode(struct decode *d, const struct toc *t, struct directory *x)
{
	bool done = take_bytes(d, t, x);

	x->n_chunks = t->n_chunks;
	if (done && x->held.len > 0)
		done = read_tables(d, x) && directory_walk(d, t, x);
	if (!done && !decode_has(d, UTOC_INDEX))
		decode_stop_needs(d, UTOC_INDEX_TABLES, UTOC_INDEX);
	if (!done && !decode_has(d, UTOC_INDEX_TABLES))
		decode_stop_needs(d, UTOC_TREE, UTOC_INDEX_TABLES);
}

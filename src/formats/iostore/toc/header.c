/* The header of a .utoc: whether it is one, its version, and whether the sections can be located by
 * it. */
#include "codec/cityhash.h"
#include "core/mutant.h"
#include "core/path.h"
#include "core/text_wide.h"
#include "formats/iostore/toc/toc.h"

/* 4.25 has no version; the size of its header is where the version is now. Source:
 * conformance/spec/iostore.md, 2.3. */
#define HEADER_4_25 128u

void toc_guid(const struct toc *t, uint8_t out[16])
{
	const uint64_t words[4] = { t->header.key_guid_a, t->header.key_guid_b,
				    t->header.key_guid_c, t->header.key_guid_d };

	for (unsigned i = 0; i < 16; i++)
		out[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
}

/* ---- The name -------------------------------------------------------------------------------- */

/* A container's id is the hash of its name in lower case and UTF-16. The engine cannot have longer
 * names. */
enum { NAME_MAX = 260 };

static bool hash_name(struct text stem, uint64_t *out)
{
	uint8_t wide[2 * NAME_MAX];

	if (stem.ref.n_units > NAME_MAX || !text_widen(wide, stem.data, stem.ref.n_units))
		return false;
	*out = cityhash64(wide, 2 * (uint64_t)stem.ref.n_units);
	return true;
}

static struct toc_name read_name(const struct source *s)
{
	struct text name = text_from(s->name);
	struct toc_name out = { .stem = text_is(path_extension(name), "utoc") ? path_stem(name)
									      : path_last(name) };

	out.is_global = text_is(out.stem, "global");
	out.is_segment = text_ends(out.stem, ".o");
	out.is_patch = text_ends(
		out.is_segment ? text_sub(out.stem, 0, out.stem.ref.n_units - 2) : out.stem, "_P");
	out.is_ascii = hash_name(out.stem, &out.hash);
	return out;
}

/* ---- The header ------------------------------------------------------------------------------ */

static bool is_known(uint64_t version)
{
	return (version >= TOC_DIRECTORY_INDEX && version <= TOC_SHORT_METAS) ||
	       version == TOC_VECTORS;
}

/* A header of 4.25 has its size, 128, in place of the version, and no size of 144 after that. */
static bool is_4_25(const struct utoc_header *h)
{
	return h->version == HEADER_4_25 && h->reserved_0 == 0 && h->reserved_1 == 0 &&
	       h->header_size != utoc_header_fixed_len;
}

static bool decode_version(struct decode *d, struct toc *t)
{
	const struct span at = { 0, t->size < utoc_header_fixed_len ? t->size
								    : utoc_header_fixed_len };
	struct cursor c;

	if (!decode_window(d, UTOC_FILE, at, &c))
		return decode_stop_needs(d, UTOC_VERSION, UTOC_FILE);
	if (!utoc_header_read(&c, 0, &t->header))
		return decode_stop(d, UTOC_VERSION, STOP_MALFORMED, at);
	if (!toc_is_magic(&t->header))
		return decode_stop(d, UTOC_VERSION, STOP_MALFORMED, at);
	t->is_4_25 = is_4_25(&t->header);
	t->version = t->is_4_25 ? 0 : t->header.version;
	/* mutant: 10 is unknown */
	if (t->is_4_25 || t->version > TOC_VECTORS - (uint64_t)MUTANT(105) ||
	    t->version == TOC_SOURCE_HASHES)
		return decode_stop(d, UTOC_VERSION, STOP_UNSUPPORTED, at);
	if (is_known(t->version))
		return true;
	return decode_stop(d, UTOC_VERSION, STOP_MALFORMED, at);
}

/* Fields that a version does not have are padding and are not used. */
static void take_counts(struct toc *t)
{
	const struct utoc_header *h = &t->header;

	t->n_chunks = h->n_chunks;
	t->n_blocks = h->n_blocks;
	t->n_methods = h->n_methods;
	t->n_seeds = t->version >= TOC_PERFECT_HASH ? h->n_seeds : 0;
	t->n_overflow = t->version >= TOC_OVERFLOW ? h->n_overflow : 0;
	t->n_partitions = t->version >= TOC_PARTITIONS ? h->n_partitions : 1;
	t->partition_size = t->version >= TOC_PARTITIONS ? h->partition_size : TOC_UNPARTITIONED;
	t->block_size = h->block_size;
	t->power_of_two = t->block_size > 0 && (t->block_size & (t->block_size - 1)) == 0;
	t->block_shift = t->power_of_two ? bits_lowest(t->block_size) : 0;
	t->encrypted = (h->flags & TOC_ENCRYPTED) != 0;
	t->is_signed = (h->flags & TOC_SIGNED) != 0;
	t->meta_size = t->version >= TOC_SHORT_METAS ? utoc_short_meta_fixed_len
						     : utoc_meta_fixed_len;
	for (unsigned i = 0; i < 256; i++)
		t->types[i] = (uint8_t)chunk_type_of(t->version, i);
}

bool toc_decode_header(struct decode *d, struct toc *t)
{
	const struct utoc_header *h = &t->header;

	t->size = d->source->io.size;
	t->header_chunk = TOC_NONE;
	t->name = read_name(d->source);
	if (!decode_version(d, t))
		return false;
	take_counts(t);
	if (h->header_size != utoc_header_fixed_len ||
	    h->block_entry_size != utoc_block_fixed_len || t->block_size == 0 ||
	    (t->n_methods > 0 && h->method_name_size == 0) || t->n_methods > UINT8_MAX)
		return decode_stop(d, UTOC_HEADER, STOP_MALFORMED,
				   (struct span){ 0, utoc_header_fixed_len });
	return true;
}

/* Metas: the hash and the flags of each chunk. Source: conformance/spec/iostore.md, 7. */
#include "core/mutant.h"
#include "formats/iostore/toc/toc.h"

/* The flag Compressed is not checked of a chunk whose blocks were not read. */
uint32_t toc_meta_traits(const struct toc_chunk *c, const struct toc_meta *m)
{
	const bool looked = c->range.length == 0 || c->given > 0;
	/* mutant: 16 bytes */
	const bool is_hashed = (m->meta.hash_0 | m->meta.hash_1 | m->meta.hash_2 * !MUTANT(118)) !=
			       0;
	uint32_t traits = 0;

	traits |= m->meta.flags > (TOC_META_COMPRESSED | TOC_META_MEMORY_MAPPED) ? META_FLAGS : 0;
	if (looked && ((m->meta.flags & TOC_META_COMPRESSED) != 0) != c->is_compressed)
		traits |= META_COMPRESSED;
	traits |= (m->meta.pad_0 | m->meta.pad_1) != 0 ? META_PAD : 0;
	traits |= is_hashed ? 0 : META_NO_HASH;
	if (m->meta.flags & TOC_META_MEMORY_MAPPED && c->type != CHUNK_BULK &&
	    c->type != CHUNK_MAPPED_BULK)
		traits |= META_NOT_BULK;
	return traits;
}

/* A meta of version 8 and later; files from before the release of version 8 have no padding in
 * it. */
static void read_short_meta(const struct toc *t, uint64_t chunk, struct toc_meta *out)
{
	const struct utoc_short_meta_row row = utoc_short_meta_at(t->short_metas, chunk);
	const struct held early = rows_at(t->early_metas, chunk);

	if (t->short_metas.n > 0)
		out->meta = (struct utoc_meta){
			.hash_0 = utoc_short_meta_get_hash_0(row),
			.hash_1 = utoc_short_meta_get_hash_1(row),
			.hash_2 = utoc_short_meta_get_hash_2(row),
			.pad_0 = utoc_short_meta_get_pad(row),
		};
	else
		out->meta = (struct utoc_meta){
			.hash_0 = held_u64(early, utoc_short_meta_place_hash_0),
			.hash_1 = held_u64(early, utoc_short_meta_place_hash_1),
			.hash_2 = held_u32(early, utoc_short_meta_place_hash_2),
		};
}

static void read_long_meta(const struct toc *t, uint64_t chunk, struct toc_meta *out)
{
	const struct utoc_meta_row row = utoc_meta_at(t->metas, chunk);

	out->meta = (struct utoc_meta){
		.hash_0 = utoc_meta_get_hash_0(row),
		.hash_1 = utoc_meta_get_hash_1(row),
		.hash_2 = utoc_meta_get_hash_2(row),
		.pad_0 = utoc_meta_get_pad_0(row),
		.pad_1 = utoc_meta_get_pad_1(row),
	};
}

void toc_read_meta(const struct toc *t, uint64_t chunk, struct toc_meta *out)
{
	const struct toc_section *s = &t->sections[SECTION_METAS];
	const uint64_t at = s->at.at + chunk * s->row_len;

	*out = (struct toc_meta){ .number = chunk };
	if (t->version >= TOC_SHORT_METAS) {
		read_short_meta(t, chunk, out);
		out->flags_at = (struct span){ at + utoc_short_meta_place_flags, 1 };
		out->pad_at = (struct span){ at + utoc_short_meta_place_pad,
					     s->row_len - utoc_short_meta_place_pad };
	} else {
		read_long_meta(t, chunk, out);
		out->flags_at = (struct span){ at + utoc_meta_place_flags, 1 };
		out->pad_at = (struct span){ at + utoc_meta_place_pad_0,
					     utoc_meta_place_flags - utoc_meta_place_pad_0 };
	}
	out->meta.at = at;
	out->meta.flags = toc_meta_flags(t, chunk);
}

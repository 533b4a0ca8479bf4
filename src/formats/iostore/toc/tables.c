/* The tables of a .utoc as rules see them. */
#include "formats/iostore/toc/toc.h"

#define VIEW(name, type, row_at) \
	void name(const struct toc *t, uint64_t first, uint64_t n, void *out) \
	{ \
		type *rows = out; \
		for (uint64_t i = 0; i < n; i++) \
			row_at(t, first + i, &rows[i]); \
	}

VIEW(toc_view_chunks, struct toc_chunk, toc_chunk_at)
VIEW(toc_view_blocks, struct toc_block_row, toc_block_at)
VIEW(toc_view_methods, struct toc_method, toc_method_at)
VIEW(toc_view_seeds, struct toc_seed, toc_seed_at)
VIEW(toc_view_overflow, struct toc_seed, toc_overflow_at)
VIEW(toc_view_metas, struct toc_meta, toc_meta_at)

/* The tables of a .utoc as rules go over them. */
#include "formats/iostore/utoc.h"

#define VIEW(name, type, row_at) \
	void name(const void *facts, uint64_t first, uint64_t n, void *out) \
	{ \
		const struct utoc *u = facts; \
		type *rows = out; \
		for (uint64_t i = 0; i < n; i++) \
			row_at(&u->toc, first + i, &rows[i]); \
	}

VIEW(toc_view_chunks, struct toc_chunk, toc_chunk_at)
VIEW(toc_view_blocks, struct toc_block_row, toc_block_at)
VIEW(toc_view_methods, struct toc_method, toc_method_at)
VIEW(toc_view_seeds, struct toc_seed, toc_seed_at)
VIEW(toc_view_overflow, struct toc_seed, toc_overflow_at)
VIEW(toc_view_metas, struct toc_meta, toc_meta_at)

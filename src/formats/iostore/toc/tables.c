/* The tables of a .utoc as rules go over them. */
#include "formats/iostore/utoc.h"

#define VIEW(name, type, row_at) \
	static void name(const void *facts, uint64_t first, uint64_t n, void *out) \
	{ \
		const struct utoc *u = facts; \
		type *rows = out; \
		for (uint64_t i = 0; i < n; i++) \
			row_at(&u->toc, first + i, &rows[i]); \
	}

VIEW(view_chunks, struct toc_chunk, toc_chunk_at)
VIEW(view_blocks, struct toc_block_row, toc_block_at)
VIEW(view_methods, struct toc_method, toc_method_at)
VIEW(view_seeds, struct toc_seed, toc_seed_at)
VIEW(view_overflow, struct toc_seed, toc_overflow_at)
VIEW(view_metas, struct toc_meta, toc_meta_at)

/* A table of which nothing is wrong with any row has none to show. */
static uint64_t shown(const struct utoc *u, uint32_t group, uint32_t traits, uint64_t n)
{
	return u->groups[group].why == STOP_NOT && traits != 0 ? n : 0;
}

void toc_tables(const struct utoc *u, struct table tables[TABLES_MAX])
{
	const struct toc *t = &u->toc;

#define ROWS(number, name, traits, count, make) \
	tables[number] = (struct table){ .record = name, .group = number##_GROUP, .n = shown(u, number##_GROUP, traits, count), \
					 .row_len = sizeof(number##_ROW), .view = make, .absent = ~(traits) }
	ROWS(UTOC_CHUNK_ROWS, "chunk", t->chunk_traits, t->n_chunks, view_chunks);
	ROWS(UTOC_BLOCK_ROWS, "block", t->block_traits, t->n_blocks, view_blocks);
	ROWS(UTOC_METHOD_ROWS, "method", t->method_traits, t->n_methods, view_methods);
	ROWS(UTOC_SEED_ROWS, "seed", t->seed_traits, t->n_seeds, view_seeds);
	ROWS(UTOC_OVERFLOW_ROWS, "overflow", t->overflow_traits, t->n_overflow, view_overflow);
	ROWS(UTOC_META_ROWS, "meta", t->meta_traits, t->n_chunks, view_metas);
#undef ROWS
	tables[UTOC_CHUNK_PAIR_ROWS] = (struct table){ .record = "chunk", .group = UTOC_CHUNKS, .n = t->n_pairs,
						       .row_len = sizeof *t->pairs, .rows = t->pairs };
}

/* Zen packages: the hashes of names and of exports, and the tag at their end, follow what was
 * changed. */
#include <stdlib.h>

#include "formats/iostore/zen_package/zen.h"
#include "mutate/mutate_format.h"
#include "reference/reference_utoc.h"

enum { TAIL = 4, EACH_HASH = 8, EXPORT_HASH_AT = 56 };

/* Those of UE4 lie apart from the names, but in the same bytes. */
static void repair_names(const struct name_batch *b, uint8_t *data, size_t size)
{
	for (uint64_t i = 0; names_are_read(b) && i < b->n && i < b->n_hashes; i++) {
		const uint64_t at = b->hashes_at + EACH_HASH * i;
		struct name_row name;

		names_row(b, i, &name);
		if (at + EACH_HASH <= size)
			reference_write(data + at, EACH_HASH,
					name_hash(name_bytes(&name), name.wide));
	}
}

/* An export has a hash if it is public. */
static void repair_exports(const struct zen *z, uint8_t *data)
{
	for (uint64_t i = 0; i < z->n_exports; i++) {
		uint8_t *row = data + z->sections[ZEN_AT_EXPORTS].at + zen_export_fixed_len * i;
		uint64_t hash;

		if (reference_read(row + EXPORT_HASH_AT, 8) != 0 && zen_export_hash(z, i, &hash))
			reference_write(row + EXPORT_HASH_AT, 8, hash);
	}
}

static void *heap_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return malloc(size);
}

static void heap_release(void *ctx, void *p, size_t size)
{
	(void)ctx;
	(void)size;
	free(p);
}

static void repair(uint8_t *data, size_t size, struct dice *dice)
{
	const struct zen_input in = { .header = { data, size },
				      .length = size,
				      .most_rows = UINT64_MAX };
	struct arena arena;
	static struct zen z;

	arena_init(&arena, (struct allocator){ heap_alloc, heap_release, NULL }, UINT64_MAX);
	if (zen_read(&z, &arena, &in, NULL)) {
		for (uint64_t i = 0; i < z.n_batches && !dice_one_in(dice, 8); i++)
			repair_names(&z.batches[i], data, size);
		if (zen_has(&z, ZEN_OBJECTS) && zen_has(&z, ZEN_NAMES) && !dice_one_in(dice, 8))
			repair_exports(&z, data);
		if (z.version >= ZEN_5_3 && size >= TAIL && !dice_one_in(dice, 8))
			reference_write(data + size - TAIL, TAIL, PACKAGE_TAG);
	}
	arena_free(&arena);
}

const struct mutate_format mutate_zen = { .repair = repair };

/* What the two halves of the reference reading of a zen package share: its tables. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_ZEN_ORDER_H
#define UVET_FUZZ_ORACLE_ORACLE_ZEN_ORDER_H

#include <stdint.h>

#include "formats/iostore/zen_package/parts.h"
#include "reference/reference.h"
#include "reference/reference_utoc.h"

/* The tables, by what their rows are. */
struct table_rows {
	const uint8_t *p;
	uint64_t n, each;
};

/* The tables that all layouts have, of a package whose sections are all there. */
struct reading {
	const uint8_t *data;
	const struct zen *z;
	bool is_ue4;
	uint64_t n_names, n_packages; /* UINT64_MAX: not known */
	struct table_rows hashes, imports, exports, cell_imports, cells, entries;
};

static inline uint64_t u32_at(const struct reading *u, uint64_t at)
{
	return reference_read(u->data + at, 4);
}

static inline uint64_t number(const struct table_rows *r, uint64_t i, uint64_t at, unsigned n)
{
	return reference_read(r->p + i * r->each + at, n);
}

/* oracle_zen_order asks what waits for what, what lies after what, and whether the versions say
 * what the header has. */
void oracle_zen_order(const struct reading *u);

#endif

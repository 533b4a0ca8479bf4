/* Whether a store entry says of a package what the package itself says. Source:
 * conformance/spec/iostore.md, 8.21 and 8.38. */
#include "core/mutant.h"
#include "formats/iostore/container_header/container_header.h"

enum zen_form container_package_form(const struct container_header *h)
{
	if (h->version <= CONTAINER_INITIAL)
		return ZEN_INITIAL;
	return h->version < CONTAINER_NO_EXPORT_INFO ? ZEN_COUNTED : ZEN_NAMED;
}

bool container_has_counts(const struct decode *d, const struct container_header *h)
{
	return h->shape.has_counts && decode_has(d, CONTAINER_PACKAGES);
}

bool container_counts_differ(const struct container_header *h, uint64_t id, uint64_t chunk,
			     const struct zen_counts *counts)
{
	struct container_package p;

	if (!container_package_of(h, id, chunk, &p))
		return false;
	return (counts->has_exports && (int64_t)counts->exports != p.exports) ||
	       (counts->has_bundles && (int64_t)counts->bundles != p.bundles);
}

bool container_has_imports(const struct decode *d, const struct container_header *h)
{
	return h->packages.n > 0 && decode_has(d, CONTAINER_PACKAGES) &&
	       container_package_form(h) != ZEN_COUNTED;
}

/* Whether some import of the store entry is not among the package's. */
static bool is_missing(struct held rows, uint64_t n, const struct zen_imports *x,
		       struct container_import *out)
{
	uint64_t i = 0;

	while (i < n && zen_imports_have(x, held_u64(rows, i * CONTAINER_IMPORT_LEN)))
		i++;
	*out = (struct container_import){ i, 0 };
	return i < n;
}

static bool is_other(struct held rows, uint64_t n, const struct zen_imports *x,
		     struct container_import *out)
{
	const uint64_t both = n < x->n ? n : x->n;
	uint64_t i = 0;

	/* mutant: another one */
	while (i < both &&
	       held_u64(rows, i * CONTAINER_IMPORT_LEN) == x->ids[i] + (uint64_t)MUTANT(130))
		i++;
	*out = (struct container_import){ i, i < x->n ? x->ids[i] : 0 };
	return i < n || i < x->n;
}

bool container_imports_differ(const struct container_header *h, uint64_t id, uint64_t chunk,
			      const struct zen_imports *x, struct container_import *out)
{
	struct container_package p;
	struct held rows;

	if (!x->are_known || !container_package_of(h, id, chunk, &p) || p.traits & PACKAGE_VIEW_OUT)
		return false;
	rows = held_part(h->packages.entries, p.imports.start, p.imports.n * CONTAINER_IMPORT_LEN);
	return container_package_form(h) == ZEN_INITIAL ? is_missing(rows, p.imports.n, x, out)
							: is_other(rows, p.imports.n, x, out);
}

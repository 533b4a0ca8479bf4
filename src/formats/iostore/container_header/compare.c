/* Whether a store entry says of a package what the package itself says. Source:
 * conformance/spec/iostore.md, 8.21 and 8.38. */
#include "core/mutant.h"
#include "formats/iostore/container_header/container_header.h"
#include "formats/iostore/zen_package/zen.h"

/* ---- Counts ---------------------------------------------------------------------------------- */

bool container_has_counts(const struct decode *d, const struct container_header *h)
{
	return h->shape.has_counts && decode_has(d, CONTAINER_PACKAGES);
}

/* Of 5.0 to 5.2 they are found by their entries, which a package without exports does not have. */
static bool has_bundles(const struct zen *package)
{
	return zen_has(package, ZEN_OBJECTS) &&
	       (package->version < ZEN_5_0 || package->n_exports > 0);
}

bool container_counts_differ(const struct container_package *entry, const struct zen *package,
			     struct container_counts *out)
{
	if (!zen_has(package, ZEN_SECTIONS))
		return false;
	*out = (struct container_counts){
		.has_bundles = has_bundles(package),
		.exports = package->n_exports,
		.bundles = package->n_bundles,
	};
	return (int64_t)out->exports != entry->exports ||
	       (out->has_bundles && (int64_t)out->bundles != entry->bundles);
}

/* ---- Imports --------------------------------------------------------------------------------- */

/* Packages of 5.0 to 5.2 do not say which they import. */
bool container_has_imports(const struct decode *d, const struct container_header *h)
{
	return h->packages.n > 0 && decode_has(d, CONTAINER_PACKAGES) &&
	       (h->version <= CONTAINER_INITIAL || h->version >= CONTAINER_NO_EXPORT_INFO);
}

/* Of a sorted list. */
static bool is_among(const struct zen *x, uint64_t id)
{
	uint64_t low = 0, high = x->n_packages;

	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;

		if (x->packages[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < x->n_packages && x->packages[low] == id;
}

/* Whether some import of the store entry is not among the package's. */
static bool is_missing(struct held rows, uint64_t n, const struct zen *x,
		       struct container_import *out)
{
	uint64_t i = 0;

	while (i < n && is_among(x, held_u64(rows, i * CONTAINER_IMPORT_LEN)))
		i++;
	*out = (struct container_import){ i, 0 };
	return i < n;
}

static bool is_other(struct held rows, uint64_t n, const struct zen *x,
		     struct container_import *out)
{
	const uint64_t both = n < x->n_packages ? n : x->n_packages;
	uint64_t i = 0;

	/* mutant: another one */
	while (i < both &&
	       held_u64(rows, i * CONTAINER_IMPORT_LEN) == x->packages[i] + (uint64_t)MUTANT(130))
		i++;
	*out = (struct container_import){ i, i < x->n_packages ? x->packages[i] : 0 };
	return i < n || i < x->n_packages;
}

/* Tells whether a list has an id that is not known, or is not where the header says that it ends:
 * then nothing is known of the list. */
static bool has_unknown(const struct zen *x)
{
	if ((x->defects & ZEN_HEADER_END) != 0)
		return true;
	for (uint64_t i = 0; i < x->n_packages; i++)
		if (x->packages[i] == 0)
			return true;
	return false;
}

bool container_imports_differ(const struct container_header *h,
			      const struct container_package *entry, const struct zen *x,
			      struct container_import *out)
{
	const bool is_ue4 = h->version <= CONTAINER_INITIAL;
	const uint64_t n = entry->imports.n;
	struct held rows;

	if (!x->has_packages || (!is_ue4 && has_unknown(x)) || entry->traits & PACKAGE_VIEW_OUT)
		return false;
	rows = held_part(h->packages.entries, entry->imports.start, n * CONTAINER_IMPORT_LEN);
	return is_ue4 ? is_missing(rows, n, x, out) : is_other(rows, n, x, out);
}

/* What is kept of a package: who it is, the packages that it imports from, and the objects that
 * others may import. */
#include "formats/upkg/summary.h"

#include "formats/summary.h"
#include "formats/upkg/facts.h"
#include "formats/upkg/header/header.h"
#include "formats/upkg/tables/flags.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"

static bool is_needed(const struct upkg *u, uint32_t i)
{
	const uint32_t traits = u->imports_traits[i];

	return u->imports[i].outer == 0 && traits & IMPORT_IS_PACKAGE && !(traits & IMPORT_IS_SELF);
}

static uint64_t count_needed(const struct upkg *u, uint32_t n)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < n; i++)
		count += is_needed(u, i);
	return count;
}

static void list_needs(const struct upkg *u, struct decode *d, struct summary *out)
{
	const bool is_known = decode_has(d, UPKG_LINKS);
	const uint32_t n = is_known ? u->tables[TABLE_IMPORTS].n : 0;

	summary_open(out, &out->needs, is_known, count_needed(u, n));
	for (uint32_t i = 0; i < n && summary_goes_on(out, d, i); i++)
		if (is_needed(u, i))
			summary_add_name(&out->needs, upkg_kept_name(u, u->imports[i].name), 0);
}

/* The name of what an object lies in, by which the engine tells objects of one name apart. */
static uint64_t hash_of_outer(const struct upkg *u, int32_t outer)
{
	if (outer > 0 && (uint32_t)outer <= u->tables[TABLE_EXPORTS].n)
		return summary_hash(upkg_kept_name(u, u->exports[outer - 1].name));
	if (outer < 0 && (uint32_t) - (int64_t)outer <= u->tables[TABLE_IMPORTS].n)
		return summary_hash(upkg_kept_name(u, u->imports[-(int64_t)outer - 1].name));
	return 0;
}

static bool is_offered(const struct upkg *u, const struct upkg_export *e)
{
	return !(e->traits & EXPORT_PLACEHOLDER) && upkg_export_entry_of(u, e).flags & UPKG_PUBLIC;
}

static void list_offers(const struct upkg *u, struct decode *d, struct summary *out)
{
	const bool is_known = decode_has(d, UPKG_LINKS);
	const uint32_t n = is_known ? u->tables[TABLE_EXPORTS].n : 0;

	summary_open(out, &out->offers, is_known, n);
	for (uint32_t i = 0; i < n && summary_goes_on(out, d, i); i++) {
		const struct upkg_export *e = &u->exports[i];

		if (is_offered(u, e))
			summary_add_name(&out->offers, upkg_kept_name(u, e->name),
					 hash_of_outer(u, e->outer));
	}
}

static void identify(const struct upkg *u, struct summary *out)
{
	const struct upkg_header *h = &u->header;

	out->licensee = u->tag.licensee;
	if (u->tag.version < UPKG_VERSION_GUID)
		return;
	out->identity = SUMMARY_GUID;
	out->guid[0] = (uint32_t)h->guid_a;
	out->guid[1] = (uint32_t)h->guid_b;
	out->guid[2] = (uint32_t)h->guid_c;
	out->guid[3] = (uint32_t)h->guid_d;
}

void upkg_summary(const void *facts, struct decode *d, struct summary *out)
{
	const struct upkg *u = facts;

	if (decode_has(d, UPKG_HEADER))
		identify(u, out);
	if (decode_has(d, UPKG_NAMES))
		out->n_names = u->tables[TABLE_NAMES].n;
	if (decode_has(d, UPKG_IMPORTS))
		out->n_imports = u->tables[TABLE_IMPORTS].n;
	if (decode_has(d, UPKG_EXPORTS))
		out->n_exports = u->tables[TABLE_EXPORTS].n;
	list_needs(u, d, out);
	list_offers(u, d, out);
}

/* What is kept of an installer: its checksum, the products that it requires, and its members. */
#include "formats/summary.h"
#include "formats/umod/umod.h"

/* A requirement is known by its Product, or without one by the name of its section. */
static struct text requirement_name(const struct manifest *m, const struct manifest_requirement *r)
{
	return r->product ? manifest_term_value(m, r->product)
			  : manifest_section_name(m, r->section);
}

static void list_needs(const struct umod *u, struct decode *d, struct summary *out)
{
	const struct manifest *m = &u->manifest;
	const bool is_known = decode_has(d, UMOD_MANIFEST);
	const uint32_t n = is_known ? m->n_requirements : 0;

	summary_open(out, &out->needs, is_known, n);
	for (uint32_t i = 0; i < n && summary_goes_on(out, d, i); i++)
		summary_add_name(&out->needs, requirement_name(m, &m->requirements[i]), 0);
}

static void list_offers(const struct umod *u, struct decode *d, struct summary *out)
{
	const bool is_known = decode_has(d, UMOD_DIRECTORY);
	const uint32_t n = is_known ? u->n_members : 0;

	summary_open(out, &out->offers, is_known, n);
	for (uint32_t i = 0; i < n && summary_goes_on(out, d, i); i++)
		summary_add_name(&out->offers, umod_name(u, &u->members[i]), 0);
}

void umod_summary(const void *facts, struct decode *d, struct summary *out)
{
	const struct umod *u = facts;

	if (decode_has(d, UMOD_CONTENT)) {
		out->digest = SUMMARY_CRC32;
		out->crc = u->crc;
	}
	list_needs(u, d, out);
	list_offers(u, d, out);
	out->n_imports = out->needs.n;
	out->n_exports = out->offers.n;
}

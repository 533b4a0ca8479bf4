/* What a container says of its packages. */
#include "formats/iostore/content/parts.h"
#include "formats/iostore/toc/chunk_ids.h"
#include "formats/iostore/zen_package/claims.h"

static bool has(const struct utoc *u, uint32_t group)
{
	return u->groups[group].why == STOP_NOT;
}

void content_form_claims(const struct utoc *u, struct package_claims *out)
{
	*out = (struct package_claims){
		.version = has(u, CONTAINER_HEAD) && u->container_header.chunk != TOC_NONE
				   ? u->container_header.version
				   : CLAIMS_NO_VERSION,
		.is_ue4 = (u->toc.version < TOC_OVERFLOW),
		.is_since_5_4 = (u->toc.version > TOC_OVERFLOW),
	};
}

/* A store entry whose lists are not where they should be says nothing of them. */
static void claim_entry(const struct container_package *p, const struct container_shape *shape,
			struct package_claims *out)
{
	if (shape->has_counts && p->exports >= 0 && p->bundles >= 0) {
		out->has_counts = true;
		out->exports = (uint64_t)p->exports;
		out->bundles = (uint64_t)p->bundles;
	}
	if (p->traits & PACKAGE_VIEW_OUT)
		return;
	out->has_imports = true;
	out->n_imports = p->imports.n;
	out->n_shader_maps = shape->has_hashes ? p->hashes.n : 0;
}

static uint64_t bulk_length(const struct toc *t, uint64_t chunk, enum chunk_type type)
{
	const uint32_t bulk = toc_find_bulk(t, chunk, type);

	return bulk == TOC_NONE ? CLAIMS_NO_CHUNK : toc_length(t, bulk);
}

/* Of an optional segment the store entry is another, and so is the bulk data. */
bool content_claims_of(const struct utoc *u, uint64_t chunk, struct package_claims *out,
		       struct container_package *entry)
{
	static const enum chunk_type types[CLAIMS_N_BULK] = {
		[CLAIMS_BULK] = CHUNK_BULK,
		[CLAIMS_OPTIONAL_BULK] = CHUNK_OPTIONAL_BULK,
		[CLAIMS_MAPPED_BULK] = CHUNK_MAPPED_BULK,
	};
	const struct container_header *h = &u->container_header;
	bool is_listed;

	content_form_claims(u, out);
	out->id = toc_id(&u->toc, chunk);
	is_listed = has(u, CONTAINER_PACKAGES) && h->chunk_of &&
		    container_package_of(h, out->id, chunk, entry);
	if (is_listed)
		claim_entry(entry, &h->shape, out);
	out->has_bulk = toc_is_sought(toc_id_row(&u->toc, chunk));
	for (unsigned i = 0; i < CLAIMS_N_BULK; i++)
		out->bulk[i] = out->has_bulk ? bulk_length(&u->toc, chunk, types[i])
					     : CLAIMS_NO_CHUNK;
	return is_listed;
}

/* What a container claims: chunks, packages that are in it, and paths. */
#include "formats/iostore/claims.h"

#include "formats/iostore/facts.h"

/* What of a group that stopped is not told. A group needs only groups before it. */
static unsigned gap_of(const struct decode *d, uint32_t group)
{
	if (d->groups[group].why == STOP_NOT)
		return 0;
	while (d->groups[group].why == STOP_NEEDS && d->groups[group].on < group)
		group = d->groups[group].on;
	return d->groups[group].why == STOP_KEY ? CLAIMS_LOCKED : CLAIMS_UNREAD;
}

/* The container header is found by the container's id: since Unreal Engine 5 each container has its
 * own, even if two have one id. */
static bool is_own_header(const struct toc *t, uint64_t chunk)
{
	return chunk == t->header_chunk && t->version >= TOC_PERFECT_HASH;
}

static bool claim_chunks(const struct toc *t, struct decode *d, claim_sink *sink, void *ctx)
{
	for (uint64_t i = 0; i < t->n_chunks && decode_goes_on(d, UTOC_CHUNKS, i); i++)
		if (!is_own_header(t, i) &&
		    !sink(ctx, CLAIM_CHUNK, toc_id_row(t, i).bytes, utoc_chunk_id_fixed_len))
			return false;
	return true;
}

/* A patch lists all packages of the base, of which it has some. */
static bool claim_packages(const struct container_header *h, struct decode *d, claim_sink *sink,
			   void *ctx)
{
	uint64_t n = h->chunk_of ? h->n_packages : 0;

	for (uint64_t i = 0; i < n && decode_goes_on(d, CONTAINER_PACKAGES, i); i++)
		if (h->chunk_of[i] != TOC_NONE &&
		    !sink(ctx, CLAIM_PACKAGE, container_package_id_at(h->packages.ids, i).bytes,
			  container_package_id_fixed_len))
			return false;
	return true;
}

enum { BYTES_A_STEP = 64 };

/* Files that the root does not lead to have no path. */
static unsigned claim_paths(const struct directory *x, struct decode *d, claim_sink *sink,
			    void *ctx)
{
	UVET_FILLED_LATER char path[CLAIM_PATH_MAX + 1];
	unsigned gaps = 0;

	for (uint64_t i = 0; x->directory_of_file && i < x->n_files; i++) {
		size_t n;

		if (x->directory_of_file[i] == TOC_NONE)
			continue;
		n = directory_file_path(x, i, path, sizeof path);
		if (!decode_spend(d, UTOC_TREE, 1 + n / BYTES_A_STEP))
			return gaps | CLAIMS_UNREAD;
		if (n + 4 > CLAIM_PATH_MAX) /* its front may be cut off */
			gaps |= CLAIMS_UNREAD;
		else if (!sink(ctx, CLAIM_PATH, (const uint8_t *)path, n))
			return gaps;
	}
	return gaps;
}

unsigned utoc_claims(const void *facts, struct decode *d, claim_sink *sink, void *ctx)
{
	const struct utoc *u = facts;
	const bool has_header = decode_has(d, UTOC_CHUNKS) && u->toc.header_chunk != TOC_NONE;
	unsigned gaps = gap_of(d, UTOC_CHUNKS) | gap_of(d, UTOC_TREE);

	if (has_header)
		gaps |= gap_of(d, CONTAINER_PACKAGES);
	if (decode_has(d, UTOC_CHUNKS) && !claim_chunks(&u->toc, d, sink, ctx))
		return gaps;
	if (has_header && decode_has(d, CONTAINER_PACKAGES) &&
	    !claim_packages(&u->container_header, d, sink, ctx))
		return gaps;
	return decode_has(d, UTOC_TREE) ? gaps | claim_paths(&u->directory, d, sink, ctx) : gaps;
}

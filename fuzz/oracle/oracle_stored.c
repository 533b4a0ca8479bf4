/* A reference reading of what a container stores: of its chunks, slow and from the
 * specification. */
#include "oracle/oracle_stored.h"

#include <stdio.h>
#include <string.h>

#include "codec/cityhash.h"
#include "formats/iostore/utoc.h"
#include "oracle/oracle_blocks.h"
#include "oracle/oracle_container_header.h"
#include "oracle/oracle_global.h"
#include "oracle/oracle_results.h"
#include "reference/reference.h"
#include "reference/reference_container_header.h"
#include "reference/reference_digest.h"
#include "support/must.h"

/* ---- Hashes ---------------------------------------------------------------------------------- */

/* A chunk that the reference reading decodes has the hash that its meta says, or a rule says that
 * it has not. */
static void check_hashes(const struct reading *u, const struct trial *trial, const struct report *r)
{
	static uint8_t bytes[1 << 16];
	const struct reference_toc *t = &u->t;
	uint64_t found = oracle_found(r, "MET004") + oracle_found(r, "MET005"), right = 0,
		 wrong = 0;
	uint8_t digest[REFERENCE_DIGEST];

	if (!oracle_was_judged(r, t->version <= 3 ? "MET004" : "MET005") || t->version == 4 ||
	    t->flags & 2 || t->partition_len == 0)
		return;
	if (oracle_found(r, "RUN001") > 0) /* what many chunks share is not decoded for each */
		return;
	for (uint64_t i = 0; i < t->n_chunks; i++) {
		uint64_t n = oracle_gather(u, trial->subject, &u->chunks[i], bytes, sizeof bytes);
		const uint8_t *hash = reference_row(t, REFERENCE_METAS, i);

		if (n == 0)
			continue;
		if (t->version <= 3)
			reference_sha1(bytes, n, digest);
		else
			reference_blake3(bytes, n, digest);
		right += reference_is_zero(hash, sizeof digest) ||
			 memcmp(hash, digest, sizeof digest) == 0;
		wrong += !reference_is_zero(hash, sizeof digest) &&
			 memcmp(hash, digest, sizeof digest) != 0;
	}
	if (found < wrong || found > t->n_chunks - right)
		fprintf(stderr, "hashes: found %llu, right %llu, wrong %llu\n",
			(unsigned long long)found, (unsigned long long)right,
			(unsigned long long)wrong);
	MUST(found >= wrong && found <= t->n_chunks - right,
	     "a chunk's hash is right, or it is told");
}

/* A signed block that is there has the hash that is signed, or a rule says that it has not. */
static void check_signed(const struct reading *u, const struct trial *trial, const struct report *r)
{
	const struct reference_toc *t = &u->t;
	const uint8_t *hashes = t->data + t->part[REFERENCE_DIRECTORY].at - 20 * t->n_blocks;
	uint64_t found = oracle_found(r, "SIG003"), right = 0, wrong = 0;
	uint8_t digest[REFERENCE_DIGEST];

	if (!(t->flags & 4) || !oracle_was_judged(r, "SIG003") || t->partition_len == 0)
		return;
	for (uint64_t i = 0; i < t->n_blocks; i++) {
		struct reference_block b = reference_block(t, i);
		uint64_t number = b.offset / t->partition_len, at = b.offset % t->partition_len,
			 len = (b.compressed + 15) / 16 * 16;
		const struct fake_file *file = oracle_partition(t, trial->subject, number);

		if (len == 0 || !file || at > file->size || len > file->size - at ||
		    b.compressed > t->partition_len - at)
			continue;
		reference_sha1(file->data + at, len, digest);
		right += memcmp(digest, hashes + 20 * i, 20) == 0;
		wrong += memcmp(digest, hashes + 20 * i, 20) != 0;
	}
	MUST(found >= wrong && found <= t->n_blocks - right,
	     "a signed block's hash is right, or it is told");
}

/* Whether the hash of some chunk is told to be its SHA-1, as Unreal Engine 4 stores it; where
 * findings were not kept, it may be. */
static bool some_are_sha1(const struct report *r)
{
	if (report_result(r, oracle_rule("MET005"))->n_kept < oracle_found(r, "MET005"))
		return true;
	for (size_t i = 0; i < r->n_findings; i++)
		if (strcmp(r->findings[i]->rule->id, "MET005") == 0 &&
		    strstr(r->findings[i]->args[3].word, "it is their SHA-1"))
			return true;
	return false;
}

/* With a key that fits, at least one of several chunks has its hash, if all are stored
 * uncompressed, have a hash and share no block; or a container header has its magic. */
static void check_key(const struct reading *u, const struct report *r)
{
	const struct reference_toc *t = &u->t;
	uint64_t n = 0;

	if (!(t->flags & 2) || t->version < 5 || !oracle_was_judged(r, "MET005") ||
	    !oracle_was_judged(r, "BLK033"))
		return;
	for (uint64_t i = 0; i < t->n_chunks; i++) {
		if (!u->chunks[i].looked || u->chunks[i].compressed || u->chunks[i].length == 0 ||
		    reference_is_zero(reference_row(t, REFERENCE_METAS, i), REFERENCE_DIGEST))
			return;
		n++;
	}
	if (n <= 1 || !oracle_was_judged(r, "TOC014") || oracle_found(r, "TOC014") > 0 ||
	    (oracle_was_judged(r, "CHD001") && oracle_found(r, "CHD001") == 0))
		return;
	MUST(oracle_found(r, "MET005") < n || oracle_found(r, "BLK033") > 0 || some_are_sha1(r),
	     "a key that fits nothing is told");
}

/* ---- The container header -------------------------------------------------------------------- */

static bool is_container_header(const struct reference_toc *t, uint64_t chunk)
{
	return reference_row(t, REFERENCE_IDS, chunk)[11] == (t->version >= 5 ? 6 : 10);
}

/* Whether an engine that looks for the container header finds this one: it has the container's id,
 * the index 0, and a byte of 0. */
static bool is_sought(const struct reference_toc *t, uint64_t chunk)
{
	const uint8_t *id = reference_row(t, REFERENCE_IDS, chunk);

	return reference_read(id, 8) == t->container && reference_read(id + 8, 3) == 0;
}

/* The chunk of that type that an engine finds, or else the first; or as many as there are. */
static uint64_t header_chunk(const struct reference_toc *t)
{
	uint64_t chunk = t->n_chunks;

	for (uint64_t i = t->n_chunks; i > 0; i--)
		if (is_container_header(t, i - 1))
			chunk = i - 1;
	for (uint64_t i = t->n_chunks; i > 0; i--)
		if (is_container_header(t, i - 1) && is_sought(t, i - 1))
			chunk = i - 1;
	return chunk;
}

static void check_whose_header(const struct reference_toc *t, const struct report *r)
{
	const uint64_t chunk = header_chunk(t);

	oracle_expect(r, "TOC013", chunk < t->n_chunks && !is_sought(t, chunk));
}

static uint64_t gather_header(const struct reading *u, const struct subject *s, uint8_t *out,
			      uint64_t room)
{
	const struct reference_toc *t = &u->t;
	const uint64_t chunk = header_chunk(t);

	if (chunk == t->n_chunks || t->flags & 2 || t->partition_len == 0)
		return 0;
	return oracle_gather(u, s, &u->chunks[chunk], out, room);
}

static void check_container_header(const struct reading *u, const struct trial *trial,
				   const struct report *r)
{
	static uint8_t bytes[CONTAINER_LEN_MAX];
	uint64_t n = gather_header(u, trial->subject, bytes, sizeof bytes);

	if (n > 0 && trial->default_limits && oracle_found(r, "RUN001") == 0)
		oracle_container_header(r, &u->t, bytes, n);
}

void oracle_stored_facts(const struct reading *u, const struct trial *trial,
			 const struct utoc *facts)
{
	static uint8_t bytes[CONTAINER_LEN_MAX];
	uint64_t n = gather_header(u, trial->subject, bytes, sizeof bytes);

	if (n > 0)
		oracle_container_header_facts(facts, &u->t, bytes, n);
	oracle_global_facts(u, trial, facts);
}

/* The engine reads the header at once, from where its first block lies: its blocks follow one
 * another, the file reaches as far, and what is hashed or decrypted is no more than that. */
static void check_header_read(const struct reading *u, const struct subject *s,
			      const struct report *r)
{
	const struct reference_toc *t = &u->t;
	const uint64_t chunk = header_chunk(t);
	const struct chunk *c = &u->chunks[chunk < t->n_chunks ? chunk : 0];
	const bool has_blocks = chunk < t->n_chunks && c->n_blocks > 0 && !c->outside;
	uint64_t n_apart = 0, n_cut = 0, stored = 0;
	bool past_end = false;

	if (t->version < 5 || t->partition_len == 0)
		return;
	for (uint64_t k = 0; has_blocks && k < c->n_blocks; k++) {
		struct reference_block b = reference_block(t, c->first + k),
				       before = reference_block(t, c->first + (k > 0 ? k - 1 : 0));
		uint64_t number = b.offset / t->partition_len, at = b.offset % t->partition_len;
		const struct fake_file *file = oracle_partition(t, s, number);

		n_apart += k > 0 && before.method == 0 &&
			   b.offset != before.offset + before.uncompressed;
		stored += (b.compressed + 15) / 16 * 16;
		n_cut += !file || (b.compressed > 0 && at + b.compressed > file->size);
		past_end = past_end ||
			   (k == 0 && file && at + (c->length + 15) / 16 * 16 > file->size);
	}
	oracle_expect_any(r, "BLK019", n_apart);
	oracle_expect_any(r, "BLK036",
			  has_blocks && t->flags & (2 | 4) && stored > (c->length + 15) / 16 * 16);
	if (n_cut == 0)
		oracle_expect_any(r, "BLK018", past_end);
}

/* What a package of Unreal Engine 4 or of 5.0 to 5.2 says of its exports and bundles; -1: it is not
 * known. */
static void count_exports(const uint8_t *p, uint64_t n, uint64_t length, bool old, int64_t *exports,
			  int64_t *bundles)
{
	const unsigned at = old ? 44 : 32;
	uint64_t first, middle, end, sum = 0, k = 0;

	*exports = *bundles = -1;
	if (n < (old ? 64u : 44u))
		return;
	first = reference_read(p + at, 4);
	middle = reference_read(p + at + 4, 4);
	end = reference_read(p + at + 8, 4);
	if (end > length || middle > end || first > middle || (middle - first) % 72 != 0)
		return;
	*exports = (int64_t)((middle - first) / 72);
	middle += 16 * (uint64_t)*exports;
	if (old && end >= middle && (end - middle) % 8 == 0)
		*bundles = (int64_t)((end - middle) / 8);
	if (old || end != middle)
		return;
	for (; sum < 2 * (uint64_t)*exports; k++) {
		const uint64_t bundle = end + 16 * k;

		if (bundle + 16 > n || reference_read(p + bundle + 8, 4) != sum ||
		    reference_read(p + bundle + 12, 4) == 0)
			return;
		sum += reference_read(p + bundle + 12, 4);
	}
	if (sum == 2 * (uint64_t)*exports && sum > 0)
		*bundles = (int64_t)k;
}

/* Whether another row of n has the same id. */
static bool stands_again(const uint8_t *rows, uint64_t n, uint64_t row_len, uint64_t i)
{
	for (uint64_t k = 0; k < n; k++)
		if (k != i && memcmp(rows + k * row_len, rows + i * row_len, 8) == 0)
			return true;
	return false;
}

/* Copies a package's chunk of the index 0, if the package stands once and the chunk is stored as
 * it is; *sure: that is known, or it has none. */
static uint64_t gather_package(const struct reading *u, const struct subject *s,
			       const struct reference_container_header *h, uint64_t package,
			       uint8_t *out, uint64_t room, uint64_t *chunk, bool *sure)
{
	const struct reference_toc *t = &u->t;
	const uint8_t *id = h->p + h->packages.ids.at + 8 * package;
	uint64_t n;

	*chunk = 0;
	while (*chunk < t->n_chunks &&
	       (memcmp(reference_row(t, REFERENCE_IDS, *chunk), id, 8) != 0 ||
		reference_read(reference_row(t, REFERENCE_IDS, *chunk) + 8, 3) != 0 ||
		reference_row(t, REFERENCE_IDS, *chunk)[11] != (t->version >= 5 ? 1 : 2)))
		++*chunk;
	*sure = *chunk == t->n_chunks;
	if (*sure || stands_again(h->p + h->packages.ids.at, h->packages.ids.n, 8, package))
		return 0;
	n = oracle_gather(u, s, &u->chunks[*chunk], out, room);
	*sure = n > 0;
	return n;
}

/* The counts of a package's store entry are those of its chunk, or a rule says so. */
static uint64_t wrong_counts(const struct reading *u, const struct subject *s,
			     const struct reference_container_header *h, uint64_t package,
			     bool *sure)
{
	static uint8_t bytes[1 << 16];
	const uint64_t in_entry = reference_counts_in(h->form);
	const uint8_t *counts = h->p + h->packages.entries.at + h->packages.each * package;
	uint64_t chunk, n = gather_package(u, s, h, package, bytes, sizeof bytes, &chunk, sure);
	int64_t exports, bundles;

	*sure = *sure || in_entry == UINT64_MAX;
	if (n == 0 || in_entry == UINT64_MAX)
		return 0;
	counts += in_entry;
	count_exports(bytes, n, u->chunks[chunk].length, h->form <= 0, &exports, &bundles);
	return (exports >= 0 && exports != (int32_t)reference_read(counts, 4)) +
	       (uint64_t)(bundles >= 0 && bundles != (int32_t)reference_read(counts + 4, 4));
}

/* ---- Imports of packages --------------------------------------------------------------------- */

enum { IMPORTS_MAX = 1 << 13, NAME_LONGEST = 1023 };

/* What a package imports; -1: it is not known. */
static int64_t graph_imports(const uint8_t *p, uint64_t n, uint64_t *ids)
{
	uint64_t at = n >= 64 ? reference_read(p + 52, 4) : n,
		 end = n >= 64 ? at + reference_read(p + 56, 4) : 0, count, k = 0;

	if (at + 4 > n)
		return -1;
	count = reference_read(p + at, 4);
	for (at += 4; k < count; k++) {
		if (at + 12 > n)
			return -1;
		ids[k] = reference_read(p + at, 8);
		at += 12 + 8 * reference_read(p + at + 8, 4);
	}
	return at == end && at <= n ? (int64_t)k : -1;
}

static bool id_of(const uint8_t *p, uint64_t n, unsigned width, uint64_t count, uint64_t *id)
{
	char text[NAME_LONGEST + 16];

	if (n > NAME_LONGEST)
		return false;
	for (uint64_t i = 0; i < n; i++) {
		const uint64_t c = reference_read(p + width * i, width);

		if (c >= 0x80)
			return false;
		text[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
	}
	if (count > 0)
		n += (uint64_t)snprintf(text + n, 16, "_%llu", (unsigned long long)count - 1);
	*id = cityhash64_wide((const uint8_t *)text, n);
	return true;
}

static int64_t named_imports(const uint8_t *p, uint64_t n, uint64_t *ids)
{
	uint64_t at = n >= 52 ? reference_read(p + 48, 4) : n, count, heads, characters, numbers,
		 end;

	if (at + 4 > n)
		return -1;
	count = reference_read(p + at, 4);
	if (count == 0)
		return at + 4 == reference_read(p + 4, 4) ? 0 : -1;
	if (at + 16 > n)
		return -1;
	heads = at + 16 + 8 * count;
	characters = heads + 2 * count;
	numbers = characters + reference_read(p + at + 4, 4);
	end = numbers + 4 * count;
	if (end > n || end != reference_read(p + 4, 4))
		return -1;
	for (uint64_t k = 0; k < count; k++) {
		const uint64_t head = reference_read_be(p + heads + 2 * k, 2),
			       length = head & 0x7FFF;
		const unsigned width = head & 0x8000 ? 2 : 1;

		if (length * width > numbers - characters ||
		    !id_of(p + characters, length, width, reference_read(p + numbers + 4 * k, 4),
			   &ids[k]))
			return -1;
		characters += length * width;
	}
	return characters == numbers ? (int64_t)count : -1;
}

static bool has_id(const uint64_t *ids, uint64_t n, uint64_t id)
{
	for (uint64_t k = 0; k < n; k++)
		if (ids[k] == id)
			return true;
	return false;
}

/* What a package's store entry imports is what its chunk does, or a rule says so. */
static uint64_t wrong_imports(const struct reading *u, const struct subject *s,
			      const struct reference_container_header *h, uint64_t package,
			      bool *sure)
{
	static uint8_t bytes[1 << 16];
	static uint64_t ids[IMPORTS_MAX];
	const struct reference_view v = reference_view_of(h, &h->packages, package,
							  reference_imports_in(h->form), 8);
	const struct reference_view shaders = h->form > 0
						      ? reference_view_of(
								h, &h->packages, package,
								reference_hashes_in(h->form), 20)
						      : v;
	const uint8_t *rows = h->p + h->packages.entries.at + v.start;
	uint64_t chunk, n = gather_package(u, s, h, package, bytes, sizeof bytes, &chunk, sure);
	int64_t known;

	*sure = *sure || h->form == 1 || h->form == 2; /* which have no imports of their own */
	if (n == 0 || h->form == 1 || h->form == 2 || (v.n > 0 && !v.inside) ||
	    (shaders.n > 0 && !shaders.inside))
		return 0;
	known = h->form <= 0 ? graph_imports(bytes, n, ids) : named_imports(bytes, n, ids);
	if (known < 0)
		return 0;
	if (h->form > 0 && v.n != (uint64_t)known)
		return 1;
	for (uint64_t k = 0; k < v.n; k++)
		if (h->form <= 0 ? !has_id(ids, (uint64_t)known, reference_read(rows + 8 * k, 8))
				 : reference_read(rows + 8 * k, 8) != ids[k])
			return 1;
	return 0;
}

/* Counts what is wrong of one package; *sure: no more than that is. */
typedef uint64_t count_wrong(const struct reading *u, const struct subject *s,
			     const struct reference_container_header *h, uint64_t package,
			     bool *sure);

/* Packages that are broken themselves: what they have is not known, and is not held against what
 * the container says. */
static uint64_t count_broken(const struct reading *u, const struct report *r)
{
	const uint64_t n_sound = oracle_info(r, "sound_packages", 0);
	uint64_t n = 0;

	for (uint64_t i = 0; i < u->t.n_chunks; i++)
		n += reference_row(&u->t, REFERENCE_IDS, i)[11] == (u->t.version >= 5 ? 1 : 2);
	MUST(n_sound <= n, "no more packages are sound than there are");
	return n - n_sound;
}

/* Reads the container header, and tells whether a rule found what is wrong of its packages, of each
 * of which it finds `most` things. */
static bool are_told(const struct reading *u, const struct trial *trial, const struct report *r,
		     const char *rule, count_wrong *wrong, uint64_t most)
{
	static uint8_t bytes[CONTAINER_LEN_MAX];
	static struct reference_container_header h;
	uint64_t len = gather_header(u, trial->subject, bytes, sizeof bytes), n = 0, n_unsure = 0;
	bool sure;

	if (len == 0 || !oracle_was_judged(r, rule) || oracle_found(r, "RUN001") > 0 ||
	    oracle_found(r, "TOC001") > 0)
		return true;
	reference_container_header_read(&h, bytes, len, u->t.version);
	if (!h.has_packages || h.packages.entries.n < h.packages.ids.n * h.packages.each)
		return true;
	for (uint64_t i = 0; i < h.packages.ids.n; i++) {
		n += wrong(u, trial->subject, &h, i, &sure);
		n_unsure += !sure;
	}
	return oracle_found(r, rule) + most * count_broken(u, r) >= n &&
	       oracle_found(r, rule) <= n + most * n_unsure;
}

static void check_packages(const struct reading *u, const struct trial *t, const struct report *r)
{
	MUST(are_told(u, t, r, "CHD021", wrong_counts, 2),
	     "a package has as many exports as its store entry says, or it is told");
	MUST(are_told(u, t, r, "CHD038", wrong_imports, 1),
	     "a package imports what its store entry does, or it is told");
}

void oracle_stored(const struct reading *u, const struct trial *t, const struct report *r)
{
	check_whose_header(&u->t, r);
	check_container_header(u, t, r);
	check_header_read(u, t->subject, r);
	check_packages(u, t, r);
	oracle_global(u, t, r);
	oracle_streams(u, t, r);
	check_hashes(u, t, r);
	check_signed(u, t, r);
	check_key(u, r);
}

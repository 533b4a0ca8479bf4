/* The bound of memory, structure by structure. */
#include "oracle/memory_bound.h"

#include <string.h>

#include "codec/bwt.h"
#include "codec/unstream.h"
#include "engine/session.h"
#include "formats/iostore/content/parts.h"
#include "formats/compressed/uz.h"
#include "formats/compressed/uz2.h"
#include "oracle/oracle_results.h"
#include "reference/reference_utoc.h"
#include "support/formats.h"

/* The bound: 1 MiB, and a multiple of the metadata for all that grows with it. Small files do not
 * need the mebibyte, which could hide a growth out of proportion: they have a quarter of it, and
 * the rest as they grow. */
#define BASE ((uint64_t)1 << 20)
#define BASE_OF_SMALL ((uint64_t)1 << 18)
#define TIMES_METADATA 4

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* ---- What is told ---------------------------------------------------------------------------- */

/* A finding that is kept, with its texts, of which one may be the name of a file, its place in the
 * list, and the result of its rule. */
#define FINDING_ROOM \
	(sizeof(struct finding) + ARG_MAX * (ARG_BYTES_MAX + MEMORY_GAP) + ARG_NAME_MAX + \
	 sizeof(struct rule_result) + 3 * MEMORY_GAP + 64)

/* What a report keeps of a file besides findings: itself and facts, of which one may be a text.
 * Each file in a file has one, however small it is. */
#define REPORT_ROOM \
	(sizeof(struct report) + INFOS_MAX * sizeof(struct info) + 4 * INFO_TEXT_MAX + \
	 9 * MEMORY_GAP)

/* The results of a report that does not share them: a byte or two for each rule, those of the
 * engine's own, and reasons. */
#define RESULTS_ROOM(r) \
	(2 * (r)->n_rules + sizeof(struct results_notes) + \
	 CATALOG_OWN_MAX * sizeof(struct rule_result) + REASONS_MAX * sizeof(char *) + \
	 8 * MEMORY_GAP)

/* Reports in which no rule fails share results, if they are those of the file before; in the worst
 * case none do. */
static uint64_t told_of(const struct report *r)
{
	return FINDING_ROOM * r->n_findings + RESULTS_ROOM(r) +
	       (r->parent ? REPORT_ROOM + strlen(r->name) : 0);
}

/* ---- What waits ------------------------------------------------------------------------------ */

/* The fewest bytes that a file takes up in an installer: its entry. */
enum { ENTRY_LEAST = 14 };

/* Files that wait for their check have room for a report's address. */
static uint64_t waiting(const struct engine *e, const struct report *r)
{
	if (!r->format || !r->format->nested)
		return 0;
	return least(r->size / ENTRY_LEAST, e->limits.of[LIMIT_nested]) * sizeof(struct report *) +
	       sizeof(struct session) + 2 * MEMORY_GAP;
}

/* ---- What payload passes through ------------------------------------------------------------- */

/* Chunks are whole huge pages where that adds no more than an eighth. */
#define PAGES(n) ((n) + (n) / 8)

/* The state of a decoder: that of Zstandard is the largest. */
#define DECODER_ROOM ((uint64_t)256 << 10)

/* How much a compressed file may decompress to: what it did, or what the limits allow. */
static uint64_t unpacked(const struct engine *e, const struct report *r)
{
	const uint64_t ratio = e->limits.of[LIMIT_ratio], most = e->limits.of[LIMIT_unpacked];
	const uint64_t by_ratio = r->size > UINT64_MAX / (ratio + 1) ? UINT64_MAX : r->size * ratio;

	return oracle_info(r, "unpacked_bytes",
			   least(most, by_ratio > 1048576 ? by_ratio : 1048576));
}

/* The stages of a .uz: codes, sorted bytes and content lie in buffers of their own. Of what
 * comes out each stage with runs may take a quarter more than the next, and the one with blocks
 * a head for each, for a block may be empty. Blocks are sorted with three numbers for each of
 * their bytes. */
static uint64_t through_stages(uint64_t n, uint64_t blocks)
{
	const uint64_t sorted = n + n / 4 + blocks * (BWT_HEADER_LEN + 1);

	return PAGES(n + sorted + (sorted + sorted / 5) + 8192) +
	       bwt_scratch_len(least(n + n / 4, BWT_LEN_MAX)) * sizeof(uint32_t);
}

/* What a worker keeps of a package: its header, if it is not too long, and the facts of it. */
static uint64_t through_package(uint64_t length)
{
	return (1 + TIMES_METADATA) * least(length, PACKAGE_HEADER_MAX) + sizeof(struct zen);
}

/* A worker of a container: the window that it reads in, or the longest block as it is stored;
 * the block decrypted and decoded; a package; and its decoder. */
static uint64_t through_worker(uint64_t stored, uint64_t block, uint64_t package)
{
	return PAGES((stored > BLOCK_WINDOW ? stored : BLOCK_WINDOW) + stored + block +
		     through_package(package)) +
	       DECODER_ROOM;
}

static uint64_t longest_companion(const struct report *r)
{
	uint64_t n = 0;

	for (size_t i = 0; i < r->n_companions; i++)
		n = r->companions[i].size > n ? r->companions[i].size : n;
	return n;
}

/* As many workers as the thread pool has; before there are any, one decodes the container
 * header. A block is decoded whole, however little of it is wanted. */
static uint64_t container_blocks(const struct engine *e, const struct report *r,
				 const uint8_t *data)
{
	uint64_t block = UINT64_C(1) << 24;

	if (r->n_companions == 0)
		return 0;
	if (data && r->size >= REFERENCE_HEADER)
		block = least(block, reference_read(data + AT_BLOCK_SIZE, 4));
	return (e->threads.n > 0 ? e->threads.n : 1) *
	       through_worker(least(longest_companion(r), 2 * block + 16), block,
			      oracle_info(r, "unpacked_bytes", 0));
}

static uint64_t sorted_blocks(const struct engine *e, const struct report *r, const uint8_t *data)
{
	(void)data;
	return through_stages(unpacked(e, r), oracle_info(r, "blocks", 0));
}

static uint64_t packed_blocks(const struct engine *e, const struct report *r, const uint8_t *data)
{
	(void)data;
	return PAGES(unpacked(e, r)) + UZ2_PACKED_MAX + DECODER_ROOM;
}

static uint64_t content_and_dictionary(const struct engine *e, const struct report *r,
				       const uint8_t *data)
{
	(void)data;
	return PAGES(2 * unpacked(e, r)) + DECODER_ROOM;
}

/* A size that a file says may be wrong, so that its bytes lie in memory once more; a decoder has a
 * window besides. */
static uint64_t streams_and_windows(const struct engine *e, const struct report *r,
				    const uint8_t *data)
{
	(void)data;
	return PAGES(2 * unpacked(e, r) + UNSTREAM_WINDOW_MAX + 2 * UNSTREAM_PIECE) +
	       ((uint64_t)4 << 20);
}

/* What is kept of a folder, the file out of it, the window of its decoder, and what libarchive
 * takes besides. */
static uint64_t sevenzip_folders(const struct engine *e, const struct report *r,
				 const uint8_t *data)
{
	const uint64_t library = (uint64_t)4 << 20, most = e->limits.of[LIMIT_memory];

	(void)data;
	return PAGES(3 * unpacked(e, r)) + least(oracle_info(r, "coder_memory", most), most) +
	       library + DECODER_ROOM;
}

/* What libarchive takes by what the archive says, and members that are kept. */
static uint64_t unarchived(const struct engine *e, const struct report *r, const uint8_t *data)
{
	(void)e;
	(void)data;
	return oracle_info(r, "decoder_bytes", 0) + DECODER_ROOM;
}

/* What a decoder of a zip's method takes besides: a block of bzip2, the window of an xz, what a
 * PPMd says that it needs. */
static uint64_t method_memory(const struct engine *e, uint64_t method)
{
	const uint64_t library = (uint64_t)4 << 20;

	switch (method) {
	case 12:
		return library;
	case 95:
		return library + UNSTREAM_WINDOW_MAX + 2 * UNSTREAM_PIECE;
	case 98:
		return library + least((uint64_t)257 << 20, e->limits.of[LIMIT_memory]);
	default:
		return 0;
	}
}

/* One decodes at a time. Rows of a directory are found by their signatures; of a zip in an archive
 * the bytes are not at hand. */
static uint64_t method_memory_most(const struct engine *e, const struct report *r,
				   const uint8_t *data)
{
	uint64_t most = data ? 0 : method_memory(e, 98);

	for (uint64_t at = 0; data && r->size >= 12 && at <= r->size - 12; at++)
		if (memcmp(data + at, "PK\1\2", 4) == 0) {
			const uint64_t n = method_memory(e, reference_read(data + at + 10, 2));

			most = n > most ? n : most;
		}
	return most;
}

/* Of an archive the pieces that headers and members are read in, and members that are files and
 * decoded in memory: no more than all of them decompress to, nor than deflate makes of the file. */
static uint64_t archive_members(const struct engine *e, const struct report *r, const uint8_t *data)
{
	const uint64_t pieces = 4 * 65536, gain = 1032;

	return pieces + DECODER_ROOM + method_memory_most(e, r, data) +
	       PAGES(least(unpacked(e, r),
			   r->size > UINT64_MAX / gain / 2 ? r->size : r->size * gain));
}

/* ---- Metadata -------------------------------------------------------------------------------- */

/* The longest chunk of a type, as far as a check may unpack it. */
static uint64_t longest(const struct engine *e, const struct reference_toc *t, uint8_t type)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < t->n_chunks; i++)
		if (reference_row(t, REFERENCE_IDS, i)[11] == type && reference_length(t, i) > n)
			n = reference_length(t, i);
	return least(n, e->limits.of[LIMIT_unpacked]);
}

/* The bytes of a container's header, which is one of its chunks, and of the chunks that a global
 * container has. Where a reference reading cannot say which, it may be all that is there. */
static uint64_t header_len(const struct engine *e, const struct report *r, const uint8_t *data)
{
	struct reference_toc t;

	if (r->n_companions == 0)
		return 0;
	if (!data || !reference_toc_read(&t, data, r->size) || !t.whole)
		return e->limits.of[LIMIT_unpacked];
	if (t.version >= 5)
		return longest(e, &t, 6) + longest(e, &t, 5);
	return longest(e, &t, 10) + longest(e, &t, 7) + longest(e, &t, 8) + longest(e, &t, 9);
}

/* What a package says of a table: where it begins, and how many bytes its rows have at least. */
struct table_said {
	uint64_t at, len;
};

static struct table_said table_said(const uint8_t *data, uint64_t size, unsigned count_at,
				    uint64_t least_row)
{
	const uint64_t n = reference_read(data + count_at, 4),
		       at = reference_read(data + count_at + 4, 4);

	return at < size && n <= (size - at) / least_row ? (struct table_said){ at, n * least_row }
							 : (struct table_said){ 0, 0 };
}

static uint64_t common(const struct table_said *a, const struct table_said *b)
{
	const uint64_t from = a->at > b->at ? a->at : b->at,
		       to = least(a->at + a->len, b->at + b->len);

	return from < to ? to - from : 0;
}

/* Tables that a package says lie in the same bytes are tables all the same. It returns how many
 * bytes belong to one more; packages that lie in other files are not examined for this. */
static uint64_t shared_by_tables(const struct report *r, const uint8_t *data)
{
	struct table_said names, exports, imports;

	if (!data || r->size < 36)
		return 0;
	names = table_said(data, r->size, 12, 6);
	exports = table_said(data, r->size, 20, 12);
	imports = table_said(data, r->size, 28, 7);
	return common(&names, &exports) +
	       least(common(&names, &imports) + common(&exports, &imports), imports.len);
}

static uint64_t whole_file(const struct engine *e, const struct report *r, const uint8_t *data)
{
	(void)e;
	(void)data;
	return r->size;
}

static uint64_t package_tables(const struct engine *e, const struct report *r, const uint8_t *data)
{
	(void)e;
	return r->size + shared_by_tables(r, data);
}

static uint64_t container_tables(const struct engine *e, const struct report *r,
				 const uint8_t *data)
{
	return r->size + header_len(e, r, data);
}

/* The header of a 7z, which may be compressed. A member takes two bytes of it at least, and a
 * folder four, and what is kept of either is so many times as long. */
enum { SEVENZIP_ROW_TIMES = 32 };
static uint64_t sevenzip_header(const struct engine *e, const struct report *r, const uint8_t *data)
{
	(void)data;
	return SEVENZIP_ROW_TIMES * oracle_info(r, "header_bytes", r->size) +
	       (oracle_info(r, "header_bytes", UINT64_MAX) == UINT64_MAX ? unpacked(e, r) : 0);
}

/* Downloads are payload, but for a header of fixed length; installers and packages have none that
 * passes through a buffer. */
static uint64_t no_memory(const struct engine *e, const struct report *r, const uint8_t *data)
{
	(void)e;
	(void)r;
	(void)data;
	return 0;
}

/* ---- All of it ------------------------------------------------------------------------------- */

typedef uint64_t bound_fn(const struct engine *e, const struct report *r, const uint8_t *data);

static const struct bound {
	bound_fn *metadata, *payload;
} bounds[] = {
#define FORMAT(name, harnesses, oracle, mutator, metadata, payload, ...) { metadata, payload },
#include "formats.def"
#undef FORMAT
};

static uint64_t open_bytes(const struct engine *e, const struct report *r, const uint8_t *data)
{
	const struct bound *b;

	if (!r->format)
		return 0;
	b = &bounds[formats_row(r->format)];
	return TIMES_METADATA * b->metadata(e, r, data) + b->payload(e, r, data);
}

/* Of files in files, those are open at a time that lie around one of them. */
uint64_t memory_bound_of(const struct engine *e, const struct report *r, const uint8_t *data)
{
	uint64_t most = 0, told = 0;

	for (const struct report *next = r; next; next = report_next(r, next)) {
		uint64_t open = 0;

		for (const struct report *around = next; around; around = around->parent) {
			const uint8_t *bytes = around == r ? data : NULL;

			open += open_bytes(e, around, bytes) + waiting(e, around);
		}
		most = open > most ? open : most;
		told += told_of(next);
	}
	return least(BASE, BASE_OF_SMALL + most) + most + told;
}

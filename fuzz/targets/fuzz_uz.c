/* The whole check of compressed downloads, under the name that the bytes seem to ask for; and what
 * a .uz decompresses to, held against a second decoder. */
#include <stdlib.h>
#include <string.h>

#include "formats/compressed/lzma.h"
#include "formats/compressed/uz.h"
#include "formats/compressed/uz2.h"
#include "formats/compressed/uz3.h"
#include "oracle/oracle.h"
#include "oracle/oracle_results.h"
#include "reference/reference.h"
#include "reference/reference_uz.h"
#include "support/buffers.h"
#include "support/memory.h"
#include "support/must.h"
#include "support/random.h"
#include "support/thorough.h"
#include "targets/harness.h"

/* The most that may come out: bombs end soon. */
enum { UNPACKS = 1 << 15 };

static const char *name_of(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "T.u.uz", "T.u.uz2", "T.u.uz3", "T.u.lzma",
					     "download" };
	uint64_t first = size >= 10 ? reference_u32(data) : 0;

	if (random_hash(data, size) % 16 == 0)
		return names[random_hash(data, size) / 16 % 5];
	if (first == 1234 || (first == 5678 && data[8] != 0x78))
		return names[0];
	if (first == 5678)
		return names[2];
	if (size >= 10 && data[8] == 0x78)
		return names[1];
	return size > 0 && data[0] == 0x5D ? names[3] : names[random_hash(data, size) / 16 % 5];
}

/* ---- A reference reading of a .uz ------------------------------------------------------------ */

struct reading {
	const uint8_t *data;
	uint64_t size, at;
	uint8_t a[2 * UNPACKS], b[2 * UNPACKS];
	uint64_t n;
	struct reference_huffman huffman;
	uint64_t total;
};

/* Skips the stored name; false where it cannot be read or is too long. */
static bool skip_name(struct reading *r)
{
	int64_t count = 0;
	uint64_t len = reference_index(r->data + r->at, r->size - r->at, &count),
		 units = (uint64_t)(count < 0 ? -count : count);

	if (len == 0 || units > 256 || (count < 0 ? 2 : 1) * units > r->size - r->at - len)
		return false;
	r->at += len + (count < 0 ? 2 : 1) * units;
	return true;
}

static bool read_symbols(struct reading *r)
{
	if (r->size - r->at < 4)
		return false;
	r->total = reference_u32(r->data + r->at);
	r->at += 4;
	if (r->total > 0x7FFFFFFF ||
	    reference_tree(&r->huffman, r->data + r->at, r->size - r->at) != REFERENCE_FINE)
		return false;
	if (r->total > UNPACKS)
		return false;
	r->n = reference_symbols(&r->huffman, r->a, r->total);
	return r->n == r->total;
}

static bool undo_runs(struct reading *r)
{
	uint64_t n;

	if (reference_runs(r->a, r->n, r->b, UNPACKS, &n) != REFERENCE_FINE)
		return false;
	memcpy(r->a, r->b, (size_t)n);
	r->n = n;
	return true;
}

static bool undo_all(struct reading *r)
{
	uint64_t n, signature = r->size >= 4 ? reference_u32(r->data) : 0;

	r->at = 4;
	if ((signature != 1234 && signature != 5678) || !skip_name(r) || !read_symbols(r))
		return false;
	if (signature == 5678 && !undo_runs(r))
		return false;
	reference_places(r->a, r->n);
	if (reference_blocks(r->a, r->n, r->b, &n) != REFERENCE_FINE)
		return false;
	memcpy(r->a, r->b, (size_t)n);
	r->n = n;
	return undo_runs(r);
}

/* ---- What uvet makes of it ------------------------------------------------------------------- */

/* The second decoder is slow by design: where much comes out, it looks at one input in eight. */
enum { QUICK_SYMBOLS = 2048 };

static bool is_for_second(const struct uz *u, const struct reading *r)
{
	if (u->defects & (UZ_ZLIB_INSIDE | UZ_UZ3_INSIDE))
		return false;
	return u->codes.total <= QUICK_SYMBOLS ||
	       thorough_is_turn(random_hash(r->data, r->size) / 2, 0, 8);
}

static void compare_uz(struct decode *d, const struct uz *u, struct reading *r)
{
	bool whole;

	if (!is_for_second(u, r))
		return;
	whole = undo_all(r);
	MUST(whole == decode_has(d, UZ_CONTENT), "a second decoder comes as far");
	if (!whole)
		return;
	MUST(u->content.len == r->n &&
		     (r->n == 0 || memcmp(u->content.bytes, r->a, (size_t)r->n) == 0),
	     "a second decoder returns the same bytes");
	MUST(u->n_unused == r->size - r->at - (r->huffman.bit + 7) / 8,
	     "what is left over is counted");
}

/* What the rules must say of the facts that the second decoder agrees with. */
static void check_rules(const struct uz *u, const struct report *r)
{
	const struct {
		const char *id;
		bool wrong;
	} rows[] = {
		{ "UZC001", u->kind != UZ_KIND_OLD && u->kind != UZ_KIND_NEW },
		{ "UZC002", (u->defects & UZ_BAD_NAME) != 0 },
		{ "UZC012", (u->defects & (UZ_ZLIB_INSIDE | UZ_UZ3_INSIDE)) != 0 },
		{ "UZC014", (u->defects & UZ_TREE_DEEP) != 0 },
		{ "UZC005", u->n_symbols < u->codes.total || u->n_unused > 0 },
		{ "UZC006",
		  (u->defects & (UZ_BLOCK_HEADER_CUT | UZ_BLOCK_LENGTH | UZ_BLOCK_CUT)) != 0 },
		{ "UZC007", (u->defects & (UZ_BLOCK_FIRST | UZ_BLOCK_LAST)) != 0 },
		{ "UZC008", u->short_block < u->n_blocks },
		{ "UZC011",
		  !u->content.promised && (u->content.len < 4 ||
					   reference_u32(u->content.bytes) - 0x9E2A83C1u > 1) },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		MUST(!oracle_was_judged(r, rows[i].id) ||
			     oracle_found(r, rows[i].id) == rows[i].wrong,
		     "rules say what the facts are");
}

static bool is_allowed(const struct uz2_chunk *c)
{
	return c->packed >= 1 && c->packed <= 33096 && c->unpacked >= 1 && c->unpacked <= 32768;
}

/* A chunk's sizes are what the specification allows, or that is noted, whether it can be
 * decompressed or not. Those of all add up to the file. */
static void compare_uz2(struct decode *d, const struct uz2 *u)
{
	uint64_t at = 0, total = 0;

	for (uint64_t i = 0; i < u->n_parts; i++)
		MUST(is_allowed(&u->parts[i].chunk) !=
			     ((u->parts[i].traits & (UZ2_PACKED_ODD | UZ2_UNPACKED_ODD)) != 0),
		     "sizes are allowed, or it is told");
	if (!decode_has(d, UZ2_CONTENT))
		return;
	for (uint64_t i = 0; i < u->n_parts; i++) {
		const struct uz2_part *p = &u->parts[i];

		MUST(p->chunk.at == at, "chunks follow one another");
		MUST(is_allowed(&p->chunk), "sizes are allowed");
		at += 8 + p->chunk.packed;
		total += p->chunk.unpacked;
	}
	MUST(u->content.len == total && u->tail.at == at && at + u->tail.len == u->size,
	     "chunks are the whole file");
}

static void compare_others(struct decode *d, const struct format *f, const void *facts,
			   const struct report *r)
{
	const struct uz3 *three = facts;
	const struct lzma *lzma = facts;

	if (f == &uz3_format && oracle_was_judged(r, "UZH002"))
		MUST((oracle_found(r, "UZH002") > 0) ==
			     (three->size < 8 || three->header.signature != 5678),
		     "a header is sound or not");
	if (f == &uz3_format && decode_has(d, UZ3_CONTENT))
		MUST(three->content.len == three->header.size &&
			     three->stream.n_used + 8 == three->size,
		     "a sound stream is used up");
	if (f == &lzma_format && decode_has(d, LZMA_CONTENT)) {
		MUST(lzma->header.properties < 225, "a sound header is allowed");
		MUST(lzma->header.size == UINT64_MAX || lzma->content.len == lzma->header.size,
		     "a sound stream has its size");
		MUST(lzma->defects & LZMA_LEFT_OVER || (lzma->defects == LZMA_DICTIONARY) ==
							       (lzma->header.dictionary > 67108864),
		     "a dictionary is usual or not");
	}
}

static struct engine *engine(void)
{
	static struct memory memory;
	static struct engine e;

	if (e.n_rules == 0) {
		memory_init(&memory, 0x5A);
		engine_init(&e, memory_allocator(&memory));
		e.limits.of[LIMIT_unpacked] = UNPACKS;
	}
	return &e;
}

static struct report *check(const uint8_t *data, size_t size, const char *name)
{
	struct report *r = engine_check(
		engine(), &(struct check_input){ .io.size = size, .memory = data, .name = name });

	MUST(r, "a check that may have memory returns a report");
	return r;
}

static void compare(const uint8_t *data, size_t size, const char *name)
{
	struct report *report = check(data, size, name);
	static struct reading r;
	struct memory memory;
	struct arena arena;
	struct source source;
	struct decode d = engine_decode(engine(), &source, &arena, NULL);
	const struct format *f;
	const void *facts;

	memory_init(&memory, 0xA5);
	arena_init(&arena, memory_allocator(&memory), UINT64_MAX);
	source_init_memory(&source, data, size, name, &arena);
	f = formats[format_sniff(&d)];
	memset(d.groups, 0, sizeof d.groups);
	facts = f ? f->decode(&d) : NULL;
	r.data = data;
	r.size = size;
	if (f == &uz_format) {
		compare_uz(&d, facts, &r);
		check_rules(facts, report);
	} else if (f == &uz2_format) {
		compare_uz2(&d, facts);
	} else if (f) {
		compare_others(&d, f, facts, report);
	}
	report_free(report);
	decode_close(&d);
	arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = buffer_copy(data, size);
	const char *name = name_of(copy, size);
	const uint64_t hash = random_hash(copy, size);

	/* Each checks the whole file. */
	if (thorough_is_turn(hash, 0, 2))
		compare(copy, size, name);
	if (thorough_is_turn(hash, 1, 2))
		oracle_check(&(struct subject){ .format = &uz_format,
						.data = copy,
						.size = size,
						.name = name,
						.unpacks = UNPACKS });
	free(copy);
	return 0;
}

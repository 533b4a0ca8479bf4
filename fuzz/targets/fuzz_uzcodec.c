/* The stages of compressed downloads, each by itself: a second decoder returns the same bytes, or
 * both refuse. The first byte of the input says which stage it is. Streams of zlib, which
 * containers have too, are those of the harness codecs. */
#include <stdlib.h>
#include <string.h>

#include "codec/bwt.h"
#include "codec/huffman.h"
#include "codec/lzma.h"
#include "codec/mtf.h"
#include "codec/runs.h"
#include "reference/reference_uz.h"
#include "support/buffers.h"
#include "support/memory.h"
#include "support/must.h"
#include "support/random.h"
#include "support/thorough.h"
#include "targets/harness.h"

enum { ROOM = 1 << 16 };

/* Room that ends where n bytes do, so that the sanitizer sees the first byte too many. */
static uint8_t *room(uint64_t n)
{
	uint8_t *p = malloc(n > 0 ? (size_t)n : 1);

	MUST(p, "the machine has memory for a harness");
	return p;
}

static bool same(const uint8_t *a, const uint8_t *b, uint64_t n)
{
	return n == 0 || memcmp(a, b, (size_t)n) == 0;
}

/* ---- Huffman --------------------------------------------------------------------------------- */

static enum reference_end end_of(enum huffman_fault fault)
{
	static const enum reference_end ends[] = {
		[HUFFMAN_FINE] = REFERENCE_FINE,
		[HUFFMAN_TREE_CUT] = REFERENCE_CUT,
		[HUFFMAN_TREE_WIDE] = REFERENCE_WIDE,
		[HUFFMAN_TREE_DEEP] = REFERENCE_DEEP,
	};

	return ends[fault];
}

static void check_symbols(struct huffman *h, struct reference_huffman *second, uint64_t n,
			  uint64_t portion)
{
	uint8_t *fast = room(n), *slow = room(n);
	uint64_t done = 0, some, asked;

	do {
		asked = n - done < portion ? n - done : portion;
		some = huffman_decode(h, fast + done, asked);
		done += some;
	} while (some == asked && done < n);
	MUST(reference_symbols(second, slow, n) == done, "as many symbols come out");
	MUST(same(fast, slow, done), "the same symbols come out");
	MUST(h->bit == second->bit, "symbols take their bits");
	free(fast);
	free(slow);
}

/* The first two bytes are how many symbols, the third how many at a time, and whether the table
 * may be used, which takes longer to make than most inputs to decode: one input in four has its
 * turn. */
static void check_huffman(const uint8_t *data, size_t size)
{
	static struct huffman h;
	static struct reference_huffman second;
	uint64_t n, portion;
	enum huffman_fault fault;

	if (size < 3)
		return;
	n = ((uint64_t)data[0] * 256 + data[1]) % 1024;
	portion = 1 + (uint64_t)data[2] / 2 * 8;
	h.in = data + 3;
	h.n_in = size - 3;
	fault = huffman_read_tree(&h);
	MUST(end_of(fault) == reference_tree(&second, data + 3, size - 3),
	     "a tree ends as it should");
	if (fault != HUFFMAN_FINE)
		return;
	MUST(h.bit == second.bit && h.n_nodes + 1 == second.n_codes, "a tree has its leaves");
	if (data[2] % 8 == 1 && thorough_is_turn(random_hash(data, size), 0, 4))
		huffman_make_fast(&h);
	check_symbols(&h, &second, n, portion);
}

/* ---- Places, blocks and runs ----------------------------------------------------------------- */

static void check_places(const uint8_t *data, size_t size)
{
	uint8_t *fast = buffer_copy(data, size), *slow = buffer_copy(data, size);
	size_t split = size > 0 ? data[0] % size : 0;
	struct mtf m;

	mtf_start(&m, size > 0 && data[0] % 2 ? MTF_LARGE : size); /* in vectors, too */
	mtf_decode(&m, fast, split);
	mtf_decode(&m, fast + split, size - split);
	reference_places(slow, size);
	MUST(same(fast, slow, size), "the same bytes come out of a list");
	free(fast);
	free(slow);
}

/* Reads all blocks, then decodes each into its own place. */
static enum reference_end decode_blocks(uint8_t *bytes, uint64_t n, uint64_t *n_out)
{
	uint64_t longest = 0, at;
	struct bwt_block b;
	uint32_t *scratch;

	*n_out = 0;
	for (at = 0; at < n; at += 13 + (uint64_t)b.len) {
		enum bwt_fault fault = bwt_read(bytes, n, at, &b);

		if (fault != BWT_FINE)
			return fault == BWT_FIRST || fault == BWT_LAST ? REFERENCE_BAD
								       : REFERENCE_CUT;
		longest = b.len > longest ? b.len : longest;
	}
	scratch = (void *)room(bwt_scratch_len(longest) * sizeof *scratch);
	for (at = 0; at < n; at += 13 + (uint64_t)b.len) {
		MUST(bwt_read(bytes, n, at, &b) == BWT_FINE, "a block is the same again");
		bwt_decode(&b, scratch, bytes + *n_out);
		*n_out += b.len;
	}
	free(scratch);
	return REFERENCE_FINE;
}

static void check_blocks(const uint8_t *data, size_t size)
{
	uint8_t *fast = buffer_copy(data, size), *slow = room(size);
	uint64_t n_fast, n_slow;
	enum reference_end end = decode_blocks(fast, size, &n_fast);

	MUST(end == reference_blocks(data, size, slow, &n_slow), "blocks end as they should");
	if (end == REFERENCE_FINE)
		MUST(n_fast == n_slow && same(fast, slow, n_fast),
		     "the same bytes come out of blocks");
	free(fast);
	free(slow);
}

static void check_runs(const uint8_t *data, size_t size)
{
	struct runs_size s = runs_measure(data, size);
	uint8_t *fast = room(s.n_out), *slow = room(64 * (uint64_t)size);
	uint64_t n_slow;
	enum reference_end end = reference_runs(data, size, slow, 64 * (uint64_t)size, &n_slow);

	MUST((s.fault == RUNS_CUT) == (end == REFERENCE_CUT) &&
		     (s.fault == RUNS_COUNT) == (end == REFERENCE_BAD),
	     "runs end as they should");
	if (end == REFERENCE_FINE) {
		runs_expand(data, size, fast);
		MUST(s.n_out == n_slow && same(fast, slow, n_slow),
		     "the same bytes come out of runs");
	}
	free(fast);
	free(slow);
}

/* ---- LZMA ------------------------------------------------------------------------------------ */

static bool go_on(void *ctx)
{
	(void)ctx;
	return true;
}

/* The header of 13 bytes, and what follows: counted and decoded are the same. */
static void check_lzma(struct arena *arena, const uint8_t *data, size_t size)
{
	struct unlzma_header h = { .properties = 0 };
	struct unlzma counted, decoded;
	uint8_t *out = room(ROOM);

	if (size >= 13) {
		h.properties = data[0] % 225;
		h.dictionary = (uint32_t)(data[1] + 256u * data[2]);
		h.size = data[5] == 0xFF ? LZMA_SIZE_UNKNOWN : data[5] + 256u * data[6];
		counted = unlzma_whole(arena, h, data + 13, size - 13, NULL, ROOM, go_on, NULL);
		decoded = unlzma_whole(arena, h, data + 13, size - 13, out, ROOM, go_on, NULL);
		MUST(counted.result == decoded.result && counted.n_out == decoded.n_out &&
			     counted.n_used == decoded.n_used,
		     "what is counted is what is decoded");
		MUST(decoded.n_out <= ROOM && decoded.n_used <= size - 13,
		     "a stream stays in its bounds");
	}
	free(out);
}

static void check_stream(const uint8_t *data, size_t size)
{
	struct memory memory;
	struct arena arena;

	memory_init(&memory, 0xA5);
	arena_init(&arena, memory_allocator(&memory), 1 << 24);
	check_lzma(&arena, data, size);
	arena_free(&arena);
	MUST(memory.n_live == 0, "an arena gives everything back");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy;
	unsigned stage;

	if (size == 0)
		return 0;
	stage = data[0] % 5;
	copy = buffer_copy(data + 1, --size);
	switch (stage) {
	case 0:
		check_huffman(copy, size);
		break;
	case 1:
		check_places(copy, size);
		break;
	case 2:
		check_blocks(copy, size);
		break;
	case 3:
		check_runs(copy, size);
		break;
	default:
		check_stream(copy, size);
		break;
	}
	free(copy);
	return 0;
}

/* Containers: what chunks hold, and how it is compressed. */
#include "container.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#if defined(UVET_WITH_LZ4)
#include <lz4hc.h>
#endif
#if defined(UVET_WITH_ZSTD)
#include <zstd.h>
#endif

#include "pack.h"

static void die(const char *words)
{
	fprintf(stderr, "bench_container: %s\n", words);
	exit(1);
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

enum { POOL_LEN = 16 << 20, CHUNK_MAX = 1 << 20, PIECE = 32768, NOISY = 9 };

/* Nothing gets smaller of every ninth piece of the pool, as nothing does of what is compressed
 * already. */
static void fill_pool(struct heap *pool)
{
	uint64_t state = 1;

	pack_content(pool, POOL_LEN);
	for (size_t at = 0; at + PIECE <= pool->len; at += NOISY * PIECE)
		for (size_t i = 0; i < PIECE; i++)
			pool->data[at + i] =
				(uint8_t)((state = state * UINT64_C(6364136223846793005) + 1) >>
					  56);
}

const uint8_t *content_of(uint64_t number, uint64_t n)
{
	static struct heap pool;

	if (!pool.data)
		fill_pool(&pool);
	if (n > CHUNK_MAX)
		die("no chunk is that long");
	return pool.data + number * UINT64_C(0x9E3779B97F4A7C15) % (pool.len - CHUNK_MAX);
}

/* ---- Compressing ----------------------------------------------------------------------------- */

static void make_room(struct heap *h, size_t n)
{
	if (h->max >= n)
		return;
	h->data = realloc(h->data, n);
	h->max = n;
	if (!h->data)
		die("out of memory");
}

static size_t pack_block(enum container_method method, const uint8_t *bytes, uint32_t n,
			 struct heap *out)
{
	uLongf len = out->max;

	if (method == METHOD_ZLIB)
		return compress2(out->data, &len, bytes, n, 6) == Z_OK ? len : 0;
#if defined(UVET_WITH_LZ4)
	if (method == METHOD_LZ4)
		return (size_t)LZ4_compress_HC((const char *)bytes, (char *)out->data, (int)n,
					       (int)out->max, 9);
#endif
#if defined(UVET_WITH_ZSTD)
	if (method == METHOD_ZSTD)
		return ZSTD_compress(out->data, out->max, bytes, n, 3);
#endif
	die("this build has not the library for that");
	return 0;
}

bool content_pack(enum container_method method, const uint8_t *bytes, uint32_t n, struct heap *out)
{
	/* the engine does not compress what is that short */
	if (method == METHOD_NONE || n <= 1024)
		return false;
	make_room(out, 2 * (size_t)n + 1024);
	out->len = pack_block(method, bytes, n, out);
	return out->len > 0 && out->len < n;
}

/* ---- A bomb ---------------------------------------------------------------------------------- */

/* Bits go to bytes from the lowest on. */
struct bits {
	struct heap *out;
	uint64_t held;
	unsigned n;
};

static void add_bits(struct bits *b, uint64_t value, unsigned n)
{
	b->held |= value << b->n;
	for (b->n += n; b->n >= 8; b->n -= 8) {
		uint8_t byte = (uint8_t)b->held;

		heap_add(b->out, &byte, 1);
		b->held >>= 8;
	}
}

/* A block with codes of its own and nothing but its end: 257 lengths of literals and one of
 * distances, told by codes for 0, 1 and long runs of 0. The alphabet of lengths comes in the
 * order 16, 17, 18, 0, 8, ... 1, 15: the run (18) has one bit, 0 and 1 have two. */
static void add_empty_block(struct bits *b)
{
	add_bits(b, 4, 3);  /* not the last; codes of its own */
	add_bits(b, 0, 5);  /* 257 literals */
	add_bits(b, 0, 5);  /* 1 distance */
	add_bits(b, 14, 4); /* 18 lengths of lengths */
	for (unsigned i = 0; i < 18; i++)
		add_bits(b, i == 2 ? 1 : i == 3 || i == 17 ? 2 : 0, 3);
	add_bits(b, 0, 1);
	add_bits(b, 127, 7); /* 138 zeros */
	add_bits(b, 0, 1);
	add_bits(b, 118 - 11, 7); /* 118 zeros */
	add_bits(b, 3, 2);        /* 256, the end of the block: 1 */
	add_bits(b, 3, 2);        /* distance 0: 1 */
	add_bits(b, 0, 1);        /* the end */
}

void content_empty_blocks(size_t n_in, size_t n_out, struct heap *out)
{
	struct bits b = { .out = out };
	uint8_t *zeros = calloc(n_out, 1);
	uLong sum = adler32(1, zeros, (uInt)n_out);

	out->len = 0;
	heap_add(out, "\x78\x9C", 2);
	while (out->len + n_out / 128 + 32 < n_in)
		add_empty_block(&b);
	add_bits(&b, 3, 3);    /* the last, with fixed codes */
	add_bits(&b, 0x0C, 8); /* a zero: its code is 00110000, highest bit first */
	for (size_t left = n_out - 1; left > 0;) {
		const bool run = left >= 258;

		add_bits(&b, run ? 0xA3 : 0x0C, 8); /* 258 bytes: 11000101 */
		add_bits(&b, 0, run ? 5 : 0);       /* from one byte before */
		left -= run ? 258 : 1;
	}
	add_bits(&b, 0, 7); /* the end */
	add_bits(&b, 0, (8 - b.n) % 8);
	for (int shift = 24; shift >= 0; shift -= 8)
		heap_add(out, &(uint8_t){ (uint8_t)(sum >> shift) }, 1);
	free(zeros);
}

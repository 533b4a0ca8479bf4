/* Encoding .uz and .uz2. */
#include "pack.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BLOCK = 262144, CHUNK = 32768 };

/* ---- The stages ------------------------------------------------------------------------------ */

static void add_byte(struct heap *out, unsigned byte)
{
	uint8_t b = (uint8_t)byte;

	heap_add(out, &b, 1);
}

void pack_runs(const uint8_t *in, size_t n, struct heap *out)
{
	for (size_t at = 0, len; at < n; at += len) {
		for (len = 1; len < 255 && at + len < n && in[at + len] == in[at];)
			len++;
		heap_add(out, in + at, len < 5 ? len : 5);
		for (size_t i = len; i >= 5 && i == len; i = 0)
			add_byte(out, (unsigned)len);
	}
}

/* The block that is being sorted: qsort passes nothing along. */
static const uint8_t *sorted;
static size_t sorted_len;

static int compare_suffixes(const void *a, const void *b)
{
	size_t i = *(const uint32_t *)a, j = *(const uint32_t *)b, later = i > j ? i : j;
	int order = memcmp(sorted + i, sorted + j, sorted_len - later);

	return order != 0 ? order : i < j ? -1 : 1; /* the end sorts behind all bytes */
}

static void sort_block(const uint8_t *in, size_t n, struct heap *out)
{
	static uint32_t order[BLOCK + 1];
	uint32_t where[2] = { 0, 0 };

	sorted = in;
	sorted_len = n;
	for (uint32_t i = 0; i <= n; i++)
		order[i] = i;
	qsort(order, n + 1, sizeof *order, compare_suffixes);
	for (uint32_t i = 0; i <= n; i++)
		if (order[i] < 2)
			where[order[i]] = i;
	heap_u32(out, n);
	heap_u32(out, where[1]);
	heap_u32(out, where[0]);
	for (size_t i = 0; i <= n; i++)
		add_byte(out, order[i] ? in[order[i] - 1] : in[0]);
}

void pack_sorted(const uint8_t *in, size_t n, struct heap *out)
{
	for (size_t at = 0; at < n; at += BLOCK)
		sort_block(in + at, n - at < BLOCK ? n - at : BLOCK, out);
}

void pack_places(const uint8_t *in, size_t n, struct heap *out)
{
	uint8_t list[256];

	for (unsigned i = 0; i < 256; i++)
		list[i] = (uint8_t)i;
	for (size_t i = 0; i < n; i++) {
		size_t place = (size_t)((const uint8_t *)memchr(list, in[i], 256) - list);

		add_byte(out, (unsigned)place);
		memmove(list + 1, list, place);
		list[0] = in[i];
	}
}

/* A tree in the making: nodes 0 to 255 are the bytes, those behind them have branches. */
struct tree {
	uint64_t count[511];
	uint32_t branch[511][2], up[511], n;
	bool taken[511];
};

static uint32_t take_rarest(struct tree *t)
{
	uint32_t best = 511;

	for (uint32_t i = 0; i < t->n; i++)
		if (!t->taken[i] && t->count[i] > 0 &&
		    (best == 511 || t->count[i] < t->count[best]))
			best = i;
	if (best < 511)
		t->taken[best] = true;
	return best;
}

static uint32_t make_tree(struct tree *t, const uint8_t *in, size_t n)
{
	uint32_t a, b;

	memset(t, 0, sizeof *t);
	t->n = 256;
	for (size_t i = 0; i < n; i++)
		t->count[in[i]]++;
	for (;;) {
		a = take_rarest(t);
		b = take_rarest(t);
		if (b == 511)
			return a;
		t->count[t->n] = t->count[a] + t->count[b];
		t->branch[t->n][0] = a;
		t->branch[t->n][1] = b;
		t->up[a] = t->up[b] = t->n++;
	}
}

/* Bits on their way to bytes. */
struct bits {
	struct heap *out;
	unsigned byte, n;
};

static void put_bit(struct bits *b, unsigned bit)
{
	b->byte |= bit << b->n++;
	if (b->n < 8)
		return;
	add_byte(b->out, b->byte);
	b->byte = b->n = 0;
}

static void put_tree(struct bits *b, const struct tree *t, uint32_t root)
{
	uint32_t todo[512], n = 0;

	todo[n++] = root;
	while (n > 0) {
		uint32_t node = todo[--n];

		put_bit(b, node >= 256);
		for (unsigned i = 0; node < 256 && i < 8; i++)
			put_bit(b, node >> i & 1);
		if (node >= 256) {
			todo[n++] = t->branch[node][1];
			todo[n++] = t->branch[node][0];
		}
	}
}

static void put_code(struct bits *b, const struct tree *t, uint32_t node, uint32_t root)
{
	uint8_t way[256];
	unsigned n = 0;

	for (; node != root; node = t->up[node])
		way[n++] = t->branch[t->up[node]][1] == node;
	while (n > 0)
		put_bit(b, way[--n]);
}

void pack_huffman(const uint8_t *in, size_t n, struct heap *out)
{
	static struct tree t;
	struct bits b = { .out = out };
	uint32_t root = make_tree(&t, in, n);

	heap_u32(out, n);
	put_tree(&b, &t, root);
	for (size_t i = 0; i < n; i++)
		put_code(&b, &t, in[i], root);
	while (b.n > 0)
		put_bit(&b, 0);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void stage(void (*pack)(const uint8_t *, size_t, struct heap *), struct heap *bytes)
{
	struct heap out = { 0 };

	pack(bytes->data, bytes->len, &out);
	free(bytes->data);
	*bytes = out;
}

void pack_uz(const uint8_t *in, size_t n, unsigned signature, struct heap *out)
{
	struct heap bytes = { 0 };

	heap_u32(out, signature);
	heap_add(out, "\6Big.u", 7);
	heap_add(&bytes, in, n);
	stage(pack_runs, &bytes);
	stage(pack_sorted, &bytes);
	stage(pack_places, &bytes);
	if (signature == 5678)
		stage(pack_runs, &bytes);
	stage(pack_huffman, &bytes);
	heap_add(out, bytes.data, bytes.len);
	free(bytes.data);
}

void pack_uz2(const uint8_t *in, size_t n, struct heap *out)
{
	static uint8_t packed[2 * CHUNK];

	for (size_t at = 0, len; at < n; at += len) {
		uLongf packed_len = sizeof packed;

		len = n - at < CHUNK ? n - at : CHUNK;
		if (compress(packed, &packed_len, in + at, len) != Z_OK)
			abort();
		heap_u32(out, packed_len);
		heap_u32(out, len);
		heap_add(out, packed, packed_len);
	}
}

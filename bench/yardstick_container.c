/* The yardstick of stored bytes: reads every chunk of a container that is in order, decodes its
 * blocks and takes its hash, with the libraries alone.
 *
 *     yardstick_container FILE.utoc
 *
 * prints how many bytes were decoded and how many hashes were right. It trusts the file. */
#include "bench.h"

#include <blake3.h>
#include <fcntl.h>
#include <lz4.h>
#include <nettle/sha1.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { HEADER_LEN = 144, BLOCK = 65536, RUN = 262144, STORED_MAX = 2 * RUN };

struct container {
	const uint8_t *utoc, *ranges, *blocks, *metas;
	uint64_t n, meta_len;
	bool with_sha1;
	char method; /* the first letter of its name */
	int ucas;
	z_stream inflate;
	ZSTD_DCtx *zstd;
	uint8_t stored[STORED_MAX], block[BLOCK];
};

static uint64_t little(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

static uint64_t big(const uint8_t *p)
{
	return (uint64_t)p[0] << 32 | (uint64_t)p[1] << 24 | (uint64_t)p[2] << 16 |
	       (uint64_t)p[3] << 8 | p[4];
}

static void find_tables(struct container *c)
{
	const uint8_t *p = c->utoc;
	const uint64_t version = p[16], n_blocks = little(p + 28, 4), n_methods = little(p + 36, 4);

	c->n = little(p + 24, 4);
	c->ranges = p + HEADER_LEN + 12 * c->n;
	c->blocks = c->ranges + 10 * c->n + 4 * little(p + 84, 4) + 4 * little(p + 96, 4);
	c->method = n_methods > 0 ? (char)c->blocks[12 * n_blocks] : 0;
	if (n_methods > 0 && c->blocks[12 * n_blocks + 1] == 's')
		c->method = 's'; /* Zstd, not Zlib */
	c->metas = c->blocks + 12 * n_blocks + 32 * n_methods + little(p + 48, 4);
	c->meta_len = version < 8 ? 33 : 24;
	c->with_sha1 = version < 5;
}

static void inflate_block(struct container *c, const uint8_t *in, size_t n_in, size_t n)
{
	if (inflateReset(&c->inflate) != Z_OK)
		exit(1);
	c->inflate.next_in = (z_const Bytef *)in;
	c->inflate.avail_in = (uInt)n_in;
	c->inflate.next_out = c->block;
	c->inflate.avail_out = (uInt)n;
	if (inflate(&c->inflate, Z_FINISH) != Z_STREAM_END)
		exit(1);
}

static const uint8_t *decode(struct container *c, const uint8_t *in, const uint8_t *entry)
{
	const size_t n_in = little(entry + 5, 3), n = little(entry + 8, 3);
	size_t n_out = n;

	if (entry[11] == 0)
		return in;
	if (c->method == 'L')
		n_out = (size_t)LZ4_decompress_safe((const char *)in, (char *)c->block, (int)n_in,
						    (int)n);
	else if (c->method == 's')
		n_out = ZSTD_decompressDCtx(c->zstd, c->block, n, in, n_in);
	else
		inflate_block(c, in, n_in, n);
	if (n_out != n)
		exit(1);
	return c->block;
}

/* Reads blocks from `entry` on, as many as make a run, and returns how many. */
static uint64_t read_run(struct container *c, const uint8_t *entry, uint64_t n)
{
	const uint64_t from = little(entry, 5);
	uint64_t k, to = from;

	for (k = 0; k < n && (k == 0 || to - from < RUN); k++)
		to = little(entry + 12 * k, 5) + little(entry + 12 * k + 5, 3);
	if (to - from > STORED_MAX ||
	    pread(c->ucas, c->stored, to - from, (off_t)from) != (ssize_t)(to - from))
		exit(1);
	return k;
}

static uint64_t check_chunk(struct container *c, uint64_t i)
{
	const uint64_t length = big(c->ranges + 10 * i + 5), n = (length + BLOCK - 1) / BLOCK;
	const uint8_t *entry = c->blocks + big(c->ranges + 10 * i) / BLOCK * 12;
	struct sha1_ctx sha1;
	blake3_hasher blake3;
	uint8_t hash[20];

	sha1_init(&sha1);
	blake3_hasher_init(&blake3);
	for (uint64_t k = 0, run; k < n; k += run) {
		run = read_run(c, entry + 12 * k, n - k);
		for (uint64_t b = k; b < k + run; b++) {
			const uint8_t *e = entry + 12 * b,
				      *bytes = decode(c,
						      c->stored + (little(e, 5) -
								   little(entry + 12 * k, 5)),
						      e);

			if (c->with_sha1)
				sha1_update(&sha1, little(e + 8, 3), bytes);
			else
				blake3_hasher_update(&blake3, bytes, little(e + 8, 3));
		}
	}
	if (c->with_sha1)
		sha1_digest(&sha1, sizeof hash, hash);
	else
		blake3_hasher_finalize(&blake3, hash, sizeof hash);
	return memcmp(hash, c->metas + i * c->meta_len, sizeof hash) == 0;
}

static void open_container(struct container *c, char *path)
{
	size_t len;

	c->utoc = bench_load(path, &len);
	if (len < HEADER_LEN || strlen(path) < 5)
		exit(2);
	memcpy(path + strlen(path) - 4, "ucas", 4);
	c->ucas = open(path, O_RDONLY | O_CLOEXEC);
	c->zstd = ZSTD_createDCtx();
	if (c->ucas < 0 || !c->zstd || inflateInit(&c->inflate) != Z_OK)
		exit(2);
	find_tables(c);
}

int main(int argc, char **argv)
{
	static struct container c;
	unsigned long long n_bytes = 0, n_right = 0;

	if (argc < 2)
		return 2;
	open_container(&c, argv[1]);
	for (uint64_t i = 0; i < c.n; i++) {
		n_bytes += big(c.ranges + 10 * i + 5);
		n_right += check_chunk(&c, i);
	}
	printf("%llu %llu\n", n_bytes, n_right);
	return n_right == c.n ? 0 : 3;
}

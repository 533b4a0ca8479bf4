/* A reference reading of a container's blocks: where they are stored, and what other decoders say
 * of them. */
#include "oracle/oracle_blocks.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "oracle/oracle_results.h"
#include "reference/reference_codecs.h"
#include "support/must.h"

enum { BLOCK_MAX = 1 << 16, PARTITIONS_MOST = 1024 };

/* Whether a block decompresses to the size in its row: it does, it does not, or this oracle cannot
 * tell. */
enum verdict_of_block { BLOCK_DECODES, BLOCK_FAILS, BLOCK_UNTOLD };

const struct fake_file *oracle_partition(const struct reference_toc *t, const struct subject *s,
					 uint64_t number)
{
	static const char *const endings[] = { ".ucas", "_s1.ucas", "_s2.ucas" };

	if (number >= t->n_partitions || t->n_partitions > PARTITIONS_MOST)
		return NULL;
	for (size_t i = 0; number < sizeof endings / sizeof *endings && i < s->n_companions; i++)
		if (strcmp(s->companions[i].ending, endings[number]) == 0 &&
		    s->companions[i].state == COMPANION_OPEN)
			return &s->companions[i];
	return NULL;
}

/* The bytes that a block stores; NULL: they do not lie in one file. */
static const uint8_t *stored(const struct reading *u, const struct subject *s,
			     const struct reference_block *b)
{
	const uint64_t number = b->offset / u->t.partition_len, at = b->offset % u->t.partition_len;
	const struct fake_file *file = oracle_partition(&u->t, s, number);

	if (!file || at > file->size || b->compressed > file->size - at ||
	    b->compressed > u->t.partition_len - at)
		return NULL;
	return file->data + at;
}

static char small(uint8_t c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

static bool is_called(const struct reference_toc *t, uint64_t method, const char *name)
{
	const uint8_t *p = reference_row(t, REFERENCE_METHODS, method - 1);

	for (uint64_t i = 0; i < t->name_len; i++)
		if (small(p[i]) != name[i] || name[i] == '\0')
			return p[i] == 0 && name[i] == '\0';
	return name[t->name_len] == '\0';
}

static bool inflates(const uint8_t *in, uint64_t n_in, int form, uint8_t *out, uint64_t n_out)
{
	z_stream z = { .next_in = (z_const Bytef *)(uintptr_t)in,
		       .avail_in = (uInt)n_in,
		       .next_out = out,
		       .avail_out = (uInt)n_out };
	bool done;

	MUST(inflateInit2(&z, form) == Z_OK, "the machine has memory for a harness");
	done = inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_out == 0;
	inflateEnd(&z);
	return done;
}

/* Whether the tables show no defect of a block, so that it is decoded. */
static bool is_decoded(const struct reading *u, const struct subject *s,
		       const struct reference_block *b)
{
	if (b->uncompressed > u->t.block_size || b->uncompressed > BLOCK_MAX || !stored(u, s, b))
		return false;
	return b->method == 0 ? b->compressed >= b->uncompressed
			      : b->compressed > 0 && b->compressed < b->uncompressed;
}

static enum verdict_of_block decode(const struct reading *u, const struct subject *s,
				    const struct reference_block *b, uint8_t *out)
{
	const uint8_t *in = stored(u, s, b);
	const struct reference_toc *t = &u->t;
	size_t n = 0;
	bool decodes;

	if (!is_decoded(u, s, b) || b->method > t->n_methods)
		return BLOCK_UNTOLD;
	if (b->method == 0) {
		memcpy(out, in, b->uncompressed);
		return BLOCK_DECODES;
	}
	if (is_called(t, b->method, "lz4"))
		decodes = reference_lz4_block(in, b->compressed, out, b->uncompressed, &n) ==
				  REFERENCE_LZ4_WHOLE &&
			  n == b->uncompressed;
	else if (is_called(t, b->method, "zlib"))
		decodes = inflates(in, b->compressed, 15, out, b->uncompressed);
	else if (is_called(t, b->method, "gzip"))
		decodes = inflates(in, b->compressed, 31, out, b->uncompressed);
	else
		return BLOCK_UNTOLD;
	return decodes ? BLOCK_DECODES : BLOCK_FAILS;
}

static bool is_sound(const struct reading *u, const struct chunk *c)
{
	return c->looked && !c->partial && !c->too_short && !c->past_space &&
	       u->t.partition_len > 0 && !(u->t.flags & 2);
}

uint64_t oracle_gather(const struct reading *u, const struct subject *s, const struct chunk *c,
		       uint8_t *out, uint64_t room)
{
	static uint8_t block[BLOCK_MAX];
	uint64_t n = 0;

	if (!is_sound(u, c) || c->last_short || c->last_long)
		return 0;
	for (uint64_t k = 0; k < c->n_blocks; k++) {
		struct reference_block b = reference_block(&u->t, c->first + k);

		if (decode(u, s, &b, block) != BLOCK_DECODES || b.uncompressed > room - n ||
		    (b.method == 0 && b.compressed != b.uncompressed))
			return 0;
		memcpy(out + n, block, b.uncompressed);
		n += b.uncompressed;
	}
	return n;
}

/* Whether each block of a chunk is one that is decoded, by uvet and here. */
static bool is_whole(const struct reading *u, const struct subject *s, const struct chunk *c)
{
	static uint8_t block[BLOCK_MAX];

	if (!is_sound(u, c))
		return false;
	for (uint64_t k = 0; k < c->n_blocks; k++) {
		struct reference_block b = reference_block(&u->t, c->first + k);

		if (decode(u, s, &b, block) == BLOCK_UNTOLD)
			return false;
	}
	return true;
}

void oracle_streams(const struct reading *u, const struct trial *t, const struct report *r)
{
	static enum verdict_of_block of[ROWS_MAX];
	static uint8_t block[BLOCK_MAX];
	uint64_t found = oracle_found(r, "BLK022") + oracle_found(r, "BLK023"), n_failed = 0,
		 n_given = 0;

	if (!oracle_was_judged(r, "BLK022") || !oracle_was_judged(r, "BLK023") ||
	    oracle_found(r, "RUN001") > 0)
		return;
	for (uint64_t i = 0; i < u->t.n_blocks; i++)
		of[i] = BLOCK_UNTOLD;
	for (uint64_t i = 0; i < u->t.n_chunks; i++) {
		const struct chunk *c = &u->chunks[i];

		for (uint64_t k = 0; k < c->n_blocks && is_whole(u, t->subject, c); k++) {
			struct reference_block b = reference_block(&u->t, c->first + k);

			of[c->first + k] = decode(u, t->subject, &b, block);
		}
	}
	for (uint64_t i = 0; i < u->t.n_blocks; i++) {
		n_failed += of[i] == BLOCK_FAILS;
		n_given += of[i] == BLOCK_DECODES;
	}
	if (found < n_failed || found > u->t.n_blocks - n_given)
		fprintf(stderr, "blocks: found %llu, %llu fail, %llu give what they say\n",
			(unsigned long long)found, (unsigned long long)n_failed,
			(unsigned long long)n_given);
	MUST(found >= n_failed && found <= u->t.n_blocks - n_given,
	     "a block that cannot be decoded is told, whatever its chunk's hash");
}

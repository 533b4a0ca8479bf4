/* Blocks: the methods that their numbers mean, and what they need. */
#include "formats/blocks/block.h"

#include <string.h>

void block_methods_init(struct block_methods *m)
{
	memset(m->of, METHOD_UNKNOWN, sizeof m->of);
	m->of[0] = METHOD_NONE;
}

void block_methods_add(struct block_methods *m, uint64_t number, const uint8_t *name, uint64_t n)
{
	if (number >= sizeof m->of)
		return;
	if (n > 0)
		m->of[number] = (uint8_t)method_of(name, n);
	else
		m->of[number] = BLOCK_METHOD_NAMELESS;
}

void block_needs_add(struct block_needs *n, const struct block *b)
{
	const uint64_t read = block_read_len(b);

	n->read += read;
	n->decoded += b->size;
	n->packed += b->is_packed ? read : 0;
	n->largest_read = read > n->largest_read ? read : n->largest_read;
	n->largest_decoded = b->size > n->largest_decoded ? b->size : n->largest_decoded;
}

bool block_lacks_decoder(const struct block *b, const struct unpacker *codecs, enum method *lacking)
{
	if (b->is_packed && b->size > 0 && b->stored >= b->size)
		*lacking = METHOD_NONE;
	else if (!unpacker_has(codecs, b->method))
		*lacking = b->method < METHOD_UNKNOWN ? b->method : METHOD_UNKNOWN;
	else
		return false;
	return true;
}

static const char *decoder_name(enum method m)
{
	if (m == METHOD_NONE)
		return "decoder for blocks that save nothing";
	return m == METHOD_UNKNOWN ? "decoder for a compression method that has no name"
				   : method_name(m);
}

void block_stop_codecs(struct decode *d, uint32_t group, const struct block_needs *n, bool counts)
{
	for (unsigned m = METHOD_NONE; m <= METHOD_UNKNOWN; m++)
		if (n->lacking[m] > 0)
			decode_stop_codec(d, group, decoder_name((enum method)m),
					  (struct span){ 0, counts ? n->lacking[m] : 0 });
}

/* This many stored bytes may be decoded a second time at no cost, however small the file is;
 * each further byte costs REPEAT_WORK units. */
#define REPEATS_FREE ((uint64_t)16777216)
#define REPEAT_WORK 4u

uint64_t block_repeat_work(uint64_t distinct, uint64_t packed)
{
	const uint64_t free = REPEATS_FREE + 2 * distinct;

	return packed > free ? (packed - free) * REPEAT_WORK : 0;
}

/* Decoding .lzma through liblzma, where it is there. */
#include "codec/lzma.h"

#if defined(UVET_WITH_LZMA)

#include <lzma.h>
#include <string.h>

/* Bytes of output between two pulses, and the length of the buffer for output that is only
 * counted. */
enum { WINDOW = 65536, HEADER_LEN = 13 };

/* liblzma's least dictionary. */
#define DICTIONARY_MIN ((uint64_t)4096)

static void *lzma_take(void *arena, size_t count, size_t size)
{
	return arena_alloc(arena, count, size);
}

static void lzma_leave(void *arena, void *memory)
{
	(void)arena, (void)memory; /* the arena is freed as a whole */
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* No match reaches back before the first byte of the output, so a dictionary as long as the
 * output is enough. The header may claim 4 GiB, and is not believed. */
static uint64_t needed_dictionary(struct unlzma_header h, uint64_t n_in, uint64_t max_out)
{
	uint64_t most = least(h.size, least(max_out, least(n_in, UINT32_MAX) * UNLZMA_GAIN_MAX));

	if (most < DICTIONARY_MIN)
		most = DICTIONARY_MIN;
	return least(h.dictionary, most);
}

static void write_header(struct unlzma_header h, uint64_t dictionary, uint8_t out[HEADER_LEN])
{
	out[0] = h.properties;
	for (unsigned i = 0; i < 4; i++)
		out[1 + i] = (uint8_t)(dictionary >> 8 * i);
	for (unsigned i = 0; i < 8; i++)
		out[5 + i] = (uint8_t)(h.size >> 8 * i);
}

/* Feeds a header that we wrote. It fails for properties that liblzma does not know, and for want
 * of memory. There is no output yet, but liblzma does not begin without space for some. */
static lzma_ret feed_header(lzma_stream *s, const uint8_t header[HEADER_LEN], uint8_t *spare)
{
	lzma_ret ret = LZMA_OK;

	s->next_in = header;
	s->avail_in = HEADER_LEN;
	s->next_out = spare;
	s->avail_out = 1;
	while (ret == LZMA_OK && s->avail_in > 0)
		ret = lzma_code(s, LZMA_RUN);
	return ret;
}

struct output {
	uint8_t *bytes; /* NULL: they are counted */
	uint64_t n, max;
	/* WINDOW bytes: for output that is only counted, and for one byte too many */
	uint8_t *scratch;
};

/* Sets where the next bytes go. After the last that is allowed there is one spare byte, which tells
 * whether the stream goes on. */
static void set_output(lzma_stream *s, const struct output *o)
{
	uint64_t left = o->max - o->n;
	bool spare = left == 0 || !o->bytes;

	s->next_out = spare ? o->scratch : o->bytes + o->n;
	s->avail_out = (size_t)(left == 0 ? 1 : left < WINDOW ? left : WINDOW);
}

static enum unlzma_result run(lzma_stream *s, struct output *o, unlzma_pulse *pulse, void *ctx)
{
	lzma_ret ret = LZMA_OK;

	while (ret == LZMA_OK) {
		uint64_t given;

		set_output(s, o);
		given = s->avail_out;
		ret = lzma_code(s, LZMA_FINISH);
		MEMORY_WRITTEN(s->next_out - (given - s->avail_out), given - s->avail_out);
		if (o->n == o->max && s->avail_out < given)
			return UNLZMA_FULL;
		o->n += given - s->avail_out;
		if (!pulse(ctx))
			return UNLZMA_STOPPED;
	}
	if (ret == LZMA_MEM_ERROR)
		return UNLZMA_NO_MEMORY;
	return ret == LZMA_STREAM_END ? UNLZMA_DONE : UNLZMA_BROKEN;
}

struct unlzma unlzma_whole(struct arena *arena, struct unlzma_header header, const uint8_t *in,
			   uint64_t n_in, uint8_t *out, uint64_t max_out, unlzma_pulse *pulse,
			   void *ctx)
{
	struct unlzma r = { UNLZMA_NO_MEMORY, 0, 0 };
	lzma_allocator allocator = { lzma_take, lzma_leave, arena };
	lzma_stream s = LZMA_STREAM_INIT;
	struct output o = { out, 0, max_out, arena_alloc(arena, WINDOW, 1) };
	uint8_t head[HEADER_LEN];
	lzma_ret ret;

	write_header(header, needed_dictionary(header, n_in, max_out), head);
	s.allocator = &allocator;
	if (!o.scratch || lzma_alone_decoder(&s, UINT64_MAX) != LZMA_OK)
		return r;
	ret = feed_header(&s, head, o.scratch);
	if (ret == LZMA_OK) {
		s.next_in = in;
		s.avail_in = (size_t)n_in;
		r.result = run(&s, &o, pulse, ctx);
		r.n_out = o.n;
		r.n_used = n_in - s.avail_in;
	} else if (ret != LZMA_MEM_ERROR) {
		r.result = UNLZMA_UNAVAILABLE;
	}
	lzma_end(&s);
	return r;
}

bool unlzma_is_available(void)
{
	return true;
}

#else

struct unlzma unlzma_whole(struct arena *arena, struct unlzma_header header, const uint8_t *in,
			   uint64_t n_in, uint8_t *out, uint64_t max_out, unlzma_pulse *pulse,
			   void *ctx)
{
	(void)arena, (void)header, (void)in, (void)n_in, (void)out, (void)max_out, (void)pulse,
		(void)ctx;
	return (struct unlzma){ UNLZMA_UNAVAILABLE, 0, 0 };
}

bool unlzma_is_available(void)
{
	return false;
}

#endif

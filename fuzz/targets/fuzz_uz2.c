/* .uz2 downloads that are made here: the input says what each chunk holds and what is wrong with
 * it, so that what must come out, and whether anything is amiss, is known without a second
 * decoder. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "formats/compressed/uz2.h"
#include "oracle/oracle.h"
#include "oracle/oracle_results.h"
#include "reference/reference.h"
#include "support/buffers.h"
#include "support/memory.h"
#include "support/must.h"
#include "support/random.h"
#include "support/thorough.h"
#include "targets/harness.h"

/* A chunk of the input: how it is made, a length, and that many bytes. Length 255 stands for a full
 * chunk, which repeats its bytes. */
enum { HEAD = 2, FULL = 255, FULL_LEN = 32768, FULL_MAX = 2, CHUNKS_MAX = 64 };
enum { ROOM = (FULL_MAX + 1) * FULL_LEN, PACKED_ROOM = ROOM + CHUNKS_MAX * 1024 };

/* What is wrong with a chunk: half of them are sound. */
enum fault {
	SOUND,
	PACKED_MORE = 8,
	PACKED_LESS,
	UNPACKED_MORE,
	UNPACKED_LESS,
	SUM_WRONG,
	BYTE_MORE,
	STREAM_CUT,
	UNPACKED_ODD,
	N_FAULTS
};

/* A download that is being built, and what is known of it. */
struct build {
	uint8_t *bytes, *content;
	size_t n, n_content, n_chunks, n_full;
	bool sound, short_inside; /* short_inside: a chunk that is not the last is not full */
	bool last_short;
};

/* compress2 with small tables, which are cleared for each stream. Full chunks repeat themselves,
 * so that no level finds more in them than the first does, which is quick. */
static void compress_small(uint8_t *out, uLongf *n_out, const uint8_t *in, size_t n, int level)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)in,
		       .avail_in = (uInt)n,
		       .next_out = out,
		       .avail_out = (uInt)*n_out };

	MUST(deflateInit2(&z, level, Z_DEFLATED, 12, 1, Z_DEFAULT_STRATEGY) == Z_OK,
	     "zlib has memory");
	MUST(deflate(&z, Z_FINISH) == Z_STREAM_END, "zlib compresses");
	*n_out = z.total_out;
	deflateEnd(&z);
}

static void add_chunk(struct build *b, uint8_t how, const uint8_t *from, size_t len)
{
	uint8_t *chunk = b->bytes + b->n, *stream = chunk + 8;
	uLongf packed = PACKED_ROOM - b->n - 8;
	uint64_t unpacked = len;
	unsigned fault = how >> 4;

	compress_small(stream, &packed, from, len, !(how & 1) ? 0 : len < FULL_LEN ? 9 : 1);
	b->sound = b->sound && fault < PACKED_MORE && len > 0;
	b->short_inside = b->short_inside || b->last_short;
	b->last_short = len < FULL_LEN;
	if (fault == SUM_WRONG)
		stream[packed - 1] ^= 1;
	if (fault == BYTE_MORE)
		stream[packed++] = 0;
	if (fault == STREAM_CUT)
		packed--;
	unpacked += fault == UNPACKED_MORE ? 1 : fault == UNPACKED_LESS ? UINT64_MAX : 0;
	reference_put_u32(chunk, packed + (fault == PACKED_MORE) - (fault == PACKED_LESS));
	reference_put_u32(chunk + 4, fault == UNPACKED_ODD ? FULL_LEN + 1 : unpacked);
	b->n += 8 + packed;
	b->n_chunks++;
}

/* The bytes of a chunk, in the content after those of the others. */
static size_t take(struct build *b, const uint8_t *bytes, size_t n, bool full)
{
	uint8_t *to = b->content + b->n_content;

	if (n > 0)
		memcpy(to, bytes, n);
	else if (full)
		to[n++] = 0;
	for (size_t i = n; full && i < FULL_LEN; i *= 2)
		memcpy(to + i, to, i < FULL_LEN - i ? i : FULL_LEN - i);
	b->n_full += full;
	b->n_content += full ? FULL_LEN : n;
	return full ? FULL_LEN : n;
}

static void build(struct build *b, const uint8_t *data, size_t size)
{
	while (size >= HEAD && b->n_chunks < CHUNKS_MAX) {
		bool full = data[1] == FULL && b->n_full < FULL_MAX;
		size_t n = data[1] < size - HEAD ? data[1] : size - HEAD, from = b->n_content,
		       len = take(b, data + HEAD, n, full);

		add_chunk(b, data[0], b->content + from, len);
		data += HEAD + n;
		size -= HEAD + n;
	}
}

/* ---- What must come out ---------------------------------------------------------------------- */

static void check_content(const struct build *b, const struct decode *d, const struct uz2 *u)
{
	MUST(u->n_parts == b->n_chunks || !b->sound, "each chunk is one");
	MUST(decode_has(d, UZ2_CONTENT) == b->sound, "something comes out of sound chunks only");
	if (!b->sound)
		return;
	MUST(u->content.len == b->n_content &&
		     memcmp(u->content.bytes, b->content, b->n_content) == 0,
	     "what went in comes out");
}

static void check_report(const struct build *b, const struct report *r)
{
	uint64_t n = oracle_found(r, "UZT001") + oracle_found(r, "UZT002") +
		     oracle_found(r, "UZT004");

	MUST((n == 0) == b->sound, "what is wrong is found, and nothing else");
	if (b->sound)
		MUST(oracle_found(r, "UZT003") == b->short_inside,
		     "a chunk that is not full is told");
}

static void compare(const struct build *b, const uint8_t *bytes)
{
	struct memory memory;
	struct arena arena;
	struct source source;
	static struct engine e;
	struct decode d;
	struct report *r;

	memory_init(&memory, 0xA5);
	if (e.n_rules == 0)
		engine_init(&e, memory_allocator(&memory));
	e.allocator = memory_allocator(&memory);
	arena_init(&arena, memory_allocator(&memory), UINT64_MAX);
	source_init_memory(&source, bytes, b->n, "T.u.uz2", &arena);
	d = engine_decode(&e, &source, &arena, NULL);
	check_content(b, &d, uz2_format.decode(&d));
	arena_free(&arena);
	r = engine_check(
		&e, &(struct check_input){ .io.size = b->n, .memory = bytes, .name = "T.u.uz2" });
	MUST(r, "a check that may have memory returns a report");
	check_report(b, r);
	report_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t bytes[PACKED_ROOM], content[ROOM];
	struct build b = { .bytes = bytes, .content = content, .sound = true };
	uint8_t *exact;
	uint64_t hash;

	build(&b, data, size);
	b.sound = b.sound && b.n_chunks > 0;
	exact = buffer_copy(b.bytes, b.n);
	hash = random_hash(exact, b.n);

	/* Each checks the whole file. */
	if (thorough_is_turn(hash, 0, 2))
		compare(&b, exact);
	if (thorough_is_turn(hash, 1, 2))
		oracle_check(&(struct subject){ .format = &uz2_format,
						.data = exact,
						.size = b.n,
						.name = "T.u.uz2",
						.unpacks = ROOM });
	free(exact);
	return 0;
}

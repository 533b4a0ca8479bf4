/* Measures the hashes of a batch of a million names of 32 characters, and all that is asked of
 * them.
 *
 *     bench_names ROUNDS
 *
 * prints one line a round: nanoseconds of one pass over the characters in words of eight, of
 * hashing them, of reading the batch without looking for duplicates, and with it. */
#include "bench.h"
#include "core/source.h"
#include "formats/iostore/names/names.h"

enum { N_NAMES = 1000000, NAME_LEN = 32, HEAD = 16, EACH = 10 };

#define TEXTS (HEAD + (size_t)N_NAMES * EACH)
#define WHOLE (TEXTS + (size_t)N_NAMES * NAME_LEN)

static void put(uint8_t *p, uint64_t v, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static struct held name_of(struct held batch, size_t i)
{
	return held_part(batch, TEXTS + i * NAME_LEN, NAME_LEN);
}

static uint8_t *make_bytes(void)
{
	uint8_t *bytes = malloc(WHOLE);

	if (!bytes)
		exit(1);
	put(bytes, N_NAMES, 4);
	put(bytes + 4, (uint64_t)N_NAMES * NAME_LEN, 4);
	put(bytes + 8, NAME_ALGORITHM, 8);
	for (size_t i = 0; i < N_NAMES; i++) {
		uint8_t *name = bytes + TEXTS + i * NAME_LEN;
		uint8_t *head = bytes + HEAD + (size_t)N_NAMES * 8 + 2 * i;

		snprintf((char *)name, NAME_LEN, "/Game/Mods/Foo/Textures/T_%05x", (unsigned)i);
		name[NAME_LEN - 1] = 'D';
		head[0] = 0;
		head[1] = NAME_LEN;
		put(bytes + HEAD + 8 * i, name_hash((struct held){ name, NAME_LEN }, false), 8);
	}
	return bytes;
}

static unsigned long long time_touch(struct held batch)
{
	volatile uint64_t sum_kept;
	const uint64_t from = bench_now();
	uint64_t sum = 0;

	for (size_t i = TEXTS; i < WHOLE; i += 8)
		sum += held_u64(batch, i);
	sum_kept = sum;
	(void)sum_kept;
	return bench_now() - from;
}

static unsigned long long time_hashes(struct held batch)
{
	volatile uint64_t sum_kept;
	const uint64_t from = bench_now();
	uint64_t sum = 0;

	for (size_t i = 0; i < N_NAMES; i++)
		sum += name_hash(name_of(batch, i), false);
	sum_kept = sum;
	(void)sum_kept;
	return bench_now() - from;
}

static void *take(void *ctx, size_t size)
{
	(void)ctx;
	return malloc(size);
}

static void give_back(void *ctx, void *chunk, size_t size)
{
	(void)ctx, (void)size;
	free(chunk);
}

static unsigned long long time_batch(struct held batch, bool once)
{
	const uint64_t from = bench_now();
	struct name_batch names;
	struct arena arena;
	uint64_t taken;

	arena_init(&arena, (struct allocator){ take, give_back, NULL }, UINT64_MAX);
	if (!names_find(&names, batch, 0) || !names_read(&names, &arena, once) || names.seen != 0)
		exit(1);
	taken = bench_now() - from;
	arena_free(&arena);
	return taken;
}

int main(int argc, char **argv)
{
	uint8_t *bytes = make_bytes();
	const struct held batch = { bytes, WHOLE };

	for (long r = argc > 1 ? atol(argv[1]) : 1; r > 0; r--) {
		const unsigned long long touch = time_touch(batch), hashes = time_hashes(batch);

		printf("%llu %llu %llu %llu\n", touch, hashes, time_batch(batch, false),
		       time_batch(batch, true));
	}
	free(bytes);
	return 0;
}

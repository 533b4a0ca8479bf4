/* Containers: chunks, slots, blocks and the files. */
#define _GNU_SOURCE 1

#include "container.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/blake3.h"
#include "codec/cityhash.h"
#include "codec/sha1.h"

enum {
	NAME_LEN = 32,
	PERFECT_HASH = 4,
	OVERFLOW = 5,
	SHORT_METAS = 8,
	COMPRESSED = 1,
	INDEXED = 8,
	TRIES = 4096
};

static void die(const char *words)
{
	fprintf(stderr, "bench_container: %s\n", words);
	exit(1);
}

static void *get(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p)
		die("out of memory");
	return p;
}

/* ---- The set --------------------------------------------------------------------------------- */

static FILE *create(const struct container *c, const char *extension)
{
	struct heap name = { 0 };
	FILE *f;

	heap_format(&name, "%s%s.%s", c->folder, c->stem, extension);
	heap_add(&name, "", 1);
	f = fopen((const char *)name.data, "wb");
	if (!f)
		die("cannot create a file");
	free(name.data);
	return f;
}

uint64_t container_hash(const char *text)
{
	uint8_t lower[512];
	size_t n = strlen(text);

	for (size_t i = 0; i < n && i < sizeof lower; i++)
		lower[i] = (uint8_t)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i]);
	return cityhash64_wide(lower, n);
}

void container_open(struct container *c, const char *path, unsigned version,
		    enum container_method method)
{
	const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path,
		   *dot = strrchr(stem, '.');

	if (!dot)
		die("the file's name ends in .utoc");
	*c = (struct container){ .version = version, .method = method, .mount = "../../../" };
	c->folder = strndup(path, (size_t)(stem - path));
	c->stem = strndup(stem, (size_t)(dot - stem));
	if (!c->folder || !c->stem)
		die("out of memory");
	c->id = container_hash(c->stem);
	c->ucas = create(c, "ucas");
}

uint32_t container_plan(struct container *c, uint64_t id, enum container_type type, uint64_t length)
{
	struct chunk chunk = { .id = id, .length = length, .type = (uint8_t)type };

	heap_add(&c->chunks, &chunk, sizeof chunk);
	return c->n_chunks++;
}

struct chunk *container_chunk(struct container *c, uint32_t i)
{
	return (struct chunk *)(void *)c->chunks.data + i;
}

static void id_bytes(const struct container *c, const struct chunk *chunk, uint8_t out[12])
{
	/* Unreal Engine 4 and 5 */
	static const uint8_t types[2][3] = { { 2, 3, 10 }, { 1, 2, 6 } };

	memset(out, 0, 12);
	for (unsigned i = 0; i < 8; i++)
		out[i] = (uint8_t)(chunk->id >> 8 * i);
	out[11] = types[c->version >= OVERFLOW][chunk->type];
}

/* ---- Slots ----------------------------------------------------------------------------------- */

/* What the search for seeds works with: chunks by their bucket, buckets by their length, and which
 * slots are taken. */
struct slots {
	struct container *c;
	uint32_t n, n_seeds;
	uint32_t *first, *members; /* bucket b has members[first[b]] to members[first[b + 1] - 1] */
	uint32_t *order;           /* buckets, longest first */
	uint32_t *seeds;
	uint32_t next_free;
};

static uint64_t perfect_hash(uint32_t seed, const uint8_t id[12])
{
	uint64_t h = seed == 0 ? UINT64_C(0xCBF29CE484222325) : seed;

	for (unsigned i = 0; i < 12; i++)
		h = (h * UINT64_C(0x100000001B3)) ^ id[i];
	return h;
}

static uint64_t hash_chunk(const struct slots *s, uint32_t chunk, uint32_t seed)
{
	uint8_t id[12];

	id_bytes(s->c, container_chunk(s->c, chunk), id);
	return perfect_hash(seed, id);
}

/* Lists numbers by key < n_keys, as a counting sort does: `first` gets n_keys + 1 places. */
static void sort_by(const uint32_t *keys, uint32_t n, uint32_t n_keys, uint32_t *first,
		    uint32_t *out)
{
	for (uint32_t i = 0; i < n; i++)
		first[keys[i] + 1]++;
	for (uint32_t k = 0; k < n_keys; k++)
		first[k + 1] += first[k];
	for (uint32_t i = n; i-- > 0;)
		out[--first[keys[i] + 1]] = i;
	memmove(first, first + 1, n_keys * sizeof *first);
	first[n_keys] = n;
}

static void fill_buckets(struct slots *s)
{
	uint32_t *bucket = get(s->n, sizeof *bucket), *rank = get(s->n_seeds, sizeof *rank),
		 *places;

	for (uint32_t i = 0; i < s->n; i++)
		bucket[i] = (uint32_t)(hash_chunk(s, i, 0) % s->n_seeds);
	sort_by(bucket, s->n, s->n_seeds, s->first, s->members);
	for (uint32_t b = 0; b < s->n_seeds; b++)
		rank[b] = s->n - (s->first[b + 1] - s->first[b]);
	places = get((size_t)s->n + 2, sizeof *places);
	sort_by(rank, s->n_seeds, s->n + 1, places, s->order);
	free(places);
	free(rank);
	free(bucket);
}

/* Takes the slots that a seed gives a bucket; false, with all of them given back, if one is taken
 * already. */
static bool try_seed(struct slots *s, uint32_t bucket, uint32_t seed)
{
	uint32_t *at_slot = s->c->at_slot, done, slot;

	for (done = s->first[bucket]; done < s->first[bucket + 1]; done++) {
		slot = (uint32_t)(hash_chunk(s, s->members[done], seed) % s->n);
		if (at_slot[slot] != CONTAINER_NONE)
			break;
		at_slot[slot] = s->members[done];
	}
	if (done == s->first[bucket + 1])
		return true;
	while (done-- > s->first[bucket])
		at_slot[hash_chunk(s, s->members[done], seed) % s->n] = CONTAINER_NONE;
	return false;
}

static uint32_t take_free(struct slots *s, uint32_t chunk)
{
	while (s->c->at_slot[s->next_free] != CONTAINER_NONE)
		s->next_free++;
	s->c->at_slot[s->next_free] = chunk;
	return s->next_free;
}

/* A bucket of one goes to any slot. One that no seed suits waits for the overflow list. */
static void place_bucket(struct slots *s, uint32_t bucket)
{
	if (s->first[bucket + 1] - s->first[bucket] == 1) {
		s->seeds[bucket] = ~take_free(s, s->members[s->first[bucket]]); /* -slot - 1 */
		return;
	}
	for (uint32_t seed = 1; seed < TRIES; seed++)
		if (try_seed(s, bucket, seed)) {
			s->seeds[bucket] = seed;
			return;
		}
	s->seeds[bucket] = ~s->n;
}

static void place_rest(struct slots *s)
{
	for (uint32_t b = 0; b < s->n_seeds; b++)
		for (uint32_t k = s->first[b]; k < s->first[b + 1] && s->seeds[b] == ~s->n; k++)
			heap_u32(&s->c->overflow, take_free(s, s->members[k]));
}

void container_place(struct container *c)
{
	struct slots s = { .c = c, .n = c->n_chunks, .n_seeds = (c->n_chunks + 1) / 2 };

	c->at_slot = get(s.n, sizeof *c->at_slot);
	for (uint32_t i = 0; i < s.n; i++)
		c->at_slot[i] = c->version >= PERFECT_HASH ? CONTAINER_NONE : i;
	if (c->version < PERFECT_HASH)
		return;
	s.first = get((size_t)s.n_seeds + 1, sizeof *s.first);
	s.members = get(s.n, sizeof *s.members);
	s.order = get(s.n_seeds, sizeof *s.order);
	s.seeds = get(s.n_seeds, sizeof *s.seeds);
	fill_buckets(&s);
	for (uint32_t b = 0; b < s.n_seeds && s.first[s.order[b] + 1] > s.first[s.order[b]]; b++)
		place_bucket(&s, s.order[b]);
	place_rest(&s);
	for (uint32_t b = 0; b < s.n_seeds; b++)
		heap_u32(&c->seeds, s.seeds[b]);
	free(s.first);
	free(s.members);
	free(s.order);
	free(s.seeds);
}

void container_overflow(struct container *c)
{
	c->at_slot = get(c->n_chunks, sizeof *c->at_slot);
	for (uint32_t i = 0; i < c->n_chunks; i++) {
		c->at_slot[i] = i;
		heap_u32(&c->overflow, i);
	}
	for (uint32_t i = 0; i < (c->n_chunks + 1) / 2; i++)
		heap_u32(&c->seeds, ~c->n_chunks);
}

/* ---- Stored bytes ---------------------------------------------------------------------------- */

static void add_number(struct heap *h, uint64_t v, unsigned n)
{
	uint8_t bytes[8];

	for (unsigned i = 0; i < n; i++)
		bytes[i] = (uint8_t)(v >> 8 * i);
	heap_add(h, bytes, n);
}

void container_block(struct container *c, const uint8_t *stored, uint32_t n_stored, uint32_t n,
		     unsigned method)
{
	static const uint8_t pad[16];
	const uint32_t n_pad = -n_stored & 15;

	if (stored && (fwrite(stored, 1, n_stored, c->ucas) != n_stored ||
		       fwrite(pad, 1, n_pad, c->ucas) != n_pad))
		die("cannot write the .ucas");
	if (!stored && fseek(c->ucas, (long)n_stored + n_pad, SEEK_CUR) != 0)
		die("cannot leave a hole in the .ucas");
	add_number(&c->blocks, c->at, 5);
	add_number(&c->blocks, n_stored, 3);
	add_number(&c->blocks, n, 3);
	add_number(&c->blocks, method, 1);
	c->at += n_stored + n_pad;
}

static void store_part(struct container *c, struct chunk *chunk, const uint8_t *bytes, uint32_t n)
{
	const uint32_t claimed = n / 3 + (uint32_t)(c->blocks.len * 7 % (n / 3 + 1));

	if (!bytes) {
		chunk->compressed |= n > 4096;
		container_block(c, NULL, n > 4096 ? claimed : n, n, n > 4096);
	} else if (content_pack(c->method, bytes, n, &c->packed)) {
		chunk->compressed = true;
		container_block(c, c->packed.data, (uint32_t)c->packed.len, n, 1);
	} else {
		container_block(c, bytes, n, n, 0);
	}
}

static void hash_content(const struct container *c, struct chunk *chunk, const uint8_t *bytes)
{
	if (!bytes)
		for (unsigned i = 0; i < sizeof chunk->hash; i++)
			chunk->hash[i] = (uint8_t)(chunk->id >> i * 3);
	else if (c->version >= OVERFLOW)
		blake3_short_of(bytes, chunk->length, chunk->hash);
	else
		sha1_of(bytes, chunk->length, chunk->hash);
}

void container_store(struct container *c, uint32_t i, const uint8_t *bytes)
{
	struct chunk *chunk = container_chunk(c, i);

	hash_content(c, chunk, bytes);
	chunk->offset = c->blocks.len / 12 * CONTAINER_BLOCK;
	for (uint64_t at = 0; at < chunk->length; at += CONTAINER_BLOCK) {
		uint64_t n = chunk->length - at < CONTAINER_BLOCK ? chunk->length - at
								  : CONTAINER_BLOCK;

		store_part(c, chunk, bytes ? bytes + at : NULL, (uint32_t)n);
	}
}

void container_store_raw(struct container *c, uint32_t i, const uint8_t *bytes)
{
	const enum container_method method = c->method;

	c->method = METHOD_NONE;
	container_store(c, i, bytes);
	c->method = method;
}

/* ---- The .utoc ------------------------------------------------------------------------------- */

static const char *const method_names[] = { "", "Zlib", "LZ4", "Zstd" };

static void add_header(const struct container *c, size_t directory_size, struct heap *out)
{
	const bool hashed = c->version >= PERFECT_HASH;

	heap_add(out, "-==--==--==--==-", 16);
	add_number(out, c->version, 4);
	add_number(out, 144, 4);
	add_number(out, c->n_chunks, 4);
	add_number(out, c->blocks.len / 12, 4);
	add_number(out, 12, 4);
	add_number(out, c->method != METHOD_NONE, 4);
	add_number(out, NAME_LEN, 4);
	add_number(out, CONTAINER_BLOCK, 4);
	add_number(out, directory_size, 4);
	add_number(out, 1, 4);
	add_number(out, c->id, 8);
	add_number(out, 0, 8);
	add_number(out, 0, 8);
	add_number(out, (c->method != METHOD_NONE ? COMPRESSED : 0) + INDEXED, 4);
	add_number(out, hashed ? c->seeds.len / 4 : 0, 4);
	add_number(out, UINT64_MAX, 8);
	add_number(out, c->overflow.len / 4, 4);
	for (unsigned i = 0; i < 11; i++)
		add_number(out, 0, 4);
}

static void add_range(struct heap *h, const struct chunk *chunk)
{
	uint8_t bytes[10];

	for (unsigned i = 0; i < 5; i++) {
		bytes[i] = (uint8_t)(chunk->offset >> 8 * (4 - i));
		bytes[5 + i] = (uint8_t)(chunk->length >> 8 * (4 - i));
	}
	heap_add(h, bytes, sizeof bytes);
}

static void add_chunks(struct container *c, struct heap *out)
{
	uint8_t id[12];

	for (uint32_t i = 0; i < c->n_chunks; i++) {
		id_bytes(c, container_chunk(c, c->at_slot[i]), id);
		heap_add(out, id, sizeof id);
	}
	for (uint32_t i = 0; i < c->n_chunks; i++)
		add_range(out, container_chunk(c, c->at_slot[i]));
}

static void add_metas(struct container *c, struct heap *out)
{
	static const uint8_t zeros[12];

	for (uint32_t i = 0; i < c->n_chunks; i++) {
		const struct chunk *chunk = container_chunk(c, c->at_slot[i]);

		heap_add(out, chunk->hash, sizeof chunk->hash);
		if (c->version < SHORT_METAS)
			heap_add(out, zeros, 12);
		add_number(out, chunk->compressed, 1);
		if (c->version >= SHORT_METAS)
			heap_add(out, zeros, 3);
	}
}

static void put(FILE *f, struct heap *h)
{
	if (fwrite(h->data, 1, h->len, f) != h->len)
		die("cannot write a file");
	h->len = 0;
}

/* Directory rows count chunks by their places in the tables. */
static void name_slots(struct container *c)
{
	struct file_row *files = (struct file_row *)(void *)c->files.data;
	uint32_t *slot_of = get(c->n_chunks, sizeof *slot_of);

	for (uint32_t i = 0; i < c->n_chunks; i++)
		slot_of[c->at_slot[i]] = i;
	for (uint32_t i = 0; i < c->n_files; i++)
		files[i].chunk = slot_of[files[i].chunk];
	free(slot_of);
}

static void write_tables(struct container *c)
{
	struct heap part = { 0 }, directory = { 0 };
	char name[NAME_LEN] = { 0 };
	FILE *f = create(c, "utoc");

	name_slots(c);
	container_index(c, &directory);
	add_header(c, directory.len, &part);
	add_chunks(c, &part);
	put(f, &part);
	put(f, &c->seeds);
	put(f, &c->overflow);
	put(f, &c->blocks);
	memcpy(name, method_names[c->method], strlen(method_names[c->method]));
	heap_add(&part, name, c->method != METHOD_NONE ? NAME_LEN : 0);
	put(f, &part);
	put(f, &directory);
	add_metas(c, &part);
	put(f, &part);
	if (fclose(f) != 0)
		die("cannot write the .utoc");
	free(part.data);
	free(directory.data);
}

/* ---- The .pak -------------------------------------------------------------------------------- */

static void add_digest(struct heap *out, const uint8_t *bytes, size_t n)
{
	uint8_t digest[SHA1_LEN];

	sha1_of(bytes, n, digest);
	heap_add(out, digest, sizeof digest);
}

/* A .pak of version 11 without a file: its index, the two lists that it points to, and the
 * footer. */
static void write_pak(const struct container *c)
{
	enum { INDEX_LEN = 114, HASHES_LEN = 8, NAMES_LEN = 4, METHODS_LEN = 160 };
	static const uint8_t zeros[METHODS_LEN];
	struct heap pak = { 0 };
	FILE *f = create(c, "pak");

	add_number(&pak, 10, 4);
	heap_add(&pak, "../../../", 10);
	add_number(&pak, 0, 4);
	add_number(&pak, c->id, 8);
	add_number(&pak, 1, 4);
	add_number(&pak, INDEX_LEN, 8);
	add_number(&pak, HASHES_LEN, 8);
	add_digest(&pak, zeros, HASHES_LEN);
	add_number(&pak, 1, 4);
	add_number(&pak, INDEX_LEN + HASHES_LEN, 8);
	add_number(&pak, NAMES_LEN, 8);
	add_digest(&pak, zeros, NAMES_LEN);
	add_number(&pak, 0, 8);
	/* both lists, and the footer's first fields: no key, not encrypted */
	heap_add(&pak, zeros, HASHES_LEN + NAMES_LEN + 17);
	add_number(&pak, 0x5A6F12E1, 4);
	add_number(&pak, 11, 4);
	add_number(&pak, 0, 8);
	add_number(&pak, INDEX_LEN, 8);
	add_digest(&pak, pak.data, INDEX_LEN);
	heap_add(&pak, zeros, METHODS_LEN);
	put(f, &pak);
	if (fclose(f) != 0)
		die("cannot write the .pak");
	free(pak.data);
}

void container_write(struct container *c)
{
	if (fflush(c->ucas) != 0 || ftruncate(fileno(c->ucas), (off_t)c->at) != 0 ||
	    fclose(c->ucas) != 0)
		die("cannot write the .ucas");
	write_tables(c);
	write_pak(c);
	free(c->folder);
	free(c->stem);
	free(c->chunks.data);
	free(c->at_slot);
	free(c->seeds.data);
	free(c->overflow.data);
	free(c->blocks.data);
	free(c->directories.data);
	free(c->files.data);
	free(c->strings.data);
	free(c->packed.data);
}

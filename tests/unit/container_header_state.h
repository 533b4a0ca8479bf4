/* Container headers in the making, and what is decoded of them. */
#ifndef UVET_TESTS_CONTAINER_HEADER_STATE_H
#define UVET_TESTS_CONTAINER_HEADER_STATE_H

#include "unit.h"

#include "codec/cityhash.h"
#include "formats/iostore/container_header/walk.h"

enum { ROOM = 1 << 20, CHUNKS_MAX = 4096 };

struct state {
	struct fault_memory memory;
	struct arena arena;
	struct limits limits;
	struct source source;
	struct decode d;
	struct toc toc;
	struct container_header h;
	uint8_t *ids, *ranges, *bytes; /* chunks of the .utoc, and the header */
	size_t n;
};

static inline int set_up(void **state)
{
	static struct state s;
	static uint8_t bytes[ROOM], ids[CHUNKS_MAX * 12], ranges[CHUNKS_MAX * 10];

	memset(&s, 0, sizeof s);
	s.arena = unit_arena(&s.memory, UNIT_PLENTY);
	s.limits = limits_standard();
	s.bytes = bytes;
	s.ids = ids;
	s.ranges = ranges;
	s.d = (struct decode){
		.source = &s.source, .arena = &s.arena, .limits = &s.limits, .work.max = UINT64_MAX
	};
	s.toc.version = 8;
	s.toc.block_size = 65536;
	s.toc.header.container_id = 7;
	s.toc.ids.bytes = ids;
	s.toc.ranges.bytes = ranges;
	s.toc.types[1] = CHUNK_EXPORT_BUNDLE;
	*state = &s;
	return 0;
}

static inline int tear_down(void **state)
{
	struct state *s = *state;

	arena_free(&s->arena);
	return 0;
}

static inline void put(struct state *s, unsigned n, uint64_t v)
{
	for (; n > 0; n--, v >>= 8)
		s->bytes[s->n++] = (uint8_t)v;
}

static inline void put_all(struct state *s, const uint32_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put(s, 4, words[i]);
}
#define PUT(s, ...) \
	put_all(s, (const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

static inline void add_chunk(struct state *s, uint64_t id, uint64_t index, uint64_t length)
{
	uint8_t *p = s->ids + s->toc.n_chunks * 12, *r = s->ranges + s->toc.n_chunks * 10;

	for (unsigned i = 0; i < 8; i++)
		p[i] = (uint8_t)(id >> 8 * i);
	p[8] = 0;
	p[9] = (uint8_t)index;
	p[10] = 0;
	p[11] = 1;
	memset(r, 0, 10);
	for (unsigned i = 0; i < 5; i++)
		r[9 - i] = (uint8_t)(length >> 8 * i);
	s->toc.n_chunks++;
	s->toc.ids.n = s->toc.ranges.n = s->toc.n_chunks;
}

static inline void read_len(struct state *s, size_t len)
{
	memset(s->d.groups, 0, sizeof s->d.groups);
	arena_free(&s->arena);
	s->h = (struct container_header){ .held = { s->bytes, len } };
	container_header_decode(&s->d, &s->toc, &s->h);
}

static inline void read_all(struct state *s)
{
	read_len(s, s->n);
}

static inline bool is_whole(const struct state *s)
{
	for (uint32_t g = CONTAINER_HEAD; g <= CONTAINER_END; g++)
		if (!decode_has(&s->d, g))
			return false;
	return true;
}

static inline bool lacks(const struct state *s, uint32_t group, enum stop_why why)
{
	return s->d.groups[group].why == why;
}

static inline void head(struct state *s, uint32_t version)
{
	s->n = 0;
	PUT(s, CONTAINER_MAGIC, version, 7, 0);
}

/* A head, ids 1 to n, and entries that import nothing, of a version since 5.3. */
static inline void head_with(struct state *s, uint32_t n)
{
	head(s, 3);
	put(s, 4, n);
	for (uint32_t i = 1; i <= n; i++)
		put(s, 8, i);
	put(s, 4, n * 16);
}

static inline void rest(struct state *s)
{
	PUT(s, 0, 0, 0, 0, 0); /* optional ids and entries, names, localized packages, redirects */
}

/* A header of UE4 with two packages, the first of which imports the second. */
static inline void old_header(struct state *s, unsigned entry_len, bool fork)
{
	const unsigned before = entry_len - 8;

	s->n = 0;
	s->toc.version = 3;
	PUT(s, 7, 0, 2);
	if (fork)
		put(s, 4, 0x1234);
	PUT(s, 0, 8, 0xC1640000, 0, 2, 10, 0, 20, 0);
	put(s, 4, 2 * entry_len + 8);
	for (unsigned i = 0; i < 2; i++) {
		if (entry_len == 32)
			PUT(s, 0, 0);
		PUT(s, 1, 1);
		if (entry_len == 32)
			PUT(s, i, 0);
		PUT(s, i == 0, i == 0 ? 2 * entry_len - before : 0);
	}
	PUT(s, 20, 0, 0, 0);
}

static inline void put_name_hash(struct state *s, const char *small)
{
	put(s, 8, cityhash64((const uint8_t *)small, strlen(small)));
}

static inline void put_text(struct state *s, const char *t)
{
	for (; *t; t++)
		put(s, 1, (uint8_t)*t);
}

/* A header without packages, with two names and one redirect. */
static inline void header_with_names(struct state *s, uint64_t source, uint32_t name,
				     uint32_t number)
{
	head_with(s, 0);
	PUT(s, 0, 0);
	PUT(s, 2, 9, 0xC1640000, 0);
	put_name_hash(s, "/game/a");
	put_name_hash(s, "/b");
	put(s, 2, 0x0700);
	put(s, 2, 0x0200);
	put_text(s, "/Game/A/B");
	PUT(s, 0, 1);
	put(s, 8, source);
	put(s, 8, 3);
	PUT(s, name, number);
}

#endif

/* Bodies that end too early: each body of each sound package, with every length that is less
 * than its own. cut LIST
 *
 * The bytes that a body loses belong to nothing then, so each check finds something; what is
 * read of a body must not depend on what lies after its end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/upkg/tables/objects.h"
#include "formats/upkg/upkg.h"
#include "sweep.h"

enum { SEED_MAX = 32768, BODY_MAX = 640, INDEX_MAX = 5 };

/* An index in as many bytes as another one has, even if fewer would do. */
static void write_index(uint8_t *at, size_t len, uint32_t v)
{
	at[0] = (uint8_t)((v & 0x3F) | (len > 1 ? 0x40 : 0));
	v >>= 6;
	for (size_t i = 1; i < len; i++) {
		at[i] = (uint8_t)((v & 0x7F) | (i + 1 < len ? 0x80 : 0));
		v >>= 7;
	}
}

static size_t index_len(uint32_t v)
{
	size_t len = 1;

	for (v >>= 6; v > 0; v >>= 7)
		len++;
	return len;
}

/* Checks a seed with every length of one body; `size_at` is where that length stands. */
static uint64_t cut_body(struct engine *e, struct seed *s, size_t size_at, uint32_t size)
{
	const size_t len = index_len(size);
	uint8_t own[INDEX_MAX], same[INDEX_MAX];
	uint64_t n_checks = 0;

	memcpy(own, s->bytes + size_at, len);
	write_index(same, len, size);
	if (memcmp(own, same, len) != 0) /* it was written in another form */
		return 0;
	for (uint32_t n = 1; n < size && n < BODY_MAX; n++) {
		struct report *r;

		write_index(s->bytes + size_at, len, size - n);
		r = sweep_check(e, s, s->bytes, s->n);
		if (r->verdict == VERDICT_VALID && r->n_findings == 0)
			sweep_fail(s, "a body is %u bytes shorter, and nothing is found", n);
		report_free(r);
		n_checks++;
	}
	memcpy(s->bytes + size_at, own, len);
	return n_checks;
}

/* Where the exports of a package say how long their bodies are. */
struct bodies {
	struct {
		size_t at;
		uint32_t size;
	} of[64];
	unsigned n;
};

static void find_bodies(const struct engine *e, const struct seed *s, struct bodies *out)
{
	struct source source;
	struct arena arena;
	struct decode d = engine_decode(e, &source, &arena, NULL);
	const struct upkg *u;

	out->n = 0;
	d.work.max = UINT64_MAX;
	d.level = LEVEL_STRUCTURE;
	arena_init(&arena, e->allocator, e->limits.of[LIMIT_memory]);
	source_init_memory(&source, s->bytes, s->n, s->file, &arena);
	u = upkg_format.decode(&d);
	for (uint32_t i = 0; u && d.groups[UPKG_REGIONS].why == STOP_NOT &&
			     i < u->tables[TABLE_EXPORTS].n && out->n < 64;
	     i++) {
		if (u->exports[i].size <= 0)
			continue;
		out->of[out->n].size = (uint32_t)u->exports[i].size;
		out->of[out->n++].at = upkg_place_of(u, &u->exports[i]) -
				       index_len((uint32_t)u->exports[i].size);
	}
	arena_free(&arena);
}

int main(int argc, char **argv)
{
	struct engine engine;
	struct seeds seeds;
	struct bodies bodies;
	uint64_t n_checks = 0;

	if (argc != 2)
		return 2;
	seeds = seeds_load(argv[1], SEED_MAX);
	sweep_engine(&engine);
	for (size_t i = 0; i < seeds.n; i++) {
		struct seed *s = &seeds.of[i];

		if (strncmp(s->name, "upkg/", 5) != 0 ||
		    !(strstr(s->name, "good_") || strstr(s->name, "index_too_long")))
			continue;
		find_bodies(&engine, s, &bodies);
		for (unsigned k = 0; k < bodies.n; k++)
			n_checks += cut_body(&engine, s, bodies.of[k].at, bodies.of[k].size);
	}
	seeds_free(&seeds);
	return sweep_end("cut", n_checks);
}

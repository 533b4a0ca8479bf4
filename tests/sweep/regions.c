/* Sinks of regions that refuse: each format tells the regions of each seed to a sink that takes
 * some and then no more. regions LIST
 *
 * A sink that has refused is not asked again, and the format says that it was stopped. With
 * UVET_SWEEP_ALL the sink refuses at every region of a seed, else at STOPS of them at most. */
#include "formats/decode.h"
#include "sweep.h"

enum { SEED_MAX = 65536, STOPS = 60 };

/* A seed as its format decoded it. */
struct decoded {
	struct arena arena;
	struct source source;
	struct interrupt interrupt;
	struct siblings siblings;
	struct decode decode;
	const struct format *format;
	const void *facts;
};

static void decode_seed(struct decoded *d, const struct engine *e, const struct seed *s)
{
	const struct check_input in = { .io.size = s->n, .memory = s->bytes, .name = s->file };

	d->interrupt = engine_interrupt(e, &in);
	d->siblings = sweep_siblings(s);
	arena_init(&d->arena, e->allocator, e->limits.of[LIMIT_memory]);
	source_init_memory(&d->source, s->bytes, s->n, s->file, &d->arena);
	d->decode = engine_decode(e, &d->source, &d->arena, &d->interrupt);
	d->decode.siblings = &d->siblings;
	d->format = formats[format_sniff(&d->decode)];
	for (size_t g = 0; g < GROUPS_MAX; g++)
		d->decode.groups[g] = (struct group){ .why = STOP_NOT };
	d->facts = d->format ? d->format->decode(&d->decode) : NULL;
}

/* What a sink has taken; it refuses the region after `most`. */
struct taken {
	uint64_t n, most;
	bool refused, asked_again;
};

static bool take(void *ctx, const struct region *r)
{
	struct taken *t = ctx;

	(void)r;
	t->asked_again |= t->refused;
	t->refused |= t->n == t->most;
	if (t->refused)
		return false;
	t->n++;
	return true;
}

static struct taken tell(struct decoded *d, const struct seed *s, uint64_t most)
{
	struct taken t = { .most = most };
	const bool told = d->format->map(d->facts, &d->decode, take, &t);

	if (told == t.refused || t.asked_again)
		sweep_fail(s, "its sink refused region %llu, and %s", (unsigned long long)most,
			   t.asked_again ? "was asked again" : "nothing says so");
	return t;
}

static uint64_t sweep_seed(struct decoded *d, const struct seed *s)
{
	const struct taken all = tell(d, s, UINT64_MAX);
	const uint64_t step = sweep_step(all.n, STOPS);
	uint64_t n_checks = 0;

	for (uint64_t most = 0; most < all.n; most += step, n_checks++) {
		const struct taken part = tell(d, s, most);

		if (part.n != most)
			sweep_fail(s, "its sink has taken %llu regions of %llu",
				   (unsigned long long)part.n, (unsigned long long)most);
	}
	return n_checks;
}

int main(int argc, char **argv)
{
	struct engine engine;
	struct seeds seeds;
	uint64_t n_checks = 0;

	if (argc != 2)
		return 2;
	seeds = seeds_load(argv[1], SEED_MAX);
	sweep_engine(&engine);
	for (size_t i = 0; i < seeds.n; i++) {
		struct decoded d;

		engine.keys = seeds.of[i].keys;
		decode_seed(&d, &engine, &seeds.of[i]);
		if (d.facts)
			n_checks += sweep_seed(&d, &seeds.of[i]);
		decode_close(&d.decode);
		arena_free(&d.arena);
	}
	seeds_free(&seeds);
	return sweep_end("regions", n_checks);
}

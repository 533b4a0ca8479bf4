/* The engine: its defaults, and what it gives each check. */
#include "engine/engine.h"

#include "core/checked.h"

/* So many of the engine's own rules judge what the others explained, and so many compare. */
enum {
	LAST_RULES = RULE_NUMBER_REF001 - RULE_NUMBER_RUN011,
	REFERENCE_RULES = N_RULES - RULE_NUMBER_REF001
};

void engine_init(struct engine *e, struct allocator allocator)
{
	size_t first = 0, end = 0;

	*e = (struct engine){
		.allocator = allocator,
		.limits = limits_standard(),
		.threads = thread_pool_single,
		.level = LEVEL_CONTENT,
		.upload = UPLOAD_ANY,
		.fail_on = { .level = SEVERITY_ERROR },
		.window_len = SOURCE_WINDOW,
		.chunk_len = ARENA_CHUNK,
	};
	profile_init(&e->profile);
	e->n_rules = catalog_fill(e->rules);
	for (size_t f = 0; formats[f]; f++) {
		end += catalog_count_of(formats[f]);
		rule_index_fill(&e->indexes[f], e->rules, first, end, e->indexed);
		first = end;
	}
	end = e->n_rules;
	rule_index_fill(&e->compare, e->rules, end - REFERENCE_RULES, end, e->indexed);
	end -= REFERENCE_RULES;
	rule_index_fill(&e->run, e->rules, first, end - LAST_RULES, e->indexed);
	rule_index_fill(&e->last, e->rules, end - LAST_RULES, end, e->indexed);
}

uint64_t engine_timeout(const struct engine *e, const struct check_input *in)
{
	return in->timeout > 0 ? in->timeout : e->timeout;
}

struct interrupt engine_interrupt(const struct engine *e, const struct check_input *in)
{
	const uint64_t timeout = engine_timeout(e, in);
	struct interrupt i = { .cancel = in->cancel };

	if (timeout == 0 || !e->now)
		return i;
	i.now = e->now;
	i.deadline = capped_add(e->now(), timeout);
	return i;
}

struct decode engine_decode(const struct engine *e, struct source *source, struct arena *arena,
			    const struct interrupt *interrupt)
{
	return (struct decode){
		.source = source,
		.arena = arena,
		.limits = &e->limits,
		.work = { .max = e->limits.of[LIMIT_work], .interrupt = interrupt },
		.level = e->level,
		.upload = e->upload,
		.keys = &e->keys,
		.oodle = &e->oodle,
		.threads = &e->threads,
		.scripts = e->scripts.ids ? &e->scripts : NULL,
	};
}

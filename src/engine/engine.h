/* The engine: settings that many checks share, and the check itself. */
#ifndef UVET_ENGINE_ENGINE_H
#define UVET_ENGINE_ENGINE_H

#include <stdatomic.h>

#include "codec/oodle.h"
#include "engine/path_root.h"
#include "engine/profile.h"
#include "engine/reference.h"
#include "engine/report.h"
#include "engine/rule_index.h"

struct summaries;

/* What a file of no known format gets. */
enum unknown { UNKNOWN_UNDETERMINED, UNKNOWN_SKIP };

/* What fails a run: findings from a severity on, and those of some classes at any severity.
 * fail_on_level tells whether one of a severity, which is not SEVERITY_NONE, does so by that alone,
 * fail_on_counts by its class too; what is undetermined is apart, and never does. */
struct fail_on {
	enum severity level; /* SEVERITY_NONE: none */
	unsigned classes;    /* bits 1 << enum rule_class */
};
static inline bool fail_on_level(const struct fail_on *f, enum severity s)
{
	return s != SEVERITY_UNDETERMINED && f->level != SEVERITY_NONE && s >= f->level;
}
static inline bool fail_on_counts(const struct fail_on *f, enum severity s, enum rule_class c)
{
	return fail_on_level(f, s) || (s != SEVERITY_UNDETERMINED && f->classes & 1u << c);
}

/* An engine does not change after it is made. */
struct engine {
	struct allocator allocator;
	struct limits limits;
	struct profile profile;
	const char *profile_name;              /* static; NULL: the options were set one by one */
	const struct rule *rules[CATALOG_MAX]; /* the catalog, so that a check need not walk it */
	size_t n_rules;
	struct indexed_rule indexed[CATALOG_MAX]; /* of all indexes */
	struct rule_index indexes[FORMATS_MAX];   /* each format's */
	/* the engine's own; the last ones judge what all others said, and some compare with the
	 * reference */
	struct rule_index run, last, compare;
	struct reference reference;
	struct keys keys;
	struct oodle oodle;
	struct script_objects scripts; /* of the game; no ids: the user named none */
	struct thread_pool threads;    /* thread_pool_single unless the host asked for threads */
	enum level level;
	enum unknown unknown;
	enum upload upload; /* what inputs are packed for */
	struct fail_on fail_on;
	bool show_passed;
	bool outlines;    /* reports keep an outline of their file */
	bool verbose;     /* text reports show all findings that were kept, with their bytes */
	uint64_t width;   /* columns at which text reports are wrapped; 0: they are not */
	bool sha256;      /* reports have that of each file */
	bool no_siblings; /* the user wants no companions */
	struct path_root path_root;
	uint64_t window_len; /* of sources; SOURCE_WINDOW except in tests */
	size_t chunk_len;    /* of arenas; ARENA_CHUNK except in tests */
	uint64_t timeout;    /* nanoseconds that a check may take; 0: as long as it takes */
	/* nanoseconds of a clock that never goes back; NULL: checks have no deadline */
	uint64_t (*now)(void);
};

/* engine_init gives an engine its defaults and the catalog; allocator is where reports and checks
 * get memory. */
void engine_init(struct engine *e, struct allocator allocator);

/* A check_input is one input: either io, or the reason why there is none. */
struct check_input {
	struct source_io io;
	const uint8_t *memory; /* the bytes themselves; then io is not used but for its size */
	const char *name;
	const struct siblings *siblings; /* how files beside it are opened; NULL: not at all */
	bool alone;                      /* files that lie in it are not checked */
	bool unreadable;                 /* it could not even be opened */
	bool crowded;                    /* it is unreadable because too many files were open */
	const char *trouble; /* why, in a few words of ours; NULL: the reason is not known */
	/* another process made the check and ended: after `timeout`, or on its own if that is 0 */
	bool lost;
	/* ends this check when another thread sets it; NULL: nothing does */
	const atomic_bool *cancel;
	uint64_t timeout; /* nanoseconds, in place of the engine's; 0: the engine's holds */
	uint64_t held;    /* bytes of max-memory that the caller holds meanwhile */
	/* where summaries of it and of what lies in it go (formats/summary.h); NULL: nobody asks */
	struct summaries *summaries;
};

/* engine_timeout is how many nanoseconds a check of an input may take; 0: any number.
 * engine_interrupt is what ends it early if it begins now. */
uint64_t engine_timeout(const struct engine *e, const struct check_input *in);
struct interrupt engine_interrupt(const struct engine *e, const struct check_input *in);

/* engine_decode gives a decode of one input with the engine's settings. interrupt outlives it. */
struct decode engine_decode(const struct engine *e, struct source *source, struct arena *arena,
			    const struct interrupt *interrupt);

/* engine_check decodes one input and all that lies in it, evaluates the rules, and gives a
 * report that report_free frees, with those nested in it; NULL if memory ended before there was
 * a report. */
struct report *engine_check(struct engine *e, const struct check_input *in);

/* report_free frees a tree of reports; a nested report is left to its tree. */
void report_free(struct report *r);

/* engine_map decodes one input, but nothing that lies in it, and passes its regions in the order
 * of the file, each before what lies inside it, then those of each companion that is open; bytes
 * that nothing explains are a region of kind "unexplained". The sink may read field values
 * through d->source and its companions while it runs. */
enum map_result {
	MAP_OK,
	MAP_UNKNOWN_FORMAT,
	MAP_UNREADABLE,
	MAP_NO_MEMORY,
	MAP_STOPPED,
	MAP_CUT, /* a limit was reached or the check was interrupted: parts are missing */
};
typedef bool engine_map_sink(void *ctx, struct decode *d, const struct format *f, uint64_t version,
			     const struct region *r);
enum map_result engine_map(struct engine *e, const struct check_input *in, engine_map_sink *sink,
			   void *ctx);

#endif

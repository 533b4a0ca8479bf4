/* The world of fuzz_api: the objects of a host that a program of calls makes, and what a host knows of them. */
#ifndef UVET_FUZZ_WORLD_H
#define UVET_FUZZ_WORLD_H

#include "targets/api_host.h"
#include "support/memory.h"
#include "support/capture.h"
#include "uvet/uvet.h"

enum { REPORTS_MAX = 4, OUTPUTS_MAX = 3, LIMITS_MAX = 32, SECRET_LEN = 32 };

/* How many calls a program can name, by its bytes modulo that, and how many names its input can have, by its first byte. */
enum { N_CALLS = 20, N_INPUT_NAMES = 9 };

/* Where a program of calls is read; after its end there are zeros. */
struct calls {
	const uint8_t *at, *end;
};

/* An output takes bytes up to the one at which it refuses. */
struct output {
	struct page page;
	const char *format;
	size_t refuse_at;               /* SIZE_MAX: never */
	bool refused;
};

struct world {
	struct calls calls;
	unsigned left;                  /* of what the calls of one program may cost */
	struct host host;
	struct memory memory;
	uint8_t secret[SECRET_LEN];     /* a key that no file has; keys_given: it was given */
	bool keys_given;

	uvet_options *options;
	uint64_t limits[LIMITS_MAX];    /* of the options */
	unsigned n_keys;
	uvet_severity fail_on;
	bool late;                      /* they have a time that may be over */

	uvet_engine *engine;            /* NULL: there is none yet */
	bool timed;                     /* its checks may be late */
	bool low;                       /* a limit of its own is below the standard */
	uvet_severity engine_fail_on;

	uvet_cancellation *cancellation;        /* NULL: there is none */
	bool is_cancelled;

	uvet_report *reports[REPORTS_MAX];      /* NULL: there is none */
	size_t next_report;

	uvet_writer *writer;                  /* NULL: there is none */
	struct output outputs[OUTPUTS_MAX];
	size_t n_outputs;
	bool writer_begun, writer_ended;
	uvet_verdict writer_verdict;
	unsigned writer_scope;
	uint64_t writer_found[UVET_SEVERITY_ERROR + 1];
	uint64_t writer_judged, writer_undetermined;
};

/* next takes a byte of the program, next_number a number: small, near the largest, or anything. next_word takes one of n words. */
uint8_t next(struct calls *c);
uint64_t next_number(struct calls *c);
const char *next_word(struct calls *c, const char *const *words, size_t n);

/* The prices of calls, in checks of a small file, and what a program has: one that is all checks would take as long as many others. What
 * tells of every rule is the dearest. */
enum { PRICE_CHECK = 1, PRICE_SHOW = 2, PRICE_COMPARE = 4, PRICE_RULES = 10, PRICE_MAX = 12 };

/* world_pays takes a price of what is left; false, and nothing is to be done, if that is too little. */
bool world_pays(struct world *w, unsigned price);

/* world_engine makes sure that there is an engine, with the options as they are. */
void world_engine(struct world *w);

/* world_report is a report that there is, drawn by the program, or NULL. */
uvet_report *world_report(struct world *w);

/* The calls of the program, by what they are about. */
void call_options(struct world *w);
void call_key(struct world *w);
void call_signing_key(struct world *w);
void call_oodle(struct world *w);
void call_engine(struct world *w);
void call_sizes(struct world *w);
void call_cancellation(struct world *w);
void call_check(struct world *w);
void call_compare(struct world *w);
void call_show(struct world *w);
void call_writer_new(struct world *w);
void call_writer_output(struct world *w);
void call_writer_add(struct world *w);
void call_writer_end(struct world *w);
void call_look(struct world *w);
void call_free(struct world *w);
void call_rules(struct world *w);
void call_limits(struct world *w);
void call_names(struct world *w);
void call_badly(struct world *w);

/* world_end_writer frees the report writer; world_end frees everything, in an order that the program draws. */
void world_end_writer(struct world *w);
void world_end(struct world *w);

/* world_output is a sink over an output. */
int world_output(void *ctx, const void *bytes, size_t len);

#endif

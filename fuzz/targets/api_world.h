/* The world of fuzz_api: the objects of a host that a program of calls makes, and what a host knows
 * of them. */
#ifndef UVET_FUZZ_TARGETS_API_WORLD_H
#define UVET_FUZZ_TARGETS_API_WORLD_H

#include "inputs/calls.h"
#include "support/capture.h"
#include "support/memory.h"
#include "targets/api_host.h"
#include "uvet/uvet.h"

enum { REPORTS_MAX = 4, OUTPUTS_MAX = 3, LIMITS_MAX = 32, SECRET_LEN = 32 };

/* An output takes bytes up to the one at which it refuses. */
struct output {
	struct capture captured;
	const char *format;
	size_t refuse_at; /* SIZE_MAX: never */
	bool refused;
};

struct world {
	struct calls calls;
	unsigned left; /* of what the calls of one program may cost */
	struct host host;
	struct memory memory;
	uint8_t secret[SECRET_LEN]; /* a key that no file has; keys_given: it was given */
	bool keys_given;

	uvet_options *options;
	uint64_t limits[LIMITS_MAX]; /* of the options */
	unsigned n_keys;
	uvet_severity fail_on;
	bool fail_on_classes; /* classes of rules, too */
	bool late;            /* they have a time that may be over */

	uvet_engine *engine; /* NULL: there is none yet */
	bool timed;          /* its checks may be late */
	bool low;            /* a limit of its own is below the standard */
	uvet_severity engine_fail_on;
	bool engine_fail_on_classes;

	uvet_cancellation *cancellation; /* NULL: there is none */
	bool is_cancelled;

	uvet_report *reports[REPORTS_MAX]; /* NULL: there is none */
	size_t next_report;

	uvet_writer *writer; /* NULL: there is none */
	struct output outputs[OUTPUTS_MAX];
	size_t n_outputs;
	bool writer_begun, writer_ended;
	uvet_verdict writer_verdict;
	unsigned writer_scope;
	uint64_t writer_found[UVET_SEVERITY_ERROR + 1];
	uint64_t writer_accepted[UVET_SEVERITY_ERROR + 1];
	uint64_t writer_judged, writer_undetermined;
};

/* The cost of calls, in checks of a small file, and what a program may spend: one of nothing but
 * checks would take as long as many others. What writes of every rule costs most. */
enum { PRICE_CHECK = 1, PRICE_SHOW = 2, PRICE_COMPARE = 4, PRICE_RULES = 10, PRICE_MAX = 12 };

/* world_pays takes a cost from what is left; false, and the call is not made, if that is too
 * little. */
bool world_pays(struct world *w, unsigned price);

/* world_report is a report that there is, drawn by the program, or NULL. */
uvet_report *world_report(struct world *w);

/* world_start begins with an input of fuzz_api. */
void world_start(struct world *w, const uint8_t *data, size_t size);

/* world_end_writer frees the report writer; world_end frees everything, in an order that the
 * program draws. */
void world_end_writer(struct world *w);
void world_end(struct world *w);

#endif

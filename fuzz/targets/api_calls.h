/* The calls of fuzz_api's programs. */
#ifndef UVET_FUZZ_TARGETS_API_CALLS_H
#define UVET_FUZZ_TARGETS_API_CALLS_H

#include "targets/api_world.h"

/* The calls of the program, by what they are about. */
void call_options(struct world *w);
void call_key(struct world *w);
void call_signing_key(struct world *w);
void call_oodle(struct world *w);
void call_learn(struct world *w);
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
void call_writer_accept(struct world *w);

/* world_engine makes sure that there is an engine, with the options as they are. */
void world_engine(struct world *w);

/* world_output is a sink over an output. */
int world_output(void *ctx, const void *bytes, size_t len);

#endif

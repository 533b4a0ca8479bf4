/* The oracle of what is written. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_RENDER_H
#define UVET_FUZZ_ORACLE_ORACLE_RENDER_H

#include "oracle/oracle_trial.h"

/* oracle_render: the outputs of a report are well-formed and safe to show. One of them is
 * written, by the number, or all of them when the harness is thorough. */
void oracle_render(const struct engine *e, const struct report *r, uint64_t which);

/* oracle_render_maps: so are map and info of an input. */
void oracle_render_maps(const struct trial *t, const struct report *r);

#endif

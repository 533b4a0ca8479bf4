/* Names and ids that differ and have the same hash, as uvet takes it of them. */
#ifndef UVET_BENCH_COLLIDE_H
#define UVET_BENCH_COLLIDE_H

#include <stdbool.h>
#include <stdint.h>

enum { COLLIDE_LEN = 56 };

/* collide_name writes a name of COLLIDE_LEN letters and digits and a NUL, another for each
 * number, of the hash 0; false: that number has none. */
bool collide_name(uint64_t number, char out[COLLIDE_LEN + 1]);

/* collide_id is the first half of a chunk's id, another for each number, whose hash is 0; rest is
 * the other half. */
uint64_t collide_id(uint64_t number, uint32_t rest);

#endif

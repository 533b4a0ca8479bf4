/* Decoded inputs: the facts of one file, without the rules, for maps and claims. */
#ifndef UVET_ENGINE_DECODED_H
#define UVET_ENGINE_DECODED_H

#include "engine/engine.h"

/* A decoded is one input while its facts are asked. It points into itself and must not be
 * copied. */
struct decoded {
	struct arena arena;
	struct source source;
	struct interrupt interrupt;
	struct decode decode;
	const struct format *format;
	const void *facts;
};

/* decoded_open decodes an input, but nothing that lies in it. Only with MAP_OK are there facts;
 * decoded_close is called either way. */
enum map_result decoded_open(struct decoded *d, struct engine *e, const struct check_input *in);
void decoded_close(struct decoded *d);

/* decoded_lacks_memory tells whether memory ended: a decoder gives what it has by then.
 * decoded_is_troubled tells whether the input or a companion that is there could not be read, and
 * decoded_was_cut whether a limit was reached or the check was interrupted. */
bool decoded_lacks_memory(const struct decoded *d);
bool decoded_is_troubled(const struct decoded *d);
bool decoded_was_cut(const struct decoded *d);

#endif

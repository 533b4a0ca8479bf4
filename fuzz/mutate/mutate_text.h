/* Changes to the text of manifests. */
#ifndef UVET_FUZZ_MUTATE_MUTATE_TEXT_H
#define UVET_FUZZ_MUTATE_MUTATE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "support/random.h"

/* mutate_text changes a manifest by its lines and words. */
size_t mutate_text(uint8_t *data, size_t size, size_t max, struct dice *dice);

#endif

/* Changes to texts: manifests, configurations, baselines. */
#ifndef UVET_FUZZ_MUTATE_MUTATE_TEXT_H
#define UVET_FUZZ_MUTATE_MUTATE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "support/random.h"
#include "support/tokens.h"

/* A mutate_words is what texts of a kind are made of; a third of what is drawn are names that are
 * dangerous, unusual or hard to show. */
struct mutate_words {
	const struct token *tokens;
	size_t n;
};

/* mutate_words changes a text by its lines and words, mutate_text one of the words of manifests. */
size_t mutate_words(uint8_t *data, size_t size, size_t max, struct dice *dice,
		    const struct mutate_words *words);
size_t mutate_text(uint8_t *data, size_t size, size_t max, struct dice *dice);

#endif

/* Policy: what counts as a program, as a folder of the game, as a known product and as a file of
 * settings. */
#ifndef UVET_FORMATS_UMOD_POLICY_H
#define UVET_FORMATS_UMOD_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/text.h"

/* A policy_product is a product that an installer may require. */
struct policy_product {
	const char *name;
	size_t len;            /* of the name */
	uint64_t last_version; /* its last patch; 0: not known */
	bool is_game;          /* not an add-on */
};

/* policy_is_program tells whether Windows or a shell runs files of an extension, as text_word gives
 * it. */
bool policy_is_program(uint32_t extension);

/* policy_is_stock_folder tells whether a game has a folder of this name, policy_is_settings whether
 * files of this extension are settings, not counting extensions of languages. */
bool policy_is_stock_folder(struct text folder);
bool policy_is_settings(struct text extension);

/* policy_product finds a product by name; NULL if it is not known. */
const struct policy_product *policy_product(struct text name);

#endif

/* Formats whose map is all that the mutator needs. */
#include "mutate/mutate_format.h"

const struct mutate_format mutate_plain = { .name = NULL };

/* Formats of which the map says all that the mutator goes by. */
#include "mutate/mutate_format.h"

const struct mutate_format mutate_plain = { .name = NULL };

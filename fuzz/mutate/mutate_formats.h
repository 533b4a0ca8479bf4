/* The mutators of formats. */
#ifndef UVET_FUZZ_MUTATE_MUTATE_FORMATS_H
#define UVET_FUZZ_MUTATE_MUTATE_FORMATS_H

#include "formats/format.h"
#include "mutate/mutate_format.h"

/* mutate_format is what the mutator knows of a format (fuzz/formats.def). */
const struct mutate_format *mutate_format(const struct format *f);

#endif

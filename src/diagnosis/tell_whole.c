/* Telling what became of a whole file: nothing, or zeros. */
#include "diagnosis/tell.h"

bool tell_empty(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	return part->source->io.size == 0 &&
	       tell_begin(e, part, KIND_EMPTY, CONFIDENCE_CERTAIN, out);
}

bool tell_all_zeros(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	return part->census.n >= 16 && part->census.head_zeros == part->census.n &&
	       tell_begin(e, part, KIND_ALL_ZEROS, CONFIDENCE_CERTAIN, out);
}

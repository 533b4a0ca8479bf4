/* Telling what is wrong with the files beside a file. */
#include "diagnosis/beside.h"
#include "diagnosis/tell.h"

/* A .ucas by itself is of no format, but says by its name what belongs beside it. */
static bool tell_no_container(const struct evidence *e, struct diagnosis *out)
{
	const char *missing = beside_missing_container(e->patient);

	*out = (struct diagnosis){ .confidence = CONFIDENCE_CERTAIN };
	if (!missing || !tell_add_name(out, e->patient, missing))
		return false;
	out->kind = tell_kind(KIND_MISSING);
	return true;
}

bool tell_missing(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct companion *missing = NULL;
	bool is_unfinished = false;
	const char *other;
	uint64_t n = 0;

	if (!e->patient->format)
		return tell_no_container(e, out);
	if (part->source->number == 0)
		missing = beside_missing(e, &n);
	if (!missing)
		return false;
	other = beside_renamed(e, missing, &is_unfinished);
	*out = (struct diagnosis){ .confidence = other ? CONFIDENCE_LIKELY : CONFIDENCE_CERTAIN };
	if (!tell_add_name(out, e->patient, missing->name) ||
	    (other && !tell_add_name(out, e->patient, other)))
		return false;
	out->kind = tell_kind(is_unfinished ? KIND_UNFINISHED
			      : other       ? KIND_RENAMED
			      : n > 1       ? KIND_MISSING_SEVERAL
					    : KIND_MISSING);
	if (out->kind == tell_kind(KIND_MISSING_SEVERAL))
		tell_add_number(out, ARG_DEC, n - 1);
	return true;
}

static bool tell_foreign_chunks(const struct evidence *e, const struct part *part,
				struct diagnosis *out)
{
	if (!tell_begin(e, part, KIND_WRONG_COMPANION, CONFIDENCE_LIKELY, out))
		return false;
	tell_add_number(out, ARG_DEC, part->extent.n_differ);
	tell_add_number(out, ARG_DEC, part->extent.n_compared);
	return true;
}

/* Where nearly no chunk is what the .utoc says, they are those of another. */
bool tell_wrong_companion(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	return beside_is_foreign(part) && tell_foreign_chunks(e, part, out);
}

/* Chunks say more than the first bytes of blocks, but there is not always a way to decode them. */
bool tell_foreign(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	if (beside_is_foreign_at_once(part))
		return tell_foreign_chunks(e, part, out);
	if (!beside_has_foreign_blocks(part) ||
	    !tell_begin(e, part, KIND_FOREIGN_BLOCKS, CONFIDENCE_LIKELY, out))
		return false;
	tell_add_number(out, ARG_DEC, part->extent.n_unlike);
	tell_add_number(out, ARG_DEC, part->extent.n_places);
	return true;
}

/* Carriage returns were not taken out of a file that is as long as it must be; if each became a
 * line feed, there are twice as many of these as usual. */
bool tell_foreign_text(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct census *c = &part->census;

	return c->n_cr == 0 && c->n_lf > 0 && c->n_lf <= c->n / 256 && beside_has_length(part) &&
	       tell_foreign(e, part, out);
}

/* A .ucas of another length is no truncated one if it is as another .utoc says. */
bool tell_swapped(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	uint64_t n_same = 0;
	const char *owner = beside_owner(e, part, &n_same);

	if (!owner || !tell_begin(e, part, KIND_SWAPPED, CONFIDENCE_CERTAIN, out) ||
	    !tell_add_name(out, e->patient, owner))
		return false;
	tell_add_number(out, ARG_DEC, n_same);
	return true;
}

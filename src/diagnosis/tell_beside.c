/* Telling what is wrong with the files beside a file. */
#include "diagnosis/beside.h"
#include "diagnosis/tell.h"

bool tell_missing(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct companion *missing = NULL;
	const char *other;

	if (part->source->number == 0 && evidence_has(e, SIGN_ABSENT_FILE))
		missing = beside_missing(e);
	if (!missing)
		return false;
	other = beside_renamed(e, missing);
	*out = (struct diagnosis){ .confidence = other ? CONFIDENCE_LIKELY : CONFIDENCE_CERTAIN };
	if (!tell_add_name(out, e->patient, missing->name) ||
	    (other && !tell_add_name(out, e->patient, other)))
		return false;
	out->kind = tell_kind(other ? KIND_RENAMED : KIND_MISSING);
	return true;
}

/* Where nearly no chunk is what the .utoc says, they are those of another. */
bool tell_wrong_companion(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	if (!beside_is_foreign(part) ||
	    !tell_begin(e, part, KIND_WRONG_COMPANION, CONFIDENCE_LIKELY, out))
		return false;
	tell_add_number(out, ARG_DEC, part->extent.n_differ);
	tell_add_number(out, ARG_DEC, part->extent.n_compared);
	return true;
}

/* A .ucas of another length is no truncated one if it is as another .utoc says. */
bool tell_swapped(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	uint64_t n_same = 0;
	const char *owner = beside_owner(e, part, &n_same);

	if (!owner || !tell_begin(e, part, KIND_SWAPPED, CONFIDENCE_CERTAIN, out))
		return false;
	if (!tell_add_name(out, e->patient, owner)) {
		out->kind = NULL;
		return false;
	}
	tell_add_number(out, ARG_DEC, n_same);
	return true;
}

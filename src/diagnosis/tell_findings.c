/* Telling from the findings alone: what changed bytes, a packer or an attacker explains. */
#include "diagnosis/tell.h"

/* Who makes all the mistakes that were found, as far as they tell. */
static bool tell_packer(const struct evidence *e, struct diagnosis *out)
{
	static const char *const packers[] = { [PACKER_REZ] = "UnrealReZen",
					       [PACKER_UEC] = "UEcastoc",
					       [PACKER_REZ |
						       PACKER_UEC] = "UnrealReZen or UEcastoc" };

	if (!tell_begin(e, &e->parts[0], KIND_REPACKED, CONFIDENCE_LIKELY, out))
		return false;
	tell_add_word(out, packers[e->packers]);
	return true;
}

bool tell_findings(const struct evidence *e, struct diagnosis *out)
{
	const struct part *input = &e->parts[0];

	if (e->n_errors == 0)
		return false;
	if (e->data_alone && tell_begin(e, input, KIND_DAMAGED, CONFIDENCE_LIKELY, out)) {
		tell_add_number(out, ARG_DEC, e->n_data);
		return true;
	}
	if (evidence_has(e, SIGN_SUM))
		return tell_begin(e, input, KIND_CHANGED, CONFIDENCE_LIKELY, out);
	if (e->packer_alone)
		return tell_packer(e, out);
	if (!e->attack || !(e->attack_alone || e->is_summed))
		return false;
	if (!tell_begin(e, input, KIND_HOSTILE, CONFIDENCE_LIKELY, out))
		return false;
	tell_add_word(out, e->attack->id);
	return true;
}

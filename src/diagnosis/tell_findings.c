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

/* The part whose payload is not what was packed. Where that is a companion, what is known of it may
 * be what changed. */
static const struct part *changed_part(const struct evidence *e)
{
	for (size_t k = 1; k < e->n_parts; k++)
		for (size_t i = 0; i < e->parts[k].n_probes; i++)
			if (e->parts[k].probes[i].is_data)
				return &e->parts[k];
	return &e->parts[0];
}

static bool tell_damaged(const struct evidence *e, struct diagnosis *out)
{
	const struct part *part = changed_part(e);
	const enum tell_number kind = evidence_has(e, SIGN_SUM)   ? KIND_CHANGED
				      : part->source->number == 0 ? KIND_DAMAGED
								  : KIND_DAMAGED_BESIDE;

	if (!tell_begin(e, part, kind, CONFIDENCE_LIKELY, out))
		return false;
	if (kind != KIND_CHANGED)
		tell_add_number(out, ARG_DEC, e->n_data);
	return true;
}

/* Neither a damaged table nor a table that stands there twice claims so much. Where anything else
 * may have garbled a path, nobody is accused of it. */
bool tell_hostile(const struct evidence *e, struct diagnosis *out)
{
	const bool is_attack = e->attack && (e->attack_alone || e->is_summed);
	const struct part *input = &e->parts[0];
	const struct rule *rule = is_attack ? e->attack : input->extent.is_bomb ? e->shared : NULL;

	if (!rule || !tell_begin(e, input, KIND_HOSTILE, CONFIDENCE_LIKELY, out))
		return false;
	tell_add_word(out, rule->id);
	return true;
}

/* Engines compare no such hash, so that it is a warning. */
bool tell_unchecked(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	if (e->n_warned_data == 0)
		return false;
	return tell_one(e, part, KIND_DAMAGED_UNCHECKED, ARG_DEC, e->n_warned_data, out);
}

bool tell_findings(const struct evidence *e, struct diagnosis *out)
{
	if (e->n_errors == 0)
		return false;
	if (!e->has_bomb && (e->data_alone || evidence_has(e, SIGN_SUM)))
		return tell_damaged(e, out);
	return e->packer_alone && tell_packer(e, out);
}

/* Evidence: the findings, and the bytes of the file and of those beside it. */
#include "diagnosis/evidence.h"

#include "core/path.h"

/* ---- Findings -------------------------------------------------------------------------------- */

static uint64_t errors_of(const struct rule_result *r)
{
	return r->n_found[SEVERITY_ERROR] + r->n_found[SEVERITY_UNDETERMINED];
}

/* Tells whether a path leads out of the folder that it is to be in: it has a folder "..", or,
 * where a checksum says that no bit of it flipped, begins at a root or with a drive. */
static bool escapes(const struct finding_arg *path, bool is_summed)
{
	const unsigned escape = PATH_PARENT | (is_summed ? PATH_ROOTED | PATH_DRIVE : 0);
	const struct text t = { path->text, { .n_units = (uint32_t)path->text_len } };

	return (path_examine(t).traits & escape) != 0;
}

static bool has_escape(const struct rule_result *r, bool is_summed)
{
	for (const struct finding *f = r->first; f; f = f->next)
		for (size_t i = 0; i < f->n_args; i++)
			if (f->args[i].kind == ARG_TEXT && escapes(&f->args[i], is_summed))
				return true;
	return false;
}

/* Tells whether a checksum over the whole file is right. */
static bool is_summed(const struct patient *p)
{
	for (size_t i = 0; (i = results_next(p->results, RULE_PASS, i, p->n_rules)) < p->n_rules;
	     i++)
		if (p->rules[i]->sign == SIGN_SUM)
			return true;
	return false;
}

static void add_errors(struct evidence *e, const struct rule *rule, const struct rule_result *r)
{
	const bool is_attack = rule->sign == SIGN_ATTACK || rule->sign == SIGN_PATH;

	e->n_errors += errors_of(r);
	e->signs |= 1u << rule->sign;
	e->data_alone = e->data_alone && (rule->sign == SIGN_DATA || rule->sign == SIGN_SUM);
	e->packer_alone = e->packer_alone && rule->sign == SIGN_PACKER;
	e->attack_alone = e->attack_alone && is_attack;
	if (rule->sign == SIGN_DATA || rule->sign == SIGN_SUM)
		e->n_data += errors_of(r);
	if (is_attack && !e->attack && (rule->sign == SIGN_ATTACK || has_escape(r, e->is_summed)))
		e->attack = rule;
}

static struct part *part_of(struct evidence *e, uint32_t file)
{
	for (size_t i = 0; i < e->n_parts; i++)
		if (e->parts[i].source->number == file)
			return &e->parts[i];
	return NULL;
}

/* A few findings of each rule have places enough. */
static void add_probes(struct evidence *e, const struct rule_result *r)
{
	unsigned n = 0;

	for (const struct finding *f = r->first; f && n < 4; f = f->next, n++) {
		struct part *part = f->place.known ? part_of(e, f->place.file) : NULL;

		if (part && part->n_probes < PROBES_MAX && f->severity != SEVERITY_NOTE)
			part->probes[part->n_probes++].place = f->place.span;
	}
}

static void take_findings(struct evidence *e)
{
	const struct patient *p = e->patient;

	e->data_alone = e->packer_alone = e->attack_alone = true;
	e->is_summed = is_summed(p);
	e->packers = PACKER_REZ | PACKER_UEC;
	for (size_t i = 0; (i = results_next(p->results, RULE_FAIL, i, p->n_rules)) < p->n_rules;
	     i++) {
		const struct rule_result *r = results_of(p->results, i);

		if (errors_of(r) > 0)
			add_errors(e, p->rules[i], r);
		if (p->rules[i]->packers != 0)
			e->packers &= p->rules[i]->packers;
		add_probes(e, r);
	}
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static void add_part(struct evidence *e, struct source *s)
{
	struct part *part;

	if (e->n_parts == PARTS_MAX)
		return;
	part = &e->parts[e->n_parts++];
	*part = (struct part){ .source = s };
}

static void list_parts(struct evidence *e)
{
	const struct decode *d = e->patient->decode;

	add_part(e, d->source);
	for (struct companion *c = d->companions; c; c = c->next)
		if (c->state == COMPANION_OPEN)
			add_part(e, &c->source);
}

static bool take_head(struct part *part)
{
	const uint64_t size = part->source->io.size;

	part->n_head = size < sizeof part->head ? (uint32_t)size : sizeof part->head;
	return source_copy(part->source, (struct span){ 0, part->n_head }, part->head);
}

static bool take_part(const struct evidence *e, struct part *part)
{
	const struct patient *p = e->patient;
	const bool is_input = part->source->number == 0;
	const uint32_t mark = is_input && p->format ? p->format->end_mark.magic : 0;

	if (p->facts && p->format->extent)
		p->format->extent(p->facts, p->decode, part->source->number, &part->extent);
	return take_head(part) &&
	       census_take(part->source, mark, part->probes, part->n_probes, &part->census);
}

void evidence_begin(struct evidence *e, const struct patient *p)
{
	memset(e, 0, offsetof(struct evidence, parts));
	e->patient = p;
	list_parts(e);
	take_findings(e);
}

bool evidence_read(struct evidence *e)
{
	for (size_t i = 0; i < e->n_parts; i++)
		if (!take_part(e, &e->parts[i]))
			return false;
	return true;
}

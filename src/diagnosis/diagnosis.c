/* Diagnoses: which are asked about a file, in which order, and what they explain. What somebody
 * meant comes first, and what changes a whole file before what changes a part of it. */
#include "diagnosis/diagnosis.h"

#include "diagnosis/beside.h"
#include "diagnosis/tell.h"

/* In this order each is asked about every part. A text mode explains what looks like a truncated
 * file or an appended end, and chunks that differ from the first on what looks like either. */
static tell *const order[] = {
	tell_empty,        tell_exchanged,       tell_other_format, tell_all_zeros, tell_reencoded,
	tell_foreign_text, tell_transfer,        tell_prefixed,     tell_swapped,   tell_foreign,
	tell_surplus,      tell_shorter,         tell_zeros,        tell_appended,  tell_truncated,
	tell_missing,      tell_wrong_companion,
};

static void ask_about(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		if (order[i](e, part, out))
			return;
}

/* The checksum was made of these bytes: nothing changed them on the way. */
static bool is_intact(const struct evidence *e, const struct part *part)
{
	return e->is_summed && part->source->number == 0;
}

static void ask_mild(const struct evidence *e, struct diagnosis *out)
{
	const struct part *input = &e->parts[0];

	if (tell_missing(e, input, out) || is_intact(e, input))
		return;
	for (size_t k = 1; k < e->n_parts && !out->kind; k++)
		tell_grown_text(e, &e->parts[k], out);
	for (size_t k = 0; k < e->n_parts && !out->kind; k++)
		tell_appended(e, &e->parts[k], out);
	if (!out->kind)
		tell_changed(e, input, out);
	if (!out->kind)
		tell_warned_zeros(e, input, out);
	if (!out->kind)
		tell_unchecked(e, input, out);
	for (size_t k = 1; k < e->n_parts && !out->kind; k++)
		if (tell_other_format(e, &e->parts[k], out))
			return;
		else if (beside_is_contradicted(&e->parts[k]))
			ask_about(e, &e->parts[k], out);
		else if (beside_is_foreign(&e->parts[k]))
			tell_swapped(e, &e->parts[k], out);
}

static void ask(const struct evidence *e, struct diagnosis *out)
{
	if (tell_hostile(e, out))
		return;
	if (e->patient->format && e->n_errors == 0) {
		ask_mild(e, out);
		return;
	}
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		for (size_t k = 0; k < e->n_parts; k++)
			if (!is_intact(e, &e->parts[k]) && order[i](e, &e->parts[k], out))
				return;
	tell_findings(e, out);
}

/* Tells whether zeros stand where enough warnings point, before the whole file is read to see how
 * many there are. */
static bool may_have_hole(const struct evidence *e)
{
	static const uint8_t zeros[64] = { 0 };
	const struct part *input = &e->parts[0];
	uint8_t bytes[sizeof zeros];
	unsigned n = 0;

	for (size_t i = 0; i < input->n_probes; i++) {
		const struct span place = { input->probes[i].place.at, sizeof bytes };

		n += span_end(place) <= input->source->io.size &&
		     source_copy(input->source, place, bytes) &&
		     memcmp(bytes, zeros, sizeof bytes) == 0;
	}
	return n >= WARNINGS_MIN;
}

/* Evidence is read if it may say something; with no more than warnings that is where they point
 * into a hole. */
static bool examine(const struct patient *p, bool has_cause, struct diagnosis *out)
{
	const struct arena_mark mark = arena_mark(p->decode->arena);
	struct evidence *e = arena_alloc(p->decode->arena, 1, sizeof *e);
	bool is_read;

	*p->lost |= !e;
	if (!e)
		return false;
	evidence_begin(e, p);
	is_read = has_cause || may_have_hole(e);
	if (is_read && evidence_read(e))
		ask(e, out);
	arena_rewind(p->decode->arena, mark);
	return is_read;
}

/* Bytes after the end are no error of most formats. What a site minds of an upload is its author's
 * choice. */
static bool needs_words(const struct rule *rule, const struct rule_result *r)
{
	if (rule->uploads != 0)
		return false;
	return r->n_found[SEVERITY_ERROR] > 0 || r->n_found[SEVERITY_UNDETERMINED] > 0 ||
	       rule->sign == SIGN_TAIL || rule->sign == SIGN_DATA || rule->sign == SIGN_SHARED ||
	       rule->sign == SIGN_ABSENT_FILE;
}

/* Without a codec nothing is found in a file beside the input, whosever it is. */
static bool may_be_foreign(const struct patient *p)
{
	bool may = false;
	size_t n = 0;

	for (struct companion *c = p->decode->companions; c && n < PARTS_MAX && !may; c = c->next) {
		struct part part = { .source = &c->source };

		if (c->state != COMPANION_OPEN || !p->facts || !p->format->extent)
			continue;
		n++;
		p->format->extent(p->facts, p->decode, c->number, &part.extent);
		may = beside_has_foreign_blocks(&part);
	}
	return may;
}

/* Most files are sound, or have a note or a warning or two: no evidence is gathered of them. */
bool diagnose(const struct patient *p, struct diagnosis *out)
{
	bool has_cause = !p->format;
	uint64_t n_warnings = 0;

	*out = (struct diagnosis){ .kind = NULL };
	for (size_t i = 0;
	     !has_cause && (i = results_next(p->results, RULE_FAIL, i, p->n_rules)) < p->n_rules;
	     i++) {
		const struct rule_result *r = results_of(p->results, i);

		n_warnings += r->n_found[SEVERITY_WARNING];
		has_cause = needs_words(p->rules[i], r);
	}
	has_cause = has_cause || may_be_foreign(p);
	return (has_cause || n_warnings >= WARNINGS_MIN) && examine(p, has_cause, out);
}

uint64_t diagnosis_cost(const struct patient *p)
{
	const uint64_t size = p->decode->source->io.size;
	uint64_t sum = size < CENSUS_MAX ? size : CENSUS_MAX;

	for (const struct companion *c = p->decode->companions; c; c = c->next)
		if (c->state == COMPANION_OPEN)
			sum += c->source.io.size < CENSUS_MAX ? c->source.io.size : CENSUS_MAX;
	return sum;
}

/* A garbled name is an accident's unless it leads somewhere. */
static bool is_meant(const struct diagnosis *d, const struct rule *r)
{
	const bool may_be_garbled = r->sign == SIGN_NAME || r->sign == SIGN_MOUNT;

	return rule_is_meant(r) && (!may_be_garbled || d->escapes);
}

bool diagnosis_explains(const struct diagnosis *d, const struct rule *r)
{
	if (!d || (d->groups != 0 && ((r->needs | r->also) & d->groups) == 0))
		return false;
	return d->kind->explains == EXPLAINS_ALL    ? !is_meant(d, r)
	       : d->kind->explains == EXPLAINS_DATA ? r->sign == SIGN_DATA || r->sign == SIGN_SUM
						    : false;
}

/* That a file is missing stays worth telling, whatever became of those that are there. */
bool diagnosis_speaks_for(const struct diagnosis *d, const struct rule *r)
{
	return diagnosis_explains(d, r) && d->kind->explains == EXPLAINS_ALL &&
	       r->sign != SIGN_ABSENT_FILE;
}

bool diagnosis_is_foreign(const struct diagnosis *d)
{
	return d && strcmp(d->kind->id, "wrong_companion") == 0;
}

const char *diagnosis_other(const struct diagnosis *d)
{
	return d && d->kind >= tell_kind(KIND_NOT_READ) && d->kind < tell_kind(KIND_NOT_READ_STREAM)
		       ? d->args[1].word
		       : NULL;
}

const char *confidence_name(enum confidence c)
{
	return c == CONFIDENCE_CERTAIN ? "certain" : "likely";
}

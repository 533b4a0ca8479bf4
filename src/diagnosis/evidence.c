/* Evidence: the findings, and the bytes of the file and of those beside it. */
#include "diagnosis/evidence.h"

#include "codec/inflate.h"
#include "core/path.h"

/* ---- Findings -------------------------------------------------------------------------------- */

static uint64_t errors_of(const struct rule_result *r)
{
	return r->n_found[SEVERITY_ERROR] + r->n_found[SEVERITY_UNDETERMINED];
}

/* Tells whether a path is a drive, or begins with one and a separator: of a folder and a name no
 * single bit makes that. */
static bool has_drive(struct text path, uint32_t traits)
{
	return (traits & PATH_DRIVE) != 0 &&
	       (path.ref.n_units == 2 || text_unit(path, 2) == '\\' || text_unit(path, 2) == '/');
}

/* How many characters "../../../" has. */
enum { MOUNT_UP = 9 };

/* A mount point without as many characters, in UTF-8, as it begins with. */
static struct text below_root(struct text mount)
{
	unsigned n = 0;
	uint32_t at = 0;

	while (at < mount.ref.n_units && ((mount.data[at] & 0xC0) == 0x80 || n++ < MOUNT_UP))
		at++;
	return text_sub(mount, at, mount.ref.n_units);
}

/* Tells whether a path leads out of the folder that it is to be in: it has a folder "..", not
 * among those with which a mount point begins, or a drive; or, where a checksum says that no bit
 * of it flipped, a root or a hidden stream. */
static bool escapes(const struct finding_arg *arg, enum rule_sign sign, bool is_summed)
{
	const unsigned escape = PATH_PARENT |
				(is_summed ? PATH_ROOTED | PATH_DRIVE | PATH_COLON : 0);
	struct text t = { arg->text, { .n_units = (uint32_t)arg->text_len } };
	uint32_t traits;

	if (sign == SIGN_MOUNT) {
		if (has_drive(t, path_examine(t).traits))
			return true;
		t = below_root(t);
	}
	traits = path_examine(t).traits;
	return (traits & escape) != 0 || has_drive(t, traits);
}

/* Tells whether a number is a negative one, or one that few files are long enough for. */
static bool is_huge(const struct finding_arg *arg)
{
	return (arg->kind == ARG_HEX || arg->kind == ARG_SIZE || arg->kind == ARG_SIGNED) &&
	       arg->number >= UINT32_C(1) << 30;
}

static bool is_deliberate(const struct finding_arg *arg, enum rule_sign sign, bool is_summed)
{
	if (sign == SIGN_COUNT)
		return is_summed && is_huge(arg);
	return arg->kind == ARG_TEXT && escapes(arg, sign, is_summed);
}

static bool may_be_attack(enum rule_sign sign)
{
	return sign == SIGN_PATH || sign == SIGN_ATTACK || sign == SIGN_NAME || sign == SIGN_MOUNT;
}

/* Tells whether a finding is one that neither an accident nor a mistake makes. */
static bool has_attack(const struct rule *rule, const struct rule_result *r, bool is_summed)
{
	if (rule->sign == SIGN_ATTACK)
		return true;
	if (!may_be_attack(rule->sign) && rule->sign != SIGN_COUNT)
		return false;
	for (const struct finding *f = r->first; f; f = f->next)
		for (size_t i = 0; i < f->n_args; i++)
			if (is_deliberate(&f->args[i], rule->sign, is_summed))
				return true;
	return false;
}

/* Tells whether a checksum over the whole file is right, and so is what it does not protect: where
 * a trailer says that the tables begin. */
static bool is_summed(const struct patient *p)
{
	unsigned passed = 0;

	for (size_t i = 0; (i = results_next(p->results, RULE_PASS, i, p->n_rules)) < p->n_rules;
	     i++)
		passed |= 1u << p->rules[i]->sign;
	return passed & 1u << SIGN_SUM && passed & 1u << SIGN_FRAME;
}

/* How many findings of a rule are looked at, and with how many changed parts they are compared. */
enum { PLACES_MAX = 4, CHANGED_MAX = 4096 };

static bool is_changed(const struct patient *p, const struct place *place)
{
	uint64_t at = 0;
	struct span part;

	for (unsigned n = 0; n < CHANGED_MAX &&
			     p->format->next_changed(p->facts, p->decode, place->file, &at, &part);
	     n++)
		if (place->span.at >= part.at && span_end(place->span) <= span_end(part))
			return true;
	return false;
}

/* Tells whether what is found lies in bytes that are not what was packed, as their digest says. */
static bool follows_from_data(const struct evidence *e, const struct rule_result *r)
{
	const struct patient *p = e->patient;
	unsigned n = 0;

	if (NEVER(!p->facts) || !p->format->next_changed) /* without facts nothing is found */
		return false;
	for (const struct finding *f = r->first; f && n < PLACES_MAX; f = f->next, n++)
		if (!f->place.known || !is_changed(p, &f->place))
			return false;
	return n > 0;
}

/* Tells whether an error says nothing about the tables of the file itself. */
static bool is_elsewhere(const struct evidence *e, const struct rule *rule)
{
	return rule->sign == SIGN_TAIL || rule->sign == SIGN_ABSENT_FILE ||
	       rule->sign == SIGN_DATA ||
	       ((rule->needs | rule->also) & e->patient->format->beside) != 0;
}

static void add_errors(struct evidence *e, const struct rule *rule, const struct rule_result *r)
{
	e->n_errors += errors_of(r);
	e->signs |= 1u << rule->sign;
	e->data_alone = e->data_alone && (rule->sign == SIGN_DATA || rule->sign == SIGN_SUM ||
					  follows_from_data(e, r));
	e->packer_alone = e->packer_alone && rule->sign == SIGN_PACKER;
	e->attack_alone = e->attack_alone && (may_be_attack(rule->sign) || is_elsewhere(e, rule));
	if (rule->sign == SIGN_DATA || rule->sign == SIGN_SUM)
		e->n_data += errors_of(r);
	if (!has_attack(rule, r, e->is_summed))
		return;
	if (!e->attack)
		e->attack = rule;
	e->escapes |= rule->sign == SIGN_NAME || rule->sign == SIGN_MOUNT;
}

static struct part *part_of(struct evidence *e, uint32_t file)
{
	for (size_t i = 0; i < e->n_parts; i++)
		if (e->parts[i].source->number == file)
			return &e->parts[i];
	return NULL;
}

static void add_probe(struct part *part, struct probe probe)
{
	if (part && part->n_probes < PROBES_MAX)
		part->probes[part->n_probes++] = probe;
}

/* Which zeros are a hole where a rule finds something. Those between the parts of a companion are
 * legal. What cannot be decoded stops what is in it; a digest stops nothing, nor is it of bytes
 * that have no zeros by themselves. */
static enum probe_of probe_for(const struct rule *rule, const struct finding *f)
{
	if (f->place.file == 0)
		return rule->sign == SIGN_DATA && f->severity == SEVERITY_WARNING ? PROBE_HASHED
										  : PROBE_NEAR;
	return rule->sign == SIGN_DATA && rule->explains != 0 ? PROBE_STREAM : PROBE_HASHED;
}

/* A few findings of each rule have places enough. */
static void add_probes(struct evidence *e, const struct rule *rule, const struct rule_result *r)
{
	unsigned n = 0;

	for (const struct finding *f = r->first; f && n < PLACES_MAX; f = f->next, n++) {
		const bool is_error = f->severity > SEVERITY_WARNING;

		if (f->place.known && f->severity != SEVERITY_NOTE)
			add_probe(part_of(e, f->place.file),
				  (struct probe){ .place = f->place.span,
						  .of = probe_for(rule, f),
						  .is_error = is_error,
						  .is_data = is_error && rule->sign == SIGN_DATA });
	}
}

/* The first parts of a companion with another digest. */
static void add_changed(const struct patient *p, struct part *part)
{
	uint64_t at = 0;
	struct span span;

	while (p->facts && p->format->next_changed && part->source->number != 0 &&
	       part->n_probes < PROBES_MAX &&
	       p->format->next_changed(p->facts, p->decode, part->source->number, &at, &span))
		add_probe(part, (struct probe){ .place = span,
						.of = PROBE_HASHED,
						.is_error = true,
						.is_data = true });
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

		if (errors_of(r) > 0 && p->rules[i]->uploads == 0)
			add_errors(e, p->rules[i], r);
		if (p->rules[i]->sign == SIGN_DATA && r->n_found[SEVERITY_WARNING] > 0 &&
		    follows_from_data(e, r))
			e->n_warned_data += r->n_found[SEVERITY_WARNING];
		if (p->rules[i]->sign == SIGN_SHARED && !e->shared)
			e->shared = p->rules[i];
		if (p->rules[i]->packers != 0)
			e->packers &= p->rules[i]->packers;
		add_probes(e, p->rules[i], r);
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

/* Streams that are longer are not looked at, and of what one gives no more. */
#define STREAM_MAX ((uint64_t)1 << 20)
#define UNPACKED_MAX ((uint64_t)16 << 20)

/* What a whole zlib stream there decompresses to; 0: there is none. */
static uint64_t unpacked_len(struct part *part, struct span place, struct arena *arena)
{
	struct inflater inflater = { .arena = arena };
	uint8_t *bytes;

	if (place.len < 2 || place.len > STREAM_MAX || span_end(place) > part->source->io.size)
		return 0;
	bytes = arena_alloc(arena, (size_t)place.len, 1);
	if (!bytes || !source_copy(part->source, place, bytes) ||
	    !inflate_looks_like_zlib(bytes[0], bytes[1]))
		return 0;
	return inflate_length(&inflater, bytes, place.len, UNPACKED_MAX);
}

/* Zeros in a stream that is whole are its own. */
static void take_streams(struct evidence *e, struct part *part)
{
	struct arena *arena = e->patient->decode->arena;
	const uint64_t max = part->extent.part_max;

	for (size_t i = 0; i < part->n_probes; i++) {
		struct probe *probe = &part->probes[i];

		if (!probe->is_data)
			continue;
		probe->unpacked = unpacked_len(part, probe->place, arena);
		e->has_bomb = e->has_bomb || (max > 0 && probe->unpacked > max);
	}
	*e->patient->lost = *e->patient->lost || arena->refused;
}

static bool take_part(struct evidence *e, struct part *part)
{
	const struct patient *p = e->patient;
	const bool is_input = part->source->number == 0;
	const uint32_t mark = is_input && p->format ? p->format->end_magic : 0;

	if (p->facts && p->format->extent)
		p->format->extent(p->facts, p->decode, part->source->number, &part->extent);
	add_changed(p, part);
	if (!take_head(part) ||
	    !census_take(part->source, mark, part->probes, part->n_probes, &part->census))
		return false;
	take_streams(e, part);
	return true;
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

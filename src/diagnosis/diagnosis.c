/* Diagnoses: one function for each, asked in an order in which what changes a whole file comes
 * before what changes a part of it. */
#include "diagnosis/diagnosis.h"

#include "diagnosis/beside.h"
#include "diagnosis/evidence.h"
#include "diagnosis/other_format.h"

enum number {
#define DIAGNOSIS(number, id, explains, message, player, author) KIND_##number,
#include "diagnosis/diagnoses.def"
#undef DIAGNOSIS
};

static const struct diagnosis_kind kinds[] = {
#define DIAGNOSIS(number, id, explains, message, player, author) \
	[KIND_##number] = { id, message, player, author, EXPLAINS_##explains },
#include "diagnosis/diagnoses.def"
#undef DIAGNOSIS
};

/* ---- Saying it ------------------------------------------------------------------------------- */

static void add_number(struct diagnosis *out, enum arg_kind kind, uint64_t number)
{
	out->args[out->n_args++] = (struct finding_arg){ .kind = kind, .number = number };
}

static void add_word(struct diagnosis *out, const char *word)
{
	out->args[out->n_args++] = (struct finding_arg){ .kind = ARG_WORD, .word = word };
}

/* A name is copied: companions are gone when the report is read. */
static bool add_name(struct diagnosis *out, const struct patient *p, const char *name)
{
	const size_t len = strlen(name);
	uint8_t *copy = arena_alloc(p->arena, len, 1);

	*p->lost = *p->lost || !copy;
	if (!copy)
		return false;
	memcpy(copy, name, len);
	out->args[out->n_args++] = (struct finding_arg){ .kind = ARG_TEXT,
							 .text = copy,
							 .text_len = len };
	return true;
}

/* Begins a diagnosis with the file that it is about. */
static bool begin(const struct evidence *e, const struct part *part, enum number number,
		  enum confidence confidence, struct diagnosis *out)
{
	*out = (struct diagnosis){ .confidence = confidence };
	if (part->source->number == 0)
		add_word(out, "the file");
	else if (!add_name(out, e->patient, part->source->name))
		return false;
	out->kind = &kinds[number];
	return true;
}

/* ---- Its end --------------------------------------------------------------------------------- */

/* The end of a format that is found from behind: where its mark stands, if the size beside it says
 * so too. */
static uint64_t marked_end(const struct evidence *e, const struct part *part)
{
	const struct format *f = e->patient->format;
	const uint64_t at = part->census.mark_at;
	uint8_t bytes[4];
	uint64_t size;

	if (part->source->number != 0 || !f || f->end_mark.len == 0 || at == UINT64_MAX ||
	    !source_copy(part->source, (struct span){ at + f->end_mark.size_at, 4 }, bytes))
		return 0;
	size = bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
	       (uint64_t)bytes[3] << 24;
	return size == at + f->end_mark.len ? size : 0;
}

static uint64_t known_end(const struct evidence *e, const struct part *part)
{
	const uint64_t end = marked_end(e, part);

	return end > 0 ? end : part->extent.is_end ? part->extent.needs : 0;
}

/* ---- What is beside it ----------------------------------------------------------------------- */

static bool tell_missing(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct companion *missing = NULL;
	const char *other;

	if (part->source->number == 0 && evidence_has(e, SIGN_ABSENT_FILE))
		missing = beside_missing(e);
	if (!missing)
		return false;
	other = beside_renamed(e, missing);
	*out = (struct diagnosis){ .confidence = other ? CONFIDENCE_LIKELY : CONFIDENCE_CERTAIN };
	if (!add_name(out, e->patient, missing->name) ||
	    (other && !add_name(out, e->patient, other)))
		return false;
	out->kind = &kinds[other ? KIND_RENAMED : KIND_MISSING];
	return true;
}

/* Where nearly no chunk is what the .utoc says, they are those of another. */
static bool tell_wrong_companion(const struct evidence *e, const struct part *part,
				 struct diagnosis *out)
{
	if (!beside_is_foreign(part) ||
	    !begin(e, part, KIND_WRONG_COMPANION, CONFIDENCE_LIKELY, out))
		return false;
	add_number(out, ARG_DEC, part->extent.n_differ);
	add_number(out, ARG_DEC, part->extent.n_compared);
	return true;
}

/* A .ucas of another length is no truncated one if it is as another .utoc says. */
static bool tell_swapped(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	uint64_t n_same = 0;
	const char *owner = beside_owner(e, part, &n_same);

	if (!owner || !begin(e, part, KIND_SWAPPED, CONFIDENCE_CERTAIN, out))
		return false;
	if (!add_name(out, e->patient, owner)) {
		out->kind = NULL;
		return false;
	}
	add_number(out, ARG_DEC, n_same);
	return true;
}

/* ---- The whole file -------------------------------------------------------------------------- */

static bool tell_other_format(const struct evidence *e, const struct part *part,
			      struct diagnosis *out)
{
	const struct format *f = e->patient->format;
	enum texts texts = TEXTS_NONE;
	const char *other;

	if (part->source->number != 0 || (f && !evidence_has(e, SIGN_OTHER_FILE)))
		return false;
	/* an installer has its signature at its end, and a text need not be of any format */
	if (part->census.n_controls == 0)
		texts = f && f->end_mark.len == 0 ? TEXTS_ALL : TEXTS_KNOWN;
	other = other_format(part->head, part->n_head, texts, f ? f->name : NULL);
	if (!other ||
	    !begin(e, part, f ? KIND_OTHER_FORMAT : KIND_NOT_READ, CONFIDENCE_CERTAIN, out))
		return false;
	add_word(out, other);
	if (f)
		add_word(out, f->title);
	return true;
}

static bool tell_empty(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	return part->source->io.size == 0 && begin(e, part, KIND_EMPTY, CONFIDENCE_CERTAIN, out);
}

static bool tell_all_zeros(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	return part->census.n >= 16 && part->census.head_zeros == part->census.n &&
	       begin(e, part, KIND_ALL_ZEROS, CONFIDENCE_CERTAIN, out);
}

/* How many characters of two bytes and more a binary file has by accident, if all of it is UTF-8.
 * */
enum { SEQUENCES_MIN = 8 };

static bool tell_reencoded(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct census *c = &part->census;
	const bool is_replaced = c->n_replaced > 0;

	if (part->n_head >= 16 && part->head[0] == 0xFF && part->head[1] == 0xFE &&
	    c->n_odd_zeros >= c->n / 2 - c->n / 16)
		return begin(e, part, KIND_UTF16, CONFIDENCE_LIKELY, out);
	if (!c->is_utf8 || c->n_sequences < SEQUENCES_MIN || c->n_controls == 0)
		return false;
	if (!begin(e, part, is_replaced ? KIND_REPLACED : KIND_REENCODED, CONFIDENCE_CERTAIN, out))
		return false;
	add_number(out, ARG_DEC, is_replaced ? c->n_replaced : c->n_sequences);
	return true;
}

/* How many line feeds outside of texts must follow a carriage return to be no accident, which each
 * of them does in one of 256 files. */
enum { BINARY_LF_MIN = 3, BINARY_LF_MANY = 10 };

/* A file has a carriage return for about every 256 bytes of its data, fewer where there is little
 * data. */
enum { NO_CR_MIN = 4096 };

/* Where the end of the file is known, as many bytes follow it as carriage returns were put in, or
 * fewer. */
static bool grew_by_pairs(const struct evidence *e, const struct part *part)
{
	const uint64_t end = known_end(e, part), size = part->source->io.size;

	return end > 0 && size > end && size - end <= part->census.n_pairs;
}

static bool grew_by_more(const struct evidence *e, const struct part *part)
{
	const uint64_t end = known_end(e, part), size = part->source->io.size;

	return end > 0 && size > end && size - end > 2 * part->census.n_pairs + 64;
}

/* A number that says so much more than the file has is itself what is damaged. */
enum { NEEDS_TIMES_MAX = 24 };

/* How many bytes are missing, if it is known; 0: none are, or it is not. */
static uint64_t n_missing(const struct part *part)
{
	const uint64_t needs = part->extent.needs, size = part->source->io.size;

	return needs > size && needs / NEEDS_TIMES_MAX <= size + 16 ? needs - size : 0;
}

/* Where it is known how long the file was, no more bytes are missing than it had carriage
 * returns. */
static bool lost_more(const struct part *part)
{
	return n_missing(part) > part->source->io.size / 16;
}

static bool tell_transfer(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct census *c = &part->census;
	const bool is_paired = c->n_lf > 0 && c->n_pairs == c->n_lf;

	if (is_paired && (c->n_binary_lf >= BINARY_LF_MANY ||
			  (c->n_binary_lf >= BINARY_LF_MIN && !grew_by_more(e, part)) ||
			  grew_by_pairs(e, part))) {
		if (!begin(e, part, KIND_LF_TO_CRLF, CONFIDENCE_LIKELY, out))
			return false;
		add_number(out, ARG_DEC, c->n_lf);
		return true;
	}
	if (c->n_cr > 0 || c->n < NO_CR_MIN || c->n_binary_lf < BINARY_LF_MIN || lost_more(part) ||
	    !begin(e, part, KIND_CR_REMOVED, CONFIDENCE_LIKELY, out))
		return false;
	add_number(out, ARG_SIZE, part->source->io.size);
	return true;
}

/* ---- A part of it ---------------------------------------------------------------------------- */

static bool tell_shorter(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const uint64_t missing = n_missing(part);

	if (missing == 0 || !begin(e, part, KIND_TRUNCATED, CONFIDENCE_LIKELY, out))
		return false;
	add_number(out, ARG_SIZE, part->extent.needs);
	add_number(out, ARG_SIZE, part->source->io.size);
	add_number(out, ARG_SIZE, missing);
	return true;
}

static bool tell_truncated(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	if (!part->extent.ends_early ||
	    !begin(e, part, KIND_TRUNCATED_SOMEWHERE, CONFIDENCE_LIKELY, out))
		return false;
	add_number(out, ARG_SIZE, part->source->io.size);
	return true;
}

/* The longest run of zeros that a finding is about. */
static struct span worst_zeros(const struct part *part)
{
	struct span worst = { 0, 0 };

	for (size_t i = 0; i < part->n_probes; i++)
		if (part->probes[i].zeros.len > worst.len)
			worst = part->probes[i].zeros;
	return worst;
}

/* Zeros that no finding points at: as many as files do not have by themselves. */
enum { HOLE_MIN = 4096, HOLE_PART = 32 };

static bool is_hole(const struct census *c)
{
	return c->most_zeros.len >= HOLE_MIN && c->most_zeros.len >= c->n / HOLE_PART;
}

enum { SECTOR = 512 };

/* Checksums and hashes say that bytes changed, and not which. Payload may be of zeros by itself,
 * but seldom begins or ends with a sector. */
static bool may_lie_in_hole(const struct evidence *e, const struct part *part)
{
	const struct span hole = part->census.most_zeros;
	const bool is_payload = part->source->number != 0 && evidence_has(e, SIGN_DATA);

	return is_hole(&part->census) &&
	       (evidence_has(e, SIGN_SUM) ||
		(is_payload && (hole.at % SECTOR == 0 || span_end(hole) % SECTOR == 0)));
}

static bool tell_zeros(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct census *c = &part->census;
	struct span zeros = worst_zeros(part);

	if (evidence_has(e, SIGN_OTHER_FILE) && c->head_zeros >= 16 && part->source->number == 0)
		zeros = (struct span){ 0, c->head_zeros };
	if (zeros.len == 0 && may_lie_in_hole(e, part))
		zeros = c->most_zeros;
	if (zeros.len == 0 && part->extent.ends_early && c->tail_zeros >= CENSUS_RUN_MIN / 2)
		zeros = (struct span){ c->n - c->tail_zeros, c->tail_zeros };
	if (zeros.len == 0 || !begin(e, part, KIND_ZEROS, CONFIDENCE_LIKELY, out))
		return false;
	add_number(out, ARG_SIZE, zeros.len);
	add_number(out, ARG_HEX, zeros.at);
	return true;
}

static bool tell_appended(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const uint64_t size = part->source->io.size, end = known_end(e, part);

	if (end == 0 || end >= size || !begin(e, part, KIND_APPENDED, CONFIDENCE_LIKELY, out))
		return false;
	add_number(out, ARG_SIZE, end);
	add_number(out, ARG_SIZE, size - end);
	return true;
}

/* ---- The findings ---------------------------------------------------------------------------- */

/* Who makes all the mistakes that were found, as far as they tell. */
static bool tell_packer(const struct evidence *e, struct diagnosis *out)
{
	static const char *const packers[] = { [PACKER_REZ] = "UnrealReZen",
					       [PACKER_UEC] = "UEcastoc",
					       [PACKER_REZ |
						       PACKER_UEC] = "UnrealReZen or UEcastoc" };

	if (!begin(e, &e->parts[0], KIND_REPACKED, CONFIDENCE_LIKELY, out))
		return false;
	add_word(out, packers[e->packers]);
	return true;
}

static bool tell_findings(const struct evidence *e, struct diagnosis *out)
{
	const struct part *input = &e->parts[0];

	if (e->n_errors == 0)
		return false;
	if (e->data_alone && begin(e, input, KIND_DAMAGED, CONFIDENCE_LIKELY, out)) {
		add_number(out, ARG_DEC, e->n_data);
		return true;
	}
	if (evidence_has(e, SIGN_SUM))
		return begin(e, input, KIND_CHANGED, CONFIDENCE_LIKELY, out);
	if (e->packer_alone)
		return tell_packer(e, out);
	if (!e->attack || !(e->attack_alone || e->is_summed))
		return false;
	if (!begin(e, input, KIND_HOSTILE, CONFIDENCE_LIKELY, out))
		return false;
	add_word(out, e->attack->id);
	return true;
}

typedef bool tell(const struct evidence *e, const struct part *part, struct diagnosis *out);

/* In this order each is asked about every part. A text mode explains what looks like a truncated
 * file or an appended end, and a missing end what looks like foreign chunks. */
static tell *const order[] = { tell_empty,     tell_other_format, tell_all_zeros,
			       tell_reencoded, tell_transfer,     tell_swapped,
			       tell_shorter,   tell_zeros,        tell_appended,
			       tell_truncated, tell_missing,      tell_wrong_companion };

/* A hole in data that no checksum protects may break no rule, but several warnings of different
 * rules in it are no accident. */
enum { WARNINGS_MIN = 3 };

static bool has_warnings_in_hole(const struct part *part)
{
	const struct span hole = worst_zeros(part);
	unsigned n = 0;

	for (size_t i = 0; i < part->n_probes; i++)
		n += part->probes[i].zeros.at == hole.at;
	return hole.len >= HOLE_MIN && n >= WARNINGS_MIN;
}

/* Tools leave a few bytes at the end of sound files. */
enum { TAIL_MIN = 64 };

static void ask_mild(const struct evidence *e, struct diagnosis *out)
{
	const struct part *input = &e->parts[0];

	if (input->source->io.size >= known_end(e, input) + TAIL_MIN)
		tell_appended(e, input, out);
	if (!out->kind && has_warnings_in_hole(input))
		tell_zeros(e, input, out);
	for (size_t k = 1; k < e->n_parts && !out->kind; k++)
		if (beside_is_foreign(&e->parts[k]))
			tell_swapped(e, &e->parts[k], out);
}

static void ask(const struct evidence *e, struct diagnosis *out)
{
	if (e->patient->format && e->n_errors == 0) {
		ask_mild(e, out);
		return;
	}
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		for (size_t k = 0; k < e->n_parts; k++)
			if (order[i](e, &e->parts[k], out))
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
	struct evidence e;

	evidence_begin(&e, p);
	if (!has_cause && !may_have_hole(&e))
		return false;
	if (evidence_read(&e))
		ask(&e, out);
	return true;
}

/* Bytes after the end are no error of most formats. */
static bool needs_words(const struct rule *rule, const struct rule_result *r)
{
	return r->n_found[SEVERITY_ERROR] > 0 || r->n_found[SEVERITY_UNDETERMINED] > 0 ||
	       rule->sign == SIGN_TAIL || rule->sign == SIGN_DATA;
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

bool diagnosis_explains(const struct diagnosis *d, const struct rule *r)
{
	if (!d)
		return false;
	return d->kind->explains == EXPLAINS_ALL    ? !rule_is_meant(r)
	       : d->kind->explains == EXPLAINS_DATA ? r->sign == SIGN_DATA || r->sign == SIGN_SUM
						    : false;
}

enum rule_class diagnosis_class(const struct diagnosis *d, const struct rule *r)
{
	return r->class == CLASS_SECURITY && diagnosis_explains(d, r) ? CLASS_CORRUPTION : r->class;
}

const char *diagnosis_other(const struct diagnosis *d)
{
	return d && d->kind == &kinds[KIND_NOT_READ] ? d->args[1].word : NULL;
}

const char *confidence_name(enum confidence c)
{
	return c == CONFIDENCE_CERTAIN ? "certain" : "likely";
}

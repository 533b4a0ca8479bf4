/* Telling about zeros where data should be. */
#include "diagnosis/tell.h"

/* The longest run of zeros that a finding is about. Those of a whole stream are no hole. */
struct span tell_worst_zeros(const struct part *part)
{
	struct span worst = { 0, 0 };

	for (size_t i = 0; i < part->n_probes; i++)
		if (part->probes[i].zeros.len > worst.len && part->probes[i].unpacked == 0)
			worst = part->probes[i].zeros;
	return worst;
}

/* Zeros that no finding points at: as many as files do not have by themselves. */
enum { HOLE_MIN = 4096, HOLE_PART = 32 };

static bool is_hole(const struct census *c)
{
	return c->most_zeros.len >= HOLE_MIN && c->most_zeros.len >= c->n / HOLE_PART;
}

/* A checksum over all of the file says that bytes changed, and not which. */
static struct span summed_zeros(const struct evidence *e, const struct part *part)
{
	const struct census *c = &part->census;

	if (!evidence_has(e, SIGN_SUM) || part->source->number != 0)
		return (struct span){ 0, 0 };
	return c->sector_zeros.len > 0 ? c->sector_zeros
	       : is_hole(c)            ? c->most_zeros
				       : (struct span){ 0, 0 };
}

/* A file that is broken to its end may end in fewer zeros than a sector has: payload reaches into
 * them, or what is wrong lies in them as a whole. */
enum { TAIL_ZEROS_MIN = 64 };

static bool is_in_tail(const struct probe *probe, struct span tail)
{
	return probe->is_data
		       ? probe->of != PROBE_HASHED && probe->unpacked == 0 &&
				 span_end(probe->place) > tail.at
		       : probe->is_error && probe->of == PROBE_NEAR && probe->place.at >= tail.at;
}

static struct span broken_tail(const struct part *part)
{
	const struct census *c = &part->census;
	const struct span tail = { c->n - c->tail_zeros, c->tail_zeros };

	for (size_t i = 0; c->tail_zeros >= TAIL_ZEROS_MIN && i < part->n_probes; i++)
		if (is_in_tail(&part->probes[i], tail))
			return tail;
	return (struct span){ 0, 0 };
}

/* Zeros that a sound file may end in, or with others behind its end: what follows is no hole. */
static bool is_sound_end(const struct evidence *e, const struct part *part, struct span zeros)
{
	const struct format *f = e->patient->format;
	const uint64_t size = part->source->io.size, known = tell_known_end(e, part),
		       end = known > 0 ? known : size;

	return ALWAYS(f) && part->source->number == 0 && span_end(zeros) == size &&
	       zeros.at <= end && end - zeros.at <= f->end_zeros;
}

/* How many zeros at the beginning are a hole, in place of the bytes by which a format is known. A
 * zen package, which has none, begins with some. */
enum { HEAD_SIGNED_MIN = 16, HEAD_MIN = 512 };

static uint64_t head_zeros_min(const struct evidence *e)
{
	return evidence_has(e, SIGN_OTHER_FILE) ? HEAD_SIGNED_MIN
	       : e->patient->is_no_package      ? HEAD_MIN
						: UINT64_MAX;
}

bool tell_zeros(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct census *c = &part->census;
	struct span zeros = tell_worst_zeros(part);

	if (part->source->number == 0 && c->head_zeros >= head_zeros_min(e))
		zeros = (struct span){ 0, c->head_zeros };
	if (zeros.len == 0)
		zeros = summed_zeros(e, part);
	if (zeros.len == 0)
		zeros = broken_tail(part);
	if (zeros.len == 0 && part->extent.ends_early && c->tail_zeros >= CENSUS_RUN_MIN / 2)
		zeros = (struct span){ c->n - c->tail_zeros, c->tail_zeros };
	if (zeros.len == 0 || (zeros.at > 0 && is_sound_end(e, part, zeros)) ||
	    !tell_begin(e, part, KIND_ZEROS, CONFIDENCE_LIKELY, out))
		return false;
	tell_add_number(out, ARG_SIZE, zeros.len);
	tell_add_number(out, ARG_HEX, zeros.at);
	return true;
}

/* A hole in data that no checksum protects may break no rule, but several warnings of different
 * rules in it are no accident. */
static bool has_warnings_in_hole(const struct part *part)
{
	const struct span hole = tell_worst_zeros(part);
	unsigned n = 0;

	for (size_t i = 0; i < part->n_probes; i++)
		n += part->probes[i].zeros.at == hole.at;
	return hole.len >= HOLE_MIN && n >= WARNINGS_MIN;
}

/* Of bytes that are zeros of whole sectors the digest is another. */
static bool has_hole_in_hashed(const struct part *part)
{
	for (size_t i = 0; i < part->n_probes; i++)
		if (part->probes[i].of == PROBE_HASHED && part->probes[i].zeros.len > 0)
			return true;
	return false;
}

bool tell_warned_zeros(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	return (has_warnings_in_hole(part) || has_hole_in_hashed(part)) && tell_zeros(e, part, out);
}

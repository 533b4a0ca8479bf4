/* Telling that a file was handled as a text: by a transfer, or by a program that reads characters
 * and writes them. */
#include "diagnosis/tell.h"

#include <string.h>

/* ---- Saved as a text ------------------------------------------------------------------------- */

/* How many characters of two bytes and more a binary file has by accident, if all of it is UTF-8.
 * */
enum { SEQUENCES_MIN = 8 };

/* How many controls a file has that is no text, and of the 28 how many it has that is noise. */
enum { CONTROLS_MIN = 16, CONTROLS_MANY = 26 };

static bool begins_with(const struct part *part, const char *bytes, size_t n)
{
	return part->n_head >= 16 && memcmp(part->head, bytes, n) == 0;
}

/* Many programs take a byte above 0x7F for a character above U+00FF, so that only some of the other
 * bytes are zero. An installer may begin with a text in UTF-16, and has an end that is none. */
static bool has_mark_of_utf16(const struct evidence *e, const struct part *part)
{
	const struct census *c = &part->census;
	const struct format *f = e->patient->format;
	const bool may_be_text = part->source->number == 0 && f && f->end_magic != 0;
	const uint64_t least = may_be_text ? c->n / 2 - c->n / 16 : c->n / 4;
	const uint64_t n_even_zeros = c->n_zeros - c->n_odd_zeros;

	return c->n_high >= CONTROLS_MIN && c->mark_at == UINT64_MAX &&
	       ((begins_with(part, "\xFF\xFE", 2) && c->n_odd_zeros >= least) ||
		(begins_with(part, "\xFE\xFF", 2) && n_even_zeros >= least));
}

/* Without a mark each second byte must be zero, and the others those of a binary file. */
static bool is_each_second_zero(const struct census *c)
{
	const uint64_t n_even_zeros = c->n_zeros - c->n_odd_zeros;

	return c->n >= 64 && c->n_control_kinds > 0 && c->n_high >= CONTROLS_MIN &&
	       (c->n_odd_zeros == c->n / 2 || n_even_zeros == c->n - c->n / 2);
}

/* A companion may be a text that has a mark of its own. Its end is known but for its padding. */
enum { PADDING = 16 };
static bool has_mark_of_utf8(const struct evidence *e, const struct part *part)
{
	const uint64_t end = tell_known_end(e, part);

	return begins_with(part, "\xEF\xBB\xBF", 3) && !part->census.is_utf8 &&
	       (evidence_has(e, SIGN_OTHER_FILE) ||
		(end > 0 && end + 3 <= part->census.n && part->census.n < end + 3 + PADDING));
}

/* Tells whether a file has as many controls as only binary ones have. Of the bytes of these half, a
 * quarter, or a few are above 0x7F, but none only of a text. */
static bool is_binary(const struct census *c)
{
	const uint64_t n = c->n - c->n_zeros, n_controls = c->n_controls - c->n_zeros;

	return n >= 256 && n_controls >= n / 16 && c->n_control_kinds >= CONTROLS_MIN;
}

static bool is_utf8(const struct census *c)
{
	return c->is_utf8 && c->n_controls > 0 &&
	       (c->n_sequences >= SEQUENCES_MIN || (c->n_sequences > 0 && is_binary(c)));
}

/* Characters that stand for a few of the bytes may be left. */
static bool has_questions(const struct census *c)
{
	return is_binary(c) && c->n_high <= c->n_questions / 32 &&
	       c->n_questions >= 8 * c->n_by_questions + CONTROLS_MIN;
}

static bool tell_utf8(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct census *c = &part->census;
	const bool is_replaced = c->n_replaced > 0;

	if (!tell_one(e, part, is_replaced ? KIND_REPLACED : KIND_REENCODED, ARG_DEC,
		      is_replaced ? c->n_replaced : c->n_sequences, out))
		return false;
	out->confidence = CONFIDENCE_CERTAIN;
	return true;
}

bool tell_reencoded(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	if (has_mark_of_utf16(e, part) || is_each_second_zero(&part->census))
		return tell_begin(e, part, KIND_UTF16, CONFIDENCE_LIKELY, out);
	if (has_mark_of_utf8(e, part))
		return tell_begin(e, part, KIND_MARKED, CONFIDENCE_LIKELY, out);
	if (is_utf8(&part->census))
		return tell_utf8(e, part, out);
	return has_questions(&part->census) &&
	       tell_one(e, part, KIND_QUESTIONS, ARG_DEC, part->census.n_questions, out);
}

/* ---- Transferred as a text ------------------------------------------------------------------- */

/* How many line feeds outside of texts must follow a carriage return to be no accident, which each
 * of them does in one of 256 files. */
enum { BINARY_LF_MIN = 3, BINARY_LF_MANY = 5 };

/* How many bytes or pairs must be due to be missed where there are none or few, and how many if no
 * bytes are known to be missing. Pictures have few values, and hardly any next to one another. */
enum { DUE_MIN = 4, DUE_MANY = 16, DUE_PAIRS = 24 };

/* Where the end of the file is known, as many bytes follow it as carriage returns were put in, or
 * fewer, and more than lines of a text that somebody appended. */
static bool grew_by(const struct evidence *e, const struct part *part, uint64_t n)
{
	const uint64_t end = tell_known_end(e, part), size = part->source->io.size;

	return end > 0 && size > end && size - end <= n &&
	       (part->census.n_binary_lf > 0 || part->census.n_twice > 0);
}

static bool grew_by_more(const struct evidence *e, const struct part *part, uint64_t n)
{
	const uint64_t end = tell_known_end(e, part), size = part->source->io.size;

	return end > 0 && size > end && size - end > 2 * n + 64;
}

static bool tell_pairs(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct census *c = &part->census;
	const bool is_twice = c->n_twice == c->n_lf;
	const uint64_t n_added = is_twice ? 2 * c->n_lf : c->n_lf;

	if (c->n_lf == 0 || c->n_pairs != c->n_lf)
		return false;
	if (c->n_binary_lf < BINARY_LF_MANY &&
	    (c->n_binary_lf < BINARY_LF_MIN || grew_by_more(e, part, n_added)) &&
	    !grew_by(e, part, n_added))
		return false;
	return tell_one(e, part, is_twice ? KIND_LF_TO_CRCRLF : KIND_LF_TO_CRLF, ARG_DEC, c->n_lf,
			out);
}

/* Tells whether as many bytes are missing as a transfer may take away, of a file that says how long
 * it was. */
static bool lost_some(const struct part *part)
{
	const uint64_t missing = tell_missing_bytes(part);

	return part->extent.is_end && missing > 0 && missing <= part->source->io.size / 16;
}

/* Tells whether a byte that there is none of is due: it was removed, or it was turned into another
 * one, of which there are more now. A file that is as long as it should be may be another one. */
static bool is_due(const struct part *part, struct due due, uint64_t n_others, struct due others)
{
	if (lost_some(part))
		return due.least >= DUE_MIN;
	if (due.least < DUE_MANY / 2 || tell_missing_bytes(part) > part->source->io.size / 16)
		return false;
	return part->source->number == 0 || (due.least >= DUE_MANY && due.most <= 2 * due.least &&
					     n_others >= others.most + due.least / 2);
}

/* A companion may be another file, of few bytes again and again. */
static bool lacks_high(const struct part *part)
{
	const struct census *c = &part->census;

	return c->n_high == 0 && is_binary(c) &&
	       (part->source->number == 0 || c->n_control_kinds >= CONTROLS_MANY);
}

static bool lacks_cr(const struct part *part)
{
	const struct census *c = &part->census;

	return c->n_cr == 0 && c->n_binary_lf >= BINARY_LF_MIN &&
	       is_due(part, c->cr_due, c->n_lf, c->lf_due);
}

static bool lacks_lf(const struct part *part)
{
	const struct census *c = &part->census;

	return c->n_lf == 0 && c->n_cr >= DUE_MANY && is_due(part, c->lf_due, c->n_cr, c->cr_due);
}

/* Pairs are at the ends of lines, and by accident in other data. As many bytes are missing as there
 * were, if the file says how long it was; the second CR of two before a LF makes another pair. */
static bool lacks_pairs(const struct part *part)
{
	const struct census *c = &part->census;
	const uint64_t due = c->pairs_due + c->n_lines, missing = tell_missing_bytes(part);

	if (missing > 4 * due + DUE_MANY || c->n_controls < CONTROLS_MIN)
		return false;
	if (lost_some(part))
		return due >= DUE_MIN && missing >= due / 4 && c->n_pairs <= due / 4;
	return c->n_pairs == 0 && !part->extent.is_end &&
	       due >= (missing > 0 ? DUE_PAIRS / 2 : DUE_PAIRS);
}

static bool tell_lost(const struct evidence *e, const struct part *part, enum tell_number kind,
		      struct diagnosis *out)
{
	return tell_one(e, part, kind, ARG_SIZE, part->source->io.size, out);
}

bool tell_grown_text(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const uint64_t end = tell_known_end(e, part);

	return end > 0 && end < part->source->io.size &&
	       (tell_reencoded(e, part, out) || tell_pairs(e, part, out));
}

/* No format is known by pairs CR LF: what has lost them alone is still known. */
bool tell_transfer(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct census *c = &part->census;

	if (lacks_high(part))
		return tell_lost(e, part, KIND_SEVEN_BITS, out);
	if (c->n_zeros == 0 && c->zeros_due >= DUE_MANY)
		return tell_lost(e, part, KIND_ZEROS_REMOVED, out);
	if (tell_pairs(e, part, out))
		return true;
	if (lacks_cr(part))
		return tell_lost(e, part, KIND_CR_REMOVED, out);
	if (lacks_lf(part))
		return tell_lost(e, part, KIND_LF_REMOVED, out);
	if (part->source->number == 0 && evidence_has(e, SIGN_OTHER_FILE))
		return false;
	return lacks_pairs(part) && tell_lost(e, part, KIND_PAIRS_REMOVED, out);
}

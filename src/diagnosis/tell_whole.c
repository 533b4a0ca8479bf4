/* Telling what became of a whole file: nothing, zeros, or a text. */
#include "diagnosis/tell.h"

bool tell_empty(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	return part->source->io.size == 0 &&
	       tell_begin(e, part, KIND_EMPTY, CONFIDENCE_CERTAIN, out);
}

bool tell_all_zeros(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	return part->census.n >= 16 && part->census.head_zeros == part->census.n &&
	       tell_begin(e, part, KIND_ALL_ZEROS, CONFIDENCE_CERTAIN, out);
}

/* How many characters of two bytes and more a binary file has by accident, if all of it is UTF-8.
 * */
enum { SEQUENCES_MIN = 8 };

bool tell_reencoded(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct census *c = &part->census;
	const bool is_replaced = c->n_replaced > 0;

	if (part->n_head >= 16 && part->head[0] == 0xFF && part->head[1] == 0xFE &&
	    c->n_odd_zeros >= c->n / 2 - c->n / 16)
		return tell_begin(e, part, KIND_UTF16, CONFIDENCE_LIKELY, out);
	if (!c->is_utf8 || c->n_sequences < SEQUENCES_MIN || c->n_controls == 0)
		return false;
	if (!tell_begin(e, part, is_replaced ? KIND_REPLACED : KIND_REENCODED, CONFIDENCE_CERTAIN,
			out))
		return false;
	tell_add_number(out, ARG_DEC, is_replaced ? c->n_replaced : c->n_sequences);
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
	const uint64_t end = tell_known_end(e, part), size = part->source->io.size;

	return end > 0 && size > end && size - end <= part->census.n_pairs;
}

static bool grew_by_more(const struct evidence *e, const struct part *part)
{
	const uint64_t end = tell_known_end(e, part), size = part->source->io.size;

	return end > 0 && size > end && size - end > 2 * part->census.n_pairs + 64;
}

/* Where it is known how long the file was, no more bytes are missing than it had carriage
 * returns. */
static bool lost_more(const struct part *part)
{
	return tell_missing_bytes(part) > part->source->io.size / 16;
}

bool tell_transfer(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const struct census *c = &part->census;
	const bool is_paired = c->n_lf > 0 && c->n_pairs == c->n_lf;

	if (is_paired && (c->n_binary_lf >= BINARY_LF_MANY ||
			  (c->n_binary_lf >= BINARY_LF_MIN && !grew_by_more(e, part)) ||
			  grew_by_pairs(e, part))) {
		if (!tell_begin(e, part, KIND_LF_TO_CRLF, CONFIDENCE_LIKELY, out))
			return false;
		tell_add_number(out, ARG_DEC, c->n_lf);
		return true;
	}
	if (c->n_cr > 0 || c->n < NO_CR_MIN || c->n_binary_lf < BINARY_LF_MIN || lost_more(part) ||
	    !tell_begin(e, part, KIND_CR_REMOVED, CONFIDENCE_LIKELY, out))
		return false;
	tell_add_number(out, ARG_SIZE, part->source->io.size);
	return true;
}

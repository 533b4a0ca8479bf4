/* Telling about the end of a file: it comes too early, or something follows it. */
#include "diagnosis/tell.h"

/* The end of a format that is found from behind, by its mark; 0: it has none. */
static uint64_t marked_end(const struct evidence *e, const struct part *part)
{
	const struct format *f = e->patient->format;
	const uint64_t at = part->census.mark_at;

	return part->source->number == 0 && f && f->end_magic != 0 && at != UINT64_MAX &&
			       !part->extent.is_inner
		       ? f->marked_end(part->source, at)
		       : 0;
}

uint64_t tell_known_end(const struct evidence *e, const struct part *part)
{
	const uint64_t end = marked_end(e, part), size = part->source->io.size;

	/* the mark at the end may be that of a copy, and the tables know better */
	if (end > 0 && (end < size || (end == size && !part->extent.is_end)))
		return end;
	return part->extent.is_end ? part->extent.needs : 0;
}

/* A number that says so much more than the file has is itself what is damaged. */
enum { NEEDS_TIMES_MAX = 24 };

/* How many bytes are missing, if it is known; 0: none are, or it is not. */
uint64_t tell_missing_bytes(const struct part *part)
{
	const uint64_t needs = part->extent.needs, size = part->source->io.size;

	if (needs <= size)
		return 0;
	return part->extent.is_agreed || needs / NEEDS_TIMES_MAX <= size + 16 ? needs - size : 0;
}

/* Where blocks begin as they should, but earlier by what is missing, that was lost before them. */
static bool is_moved(const struct extent *x)
{
	enum { PLACES_MIN = 4 };

	return x->is_moved || (x->n_places >= PLACES_MIN && x->n_unlike > x->n_places / 2 &&
			       x->n_moved > x->n_unlike / 2);
}

bool tell_shorter(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const uint64_t end = marked_end(e, part), size = part->source->io.size;
	const bool is_cut = end > size; /* but its mark is there */
	const uint64_t missing = is_cut ? end - size : tell_missing_bytes(part);
	const enum tell_number kind = is_moved(&part->extent)         ? KIND_MOVED
				      : is_cut || part->extent.is_end ? KIND_TRUNCATED
								      : KIND_TRUNCATED_BY;

	if (missing == 0 || !tell_begin(e, part, kind, CONFIDENCE_LIKELY, out))
		return false;
	tell_add_number(out, ARG_SIZE, is_cut ? end : part->extent.needs);
	tell_add_number(out, ARG_SIZE, size);
	tell_add_number(out, ARG_SIZE, missing);
	return true;
}

bool tell_surplus(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	const uint64_t n = part->extent.n_surplus;

	return n > 0 && tell_one(e, part, KIND_SURPLUS, ARG_SIZE, n, out);
}

bool tell_truncated(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	return part->extent.ends_early &&
	       tell_one(e, part, KIND_TRUNCATED_SOMEWHERE, ARG_SIZE, part->source->io.size, out);
}

bool tell_changed(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	return part->extent.is_changed &&
	       tell_begin(e, part, KIND_DECOMPRESSES_TO_OTHER, CONFIDENCE_LIKELY, out);
}

/* Where other things are wrong, the tables that say where the end is may be so, too; and those of
 * one file are no proof of another. */
static bool is_sure_of_end(const struct evidence *e, const struct part *part)
{
	const uint64_t end = marked_end(e, part);

	return (e->n_errors == 0 && part->source->number == 0) || part->extent.is_proved ||
	       (end > 0 && end != part->source->io.size);
}

/* How many bytes are compared to find out whether what follows the end is the file again, and how
 * many are enough. */
enum { AGAIN_MAX = 1024, AGAIN_MIN = 16 };

/* Tells whether the file begins again at its end. A read that fails is no reason to say so. */
static bool begins_again(const struct part *part, uint64_t end)
{
	const uint64_t left = part->source->io.size - end, most = left < end ? left : end;
	uint8_t first[AGAIN_MAX], again[AGAIN_MAX];
	const uint64_t len = most < AGAIN_MAX ? most : AGAIN_MAX;

	return len >= AGAIN_MIN && source_copy(part->source, (struct span){ 0, len }, first) &&
	       source_copy(part->source, (struct span){ end, len }, again) &&
	       memcmp(first, again, len) == 0;
}

bool tell_appended(const struct evidence *e, const struct part *part, struct diagnosis *out)
{
	/* whether it is the file again that follows, and whether there are errors */
	static const enum tell_number kinds[2][2] = {
		{ KIND_APPENDED_UNREAD, KIND_APPENDED },
		{ KIND_APPENDED_AGAIN_UNREAD, KIND_APPENDED_AGAIN },
	};
	const uint64_t size = part->source->io.size, end = tell_known_end(e, part);

	if (end == 0 || end >= size || !is_sure_of_end(e, part))
		return false;
	if (!tell_begin(e, part, kinds[begins_again(part, end)][e->n_errors > 0], CONFIDENCE_LIKELY,
			out))
		return false;
	tell_add_number(out, ARG_SIZE, end);
	tell_add_number(out, ARG_SIZE, size - end);
	return true;
}

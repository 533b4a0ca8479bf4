/* Where the packed streams lie, and what lies between them. Source:
 * conformance/spec/sevenzip.md, 2.3 and 2.4. */
#include "core/checked.h"
#include "formats/archive/sevenzip/payload.h"

/* The spans that explain the bytes before the header: the start header, the packed streams of
 * members, and those of the header at each level. */
enum { SPANS_MAX = 2 + SEVENZIP_LEVELS_MAX };

struct spans {
	struct span of[SPANS_MAX];
	size_t n;
};

static void add(struct spans *s, struct span span)
{
	size_t i = s->n++;

	for (; i > 0 && s->of[i - 1].at > span.at; i--)
		s->of[i] = s->of[i - 1];
	s->of[i] = span;
}

/* Those that folders take. */
static struct span packed_of_folders(const struct sevenzip *z)
{
	const uint64_t n = z->n_folders;

	if (n == 0)
		return (struct span){ z->streams.pack_at, 0 };
	return (struct span){ z->streams.pack_at,
			      span_end(z->folders[n - 1].packed) - z->streams.pack_at };
}

/* Whether a packed stream ends after the place where the header begins: programs refuse one of no
 * folder, too. */
static bool is_outside(const struct sevenzip *z)
{
	uint64_t end = z->streams.pack_at;

	for (uint64_t i = 0; i < z->streams.n_packs; i++)
		end = capped_add(end, z->streams.packs[i]);
	return end > z->header.at;
}

static bool do_overlap(struct span a, struct span b)
{
	return a.len > 0 && b.len > 0 && a.at < span_end(b) && b.at < span_end(a);
}

/* Whether the packed bytes of the header at a level are those of members, or of a level before. */
static bool is_taken(const struct sevenzip *z, uint32_t level, struct span packed)
{
	bool is = do_overlap(packed, z->level_packed[level]);

	for (uint32_t i = 0; i < level; i++)
		is = is || do_overlap(z->level_packed[i], z->level_packed[level]);
	return is;
}

/* The streams of members may lie outside the file, or be the header's. */
static bool place_streams(struct decode *d, struct sevenzip *z, struct spans *s)
{
	const struct span packed = packed_of_folders(z);

	if (is_outside(z)) {
		z->defects |= SEVENZIP_PACKED_OUTSIDE;
		return decode_stop(d, SEVENZIP_PLACES, STOP_MALFORMED, z->header);
	}
	for (uint32_t i = 0; i < z->n_levels; i++)
		if (is_taken(z, i, packed))
			z->defects |= SEVENZIP_PACKED_TWICE;
	add(s, (struct span){ 0, sevenzip_start_fixed_len });
	add(s, packed);
	for (uint32_t i = 0; i < z->n_levels; i++)
		add(s, z->level_packed[i]);
	return true;
}

static void add_gap(struct sevenzip *z, struct span span, bool is_folder)
{
	if (span.len > 0)
		z->gaps[z->n_gaps++] = (struct sevenzip_gap){ span, is_folder };
}

static uint64_t count_unused(const struct sevenzip *z)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < z->n_folders; i++)
		n += z->folders[i].n_rows == 0;
	return n;
}

static bool find_gaps(struct decode *d, struct sevenzip *z, const struct spans *s)
{
	uint64_t end = 0;

	z->gaps = decode_alloc(d, SEVENZIP_PLACES, SPANS_MAX + count_unused(z), sizeof *z->gaps);
	if (!z->gaps)
		return false;
	for (size_t i = 0; i < s->n; i++) {
		const struct span span = s->of[i];

		if (span.at > end)
			add_gap(z, (struct span){ end, span.at - end }, false);
		if (span_end(span) > end) {
			z->explained += span_end(span) - (span.at > end ? span.at : end);
			end = span_end(span);
		}
	}
	add_gap(z, (struct span){ end, z->header.at - end }, false);
	for (uint64_t i = 0; i < z->n_folders; i++)
		if (z->folders[i].n_rows == 0)
			add_gap(z, z->folders[i].packed, true);
	return true;
}

static bool see_zeros(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	bool *is_zero = ctx;

	(void)at;
	*is_zero = held_is_zero((struct held){ bytes, n });
	return *is_zero;
}

/* What follows the header; it is read until something is no zero. */
static bool look_at_tail(struct decode *d, struct sevenzip *z)
{
	const uint64_t end = span_end(z->header);
	bool is_read;

	if (end >= z->size)
		return true;
	z->defects |= SEVENZIP_TRAILED;
	z->tail_is_zero = true;
	is_read = decode_stream(d, SEVENZIP_PLACES, (struct span){ end, z->size - end }, see_zeros,
				&z->tail_is_zero);
	return is_read || !z->tail_is_zero || decode_has(d, SEVENZIP_PLACES);
}

bool sevenzip_find_places(struct decode *d, struct sevenzip *z)
{
	struct spans s = { .n = 0 };

	z->explained = z->header.len;
	return place_streams(d, z, &s) && find_gaps(d, z, &s) && look_at_tail(d, z);
}

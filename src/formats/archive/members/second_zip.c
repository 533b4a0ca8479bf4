/* End records of zips in files that are other archives. Source: conformance/spec/archive.md,
 * 1.15. */
#include "formats/archive/members/second.h"

#include "core/checked.h"

/* Where a reader of zips looks for the end record: its 22 bytes and the longest comment. */
enum { END_LEN = 22, TAIL_LEN = END_LEN + 65535, LOCATOR_LEN = 20, RECORD_LEN = 56 };

#define CENTRAL_MAGIC 0x02014B50u
#define END_MAGIC 0x06054B50u
#define LOCATOR_MAGIC 0x07064B50u
#define RECORD_MAGIC 0x06064B50u

/* A zip_seen is a zip that an end record speaks of. */
struct zip_seen {
	uint64_t at; /* of the end record */
	struct span all;
	bool is_covered, is_inside;
};

struct search {
	struct decode *d;
	uint32_t group;
	struct held tail;
	uint64_t at; /* of the tail */
	struct zip_seen *seen;
	uint64_t n;
};

/* Copies what lies before `end`; *is_there: it does. */
static bool copy(const struct search *s, uint64_t at, uint64_t len, uint64_t end, uint8_t *out,
		 bool *is_there)
{
	*is_there = len <= end && at <= end - len;
	return !*is_there || decode_copy(s->d, s->group, (struct span){ at, len }, out);
}

static bool has_magic(const struct search *s, uint64_t at, uint64_t end, uint32_t magic, bool *has)
{
	uint8_t bytes[4] = { 0 };

	if (!copy(s, at, sizeof bytes, end, bytes, has))
		return false;
	*has = *has && held_u32((struct held){ bytes, sizeof bytes }, 0) == magic;
	return true;
}

/* What an end record says, or the zip64 record. */
struct said {
	uint64_t len, at;
	uint64_t end; /* where the directory ends */
	bool is_known;
};

/* The zip64 record is where its locator says, or directly before that. */
static bool read_record(const struct search *s, uint64_t end_at, struct said *out)
{
	uint8_t locator[LOCATOR_LEN], record[RECORD_LEN];
	const struct held l = { locator, sizeof locator }, r = { record, sizeof record };
	const uint64_t locator_at = end_at < LOCATOR_LEN ? 0 : end_at - LOCATOR_LEN;
	uint64_t places[2];
	bool is_there;

	out->is_known = false;
	if (!copy(s, locator_at, sizeof locator, end_at, locator, &is_there))
		return false;
	if (!is_there || held_u32(l, 0) != LOCATOR_MAGIC)
		return true;
	places[0] = held_u64(l, 8);
	places[1] = locator_at < RECORD_LEN ? 0 : locator_at - RECORD_LEN;
	for (size_t i = 0; i < 2 && !out->is_known; i++) {
		if (!copy(s, places[i], sizeof record, locator_at, record, &is_there))
			return false;
		if (is_there && held_u32(r, 0) == RECORD_MAGIC)
			*out = (struct said){ held_u64(r, 40), held_u64(r, 48), places[i], true };
	}
	return true;
}

/* What the end record says itself. Its count of members is not believed: readers go by the size. */
static struct said read_said(struct held end, uint64_t at)
{
	const struct said said = { held_u32(end, 12), held_u32(end, 16), at, true };

	return said;
}

/* The zip lies from where its offsets count on, or, if that is not in the file, from its directory
 * on. Where the offset alone leads to the directory, that is the file's begin. */
static bool find_directory(const struct search *s, const struct said *said, uint64_t *begin,
			   bool *is_there)
{
	*begin = 0;
	*is_there = false;
	if (!said->is_known || (said->len == 0 && said->at == 0))
		return true;
	if (said->len <= said->end &&
	    !has_magic(s, said->end - said->len, said->end, CENTRAL_MAGIC, is_there))
		return false;
	if (!*is_there)
		return has_magic(s, said->at, said->end, CENTRAL_MAGIC, is_there);
	*begin = said->end - said->len;
	*begin -= said->at <= *begin ? said->at : 0;
	return true;
}

/* Some readers take the zip64 record where its locator is, others where there is an escape. */
static bool look_at(struct search *s, uint64_t i)
{
	const struct held end = held_part(s->tail, i, END_LEN);
	const uint64_t at = s->at + i, after = at + END_LEN + held_u16(end, 20);
	struct said said;
	uint64_t begin;
	bool is_there;

	if (!read_record(s, at, &said) || !find_directory(s, &said, &begin, &is_there))
		return false;
	if (!is_there) {
		said = read_said(end, at);
		if (!find_directory(s, &said, &begin, &is_there))
			return false;
	}
	if (is_there)
		s->seen[s->n++] = (struct zip_seen){ .at = at, .all = { begin, after - begin } };
	return true;
}

/* The next end record from byte i of the tail on; the tail's length: there is none. */
static uint64_t next_from(const struct search *s, uint64_t i)
{
	while (held_has(s->tail, i, END_LEN) &&
	       (held_u8(s->tail, i) != 'P' || held_u32(s->tail, i) != END_MAGIC))
		i++;
	return held_has(s->tail, i, END_LEN) ? i : s->tail.len;
}

static bool look_through(struct search *s)
{
	uint64_t n = 0;

	for (uint64_t i = next_from(s, 0); i < s->tail.len; i = next_from(s, i + 1))
		n++;
	s->seen = n > 0 ? decode_alloc(s->d, s->group, n, sizeof *s->seen) : NULL;
	if (n > 0 && !s->seen)
		return false;
	for (uint64_t i = next_from(s, 0); i < s->tail.len; i = next_from(s, i + 1))
		if (!look_at(s, i))
			return false;
	return true;
}

/* The first zip whose end record does not lie before a place. */
static uint64_t first_from(const struct search *s, uint64_t at)
{
	uint64_t low = 0, high = s->n;

	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;

		if (s->seen[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A zip that lies in a member is that member's. */
static bool cover(struct search *s, const struct arc_covers *covers)
{
	for (uint64_t i = 0; s->n > 0 && i < covers->n; i++) {
		struct span span;
		const enum arc_cover how = covers->span(covers->facts, i, &span);

		if (how == ARC_COVERS_NOTHING || span.len == 0 || span_end(span) <= s->seen[0].at)
			continue;
		for (uint64_t k = first_from(s, span.at);
		     k < s->n && s->seen[k].at < span_end(span); k++) {
			struct zip_seen *z = &s->seen[k];

			z->is_inside = z->all.at >= span.at && span_end(z->all) <= span_end(span);
			z->is_covered = z->is_inside &&
					(how == ARC_COVERS_PART ||
					 (how == ARC_COVERS_FILE && z->all.at == span.at));
		}
	}
	return decode_spend(s->d, s->group, s->n > 0 ? covers->n : 0);
}

/* The last that is in no member; or else the last that is in one. */
static void choose(const struct search *s, struct arc_second *out)
{
	for (uint64_t i = s->n; i > 0; i--) {
		const struct zip_seen *z = &s->seen[i - 1];

		if (z->is_covered || (out->is != ARC_NO_ARCHIVE && z->is_inside))
			continue;
		*out = (struct arc_second){ .is = ARC_IS_ZIP,
					    .at = { z->at, END_LEN },
					    .is_inside = z->is_inside };
		if (!z->is_inside)
			return;
	}
}

bool arc_second_zip(struct decode *d, uint32_t group, uint64_t end, const struct arc_covers *covers,
		    struct arc_second *out)
{
	const uint64_t len = end < TAIL_LEN ? end : TAIL_LEN;
	struct search s = { .d = d, .group = group, .at = end - len };

	if (len < END_LEN || out->is != ARC_NO_ARCHIVE)
		return true;
	if (!decode_bytes(d, group, (struct span){ s.at, len }, &s.tail) || !look_through(&s) ||
	    !cover(&s, covers))
		return false;
	choose(&s, out);
	return true;
}

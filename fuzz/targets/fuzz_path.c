/* Paths and texts: traits against a reference reading of the policy, and laws that hold for every
 * path. */
#include <string.h>

#include "core/path.h"
#include "reference/reference_path.h"
#include "support/buffers.h"
#include "support/must.h"
#include "support/random.h"
#include "support/strict.h"
#include "support/thorough.h"
#include "targets/harness.h"

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Where a part lies in its path, in units. */
static size_t offset_of(struct text whole, struct text part)
{
	return (size_t)((part.ref.at - whole.ref.at) / text_width(whole.ref.encoding));
}

static void check_parts(struct text t, const struct reference_path *s)
{
	struct text last = path_last(t), first = path_first(t), stem = path_stem(t),
		    extension = path_extension(t);
	size_t start = s->n, dot = s->n, sep = 0;

	while (start > 0 && !reference_is_separator(s->units[start - 1]))
		start--;
	for (size_t i = start; i < s->n; i++)
		if (s->units[i] == '.')
			dot = i;
	while (sep < s->n && !reference_is_separator(s->units[sep]))
		sep++;
	MUST(offset_of(t, last) == start && last.ref.n_units == s->n - start,
	     "the last component is what follows the last separator");
	MUST(first.ref.n_units == (sep < s->n ? sep : 0),
	     "the first component ends at the first separator");
	MUST(offset_of(t, stem) == start && stem.ref.n_units == dot - start,
	     "the stem ends at the last dot");
	MUST(extension.ref.n_units == (dot < s->n ? s->n - dot - 1 : 0),
	     "the extension follows the last dot");
	MUST(path_last(last).ref.n_units == last.ref.n_units &&
		     path_compare(path_last(last), last) == 0,
	     "the last of the last is itself");
}

/* ---- Laws ------------------------------------------------------------------------------------ */

static void check_traits(struct text t, const struct reference_path *s)
{
	struct path p = path_examine(t);
	uint32_t traits = reference_path_traits(s);

	if (p.traits != traits)
		fprintf(stderr, "traits %05X, slowly %05X\n", (unsigned)p.traits, (unsigned)traits);
	MUST(p.traits == traits, "a path has its traits");
	MUST((path_danger(p.traits)[0] != '\0') == ((traits & PATH_UNSAFE) != 0),
	     "a danger has a name");
}

static void check_pair(struct text a, struct text b)
{
	int ab = path_compare(a, b), ba = path_compare(b, a);

	MUST(ab == -ba && path_compare(a, a) == 0, "comparing has two sides");
	MUST(ab != 0 || path_examine(a).hash == path_examine(b).hash,
	     "equal paths have equal hashes");
	MUST(text_compare(a, b) != 0 || ab == 0, "equal texts are equal paths");
}

static void put_unit(uint8_t *p, uint64_t low, uint32_t unit)
{
	p[low] = (uint8_t)unit;
	p[1 - low] = (uint8_t)(unit >> 8);
}

/* The same path in other letters and separators. */
static void check_variant(struct text t, struct dice *dice)
{
	uint8_t *copy = buffer_scratch_copy(BUFFER_OUT, t.data, (size_t)text_span(t.ref).len);
	struct text other = { copy, t.ref };
	uint64_t width = text_width(t.ref.encoding), low = t.ref.encoding == TEXT_UTF16BE;

	for (uint64_t i = 0; i < t.ref.n_units; i++) {
		uint32_t c = text_unit(t, i);

		if (!dice_one_in(dice, 2))
			continue;
		if ((c | 32) >= 'a' && (c | 32) <= 'z')
			copy[i * width + low] ^= 32;
		else if (reference_is_separator(c))
			copy[i * width + low] = c == '/' ? '\\' : '/';
		else if (width == 2)
			put_unit(copy + i * width, low, text_fold_far(c));
	}
	MUST(path_compare(t, other) == 0, "case and kind of separator make no difference");
	MUST(path_examine(t).hash == path_examine(other).hash, "nor do they to the hash");
}

/* The same path in two bytes a unit. */
static void check_widened(struct text t, const struct reference_path *s)
{
	uint8_t *copy = buffer_scratch(BUFFER_OUT, 2 * s->n);
	struct text wide = { copy, { .n_units = (uint32_t)s->n, .encoding = TEXT_UTF16LE } };

	for (size_t i = 0; i < s->n; i++) {
		copy[2 * i] = (uint8_t)s->units[i];
		copy[2 * i + 1] = (uint8_t)(s->units[i] >> 8);
	}
	MUST(path_compare(t, wide) == 0, "the encoding makes no difference");
	MUST(path_examine(t).hash == path_examine(wide).hash, "nor does it to the hash");
}

/* Every search for a control character finds the next one. */
static void check_controls(struct text t, const struct reference_path *s)
{
	uint64_t from = 0, found;

	for (uint64_t i = 0; i < s->n; i++) {
		uint32_t c = s->units[i];

		if (c >= 0x20 && c != 0x7F && !(s->wide && c >= 0x80 && c < 0xA0))
			continue;
		MUST(text_find_control(&t, from) == i, "control characters are found, one by one");
		from = i + 1;
	}
	found = text_find_control(&t, from);
	MUST(found == s->n, "and nothing else is");
}

static void check_text(struct text t, const struct reference_path *s)
{
	struct text trimmed = text_trim(t);
	static uint8_t utf8[4 * REFERENCE_UNITS];
	bool whole;
	size_t n = text_utf8(t, REFERENCE_UNITS, utf8, &whole);
	uint64_t number = 0, i = text_find(t, '=', 0);

	MUST(strict_utf8(utf8, n) && whole, "text becomes UTF-8");
	MUST(i == s->n || s->units[i] == '=', "what is found is there");
	for (uint64_t k = 0; k < i; k++)
		MUST(s->units[k] != '=', "what is there is found");
	MUST(text_compare(text_trim(trimmed), trimmed) == 0 && text_compare(t, t) == 0,
	     "trimming twice is trimming");
	if (text_number(t, &number))
		MUST(number <= INT64_MAX && s->n > 0, "a number is one");
	for (size_t k = 0; k < s->n; k++)
		MUST(text_unit(t, k) == s->units[k] &&
			     text_fold(text_fold(s->units[k])) == text_fold(s->units[k]),
		     "folding twice is folding");
}

/* A text over an exact block of bytes. */
static struct text make_text(uint8_t *bytes, size_t size, enum text_encoding e)
{
	uint64_t n = size / text_width(e);

	return (struct text){ bytes,
			      { .at = 64,
				.n_units = (uint32_t)(n < REFERENCE_UNITS ? n : REFERENCE_UNITS),
				.encoding = (uint8_t)e } };
}

/* Laws that take turns. */
static void check_laws(struct text a, struct text b, const struct reference_path *s, uint64_t hash)
{
	struct dice dice = { hash };

	if (thorough_is_turn(hash, 0, 4)) {
		check_pair(a, b);
		check_parts(a, s);
	}
	if (thorough_is_turn(hash, 1, 4))
		check_variant(a, &dice);
	if (thorough_is_turn(hash, 2, 4)) {
		check_widened(a, s);
		check_controls(a, s);
	}
	if (thorough_is_turn(hash, 3, 4))
		check_text(a, s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct reference_path s;
	enum text_encoding e = size > 0 ? data[0] % 3 : TEXT_CP1252;
	size_t n = size > 0 ? (size - 1) / 2 / text_width(e) * text_width(e) : 0;
	uint8_t *first, *second;
	struct text a, b;

	if (size == 0)
		return 0;
	first = buffer_scratch_copy(BUFFER_INPUT, data + 1, n);
	second = buffer_scratch_copy(BUFFER_SECOND_INPUT, data + 1 + n, size - 1 - n);
	a = make_text(first, n, e);
	b = make_text(second, size - 1 - n, e);
	reference_path_decode(&s, first, a.ref.n_units, e);
	check_traits(a, &s);
	check_laws(a, b, &s, random_hash(data, size));
	return 0;
}

/* The name table: each name's text, and what is unusual about it. */
#include "formats/upkg/tables/names.h"

#include "core/mutant.h"
#include "core/path.h"
#include "core/text_digest.h"
#include "formats/upkg/header/header.h"
#include "formats/upkg/tables/flags.h"
#include "formats/upkg/tables/indexes.h"
#include "formats/upkg/tables/table.h"

/* The traits that each byte gives a name. */
static const uint32_t byte_traits[256] = {
#define C NAME_HAS_CONTROL
#define S NAME_HAS_SIGN
#define H NAME_HAS_HIGH
#define H16 H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H
	NAME_HAS_NUL,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	C,
	S,
	0,
	0,
	0,
	0,
	NAME_HAS_PERCENT,
	0,
	0,
	S,
	S,
	0,
	0,
	0,
	0,
	S | NAME_HAS_DOT,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	NAME_HAS_COLON,
	0,
	S,
	0,
	S,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	C,
	H16,
	H16,
	H16,
	H16,
	H16,
	H16,
	H16,
	H16,
#undef H16
#undef H
#undef S
#undef C
};

/* ---- Hashes and words ------------------------------------------------------------------------ */

/* To the engine a name in UTF-16 and the same one in bytes are one name, so its hash is that of the
 * lower bytes of its units. */
enum { NARROW_MAX = 64 };
static uint32_t hash_wide(const struct text *t)
{
	uint8_t narrow[NARROW_MAX] = { 0 };
	uint32_t n = t->ref.n_units < NARROW_MAX ? t->ref.n_units : NARROW_MAX;

	for (uint32_t i = 0; i < n; i++)
		narrow[i] = (uint8_t)text_unit(*t, i);
	return text_digest(narrow, n).hash;
}

static const char *const words[N_WORDS] = {
	[WORD_OTHER] = "",
#define UPKG_WORD(id, text, ...) [WORD_##id] = text,
#include "formats/upkg/tables/words.def"
#undef UPKG_WORD
};

/* A hash table of the words, by their first eight letters in upper case. Two words with one hash
 * do not compile: then another odd factor has to be found. */
#define WORD_FACTOR UINT64_C(0x4239855498CB54F9)
#define WORD_PLACE(head) (UINT64_C(0xFF) & (head)*WORD_FACTOR >> 56)
static const uint8_t word_places[256] = {
#define UPKG_WORD(id, text, a, b, c, d, e, f, g, h) \
	[WORD_PLACE(TEXT_WORD8(a, b, c, d, e, f, g, h))] = WORD_##id,
#include "formats/upkg/tables/words.def"
#undef UPKG_WORD
};

static const uint64_t word_heads[N_WORDS] = {
#define UPKG_WORD(id, text, a, b, c, d, e, f, g, h) \
	[WORD_##id] = TEXT_WORD8(a, b, c, d, e, f, g, h),
#include "formats/upkg/tables/words.def"
#undef UPKG_WORD
};

static struct text narrow_text(const uint8_t *data, uint32_t n)
{
	return (struct text){ data, { .n_units = n, .encoding = TEXT_CP1252 } };
}

UVET_WRAPS static inline uint8_t find_word(uint64_t head, const uint8_t *data, uint32_t n)
{
	const uint64_t upper_case = head & ~TEXT_EACH(0x20);
	const uint8_t word = word_places[WORD_PLACE(upper_case)];

	return word_heads[word] == upper_case && text_is(narrow_text(data, n), words[word])
		       ? word
		       : WORD_OTHER;
}

/* find_word without a digest: for names in UTF-16, and for parts of names. */
static uint8_t find_word_of_text(const struct text *t)
{
	uint8_t word = N_WORDS - 1;

	while (word != WORD_OTHER && !text_is(*t, words[word]))
		word--;
	return word;
}

/* ---- One name -------------------------------------------------------------------------------- */

/* Returns the first unit from i on that is none of these characters. */
static uint64_t skip_all(const struct text *t, uint64_t i, const char *ascii)
{
	const struct text set = text_from(ascii);

	while (i < t->ref.n_units && text_find(set, text_unit(*t, i), 0) < set.ref.n_units)
		i++;
	return i;
}

/* Whether a name has a conversion of printf that reads or writes what it should not: %, digits,
 * and one of n s x d p; or n after any other flags, widths and lengths. */
static bool has_conversion(const struct text *t)
{
	for (uint64_t i = text_find(*t, '%', 0); i < t->ref.n_units;
	     i = text_find(*t, '%', i + 1)) {
		uint64_t k = skip_all(t, i + 1, "0123456789");

		if (skip_all(t, k, "nsxdp") > k)
			return true;
		k = skip_all(t, k, "0123456789-+#'.*$hlLqjzt");
		if (k < t->ref.n_units && text_unit(*t, k) == 'n')
			return true;
	}
	return false;
}

static uint32_t wide_traits(const struct text *t)
{
	uint32_t traits = NAME_IS_WIDE;

	for (uint64_t i = 0; i < t->ref.n_units; i++) {
		uint32_t c = text_unit(*t, i);

		traits |= c < 0x80 ? byte_traits[c] : NAME_HAS_HIGH;
	}
	return traits & NAME_HAS_PERCENT && has_conversion(t) ? traits | NAME_HAS_FORMAT : traits;
}

UVET_RARE static uint32_t narrow_traits(const uint8_t *data, uint32_t n)
{
	const struct text t = narrow_text(data, n);
	const uint32_t traits = text_marks(&t, byte_traits);

	return traits & NAME_HAS_PERCENT && has_conversion(&t) ? traits | NAME_HAS_FORMAT : traits;
}

static inline uint32_t count_traits(const struct text_ref *ref)
{
	uint32_t traits = 0;

	if (ref->n_units == 0)
		traits |= NAME_EMPTY;
	/* mutant: a name may be a character longer */
	if (ref->n_units >= UPKG_NAME_MAX + (uint64_t)MUTANT(60))
		traits |= NAME_LONG;
	if (ref->flags == 0)
		return traits;
	traits |= ref->flags & TEXT_UNTERMINATED ? NAME_NO_NUL : 0;
	traits |= ref->flags & TEXT_COUNT_ZERO ? NAME_COUNT_0 : 0;
	return traits | (ref->flags & TEXT_COUNT_OVERLONG ? NAME_COUNT_LONG : 0);
}

/* What was read once can be read again. */
UVET_RARE static struct upkg_name_entry read_again(const struct upkg *u, const struct upkg_name *n)
{
	struct cursor c = u->name_window;
	struct upkg_name_entry e = { .at = n->at };
	const bool was_read = cursor_seek(&c, n->at) &&
			      upkg_name_entry_read(&c, u->tag.version, &e);

	return NEVER(!was_read) ? (struct upkg_name_entry){ .at = n->at } : e;
}

static struct text_ref ref_of(const struct upkg *u, const struct upkg_name_entry *e)
{
	struct text_ref ref = u->tag.version >= UPKG_VERSION_COUNTED ? e->name : e->old_name;

	ref.flags = 0; /* what they say is in the traits */
	return ref;
}

UVET_RARE static struct text unusual_text(const struct upkg *u, const struct upkg_name *n)
{
	const struct upkg_name_entry e = read_again(u, n);

	return text_at(&u->name_window, ref_of(u, &e));
}

struct text upkg_text(const struct upkg *u, const struct upkg_name *n)
{
	const uint16_t head_len = u->tag.version >= UPKG_VERSION_COUNTED;

	if (n->n_units == NAME_UNUSUAL)
		return unusual_text(u, n);
	return text_at(&u->name_window, (struct text_ref){ .at = (uint64_t)n->at + head_len,
							   .n_units = n->n_units,
							   .encoding = TEXT_CP1252,
							   .head_len = head_len });
}

uint32_t upkg_name_flags(const struct upkg *u, const struct upkg_name *n)
{
	return (uint32_t)read_again(u, n).flags;
}

struct text upkg_text_of(const struct upkg *u, int32_t index)
{
	const struct upkg_name *n = upkg_name_of(u, index);

	return n ? upkg_text(u, n) : (struct text){ 0 };
}

struct text upkg_kept_name(const struct upkg *u, int32_t index)
{
	return upkg_before_nul(text_sub(upkg_text_of(u, index), 0, UPKG_NAME_MAX));
}

uint32_t upkg_path_traits(const struct upkg *u, int32_t name)
{
	const struct path p = path_examine(text_sub(upkg_text_of(u, name), 0, UPKG_NAME_MAX - 1));

	return p.traits &
	       (PATH_PARENT | PATH_DRIVE | PATH_ROOTED | PATH_COLON | PATH_SEPARATOR | PATH_DEVICE);
}

const char *upkg_path_defect(uint32_t traits)
{
	return traits == PATH_SEPARATOR ? "has a separator" : path_danger(traits);
}

/* ---- The table ------------------------------------------------------------------------------- */

static inline uint32_t flag_traits(uint32_t flags, uint8_t word)
{
	if (flags & UPKG_LOAD_FOR_SERVER || word == WORD_None)
		return 0;
	if (flags & UPKG_LOAD_FOR_CLIENT)
		return NAME_NOT_ON_SERVER;
	return NAME_NOT_ON_SERVER | NAME_NOT_IN_GAME |
	       (flags & UPKG_LOAD_FOR_EDIT ? 0 : NAME_NOT_LOADED);
}

/* Which word a name is up to its first NUL, where the engine's name ends. None is left out: what
 * ends lists has to be written plainly. */
static uint8_t find_word_before_nul(const struct text *t)
{
	const struct text head = upkg_before_nul(*t);
	const uint8_t word = find_word_of_text(&head);

	return word == WORD_None ? WORD_OTHER : word;
}

UVET_RARE static uint32_t examine_unusual(const uint8_t *data, uint32_t n, uint8_t *word)
{
	const struct text t = narrow_text(data, n);
	const uint32_t traits = narrow_traits(data, n);

	if (traits & NAME_HAS_NUL)
		*word = find_word_before_nul(&t);
	return traits;
}

/* The traits of a text in single bytes; one whose digest is plain has none. `may_overread`:
 * TEXT_SHORT_MAX bytes can be read, however short the text is. */
UVET_INLINE static inline uint32_t examine_narrow(const uint8_t *data, uint32_t n,
						  bool may_overread, uint32_t *hash, uint8_t *word)
{
	struct text_digest d;

	if (may_overread && n > 0 && n <= TEXT_SHORT_MAX)
		d = text_digest_short(data, n);
	else
		d = text_digest(data, n);
	*hash = d.hash;
	PLAIN(!d.plain || (examine_unusual(data, n, word) & upkg_name_defects) == 0);
	*word = d.plain ? find_word(d.head, data, n) : WORD_OTHER;
	return d.plain ? 0 : examine_unusual(data, n, word);
}

UVET_RARE static uint32_t examine_wide(const uint8_t *data, uint32_t n, uint32_t *hash,
				       uint8_t *word)
{
	const struct text t = { data, { .n_units = n, .encoding = TEXT_UTF16LE } };
	const uint32_t traits = wide_traits(&t);

	*hash = hash_wide(&t);
	*word = traits & NAME_HAS_NUL ? find_word_before_nul(&t) : find_word_of_text(&t);
	return traits;
}

/* Whether its entry is as long as its number of units says, so that its text can be found by that
 * alone. */
static inline bool is_usual(const struct text_ref *ref)
{
	return ref->encoding == TEXT_CP1252 && ref->n_units < NAME_UNUSUAL && ref->head_len <= 1;
}

/* A quick name is usual, and TEXT_SHORT_MAX bytes can be read from its first on. */
UVET_INLINE static inline void take_name(struct upkg *u, uint32_t i, const struct text_ref *ref,
					 const struct upkg_name_entry *e,
					 const struct cursor *window, bool is_quick)
{
	const uint8_t *data =
		cursor_part(window, ref->at, text_width(ref->encoding) * ref->n_units).bytes;
	uint32_t hash, traits;
	uint8_t word;

	if (ref->encoding == TEXT_CP1252)
		traits = examine_narrow(data, ref->n_units, is_quick, &hash, &word);
	else
		traits = examine_wide(data, ref->n_units, &hash, &word);
	traits |= count_traits(ref);
	traits |= flag_traits((uint32_t)e->flags, word) | (word == WORD_None ? NAME_IS_NONE : 0);
	u->names[i] = (struct upkg_name){
		.at = (uint32_t)e->at,
		.traits = traits & NAME_TRAITS,
		.word = (uint32_t)word & NAME_WORDS,
		.n_units = is_quick || is_usual(ref) ? ref->n_units & NAME_UNUSUAL : NAME_UNUSUAL,
	};
	u->name_hashes[i] = hash;
	u->name_traits |= traits;
	u->long_counts[TABLE_NAMES] += traits & NAME_COUNT_LONG ? 1 : 0;
	if (word == WORD_None && u->none == u->tables[TABLE_NAMES].n)
		u->none = i;
}

/* Reads a name that is not quick. */
UVET_RARE static bool take_rare_name(struct upkg *u, uint32_t i, struct cursor *c)
{
	struct upkg_name_entry e;

	if (!upkg_name_entry_read(c, UPKG_VERSION_COUNTED, &e))
		return false;
	take_name(u, i, &e.name, &e, c, false);
	return true;
}

_Static_assert(upkg_name_entry_most >= 1 + TEXT_SHORT_MAX,
	       "a quick name is read from as many bytes as its digest needs");
_Static_assert(N_WORDS <= 1 << 7, "a name has seven bits for the word that it is");

/* Names with and without counts have a loop each, so that neither asks for the version. */
static uint32_t read_counted(struct upkg *u, struct cursor *c, uint32_t from, uint32_t n)
{
	struct cursor here = *c;
	struct upkg_name_entry e;

	for (; from < n; from++)
		if (upkg_name_entry_fast(&here, UPKG_VERSION_COUNTED, &e))
			take_name(u, from, &e.name, &e, &here, true);
		else if (!take_rare_name(u, from, &here))
			break;
	*c = here;
	return from;
}

UVET_COLD static uint32_t read_terminated(struct upkg *u, struct cursor *c, uint32_t from,
					  uint32_t n)
{
	struct cursor here = *c;
	struct upkg_name_entry e;

	for (; from < n; from++) {
		if (!upkg_name_entry_read(&here, UPKG_VERSION_MIN, &e))
			break;
		take_name(u, from, &e.old_name, &e, &here, false);
	}
	*c = here;
	return from;
}

static uint32_t read_names(struct upkg *u, struct cursor *c, uint32_t from, uint32_t n)
{
	return u->tag.version >= UPKG_VERSION_COUNTED ? read_counted(u, c, from, n)
						      : read_terminated(u, c, from, n);
}

bool upkg_decode_names(struct decode *d, struct upkg *u)
{
	uint32_t n = u->tables[TABLE_NAMES].n;

	u->none = n;
	u->names = decode_alloc(d, UPKG_NAMES, n, sizeof *u->names);
	u->name_hashes = decode_alloc(d, UPKG_NAMES, n, sizeof *u->name_hashes);
	if (!u->names || !u->name_hashes)
		return false;
	if (!upkg_read_table(d, u, TABLE_NAMES, read_names, &u->name_window))
		return false;
	return upkg_list_long_indexes(d, u, TABLE_NAMES, u->name_window);
}

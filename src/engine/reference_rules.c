/* The family REF: where a file is not like those that it is held against. */
#include "engine/reference.h"
#include "rule/finding.h"

/* What the expected value is from, where it is one of several. */
static struct arg whose(bool only)
{
	return either(only, "as in the reference", "or a value of another reference");
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* What the good files have as a fact that is a number, or a set's bits: the first value, how many
 * there are, whether one of them is what a file has, and the bits of all. */
struct wanted {
	const struct reference_value *first;
	size_t n;
	bool is_met;
	uint64_t all;
};

static struct wanted wanted_of(const struct comparison *f, enum info_fact fact, uint64_t number)
{
	struct wanted w = { .n = 0 };
	size_t i = 0;

	for (const struct reference_value *v; (v = comparison_next(f, fact, &i)); w.n++) {
		w.first = w.first ? w.first : v;
		w.is_met = w.is_met || v->number == number;
		w.all |= v->number;
	}
	return w;
}

/* Reports a number that no good file has, with the first that one has. */
static void compare_number(struct check *c, enum info_fact fact, uint64_t number)
{
	const struct wanted w = wanted_of(c->facts, fact, number);

	if (w.first && !w.is_met)
		report(c, NOWHERE, DEC(number), DEC(w.first->number), whose(w.n == 1));
}

RULE(REF001, version_unlike_reference, WARNING, FACT_VERSION,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A file should have a format version that a reference of its format has.",
     .message = "format version {0}, expected {1} {2}",
     .data    = "version expected whose",
     .why     = "It was made for another version of the engine than the file that is known to "
                "be good, and the game may refuse it.",
     .fix     = "Players: get the file for your version of the game. Authors: build it again "
                "with the game's version of the engine; where the version is meant, name a good "
                "file that has it with --policy-from too.",
     .spec    = "policy.md#1.2")
{
	const struct comparison *f = c->facts;

	if (f->report->version != 0)
		compare_number(c, FACT_VERSION, f->report->version);
}

RULE(REF005, licensee_unlike_reference, WARNING, FACT_LICENSEE,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A package should have a licensee version that a reference has.",
     .message = "licensee version {0}, expected {1} {2}",
     .data    = "licensee expected whose",
     .why     = "Games of one engine differ in it: the package was saved by another game than "
                "the one that is known to be good, and its objects may be of classes that the "
                "game lacks.",
     .fix     = "Players: get the package for your game. Authors: save it with that game's "
                "editor, or name a good package of the other game with --policy-from too.",
     .spec    = "policy.md#1.6")
{
	const struct info *i = comparison_info(c->facts, FACT_LICENSEE);

	if (i)
		compare_number(c, FACT_LICENSEE, i->number);
}

/* ---- Sets ------------------------------------------------------------------------------------ */

enum { WORDS_MAX = 128 };

static size_t add_word(char out[WORDS_MAX], size_t n, const char *word)
{
	while (*word && ALWAYS(n < WORDS_MAX)) /* formats have few words */
		out[n++] = *word++;
	return n;
}

static const char *word_of(const struct info_set *set, unsigned bit)
{
	return *set->words[bit] ? set->words[bit] : "unknown";
}

/* The words of a set, in the order of its bits; `none` of an empty one. */
static struct arg words_of(const struct info_set *set, const char *none, char out[WORDS_MAX])
{
	size_t n = 0;

	if ((set->bits & (set->bits - (set->bits > 0))) == 0)
		return WORD(set->bits == 0 ? none : word_of(set, bits_lowest(set->bits)));
	for (uint64_t left = set->bits; left != 0; left &= left - 1) {
		n = add_word(out, n, n > 0 ? ", " : "");
		n = add_word(out, n, word_of(set, bits_lowest(left)));
	}
	return UTF8(out, n);
}

RULE(REF002, method_unlike_reference, WARNING, FACT_METHODS,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A file should use no compression method that no reference of its format uses.",
     .message = "compressed with {0}, expected {1}",
     .data    = "method expected",
     .why     = "A game has only some decoders built in; the file that is known to be good "
                "shows which. With another method the game may not load the file.",
     .fix     = "Players: get the file for your game. Authors: pack it again with a method that "
                "the game's own files use, or name a good file that uses this one with "
                "--policy-from too.",
     .spec    = "policy.md#1.3")
{
	const struct info *info = comparison_info(c->facts, FACT_METHODS);
	char words[WORDS_MAX];
	struct info_set expected;
	struct wanted w;

	if (!info)
		return;
	w = wanted_of(c->facts, FACT_METHODS, info->u.set.bits);
	expected = (struct info_set){ w.all, info->u.set.words };
	for (uint64_t left = w.first ? info->u.set.bits & ~w.all : 0; left != 0; left &= left - 1)
		report(c, NOWHERE, WORD(word_of(&info->u.set, bits_lowest(left))),
		       words_of(&expected, "no compression", words));
}

RULE(REF004, protection_unlike_reference, WARNING, FACT_PROTECTION,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A container should be encrypted and signed as a reference is.",
     .message = "protection {0}, expected {1} {2}",
     .data    = "protection expected whose",
     .why     = "A game that expects signatures refuses a container without them, and an "
                "encrypted one is of use only to those who have its key. A site that looks into "
                "what is uploaded sees nothing of what is encrypted.",
     .fix     = "Players: get the mod for your game. Authors: pack it again with the settings "
                "for encryption and signing of the file that is known to be good.",
     .spec    = "policy.md#1.5")
{
	const struct comparison *f = c->facts;
	const struct info *info = comparison_info(f, FACT_PROTECTION);
	char found[WORDS_MAX], others[WORDS_MAX];
	struct info_set expected;
	struct wanted w;

	if (!info)
		return;
	w = wanted_of(f, FACT_PROTECTION, info->u.set.bits);
	if (!w.first || w.is_met)
		return;
	expected = (struct info_set){ w.first->number, info->u.set.words };
	report(c, NOWHERE, words_of(&info->u.set, "none", found),
	       words_of(&expected, "none", others), whose(w.n == 1));
}

/* ---- Texts ----------------------------------------------------------------------------------- */

RULE(REF003, mount_point_unlike_reference, WARNING, FACT_MOUNT_POINT,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A container should have the mount point of a reference.",
     .message = "mount point {0}, expected {1} {2}",
     .data    = "mount_point expected whose",
     .why     = "The paths of all its files begin with the mount point, so the game looks for "
                "them elsewhere than for those of the file that is known to be good, and the mod "
                "may do nothing.",
     .fix     = "Players: get the mod for your game. Authors: pack it from the same folder and "
                "for the same project; where it should differ, name a good file with that mount "
                "point with --policy-from too.",
     .spec    = "policy.md#1.4")
{
	const struct comparison *f = c->facts;
	const struct info *info = comparison_info(f, FACT_MOUNT_POINT);
	const struct reference_value *first = NULL, *v;
	size_t i = 0, n = 0;

	for (; info && (v = comparison_next(f, FACT_MOUNT_POINT, &i)); n++) {
		if (v->text_len == info->n_utf8 && /* which a text that was cut has not */
		    memcmp(f->reference->texts + v->text_at, info->u.utf8, v->text_len) == 0)
			return;
		first = first ? first : v;
	}
	if (first)
		report(c, NOWHERE, UTF8(info->u.utf8, info->n_utf8),
		       UTF8(f->reference->texts + first->text_at, first->text_len), whose(n == 1));
}

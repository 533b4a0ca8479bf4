/* Tests of the catalog: its order, and the lint of every rule's texts. */
#include "engine/catalog.h"
#include "report/message.h"
#include "unit.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_snake(const char *s)
{
	if (*s < 'a' || *s > 'z')
		return false;
	for (; *s; s++)
		if (!(*s >= 'a' && *s <= 'z') && !is_digit(*s) && *s != '_')
			return false;
	return true;
}

static void ids_and_names_are_unique_and_well_formed(void **state)
{
	(void)state;
	assert_true(catalog_count() <= CATALOG_MAX);
	for (size_t i = 0; i < catalog_count(); i++) {
		const struct rule *r = catalog_rule(i);

		assert_int_equal(strlen(r->id), 6);
		for (size_t k = 0; k < 6; k++)
			assert_true(k < 3 ? r->id[k] >= 'A' && r->id[k] <= 'Z'
					  : is_digit(r->id[k]));
		assert_true(is_snake(r->name));
		for (size_t j = 0; j < i; j++) {
			if (r->is_again || catalog_rule(j)->is_again)
				continue;
			assert_string_not_equal(r->id, catalog_rule(j)->id);
			assert_string_not_equal(r->name, catalog_rule(j)->name);
		}
	}
}

/* Whether two bodies are those of one rule. Their messages may speak of other things that are
 * judged. */
static bool are_one_rule(const struct rule *a, const struct rule *b)
{
	return strcmp(a->id, b->id) == 0 && strcmp(a->name, b->name) == 0 &&
	       strcmp(a->title, b->title) == 0 && strcmp(a->why, b->why) == 0 &&
	       strcmp(a->fix, b->fix) == 0 && strcmp(a->spec, b->spec) == 0 &&
	       a->class == b->class && a->severity == b->severity && a->lesser == b->lesser &&
	       a->flags == b->flags;
}

static void further_bodies_are_of_the_rule_that_is_listed(void **state)
{
	const struct rule *first = catalog_rule(0);
	struct rule other = *first;

	(void)state;
	assert_true(are_one_rule(first, &other));
	other.fix = "Do something else.";
	assert_false(are_one_rule(first, &other));
	for (size_t i = 0; i < catalog_count(); i++) {
		const struct rule *r = catalog_rule(i);
		const size_t listed = catalog_find(r->id, 6);

		assert_true(listed < catalog_count());
		assert_false(catalog_rule(listed)->is_again);
		assert_int_equal(r->is_again, listed != i);
		if (!are_one_rule(r, catalog_rule(listed)))
			fail_msg("%s has two texts", r->id);
	}
}

static void a_rule_is_listed_once(void **state)
{
	struct catalog_walk walk = { 0 };
	const struct rule *r, *last = NULL;
	size_t n = 0, n_again = 0;

	(void)state;
	for (; (r = catalog_next_listed(&walk)); n++, last = r)
		assert_true(r != last && !r->is_again);
	for (size_t i = 0; i < catalog_count(); i++)
		n_again += catalog_rule(i)->is_again;
	assert_int_equal(n + n_again, catalog_count());
}

/* Last words of a name that leave open what is the matter. */
static const char *vague_ending(const char *name)
{
	static const char *const vague[] = { "odd",   "wrong", "bad",    "strange",
					     "dirty", "open",  "unusual" };
	const char *last = strrchr(name, '_');

	last = last ? last + 1 : name;
	for (size_t i = 0; i < LENGTH(vague); i++)
		if (strcmp(last, vague[i]) == 0)
			return last;
	return NULL;
}

static void names_say_what_is_the_matter(void **state)
{
	(void)state;
	assert_string_equal(vague_ending("root_odd"), "odd");
	assert_string_equal(vague_ending("unusual"), "unusual");
	assert_null(vague_ending("open_mismatch"));
	assert_null(vague_ending("directory_reopen"));
	for (size_t i = 0; i < catalog_count(); i++)
		if (vague_ending(catalog_rule(i)->name))
			fail_msg("%s: %s does not say what is the matter", catalog_rule(i)->id,
				 catalog_rule(i)->name);
}

/* What is the matter with an alias; NULL: nothing. */
static const char *alias_defect(const struct catalog_alias *a)
{
	const size_t rule = catalog_find(a->name, strlen(a->name));

	if (!is_snake(a->name))
		return "is not in snake_case";
	if (rule == catalog_count() || strcmp(catalog_rule(rule)->id, a->id) != 0)
		return "is another rule's";
	return strcmp(catalog_rule(rule)->name, a->name) == 0 ? "is a name" : NULL;
}

static void aliases_are_old_names_of_one_rule(void **state)
{
	static const struct catalog_alias bad[] = {
		{ "seed_count_unusual", "UMD006" },
		{ "crc_mismatch", "UMD006" },
		{ "crc_mismatch", "PHS009" },
		{ "no_such_alias", "PHS009" },
		{ "Crc", "UMD006" },
	};
	const struct catalog_alias *a, *last = NULL;

	(void)state;
	assert_null(alias_defect(&(struct catalog_alias){ "seed_count_unusual", "PHS009" }));
	for (size_t i = 0; i < LENGTH(bad); i++)
		assert_non_null(alias_defect(&bad[i]));
	for (size_t i = 0; (a = catalog_alias_at(i)); i++, last = a) {
		if (alias_defect(a))
			fail_msg("the alias %s %s", a->name, alias_defect(a));
		if (last && strcmp(last->id, a->id) > 0)
			fail_msg("the alias %s is not in the order of ids", a->name);
	}
	assert_non_null(last);
}

/* What all rules of a format together tell of the tables whose rows have traits of a set. */
static uint64_t told_of(const struct format *f, const char *set)
{
	uint64_t told = 0;

	for (const struct rule *const *r = f->rules; *r; r++)
		if ((*r)->tells != 0 && f->traits[(*r)->table].set &&
		    strcmp(f->traits[(*r)->table].set, set) == 0)
			told |= (*r)->tells;
	return told;
}

/* A defect that no rule tells would be found and kept quiet; a trait that a rule tells is a
 * defect. Members of installers have the traits of their path, too. */
static void every_defect_is_told_by_a_rule(void **state)
{
	(void)state;
	for (size_t i = 0; formats[i]; i++)
		for (size_t t = 0; t < formats[i]->n_tables; t++) {
			const struct format_traits *traits = &formats[i]->traits[t];
			uint64_t told = traits->set ? told_of(formats[i], traits->set) : 0;
			const uint64_t of_paths = traits->set && strcmp(traits->set,
									"umod_member") == 0
							  ? 0xFFFF
							  : 0;

			if ((traits->defects & ~told) != 0)
				fail_msg("%s: no rule tells the defects %llx of %s",
					 formats[i]->name,
					 (unsigned long long)(traits->defects & ~told),
					 traits->set);
			if ((told & ~traits->defects & ~of_paths) != 0)
				fail_msg("%s: rules tell %llx of %s, which are no defects",
					 formats[i]->name,
					 (unsigned long long)(told & ~traits->defects),
					 traits->set);
		}
}

static void texts_are_there(void **state)
{
	(void)state;
	for (size_t i = 0; i < catalog_count(); i++) {
		const struct rule *r = catalog_rule(i);

		if (!r->title || !r->message || !r->why || !r->fix || !r->data || !r->spec)
			fail_msg("%s lacks a text", r->id);
		if (!strstr(r->title, " shall ") && !strstr(r->title, " should "))
			fail_msg("%s: the title has neither shall nor should", r->id);
		if (!strchr(".*", r->title[strlen(r->title) - 1]))
			fail_msg("%s: the title is no sentence", r->id);
		assert_true(strlen(r->message) > 0 && strlen(r->why) > 0 && strlen(r->fix) > 0);
		assert_true(r->why[strlen(r->why) - 1] == '.' && r->fix[strlen(r->fix) - 1] == '.');
	}
}

static unsigned count_words(const char *s)
{
	unsigned n = 0;

	for (; *s; s++)
		n += *s != ' ' && (s[1] == ' ' || s[1] == '\0');
	return n;
}

/* The length of a placeholder, {0} or {0:is|are}; 0: it is none. */
static size_t placeholder_len(const char *p)
{
	size_t one, many;

	if (!is_digit(p[1]))
		return 0;
	if (p[2] != ':')
		return p[2] == '}' ? 3 : 0;
	one = strcspn(p + 3, "{|}");
	if (p[3 + one] != '|')
		return 0;
	many = strcspn(p + 4 + one, "{|}");
	return p[4 + one + many] == '}' ? 5 + one + many : 0;
}

/* Each of the data's names stands in the message as {0}, {1}, ..., and no others do. */
static void placeholders_are_the_data(void **state)
{
	(void)state;
	for (size_t i = 0; i < catalog_count(); i++) {
		const struct rule *r = catalog_rule(i);
		unsigned n = count_words(r->data), used = 0;

		assert_true(n <= ARG_MAX);
		for (const char *p = r->message; *p; p++) {
			if (*p != '{')
				continue;
			if (placeholder_len(p) == 0 || (unsigned)(p[1] - '0') >= n)
				fail_msg("%s: a placeholder without data", r->id);
			if (placeholder_len(p) == 3)
				used |= 1u << (p[1] - '0');
		}
		if (used != (1u << n) - 1)
			fail_msg("%s: data that the message does not show", r->id);
	}
}

/* ---- Numbers and the words that go with them ------------------------------------------------- */

/* A word of a rendered message, without its punctuation. */
struct word {
	char text[64];
	bool ends; /* punctuation follows it */
};

static const char *next_word(const char *at, struct word *w)
{
	size_t len = strcspn(at, " "), kept = len;

	while (kept > 0 && strchr(",;:.", at[kept - 1]))
		kept--;
	w->ends = kept < len || !at[len];
	kept = kept < sizeof w->text ? kept : sizeof w->text - 1;
	memcpy(w->text, at, kept);
	w->text[kept] = '\0';
	return at + len + (at[len] == ' ');
}

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(word, *list) == 0)
			return true;
	return false;
}

/* Verbs that 1 does not go with, and words in s that it does. */
static const char *const plural[] = { "are",  "have", "do",    "follow", "lie",  "belong",
				      "need", "come", "stand", "hold",   "were", NULL };
static const char *const singular[] = {
	"is",      "has",      "does",         "was",      "this",    "its",
	"less",    "stores",   "lies",         "begins",   "starts",  "ends",
	"needs",   "claims",   "leads",        "refers",   "shares",  "says",
	"adds",    "installs", "decompresses", "overlaps", "follows", "belongs",
	"counts",  "depends",  "stands",       "fits",     "holds",   "lacks",
	"differs", "flags",    "takes",        "declares", "asks",    NULL
};
static const char *const links[] = { "of",  "at",   "in",    "to",   "from",   "on",
				     "and", "or",   "by",    "with", "is",     "has",
				     "was", "that", "which", "can",  "should", NULL };

/* Tells whether a word after the number 1 is one for several things. */
static bool is_for_several(const char *word)
{
	const size_t n = strlen(word);

	if (is_one_of(word, plural))
		return true;
	return n > 2 && word[n - 1] == 's' && word[n - 2] != 's' && word[n - 2] != '\'' &&
	       !is_one_of(word, singular);
}

/* Looks for "1 chunks", "1 compressed blocks", "1 are left" and "there are 1"; the phrase, or
 * NULL. */
static const char *disagreement(const char *message)
{
	static const char there[] = "there are 1";
	const char *found = strstr(message, there);
	struct word w, next;

	if (found && !is_digit(found[sizeof there - 1]))
		return found;
	for (const char *at = message, *after; *at; at = after) {
		after = next_word(at, &w);
		if (strcmp(w.text, "1") != 0)
			continue;
		next = w;
		for (const char *k = after; *k && !next.ends;) {
			k = next_word(k, &next);
			if (is_for_several(next.text))
				return at;
			if (is_one_of(next.text, links) || is_one_of(next.text, singular) ||
			    k - after > 24)
				break;
		}
	}
	return NULL;
}

/* Words of which every value is the number n. */
static const char *words_with(const char *words, uint64_t n)
{
	struct finding_arg args[ARG_MAX];
	static struct out o;

	for (size_t i = 0; i < ARG_MAX; i++)
		args[i] = (struct finding_arg){ .kind = ARG_DEC, .number = n };
	out_init(&o, NULL, NULL);
	message_write_words(&o, words, args, ARG_MAX);
	out_byte(&o, 0);
	return (const char *)o.buf;
}

static const char *message_of(const struct rule *r, uint64_t n)
{
	return words_with(r->message, n);
}

static void disagreements_are_found(void **state)
{
	static const char *const bad[] = {
		"1 chunks",          "1 chunks, and more", "there are 1",
		"there are 1, but",  "there are 1 chunk",  "chunk 3 has 1 compressed blocks",
		"1 are left",        "1 1 are it",         "1 byte are left",
		"of 1 names",        "1 entries claim",    "block 0, 1 do so",
		"1 were not judged", "1 byte were read",
	};
	static const char *const good[] = { "1 chunk",
					    "chunk 1 is empty",
					    "1 is left",
					    "1 byte is left",
					    "there is 1",
					    "block 1 stores 1 and has 1",
					    "2 chunks",
					    "11 chunks",
					    "there are 12",
					    "1, bytes",
					    "entry 1 of the names",
					    "export 1, the flags",
					    "" };

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++)
		if (!disagreement(bad[i]))
			fail_msg("not found: %s", bad[i]);
	for (size_t i = 0; i < LENGTH(good); i++)
		if (disagreement(good[i]))
			fail_msg("found: %s", good[i]);
}

static void messages_agree_with_their_numbers(void **state)
{
	(void)state;
	for (size_t i = 0; i < catalog_count(); i++) {
		const struct rule *r = catalog_rule(i);
		const char *found = disagreement(message_of(r, 1));

		if (found)
			fail_msg("%s: %s", r->id, found);
	}
}

static void diagnoses_agree_with_their_numbers(void **state)
{
	static const char *const messages[] = {
#define DIAGNOSIS(number, id, explains, message, player, author) message,
#include "diagnosis/diagnoses.def"
#undef DIAGNOSIS
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(messages); i++) {
		const char *found = disagreement(words_with(messages[i], 1));

		if (found)
			fail_msg("%s: %s", messages[i], found);
	}
}

/* A choice between two words is between two. */
static void choices_have_two_words(void **state)
{
	char one[OUT_LEN];

	(void)state;
	for (size_t i = 0; i < catalog_count(); i++) {
		const struct rule *r = catalog_rule(i);

		if (!strchr(r->message, '|'))
			continue;
		strcpy(one, message_of(r, 1));
		for (char *c = one; *c; c++)
			if (*c == '1')
				*c = '2';
		assert_string_not_equal(one, message_of(r, 2));
	}
}

/* Texts of the file's come with quotes of their own, so that a message has none, nor an apostrophe
 * before or after a value, unless letters make it a genitive. */
static bool quotes_again(const char *message)
{
	if (strpbrk(message, "\"`") || strstr(message, "'{"))
		return true;
	for (const char *p = strstr(message, "}'"); p; p = strstr(p + 1, "}'"))
		if (p[2] != 's' || (p[3] != ' ' && p[3] != '\0'))
			return true;
	return false;
}

static void quotes_are_found(void **state)
{
	static const char *const bad[] = { "\"{0}\" is reached again",
					   "`{0}` is",
					   "'{0}' is",
					   "the name '{0}",
					   "{0}' is",
					   "{0}'so" };
	static const char *const good[] = { "{0} is", "the file's {0}", "{0}'s name", "it is {0}'s",
					    "it's" };

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++)
		if (!quotes_again(bad[i]))
			fail_msg("not found: %s", bad[i]);
	for (size_t i = 0; i < LENGTH(good); i++)
		if (quotes_again(good[i]))
			fail_msg("found: %s", good[i]);
}

static void messages_have_no_quotes(void **state)
{
	(void)state;
	for (size_t i = 0; i < catalog_count(); i++)
		if (quotes_again(catalog_rule(i)->message))
			fail_msg("%s: a quote in the message", catalog_rule(i)->id);
}

/* umod.md#2.5 */
static bool is_clause(const char *s)
{
	const char *hash = strchr(s, '#');

	if (!hash || hash - s < 4 || strncmp(hash - 3, ".md", 3) != 0 || !is_digit(hash[1]))
		return false;
	for (const char *p = s; p < hash - 3; p++)
		if (*p < 'a' || *p > 'z')
			return false;
	for (const char *p = hash + 1; *p; p++)
		if (!is_digit(*p) && !(*p == '.' && is_digit(p[1]) && is_digit(p[-1])))
			return false;
	return true;
}

static void clauses_have_their_form(void **state)
{
	(void)state;
	for (size_t i = 0; i < catalog_count(); i++)
		if (!is_clause(catalog_rule(i)->spec))
			fail_msg("%s: %s is no clause", catalog_rule(i)->id, catalog_rule(i)->spec);
}

static void severities_make_sense(void **state)
{
	(void)state;
	for (size_t i = 0; i < catalog_count(); i++) {
		const struct rule *r = catalog_rule(i);

		assert_true(r->severity > SEVERITY_NONE && r->severity <= SEVERITY_ERROR);
		if ((r->lesser != SEVERITY_NONE) != (r->lesser_when && r->lesser_when[0]))
			fail_msg("%s: a lesser severity and when it holds go together", r->id);
		assert_true(r->lesser < r->severity);
		assert_true(!r->explains || r->severity == SEVERITY_ERROR ||
			    r->severity == SEVERITY_UNDETERMINED);
		assert_true((r->judge != NULL) != (r->judge_rows != NULL));
		assert_true((r->table != 0) == (r->judge_rows != NULL));
		assert_true(r->table < TABLES_MAX);
		assert_non_null(r->id);
		assert_true(r->class <= CLASS_RESOURCE);
	}
}

static void formats_follow_one_another_and_the_engine_comes_last(void **state)
{
	size_t next = 0, first, n = 0;
	struct catalog_walk walk = { 0 };

	(void)state;
	for (size_t f = 0; formats[f]; f++, n++) {
		assert_int_equal(catalog_first(formats[f]), next);
		catalog_range(formats[f], &first, &next);
		assert_int_equal(first, catalog_first(formats[f]));
		for (size_t i = first; i < next; i++)
			assert_ptr_equal(catalog_next(&walk), formats[f]->rules[i - first]);
		assert_true(next > first);
		assert_true(formats[f]->n_groups <= GROUPS_MAX);
	}
	assert_true(n <= FORMATS_MAX);
	assert_int_equal(catalog_first(NULL), next);
	catalog_range(NULL, &first, &next);
	assert_int_equal(next, catalog_count());
	assert_true(next - first <= CATALOG_OWN_MAX);
	for (size_t i = first; i < next; i++)
		assert_ptr_equal(catalog_next(&walk), catalog_rule(i));
	assert_null(catalog_next(&walk));
	assert_string_equal(catalog_rule(catalog_count() - 1)->id, "REF005");
	assert_null(catalog_rule(catalog_count()));
}

static void rules_are_found_by_id_and_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < catalog_count(); i++) {
		const struct rule *r = catalog_rule(i);

		const size_t listed = catalog_find(r->id, 6);

		assert_true(r->is_again ? listed < catalog_count() : listed == i);
		assert_int_equal(catalog_find(r->name, strlen(r->name)), listed);
		assert_int_equal(catalog_find(r->id, 5), catalog_count());
	}
	assert_int_equal(catalog_find("", 0), catalog_count());
	assert_int_equal(catalog_find("umd001", 6), catalog_count());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_and_names_are_unique_and_well_formed),
		cmocka_unit_test(further_bodies_are_of_the_rule_that_is_listed),
		cmocka_unit_test(a_rule_is_listed_once),
		cmocka_unit_test(names_say_what_is_the_matter),
		cmocka_unit_test(aliases_are_old_names_of_one_rule),
		cmocka_unit_test(every_defect_is_told_by_a_rule),
		cmocka_unit_test(texts_are_there),
		cmocka_unit_test(placeholders_are_the_data),
		cmocka_unit_test(quotes_are_found),
		cmocka_unit_test(messages_have_no_quotes),
		cmocka_unit_test(disagreements_are_found),
		cmocka_unit_test(messages_agree_with_their_numbers),
		cmocka_unit_test(diagnoses_agree_with_their_numbers),
		cmocka_unit_test(choices_have_two_words),
		cmocka_unit_test(clauses_have_their_form),
		cmocka_unit_test(severities_make_sense),
		cmocka_unit_test(formats_follow_one_another_and_the_engine_comes_last),
		cmocka_unit_test(rules_are_found_by_id_and_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

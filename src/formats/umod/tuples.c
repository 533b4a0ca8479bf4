/* The lists of File= and Copy= lines: what they say, and what Setup finds when it searches them. */
#include "formats/umod/install.h"

/* ---- As they are written: (Src=System\Foo.u,Size=1234,Flags=0) ------------------------------- */

/* The state of reading a list from left to right: its units from `at` up to `end` are still to
 * be read. Key and value are the units that next_pair found last, and become texts only where
 * they are needed. */
struct list {
	const struct text *value; /* of the line */
	uint32_t at, end;
	uint32_t equals; /* the first equals sign from `at` on, or the end */
	uint32_t key_from, key_to, from, to;
	bool malformed, odd; /* as in struct manifest_tuple */
};

/* The first unit equal to c at or after `from`, or the end. */
static inline uint32_t find_in_list(const struct list *l, uint32_t c, uint32_t from)
{
	uint32_t found = (uint32_t)text_find(*l->value, c, from);

	return found < l->end ? found : l->end;
}

/* Strips a parenthesis from either end that has one. */
static UVET_RARE void strip(struct list *l)
{
	const struct text *value = l->value;

	l->malformed = true;
	if (l->at < l->end && text_unit(*value, l->at) == '(')
		l->at++;
	if (l->at < l->end && text_unit(*value, l->end - 1) == ')')
		l->end--;
}

/* A list should have a parenthesis at both ends. */
static inline void open_list(struct list *l, const struct text *value)
{
	*l = (struct list){ .value = value, .end = value->ref.n_units };
	if (manifest_is_enclosed(value, 0, l->end, '(', ')')) {
		l->at++;
		l->end--;
	} else {
		strip(l);
	}
	l->equals = find_in_list(l, '=', l->at);
}

/* Finds the equals sign that follows a part ending at `end`. An equals sign inside the part's
 * value, from `from` on, may begin another value for Setup. */
static inline void find_equals(struct list *l, uint32_t from, uint32_t end)
{
	l->equals = find_in_list(l, '=', from);
	if (l->equals < end) {
		l->odd = true;
		l->equals = find_in_list(l, '=', end);
	}
}

/* A value in quotes may contain commas. Between its end and the next comma there should be only
 * blanks. */
static bool read_quoted(struct list *l, uint32_t from)
{
	uint32_t close = find_in_list(l, '"', from), rest = close + 1, end;

	if (close == l->end) {
		l->malformed = true;
		return false;
	}
	l->from = from;
	l->to = close;
	end = find_in_list(l, ',', close);
	l->at = end + 1;
	find_equals(l, from, end);
	text_narrow(l->value, &rest, &end);
	l->malformed = l->malformed || rest < end;
	return true;
}

static inline bool starts_quoted(const struct list *l, uint32_t at)
{
	return at < l->end && text_unit(*l->value, at) == '"';
}

/* next_pair splits the next key=value off. It returns false at the end, and where the text has
 * another form. */
static inline bool next_pair(struct list *l)
{
	const uint32_t begin = l->equals + 1;
	uint32_t end;

	if (l->at >= l->end)
		return false;
	end = find_in_list(l, ',', l->at);
	if (l->equals >= end) {
		l->malformed = true;
		return false;
	}
	l->key_from = l->at;
	l->key_to = l->equals;
	text_narrow(l->value, &l->key_from, &l->key_to);
	l->odd |= l->key_to + 1 != begin;
	if (starts_quoted(l, begin))
		return read_quoted(l, begin + 1);
	l->from = begin;
	l->to = end;
	l->at = end + 1;
	text_narrow(l->value, &l->from, &l->to);
	l->odd |= l->from != begin;
	find_equals(l, begin, end);
	return true;
}

/* Sets field by field: a struct copy right after stores to its fields would stall on store
 * forwarding. */
static inline void take_text(const struct list *l, struct text_ref *ref)
{
	ref->at = l->value->ref.at + l->from * text_width(l->value->ref.encoding);
	ref->n_units = l->to - l->from;
	ref->encoding = l->value->ref.encoding;
}

/* Tells whether a key is the first of its name in the list. Setup takes the first of several. */
static inline bool is_first(struct list *l, const struct manifest_tuple *t, enum tuple_key key)
{
	l->malformed = l->malformed || t->text[key].at != 0;
	return t->text[key].at == 0;
}

UVET_INLINE static inline void take_number(struct manifest_tuple *t, struct list *l,
					   enum tuple_key key, uint64_t *number)
{
	if (!is_first(l, t, key))
		return;
	take_text(l, &t->text[key]);
	t->has[key] = text_number(text_part(l->value, l->from, l->to), number);
	l->malformed = l->malformed || !t->has[key];
}

static inline void take_path(struct manifest_tuple *t, struct list *l, enum tuple_key key)
{
	if (!is_first(l, t, key))
		return;
	take_text(l, &t->text[key]);
	t->has[key] = l->from < l->to;
}

/* The most common keys are tried first. Setup finds its words at the end of other keys, too. */
static inline void take_pair(struct manifest_tuple *t, struct list *l)
{
	const struct text key = text_part(l->value, l->key_from, l->key_to);

	if (text_is(key, "Src")) {
		take_path(t, l, TUPLE_SRC);
	} else if (text_is(key, "Size")) {
		take_number(t, l, TUPLE_SIZE, &t->size_number);
	} else if (text_is(key, "Dest")) {
		take_path(t, l, TUPLE_DEST);
	} else if (text_is(key, "Flags")) {
		take_number(t, l, TUPLE_FLAGS, &t->flags_number);
	} else if (text_is(key, "Ref")) {
		take_path(t, l, TUPLE_REF);
		l->odd = true;
	} else {
		l->odd = l->odd || text_ends(key, "Src") || text_ends(key, "Dest") ||
			 text_ends(key, "Ref");
	}
}

void install_read_list(const struct text *value, struct manifest_tuple *t)
{
	struct list l;

	open_list(&l, value);
	while (next_pair(&l))
		take_pair(t, &l);
	t->malformed = l.malformed || !t->has[TUPLE_SRC] || t->line->marks & LINE_QUOTED;
	t->odd = l.odd || t->malformed;
}

/* ---- As Setup searches them ------------------------------------------------------------------ */

static const char *const words[TUPLE_N_KEYS] = { "Src", "Dest", "Ref", "Size", "Flags" };

const char *install_key_name(enum tuple_key key)
{
	return words[key];
}

static bool is_alphanumeric(uint32_t c)
{
	return text_between(c, '0', '9') || text_between(text_fold(c), 'A', 'Z');
}

/* Tells whether the units before an equals sign end in a word that has neither a letter nor a digit
 * before it. */
static bool is_word(const struct list *l, uint32_t equals, const char *word)
{
	const struct text before = text_part(l->value, l->at, equals);
	const uint32_t n = before.ref.n_units, len = (uint32_t)strlen(word);

	return text_ends(before, word) &&
	       (n == len || !is_alphanumeric(text_unit(before, n - len - 1)));
}

/* A value ends at a quote if it begins with one, else at a blank or a comma. */
static void bound_value(struct list *l, uint32_t equals)
{
	l->from = equals + 1;
	if (starts_quoted(l, l->from)) {
		l->from++;
		l->to = find_in_list(l, '"', l->from);
		return;
	}
	for (l->to = l->from; l->to < l->end; l->to++) {
		const uint32_t c = text_unit(*l->value, l->to);

		if (text_is_blank(c) || c == ',')
			return;
	}
}

static void take_found(struct tuple_search *s, struct list *l, enum tuple_key key, uint32_t equals)
{
	struct manifest_tuple *t = &s->found;

	bound_value(l, equals);
	take_text(l, &t->text[key]);
	s->from[key] = equals - (uint32_t)strlen(words[key]);
	s->to[key] = l->to;
	if (key == TUPLE_SIZE)
		t->has[key] = text_number(text_part(l->value, l->from, l->to), &t->size_number);
	else if (key == TUPLE_FLAGS)
		t->has[key] = text_number(text_part(l->value, l->from, l->to), &t->flags_number);
	else
		t->has[key] = l->from < l->to;
}

void install_search_list(const struct text *value, struct tuple_search *s)
{
	struct list l;

	open_list(&l, value);
	for (uint32_t i = l.equals; i < l.end; i = find_in_list(&l, '=', i + 1))
		for (enum tuple_key key = TUPLE_SRC; key < TUPLE_N_KEYS; key++)
			if (s->found.text[key].at == 0 && is_word(&l, i, words[key]))
				take_found(s, &l, key, i);
}

/* Quotes are taken off if they are the first and the last of these characters. */
struct text install_raw_value(const struct manifest *m, const struct manifest_line *l)
{
	struct text_ref all = m->texts[l->file];
	struct text text, line = manifest_text(m, l->file, l->whole);
	uint32_t from = manifest_unit(m, l->file, l->whole), to = from + line.ref.n_units;

	all.n_units = m->n_units[l->file];
	text = manifest_text(m, l->file, all);
	from += (uint32_t)text_find(line, '=', 0) + 1;
	while (to < all.n_units && text_is_blank(text_unit(text, to)))
		to++;
	to += to == m->texts[l->file].n_units && to < all.n_units;
	if (manifest_is_enclosed(&text, from, to, '"', '"')) {
		from++;
		to--;
	}
	return text_part(&text, from, to);
}

/* A key that the search found is hidden if the list, as far as it can be read, does not have it as
 * a key. */
uint32_t install_hidden_keys(const struct text *value, const struct tuple_search *s)
{
	struct list l;
	uint32_t hidden = 0;
	bool more;

	for (enum tuple_key key = TUPLE_SRC; key < TUPLE_N_PATHS; key++)
		hidden |= (uint32_t)(s->found.text[key].at != 0) << key;
	open_list(&l, value);
	do {
		more = next_pair(&l);
		for (enum tuple_key key = TUPLE_SRC; key < TUPLE_N_PATHS; key++)
			if (l.key_from == s->from[key] && l.key_to > l.key_from)
				hidden &= ~(1u << key);
	} while (more);
	return hidden;
}

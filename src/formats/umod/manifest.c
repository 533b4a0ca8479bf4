/* Manifests as text: sections and lines, found in one pass over the members' bytes. */
#include "formats/umod/umod.h"

static enum manifest_key if_rest(const struct text *rest, const char *word, enum manifest_key key)
{
	return text_is(*rest, word) ? key : KEY_OTHER;
}

/* A key's first letters, of which all have three, say which one it can only be; the rest, which follows four of them, must fit. */
static enum manifest_key key_by_letters(uint32_t letters, const struct text *rest)
{
#define KEY(a, b, c, d, word, key) case TEXT_WORD(a, b, c, d): return if_rest(rest, word, KEY_##key)
	switch (letters) {
	KEY('A', 'D', 'D', 'I', "ni", ADD_INI);
	KEY('A', 'R', 'C', 'H', "ive", ARCHIVE);
	KEY('B', 'A', 'C', 'K', "up", BACKUP);
	KEY('C', 'O', 'P', 'Y', "", COPY);
	KEY('D', 'E', 'L', 'E', "te", DELETE);
	KEY('F', 'I', 'L', 'E', "", FILE);
	KEY('F', 'O', 'L', 'D', "er", FOLDER);
	KEY('G', 'R', 'O', 'U', "p", GROUP);
	KEY('I', 'N', 'I', 0, "", INI);
	KEY('L', 'I', 'C', 'E', "nse", LICENSE);
	KEY('L', 'O', 'G', 'O', "", LOGO);
	KEY('P', 'R', 'O', 'D', "uct", PRODUCT);
	KEY('R', 'E', 'A', 'D', "Me", README);
	KEY('R', 'E', 'Q', 'U', "ires", REQUIRES);
	KEY('S', 'A', 'V', 'E', "Ini", SAVE_INI);
	KEY('S', 'H', 'O', 'R', "tcut", SHORTCUT);
	KEY('V', 'E', 'R', 'S', "ion", VERSION);
	KEY('W', 'I', 'N', 'R', "egistry", WIN_REGISTRY);
	case TEXT_WORD('R', 'E', 'M', 'O'):
		if (text_is(*rest, "vePath"))
			return KEY_REMOVE_PATH;
		return text_is(*rest, "veIni") ? KEY_REMOVE_INI : if_rest(rest, "veIniValue", KEY_REMOVE_INI_VALUE);
	default:
		return KEY_OTHER;
	}
#undef KEY
}

static enum manifest_key key_of(const struct text *key)
{
	uint32_t n = key->ref.n_units, head = n < 4 ? n : 4;
	struct text rest;
	enum manifest_key id;

	if (n < 3)
		return KEY_OTHER;
	rest = text_part(key, head, n);
	id = key_by_letters(text_word(text_part(key, 0, head)), &rest);
	return id == KEY_OTHER && text_is(text_part(key, n - 3, n), "URL") ? KEY_URL : id;
}

static bool is_end_of_line(uint32_t c)
{
	return c == '\n' || c == '\r';
}

/* A scan is a walk over the lines of one text. */
struct scan {
	struct text text;
	uint64_t at;                    /* the next unit */
	uint32_t number;                /* of the line that starts there, from 1 */
	bool control;                   /* the line that was read has a control character */
};

/* next_line finds where the next line begins and ends, without blanks at either end; CR LF, LF and a lone CR end a line. */
static bool next_line(struct scan *s, uint32_t *from, uint32_t *to)
{
	uint64_t i, n = s->text.ref.n_units;
	uint32_t c = 0;

	if (s->at >= n)
		return false;
	s->control = false;
	*from = (uint32_t)s->at;
	for (i = text_find_control(&s->text, s->at); i < n; i = text_find_control(&s->text, i + 1)) {
		c = text_unit(s->text, i);
		if (is_end_of_line(c))
			break;
		s->control = s->control || c != '\t';
	}
	*to = (uint32_t)i;
	s->at = i + 1;
	if (c == '\r' && s->at < n && text_unit(s->text, s->at) == '\n')
		s->at++;
	s->number++;
	text_narrow(&s->text, from, to);
	return true;
}

static bool is_section(const struct text *t, uint32_t from, uint32_t to)
{
	return to - from >= 2 && text_unit(*t, from) == '[' && text_unit(*t, to - 1) == ']';
}

/* A URL whose scheme is none of those that a browser opens as a page or a letter. */
static bool has_odd_scheme(const struct text *url)
{
	uint64_t colon = text_find(*url, ':', 0);
	struct text scheme = text_sub(*url, 0, colon);

	if (colon == url->ref.n_units)
		return false;
	return !text_is(scheme, "http") && !text_is(scheme, "https") && !text_is(scheme, "ftp") && !text_is(scheme, "mailto");
}

static void read_pair(struct manifest_line *l, const struct text *line, uint32_t equals)
{
	uint32_t from = 0, to = equals;
	struct text key, value;

	text_narrow(line, &from, &to);
	key = text_part(line, from, to);
	from = equals + 1;
	to = line->ref.n_units;
	text_narrow(line, &from, &to);
	value = text_part(line, from, to);
	l->kind = LINE_PAIR;
	l->key = key.ref;
	l->value = value.ref;
	l->key_id = (uint8_t)key_of(&key);
	l->odd_scheme = l->key_id == KEY_URL && has_odd_scheme(&value);
}

static void classify(struct manifest_line *l, const struct text *line)
{
	uint32_t equals = (uint32_t)text_find(*line, '=', 0);

	if (text_unit(*line, 0) == ';')
		l->kind = LINE_COMMENT;
	else if (is_section(line, 0, line->ref.n_units))
		l->kind = LINE_SECTION;
	else if (equals > 0 && equals < line->ref.n_units)
		read_pair(l, line, equals);
	else
		l->kind = LINE_OTHER;
}

/* A scanner fills the lists of lines and sections, which grow as it goes. */
struct scanner {
	struct decode *d;
	struct manifest *m;
	enum manifest_file file;
	uint64_t max_lines, max_sections;       /* that there is room for */
	uint32_t section;               /* that the next line belongs to; MANIFEST_NONE before a file's first */
};

static bool add_section(struct scanner *s, const struct manifest_line *l, const struct text *line)
{
	struct text name = text_trim(text_sub(*line, 1, line->ref.n_units - 2u));
	struct manifest *m = s->m;
	uint32_t i = m->n_sections;
	struct manifest_section *list = decode_grow(s->d, UMOD_MANIFEST, m->sections, i, &s->max_sections, sizeof *list);

	if (!list)
		return false;
	list[i] = (struct manifest_section){
		.name = name.ref,
		.header = line->ref,
		.number = l->number,
		.same_as = i,
		.key = manifest_section_key(l->file, &name),
		.file = l->file,
		.is_setup = text_is(name, "Setup"),
	};
	m->sections = list;
	m->n_sections = i + 1;
	if (list[i].is_setup && m->setup[s->file] == MANIFEST_NONE)
		m->setup[s->file] = i;
	return true;
}

static bool add_line(struct scanner *s, const struct scan *scan, const struct text *line)
{
	struct manifest *m = s->m;
	struct manifest_line *list = decode_grow(s->d, UMOD_MANIFEST, m->lines, m->n_lines, &s->max_lines, sizeof *list), *l;

	if (!list)
		return false;
	l = &list[m->n_lines++];
	*l = (struct manifest_line){
		.whole = line->ref,
		.number = scan->number,
		.section = s->section,
		.file = (uint8_t)s->file,
		.control = scan->control,
	};
	m->lines = list;
	classify(l, line);
	if (l->kind != LINE_SECTION)
		return true;
	if (!add_section(s, l, line))
		return false;
	l->section = s->section = m->n_sections - 1;
	return true;
}

static bool scan_file(struct scanner *s)
{
	struct manifest *m = s->m;
	struct scan scan = { .text = manifest_text(m, s->file, m->texts[s->file]) };
	uint32_t from, to;
	struct text line;

	s->section = MANIFEST_NONE;
	while (next_line(&scan, &from, &to)) {
		if (from == to)
			continue;
		if (m->n_lines >= s->d->limits->of[LIMIT_entries])
			return decode_stop_limit(s->d, UMOD_MANIFEST, LIMIT_entries, text_span(m->texts[s->file]));
		line = text_part(&scan.text, from, to);
		if (!add_line(s, &scan, &line))
			return false;
	}
	return true;
}

uint64_t manifest_key_of(const void *manifest, uint32_t i)
{
	return ((const struct manifest *)manifest)->sections[i].key;
}

static int compare_sections(const void *manifest, uint32_t a, uint32_t b)
{
	const struct manifest *m = manifest;
	const struct manifest_section *x = &m->sections[a], *y = &m->sections[b];

	return text_compare(manifest_text(m, x->file, x->name), manifest_text(m, y->file, y->name));
}

/* Sections of one name and file point to the first of them. */
static bool find_same_sections(struct decode *d, struct manifest *m)
{
	if (!order_by_hash(d->arena, m, m->n_sections, manifest_key_of, compare_sections, &m->by_name))
		return decode_stop(d, UMOD_MANIFEST, STOP_MEMORY, (struct span){ 0, 0 });
	for (uint32_t i = 1; i < m->n_sections; i++) {
		uint32_t a = order_row(&m->by_name, i - 1), b = order_row(&m->by_name, i);

		if (m->sections[a].key == m->sections[b].key && compare_sections(m, a, b) == 0)
			m->sections[b].same_as = m->sections[a].same_as;
	}
	return true;
}

bool manifest_tokenise(struct decode *d, struct manifest *m)
{
	struct scanner s = { .d = d, .m = m };

	m->setup[MANIFEST_INI] = m->setup[MANIFEST_INT] = MANIFEST_NONE;
	for (s.file = MANIFEST_INI; s.file < MANIFEST_N_FILES; s.file++)
		if (m->present[s.file] && !scan_file(&s))
			return false;
	return decode_spend(d, UMOD_MANIFEST, m->n_lines) && find_same_sections(d, m);
}

/* Manifests as text: sections and lines, found in one pass over the members' bytes. */
#include "formats/umod/umod.h"

static const struct {
	const char *word;
	enum manifest_key key;
} manifest_keys[] = {
	{ "File", KEY_FILE },
	{ "Copy", KEY_COPY },
	{ "Group", KEY_GROUP },
	{ "Requires", KEY_REQUIRES },
	{ "Product", KEY_PRODUCT },
	{ "Version", KEY_VERSION },
	{ "Archive", KEY_ARCHIVE },
	{ "ReadMe", KEY_README },
	{ "License", KEY_LICENSE },
	{ "Logo", KEY_LOGO },
	{ "Delete", KEY_DELETE },
	{ "Backup", KEY_BACKUP },
	{ "Folder", KEY_FOLDER },
	{ "RemovePath", KEY_REMOVE_PATH },
	{ "Shortcut", KEY_SHORTCUT },
	{ "WinRegistry", KEY_WIN_REGISTRY },
	{ "Ini", KEY_INI },
	{ "AddIni", KEY_ADD_INI },
	{ "SaveIni", KEY_SAVE_INI },
	{ "RemoveIni", KEY_REMOVE_INI },
	{ "RemoveIniValue", KEY_REMOVE_INI_VALUE },
};

struct text manifest_text(const struct manifest *m, enum manifest_file f, struct text_ref ref)
{
	return text_at(&m->windows[f], ref);
}

static enum manifest_key key_of(struct text key)
{
	uint64_t n = key.ref.n_units;

	for (size_t i = 0; i < sizeof manifest_keys / sizeof manifest_keys[0]; i++)
		if (text_is(key, manifest_keys[i].word))
			return manifest_keys[i].key;
	if (n >= 3 && text_is(text_sub(key, n - 3, 3), "URL"))
		return KEY_URL;
	return KEY_OTHER;
}

static bool is_end_of_line(uint32_t c)
{
	return c == '\n' || c == '\r';
}

static bool is_control(struct text t, uint32_t c)
{
	if (c >= 0x20)
		return c == 0x7F || (text_between(c, 0x80, 0x9F) && t.ref.encoding != TEXT_CP1252);
	return c != '\t';
}

/* A scan is a walk over the lines of one text. */
struct scan {
	struct text text;
	uint64_t at;                    /* the next unit */
	uint32_t number;                /* of the line that starts there, from 1 */
	bool control;                   /* the line that was read has a control character */
};

/* next_line gives the next line without its end; CR LF, LF and a lone CR end a line. */
static bool next_line(struct scan *s, struct text *out)
{
	uint64_t from = s->at, i = from, n = s->text.ref.n_units;
	uint32_t c = 0;

	if (from >= n)
		return false;
	s->control = false;
	for (; i < n; i++) {
		c = text_unit(s->text, i);
		if (is_end_of_line(c))
			break;
		s->control = s->control || is_control(s->text, c);
	}
	*out = text_sub(s->text, from, i - from);
	s->at = i + 1;
	if (c == '\r' && s->at < n && text_unit(s->text, s->at) == '\n')
		s->at++;
	s->number++;
	return true;
}

static bool is_section(struct text line)
{
	uint64_t n = line.ref.n_units;

	return n >= 2 && text_unit(line, 0) == '[' && text_unit(line, n - 1) == ']';
}

/* A URL whose scheme is none of those that a browser opens as a page or a letter. */
static bool has_odd_scheme(struct text url)
{
	uint64_t colon = text_find(url, ':', 0);
	struct text scheme = text_sub(url, 0, colon);

	if (colon == url.ref.n_units)
		return false;
	return !text_is(scheme, "http") && !text_is(scheme, "https") && !text_is(scheme, "ftp") && !text_is(scheme, "mailto");
}

static void read_pair(struct manifest_line *l, struct text line, uint64_t equals)
{
	struct text key = text_trim(text_sub(line, 0, equals)), value = text_trim(text_sub(line, equals + 1, line.ref.n_units));

	l->kind = LINE_PAIR;
	l->key = key.ref;
	l->value = value.ref;
	l->key_id = (uint8_t)key_of(key);
	l->odd_scheme = l->key_id == KEY_URL && has_odd_scheme(value);
}

static void classify(struct manifest_line *l, struct text line)
{
	uint64_t equals = text_find(line, '=', 0);

	if (text_unit(line, 0) == ';')
		l->kind = LINE_COMMENT;
	else if (is_section(line))
		l->kind = LINE_SECTION;
	else if (equals > 0 && equals < line.ref.n_units)
		read_pair(l, line, equals);
	else
		l->kind = LINE_OTHER;
}

static void add_section(struct manifest *m, const struct manifest_line *l, struct text line)
{
	struct text name = text_trim(text_sub(line, 1, line.ref.n_units - 2u));
	uint32_t i = m->n_sections++;

	m->sections[i] = (struct manifest_section){
		.name = name.ref,
		.header = line.ref,
		.number = l->number,
		.same_as = i,
		.hash = path_examine(name).hash,
		.file = l->file,
		.is_setup = text_is(name, "Setup"),
	};
	if (m->sections[i].is_setup && m->setup[l->file] == MANIFEST_NONE)
		m->setup[l->file] = i;
}

static void add_line(struct manifest *m, enum manifest_file f, const struct scan *s, struct text line)
{
	struct manifest_line *l = &m->lines[m->n_lines++];
	bool in_file = m->n_sections > 0 && m->sections[m->n_sections - 1].file == f;

	*l = (struct manifest_line){
		.whole = line.ref,
		.number = s->number,
		.section = in_file ? m->n_sections - 1 : MANIFEST_NONE,
		.file = (uint8_t)f,
		.control = s->control,
	};
	classify(l, line);
	if (l->kind != LINE_SECTION)
		return;
	add_section(m, l, line);
	l->section = m->n_sections - 1;
}

/* Counts the lines that are not blank, and those of them that may be section headers: an upper bound for both lists. */
static void count_lines(struct text t, uint64_t *n_lines, uint64_t *n_sections)
{
	struct scan s = { .text = t };
	struct text line;

	while (next_line(&s, &line)) {
		line = text_trim(line);
		if (line.ref.n_units == 0)
			continue;
		++*n_lines;
		if (is_section(line))
			++*n_sections;
	}
}

static void scan_file(struct manifest *m, enum manifest_file f)
{
	struct scan s = { .text = manifest_text(m, f, m->texts[f]) };
	struct text line;

	while (next_line(&s, &line)) {
		line = text_trim(line);
		if (line.ref.n_units > 0)
			add_line(m, f, &s, line);
	}
}

static uint64_t section_key(const void *manifest, uint32_t i)
{
	const struct manifest_section *s = &((const struct manifest *)manifest)->sections[i];

	return s->hash + ((uint64_t)s->file << 32);
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
	if (!order_by_key(d->arena, m, m->n_sections, section_key, &m->by_name) ||
	    !order_refine(d->arena, m, section_key, compare_sections, &m->by_name))
		return decode_stop(d, UMOD_MANIFEST, STOP_MEMORY, (struct span){ 0, 0 });
	for (uint32_t i = 1; i < m->n_sections; i++) {
		uint32_t a = order_row(&m->by_name, i - 1), b = order_row(&m->by_name, i);

		if (section_key(m, a) == section_key(m, b) && compare_sections(m, a, b) == 0)
			m->sections[b].same_as = m->sections[a].same_as;
	}
	return true;
}

bool manifest_tokenise(struct decode *d, struct manifest *m)
{
	uint64_t n_lines = 0, n_sections = 0;

	for (enum manifest_file f = MANIFEST_INI; f < MANIFEST_N_FILES; f++) {
		m->setup[f] = MANIFEST_NONE;
		if (m->present[f])
			count_lines(manifest_text(m, f, m->texts[f]), &n_lines, &n_sections);
	}
	if (n_lines > d->limits->of[LIMIT_entries])
		return decode_stop_limit(d, UMOD_MANIFEST, LIMIT_entries, text_span(m->texts[MANIFEST_INI]));
	m->lines = decode_alloc(d, UMOD_MANIFEST, n_lines, sizeof *m->lines);
	m->sections = decode_alloc(d, UMOD_MANIFEST, n_sections, sizeof *m->sections);
	if (!m->lines || !m->sections || !decode_spend(d, UMOD_MANIFEST, n_lines))
		return false;
	for (enum manifest_file f = MANIFEST_INI; f < MANIFEST_N_FILES; f++)
		if (m->present[f])
			scan_file(m, f);
	return find_same_sections(d, m);
}

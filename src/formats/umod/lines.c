/* Manifests as texts: which bytes are the text, and what its lines are. */
#include "formats/umod/install.h"

#include "core/mutant.h"

static enum manifest_key if_rest(const struct text *rest, const char *word, enum manifest_key key)
{
	return text_is(*rest, word) ? key : KEY_OTHER;
}

/* The first four letters of a key, or three if it has no more, decide which key it can be. The rest
 * must match. */
static enum manifest_key key_by_letters(uint32_t letters, const struct text *rest)
{
#define KEY(a, b, c, d, word, key) \
	case TEXT_WORD(a, b, c, d): \
		return if_rest(rest, word, KEY_##key)
	switch (letters) {
		KEY('A', 'D', 'D', 'I', "ni", ADD_INI);
		KEY('A', 'R', 'C', 'H', "ive", ARCHIVE);
		KEY('B', 'A', 'C', 'K', "up", BACKUP);
		KEY('C', 'O', 'P', 'Y', "", COPY);
		KEY('D', 'E', 'F', 'A', "ultFolder", DEFAULT_FOLDER);
		KEY('D', 'E', 'L', 'E', "te", DELETE);
		KEY('D', 'I', 'R', 'E', "ctXHook", DIRECTX_HOOK);
		KEY('E', 'X', 'E', 0, "", EXE);
		KEY('F', 'I', 'L', 'E', "", FILE);
		KEY('F', 'O', 'L', 'D', "er", FOLDER);
		KEY('G', 'R', 'O', 'U', "p", GROUP);
		KEY('I', 'N', 'I', 0, "", INI);
		KEY('I', 'S', 'M', 'A', "sterProduct", IS_MASTER);
		KEY('L', 'I', 'C', 'E', "nse", LICENSE);
		KEY('L', 'O', 'G', 'O', "", LOGO);
		KEY('P', 'O', 'S', 'T', "Exec", POST_EXEC);
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
		return text_is(*rest, "veIni") ? KEY_REMOVE_INI
					       : if_rest(rest, "veIniValue", KEY_REMOVE_INI_VALUE);
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

/* Where a line lies in its text. */
struct raw_line {
	uint32_t from, to; /* its units, without blanks at either end */
	uint32_t next;     /* the first unit of the next line */
	bool control;      /* it has a control character other than tab */
	bool blank_before, blank_after;
};

/* Finds the end of the line that begins at a unit, or of what is left of it from there. CR LF, LF
 * and a lone CR end a line. */
static inline struct raw_line find_line(const struct text *text, uint32_t from)
{
	const uint64_t n = text->ref.n_units;
	struct raw_line l = { .from = from };
	uint32_t c = 0, end;
	uint64_t i;

	for (i = text_find_control(text, from); i < n; i = text_find_control(text, i + 1)) {
		c = text_unit(*text, i);
		if (is_end_of_line(c))
			break;
		l.control = l.control || c != '\t';
	}
	l.to = (uint32_t)i;
	l.next = (uint32_t)(i < n ? i + 1 : n);
	if (c == '\r' && l.next < n && text_unit(*text, l.next) == '\n')
		l.next++;
	end = l.to;
	text_narrow(text, &l.from, &l.to);
	l.blank_before = l.from > from;
	l.blank_after = l.to < end;
	return l;
}

/* Trims a part of a line, and marks the line if there was anything to trim. */
static inline void narrow(struct manifest_line *l, const struct text *line, uint32_t *from,
			  uint32_t *to, uint8_t mark)
{
	const uint32_t n = *to - *from;

	text_narrow(line, from, to);
	if (*to - *from < n)
		l->marks |= mark;
}

static inline void read_pair(struct manifest_line *l, const struct text *line, uint32_t equals)
{
	uint32_t from = 0, to = equals;
	struct text key, value;

	narrow(l, line, &from, &to, LINE_BLANK_NAME);
	key = text_part(line, from, to);
	from = equals + 1;
	to = line->ref.n_units;
	narrow(l, line, &from, &to, LINE_BLANK_VALUE);
	if (manifest_is_enclosed(line, from, to, '"', '"')) {
		l->marks |= LINE_QUOTED;
		from++;
		to--;
		narrow(l, line, &from, &to, LINE_BLANK_VALUE);
	}
	value = text_part(line, from, to);
	l->kind = LINE_PAIR;
	l->key = key.ref;
	l->value = value.ref;
	l->key_id = (uint8_t)key_of(&key);
}

/* Reads a line that begins with a bracket. It returns whether the line is a header. */
static bool read_bracket(struct manifest_line *l, const struct text *line)
{
	uint32_t from = 1, to = line->ref.n_units - 1;

	if (text_find(*line, ']', 0) < to)
		l->marks |= LINE_AFTER_HEADER;
	if (to == 0 || text_unit(*line, to) != ']')
		return false;
	l->kind = LINE_SECTION;
	narrow(l, line, &from, &to, LINE_BLANK_NAME);
	return true;
}

static inline void classify(struct manifest_line *l, const struct text *line)
{
	const uint32_t equals = (uint32_t)text_find(*line, '=', 0), first = text_unit(*line, 0);

	if (first == ';')
		l->kind = LINE_COMMENT;
	else if (first == '[' && read_bracket(l, line))
		return;
	else if (equals > 0 && equals < line->ref.n_units)
		read_pair(l, line, equals);
	else
		l->kind = LINE_OTHER;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Sets only the fields that are needed, for speed: only a pair has a key and a value. */
static inline void read_line(const struct text *text, const struct raw_line *raw,
			     struct manifest_line *out)
{
	const struct text line = text_part(text, raw->from, raw->to);

	out->whole = line.ref;
	out->key_id = KEY_OTHER;
	out->marks = raw->control ? LINE_CONTROL : 0;
	if (raw->blank_before)
		out->marks |= LINE_BLANK_NAME;
	classify(out, &line);
	if (raw->blank_after)
		out->marks |= out->kind == LINE_SECTION ? LINE_BLANK_NAME : LINE_BLANK_VALUE;
}

static struct text whole_text(const struct manifest *m, enum manifest_file f)
{
	return manifest_text(m, f, m->texts[f]);
}

struct manifest_scan manifest_open(const struct manifest *m, enum manifest_file f)
{
	return (struct manifest_scan){
		.m = m, .file = f, .text = whole_text(m, f), .number = 1, .section = MANIFEST_NONE
	};
}

/* Notes the number of the current line for each MANIFEST_STRIDE-th unit before `end` that has none
 * yet. */
static inline void note_numbers(struct manifest_scan *s, uint64_t end)
{
	for (; s->next_stride < end; s->next_stride += MANIFEST_STRIDE)
		s->m->numbers[s->file][s->next_stride / MANIFEST_STRIDE] = s->number;
}

bool manifest_next(struct manifest_scan *s, struct manifest_line *out)
{
	while (s->at < s->text.ref.n_units) {
		const struct raw_line raw = find_line(&s->text, s->at);
		const uint32_t number = s->number;

		note_numbers(s, raw.next);
		s->at = raw.next;
		s->number++;
		if (raw.from == raw.to)
			continue;
		read_line(&s->text, &raw, out);
		out->number = number;
		out->file = (uint8_t)s->file;
		return true;
	}
	note_numbers(s, s->text.ref.n_units + UINT64_C(1));
	return false;
}

uint32_t manifest_number(const struct manifest *m, enum manifest_file f, uint32_t unit)
{
	const struct text text = whole_text(m, f);
	uint32_t number = m->numbers[f][unit / MANIFEST_STRIDE];
	uint64_t i = unit - unit % MANIFEST_STRIDE;

	while ((i = text_find_control(&text, i)) < unit) {
		const uint32_t c = text_unit(text, i++);

		if (c == '\r' && i < text.ref.n_units && text_unit(text, i) == '\n')
			i++;
		number += is_end_of_line(c) && i <= unit;
	}
	return number;
}

struct manifest_line manifest_line_around(const struct manifest *m, enum manifest_file f,
					  uint32_t unit)
{
	const struct text text = whole_text(m, f);
	struct manifest_line line = { .number = 0 };
	struct raw_line raw;

	while (unit > 0 && !is_end_of_line(text_unit(text, unit - 1)))
		unit--;
	raw = find_line(&text, unit);
	read_line(&text, &raw, &line);
	line.number = manifest_number(m, f, unit);
	line.file = (uint8_t)f;
	return line;
}

struct text manifest_rest(const struct text *text, uint32_t unit)
{
	const struct raw_line raw = find_line(text, unit);

	return text_part(text, raw.from, raw.to);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static void skip_byte_order_mark(struct text_ref *t, struct cursor window)
{
	uint64_t mark;

	if (!cursor_u16(&window, &mark))
		return;
	if (mark == 0xFEFF)
		t->encoding = TEXT_UTF16LE;
	else if (mark == 0xFFFE)
		t->encoding = TEXT_UTF16BE;
	else
		return;
	t->at += 2;
	t->n_units = (t->n_units - 2) / 2;
}

/* Old editors end a file with Ctrl-Z. */
static void drop_end_of_file(struct text_ref *t, const struct cursor *window)
{
	struct text text = text_at(window, *t);

	if (text.ref.n_units > 0 && text_unit(text, text.ref.n_units - 1) == 0x1A)
		t->n_units--;
}

bool install_take_text(struct manifest *m, enum manifest_file f, struct span span)
{
	struct text_ref *t = &m->texts[f];

	*t = (struct text_ref){ .at = span.at, .n_units = (uint32_t)span.len };
	skip_byte_order_mark(t, m->windows[f]);
	if (t->encoding != TEXT_CP1252 && span.len % 2 != 0)
		return false;
	m->n_units[f] = t->n_units;
	drop_end_of_file(t, &m->windows[f]);
	return true;
}

bool manifest_make_numbers(struct decode *d, struct manifest *m, enum manifest_file f, uint64_t n)
{
	uint64_t rows = n / MANIFEST_STRIDE + 1;

	rows += (uint64_t)MUTANT(243) * 8 * n; /* mutant: numbers take more than their text */
	m->numbers[f] = decode_alloc(d, UMOD_MANIFEST, rows, sizeof *m->numbers[f]);
	return m->numbers[f] != NULL;
}

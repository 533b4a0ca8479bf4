/* What is kept of a text beside packages: finding sections, and the lines in them. */
#include "formats/summary_lines.h"

#include <string.h>

static const struct section {
	const char *name, *extension, *key;
} sections[N_SUMMARY_SECTIONS] = {
#define SECTION(section, name, extension, key) [section] = { name, extension, key },
#include "formats/summary_sections.def"
#undef SECTION
};

bool summary_has_lines(struct text extension)
{
	for (size_t i = 0; i < N_SUMMARY_SECTIONS; i++)
		if (text_is(extension, sections[i].extension))
			return true;
	return false;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* A reading goes through a text twice: rows and texts are NULL while they are counted. */
struct reading {
	struct text whole, extension;
	unsigned section; /* N_SUMMARY_SECTIONS: none that is kept */
	struct summary_line *rows;
	char *texts;
	uint32_t n, n_texts;
};

/* A text begins with a mark if it is UTF-16. */
static struct text open_text(const uint8_t *bytes, uint32_t len)
{
	const struct text marked = { bytes, { .n_units = len / 2, .encoding = TEXT_UTF16LE } };

	if (len >= 2 && text_unit(marked, 0) == 0xFEFF)
		return text_sub(marked, 1, marked.ref.n_units);
	return (struct text){ bytes, { .n_units = len, .encoding = TEXT_CP1252 } };
}

static unsigned section_named(const struct reading *r, struct text name)
{
	unsigned i = 0;

	while (i < N_SUMMARY_SECTIONS &&
	       !(text_is(name, sections[i].name) && text_is(r->extension, sections[i].extension)))
		i++;
	return i;
}

/* The key of an entry of a list is followed by its number in brackets. */
static bool is_wanted(unsigned section, struct text key)
{
	const char *wanted = sections[section].key;
	const struct text name = text_sub(key, 0, text_find(key, '[', 0));

	return *wanted == '\0' || text_is(name, wanted);
}

static uint32_t take_text(struct reading *r, struct text t)
{
	const size_t len = text_utf8_len(t);
	uint8_t utf8[4];
	bool whole;

	for (uint64_t i = 0; r->texts && i < t.ref.n_units;) {
		const uint64_t from = i;
		size_t n;

		text_next(t, &i);
		n = text_utf8(text_sub(t, from, i - from), 1, utf8, &whole);
		memcpy(r->texts + r->n_texts, utf8, n);
		r->n_texts += (uint32_t)n;
	}
	if (!r->texts)
		r->n_texts += (uint32_t)len;
	return (uint32_t)len;
}

static void take_entry(struct reading *r, struct text line, uint64_t equals)
{
	const struct text key = text_trim(text_sub(line, 0, equals)),
			  value = text_trim(text_sub(line, equals + 1, line.ref.n_units));
	const struct span at = text_span(line.ref);
	struct summary_line row = { .at = (uint32_t)at.at,
				    .len = (uint32_t)at.len,
				    .key = r->n_texts,
				    .section = (uint8_t)r->section };

	if (!is_wanted(r->section, key))
		return;
	row.key_len = take_text(r, key);
	row.value = r->n_texts;
	row.value_len = take_text(r, value);
	if (r->rows)
		r->rows[r->n] = row;
	r->n++;
}

static void take_line(struct reading *r, struct text line)
{
	const uint64_t equals = text_find(line, '=', 0);

	if (line.ref.n_units == 0 || text_unit(line, 0) == ';')
		return;
	if (text_unit(line, 0) == '[')
		r->section = section_named(r, text_sub(line, 1, text_find(line, ']', 0) - 1));
	else if (r->section < N_SUMMARY_SECTIONS && equals < line.ref.n_units)
		take_entry(r, line, equals);
}

static void read_lines(struct reading *r)
{
	const uint64_t n = r->whole.ref.n_units;

	r->section = N_SUMMARY_SECTIONS;
	r->n = r->n_texts = 0;
	for (uint64_t at = 0; at < n;) {
		const uint64_t end = text_find(r->whole, '\n', at);
		struct text line = text_sub(r->whole, at, end - at);

		if (line.ref.n_units > 0 && text_unit(line, line.ref.n_units - 1) == '\r')
			line = text_sub(line, 0, line.ref.n_units - 1);
		take_line(r, text_trim(line));
		at = end + 1;
	}
}

const struct summary_lines *summary_lines_of(struct arena *arena, struct text extension,
					     const uint8_t *bytes, uint32_t len)
{
	struct reading r = { .whole = open_text(bytes, len), .extension = extension };
	struct summary_lines *l = arena_alloc(arena, 1, sizeof *l);

	read_lines(&r);
	r.rows = arena_alloc(arena, r.n, sizeof *r.rows);
	r.texts = arena_alloc(arena, r.n_texts, 1);
	if (!l || !r.rows || !r.texts)
		return NULL;
	read_lines(&r);
	*l = (struct summary_lines){ r.n, r.n_texts, r.rows, r.texts };
	return l;
}

const struct summary_lines *summary_lines_copy(struct arena *arena, const struct summary_lines *l)
{
	struct summary_lines *copy = arena_alloc(arena, 1, sizeof *copy);
	struct summary_line *rows = arena_alloc(arena, l->n, sizeof *rows);
	char *texts = arena_alloc(arena, l->n_texts, 1);

	if (!copy || !rows || !texts)
		return NULL;
	if (l->n > 0)
		memcpy(rows, l->rows, l->n * sizeof *rows);
	if (l->n_texts > 0)
		memcpy(texts, l->texts, l->n_texts);
	*copy = (struct summary_lines){ l->n, l->n_texts, rows, texts };
	return copy;
}

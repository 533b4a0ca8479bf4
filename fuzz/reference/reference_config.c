/* A reference reading of configurations. */
#include "reference/reference_config.h"

#include <stdint.h>
#include <string.h>

enum { LINE_MAX_LEN = 190, WORD_MAX_LEN = 48 };

#define MARK "\xEF\xBB\xBF"

bool reference_words_are(struct reference_words words, const char *string)
{
	return strlen(string) == words.n && memcmp(words.at, string, words.n) == 0;
}

/* ---- Words ----------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct reference_words stripped(struct reference_words w)
{
	while (w.n > 0 && is_blank(w.at[0])) {
		w.at++;
		w.n--;
	}
	while (w.n > 0 && is_blank(w.at[w.n - 1]))
		w.n--;
	return w;
}

static struct reference_words part(struct reference_words w, size_t from, size_t to)
{
	return (struct reference_words){ w.at + from, to - from };
}

/* Without a comment, which begins with a blank and a semicolon. */
static struct reference_words without_comment(struct reference_words w)
{
	for (size_t i = 1; i < w.n; i++)
		if (w.at[i] == ';' && is_blank(w.at[i - 1]))
			return part(w, 0, i - 1);
	return w;
}

static size_t find(struct reference_words w, const char *any)
{
	for (size_t i = 0; i < w.n; i++)
		if (strchr(any, w.at[i]))
			return i;
	return w.n;
}

static bool is_marked(struct reference_words w)
{
	return w.n >= strlen(MARK) && memcmp(w.at, MARK, strlen(MARK)) == 0;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static bool has_wrong_bytes(struct reference_words line)
{
	const bool is_of_dos = line.n > 0 && line.at[line.n - 1] == '\r';

	for (size_t i = 0; i < line.n - is_of_dos; i++) {
		const unsigned char c = (unsigned char)line.at[i];

		if (c != '\t' && (c < 0x20 || c == 0x7F))
			return true;
	}
	return false;
}

/* A section may be any words, as long as no setting follows. */
static bool read_section(struct reference_words line, struct reference_words *section)
{
	const size_t end = find(line, "]");
	struct reference_words name, rest;

	if (end == line.n)
		return false;
	name = part(line, 1, end);
	rest = stripped(part(line, end + 1, line.n));
	*section = name;
	return name.n <= WORD_MAX_LEN && without_comment(name).n == name.n &&
	       (rest.n == 0 || rest.at[0] == ';' || rest.at[0] == '#');
}

/* WORD, or WORD "PATTERN". */
static bool split_section(struct reference_words section, struct reference_setting *out)
{
	const size_t quote = find(section, "\"");
	size_t end = quote;

	out->section = part(section, 0, quote);
	while (out->section.n > 0 && is_blank(out->section.at[out->section.n - 1]))
		out->section.n--;
	out->glob = part(section, quote, quote);
	if (quote == section.n)
		return true;
	end = section.n - 1;
	if (section.at[end] != '"' || end < quote + 2)
		return false;
	out->glob = part(section, quote + 1, end);
	return true;
}

static bool read_setting(struct reference_words line, struct reference_words section,
			 struct reference_setting *out)
{
	const struct reference_words whole = without_comment(line);
	const size_t equals = find(whole, "=:");

	if (equals == whole.n || !split_section(section, out))
		return false;
	out->name = stripped(part(whole, 0, equals));
	out->value = stripped(without_comment(part(line, equals + 1, line.n)));
	return out->name.n > 0 && out->name.n <= WORD_MAX_LEN;
}

static struct reference_words next_line(const char *text, size_t n)
{
	const char *end = memchr(text, '\n', n);

	return (struct reference_words){ text, end ? (size_t)(end - text) : n };
}

/* A line that is a comment or nothing is begun by neither a name nor a bracket. */
static bool is_nothing(struct reference_words line)
{
	const struct reference_words words = stripped(line);

	return words.n == 0 || *line.at == ';' || *line.at == '#';
}

/* Reads a line into the section or into out; *is_setting tells which. */
static bool read_line(struct reference_words line, struct reference_words *section,
		      struct reference_setting *out, bool *is_setting)
{
	*is_setting = false;
	if (line.n > LINE_MAX_LEN || has_wrong_bytes(line) || is_marked(line))
		return false;
	if (is_nothing(line))
		return true;
	if (is_blank(*line.at))
		return false;
	if (*line.at == '[')
		return read_section(stripped(line), section);
	*is_setting = true;
	return read_setting(stripped(line), *section, out);
}

size_t reference_config(const char *text, size_t n, struct reference_setting *out, size_t max)
{
	struct reference_words section = { text, 0 }, line = { text, n };
	struct reference_setting one = { .line = 0 };
	size_t n_settings = 0;
	bool is_setting;

	for (size_t at = is_marked(line) ? strlen(MARK) : 0; at < n; at += line.n + 1) {
		line = next_line(text + at, n - at);
		one.line++;
		if (!read_line(line, &section, &one, &is_setting))
			return SIZE_MAX;
		if (is_setting && n_settings < max)
			out[n_settings] = one;
		n_settings += is_setting;
	}
	return n_settings;
}

/* Strict readers for pipelines, written without a look at the writers. */
#include "support/strict_pipelines.h"

#include <string.h>

#include "support/strict.h"

struct text {
	const uint8_t *at, *end;
};

static bool starts(const struct text *t, const char *word)
{
	const size_t len = strlen(word);

	return (size_t)(t->end - t->at) >= len && memcmp(t->at, word, len) == 0;
}

static bool eat(struct text *t, const char *word)
{
	if (!starts(t, word))
		return false;
	t->at += strlen(word);
	return true;
}

/* ---- XML ------------------------------------------------------------------------------------- */

enum { DEPTH_MAX = 8 };

struct name {
	const uint8_t *at;
	size_t len;
};

static bool is_of_name(uint8_t byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || byte == '-';
}

static bool eat_name(struct text *t, struct name *name)
{
	name->at = t->at;
	while (t->at < t->end && is_of_name(*t->at))
		t->at++;
	name->len = (size_t)(t->at - name->at);
	return name->len > 0;
}

static bool eat_entity(struct text *t)
{
	return eat(t, "&lt;") || eat(t, "&gt;") || eat(t, "&amp;") || eat(t, "&quot;") ||
	       eat(t, "&#39;");
}

/* Text up to that byte, which is left where it is. */
static bool eat_text(struct text *t, uint8_t until)
{
	while (t->at < t->end && *t->at != until) {
		if (*t->at == '<' || *t->at == '>')
			return false;
		if (*t->at != '&')
			t->at++;
		else if (!eat_entity(t))
			return false;
	}
	return t->at < t->end;
}

static bool eat_attributes(struct text *t)
{
	struct name name;

	while (eat(t, " ")) {
		if (!eat_name(t, &name) || !eat(t, "=\"") || !eat_text(t, '"'))
			return false;
		t->at++;
	}
	return true;
}

struct open {
	struct name names[DEPTH_MAX];
	size_t n;
};

static bool eat_tag(struct text *t, struct open *open)
{
	struct name name;

	if (eat(t, "</")) {
		if (open->n == 0 || !eat_name(t, &name) || !eat(t, ">"))
			return false;
		open->n--;
		return name.len == open->names[open->n].len &&
		       memcmp(name.at, open->names[open->n].at, name.len) == 0;
	}
	if (open->n == DEPTH_MAX || !eat(t, "<") || !eat_name(t, &name) || !eat_attributes(t))
		return false;
	if (eat(t, "/>"))
		return true;
	open->names[open->n++] = name;
	return eat(t, ">");
}

static bool is_markup(const uint8_t *bytes, size_t n, const char *first)
{
	struct text t = { bytes, bytes + n };
	struct open open = { .n = 0 };

	if (strict_text(bytes, n, false) || !eat(&t, first))
		return false;
	do {
		if (!eat_tag(&t, &open))
			return false;
		if (open.n > 0 && !eat_text(&t, '<'))
			return false;
	} while (open.n > 0);
	return eat(&t, "\n") && t.at == t.end;
}

bool strict_xml(const uint8_t *bytes, size_t n)
{
	return is_markup(bytes, n, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
}

bool strict_html(const uint8_t *bytes, size_t n)
{
	return is_markup(bytes, n, "<!DOCTYPE html>\n");
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* Source: RFC 4180, and what spreadsheets compute: see escape_write. */
static bool eat_quoted(struct text *t)
{
	if (starts(t, "=") || starts(t, "+") || starts(t, "-") || starts(t, "@"))
		return false;
	while (t->at < t->end) {
		if (*t->at != '"')
			t->at++;
		else if (!eat(t, "\"\""))
			return eat(t, "\"");
	}
	return false;
}

static bool eat_field(struct text *t)
{
	if (eat(t, "\""))
		return eat_quoted(t);
	while (t->at < t->end &&
	       ((*t->at >= '0' && *t->at <= '9') || (*t->at >= 'a' && *t->at <= 'z')))
		t->at++;
	return true;
}

static bool eat_row(struct text *t, size_t *n_fields)
{
	const uint8_t *start = t->at;

	*n_fields = 0;
	do {
		++*n_fields;
		if (!eat_field(t))
			return false;
	} while (eat(t, ","));
	return !strict_text(start, (size_t)(t->at - start), false) && eat(t, "\r\n");
}

bool strict_csv(const uint8_t *bytes, size_t n)
{
	struct text t = { bytes, bytes + n };
	size_t n_head, n_fields;

	if (!eat_row(&t, &n_head))
		return false;
	while (t.at < t.end)
		if (!eat_row(&t, &n_fields) || n_fields != n_head)
			return false;
	return true;
}

/* ---- Workflow commands ----------------------------------------------------------------------- */

static bool is_annotation(struct text line)
{
	if (!eat(&line, "::error file=") && !eat(&line, "::warning file=") &&
	    !eat(&line, "::notice file="))
		return false;
	while (line.at < line.end && *line.at != ',' && *line.at != ':')
		line.at++;
	if (!eat(&line, ",title="))
		return false;
	while (line.at < line.end && *line.at != ',' && *line.at != ':')
		line.at++;
	return eat(&line, "::");
}

bool strict_commands(const uint8_t *bytes, size_t n)
{
	const uint8_t *at = bytes, *end;
	size_t len;

	while (n > 0) {
		end = memchr(at, '\n', n);
		if (!end)
			return false;
		len = (size_t)(end - at);
		if (len < 2 || strict_text(at + 2, len - 2, false))
			return false;
		if (!is_annotation((struct text){ at, end }))
			break;
		at = end + 1;
		n -= len + 1;
	}
	/* no "::" in front: the line is a summary, and the last one */
	return n > 0 && memcmp(at, "uvet: ", n < 6 ? n : 6) == 0 &&
	       memchr(at, '\n', n) == at + n - 1;
}

/* Reading a configuration: by inih, which cuts what is too long for it and joins lines that begin
 * with blanks. So each line is looked at first, and what inih would read in another way than it
 * stands there is refused. */
#include "cli/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "core/mutant.h"

#ifdef UVET_WITH_INIH
#include <ini.h>

#include "cli/lines.h"
#endif

static void complain(const struct config *c, unsigned line, const char *trouble)
{
	char number[16];

	snprintf(number, sizeof number, "%u", line);
	message("'%s', line %t: %t", c->path, number, trouble);
}

#ifdef UVET_WITH_INIH

/* ---- Before inih ----------------------------------------------------------------------------- */

static const char *trouble_of_section(const char *line, size_t len)
{
	const char *end = memchr(line, ']', len);
	size_t at;

	if (!end)
		return "a section ends with ]";
	at = (size_t)(end - line) + 1;
	if (at - 2 > CONFIG_WORD_MAX)
		return "a section's name has at most 48 bytes";
	while (at < len && is_blank(line[at]))
		at++;
	return at == len || line[at] == ';' || line[at] == '#'
		       ? NULL
		       : "nothing may follow the ] of a section";
}

/* The length of a line without a carriage return before its end. */
static size_t without_cr(const char *line, size_t len)
{
	return len - (len > 0 && line[len - 1] == '\r');
}

static const char *trouble_of_line(const char *line, size_t len)
{
	size_t name;

	if (len > (size_t)CONFIG_LINE_MAX + (size_t)MUTANT(246)) /* mutant: a line may be longer */
		return "a line has at most 190 bytes";
	if (memchr(line, '\0', len))
		return "a configuration is a text, and has no NUL";
	/* inih takes some of them for blanks: a line that begins with one would go on with the
	 * setting above it, as often as there are such lines, for which there is no room */
	if (has_control(line, without_cr(line, len)))
		return "a configuration has no control characters but tabs";
	if (text_after_mark(line) != line) /* inih passes over one, too */
		return "a second byte order mark is no part of a text";
	len = trimmed(line, len);
	if (len == 0 || *line == ';' || *line == '#')
		return NULL;
	if (is_blank(*line))
		return "a line may not begin with blanks";
	if (*line == '[')
		return trouble_of_section(line, len);
	for (name = 0; name < len && line[name] != '=' && line[name] != ':'; name++)
		continue;
	if (name == len)
		return "expected NAME = VALUE, or [SECTION]";
	name = trimmed(line, name);
	if (name == 0)
		return "there is no name before the =";
	return name > CONFIG_WORD_MAX ? "a name has at most 48 bytes" : NULL;
}

static bool lines_are_sound(const struct config *c, const char *text, size_t len)
{
	unsigned line = 1;

	for (size_t at = 0; at < len; line++) {
		const char *end = memchr(text + at, '\n', len - at);
		const size_t n = end ? (size_t)(end - (text + at)) : len - at;
		const char *trouble = trouble_of_line(text + at, n);

		if (trouble) {
			complain(c, line, trouble);
			return false;
		}
		at += n + 1;
	}
	return true;
}

/* ---- inih ------------------------------------------------------------------------------------ */

/* A parse is one call of inih. What it gives is gone when the next line is read. */
struct parse {
	struct config *config;
	const char *text, *end;
	unsigned line;       /* that was read last */
	const char *trouble; /* what is wrong there; NULL: nothing yet */
};

/* Reads the next line as fgets does. */
static char *read_line(char *out, int size, void *ctx)
{
	struct parse *p = ctx;
	const char *newline = memchr(p->text, '\n', (size_t)(p->end - p->text));
	const size_t len = (size_t)((newline ? newline + 1 : p->end) - p->text);

	if (len == 0 || p->trouble)
		return NULL;
	p->line++;
	if (len + 1 > (size_t)size) {
		p->trouble = "this build's inih reads no line as long as this one";
		return NULL;
	}
	memcpy(out, p->text, len);
	out[len] = '\0';
	p->text += len;
	return out;
}

static const char *keep(struct config *c, const char *s, size_t len)
{
	char *kept = c->texts + c->n_texts;

	memcpy(kept, s, len);
	kept[len] = '\0';
	c->n_texts += len + 1;
	return kept;
}

static const char *join(struct config *c, const char *name, const char *value)
{
	const char *joined = keep(c, name, strlen(name));

	c->texts[c->n_texts - 1] = '='; /* in place of the NUL */
	keep(c, value, strlen(value));
	return joined;
}

/* Keeps a section's name and what stands in quotes after it; false: it is not so written. */
static bool keep_section(struct config *c, const char *section, struct config_line *out)
{
	const size_t len = strlen(section), word = strcspn(section, "\"");

	out->section = keep(c, section, trimmed(section, word));
	out->glob = "";
	if (word == len)
		return true;
	if (len < word + 3 || section[len - 1] != '"')
		return false;
	/* mutant: a letter is lost */
	out->glob = keep(c, section + word + 1, len - word - 2 - (size_t)MUTANT(247));
	return true;
}

/* Takes a setting; 0 ends the reading. There is room for all lines and their texts. */
static int take_line(void *ctx, const char *section, const char *name, const char *value)
{
	struct parse *p = ctx;
	struct config *c = p->config;
	struct config_line *line = &c->lines[c->n];

	if (!keep_section(c, section, line)) {
		p->trouble = "expected [SECTION] or [SECTION \"PATTERN\"] above it";
		return 0;
	}
	line->name = keep(c, name, strlen(name));
	line->value = keep(c, value, strlen(value));
	line->assignment = join(c, name, value);
	line->line = p->line;
	c->n++;
	return 1;
}

/* A setting has its section's name, its own and its value, these two joined too, each with a NUL.
 */
static bool make_room(struct config *c, const char *text, size_t len)
{
	size_t n_lines = 1;

	for (size_t i = 0; i < len; i++)
		n_lines += text[i] == '\n';
	c->lines = malloc(n_lines * sizeof *c->lines);
	/* mutant: no room for sections */
	c->texts = malloc(2 * len + n_lines * (MUTANT(245) ? 6 : CONFIG_WORD_MAX + 6));
	return c->lines && c->texts;
}

bool config_parse(struct config *c, const char *text, size_t len)
{
	struct parse p = { .config = c, .text = text_after_mark(text), .end = text + len };
	int failed;

	text = p.text;
	len = (size_t)(p.end - text);
	if (!lines_are_sound(c, text, len))
		return false;
	if (!make_room(c, text, len)) {
		message("out of memory");
		return false;
	}
	failed = ini_parse_stream(read_line, &p, take_line, &p);
	if (p.trouble)
		complain(c, p.line, p.trouble);
	else if (failed != 0) /* the first line that inih refuses, as one with `;` before its `=` */
		complain(c, (unsigned)(failed > 0 ? failed : 0),
			 "it is no line of a configuration");
	return failed == 0 && !p.trouble;
}

const char *config_library(void)
{
	return "inih";
}

#else

const char *config_library(void)
{
	return "none";
}

bool config_parse(struct config *c, const char *text, size_t len)
{
	(void)text;
	(void)len;
	complain(c, 1, "this build has no inih, which reads configurations");
	return false;
}

#endif

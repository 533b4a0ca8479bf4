/* SARIF's account of the tool: one reporting descriptor for each rule. */
#include "report/sarif/sarif_rules.h"

#include <string.h>

#include "report/escape.h"

const char *sarif_level(enum severity s)
{
	switch (s) {
	case SEVERITY_ERROR:
		return "error";
	case SEVERITY_WARNING:
		return "warning";
	case SEVERITY_NOTE:
		return "note";
	default:
		return "none";
	}
}

static bool is_brace(char c)
{
	return c == '{' || c == '}';
}

void sarif_text(struct json *j, const char *key, const char *text, size_t len, bool github)
{
	size_t from = 0;

	json_open_string(j, key);
	for (size_t i = 0; i < len; i++) {
		if (!github && is_brace(text[i])) {
			escape_write(j->out, ESCAPE_JSON, text + from, i + 1 - from);
			from = i;
		} else if (text[i] == '(' && i > 0 && text[i - 1] == ']') {
			escape_write(j->out, ESCAPE_JSON, text + from, i - from);
			escape_string(j->out, ESCAPE_JSON, "\\x28");
			from = i + 1;
		}
	}
	escape_write(j->out, ESCAPE_JSON, text + from, len - from);
	json_close_string(j);
}

static void write_words(struct json *j, const char *key, const char *words, bool github)
{
	json_object(j, key);
	sarif_text(j, "text", words, strlen(words), github);
	json_end(j);
}

/* GitHub sorts security alerts by a number from 0 to 10, of which it makes four words: what fails a
 * file is high, a warning medium, the rest low. */
static const char *security_severity(enum severity s)
{
	switch (s) {
	case SEVERITY_ERROR:
		return "8.0";
	case SEVERITY_WARNING:
		return "5.0";
	default:
		return "2.0";
	}
}

enum { CLASS_OWN = 1, CLASS_EXPLAINED = 2 };

uint8_t *sarif_classes_make(struct arena *arena, size_t n_rules)
{
	uint8_t *classes = arena_alloc(arena, n_rules, 1);

	if (classes)
		memset(classes, 0, n_rules);
	return classes;
}

void sarif_classes_add(uint8_t *classes, size_t rule, bool is_own)
{
	classes[rule] |= is_own ? CLASS_OWN : CLASS_EXPLAINED;
}

static void write_tags(struct json *j, const struct rule *r, uint8_t found)
{
	const enum rule_class class = found == CLASS_EXPLAINED ? CLASS_CORRUPTION : r->class;
	char family[4] = { 0 };

	memcpy(family, r->id, 3);
	json_object(j, "properties");
	json_string(j, "precision", r->flags & RULE_HEURISTIC ? "medium" : "very-high");
	if (class == CLASS_SECURITY)
		json_string(j, "security-severity", security_severity(r->severity));
	json_array(j, "tags");
	json_string(j, NULL, rule_class_name(class));
	json_string(j, NULL, family);
	json_end(j);
	json_end(j);
}

/* Texts may have letters that Markdown takes for marks. */
static void write_markdown_words(struct out *o, const char *s)
{
	for (; *s; s++) {
		if (strchr("\\`*_[]<>#|~", *s))
			escape_string(o, ESCAPE_JSON, "\\");
		escape_write(o, ESCAPE_JSON, s, 1);
	}
}

static void write_markdown(struct json *j, const struct rule *r)
{
	json_open_string(j, "markdown");
	out_string(j->out, "**Why:** ");
	write_markdown_words(j->out, r->why);
	out_string(j->out, "\\n\\n**What to do:** ");
	write_markdown_words(j->out, r->fix);
	out_string(j->out, "\\n\\n`uvet explain ");
	out_string(j->out, r->id);
	out_string(j->out, "` says more.");
	json_close_string(j);
}

static void write_help(struct json *j, const struct rule *r, const struct writer *w)
{
	json_object(j, "help");
	write_markdown(j, r);
	sarif_text(j, "text", r->fix, strlen(r->fix), w->type->github);
	json_end(j);
	if (!w->tool.rules_uri)
		return;
	json_open_string(j, "helpUri");
	escape_string(j->out, ESCAPE_JSON, w->tool.rules_uri);
	out_byte(j->out, '#');
	out_string(j->out, r->id);
	json_close_string(j);
}

static void write_rule(struct json *j, const struct rule *r, const struct writer *w, uint8_t found)
{
	json_object(j, NULL);
	json_object(j, "defaultConfiguration");
	json_string(j, "level", sarif_level(r->severity));
	json_end(j);
	write_words(j, "fullDescription", r->why, w->type->github);
	write_help(j, r, w);
	json_string(j, "id", r->id);
	json_string(j, "name", r->name);
	write_tags(j, r, found);
	write_words(j, "shortDescription", r->title, w->type->github);
	json_end(j);
}

void sarif_tool(struct json *j, const struct writer *w)
{
	const uint8_t *classes = w->own;

	json_object(j, "tool");
	json_object(j, "driver");
	json_string(j, "name", "uvet");
	json_object(j, "properties");
	json_string(j, "ruleset", w->tool.ruleset);
	json_end(j);
	json_array(j, "rules");
	for (size_t i = 0; i < w->engine->n_rules; i++)
		if (!w->engine->rules[i]->is_again)
			write_rule(j, w->engine->rules[i], w, classes[i]);
	json_end(j);
	json_string(j, "semanticVersion", w->tool.version);
	json_string(j, "version", w->tool.version);
	json_end(j);
	json_end(j);
}

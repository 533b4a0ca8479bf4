/* The gitlab report: code quality as GitLab reads it, one JSON array. GitLab knows only the
 * files of a repository and takes two issues with one fingerprint for the same. Accepted findings
 * are left out. */
#include <string.h>

#include "codec/crc.h"
#include "report/json/json.h"
#include "report/pipeline/told.h"

static void begin(struct writer *w)
{
	out_byte(&w->out, '[');
}

static const char *level(const struct told *t)
{
	switch (t->severity) {
	case SEVERITY_NOTE:
		return "info";
	case SEVERITY_WARNING:
		return "minor";
	case SEVERITY_UNDETERMINED:
		return "major";
	default:
		return strcmp(told_class(t), rule_class_name(CLASS_SECURITY)) == 0 ? "blocker"
										   : "critical";
	}
}

static void write_description(struct json *j, const struct writer *w, const struct told *t)
{
	struct out text;

	told_render(&text, w, t);
	json_open_string(j, "description");
	if (!t->diagnosis) {
		escape_string(j->out, ESCAPE_JSON, told_rule(t));
		out_string(j->out, ": ");
	}
	escape_write(j->out, ESCAPE_JSON, text.buf, text.n);
	told_advice(j->out, ESCAPE_JSON, t);
	if (!entry_has_path(t->entry)) {
		out_string(j->out, " [in ");
		escape_string(j->out, ESCAPE_JSON, t->entry->report->name);
		out_byte(j->out, ']');
	}
	json_close_string(j);
}

/* The path is a part of it: the same file may lie in two folders. */
static void write_fingerprint(struct json *j, const struct told *t)
{
	const char *name = t->entry->report->name;
	struct crc path = { 0 };

	crc_add(&path, (const uint8_t *)name, strlen(name));
	json_open_string(j, "fingerprint");
	if (t->finding)
		told_fingerprint(j->out, t);
	else
		out_string(j->out, told_rule(t));
	out_byte(j->out, '-');
	out_hex(j->out, path.value, 8);
	json_close_string(j);
}

static void write_issue(struct json *j, const struct writer *w, const struct told *t)
{
	json_object(j, NULL);
	json_string(j, "check_name", told_rule(t));
	write_description(j, w, t);
	write_fingerprint(j, t);
	json_object(j, "location");
	json_object(j, "lines");
	json_number(j, "begin", 1);
	json_end(j);
	json_open_string(j, "path");
	told_path(j->out, ESCAPE_JSON, t);
	json_close_string(j);
	json_end(j);
	json_string(j, "severity", level(t));
	json_end(j);
}

static void add(struct writer *w, const struct entry *e)
{
	const size_t n = told_count(e);
	struct json j;
	struct told t;

	for (size_t i = 0; i < n; i++) {
		t = told_at(e, n, i);
		if (t.reason)
			continue;
		out_string(&w->out, w->begun_list ? ",\n" : "\n");
		w->begun_list = true;
		json_init(&j, &w->out);
		write_issue(&j, w, &t);
	}
}

static void end(struct writer *w, const struct totals *t)
{
	(void)t;
	out_string(&w->out, "\n]\n");
}

const struct writer_type writer_gitlab = {
	.name = "gitlab", .fingerprints = true, .begin = begin, .add = add, .end = end
};

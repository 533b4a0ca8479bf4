/* Descriptions: counting words. */
#include "report/describe.h"

#include <string.h>

const char *describe_verdict(enum verdict v)
{
	static const char *const words[] = { "VALID", "INVALID", "UNDETERMINED", "NOT APPLICABLE" };

	return words[v];
}

static void write_upper(struct out *o, const char *s)
{
	for (; *s; s++)
		out_byte(o, *s >= 'a' && *s <= 'z' ? (uint8_t)(*s - 32) : (uint8_t)*s);
}

void describe_format(struct out *o, const struct format *f, uint64_t version)
{
	if (!f) {
		out_string(o, "no known format");
		return;
	}
	write_upper(o, f->name);
	if (version > 0) {
		out_byte(o, ' ');
		out_dec(o, version);
	}
	out_string(o, " (");
	out_string(o, f->title);
	out_byte(o, ')');
}

/* A companion lies in the folder of the file itself. */
void describe_path(struct out *o, enum escape medium, const struct report *r, uint32_t number)
{
	const char *file = report_file(r, number);
	size_t len = strlen(r->name);

	while (*file && len > 0 && r->name[len - 1] != '/' && r->name[len - 1] != '\\')
		len--;
	if (len > 0)
		escape_write(o, medium, r->name, len);
	if (*file)
		escape_string(o, len > 0 && medium == ESCAPE_LINE ? ESCAPE_TERMINAL : medium, file);
}

void describe_found(struct out *o, const uint64_t n_found[SEVERITY_ERROR + 1])
{
	static const struct { enum severity severity; const char *word; } kinds[] = {
		{ SEVERITY_ERROR, "error" }, { SEVERITY_WARNING, "warning" }, { SEVERITY_NOTE, "note" },
	};
	const char *before = "";

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (n_found[kinds[i].severity] == 0)
			continue;
		out_string(o, before);
		out_count(o, n_found[kinds[i].severity], kinds[i].word);
		before = ", ";
	}
	if (n_found[SEVERITY_UNDETERMINED] > 0) {
		out_string(o, before);
		out_dec(o, n_found[SEVERITY_UNDETERMINED]);
		out_string(o, " undetermined");
	} else if (!*before) {
		out_string(o, "no findings");
	}
}

void describe_guid(char out[GUID_TEXT_LEN + 1], const uint32_t guid[4])
{
	for (unsigned i = 0; i < GUID_TEXT_LEN; i++)
		out[i] = "0123456789ABCDEF"[guid[i / 8] >> (28 - 4 * (i % 8)) & 15];
	out[GUID_TEXT_LEN] = '\0';
}

void describe_counts(struct out *o, const struct report *r)
{
	for (size_t i = 0; i < r->n_infos; i++) {
		const struct info *info = &r->infos[i];

		if (info->word || info->hex || info->plain || info->is_guid)
			continue;
		out_string(o, ", ");
		out_dec(o, info->number);
		out_byte(o, ' ');
		for (const char *c = info->name; *c; c++)
			out_byte(o, *c == '_' ? ' ' : (uint8_t)*c);
	}
}

static uint64_t found_by(const struct rule_result *result)
{
	uint64_t n = 0;

	for (size_t i = SEVERITY_NOTE; i <= SEVERITY_ERROR; i++)
		n += result->n_found[i];
	return n;
}

/* Findings stand in the order of their rules, so that one walk counts those of each. */
void describe_omitted(struct out *o, const struct report *r, size_t n_shown, const char *before, const char *after)
{
	size_t next = 0;

	for (size_t i = 0; (i = results_next(&r->results, RULE_FAIL, i, r->n_rules)) < r->n_rules; i++) {
		const uint64_t found = found_by(results_of(&r->results, i));
		uint64_t shown = 0;

		for (; next < n_shown && r->findings[next]->rule == r->rules[i]; next++)
			shown++;
		if (found <= shown)
			continue;
		out_string(o, before);
		out_dec(o, found - shown);
		out_string(o, shown > 0 ? " more " : " ");
		out_string(o, r->rules[i]->id);
		out_string(o, after);
	}
}

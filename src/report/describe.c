/* Descriptions: counting words. */
#include "report/describe.h"

#include "core/ending.h"
#include "engine/foreign.h"
#include "report/message.h"

#include <string.h>

const char *describe_verdict(enum verdict v)
{
	static const char *const words[] = { "VALID", "INVALID", "UNDETERMINED", "NOT APPLICABLE" };

	return words[v];
}

/* The name of a format: small letters and digits. */
static void write_upper(struct out *o, const char *s)
{
	for (; *s; s++)
		out_byte(o, *s >= 'a' ? (uint8_t)(*s - 32) : (uint8_t)*s);
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

/* Whether it could not be read so early that its format is not known. */
static bool is_unread(const struct report *r)
{
	for (size_t i = 0; i < r->n_unjudged; i++)
		if ((r->unjudged[i].reason == UNJUDGED_UNREADABLE ||
		     r->unjudged[i].reason == UNJUDGED_CROWDED) &&
		    !*r->unjudged[i].file)
			return !r->format;
	return false;
}

void describe_kind(struct out *o, const struct report *r)
{
	struct foreign foreign = { NULL, NULL, "" };

	if (!r->format)
		foreign = foreign_tell(r);
	if (is_unread(r))
		out_string(o, "cannot be read");
	else if (!foreign.kind)
		describe_format(o, r->format, r->version);
	else {
		out_string(o, foreign.why);
		out_string(o, ": ");
		out_string(o, foreign.kind);
	}
}

/* A companion lies in the folder of the file itself. */
void describe_path(struct out *o, enum escape medium, const struct report *r, uint32_t number)
{
	const char *file = report_file(r, number);
	const size_t len = *file ? folder_len(r->name) : strlen(r->name);

	if (len > 0)
		escape_write(o, medium, r->name, len);
	if (*file)
		escape_string(o, len > 0 && medium == ESCAPE_LINE ? ESCAPE_NAME : medium, file);
}

void describe_diagnosis(struct out *o, const struct diagnosis *d)
{
	out_string(o, d->confidence == CONFIDENCE_CERTAIN ? "cause: " : "most likely: ");
	message_write_diagnosis(o, d);
}

void describe_advice(struct out *o, enum escape medium, const struct diagnosis *d)
{
	escape_string(o, medium, d->kind->player);
	out_byte(o, ' ');
	escape_string(o, medium, d->kind->author);
}

void describe_found(struct out *o, const uint64_t n_found[SEVERITY_ERROR + 1])
{
	static const struct {
		enum severity severity;
		const char *word;
	} kinds[] = {
		{ SEVERITY_ERROR, "error" },
		{ SEVERITY_WARNING, "warning" },
		{ SEVERITY_NOTE, "note" },
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

void describe_accepted(struct out *o, uint64_t n)
{
	if (n == 0)
		return;
	out_string(o, ", ");
	out_dec(o, n);
	out_string(o, " accepted");
}

void describe_fail_on(struct out *o, const struct fail_on *f)
{
	const char *before = "";

	if (f->level != SEVERITY_NONE || f->classes == 0) {
		out_string(o, f->level == SEVERITY_NONE ? "never" : severity_name(f->level));
		before = ",";
	}
	for (int c = CLASS_CORRUPTION; c <= CLASS_RESOURCE; c++) {
		if (!(f->classes & 1u << c))
			continue;
		out_string(o, before);
		out_string(o, rule_class_name((enum rule_class)c));
		before = ",";
	}
}

/* ---- Scopes ---------------------------------------------------------------------------------- */

/* How many parts are named at most; of more only the first, and how many others there are. */
enum { PARTS_MAX = 4 };

/* A name of snake_case, as words. */
static void write_words(struct out *o, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		out_byte(o, name[i] == '_' ? ' ' : (uint8_t)name[i]);
}

static void write_parts(struct out *o, const struct scope *s)
{
	const char *name, *before = "";
	size_t i = 0, n = 0;

	while ((name = scope_next_part(s, &i)) != NULL) {
		if (++n > PARTS_MAX)
			continue;
		out_string(o, before);
		write_words(o, name, strlen(name));
		before = ", ";
	}
	if (n > PARTS_MAX) {
		out_string(o, " and ");
		out_count(o, n - PARTS_MAX, "other part");
	}
	out_string(o, " of this version not judged");
}

static void write_rules(struct out *o, const struct scope *s)
{
	if (s->n_off > 0) {
		out_count(o, s->n_off, "rule");
		out_string(o, s->n_lowered > 0 ? " off, " : " off");
	}
	if (s->n_lowered == 0)
		return;
	if (s->n_off > 0)
		out_dec(o, s->n_lowered);
	else
		out_count(o, s->n_lowered, "rule");
	out_string(o, " lowered");
}

static void begin_part(struct out *o, bool *begun)
{
	out_string(o, *begun ? "; " : " (");
	*begun = true;
}

void describe_scope(struct out *o, const struct scope *s)
{
	bool begun = false;

	if (s->flags & SCOPE_TABLES) {
		begin_part(o, &begun);
		out_string(o, s->flags & SCOPE_ALONE ? "tables only, without the files beside it"
						     : "tables only");
	}
	if (s->flags & SCOPE_RULES) {
		begin_part(o, &begun);
		write_rules(o, s);
	}
	if (s->flags & SCOPE_VERSION) {
		begin_part(o, &begun);
		write_parts(o, s);
	}
	if (begun)
		out_byte(o, ')');
}

/* ---- What was not judged --------------------------------------------------------------------- */

static void write_limit(struct out *o, const struct unjudged *u, const struct limits *limits)
{
	out_string(o, "the limit ");
	out_string(o, u->what);
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		if (strcmp(limit_infos[i].option, u->what) != 0)
			continue;
		out_string(o, " of ");
		out_dec(o, limits->of[i]);
	}
	out_string(o, " was reached");
}

static void write_reason(struct out *o, const struct unjudged *u, const struct limits *limits)
{
	static const char *const words[N_UNJUDGED_REASONS] = {
		[UNJUDGED_CODEC] = "this build has no ",
		[UNJUDGED_COMPANION] = "",
		[UNJUDGED_KEY] = "",
		[UNJUDGED_MEMORY] = "memory ran out",
		[UNJUDGED_UNREADABLE] = "",
		[UNJUDGED_CROWDED] = "",
		[UNJUDGED_CHANGED] = "it changed while it was read",
		[UNJUDGED_CANCELLED] = "the check was cancelled",
		[UNJUDGED_TIME] = "the check took too long",
		[UNJUDGED_WORKER] = "the process that checked it ended",
		[UNJUDGED_FORMAT] = "",
		[UNJUDGED_RULES] = "no rule of its format that can find an error was asked",
		[UNJUDGED_RULE] = "see ",
	};

	if (u->reason == UNJUDGED_LIMIT) {
		write_limit(o, u, limits);
		return;
	}
	if (u->reason == UNJUDGED_COMPANION)
		out_string(o, *u->what ? "it is judged only with "
				       : "no file beside the input was looked for");
	if (u->reason == UNJUDGED_FORMAT)
		out_string(o, *u->what ? "it may be read as another format: "
				       : "it is of no known format");
	out_string(o, words[u->reason]);
	out_string(o, u->what);
}

void describe_unjudged(struct out *o, const struct unjudged *u, const struct limits *limits)
{
	if (u->bytes > 0) {
		out_count(o, u->bytes, "byte");
		out_string(o, *u->file ? " in " : ": ");
	}
	if (*u->file) {
		escape_string(o, ESCAPE_TERMINAL, u->file);
		out_string(o, ": ");
	}
	write_reason(o, u, limits);
}

void describe_guid(char out[GUID_TEXT_LEN + 1], const uint32_t guid[4])
{
	for (unsigned i = 0; i < GUID_TEXT_LEN; i++)
		out[i] = "0123456789ABCDEF"[guid[i / 8] >> (28 - 4 * (i % 8)) & 15];
	out[GUID_TEXT_LEN] = '\0';
}

/* "1 member", "2 members": the names of counts are plural. */
static void write_count(struct out *o, const struct info *info)
{
	const size_t len = strlen(info->name);
	const bool cut = info->number == 1 && len > 0 && info->name[len - 1] == 's';

	out_dec(o, info->number);
	out_byte(o, ' ');
	write_words(o, info->name, cut ? len - 1 : len);
}

void describe_sha256(char out[2 * FILE_DIGEST_LEN + 1], const uint8_t digest[FILE_DIGEST_LEN])
{
	for (size_t i = 0; i < FILE_DIGEST_LEN; i++) {
		out[2 * i] = "0123456789abcdef"[digest[i] >> 4];
		out[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
	}
	out[2 * FILE_DIGEST_LEN] = '\0';
}

void describe_counts(struct out *o, const struct report *r)
{
	for (size_t i = 0; i < r->n_infos; i++) {
		const struct info *info = &r->infos[i];

		if (info->word || info->hex || info->plain || info->is_guid || info->is_text)
			continue;
		out_string(o, ", ");
		write_count(o, info);
	}
}

static uint64_t found_by(const struct rule_result *result)
{
	uint64_t n = 0;

	for (size_t i = SEVERITY_NOTE; i <= SEVERITY_ERROR; i++)
		n += result->n_found[i];
	return n;
}

/* Findings are in the order of the rules that failed, so that one pass counts those of each. */
void describe_omitted(struct out *o, const struct report *r, size_t n_shown, const char *before,
		      const char *after)
{
	size_t next = 0;

	for (size_t i = 0; (i = report_next_failed(r, i)) < r->n_rules; i++) {
		const size_t rule = report_rule(r, i);
		const uint64_t found = found_by(results_of(&r->results, rule));
		uint64_t shown = 0;

		for (; next < n_shown && r->findings[next]->rule == r->rules[rule]; next++)
			shown++;
		if (found <= shown)
			continue;
		out_string(o, before);
		out_dec(o, found - shown);
		out_string(o, shown > 0 ? " more " : " ");
		out_string(o, r->rules[rule]->id);
		out_string(o, after);
	}
}

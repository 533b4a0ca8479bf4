/* Objects: findings, artifacts, policy and counts as JSON. */
#include "report/json/objects.h"

#include <string.h>

#include "core/utf8.h"
#include "report/describe.h"
#include "report/fingerprint.h"
#include "report/message.h"

void objects_message(struct json *j, const char *key, const struct finding *f)
{
	struct out o;

	message_render(&o, f);
	json_text(j, key, o.buf, o.n);
}

void objects_field(struct json *j, const char *key, const struct place *p)
{
	if (!message_has_field(p))
		return;
	json_open_string(j, key);
	message_field(j->out, p);
	json_close_string(j);
}

void objects_fingerprint(struct json *j, const char *key, uint64_t fingerprint)
{
	json_open_string(j, key);
	fingerprint_write(j->out, fingerprint);
	json_close_string(j);
}

void objects_place(struct json *j, const char *key, const struct report *r, const struct place *p,
		   const char *message)
{
	const char *file = report_file(r, p->file);

	if (!p->known)
		return;
	json_object(j, key);
	objects_field(j, "field", p);
	if (*file)
		json_text(j, "file", (const uint8_t *)file, strlen(file));
	json_number(j, "length", p->span.len);
	if (message)
		json_string(j, "message", message);
	json_number(j, "offset", p->span.at);
	json_end(j);
}

static void write_arg(struct json *j, const char *key, const struct finding_arg *a)
{
	switch (a->kind) {
	case ARG_HEX:
		json_hex(j, key, a->number);
		return;
	case ARG_DEC:
	case ARG_SIZE:
		json_number(j, key, a->number);
		return;
	case ARG_SIGNED:
		json_signed(j, key, (int64_t)a->number);
		return;
	case ARG_WORD:
		json_string(j, key, a->word);
		return;
	case ARG_BYTES:
		json_bytes(j, key, a->text, a->text_len);
		return;
	case ARG_TEXT:
		json_text(j, key, a->text, a->text_len);
		return;
	}
}

/* A named is a key and the number that is written under it. */
enum { NAME_LEN = 32 };
struct named {
	char name[NAME_LEN];
	size_t i;
};

static void insert_named(struct named *list, size_t n, const char *name, size_t len, size_t i)
{
	struct named new = { .i = i };

	memcpy(new.name, name, len < NAME_LEN ? len : NAME_LEN - 1);
	for (; n > 0 && strcmp(list[n - 1].name, new.name) > 0; n--)
		list[n] = list[n - 1];
	list[n] = new;
}

/* The names of a rule's arguments are words of one string. */
static size_t name_args(const struct finding *f, struct named names[ARG_MAX])
{
	const char *s = f->rule->data;
	size_t n = 0;

	while (*s && n < f->n_args) {
		size_t len = strcspn(s, " ");

		insert_named(names, n, s, len, n);
		n++;
		s += len;
		s += strspn(s, " ");
	}
	return n;
}

/* Which of the arguments were cut: the text itself does not show it. */
static void write_cut(struct json *j, const struct finding *f, const struct named *names, size_t n)
{
	bool is_cut = false;

	for (size_t i = 0; i < n; i++) {
		if (!f->args[names[i].i].cut)
			continue;
		if (!is_cut)
			json_array(j, "cut");
		is_cut = true;
		json_string(j, NULL, names[i].name);
	}
	if (is_cut)
		json_end(j);
}

static void write_data(struct json *j, const struct finding *f)
{
	struct named names[ARG_MAX];
	size_t n = name_args(f, names);

	write_cut(j, f, names, n);
	json_object(j, "data");
	for (size_t i = 0; i < n; i++)
		write_arg(j, names[i].name, &f->args[names[i].i]);
	json_end(j);
}

static void write_related(struct json *j, const struct report *r, const struct finding *f)
{
	json_array(j, "related");
	for (size_t i = 0; i < f->n_related; i++)
		objects_place(j, NULL, r, &f->related[i].place, f->related[i].words);
	json_end(j);
}

static void write_snippet(struct json *j, const struct finding *f)
{
	if (f->snippet_len == 0)
		return;
	json_object(j, "snippet");
	json_bytes(j, "hex", f->snippet, f->snippet_len);
	json_number(j, "offset", f->snippet_at);
	json_end(j);
}

static void write_words(struct json *j, const char *key, const char *words)
{
	if (words)
		json_string(j, key, words);
}

void objects_finding(struct json *j, const struct item *item)
{
	const struct finding *f = item->finding;

	json_object(j, NULL);
	if (item->reason) {
		json_object(j, "accepted");
		json_text(j, "reason", item->reason, strlen(item->reason));
		json_end(j);
	}
	json_number(j, "artifact", item->entry->id);
	json_string(j, "class", rule_class_name(report_class(item->entry->report, f->rule)));
	json_string(j, "confidence", f->rule->flags & RULE_HEURISTIC ? "heuristic" : "certain");
	write_data(j, f);
	objects_fingerprint(j, "fingerprint", item->fingerprint);
	json_string(j, "help", f->rule->fix);
	objects_place(j, "location", item->entry->report, &f->place, NULL);
	objects_message(j, "message", f);
	json_string(j, "name", f->rule->name);
	write_related(j, item->entry->report, f);
	json_string(j, "rule", f->rule->id);
	json_string(j, "severity", severity_name(f->severity));
	write_snippet(j, f);
	write_words(j, "type", item->type);
	json_string(j, "why", f->rule->why);
	json_end(j);
}

static void write_info(struct json *j, const struct info *i)
{
	char guid[GUID_TEXT_LEN + 1];

	if (i->is_guid) {
		describe_guid(guid, i->u.guid);
		json_string(j, i->name, guid);
	} else if (i->is_text)
		json_text(j, i->name, i->u.utf8, i->n_utf8);
	else if (i->word)
		json_string(j, i->name, i->word);
	else if (i->hex)
		json_hex(j, i->name, i->number);
	else
		json_number(j, i->name, i->number);
}

void objects_infos(struct json *j, const struct report *r)
{
	struct named names[INFOS_MAX];

	for (size_t i = 0; i < r->n_infos; i++)
		insert_named(names, i, r->infos[i].name, strlen(r->infos[i].name), i);
	json_object(j, "info");
	for (size_t i = 0; i < r->n_infos; i++)
		write_info(j, &r->infos[names[i].i]);
	json_end(j);
}

static uint64_t count_status(const struct report *r, enum rule_status status)
{
	uint64_t n = 0;

	for (size_t i = 0; i < r->n_rules; i++)
		n += r->results.status[i] == status;
	return n;
}

/* Of the bodies of a rule that came out alike only the first is told. */
static bool is_told_before(const struct report *r, size_t rule)
{
	size_t i = r->rules[rule]->is_again ? 0 : rule;

	while (i < rule && (r->results.status[i] != r->results.status[rule] ||
			    strcmp(r->rules[i]->id, r->rules[rule]->id) != 0))
		i++;
	return i < rule;
}

static void write_passed(struct json *j, const struct report *r)
{
	json_array(j, "rules_passed");
	for (size_t i = 0; i < r->n_rules; i++)
		if (r->results.status[i] == RULE_PASS && !is_told_before(r, i))
			json_string(j, NULL, r->rules[i]->id);
	json_end(j);
}

static void write_skipped(struct json *j, const struct report *r)
{
	json_array(j, "rules_skipped");
	for (size_t i = 0; i < r->n_rules; i++) {
		if (r->results.status[i] != RULE_NOT_EVALUATED || is_told_before(r, i))
			continue;
		json_object(j, NULL);
		json_string(j, "reason", results_reason(&r->results, i));
		json_string(j, "rule", r->rules[i]->id);
		json_end(j);
	}
	json_end(j);
}

void objects_unjudged(struct json *j, const char *key, const struct report *r)
{
	json_array(j, key);
	for (size_t i = 0; i < r->n_unjudged; i++) {
		const struct unjudged *u = &r->unjudged[i];

		json_object(j, NULL);
		json_number(j, "bytes", u->bytes);
		if (*u->file)
			json_text(j, "file", (const uint8_t *)u->file, strlen(u->file));
		json_string(j, "reason", unjudged_name(u->reason));
		json_string(j, "what", u->what);
		json_end(j);
	}
	json_end(j);
}

void objects_scope(struct json *j, const struct scope *s)
{
	const char *part;
	size_t i = 0;

	json_object(j, "scope");
	json_string(j, "level", s->flags & SCOPE_TABLES ? "structure" : "content");
	json_array(j, "not_evaluated");
	if (s->flags & SCOPE_ALONE)
		json_string(j, NULL, "companions");
	while ((part = scope_next_part(s, &i)) != NULL)
		json_string(j, NULL, part);
	json_end(j);
	json_number(j, "rules_lowered", s->n_lowered);
	json_number(j, "rules_off", s->n_off);
	json_bool(j, "whole", s->flags == 0);
	json_end(j);
}

static void write_coverage(struct json *j, const struct report *r, bool show_passed)
{
	uint64_t failed = count_status(r, RULE_FAIL);

	json_object(j, "coverage");
	json_number(j, "bytes_explained", r->explained);
	json_number(j, "bytes_not_read", r->unread);
	json_number(j, "bytes_unexplained", r->size > r->explained ? r->size - r->explained : 0);
	objects_unjudged(j, "not_judged", r);
	json_number(j, "rules_failed", failed);
	if (show_passed)
		write_passed(j, r);
	json_number(j, "rules_run", failed + count_status(r, RULE_PASS));
	write_skipped(j, r);
	json_end(j);
}

static void write_counts(struct json *j, const struct entry *e)
{
	const uint64_t *n = e->report->n_found;

	json_object(j, "findings");
	json_number(j, "error", n[SEVERITY_ERROR]);
	json_number(j, "note", n[SEVERITY_NOTE]);
	json_number(j, "omitted", results_sum(n) > e->n_shown ? results_sum(n) - e->n_shown : 0);
	json_number(j, "undetermined", n[SEVERITY_UNDETERMINED]);
	json_number(j, "warning", n[SEVERITY_WARNING]);
	json_end(j);
}

void objects_format(struct json *j, const struct format *f, uint64_t version)
{
	if (!f)
		return;
	json_string(j, "format", f->name);
	if (version == 0)
		return;
	json_open_string(j, "format_version");
	out_dec(j->out, version);
	json_close_string(j);
}

void objects_path(struct json *j, const char *name)
{
	const uint8_t *bytes = (const uint8_t *)name;
	size_t len = strlen(name);

	json_text(j, "path", bytes, len);
	if (!utf8_valid(bytes, len))
		json_base64(j, "path_b64", bytes, len);
}

/* Where a nested file lies. */
static void write_origin(struct json *j, const struct entry *e)
{
	if (!entry_has_parent(e)) {
		json_null(j, "parent");
		return;
	}
	if (!e->report->decoded)
		json_number(j, "offset", e->report->at.at);
	json_number(j, "parent", entry_parent(e));
}

static void write_companion(struct json *j, const struct report_companion *c)
{
	static const char *const states[] = {
		[COMPANION_OPEN] = "open",           [COMPANION_UNREADABLE] = "unreadable",
		[COMPANION_CROWDED] = "unreadable",  [COMPANION_PACKED] = "unreadable",
		[COMPANION_NOT_ASKED] = "not_asked",
	};

	json_object(j, NULL);
	objects_path(j, c->name);
	if (c->state == COMPANION_OPEN)
		json_number(j, "size", c->size);
	json_string(j, "state", states[c->state]);
	json_end(j);
}

/* Files beside it that its format asked for. Formats look for files that should not be there, too;
 * those are not listed. */
static void write_companions(struct json *j, const struct report *r)
{
	if (r->n_companions == 0)
		return;
	json_array(j, "companions");
	for (size_t i = 0; i < r->n_companions; i++)
		if (r->companions[i].state != COMPANION_ABSENT)
			write_companion(j, &r->companions[i]);
	json_end(j);
}

void objects_diagnosis(struct json *j, const struct diagnosis *d)
{
	struct out message;

	if (!d)
		return;
	json_object(j, "diagnosis");
	json_string(j, "confidence", confidence_name(d->confidence));
	json_open_string(j, "fix");
	out_string(j->out, d->kind->player);
	out_byte(j->out, ' ');
	out_string(j->out, d->kind->author);
	json_close_string(j);
	json_string(j, "id", d->kind->id);
	out_init(&message, NULL, NULL);
	message_write_diagnosis(&message, d);
	json_text(j, "message", message.buf, message.n);
	json_end(j);
}

void objects_sha256(struct json *j, const struct report *r)
{
	char digits[2 * FILE_DIGEST_LEN + 1];

	if (!r->has_sha256)
		return;
	describe_sha256(digits, r->sha256);
	json_string(j, "sha256", digits);
}

void objects_artifact(struct json *j, const char *key, const struct writer *w,
		      const struct entry *e, const char *type)
{
	const struct report *r = e->report;

	json_object(j, key);
	write_companions(j, r);
	write_coverage(j, r, w->engine->show_passed);
	objects_diagnosis(j, r->diagnosis);
	write_counts(j, e);
	objects_format(j, r->format, r->version);
	json_number(j, "id", e->id);
	objects_infos(j, r);
	write_origin(j, e);
	objects_path(j, r->name);
	objects_scope(j, &r->scope);
	objects_sha256(j, r);
	json_number(j, "size", r->size);
	write_words(j, "type", type);
	json_string(j, "verdict", verdict_name(r->verdict));
	json_end(j);
}

void objects_found(struct json *j, const struct totals *t)
{
	const uint64_t *n_found = t->n_found;

	json_object(j, "findings");
	json_number(j, "error", n_found[SEVERITY_ERROR]);
	json_number(j, "note", n_found[SEVERITY_NOTE]);
	json_number(j, "suppressed", n_found[SEVERITY_NONE] + t->n_accepted);
	json_number(j, "undetermined", n_found[SEVERITY_UNDETERMINED]);
	json_number(j, "warning", n_found[SEVERITY_WARNING]);
	json_end(j);
}

void objects_left_out(struct json *j, const struct left_out *l)
{
	json_object(j, "left_out");
	json_number(j, "links", l->links);
	json_number(j, "mounts", l->mounts);
	json_number(j, "specials", l->specials);
	json_end(j);
}

void objects_verdicts(struct json *j, const struct totals *t)
{
	json_object(j, "artifacts");
	json_number(j, "invalid", t->n_verdicts[VERDICT_INVALID]);
	json_number(j, "not_applicable", t->n_verdicts[VERDICT_NOT_APPLICABLE]);
	json_number(j, "undetermined", t->n_verdicts[VERDICT_UNDETERMINED]);
	json_number(j, "valid", t->n_verdicts[VERDICT_VALID]);
	json_end(j);
}

void objects_policy(struct json *j, const struct writer *w)
{
	static const char *const levels[] = { "structure", "content" };

	json_object(j, "policy");
	if (w->engine->target.engine)
		json_string(j, "engine", w->engine->target.engine->name);
	json_open_string(j, "fail_on");
	describe_fail_on(j->out, &w->engine->fail_on);
	json_close_string(j);
	if (w->engine->target.signs)
		json_bool(j, "game_signs", true);
	json_array(j, "ignored");
	for (size_t i = 0; i < w->engine->n_rules; i++)
		if (!profile_counts(&w->engine->profile, i) && !w->engine->rules[i]->is_again)
			json_string(j, NULL, w->engine->rules[i]->id);
	json_end(j);
	if (upload_word(w->engine->upload))
		json_string(j, "layout", upload_word(w->engine->upload));
	json_string(j, "level", levels[w->engine->level]);
	if (w->engine->profile_name)
		json_string(j, "profile", w->engine->profile_name);
	if (w->engine->reference.n_files > 0)
		json_number(j, "references", w->engine->reference.n_files);
	if (w->engine->scripts.n > 0)
		json_number(j, "script_objects", w->engine->scripts.n);
	json_string(j, "unknown", w->engine->unknown == UNKNOWN_SKIP ? "skip" : "undetermined");
	json_end(j);
}

void objects_tool(struct json *j, const struct writer *w)
{
	json_object(j, "tool");
	json_string(j, "name", "uvet");
	json_string(j, "ruleset", w->tool.ruleset);
	json_string(j, "version", w->tool.version);
	json_end(j);
}

/* Calls that write: maps, infos, report writers, rules. */
#include <stdlib.h>
#include <string.h>

#include "support/must.h"
#include "support/strict.h"
#include "targets/api_calls.h"
#include "targets/api_look.h"

int world_output(void *ctx, const void *bytes, size_t len)
{
	struct output *o = ctx;

	MUST(!o->refused, "a sink that refused is not asked again");
	if (len > o->refuse_at - o->captured.n) {
		o->refused = true;
		return 1;
	}
	return capture_sink(&o->captured, bytes, len);
}

static void start_output(struct world *w, struct output *o, const char *format)
{
	const uint8_t kind = calls_next(&w->calls);

	o->format = format;
	o->captured.n = 0;
	o->refused = false;
	o->refuse_at = kind % 8 == 7 ? 16 * (size_t)calls_next(&w->calls) : SIZE_MAX;
}

/* What a sink took is whole, or the call says that it is not. */
static void check_output(const struct output *o, uvet_status status)
{
	MUST(o->refused == (status == UVET_WRITE_FAILED),
	     "a sink that refused is told, and no other");
	if (!o->refused && o->captured.n > 0)
		capture_check(&o->captured, o->format);
}

/* ---- Maps and infos -------------------------------------------------------------------------- */

/* One of the four calls that write a map or an info. */
static uvet_status show(struct world *w, bool map, bool path, const uvet_hooks *hooks,
			const char *format, struct output *o)
{
	struct host *h = &w->host;
	const uvet_io io = host_io(h, NULL, false);
	uvet_status status;

	if (!path)
		return map ? uvet_map_io(w->engine, h->path, &io, hooks, format, world_output, o)
			   : uvet_info_io(w->engine, h->path, &io, hooks, format, world_output, o);
	host_lay(h);
	status = map ? uvet_map_path(w->engine, h->path, hooks, format, world_output, o)
		     : uvet_info_path(w->engine, h->path, hooks, format, world_output, o);
	host_clear(h);
	return status;
}

/* What is cut is cut by something that a check tells of. */
static void check_cut(struct world *w, const uvet_hooks *hooks)
{
	const uvet_io io = host_io(&w->host, NULL, false);
	uvet_report *r = NULL;

	MUST(uvet_check_io(w->engine, w->host.path, &io, hooks, &r) == UVET_OK && r,
	     "a check returns a report");
	MUST(look_says(r, "limit") || look_says(r, "cancelled") || look_says(r, "time"),
	     "without a limit nothing is cut");
	uvet_report_free(r);
}

/* Whether the status follows from what the engine is, and from the hooks. */
static void check_shown(struct world *w, const struct output *o, bool map, const uvet_hooks *hooks,
			uvet_status status)
{
	check_output(o, status);
	MUST(host_is_closed(&w->host), "what a showing opens is closed");
	if (status == UVET_UNREADABLE)
		MUST(host_has(&w->host, UVET_SIBLING_UNREADABLE), "what can be read is read");
	else
		MUST(status != UVET_BAD_CALL && status != UVET_BAD_OPTION &&
			     (status != UVET_NO_MEMORY || w->low),
		     "a showing says why not");
	if (hooks->cancellation && w->is_cancelled && !map)
		MUST(status != UVET_OK, "what was cancelled is cut");
	if (status == UVET_CUT && !w->timed) /* a check may take less time than the showing did */
		check_cut(w, hooks);
}

/* ---- Claims ---------------------------------------------------------------------------------- */

/* What was claimed, summed up, and after how many the host has enough. */
struct claimed {
	uint64_t n, most, sum;
};

static int take_claim(void *ctx, uvet_claim kind, const void *bytes, size_t len)
{
	struct claimed *c = ctx;
	const uint8_t *b = bytes;

	MUST(c->n < c->most, "a host that has enough is not asked again");
	MUST(kind != UVET_CLAIM_CHUNK || len == 12, "a chunk's id has twelve bytes");
	MUST(kind != UVET_CLAIM_PACKAGE || len == 8, "a package's id has eight");
	MUST(kind == UVET_CLAIM_CHUNK || kind == UVET_CLAIM_PACKAGE || kind == UVET_CLAIM_PATH,
	     "there are three kinds");
	for (size_t i = 0; i < len; i++)
		c->sum = (c->sum & UINT64_MAX >> 5) << 5 ^ c->sum >> 59 ^ b[i];
	c->n++;
	return c->n == c->most;
}

/* By the io and by the path the same is claimed. */
static void show_claims(struct world *w, const uvet_hooks *hooks, uint64_t most)
{
	struct claimed by_io = { .most = most }, by_path = { .most = most };
	const uvet_io io = host_io(&w->host, NULL, false);
	unsigned gaps = 0, gaps_by_path = 0;
	uvet_status status, again;

	status = uvet_claims_io(w->engine, w->host.path, &io, hooks, take_claim, &by_io, &gaps);
	MUST(status != UVET_BAD_CALL && status != UVET_BAD_OPTION, "claims are told");
	MUST(host_is_closed(&w->host), "what is opened is closed");
	host_lay(&w->host);
	again = uvet_claims_path(w->engine, w->host.path, hooks, take_claim, &by_path,
				 &gaps_by_path);
	host_clear(&w->host);
	if (w->timed)
		return;
	MUST(status == again && gaps == gaps_by_path && by_io.n == by_path.n &&
		     by_io.sum == by_path.sum,
	     "a file claims the same by its path and through callbacks");
}

/* Twice, if the program asks for it: by its path first, because it is then that the input gets its
 * name. */
void call_show(struct world *w)
{
	static struct output by_io, by_path;
	const uint8_t kind = calls_next(&w->calls);
	const char *format = kind & 1 ? "json" : "text";
	uvet_hooks hooks = UVET_HOOKS_INIT;
	uvet_status status, again = UVET_OK;

	if (!world_pays(w, PRICE_SHOW))
		return;
	world_engine(w);
	if (kind & 16)
		hooks.cancellation = w->cancellation;
	start_output(w, &by_path, format);
	start_output(w, &by_io, format);
	by_io.refuse_at = by_path.refuse_at;
	if (kind & 4)
		again = show(w, kind & 2, true, &hooks, format, &by_path);
	status = show(w, kind & 2, false, &hooks, format, &by_io);
	check_shown(w, &by_io, kind & 2, &hooks, status);
	MUST(show(w, kind & 2, kind & 8, &hooks, "xml", &by_io) == UVET_BAD_OPTION,
	     "there is no such format");
	show_claims(w, &hooks, kind & 32 ? (uint64_t)1 + kind : UINT64_MAX);
	if (kind & 4 && !w->timed)
		MUST(again == status && capture_is_same(&by_io.captured, &by_path.captured),
		     "a file is shown alike by its path and through callbacks");
}

/* ---- Report writers -------------------------------------------------------------------------- */

void call_writer_new(struct world *w)
{
	world_engine(w);
	world_end_writer(w);
	MUST(uvet_writer_new(w->engine, &w->writer) == UVET_OK && w->writer,
	     "a writer can be made");
	w->writer_begun = w->writer_ended = false;
	w->writer_verdict = UVET_UNDETERMINED;
	w->writer_scope = 0;
	w->writer_judged = w->writer_undetermined = 0;
	memset(w->writer_found, 0, sizeof w->writer_found);
	memset(w->writer_accepted, 0, sizeof w->writer_accepted);
}

static void world_writer(struct world *w)
{
	if (!w->writer)
		call_writer_new(w);
}

void call_writer_output(struct world *w)
{
	static const char *const formats[] = { "json",       "text",   "text-color",   "concise",
					       "ndjson",     "sarif",  "sarif-github", "junit",
					       "checkstyle", "github", "gitlab",       "csv",
					       "markdown",   "html",   "xml" };
	const char *format = calls_word(&w->calls, formats, sizeof formats / sizeof *formats);
	const bool known = strcmp(format, "xml") != 0;
	struct output *o = &w->outputs[w->n_outputs];
	uvet_status status;

	world_writer(w);
	if (w->n_outputs == OUTPUTS_MAX ||
	    (strncmp(format, "sarif", 5) == 0 && !world_pays(w, PRICE_RULES)))
		return;
	start_output(w, o, format);
	status = uvet_writer_output(w->writer, format, world_output, o);
	if (status == UVET_OK)
		w->n_outputs++;
	MUST((status == UVET_BAD_OPTION) == !known, "an unknown format is refused");
	MUST((status == UVET_BAD_CALL) == (known && (w->writer_begun || w->writer_ended)),
	     "outputs are added before the first report");
	MUST(status != UVET_NO_MEMORY || w->low, "only a limit keeps an output from being added");
}

/* Accepts half of the findings, for a reason that every format has to escape. */
static const char *accept_half(void *ctx, const uvet_report *report, const uvet_finding *finding,
			       const char *fingerprint)
{
	struct world *w = ctx;
	const uvet_severity severity = uvet_finding_severity(finding);

	MUST(strlen(fingerprint) == 16 && strspn(fingerprint, "0123456789abcdef") == 16,
	     "a fingerprint is 16 digits");
	MUST(report && severity != UVET_SEVERITY_UNDETERMINED,
	     "what was not judged is nobody's to accept");
	if (fingerprint[15] % 2 != 0)
		return fingerprint[14] % 2 != 0 ? "" : NULL;
	w->writer_accepted[severity]++;
	return "\x1b[2J::x\n##[y] \"'<&>`|](z) \xff, -- ";
}

void call_writer_accept(struct world *w)
{
	const bool asks = calls_next(&w->calls) % 4 != 3;
	uvet_status status;

	world_writer(w);
	status = uvet_writer_accept(w->writer, asks ? accept_half : NULL, w);
	MUST((status == UVET_BAD_CALL) == (w->writer_begun || w->writer_ended),
	     "a host says before the first report what it accepts");
}

/* What one report adds to a report writer. */
static void count_report(struct world *w, const uvet_report *r)
{
	const uvet_verdict verdict = uvet_report_verdict(r);

	w->writer_begun = true;
	for (int s = 0; s <= UVET_SEVERITY_ERROR; s++)
		w->writer_found[s] += uvet_report_found(r, (uvet_severity)s);
	if (verdict == UVET_NOT_APPLICABLE)
		return;
	w->writer_verdict = w->writer_judged == 0 ? verdict
						  : look_worse(w->writer_verdict, verdict);
	w->writer_scope |= uvet_report_scope(r);
	w->writer_judged++;
	w->writer_undetermined += verdict == UVET_UNDETERMINED;
}

static int exit_code(const struct world *w)
{
	for (int s = UVET_SEVERITY_NOTE; s <= UVET_SEVERITY_ERROR; s++)
		if (w->engine_fail_on != UVET_SEVERITY_NONE && s >= (int)w->engine_fail_on &&
		    s != UVET_SEVERITY_UNDETERMINED && w->writer_found[s] > w->writer_accepted[s])
			return 1;
	return w->writer_judged == 0 || w->writer_undetermined > 0 ||
			       w->writer_found[UVET_SEVERITY_UNDETERMINED] > 0
		       ? 2
		       : 0;
}

/* A class may count a finding that its severity does not; which one it has after a diagnosis is the
 * report's. */
static bool may_exit_with(const struct world *w, int code)
{
	const uint64_t n = w->writer_found[UVET_SEVERITY_NOTE] +
			   w->writer_found[UVET_SEVERITY_WARNING] +
			   w->writer_found[UVET_SEVERITY_ERROR];

	return code == exit_code(w) || (code == 1 && w->engine_fail_on_classes && n > 0);
}

static void check_writer(const struct world *w, uvet_status status)
{
	bool refused = false;

	for (size_t i = 0; i < w->n_outputs; i++)
		refused = refused || w->outputs[i].refused;
	MUST((status == UVET_WRITE_FAILED) == refused, "a sink that refused is told, and no other");
	MUST(status != UVET_NO_MEMORY || w->low,
	     "only a limit leaves a report writer without memory");
	MUST(uvet_writer_verdict(w->writer) == w->writer_verdict,
	     "a writer's verdict is the worst of its reports");
	MUST((uvet_writer_scope(w->writer) & w->writer_scope) == w->writer_scope,
	     "a writer's scope is no wider than its reports'");
	MUST(may_exit_with(w, uvet_writer_exit_code(w->writer)),
	     "an exit code follows from the verdicts and what was found");
}

void call_writer_add(struct world *w)
{
	uvet_report *r = world_report(w);
	const bool alone = calls_next(&w->calls) % 2;
	uvet_status status;

	world_writer(w);
	if (!r)
		return;
	status = alone ? uvet_writer_add_alone(w->writer, r) : uvet_writer_add(w->writer, r);
	MUST((status == UVET_BAD_CALL) == w->writer_ended, "nothing is added after the end");
	if (w->writer_ended)
		return;
	for (const uvet_report *each = r; each; each = alone ? NULL : uvet_report_next(r, each))
		count_report(w, each);
	check_writer(w, status);
}

void call_writer_end(struct world *w)
{
	size_t n[OUTPUTS_MAX];
	uvet_status status;

	world_writer(w);
	status = uvet_writer_end(w->writer);
	for (size_t i = 0; i < w->n_outputs; i++) {
		n[i] = w->outputs[i].captured.n;
		if (!w->outputs[i].refused && status != UVET_NO_MEMORY)
			capture_check(&w->outputs[i].captured, w->outputs[i].format);
	}
	check_writer(w, status);
	MUST(uvet_writer_end(w->writer) == status, "the end comes once");
	for (size_t i = 0; i < w->n_outputs; i++)
		MUST(w->outputs[i].captured.n == n[i], "nothing is written after the end");
	w->writer_ended = true;
}

/* ---- Rules and limits ------------------------------------------------------------------------ */

static void check_rule(const uvet_rule *rule)
{
	const char *const texts[] = { rule->title, rule->message,    rule->why,        rule->fix,
				      rule->spec,  rule->rule_class, rule->lesser_when };
	uvet_rule found = UVET_RULE_INIT;

	MUST(uvet_rule_find(rule->id, &found) == 1 && found.title == rule->title,
	     "a rule is found by its id");
	MUST(uvet_rule_find(rule->name, &found) == 1 && found.title == rule->title,
	     "a rule is found by its name");
	MUST(strncmp(rule->id, rule->family, 3) == 0 && strlen(rule->family) == 3,
	     "a rule is of the family that its id names");
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		MUST(texts[i] && !strict_text((const uint8_t *)texts[i], strlen(texts[i]), false),
		     "a rule's texts are harmless");
	MUST(*rule->title && *rule->message && *rule->spec, "a rule says what it asks");
	MUST((rule->lesser == UVET_SEVERITY_NONE) == (*rule->lesser_when == '\0'),
	     "a lesser severity has its case");
}

/* It takes nothing of the input, so that those that were found before it was here still lead where
 * they led. */
static void call_schemas(uint8_t kind, struct output *o)
{
	const char *name = uvet_schema_name(kind % 8);
	uvet_status status;

	MUST(uvet_schema_write("no such schema", world_output, o) == UVET_BAD_OPTION,
	     "there are no other schemas");
	if (!name)
		return;
	o->format = "json";
	o->captured.n = 0;
	o->refused = false;
	o->refuse_at = kind < 128 ? SIZE_MAX : kind;
	status = uvet_schema_write(name, world_output, o);
	MUST(status == UVET_OK || o->refused, "a schema is written");
	check_output(o, status);
}

void call_rules(struct world *w)
{
	static const char *const formats[] = { "text", "json", "md", "layouts" };
	static struct output o;
	const uint8_t kind = calls_next(&w->calls);
	const size_t i = (size_t)(calls_number(&w->calls) % (uvet_rule_count() + 2));
	uvet_rule rule = UVET_RULE_INIT;
	uvet_status status;

	MUST(uvet_rule_at(i, &rule) == (i < uvet_rule_count()),
	     "rules are there up to their count");
	if (i < uvet_rule_count()) {
		check_rule(&rule);
		start_output(w, &o, "text");
		status = uvet_explain(kind % 2 ? rule.id : rule.name, world_output, &o);
		MUST(status == UVET_OK || o.refused, "a rule that is known is explained");
		check_output(&o, status);
	}
	call_schemas(kind, &o);
	MUST(uvet_explain("no such rule", world_output, &o) == UVET_BAD_OPTION, "others are not");
	if (kind % 8 != 0 || !world_pays(w, PRICE_RULES))
		return;
	start_output(w, &o, formats[kind / 8 % 4]);
	status = uvet_rules_write(o.format, world_output, &o);
	MUST(status == UVET_OK || o.refused, "rules are written");
	check_output(&o, status);
}

/* Each setting of a profile is one that its options take, alone or with the others. */
static void check_profile(const char *name)
{
	const char *option = NULL, *value = NULL;
	uvet_options *whole = NULL, *apart = NULL;
	size_t i = 0;

	if (uvet_options_new(&whole) == UVET_OK && uvet_options_new(&apart) == UVET_OK)
		MUST(uvet_options_set(whole, "profile", name) == UVET_OK, "a profile is taken");
	for (; apart && uvet_profile_setting_at(name, i, &option, &value); i++)
		MUST(uvet_options_set(apart, option, value) == UVET_OK,
		     "a profile's setting is taken");
	MUST(!apart || i > 0, "a profile sets something");
	uvet_options_free(whole);
	uvet_options_free(apart);
}

static void call_profiles(struct world *w)
{
	const size_t i = calls_next(&w->calls) % 5; /* there are four */
	const char *name = uvet_profile_at(i);

	MUST(!uvet_profile_meaning("no-such-profile"), "there is no such profile");
	if (!name)
		return;
	MUST(*uvet_profile_meaning(name), "a profile is for somebody");
	check_profile(name);
}

void call_limits(struct world *w)
{
	const size_t i = calls_next(&w->calls) % (uvet_limit_count() + 2);
	uvet_limit limit = UVET_LIMIT_INIT;
	uint64_t has = 0;

	call_profiles(w);
	MUST(uvet_limit_at(i, &limit) == (i < uvet_limit_count()),
	     "limits are there up to their count");
	if (i >= uvet_limit_count())
		return;
	MUST(*limit.option && *limit.meaning, "a limit has its words");
	MUST(uvet_options_limit(w->options, limit.option, &has) == 1 && has == w->limits[i],
	     "options tell what they were told");
	MUST(uvet_options_limit(w->options, "no-such-limit", &has) == 0,
	     "there are no other limits");
}

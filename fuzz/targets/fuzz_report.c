/* Reports: names, texts and numbers that a stranger chose, through every output. */
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle_render.h"
#include "support/must.h"
#include "support/random.h"
#include "targets/harness.h"

enum { NAME_MAX_LEN = 512, FINDINGS = 4 };

/* The input, read from the front; after its end there are zeros. */
struct feed {
	const uint8_t *at, *end;
};

static uint64_t eat(struct feed *f, unsigned width)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < width; i++)
		v = v << 8 | (f->at < f->end ? *f->at++ : 0);
	return v;
}

/* Takes up to max bytes; how many is said by the first. */
static size_t eat_bytes(struct feed *f, uint8_t *out, size_t max)
{
	size_t n = (size_t)eat(f, 1) * 2;

	if (n > max)
		n = max;
	if (n > (size_t)(f->end - f->at))
		n = (size_t)(f->end - f->at);
	memcpy(out, f->at, n);
	f->at += n;
	return n;
}

/* A made finding and what its texts point to. */
struct made {
	struct finding finding;
	uint8_t texts[ARG_MAX][4 * ARG_TEXT_MAX];
};

static void make_text_arg(struct feed *f, struct finding_arg *a, uint8_t *utf8)
{
	uint8_t raw[2 * ARG_TEXT_MAX + 2];
	struct text t = { raw, { .encoding = (uint8_t)(eat(f, 1) % 3) } };
	bool whole;

	t.ref.n_units = (uint32_t)(eat_bytes(f, raw, sizeof raw) / text_width(t.ref.encoding));
	a->text = utf8;
	a->text_len = text_utf8(t, ARG_TEXT_MAX, utf8, &whole);
	a->cut = !whole;
}

/* Arguments of the kinds that messages have: a word of ours, a number, a text of the file's. */
static void make_arg(struct feed *f, struct finding_arg *a, uint8_t *utf8)
{
	*a = (struct finding_arg){ .kind = (enum arg_kind)(eat(f, 1) % (ARG_TEXT + 1)) };
	if (a->kind == ARG_TEXT || a->kind == ARG_BYTES)
		make_text_arg(f, a, utf8);
	else if (a->kind == ARG_WORD)
		a->word = "a word of ours";
	else
		a->number = eat(f, 8);
}

static const struct report_companion companions[] = {
	{ .name = "Mod.ucas", .size = UINT64_MAX },
	{ .name = "\xFF \"<\x1B.ucas", .state = COMPANION_ABSENT },
};

static struct place make_place(struct feed *f)
{
	struct place p = { .index = PLACE_NO_INDEX };

	if (eat(f, 1) % 4 == 0)
		return p;
	p = (struct place){ .span = { eat(f, 8), eat(f, 4) },
			    .index = eat(f, 1) % 2 ? eat(f, 8) : PLACE_NO_INDEX,
			    .known = true };
	p.file = eat(f, 1) % 4 == 0 ? 1 + eat(f, 1) % 2 : 0;
	if (eat(f, 1) % 2)
		p.record = "record";
	if (p.record && eat(f, 1) % 2)
		p.field = "field";
	return p;
}

static size_t count_args(const char *message)
{
	size_t n = 0;

	for (const char *s = message; *s; s++)
		if (s[0] == '{' && s[1] >= '0' && s[1] < '0' + ARG_MAX && s[2] == '}' &&
		    (size_t)(s[1] - '0') >= n)
			n = (size_t)(s[1] - '0') + 1;
	return n;
}

static void make_finding(struct feed *f, struct made *m, const struct rule *rule)
{
	struct finding *g = &m->finding;

	*g = (struct finding){ .rule = rule,
			       .severity = (enum severity)(1 + eat(f, 1) % 4),
			       .place = make_place(f) };
	g->file = g->place.file > 0 ? companions[g->place.file - 1].name : NULL;
	g->n_args = count_args(rule->message);
	for (size_t i = 0; i < g->n_args; i++)
		make_arg(f, &g->args[i], m->texts[i]);
	g->n_related = eat(f, 1) % (RELATED_MAX + 1);
	for (size_t i = 0; i < g->n_related; i++)
		g->related[i] = (struct related){ make_place(f), "words of ours" };
	g->snippet_at = g->place.span.at / 16 * 16;
	g->snippet_len = g->place.known ? eat_bytes(f, g->snippet, SNIPPET_MAX) : 0;
}

/* A report as the engine would make it, with one finding for each of a few rules. */
struct stage {
	struct engine engine;
	struct report report;
	uint8_t status[CATALOG_MAX];
	uint8_t why[CATALOG_MAX];
	const char *reasons[REASONS_MAX];
	struct results_notes notes;
	struct rule_result results[CATALOG_MAX];
	struct info info;
	struct made made[FINDINGS];
	const struct finding *findings[FINDINGS];
	char name[NAME_MAX_LEN + 1];
};

static void place_finding(struct stage *s, struct feed *f, size_t n, size_t rule)
{
	struct rule_result *result = results_fail(&s->report.results, rule);
	struct finding *g = &s->made[n].finding;

	make_finding(f, &s->made[n], s->engine.rules[rule]);
	result->n_kept = 1;
	result->first = result->last = g;
	result->n_found[g->severity] = 1 + eat(f, 1) % 2;
	s->report.n_found[g->severity] += result->n_found[g->severity];
	s->findings[n] = g;
}

static void make_results(struct stage *s, struct feed *f)
{
	static const char *const reasons[] = { "level", "work", "memory", "directory" };
	size_t rule = 0;

	memset(s->status, RULE_PASS, s->engine.n_rules);
	for (size_t n = 0; n < FINDINGS; n++) {
		rule += 1 + eat(f, 1) % (s->engine.n_rules / FINDINGS - 1);
		place_finding(s, f, n, rule);
		results_leave(&s->report.results, rule - 1, reasons[eat(f, 1) % 4]);
	}
}

static void make_report(struct stage *s, struct feed *f)
{
	size_t n = eat_bytes(f, (uint8_t *)s->name, NAME_MAX_LEN);

	s->name[n] = '\0';
	s->report = (struct report){
		.name = s->name,
		.size = eat(f, 8),
		.format = eat(f, 1) % 8 ? formats[0] : NULL,
		.version = eat(f, 4),
		.verdict = VERDICT_UNDETERMINED,
		.rules = s->engine.rules,
		.results = { s->status, s->why, &s->notes },
		.n_rules = s->engine.n_rules,
		.findings = s->findings,
		.n_findings = FINDINGS,
		.n_infos = 1,
		.explained = eat(f, 8),
		.unread = eat(f, 2),
		.companions = companions,
		.n_companions = 2,
		.infos = &s->info,
	};
	s->info = (struct info){ .name = "members", .number = eat(f, 8), .hex = eat(f, 1) % 2 };
	s->notes = (struct results_notes){ .own = s->results, .reasons = s->reasons };
	make_results(s, f);
	if (s->report.n_found[SEVERITY_ERROR] > 0)
		s->report.verdict = VERDICT_INVALID;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct stage s;
	struct feed f = { data, data + size };

	if (s.engine.n_rules == 0)
		engine_init(&s.engine, (struct allocator){ NULL, NULL, NULL });
	s.engine.show_passed = eat(&f, 1) % 2;
	s.engine.verbose = random_hash(data, size) % 2;
	s.engine.width = random_hash(data, size) % 3 == 0 ? size % 120 : 0;
	make_report(&s, &f);
	oracle_render(&s.engine, &s.report, random_hash(data, size));
	return 0;
}

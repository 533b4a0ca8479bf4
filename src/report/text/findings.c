/* Findings: in bundles of one rule and one severity. */
#include "report/text/findings.h"

#include "report/describe.h"
#include "report/escape.h"
#include "report/message.h"
#include "report/text/hexdump.h"
#include "report/text/style.h"

/* A bundle is what one rule found at one severity. `kept` are the rule's findings that are shown,
 * of any severity; reasons is why each is accepted, or NULL. */
struct bundle {
	const struct rule *rule;
	enum severity severity;
	const struct finding *const *kept;
	const char *const *reasons; /* NULL: none of them is */
	size_t n_kept;
	const struct finding *first; /* of this severity; NULL: none is shown */
	size_t n_shown;              /* of this severity */
	uint64_t n_found;            /* of this severity, kept or not */
};

/* ---- Going through bundles ------------------------------------------------------------------- */

/* Severest first; of one severity first what no accident makes, which others must not hide by their
 * number; then as the report has the rules: those about the whole file before those about rows, so
 * that a cause stands before what follows from it. */
struct walk {
	const struct entry *entry;
	enum severity severity;
	bool has_meant; /* those that no accident makes have been gone through */
	size_t place;   /* of the next rule among those that failed */
	size_t next;    /* its first finding */
};

static struct walk walk_begin(const struct entry *e)
{
	return (struct walk){ .entry = e, .severity = SEVERITY_ERROR };
}

/* Takes the findings of the next rule that failed. false: there is none. */
static bool take_rule(struct walk *walk, struct bundle *out)
{
	const struct report *r = walk->entry->report;
	const size_t n = walk->entry->n_shown;
	size_t rule, first = walk->next;

	walk->place = report_next_failed(r, walk->place);
	if (walk->place >= r->n_rules)
		return false;
	rule = report_rule(r, walk->place++);
	while (walk->next < n && r->findings[walk->next]->rule == r->rules[rule])
		walk->next++;
	*out = (struct bundle){ .rule = r->rules[rule],
				.severity = walk->severity,
				.kept = n > 0 ? r->findings + first : NULL,
				.reasons = walk->entry->reasons ? walk->entry->reasons + first
								: NULL,
				.n_kept = walk->next - first,
				.n_found = results_of(&r->results, rule)->n_found[walk->severity] };
	for (size_t i = out->n_kept; i > 0; i--) {
		if (out->kept[i - 1]->severity != out->severity)
			continue;
		out->first = out->kept[i - 1];
		out->n_shown++;
	}
	return true;
}

static bool next_bundle(struct walk *walk, struct bundle *out)
{
	while (walk->severity > SEVERITY_NONE) {
		while (take_rule(walk, out))
			if (out->n_found > 0 && rule_is_meant(out->rule) != walk->has_meant)
				return true;
		if (walk->has_meant)
			walk->severity--;
		walk->has_meant = !walk->has_meant;
		walk->place = walk->next = 0;
	}
	return false;
}

/* ---- One finding ----------------------------------------------------------------------------- */

static void write_file(struct out *o, const struct report *r, const struct place *p)
{
	escape_string(o, ESCAPE_TERMINAL, p->file > 0 ? report_file(r, p->file) : r->name);
}

static void write_span(struct out *o, const struct place *p)
{
	out_string(o, " @ ");
	out_address(o, p->span.at);
	out_string(o, " +");
	out_dec(o, p->span.len);
	if (message_has_field(p)) {
		out_string(o, "  ");
		message_field(o, p);
	}
}

static void write_place(struct writer *w, const struct report *r, const struct place *p,
			const char *words)
{
	struct out *o;

	if (!p->known)
		return;
	o = style_line(w, STYLE_INDENT + 1, 0);
	out_string(o, "  --> ");
	write_file(o, r, p);
	write_span(o, p);
	if (words) {
		out_string(o, "  ");
		out_string(o, words);
	}
	style_end(w);
}

static void write_traits(struct out *o, const struct report *r, const struct rule *rule)
{
	bool security = report_class(r, rule) == CLASS_SECURITY,
	     heuristic = rule->flags & RULE_HEURISTIC;

	if (security && heuristic)
		out_string(o, "   (security, heuristic)");
	else if (security)
		out_string(o, "   (security)");
	else if (heuristic)
		out_string(o, "   (heuristic)");
}

static const char *reason_of(const struct bundle *g, size_t i)
{
	return g->reasons ? g->reasons[i] : NULL;
}

static uint64_t n_accepted(const struct bundle *g)
{
	uint64_t n = 0;

	for (size_t i = 0; g->reasons && i < g->n_kept; i++)
		n += g->reasons[i] && g->kept[i]->severity == g->severity;
	return n;
}

static void write_reason(struct writer *w, const char *reason)
{
	struct out *o;

	if (!reason)
		return;
	o = style_line(w, STYLE_INDENT, 0);
	out_string(o, "   = accepted: ");
	escape_string(o, ESCAPE_TERMINAL, reason);
	style_end(w);
}

/* Begins "error[UMD006] crc_mismatch". */
static struct out *begin_line(struct writer *w, const struct bundle *g)
{
	const char *severity = severity_name(g->severity);
	struct out *o;

	style_severity(w, g->severity, severity);
	o = style_line(w, STYLE_INDENT, strlen(severity));
	out_byte(o, '[');
	out_string(o, g->rule->id);
	out_string(o, "] ");
	out_string(o, g->rule->name);
	return o;
}

static void write_first_line(struct writer *w, const struct report *r, const struct bundle *g,
			     const struct finding *f)
{
	struct out *o = begin_line(w, g);

	out_string(o, "  ");
	message_write(o, f);
	write_traits(o, r, f->rule);
	style_end(w);
}

/* The reason and the fix are written once for each rule. */
static void write_finding(struct writer *w, const struct report *r, const struct bundle *g,
			  size_t i)
{
	const struct finding *f = g->kept[i];

	out_byte(&w->out, '\n');
	write_first_line(w, r, g, f);
	write_place(w, r, &f->place, NULL);
	hexdump_write(&w->out, f);
	for (size_t n = 0; n < f->n_related; n++)
		write_place(w, r, &f->related[n].place, f->related[n].words);
	write_reason(w, reason_of(g, i));
	if (f != g->first || !report_advises(r, f))
		return;
	style_advice(w, "", f->rule->why);
	style_advice(w, "help: ", f->rule->fix);
}

/* ---- A bundle in short ----------------------------------------------------------------------- */

/* How many findings of a rule have a line of their own besides the first. */
enum { MORE_MAX = 4 };

static void write_more(struct writer *w, const struct report *r, const struct finding *f,
		       const char *reason)
{
	struct out *o = style_line(w, STYLE_INDENT + 3, 0);

	out_string(o, "   also ");
	message_write(o, f);
	if (f->place.known) {
		out_string(o, f->place.file > 0 ? "  --> " : "  -->");
		if (f->place.file > 0)
			write_file(o, r, &f->place);
		write_span(o, &f->place);
	}
	if (reason) {
		out_string(o, "  (accepted: ");
		escape_string(o, ESCAPE_TERMINAL, reason);
		out_byte(o, ')');
	}
	style_end(w);
}

/* Rows that follow one another are told as one range, and so many ranges at most. */
enum { RANGES_MAX = 8 };

struct ranges {
	const char *record;
	uint64_t first, last;
	size_t n;      /* ranges before this one, or with it if any was begun */
	uint64_t told; /* findings that lie in them */
};

static void end_range(struct out *o, const struct ranges *s)
{
	if (s->n == 0)
		return;
	out_string(o, s->n == 1 ? " " : ", ");
	out_dec(o, s->first);
	if (s->last == s->first)
		return;
	out_byte(o, '-');
	out_dec(o, s->last);
}

/* false: there are too many ranges. */
static bool add_row(struct out *o, struct ranges *s, const struct place *p)
{
	const bool follows = s->n > 0 && (p->index == s->last ||
					  (p->index > s->last && p->index - s->last == 1));

	if (!follows) {
		end_range(o, s);
		if (s->n == RANGES_MAX)
			return false;
		s->n++;
		s->first = p->index;
	}
	s->last = p->index;
	s->told += 1 + (uint64_t)p->n_more;
	return true;
}

/* Of findings about rows of several tables, those of the first are told. */
static void write_rows(struct out *o, const struct bundle *g)
{
	struct ranges s = { .n = 0 };
	bool has_room = true;

	for (size_t i = 0; i < g->n_kept && has_room; i++) {
		const struct place *p = &g->kept[i]->place;

		if (g->kept[i]->severity != g->severity || !message_has_field(p) ||
		    p->index == PLACE_NO_INDEX)
			continue;
		if (!s.record) {
			s.record = p->record;
			out_string(o, ": ");
			out_string(o, s.record);
		}
		if (strcmp(s.record, p->record) == 0)
			has_room = add_row(o, &s, p);
	}
	if (has_room)
		end_range(o, &s);
	if (s.record && s.told < g->n_found)
		out_string(o, " and others");
}

static void write_sum(struct writer *w, const struct bundle *g)
{
	struct out *o = style_line(w, STYLE_INDENT, 0);

	out_string(o, "   = ");
	out_string(o, g->rule->id);
	out_string(o, " x ");
	out_dec(o, g->n_found);
	out_string(o, " in all");
	describe_accepted(o, n_accepted(g));
	write_rows(o, g);
	style_end(w);
}

static bool has_sum(const struct bundle *g)
{
	return g->n_found > 1 + MORE_MAX || g->n_found > g->n_shown;
}

static void write_bundle(struct writer *w, const struct report *r, const struct bundle *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n_kept && n <= MORE_MAX; i++) {
		if (g->kept[i]->severity != g->severity)
			continue;
		if (n++ == 0)
			write_finding(w, r, g, i);
		else
			write_more(w, r, g->kept[i], reason_of(g, i));
	}
	if (has_sum(g))
		write_sum(w, g);
}

/* How many lines write_bundle writes if none is wrapped. */
static size_t bundle_height(const struct bundle *g)
{
	const size_t more = g->n_shown - 1 < MORE_MAX ? g->n_shown - 1 : MORE_MAX;

	return 5 + hexdump_height(g->first) + g->first->n_related + more + has_sum(g) +
	       (n_accepted(g) > 0);
}

static void write_brief(struct writer *w, const struct bundle *g)
{
	struct out *o = begin_line(w, g);

	if (g->n_found > 1) {
		out_string(o, " x ");
		out_dec(o, g->n_found);
	}
	if (n_accepted(g) > 0) {
		out_string(o, " (");
		out_dec(o, n_accepted(g));
		out_string(o, " accepted)");
	}
	out_string(o, "  ");
	message_write(o, g->first);
	style_end(w);
}

/* Of some rules no finding was kept. */
static void write_unkept(struct out *o, const struct bundle *g)
{
	out_string(o, "... ");
	out_dec(o, g->n_found);
	out_byte(o, ' ');
	out_string(o, g->rule->id);
	out_string(o, " not shown\n");
}

/* ---- The findings of a file ------------------------------------------------------------------ */

/* A file has room for so many lines of rules with their bytes; then each rule has one line, and all
 * together so many. */
enum { WHOLE_LINES = 36, LINES_MAX = 44 };

struct room {
	size_t n_lines;
	bool has_whole; /* a bundle with its bytes */
	bool brief;     /* one did not fit */
	uint64_t n_left;
};

static bool has_room_whole(const struct room *room, size_t height)
{
	if (room->brief)
		return false;
	return !room->has_whole || room->n_lines + height <= WHOLE_LINES;
}

static void write_in_room(struct writer *w, const struct report *r, const struct bundle *g,
			  struct room *room)
{
	const size_t height = g->first ? bundle_height(g) : 1;

	if (g->first && has_room_whole(room, height)) {
		write_bundle(w, r, g);
		room->has_whole = true;
		room->n_lines += height;
	} else if (room->n_lines >= LINES_MAX) {
		room->n_left++;
	} else if (!g->first) {
		write_unkept(&w->out, g);
		room->n_lines++;
	} else {
		if (!room->brief)
			out_byte(&w->out, '\n');
		write_brief(w, g);
		room->n_lines += room->brief ? 1 : 2;
		room->brief = true;
	}
}

static void write_left(struct writer *w, uint64_t n, const char *what)
{
	if (n == 0)
		return;
	out_string(&w->out, "... ");
	out_count(&w->out, n, what);
	out_string(&w->out, " not shown; -v shows ");
	out_string(&w->out, n == 1 ? "it\n" : "them\n");
}

/* As if the other lines had been written. */
static struct room begin_room(enum findings_room room)
{
	enum { SOME = 12 };

	switch (room) {
	case FINDINGS_SOME:
		return (struct room){ .n_lines = WHOLE_LINES - SOME };
	case FINDINGS_ONE:
		return (struct room){ .n_lines = LINES_MAX - 1, .brief = true };
	default:
		return (struct room){ .n_lines = 0 };
	}
}

static void write_short(struct writer *w, const struct entry *e, enum findings_room size)
{
	const struct report *r = e->report;
	const bool skips_notes = r->verdict == VERDICT_INVALID ||
				 e->top->verdict == VERDICT_INVALID;
	struct room room = begin_room(size);
	struct walk walk = walk_begin(e);
	struct bundle g;

	while (next_bundle(&walk, &g))
		if (!skips_notes || g.severity != SEVERITY_NOTE)
			write_in_room(w, r, &g, &room);
	write_left(w, room.n_left, "more rule");
	write_left(w, skips_notes ? r->n_found[SEVERITY_NOTE] : 0, "note");
}

static void write_all(struct writer *w, const struct entry *e)
{
	struct walk walk = walk_begin(e);
	struct bundle g;

	while (next_bundle(&walk, &g))
		for (size_t i = 0; i < g.n_kept; i++)
			if (g.kept[i]->severity == g.severity)
				write_finding(w, e->report, &g, i);
	describe_omitted(&w->out, e->report, e->n_shown, "... ", " not shown\n");
}

void findings_write(struct writer *w, const struct entry *e, enum findings_room room)
{
	if (w->engine->verbose)
		write_all(w, e);
	else
		write_short(w, e, room);
}

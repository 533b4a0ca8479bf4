/* Rules that were not evaluated: counted by their reasons. */
#include "report/text/unchecked.h"

#include "report/text/style.h"

/* A reason that is none of the engine's own is the name of a group of facts that is missing, and
 * is told by the group's meaning. */
static const struct reason {
	const char *name;
	const char *why;       /* of its line */
	const char *one, *all; /* of rules: "1 that needs", "2 that need" */
} own[] = {
	{ "level", "the level leaves them out", "that the level leaves out",
	  "that the level leaves out" },
	{ "work", "the work limit was reached", "that the work limit cut off",
	  "that the work limit cut off" },
	{ "memory", "memory ran out", "for which memory ran out", "for which memory ran out" },
	{ "version", "not measured in this version", "that was not measured in this version",
	  "that were not measured in this version" },
	{ "codec", "this build cannot decompress it", "that needs a codec that this build lacks",
	  "that need a codec that this build lacks" },
	{ "companion", "the files beside it were not looked for", "that needs the files beside it",
	  "that need the files beside it" },
	{ "key", "no key decrypts it", "that needs the key", "that need the key" },
	{ "game", "no game was named with --game-dir", "that needs the game",
	  "that need the game" },
	{ "reference", "not known of this file, and the reference has it",
	  "that compares what is not known of this file",
	  "that compare what is not known of this file" },
};

static const struct reason *find_own(const char *name)
{
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (strcmp(name, own[i].name) == 0)
			return &own[i];
	return NULL;
}

static const char *group_meaning(const struct report *r, const char *name)
{
	for (uint32_t g = 0; r->format && g < r->format->n_groups; g++)
		if (strcmp(r->format->groups[g].name, name) == 0)
			return r->format->groups[g].meaning;
	return name;
}

static void write_why(struct out *o, const struct report *r, const char *name)
{
	const struct reason *reason = find_own(name);

	if (reason) {
		out_string(o, reason->why);
		return;
	}
	out_string(o, "needs ");
	out_string(o, group_meaning(r, name));
}

static void write_what(struct out *o, const struct report *r, const char *name, size_t n)
{
	const struct reason *reason = find_own(name);

	if (reason) {
		out_string(o, n == 1 ? reason->one : reason->all);
		return;
	}
	out_string(o, n == 1 ? "that needs " : "that need ");
	out_string(o, group_meaning(r, name));
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* Rules that were not evaluated for one reason, from the first of them on. */
struct unchecked {
	const char *reason; /* NULL: any other */
	size_t first, n;
};

/* At most so many reasons are told, in short so many, and the rest together. */
enum { REASONS_TOLD = 16, REASONS_SHORT = 4 };

struct counts {
	size_t n, n_rules;
	struct unchecked of[REASONS_TOLD + 1];
};

/* A report has one string for each reason, so that pointers can be compared. */
static bool is_unchecked(const struct report *r, const struct unchecked *u, size_t i)
{
	return r->results.status[i] == RULE_NOT_EVALUATED &&
	       (!u->reason || results_reason(&r->results, i) == u->reason);
}

/* Counts rule i by its reason. */
static void count(struct counts *c, const struct report *r, size_t i)
{
	size_t k = 0;

	while (k < c->n && !is_unchecked(r, &c->of[k], i))
		k++;
	if (k == c->n) {
		c->of[k].reason = k < REASONS_TOLD ? results_reason(&r->results, i) : NULL;
		c->of[k].first = i;
		c->of[k].n = 0;
		c->n++;
	}
	c->of[k].n++;
	c->n_rules++;
}

static void count_all(struct counts *c, const struct report *r)
{
	c->n = c->n_rules = 0;
	for (size_t i = 0; i < r->n_rules; i++)
		if (r->results.status[i] == RULE_NOT_EVALUATED)
			count(c, r, i);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* How many rules are named at most; of more only their number is written. */
enum { NAMED_MAX = 12 };

static const char label[] = "not checked: ";

static void write_ids(struct out *o, const struct report *r, const struct unchecked *u)
{
	const char *before = label;

	for (size_t i = u->first; i < r->n_rules; i++) {
		if (!is_unchecked(r, u, i))
			continue;
		out_string(o, before);
		out_string(o, r->rules[i]->id);
		before = ", ";
	}
}

static void write_reason(struct writer *w, const struct report *r, const struct unchecked *u)
{
	struct out *o = style_line(w, STYLE_INDENT, 0);

	if (u->n > NAMED_MAX) {
		out_string(o, label);
		out_count(o, u->n, "rule");
	} else {
		write_ids(o, r, u);
	}
	if (u->reason) {
		out_string(o, " (");
		write_why(o, r, u->reason);
		out_byte(o, ')');
	}
	style_end(w);
}

/* Takes the reason of most rules, the first of several, out of the counts; NULL: none has words. */
static const char *take_largest(struct counts *c, size_t *n)
{
	struct unchecked *largest = NULL;
	const char *reason;

	for (size_t k = 0; k < c->n; k++)
		if (c->of[k].reason && (!largest || c->of[k].n > largest->n))
			largest = &c->of[k];
	if (!largest)
		return NULL;
	*n = largest->n;
	reason = largest->reason;
	largest->reason = NULL;
	return reason;
}

/* "60 rules", or behind others "; 60". */
static void write_number(struct out *o, size_t n, bool is_first)
{
	if (is_first) {
		out_count(o, n, "rule");
	} else {
		out_string(o, "; ");
		out_dec(o, n);
	}
	out_byte(o, ' ');
}

/* "not checked: 60 rules that need the name table; 12 that need the list of members". */
static void write_together(struct writer *w, const struct report *r, struct counts *c)
{
	struct out *o = style_line(w, STYLE_INDENT, 0);
	size_t left = c->n_rules, n = 0;
	const char *reason;

	out_string(o, label);
	for (size_t k = 0; k < REASONS_SHORT && (reason = take_largest(c, &n)) != NULL; k++) {
		write_number(o, n, left == c->n_rules);
		write_what(o, r, reason, n);
		left -= n;
	}
	if (left > 0) {
		write_number(o, left, left == c->n_rules);
		out_string(o, "for other reasons");
	}
	style_end(w);
}

void unchecked_write(struct writer *w, const struct report *r)
{
	UVET_FILLED_LATER struct counts c;

	count_all(&c, r);
	if (c.n == 0)
		return;
	out_byte(&w->out, '\n');
	if (!w->engine->verbose) {
		write_together(w, r, &c);
		return;
	}
	for (size_t k = 0; k < c.n; k++)
		write_reason(w, r, &c.of[k]);
}

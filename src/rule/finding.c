/* Making findings: arguments and bytes are copied at once, so that a finding outlives the facts. */
#include "rule/finding.h"

#include "core/mutant.h"

/* Numbers a place if its record is a row of this table, or part of one. */
static bool number_row(const struct table *t, const void *rows, uint64_t n, const void *rec,
		       struct place *p)
{
	uintptr_t base = (uintptr_t)rows, at = (uintptr_t)rec;

	if (!rows || at < base || (at - base) / t->row_len >= n)
		return false;
	p->record = t->record;
	p->index = (at - base) / t->row_len;
	return true;
}

static void number_place(const struct check *c, const void *rec, struct place *p)
{
	for (size_t i = 1; i < c->n_tables; i++)
		if (number_row(&c->tables[i], c->tables[i].rows, c->tables[i].n, rec, p))
			return;
	if (c->block && number_row(&c->tables[c->block_table], c->block, c->block_n, rec, p))
		p->index += c->block_first;
}

/* Layouts are named format_record; a place is shown without the format. */
static const char *record_name(const struct layout *l)
{
	const char *name = l->name;

	while (*name && *name != '_')
		name++;
	return *name ? name + 1 : l->name;
}

/* The result of the rule being evaluated. It is looked up once: a table may break a rule in
 * every row. */
static const struct rule_result *result_so_far(struct check *c)
{
	return c->result ? c->result : results_of(&c->results, c->number - c->offset);
}

struct place counted(struct place p, uint32_t n_more)
{
	p.n_more = n_more;
	return p;
}

/* A finding that will not be kept needs no place: a table may break a rule in every row. */
struct place check_place(struct check *c, const struct layout *l, const void *rec, uint64_t rec_at,
			 size_t field)
{
	struct place p = { .span = { rec_at, 0 },
			   .record = record_name(l),
			   .field = l->fields[field].name,
			   .index = PLACE_NO_INDEX,
			   .known = true };
	struct cursor window;

	if (result_so_far(c)->n_kept >= c->keep_max)
		return p;
	number_place(c, rec, &p);
	rec_at += MUTANT(16) && field == l->n_fields - 1; /* mutant: a place one byte too far */
	if (source_peek_from(c->source, rec_at, &window) &&
	    !layout_place(l, c->version, window, field, &p.span))
		p.span = (struct span){ rec_at, 0 };
	return p;
}

/* Copies bytes of UTF-8, and cuts them between two characters; what is not UTF-8 may be cut
 * anywhere. */
static size_t copy_utf8(const struct arg *arg, uint8_t *utf8, bool *whole)
{
	size_t n = arg->text.n_units;

	*whole = n <= ARG_NAME_MAX;
	if (!*whole)
		n = ARG_NAME_MAX;
	for (unsigned i = 0; !*whole && i < 3 && (arg->units[n] & 0xC0) == 0x80; i++)
		n--;
	memcpy(utf8, arg->units, n);
	return n;
}

/* What is copied as it is takes as many bytes as it has. */
static size_t room_of(const struct arg *arg)
{
	if (!arg->is_utf8 && arg->kind != ARG_BYTES)
		return ARG_BYTES_MAX;
	return arg->text.n_units < ARG_NAME_MAX ? arg->text.n_units : ARG_NAME_MAX;
}

static bool copy_text(struct check *c, const struct arg *arg, struct finding_arg *out)
{
	const bool as_it_is = arg->is_utf8 || arg->kind == ARG_BYTES;
	struct text t = { arg->units, arg->text };
	uint8_t raw[ARG_TEXT_MAX * 4], *utf8;
	bool whole;

	out->cut = !as_it_is && t.ref.n_units > 2 * ARG_TEXT_MAX;
	if (out->cut)
		t.ref.n_units = 2 * ARG_TEXT_MAX;
	if (!as_it_is && !t.data) {
		if (!source_copy(c->source, text_span(t.ref), raw))
			return true;
		t.data = raw;
	}
	utf8 = arena_alloc(c->arena, room_of(arg), 1);
	if (!utf8)
		return false;
	out->text = utf8;
	out->text_len = as_it_is ? copy_utf8(arg, utf8, &whole)
				 : text_utf8(t, ARG_TEXT_MAX, utf8, &whole);
	out->cut = out->cut || !whole;
	return true;
}

static bool copy_args(struct check *c, struct finding *f, const struct arg *args, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		f->args[i] = (struct finding_arg){ .kind = args[i].kind,
						   .number = args[i].number,
						   .word = args[i].word };
		if ((args[i].kind == ARG_TEXT || args[i].kind == ARG_BYTES) &&
		    !copy_text(c, &args[i], &f->args[i]))
			return false;
	}
	f->n_args = n - (MUTANT(17) && n == ARG_MAX); /* mutant: the fifth argument is lost */
	return true;
}

/* The bytes around a finding, from a multiple of 16 on: what a reader wants to see beside the
 * words. */
static void copy_snippet(struct check *c, struct finding *f)
{
	struct source *source = source_numbered(c->source, f->place.file);
	uint64_t size = source ? source->io.size : 0, at = f->place.span.at / 16 * 16;
	uint64_t end = span_end(f->place.span), len;

	if (!f->place.known || at >= size)
		return;
	end = size < 15 || end > size - 15 ? size : (end + 15) / 16 * 16;
	len = end > at ? end - at : 0;
	if (len > SNIPPET_MAX)
		len = SNIPPET_MAX;
	f->snippet_at = at;
	if (source_copy(source, (struct span){ at, len }, f->snippet))
		f->snippet_len = (size_t)len;
}

static void keep(struct rule_result *r, struct finding *f)
{
	if (r->last)
		r->last->next = f;
	else
		r->first = f;
	r->last = f;
	r->n_kept++;
}

void report_finding(struct check *c, bool lesser, struct place place, const struct arg *args,
		    size_t n_args)
{
	const struct rule_setting *setting = &c->settings[c->number];
	struct rule_result *r = c->result ? c->result
					  : results_fail(&c->results, c->number - c->offset);
	enum severity severity = lesser && setting->lesser != SEVERITY_NONE ? setting->lesser
									    : setting->severity;
	struct finding *f;

	c->result = r;
	c->made = NULL;
	if (!r) {
		results_lose(&c->results, c->number - c->offset, severity,
			     1 + (uint64_t)place.n_more);
		return;
	}
	r->n_found[severity] += 1 + (uint64_t)place.n_more;
	if (r->n_kept >= c->keep_max)
		return;
	f = arena_alloc(c->arena, 1, sizeof *f);
	if (f)
		*f = (struct finding){ .rule = c->rules[c->number],
				       .severity = severity,
				       .place = place };
	if (!f || !copy_args(c, f, args, n_args)) {
		c->lost = true;
		return;
	}
	copy_snippet(c, f);
	keep(r, f);
	c->made = f;
}

void relate(struct check *c, struct place place, const char *words)
{
	if (c->made && c->made->n_related < RELATED_MAX)
		c->made->related[c->made->n_related++] = (struct related){ place, words };
}

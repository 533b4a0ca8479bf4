/* Regions: what of header, tables and bodies overlaps, what is left over, and in which order they
 * lie. */
#include "formats/upkg/tables/regions.h"

#include "core/mutant.h"
#include "formats/upkg/tables/objects.h"

/* A region with bytes. */
struct piece {
	struct span span;
	enum upkg_region_kind kind;
	uint32_t row; /* the export, of a body */
};

enum { OVERLAP_SORTS = 3, GAP_SORTS = 3 };

/* A sweep visits the regions in the order of their bytes and counts overlaps and gaps; if it has
 * lists, it adds them to these. */
struct sweep {
	struct upkg *u;
	struct upkg_overlap *overlaps;
	struct upkg_gap *gaps;
	uint32_t n_overlaps, n_gaps;
	uint32_t n_kept, n_kept_gaps; /* rows of the lists */
	struct keep keeps[OVERLAP_SORTS], gap_keeps[GAP_SORTS];
	const struct decode *d;
	uint64_t unexplained; /* bytes of the gaps */
	struct piece reach;   /* the region that reaches farthest so far */
	uint64_t end;         /* how far that is */
};

/* The packages of Duke Nukem Forever of 2011 have one byte more after the header. */
static bool is_usual_gap(const struct upkg *u, struct span gap)
{
	return u->tag.version == 156 && u->tag.licensee == 36 && gap.at == u->header_end &&
	       gap.len == 1;
}

/* The gap at the end, the usual one and others are three sorts. */
static void keep_gap(struct sweep *s, struct upkg_gap g)
{
	struct keep *keep = &s->gap_keeps[g.traits & GAP_AT_END ? 0 : g.traits & GAP_USUAL ? 1 : 2];

	s->u->gap_traits |= g.traits;
	if (keep_row(s->d, keep, s->n_kept_gaps))
		s->gaps[s->n_kept_gaps++] = g;
	else
		s->gaps[keep->last].n_more++;
}

static void add_gap(struct sweep *s, uint64_t to, bool is_last)
{
	const struct span gap = { s->end, to - s->end };

	if (s->gaps)
		keep_gap(s, (struct upkg_gap){ gap, 0,
					       is_last                   ? GAP_AT_END
					       : is_usual_gap(s->u, gap) ? GAP_USUAL
									 : GAP_BETWEEN });
	s->n_gaps++;
	s->unexplained += gap.len;
}

static bool has_no_flags(const struct upkg *u, uint32_t export)
{
	const struct upkg_export *e = &u->exports[export];

	return e->traits & EXPORT_FOR_EDITOR && upkg_export_entry_of(u, e).flags == 0;
}

static bool may_share(const struct upkg *u, const struct upkg_overlap *o)
{
	if (o->first_kind != REGION_BODY || o->second_kind != REGION_BODY)
		return false;
	if (o->first_at.at != o->second_at.at || o->first_at.len != o->second_at.len)
		return false;
	return has_no_flags(u, o->first) && has_no_flags(u, o->second);
}

/* Bodies that may be shared, other bodies, and what is no body are three sorts. */
static void add_overlap(struct sweep *s, struct upkg_overlap o)
{
	struct keep *keep;

	if (o.first_kind != REGION_BODY && o.second_kind != REGION_BODY)
		o.traits = OVERLAP_TABLES;
	else
		o.traits = may_share(s->u, &o) ? OVERLAP_BODY | OVERLAP_SHARED : OVERLAP_BODY;
	s->u->overlap_traits |= o.traits;
	keep = &s->keeps[o.traits & OVERLAP_SHARED ? 0 : o.traits & OVERLAP_BODY ? 1 : 2];
	if (keep_row(s->d, keep, s->n_kept))
		s->overlaps[s->n_kept++] = o;
	else
		s->overlaps[keep->last].n_more++;
}

static void visit(struct sweep *s, struct piece p)
{
	if (p.span.at + (uint64_t)MUTANT(59) < s->end) { /* mutant: one shared byte is overlooked */
		if (p.kind == REGION_BODY)
			s->u->exports[p.row].traits |= EXPORT_OVERLAPS;
		if (s->overlaps)
			add_overlap(s,
				    (struct upkg_overlap){ s->reach.kind, p.kind, 0, s->reach.row,
							   p.row, s->reach.span, p.span, 0 });
		s->n_overlaps++;
	} else if (p.span.at > s->end) {
		add_gap(s, p.span.at, false);
	}
	if (span_end(p.span) > s->end) {
		s->end = span_end(p.span);
		s->reach = p;
	}
}

static bool has_body(const struct upkg_export *e)
{
	return e->size > 0 && !(e->traits & EXPORT_OUTSIDE);
}

static struct piece body_of(const struct upkg *u, uint32_t row)
{
	const struct upkg_export *e = &u->exports[row];

	return (struct piece){ { (uint64_t)e->offset, (uint64_t)e->size }, REGION_BODY, row };
}

/* Header, heritage and tables in the order of the file, and all bodies where they are one piece. */
enum { FIXED_MAX = 6 };
struct fixed {
	struct piece pieces[FIXED_MAX];
	uint32_t n;
};

static void add_fixed(struct fixed *f, struct span span, enum upkg_region_kind kind)
{
	uint32_t i = f->n;

	if (span.len == 0)
		return;
	for (; i > 0 && f->pieces[i - 1].span.at > span.at; i--)
		f->pieces[i] = f->pieces[i - 1];
	f->pieces[i] = (struct piece){ span, kind, 0 };
	f->n++;
}

static void add_table(struct fixed *f, const struct upkg_table *t, enum upkg_region_kind kind)
{
	if (t->n > 0)
		add_fixed(f, (struct span){ t->at, t->end - t->at }, kind);
}

static struct fixed list_fixed(const struct upkg *u)
{
	struct fixed f = { .n = 0 };

	add_fixed(&f, (struct span){ 0, u->header_end }, REGION_HEADER);
	add_fixed(&f, u->heritage, REGION_HERITAGE);
	add_table(&f, &u->tables[TABLE_NAMES], REGION_NAMES);
	add_table(&f, &u->tables[TABLE_IMPORTS], REGION_IMPORTS);
	add_table(&f, &u->tables[TABLE_EXPORTS], REGION_EXPORTS);
	return f;
}

/* Visits all regions; `bodies` has the exports in the order of their offsets. */
static void sweep(struct sweep *s, const struct fixed *fixed, const struct order *bodies)
{
	struct upkg *u = s->u;
	uint32_t next = 0;

	for (uint32_t i = 0; i < bodies->n; i++) {
		uint32_t row = order_row(bodies, i);
		struct piece body;

		if (!has_body(&u->exports[row]))
			continue;
		body = body_of(u, row);
		while (next < fixed->n && fixed->pieces[next].span.at <= body.span.at)
			visit(s, fixed->pieces[next++]);
		visit(s, body);
	}
	while (next < fixed->n)
		visit(s, fixed->pieces[next++]);
	if (s->end < u->size)
		add_gap(s, u->size, true);
}

static uint64_t offset_key(const void *facts, uint32_t i)
{
	const struct upkg_export *e = &((const struct upkg *)facts)->exports[i];

	return e->offset > 0 ? (uint64_t)e->offset : 0;
}

/* In every file that an engine wrote the order is names, bodies, imports, exports. */
static void examine_order(struct upkg *u)
{
	const uint64_t none = UINT64_MAX;
	const uint64_t names = u->tables[TABLE_NAMES].n > 0 ? u->tables[TABLE_NAMES].at : 0;
	const uint64_t imports = u->tables[TABLE_IMPORTS].n > 0 ? u->tables[TABLE_IMPORTS].at
								: none;
	const uint64_t exports = u->tables[TABLE_EXPORTS].n > 0 ? u->tables[TABLE_EXPORTS].at
								: none;
	const uint64_t bodies = u->first_body != none ? u->last_body : 0;

	if (u->first_body < names || imports < names || exports < names)
		u->traits |= FILE_LATE_NAMES;
	else if (bodies > imports || bodies > exports || (imports > exports && imports != none))
		u->traits |= FILE_UNUSUAL_ORDER;
}

/* Bodies that lie one after another, as an engine writes them, are one piece, if nothing else lies
 * in it. */
static bool add_bodies(const struct upkg *u, struct fixed *f)
{
	struct span all;

	if (u->n_stretches != 1 || u->tables[TABLE_EXPORTS].n == 0)
		return false;
	all = (struct span){ u->first_body, u->last_end - u->first_body };
	for (uint32_t i = 0; i < f->n; i++)
		if (f->pieces[i].span.at < span_end(all) && span_end(f->pieces[i].span) > all.at)
			return false;
	add_fixed(f, all, REGION_BODY);
	return true;
}

/* Allocates the lists for what a sweep counted. Where the end of the header is not known,
 * overlaps of bodies are, but gaps and order are not. */
static bool make_lists(struct decode *d, struct upkg *u, const struct sweep *s)
{
	if (!decode_has(d, UPKG_OVERLAPS))
		return false;
	u->overlaps = decode_alloc(d, UPKG_OVERLAPS, keep_most(d, s->n_overlaps, OVERLAP_SORTS),
				   sizeof *u->overlaps);
	if (!u->overlaps)
		return false;
	if (!decode_has(d, UPKG_REGIONS))
		return true;
	examine_order(u);
	u->gaps = decode_alloc(d, UPKG_REGIONS, keep_most(d, s->n_gaps, GAP_SORTS),
			       sizeof *u->gaps);
	return true;
}

bool upkg_lay_out(struct decode *d, struct upkg *u)
{
	struct fixed fixed = list_fixed(u);
	struct order bodies = { .n = add_bodies(u, &fixed) ? 0 : u->tables[TABLE_EXPORTS].n };
	struct sweep s = { .d = d, .u = u };

	if (u->export_traits & EXPORT_DESCENDS &&
	    !order_by_key(d->arena, u, bodies.n, offset_key, &bodies))
		return decode_stop(d, UPKG_OVERLAPS, STOP_MEMORY, (struct span){ 0, 0 });
	sweep(&s, &fixed, &bodies);
	u->is_laid_out = true;
	u->explained = u->size - s.unexplained;
	if (!make_lists(d, u, &s))
		return false;
	if (s.n_overlaps == 0 && s.n_gaps == 0)
		return true;
	s = (struct sweep){ .d = d, .u = u, .overlaps = u->overlaps, .gaps = u->gaps };
	sweep(&s, &fixed, &bodies);
	u->n_overlaps = s.n_kept;
	u->n_gaps = s.n_kept_gaps;
	return true;
}

/* The map of a package: which bytes are what. */
#include "formats/upkg/map.h"

#include "core/mutant.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"
#include "formats/upkg/tables/tables.h"

struct mapper {
	const struct upkg *u;
	map_sink *sink;
	void *ctx;
};

static bool pass_region(const struct mapper *m, struct region r)
{
	return r.span.len == 0 || m->sink(m->ctx, &r);
}

static bool map_record(const struct mapper *m, const char *label, const struct layout *l,
		       uint64_t from, uint64_t to, uint64_t index)
{
	return pass_region(m, (struct region){ .span = { from, to - from },
					       .kind = "header",
					       .label = label,
					       .index = index,
					       .layout = l,
					       .depth = 1 });
}

static bool map_header(const struct mapper *m)
{
	const struct upkg *u = m->u;
	const uint64_t generations = u->header_end -
				     u->n_generations * (uint64_t)upkg_generation_fixed_len;

	if (!pass_region(m, (struct region){ .span = { 0, u->header_end },
					     .kind = "header",
					     .label = "header",
					     .index = UINT64_MAX }))
		return false;
	if (!map_record(m, "tag", &upkg_tag_layout, 0, upkg_tag_fixed_len, UINT64_MAX) ||
	    !map_record(m, "summary", &upkg_header_layout, upkg_tag_fixed_len, generations,
			UINT64_MAX))
		return false;
	for (uint32_t i = 0; i < u->n_generations; i++) {
		uint64_t at = u->generations[i].at;

		if (!map_record(m, "generation", &upkg_generation_layout, at,
				at + upkg_generation_fixed_len, i))
			return false;
	}
	return true;
}

static bool map_heritage(const struct mapper *m)
{
	const struct span all = m->u->heritage;

	for (uint64_t at = all.at, i = 0; at < span_end(all); at += upkg_heritage_fixed_len, i++)
		if (!pass_region(m, (struct region){ .span = { at, upkg_heritage_fixed_len },
						     .kind = "header",
						     .label = "heritage",
						     .index = i,
						     .layout = &upkg_heritage_layout }))
			return false;
	return true;
}

/* Where each row of a table begins, and the name that is its own. */
typedef uint64_t row_at(const struct upkg *u, uint32_t i);

static int32_t name_of(const struct upkg *u, enum upkg_table_number number, uint32_t i)
{
	return number == TABLE_IMPORTS   ? u->imports[i].name
	       : number == TABLE_EXPORTS ? u->exports[i].name
					 : -1;
}

static uint64_t name_at(const struct upkg *u, uint32_t i)
{
	return u->names[i].at;
}

static uint64_t import_at(const struct upkg *u, uint32_t i)
{
	return u->imports[i].at;
}

static uint64_t export_at(const struct upkg *u, uint32_t i)
{
	return u->exports[i].at;
}

static const struct {
	const char *table, *row;
	row_at *at;
} tables[N_UPKG_TABLES] = {
	[TABLE_NAMES] = { "names", "name", name_at },
	[TABLE_IMPORTS] = { "imports", "import", import_at },
	[TABLE_EXPORTS] = { "exports", "export", export_at },
};

static bool map_row(const struct mapper *m, enum upkg_table_number number, uint32_t i,
		    struct span span)
{
	return pass_region(
		m, (struct region){ .span = span,
				    .kind = "index",
				    .label = tables[number].row,
				    .index = i,
				    .depth = 1,
				    .layout = upkg_entry_layout(number),
				    .name = upkg_text_of(m->u, name_of(m->u, number, i)).ref });
}

/* An export whose size is not 0 has a second record after the first. */
static bool map_place(const struct mapper *m, uint32_t i, struct span span)
{
	return pass_region(m, (struct region){ .span = span,
					       .kind = "index",
					       .label = "place",
					       .index = i,
					       .depth = 1,
					       .layout = &upkg_export_place_layout });
}

static bool map_table(const struct mapper *m, struct decode *d, enum upkg_table_number number)
{
	const struct upkg_table *t = &m->u->tables[number];

	if (!decode_has(d, upkg_group_of(number)))
		return true;
	if (!pass_region(m, (struct region){ .span = { t->at, t->end - t->at },
					     .kind = "index",
					     .label = tables[number].table,
					     .index = UINT64_MAX }))
		return false;
	for (uint32_t i = 0; i < t->n; i++) {
		uint64_t at = tables[number].at(m->u, i),
			 end = i + 1 < t->n ? tables[number].at(m->u, i + 1) : t->end;
		uint64_t middle = end;

		if (number == TABLE_EXPORTS && m->u->exports[i].size != 0)
			/* mutant: a byte less */
			middle = upkg_place_of(m->u, &m->u->exports[i]) - MUTANT(63);
		if (!map_row(m, number, i, (struct span){ at, middle - at }) ||
		    !map_place(m, i, (struct span){ middle, end - middle }))
			return false;
	}
	return true;
}

static bool map_body(const struct mapper *m, uint32_t i)
{
	const struct upkg_export *e = &m->u->exports[i];
	struct region r = { .span = { (uint64_t)e->offset, (uint64_t)e->size },
			    .kind = "payload",
			    .label = "body",
			    .index = i,
			    .name = upkg_text_of(m->u, e->name).ref };

	return e->size <= 0 || e->traits & EXPORT_OUTSIDE || pass_region(m, r);
}

bool upkg_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct upkg *u = facts;
	const struct mapper m = { u, sink, ctx };

	if (!decode_has(d, UPKG_HEADER))
		return true;
	if (!map_header(&m))
		return false;
	if (!u->is_laid_out)
		return true;
	if (!map_heritage(&m))
		return false;
	for (unsigned t = 0; t < N_UPKG_TABLES; t++)
		if (!map_table(&m, d, t))
			return false;
	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++)
		if (!map_body(&m, i))
			return false;
	return true;
}

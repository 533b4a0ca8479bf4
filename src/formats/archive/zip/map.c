/* The parts of a zip, for its map. */
#include "formats/archive/zip/zip.h"

/* A picture is where regions go. */
struct picture {
	map_sink *sink;
	void *ctx;
};

static bool show(const struct picture *p, struct region r)
{
	return r.span.len == 0 || p->sink(p->ctx, &r);
}

/* What the record says, but at least its fields, which are read whatever it says, and at most what
 * there is before the locator. */
static uint64_t record_len(const struct zip_find *f)
{
	const uint64_t left = f->locator.at - f->record.at, fixed = zip64_record_fixed_len;

	if (f->record.rest_len >= left - 12)
		return left;
	return f->record.rest_len < fixed - 12 ? fixed : f->record.rest_len + 12;
}

static bool has_directory(const struct zip *z)
{
	return z->groups[ZIP_DIRECTORY].why == STOP_NOT;
}

static bool has_locals(const struct zip *z)
{
	return z->groups[ZIP_LOCALS].why == STOP_NOT;
}

uint64_t zip_explained(const void *facts)
{
	const struct zip *z = facts;
	const struct zip_find *f = &z->find;
	uint64_t n = 0;

	if (z->groups[ZIP_END].why != STOP_NOT)
		return 0;
	n = zip_end_fixed_len + f->end.comment_len;
	if (f->has_locator)
		n += zip64_locator_fixed_len;
	if (f->has_record)
		n += record_len(f);
	if (has_directory(z))
		n += z->walk_end - z->directory_at + z->signed_by.len;
	return has_locals(z) ? n + z->explained : n;
}

/* The name as the central header has it, which shows only if it is ASCII. */
static struct text_ref shown_name(const struct arc_member *m)
{
	return m->name.ref.encoding == TEXT_CP1252 ? m->name.ref : (struct text_ref){ .at = 0 };
}

static bool show_member(const struct zip *z, uint64_t i, const struct picture *p)
{
	const struct zip_entry *e = &z->entries[i];
	const struct arc_member *m = &z->members->rows[i];
	const uint64_t end = e->end < z->directory_at ? e->end : z->directory_at;
	const struct span shown = { e->shown_at, e->shown_at < end ? end - e->shown_at : 0 };
	const bool is_whole = e->shown_at == e->local_at && m->at <= end;
	const struct region member = { .span = shown,
				       .kind = "payload",
				       .label = "member",
				       .index = i,
				       .name = shown_name(m) };
	const struct region header = { .span = { e->local_at, zip_local_fixed_len },
				       .kind = "header",
				       .label = "local",
				       .index = i,
				       .layout = &zip_local_layout,
				       .depth = 1 };

	return show(p, member) && (shown.len == 0 || !is_whole || show(p, header));
}

static bool show_central(const struct zip *z, uint64_t i, const struct picture *p)
{
	const struct arc_member *m = &z->members->rows[i];
	const struct region all = { .span = { m->head_at, m->head_len },
				    .kind = "index",
				    .label = "central",
				    .index = i,
				    .name = shown_name(m) };
	struct region header = all;

	header.span.len = zip_central_fixed_len;
	header.layout = &zip_central_layout;
	header.kind = "header";
	header.depth = 1;
	return show(p, all) && show(p, header);
}

/* The zip64 record: its fields, what it says of an encrypted directory, and what else is in it. */
static bool show_record(const struct zip_find *f, const struct picture *p)
{
	const uint64_t fixed = zip64_record_fixed_len,
		       lock_len = f->has_lock ? zip64_lock_fixed_len : 0;
	const struct region record = { .span = { f->record.at, fixed },
				       .kind = "header",
				       .label = "zip64 record",
				       .index = UINT64_MAX,
				       .layout = &zip64_record_layout };
	struct region lock = record, more = record;

	lock.span = (struct span){ f->record.at + fixed, lock_len };
	lock.label = "zip64 encryption";
	lock.layout = &zip64_lock_layout;
	more.span = (struct span){ span_end(lock.span), record_len(f) - fixed - lock_len };
	more.label = "zip64 data";
	more.layout = NULL;
	return show(p, record) && show(p, lock) && show(p, more);
}

static bool show_end(const struct zip *z, const struct picture *p)
{
	const struct zip_find *f = &z->find;
	const struct region end = { .span = { f->end.at, zip_end_fixed_len },
				    .kind = "header",
				    .label = "end",
				    .index = UINT64_MAX,
				    .layout = &zip_end_layout };
	const struct region comment = { .span = { f->end.at + zip_end_fixed_len,
						  f->end.comment_len },
					.kind = "text",
					.label = "comment",
					.index = UINT64_MAX };
	struct region locator = end;

	locator.span = (struct span){ f->locator.at, zip64_locator_fixed_len };
	locator.label = "zip64 locator";
	locator.layout = &zip64_locator_layout;
	return (!f->has_record || show_record(f, p)) && (!f->has_locator || show(p, locator)) &&
	       show(p, end) && show(p, comment);
}

bool zip_map(const void *facts, struct decode *d, map_sink *sink, void *ctx)
{
	const struct zip *z = facts;
	const struct picture p = { sink, ctx };
	const struct region signature = { .span = z->signed_by,
					  .kind = "signature",
					  .label = "digital signature",
					  .index = UINT64_MAX };

	if (!decode_has(d, ZIP_END))
		return true;
	for (uint64_t i = 0; has_locals(z) && i < z->n_entries; i++)
		if (!show_member(z, i, &p))
			return false;
	for (uint64_t i = 0; has_directory(z) && i < z->n_entries; i++)
		if (!show_central(z, i, &p))
			return false;
	return (!has_directory(z) || show(&p, signature)) && show_end(z, &p);
}

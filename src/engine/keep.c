/* What outlives the facts of a file: its summary, and where it lies. */
#include "engine/keep.h"

#include "codec/crc.h"

static bool crc_sink(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	(void)at;
	crc_add(ctx, bytes, n);
	return true;
}

/* The source is read through a copy with the memory of summaries, so that nothing of it shows in
 * the report. */
static void keep_crc(const struct source *source, struct summary *out)
{
	const struct arena_mark before = arena_mark(out->arena);
	struct source copy = *source;
	struct crc crc = { 0 };

	copy.arena = out->arena;
	copy.stream_buffer = NULL;
	if (source_stream(&copy, (struct span){ 0, copy.io.size }, crc_sink, &crc))
		out->digest = SUMMARY_CRC32;
	out->crc = crc.value;
	arena_rewind(out->arena, before);
}

static bool is_download(const struct report *r)
{
	return r->decoded && r->is_namesake && !r->is_beside;
}

static void place(const struct report *r, struct summary *out)
{
	out->path = r->name;
	out->own_path = r->own_name;
	out->is_download = is_download(r);
	out->size = r->size;
}

void keep_summary(struct summaries *all, const struct report *r, const void *facts,
		  struct decode *d, bool is_cut)
{
	const struct format *f = r->format;
	struct summary *out;

	if (all && all->for_sets && is_download(r) && r->parent && is_download(r->parent))
		return; /* a download in a download is of no use to a game */
	if (!all || !f->summary || (all->for_sets && !f->in_sets))
		return;
	out = summaries_add(all, f, text_from(d->source->name));
	if (!out)
		return;
	place(r, out);
	for (const struct report *around = r->parent; around; around = around->parent)
		out->depth++;
	out->version = r->version;
	f->summary(facts, d, out);
	summary_note_stops(out, d);
	if (is_cut || report_is_doubted(r))
		out->gaps |= SUMMARY_DOUBTED;
	if (out->package && out->gaps == 0 && d->level == LEVEL_CONTENT)
		keep_crc(d->source, out);
}

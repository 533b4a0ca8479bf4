/* What outlives the facts of a file: its summary, and where it lies. */
#include "engine/keep.h"

#include <string.h>

#include "codec/crc.h"
#include "core/path.h"

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

/* A download in a download is of no use to a game, and neither is a file that is not called as one
 * that it loads. */
static bool is_in_sets(const struct report *r, struct text name)
{
	const struct text extension = path_extension(name);

	if (is_download(r) && r->parent && is_download(r->parent))
		return false;
	return r->format->in_sets &&
	       (format_has_extension(r->format, extension) || format_shares(r->format, extension));
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

	if (!all || !f->summary || (all->for_sets && !is_in_sets(r, text_from(d->source->name))))
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

void keep_nothing(struct summaries *all, const struct report *r, const struct decode *d)
{
	if (all && all->for_sets && is_in_sets(r, text_from(d->source->name)))
		all->n_lost++;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* The lines of a text, read in memory that is given back; NULL: it has none. *is_known becomes
 * false if that could not be seen. */
static const struct summary_lines *lines_of(struct summaries *all, const struct decode *d,
					    struct text extension, bool *is_known)
{
	const struct span whole = { 0, d->source->io.size };
	const struct summary_lines *lines = NULL;
	struct source copy = *d->source;
	struct cursor window;
	struct arena scratch;
	const uint8_t *bytes;

	arena_init(&scratch, all->arena->from, all->arena->budget);
	copy.arena = &scratch;
	*is_known = source_window_once(&copy, whole, &window) &&
		    cursor_bytes(&window, whole.len, &bytes);
	if (*is_known)
		lines = summary_lines_of(all->arena, extension, bytes, (uint32_t)whole.len);
	*is_known = *is_known && lines;
	arena_free(&scratch);
	return lines && lines->n > 0 ? lines : NULL;
}

static bool is_native(struct text extension)
{
	static const char *const words[] = { "dll", "so", "dylib" };

	return text_is_one(extension, words, sizeof words / sizeof *words);
}

bool keep_wants_text(const struct summaries *all, struct text extension)
{
	return all && all->for_sets && (is_native(extension) || summary_has_lines(extension));
}

/* The report of a text in another file does not outlive its check, so that its name is copied;
 * NULL: memory ended. */
static const char *path_of(struct summaries *all, const struct report *r)
{
	const size_t size = strlen(r->name) + 1;
	char *copy = r->parent ? arena_alloc(all->arena, size, 1) : NULL;

	if (copy)
		memcpy(copy, r->name, size);
	return r->parent ? copy : r->name;
}

void keep_text(struct summaries *all, const struct report *r, const struct decode *d, uint64_t max)
{
	const struct text name = text_from(d->source->name);
	const struct text extension = path_extension(name);
	const bool is_library = is_native(extension);
	const struct summary_lines *lines = NULL;
	bool is_known = true;
	struct summary *out;
	const char *path;

	if (!keep_wants_text(all, extension))
		return;
	if (!is_library) {
		is_known = r->size <= max && r->size < UINT32_MAX;
		if (is_known)
			lines = lines_of(all, d, extension, &is_known);
		if (is_known && !lines)
			return;
	}
	path = path_of(all, r);
	out = path ? summaries_add(all, NULL, name) : NULL;
	all->n_lost += !path;
	if (!out)
		return;
	place(r, out);
	out->path = path;
	out->own_path = path + (r->own_name - r->name);
	out->lines = lines;
	out->is_library = is_library;
	out->gaps |= is_known ? 0 : SUMMARY_UNREAD;
}

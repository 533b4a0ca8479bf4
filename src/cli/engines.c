/* Engines: made from the settings, and asked in the way that the kind of input takes. */
#include "cli/engines.h"

#include <stdlib.h>

/* ---- Engines --------------------------------------------------------------------------------- */

/* Files in a folder that are no mod files are skipped, unless the user says otherwise. */
static uvet_status open_walked(struct engines *j, const struct settings *settings)
{
	uvet_status status = UVET_OK;

	if (!settings->unknown_given)
		status = uvet_options_set(settings->options, "unknown", "skip");
	return ALWAYS(status == UVET_OK) ? uvet_engine_new(settings->options, &j->walked) : status;
}

uvet_status engines_open(struct engines *j, const struct settings *settings, bool walks,
			 uint64_t memory)
{
	uvet_status status;

	*j = (struct engines){ .memory = memory };
	settings_set_memory(settings, memory);
	if (!settings->unknown_given) /* open_walked may have changed it for earlier ones */
		(void)uvet_options_set(settings->options, "unknown", "undetermined");
	status = uvet_cancellation_new(&j->cancellation);
	if (status == UVET_OK)
		status = uvet_engine_new(settings->options, &j->named);
	if (status == UVET_OK && walks)
		status = open_walked(j, settings);
	if (status != UVET_OK)
		engines_close(j);
	return status;
}

void engines_close(struct engines *j)
{
	uvet_engine_free(j->named);
	uvet_engine_free(j->walked);
	uvet_cancellation_free(j->cancellation);
	*j = (struct engines){ .memory = 0 };
}

/* ---- Readers --------------------------------------------------------------------------------- */

static int read_open(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read)
{
	const struct input_reader *r = ctx;

	if (!r->source.read_at(r->source.ctx, offset, buf, len, n_read))
		return -1;
	if (progress_active(r->progress))
		progress_bytes(r->progress, *n_read);
	return 0;
}

static int unchanged_open(void *ctx)
{
	const struct input_reader *r = ctx;

	return r->source.unchanged(r->source.ctx);
}

/* Makes the io of an open file. */
static void read_from(struct platform_file *file, struct input_reader *reader)
{
	reader->source = platform_file_io(file);
	reader->io = (uvet_io){
		.struct_size = sizeof(uvet_io),
		.read_at = read_open,
		.unchanged = unchanged_open,
		.ctx = reader,
		.size = reader->source.size,
	};
}

/* A sibling is a file that was opened beside an input. */
struct sibling {
	struct platform_file file;
	struct input_reader reader;
};

static void close_sibling(void *ctx)
{
	struct input_reader *reader = ctx;
	struct sibling *s = reader->source.ctx;

	platform_file_close(&s->file);
	free(s);
}

static const int results[] = {
	[PLATFORM_SIBLING_OPEN] = UVET_SIBLING_OPEN,
	[PLATFORM_SIBLING_ABSENT] = UVET_SIBLING_ABSENT,
	[PLATFORM_SIBLING_REFUSED] = UVET_SIBLING_UNREADABLE,
	[PLATFORM_SIBLING_CROWDED] = UVET_SIBLING_CROWDED,
};

static int open_sibling(void *ctx, const char *name, uvet_io *out)
{
	const struct input_reader *input = ctx;
	struct sibling *s = malloc(sizeof *s);
	enum platform_sibling result = PLATFORM_SIBLING_REFUSED;

	if (s)
		result = platform_sibling_open(input->path, name, &s->file);
	if (result != PLATFORM_SIBLING_OPEN) {
		free(s);
		return results[result];
	}
	read_from(&s->file, &s->reader);
	s->reader.progress = input->progress;
	s->reader.io.close = close_sibling;
	*out = s->reader.io;
	return UVET_SIBLING_OPEN;
}

static int find_sibling(void *ctx, const char *name, char spelling[UVET_SPELLING_SIZE])
{
	const struct input_reader *input = ctx;
	enum platform_sibling result = platform_sibling_find(input->path, name, spelling);

	return result == PLATFORM_SIBLING_OPEN ? UVET_SIBLING_SPELT_OTHERWISE : results[result];
}

static size_t list_siblings(void *ctx, const char *ending, char names[][UVET_SPELLING_SIZE],
			    size_t max)
{
	const struct input_reader *input = ctx;

	return platform_siblings_list(input->path, ending, names, max);
}

static int read_bytes(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read)
{
	const struct input *in = ctx;
	size_t left = offset < in->len ? in->len - (size_t)offset : 0;
	const unsigned char *bytes = in->bytes;

	*n_read = len < left ? len : left;
	for (size_t i = 0; i < *n_read; i++)
		((unsigned char *)buf)[i] = bytes[offset + i];
	return 0;
}

const uvet_io *input_io(struct input *in, struct progress *progress, struct input_reader *reader)
{
	reader->progress = progress;
	switch (in->kind) {
	case INPUT_OPENED:
	case INPUT_WALKED:
		read_from(&in->file, reader);
		reader->path = in->path;
		reader->io.open_sibling = open_sibling;
		reader->io.find_sibling = find_sibling;
		reader->io.list_siblings = list_siblings;
		return &reader->io;
	case INPUT_STDIN_FILE:
		read_from(&in->file, reader);
		return &reader->io;
	case INPUT_STDIN_BYTES:
		reader->io = (uvet_io){ .struct_size = sizeof(uvet_io),
					.read_at = read_bytes,
					.ctx = in,
					.size = in->len };
		return &reader->io;
	default:
		return NULL;
	}
}

/* ---- Checking -------------------------------------------------------------------------------- */

void input_discard(struct input *in)
{
	if (in->kind == INPUT_WALKED || in->kind == INPUT_OPENED)
		platform_file_close(&in->file);
	in->kind = INPUT_CLOSED;
}

/* So that its bytes are counted, a file that is named is opened here. One that cannot be is left to
 * the library, which says why. */
static void open_to_count(const struct engines *j, struct input *in)
{
	if (in->kind == INPUT_NAMED && progress_active(j->progress) &&
	    platform_file_open(in->path, &in->file))
		in->kind = INPUT_OPENED;
}

uvet_status engines_check(const struct engines *j, struct input *in, uvet_report **out)
{
	const uvet_hooks hooks = { .struct_size = sizeof(uvet_hooks),
				   .cancellation = j->cancellation };
	struct input_reader reader;

	open_to_count(j, in);
	if (in->kind == INPUT_NAMED)
		return uvet_check_path(j->named, in->path, &hooks, out);
	if (in->kind == INPUT_IDLE)
		return uvet_check_path(j->walked, in->path, &hooks, out);
	if (in->kind == INPUT_LINK)
		return uvet_check_link(j->walked, in->path, out);
	if (in->kind == INPUT_STDIN_BYTES)
		return uvet_check_memory(j->named, in->path, in->bytes, in->len, &hooks, out);
	return uvet_check_io(in->kind == INPUT_WALKED ? j->walked : j->named, in->path,
			     input_io(in, j->progress, &reader), &hooks, out);
}

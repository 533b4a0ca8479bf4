/* Inputs of checks: what a host reads, files by their paths, and the files beside either. */
#include "api/api.h"

#include <string.h>

#include "core/checked.h"
#include "core/ending.h"

/* Decoders take what follows a backslash for the name. Where a backslash is a letter as any
 * other, that is another file's, and the files beside that one are not this one's. */
static bool has_folder_in_name(const char *name)
{
	return strchr(name + platform_folder_len(name), '\\') != NULL;
}

/* Nanoseconds in a millisecond. */
#define NANOSECONDS ((uint64_t)1000000)

uint64_t api_nanoseconds(uint64_t ms)
{
	uint64_t n;

	return checked_mul(ms, NANOSECONDS, &n) ? n : UINT64_MAX;
}

/* ---- What a host reads ----------------------------------------------------------------------- */

static bool io_read_at(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	const uvet_io *io = ctx;

	return io->read_at(io->ctx, at, buf, len, n_read) == 0;
}

static bool io_unchanged(void *ctx)
{
	const uvet_io *io = ctx;

	return io->unchanged(io->ctx) != 0;
}

struct source_io api_source_of(uvet_io *io)
{
	return (struct source_io){ io_read_at, io->unchanged ? io_unchanged : NULL, io, io->size };
}

_Static_assert(sizeof(uvet_io) <= COMPANION_ROOM, "a companion has room for it");

static enum companion_state open_sibling(void *ctx, const char *name, void *room,
					 struct source_io *out)
{
	const uvet_io *input = ctx;
	uvet_io *io = room;
	int result;

	*io = (uvet_io)UVET_IO_INIT;
	result = input->open_sibling(input->ctx, name, io);
	if (result == UVET_SIBLING_ABSENT)
		return COMPANION_ABSENT;
	if (result == UVET_SIBLING_CROWDED)
		return COMPANION_CROWDED;
	if (result != UVET_SIBLING_OPEN || !io->read_at)
		return COMPANION_UNREADABLE;
	*out = api_source_of(io);
	return COMPANION_OPEN;
}

static enum companion_state find_sibling(void *ctx, const char *name, char spelling[SPELLING_SIZE])
{
	const uvet_io *input = ctx;

	switch (input->find_sibling(input->ctx, name, spelling)) {
	case UVET_SIBLING_SPELT_OTHERWISE:
		return COMPANION_OPEN;
	case UVET_SIBLING_ABSENT:
		return COMPANION_ABSENT;
	case UVET_SIBLING_CROWDED:
		return COMPANION_CROWDED;
	default:
		return COMPANION_UNREADABLE;
	}
}

/* Tells whether a host gave the name of a file in the folder, which ends as it was asked for. */
static bool is_name_of(const char *name, const char *ending)
{
	return ending_is(name, ending) && strpbrk(name, "/\\:") == NULL;
}

/* A host may forget the NUL of a name, give fewer names than it says, or others than were asked
 * for: what is no such name is left out, and does not count. */
static size_t list_siblings(void *ctx, const char *ending, char names[][SPELLING_SIZE], size_t max)
{
	const uvet_io *input = ctx;
	size_t n, n_given, n_kept = 0;

	memset(names, 0, max * sizeof *names);
	n = input->list_siblings(input->ctx, ending, names, max);
	n_given = n < max ? n : max;
	for (size_t i = 0; i < n_given; i++) {
		names[i][SPELLING_SIZE - 1] = '\0';
		if (!is_name_of(names[i], ending))
			continue;
		if (n_kept < i)
			memcpy(names[n_kept], names[i], sizeof *names);
		n_kept++;
	}
	return n - (n_given - n_kept);
}

static void close_sibling(void *ctx, const struct source_io *io)
{
	const uvet_io *sibling = io->ctx;

	(void)ctx;
	if (sibling->close)
		sibling->close(sibling->ctx);
}

bool api_input_of_io(struct api_input *input, const char *name, const uvet_io *theirs)
{
	uvet_io *io = &input->io;

	input->in = (struct check_input){ .name = name, .unreadable = !theirs };
	if (!theirs)
		return true;
	if (!api_io_read(io, theirs) || !io->read_at)
		return false;
	input->in.io = api_source_of(io);
	if (!io->open_sibling || has_folder_in_name(name))
		return true;
	input->siblings = (struct siblings){ .open = open_sibling,
					     .close = close_sibling,
					     .find = io->find_sibling ? find_sibling : NULL,
					     .list = io->list_siblings ? list_siblings : NULL,
					     .ctx = io };
	input->in.siblings = &input->siblings;
	return true;
}

/* ---- Files ----------------------------------------------------------------------------------- */

_Static_assert(sizeof(struct platform_file) <= COMPANION_ROOM, "a companion has room for it");
_Static_assert((int)PLATFORM_SPELLING_SIZE == (int)SPELLING_SIZE &&
		       (int)SPELLING_SIZE == (int)UVET_SPELLING_SIZE,
	       "one size for all");

static const enum companion_state states[] = {
	[PLATFORM_SIBLING_OPEN] = COMPANION_OPEN,
	[PLATFORM_SIBLING_ABSENT] = COMPANION_ABSENT,
	[PLATFORM_SIBLING_REFUSED] = COMPANION_UNREADABLE,
	[PLATFORM_SIBLING_CROWDED] = COMPANION_CROWDED,
};

static enum companion_state open_beside(void *ctx, const char *name, void *room,
					struct source_io *out)
{
	const struct api_input *input = ctx;
	struct platform_file *file = room;
	enum platform_sibling result = platform_sibling_open(input->in.name, name, file);

	if (result == PLATFORM_SIBLING_OPEN)
		*out = platform_file_io(file);
	return states[result];
}

static enum companion_state find_beside(void *ctx, const char *name, char spelling[SPELLING_SIZE])
{
	const struct api_input *input = ctx;

	return states[platform_sibling_find(input->in.name, name, spelling)];
}

static size_t list_beside(void *ctx, const char *ending, char names[][SPELLING_SIZE], size_t max)
{
	const struct api_input *input = ctx;

	return platform_siblings_list(input->in.name, ending, names, max);
}

static void close_beside(void *ctx, const struct source_io *io)
{
	(void)ctx;
	platform_file_close(io->ctx);
}

void api_input_of_path(struct api_input *input, const char *path)
{
	input->in = (struct check_input){ .name = path };
	if (!platform_file_open(path, &input->file)) {
		const int error = platform_error();

		input->in.trouble = platform_error_words(error);
		input->in.crowded = platform_is_crowded(error);
		input->in.unreadable = true;
		return;
	}
	input->in.io = platform_file_io(&input->file);
	if (has_folder_in_name(path))
		return;
	input->siblings = (struct siblings){ open_beside, close_beside, find_beside, list_beside,
					     input };
	input->in.siblings = &input->siblings;
}

void api_input_hook(struct check_input *in, const uvet_hooks *hooks)
{
	in->cancel = hooks->cancellation ? &hooks->cancellation->is_set : NULL;
	in->timeout = api_nanoseconds(hooks->timeout_ms);
}

void api_input_close(struct api_input *input)
{
	if (!input->in.unreadable)
		platform_file_close(&input->file);
}

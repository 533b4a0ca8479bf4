/* The files beside one that lies in another file. */
#include "engine/neighbours.h"

#include <string.h>

#include "core/ending.h"
#include "core/name_list.h"

/* What is open: bytes in memory, or a part of the outer file. It lies in the companion's room. */
struct neighbour {
	const uint8_t *bytes; /* NULL: a part of `of` that begins at `at` */
	struct source *of;
	uint64_t at, len;
};

_Static_assert(sizeof(struct neighbour) <= COMPANION_ROOM, "a companion has room for it");

static bool read_neighbour(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	const struct neighbour *n = ctx;
	const uint64_t left = at < n->len ? n->len - at : 0;

	*n_read = left < len ? (size_t)left : len;
	if (*n_read == 0)
		return true;
	if (!n->bytes)
		return source_copy(n->of, (struct span){ n->at + at, *n_read }, buf);
	memcpy(buf, n->bytes + at, *n_read);
	return true;
}

/* Decodes a neighbour into the memory of the file that asks for it; the work is that file's, or
 * nobody's if that was judged already. */
static const uint8_t *decode_neighbour(struct neighbours *n, const struct nested *file)
{
	const uint64_t unpacked = n->outer->unpacked;
	const uint8_t *bytes;

	n->outer->work = n->own->work;
	bytes = n->format->nested->open(n->facts, n->outer, file, n->own->arena);
	n->own->work = n->outer->work;
	if (n->only_looks)
		n->outer->unpacked = unpacked;
	return bytes;
}

/* Why a neighbour's bytes cannot be had: because of themselves, or because something ended. */
static enum companion_state why_not(const struct neighbours *n)
{
	return n->outer->is_undecodable ? COMPANION_PACKED : COMPANION_UNREADABLE;
}

static enum companion_state open_streamed(struct neighbours *n, const struct nested *file,
					  struct source_io *out)
{
	return n->format->nested->stream(n->facts, n->outer, file, n->own->arena, n->own, out)
		       ? COMPANION_OPEN
		       : why_not(n);
}

/* What the check of the outer file held and had held at its peak when it was asked something. */
struct outer_use {
	uint64_t held, peak;
};

static struct outer_use use_outer(struct neighbours *n)
{
	struct arena *a = n->outer->arena;

	return (struct outer_use){ .held = a->held, .peak = arena_watch(a) };
}

/* What it holds more since then counts for the check of this file, too, and so does what it took
 * and gave back. */
static void end_use(struct neighbours *n, struct outer_use before)
{
	struct arena *a = n->outer->arena;

	if (a->held > before.held)
		*n->beneath += a->held - before.held;
	arena_count(n->own->arena, arena_watched(a, before.peak));
}

static bool find_file(struct neighbours *n, const char *name, bool any_case, struct nested *out)
{
	if (!n->format->nested->beside(n->facts, n->outer, &n->file, name, any_case, out))
		return false;
	if (!n->only_looks)
		n->format->nested->claim(n->facts, out);
	return true;
}

static enum companion_state open_file(struct neighbours *n, const char *name,
				      struct neighbour *open, struct source_io *out)
{
	struct nested file;

	if (!find_file(n, name, false, &file))
		return COMPANION_ABSENT;
	n->outer->is_undecodable = false;
	if (file.streamed)
		return open_streamed(n, &file, out);
	*open = (struct neighbour){ .of = source_numbered(n->outer->source, file.file),
				    .at = file.span.at,
				    .len = file.span.len };
	if (file.decoded) {
		open->bytes = decode_neighbour(n, &file);
		if (!open->bytes)
			return why_not(n);
	}
	*out = (struct source_io){ .read_at = read_neighbour, .ctx = open, .size = open->len };
	return COMPANION_OPEN;
}

static enum companion_state open_beside(void *ctx, const char *name, void *room,
					struct source_io *out)
{
	struct neighbours *n = ctx;
	const struct outer_use before = use_outer(n);
	const enum companion_state state = open_file(n, name, room, out);

	end_use(n, before);
	return state;
}

/* What is open lies in memory of the check. */
static void close_beside(void *ctx, const struct source_io *io)
{
	(void)ctx, (void)io;
}

/* The last part of a name, if it fits. */
static bool spell(const struct nested *file, char spelling[SPELLING_SIZE])
{
	uint8_t utf8[4 * SPELLING_SIZE + 1];
	const char *last;
	bool is_whole;
	size_t n;

	n = text_utf8(file->name, SPELLING_SIZE, utf8, &is_whole);
	utf8[n] = '\0';
	last = (const char *)utf8 + folder_len((const char *)utf8);
	if (!is_whole || strlen((const char *)utf8) != n || strlen(last) >= SPELLING_SIZE)
		return false;
	memcpy(spelling, last, strlen(last) + 1);
	return true;
}

static enum companion_state find_beside(void *ctx, const char *name, char spelling[SPELLING_SIZE])
{
	struct neighbours *n = ctx;
	const struct outer_use before = use_outer(n);
	struct nested file;
	const bool is_there = find_file(n, name, true, &file);

	end_use(n, before);
	return is_there && spell(&file, spelling) ? COMPANION_OPEN : COMPANION_ABSENT;
}

static size_t list_beside(void *ctx, const char *ending, char names[][SPELLING_SIZE], size_t max)
{
	struct neighbours *n = ctx;
	const struct outer_use before = use_outer(n);
	struct name_list list = { names, max, 0 };
	struct nested_walk walk = { .file = 0 };
	char spelling[SPELLING_SIZE];
	struct nested file;

	while (n->format->nested->next_beside(n->facts, n->outer, &n->file, &walk, &file))
		if (spell(&file, spelling) && ending_is(spelling, ending))
			name_list_add(&list, spelling);
	end_use(n, before);
	return list.n;
}

void neighbours_init(struct neighbours *n)
{
	n->siblings = (struct siblings){ open_beside, close_beside, find_beside, list_beside, n };
}

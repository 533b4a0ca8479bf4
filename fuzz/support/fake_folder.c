/* Files beside an input. What a read returns follows from the read alone, so that threads change
 * nothing. */
#include "support/fake_folder.h"

#include <string.h>

#include "support/must.h"

/* What is kept of each file that is open. */
struct opened {
	struct fake_folder *folder;
	const struct fake_file *file;
};

_Static_assert(sizeof(struct opened) <= COMPANION_ROOM, "there is room for it");

static bool has_fault(const struct opened *o, enum read_fault fault)
{
	return o->folder->fault == fault && o->file == &o->folder->of[o->folder->fault_file];
}

static bool read_at(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	struct opened *o = ctx;
	struct fake_folder *b = o->folder;
	struct dice d = { b->portions + at };
	size_t n = b->portions > 0 ? 1 + (size_t)dice_below(&d, len) : len;

	MUST(len > 0 && at <= o->file->size && len <= o->file->size - at,
	     "reads ask for bytes that the file beside the input has");
	if (has_fault(o, FAULT_ERROR) && at <= b->fault_at && b->fault_at - at < len) {
		atomic_store(&b->struck, true);
		return false;
	}
	if (has_fault(o, FAULT_SHORT) && at + n > b->fault_at) {
		atomic_store(&b->struck, true);
		n = at < b->fault_at ? (size_t)(b->fault_at - at) : 0;
	}
	memcpy(buf, o->file->data + at, n);
	*n_read = n;
	return true;
}

static bool unchanged(void *ctx)
{
	const struct opened *o = ctx;

	if (!has_fault(o, FAULT_CHANGED))
		return true;
	atomic_store(&o->folder->struck, true);
	return false;
}

static const struct fake_file *find(const struct fake_folder *b, const char *name)
{
	const char *slash = strrchr(b->input, '/'), *file = slash ? slash + 1 : b->input,
		   *dot = strrchr(file, '.');
	size_t stem = dot ? (size_t)(dot - file) : strlen(file);

	for (size_t i = 0; i < b->n; i++)
		if (strncmp(name, file, stem) == 0 && strcmp(name + stem, b->of[i].ending) == 0)
			return &b->of[i];
	return NULL;
}

static enum companion_state open_file(void *ctx, const char *name, void *room,
				      struct source_io *out)
{
	struct fake_folder *b = ctx;
	const struct fake_file *file = find(b, name);
	struct opened *o = room;

	MUST(name[0] != '\0' && !strpbrk(name, "/\\:"),
	     "a file beside the input has a name without folders");
	if (!file || file->state != COMPANION_OPEN)
		return file ? file->state : COMPANION_ABSENT;
	*o = (struct opened){ b, file };
	*out = (struct source_io){ read_at, unchanged, o, file->size };
	b->n_open++;
	return COMPANION_OPEN;
}

static void close_file(void *ctx, const struct source_io *io)
{
	struct fake_folder *b = ctx;
	struct opened *o = io->ctx;

	MUST(o->folder == b && b->n_open > 0, "what was opened is closed once");
	o->folder = NULL;
	b->n_open--;
}

struct siblings fake_folder_siblings(struct fake_folder *b)
{
	return (struct siblings){ .open = open_file, .close = close_file, .ctx = b };
}

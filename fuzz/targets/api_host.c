/* The host. What a read returns follows from the read alone, so that threads change nothing. */
#define _XOPEN_SOURCE 700

#include "targets/api_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/buffers.h"
#include "support/must.h"
#include "support/random.h"

static const struct host_faults sound = { .fail_at = UINT64_MAX, .cancel_at = UINT64_MAX };

/* Files beside an input are looked for where the names say so. */
static const char *const endings[BUNDLE_PARTS] = { "", ".ucas", "_s1.ucas", "_s2.ucas", ".pak" };

void host_open(struct host *h, const uint8_t *data, size_t size, const char *name)
{
	const struct bundle s = bundle_read(data, size);
	const char *folder = getenv("TMPDIR");

	*h = (struct host){ .faults = sound, .key = s.key };
	atomic_flag_clear(&h->busy);
	for (unsigned i = 0; i < BUNDLE_PARTS; i++)
		h->files[i] = (struct host_file){
			.host = h,
			.ending = endings[i],
			.data = buffer_copy(data + s.part[i].at, s.part[i].len),
			.size = s.part[i].len,
			.state = s.part[i].absent       ? UVET_SIBLING_ABSENT
				 : s.part[i].unreadable ? UVET_SIBLING_UNREADABLE
							: UVET_SIBLING_OPEN,
		};
	snprintf(h->path, sizeof h->path, "%s/uvet-XXXXXX/%s", folder ? folder : P_tmpdir, name);
	h->folder_len = strlen(h->path) - strlen(name) - 1;
}

void host_close(struct host *h)
{
	for (unsigned i = 0; i < BUNDLE_PARTS; i++)
		free(h->files[i].data);
}

/* ---- Callbacks ------------------------------------------------------------------------------- */

static int read_at(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read)
{
	struct host_file *f = ctx;
	struct host *h = f->host;
	const uint64_t number = atomic_fetch_add(&h->n_reads, 1);
	struct dice d = { h->faults.portions + offset };

	MUST(len > 0 && offset <= f->size && len <= f->size - offset,
	     "reads ask for bytes that the file has");
	MUST(f == h->files || f->n_open > 0, "a file beside the input is read while it is open");
	if (number == h->faults.cancel_at) {
		uvet_cancellation_set(h->faults.cancellation);
		atomic_store(&h->cancelled, true);
	}
	if (number == h->faults.fail_at) {
		atomic_store(&h->failed, true);
		return 1;
	}
	*n_read = h->faults.portions > 0 ? 1 + (size_t)dice_below(&d, len) : len;
	memcpy(buf, f->data + offset, *n_read);
	return 0;
}

static int unchanged(void *ctx)
{
	const struct host_file *f = ctx;

	return f->host->faults.changes && f == f->host->files ? 0 : 1;
}

static struct host_file *find(struct host *h, const char *name)
{
	const char *own = h->path + h->folder_len + 1, *dot = strrchr(own, '.');
	const size_t stem = dot ? (size_t)(dot - own) : strlen(own);

	for (unsigned i = 1; i < BUNDLE_PARTS; i++)
		if (strncmp(name, own, stem) == 0 && strcmp(name + stem, h->files[i].ending) == 0)
			return &h->files[i];
	return NULL;
}

static void close_file(void *ctx)
{
	struct host_file *f = ctx;

	MUST(!atomic_flag_test_and_set(&f->host->busy), "opening and closing do not overlap");
	MUST(f != f->host->files && f->n_open > 0,
	     "what was opened is closed once, and never the input");
	f->n_open--;
	atomic_flag_clear(&f->host->busy);
}

static int open_sibling(void *ctx, const char *name, uvet_io *out)
{
	struct host_file *input = ctx, *f;
	struct host *h = input->host;
	int state;

	MUST(!atomic_flag_test_and_set(&h->busy), "opening and closing do not overlap");
	MUST(input == h->files, "what was opened is not asked for files");
	MUST(name[0] != '\0' && !strpbrk(name, "/\\:"),
	     "a file beside the input has a name without folders");
	f = find(h, name);
	state = f ? f->state : UVET_SIBLING_ABSENT;
	if (state == UVET_SIBLING_OPEN) {
		*out = (uvet_io){ .read_at = read_at,
				  .unchanged = unchanged,
				  .ctx = f,
				  .size = f->size,
				  .close = close_file };
		f->n_open++;
	}
	atomic_flag_clear(&h->busy);
	return state;
}

/* It knows of no other spelling, and says so badly: with a name that has nothing to do with what
 * was asked, and no NUL. */
static int find_sibling(void *ctx, const char *name, char spelling[UVET_SPELLING_SIZE])
{
	const struct host_file *input = ctx, *f;
	struct host *h = input->host;

	MUST(!atomic_flag_test_and_set(&h->busy), "opening and closing do not overlap");
	MUST(input == h->files, "what was opened is not asked for files");
	MUST(name[0] != '\0' && !strpbrk(name, "/\\:"),
	     "a file beside the input has a name without folders");
	f = find(h, name);
	MUST(!f || f->state == UVET_SIBLING_ABSENT,
	     "only what is absent is looked for in other spellings");
	memset(spelling, 'A', UVET_SPELLING_SIZE);
	atomic_flag_clear(&h->busy);
	return UVET_SIBLING_SPELT_OTHERWISE;
}

/* It lists what it has, and something without a NUL that it has not. */
static size_t list_siblings(void *ctx, const char *ending, char names[][UVET_SPELLING_SIZE],
			    size_t max)
{
	const struct host_file *input = ctx;
	struct host *h = input->host;
	const char *own = h->path + h->folder_len + 1, *dot = strrchr(own, '.');
	const int stem = (int)(dot ? (size_t)(dot - own) : strlen(own));
	size_t n = 0;

	MUST(!atomic_flag_test_and_set(&h->busy), "opening and closing do not overlap");
	MUST(input == h->files && ending[0] == '.', "the input is asked for files of an ending");
	for (unsigned i = 1; i < BUNDLE_PARTS && n < max; i++)
		if (strcmp(h->files[i].ending, ending) == 0)
			snprintf(names[n++], UVET_SPELLING_SIZE, "%.*s%s", stem, own, ending);
	if (n < max)
		memset(names[n++], '.', UVET_SPELLING_SIZE);
	atomic_flag_clear(&h->busy);
	return n;
}

uvet_io host_io(struct host *h, const struct host_faults *faults, bool alone)
{
	h->faults = faults ? *faults : sound;
	atomic_store(&h->n_reads, 0);
	atomic_store(&h->failed, false);
	atomic_store(&h->cancelled, false);
	return (uvet_io){
		.struct_size = sizeof(uvet_io),
		.read_at = read_at,
		.unchanged = unchanged,
		.ctx = h->files,
		.size = h->files[0].size,
		.open_sibling = alone ? NULL : open_sibling,
		.find_sibling = alone ? NULL : find_sibling,
		.list_siblings = alone ? NULL : list_siblings,
		.close = close_file,
	};
}

bool host_is_closed(const struct host *h)
{
	for (unsigned i = 1; i < BUNDLE_PARTS; i++)
		if (h->files[i].n_open > 0)
			return false;
	return true;
}

bool host_has(const struct host *h, int state)
{
	for (unsigned i = 1; i < BUNDLE_PARTS; i++)
		if (h->files[i].state == state)
			return true;
	return false;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* The path of a file, without the ending of the input's name and with its own. */
static void path_of(const struct host *h, unsigned i, char *out, size_t room)
{
	const char *own = h->path + h->folder_len + 1, *dot = strrchr(own, '.');
	const size_t stem = dot && i > 0 ? (size_t)(dot - h->path) : strlen(h->path);

	MUST(snprintf(out, room, "%.*s%s", (int)stem, h->path, h->files[i].ending) < (int)room,
	     "a path has room");
}

static void write_file(const char *path, const struct host_file *f)
{
	FILE *out = fopen(path, "wb");

	MUST(out && fwrite(f->data, 1, f->size, out) == f->size, "a file can be written");
	MUST(fclose(out) == 0, "a file can be written");
}

void host_begin_set(struct host *h, struct host_set *s)
{
	s->n = 0;
	for (unsigned i = BUNDLE_PARTS; i-- > 0;) {
		if (h->files[i].state == UVET_SIBLING_ABSENT)
			continue;
		path_of(h, i, s->paths[s->n], sizeof s->paths[s->n]);
		s->files[s->n] = host_io(h, NULL, false);
		s->files[s->n].ctx = &h->files[i];
		s->files[s->n].size = h->files[i].size;
		s->names[s->n] = s->paths[s->n];
		s->ios[s->n] = h->files[i].state == UVET_SIBLING_OPEN ? &s->files[s->n] : NULL;
		h->files[i].n_open = 1;
		s->n++;
	}
}

void host_end_set(struct host *h, const struct host_set *s)
{
	size_t n = 0;

	for (unsigned i = 0; i < BUNDLE_PARTS; i++) {
		n += h->files[i].n_open;
		h->files[i].n_open = 0;
	}
	MUST(n == s->n, "a set neither opens nor closes its sources");
}

void host_lay(struct host *h)
{
	char path[HOST_PATH_MAX];

	h->path[h->folder_len] = '\0';
	memcpy(h->path + h->folder_len - strlen("XXXXXX"), "XXXXXX", strlen("XXXXXX"));
	MUST(mkdtemp(h->path), "a folder can be made");
	h->path[h->folder_len] = '/';
	for (unsigned i = 0; i < BUNDLE_PARTS; i++) {
		path_of(h, i, path, sizeof path);
		if (h->files[i].state == UVET_SIBLING_OPEN)
			write_file(path, &h->files[i]);
		else if (h->files[i].state == UVET_SIBLING_UNREADABLE)
			MUST(mkdir(path, 0700) == 0, "a folder can be made");
	}
}

void host_clear(struct host *h)
{
	char path[HOST_PATH_MAX];

	for (unsigned i = 0; i < BUNDLE_PARTS; i++) {
		path_of(h, i, path, sizeof path);
		if (h->files[i].state != UVET_SIBLING_ABSENT)
			MUST(remove(path) == 0, "what was made can be removed");
	}
	h->path[h->folder_len] = '\0';
	MUST(rmdir(h->path) == 0, "what was made can be removed");
	h->path[h->folder_len] = '/';
}

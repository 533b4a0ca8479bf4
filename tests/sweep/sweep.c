/* What the sweeps share: seeds, checks of altered copies, text that is compared with a committed
 * file. */
#include "sweep.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t n_failures;

void sweep_give_up(const char *what, const char *where)
{
	fprintf(stderr, "sweep: %s: %s\n", what, where);
	exit(2);
}

static void *must(void *p)
{
	if (!p)
		sweep_give_up("no memory", "");
	return p;
}

/* ---- Seeds ----------------------------------------------------------------------------------- */

static uint8_t *read_file(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes = NULL;
	size_t room = 0, got;

	if (!f)
		sweep_give_up("cannot read", path);
	*n = 0;
	do {
		room += 65536;
		bytes = must(realloc(bytes, room));
		got = fread(bytes + *n, 1, room - *n, f);
		*n += got;
	} while (*n == room);
	fclose(f);
	return must(realloc(bytes, *n > 0 ? *n : 1)); /* reads past its end are noticed */
}

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static char *copy_text(const char *text)
{
	size_t len = strlen(text) + 1;

	return memcpy(must(malloc(len)), text, len);
}

static unsigned digit(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a' + 10);
}

/* The last word of a file of keys is a key in hexadecimal, for any GUID. */
static void take_key(struct seed *s, const struct seed_file *f)
{
	size_t end = f->n;

	while (end > 0 && f->bytes[end - 1] <= ' ')
		end--;
	if (end < 2 * (size_t)KEY_LEN)
		sweep_give_up("no key", s->name);
	s->keys.of[0].for_any = true;
	s->keys.n = 1;
	for (size_t i = 0; i < KEY_LEN; i++) {
		const char *two = (const char *)f->bytes + end - 2 * (size_t)KEY_LEN + 2 * i;

		s->keys.of[0].bytes[i] = (uint8_t)(16 * digit(two[0]) + digit(two[1]));
	}
}

static void add_beside(struct seed *s, const char *path)
{
	struct seed_file *f = &s->beside[s->n_beside++];

	if (s->n_beside > BESIDE_MAX)
		sweep_give_up("too many files beside", s->name);
	f->file = copy_text(last_component(path));
	f->bytes = read_file(path, &f->n);
	if (strcmp(f->file, "keys.txt") == 0)
		take_key(s, f);
}

static void seed_free(struct seed *s)
{
	for (size_t i = 0; i < s->n_beside; i++) {
		free(s->beside[i].file);
		free(s->beside[i].bytes);
	}
	free(s->bytes);
	free(s->name);
}

/* A line is the vector's name, a path, and the paths of what lies beside it, with tabs between
 * them. */
static void add_seed(struct seeds *s, char *line, size_t max)
{
	char *path = strchr(line, '\t'), *next;
	struct seed seed = { 0 };

	if (!path)
		return;
	path[strcspn(path, "\r\n")] = '\0';
	*path++ = '\0';
	next = strchr(path, '\t');
	if (next)
		*next++ = '\0';
	seed.bytes = read_file(path, &seed.n);
	seed.name = must(malloc(strlen(line) + strlen(path) + 2));
	seed.path = strcpy(strcpy(seed.name, line) + strlen(line) + 1, path);
	seed.file = last_component(seed.path);
	for (char *beside = next; beside; beside = next) {
		next = strchr(beside, '\t');
		if (next)
			*next++ = '\0';
		add_beside(&seed, beside);
	}
	if (seed.n > max) {
		seed_free(&seed);
		return;
	}
	if (s->n == s->room) {
		s->room = 2 * s->room + 64;
		s->of = must(realloc(s->of, s->room * sizeof *s->of));
	}
	s->of[s->n++] = seed;
}

struct seeds seeds_load(const char *list, size_t max)
{
	struct seeds s = { 0 };
	char line[4096];
	FILE *f = fopen(list, "r");

	if (!f)
		sweep_give_up("cannot read", list);
	while (fgets(line, sizeof line, f))
		add_seed(&s, line, max);
	fclose(f);
	if (s.n == 0)
		sweep_give_up("no seeds in", list);
	return s;
}

void seeds_free(struct seeds *s)
{
	for (size_t i = 0; i < s->n; i++)
		seed_free(&s->of[i]);
	free(s->of);
}

bool seed_is_good(const struct seed *s)
{
	return strncmp(last_component(s->name), "good_", 5) == 0;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static void *plain_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return malloc(size);
}

static void plain_release(void *ctx, void *memory, size_t size)
{
	(void)ctx;
	(void)size;
	free(memory);
}

void sweep_engine(struct engine *e)
{
	engine_init(e, (struct allocator){ plain_alloc, plain_release, NULL });
}

/* Whoever reads outside a file gets nothing. */
static bool read_beside(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	const struct seed_file *f = ctx;

	if (at > f->n || len > f->n - at)
		return false;
	memcpy(buf, f->bytes + at, len);
	*n_read = len;
	return true;
}

static size_t find_beside(const struct seed *s, const char *name)
{
	size_t i = 0;

	while (i < s->n_beside && strcmp(s->beside[i].file, name) != 0)
		i++;
	return i;
}

static enum companion_state open_beside(void *ctx, const char *name, void *room,
					struct source_io *out)
{
	struct seed *s = ctx;
	size_t i = find_beside(s, name);

	(void)room;
	if (i == s->n_beside)
		return COMPANION_ABSENT;
	*out = (struct source_io){ .read_at = read_beside,
				   .ctx = &s->beside[i],
				   .size = s->beside[i].n };
	return COMPANION_OPEN;
}

static void close_beside(void *ctx, const struct source_io *io)
{
	(void)ctx;
	(void)io;
}

struct siblings sweep_siblings(const struct seed *s)
{
	return (struct siblings){ .open = open_beside,
				  .close = close_beside,
				  .ctx = (void *)(uintptr_t)s };
}

void sweep_serve(struct sweep_folder *f, const struct seed *s)
{
	*f = (struct sweep_folder){ .input = { .bytes = s->bytes, .size = s->n }, .seed = s };
	for (size_t i = 0; i < s->n_beside; i++)
		f->beside[i] = (struct fault_input){ .bytes = s->beside[i].bytes,
						     .size = s->beside[i].n };
}

int sweep_open(void *ctx, const char *name, uvet_io *out)
{
	struct sweep_folder *f = ctx;
	size_t i = find_beside(f->seed, name);

	if (i == f->seed->n_beside)
		return UVET_SIBLING_ABSENT;
	*out = (uvet_io){ .read_at = fault_read_at,
			  .unchanged = fault_unchanged,
			  .ctx = &f->beside[i],
			  .size = f->beside[i].size };
	return UVET_SIBLING_OPEN;
}

struct report *sweep_check_for(struct engine *e, const struct seed *s, const uint8_t *bytes,
			       size_t n, struct summaries *all)
{
	uint8_t *exact = must(malloc(n > 0 ? n : 1));
	struct siblings siblings = sweep_siblings(s);
	struct check_input in = { .io.size = n,
				  .memory = exact,
				  .name = s->file,
				  .siblings = &siblings,
				  .summaries = all };
	struct report *r;

	e->keys = s->keys;
	memcpy(exact, bytes, n);
	r = must(engine_check(e, &in));
	free(exact);
	return r;
}

struct report *sweep_check(struct engine *e, const struct seed *s, const uint8_t *bytes, size_t n)
{
	return sweep_check_for(e, s, bytes, n, NULL);
}

size_t sweep_file(const struct seed *s, const struct decode *d, const struct region *r)
{
	const struct companion *c = d->companions;

	if (r->file == 0)
		return 0;
	while (c->number != r->file)
		c = c->next;
	return 1 + find_beside(s, c->name);
}

bool sweep_is_stored(const struct seed_file *f)
{
	size_t n = strlen(f->file);

	return n > 5 && strcmp(f->file + n - 5, ".ucas") == 0;
}

void sweep_map(struct engine *e, const struct seed *s, engine_map_sink *sink, void *ctx)
{
	struct siblings siblings = sweep_siblings(s);
	struct check_input in = {
		.io.size = s->n, .memory = s->bytes, .name = s->file, .siblings = &siblings
	};

	e->keys = s->keys;

	if (engine_map(e, &in, sink, ctx) != MAP_OK)
		sweep_fail(s, "there is no map of it");
}

bool sweep_is_whole(void)
{
	return getenv("UVET_SWEEP_ALL") != NULL;
}

uint64_t sweep_step(uint64_t n, uint64_t max)
{
	return sweep_is_whole() || n == 0 ? 1 : 1 + (n - 1) / max;
}

void sweep_fail(const struct seed *s, const char *format, ...)
{
	va_list args;

	if (n_failures++ > 20)
		return;
	fprintf(stderr, "FAIL %s: ", s ? s->name : "");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

int sweep_end(const char *name, uint64_t n_checks)
{
	printf("%s: %llu checks, %llu failures\n", name, (unsigned long long)n_checks,
	       (unsigned long long)n_failures);
	return n_failures > 0;
}

/* ---- Pages ----------------------------------------------------------------------------------- */

void page_init(struct page *p)
{
	*p = (struct page){ 0 };
}

void page_free(struct page *p)
{
	free(p->text);
}

static void page_room(struct page *p, size_t len)
{
	if (p->n + len <= p->room)
		return;
	p->room = (p->n + len) * 2;
	p->text = must(realloc(p->text, p->room));
}

void page_print(struct page *p, const char *format, ...)
{
	va_list args;

	page_room(p, 512);
	va_start(args, format);
	p->n += (size_t)vsnprintf(p->text + p->n, 512, format, args);
	va_end(args);
}

int page_sink(void *ctx, const void *bytes, size_t len)
{
	struct page *p = ctx;

	if (len == 0)
		return 0;
	page_room(p, len);
	memcpy(p->text + p->n, bytes, len);
	p->n += len;
	return 0;
}

static void show_difference(const char *a, const char *b, size_t n_b, const char *path)
{
	unsigned line = 1;
	size_t i = 0;

	for (; i < n_b && a[i] == b[i]; i++)
		line += a[i] == '\n';
	sweep_fail(NULL,
		   "%s differs from what was found, from line %u on; run with UVET_UPDATE=1 and "
		   "look at the change",
		   path, line);
}

void page_compare(const struct page *p, const char *path)
{
	size_t n;
	uint8_t *committed;
	FILE *f;

	if (getenv("UVET_UPDATE")) {
		f = fopen(path, "wb");
		if (!f || fwrite(p->text, 1, p->n, f) != p->n || fclose(f) != 0)
			sweep_give_up("cannot write", path);
		return;
	}
	committed = read_file(path, &n);
	if (n != p->n || memcmp(committed, p->text, n) != 0)
		show_difference(p->text, (const char *)committed, n < p->n ? n : p->n, path);
	free(committed);
}

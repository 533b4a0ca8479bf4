/* What the sweeps share: seeds, checks of altered copies, text that is compared with a committed file. */
#include "sweep.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t n_failures;

static void give_up(const char *what, const char *path)
{
	fprintf(stderr, "sweep: %s: %s\n", what, path);
	exit(2);
}

static void *must(void *p)
{
	if (!p)
		give_up("no memory", "");
	return p;
}

/* ---- Seeds ------------------------------------------------------------------------------------------------------------------ */

static uint8_t *read_file(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes = NULL;
	size_t room = 0, got;

	if (!f)
		give_up("cannot read", path);
	*n = 0;
	do {
		room += 65536;
		bytes = must(realloc(bytes, room));
		got = fread(bytes + *n, 1, room - *n, f);
		*n += got;
	} while (*n == room);
	fclose(f);
	return bytes;
}

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void add_seed(struct seeds *s, char *line, size_t max)
{
	char *tab = strchr(line, '\t');
	struct seed seed = { 0 };
	size_t len;

	if (!tab)
		return;
	tab[strcspn(tab, "\r\n")] = '\0';
	seed.bytes = read_file(tab + 1, &seed.n);
	if (seed.n > max) {
		free(seed.bytes);
		return;
	}
	len = strlen(line) + 1;
	seed.name = memcpy(must(malloc(len)), line, len);
	*tab = '\0';
	seed.name[tab - line] = '\0';
	seed.file = last_component(seed.name + (tab - line) + 1);
	s->of = must(realloc(s->of, (s->n + 1) * sizeof *s->of));
	s->of[s->n++] = seed;
}

struct seeds seeds_load(const char *list, size_t max)
{
	struct seeds s = { 0 };
	char line[4096];
	FILE *f = fopen(list, "r");

	if (!f)
		give_up("cannot read", list);
	while (fgets(line, sizeof line, f))
		add_seed(&s, line, max);
	fclose(f);
	if (s.n == 0)
		give_up("no seeds in", list);
	return s;
}

void seeds_free(struct seeds *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->of[i].bytes);
		free(s->of[i].name);
	}
	free(s->of);
}

bool seed_is_good(const struct seed *s)
{
	return strncmp(last_component(s->name), "good_", 5) == 0;
}

/* ---- Checks ----------------------------------------------------------------------------------------------------------------- */

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

struct report *sweep_check(struct engine *e, const char *name, const uint8_t *bytes, size_t n)
{
	uint8_t *exact = must(malloc(n > 0 ? n : 1));
	struct check_input in = { .io.size = n, .memory = exact, .name = name };
	struct report *r;

	memcpy(exact, bytes, n);
	r = must(engine_check(e, &in));
	free(exact);
	return r;
}

void sweep_map(struct engine *e, const struct seed *s, engine_map_sink *sink, void *ctx)
{
	struct check_input in = { .io.size = s->n, .memory = s->bytes, .name = s->file };

	if (engine_map(e, &in, sink, ctx) != MAP_OK)
		sweep_fail(s, "there is no map of it");
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
	printf("%s: %llu checks, %llu failures\n", name, (unsigned long long)n_checks, (unsigned long long)n_failures);
	return n_failures > 0;
}

/* ---- Pages ------------------------------------------------------------------------------------------------------------------ */

void page_init(struct page *p)
{
	*p = (struct page){ .limit = SIZE_MAX };
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
	size_t left = p->limit - p->n, n = len < left ? len : left;

	if (n == 0)
		return len > 0;
	page_room(p, n);
	memcpy(p->text + p->n, bytes, n);
	p->n += n;
	return n < len;
}

static void show_difference(const char *a, const char *b, size_t n_b, const char *path)
{
	unsigned line = 1;
	size_t i = 0;

	for (; i < n_b && a[i] == b[i]; i++)
		line += a[i] == '\n';
	sweep_fail(NULL, "%s differs from what was found, from line %u on; run with UVET_UPDATE=1 and look at the change", path, line);
}

void page_compare(const struct page *p, const char *path)
{
	size_t n;
	uint8_t *committed;
	FILE *f;

	if (getenv("UVET_UPDATE")) {
		f = fopen(path, "wb");
		if (!f || fwrite(p->text, 1, p->n, f) != p->n || fclose(f) != 0)
			give_up("cannot write", path);
		return;
	}
	committed = read_file(path, &n);
	if (n != p->n || memcmp(committed, p->text, n) != 0)
		show_difference(p->text, (const char *)committed, n < p->n ? n : p->n, path);
	free(committed);
}

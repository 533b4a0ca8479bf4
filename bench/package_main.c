/* bench_package KIND N FILE writes a package; --list names the kinds with the extension that they
 * need. */
#include "package.h"

#include <stdlib.h>
#include <string.h>

#include "collide.h"

/* ---- Tables ---------------------------------------------------------------------------------- */

enum { FAMILY = 1000 };

static int64_t add_number(struct package *p, const char *prefix, size_t i)
{
	char text[32];
	int n = snprintf(text, sizeof text, "%s%zu", prefix, i);

	return package_name(p, text, (size_t)n);
}

/* n exports with a body of one byte, in groups of a thousand, each group inside an export of the
 * one before. */
static void exports(struct package *p, size_t n)
{
	int64_t class = package_class(p, "Things", "Thing"), first = p->n_names;

	for (size_t i = 0; i < FAMILY; i++)
		add_number(p, "Name", i);
	for (size_t i = 0; i < n; i++) {
		size_t body = p->bodies.len;

		heap_index(&p->bodies, 0);
		package_export(p, class, 0, (int64_t)(i / FAMILY), first + (int64_t)(i % FAMILY),
			       body);
	}
}

/* Names of as many bytes as the others that collide. */
enum { LONG_NAME = COLLIDE_LEN };

static void names(struct package *p, size_t n)
{
	char text[LONG_NAME + 1];

	for (size_t i = 0; i < n; i++) {
		snprintf(text, sizeof text, "%048u%08X", (unsigned)(i * 7919), (unsigned)i);
		package_name(p, text, LONG_NAME);
	}
}

/* Names of three bytes at most, so that little of the file is a name. */
static void names_short(struct package *p, size_t n)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-!#$&'*+,/;=?@[]^{|}~";
	const size_t base = sizeof letters - 1;

	for (size_t i = 0; i < n; i++) {
		const char text[] = { letters[i % base], letters[i / base % base],
				      letters[i / base / base % base] };

		package_name(p, text, sizeof text);
	}
}

/* n imports of a few names, in groups of a thousand, each group inside an import of the one
 * before. */
static void imports(struct package *p, size_t n)
{
	const int64_t thing = package_class(p, "Things", "Thing");
	const int64_t core = package_name(p, "Core", 4), class = package_name(p, "Class", 5),
		      first = p->n_names;

	for (size_t i = 0; i < FAMILY; i++)
		add_number(p, "Name", i);
	for (size_t i = 0; i < n; i++)
		package_import(p, core, class,
			       i < FAMILY ? thing + 1 : thing - (int64_t)(i / FAMILY),
			       first + (int64_t)(i % FAMILY));
}

/* Names of one letter, imports and exports as short as they can be, of which there are two each,
 * by turns: all repeat, and none stands in order. */
static void names_same(struct package *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		package_name(p, i % 3 == 1 ? "A" : "B", 1);
}

static void imports_same(struct package *p, size_t n)
{
	const int64_t core = package_name(p, "Core", 4), class = package_name(p, "Class", 5);

	for (size_t i = 0; i < n; i++)
		package_import(p, core, class, 0, i % 3 == 1 ? core : class);
}

static void exports_same(struct package *p, size_t n)
{
	const int64_t first = package_name(p, "A", 1), second = package_name(p, "B", 1);

	for (size_t i = 0; i < n; i++)
		package_export(p, 0, 0, 0, i % 3 == 1 ? first : second, p->bodies.len);
}

/* ---- Names of one hash ----------------------------------------------------------------------- */

static void colliding_names(struct package *p, size_t n)
{
	char text[COLLIDE_LEN + 1];

	for (uint64_t i = 0, made = 0; made < n; i++) {
		if (!collide_name(i, text))
			continue;
		package_name(p, text, COLLIDE_LEN);
		made++;
	}
}

/* ---- Chains and order ------------------------------------------------------------------------ */

/* Each export lies in the next one. */
static void outer_chain(struct package *p, size_t n)
{
	int64_t class = package_class(p, "Things", "Thing"), name = add_number(p, "Name", 0);

	for (size_t i = 0; i < n; i++) {
		size_t body = p->bodies.len;

		heap_index(&p->bodies, 0);
		package_export(p, class, 0, i + 1 < n ? (int64_t)i + 2 : 0, name, body);
	}
}

/* Functions, each of which has the next one as its super, all with one body. */
static void super_chain(struct package *p, size_t n)
{
	int64_t class = package_class(p, "Core", "Function"), first = p->n_names;

	for (size_t i = 0; i < n; i++)
		add_number(p, "Name", i);
	for (size_t i = 0; i < n; i++)
		package_export(p, class, i + 1 < n ? (int64_t)i + 2 : 0, 0, first + (int64_t)i, 0);
}

/* Bodies from the end of the file to its start. */
static void bodies_reversed(struct package *p, size_t n)
{
	int64_t class = package_class(p, "Things", "Thing"), first = p->n_names;

	for (size_t i = 0; i < n; i++)
		add_number(p, "Name", i);
	for (size_t i = 0; i < n; i++)
		heap_index(&p->bodies, 0);
	for (size_t i = 0; i < n; i++) {
		package_export(p, class, 0, 0, first + (int64_t)i, n - 1 - i);
		((struct package_export *)(void *)p->exports.data)[i].len = 1;
	}
}

/* Bodies of one byte, each with a byte behind it that belongs to nothing. */
static void bodies_apart(struct package *p, size_t n)
{
	const int64_t class = package_class(p, "Things", "Thing"), name = package_name(p, "A", 1);

	for (size_t i = 0; i < n; i++) {
		const size_t body = p->bodies.len;

		heap_index(&p->bodies, 0);
		package_export(p, class, 0, 0, name, body);
		heap_index(&p->bodies, 0);
	}
}

/* Bodies that all begin at one place and end at different ones. */
static void bodies_overlapping(struct package *p, size_t n)
{
	int64_t class = package_class(p, "Things", "Thing"), first = p->n_names;

	for (size_t i = 0; i < n; i++)
		add_number(p, "Name", i);
	for (size_t i = 0; i < n; i++) {
		heap_index(&p->bodies, 0);
		package_export(p, class, 0, 0, first + (int64_t)i, 0);
	}
}

/* ---- Bodies ---------------------------------------------------------------------------------- */

/* One object with n structs, each fifteen deep. */
static void structs(struct package *p, size_t n)
{
	int64_t class = package_class(p, "Things", "Thing"), name = add_number(p, "Name", 0),
		type = add_number(p, "Type", 0);
	struct heap inner = { 0 }, outer = { 0 };

	heap_index(&inner, 0);
	for (unsigned depth = 0; depth < 15; depth++) {
		outer.len = 0;
		heap_index(&outer, name);
		heap_add(&outer, "\x5A", 1); /* a struct, its size in one byte */
		heap_index(&outer, type);
		heap_add(&outer, &(uint8_t){ (uint8_t)inner.len }, 1);
		heap_add(&outer, inner.data, inner.len);
		heap_index(&outer, 0);
		inner.len = 0;
		heap_add(&inner, outer.data, outer.len);
	}
	for (size_t i = 0; i < n; i++)
		/* without the end of the list that it stood in */
		heap_add(&p->bodies, inner.data, inner.len - 1);
	heap_index(&p->bodies, 0);
	package_export(p, class, 0, 0, name, 0);
	free(inner.data);
	free(outer.data);
}

/* A function of one expression: a call with n arguments. */
static void expression(struct package *p, size_t n)
{
	int64_t class = package_class(p, "Core", "Function"), name = add_number(p, "Name", 0);
	struct heap *h = &p->bodies;

	heap_index(h, 0);           /* no properties */
	heap_add(h, "\0\0\0\0", 4); /* neither super, next, source nor children */
	heap_index(h, name);
	heap_u32(h, 1);
	heap_u32(h, 1);
	heap_u32(h, n + 4);
	heap_add(h, "\x70", 1); /* a native function */
	for (size_t i = 0; i < n; i++)
		heap_add(h, "\x25", 1);   /* IntZero */
	heap_add(h, "\x16\x04\x0B", 3);   /* EndFunctionParms, Return, Nothing */
	heap_add(h, "\0\0\0\2\0\2\0", 7); /* native index, precedence, flags */
	package_export(p, class, 0, 0, name, 0);
}

static const struct {
	const char *name;
	void (*fill)(struct package *p, size_t n);
	unsigned version, licensee;
} kinds[] = {
	{ "exports", exports, 69, 0 },
	{ "names", names, 69, 0 },
	{ "names_short", names_short, 69, 0 },
	{ "imports", imports, 69, 0 },
	{ "names_same", names_same, 69, 0 },
	{ "imports_same", imports_same, 69, 0 },
	{ "exports_same", exports_same, 69, 0 },
	{ "colliding_names", colliding_names, 69, 0 },
	{ "outer_chain", outer_chain, 69, 0 },
	{ "super_chain", super_chain, 69, 0 },
	{ "bodies_reversed", bodies_reversed, 69, 0 },
	{ "bodies_apart", bodies_apart, 69, 0 },
	{ "bodies_overlapping", bodies_overlapping, 69, 0 },
	{ "structs", structs, 128, 29 },
	{ "expression", expression, 69, 0 },
};

int main(int argc, char **argv)
{
	struct heap out = { 0 };
	struct package p;
	FILE *f;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
			printf("%s u\n", kinds[i].name);
		return 0;
	}
	for (size_t i = 0; argc == 4 && i < sizeof kinds / sizeof kinds[0]; i++) {
		if (strcmp(argv[1], kinds[i].name) != 0)
			continue;
		package_init(&p, kinds[i].version, kinds[i].licensee);
		kinds[i].fill(&p, strtoul(argv[2], NULL, 10));
		package_write(&p, &out);
	}
	f = out.len > 0 ? fopen(argv[3], "wb") : NULL;
	if (!f || fwrite(out.data, 1, out.len, f) != out.len || fclose(f) != 0) {
		fprintf(stderr, "usage: bench_package KIND N FILE, or --list\n");
		return 2;
	}
	free(out.data);
	return 0;
}

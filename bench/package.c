/* Writing a package. */
#include "package.h"

#include <stdlib.h>
#include <string.h>

enum {
	LOAD_FLAGS = 0x00070000,
	NAME_FLAGS = 0x00070010,
	EXPORT_FLAGS = 0x00070004,
	HEADER_LEN = 64
};

static void add_u16(struct heap *h, unsigned v)
{
	heap_add(h, (const uint8_t[]){ (uint8_t)v, (uint8_t)(v >> 8) }, 2);
}

void package_init(struct package *p, unsigned version, unsigned licensee)
{
	*p = (struct package){ .version = version, .licensee = licensee };
	package_name(p, "None", 4);
}

int64_t package_name(struct package *p, const char *text, size_t n)
{
	heap_index(&p->names, (int64_t)n + 1);
	heap_add(&p->names, text, n);
	heap_add(&p->names, "", 1);
	heap_u32(&p->names, NAME_FLAGS);
	return p->n_names++;
}

int64_t package_import(struct package *p, int64_t class_package, int64_t class_name, int64_t outer,
		       int64_t name)
{
	heap_index(&p->imports, class_package);
	heap_index(&p->imports, class_name);
	heap_u32(&p->imports, (uint64_t)outer);
	heap_index(&p->imports, name);
	return -(int64_t)++p->n_imports;
}

int64_t package_class(struct package *p, const char *package, const char *name)
{
	int64_t core = package_name(p, "Core", 4), kind = package_name(p, "Package", 7),
		class = package_name(p, "Class", 5);
	int64_t home = strcmp(package, "Core") == 0 ? core
						    : package_name(p, package, strlen(package));
	int64_t place = package_import(p, core, kind, 0, home);

	return package_import(p, core, class, place, package_name(p, name, strlen(name)));
}

int64_t package_export(struct package *p, int64_t class, int64_t super, int64_t outer, int64_t name,
		       size_t body)
{
	const struct package_export e = { class, super, outer, name, body, p->bodies.len - body };

	heap_add(&p->exports, &e, sizeof e);
	return ++p->n_exports;
}

static void write_exports(const struct package *p, size_t bodies_at, struct heap *table)
{
	for (uint32_t i = 0; i < p->n_exports; i++) {
		struct package_export e;

		memcpy(&e, p->exports.data + i * sizeof e, sizeof e);
		heap_index(table, e.class);
		heap_index(table, e.super);
		heap_u32(table, (uint64_t)e.outer);
		heap_index(table, e.name);
		heap_u32(table, EXPORT_FLAGS);
		heap_index(table, (int64_t)e.len);
		if (e.len > 0)
			heap_index(table, (int64_t)(bodies_at + e.body));
	}
}

static void write_header(const struct package *p, struct heap *out)
{
	const size_t imports = HEADER_LEN + p->names.len + p->bodies.len;

	heap_u32(out, 0x9E2A83C1u);
	add_u16(out, p->version);
	add_u16(out, p->licensee);
	heap_u32(out, 1);
	heap_u32(out, p->n_names);
	heap_u32(out, HEADER_LEN);
	heap_u32(out, p->n_exports);
	heap_u32(out, p->n_exports > 0 ? imports + p->imports.len : 0);
	heap_u32(out, p->n_imports);
	heap_u32(out, p->n_imports > 0 ? imports : 0);
	heap_add(out, "the benches' GUID", 16);
	heap_u32(out, 1);
	heap_u32(out, p->n_exports);
	heap_u32(out, p->n_names);
}

void package_write(struct package *p, struct heap *out)
{
	write_header(p, out);
	heap_add(out, p->names.data, p->names.len);
	heap_add(out, p->bodies.data, p->bodies.len);
	heap_add(out, p->imports.data, p->imports.len);
	write_exports(p, HEADER_LEN + p->names.len, out);
	free(p->names.data);
	free(p->bodies.data);
	free(p->imports.data);
	free(p->exports.data);
}

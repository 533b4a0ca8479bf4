/* The small package: header, names, bodies, imports and exports. */
#include "inputs/package.h"

#include <string.h>

#include "reference/reference.h"

enum { N_CORE = 1, N_PACKAGE, N_CLASS, N_OBJECT, N_FOO, N_KINDS = N_FOO + PACKAGE_EXPORTS };

static const char *const names[PACKAGE_NAMES] = { "None", "Core", "Package",  "Class", "Object",
						  "Foo",  "Bar",  "Function", "State", "Struct" };

#define LOADED 0x00070000u

void package_add(struct package *p, const void *bytes, size_t n)
{
	if (n > 0)
		memcpy(p->bytes + p->n, bytes, n);
	p->n += n;
}

void package_add_number(struct package *p, unsigned n, uint64_t v)
{
	for (unsigned i = 0; i < n; i++)
		p->bytes[p->n++] = i < 8 ? (uint8_t)(v >> 8 * i) : 0;
}

static void add_index(struct package *p, int64_t v)
{
	p->n += reference_put_index(p->bytes + p->n, v);
}

/* Where the summary's fields are. */
enum { EXPORTS_AT = 24, IMPORTS_AT = 32, HERITAGE_AT = 40 };

void package_begin(struct package *p, unsigned version)
{
	package_add_number(p, 4, 0x9E2A83C1u);
	package_add_number(p, 4, version); /* no licensee */
	package_add_number(p, 4, 1);
	package_add_number(p, 4, PACKAGE_NAMES);
	package_add_number(p, 4, version < 68 ? 44 : 64);
	package_add_number(p, 4, PACKAGE_EXPORTS);
	package_add_number(p, 4, 0);
	package_add_number(p, 4, PACKAGE_IMPORTS);
	package_add_number(p, 4, 0);
	if (version < 68) {
		package_add_number(p, 4, 1);
		package_add_number(p, 4, 0);
	} else {
		package_add(p, "sixteen bytes of", 16);
		package_add_number(p, 4, 1);
		package_add_number(p, 4, PACKAGE_EXPORTS);
		package_add_number(p, 4, PACKAGE_NAMES);
	}
	for (size_t i = 0; i < PACKAGE_NAMES; i++) {
		if (version >= 64)
			add_index(p, (int64_t)strlen(names[i]) + 1);
		package_add(p, names[i], strlen(names[i]) + 1);
		package_add_number(p, 4, LOADED | 0x10);
	}
}

static void add_import(struct package *p, int class_name, int outer, int name)
{
	add_index(p, N_CORE);
	add_index(p, class_name);
	package_add_number(p, 4, (uint64_t)(int64_t)outer);
	add_index(p, name);
}

static void add_export(struct package *p, enum package_class class, int name, size_t from,
		       size_t to)
{
	add_index(p, class == PACKAGE_CLASS ? 0 : -3);
	add_index(p, 0);
	package_add_number(p, 4, 0);
	add_index(p, name);
	package_add_number(p, 4, LOADED | 4);
	add_index(p, (int64_t)(to - from));
	add_index(p, (int64_t)from);
}

void package_end(struct package *p, unsigned version, enum package_class class,
		 const size_t at[PACKAGE_EXPORTS])
{
	size_t end = p->n;

	reference_put_u32(p->bytes + IMPORTS_AT, p->n);
	add_import(p, N_PACKAGE, 0, N_CORE);
	add_import(p, N_CLASS, -1, N_OBJECT);
	add_import(p, N_CLASS, -1, class == PACKAGE_CLASS ? N_KINDS : N_KINDS + (int)class);
	reference_put_u32(p->bytes + EXPORTS_AT, p->n);
	add_export(p, class, N_FOO, at[0], at[1]);
	add_export(p, class, N_FOO + 1, at[1], end);
	if (version < 68) {
		reference_put_u32(p->bytes + HERITAGE_AT, p->n);
		package_add(p, "sixteen bytes of", 16);
	}
}

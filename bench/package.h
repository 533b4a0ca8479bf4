/* Packages for the benchmarks: names, imports, exports and bodies are added in any order and
 * written in the engine's. */
#ifndef UVET_BENCH_PACKAGE_H
#define UVET_BENCH_PACKAGE_H

#include "forge.h"

struct package_export {
	int64_t class, super, outer, name;
	size_t body, len; /* where its body stands in `bodies` */
};

struct package {
	struct heap names, imports, exports, bodies;
	uint32_t n_names, n_imports, n_exports;
	unsigned version, licensee;
};

/* package_init begins a package with the name None, which is name 0; version 69 is Unreal
 * Tournament's. */
void package_init(struct package *p, unsigned version, unsigned licensee);

/* package_name adds a name of n bytes and returns its index. */
int64_t package_name(struct package *p, const char *text, size_t n);

/* package_import adds an import and returns a reference to it. package_class imports a class of a
 * package and returns a reference to it. */
int64_t package_import(struct package *p, int64_t class_package, int64_t class_name, int64_t outer,
		       int64_t name);
int64_t package_class(struct package *p, const char *package, const char *name);

/* package_export adds an export and returns a reference to it; its body is what was added to
 * p->bodies from `body` on. */
int64_t package_export(struct package *p, int64_t class, int64_t super, int64_t outer, int64_t name,
		       size_t body);

/* package_write adds the file to out and frees the package. */
void package_write(struct package *p, struct heap *out);

#endif

/* Installers of many files that are checked themselves: packages, and downloads with a package in
 * each. */
#include "forge.h"

#include <stdlib.h>

#include "pack.h"
#include "package.h"

/* The smallest package that has something in it: an export of an imported class, without
 * properties. */
static void make_package(struct heap *out)
{
	struct package p;
	size_t body;

	package_init(&p, 69, 0);
	body = p.bodies.len;
	heap_index(&p.bodies, 0);
	package_export(&p, package_class(&p, "Things", "Thing"), 0, 0, package_name(&p, "Small", 5),
		       body);
	package_write(&p, out);
}

/* Each member has bytes of its own, which are the same, and a folder: downloads say what they are
 * called. */
static void write_same(struct forge *f, uint32_t n, const char *file, const struct heap *bytes)
{
	struct heap none = { 0 };
	char name[32];

	forge_manifests(f, &none);
	for (uint32_t i = 0; i < n; i++) {
		snprintf(name, sizeof name, "Mod%06u\\%s", (unsigned)i, file);
		forge_member(f, name, bytes->data, bytes->len, 0);
	}
}

static void write_packages(struct forge *f, uint32_t n)
{
	struct heap package = { 0 };

	make_package(&package);
	write_same(f, n, "Big.u", &package);
	free(package.data);
}

static void write_downloads(struct forge *f, uint32_t n)
{
	struct heap package = { 0 }, download = { 0 };

	make_package(&package);
	pack_uz(package.data, package.len, 1234, &download);
	write_same(f, n, "Big.u.uz", &download);
	free(package.data);
	free(download.data);
}

const struct forge_kind member_kinds[] = {
	{ "member_packages", write_packages },
	{ "member_downloads", write_downloads },
	{ NULL, NULL },
};

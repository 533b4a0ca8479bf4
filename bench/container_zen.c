/* Containers: packages as an engine of 5.3 cooks them, in order by all rules. */
#include "container.h"

#include <stdlib.h>
#include <string.h>

#include "codec/cityhash.h"

/* Types of object indexes are their two upper bits. */
#define SCRIPT_IMPORT (UINT64_C(1) << 62)
#define PACKAGE_IMPORT (UINT64_C(2) << 62)
#define NO_OBJECT UINT64_MAX
#define HASH_ALGORITHM UINT64_C(0xC1640000)
#define PACKAGE_TAG UINT64_C(0x9E2A83C1)
#define COOKED UINT64_C(0x80002200) /* no editor data, unversioned properties */
#define PUBLIC UINT64_C(1)

#define BULK_IN_FILE UINT64_C(0x100)

enum { SUMMARY_LEN = 52, NAME_MAX_LEN = 256, BULK_ROW_LEN = 32 };

static void add_u64(struct heap *h, uint64_t v)
{
	heap_u32(h, v & 0xFFFFFFFFu);
	heap_u32(h, v >> 32);
}

static void set_u32(struct heap *h, size_t at, uint64_t v)
{
	for (unsigned i = 0; i < 4; i++)
		h->data[at + i] = (uint8_t)(v >> 8 * i);
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* A batch of n names: its heads and their characters follow the hashes of these in lower case. */
static void add_batch(struct heap *out, const char *const *names, uint32_t n)
{
	size_t n_bytes = 0;

	for (uint32_t i = 0; i < n; i++)
		n_bytes += strlen(names[i]);
	heap_u32(out, n);
	if (n == 0)
		return;
	heap_u32(out, n_bytes);
	add_u64(out, HASH_ALGORITHM);
	for (uint32_t i = 0; i < n; i++) {
		uint8_t lower[NAME_MAX_LEN];
		const size_t len = strlen(names[i]);

		for (size_t k = 0; k < len; k++)
			lower[k] = (uint8_t)(names[i][k] >= 'A' && names[i][k] <= 'Z'
						     ? names[i][k] + 32
						     : names[i][k]);
		add_u64(out, cityhash64(lower, len));
	}
	for (uint32_t i = 0; i < n; i++) {
		const size_t len = strlen(names[i]);

		heap_add(out, &(uint8_t){ (uint8_t)(len >> 8) }, 1);
		heap_add(out, &(uint8_t){ (uint8_t)len }, 1);
	}
	for (uint32_t i = 0; i < n; i++)
		heap_add(out, names[i], strlen(names[i]));
}

/* The name of the package, that of its first export, which is the file's, and those of the
 * others. */
static void add_names(const struct zen_plan *plan, struct heap *out)
{
	const uint32_t n = plan->n_exports + 1;
	char(*room)[NAME_MAX_LEN] = calloc(n, sizeof *room);
	const char **names = calloc(n, sizeof *names);

	if (!room || !names)
		exit(1);
	for (uint32_t i = 0; i < n; i++) {
		if (i == 0)
			snprintf(room[i], sizeof room[i], "%s", plan->path);
		else if (i == 1)
			snprintf(room[i], sizeof room[i], "%s", strrchr(plan->path, '/') + 1);
		else
			snprintf(room[i], sizeof room[i], "StaticMeshComponent_Part%u", i);
		names[i] = room[i];
	}
	add_batch(out, names, n);
	free(names);
	free(room);
}

/* ---- Maps ------------------------------------------------------------------------------------ */

static uint64_t script_object(const char *path)
{
	return SCRIPT_IMPORT | (container_hash(path) & (SCRIPT_IMPORT - 1));
}

static void add_imports(const struct zen_plan *plan, struct heap *out)
{
	add_u64(out, script_object("/Script/Engine/StaticMesh"));
	add_u64(out, script_object("/Script/Engine/Default__StaticMesh"));
	for (uint64_t i = 0; i < plan->n_imports; i++)
		add_u64(out, PACKAGE_IMPORT | i << 32 | i);
}

static void add_exports(const struct zen_plan *plan, struct heap *out)
{
	for (uint32_t i = 0; i < plan->n_exports; i++) {
		const bool is_public = i == 0;

		add_u64(out, (uint64_t)i * plan->export_len);
		add_u64(out, plan->export_len);
		heap_u32(out, i + 1); /* its name, without a number */
		heap_u32(out, 0);
		add_u64(out, is_public ? NO_OBJECT : 0);
		add_u64(out, script_object("/Script/Engine/StaticMesh"));
		add_u64(out, NO_OBJECT);
		add_u64(out, script_object("/Script/Engine/Default__StaticMesh"));
		add_u64(out, is_public ? container_hash(strrchr(plan->path, '/') + 1) : 0);
		heap_u32(out, is_public ? PUBLIC : 0);
		heap_u32(out, 0); /* no filter */
	}
}

static void add_bundle(const struct zen_plan *plan, struct heap *out)
{
	for (uint32_t command = 0; command < 2; command++)
		for (uint32_t i = 0; i < plan->n_exports; i++) {
			heap_u32(out, i);
			heap_u32(out, command);
		}
}

/* No export waits for another. */
static void add_dependencies(const struct zen_plan *plan, struct heap *out)
{
	for (uint32_t i = 0; i < plan->n_exports; i++)
		for (unsigned k = 0; k < 5; k++)
			heap_u32(out, 0);
}

static void add_imported_names(const struct zen_plan *plan, struct heap *out)
{
	add_batch(out, plan->imports, plan->n_imports);
	for (uint32_t i = 0; i < plan->n_imports; i++)
		heap_u32(out, 0); /* without a number */
}

/* All of the chunk of bulk data is one piece, which has no duplicate. */
static void add_bulk(const struct zen_plan *plan, struct heap *out)
{
	add_u64(out, plan->bulk_len > 0 ? BULK_ROW_LEN : 0);
	if (plan->bulk_len == 0)
		return;
	add_u64(out, 0);
	add_u64(out, UINT64_MAX);
	add_u64(out, plan->bulk_len);
	heap_u32(out, BULK_IN_FILE);
	heap_u32(out, 0); /* the first file */
}

/* ---- A package ------------------------------------------------------------------------------- */

static void add_header(const struct zen_plan *plan, struct heap *out)
{
	static const uint8_t zeros[SUMMARY_LEN];
	enum { NAME = 8, FLAGS = 16, COOKED_SIZE = 20, FIRST_OFFSET = 24, HEADER_SIZE = 4 };
	void (*const parts[])(const struct zen_plan *, struct heap *) = {
		add_imports, add_exports, add_bundle, add_dependencies, NULL, add_imported_names
	};
	size_t at = FIRST_OFFSET;

	heap_add(out, zeros, sizeof zeros);
	add_names(plan, out);
	add_bulk(plan, out);
	set_u32(out, at, out->len);
	for (uint32_t i = 0; i < plan->n_imports; i++) /* what it imports of other packages */
		add_u64(out, container_hash(strrchr(plan->imports[i], '/') + 1));
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		set_u32(out, at += 4, out->len);
		if (parts[i])
			parts[i](plan, out);
	}
	set_u32(out, NAME, 0);
	set_u32(out, FLAGS, COOKED);
	set_u32(out, COOKED_SIZE, out->len);
	set_u32(out, HEADER_SIZE, out->len);
}

void zen_package(const struct zen_plan *plan, struct heap *out)
{
	const uint64_t n = (uint64_t)plan->n_exports * plan->export_len;

	out->len = 0;
	add_header(plan, out);
	heap_add(out, content_of(container_hash(plan->path), n), (size_t)n);
	heap_u32(out, PACKAGE_TAG);
}

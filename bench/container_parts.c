/* Containers: the directory index and the container header. */
#include "container.h"

#include <stdlib.h>
#include <string.h>

static void add_u64(struct heap *h, uint64_t v)
{
	heap_u32(h, v & 0xFFFFFFFFu);
	heap_u32(h, v >> 32);
}

/* ---- Directory index ------------------------------------------------------------------------- */

static void add_string(struct heap *h, const char *text)
{
	size_t n = strlen(text) + 1;

	heap_u32(h, n);
	heap_add(h, text, n);
}

uint32_t container_string(struct container *c, const char *text)
{
	add_string(&c->strings, text);
	return c->n_strings++;
}

static struct directory_row *directory_of(struct container *c, uint32_t i)
{
	return (struct directory_row *)(void *)c->directories.data + i;
}

uint32_t container_directory(struct container *c, uint32_t parent, uint32_t name)
{
	const uint32_t none = CONTAINER_NONE, number = c->n_directories++;
	struct directory_row row = { name, none, none, none, none, none }, *above;

	heap_add(&c->directories, &row, sizeof row);
	if (parent == none)
		return number;
	above = directory_of(c, parent);
	if (above->first_child == none)
		above->first_child = number;
	else
		directory_of(c, above->last_child)->next = number;
	above->last_child = number;
	return number;
}

uint32_t container_file(struct container *c, uint32_t directory, uint32_t name, uint32_t chunk)
{
	struct file_row row = { name, CONTAINER_NONE, chunk };
	struct directory_row *around = directory_of(c, directory);
	const uint32_t number = c->n_files++;

	heap_add(&c->files, &row, sizeof row);
	if (around->first_file == CONTAINER_NONE)
		around->first_file = number;
	else
		((struct file_row *)(void *)c->files.data)[around->last_file].next = number;
	around->last_file = number;
	return number;
}

void container_index(const struct container *c, struct heap *out)
{
	const struct directory_row *directories = (const struct directory_row *)(const void *)
							  c->directories.data;
	const struct file_row *files = (const struct file_row *)(const void *)c->files.data;

	add_string(out, c->mount);
	heap_u32(out, c->n_directories);
	for (uint32_t i = 0; i < c->n_directories; i++) {
		heap_u32(out, directories[i].name);
		heap_u32(out, directories[i].first_child);
		heap_u32(out, directories[i].next);
		heap_u32(out, directories[i].first_file);
	}
	heap_u32(out, c->n_files);
	for (uint32_t i = 0; i < c->n_files; i++) {
		heap_u32(out, files[i].name);
		heap_u32(out, files[i].next);
		heap_u32(out, files[i].chunk);
	}
	heap_u32(out, c->n_strings);
	heap_add(out, c->strings.data, c->strings.len);
}

/* ---- Container header ------------------------------------------------------------------------ */

/* What differs between the forms: of Unreal Engine 4.27, 5.3 and 5.6. */
struct form {
	/* bytes without packages, of an entry, and where its list of imports stands */
	unsigned version, fixed, entry, view;
};

enum { N_IMPORTS = 2, N_IMPORTS_LEN = 8 * N_IMPORTS };

static struct form form_of(unsigned version)
{
	if (version < 5)
		return (struct form){ 0, 44, 32, 24 };
	if (version < 8)
		return (struct form){ 3, 44, 16, 0 };
	return (struct form){ 5, 60, 16, 0 };
}

static uint64_t imports_of(uint64_t n_packages)
{
	return n_packages > N_IMPORTS ? N_IMPORTS : 0;
}

uint64_t container_header_len(unsigned version, uint64_t n_packages)
{
	const struct form form = form_of(version);

	return form.fixed + n_packages * (8 + form.entry + 8 * imports_of(n_packages));
}

struct package_row {
	uint64_t id, length;
};

static int compare_packages(const void *a, const void *b)
{
	const uint64_t x = ((const struct package_row *)a)->id,
		       y = ((const struct package_row *)b)->id;

	return x < y ? -1 : x > y;
}

static void add_entries(const struct form *form, const struct package_row *packages, uint32_t n,
			struct heap *out)
{
	const uint32_t n_imports = (uint32_t)imports_of(n);

	heap_u32(out, (uint64_t)n * (form->entry + 8 * n_imports));
	for (uint32_t i = 0; i < n; i++) {
		uint64_t past = (uint64_t)(n - i) * form->entry - form->view +
				(uint64_t)i * N_IMPORTS_LEN;

		if (form->version == 0) {
			add_u64(out, packages[i].length);
			heap_u32(out, 3);
			heap_u32(out, 1);
			heap_u32(out, i);
			heap_u32(out, 0);
		}
		heap_u32(out, n_imports);
		heap_u32(out, n_imports > 0 ? past : 0);
		if (form->version > 0)
			add_u64(out, 0); /* no shader maps */
	}
	for (uint32_t i = 0; i < n && n_imports > 0; i++)
		for (uint32_t k = 1; k <= N_IMPORTS; k++)
			add_u64(out, packages[(i + k) % n].id);
}

static void add_opening(const struct container *c, const struct form *form, uint32_t n,
			struct heap *out)
{
	if (form->version > 0) {
		heap_u32(out, 0x496F436E);
		heap_u32(out, form->version);
		add_u64(out, c->id);
		return;
	}
	add_u64(out, c->id);
	heap_u32(out, n);
	heap_u32(out, 0); /* no names of its own */
	heap_u32(out, 8);
	add_u64(out, 0xC1640000);
}

void container_header(const struct container *c, struct heap *out)
{
	const struct chunk *chunks = (const struct chunk *)(const void *)c->chunks.data;
	const struct form form = form_of(c->version);
	struct heap rows = { 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n_chunks; i++) {
		struct package_row row = { chunks[i].id, chunks[i].length };

		if (chunks[i].type != CONTAINER_PACKAGE)
			continue;
		heap_add(&rows, &row, sizeof row);
		n++;
	}
	qsort(rows.data, n, sizeof(struct package_row), compare_packages);
	add_opening(c, &form, n, out);
	heap_u32(out, n);
	for (uint32_t i = 0; i < n; i++)
		add_u64(out, ((const struct package_row *)(const void *)rows.data)[i].id);
	add_entries(&form, (const struct package_row *)(const void *)rows.data, n, out);
	add_u64(out, 0); /* version 0: no cultures, no redirects; else no optional segment */
	if (form.version > 0) {
		heap_u32(out, 0); /* no names */
		add_u64(out, 0);  /* nothing localized, no redirects */
	}
	if (form.version >= 5) {
		add_u64(out, 0); /* no soft references */
		add_u64(out, 0);
	}
	free(rows.data);
}

void container_claim_imports(const struct container *c, struct heap *header)
{
	const struct form form = form_of(c->version);
	const uint64_t n = c->n_chunks - 1, entries = (form.version > 0 ? 20 : 32) + 8 * n + 4;

	for (uint64_t i = 0; i < n; i++) {
		const uint64_t claimed = (n - i) * N_IMPORTS;
		uint8_t *view = header->data + entries + i * form.entry + form.view;

		for (unsigned k = 0; k < 4; k++)
			view[k] = (uint8_t)(claimed >> 8 * k);
	}
}

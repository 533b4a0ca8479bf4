/* Which containers of IoStore in one folder do not go together.
 * Source: conformance/spec/iostore.md, 1.10 to 1.12. */
#include "core/hash.h"
#include "formats/set/set.h"

static bool add(struct decode *d, struct set *u, const struct set_flaw *flaw)
{
	return set_add_flaw(d, &u->file_flaws, SET_FILES, flaw);
}

/* Containers in the order of their folders, and of their ids there. */
static uint64_t container_key(const void *table, uint32_t i)
{
	const struct set *u = table;
	const struct set_file *f = u->in->files[i];

	return f->is_container ? hash_mix(f->root, f->container) : UINT64_MAX;
}

static int compare_rows(const void *table, uint32_t a, uint32_t b)
{
	const struct set *u = table;
	const struct set_file *f = u->in->files[a], *g = u->in->files[b];

	if (f->is_container != g->is_container)
		return f->is_container ? -1 : 1;
	if (f->root != g->root)
		return order_numbers(f->root, g->root);
	return order_numbers(f->container, g->container);
}

/* Engines of UE4 write no later .utoc, and its headers have the forms 1 and 2. */
enum { UE4_VERSION_MAX = 3, UE4_HEADER_MAX = 2 };

static bool is_of_ue4(const struct set_file *f)
{
	return f->header > 0 ? f->header <= UE4_HEADER_MAX : f->version <= UE4_VERSION_MAX;
}

static bool compare_ids(struct decode *d, struct set *u, uint32_t first, uint32_t file)
{
	const struct set_file *a = u->in->files[first], *b = u->in->files[file];

	if (a->identity != SUMMARY_CONTAINER || b->identity != SUMMARY_CONTAINER ||
	    compare_rows(u, first, file) != 0)
		return true;
	return add(d, u,
		   &(struct set_flaw){ .traits = SET_ONE_CONTAINER,
				       .file = file,
				       .other = first,
				       .row = SET_NONE,
				       .number = b->container,
				       .lesser = !is_of_ue4(a) || !is_of_ue4(b) });
}

static bool find_same_ids(struct decode *d, struct set *u)
{
	struct order o;
	uint32_t first;

	if (!order_by_hash(d->arena, u, u->in->n_given, container_key, compare_rows, &o))
		return decode_stop(d, SET_FILES, STOP_MEMORY, (struct span){ 0, 0 });
	first = o.n > 0 ? order_row(&o, 0) : 0;
	for (uint32_t i = 1; i < o.n; i++) {
		const uint32_t file = order_row(&o, i);

		if (!u->in->files[file]->is_container)
			continue;
		if (compare_rows(u, first, file) != 0)
			first = file;
		else if (!compare_ids(d, u, first, file))
			return false;
	}
	return true;
}

/* What the first containers of a folder are, by the folder's number. */
struct folder {
	uint32_t toc, header; /* files; SET_NONE: none was there */
};

static bool compare_versions(struct decode *d, struct set *u, uint32_t file, struct folder *in)
{
	const struct set_file *f = u->in->files[file];
	struct set_flaw flaw = { .file = file, .row = SET_NONE };

	if (in->toc == SET_NONE)
		in->toc = file;
	if (in->header == SET_NONE && f->header > 0)
		in->header = file;
	flaw.traits = SET_OTHER_TOC;
	flaw.other = in->toc;
	flaw.number = f->version;
	flaw.expected = u->in->files[in->toc]->version;
	if (flaw.number != flaw.expected && !add(d, u, &flaw))
		return false;
	if (f->header == 0)
		return true;
	flaw.traits = SET_OTHER_HEADER;
	flaw.other = in->header;
	flaw.number = f->header;
	flaw.expected = u->in->files[in->header]->header;
	return flaw.number == flaw.expected || add(d, u, &flaw);
}

/* Folders are numbered from 0 on, and are no more than files. */
bool set_compare_containers(struct decode *d, struct set *u)
{
	const uint32_t n = u->in->n_given;
	struct folder *folders = decode_alloc(d, SET_FILES, u->in->n, sizeof *folders);

	if (!folders || !decode_spend(d, SET_FILES, n))
		return false;
	for (uint32_t i = 0; i < u->in->n; i++)
		folders[i] = (struct folder){ SET_NONE, SET_NONE };
	for (uint32_t i = 0; i < n; i++)
		if (u->members[i].kind == SET_CONTAINER &&
		    !compare_versions(d, u, i, &folders[u->in->files[i]->root]))
			return false;
	return find_same_ids(d, u);
}

/* Names of all packages of a set: equal ones get one number, by sorting and comparing all. */
#include "core/path.h"
#include "formats/set/set.h"

/* A name, by the file and its number there; a file's stem; or, without a file, a word that rules
 * know. */
struct name_row {
	uint32_t file, name;
};
#define STEM UINT32_MAX

struct names {
	const struct set *set;
	struct name_row *rows;
	uint32_t n;
};

static const char *const words[N_SET_WORDS] = {
	[SET_WORD_NONE] = "None",
	[SET_WORD_CLASS] = "Class",
	[SET_WORD_CORE] = "Core",
	[SET_WORD_PACKAGE] = "Package",
};

/* The last component without its extension. Names of files are ASCII where packages are named by
 * them. */
struct package_text set_stem_text(const struct set_file *f)
{
	const char *last = f->name + f->last_at, *dot = strrchr(last, '.');
	const size_t len = dot ? (size_t)(dot - last) : strlen(last);

	return (struct package_text){ last, (uint32_t)len };
}

static struct package_text text_of_row(const struct names *all, uint32_t i)
{
	const struct name_row *row = &all->rows[i];

	if (row->file == SET_NONE)
		return (struct package_text){ words[row->name],
					      (uint32_t)strlen(words[row->name]) };
	if (row->name == STEM)
		return set_stem_text(all->set->in->files[row->file]);
	return set_text(all->set, row->file, row->name);
}

static uint64_t key_of_row(const void *table, uint32_t i)
{
	return package_text_hash(text_of_row(table, i));
}

static int compare_rows(const void *table, uint32_t a, uint32_t b)
{
	return package_text_compare(text_of_row(table, a), text_of_row(table, b));
}

static uint32_t n_names_of(const struct set_file *f)
{
	return f->package ? f->package->n_names : 0;
}

/* Names that no row of their package has are empty, and are no rows here. */
static uint64_t count_rows(const struct set *u)
{
	uint64_t n = N_SET_WORDS;

	for (uint32_t i = 0; i < u->in->n; i++) {
		n++;
		for (uint32_t k = 0; k < n_names_of(u->in->files[i]); k++)
			n += set_text(u, i, k).len > 0;
	}
	return n;
}

static void add_row(struct names *all, uint32_t file, uint32_t name)
{
	all->rows[all->n++] = (struct name_row){ file, name };
}

static void list_rows(struct names *all)
{
	for (uint32_t w = 0; w < N_SET_WORDS; w++)
		add_row(all, SET_NONE, w);
	for (uint32_t i = 0; i < all->set->in->n; i++) {
		add_row(all, i, STEM);
		for (uint32_t k = 0; k < n_names_of(all->set->in->files[i]); k++)
			if (set_text(all->set, i, k).len > 0)
				add_row(all, i, k);
	}
}

static bool make_ids(struct decode *d, struct set *u)
{
	for (uint32_t i = 0; i < u->in->n; i++) {
		const uint32_t n = n_names_of(u->in->files[i]);
		uint32_t *ids;

		if (n == 0)
			continue;
		ids = decode_alloc(d, SET_FILES, n, sizeof *ids);
		if (!ids)
			return false;
		memset(ids, 0, n * sizeof *ids);
		u->members[i].ids = ids;
	}
	return true;
}

static void take_number(struct set *u, const struct name_row *row, uint32_t number)
{
	if (row->file == SET_NONE)
		u->words[row->name] = number;
	else if (row->name == STEM)
		u->members[row->file].stem = number;
	else
		((uint32_t *)(uintptr_t)u->members[row->file].ids)[row->name] = number;
}

static void number_rows(struct set *u, const struct names *all, const struct order *order)
{
	uint32_t number = 0;

	for (uint32_t i = 0; i < all->n; i++) {
		const uint32_t row = order_row(order, i);

		if (i == 0 || compare_rows(all, order_row(order, i - 1), row) != 0)
			number++;
		take_number(u, &all->rows[row], number);
	}
}

bool set_number_names(struct decode *d, struct set *u)
{
	const uint64_t n = count_rows(u);
	struct names all = { .set = u };
	struct arena_mark before;
	struct order order;

	if (!decode_spend(d, SET_FILES, n) || !make_ids(d, u))
		return false;
	if (n >= UINT32_MAX)
		return decode_stop(d, SET_FILES, STOP_MEMORY, (struct span){ 0, 0 });
	before = arena_mark(d->arena);
	all.rows = decode_alloc(d, SET_FILES, n, sizeof *all.rows);
	if (!all.rows)
		return false;
	list_rows(&all);
	if (!order_by_hash(d->arena, &all, all.n, key_of_row, compare_rows, &order))
		return decode_stop(d, SET_FILES, STOP_MEMORY, (struct span){ 0, 0 });
	number_rows(u, &all, &order);
	arena_rewind(d->arena, before);
	return true;
}

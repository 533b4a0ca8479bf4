/* Sets: which files lie where a game looks for packages together. */
#include "formats/set_files.h"

#include "core/ascii.h"
#include "core/order.h"

#define FOLDER(name) name,
static const char *const folders[] = {
#include "formats/set_folders.def"
	NULL
};
#undef FOLDER

bool set_is_one_of(const char *text, size_t len, const char *const *words)
{
	for (; *words; words++) {
		size_t i = 0;

		while (i < len && (*words)[i] && ascii_lower(text[i]) == ascii_lower((*words)[i]))
			i++;
		if (i == len && !(*words)[i])
			return true;
	}
	return false;
}

static bool ends_folder(char c)
{
	return c == '/' || c == '\\' || c == '!';
}

/* The folder that a file lies in, without the last component where that is one of the game's. */
static uint32_t root_len(struct set_file *f)
{
	const uint32_t len = f->folder_len;
	uint32_t from = len > 0 ? len - 1 : 0;

	while (from > 0 && !ends_folder(f->name[from - 1]))
		from--;
	f->in_contents = len > 0 && set_is_one_of(f->name + from, len - 1 - from, folders);
	return f->in_contents ? from : len;
}

struct roots {
	const struct set_file *const *files;
	uint32_t *lens;
};

static uint8_t plain(char c)
{
	return (uint8_t)(c == '\\' ? '/' : c);
}

static int compare_roots(const void *table, uint32_t a, uint32_t b)
{
	const struct roots *all = table;
	const char *x = all->files[a]->name, *y = all->files[b]->name;

	if (all->lens[a] != all->lens[b])
		return order_numbers(all->lens[a], all->lens[b]);
	for (uint32_t i = 0; i < all->lens[a]; i++)
		if (plain(x[i]) != plain(y[i]))
			return order_numbers(plain(x[i]), plain(y[i]));
	return 0;
}

static uint64_t root_key(const void *table, uint32_t i)
{
	const struct roots *all = table;
	uint64_t hash = all->lens[i];

	for (uint32_t k = 0; k < all->lens[i]; k++)
		hash = hash_mix(hash, plain(all->files[i]->name[k]));
	return hash;
}

bool set_files_number_roots(struct arena *arena, struct set_file *const *files, uint32_t n)
{
	const struct arena_mark before = arena_mark(arena);
	struct roots all = { (const struct set_file *const *)files,
			     arena_alloc(arena, n, sizeof *all.lens) };
	struct order order;
	uint32_t number = 0;

	if (!all.lens)
		return false;
	for (uint32_t i = 0; i < n; i++)
		all.lens[i] = files[i]->root_len = root_len(files[i]);
	if (!order_by_hash(arena, &all, n, root_key, compare_roots, &order))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t row = order_row(&order, i);

		if (i > 0 && compare_roots(&all, order_row(&order, i - 1), row) != 0)
			number++;
		files[row]->root = files[row]->role == SET_GAME ? SET_GAME_ROOT : number;
	}
	arena_rewind(arena, before);
	return true;
}

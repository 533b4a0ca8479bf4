/* Directory indexes: links are redirected, rows are inserted and removed. */
#include "mutate/mutate_dirindex.h"

#include <string.h>

#include "reference/reference.h"

/* An input of fuzz_dirindex has two bytes before the index. */
enum { BEFORE = 2, DIRECTORY_ROW = 16, FILE_ROW = 12, NONE_PORTION = 8 };

/* Where a table's number of rows stands; the rows follow. */
struct rows {
	size_t at, row, n;
};

/* Reads the next table; false: it is not whole. */
static bool read_rows(const uint8_t *data, size_t size, size_t *at, size_t row, struct rows *r)
{
	if (size - *at < 4)
		return false;
	*r = (struct rows){ *at, row, (size_t)reference_u32(data + *at) };
	if (r->n > (size - *at - 4) / row)
		return false;
	*at += 4 + r->n * row;
	return true;
}

/* Reads the tables of directories and files and how many strings there are. */
static bool read_tables(const uint8_t *data, size_t size, struct rows *directories,
			struct rows *files, size_t *n_strings)
{
	size_t at = BEFORE, len;
	int64_t count;

	if (size < BEFORE + 4)
		return false;
	count = (int32_t)reference_u32(data + at);
	len = (size_t)(count < 0 ? -2 * count : count);
	if (len > size - at - 4)
		return false;
	at += 4 + len;
	if (!read_rows(data, size, &at, DIRECTORY_ROW, directories) ||
	    !read_rows(data, size, &at, FILE_ROW, files) || size - at < 4)
		return false;
	*n_strings = (size_t)reference_u32(data + at);
	return directories->n > 0 && files->n > 0 && *n_strings > 0;
}

/* A directory's name, child, sibling and first file; a file's name, next one and chunk. */
static void change_link(uint8_t *data, const struct rows *directories, const struct rows *files,
			size_t n_strings, struct dice *dice)
{
	const size_t of_directory[] = { n_strings, directories->n, directories->n, files->n },
		     of_file[] = { n_strings, files->n, 16 };
	const bool is_file = dice_one_in(dice, 3);
	const struct rows *r = is_file ? files : directories;
	const size_t field = (size_t)dice_below(dice, is_file ? 3 : 4);
	const uint64_t to = dice_below(dice, is_file ? of_file[field] : of_directory[field]);

	reference_put_u32(data + r->at + 4 + r->row * dice_below(dice, r->n) + 4 * field,
			  dice_one_in(dice, NONE_PORTION) ? UINT32_MAX : to);
}

/* Inserts a copy of a row or removes one, and updates the number of rows. */
static size_t change_rows(uint8_t *data, size_t size, size_t max, const struct rows *r,
			  struct dice *dice)
{
	uint8_t row[DIRECTORY_ROW], *at = data + r->at + 4 + r->row * dice_below(dice, r->n),
				    *end = data + size;

	memcpy(row, data + r->at + 4 + r->row * dice_below(dice, r->n), r->row);
	if (dice_one_in(dice, 4)) {
		memmove(at, at + r->row, (size_t)(end - at) - r->row);
		reference_put_u32(data + r->at, r->n - 1);
		return size - r->row;
	}
	if (max - size < r->row)
		return size;
	memmove(at + r->row, at, (size_t)(end - at));
	memcpy(at, row, r->row);
	reference_put_u32(data + r->at, r->n + 1);
	return size + r->row;
}

size_t mutate_directory(uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind)
{
	struct dice dice = { seed };
	uint64_t times = 1 + dice_below(&dice, 4);
	struct rows directories, files;
	size_t n_strings;

	if (size > max || dice_one_in(&dice, 2) ||
	    !read_tables(data, size, &directories, &files, &n_strings))
		return mutate_blindly(data, size, max, &dice, blind);
	while (times-- > 0 && read_tables(data, size, &directories, &files, &n_strings)) {
		if (dice_one_in(&dice, 4))
			size = change_rows(data, size, max,
					   dice_one_in(&dice, 2) ? &files : &directories, &dice);
		else
			change_link(data, &directories, &files, n_strings, &dice);
	}
	return size;
}

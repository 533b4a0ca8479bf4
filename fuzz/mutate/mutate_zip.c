/* Zips: checksums, sizes and the local headers follow what was changed, and the directory is found
 * where it went. */
#include <string.h>

#include "mutate/mutate_format.h"
#include "reference/reference_utoc.h"
#include "reference/reference_zip.h"

enum { LOCAL = 30, CENTRAL = 46, END = 22, STORED = 0 };

struct zip_map {
	uint8_t *data;
	size_t size;
	size_t end, directory;
	struct dice *dice;
};

/* The last place of four bytes before `from`; SIZE_MAX: there is none. */
static size_t last_of(const struct zip_map *m, size_t from, uint32_t magic)
{
	for (size_t at = from; at > 0; at--)
		if (m->size - (at - 1) >= 4 && reference_read(m->data + at - 1, 4) == magic)
			return at - 1;
	return SIZE_MAX;
}

static bool is_at(const struct zip_map *m, size_t at, uint32_t magic, size_t len)
{
	return at <= m->size && m->size - at >= len && reference_read(m->data + at, 4) == magic;
}

/* The first central header of those that stand close together before the end. */
static size_t first_central(const struct zip_map *m)
{
	size_t at = 0;

	while (at + CENTRAL <= m->end && !is_at(m, at, REFERENCE_ZIP_CENTRAL, CENTRAL))
		at++;
	return at;
}

static void find_directory(struct zip_map *m)
{
	uint8_t *e = m->data + m->end;

	m->directory = (size_t)reference_read(e + 16, 4);
	if (is_at(m, m->directory, REFERENCE_ZIP_CENTRAL, CENTRAL) || dice_one_in(m->dice, 8))
		return;
	m->directory = first_central(m);
	reference_write(e + 16, 4, m->directory);
	reference_write(e + 12, 4, m->end - m->directory);
}

/* A local header by its number, from the first on. */
static size_t local_of(const struct zip_map *m, size_t number)
{
	for (size_t at = 0; at < m->directory; at++)
		if (is_at(m, at, REFERENCE_ZIP_LOCAL, LOCAL) && number-- == 0)
			return at;
	return SIZE_MAX;
}

/* Checksum, sizes, method and flags of the two headers, and the name if it is as long. The headers
 * may share bytes. */
static void repair_member(const struct zip_map *m, uint8_t *central, uint8_t *local)
{
	const uint64_t n = reference_read(central + 28, 2), own = reference_read(local + 26, 2),
		       more = reference_read(local + 28, 2),
		       packed = reference_read(central + 20, 4);
	const size_t name_at = (size_t)(local - m->data) + LOCAL;

	if (name_at + own + more > m->size)
		return;
	if (reference_read(central + 10, 2) == STORED && packed <= m->size - name_at - own - more) {
		reference_write(central + 16, 4,
				reference_crc32(m->data + name_at + own + more, packed));
		reference_write(central + 24, 4, packed);
	}
	if (!dice_one_in(m->dice, 8))
		memmove(local + 6, central + 8, 4);
	if (!dice_one_in(m->dice, 8))
		memmove(local + 14, central + 16, 12);
	if (n == own && !dice_one_in(m->dice, 8))
		memmove(local + LOCAL, central + CENTRAL, n);
}

static void repair_members(struct zip_map *m)
{
	size_t at = m->directory, n = 0;

	while (is_at(m, at, REFERENCE_ZIP_CENTRAL, CENTRAL)) {
		uint8_t *central = m->data + at;
		size_t local = (size_t)reference_read(central + 42, 4);
		const size_t len = (size_t)(CENTRAL + reference_read(central + 28, 2) +
					    reference_read(central + 30, 2) +
					    reference_read(central + 32, 2));

		if (len > m->size - at)
			break;
		if (!is_at(m, local, REFERENCE_ZIP_LOCAL, LOCAL) && !dice_one_in(m->dice, 8)) {
			local = local_of(m, n);
			reference_write(central + 42, 4, local);
		}
		if (is_at(m, local, REFERENCE_ZIP_LOCAL, LOCAL))
			repair_member(m, central, m->data + local);
		at += len;
		n++;
	}
	if (dice_one_in(m->dice, 8))
		return;
	reference_write(m->data + m->end + 8, 2, n);
	reference_write(m->data + m->end + 10, 2, n);
}

static void repair(uint8_t *data, size_t size, struct dice *dice)
{
	struct zip_map m = { .data = data, .size = size, .dice = dice };

	if (size < END)
		return;
	m.end = last_of(&m, size - END + 1, REFERENCE_ZIP_END);
	if (m.end == SIZE_MAX || dice_one_in(dice, 8))
		return;
	find_directory(&m);
	repair_members(&m);
}

const struct mutate_format mutate_zip = { .repair = repair };

/* Paths of objects. Source: conformance/spec/iostore.md, 11. */
#include "formats/iostore/names/object_path.h"

#include "codec/cityhash.h"

void object_path_start(struct object_path *p)
{
	p->start = OBJECT_PATH_MAX;
	p->has_names = p->is_unknown = false;
}

static bool lose(struct object_path *p)
{
	p->is_unknown = true;
	return false;
}

static uint8_t path_byte(uint8_t c, bool slashes)
{
	return slashes && (c == '.' || c == ':') ? '/' : c;
}

bool object_path_add(struct object_path *p, const struct name_batch *b, uint64_t index,
		     uint64_t number, bool slashes)
{
	uint8_t digits[NAME_NUMBER_MAX];
	struct name_row name;
	struct held bytes;
	uint64_t n_digits, n, at;

	names_row(b, index, &name);
	bytes = name_bytes(&name);
	n_digits = name_put_number(number, digits);
	n = name.n_units + n_digits + p->has_names;
	if (p->is_unknown || n > p->start || !name_is_ascii(bytes, name.wide))
		return lose(p);
	at = p->start -= n;
	for (uint64_t i = 0; i < name.n_units; i++)
		p->text[at++] = path_byte((uint8_t)held_u8(bytes, name.wide ? 2 * i : i), slashes);
	for (uint64_t i = 0; i < n_digits; i++)
		p->text[at++] = digits[i];
	if (p->has_names)
		p->text[at] = '/';
	p->has_names = true;
	return true;
}

uint64_t object_path_hash(const struct object_path *p)
{
	return cityhash64_lower_wide(p->text + p->start, OBJECT_PATH_MAX - p->start);
}

/* The path of an export as a text for messages. */
#include "formats/iostore/zen_package/export_text.h"

#define DEPTH_MAX 32u       /* outers that are named; a chain may be a cycle */
#define REPLACEMENT 0xFFFDu /* stands for half of a surrogate pair */

/* Puts a character before what there is; false: there is no room. */
static bool put(struct export_text *t, uint64_t c)
{
	const uint64_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
	const uint8_t first = n == 1 ? 0 : n == 2 ? 0xC0 : 0xE0;

	if (t->start < n)
		return false;
	for (uint64_t i = 1; i < n; i++, c >>= 6)
		t->text[--t->start] = (uint8_t)(0x80 | (c & 0x3F));
	t->text[--t->start] = (uint8_t)(first | c);
	return true;
}

static bool put_name(struct export_text *t, const struct name_batch *b, uint64_t index,
		     uint64_t number)
{
	uint8_t digits[NAME_NUMBER_MAX];
	uint64_t n = name_put_number(number, digits);
	struct name_row name;
	struct held bytes;

	names_row(b, index, &name);
	bytes = name_bytes(&name);
	while (n > 0)
		if (!put(t, digits[--n]))
			return false;
	for (uint64_t i = name.n_units; i > 0; i--) {
		const uint64_t unit = name.wide ? held_u16(bytes, 2 * (i - 1))
						: held_u8(bytes, i - 1);

		if (!put(t, unit >> 11 == 0xD800 >> 11 ? REPLACEMENT : unit))
			return false;
	}
	return true;
}

bool export_text_write(const struct zen *z, uint64_t export, struct export_text *out)
{
	const struct name_batch *b = &z->batches[ZEN_OWN_NAMES];

	out->start = EXPORT_TEXT_MAX;
	for (unsigned depth = 0; depth < DEPTH_MAX; depth++) {
		const struct zen_export_row row = zen_export_at(z->exports, export);
		const uint64_t outer = zen_export_get_outer(row);

		if (!names_are_read(b) ||
		    !names_have(b, NAME_OF_PACKAGE, zen_export_get_name(row)) ||
		    !put_name(out, b, mapped_index(zen_export_get_name(row)),
			      zen_export_get_number(row)))
			return out->start < EXPORT_TEXT_MAX;
		if (object_kind(outer) != OBJECT_EXPORT || (outer & UINT32_MAX) >= z->n_exports ||
		    !put(out, '/'))
			return true;
		export = outer & UINT32_MAX;
	}
	return true;
}

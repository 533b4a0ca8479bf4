/* Index strings: reading them at a cursor. */
#include "formats/blocks/index_string.h"

bool index_string_read(struct cursor *c, struct text *text, int64_t *length)
{
	struct cursor here = *c;
	const uint8_t *data;
	uint64_t raw, units, len;

	*length = 0;
	if (!cursor_u32(&here, &raw))
		return false;
	*length = (int32_t)(uint32_t)raw;
	units = index_string_units(*length);
	len = index_string_len(*length);
	if (units > INT32_MAX || !cursor_bytes(&here, len, &data))
		return false;
	*text = (struct text){ data,
			       { .at = cursor_at(&here) - len,
				 .n_units = (uint32_t)units,
				 .encoding = index_string_encoding(*length) } };
	if (units > 0 && text_unit(*text, units - 1) == 0)
		text->ref.n_units--;
	else
		text->ref.flags = TEXT_UNTERMINATED;
	*c = here;
	return true;
}

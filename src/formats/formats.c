/* The list of formats, one line each, and which of them an input is of. */
#include "formats/format.h"

#include "formats/umod/umod.h"
#include "formats/uz/uz.h"

const struct format *const formats[] = {
	&umod_format,
	&uz3_format,
	&uz_format,
	&uz2_format,
	&lzma_format,
	NULL,
};

size_t format_sniff(struct decode *d)
{
	size_t i = 0;

	while (formats[i] && !formats[i]->sniff(d))
		i++;
	return i;
}

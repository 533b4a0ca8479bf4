/* The list of formats, one line each, and which of them an input is of. */
#include "formats/format.h"

#include "formats/umod/umod.h"

const struct format *const formats[] = {
	&umod_format,
	NULL,
};

size_t format_sniff(struct decode *d)
{
	size_t i = 0;

	while (formats[i] && !formats[i]->sniff(d))
		i++;
	return i;
}

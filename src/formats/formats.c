/* The list of formats, one line each, and which of them an input is of. */
#include "formats/format.h"

/* Declared here, not by their headers: formats know nothing of each other, and their names may be the same. */
extern const struct format umod_format, upkg_format;

const struct format *const formats[] = {
	&umod_format,
	&upkg_format,
	NULL,
};

size_t format_sniff(struct decode *d)
{
	size_t i = 0;

	while (formats[i] && !formats[i]->sniff(d))
		i++;
	return i;
}

/* The list of formats, one line each, and which of them an input is of. */
#include "formats/format.h"

#include "formats/umod/umod.h"

const struct format *const formats[] = {
	&umod_format,
	NULL,
};

const struct format *format_sniff(struct decode *d)
{
	for (size_t i = 0; formats[i]; i++)
		if (formats[i]->sniff(d))
			return formats[i];
	return NULL;
}

/* The list of formats, one line each, and which of them an input is of. */
#include "formats/format.h"

#include "formats/umod/umod.h"

const struct format *const formats[] = {
	&umod_format,
	NULL,
};

bool format_has_extension(const struct format *f, uint64_t extension)
{
	for (const uint64_t *e = f->extensions; *e; e++)
		if (*e == extension)
			return true;
	return false;
}

bool format_promised(uint64_t extension)
{
	for (size_t i = 0; formats[i]; i++)
		if (format_has_extension(formats[i], extension))
			return true;
	return false;
}

size_t format_sniff(struct decode *d)
{
	size_t i = 0;

	while (formats[i] && !formats[i]->sniff(d))
		i++;
	return i;
}

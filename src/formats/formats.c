/* The list of formats, one line each, and which of them an input is of. */
#include "formats/format.h"

#include "core/path.h"

/* Declared here, not by their headers: formats know nothing of each other, and their names may be the same. */
extern const struct format umod_format, upkg_format, utoc_format, uz_format, uz2_format, uz3_format, lzma_format;

const struct format *const formats[] = {
	&umod_format,
	&upkg_format,
	&utoc_format,
	&uz3_format,
	&uz_format,
	&uz2_format,
	&lzma_format,
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

uint16_t format_set(uint64_t extension)
{
	unsigned set = 0;

	for (size_t i = 0; formats[i]; i++)
		if (format_has_extension(formats[i], extension))
			set |= 1u << i;
	return (uint16_t)set;
}

size_t format_sniff(struct decode *d)
{
	const uint64_t extension = text_word8(path_extension(text_from(d->source->name)));
	const bool promised = format_promised(extension);
	size_t i = 0;

	while (formats[i] && ((promised && !format_has_extension(formats[i], extension)) || !formats[i]->sniff(d)))
		i++;
	return i;
}

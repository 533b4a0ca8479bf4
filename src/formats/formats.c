/* The formats, and which of them an input is of. */
#include "formats/format.h"

#include "core/path.h"
#include "formats/summary_lines.h"

/* Declared here, not by their headers: formats know nothing of each other, and their names may be
 * the same. */
#define FORMAT(name) extern const struct format name##_format;
#include "formats/formats.def"
#undef FORMAT

#define FORMAT(name) &name##_format,
const struct format *const formats[] = {
#include "formats/formats.def"
	NULL,
};
#undef FORMAT

static bool is_listed(const char *const *list, struct text extension)
{
	while (*list && !text_is(extension, *list))
		list++;
	return *list;
}

bool format_has_extension(const struct format *f, struct text extension)
{
	return is_listed(f->extensions, extension);
}

bool format_shares(const struct format *f, struct text extension)
{
	return is_listed(f->shared, extension);
}

uint32_t format_set(struct text extension)
{
	uint32_t set = 0;

	for (size_t i = 0; formats[i]; i++)
		if (format_has_extension(formats[i], extension))
			set |= 1u << i;
		else if (format_shares(formats[i], extension))
			set |= FORMATS_SHARED;
	return set;
}

bool format_promised(struct text extension)
{
	return format_set(extension) != 0;
}

bool format_is_opened(struct text extension)
{
	return format_promised(extension) || summary_has_lines(extension);
}

static struct text extension_of(const struct decode *d)
{
	return path_extension(text_from(d->source->name));
}

/* With a shared extension, a format that shares it and accepts the bytes comes before all others
 * that accept them. */
static size_t sniff_shared(struct decode *d, struct text extension)
{
	size_t i = 0;

	while (formats[i] && !(format_shares(formats[i], extension) && formats[i]->sniff(d)))
		i++;
	return i;
}

static size_t format_of_claims(void)
{
	size_t i = 0;

	while (ALWAYS(formats[i]) && !formats[i]->takes_claims)
		i++;
	return i;
}

static size_t format_of_sets(void)
{
	size_t i = 0;

	while (ALWAYS(formats[i]) && !formats[i]->takes_sets)
		i++;
	return i;
}

size_t format_sniff(struct decode *d)
{
	const struct text extension = extension_of(d);
	const unsigned set = format_set(extension);
	size_t i;

	if (d->claims)
		return format_of_claims();
	if (d->set)
		return format_of_sets();
	i = set == FORMATS_SHARED ? sniff_shared(d, extension) : 0;
	if (set == FORMATS_SHARED && formats[i])
		return i;
	for (i = 0; formats[i]; i++)
		if ((set == 0 || set == FORMATS_SHARED || set & 1u << i) && formats[i]->sniff(d))
			break;
	return i;
}

size_t format_sniff_other(struct decode *d, size_t number)
{
	const struct text extension = extension_of(d);
	const struct format *f = formats[number];
	const bool decided = d->claims || d->set || format_has_extension(f, extension) ||
			     format_shares(f, extension);
	size_t i = number;

	while (formats[i] && (decided || i == number || !formats[i]->sniff(d)))
		i++;
	return i;
}

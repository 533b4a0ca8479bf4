/* The list of writers. */
#include "report/writers.h"

#include <string.h>

static const struct writer_type *const types[] = {
	&writer_text,   &writer_text_color,   &writer_concise,  &writer_json,       &writer_ndjson,
	&writer_sarif,  &writer_sarif_github, &writer_junit,    &writer_checkstyle, &writer_github,
	&writer_gitlab, &writer_csv,          &writer_markdown, &writer_html,
};

const struct writer_type *writer_find(const char *name)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(types[i]->name, name) == 0)
			return types[i];
	return NULL;
}

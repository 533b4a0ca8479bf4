/* The public interface to the JSON Schemas. */
#include "report/schemas.h"

#include <string.h>

#include "api/api.h"

const char *uvet_schema_name(size_t index)
{
	size_t n = 0;

	while (n < index && schemas[n].name)
		n++;
	return schemas[n].name;
}

static const struct schema *find(const char *name)
{
	const struct schema *s = schemas;

	while (s->name && strcmp(s->name, name) != 0)
		s++;
	return s->name ? s : NULL;
}

uvet_status uvet_schema_write(const char *name, uvet_sink *sink, void *ctx)
{
	const struct schema *s;

	if (!name || !sink)
		return UVET_BAD_CALL;
	s = find(name);
	if (!s)
		return UVET_BAD_OPTION;
	return sink(ctx, s->text, s->len) == 0 ? UVET_OK : UVET_WRITE_FAILED;
}

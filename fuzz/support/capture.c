/* Captures: what is written is appended, and read again by the strict readers. */
#include "support/capture.h"

#include <stdlib.h>
#include <string.h>

#include "support/must.h"
#include "support/strict.h"
#include "support/strict_pipelines.h"

int capture_sink(void *ctx, const void *bytes, size_t len)
{
	struct capture *p = ctx;

	if (len > p->room - p->n) {
		void *more = realloc(p->bytes, 2 * (p->n + len));

		MUST(more, "the machine has memory for a harness");
		p->bytes = more;
		p->room = 2 * (p->n + len);
	}
	memcpy(p->bytes + p->n, bytes, len);
	p->n += len;
	return 0;
}

void capture_check(const struct capture *p, const char *format)
{
	const char *danger = NULL;

	if (strcmp(format, "ndjson") == 0)
		MUST(strict_lines(p->bytes, p->n), "ndjson is a JSON value a line");
	else if (strcmp(format, "json") == 0 || strncmp(format, "sarif", 5) == 0 ||
		 strcmp(format, "gitlab") == 0)
		MUST(strict_json(p->bytes, p->n), "json, sarif and gitlab are JSON");
	else if (strcmp(format, "junit") == 0 || strcmp(format, "checkstyle") == 0)
		MUST(strict_xml(p->bytes, p->n), "junit and checkstyle are XML");
	else if (strcmp(format, "html") == 0)
		MUST(strict_html(p->bytes, p->n), "html is well-formed");
	else if (strcmp(format, "csv") == 0)
		MUST(strict_csv(p->bytes, p->n), "csv is a table");
	else if (strcmp(format, "github") == 0)
		MUST(strict_commands(p->bytes, p->n), "github has its own commands only");
	else
		danger = strict_text(p->bytes, p->n, strcmp(format, "text-color") == 0);
	if (danger)
		fprintf(stderr, "%s has %s\n", format, danger);
	MUST(!danger, "texts are safe to show");
}

bool capture_is_same(const struct capture *a, const struct capture *b)
{
	return a->n == b->n && (a->n == 0 || memcmp(a->bytes, b->bytes, a->n) == 0);
}

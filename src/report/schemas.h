/* The JSON Schemas of what is written as JSON. Their source is made of the files in conformance/ by
 * cmake/schemas.cmake. */
#ifndef UVET_REPORT_SCHEMAS_H
#define UVET_REPORT_SCHEMAS_H

#include <stddef.h>
#include <stdint.h>

/* A schema is the text of a file, which has no NUL at its end. */
struct schema {
	const char *name; /* "report", "rules" */
	const uint8_t *text;
	size_t len;
};

/* schemas has all of them by name, and a last one whose name is NULL. */
extern const struct schema schemas[];

#endif

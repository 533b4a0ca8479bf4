/* Leaves out of an expansion everything but rows of a table. Included each time before
 * LAYOUT_FILE, after ROWS, COLUMN and ROWS_END are defined. */
#define RECORD(r, meaning)
#define FIELD(r, wire, kind, field, versions, meaning)
#define END(r, len)
#include "core/layout_alike_fields.h"
#include "core/layout_alike_fast.h"

/* Leaves out of an expansion all records that have no fast decoder. Included each time before
 * LAYOUT_FILE, after FAST_RECORD, FAST_FIELD and FAST_END are defined. */
#define RECORD(r, meaning)
#define FIELD(r, wire, kind, field, versions, meaning)
#define END(r, len)
#define ROWS(r, meaning)
#define COLUMN(r, wire, kind, field, meaning)
#define ROWS_END(r, len)
#include "core/layout_alike_fields.h"

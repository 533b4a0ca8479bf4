/* Has rows of a table, fields that depend on flags, and records with a fast decoder expand as
 * plain records do. Included each time before LAYOUT_FILE, after RECORD, FIELD and END, by who
 * does not tell them from one another. */
#include "core/layout_alike_fields.h"
#include "core/layout_alike_records.h"

/* Makes rows of a table, fields that depend on flags, and records with a fast decoder expand as
 * plain records do, where all are treated alike. Included each time before LAYOUT_FILE, after
 * RECORD, FIELD and END are defined. */
#include "core/layout_alike_fields.h"
#include "core/layout_alike_records.h"

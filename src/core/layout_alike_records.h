/* The part of layout_alike.h that is about records: rows of tables, and records with a fast
 * decoder. */
#define ROWS(r, meaning) RECORD(r, meaning)
#define COLUMN(r, wire, kind, field, meaning) FIELD(r, wire, kind, field, ALL, meaning)
#define ROWS_END(r, len) END(r, len)
#include "core/layout_alike_fast.h"

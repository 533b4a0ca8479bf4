/* Has the rows of a table expand as a record of all versions does. Included each time before LAYOUT_FILE, after RECORD, FIELD and END. */
#define ROWS(r, meaning)                                RECORD(r, meaning)
#define COLUMN(r, wire, kind, field, meaning)           FIELD(r, wire, kind, field, ALL, meaning)
#define ROWS_END(r, len)                                END(r, len)

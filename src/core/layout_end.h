/* Ends an expansion of records and rows. Included each time after LAYOUT_FILE. */
#undef RECORD
#undef FIELD
#undef END
#undef ROWS
#undef COLUMN
#undef ROWS_END

/* Ends an expansion of records and rows. Included each time after LAYOUT_FILE. */
#undef RECORD
#undef FIELD
#undef FIELD_IF
#undef FIELD_UNLESS
#undef FIELD_FOR
#undef FIELD_NOT_FOR
#undef END
#undef FAST_RECORD
#undef FAST_FIELD
#undef FAST_END
#undef ROWS
#undef COLUMN
#undef ROWS_END

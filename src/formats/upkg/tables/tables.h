/* The tables by their numbers. */
#ifndef UVET_FORMATS_UPKG_TABLES_TABLES_H
#define UVET_FORMATS_UPKG_TABLES_TABLES_H

#include "formats/upkg/facts.h"

/* upkg_group_of returns the fact group of a table, upkg_entry_layout the record that its rows begin
 * with. */
enum upkg_group upkg_group_of(enum upkg_table_number number);
const struct layout *upkg_entry_layout(enum upkg_table_number number);

#endif

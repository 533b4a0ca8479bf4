/* The tables by their numbers. */
#include "formats/upkg/tables/tables.h"

enum upkg_group upkg_group_of(enum upkg_table_number number)
{
	static const enum upkg_group groups[N_UPKG_TABLES] = { UPKG_NAMES, UPKG_IMPORTS,
							       UPKG_EXPORTS };

	return groups[number];
}

const struct layout *upkg_entry_layout(enum upkg_table_number number)
{
	static const struct layout *const layouts[N_UPKG_TABLES] = {
		&upkg_name_entry_layout,
		&upkg_import_entry_layout,
		&upkg_export_entry_layout,
	};

	return layouts[number];
}

/* Long indexes: compact indexes of tables and bodies that are not written in the shortest way. */
#ifndef UVET_FORMATS_UPKG_TABLES_INDEXES_H
#define UVET_FORMATS_UPKG_TABLES_INDEXES_H

#include "formats/upkg/facts.h"

/* upkg_list_long_indexes adds the long indexes of a table that was read to the list; the window
 * holds all its rows. false: memory ended, which was noted. */
UVET_MUST_USE bool upkg_list_long_indexes(struct decode *d, struct upkg *u,
					  enum upkg_table_number number, struct cursor window);

/* upkg_add_long_index adds one to the list, which has a place for it; of a row of the table, or
 * of the body of an export where `table` is N_UPKG_TABLES. */
static inline void upkg_add_long_index(const struct decode *d, struct upkg *u, struct span at,
				       enum index_form form, unsigned table, uint32_t row)
{
	const uint8_t traits = form == INDEX_NEGATIVE_ZERO ? INDEX_ZERO_SIGNED : INDEX_LONG;
	struct keep *keep = &u->long_keeps[form == INDEX_NEGATIVE_ZERO];

	u->long_index_traits |= traits;
	if (keep_row(d, keep, u->n_long_indexes))
		u->long_indexes[u->n_long_indexes++] = (struct upkg_long_index){
			.at = (uint32_t)at.at,
			.row = row,
			.len = (uint8_t)at.len,
			.table = (uint8_t)table,
			.traits = traits,
		};
	else
		u->long_indexes[keep->last].n_more++;
}

#endif

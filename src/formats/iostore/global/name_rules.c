/* The rules for the names of script objects. */
#include "formats/iostore/global/place_rules.h"

/* Since UE5 names and hashes lie in the chunk of the script objects. */
static enum global_part_name part_of(const struct check *c, enum global_part_name ue4)
{
	return global_of(c)->is_ue4 ? ue4 : GLOBAL_PART_OBJECTS;
}

#define NAMES_ID(id) id##_global
#define NAMES_BATCHES GLOBAL_BATCH_ROWS
#define NAMES_ROWS GLOBAL_NAME_ROWS
#define NAMES_GROUP GLOBAL_NAMES
#define NAMES_PLACE(c, b, at, len) global_place(c, part_of(c, GLOBAL_PART_NAMES), at, len)
#define NAMES_HASH_PLACE(c, b, at, len) global_place(c, part_of(c, GLOBAL_PART_HASHES), at, len)
#define NAMES_HASHES_PLACE(c, b) \
	global_place(c, GLOBAL_PART_HASHES, 0, global_of(c)->parts[GLOBAL_PART_HASHES].held.len)

#include "formats/iostore/names/batch_rules.h"

/* The texts of the rules for names that only packages can break. Their bodies stand with the rules
 * of packages, which know the places: the same texts for each of them. */
#ifndef UVET_FORMATS_IOSTORE_NAMES_PACKAGE_NAME_RULES_H
#define UVET_FORMATS_IOSTORE_NAMES_PACKAGE_NAME_RULES_H

#include "rule/rule.h"

/* RULE(NAM011, names_misaligned, ERROR, ..., NAM011_TEXTS): what, its offset. */
#define NAM011_TEXTS \
	.class = CLASS_SECURITY, \
	.title = "Names and hashes of a package of Unreal Engine 4 shall begin at a multiple of " \
		 "8.", \
	.message = "{0} begin at byte {1}, expected a multiple of 8", .data = "what at", \
	.why = "The engine reads them in place as numbers of 8 bytes, and stops the game if they " \
	       "are not aligned.", \
	.fix = "Players: get the mod again. Authors: pack it again with the packer of the " \
	       "game's engine.", \
	.spec = "iostore.md#9.11"

/* RULE(NAM013, mapped_name_out_of_range, ERROR, ..., NAM013_TEXTS): whose name it is, as "the
 * package" or "export 5"; its index; its type; how many names the package has. */
#define NAM013_TEXTS \
	.class = CLASS_SECURITY, \
	.title = "A mapped name of a package shall be one of the package's names.", \
	.message = "the name of {0} is number {1} of type {2}, which is out of range: the count " \
		   "of names of type 0 is {3}", \
	.data = "what name type names", \
	.why = "Engines use the number as an index without a check, read foreign memory, and " \
	       "may crash.", \
	.fix = "Players: get the mod again. Authors: pack it again if it still fails.", \
	.spec = "iostore.md#9.13"

#endif

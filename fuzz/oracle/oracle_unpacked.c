/* Downloads that are compressed: a harness of theirs holds what comes out against a decoder of its
 * own. */
#include "oracle/oracle_format.h"

const struct oracle_format oracle_unpacked = {
	.names = { "Mod.u.uz", "Mod.u.uz", "Mod.u.uz2", "a/M od%n.utx.uz3", "Mod.u.lzma",
		   "download", "b.txt" },
};

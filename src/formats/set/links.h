/* Links: what imports are looked up by, and which packages import which. */
#ifndef UVET_FORMATS_SET_LINKS_H
#define UVET_FORMATS_SET_LINKS_H

#include "formats/set/set.h"

/* An edge leads from a package to one that it imports, by that import. They are added in the order
 * of the packages that import. */
struct set_edge {
	uint32_t from, to, import;
};
struct set_edges {
	struct set_edge *rows;
	uint32_t n;
	uint64_t max;
};

/* set_add_edge adds one; false: memory ended, which was noted for SET_LINKS. */
bool set_add_edge(struct decode *d, struct set_edges *edges, uint32_t from, uint32_t to,
		  uint32_t import);

/* set_find_cycles looks for packages of classes that import each other in a circle. */
bool set_find_cycles(struct decode *d, struct set *u, const struct set_edges *edges);

/* set_has_native_classes tells whether classes of a package may be made by native code alone. */
bool set_has_native_classes(const struct set *u, uint32_t file);

#endif

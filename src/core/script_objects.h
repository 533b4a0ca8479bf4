/* The script objects of a game: the classes and such that its code defines, by their ids, which its
 * global container lists. Packages import them by these ids alone. */
#ifndef UVET_CORE_SCRIPT_OBJECTS_H
#define UVET_CORE_SCRIPT_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

/* The ids rise, and each is a whole FPackageObjectIndex, with the two bits that say that it is one
 * of a script object. */
struct script_objects {
	const uint64_t *ids; /* NULL: none are known */
	uint64_t n;
};

/* script_objects_find returns the place of the first one with an id, or n; script_objects_have
 * tells whether there is one. */
static inline uint64_t script_objects_find(const struct script_objects *s, uint64_t id)
{
	uint64_t low = 0, high = s->n;

	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;

		if (s->ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->n && s->ids[low] == id ? low : s->n;
}

static inline bool script_objects_have(const struct script_objects *s, uint64_t id)
{
	return script_objects_find(s, id) < s->n;
}

#endif

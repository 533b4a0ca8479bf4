/* Paths of objects, whose hashes name them, and the numbers by which packages refer to objects.
 * Source: conformance/spec/iostore.md, 9 and 11. */
#ifndef UVET_FORMATS_IOSTORE_NAMES_OBJECT_PATH_H
#define UVET_FORMATS_IOSTORE_NAMES_OBJECT_PATH_H

#include "formats/iostore/names/names.h"

/* ---- Paths of objects ------------------------------------------------------------------------ */

/* The most characters of a path whose hash is computed. Paths of real script objects have less than
 * 200. One that is longer is not compared, so that a chain of a million objects costs no more than
 * this for each. */
#define OBJECT_PATH_MAX 1024u

/* An object_path is a path that is made from its end to its beginning: first the name of an
 * object, then that of the object around it, and so on. */
struct object_path {
	uint8_t text[OBJECT_PATH_MAX];
	uint64_t start; /* of what there is of it: it ends at OBJECT_PATH_MAX */
	bool has_names;
	bool is_unknown; /* too long, or it has characters outside ASCII */
};

/* object_path_start makes an empty path, object_path_add puts a name of a batch in front of what
 * there is, with '/' between; so each name but the first makes it longer. index < b->n. `slashes`:
 * '.' and ':' become '/', as in the paths of script objects. false: the hash is not known, and
 * nothing more need be added. object_path_hash is CityHash64 of the path in UTF-16LE, in lower
 * case. */
void object_path_start(struct object_path *p);
bool object_path_add(struct object_path *p, const struct name_batch *b, uint64_t index,
		     uint64_t number, bool slashes);
uint64_t object_path_hash(const struct object_path *p);

/* ---- FPackageObjectIndex --------------------------------------------------------------------- */

/* An object index is 64 bits, of which the upper two say what the others are: the number of an
 * export; the hash of a script object's path; a package import. All bits set is no object. */
enum object_kind { OBJECT_EXPORT, OBJECT_SCRIPT, OBJECT_PACKAGE, OBJECT_NULL };

#define OBJECT_KIND_AT 62u
#define OBJECT_VALUE_MASK ((UINT64_C(1) << OBJECT_KIND_AT) - 1)
#define OBJECT_IS_NULL UINT64_MAX

static inline enum object_kind object_kind(uint64_t index)
{
	return (enum object_kind)(index >> OBJECT_KIND_AT);
}

static inline uint64_t object_value(uint64_t index)
{
	return index & OBJECT_VALUE_MASK;
}

static inline uint64_t object_index(enum object_kind kind, uint64_t value)
{
	return (uint64_t)kind << OBJECT_KIND_AT | (value & OBJECT_VALUE_MASK);
}

#endif

/* Files of formats that are not read: what they are, by their bytes or their names. */
#ifndef UVET_ENGINE_FOREIGN_H
#define UVET_ENGINE_FOREIGN_H

#include "engine/report.h"

/* A foreign says of a file of no known format what it is, and why it is not judged: "a zip archive
 * (.zip)" is "not read by this version". kind is NULL where neither its bytes nor its name tell.
 * The strings are static. */
struct foreign {
	const char *why, *kind;
	const char *lacks; /* the file with which it is judged: "its .utoc"; "": there is none */
};

/* foreign_tell tells it by the report's diagnosis, which says what the bytes are, or else by the
 * ending of its name. */
struct foreign foreign_tell(const struct report *r);

/* foreign_is_package tells by the ending of its name whether a file is to be a package of Unreal
 * Engine 4 or 5. Of such packages each form has a format, so that a file of none is no package. */
bool foreign_is_package(const char *name);

#endif

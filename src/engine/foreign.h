/* Files of formats that are not read: what they are, by their bytes or their names. */
#ifndef UVET_ENGINE_FOREIGN_H
#define UVET_ENGINE_FOREIGN_H

#include "diagnosis/diagnosis.h"

/* foreign_kind says what a file is: what its diagnosis says of its bytes, d being NULL where there
 * is none, or else by the ending of its name: "a zip archive (.zip)". NULL: neither says it. The
 * string is static. */
const char *foreign_kind(const char *name, const struct diagnosis *d);

#endif

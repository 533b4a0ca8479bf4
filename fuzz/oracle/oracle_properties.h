/* The oracle of properties. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_PROPERTIES_H
#define UVET_FUZZ_ORACLE_ORACLE_PROPERTIES_H

#include <stdint.h>

/* oracle_properties: of what was decoded of a package's bytes, a second walk over the properties of
 * each object finds the same. */
void oracle_properties(const void *facts, const uint8_t *data);

#endif

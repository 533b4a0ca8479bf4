/* Structs that hold themselves. */
#ifndef UVET_FORMATS_UPKG_CLASSES_STRUCTS_H
#define UVET_FORMATS_UPKG_CLASSES_STRUCTS_H

#include "formats/upkg/body/reader.h"

/* structs_hold notes that an object holds another, which was read from `at` on, if both are
 * structs of the package; structs_examine finds which of them hold themselves, when all bodies
 * were read. */
UVET_MUST_USE bool structs_hold(struct body *b, int32_t from, int32_t to, uint64_t at);
void structs_examine(struct decode *d, struct upkg *u, struct scratch *scratch);

#endif

/* Classes and what they consist of: structs, functions, states, enums, constants, properties. */
#ifndef UVET_FORMATS_UPKG_CLASSES_FIELDS_H
#define UVET_FORMATS_UPKG_CLASSES_FIELDS_H

#include "formats/upkg/body/reader.h"

/* body_class reads the body of a class, body_field what follows the properties of a function,
 * state, struct, enum, constant or property, and is body_native for other classes. false: the
 * rest of the body cannot be read, and the reason was noted. */
bool body_class(struct body *b);
bool body_field(struct body *b);

#endif

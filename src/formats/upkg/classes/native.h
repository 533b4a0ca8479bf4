/* What objects have after their properties: the reader of each class, and classes without one. */
#ifndef UVET_FORMATS_UPKG_CLASSES_NATIVE_H
#define UVET_FORMATS_UPKG_CLASSES_NATIVE_H

#include "formats/upkg/body/reader.h"

/* body_native reads what follows the properties of objects with data of their own, and leaves
 * what other classes have there; false: it cannot be read, and the reason was noted. */
bool body_native(struct body *b);

#endif

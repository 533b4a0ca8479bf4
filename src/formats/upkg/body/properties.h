/* Lists of properties: tags with values, up to the name None. */
#ifndef UVET_FORMATS_UPKG_BODY_PROPERTIES_H
#define UVET_FORMATS_UPKG_BODY_PROPERTIES_H

#include "formats/upkg/body/reader.h"

/* body_properties reads a list with those inside it; false: the rest of the body cannot be read,
 * and the reason was noted. */
bool body_properties(struct body *b);

#endif

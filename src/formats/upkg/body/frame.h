/* State frames: where in its code an object stands. */
#ifndef UVET_FORMATS_UPKG_BODY_FRAME_H
#define UVET_FORMATS_UPKG_BODY_FRAME_H

#include "formats/upkg/body/reader.h"

/* body_frame reads the state frame of an object that has one; false: the body ends in it, which was
 * noted. */
bool body_frame(struct body *b);

#endif

/* The properties of a texture that its mips must fit. */
#ifndef UVET_FORMATS_UPKG_BODY_TEXTURE_VALUES_H
#define UVET_FORMATS_UPKG_BODY_TEXTURE_VALUES_H

#include "formats/upkg/body/reader.h"
#include "formats/upkg/body/tag.h"

/* body_keep_value keeps the value of a tag in b->texture if it is one of these; the body stays at
 * its value. */
void body_keep_value(struct body *b, const struct tag *t);

#endif

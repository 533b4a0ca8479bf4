/* Fonts: their pages, and the textures that these are. */
#ifndef UVET_FORMATS_UPKG_CLASSES_FONT_H
#define UVET_FORMATS_UPKG_CLASSES_FONT_H

#include "formats/upkg/body/reader.h"

/* font_examine_pages compares the pages of all fonts with the textures, which may come before or
 * after them in the file. */
void font_examine_pages(struct decode *d, struct upkg *u, struct scratch *scratch);

#endif

/* The readers of what objects have after their properties, one for each kind of class
 * (classes.def). */
#ifndef UVET_FORMATS_UPKG_CLASSES_READERS_H
#define UVET_FORMATS_UPKG_CLASSES_READERS_H

#include "formats/upkg/body/reader.h"

/* Each returns false where the rest of the body cannot be read; the reason was noted. */
bool body_texture(struct body *b);
bool body_palette(struct body *b);
bool body_sound(struct body *b);
bool body_sound_group(struct body *b);
bool body_sound_procedural(struct body *b);
bool body_music(struct body *b);
bool body_text_buffer(struct body *b);
bool body_polys(struct body *b);
bool body_model(struct body *b);
bool body_level(struct body *b);
bool body_font(struct body *b);
bool body_mesh(struct body *b);
bool body_animation(struct body *b);

/* body_nothing is for materials, which have nothing there. */
bool body_nothing(struct body *b);

#endif

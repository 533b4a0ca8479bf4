/* Parts: what of a thing a flaw is about, where one kind of flaw can be about several. */
#ifndef UVET_FORMATS_UPKG_CLASSES_PARTS_H
#define UVET_FORMATS_UPKG_CLASSES_PARTS_H

/* What of a model does not exist, where one kind of flaw can be about several things. */
enum upkg_model_part {
	PART_COLLISION_BOUND, PART_RENDER_BOUND, PART_ZONE, PART_LEAF, PART_POINT, PART_NORMAL, PART_TEXTURE_U, PART_TEXTURE_V,
	PART_LIGHT_MAP, PART_BIT, PART_LIGHT, PART_LIGHT_END, PART_BITS, PART_WIDTH, PART_HEIGHT, N_MODEL_PARTS
};

/* What is wrong with a sequence of frames. */
enum upkg_sequence_part { SEQUENCE_FRAMES, SEQUENCE_FIRST, SEQUENCE_END };

/* Whether an actor is not what the engine asks of it, or may be. */
enum upkg_level_actor { LEVEL_ACTOR_WRONG, LEVEL_ACTOR_DOUBTFUL };

/* What a level and a model refer to that is to be of some class. */
enum upkg_level_part { LEVEL_ACTOR, LEVEL_PATH_START, LEVEL_PATH_END, LEVEL_REMOVED, LEVEL_TEXT };
enum upkg_model_thing { MODEL_POLYS, MODEL_SURF_TEXTURE, MODEL_SURF_ACTOR, MODEL_ZONE_ACTOR, MODEL_LIGHT };

/* What is wrong with an entry of a hull. */
enum upkg_hull_part { HULL_NO_NODE, HULL_OPEN, HULL_NO_BOX };

/* What is wrong with a font, and with a mesh. */
enum upkg_font_part { FONT_TEXTURE, FONT_PAGE, FONT_GLYPH, FONT_BEYOND };
enum upkg_mesh_part { MESH_FRAMES, MESH_VERTEX, MESH_TEXTURE, MESH_WEDGE, MESH_MATERIAL };

/* What is wrong with a reference in a list of fields. */
enum upkg_field_part { FIELD_NONE, FIELD_ELSEWHERE, FIELD_TWICE, FIELD_BEHIND_CLASS };

/* What the place of a token is for. */
enum upkg_token_place {
	PLACE_ANY, PLACE_STATEMENT, PLACE_ASSIGNED, PLACE_ARRAY, PLACE_BOOL, PLACE_PARAMETERS, PLACE_ITERATOR, PLACE_IN_ITERATION,
	PLACE_CASE,
};

/* Why code has no end. */
enum upkg_end_part { END_EMPTY, END_OTHER, END_JUMP };

/* What a sound is instead of a RIFF WAVE file. */
enum upkg_sound_part { SOUND_OTHER_TYPE, SOUND_NO_WAVE, SOUND_LONGER, SOUND_OGG };

/* Whether labels are sought where there is no code. */
enum upkg_label_part { LABELS_IN_CODE, LABELS_WITHOUT_CODE };

/* How many vertices a polygon has: what the engine's array holds, which is as many for a node. */
enum { POLY_VERTICES_MIN = 3, POLY_VERTICES_MAX = 16 };

#endif

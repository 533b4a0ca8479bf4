/* Parts: what of a thing a flaw is about, where one kind of flaw can be about several. */
#ifndef UVET_FORMATS_UPKG_CLASSES_PARTS_H
#define UVET_FORMATS_UPKG_CLASSES_PARTS_H

/* What of a model does not exist. */
enum upkg_model_part {
	PART_COLLISION_BOUND,
	PART_RENDER_BOUND,
	PART_ZONE,
	PART_LEAF,
	PART_POINT,
	PART_NORMAL,
	PART_TEXTURE_U,
	PART_TEXTURE_V,
	PART_LIGHT_MAP,
	N_MODEL_PARTS
};

/* What a level and a model refer to that is to be of some class. */
enum upkg_level_part { LEVEL_ACTOR, LEVEL_PATH_START, LEVEL_PATH_END, LEVEL_REMOVED, LEVEL_TEXT };
enum upkg_model_thing {
	MODEL_POLYS,
	MODEL_SURF_TEXTURE,
	MODEL_SURF_ACTOR,
	MODEL_ZONE_ACTOR,
	MODEL_LIGHT
};

/* What of a mesh does not match. */
enum upkg_mesh_part { MESH_FRAMES, MESH_VERTEX, MESH_TEXTURE, MESH_WEDGE, MESH_MATERIAL };

/* What the place of a token is for. */
enum upkg_token_place {
	PLACE_ANY,
	PLACE_STATEMENT,
	PLACE_ASSIGNED,
	PLACE_ARRAY,
	PLACE_BOOL,
	PLACE_PARAMETERS,
	PLACE_ITERATOR,
	PLACE_IN_ITERATION
};

#endif

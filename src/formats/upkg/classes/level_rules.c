/* The families LVL and MDL: levels, and the trees of models. */
#include "core/path.h"
#include "formats/upkg/body/flaw_rules.h"
#include "formats/upkg/classes/parts.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"
#include "formats/upkg/tables/references.h"

/* ---- Levels ---------------------------------------------------------------------------------- */

DEFECT_RULE(LVL001, level_first_actors, ERROR, UPKG_LEVEL_FLAW_ROWS, f,
     KIND(LEVEL_ACTOR) | KIND(LEVEL_ACTOR_UNKNOWN),
     .class   = CLASS_CORRUPTION,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it is the second, or the first is of a class that is not known, "
                    "or " EDITOR_ALONE,
     .title   = "A level's first actor shall be its LevelInfo, and the second should be its Brush.",
     .message = "actor {2} of level {1}, export {0}, is not a {3}",
     .data    = "export object actor class",
     .why     = "The engine stops where the first actor is not a LevelInfo: the map does not "
                "start. The editor uses the second as the Brush without a check.",
     .fix     = "Get the file again; if it still fails, its author must save the level again in "
                "UnrealEd.",
     .spec    = "upkg.md#9.9")
{
	report_body_as(c, f->kind == FLAW_LEVEL_ACTOR_UNKNOWN, f, SIGNED(f->first),
		       either(f->first == 0, "LevelInfo", "Brush"));
}

DEFECT_RULE(LVL002, level_counts, ERROR, UPKG_LEVEL_FLAW_ROWS, f,
     KIND(LEVEL_COUNT) | KIND(LEVEL_MODEL),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A level shall have a model, and at most as many actors as it has room for.",
     .message = "level {1}, export {0}: {2}",
     .data    = "export object defect",
     .why     = "The engine allocates by the one number and reads by the other, and uses the "
                "model without a check: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the level again in UnrealEd.",
     .spec    = "upkg.md#9.9")
{
	if (f->kind == FLAW_LEVEL_COUNT)
		report_body(
			c, f,
			WORD("its count of actors is negative or larger than its room for them"));
	else if (f->kind == FLAW_LEVEL_MODEL)
		report_body(c, f, WORD("its model is not a Model"));
}

DEFECT_RULE(LVL004, level_things, ERROR, UPKG_LEVEL_FLAW_ROWS, f, KIND(LEVEL_THING),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "The actors of a level shall be actors, and its texts TextBuffers.",
     .message = "level {1}, export {0}, has {2} {3}, which is not of the kind {4}",
     .data    = "export object part reference wanted",
     .why     = "The engine uses the object as an actor or a text without a check, past the end "
                "of a smaller one: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has saved "
                "the level again in UnrealEd.",
     .spec    = "upkg.md#9.9")
{
	static const char *const parts[] = {
		"the actor",         "the start of a path",
		"the end of a path", "the first of the removed actors",
		"the text",
	};

	report_body(c, f, WORD(parts[f->part]), SIGNED(f->first),
		    either(f->part == LEVEL_TEXT, "TextBuffer", "actor"));
}

static bool is_map(struct text name)
{
	struct text extension = path_extension(name);

	return text_is(extension, "unr") || text_is(extension, "ut2") || text_is(extension, "dx") ||
	       text_is(extension, "un2");
}

RULE(LVL003, map_without_level, ERROR, UPKG_LINKS,
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_FILE) | BIT(UPKG_MEASURED),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it has no Level of that name, or one that games load, or " OF_UE2,
     .title   = "A map should have one Level, which is named MyLevel and which games load.",
     .message = "the map has {0} {0:export|exports} of the class Level, {1} named MyLevel, and "
                "games load {2} of these; one is expected",
     .data    = "levels named loaded",
     .why     = "The game opens MyLevel, and loads no object that is for the editor only: the map "
                "does not start.",
     .fix     = "Get the file again; if it still fails, its author must save the map again in "
                "UnrealEd.",
     .spec    = "upkg.md#9.9")
{
	const struct upkg *u = c->facts;
	uint64_t n = 0, named = 0, loaded = 0;

	if (!is_map(u->file.name))
		return;
	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++) {
		if (upkg_class_word(u, &u->exports[i]) != WORD_Level)
			continue;
		n++;
		if (upkg_word_of(u, u->exports[i].name) != WORD_MyLevel)
			continue;
		named++;
		loaded += !upkg_is_for_editor(u, i);
	}
	if (n != 1 || loaded != 1)
		report_as(c, named == 0 || loaded > 0 || !is_ue1(c), NOWHERE, DEC(n), DEC(named),
			  DEC(loaded));
}

/* ---- Models ---------------------------------------------------------------------------------- */

static const char *const part_names[N_MODEL_PARTS] = {
	[PART_COLLISION_BOUND] = "collision bound",
	[PART_RENDER_BOUND] = "render bound",
	[PART_ZONE] = "zone",
	[PART_LEAF] = "leaf",
	[PART_POINT] = "point",
	[PART_NORMAL] = "normal",
	[PART_TEXTURE_U] = "vector of texture U",
	[PART_TEXTURE_V] = "vector of texture V",
	[PART_LIGHT_MAP] = "light map",
};

DEFECT_RULE(MDL001, node_surface, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(NODE_SURF),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MODELS), EDITOR_LESSER,
     .title   = "A node's surface shall exist.",
     .message = "node {2} of model {1}, export {0}, has the surface {3}, which does not exist",
     .data    = "export object node surface",
     .why     = "The number is out of range, so that the engine reads other memory: the game "
                "crashes in this map.",
     .fix     = "Get the file again; if it still fails, its author must rebuild the level in "
                "UnrealEd.",
     .spec    = "upkg.md#9.8")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(MDL002, node_vertices, ERROR, UPKG_NATIVE_FLAW_ROWS, f,
     KIND(NODE_VERTS) | KIND(NODE_VERTS_MANY),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MODELS),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "there are more than 16, and " OF_227_ALONE ", or " EDITOR_ALONE,
     .title   = "A node's vertices shall exist, and shall be at most 16.",
     .message = "node {2} of model {1}, export {0}, has {3} {4}",
     .data    = "export object node defect number",
     .why     = "The number is out of range, or larger than the 16 for which the renderer has "
                "room: the game crashes in this map.",
     .fix     = "Get the file again; if it still fails, its author must rebuild the level in "
                "UnrealEd.",
     .spec    = "upkg.md#9.8")
{
	report_body_as(c, f->kind == FLAW_NODE_VERTS_MANY && is_227(c), f, SIGNED(f->first),
		       either(f->kind == FLAW_NODE_VERTS, "vertices that do not exist, from",
			      "more than 16 vertices:"),
		       SIGNED(f->second));
}

DEFECT_RULE(MDL003, node_link, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(NODE_LINK),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MODELS), EDITOR_LESSER,
     .title   = "A node's front, back and plane shall be nodes, or -1.",
     .message = "node {2} of model {1}, export {0}, leads to node {3}, which does not exist",
     .data    = "export object node link",
     .why     = "The number is out of range, so that the engine reads other memory: the game "
                "crashes in this map.",
     .fix     = "Get the file again; if it still fails, its author must rebuild the level in "
                "UnrealEd.",
     .spec    = "upkg.md#9.8")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(MDL004, node_bounds, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(NODE_OTHER),
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_MODELS),
     .title   = "A node's bounds, leaves and zones should exist.",
     .message = "node {2} of model {1}, export {0}, has the {3} {4}, which does not exist",
     .data    = "export object node part index",
     .why     = "The number is out of range, so that the engine reads other memory: the game may "
                "crash in this map.",
     .fix     = "None is needed if it works; otherwise get the file again. Its author should "
                "rebuild the level in UnrealEd.",
     .spec    = "upkg.md#9.8")
{
	report(c, flaw_place(f), DEC(f->export), flaw_object(c, f), SIGNED(f->first),
	       WORD(part_names[f->part]), SIGNED(f->second));
}

DEFECT_RULE(MDL005, surface_reference, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(SURF),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MODELS), EDITOR_LESSER,
     .title   = "A surface's point, vectors and light map shall exist.",
     .message = "surface {2} of model {1}, export {0}, has the {3} {4}, which does not exist",
     .data    = "export object surface part index",
     .why     = "The number is out of range, so that the engine reads other memory: the game "
                "crashes in this map.",
     .fix     = "Get the file again; if it still fails, its author must rebuild the level in "
                "UnrealEd.",
     .spec    = "upkg.md#9.8")
{
	report_body(c, f, SIGNED(f->first), WORD(part_names[f->part]), SIGNED(f->second));
}

DEFECT_RULE(MDL006, vertex_point, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(VERT_POINT),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MODELS), EDITOR_LESSER,
     .title   = "The point of a vertex that a node has shall exist.",
     .message = "a vertex of node {2} of model {1}, export {0}, has the point {3}, which does not "
                "exist",
     .data    = "export object node point",
     .why     = "The number is out of range, so that the engine reads other memory: the game "
                "crashes in this map.",
     .fix     = "Get the file again; if it still fails, its author must rebuild the level in "
                "UnrealEd.",
     .spec    = "upkg.md#9.8")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

#define MAP_FLAWS \
	(KIND(MAP_BIT) | KIND(MAP_LIGHT) | KIND(MAP_LIGHT_END) | KIND(MAP_BITS) | \
	 KIND(MAP_WIDTH) | KIND(MAP_HEIGHT))

DEFECT_RULE(MDL007, light_map_reach, ERROR, UPKG_NATIVE_FLAW_ROWS, f, MAP_FLAWS,
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MODELS),
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_227,
     .title   = "A light map's lights shall exist and end in 0, and it shall have bits for each "
                "of them.",
     .message = "light map {2} of model {1}, export {0}, {3} {4}",
     .data    = "export object light_map defect index",
     .why     = "The engine reads lights until one is 0, and bits for each of them, past the end "
                "of its arrays: the game crashes in this map.",
     .fix     = "Get the file again; if it still fails, its author must rebuild the lighting in "
                "UnrealEd.",
     .spec    = "upkg.md#9.8")
{
	static const char *const defects[] = {
		[IN_LIST(MAP_BIT)] = "has bits that do not exist, from",
		[IN_LIST(MAP_LIGHT)] = "has lights that do not exist, from",
		[IN_LIST(MAP_LIGHT_END)] = "has lights without a 0 at their end, from",
		[IN_LIST(MAP_BITS)] = "has fewer bits than its lights need, from",
		[IN_LIST(MAP_WIDTH)] = "has the width",
		[IN_LIST(MAP_HEIGHT)] = "has the height",
	};

	report_body_as(c, is_227(c), f, SIGNED(f->first), flaw_word(f, defects), SIGNED(f->second));
}

DEFECT_RULE(MDL008, zones_count, ERROR, UPKG_NATIVE_FLAW_ROWS, f,
     KIND(ZONES) | KIND(ZONES_NEGATIVE),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MODELS),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "their number is negative, which the engine takes for 0, or " OF_227,
     .title   = "A model shall have 0 to 64 zones.",
     .message = "model {1}, export {0}, has {2} {2:zone|zones}, expected 0 to 64",
     .data    = "export object zones",
     .why     = "The engine reads them into an array of 64, and overwrites what follows with the "
                "rest: the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it. Its author must rebuild "
                "the level in UnrealEd.",
     .spec    = "upkg.md#9.8")
{
	report_body_as(c, f->kind == FLAW_ZONES_NEGATIVE || is_227(c), f, SIGNED(f->first));
}

DEFECT_RULE(MDL009, nodes_in_cycle, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(NODE_CYCLE),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MODELS), EDITOR_LESSER,
     .title   = "The links of a model's nodes shall not lead back.",
     .message = "node {2} of model {1}, export {0}, leads back to node {3}",
     .data    = "export object node link",
     .why     = "The engine follows the links with calls of itself, without end: its stack "
                "overflows and the game crashes.",
     .fix     = "Get the file again; if it still fails, do not use it. Its author must rebuild "
                "the level in UnrealEd.",
     .spec    = "upkg.md#9.8")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(MDL010, hull_malformed, ERROR, UPKG_RESOURCE_FLAW_ROWS, f,
     KIND(HULL_NODE) | KIND(HULL_OPEN) | KIND(HULL_BOX),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MODELS),
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_227,
     .title   = "A node's hull shall be a list of nodes that ends in -1, with its box after that.",
     .message = "the hull of node {2} of model {1}, export {0}, has the entry {3}, {4}",
     .data    = "export object node entry defect",
     .why     = "The engine reads the list until an entry is -1, and uses each as a node without "
                "a check: the game crashes in this map.",
     .fix     = "Get the file again; if it still fails, its author must rebuild the level in "
                "UnrealEd.",
     .spec    = "upkg.md#9.8")
{
	static const char *const defects[] = {
		[IN_LIST(HULL_NODE)] = "which is not a node",
		[IN_LIST(HULL_OPEN)] = "after which it does not end",
		[IN_LIST(HULL_BOX)] = "after which there is no room for its box",
	};

	report_body_as(c, is_227(c), f, SIGNED(f->first), SIGNED(f->second), flaw_word(f, defects));
}

DEFECT_RULE(MDL011, model_things, ERROR, UPKG_RESOURCE_FLAW_ROWS, f, KIND(MODEL_THING),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MODELS), EDITOR_LESSER,
     .title   = "The polygons, textures and actors of a model shall be of these classes.",
     .message = "model {1}, export {0}, has {2} {3}, which is not of the kind {4}",
     .data    = "export object part reference wanted",
     .why     = "The engine uses the object without a check, past the end of a smaller one: the "
                "game crashes in this map.",
     .fix     = "Get the file again; if it still fails, do not use it until its author has "
                "rebuilt the level in UnrealEd.",
     .spec    = "upkg.md#9.8")
{
	static const struct {
		const char *part, *wanted;
	} things[] = {
		[MODEL_POLYS] = { "the polygons", "Polys" },
		[MODEL_SURF_TEXTURE] = { "the texture of a surface", "texture" },
		[MODEL_SURF_ACTOR] = { "the actor of a surface", "actor" },
		[MODEL_ZONE_ACTOR] = { "the actor of a zone", "actor" },
		[MODEL_LIGHT] = { "the light", "actor" },
	};

	report_body(c, f, WORD(things[f->part].part), SIGNED(f->first),
		    WORD(things[f->part].wanted));
}

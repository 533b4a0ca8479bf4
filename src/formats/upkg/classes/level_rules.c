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
     .lesser_when = "it is the second, or the first is of a class that nobody knows, "
                    "or " EDITOR_ALONE,
     .title   = "A level's first actor shall be its LevelInfo, and the second should be its Brush.",
     .message = "actor {2} of level {1}, export {0}, is not a {3}",
     .data    = "export object actor class",
     .why     = "The engine stops where the first is none, and the editor takes the second for "
                "that without a look.",
     .fix     = "Save the level again.",
     .spec    = "upkg.md#9.9")
{
	report_body_as(c, f->kind == FLAW_LEVEL_ACTOR_UNKNOWN, f, SIGNED(f->first),
		       either(f->first == 0, "LevelInfo", "Brush"));
}

DEFECT_RULE(LVL002, level_counts, ERROR, UPKG_LEVEL_FLAW_ROWS, f,
     KIND(LEVEL_COUNT) | KIND(LEVEL_MODEL),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "A level shall have no more actors than it has room for, and a model.",
     .message = "level {1}, export {0}: {2}",
     .data    = "export object defect",
     .why     = "The engine allocates for the one number and reads the other, and uses the model "
                "without a look.",
     .fix     = "Save the level again; if it still fails, do not use it.",
     .spec    = "upkg.md#9.9")
{
	if (f->kind == FLAW_LEVEL_COUNT)
		report_body(c, f,
			    WORD("its count of actors is negative or above its room for them"));
	else if (f->kind == FLAW_LEVEL_MODEL)
		report_body(c, f, WORD("its model refers to no Model"));
}

DEFECT_RULE(LVL004, level_things, ERROR, UPKG_LEVEL_FLAW_ROWS, f, KIND(LEVEL_THING),
     .class   = CLASS_SECURITY, EDITOR_LESSER,
     .title   = "What a level has for actors and texts shall be such.",
     .message = "level {1}, export {0}, has {2} {3}, which is no {4}",
     .data    = "export object part reference wanted",
     .why     = "The engine takes the object for an actor, or a text, without a look, and goes "
                "beyond a smaller one.",
     .fix     = "Save the level again; if it still fails, do not use it.",
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
     .title   = "A map should have one Level, of the name MyLevel, and games shall load it.",
     .message = "the map has {0} {0:export|exports} of the class Level, {1} of them named MyLevel; "
                "games load {2} of these",
     .data    = "levels named loaded",
     .why     = "The engine opens MyLevel, and makes no object that only the editor loads, where "
                "defects are only warned of.",
     .fix     = "Save the map with the editor.",
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
     .why     = "The engine indexes its array with the number.",
     .fix     = "Rebuild the level.",
     .spec    = "upkg.md#9.8")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(MDL002, node_vertices, ERROR, UPKG_NATIVE_FLAW_ROWS, f,
     KIND(NODE_VERTS) | KIND(NODE_VERTS_MANY),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MODELS),
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "there are more than 16, and " OF_227_ALONE ", or " EDITOR_ALONE,
     .title   = "A node's vertices shall exist, and be at most 16.",
     .message = "node {2} of model {1}, export {0}, has {3} {4}",
     .data    = "export object node defect number",
     .why     = "The engine indexes its array with the number, and renders from arrays that have "
                "room for 16 and their clipped edges.",
     .fix     = "Rebuild the level.",
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
     .why     = "The engine indexes its array with the number.",
     .fix     = "Rebuild the level.",
     .spec    = "upkg.md#9.8")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(MDL004, node_bounds, WARNING, UPKG_NATIVE_FLAW_ROWS, f, KIND(NODE_OTHER),
     .class   = CLASS_CORRUPTION, .also = BIT(UPKG_MODELS),
     .title   = "A node's bounds, leaves and zones should exist.",
     .message = "node {2} of model {1}, export {0}, has the {3} {4}, which does not exist",
     .data    = "export object node part index",
     .why     = "The engine indexes its arrays with the numbers.",
     .fix     = "Rebuild the level.",
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
     .why     = "The engine indexes its arrays with the numbers.",
     .fix     = "Rebuild the level.",
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
     .why     = "The engine indexes its array with the number.",
     .fix     = "Rebuild the level.",
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
     .title   = "A light map's lights shall exist and end in 0, and its bits exist for each of "
                "them.",
     .message = "light map {2} of model {1}, export {0}, {3} {4}",
     .data    = "export object light_map defect index",
     .why     = "The engine goes over the lights until one is 0, and takes as many bytes of bits "
                "for each as the map's sides need.",
     .fix     = "Rebuild the lighting.",
     .spec    = "upkg.md#9.8")
{
	static const char *const defects[] = {
		[IN_LIST(MAP_BIT)] = "has bits that do not exist, from",
		[IN_LIST(MAP_LIGHT)] = "has lights that do not exist, from",
		[IN_LIST(MAP_LIGHT_END)] = "has lights that no 0 ends, from",
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
     .lesser_when = "their number is negative, which is none for the engine, or " OF_227,
     .title   = "A model shall have at most 64 zones, and no negative number of them.",
     .message = "model {1}, export {0}, has {2} {2:zone|zones}",
     .data    = "export object zones",
     .why     = "The engine reads them into an array of 64, and whatever lies behind that is "
                "overwritten with those that are more.",
     .fix     = "Rebuild the level.",
     .spec    = "upkg.md#9.8")
{
	report_body_as(c, f->kind == FLAW_ZONES_NEGATIVE || is_227(c), f, SIGNED(f->first));
}

DEFECT_RULE(MDL009, nodes_in_cycle, ERROR, UPKG_NATIVE_FLAW_ROWS, f, KIND(NODE_CYCLE),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MODELS), EDITOR_LESSER,
     .title   = "The links of a model's nodes shall not lead back.",
     .message = "node {2} of model {1}, export {0}, leads back to node {3}",
     .data    = "export object node link",
     .why     = "The engine calls itself along the links: its stack ends.",
     .fix     = "Do not use the file.",
     .spec    = "upkg.md#9.8")
{
	report_body(c, f, SIGNED(f->first), SIGNED(f->second));
}

DEFECT_RULE(MDL010, hull_malformed, ERROR, UPKG_RESOURCE_FLAW_ROWS, f,
     KIND(HULL_NODE) | KIND(HULL_OPEN) | KIND(HULL_BOX),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MODELS),
     .lesser  = SEVERITY_WARNING, .lesser_when = OF_227,
     .title   = "A node's hull shall be nodes, end in -1, and have its box behind that.",
     .message = "the hull of node {2} of model {1}, export {0}, has the entry {3}, {4}",
     .data    = "export object node entry defect",
     .why     = "The engine goes over the entries until one is -1, and indexes its array of nodes "
                "with each.",
     .fix     = "Rebuild the level.",
     .spec    = "upkg.md#9.8")
{
	static const char *const defects[] = {
		[IN_LIST(HULL_NODE)] = "which is no node",
		[IN_LIST(HULL_OPEN)] = "behind which it does not end",
		[IN_LIST(HULL_BOX)] = "behind which there is no room for its box",
	};

	report_body_as(c, is_227(c), f, SIGNED(f->first), SIGNED(f->second), flaw_word(f, defects));
}

DEFECT_RULE(MDL011, model_things, ERROR, UPKG_RESOURCE_FLAW_ROWS, f, KIND(MODEL_THING),
     .class   = CLASS_SECURITY, .also = BIT(UPKG_MODELS), EDITOR_LESSER,
     .title   = "What a model has for polygons, textures and actors shall be such.",
     .message = "model {1}, export {0}, has {2} {3}, which is no {4}",
     .data    = "export object part reference wanted",
     .why     = "The engine takes the object for that without a look, and goes beyond a smaller "
                "one.",
     .fix     = "Rebuild the level; if it still fails, do not use it.",
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

/* Reading the bodies of exports: a bounded reader over one body, and what is noted of it. */
#ifndef UVET_FORMATS_UPKG_BODY_H
#define UVET_FORMATS_UPKG_BODY_H

#include "formats/upkg/upkg.h"

/* A node of a model, as far as rules ask for it. */
enum node_state { NODE_UNSEEN, NODE_OPEN, NODE_DONE };
enum node_index {
	NODE_POOL, NODE_SURF, NODE_BACK, NODE_FRONT, NODE_PLANE, NODE_COLLISION, NODE_RENDER, NODE_ZONE_1, NODE_ZONE_2, N_NODE_INDEXES
};
struct model_node {
	uint32_t at;
	int32_t indexes[N_NODE_INDEXES], leaves[2];
	uint8_t starts[N_NODE_INDEXES + 1];     /* where each index begins, counted from the node's begin; and where the last one ends */
	uint8_t n_verts, state, n_followed;
};

/* What of a model is known before that which it refers to. */
struct model_surf {
	uint32_t at;                            /* of the index of its light map */
	uint32_t len;
	int32_t light_map;
};
struct model_vert {
	uint32_t at;                            /* with VERT_TOLD when its flaw was noted */
	int32_t point;
};
struct model_light_map {
	uint32_t at, light_at;
	int32_t bit, light;
	int32_t sides[2];
	uint8_t sides_len;                      /* of both indexes together */
};

/* An entry of the hulls, and the first from there on that breaks the hull; HULL_GOOD: none does. */
struct model_hull {
	int32_t entry, broken;
	bool told;
};
#define HULL_GOOD (-1)
#define VERT_TOLD 0x80000000u

/* How many vertices a polygon has: what the engine's array holds, which is as many for a node. */
enum { POLY_VERTICES_MIN = 3, POLY_VERTICES_MAX = 16 };

/* Memory that walks use one after another; it only grows. */
struct room {
	void *memory;
	uint64_t len;
};

/* A property of the outermost list: its name and index, and where its tag is. */
struct seen_property {
	uint64_t key;
	uint32_t at, len;
};

/* A target of a jump, or a label: a place in memory, and where it stands in the file. */
struct script_target {
	uint32_t to, at;
	bool is_label;
};

/* The code of a class: a bit for each place in memory at which a token begins. */
struct class_code {
	uint32_t export;
	uint32_t size;                          /* in memory, as far as it has bits */
	const uint64_t *starts;
};

/* Where in its class's code the condition of something that the network carries is, and where that stands in the file. */
struct condition {
	uint32_t export, class, to, at;
};

/* What a script ends in: where in memory the last statement begins that returns from a function, and the one that stops a state; -1: the
 * script ends in something else. */
struct script_end {
	uint64_t size_at;                       /* in the file */
	int64_t size, returns, stops;
	int64_t table;                          /* where in memory its labels begin; -1: it has none */
	uint64_t last;                          /* the token of the last statement */
};

/* A struct that holds another, and where that stands: in the body of a variable, or of the struct itself, which descends from it. */
struct struct_hold {
	uint32_t export, from, to;
	uint32_t at, len;
	uint32_t next;                          /* of those that hold the same, from 1 on */
};

/* What the variables of a class, struct, state or function take in memory at least, and how many of them are out parameters. */
struct variables {
	uint32_t size;                          /* bytes; UINT32_MAX: as many or more */
	uint32_t n_outs;
	bool returns;                           /* one of them is the value that a function returns */
};

/* How large a texture is, for the fonts that stand on it. */
struct texture_size {
	uint32_t export;
	int64_t sides[2];
};

/* How far the glyphs of a page reach, to the right and down, and which glyph does. */
struct glyph_reach {
	int64_t ends[2];
	uint64_t at[2];
	int64_t numbers[2];
};
struct font_page {
	uint32_t font;
	int32_t texture;
	struct glyph_reach reach;
};

/* A scratch is what the walks over bodies share, one after another. */
struct scratch {
	uint8_t *buffer;                        /* BODY_WINDOW bytes, for sources that are not in memory */
	struct seen_property *seen;             /* of the list that is walked */
	uint64_t n_seen, max_seen;
	uint64_t *starts;                       /* SCRIPT_STARTS bits: where in memory the tokens of a script begin */
	uint64_t starts_end;                    /* bits from here on are 0 */
	uint8_t *listed;                        /* a bit for each export: a list of fields has it; NULL: so far there was no list */
	struct variables *variables;            /* of each export; NULL: so far there was no variable */
	struct script_target *targets;
	uint64_t n_targets, max_targets;
	int32_t outer;                          /* what was asked for last, and what makes its name a path */
	uint32_t outer_path;
	struct script_end end;                  /* of the script that was walked last */
	struct class_code *codes;               /* of all classes whose code was walked, in the order of the exports */
	uint64_t n_codes, max_codes;
	struct condition *conditions;
	uint64_t n_conditions, max_conditions;
	struct struct_hold *holds;
	uint64_t n_holds, max_holds;
	struct room nodes, surfs, verts, light_maps, hulls, lights, stack;      /* of a model */
	struct texture_size *sizes;             /* of all textures up to here, in the order of the exports */
	uint64_t n_sizes, max_sizes;
	struct font_page *pages;                /* of all fonts */
	uint64_t n_pages, max_pages;
	struct room reaches;                    /* of a font of UE2: one for each page that a glyph can name */
};

/* What properties say of the size of a texture's first mip. */
enum texture_size_part { SIZE_U, SIZE_V, BITS_U, BITS_V, N_TEXTURE_SIZES };

/* A number that a texture's properties say; at.len is 0 if they do not. */
struct texture_number {
	int64_t value;
	struct span at;
};

/* What a texture's properties say that its mips must fit to; the defaults are the engine's. */
struct texture_properties {
	uint64_t format, comp_format;
	bool has_comp;
	int64_t palette;
	struct span palette_at;
	struct texture_number clamps[2], sizes[N_TEXTURE_SIZES], drops, sparks; /* clamps: UClamp and VClamp */
};

/* A body is read through a window that moves with the reader: large payloads are skipped, not read. Its functions succeed and advance, or
 * fail and change nothing but the window. */
struct body {
	struct decode *d;
	struct upkg *u;
	uint32_t export;
	enum upkg_word class;                   /* of the export; behind its properties the engine's that it descends from */
	int32_t property;                       /* the name of the property that is read */
	struct texture_properties texture;
	struct span all;
	struct cursor window;                   /* around the place where reading goes on */
	struct scratch *scratch;
	uint64_t bad_index_at;                  /* where an index of more than 32 bits begins */
	bool asks_who_loads;                    /* servers do not load all of the package's names and exports */
	bool unreadable;                        /* the input failed: nothing that is missing is the file's fault */
};

#define BODY_WINDOW ((uint64_t)16384)
#define SCRIPT_STARTS 65536u

/* body_open starts at an export's body, which lies in the file. */
void body_open(struct body *b, struct decode *d, struct upkg *u, uint32_t export, struct scratch *scratch);

static inline uint64_t body_at(const struct body *b)
{
	return cursor_at(&b->window);
}
static inline uint64_t body_left(const struct body *b)
{
	return span_end(b->all) - body_at(b);
}

/* body_fill makes sure that the next n bytes, at most BODY_WINDOW, are in the window; false if the body ends before. */
UVET_MUST_USE bool body_fill(struct body *b, uint64_t n);
UVET_MUST_USE static inline bool body_has(struct body *b, uint64_t n)
{
	return cursor_left(&b->window) >= n || body_fill(b, n);
}

/* body_move goes on at another place of the body, forward or back; body_pass n bytes farther, which the body was seen to have; body_skip
 * does so too, and is false if the body ends before. */
void body_move(struct body *b, uint64_t at);
static inline void body_pass(struct body *b, uint64_t n)
{
	body_move(b, body_at(b) + n);
}
UVET_MUST_USE static inline bool body_skip(struct body *b, uint64_t n)
{
	if (n > body_left(b))
		return false;
	body_pass(b, n);
	return true;
}

UVET_MUST_USE static inline bool body_u8(struct body *b, uint64_t *out)
{
	if (!body_has(b, 1))
		return false;
	return cursor_u8(&b->window, out);
}
UVET_MUST_USE static inline bool body_u16(struct body *b, uint64_t *out)
{
	if (!body_has(b, 2))
		return false;
	return cursor_u16(&b->window, out);
}
UVET_MUST_USE static inline bool body_u32(struct body *b, uint64_t *out)
{
	if (!body_has(b, 4))
		return false;
	return cursor_u32(&b->window, out);
}
UVET_MUST_USE static inline bool body_i32(struct body *b, int64_t *out)
{
	if (!body_has(b, 4))
		return false;
	return layout_read_i32(&b->window, out);
}
UVET_MUST_USE static inline bool body_held(struct body *b, uint64_t n, struct held *out)
{
	return body_has(b, n) && held_take(&b->window, n, out);
}
UVET_MUST_USE bool body_index(struct body *b, int64_t *out);

/* body_peek is body_index for a value that is read once more: it notes nothing. */
UVET_MUST_USE bool body_peek(struct body *b, int64_t *out);

/* body_use_name notes that the bytes from `at` to here refer to a name, which exists, body_use_object that they refer to an object. A flaw
 * is a name, or one of an import's, that a game which makes this body's object does not load: it reads None in its place. */
void body_use_name(struct body *b, int32_t name, uint64_t at);
void body_use_object(struct body *b, int64_t object, uint64_t at);

/* body_name reads the index of a name, body_object a reference. One that leads nowhere is noted as a flaw of this kind. */
UVET_MUST_USE bool body_name(struct body *b, enum upkg_flaw_kind kind, int32_t *out);
UVET_MUST_USE bool body_object(struct body *b, enum upkg_flaw_kind kind, int32_t *out);

/* body_flaw notes something that a rule tells: n bytes from `at` on, and up to two numbers. It returns false, so that a walk that cannot
 * go on can return it. body_flaw_part also says which part of a thing it is, and body_note is body_flaw_part without the result. */
void body_note(struct body *b, enum upkg_flaw_kind kind, uint8_t part, uint64_t at, uint64_t n, int64_t first, int64_t second);

static inline bool body_flaw_part(struct body *b, enum upkg_flaw_kind kind, uint8_t part, uint64_t at, uint64_t n,
				  int64_t first, int64_t second)
{
	body_note(b, kind, part, at, n, first, second);
	return false;                   /* here, so that compilers and analyzers know it of every walk */
}

static inline bool body_flaw(struct body *b, enum upkg_flaw_kind kind, uint64_t at, uint64_t n, int64_t first, int64_t second)
{
	return body_flaw_part(b, kind, 0, at, n, first, second);
}

/* The parts of a body. Each returns false when the walk cannot go on; the reason was noted. */
bool body_frame(struct body *b);
bool body_properties(struct body *b);

/* body_is_thing tells whether a reference, which exists, leads to a thing; for an import that is what it says of itself. */
bool body_is_thing(const struct upkg *u, int32_t reference, enum upkg_thing thing);

/* body_leave counts the rest of a body among what is left out of a group that nobody measured in this version; it returns true. For objects
 * of classes that write something in every version there is body_leave_some. */
bool body_leave(struct body *b, uint32_t group);

/* body_leave_bytes counts n bytes among what no reader knows in any version; body_leave_other all the rest of a body, and returns true. */
void body_leave_bytes(struct body *b, uint64_t at, uint64_t n);
bool body_leave_other(struct body *b);

/* body_class reads the body of a class, body_field what follows the properties of a function, state, struct, enum, constant or property,
 * and is body_native for other classes. body_script reads code of that many bytes in memory, and body_code_end judges how that ended. */
bool body_class(struct body *b);
bool body_field(struct body *b);
bool body_script(struct body *b, int64_t size);
void body_code_end(struct body *b, bool is_state);

/* script_keep keeps where the tokens begin of a class's code, which was walked; script_condition notes a condition at a place of the code
 * of the class that this body's object lies in. script_judge_conditions compares them, when all bodies were read. */
UVET_MUST_USE bool script_keep(struct body *b);
UVET_MUST_USE bool script_condition(struct body *b, uint64_t to);
void script_judge_conditions(struct decode *d, struct upkg *u, struct scratch *scratch);

/* What a reference is to lead to, of what the package can tell: no thing of another kind, or nothing at all. */
enum body_wanted { WANT_ACTOR, WANT_TEXTURE, WANT_TEXT, WANT_POLYS };

/* body_is_wanted tells whether a reference leads to what is wanted, or to what nobody knows. body_thing reads a reference; one that leads
 * to something else is noted as a flaw of this kind and part. */
bool body_is_wanted(const struct upkg *u, int32_t reference, enum body_wanted wanted);
UVET_MUST_USE bool body_thing(struct body *b, enum upkg_flaw_kind kind, uint8_t part, enum body_wanted wanted);

/* body_native reads what follows the properties of objects with a layout of their own, and leaves what other classes have there. The next
 * are of a class each. */
bool body_native(struct body *b);
bool body_texture(struct body *b);
bool body_sound(struct body *b);
bool body_sound_group(struct body *b);
bool body_sound_procedural(struct body *b);
bool body_model(struct body *b);
bool body_level(struct body *b);
bool body_music(struct body *b);
bool body_font(struct body *b);
bool body_mesh(struct body *b);
bool body_animation(struct body *b);

/* structs_hold notes that an object holds another, which was read from `at` on, if both are structs of the package; structs_judge tells
 * which of them hold themselves, when all bodies were read. */
UVET_MUST_USE bool structs_hold(struct body *b, int32_t from, int32_t to, uint64_t at);
void structs_judge(struct decode *d, struct upkg *u, struct scratch *scratch);

/* font_judge_pages compares the pages of all fonts with the textures, which may stand before or behind them. */
void font_judge_pages(struct decode *d, struct upkg *u, struct scratch *scratch);

/* scratch_room gives n * size bytes that stay until the same room is asked for again; NULL: memory ended, which was noted. */
UVET_MUST_USE void *scratch_room(struct body *b, struct room *room, uint64_t n, size_t size);

/* body_count reads a count of elements that take at least so many bytes each, body_list one of 32 bits with the room that the list has,
 * body_lazy the head of an array that can be skipped: *n bytes follow, and *count is where their count stands. body_text reads a counted
 * text of *len bytes in units of *width bytes, and passes it; body_string does so too, and notes one that has units and does not end in a
 * NUL as a flaw of this kind. body_cut notes that the body ends too early, and returns false; body_note_cut is body_cut without the
 * result. body_end notes that it does not end here. */
UVET_MUST_USE bool body_count(struct body *b, uint64_t least, int64_t *n);
UVET_MUST_USE bool body_list(struct body *b, uint64_t least, enum upkg_flaw_kind kind, int64_t *n);
UVET_MUST_USE bool body_lazy(struct body *b, uint64_t *n, struct span *count);
UVET_MUST_USE bool body_text(struct body *b, uint64_t *width, uint64_t *len);
UVET_MUST_USE bool body_string(struct body *b, enum upkg_flaw_kind kind);
void body_note_cut(struct body *b);
void body_end(struct body *b);

static inline bool body_cut(struct body *b)
{
	body_note_cut(b);
	return false;
}

/* body_whole is body_cut for what was read only in part, body_closed body_end for what was read to its end; both return what they are
 * told. */
UVET_MUST_USE static inline bool body_whole(struct body *b, bool is_read)
{
	if (!is_read)
		body_cut(b);
	return is_read;
}
UVET_MUST_USE static inline bool body_closed(struct body *b, bool is_read)
{
	if (is_read)
		body_end(b);
	return is_read;
}

/* body_leave_some is body_leave, and body_cut where nothing is left. */
UVET_MUST_USE static inline bool body_leave_some(struct body *b, uint32_t group)
{
	if (!body_whole(b, body_left(b) > 0))
		return false;
	return body_leave(b, group);
}

/* body_step is body_skip, and body_cut where the body ends before. body_array counts elements of that length and goes behind them. */
UVET_MUST_USE static inline bool body_step(struct body *b, uint64_t n)
{
	return body_whole(b, body_skip(b, n));
}
UVET_MUST_USE static inline bool body_array(struct body *b, uint64_t len, int64_t *n)
{
	if (!body_count(b, len, n))
		return false;
	body_pass(b, (uint64_t)*n * len);
	return true;
}

#endif

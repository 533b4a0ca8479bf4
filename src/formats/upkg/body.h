/* Reading the bodies of exports: a bounded reader over one body, and what is noted of it. */
#ifndef UVET_FORMATS_UPKG_BODY_H
#define UVET_FORMATS_UPKG_BODY_H

#include "formats/upkg/upkg.h"

/* A node of a model, as far as rules ask for it. */
enum node_state { NODE_UNSEEN, NODE_OPEN, NODE_DONE };
struct model_node {
	uint64_t at;
	int32_t vert_pool, surf, links[3];      /* links: front, back, plane */
	int32_t collision_bound, render_bound, zones[2], leaves[2];
	uint8_t n_verts, state, n_followed;
};

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

/* A target of a jump: a place in memory, and where it stands in the file. */
struct script_target {
	uint32_t to, at;
};

/* A scratch is what the walks over bodies share, one after another. */
struct scratch {
	uint8_t *buffer;                        /* BODY_WINDOW bytes, for sources that are not in memory */
	struct seen_property *seen;             /* of the list that is walked */
	uint64_t n_seen, max_seen;
	uint64_t *starts;                       /* SCRIPT_STARTS bits: where in memory the tokens of a script begin */
	uint64_t starts_end;                    /* bits from here on are 0 */
	struct script_target *targets;
	uint64_t n_targets, max_targets;
	struct room nodes, verts, stack;        /* of a model */
};

/* What a texture's properties say that its mips must fit to; the defaults are the engine's. */
struct texture_properties {
	uint64_t format, comp_format;
	bool has_comp, has_format;
	int32_t palette;
	int64_t u_clamp, v_clamp;
};

/* A body is read through a window that moves with the reader: large payloads are skipped, not read. Its functions succeed and advance, or
 * fail and change nothing but the window. */
struct body {
	struct decode *d;
	struct upkg *u;
	uint32_t export;
	int32_t property;                       /* the name of the property that is read */
	struct texture_properties texture;
	struct span all;
	struct cursor window;                   /* around the place where reading goes on */
	struct scratch *scratch;
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

/* body_move goes on at another place of the body: forward or back. */
UVET_MUST_USE bool body_move(struct body *b, uint64_t at);
UVET_MUST_USE static inline bool body_skip(struct body *b, uint64_t n)
{
	return n <= body_left(b) && body_move(b, body_at(b) + n);
}

UVET_MUST_USE static inline bool body_u8(struct body *b, uint64_t *out)
{
	return body_has(b, 1) && cursor_u8(&b->window, out);
}
UVET_MUST_USE static inline bool body_u16(struct body *b, uint64_t *out)
{
	return body_has(b, 2) && cursor_u16(&b->window, out);
}
UVET_MUST_USE static inline bool body_u32(struct body *b, uint64_t *out)
{
	return body_has(b, 4) && cursor_u32(&b->window, out);
}
UVET_MUST_USE static inline bool body_i32(struct body *b, int64_t *out)
{
	return body_has(b, 4) && layout_read_i32(&b->window, out);
}
UVET_MUST_USE bool body_index(struct body *b, int64_t *out);

/* body_name reads the index of a name, body_object a reference. One that leads nowhere is noted as a flaw of this kind. */
UVET_MUST_USE bool body_name(struct body *b, enum upkg_flaw_kind kind, int32_t *out);
UVET_MUST_USE bool body_object(struct body *b, enum upkg_flaw_kind kind, int32_t *out);

/* body_flaw notes something that a rule tells: n bytes from `at` on, and up to two numbers. It returns false, so that a walk that cannot
 * go on can return it. */
bool body_flaw(struct body *b, enum upkg_flaw_kind kind, uint64_t at, uint64_t n, int64_t first, int64_t second);

/* The parts of a body. Each returns false when the walk cannot go on; the reason was noted. */
bool body_frame(struct body *b);
bool body_properties(struct body *b);

/* body_class reads the body of a class, body_field what follows the properties of a function, state, struct, enum, constant or property;
 * nothing of other classes. body_script reads code of that many bytes in memory. */
bool body_class(struct body *b);
bool body_field(struct body *b, enum upkg_word class);
bool body_script(struct body *b, int64_t size);

/* body_native reads what follows the properties of objects with a layout of their own; nothing of other classes. The next are of a class
 * each. */
bool body_native(struct body *b, enum upkg_word class);
bool body_texture(struct body *b, enum upkg_word class);
bool body_sound(struct body *b);
bool body_model(struct body *b);
bool body_level(struct body *b);
bool body_music(struct body *b);

/* scratch_room gives n * size bytes that stay until the same room is asked for again; NULL: memory ended, which was noted. */
UVET_MUST_USE void *scratch_room(struct body *b, struct room *room, uint64_t n, size_t size);

/* body_count reads a count of elements that take at least so many bytes each, body_lazy the head of an array that can be skipped: *n bytes
 * follow. body_cut notes that the body ends too early, body_end that it does not end here. */
UVET_MUST_USE bool body_count(struct body *b, uint64_t least, int64_t *n);
UVET_MUST_USE bool body_lazy(struct body *b, uint64_t *n);
bool body_cut(struct body *b);
bool body_end(struct body *b);

#endif

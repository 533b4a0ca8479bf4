/* Reading the bodies of exports: a bounded reader over one body, and what is noted of it. */
#ifndef UVET_FORMATS_UPKG_BODY_READER_H
#define UVET_FORMATS_UPKG_BODY_READER_H

#include "core/rows.h"
#include "formats/upkg/facts.h"
#include "formats/upkg/tables/words.h"

/* A property of the outermost list: its name and index, and where its tag is. */
struct seen_property {
	uint64_t key;
	uint32_t at, len;
};

/* A scratch is what the readers of bodies share, one after another. */
struct scratch {
	uint8_t *buffer;            /* BODY_WINDOW bytes, for sources that are not in memory */
	struct seen_property *seen; /* of the list that is read */
	uint64_t n_seen, max_seen;
	int32_t outer; /* of the last object, and the traits that make its name a path */
	uint32_t outer_path;
	struct class_scratch *of_classes; /* what the readers of classes share: classes/scratch.h */
};

/* What properties say of the size of a texture's first mip. */
enum texture_size_part { SIZE_U, SIZE_V, BITS_U, BITS_V, N_TEXTURE_SIZES };

/* A number that a texture's properties say; at.len is 0 if they do not. */
struct texture_number {
	int64_t value;
	struct span at;
};

/* What a texture's properties say that its mips must fit; the defaults are the engine's. */
struct texture_properties {
	uint64_t format, comp_format;
	bool has_comp;
	int64_t palette;
	struct span palette_at;
	/* clamps: UClamp and VClamp */
	struct texture_number clamps[2], sizes[N_TEXTURE_SIZES], drops, sparks;
};

/* A body is read through a window that moves with the reader: large payloads are skipped, not
 * read. Its functions succeed and advance, or fail and change nothing but the window. */
struct body {
	struct decode *d;
	struct upkg *u;
	uint32_t export;
	/* of the export; after its properties the engine's that it descends from */
	enum upkg_word class;
	int32_t property; /* the name of the property that is read */
	struct texture_properties texture;
	struct span all;
	struct cursor window; /* around the place where reading goes on */
	struct scratch *scratch;
	uint64_t bad_index_at; /* where an index of more than 32 bits begins */
	bool asks_who_loads;   /* servers do not load all of the package's names and exports */
	bool unreadable;       /* the input failed: nothing that is missing is the file's fault */
};

#define BODY_WINDOW ((uint64_t)16384)

/* body_open starts at an export's body, which lies in the file. */
void body_open(struct body *b, struct decode *d, struct upkg *u, uint32_t export,
	       struct scratch *scratch);

static inline uint64_t body_at(const struct body *b)
{
	return cursor_at(&b->window);
}
static inline uint64_t body_left(const struct body *b)
{
	return span_end(b->all) - body_at(b);
}

/* body_fill makes sure that the next n bytes, at most BODY_WINDOW, are in the window; false if the
 * body ends before. */
UVET_MUST_USE bool body_fill(struct body *b, uint64_t n);
UVET_MUST_USE static inline bool body_has(struct body *b, uint64_t n)
{
	return cursor_left(&b->window) >= n || body_fill(b, n);
}

/* body_move goes on at another place of the body, forward or back; body_pass n bytes farther,
 * which the body is known to have; body_skip likewise, and is false if the body ends before. */
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

/* body_peek is body_index for a value that is read again later: it notes nothing. */
UVET_MUST_USE bool body_peek(struct body *b, int64_t *out);

/* body_game_loads tells whether every game that makes this body's object loads a thing, of which
 * it is said whether servers, or any game, load it. */
bool body_game_loads(const struct body *b, bool on_server, bool in_game);

/* body_use_name notes that the bytes from `at` to here refer to a name, which exists,
 * body_use_object that they refer to an object. It is a flaw if a game that makes this body's
 * object does not load the name, or one of an import's: it reads None instead. */
void body_use_name(struct body *b, int32_t name, uint64_t at);
void body_use_object(struct body *b, int64_t object, uint64_t at);

/* body_name reads the index of a name, body_object a reference. One that leads nowhere is noted as
 * a flaw of this kind. */
UVET_MUST_USE bool body_name(struct body *b, enum upkg_flaw_kind kind, int32_t *out);
UVET_MUST_USE bool body_object(struct body *b, enum upkg_flaw_kind kind, int32_t *out);

/* body_flaw notes something that a rule tells: n bytes from `at` on, and up to two numbers. It
 * returns false, so that a reader that cannot go on can return it. body_flaw_plain is for what has
 * no numbers, body_flaw_part also says which part of a thing it is, and body_note is body_flaw_part
 * without the result. */
void body_note(struct body *b, enum upkg_flaw_kind kind, uint8_t part, uint64_t at, uint64_t n,
	       int64_t first, int64_t second);

static inline bool body_flaw_part(struct body *b, enum upkg_flaw_kind kind, uint8_t part,
				  uint64_t at, uint64_t n, int64_t first, int64_t second)
{
	body_note(b, kind, part, at, n, first, second);
	return false; /* here, so that compilers and analyzers know it of every reader */
}

static inline bool body_flaw(struct body *b, enum upkg_flaw_kind kind, uint64_t at, uint64_t n,
			     int64_t first, int64_t second)
{
	return body_flaw_part(b, kind, 0, at, n, first, second);
}

static inline bool body_flaw_plain(struct body *b, enum upkg_flaw_kind kind, uint64_t at,
				   uint64_t n)
{
	return body_flaw_part(b, kind, 0, at, n, 0, 0);
}

#endif

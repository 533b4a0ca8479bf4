/* The source: the bytes of one input, read with bounds, each structural byte once. */
#ifndef UVET_CORE_SOURCE_H
#define UVET_CORE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/compiler.h"
#include "core/cursor.h"
#include "core/interrupt.h"
#include "core/span.h"

/* What part a source plays in the set that is checked. */
enum source_role {
	SOURCE_MAIN,      /* the file that was asked for */
	SOURCE_COMPANION, /* a file that belongs to it and was found beside it */
	SOURCE_MEMBER,    /* a file that lies inside another */
};

/* source_io is how a source gets its bytes: a file, memory, or a host's callback.
 * read_at puts at most len bytes from offset at into buf and says how many in *n_read: fewer
 * only at the end of the input. It returns false when the input cannot be read. unchanged, asked
 * at the end, returns false when the input is no longer what it was at the start; NULL means it
 * cannot change. ctx belongs to the caller and outlives the source. */
struct source_io {
	bool (*read_at)(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read);
	bool (*unchanged)(void *ctx);
	void *ctx;
	uint64_t size;
};

/* What reports say of a file that could not be opened because too many files are open. Code asks
 * a status, and does not compare this text. */
#define SOURCE_CROWDED "too many files are open"

/* What went wrong with the input itself, worst last. */
enum source_trouble { SOURCE_FINE, SOURCE_CHANGED, SOURCE_UNREADABLE };

/* How many windows a source holds without a list for more. */
enum { SOURCE_HELD_FEW = 16 };

struct source_held {
	struct span span;
	const uint8_t *data; /* in the arena, or the caller's memory */
};

struct source {
	struct source_io io; /* of a member: its outermost file's, but for the size */
	uint64_t base;       /* where byte 0 lies in what io reads */
	const char *name;    /* as the caller gave it, UTF-8 expected but not trusted; never NULL */
	enum source_role role;
	/* 0: the input; of companions from 1 on, in the order in which they were asked for */
	uint32_t number;
	/* of the input and its companions: the next that is open; NULL: there is none */
	struct source *next;
	uint64_t window_len;    /* how many bytes a streamed read takes at once */
	struct arena *arena;    /* holds the windows */
	uint8_t *stream_buffer; /* window_len bytes, made on first use */
	struct source_held held[SOURCE_HELD_FEW];
	struct source_held *more; /* those after them, in the arena */
	size_t n_held, max_more;  /* n_held counts all */
	/* asked between the pieces of a long read; NULL: nothing interrupts reads */
	const struct interrupt *interrupt;
	enum interrupted interrupted; /* why a read was broken off */
	enum source_trouble trouble;
	struct span trouble_at; /* the read that failed */
};

/* The window of a streamed read, and the size up to which an input is read whole, in bytes. */
#define SOURCE_WINDOW ((uint64_t)262144)
#define SOURCE_WHOLE ((uint64_t)16384)

/* source_init makes a source over io. name is kept, not copied. window_len is SOURCE_WINDOW except
 * in tests. */
void source_init(struct source *s, struct source_io io, const char *name, struct arena *arena,
		 uint64_t window_len);

/* source_init_memory makes a source over the caller's bytes, which are not copied and outlive
 * it. */
void source_init_memory(struct source *s, const uint8_t *data, uint64_t len, const char *name,
			struct arena *arena);

/* source_init_member makes a source over a span that lies inside another source. Where the other
 * holds those bytes they are used as they lie, and what holds them outlives this source; else
 * they are read through the other's io. It never reads beyond its span. */
void source_init_member(struct source *s, const struct source *of, struct span span,
			const char *name, struct arena *arena);

/* source_forget drops the windows that the source holds in its arena, unless one of them is the
 * whole input: sources of members may use it. It returns whether the arena may now be freed. */
bool source_forget(struct source *s);

/* source_window reads a span that lies inside the source and sets *out to a cursor over it. The
 * bytes are held: a later call gets the same ones. It returns false when the span is not inside
 * the source, memory ends, the input fails, or the check is interrupted; the arena, s->trouble
 * or s->interrupted says which. */
UVET_MUST_USE bool source_window(struct source *s, struct span span, struct cursor *out);

/* source_window_once is source_window, but bytes that it reads are not held: the caller may free
 * them by rewinding the arena. It is for reading many records once each. */
UVET_MUST_USE bool source_window_once(struct source *s, struct span span, struct cursor *out);

/* source_peek sets *out to a cursor over a span that is already held; false if it is not. It
 * never reads. */
UVET_MUST_USE bool source_peek(const struct source *s, struct span span, struct cursor *out);

/* source_peek_from sets *out to a cursor from offset at to the end of a held window: of those
 * with that byte the one that ends last. false: there is none. */
UVET_MUST_USE bool source_peek_from(const struct source *s, uint64_t at, struct cursor *out);

/* source_copy copies the span's bytes to buf, from held windows where there are any. */
UVET_MUST_USE bool source_copy(struct source *s, struct span span, uint8_t *buf);

/* A source_sink receives a stream's bytes in order: n bytes that lie at offset at. It returns false
 * to stop. */
typedef bool source_sink(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n);

/* source_stream passes every byte of the span to the sink, a window at a time; false if the
 * input failed, memory ended or the sink stopped. */
UVET_MUST_USE bool source_stream(struct source *s, struct span span, source_sink *sink, void *ctx);

/* source_numbered finds the source of a number among an input and its companions; NULL: there is
 * none that is open. */
struct source *source_numbered(struct source *input, uint32_t number);

/* source_take_trouble notes in s what went wrong with a copy of it. */
void source_take_trouble(struct source *s, const struct source *copy);

/* source_finish asks whether the input is still what it was, and notes it in s->trouble if not. */
void source_finish(struct source *s);

#endif

/* Decoding: what a decoder works with, and how it says that it had to stop. */
#ifndef UVET_FORMATS_DECODE_H
#define UVET_FORMATS_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/thread_pool.h"
#include "core/keys.h"
#include "core/limits.h"
#include "core/script_objects.h"
#include "core/source.h"
#include "core/upload.h"
#include "core/work.h"

struct held;

struct oodle;
struct package_claims;
struct set_files;
struct aim;

/* How deep a check goes. */
enum level {
	LEVEL_STRUCTURE, /* tables, headers, checksums of metadata */
	LEVEL_CONTENT,   /* the payload too */
};

/* Why a fact group is missing. */
enum stop_why {
	STOP_NOT,         /* it is not missing */
	STOP_MALFORMED,   /* the bytes make no sense: a rule of the format explains it */
	STOP_UNSUPPORTED, /* a version we do not know: a rule of the format explains it */
	STOP_NEEDS,       /* it needs another group, which is missing */
	STOP_LIMIT,       /* a limit was reached: RUN001 */
	STOP_MEMORY,      /* RUN005 */
	STOP_INPUT,       /* the input could not be read: RUN002 or RUN003 */
	STOP_LEVEL,       /* the level does not ask for it; nothing is wrong */
	/* its layout in this version is not known; nothing is wrong. at.len counts the bytes
	 * that are left out */
	STOP_UNVERIFIED,
	STOP_CODEC,     /* this build cannot decode it: RUN007 */
	STOP_COMPANION, /* a file beside the input was not looked at: RUN008 */
	STOP_KEY,       /* it is encrypted, and no key is there that fits: RUN009, RUN015 */
	STOP_GAME, /* the user named no game that a set could be held against; nothing is wrong */
};

/* A group is facts that are decoded together or not at all. */
struct group {
	enum stop_why why;
	struct span at;    /* where decoding stopped, and how many bytes were left there */
	uint32_t file;     /* the number of the source that `at` lies in */
	uint32_t on;       /* STOP_NEEDS: the missing group */
	enum limit limit;  /* STOP_LIMIT */
	const char *codec; /* STOP_CODEC: what is missing, a constant text */
	const char *key;   /* STOP_KEY: likewise */
};

/* Each decode clears this many, so there are not many more than a format has. A set of groups is
 * a 64-bit number, which has a bit for 63 of them. */
enum { GROUPS_MAX = 40 };

/* What a format says of one of its groups; a row of the format's .def. */
enum { GROUP_NEEDS_MAX = 5, NOTHING = 63 };
struct format_group {
	const char *name; /* in reports: "directory" */
	const char *meaning;
	/* groups before it that it needs; NOTHING: there are none */
	uint8_t needs[GROUP_NEEDS_MAX];
	uint8_t n_needs;
};

/* A lack is a decoder, a companion or a key that we did not have, and how many bytes were not
 * judged because of that. A group may have several lacks, and several groups may share one. */
struct lack {
	enum stop_why why; /* STOP_CODEC, STOP_COMPANION or STOP_KEY */
	const char *what;  /* as in the group; "" for STOP_COMPANION */
	uint64_t bytes;
	uint32_t file; /* the first source with such bytes */
};

/* More than there are different lacks; if there were more after all, the last would count the
 * rest. */
enum { LACKS_MAX = 24 };

/* What became of a file beside the input. */
enum companion_state {
	COMPANION_OPEN,
	COMPANION_ABSENT,
	COMPANION_UNREADABLE, /* it could not be opened, if it is there at all: RUN002 */
	COMPANION_CROWDED,    /* likewise, because too many files were open */
	/* it is a member of an archive, whose findings say why it cannot be unpacked: RUN014 */
	COMPANION_PACKED,
	/* the user wants none, the host cannot open any, the input lies in another file, or the
	 * name leads out of the folder */
	COMPANION_NOT_ASKED,
};

/* companion_is_refused tells of a file that could not be opened, whatever the reason. */
static inline bool companion_is_refused(enum companion_state state)
{
	return state == COMPANION_UNREADABLE || state == COMPANION_CROWDED ||
	       state == COMPANION_PACKED;
}

/* How many bytes of each companion are for the code that opens it. */
enum { COMPANION_ROOM = 80 };

/* A companion is a file beside the input that belongs to it. */
struct companion {
	const char *name; /* no folder in it */
	enum companion_state state;
	uint32_t number;        /* counted from 1, whatever their state */
	struct source source;   /* if it is not open, only its number is set */
	struct companion *next; /* asked for after it */
	_Alignas(max_align_t) unsigned char room[COMPANION_ROOM]; /* for the code that opened it */
};

/* Siblings are how files beside the input are opened. open never leaves the input's folder, not
 * through a link either; close is called once for each source that was opened. What open needs
 * until then may live in room, which is COMPANION_ROOM bytes for any object. find looks for a
 * file whose name differs from an absent one's in the case of letters of ASCII alone; it puts
 * that name with a NUL into spelling and returns COMPANION_OPEN, or says that there is none, or
 * why it cannot know. It is NULL where the host cannot look. */
enum { SPELLING_SIZE = 256 };
struct siblings {
	enum companion_state (*open)(void *ctx, const char *name, void *room,
				     struct source_io *out);
	void (*close)(void *ctx, const struct source_io *io);
	enum companion_state (*find)(void *ctx, const char *name, char spelling[SPELLING_SIZE]);
	/* list puts up to max names of files there that end in `ending` into names, those that come
	 * first by their bytes, and returns how many there are. NULL where the host cannot. */
	size_t (*list)(void *ctx, const char *ending, char names[][SPELLING_SIZE], size_t max);
	void *ctx;
};

struct decode {
	struct source *source;
	struct arena *arena; /* facts go here; freed after the rules have run */
	const struct limits *limits;
	struct work work;
	/* how much of work.unpacked came out of this file: the most of any of its stages */
	uint64_t unpacked;
	enum level level;
	enum upload upload;              /* what the input is packed for */
	const struct siblings *siblings; /* NULL: there are none to ask for */
	bool is_part; /* the file is judged with the one of its name beside it, as a part of that */
	/* what the container around a package says of it; NULL: the input lies in none */
	const struct package_claims *claims;
	const struct set_files *set; /* the input is this set of files; NULL: it is a file */
	/* in the order in which they were asked for */
	struct companion *companions, *last_companion;
	/* of nested files: the last that `open` did not return cannot be decoded, which is a defect
	 * of the file around it, and told there */
	bool is_undecodable;
	unsigned n_spelt;           /* for how many another spelling was looked for */
	struct source *last_source; /* of those that are open; NULL: none is */
	uint64_t n_companions;
	const struct keys *keys; /* these three are never NULL */
	const struct oodle *oodle;
	const struct thread_pool *threads;
	const struct script_objects
		*scripts;         /* of the game; NULL: the user named none (--global) */
	const struct aim *target; /* never NULL */
	struct group groups[GROUPS_MAX];
	struct lack lacks[LACKS_MAX]; /* of all groups, each thing once */
	size_t n_lacks;
};

/* decode_stop notes why a group is missing, and where; it returns false, so that a decoder can
 * return it. The first stop of a group stays, but every lack counts: a group whose bytes need
 * several codecs stops for each of them. */
UVET_COLD bool decode_stop(struct decode *d, uint32_t group, enum stop_why why, struct span at);

/* decode_stop_limit is decode_stop for a limit that was reached. */
UVET_COLD bool decode_stop_limit(struct decode *d, uint32_t group, enum limit limit,
				 struct span at);

/* decode_stop_codec is decode_stop for bytes at `at` that this build cannot decode. */
UVET_COLD bool decode_stop_codec(struct decode *d, uint32_t group, const char *codec,
				 struct span at);

/* decode_stop_needs is decode_stop for a group that needs another one, `on`. */
UVET_COLD bool decode_stop_needs(struct decode *d, uint32_t group, uint32_t on);

/* decode_stop_key is decode_stop for encrypted bytes at `at`; words is a constant that says what
 * is missing, and DECODE_PASSWORD of archives. */
#define DECODE_PASSWORD "a password"
UVET_COLD bool decode_stop_key(struct decode *d, uint32_t group, const char *words, struct span at);

/* decode_stop_in is decode_stop for a place in the input or a companion. s may be a copy: its
 * trouble is noted in the original. */
UVET_COLD bool decode_stop_in(struct decode *d, uint32_t group, enum stop_why why,
			      const struct source *s, struct span at);

/* decode_companion opens the file of that name in the input's folder; name is copied. The same
 * name gives the same companion. NULL: memory ended or the limit was reached;
 * decode_stop_companion notes that for a group, and returns false. decode_new_companion is for a
 * name that was not asked for before: it does not look for it, which takes long among many.
 * decode_companion_spelt opens, for a companion that is absent, the file whose name differs in
 * the case of letters alone. It returns that companion, or `absent` if there is no such file or
 * too many were looked for. It lists a folder, so it is only for files that should be there. A
 * companion's source is read by one thread at a time: each worker of a thread pool reads through
 * its own copy, which has its own arena. */
UVET_MUST_USE struct companion *decode_companion(struct decode *d, const char *name);
UVET_MUST_USE struct companion *decode_new_companion(struct decode *d, const char *name);
UVET_MUST_USE struct companion *decode_companion_spelt(struct decode *d, struct companion *absent);
UVET_COLD bool decode_stop_companion(struct decode *d, uint32_t group, struct span at);

/* decode_close closes all companions. They may not be read after it. */
void decode_close(struct decode *d);

/* decode_stop_with notes that `group` is missing if `on`, which it needs, is: for the same
 * reason if that is STOP_LEVEL or STOP_UNVERIFIED, else with STOP_NEEDS. decode_spread does so
 * for n groups and all that they need, which are groups before them. */
void decode_stop_with(struct decode *d, uint32_t group, uint32_t on);
void decode_spread(struct decode *d, const struct format_group *groups, uint32_t n);

/* decode_window, decode_copy and decode_stream are source_window, source_copy and source_stream
 * for decoders: the bytes are charged as work, whether they were held or not, and a failure is
 * noted for the group. A sink that stops the stream notes its own reason. decode_bytes gives the
 * bytes of a window. */
UVET_MUST_USE bool decode_window(struct decode *d, uint32_t group, struct span span,
				 struct cursor *out);
UVET_MUST_USE bool decode_bytes(struct decode *d, uint32_t group, struct span span,
				struct held *out);
UVET_MUST_USE bool decode_copy(struct decode *d, uint32_t group, struct span span, uint8_t *buf);
UVET_MUST_USE bool decode_stream(struct decode *d, uint32_t group, struct span span,
				 source_sink *sink, void *ctx);

/* decode_alloc is arena_alloc with a failure noted for the group. */
UVET_MUST_USE static inline void *decode_alloc(struct decode *d, uint32_t group, uint64_t count,
					       uint64_t size)
{
	void *p = arena_alloc(d->arena, count, size);

	if (!p)
		decode_stop(d, group, STOP_MEMORY, (struct span){ 0, 0 });
	return p;
}

/* decode_grow makes space for one more row in a list of n rows. It returns the list, or a longer
 * copy of it, and may free the old one: no arena_mark made between may be rewound to. *max is
 * for how many rows there is space; 0 for a list that is still NULL. decode_lengthen makes the
 * copy. NULL: memory ended, which is noted for the group. */
UVET_MUST_USE void *decode_lengthen(struct decode *d, uint32_t group, const void *rows, uint64_t n,
				    uint64_t *max, size_t size);
UVET_MUST_USE static inline void *decode_grow(struct decode *d, uint32_t group, void *rows,
					      uint64_t n, uint64_t *max, size_t size)
{
	if (n < *max)
		return rows;
	return decode_lengthen(d, group, rows, n, max, size);
}

/* decode_spend is work_spend with a failure noted for the group. */
UVET_MUST_USE bool decode_spend(struct decode *d, uint32_t group, uint64_t n);

/* decode_goes_on asks at each DECODE_POLL-th row whether the check was interrupted: for loops
 * over tables whose work was charged before. A loop that takes several rows at a time must not
 * step over those. */
enum { DECODE_POLL = 65536 };
UVET_MUST_USE bool decode_poll(struct decode *d, uint32_t group);
UVET_MUST_USE static inline bool decode_goes_on(struct decode *d, uint32_t group, uint64_t row)
{
	return row % DECODE_POLL != 0 || decode_poll(d, group);
}

/* A compressed file may decompress to this many bytes however small it is: a file of zeros in a mod
 * is no bomb. */
#define UNPACKED_FREE ((uint64_t)16 << 20)

/* decode_may_unpack tells whether the bytes at `packed` may decompress to n bytes. They may if n
 * is no more than LIMIT_unpacked; with what other files of the input decompressed to, no more
 * than eight times that; and no more than LIMIT_ratio times packed.len, or UNPACKED_FREE if that
 * is more. If not, that is noted for the group. decode_unpack_max is the most bytes that they may
 * decompress to. */
UVET_MUST_USE bool decode_may_unpack(struct decode *d, uint32_t group, uint64_t n,
				     struct span packed);
uint64_t decode_unpack_max(const struct decode *d, uint64_t packed_len);

/* decode_may_take tells whether the bytes at `packed` may be decompressed. They may if, with
 * those of other files of the input, they are no more than eight times the input, or a 256th of
 * what all of them may decompress to, whichever is more. If not, that is noted for the group. */
UVET_MUST_USE bool decode_may_take(struct decode *d, uint32_t group, struct span packed);

/* decode_has tells whether a group was decoded. */
static inline bool decode_has(const struct decode *d, uint32_t group)
{
	return d->groups[group].why == STOP_NOT;
}

#endif

/* The path policy: what can be dangerous or unusual about a relative path that a stranger chose. */
#ifndef UVET_CORE_PATH_H
#define UVET_CORE_PATH_H

#include <stdint.h>

#include "core/text.h"

/* The traits of a path. Components are what stands between separators, `\` or `/`. */
enum path_trait {
	PATH_ROOTED = 1 << 0,  /* begins with a separator; UNC and device paths do too */
	PATH_DRIVE = 1 << 1,   /* begins with a letter and a colon */
	PATH_COLON = 1 << 2,   /* has a colon elsewhere: an NTFS stream */
	PATH_PARENT = 1 << 3,  /* a component is ".." */
	PATH_DEVICE = 1 << 4,  /* a component is a DOS device, with or without extension */
	PATH_CONTROL = 1 << 5, /* a control character other than NUL */
	/* a component ends in a dot or a space, which Windows drops */
	PATH_TRAILING = 1 << 6,
	PATH_SLASH = 1 << 7, /* has a `/` */
	PATH_SPACE = 1 << 8,
	PATH_RESERVED = 1 << 9,         /* one of < > " | ? * */
	PATH_EMPTY_COMPONENT = 1 << 10, /* two separators together, or one at the end */
	PATH_SELF = 1 << 11,            /* a component is "." */
	/* an invisible character (text_is_unseen) that is no control character, or half a
	 * surrogate pair */
	PATH_DECEPTIVE = 1 << 12,
	PATH_NUL = 1 << 13,
	PATH_LONG_NAME = 1 << 14, /* the last component is longer than 31 units */
	PATH_SEPARATOR = 1 << 15, /* has a separator at all */
};

/* The traits that make it dangerous to create a file of this name. */
enum {
	PATH_UNSAFE = PATH_ROOTED | PATH_DRIVE | PATH_COLON | PATH_PARENT | PATH_DEVICE |
		      PATH_CONTROL | PATH_TRAILING,
	/* names that Windows cannot have, or changes */
	PATH_REFUSED = PATH_CONTROL | PATH_TRAILING | PATH_DEVICE | PATH_RESERVED,
};

struct path {
	uint32_t traits;    /* of enum path_trait */
	uint32_t hash;      /* equal for paths that are equal without case, `/` read as `\` */
	uint32_t first;     /* units of the first component; 0 if there is no separator */
	uint32_t last;      /* the unit with which the last component begins */
	uint32_t dot;       /* the last component's last dot; the path's length if it has none */
	uint32_t extension; /* what follows that dot, as text_word gives it; 0 if there is no dot */
};

/* path_examine finds out all that struct path says of a name. path_examine_at does so for loops
 * over tables: it copies neither of the two large structs. path_examine_slashed is quicker where
 * components are separated by `/`. */
void path_examine_at(const struct text *t, struct path *out);
void path_examine_slashed(const struct text *t, struct path *out);
static inline struct path path_examine(struct text t)
{
	struct path p;

	path_examine_at(&t, &p);
	return p;
}

/* path_compare orders paths; 0 means equal without case, as Windows compares names, with `/` and
 * `\` the same. */
int path_compare(struct text a, struct text b);

/* path_is_spelt_alike tells whether two paths, not empty, are the same units in the same
 * encoding, as most equal paths are. */
bool path_is_spelt_alike(const struct text *a, const struct text *b);

/* path_is_separator tells whether a unit stands between components. */
static inline bool path_is_separator(uint32_t c)
{
	return c == '/' || c == '\\';
}

/* path_last returns the last component, path_last_at where it begins. path_extension returns what
 * follows its last dot, or an empty text. path_stem returns the last component up to that dot.
 * path_first returns the first component, empty when there is no separator. path_other_ending
 * returns the extension and its dot, or an empty text where it is the given one without case, or
 * there is none. */
struct text path_last(struct text t);
uint32_t path_last_at(const struct text *t);
struct text path_extension(struct text t);
struct text path_stem(struct text t);
struct text path_first(struct text t);
struct text path_other_ending(struct text t, const char *extension);

/* path_folders passes each folder that a path lies in, outermost first, to the sink: how many units
 * of t name it, and its hash, as path_examine has it for those units. The sink returns false to
 * stop. It takes time in proportion to the path's length. */
typedef bool path_folder_sink(void *ctx, uint32_t n_units, uint32_t hash);
void path_folders(struct text t, path_folder_sink *sink, void *ctx);

/* path_danger names the first unsafe trait in a few words, for a message; "" if there is none.
 * path_defect does the same of all traits that a name should not have, unsafe ones first. */
const char *path_danger(uint32_t traits);
const char *path_defect(uint32_t traits);

#endif

/* Sets of packages: the facts that comparing them finds. Source: conformance/spec/set.md. */
#ifndef UVET_FORMATS_SET_SET_H
#define UVET_FORMATS_SET_SET_H

#include "core/order.h"
#include "formats/archive/layout/layout.h"
#include "formats/keep.h"
#include "formats/set_files.h"

#define FORMAT set
#define FORMAT_DEF "formats/set/set.def"
#include "formats/declare.h"

/* No file, no row. */
#define SET_NONE UINT32_MAX

/* What a package is to those who import from it. */
enum set_kind {
	SET_NO_PACKAGE_FILE,
	SET_CACHED, /* a package of the download cache */
	SET_TEXT,
	SET_CONTAINER, /* of IoStore */
	SET_LIBRARY,   /* native code of the package of its stem */
	SET_RESOURCES,
	SET_CLASSES, /* a .u */
	SET_MAP,
};

static inline bool set_is_package(enum set_kind kind)
{
	return kind >= SET_RESOURCES;
}

/* A set_member is a file of the set, by its number in the set. */
struct set_member {
	enum set_kind kind;
	bool is_whole;        /* its tables are known, and nothing is wrong with it */
	struct order exports; /* by name and outer, once somebody imports from it */
	bool is_ordered, is_told;
	bool is_listed; /* of the cache: an entry names it */
};

/* A set_provider is a package, as it is looked for: by the hash of its stem, then by the stem, then
 * by where it lies. */
struct set_provider {
	uint32_t hash, where, file;
};
struct set_index {
	struct set_provider *rows; /* in their order */
	uint32_t n;
};

/* A set_flaw is what is wrong with a file, or with an import of its. */
struct set_flaw {
	uint64_t traits; /* one of enum set_flaw_trait */
	uint32_t file, other;
	uint32_t row;        /* an import of the file, or a line of it, or SET_NONE */
	uint32_t n_more;     /* as in struct keep */
	uint32_t in, object; /* XFL004, XFL005: the export of another file */
	uint64_t number, expected;
	const char *what; /* words of ours */
	bool lesser;
};

struct set_flaws {
	struct set_flaw *rows;
	uint32_t n;
	uint64_t max, traits;
	struct keep keeps[64][2]; /* by trait, and whether lesser */
};

struct set {
	const struct set_files *in;
	const struct group *groups;
	struct set_member *members; /* one for each file */
	/* packages; files of the download cache; native code of packages */
	struct set_index packages, caches, libraries;
	uint64_t game_version; /* the highest of the game's packages */
	struct set_flaws file_flaws, link_flaws, text_flaws;
	struct members folder; /* that is to be uploaded; no rows: none is */
	struct lay layout;     /* of it */
};

#define FORMAT set
#define FORMAT_DEF "formats/set/set.def"
#include "formats/declare_tables.h"

extern const struct format set_format;

/* set_text returns a name of a package of the set, set_name the same with its hash. */
static inline struct package_text set_text(const struct set *u, uint32_t file, uint32_t name)
{
	return package_text_of(u->in->files[file]->package, name);
}
static inline struct package_name set_name(const struct set *u, uint32_t file, uint32_t name)
{
	return package_name_of(u->in->files[file]->package, name);
}

/* set_stem_text returns what a file is called as a package, set_stem the same with its hash. */
static inline struct package_text set_stem_text(const struct set_file *f)
{
	return (struct package_text){ f->name + f->last_at, f->stem_len };
}
static inline struct package_name set_stem(const struct set_file *f)
{
	const struct package_text t = set_stem_text(f);

	return (struct package_name){ t, (uint32_t)package_text_hash(t) };
}

/* set_find_members finds out of each file what it is. set_order_providers sorts the packages.
 * false: that was noted for SET_FILES. */
bool set_find_members(struct decode *d, struct set *u);
bool set_order_providers(struct decode *d, struct set *u);

/* Where a package lies: SET_WHERES times its root, and how it lies there. In the game all lie in
 * one place, but for those in downloads. */
enum { SET_IN_CONTENTS = 0, SET_IN_ROOT = 1, SET_PACKED = 2, SET_WHERES = 4 };
uint32_t set_where(const struct set *u, uint32_t file);

/* A set_range is rows from <= place < to of an index. set_range_of gives those of a stem,
 * set_range_in those of them that lie in one place. */
struct set_range {
	uint32_t from, to;
};
struct set_range set_range_of(const struct set *u, const struct set_index *index,
			      struct package_name stem);
struct set_range set_range_in(const struct set_index *index, struct set_range of, uint32_t where);

/* set_find_providers gives the packages of a stem, which are `of`, that a file means by it: those
 * in its root, or else in downloads there, or else in the game. */
struct set_range set_find_providers(const struct set *u, uint32_t file, struct set_range of);

/* set_compare_files looks for files that conflict. set_link looks up every import. */
bool set_compare_files(struct decode *d, struct set *u);
bool set_link(struct decode *d, struct set *u);

/* set_order_exports puts the exports of a package in the order in which they are looked for; false:
 * memory ended, which was noted for SET_LINKS. set_find_class returns the class of that name in the
 * package itself; SET_NONE: it has none. */
bool set_order_exports(struct decode *d, struct set *u, uint32_t file);
uint32_t set_find_class(const struct set *u, uint32_t file, struct package_name name);

/* set_compare_containers finds which containers of one folder do not go together. */
bool set_compare_containers(struct decode *d, struct set *u);

/* set_compare_texts holds texts against packages. */
bool set_compare_texts(struct decode *d, struct set *u);

/* set_look_at_folder judges the folder that is to be uploaded. What is missing is noted for
 * SET_TREE and SET_SITE. */
void set_look_at_folder(struct decode *d, struct set *u);

/* set_add_flaw adds a row to a list, or counts it in one; false: memory ended, which was noted for
 * the group. */
bool set_add_flaw(struct decode *d, struct set_flaws *flaws, uint32_t group,
		  const struct set_flaw *flaw);

#endif

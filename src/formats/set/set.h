/* Sets of packages: the facts that comparing them finds. Source: conformance/spec/set.md. */
#ifndef UVET_FORMATS_SET_SET_H
#define UVET_FORMATS_SET_SET_H

#include "core/order.h"
#include "formats/keep.h"
#include "formats/set_files.h"

#define FORMAT set
#define FORMAT_DEF "formats/set/set.def"
#include "formats/declare.h"

/* No file, no row. */
#define SET_NONE UINT32_MAX

/* What a package is to those who import from it. */
enum set_kind {
	SET_NO_PACKAGE_FILE, /* it is no package, or a file of the download cache */
	SET_RESOURCES,
	SET_CLASSES, /* a .u */
	SET_MAP,
};

/* Names that rules know. */
enum set_word { SET_WORD_NONE, SET_WORD_CLASS, SET_WORD_CORE, SET_WORD_PACKAGE, N_SET_WORDS };

/* A set_member is a file of the set, by its number in the set. Names and stems that are equal
 * without case have one number in the whole set. */
struct set_member {
	enum set_kind kind;
	bool is_whole; /* its tables are known, and nothing is wrong with it */
	uint32_t stem;
	const uint32_t *ids;  /* of each of its names */
	struct order exports; /* by name and outer, once somebody imports from it */
	bool is_ordered, is_told;
};

/* A set_flaw is what is wrong with a file, or with an import of its. */
struct set_flaw {
	uint64_t traits; /* one of enum set_flaw_trait */
	uint32_t file, other;
	uint32_t row;        /* an import of the file, or SET_NONE */
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
	uint32_t words[N_SET_WORDS];
	/* members by stem, then by where they lie: where packages are looked for */
	struct order providers;
	uint64_t game_version; /* the highest of the game's packages */
	struct set_flaws file_flaws, link_flaws;
};

#define FORMAT set
#define FORMAT_DEF "formats/set/set.def"
#include "formats/declare_tables.h"

extern const struct format set_format;

/* set_text returns a name of a package of the set. */
static inline struct package_text set_text(const struct set *u, uint32_t file, uint32_t name)
{
	return package_text_of(u->in->files[file]->package, name);
}

/* set_stem_text returns what a file is called as a package. */
struct package_text set_stem_text(const struct set_file *f);

/* set_number_names gives equal names of all files one number, and finds out of each file what it is
 * and where it lies. false: that was noted for SET_FILES. */
bool set_number_names(struct decode *d, struct set *u);
bool set_find_places(struct decode *d, struct set *u);

/* set_order_providers sorts the packages. set_first_provider returns the place in that order of the
 * first package of a stem that lies in a root (as set_root_of numbers it), or SET_NONE;
 * set_is_provider tells whether the one at a place is of them, too. */
bool set_order_providers(struct decode *d, struct set *u);
uint64_t set_provider_key(const struct set *u, uint32_t file);
uint32_t set_first_from(const struct set *u, uint64_t key);
static inline uint64_t set_key(uint32_t stem, uint32_t where)
{
	return (uint64_t)stem << 32 | where;
}

/* Where a package is looked for: a root of the set, and whether in folders of the game's; what is
 * packed in downloads; or the game. */
enum { SET_IN_CONTENTS = 0, SET_IN_ROOT = 1, SET_PACKED = 2, SET_WHERES = 4 };

/* set_compare_files looks for files that conflict. set_link looks up every import. */
bool set_compare_files(struct decode *d, struct set *u);
bool set_link(struct decode *d, struct set *u);

/* set_add_flaw adds a row to a list, or counts it in one; false: memory ended, which was noted for
 * the group. */
bool set_add_flaw(struct decode *d, struct set_flaws *flaws, uint32_t group,
		  const struct set_flaw *flaw);

#endif

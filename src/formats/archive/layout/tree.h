/* The tree of an archive, as the parts of lay_examine pass it on to each other. */
#ifndef UVET_FORMATS_ARCHIVE_LAYOUT_TREE_H
#define UVET_FORMATS_ARCHIVE_LAYOUT_TREE_H

#include "formats/archive/layout/layout.h"

/* What a file is by its extension. */
enum lay_what {
	LAY_IS_LOADED = 1 << 0, /* or of use in another way */
	LAY_IS_PACKAGE = 1 << 1,
	LAY_IS_PACKED = 1 << 2,
	LAY_IS_CACHED = 1 << 3,
	LAY_IS_PAK = 1 << 4,
	LAY_IS_SET = 1 << 5, /* a part of a container of IoStore */
	LAY_IS_SIG = 1 << 6,
	LAY_IS_ASSET = 1 << 7,
	LAY_IS_EXPORTS = 1 << 8,
	LAY_IS_LEFT = 1 << 9,
	/* what makes an archive one that a game has a use for */
	LAY_IS_USEFUL = LAY_IS_LOADED | LAY_IS_PACKAGE | LAY_IS_PAK | LAY_IS_SET | LAY_IS_SIG |
			LAY_IS_ASSET | LAY_IS_EXPORTS,
};

/* One member, as the walk sees it: parts of its name. */
struct lay_member {
	uint32_t row;
	const struct arc_member *m;
	struct text name, folder, last, extension;
	uint32_t what;
	const char *home; /* the folder that a package belongs in */
};

/* A lay_tree is the walk over all members. */
struct lay_tree {
	struct decode *d;
	uint32_t group;
	const struct lay_archive *archive;
	struct lay *out;
	struct lay_member last;
	/* of the folder of the last member */
	struct text folder;
	uint32_t folder_trait; /* LAY_CLUTTER or LAY_WORKSHOP; 0: neither */
	char folder_settings;  /* the generation whose settings it has, '1' or '4'; else NUL */
	bool in_cache;
	/* sums */
	uint32_t what; /* that any file is */
	struct text top;
	bool is_noted;           /* what the folder of the last member is for the top one */
	bool has_top, is_spread; /* a first folder; not all files lie in it */
	bool has_mods_txt;       /* a list of mods that UE4SS loads */
	bool is_game;            /* it is a game's, or has a game's folder or a mod's in it */
};

/* lay_tell adds a row. NULL: memory ended, which is noted. */
UVET_MUST_USE struct lay_row *lay_tell(struct decode *d, uint32_t group, struct lay_list *l,
				       uint32_t trait, uint32_t member);

/* lay_look finds what a member is by its name. */
struct lay_member lay_look(const struct members *m, uint32_t row);

/* lay_is tells whether a name is an ASCII word, capital and small letters apart. */
bool lay_is(struct text name, const char *word);

/* lay_part gives the part of a path that begins at unit *at, and moves *at behind the separator.
 * false: there is no more. */
UVET_MUST_USE bool lay_part(struct text path, uint32_t *at, struct text *out);

/* lay_judge_site finds what the named site minds of the names. */
UVET_MUST_USE bool lay_judge_site(struct lay_tree *t);

#endif

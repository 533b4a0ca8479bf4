/* Sets: files that were checked together, as rules about them see them. Who gathers them is
 * engine/file_set.h; the format whose inputs they are is in formats/set/. */
#ifndef UVET_FORMATS_SET_FILES_H
#define UVET_FORMATS_SET_FILES_H

#include "formats/summary.h"

/* What a file is in its set. */
enum set_role {
	SET_GIVEN, /* it was to be checked: rules blame it */
	SET_GAME,  /* it is the game's, which the others are held against */
};

/* A set_file is what outlived a file. Its texts and rows lie in the arena of the set. */
struct set_file {
	const char *name;    /* as its report is called */
	uint32_t shown_at;   /* how many bytes of it all of its role begin with: the folder */
	uint32_t outer_len;  /* bytes of it that are the name of the file that it lies in; or 0 */
	uint32_t folder_len; /* bytes of the name up to the end of its folder */
	uint32_t last_at;    /* where its last component begins */
	uint32_t stem_len;   /* bytes of that up to its last dot */
	enum set_role role;
	/* the number of the folder that what belongs to it is looked for in: the same for files in
	 * several folders of one game */
	uint32_t root, root_len; /* and how many bytes of the name are that folder */
	bool in_contents; /* it lies in such a folder, as System, and not in the root itself */
	bool is_download; /* it came out of a .uz or its like; its folder is that one's */
	unsigned gaps;    /* enum summary_gap: what it lacks cannot be compared */
	const struct format *format;
	uint64_t size, version, licensee;
	enum summary_identity identity;
	uint32_t guid[4];
	uint64_t container, header; /* as in struct summary */
	bool is_container;
	bool has_crc;                          /* all of it was read */
	uint32_t crc;                          /* over all of it */
	const struct summary_package *package; /* NULL: it is no package, or was not read */
	const struct summary_lines *lines;     /* NULL: it is no text, or was not read */
	bool is_library;                       /* native code of the package of its stem */
};

/* A set_listed is a file of the folder that is to be uploaded, whatever it is. */
struct set_listed {
	const char *name; /* as its report is called */
	uint64_t size;
	uint32_t companion;   /* its number among the companions of the set's report */
	bool is_archive;      /* by its first bytes */
	bool is_lost;         /* a site reads it, and we could not */
	const uint8_t *bytes; /* of what a site reads and is no longer than UPLOAD_READ_MAX */
};

/* What became of an import. Packages first, then objects. */
enum set_found {
	SET_FOUND_NOT_YET,
	SET_FOUND_OWN,    /* the package itself, or one that no file has */
	SET_FOUND_GIVEN,  /* among the files that were given */
	SET_FOUND_PACKED, /* in a download among them */
	SET_FOUND_IN_GAME,
	SET_FOUND_ELSEWHERE, /* in another root, where it is not looked for */
	SET_FOUND_UNSEEN,    /* nowhere, but not everything was looked into */
	SET_FOUND_MISSING,   /* neither in the game nor among the files */
	SET_FOUND_NOT_GIVEN, /* not among the files, and there is no game */
	SET_OBJECT_FOUND,
	SET_OBJECT_MISSING,
	SET_OBJECT_MOVED,  /* missing, but one of its name lies elsewhere in the package */
	SET_OBJECT_NATIVE, /* missing, but it is a class that native code may make */
	SET_OBJECT_OTHER_CLASS,
	SET_OBJECT_PRIVATE,
	SET_OBJECT_NOT_JUDGED,
};

/* A set_import is an import of a package that was given, and what became of it. */
struct set_import {
	const struct set_file *file; /* that imports */
	/* of its import table; SET_NO_ROW: the file begins, and is compared or not */
	uint32_t row;
	bool is_compared;
	enum set_found found;
	const struct set_file *in; /* where it was found, or should have been; NULL: nowhere */
};
#define SET_NO_ROW UINT32_MAX

/* A set_import_sink takes the imports of each package in the order of its table, one package after
 * the other. */
typedef void set_import_sink(void *ctx, const struct set_import *i);

/* A set_files is a whole set. The files are in the order of their names' bytes, those that were
 * given before the game's, and of one name there is one. Places in findings number those that were
 * given from 1 on, as companions of the set's report. */
struct set_files {
	const struct set_file *const *files;
	uint32_t n_given, n; /* n counts the game's too */
	uint64_t n_lost;     /* files that were not kept, because memory ended */
	/* files that may have packages in them, or be such, and were not looked into to their
	 * end */
	uint64_t n_unseen;
	bool has_game;
	/* the folder that is to be uploaded: its files, in the order of their names, and how many
	 * bytes of these it is itself */
	const struct set_listed *listed;
	uint32_t n_listed, listed_at;
	set_import_sink *on_import; /* NULL: nobody asks */
	void *on_import_ctx;
};

/* All of a game is one root, wherever in its folder a file lies. */
#define SET_GAME_ROOT 0x3FFFFFFFu

/* set_files_number_roots sets root and in_contents of n files, fewer than SET_GAME_ROOT. false:
 * memory ended. */
UVET_MUST_USE bool set_files_number_roots(struct arena *arena, struct set_file *const *files,
					  uint32_t n);

/* set_is_one_of tells whether a text is one of a list of words, which ends in NULL, without regard
 * to case. */
bool set_is_one_of(const char *text, size_t len, const char *const *words);

#endif

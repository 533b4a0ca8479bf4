/* Summaries: what is kept of a file when its facts are freed, so that it can be compared with other
 * files. */
#ifndef UVET_FORMATS_SUMMARY_H
#define UVET_FORMATS_SUMMARY_H

#include "core/hash.h"
#include "formats/format.h"
#include "formats/summary_lines.h"
#include "formats/summary_package.h"

/* How many rows a list keeps, how many bytes of a text, and how many of a text's units its hash
 * covers. */
enum { SUMMARY_ROWS = 64, SUMMARY_TEXT = 64, SUMMARY_HASHED = 260 };

/* A summary_text is the beginning of a text of the file's, in UTF-8 that ends with a whole
 * character. It may hold any character, NUL and controls too, and has no NUL at its end. */
struct summary_text {
	uint64_t hash; /* of summary_hash */
	uint8_t len;   /* bytes */
	bool whole;    /* that is all of the text */
	uint8_t utf8[SUMMARY_TEXT];
};

/* A summary_row is something that has a name, a number, or both. */
struct summary_row {
	/* of everything that tells it from other rows, also what is not kept */
	uint64_t hash;
	uint64_t id;              /* 0 where it has none */
	struct summary_text name; /* empty where it has none */
};

/* A summary_list counts all rows and keeps the first of them. `hash` does not depend on the
 * order of the rows: lists that differ in it are not the same. Whoever builds files can make
 * different lists with the same hash, so that it proves nothing else. */
struct summary_list {
	bool is_known;             /* the file says what is in the list, and that was decoded */
	uint32_t n_rows, max_rows; /* how many are kept, and how many can be */
	uint64_t n, hash;
	struct summary_row *rows;
};

/* Why a summary may lack something, or say something that is not so. */
enum summary_gap {
	/* what it is taken from was not decoded, or the check was interrupted */
	SUMMARY_UNREAD = 1,
	SUMMARY_NO_MEMORY = 2, /* rows of lists were not kept because memory ended */
	SUMMARY_DOUBTED = 4,   /* the file is not sound, or not all rules could be asked */
};

/* What tells a file from others of the same name. */
enum summary_identity { SUMMARY_ANONYMOUS, SUMMARY_GUID, SUMMARY_CONTAINER };

/* What was computed over all bytes of the file. */
enum summary_digest { SUMMARY_NO_DIGEST, SUMMARY_CRC32 };

/* A summary is of one file that was judged. It points to nothing but its own lists and the
 * program's constants. */
struct summary {
	struct summary *next; /* of the file that was judged after it */
	struct arena *arena;  /* where its lists lie */
	const struct format *format;
	uint64_t depth;           /* 0: the input; of a file inside it 1, and so on */
	struct summary_text name; /* under which it was checked */
	unsigned gaps;            /* enum summary_gap; 0: it is complete */
	bool for_sets;            /* it has rows in place of lists */

	uint64_t version, licensee; /* licensee: 0 where the format has none */
	enum summary_identity identity;
	uint32_t guid[4];   /* SUMMARY_GUID, in the order of the file */
	uint64_t container; /* SUMMARY_CONTAINER */
	bool is_container;  /* of an engine that has containers, also without an id */
	/* of a container, the version of its header and 2 more, as the older of the two forms of
	 * UE4 counts as -1; 0: it has none, or it is not known */
	uint64_t header;
	enum summary_digest digest;
	uint32_t crc; /* SUMMARY_CRC32 */

	/* rows of these tables, or of what comes nearest; 0 where there are none */
	uint64_t n_names, n_imports, n_exports;
	struct summary_list needs;  /* packages that it needs, in other files */
	struct summary_list offers; /* what other files may need from it */

	/* What the engine says of where the file lies. Both texts are its report's. */
	const char *path;     /* as its report calls it */
	const char *own_path; /* the end of that behind the file around it; path: it lies in none */
	bool is_download;     /* it came out of a file that it gives its own name to */
	uint64_t size;        /* bytes */
	/* the rows of a package, where summaries are wanted for sets; NULL: they are not there */
	const struct summary_package *package;
	/* likewise those of a text beside packages, which is of no format */
	const struct summary_lines *lines;
	bool is_library; /* it is called as native code is, and is of no format */
};

/* A summaries is where the summaries of one check go, or of several. Whoever asks for them owns
 * the arena and sets its budget. If a check returned no report, its summaries mean nothing. */
struct summaries {
	struct arena *arena;
	/* in the order in which files were judged; NULL: there are none */
	struct summary *first, *last;
	uint64_t n;
	uint64_t n_lost; /* files of which there is none, because memory ended */
	/* only of files that rules about sets compare (struct format's in_sets), with their rows */
	bool for_sets;
};

/* summaries_add adds the summary of a file to fill in; NULL: memory ended, which is counted. */
UVET_MUST_USE struct summary *summaries_add(struct summaries *all, const struct format *f,
					    struct text name);

/* summary_note_stops sets SUMMARY_DOUBTED if decoding of any group ended at malformed or
 * unsupported bytes, at a limit, or for want of memory or input. */
void summary_note_stops(struct summary *s, const struct decode *d);

/* summary_text_of returns what is kept of a text. summary_hash is a hash of its first
 * SUMMARY_HASHED units and of how many it has. It is the same for texts that differ only in the
 * case of letters (text_fold), in the encoding, or in which of / and \ separates names. */
struct summary_text summary_text_of(struct text t);
uint64_t summary_hash(struct text t);

/* summary_open begins a list to which at most `most` rows will be added. One that is not known,
 * because what it is taken from was not decoded, makes the summary SUMMARY_UNREAD. For a file
 * that has no such list it is not called. */
void summary_open(struct summary *s, struct summary_list *list, bool is_known, uint64_t most);

/* summary_add_name adds a row with a name, and summary_add_id one with an id. `more` is what
 * else tells it from rows of the same name or id, or 0. */
void summary_add_name(struct summary_list *list, struct text name, uint64_t more);
void summary_add_id(struct summary_list *list, uint64_t id, uint64_t more);

/* summary_goes_on asks at some rows whether the check was interrupted, and notes it if it was; for
 * loops over tables. */
UVET_MUST_USE bool summary_goes_on(struct summary *s, struct decode *d, uint64_t row);

#endif

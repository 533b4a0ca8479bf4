/* Conflicts: what several sets of files claim, and which of them a game takes it from. The claims
 * of all files are gone through twice: first their hashes are kept and sorted, then, of hashes that
 * several sets have, the claims themselves. Where the hashes do not fit in memory, a part of them
 * is kept at a time. */
#ifndef UVET_CLI_CONFLICTS_H
#define UVET_CLI_CONFLICTS_H

#include "cli/settings.h"
#include "cli/walk.h"
#include "core/ascii.h"

/* Why a file is not judged whole: UVET_CLAIMS_ flags, and these. */
enum { FILE_CLOSED = 8, FILE_LINK = 16, FILE_CUT = 32, FILE_CHANGED = 64 };
enum { FILE_OTHER = 128, FILE_N_GAPS = 8 };

/* A conflict_file is one that was named or found. */
struct conflict_file {
	size_t path;   /* where it is in the text of all paths */
	uint32_t stem; /* of the path: files of one stem are one set */
	uint8_t gaps;
	bool is_loose;  /* it is in no archive */
	bool is_found;  /* the game finds it: a container has a .pak beside it */
	bool is_wanted; /* it has something that other sets have, too */
	uint64_t order; /* of mounting */
};

/* A claim_row is a claim by its hash. */
struct claim_row {
	uint64_t key;
	uint32_t file, kind;
};

/* A claim_text is a claim with what it says, at a place of the text of all. */
struct claim_text {
	size_t at;
	uint32_t len, file, kind;
};

/* How many parts of the hashes are counted, of which one pass or several keep some. */
enum { CONFLICT_PARTS = 1024 };

struct conflicts {
	const struct settings *settings;
	uvet_engine *engine;
	struct walk walk;

	struct conflict_file *files;
	size_t n_files, max_files;
	char *paths;
	size_t paths_len, max_paths;

	/* of the pass: which file comes next, and the file that is asked */
	size_t next_file, file;
	bool is_second, no_memory, overflows;
	uint64_t first_part, end_part; /* the hashes that are kept */
	uint64_t n_of_part[CONFLICT_PARTS];

	struct claim_row *rows; /* and, once sorted out, those that several sets have */
	size_t n_rows, room_rows, max_rows;
	struct claim_text *texts;
	size_t n_texts, room_texts;
	char *text;
	size_t text_len, room_text;
	uint64_t max_text; /* bytes for texts and what they say */
	bool cut;          /* some were left out */
};

/* What became of a claimant of something that several sets claim. */
enum claimant { CLAIMANT_WINS, CLAIMANT_TIES, CLAIMANT_LOSES, CLAIMANT_UNFOUND };

/* A conflict is one claim with the claimants, each set once, the highest order first. */
struct conflict {
	uvet_claim kind;
	const char *bytes;
	size_t len;
	const uint32_t *files;
	const uint8_t *ends; /* enum claimant of each */
	size_t n;
};

/* conflicts_find goes through the files, and passes conflicts on, in the order of kinds and of
 * what they say. It returns STATUS_DONE, or the exit code after a message. conflicts_free is
 * called either way. */
struct teller {
	void (*take)(void *ctx, const struct conflicts *c, const struct conflict *found);
	void *ctx;
};
int conflicts_find(struct conflicts *c, const struct settings *settings, const struct teller *to);
void conflicts_free(struct conflicts *c);

/* conflicts_fold is a byte of a claim as it is compared: engines compare paths without regard to
 * the case of letters. */
static inline unsigned char conflicts_fold(uvet_claim kind, unsigned char c)
{
	if (kind != UVET_CLAIM_PATH)
		return c;
	return c == '\\' ? '/' : (unsigned char)ascii_lower((char)c);
}

static inline const char *conflicts_path(const struct conflicts *c, size_t file)
{
	return c->paths + c->files[file].path;
}

/* conflicts_same_set tells whether two files are of one set. */
bool conflicts_same_set(const struct conflicts *c, uint32_t a, uint32_t b);

#endif

/* Sets: gathering what outlives the files that were checked together, and judging it. */
#ifndef UVET_ENGINE_FILE_SET_H
#define UVET_ENGINE_FILE_SET_H

#include "engine/engine.h"
#include "engine/file_listing.h"
#include "formats/set_files.h"

/* A set owns copies of all that is compared, under the engine's limit of memory. */
struct file_set {
	struct engine *engine;
	struct arena arena;
	struct set_file **files; /* in the order in which they came */
	uint64_t n, max;
	uint64_t n_lost, n_unseen;
	bool has_game;
	bool below_root; /* files are called by their paths below the engine's path_root */
	struct file_listing listing; /* of the folder that is to be uploaded, if there is one */
	struct set_files settled;    /* what file_set_settle made of them */
	const char *name;            /* of the set's report: the folder of all that was given */
};

void file_set_init(struct file_set *s, struct engine *e);
void file_set_free(struct file_set *s);

/* file_set_add adds the files that a report is about, from what the report has kept (struct
 * engine's sets). What memory does not suffice for is counted, and the set is undetermined. */
void file_set_add(struct file_set *s, const struct report *r, enum set_role role);

/* file_set_list adds a file to the folder that is to be uploaded, if the engine was told for what
 * (struct engine's upload). Its name begins with that folder, of folder_len bytes with a
 * separator. */
void file_set_list(struct file_set *s, const char *name, size_t folder_len,
		   const struct source_io *io);

/* file_set_settle puts the files in order, whatever the order in which they came. It is called
 * once, when all are there. */
void file_set_settle(struct file_set *s);

/* file_set_is_worth_a_report tells of a settled set whether rules have anything to compare in it:
 * two packages that may belong together, or one and a game. */
bool file_set_is_worth_a_report(struct file_set *s);

/* file_set_imports passes what became of each import to a sink, and judges nothing. */
enum map_result file_set_imports(struct file_set *s, const struct check_input *in,
				 set_import_sink *sink, void *ctx);

/* file_set_check judges a settled set. in is an input without bytes: of its members those count
 * that end the check early. NULL: memory ended before there was a report. */
struct report *file_set_check(struct file_set *s, const struct check_input *in);

#endif

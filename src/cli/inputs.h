/* Inputs: what is to be checked, one after the other, in the order of the command line; parts of containers last. */
#ifndef UVET_CLI_INPUTS_H
#define UVET_CLI_INPUTS_H

#include "cli/parts.h"
#include "cli/settings.h"
#include "cli/buffer.h"
#include "cli/walk.h"

enum input_kind {
	INPUT_NAMED,            /* a path that was named; not open */
	INPUT_WALKED,           /* a file from a folder; open, and closed by whoever takes it */
	INPUT_CLOSED,           /* something in a folder that could not be opened */
	INPUT_LINK,             /* a link in a folder */
	INPUT_TOLD,             /* the path of a part of a container that was found, and of which a check told; not open */
	INPUT_STDIN_FILE,       /* standard input; open, and stays so */
	INPUT_STDIN_BYTES,      /* standard input, in memory of the inputs */
};

struct input {
	enum input_kind kind;
	const char *path;               /* as the report calls it */
	struct platform_file file;
	const void *bytes;
	size_t len;
};

/* Inputs own the list, what came from standard input, and the walk. */
struct inputs {
	const struct settings *settings;
	int next_operand;
	struct slurp list, stdin_bytes;
	struct input stdin_input;       /* when inputs_read_stdin has taken it */
	size_t next_in_list;
	struct parts parts;             /* that are named, or were found */
	size_t next_part;
	struct settings own;            /* of inputs_open_left and inputs_open_told */
	enum input_kind kind;           /* of what is named: INPUT_NAMED, or INPUT_TOLD of all */
	bool walking;
	const char *root;               /* of the walk */
	struct walk walk;
	bool (*is_left_out)(const void *ctx, const struct platform_identity *file);      /* of the files in folders; NULL: none is */
	const void *is_left_out_ctx;
	bool may_wait;                  /* what cannot be opened because too many files are open comes later: others will be closed */
};

/* An inputs_mark is a place behind an input: what is taken next, and what was left out before. */
struct inputs_mark {
	int next_operand;
	size_t next_in_list, next_part, n_parts;
	bool walking;
	const char *root;
	uint64_t n_links, n_others, n_mounts;
};

enum inputs_result { INPUTS_NEXT, INPUTS_LATER, INPUTS_END, INPUTS_NO_MEMORY };

/* inputs_open reads the list. It returns STATUS_DONE, or the exit code after a message;
 * inputs_close is called either way. */
int inputs_open(struct inputs *in, const struct settings *settings);
void inputs_close(struct inputs *in);

/* inputs_open_left makes inputs of the parts of containers that are named, or were found in folders, and of which no check told
 * (parts_tell), when all others were checked; inputs_open_told of those that were found and of which one did. `first`, whose they are,
 * outlives them. False: there is no memory; inputs_close is called either way. */
bool inputs_open_left(struct inputs *in, const struct inputs *first);
bool inputs_open_told(struct inputs *in, const struct inputs *first);

/* inputs_read_stdin takes standard input, if it is named, before the first check: so it is known how much memory is left for checks.
 * inputs_memory_left tells how much of --max-memory the inputs do not hold, in bytes. */
void inputs_read_stdin(struct inputs *in);
uint64_t inputs_memory_left(const struct inputs *in);

/* inputs_next gives the next input; its path lives until the next call. INPUTS_LATER: only if may_wait. */
enum inputs_result inputs_next(struct inputs *in, struct input *out);

/* inputs_mark gives the place behind the last input; inputs_return goes back there, so that the inputs behind it come again and only the
 * folders are open that it lies in. path is that of the input. False: there is no memory. */
struct inputs_mark inputs_mark(const struct inputs *in);
bool inputs_return(struct inputs *in, const struct inputs_mark *to, const char *path);

/* inputs_count returns how many files are named, SIZE_MAX if they are not known before the folders have been walked. */
size_t inputs_count(const struct inputs *in);

/* inputs_name tells whether a file is one of those that were named to be checked; inputs_options_name, whether an option named it to be
 * read, as a list or a file of keys. */
bool inputs_name(const struct inputs *in, const struct platform_identity *file);
bool inputs_options_name(const struct inputs *in, const struct platform_identity *file);

/* input_is_part tells by a path's ending whether it is a part of a container, which is checked with its .utoc. A plain file that is one is
 * no input before inputs_open_left, named or found; if no files beside inputs are wanted, one that is found is an input at once, and so
 * always is a .pak that is found. */
bool input_is_part(const char *path);

/* input_is_container tells by a path's ending whether it is what a container is checked by. */
bool input_is_container(const char *path);

/* input_may_be_part is true also of a .pak, which belongs to a container or to nobody that uvet knows. */
bool input_may_be_part(const char *path);

/* input_stdin makes an input of standard input, which may have `most` bytes if it is no file. What it is read into is freed with
 * slurp_free. */
void input_stdin(const struct settings *settings, uint64_t most, struct slurp *bytes, struct input *out);

#endif

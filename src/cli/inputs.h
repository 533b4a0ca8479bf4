/* Inputs: what is to be checked, one after the other, in the order of the command line; parts of
 * containers last. */
#ifndef UVET_CLI_INPUTS_H
#define UVET_CLI_INPUTS_H

#include "cli/parts.h"
#include "cli/progress.h"
#include "cli/settings.h"
#include "cli/buffer.h"
#include "cli/walk.h"

enum input_kind {
	INPUT_NAMED,  /* a path that was named; not open */
	INPUT_OPENED, /* a file that was named; open, and closed by whoever takes it */
	INPUT_WALKED, /* a file from a folder; open, and closed by whoever takes it */
	INPUT_CLOSED, /* something in a folder that could not be opened */
	INPUT_LINK,   /* a link in a folder */
	/* the path of a .pak or .sig that was found and belongs to no container; not open */
	INPUT_IDLE,
	INPUT_STDIN_FILE,  /* standard input; open, and stays so */
	INPUT_STDIN_BYTES, /* standard input, in memory of the inputs */
};

struct input {
	enum input_kind kind;
	const char *path; /* as the report calls it */
	struct platform_file file;
	const void *bytes;
	size_t len;
};

/* Inputs own the list, what came from standard input, and the walk. */
struct inputs {
	const struct settings *settings;
	int next_operand;
	struct buffer list, stdin_bytes;
	struct input stdin_input; /* set by inputs_read_stdin */
	size_t next_in_list;
	struct parts parts; /* those named, and those found in folders */
	size_t next_part;
	struct settings own;  /* of inputs_open_left and its like */
	enum input_kind kind; /* of all paths that are named: INPUT_NAMED or INPUT_IDLE */
	bool walks;           /* a folder is named, or may be */
	bool opens;           /* paths are many, and opened to see which are files */
	bool walking;
	const char *root;    /* of the walk */
	uint64_t n_filtered; /* what globs left out in folders */
	uint64_t n_found;    /* files in folders */
	bool is_full;        /* they are more than the user allows */
	struct walk walk;
	/* is_left_out tells which files in folders are skipped; NULL: none is. */
	bool (*is_left_out)(const void *ctx, const struct platform_identity *file);
	const void *is_left_out_ctx;
	/* on_found is told of each file that a walk finds and globs do not leave out, open, as it
	 * is, and of the folder that the walk began in; it may be told again after inputs_return.
	 * NULL: nobody asks. */
	void (*on_found)(void *ctx, const char *root, const char *path, struct platform_file *file);
	void *on_found_ctx;
	struct progress *progress; /* is hidden before a message; NULL: there is none */
	bool may_wait; /* if too many files are open, the caller will close some and ask again */
};

/* An inputs_mark is the position after an input: what comes next, and what was left out so far. */
struct inputs_mark {
	int next_operand;
	size_t next_in_list, next_part, n_parts;
	bool walking;
	const char *root;
	uint64_t n_links, n_others, n_mounts, n_filtered, n_found;
};

enum inputs_result { INPUTS_NEXT, INPUTS_LATER, INPUTS_END, INPUTS_NO_MEMORY };

/* inputs_open reads the list. It returns STATUS_DONE, or the exit code after a message;
 * inputs_close is called either way. */
int inputs_open(struct inputs *in, const struct settings *settings);
void inputs_close(struct inputs *in);

/* After all other inputs were checked: inputs_open_owners makes inputs of the containers of parts
 * that were named without them. After these, inputs_open_left makes inputs of the parts that no
 * check looked at (parts_tell), inputs_open_idle of those that nobody misses (parts_idle). They
 * belong to `first`, which outlives them. false: memory ended; inputs_close is called either
 * way. */
bool inputs_open_owners(struct inputs *in, struct inputs *first);
bool inputs_open_left(struct inputs *in, const struct inputs *first);
bool inputs_open_idle(struct inputs *in, const struct inputs *first);

/* inputs_read_stdin reads standard input, if it is named, before the first check, so that it is
 * known how much memory is left for checks: inputs_memory_left, the bytes of --max-memory that
 * the inputs do not hold. */
void inputs_read_stdin(struct inputs *in);
uint64_t inputs_memory_left(const struct inputs *in);

/* inputs_next gives the next input; its path lives until the next call. INPUTS_LATER: only if
 * may_wait. */
enum inputs_result inputs_next(struct inputs *in, struct input *out);

/* inputs_mark gives the position after the last input. inputs_return goes back there: the inputs
 * after it come again, and no folders are open but those that it lies in. path is that of the
 * input. false: memory ended. */
struct inputs_mark inputs_mark(const struct inputs *in);
bool inputs_return(struct inputs *in, const struct inputs_mark *to, const char *path);

/* inputs_count returns how many files are named, SIZE_MAX if they are not known before the folders
 * have been walked. */
size_t inputs_count(const struct inputs *in);

/* inputs_name tells whether a file is one of those that were named to be checked;
 * inputs_options_name, whether an option named it to be read, as a list or a file of keys. */
bool inputs_name(const struct inputs *in, const struct platform_identity *file);
bool inputs_options_name(const struct inputs *in, const struct platform_identity *file);

/* input_is_part tells by the ending of a path whether it is a part of a container, which is
 * checked with its .utoc. A plain file that is or may be one waits for inputs_open_left, whether
 * it was named or found. With --siblings none, one that was found is checked at once. */
bool input_is_part(const char *path);

/* input_is_container tells by a path's ending whether it is what a container is checked by. */
bool input_is_container(const char *path);

/* input_may_be_part is true of a .pak and a .sig too, which may belong to a container. */
bool input_may_be_part(const char *path);

/* input_is_absent tells whether nothing is at a path. */
bool input_is_absent(const char *path);

/* input_stdin makes an input of standard input. If that is no file, at most `most` bytes are
 * read into a buffer that the caller frees with buffer_free. */
void input_stdin(const struct settings *settings, uint64_t most, struct buffer *bytes,
		 struct input *out);

#endif

/* Settings: what the command line asks for. */
#ifndef UVET_CLI_SETTINGS_H
#define UVET_CLI_SETTINGS_H

#include <stdbool.h>

#include <uvet/uvet.h>

#include "cli/acceptance.h"
#include "cli/config.h"
#include "cli/globs.h"
#include "platform/platform.h"

/* Exit codes, besides those of uvet_writer_exit_code. */
enum {
	STATUS_DONE = 0,
	STATUS_UNDETERMINED = 2,
	STATUS_USAGE = 3,
	STATUS_TROUBLE = 4,
	/* whoever read standard output closed it; a shell says so of what SIGPIPE ends */
	STATUS_HUNG_UP = 141
};

enum command_id {
#define COMMAND(id, operands, fewest, most, help) COMMAND_##id,
#include "cli/commands.def"
#undef COMMAND
	COMMAND_COUNT
};

/* command_info is one row of commands.def. */
struct command_info {
	const char *name, *operands;
	int fewest, most;
	const char *help;
};
extern const struct command_info command_infos[COMMAND_COUNT];

enum option_id {
#define OPTION(id, letter, name, argument, commands, where, help) OPTION_##id,
#include "cli/options.def"
#undef OPTION
	OPTION_COUNT
};

/* option_info is one row of options.def. commands is a set of bits 1 << command_id; names_input:
 * its argument is a file that is read; is_policy: a configuration may set it, as it neither names
 * a file nor has anything run. */
struct option_info {
	char letter;
	const char *name, *argument;
	unsigned commands;
	bool names_input, is_policy;
	const char *help;
};
extern const struct option_info option_infos[OPTION_COUNT];

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* OUTPUT_BASELINE is the format of an output that is no report. */
#define OUTPUT_BASELINE "baseline"

/* An output_request is one --format of check. file is NULL for standard output. */
struct output_request {
	const char *format, *file;
};

enum { OUTPUTS_MAX = 16, NAMED_MAX = 64, JOBS_MAX = 64, WIDTH_MAX = 1000, FOLDER_MAX = 4096 };

/* An applied setting is one that was made, and where it comes from. value is NULL for an option
 * that takes none; line is that of the configuration, or 0. */
enum origin { ORIGIN_PROFILE, ORIGIN_CONFIG, ORIGIN_ARGUMENT };

struct applied {
	enum origin origin;
	const char *option, *value;
	unsigned line;
};

/* Settings point into argv and own the library's options and what they need; they are not
 * copied. */
struct settings {
	enum command_id command;
	enum command_id topic; /* of help; COMMAND_COUNT: uvet as a whole */
	uvet_options *options;
	char **operands;
	int n_operands;
	bool manual;                   /* of help */
	struct globs include, exclude; /* of files in folders */
	const char *profile;           /* NULL: none */
	struct config config;          /* with no path: there is none */
	bool isolated, show_settings;
	struct applied *applied; /* with show_settings: in the order in which they were made */
	size_t n_applied, max_applied;
	struct baseline_request baseline;
	struct accepted_paths accepted; /* findings that are accepted by the path of their file */
	bool statistics, no_progress;
	bool other_file_systems; /* are entered */
	uint64_t max_files;      /* in folders; 0: any number */
	bool recursive, quiet, unknown_given, no_siblings;
	enum color color;
	unsigned jobs;
	uint64_t memory; /* --max-memory, in bytes */
	struct platform_library oodle;
	const char *stdin_name; /* NULL: not given */
	const char *list;       /* of --files0-from; NULL: not given */
	/* files that options name to be read: lists, keys, libraries */
	const char *named[NAMED_MAX];
	int n_named;
	const char *references[NAMED_MAX]; /* of --policy-from */
	int n_references;
	const char *global; /* of --global; NULL: not given */
	const char *game;   /* a folder, of --game-dir; NULL: not given */
	bool no_sets;
	const char *query_format; /* of the commands other than check */
	struct output_request outputs[OUTPUTS_MAX];
	int n_outputs;
};

/* settings_parse reads the arguments of main. It returns STATUS_DONE, or the exit code after a
 * message; settings_free is called either way. */
int settings_parse(int argc, char **argv, struct settings *out);
void settings_free(struct settings *s);

/* settings_take makes one setting; number is as option_at counts. false: it cannot be made, which a
 * message says. */
bool settings_take(struct settings *s, size_t number, const struct applied *a);

/* settings_memory is how many bytes --max-memory allows the whole run; settings_set_memory sets how
 * many of them one check may use. */
uint64_t settings_memory(const struct settings *s);
void settings_set_memory(const struct settings *s, uint64_t n);

/* command_find returns the command of that name, or COMMAND_COUNT. */
enum command_id command_find(const char *name);

/* limit_option fills *out with the option of a limit; false past the last. */
bool limit_option(size_t index, struct option_info *out);

/* option_at fills *out with one of all options: those of the table, then those of the limits, of
 * which the first has the index OPTION_COUNT. false past the last. */
bool option_at(size_t index, struct option_info *out);

/* policy_option finds an option that a configuration may set, by its name, and returns its index;
 * SIZE_MAX: there is none. */
size_t policy_option(const char *name, struct option_info *out);

#endif

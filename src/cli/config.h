/* Configurations: files in the form of INI that say what is asked of files, found beside the work
 * or named by --config. */
#ifndef UVET_CLI_CONFIG_H
#define UVET_CLI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

/* What a configuration may be at most; longer ones are refused. A line is shorter than inih's own
 * limit, past which it would be read as two. */
enum { CONFIG_SIZE_MAX = 65536, CONFIG_LINE_MAX = 190, CONFIG_WORD_MAX = 48 };

/* The file that is looked for. */
#define CONFIG_NAME ".uvet.ini"

/* A config_line is one setting: [section "glob"], then name = value, which assignment joins as
 * name=value. glob is "" where the section has none. */
struct config_line {
	const char *section, *glob, *name, *value, *assignment;
	unsigned line; /* from 1 */
};

/* A config owns its lines and their strings. path is NULL if there is none. */
struct config {
	char *path;
	struct config_line *lines;
	size_t n;
	char *texts; /* the strings of the lines */
	size_t n_texts;
};

/* What is checked: the paths that are named, and whether a list names others. */
struct config_search {
	char *const *operands;
	int n_operands;
	bool has_list;
	bool from_strangers; /* the profile says so */
};

/* config_find looks for a configuration in the working directory and those above it, up to the
 * first that has a .git, and never through a link. One that lies in a folder that is checked, or
 * beside a file that is, may have come with it: it is not used, which a message says. Neither is
 * one that is not known to be the user's own, nor any where strangers sent what is checked. A
 * message says too which is used.
 * config_open reads the one at path. Both return STATUS_DONE, or the exit code after a message;
 * config_free is called either way. */
int config_find(struct config *c, const struct config_search *search);
int config_open(struct config *c, const char *path);
void config_free(struct config *c);

/* config_parse reads a text, which has a NUL at its end, into the lines of c. false: it cannot be
 * read, which a message says. */
bool config_parse(struct config *c, const char *text, size_t len);

/* config_library names the library that reads configurations; "none": this build reads none. */
const char *config_library(void);

#endif

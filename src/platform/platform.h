/* What differs between systems: files, memory, folders, streams, outputs, threads, time and the
 * process itself.
 *
 * Paths are UTF-8 on Windows and plain bytes elsewhere; '/' separates on every system. The
 * library uses files and memory, the rest serves the command line. Functions that return bool
 * give false for a failure, and then there is nothing to close; platform_error says why. */
#ifndef UVET_PLATFORM_PLATFORM_H
#define UVET_PLATFORM_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compiler.h"
#include "core/source.h"

/* ---- Errors ---------------------------------------------------------------------------------- */

/* platform_error returns the system's code for the failure of the last platform function in this
 * thread.
 * platform_error_text writes what the system says about a code, in English where it can choose,
 * as one line and a NUL to buf. */
int platform_error(void);
void platform_error_text(int code, char *buf, size_t size);

/* platform_error_words says why a file could not be opened, in words that are the same on every
 * system, for reports. */
const char *platform_error_words(int code);

/* platform_is_crowded tells whether a code means that too many files are open, so that a later try
 * may succeed. */
bool platform_is_crowded(int code);

/* platform_is_absent tells whether a code means that nothing is there. */
bool platform_is_absent(int code);

/* platform_is_hung_up tells whether a code means that whoever read from a pipe closed it. */
bool platform_is_hung_up(int code);

/* ---- Files ----------------------------------------------------------------------------------- */

/* A platform_identity tells which file it is and in which state. Times are in the system's own unit
 * and epoch. */
struct platform_identity {
	uint64_t device, number;    /* which file */
	uint64_t size;              /* in bytes */
	uint64_t modified, changed; /* contents, and anything at all */
};

/* A platform_file is a regular file that is open for reading. */
struct platform_file {
	intptr_t handle;
	struct platform_identity identity; /* when it was opened */
};

/* platform_file_open opens a regular file. A link at path is followed. It never blocks: what is not
 * a regular file is refused. */
UVET_MUST_USE bool platform_file_open(const char *path, struct platform_file *out);

/* platform_file_open_stdin takes standard input as a file, if it is a regular file that nobody has
 * read from yet. */
UVET_MUST_USE bool platform_file_open_stdin(struct platform_file *out);

/* platform_sibling_open opens the regular file of that name in the folder of the file at path.
 * It never follows a link. What is there but cannot be opened is refused;
 * PLATFORM_SIBLING_CROWDED: too many files are open. */
enum platform_sibling {
	PLATFORM_SIBLING_OPEN,
	PLATFORM_SIBLING_ABSENT,
	PLATFORM_SIBLING_REFUSED,
	PLATFORM_SIBLING_CROWDED
};
UVET_MUST_USE enum platform_sibling platform_sibling_open(const char *path, const char *name,
							  struct platform_file *out);

/* platform_sibling_find looks through that folder for names that differ from an absent one in
 * the case of letters of ASCII alone. The first of them by its bytes is put into spelling, with
 * a NUL, and PLATFORM_SIBLING_OPEN is returned, though nothing is opened. Where the system finds
 * names in any case there are none. A folder that may not be listed or has more than 4096 names
 * is taken to have none. */
enum { PLATFORM_SPELLING_SIZE = 256 };
UVET_MUST_USE enum platform_sibling platform_sibling_find(const char *path, const char *name,
							  char spelling[PLATFORM_SPELLING_SIZE]);

/* platform_siblings_list puts the names of files in that folder that end in `ending` (ending_is)
 * into names, in the order of their bytes: up to `max`, those that come first. It returns how many
 * there are; 0 too if the folder may not be listed or has more than 4096 names. Names that do not
 * fit in a row are passed over. */
size_t platform_siblings_list(const char *path, const char *ending,
			      char names[][PLATFORM_SPELLING_SIZE], size_t max);

/* platform_file_is_own tells whether a file is known to belong to the user who runs the process, or
 * to the system's. On Windows it is never known. */
bool platform_file_is_own(const struct platform_file *f);

void platform_file_close(struct platform_file *f);

/* platform_file_io returns the io of a source over f, which stays the caller's and outlives it.
 * Its functions may be called from several threads at once. */
struct source_io platform_file_io(struct platform_file *f);

/* ---- Memory ---------------------------------------------------------------------------------- */

/* platform_alloc returns size bytes aligned for any object, or NULL; platform_release gives them
 * back and wants the same size. Large blocks are given in huge pages where the system has them,
 * because page faults are the largest cost of a large table. ctx is not used: the two fit struct
 * allocator. */
UVET_MUST_USE void *platform_alloc(void *ctx, size_t size);
void platform_release(void *ctx, void *memory, size_t size);

/* ---- Folders --------------------------------------------------------------------------------- */

enum platform_kind {
	PLATFORM_FILE, /* a regular file */
	PLATFORM_FOLDER,
	PLATFORM_LINK,  /* symbolic link, or on Windows any reparse point */
	PLATFORM_OTHER, /* FIFO, socket, device, or nothing that can be found */
};

/* platform_path_look says what a path names. It follows links, so the answer is never
 * PLATFORM_LINK. Unless it is PLATFORM_OTHER, *out is set. */
enum platform_kind platform_path_look(const char *path, struct platform_identity *out);

/* platform_folder_len returns the length of the part of a path before its last component, with the
 * separator. */
size_t platform_folder_len(const char *path);

/* platform_working_folder writes the absolute path of the folder that relative paths begin in, with
 * a NUL; false: there is none, or it does not fit. */
UVET_MUST_USE bool platform_working_folder(char *buf, size_t size);

/* platform_same_file tells whether two identities are of one file, in whatever state. */
bool platform_same_file(const struct platform_identity *a, const struct platform_identity *b);

/* A platform_folder is a folder that is open for listing and for opening what lies in it. */
struct platform_folder {
	void *handle;
	uint64_t device; /* which file system it lies on */
};

/* A platform_entry is one name in a folder, "." and ".." left out. name lives until the next
 * call. */
struct platform_entry {
	const char *name;
	enum platform_kind kind;
};

/* platform_folder_open opens the folder at path; a link there is followed. */
UVET_MUST_USE bool platform_folder_open(const char *path, struct platform_folder *out);

/* platform_folder_enter opens a folder by its name in another one, and never through a link. */
UVET_MUST_USE bool platform_folder_enter(const struct platform_folder *parent, const char *name,
					 struct platform_folder *out);

/* platform_folder_open_file opens a regular file by its name in a folder, never through a link. */
UVET_MUST_USE bool platform_folder_open_file(const struct platform_folder *f, const char *name,
					     struct platform_file *out);

/* platform_folder_next gives the next entry, in the system's order. At the end it returns false
 * with *failed unset. */
UVET_MUST_USE bool platform_folder_next(struct platform_folder *f, struct platform_entry *out,
					bool *failed);

void platform_folder_close(struct platform_folder *f);

/* ---- Streams: standard input, and what is named as a list ------------------------------------ */

struct platform_stream {
	intptr_t handle;
};

/* platform_stream_open opens anything that can be read, and waits for the writer of a FIFO; path
 * NULL is standard input. */
UVET_MUST_USE bool platform_stream_open(const char *path, struct platform_stream *out);

/* platform_stream_open_file opens a regular file, or the inherited descriptor that the path names.
 * It never waits. */
UVET_MUST_USE bool platform_stream_open_file(const char *path, struct platform_stream *out);

/* platform_stream_read reads at least one byte and at most len; *n_read is 0 only at the end. */
UVET_MUST_USE bool platform_stream_read(struct platform_stream *s, void *buf, size_t len,
					size_t *n_read);

void platform_stream_close(struct platform_stream *s);

/* ---- Outputs --------------------------------------------------------------------------------- */

/* A platform_output is what is written to. Standard output, pipes and devices are written to
 * directly. A file is replaced: it is written to a temporary file in the same folder, and
 * platform_output_replace renames that; until then the old file stays as it is. */
struct platform_output {
	intptr_t handle;
	struct platform_identity identity; /* of what is there; of a file, before it is replaced */
	struct platform_target *target;    /* NULL: it is written to directly */
	bool is_device;                    /* which two outputs may share */
};

/* How many files can be written through temporary files at once. */
enum { PLATFORM_TARGETS_MAX = 16 };

enum platform_output_result {
	PLATFORM_OUTPUT_OPEN,
	PLATFORM_OUTPUT_FAILED,     /* platform_error says why */
	PLATFORM_OUTPUT_NOT_A_FILE, /* a link, a folder, a disk */
	PLATFORM_OUTPUT_SHARED,     /* the file has a second name, which would keep what it holds */
	PLATFORM_OUTPUT_UNREAD,     /* a pipe that nobody reads from */
};

/* platform_output_open looks at what path names, and makes sure that it may be written; a file
 * is neither made nor changed. A path below /dev or /proc that names an inherited descriptor
 * means that descriptor. */
enum platform_output_result platform_output_open(const char *path, struct platform_output *out);

/* platform_output_begin makes the temporary file. It is removed by platform_output_discard, and
 * when a signal ends the process. */
UVET_MUST_USE bool platform_output_begin(struct platform_output *o);

/* platform_output_stdout gives standard output. */
struct platform_output platform_output_stdout(void);

/* platform_output_same tells whether two outputs would be written over or into each other. */
bool platform_output_same(const struct platform_output *a, const struct platform_output *b);

/* platform_output_is tells whether a file is one that an output will replace, or its temporary
 * file. */
bool platform_output_is(const struct platform_output *o, const struct platform_identity *file);

/* platform_output_write writes all of the bytes; false if any could not be written. */
UVET_MUST_USE bool platform_output_write(struct platform_output *o, const void *bytes, size_t len);

/* platform_output_finish returns false if the system reports a failure late. A temporary file is
 * on the disk afterwards, so that a crash of the system leaves either the old or the new file,
 * and that complete. */
UVET_MUST_USE bool platform_output_finish(struct platform_output *o);

/* platform_output_replace renames a finished temporary file to the name of the output.
 * *is_another is set, and nothing is replaced, if the path no longer names the file that
 * platform_output_open looked at. */
UVET_MUST_USE bool platform_output_replace(struct platform_output *o, bool *is_another);

/* platform_output_discard closes an output, and removes a temporary file that was not renamed. */
void platform_output_discard(struct platform_output *o);

/* platform_stdout_is_terminal tells whether standard output is a terminal that shows colours. */
bool platform_stdout_is_terminal(void);

/* platform_stderr_is_terminal and platform_stderr_columns ask the same of standard error, of which
 * colours are not wanted. */
bool platform_stderr_is_terminal(void);
unsigned platform_stderr_columns(void);

/* platform_stdout_columns is how many columns the terminal has that standard output is, or 0 where
 * it is none or does not say. */
unsigned platform_stdout_columns(void);

/* ---- Threads --------------------------------------------------------------------------------- */

struct platform_thread;

/* platform_thread_start runs a function in a thread of its own; platform_thread_join waits for its
 * end and frees it. */
UVET_MUST_USE bool platform_thread_start(void (*run)(void *ctx), void *ctx,
					 struct platform_thread **out);
void platform_thread_join(struct platform_thread *t);

/* A platform_monitor is a lock with PLATFORM_CONDITIONS condition variables, which have numbers. */
struct platform_monitor;
enum { PLATFORM_CONDITIONS = 2 };

UVET_MUST_USE bool platform_monitor_new(struct platform_monitor **out);
void platform_monitor_free(struct platform_monitor *m);
void platform_monitor_enter(struct platform_monitor *m);
void platform_monitor_leave(struct platform_monitor *m);

/* platform_monitor_wait leaves the monitor, waits to be woken, and enters it again. It may wake
 * up for no reason, so the caller checks again. */
void platform_monitor_wait(struct platform_monitor *m, int condition);
void platform_monitor_wake_all(struct platform_monitor *m, int condition);

/* platform_processors returns how many threads can run at once, at least 1. */
unsigned platform_processors(void);

/* ---- Time ------------------------------------------------------------------------------------ */

/* platform_now gives nanoseconds of a clock that never goes back; its epoch is the system's own. */
uint64_t platform_now(void);

/* platform_today gives the day in UTC as a number with the digits YYYYMMDD. Where the system does
 * not know, it is later than any. */
uint32_t platform_today(void);

/* ---- Libraries ------------------------------------------------------------------------------- */

/* A platform_library is a library that the user named, with the function of it that is wanted.
 * Zeroed, it is none. */
struct platform_library {
	void *handle;
	void (*function)(void);
};

enum platform_library_result {
	PLATFORM_LIBRARY_OPEN,
	PLATFORM_LIBRARY_FAILED,
	PLATFORM_LIBRARY_FOREIGN, /* it has no such function */
};

/* platform_library_open loads the library at path, which is never looked for elsewhere. */
enum platform_library_result platform_library_open(const char *path, const char *function,
						   struct platform_library *out);
void platform_library_close(struct platform_library *l);

/* ---- The process ----------------------------------------------------------------------------- */

/* A platform_process holds the arguments of main, in the encoding of paths. */
struct platform_process {
	int argc;
	char **argv;      /* ends with NULL */
	void *memory;     /* of argv, if it was made */
	unsigned console; /* what platform_end restores, on Windows */
};

/* platform_start is called first in main: it gives the arguments, makes a write to a closed pipe
 * or beyond the limit of a file's size fail instead of ending the process, and makes sure that
 * no file that is opened later takes the place of a standard stream. */
UVET_MUST_USE bool platform_start(int argc, char **argv, struct platform_process *out);
void platform_end(struct platform_process *p);

/* platform_guard_secrets keeps the memory of the process out of dumps and, where the system can,
 * away from other processes of the user. */
void platform_guard_secrets(void);

#endif

/* uvet: checks Unreal Engine mod files against a table of structural rules, and says what is wrong,
 * where and why.
 *
 * The shape of a use:
 *
 *     uvet_options *options;      what to check and how deep; may be freed once the engine exists
 *     uvet_engine  *engine;       immutable; any number of threads may check with it at once
 *     uvet_report  *report;       the outcome for one file; owns its findings and their strings
 *     uvet_writer  *writer;       optional: writes reports in one or more formats, and counts them
 *
 *     uvet_options_new(&options);
 *     uvet_options_set(options, "ignore", "UMD018");
 *     uvet_engine_new(options, &engine);
 *     uvet_check_path(engine, "Mod.umod", NULL, &report);
 *     if (uvet_report_verdict(report) != UVET_VALID) ...
 *
 * A uvet_status is about the call: whether it worked. A uvet_verdict is about the file. The two are
 * never mixed: for a file that cannot be opened or read, a check returns UVET_OK and makes a report
 * whose verdict is UVET_UNDETERMINED.
 *
 * The comment of each function that returns a uvet_status names every status that it returns.
 * Functions that return something else must not be given NULL for the object that they ask about.
 *
 * The library keeps no globals, uses no locale, prints nothing, installs no signal handler, never
 * exits, starts no thread unless the option jobs asks for it, and never writes to an input. Strings
 * are UTF-8 and belong to the object that they were got from. Objects are freed once, by their own
 * function; freeing NULL does nothing. What may change from one version to the next is in
 * docs/VERSIONS.md. */
#ifndef UVET_UVET_H
#define UVET_UVET_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(UVET_BUILDING) && defined(__GNUC__) && !defined(_WIN32)
#define UVET_API __attribute__((visibility("default")))
#else
#define UVET_API
#endif

/* ---- Versions -------------------------------------------------------------------------------- */

/* The version of this header. UVET_VERSION_NUMBER grows with every version: 1002003 is 1.2.3. */
#define UVET_VERSION_MAJOR 0
#define UVET_VERSION_MINOR 1
#define UVET_VERSION_PATCH 0
#define UVET_VERSION_NUMBER \
	(UVET_VERSION_MAJOR * 1000000 + UVET_VERSION_MINOR * 1000 + UVET_VERSION_PATCH)

#define UVET_QUOTE_(text) #text
#define UVET_DOTTED_(major, minor, patch) \
	UVET_QUOTE_(major) "." UVET_QUOTE_(minor) "." UVET_QUOTE_(patch)

/* UVET_VERSION is the same as a string: "1.2.3". */
#define UVET_VERSION UVET_DOTTED_(UVET_VERSION_MAJOR, UVET_VERSION_MINOR, UVET_VERSION_PATCH)

/* uvet_version and uvet_version_number are the version of the library that runs, which may be newer
 * than the header; uvet_ruleset that of its rules: the same ruleset gives the same findings. */
UVET_API const char *uvet_version(void);
UVET_API unsigned uvet_version_number(void);
UVET_API const char *uvet_ruleset(void);

/* uvet_library names the library that this build uses for a task: "crc", "deflate", "lzma", "lz4",
 * "bzip2", "zstd", "archive", "sha1", "aes", "rsa", "blake3". It returns "uvet" if the code is our
 * own, "none" if this build cannot do it, and NULL for any other task. */
UVET_API const char *uvet_library(const char *task);

/* ---- Structs that the caller allocates ----------------------------------------------------------
 *
 * uvet_io, uvet_hooks, uvet_unjudged, uvet_rule and uvet_limit begin with struct_size, the size of
 * the struct in the header that the caller was compiled with. UVET_IO_INIT and its like set it, and
 * set all other members to 0. Later versions only add members at the end, so a library and a caller
 * of different versions work together:
 *
 *     smaller than the library's      the caller is older. Members that it does not have count as
 *                                     0, and nothing is written to them
 *     larger than the library's       the caller is newer. In a struct that the library reads, the
 *                                     bytes that it does not know must all be 0; otherwise the
 *                                     caller asks for what this library cannot do, and the call is
 *                                     refused. In one that it fills, those bytes stay as they are
 *     below that of version 0.1,      a mistake: the call is refused. Nothing but struct_size is
 *     or above UVET_STRUCT_SIZE_MAX   read, and nothing is written
 *
 * A size between those of two versions counts as that of the older one, followed by bytes that are
 * not known. When a struct was filled, its struct_size says how many of its bytes were set. A call
 * that is refused returns UVET_BAD_CALL, or 0 if it returns no status. */
#define UVET_STRUCT_SIZE_MAX 1024

/* ---- Statuses and verdicts ------------------------------------------------------------------- */

typedef enum uvet_status {
	UVET_OK = 0,
	UVET_NO_MEMORY,      /* the allocator refused, or max-memory is too little */
	UVET_BAD_OPTION,     /* a name or value that uvet does not know; of options,
				   uvet_options_error says which */
	UVET_BAD_CALL,       /* an argument is NULL that must not be, a struct_size is out of
				   range, or the call comes too late */
	UVET_WRITE_FAILED,   /* a sink refused bytes: the output is incomplete */
	UVET_UNKNOWN_FORMAT, /* maps and infos only: there is nothing to show */
	UVET_UNREADABLE,     /* likewise: the input, or a file beside it, cannot be read */
	UVET_CUT             /* likewise: a limit was reached, or the call was cancelled or took
				   too long, so parts are missing */
} uvet_status;

/* A verdict is about a file and all files in it: the worst of them counts. How much of them was
 * judged is its scope (uvet_report_scope). */
typedef enum uvet_verdict {
	UVET_VALID = 0,     /* all that was asked for was judged, and no error was found */
	UVET_INVALID,       /* an error was found */
	UVET_UNDETERMINED,  /* no error was found, but something that was asked for could not be
				   judged */
	UVET_NOT_APPLICABLE /* with "unknown=skip": a file of no known format, or one of which
				   no rule was asked that can find an error. A nested file of which
				   none was asked: always */
} uvet_verdict;

/* What narrows the scope of a verdict. 0 is the whole file with all that lies in it, judged by
 * every rule at its own severity. */
enum {
	UVET_SCOPE_TABLES = 1,  /* only tables were asked for: level=structure */
	UVET_SCOPE_RULES = 2,   /* rules of its format are off, or count for less than their own
				   severity */
	UVET_SCOPE_VERSION = 4, /* it has parts whose layout in its version is not known */
	UVET_SCOPE_ALONE = 8    /* with UVET_SCOPE_TABLES: its companions, with which its tables
				   could be compared, were not looked for */
};

typedef enum uvet_severity {
	UVET_SEVERITY_NONE = 0,
	UVET_SEVERITY_NOTE,
	UVET_SEVERITY_WARNING,
	UVET_SEVERITY_UNDETERMINED,
	UVET_SEVERITY_ERROR
} uvet_severity;

/* These name a value: "no_memory", "not_applicable", "error"; "" if it is none. */
UVET_API const char *uvet_status_name(uvet_status status);
UVET_API const char *uvet_verdict_name(uvet_verdict verdict);
UVET_API const char *uvet_severity_name(uvet_severity severity);

/* ---- Options --------------------------------------------------------------------------------- */

typedef struct uvet_options uvet_options;
typedef struct uvet_report uvet_report;

/* uvet_options_new makes options with their defaults.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_NO_MEMORY. */
UVET_API uvet_status uvet_options_new(uvet_options **out);
UVET_API void uvet_options_free(uvet_options *options);

/* uvet_options_set sets one option by its name on the command line, without dashes:
 *
 *     profile                 author|hosting|redirect|archive: a set of other options, which are
 *                             set at once (uvet_profile_setting_at). What is set after it adds to
 *                             it or replaces it
 *     select, ignore, only    rules, separated by commas: an id, a name, a family (UMD), a class
 *                             (security), or "all". select says which rules are evaluated at all,
 *                             ignore switches some off; "only" is a select that ignore does not
 *                             change. Each call adds to the ones before.
 *     severity                RULE=error|warning|note|undetermined|off. A rule that is raised has
 *                             no findings below that level, one that is lowered none above it
 *     level                   content (default)|structure: the whole file, or only tables, headers
 *                             and their checksums. "default" is an older name of content
 *     engine                  4.16 to 4.27, 5.0 to 5.8: that of Unreal Engine that files are for
 *     game, game-signs        a game that uvet knows; whether it refuses what is not signed
 *     siblings                auto|none: whether files that belong to an input are opened beside it
 *     sets                    yes|no (default): whether reports keep what uvet_set compares
 *     timeout                 how long a check may take, as a number of seconds or with a unit:
 *                             500ms, 60s, 2m, 1h; 0, the default: as long as it takes. What was not
 *                             judged by then is undetermined (RUN010), so reports depend on the
 *                             machine; with max-work they do not
 *     jobs                    how many threads may share the work on one input, up to 64 (default
 *                             1); 0: one for each processor
 *     unknown                 undetermined|skip: what a file of no known format gets
 *     fail-on                 what makes uvet_writer_exit_code 1: error|warning|note|never, the
 *                             severity from which on findings count; or classes of rules, at any
 *                             severity but undetermined; or both: "error,security"
 *     show-passed             yes|no: whether reports list the rules that passed
 *     outline                 yes|no: whether checks keep what an html report draws of a file
 *     verbose                 yes|no: whether text reports show all findings, each with its bytes
 *     width                   columns at which they are wrapped, up to 1000; 0: not (default)
 *     sha256                  yes|no: whether JSON reports and infos have each file's (by nettle)
 *     path-root               a folder: reports call an input below it by its path from there, with
 *                             / between its components, and others as they are named. Names are
 *                             compared as they are written, with . and .. resolved
 *     path-base               the folder that relative names begin in, an absolute path: without it
 *                             they are not compared with an absolute path-root, nor absolute names
 *                             with a relative one. The library does not ask the system for it
 *     max-memory, max-work    for a file together with all files in it
 *     max-depth, max-nested   how many levels of files in files, and how many such files in all.
 *                             With 0 levels, a file with files to check in it is undetermined
 *     max-companions          how many files beside it a check may ask for
 *     max-entries, max-text, max-unpacked, max-ratio, max-per-rule, max-findings
 *
 * Returns UVET_OK, UVET_BAD_CALL, UVET_BAD_OPTION; all but the first leave the options
 * unchanged. */
UVET_API uvet_status uvet_options_set(uvet_options *options, const char *name, const char *value);

/* uvet_options_limit sets *out to the value of a limit, by the name of its option
 * ("max-memory"), and returns 1; 0: there is no such limit. */
UVET_API int uvet_options_limit(const uvet_options *options, const char *name, uint64_t *out);

/* Profiles are sets of options for one kind of user each, and set no others than uvet_options_set
 * takes. uvet_profile_at gives the name of one, NULL past the end; uvet_profile_meaning says in a
 * few words whom it is for, NULL if there is none of that name. uvet_profile_setting_at sets
 * *option and *value to one that the profile sets, in their order, and returns 1; 0 past the end.
 * What this build cannot do is not among them (sha256).
 * All strings are static. */
UVET_API const char *uvet_profile_at(size_t index);
UVET_API const char *uvet_profile_meaning(const char *profile);
UVET_API int uvet_profile_setting_at(const char *profile, size_t index, const char **option,
				     const char **value);

/* uvet_options_error says in one line what was wrong with the last call that set an option or a
 * key; "" if nothing, or if options is NULL. */
UVET_API const char *uvet_options_error(const uvet_options *options);

/* uvet_options_allocator replaces malloc and free for everything that engine, reports and writers
 * allocate. alloc returns memory aligned for any object, or NULL. release gets the size that alloc
 * was asked for. Both may be called from any thread that checks. */
UVET_API void uvet_options_allocator(uvet_options *options, void *(*alloc)(void *ctx, size_t size),
				     void (*release)(void *ctx, void *memory, size_t size),
				     void *ctx);

/* uvet_options_key adds a key of AES-256 for encrypted containers: for those that name it by this
 * GUID, whose 16 bytes are as in the file, or, with guid NULL, for any. The key is copied; its
 * copies are overwritten when options and engine are freed.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_BAD_OPTION (there are 64 keys already). */
UVET_API uvet_status uvet_options_key(uvet_options *options, const uint8_t guid[16],
				      const uint8_t key[32]);

/* uvet_options_signing_key takes the public key of RSA with which signatures of containers are
 * verified: its modulus, of 64 to 512 bytes, and its exponent, of up to 8, each with its lowest
 * byte first, as Unreal stores them. It replaces the one before.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_BAD_OPTION (it cannot be such a key). */
UVET_API uvet_status uvet_options_signing_key(uvet_options *options, const uint8_t *modulus,
					      size_t modulus_len, const uint8_t *exponent,
					      size_t exponent_len);

/* uvet_options_learn takes a file that is known to be good as a reference, by its report: files of
 * the same format, and of those of the files in it, are then held against its format version,
 * compression methods, mount point, protection and licensee version, and the rules REF001 to REF005
 * tell where they differ. A value of any good file that was learned from will do. What is needed of
 * the report is copied.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_BAD_OPTION (the file is invalid, or was not judged for
 * another reason than a missing key, codec or companion; or it has nothing to compare, or the good
 * files have too many different values); all but the first leave the options unchanged. */
UVET_API uvet_status uvet_options_learn(uvet_options *options, const uvet_report *good);

/* uvet_options_global takes the global container of a game, by its report: the ids of the script
 * objects in it, which packages import, are copied, and rules tell of imports that are none of
 * them. It replaces the one before.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_NO_MEMORY, UVET_BAD_OPTION (the file is no global container,
 * is invalid, or was not judged to its end); all but the first leave the options unchanged. */
UVET_API uvet_status uvet_options_global(uvet_options *options, const uvet_report *global);

/* A uvet_oodle_decoder decompresses in_len bytes to out_len bytes and returns how many it wrote:
 * anything but out_len is a failure. It may be called from several threads at once. */
typedef int64_t uvet_oodle_decoder(void *ctx, const void *in, size_t in_len, void *out,
				   size_t out_len);

/* uvet_options_oodle sets the decoder of Oodle, for which uvet has no code; NULL: there is none. */
UVET_API void uvet_options_oodle(uvet_options *options, uvet_oodle_decoder *decode, void *ctx);

/* ---- Engine ---------------------------------------------------------------------------------- */

typedef struct uvet_engine uvet_engine;

/* uvet_engine_new makes an engine with these options, which it copies; NULL: the defaults.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_NO_MEMORY. */
UVET_API uvet_status uvet_engine_new(const uvet_options *options, uvet_engine **out);
UVET_API void uvet_engine_free(uvet_engine *engine);

/* A uvet_cancellation ends calls early: those whose hooks name it, running or yet to begin, and no
 * others. What is cancelled still returns, soon, with a report that is undetermined (RUN006). To
 * end everything that an engine does, give all calls the same one.
 *
 * uvet_cancellation_set may be called from any thread, and in a signal handler. It cannot be
 * undone: a call that had not looked at it yet would not notice. Whoever wants to go on makes
 * another one. It may be freed when no call is running that was given it.
 *
 * uvet_cancellation_new returns UVET_OK, UVET_BAD_CALL, UVET_NO_MEMORY. */
typedef struct uvet_cancellation uvet_cancellation;

UVET_API uvet_status uvet_cancellation_new(uvet_cancellation **out);
UVET_API void uvet_cancellation_set(uvet_cancellation *cancellation);
UVET_API void uvet_cancellation_free(uvet_cancellation *cancellation);

/* ---- Checking -------------------------------------------------------------------------------- */

enum {
	UVET_SIBLING_OPEN = 0,
	UVET_SIBLING_ABSENT,
	UVET_SIBLING_UNREADABLE,
	UVET_SIBLING_CROWDED,
	UVET_SIBLING_SPELT_OTHERWISE
};
enum { UVET_SPELLING_SIZE = 256 };

/* A uvet_io is an input that the host reads. read_at puts at most len bytes from offset on into
 * buf, sets *n_read, and returns 0, or anything else when the input cannot be read; fewer bytes
 * than asked are allowed, 0 only at the end. size is the length of the input in bytes. unchanged
 * (may be NULL) is asked at the end and returns 0 if the input is no longer what it was. ctx is
 * passed through. With the option jobs above 1, read_at is called from several threads at once.
 *
 * open_sibling opens the file of that name, which has no folder in it, in the folder of the input,
 * never through a link that leaves it. It fills *out and returns UVET_SIBLING_OPEN, or says why
 * not. UVET_SIBLING_ABSENT means that there is no such file, and the input is judged accordingly. A
 * host that cannot know returns UVET_SIBLING_UNREADABLE, or UVET_SIBLING_CROWDED if too many files
 * are open, or has no open_sibling (NULL): then what lies in such files, and whether they are
 * there, is undetermined. On entry *out is all 0 but for its struct_size: a host that is newer than
 * the library writes no member beyond that size. What struct_size is when open_sibling returns does
 * not matter. The file is read until close (may be NULL) of *out is called, once, with its ctx: at
 * the end of the check at the latest.
 *
 * find_sibling (may be NULL) is called if that file is absent and should not be, at most sixteen
 * times in a check. It looks for a file whose name differs from the absent one's only in the case
 * of ASCII letters. It puts that name with a NUL into spelling, the first by its bytes if there are
 * several, and returns UVET_SIBLING_SPELT_OTHERWISE; or it returns UVET_SIBLING_ABSENT, or why it
 * cannot know. Then the file is opened by that name, and the report says how it is spelt.
 *
 * Where a file is absent, open_sibling is also asked for a dozen names that programs make of its
 * name ("a (1).ucas", "a.ucas.part").
 *
 * list_siblings (may be NULL) is called where one of these files is missing, or is another
 * container's, a few times in a check. It puts the names of files in that folder that end in
 * `ending`, whatever the case of its letters, each with a NUL, into names: up to max, those that
 * come first by their bytes. It returns how many there are; 0 too if it cannot know. What is no
 * such name, or has no NUL, is passed over.
 *
 * Of *out only read_at, unchanged and close are called, and close of the input itself is not. Calls
 * of the functions about siblings do not overlap within one check. */
typedef struct uvet_io {
	size_t struct_size; /* UVET_IO_INIT sets it */
	int (*read_at)(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read);
	int (*unchanged)(void *ctx);
	void *ctx;
	uint64_t size;
	int (*open_sibling)(void *ctx, const char *name, struct uvet_io *out);
	void (*close)(void *ctx);
	int (*find_sibling)(void *ctx, const char *name, char spelling[UVET_SPELLING_SIZE]);
	size_t (*list_siblings)(void *ctx, const char *ending, char names[][UVET_SPELLING_SIZE],
				size_t max);
} uvet_io;

#define UVET_IO_INIT \
	{ \
		sizeof(uvet_io), NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL \
	}

typedef struct uvet_finding uvet_finding;

/* A uvet_finding_callback receives each finding when the whole input has been judged: those of its
 * report, in their order, then those of the reports nested in it, in the order of uvet_report_next.
 * It returns 0 to go on; anything else ends the calls, not the check. */
typedef int uvet_finding_callback(void *ctx, const uvet_finding *finding);

/* Hooks of one call; NULL or 0 where none is wanted. */
typedef struct uvet_hooks {
	size_t struct_size;                /* UVET_HOOKS_INIT sets it */
	uvet_finding_callback *on_finding; /* of checks; maps and infos have no findings */
	void *ctx;
	const uvet_cancellation *cancellation; /* ends this call; it outlives the call */
	uint64_t timeout_ms;                   /* how long this call may take, in milliseconds, in
						   place of the engine's timeout */
} uvet_hooks;

#define UVET_HOOKS_INIT \
	{ \
		sizeof(uvet_hooks), NULL, NULL, NULL, 0 \
	}

/* The checks. name is how the report calls the input, and its ending counts where a format goes by
 * endings; for uvet_check_path it is the path itself, and files that belong to it are opened in its
 * folder, never through a link. Bytes in memory have no folder, so what lies in such files is
 * undetermined; they are not copied and need not outlive the call. An io that is NULL stands for an
 * input that could not be opened: the report says so. hooks may be NULL.
 * Each returns UVET_OK, UVET_BAD_CALL, UVET_NO_MEMORY; all but the first leave *out NULL. */
UVET_API uvet_status uvet_check_path(uvet_engine *engine, const char *path, const uvet_hooks *hooks,
				     uvet_report **out);
UVET_API uvet_status uvet_check_memory(uvet_engine *engine, const char *name, const void *bytes,
				       size_t len, const uvet_hooks *hooks, uvet_report **out);
UVET_API uvet_status uvet_check_io(uvet_engine *engine, const char *name, const uvet_io *io,
				   const uvet_hooks *hooks, uvet_report **out);

/* A uvet_report_callback takes the report of source number index of a set, or, with the number of
 * sources as the index, that of the set as a whole; whoever took it frees it. It returns 0 to go
 * on; anything else ends the set. */
typedef int uvet_report_callback(void *ctx, size_t index, uvet_report *report);

/* uvet_check_set checks n sources of one upload together, without a file system: of each its name,
 * with its folders if it has any, and an io, or NULL if it could not be opened. Files beside an
 * input are those of the set in the same folder, which is what stands before the last / or \ of a
 * name, byte by byte; they are found by their exact names, else by names in other case
 * (uvet_io), and of two with one name the first is taken. open_sibling, find_sibling and close of
 * the ios are not called.
 *
 * Each source that stands by itself has a report, in the order of the set. A .ucas, .pak or .sig
 * has none if it belongs to a container of the set: the check of a .utoc asked for it, or it is a
 * .sig and called as a .utoc is. Those that belong to none come last, and so do those whose .utoc
 * is too broken to ask for them.
 *
 * With the option sets, there may be one more report at the end: that of the whole as a uvet_set,
 * with the index n. It is no source's, and hooks hold for it too.
 *
 * hooks hold for each of the checks. What finds names takes less than 100 bytes for each source,
 * which count for max-memory in each check.
 * Returns UVET_OK (also where take ended it), UVET_BAD_CALL, UVET_NO_MEMORY (for the names, or for
 * a report; others may have been passed). */
UVET_API uvet_status uvet_check_set(uvet_engine *engine, const char *const *names,
				    const uvet_io *const *ios, size_t n, const uvet_hooks *hooks,
				    uvet_report_callback *take, void *ctx);

/* uvet_check_lost makes the report of an input whose check was made by a worker process of the host
 * that ended without a report: because the host stopped it after timeout_ms milliseconds (RUN010),
 * or, with timeout_ms 0, by itself (RUN012).
 * Returns UVET_OK, UVET_BAD_CALL, UVET_NO_MEMORY. */
UVET_API uvet_status uvet_check_lost(uvet_engine *engine, const char *name, uint64_t timeout_ms,
				     uvet_report **out);

/* uvet_check_link makes the report of a link that a host found in a folder and does not follow:
 * undetermined (RUN002). *out is NULL if the link's name promises no format that uvet knows.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_NO_MEMORY. */
UVET_API uvet_status uvet_check_link(uvet_engine *engine, const char *name, uvet_report **out);

/* ---- Reports and sets ------------------------------------------------------------------------ */

/* What they say, and their findings: functions uvet_report_ and uvet_finding_; and files that
 * belong together: functions uvet_set_. */
#include "uvet/report.h"
#include "uvet/set.h"

/* ---- Report writers: many files, one report -------------------------------------------------- */

/* A uvet_writer writes the reports of many files to one or more outputs, and counts them. Its
 * engine, and what its sinks need, must outlive it. */
typedef struct uvet_writer uvet_writer;

/* uvet_writer_new makes a writer without outputs.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_NO_MEMORY. */
UVET_API uvet_status uvet_writer_new(uvet_engine *engine, uvet_writer **out);
UVET_API void uvet_writer_free(uvet_writer *writer);

/* uvet_writer_output adds an output before the first report: text, text-color, concise, json,
 * ndjson, sarif, sarif-github, junit, checkstyle, github, gitlab, csv, markdown or html.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_BAD_OPTION (no such format), UVET_NO_MEMORY. */
UVET_API uvet_status uvet_writer_output(uvet_writer *writer, const char *format, uvet_sink *sink,
					void *ctx);

/* A uvet_accept is a host's answer whether it accepts a finding: why, in a string that lives until
 * the writer is freed; NULL or "": it does not. fingerprint is that of reports, with the count that
 * tells findings apart that are alike. It is of a finding and not of all bytes of a file: where a
 * rule finds the same at the same place of another file, it is the same. */
typedef const char *uvet_accept(void *ctx, const uvet_report *report, const uvet_finding *finding,
				const char *fingerprint);

/* uvet_writer_accept has a writer ask accept, before its first report, of every finding that it
 * shows (max-findings) but those that say that something was not judged: undetermined ones, and
 * those of mandatory rules. NULL: nobody is asked. Reports tell the reason with the finding,
 * checkstyle, github and gitlab leave the finding out. It does not count for uvet_writer_exit_code;
 * verdicts stay what they are.
 * Returns UVET_OK, UVET_BAD_CALL (also after the first report). */
UVET_API uvet_status uvet_writer_accept(uvet_writer *writer, uvet_accept *accept, void *ctx);

/* uvet_writer_add writes and counts a report and those nested in it, each before those below it;
 * the order of the calls is the order of the output. The report stays the caller's.
 * uvet_writer_add_alone leaves out the nested ones, and does not mention a parent. What is added
 * after an output failed is counted, and written to the other outputs.
 * Each returns UVET_OK, UVET_BAD_CALL (also after the end), UVET_NO_MEMORY, UVET_WRITE_FAILED; the
 * last two also if it was an earlier call that failed. */
UVET_API uvet_status uvet_writer_add(uvet_writer *writer, const uvet_report *report);
UVET_API uvet_status uvet_writer_add_alone(uvet_writer *writer, const uvet_report *report);

/* uvet_writer_left_out tells a writer how much the host left out in the folders that it walked:
 * links; pipes, sockets and devices; and folders on other file systems. It is written at the end of
 * the outputs.
 * Returns UVET_OK, UVET_BAD_CALL (also after the end). */
UVET_API uvet_status uvet_writer_left_out(uvet_writer *writer, uint64_t links, uint64_t specials,
					  uint64_t mounts);

/* uvet_writer_end writes the end of each output. After it the verdict is final; a second call does
 * nothing and returns the same.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_NO_MEMORY, UVET_WRITE_FAILED; the last two if any output
 * failed at any time. */
UVET_API uvet_status uvet_writer_end(uvet_writer *writer);

/* uvet_report_write writes one report, with those nested in it, as a writer with one output would:
 * its format is any that uvet_writer_output takes. engine is the one that made the report.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_BAD_OPTION (there is no such format), UVET_NO_MEMORY,
 * UVET_WRITE_FAILED. */
UVET_API uvet_status uvet_report_write(uvet_engine *engine, const uvet_report *report,
				       const char *format, uvet_sink *sink, void *ctx);

/* uvet_writer_verdict is the worst of the reports: invalid, then undetermined, then valid;
 * undetermined if nothing was judged. */
UVET_API uvet_verdict uvet_writer_verdict(const uvet_writer *writer);

/* uvet_writer_scope is all that the verdicts of the reports do not cover: UVET_SCOPE_ flags, or
 * 0. */
UVET_API unsigned uvet_writer_scope(const uvet_writer *writer);

/* uvet_writer_exit_code is the verdict as the command line returns it: 0, 1 or 2, with fail-on
 * applied. */
UVET_API int uvet_writer_exit_code(const uvet_writer *writer);

/* ---- What a file is made of ------------------------------------------------------------------ */

/* uvet_map_path and uvet_map_io write every region of a file with its fields, and the bytes that
 * belong to none; uvet_info_path and uvet_info_io write what the file is. They do not look into
 * files that lie in it. name, io and hooks are as for checks; format is "text" or "json".
 * Each returns UVET_OK, UVET_BAD_CALL, UVET_BAD_OPTION (there is no such format), UVET_NO_MEMORY,
 * UVET_WRITE_FAILED, UVET_UNKNOWN_FORMAT, UVET_UNREADABLE, UVET_CUT; from UVET_UNKNOWN_FORMAT on,
 * what is known was written. */
UVET_API uvet_status uvet_map_path(uvet_engine *engine, const char *path, const uvet_hooks *hooks,
				   const char *format, uvet_sink *sink, void *ctx);
UVET_API uvet_status uvet_map_io(uvet_engine *engine, const char *name, const uvet_io *io,
				 const uvet_hooks *hooks, const char *format, uvet_sink *sink,
				 void *ctx);
UVET_API uvet_status uvet_info_path(uvet_engine *engine, const char *path, const uvet_hooks *hooks,
				    const char *format, uvet_sink *sink, void *ctx);
UVET_API uvet_status uvet_info_io(uvet_engine *engine, const char *name, const uvet_io *io,
				  const uvet_hooks *hooks, const char *format, uvet_sink *sink,
				  void *ctx);

/* What files claim, of which a game takes one only, where several have it: uvet_claims_. */
#include "uvet/claims.h"

/* ---- Rules and limits ------------------------------------------------------------------------ */

/* A uvet_rule describes one rule. Its strings are static. In message, {0} to {4} stand for a
 * finding's values, and {0:is|are} for the first word where value 0 is the number 1, else for the
 * second. */
typedef struct uvet_rule {
	size_t struct_size; /* UVET_RULE_INIT sets it */
	const char *id, *name, *family, *title, *message, *why, *fix, *spec;
	const char *rule_class;  /* "corruption", "security", "compatibility", "hygiene",
					   "resource" */
	const char *lesser_when; /* when the lesser severity applies; "" if there is none */
	uvet_severity severity, lesser;
	int mandatory, heuristic;
} uvet_rule;

#define UVET_RULE_INIT \
	{ \
		sizeof(uvet_rule), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, \
			UVET_SEVERITY_NONE, UVET_SEVERITY_NONE, 0, 0 \
	}

UVET_API size_t uvet_rule_count(void);

/* uvet_rule_at fills *out with rule number index, in the order in which rules are evaluated, and
 * returns 1; 0 past the end. */
UVET_API int uvet_rule_at(size_t index, uvet_rule *out);

/* uvet_rule_find does the same for an id, a name, or a former name; 0 if there is no such rule. */
UVET_API int uvet_rule_find(const char *id_or_name, uvet_rule *out);

/* uvet_rules_write writes all rules as "text", "json", "md", or the layouts of all records as
 * "layouts".
 * Returns UVET_OK, UVET_BAD_CALL, UVET_BAD_OPTION (there is no such format), UVET_WRITE_FAILED. */
UVET_API uvet_status uvet_rules_write(const char *format, uvet_sink *sink, void *ctx);

/* uvet_explain writes one rule, for people.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_BAD_OPTION (there is no such rule), UVET_WRITE_FAILED. */
UVET_API uvet_status uvet_explain(const char *id_or_name, uvet_sink *sink, void *ctx);

/* uvet_schema_name returns the name of the JSON Schema with an index from 0: "info", "map",
 * "ndjson", "report", "rules", and what later versions write as JSON; NULL past the end. Static. */
UVET_API const char *uvet_schema_name(size_t index);

/* uvet_schema_write writes one by its name: of reports as "json", of a line of those as "ndjson",
 * of rules, maps and infos as "json". It knows the keys of this version and no others.
 * Returns UVET_OK, UVET_BAD_CALL, UVET_BAD_OPTION (there is no such schema), UVET_WRITE_FAILED. */
UVET_API uvet_status uvet_schema_write(const char *name, uvet_sink *sink, void *ctx);

/* A uvet_limit describes one limit: its option, default and meaning. */
typedef struct uvet_limit {
	size_t struct_size; /* UVET_LIMIT_INIT sets it */
	const char *option, *meaning;
	uint64_t standard;
} uvet_limit;

#define UVET_LIMIT_INIT \
	{ \
		sizeof(uvet_limit), NULL, NULL, 0 \
	}

/* uvet_limit_at fills *out with limit number index and returns 1; 0 past the end. */
UVET_API size_t uvet_limit_count(void);
UVET_API int uvet_limit_at(size_t index, uvet_limit *out);

#ifdef __cplusplus
}
#endif

#endif

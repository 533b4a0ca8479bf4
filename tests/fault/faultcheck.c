/* faultcheck FAULT FILE [--ignore RULE] [--show-passed] [--aes-key KEY] [--OPTION=VALUE]: checks
 * a file with one fault, through the public interface. Files beside it are opened in its folder.
 *
 * FAULT is none, eio:OFFSET (the read that covers OFFSET fails), short:OFFSET (the input ends
 * there), changed (it is not what it was), cancel (the check is cancelled), cancel-one (the
 * same, and another of the engine's must not be), slow (each read takes 5 ms, and the check may
 * take 1), lost (the check was made by a process that ended) or lost:MS (after so many
 * milliseconds, because of that), or memory:N (the N-th request for memory is refused).
 * eio@NAME:OFFSET, short@NAME:OFFSET and changed@NAME are the same for the file NAME beside the
 * input, closed@NAME one that cannot be opened. KEY is 64 hexadecimal digits. The JSON report
 * goes to standard output. Exit codes are those of the command: 0, 1 and 2 by the verdict, 3 for
 * wrong usage, 4 when there is no report. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "faults.h"
#include "uvet/uvet.h"

enum { EXIT_USAGE = 3, EXIT_INTERNAL = 4 };

struct job {
	struct fault_memory memory;
	struct fault_input input;
	struct fault_input fault; /* of the file beside it, which has no bytes here */
	const char *beside;       /* its name; NULL: the fault is elsewhere */
	size_t beside_len;
	bool is_closed; /* that file cannot be opened */
	uint64_t memory_fails_at;
	bool cancel, cancel_one, slow, lost;
	uint64_t lost_after; /* milliseconds */
	const char *path;
	uvet_options *options;
};

static bool parse_number(const char *s, uint64_t *out)
{
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	*out = strtoull(s, &end, 0);
	return *end == '\0';
}

/* What is wrong with an input: eio:OFFSET, short:OFFSET, or changed. */
static bool parse_input_fault(struct fault_input *in, const char *kind, size_t len,
			      const char *rest)
{
	if (len == 7 && memcmp(kind, "changed", len) == 0 && !*rest)
		return in->changed = true;
	if (len == 3 && memcmp(kind, "eio", len) == 0 && *rest == ':')
		return (in->fails_over = true) && parse_number(rest + 1, &in->bad_offset);
	if (len == 5 && memcmp(kind, "short", len) == 0 && *rest == ':')
		return (in->ends_early = true) && parse_number(rest + 1, &in->end);
	return false;
}

/* KIND@NAME, or KIND@NAME:OFFSET. */
static bool parse_fault_beside(struct job *j, const char *fault, size_t len)
{
	j->beside = fault + len + 1;
	j->beside_len = strcspn(j->beside, ":");
	if (len == 6 && memcmp(fault, "closed", len) == 0)
		return j->is_closed = true;
	return parse_input_fault(&j->fault, fault, len, j->beside + j->beside_len);
}

static bool parse_fault(struct job *j, const char *fault)
{
	size_t len = strcspn(fault, "@:");

	if (fault[len] == '@')
		return parse_fault_beside(j, fault, len);
	if (strcmp(fault, "cancel") == 0)
		return j->cancel = true;
	if (strcmp(fault, "cancel-one") == 0)
		return j->cancel_one = true;
	if (strcmp(fault, "slow") == 0)
		return j->slow = true;
	if (strncmp(fault, "lost", 4) == 0 && (fault[4] == '\0' || fault[4] == ':'))
		return (j->lost = true) &&
		       (fault[4] == '\0' || parse_number(fault + 5, &j->lost_after));
	if (parse_input_fault(&j->input, fault, len, fault + len))
		return true;
	if (strncmp(fault, "memory:", 7) == 0)
		return parse_number(fault + 7, &j->memory_fails_at);
	return strcmp(fault, "none") == 0;
}

static bool set_key(struct job *j, const char *hex)
{
	uint8_t key[32];
	char byte[3] = { 0 };

	if (strlen(hex) != 2 * sizeof key ||
	    strspn(hex, "0123456789abcdefABCDEF") != 2 * sizeof key)
		return false;
	for (size_t i = 0; i < sizeof key; i++) {
		memcpy(byte, hex + 2 * i, 2);
		key[i] = (uint8_t)strtoul(byte, NULL, 16);
	}
	return uvet_options_key(j->options, NULL, key) == UVET_OK;
}

static bool set(struct job *j, const char *name, const char *value)
{
	if (strcmp(name, "aes-key") == 0)
		return set_key(j, value);
	if (uvet_options_set(j->options, name, value) == UVET_OK)
		return true;
	fprintf(stderr, "faultcheck: %s\n", uvet_options_error(j->options));
	return false;
}

/* An option is --name=value, --name value, or --show-passed. */
static bool parse_options(struct job *j, int argc, char **argv)
{
	char name[32];

	for (int i = 0; i < argc; i++) {
		const char *arg = argv[i], *equals = strchr(arg, '=');
		size_t len = equals ? (size_t)(equals - arg) : strlen(arg);

		if (strcmp(arg, "--show-passed") == 0) {
			if (!set(j, "show-passed", "yes"))
				return false;
			continue;
		}
		if (strncmp(arg, "--", 2) != 0 || len - 2 >= sizeof name ||
		    (!equals && i + 1 == argc))
			return false;
		memcpy(name, arg + 2, len - 2);
		name[len - 2] = '\0';
		if (!set(j, name, equals ? equals + 1 : argv[++i]))
			return false;
	}
	return true;
}

static bool read_file(const char *path, struct fault_input *out)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes = NULL;
	size_t n = 0, room = 0, got;

	if (!f)
		return false;
	do {
		if (n == room) {
			uint8_t *more = realloc(bytes, room = room ? room * 2 : 65536);

			if (!more)
				break;
			bytes = more;
		}
		got = fread(bytes + n, 1, room - n, f);
		n += got;
	} while (got > 0);
	fclose(f);
	out->bytes = bytes;
	out->size = n;
	return bytes && n < room;
}

/* ---- Files beside the input ------------------------------------------------------------------ */

static void free_input(void *ctx)
{
	struct fault_input *in = ctx;

	free((void *)(uintptr_t)in->bytes);
	free(in);
}

static bool is_faulty(const struct job *j, const char *name)
{
	return j->beside && strlen(name) == j->beside_len &&
	       memcmp(name, j->beside, j->beside_len) == 0;
}

/* Reads the file of that name in the folder of j->path. */
static struct fault_input *read_beside(const struct job *j, const char *name)
{
	const char *slash = strrchr(j->path, '/');
	size_t len = slash ? (size_t)(slash - j->path) + 1 : 0;
	char *path = malloc(len + strlen(name) + 1);
	struct fault_input *in = calloc(1, sizeof *in);
	bool ok = false;

	if (path && in) {
		memcpy(path, j->path, len);
		memcpy(path + len, name, strlen(name) + 1);
		*in = is_faulty(j, name) ? j->fault : (struct fault_input){ 0 };
		ok = read_file(path, in);
	}
	free(path);
	if (ok)
		return in;
	if (in)
		free_input(in);
	return NULL;
}

static int open_sibling(void *ctx, const char *name, uvet_io *out)
{
	const struct job *j = ((const struct fault_input *)ctx)->owner;
	struct fault_input *in;

	if (is_faulty(j, name) && j->is_closed)
		return UVET_SIBLING_UNREADABLE;
	in = read_beside(j, name);
	if (!in)
		return UVET_SIBLING_ABSENT;
	*out = (uvet_io){ .read_at = fault_read_at,
			  .unchanged = fault_unchanged,
			  .ctx = in,
			  .size = in->size,
			  .close = free_input };
	return UVET_SIBLING_OPEN;
}

/* ---- The check ------------------------------------------------------------------------------- */

static int to_stdout(void *ctx, const void *bytes, size_t len)
{
	(void)ctx;
	return fwrite(bytes, 1, len, stdout) != len;
}

static int write_report(uvet_engine *engine, const uvet_report *report)
{
	uvet_writer *writer = NULL;
	int code = EXIT_INTERNAL;

	if (uvet_writer_new(engine, &writer) == UVET_OK &&
	    uvet_writer_output(writer, "json", to_stdout, NULL) == UVET_OK &&
	    uvet_writer_add(writer, report) == UVET_OK && uvet_writer_end(writer) == UVET_OK &&
	    fflush(stdout) == 0)
		code = uvet_writer_exit_code(writer);
	uvet_writer_free(writer);
	return code;
}

static int read_slowly(void *ctx, uint64_t at, void *buf, size_t len, size_t *n_read)
{
	const struct timespec pause = { .tv_nsec = 5000000 };

	nanosleep(&pause, NULL);
	return fault_read_at(ctx, at, buf, len, n_read);
}

/* Whether a check that was not cancelled is finished. */
static bool goes_on(const struct job *j, uvet_engine *engine, const uvet_io *io)
{
	uvet_report *report = NULL;
	bool is_judged = uvet_check_io(engine, j->path, io, NULL, &report) == UVET_OK &&
			 uvet_report_verdict(report) != UVET_UNDETERMINED;

	uvet_report_free(report);
	return is_judged;
}

static uvet_status check_once(struct job *j, uvet_engine *engine, const uvet_io *io,
			      uvet_report **out)
{
	uvet_cancellation *cancellation = NULL;
	uvet_hooks hooks = { .struct_size = sizeof(uvet_hooks), .timeout_ms = j->slow };
	uvet_status status;

	if (j->lost)
		return uvet_check_lost(engine, j->path, j->lost_after, out);
	if (uvet_cancellation_new(&cancellation) != UVET_OK)
		return UVET_NO_MEMORY;
	if (j->cancel || j->cancel_one)
		uvet_cancellation_set(cancellation);
	hooks.cancellation = cancellation;
	status = uvet_check_io(engine, j->path, io, &hooks, out);
	if (status == UVET_OK && j->cancel_one && !goes_on(j, engine, io))
		status = UVET_CUT;
	uvet_cancellation_free(cancellation);
	return status;
}

/* The fault in memory strikes while the file is checked; the report is written with all memory
 * there is. */
static int check(struct job *j)
{
	uvet_io io = { .struct_size = sizeof(uvet_io),
		       .read_at = j->slow ? read_slowly : fault_read_at,
		       .unchanged = fault_unchanged,
		       .ctx = &j->input,
		       .size = j->input.size,
		       .open_sibling = open_sibling };
	uvet_engine *engine = NULL;
	uvet_report *report = NULL;
	int code = EXIT_INTERNAL;

	uvet_options_allocator(j->options, fault_alloc, fault_release, &j->memory);
	if (uvet_engine_new(j->options, &engine) != UVET_OK)
		return code;
	if (j->memory_fails_at > 0)
		j->memory.fail_at = j->memory.n_asked + j->memory_fails_at;
	if (check_once(j, engine, &io, &report) == UVET_OK) {
		j->memory.fail_at = 0;
		code = write_report(engine, report);
	}
	uvet_report_free(report);
	uvet_engine_free(engine);
	if (j->memory.n_live > 0) {
		fprintf(stderr, "faultcheck: %llu pieces of memory were not given back\n",
			(unsigned long long)j->memory.n_live);
		code = EXIT_INTERNAL;
	}
	return code;
}

int main(int argc, char **argv)
{
	struct job j = { .path = argc > 2 ? argv[2] : NULL, .input.owner = &j };
	int code = EXIT_INTERNAL;

	if (uvet_options_new(&j.options) != UVET_OK)
		return code;
	if (argc < 3 || !parse_fault(&j, argv[1]) || !parse_options(&j, argc - 3, argv + 3)) {
		fprintf(stderr, "usage: faultcheck "
				"none|cancel|cancel-one|slow|lost[:MS]|memory:N|KIND[@NAME][:"
				"OFFSET] FILE [--show-passed] [--OPTION=VALUE]...\n");
		code = EXIT_USAGE;
	} else if (!read_file(j.path, &j.input)) {
		fprintf(stderr, "faultcheck: cannot read %s\n", j.path);
	} else {
		code = check(&j);
	}
	free((void *)(uintptr_t)j.input.bytes);
	uvet_options_free(j.options);
	return code;
}

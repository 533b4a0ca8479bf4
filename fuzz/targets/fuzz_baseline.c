/* Baselines: a text that a stranger wrote is read as the command reads it, asked about the findings
 * of some reports, and written anew.
 *
 * The first byte of an input says what is asked (enum bits below); the rest is the text, in which @
 * and a digit stand for the fingerprint of a finding that there is. */
#include <stdlib.h>
#include <string.h>

#include "cli/acceptance.h"
#include "reference/reference_baseline.h"
#include "support/must.h"
#include "support/random.h"
#include "support/streams.h"
#include "support/strict.h"
#include "support/thorough.h"
#include "targets/harness.h"

enum {
	BIT_MODE = 3,     /* BASELINE_USE and those after it */
	BIT_PATHS = 4,    /* some is accepted by its path */
	BIT_LOST = 8,     /* not all was judged */
	BIT_NOTES = 16,   /* notes count */
	BIT_EXPIRES = 32, /* new lines do */
	BIT_HEADED = 64,  /* the text has its own first line */
};

/* The day on which everything happens. */
enum { TODAY = 20270131, LATER = 20281231 };

static const char by_path[] = "moved long ago", anew[] = "as it was found";

/* ---- Reports --------------------------------------------------------------------------------- */

/* An installer of two empty manifests; its CRC is wrong. */
static const uint8_t installer[] = "\x02"
				   "\x14System\\Manifest.ini\0\0\0\0\0\0\0\0\0\3\0\0\0"
				   "\x14System\\Manifest.int\0\0\0\0\0\0\0\0\0\3\0\0\0"
				   "\xA3\xC5\xE3\x9F\0\0\0\0\x57\0\0\0\1\0\0\0\0\0\0";

enum { REPORTS = 3, FOUND_MAX = 32, OUTCOMES = 2 };

/* A finding that a writer asks about, and what else it does. */
struct found {
	char fingerprint[REFERENCE_FINGERPRINT_LEN + 1], rule[REFERENCE_RULE_LEN + 1];
	uvet_severity severity;
	bool in_old; /* its file lies in the folder of that name */
	const char *answer;
};

/* What is the same for all inputs: the engine and the reports, two of one file and one of a file
 * that was not judged; the findings that are asked about; and what comes of them if nothing is
 * accepted, without and with the last report. */
struct world {
	uvet_engine *engine;
	uvet_report *reports[REPORTS];
	struct found found[FOUND_MAX];
	size_t n_found;
	uvet_verdict verdicts[OUTCOMES];
};

static struct world world;

static void make_reports(void)
{
	static const char *const names[] = { "./old/Mod.umod", "new/Mod\n.umod", "new/Lost.umod" };

	MUST(uvet_engine_new(NULL, &world.engine) == UVET_OK, "an engine can be made");
	for (size_t i = 0; i + 1 < REPORTS; i++)
		MUST(uvet_check_memory(world.engine, names[i], installer, sizeof installer, NULL,
				       &world.reports[i]) == UVET_OK,
		     "a check returns a report");
	MUST(uvet_check_lost(world.engine, names[2], 0, &world.reports[2]) == UVET_OK,
	     "a check that was lost has a report");
}

/* ---- A run ----------------------------------------------------------------------------------- */

/* A run asks an acceptance, NULL if there is none, about the findings of the reports. */
struct run {
	struct acceptance *acceptance;
	bool has_lost;
	struct found found[FOUND_MAX];
	size_t n_found;
	uvet_verdict verdict;
	int exit_code;
	struct capture written; /* of reports as JSON lines */
};

static const char *ask(void *ctx, const uvet_report *report, const uvet_finding *finding,
		       const char *fingerprint)
{
	struct run *run = ctx;
	struct found *f = &run->found[run->n_found++];

	MUST(run->n_found <= FOUND_MAX, "there is room for what is found");
	MUST(strlen(fingerprint) == REFERENCE_FINGERPRINT_LEN, "a fingerprint has 16 digits");
	memcpy(f->fingerprint, fingerprint, sizeof f->fingerprint);
	memcpy(f->rule, uvet_finding_rule(finding), sizeof f->rule);
	f->severity = uvet_finding_severity(finding);
	f->in_old = strncmp(uvet_report_name(report), "./old/", 6) == 0;
	f->answer = run->acceptance ? acceptance_take(run->acceptance, report, finding, fingerprint)
				    : NULL;
	MUST(f->severity != UVET_SEVERITY_UNDETERMINED, "what was not judged is not asked about");
	return f->answer;
}

static void run_reports(struct run *run, struct acceptance *acceptance, bool has_lost,
			bool is_written)
{
	uvet_writer *writer = NULL;

	run->acceptance = acceptance;
	run->has_lost = has_lost;
	run->n_found = 0;
	run->written.n = 0;
	MUST(uvet_writer_new(world.engine, &writer) == UVET_OK &&
		     uvet_writer_accept(writer, ask, run) == UVET_OK,
	     "a writer can be made");
	MUST(!is_written ||
		     uvet_writer_output(writer, "ndjson", capture_sink, &run->written) == UVET_OK,
	     "a writer has an output");
	for (size_t i = 0; i < REPORTS - !has_lost; i++) {
		MUST(uvet_writer_add(writer, world.reports[i]) == UVET_OK, "reports are written");
		if (acceptance)
			acceptance_count(acceptance, world.reports[i]);
	}
	MUST(uvet_writer_end(writer) == UVET_OK, "reports are written");
	run->verdict = uvet_writer_verdict(writer);
	run->exit_code = uvet_writer_exit_code(writer);
	uvet_writer_free(writer);
}

static void make_world(void)
{
	static struct run run;

	if (world.engine)
		return;
	make_reports();
	for (int i = 0; i < OUTCOMES; i++) {
		run_reports(&run, NULL, i > 0, false);
		world.verdicts[i] = run.verdict;
	}
	memcpy(world.found, run.found, sizeof world.found);
	world.n_found = run.n_found;
	MUST(world.n_found > 0, "something is found");
}

/* ---- The text -------------------------------------------------------------------------------- */

enum { GROWTH = REFERENCE_FINGERPRINT_LEN / 2 };

/* Copies the text, with fingerprints in place of @ and a digit, and a first line where it has
 * none of its own. */
static char *make_text(const uint8_t *data, size_t size, bool is_headed, size_t *out_len)
{
	char *text = malloc(GROWTH * size + sizeof BASELINE_FIRST + 1);
	size_t n = 0;

	MUST(text, "the machine has memory for a harness");
	if (!is_headed) {
		memcpy(text, BASELINE_FIRST "\n", sizeof BASELINE_FIRST);
		n = sizeof BASELINE_FIRST;
	}
	for (size_t i = 0; i < size; i++) {
		const bool is_one = data[i] == '@' && i + 1 < size && data[i + 1] >= '0' &&
				    data[i + 1] <= '9';

		if (!is_one) {
			text[n++] = (char)data[i];
			continue;
		}
		memcpy(text + n, world.found[(size_t)(data[++i] - '0') % world.n_found].fingerprint,
		       REFERENCE_FINGERPRINT_LEN);
		n += REFERENCE_FINGERPRINT_LEN;
	}
	*out_len = n;
	return text;
}

/* What a reference reading finds in a text. */
struct reading {
	const char *text;
	size_t len;
	struct reference_accepted *lines;
	size_t n; /* SIZE_MAX: it is no baseline */
};

/* The first of the lines of a finding, but for one of them; NULL: there is no other. */
static const struct reference_accepted *find_line(const struct reading *r, const char *fingerprint,
						  const struct reference_accepted *but)
{
	for (size_t i = 0; i < r->n; i++)
		if (&r->lines[i] != but &&
		    memcmp(r->lines[i].fingerprint, fingerprint, REFERENCE_FINGERPRINT_LEN) == 0)
			return &r->lines[i];
	return NULL;
}

static void read_text(struct reading *r, const char *text, size_t len)
{
	*r = (struct reading){ .text = text, .len = len };
	r->n = reference_baseline(text, len, NULL, 0);
	if (r->n == SIZE_MAX)
		return;
	r->lines = calloc(r->n + 1, sizeof *r->lines);
	MUST(r->lines && reference_baseline(text, len, r->lines, r->n) == r->n,
	     "a second reading finds as much");
	for (size_t i = 0; i < r->n; i++) {
		if (!find_line(r, r->lines[i].fingerprint, &r->lines[i]))
			continue;
		r->n = SIZE_MAX;
		return;
	}
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void check_refusal(const struct capture *said, const struct reading *r)
{
	static const char word[] = "', line ";
	size_t n_lines = 1;

	for (size_t i = 0; i < r->len; i++)
		n_lines += r->text[i] == '\n';
	for (size_t i = 0; i + strlen(word) < said->n; i++) {
		const char *at = (const char *)said->bytes + i;
		unsigned long number;

		if (memcmp(at, word, strlen(word)) != 0)
			continue;
		number = strtoul(at + strlen(word), NULL, 10);
		MUST(number > 0 && number <= n_lines, "a refusal names a line that there is");
		return;
	}
	MUST(false, "a refusal names a line");
}

/* ---- Answers --------------------------------------------------------------------------------- */

static bool is_line_of(const struct reference_accepted *line, const struct found *f)
{
	return line && memcmp(line->rule, f->rule, REFERENCE_RULE_LEN) == 0;
}

static bool holds(const struct reference_accepted *line, const struct found *f)
{
	return is_line_of(line, f) && (line->expires == 0 || line->expires >= TODAY);
}

/* Whether an answer is the one that follows from the text and the request. */
static bool is_right(const struct reading *r, const struct acceptance *a, const struct found *f)
{
	const struct reference_accepted *line = find_line(r, f->fingerprint, NULL);

	if (holds(line, f))
		return f->answer && strlen(f->answer) == line->reason_len &&
		       memcmp(f->answer, line->reason, line->reason_len) == 0;
	if (a->paths->n > 0 && f->in_old && strcmp(f->rule, "UMD027") == 0)
		return f->answer && strcmp(f->answer, by_path) == 0;
	if (a->request.mode == BASELINE_WRITE &&
	    (f->severity != UVET_SEVERITY_NOTE || a->request.notes))
		return f->answer && strcmp(f->answer, anew) == 0;
	return !f->answer;
}

static void check_run(const struct run *run, const struct reading *r)
{
	bool fails = false;

	MUST(run->verdict == world.verdicts[run->has_lost], "verdicts stay what they are");
	MUST(run->n_found == world.n_found, "each finding is asked about");
	for (size_t i = 0; i < run->n_found; i++) {
		MUST(is_right(r, run->acceptance, &run->found[i]),
		     "what is accepted follows from the text");
		fails = fails ||
			(run->found[i].severity == UVET_SEVERITY_ERROR && !run->found[i].answer);
	}
	MUST(run->exit_code == (fails           ? 1
				: run->has_lost ? 2
						: 0),
	     "accepted findings alone do not count, and what was not judged does");
	MUST(strict_lines(run->written.bytes, run->written.n), "ndjson is a JSON value a line");
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static bool is_same_line(const struct baseline_line *line, const struct reference_accepted *r)
{
	uint64_t number = 0;

	return baseline_fingerprint(r->fingerprint, REFERENCE_FINGERPRINT_LEN, &number) &&
	       line->fingerprint == number &&
	       memcmp(line->rule, r->rule, REFERENCE_RULE_LEN) == 0 &&
	       line->expires == r->expires && strlen(line->reason) == r->reason_len &&
	       memcmp(line->reason, r->reason, r->reason_len) == 0;
}

static void check_lines(const struct baseline *b, const struct reading *r)
{
	MUST(b->n == r->n, "a reference reading finds as many lines");
	for (size_t i = 0; i < b->n; i++) {
		MUST(is_same_line(&b->lines[i], &r->lines[i]) &&
			     b->lines[i].number == r->lines[i].line,
		     "a reference reading finds the same lines");
		MUST(baseline_find(b, b->lines[i].fingerprint) == &b->lines[i],
		     "every line is found");
	}
}

/* What was read is written, and read again as the same. */
static void write_again(struct baseline *b, const struct reading *r)
{
	static struct capture written;
	struct reading again;

	written.n = 0;
	MUST(baseline_write(b, capture_sink, &written), "a baseline can be written");
	read_text(&again, (const char *)written.bytes, written.n);
	MUST(again.n == r->n, "as many lines are written as were read");
	for (size_t i = 0; i < r->n; i++) {
		const struct reference_accepted *line = find_line(&again, r->lines[i].fingerprint,
								  NULL);

		MUST(line && line->expires == r->lines[i].expires &&
			     memcmp(line->rule, r->lines[i].rule, REFERENCE_RULE_LEN) == 0 &&
			     line->reason_len == r->lines[i].reason_len &&
			     memcmp(line->reason, r->lines[i].reason, line->reason_len) == 0,
		     "a line that is written is read as the same");
	}
	free(again.lines);
}

/* ---- A new baseline -------------------------------------------------------------------------- */

/* Whether a finding has a line in a new baseline: not if its path accepts it alone. */
static bool has_line(const struct reading *r, const struct found *f)
{
	return f->answer && (f->answer != by_path || holds(find_line(r, f->fingerprint, NULL), f));
}

/* Whether a line of before is of a finding that there is, or gives way to one. */
static bool is_found(const struct reading *r, const struct reference_accepted *line,
		     const struct run *run)
{
	for (size_t i = 0; i < run->n_found; i++) {
		const struct found *f = &run->found[i];

		if (memcmp(line->fingerprint, f->fingerprint, REFERENCE_FINGERPRINT_LEN) == 0)
			return is_line_of(line, f) || has_line(r, f);
	}
	return false;
}

/* Lines of what was not found stay if not all was judged. */
static size_t n_kept(const struct reading *r, const struct run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n && run->has_lost; i++)
		n += !is_found(r, &r->lines[i], run);
	return n;
}

static void check_new_lines(const struct reading *fresh, const struct reading *r,
			    const struct run *run)
{
	size_t n = n_kept(r, run);

	for (size_t i = 0; i < run->n_found; i++) {
		const struct found *f = &run->found[i];
		const struct reference_accepted *line = find_line(fresh, f->fingerprint, NULL);
		const bool wanted = has_line(r, f);

		n += wanted;
		if (!wanted)
			continue;
		MUST(is_line_of(line, f) && line->reason_len == strlen(f->answer) &&
			     memcmp(line->reason, f->answer, line->reason_len) == 0,
		     "what is accepted is written");
		MUST(f->answer != anew || line->expires == run->acceptance->request.expires,
		     "a new line has the last day that was asked for");
	}
	MUST(fresh->n == n, "nothing else is written");
}

static void write_new(struct acceptance *a, const struct run *run, const struct reading *r)
{
	static struct capture written;
	struct reading fresh;

	written.n = 0;
	MUST(acceptance_write(a, capture_sink, &written), "a baseline can be written");
	read_text(&fresh, (const char *)written.bytes, written.n);
	MUST(fresh.n != SIZE_MAX, "what is written is a baseline");
	check_new_lines(&fresh, r, run);
	free(fresh.lines);
}

/* ---- One input ------------------------------------------------------------------------------- */

static struct baseline_request make_request(uint8_t bits, const char *path)
{
	static const enum baseline_mode modes[] = { BASELINE_USE, BASELINE_CHECK, BASELINE_WRITE,
						    BASELINE_WRITE };

	return (struct baseline_request){ .mode = modes[bits & BIT_MODE],
					  .file = path,
					  .reason = anew,
					  .expires = bits & BIT_EXPIRES ? LATER : 0,
					  .notes = (bits & BIT_NOTES) != 0 };
}

static void use(struct acceptance *a, const struct reading *r, bool has_lost)
{
	static struct capture shown, said;
	static struct run run;

	a->today = TODAY;
	check_lines(&a->known, r);
	run_reports(&run, a, has_lost,
		    thorough_is_turn(random_hash((const uint8_t *)r->text, r->len), 0, 8));
	check_run(&run, r);
	if (a->request.mode == BASELINE_WRITE)
		write_new(a, &run, r);
	streams_listen();
	acceptance_tell(a);
	streams_end(&shown, &said);
	streams_check_said(&said);
	write_again(&a->known, r);
}

static void refuse(struct acceptance *a, const struct capture *said, const struct reading *r)
{
	static struct run run;

	check_refusal(said, r);
	a->request.mode = BASELINE_USE;
	run_reports(&run, a, false, false);
	for (size_t i = 0; i < run.n_found; i++)
		MUST(!run.found[i].answer || run.found[i].answer == by_path,
		     "a baseline that was refused accepts nothing");
}

static void check_text(const char *text, size_t len, uint8_t bits)
{
	static struct capture shown, said;
	const struct baseline_request request = make_request(bits, streams_file(text, len));
	struct accepted_paths paths = { .n = 0 };
	struct acceptance a;
	struct reading r;
	bool is_open;

	read_text(&r, text, len);
	MUST(!(bits & BIT_PATHS) || acceptance_add(&paths, "old/*", "UMD027", by_path),
	     "a path can be accepted");
	streams_listen();
	is_open = acceptance_open(&a, &request, &paths);
	streams_end(&shown, &said);
	streams_check_said(&said);
	MUST(is_open == (r.n != SIZE_MAX), "a reference reading takes the same texts");
	MUST(is_open == (said.n == 0), "a refusal is told, and nothing else");
	if (is_open)
		use(&a, &r, (bits & BIT_LOST) != 0);
	else
		refuse(&a, &said, &r);
	acceptance_close(&a);
	acceptance_free_paths(&paths);
	free(r.lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len;
	char *text;

	if (size == 0)
		return 0;
	make_world();
	text = make_text(data + 1, size - 1, (data[0] & BIT_HEADED) != 0, &len);
	check_text(text, len, data[0]);
	free(text);
	return 0;
}

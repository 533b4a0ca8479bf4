/* Reads that fail: reads of every seed fail, or return half, one byte, or nothing, once and
 * from then on. read LIST
 *
 * A short read is no fault: what is written must be the undisturbed text. A failing one must
 * never leave the file valid, nor a map or an info that claims to be whole. Every window size
 * gives the same report. Decoding reads no byte twice; findings may, to show the bytes around
 * them, and so do files that lie in a large one; a key is tried on the first blocks of some files
 * of an archive, which are read once more with the one that fits, a file that lies in another
 * one is read with both, what lies before an aligned file is looked at before the files are, and
 * the checksums beside an archive are of pieces of it that have nothing to do with its files.
 * Of a zip that is longer than its end is searched, small files may be read with the headers
 * before them, and the first bytes of each are looked at before the files are. The end of a
 * tar, which has headers in it, is searched for a second archive; what follows a header is read
 * with it, and once more where there is a map of holes. The first 8 MiB of a program are searched
 * for an archive and for the mark of an installer, to know what it is and to decode it. A file
 * whose name begins with `._` is searched for what it may be other than a file of macOS, and an
 * archive that may be the one a packer brings is read once more as a whole.
 * Of a container this holds for the files beside it, too, but for how often a byte is read.
 *
 * With UVET_SWEEP_ALL every read is disturbed, of reports, maps and infos. Else it is some of
 * each file, as far apart from each other as there are more, of reports, and of seeds in which
 * something is wrong through two kinds of windows.
 *
 * What costs the square of the number of reads is bounded by the window, which for a large
 * seed is wider: there are some hundred reads at most. Where nothing was read after the one
 * that failed, failing what comes after it is the same run. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "fault/faults.h"
#include "show.h"
#include "sweep.h"

enum {
	/* of one file that are disturbed, but with UVET_SWEEP_ALL */
	READS_MAX = SWEEP_IS_SLOW ? 2 : 12,
	WINDOWS_MAX = 512, /* that a seed is read in */
	ZIP_END_MAX = 22 +
		      65535 /* in which the end of a zip is searched: its comment may be long */
};

/* An input that also counts how often each byte was read. */
struct watched {
	struct sweep_folder folder; /* the first: sweep_open is given it */
	uint8_t *n_read;
};

static int watched_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read)
{
	struct watched *w = ctx;
	int result = fault_read_at(&w->folder.input, offset, buf, len, n_read);

	for (size_t i = 0; result == 0 && i < *n_read; i++)
		w->n_read[offset + i]++;
	return result;
}

static int watched_unchanged(void *ctx)
{
	return fault_unchanged(&((struct watched *)ctx)->folder.input);
}

static struct watched watch(const struct seed *s)
{
	struct watched w = { .n_read = calloc(s->n + 1, 1) };

	if (!w.n_read)
		sweep_give_up("no memory", s->name);
	sweep_serve(&w.folder, s);
	return w;
}

/* run shows a seed; the caller frees the page. */
static struct shown run(const struct seed *s, uvet_engine *engine, struct watched *w,
			enum form form)
{
	uvet_io io = { .struct_size = sizeof(uvet_io),
		       .read_at = watched_read,
		       .unchanged = watched_unchanged,
		       .ctx = w,
		       .size = s->n,
		       .open_sibling = sweep_open };
	struct shown o;

	memset(w->n_read, 0, s->n);
	o = show_seed(engine, s, &io, form, NULL);
	if (o.check != UVET_OK || o.output == UVET_NO_MEMORY)
		sweep_give_up("cannot show", s->name);
	return o;
}

/* run_only looks at what was read and at nothing else. */
static void run_only(const struct seed *s, uvet_engine *engine, struct watched *w, enum form form)
{
	struct shown o;

	sweep_serve(&w->folder, s);
	o = run(s, engine, w, form);
	page_free(&o.page);
}

static bool begins(const struct seed *s, const char *name)
{
	return strncmp(s->name, name, strlen(name)) == 0;
}

static bool ends(const char *name, const char *ending)
{
	const size_t n = strlen(name), len = strlen(ending);

	return n >= len && strcmp(name + n - len, ending) == 0;
}

static bool has_beside(const struct seed *s, const char *ending)
{
	for (size_t i = 0; i < s->n_beside; i++)
		if (ends(s->beside[i].file, ending))
			return true;
	return false;
}

/* Whether a .pak is as long as one that a packer brings. */
static bool is_long_as_stub(const struct seed *s)
{
	static const size_t sizes[] = { 232, 339, 347, 387 };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (begins(s, "pak/") && s->n == sizes[i])
			return true;
	return false;
}

static bool is_called_sidecar(const struct seed *s)
{
	const char *last = strrchr(s->file, '/');

	return strncmp(last ? last + 1 : s->file, "._", 2) == 0;
}

/* Members of a rar have their headers read by us and by libarchive, and stored ones their first
 * bytes before the rest. A short zip is held as a whole. */
static unsigned reads_allowed(const struct seed *s)
{
	if (is_called_sidecar(s))
		return 5;
	if (begins(s, "wrap/"))
		return 4;
	if ((ends(s->file, ".zip") && s->n > ZIP_END_MAX) || begins(s, "tar/"))
		return 3;
	return s->keys.n > 0 || is_long_as_stub(s) || begins(s, "pak/PAK029") ||
			       begins(s, "pak/PAK034") || begins(s, "rar/") || has_beside(s, ".sig")
		       ? 2
		       : 1;
}

static void expect_read_once(const struct seed *s, const struct watched *w)
{
	for (size_t i = 0; i < s->n; i++) {
		if (w->n_read[i] <= reads_allowed(s))
			continue;
		sweep_fail(s, "byte %zu was read %u times", i, w->n_read[i]);
		return;
	}
}

/* ---- One read -------------------------------------------------------------------------------- */

/* What is disturbed: a seed in one form, and which of its files: 0 is the seed itself, the others
 * lie beside it. */
struct target {
	const struct seed *seed;
	uvet_engine *engine;
	enum form form;
	size_t file;
	const struct shown *good;
};

static struct fault_input *input_of(struct watched *w, size_t file)
{
	return file == 0 ? &w->folder.input : &w->folder.beside[file - 1];
}

static void judge(const struct target *t, uint64_t at, bool harmless, const struct shown *o)
{
	const char *form = form_name(t->form);
	const unsigned long long read = at;

	if (harmless && (o->output != t->good->output || !page_same(&t->good->page, &o->page)))
		sweep_fail(t->seed, "a short read %llu of file %zu changes the %s", read, t->file,
			   form);
	if (!harmless && form_is_report(t->form) &&
	    (o->verdict == UVET_VALID || o->verdict == UVET_NOT_APPLICABLE))
		sweep_fail(t->seed, "read %llu of file %zu fails, but the verdict is %s", read,
			   t->file, uvet_verdict_name(o->verdict));
	if (!harmless && !form_is_report(t->form) && o->output != UVET_UNREADABLE)
		sweep_fail(t->seed, "read %llu of file %zu fails, but the %s says %s", read,
			   t->file, form, uvet_status_name(o->output));
	if (!form_is_sound(t->form, &o->page))
		sweep_fail(t->seed, "read %llu of file %zu fails: the %s is malformed", read,
			   t->file, form);
}

/* Gives one read a fault, and tells whether there were reads after it. */
static bool disturb_one(const struct target *t, struct watched *w, uint64_t at,
			enum fault_read fault, bool forever)
{
	const bool harmless = fault == FAULT_HALF || fault == FAULT_ONE_BYTE;
	struct fault_input *input = input_of(w, t->file);
	struct shown o;

	sweep_serve(&w->folder, t->seed);
	input->fault_at = at;
	input->fault = fault;
	input->forever = forever;
	o = run(t->seed, t->engine, w, t->form);
	judge(t, at, harmless, &o);
	page_free(&o.page);
	if (input->n_reads < at)
		sweep_fail(t->seed, "read %llu of file %zu is no longer made",
			   (unsigned long long)at, t->file);
	return input->n_reads > at;
}

/* Reads that are all short are the same ones whichever was the first; there are as many as
 * bytes. */
static uint64_t disturb(const struct target *t, struct watched *w, uint64_t at)
{
	static const enum fault_read faults[] = { FAULT_FAILS, FAULT_NO_BYTES, FAULT_HALF,
						  FAULT_ONE_BYTE };
	uint64_t n_runs = 0;

	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		const bool more = disturb_one(t, w, at, faults[i], false), harmless = i >= 2;

		n_runs++;
		if (!more || (harmless && at > 1))
			continue;
		disturb_one(t, w, at, faults[i], true);
		n_runs++;
	}
	return n_runs;
}

/* ---- One seed -------------------------------------------------------------------------------- */

static uint64_t disturb_all(const struct seed *s, uvet_engine *engine, struct watched *w,
			    enum form form)
{
	struct shown good;
	uint64_t n_runs = 1;

	sweep_serve(&w->folder, s);
	good = run(s, engine, w, form);
	for (size_t file = 0; file <= s->n_beside; file++) {
		const struct target t = { s, engine, form, file, &good };
		uint64_t n_reads;

		run_only(s, engine, w, form);
		n_reads = input_of(w, file)->n_reads;
		for (uint64_t at = 1; at <= n_reads; at += sweep_step(n_reads, READS_MAX))
			n_runs += disturb(&t, w, at);
	}
	page_free(&good.page);
	return n_runs;
}

static const uint64_t windows[] = { SOURCE_WINDOW, 64, 4096, 7 };
enum { WINDOWS = sizeof windows / sizeof *windows };

/* A window of a seed, so wide that there are not too many. */
static uint64_t window_of(const struct seed *s, size_t i)
{
	uint64_t len = windows[i];

	while (s->n / len > WINDOWS_MAX)
		len *= 2;
	return len;
}

static uint64_t sweep(const struct seed *s, uvet_engine *engine)
{
	static const enum form forms[] = { FORM_JSON, FORM_MAP, FORM_INFO };
	const size_t n_forms = sweep_is_whole() ? 3 : 1,
		     n_windows = sweep_is_whole() || seed_is_good(s) ? WINDOWS : 2;
	struct watched w = watch(s);
	struct shown whole, o;
	uint64_t n_runs = n_windows;

	engine->engine.keys = s->keys;
	engine->engine.window_len = SOURCE_WINDOW;
	whole = run(s, engine, &w, FORM_JSON);
	for (size_t i = 0; i < n_windows; i++) {
		engine->engine.window_len = window_of(s, i);
		sweep_serve(&w.folder, s);
		o = run(s, engine, &w, FORM_JSON);
		if (!page_same(&whole.page, &o.page))
			sweep_fail(s, "windows of %llu bytes change the report",
				   (unsigned long long)engine->engine.window_len);
		page_free(&o.page);
		for (size_t f = 0; f < n_forms; f++)
			n_runs += disturb_all(s, engine, &w, forms[f]);
	}
	page_free(&whole.page);
	free(w.n_read);
	return n_runs;
}

/* ---- All seeds ------------------------------------------------------------------------------- */

/* Without rules, and without files within files, there is only decoding. */
static void decode_only(const struct seed *s, uvet_engine *silent)
{
	struct watched w = watch(s);

	silent->engine.keys = s->keys;
	for (size_t i = 0; i < WINDOWS; i++) {
		silent->engine.window_len = windows[i];
		run_only(s, silent, &w, FORM_JSON);
		expect_read_once(s, &w);
	}
	free(w.n_read);
}

int main(int argc, char **argv)
{
	uvet_options *options;
	uvet_engine *engine, *silent;
	struct seeds seeds;
	uint64_t n = 0;

	if (argc != 2 || uvet_options_new(&options) != UVET_OK ||
	    uvet_options_set(options, "show-passed", "yes") != UVET_OK ||
	    uvet_engine_new(options, &engine) != UVET_OK ||
	    uvet_options_set(options, "ignore", "all") != UVET_OK ||
	    uvet_options_set(options, "max-depth", "0") != UVET_OK ||
	    uvet_engine_new(options, &silent) != UVET_OK)
		return 3;
	seeds = seeds_load(argv[1], SIZE_MAX);
	for (size_t i = 0; i < seeds.n; i++) {
		n += sweep(&seeds.of[i], engine);
		decode_only(&seeds.of[i], silent);
	}
	seeds_free(&seeds);
	uvet_engine_free(engine);
	uvet_engine_free(silent);
	uvet_options_free(options);
	return sweep_end("read", n);
}

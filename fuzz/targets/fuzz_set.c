/* Sets of files: the input is several, each with the name under which it is checked. In whatever
 * order they are added, the report of the set is the same, and so is what they import. */
#include <string.h>

#include "support/capture.h"
#include "support/must.h"
#include "targets/harness.h"
#include "uvet/uvet.h"

/* A file of the input: a number that says its name, the length of its bytes in two, and they. */
enum { HEAD = 3, FILES_MAX = 12 };

/* Names in which a set tells something: folders of one game, of another, and of none; spellings;
 * downloads; texts. Those from FIRST_OF_GAME on are the game's. */
static const char *const names[] = {
	"mod/System/User.u",     "mod/Textures/Maker.utx",
	"mod/System/Maker.u",    "mod/System/Third.u",
	"mod/Maps/Maker.unr",    "mod/Sounds/MAKER.uax",
	"mod/Maker.utx",         "mod/Textures/Maker.utx.uz",
	"other/User.u",          "mod/System/User.int",
	"mod/System/Unreal.ini", "mod/User/Classes/User.upkg",
	"mod/Cache/cache.ini",   "mod/Cache/0123456789ABCDEF0123456789ABCDEF.uxx",
	"mod/Mod.umod",          "mod/System/Core.dll",
	"game/System/Core.u",    "game/Textures/Maker.utx",
	"game/System/Maker.u",
};
enum { N_NAMES = sizeof names / sizeof *names, FIRST_OF_GAME = 16 };

struct file {
	const char *name;
	const uint8_t *bytes;
	size_t n;
	bool is_game;
	uvet_report *report;
};

struct files {
	struct file of[FILES_MAX];
	size_t n;
};

static void take_files(struct files *f, const uint8_t *data, size_t size)
{
	while (size >= HEAD && f->n < FILES_MAX) {
		const size_t said = data[1] | (size_t)data[2] << 8;
		const size_t n = said < size - HEAD ? said : size - HEAD;
		const unsigned name = data[0] % N_NAMES;

		f->of[f->n++] = (struct file){ .name = names[name],
					       .bytes = data + HEAD,
					       .n = n,
					       .is_game = name >= FIRST_OF_GAME };
		data += HEAD + n;
		size -= HEAD + n;
	}
}

static uvet_engine *engine_of(bool low)
{
	static uvet_engine *engines[2];
	uvet_options *options;

	if (engines[low])
		return engines[low];
	MUST(uvet_options_new(&options) == UVET_OK &&
		     uvet_options_set(options, "sets", "yes") == UVET_OK &&
		     uvet_options_set(options, "max-text", "1024") == UVET_OK &&
		     uvet_options_set(options, "max-memory", low ? "64K" : "64M") == UVET_OK &&
		     uvet_engine_new(options, &engines[low]) == UVET_OK,
	     "an engine is made");
	uvet_options_free(options);
	return engines[low];
}

/* What is said of a set whose files came in an order: from the first on, from the last on, or from
 * the middle on. */
struct said {
	struct capture report, imports;
};

static const struct file *in_order(const struct files *f, unsigned order, size_t i)
{
	return &f->of[order == 0 ? i : order == 1 ? f->n - 1 - i : (i + f->n / 2) % f->n];
}

static void write_all(uvet_engine *engine, uvet_set *set, struct said *said)
{
	uvet_report *report;
	uvet_status status;

	said->report.n = said->imports.n = 0;
	status = uvet_set_imports(set, NULL, "json", capture_sink, &said->imports);
	MUST(status == UVET_OK || status == UVET_NO_MEMORY || status == UVET_CUT,
	     "imports are written, or memory or work ended");
	if (status != UVET_NO_MEMORY)
		capture_check(&said->imports, "json");
	status = uvet_set_check(set, NULL, &report);
	MUST(status == UVET_OK || status == UVET_NO_MEMORY, "a set is checked");
	MUST(!report || status == UVET_OK, "what fails gives no report");
	if (report &&
	    uvet_report_write(engine, report, "json", capture_sink, &said->report) == UVET_OK)
		capture_check(&said->report, "json");
	uvet_report_free(report);
	MUST(uvet_set_check(set, NULL, &report) == UVET_BAD_CALL, "a set is checked once");
}

static void judge(uvet_engine *engine, const struct files *f, unsigned order, struct said *said)
{
	uvet_set *set;

	MUST(uvet_set_new(engine, &set) == UVET_OK, "a set is made");
	for (size_t i = 0; i < f->n; i++) {
		const struct file *file = in_order(f, order, i);

		MUST(uvet_set_add(set, file->report, file->is_game) == UVET_OK,
		     "a report is added");
	}
	write_all(engine, set, said);
	uvet_set_free(set);
}

static void compare_orders(uvet_engine *engine, const struct files *f)
{
	static struct said first, again;

	judge(engine, f, 0, &first);
	for (unsigned order = 1; order < 3; order++) {
		judge(engine, f, order, &again);
		MUST(capture_is_same(&first.report, &again.report),
		     "the order of files changes nothing in the report of their set");
		MUST(capture_is_same(&first.imports, &again.imports), "nor in what they import");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct said little; /* its memory is used again */
	struct files f = { .n = 0 };
	const bool low = size > 0 && data[size - 1] == 0xA5;
	uvet_engine *engine = engine_of(false);

	take_files(&f, data, size);
	for (size_t i = 0; i < f.n; i++)
		MUST(uvet_check_memory(engine, f.of[i].name, f.of[i].bytes, f.of[i].n, NULL,
				       &f.of[i].report) == UVET_OK,
		     "a file is checked");
	/* where memory ends, it counts which files came before */
	if (f.n > 0 && !low)
		compare_orders(engine, &f);
	else if (f.n > 0)
		judge(engine_of(true), &f, 0, &little);
	for (size_t i = 0; i < f.n; i++)
		uvet_report_free(f.of[i].report);
	return 0;
}

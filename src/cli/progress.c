/* The line: files and bytes so far, the rate, and the time that is left, where it is known how much
 * there is. */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>

#include "cli/walk.h"

/* Nanoseconds: before a line is drawn, between two, and for finding out how much there is. */
#define SECOND UINT64_C(1000000000)
#define BEFORE SECOND
#define BETWEEN (SECOND / 5)
#define COUNTING SECOND

enum { LINE_MAX = 200, COLUMNS_STANDARD = 80 };

void progress_open(struct progress *p, const struct settings *settings)
{
	unsigned columns = 0;

	if (!settings->no_progress && platform_stderr_is_terminal()) {
		columns = platform_stderr_columns();
		columns = columns > 0 ? columns : COLUMNS_STANDARD;
	}
	p->settings = settings;
	p->columns = columns;
	p->started = platform_now();
	p->is_counted = p->may_draw = false;
	p->all_files = p->all_bytes = p->drawn = 0;
	atomic_init(&p->files, 0);
	atomic_init(&p->bytes, 0);
	atomic_init(&p->drawn_at, 0);
	atomic_flag_clear(&p->is_busy);
}

/* ---- How much there is ----------------------------------------------------------------------- */

/* Adds what lies in a folder. false: nobody knows, or it takes too long. */
static bool count_folder(struct progress *p, struct walk *w, const char *root, uint64_t until)
{
	struct platform_file file;
	enum walk_result result = walk_begin(w, root);

	while (result != WALK_END && result != WALK_NO_MEMORY && platform_now() < until) {
		result = walk_next(w, &file);
		if (result != WALK_FILE)
			continue;
		p->all_files++;
		p->all_bytes += file.identity.size;
		platform_file_close(&file);
	}
	return result == WALK_END;
}

static bool count_all(struct progress *p)
{
	const uint64_t until = platform_now() + COUNTING;
	struct walk w = { .crosses = p->settings->other_file_systems };
	bool is_known = !p->settings->list;

	for (int i = 0; is_known && i < p->settings->n_operands; i++) {
		const char *path = p->settings->operands[i];
		struct platform_identity found;

		switch (platform_path_look(path, &found)) {
		case PLATFORM_FILE:
			p->all_files++;
			p->all_bytes += found.size;
			break;
		case PLATFORM_FOLDER:
			is_known = count_folder(p, &w, path, until);
			break;
		default:
			is_known = false;
		}
	}
	walk_free(&w);
	return is_known;
}

/* Once, when the run has lasted long enough to be told of. */
static void count_once(struct progress *p)
{
	if (p->is_counted || platform_now() < p->started + BEFORE)
		return;
	p->is_counted = true;
	if (!count_all(p))
		p->all_files = p->all_bytes = 0;
}

/* ---- The line -------------------------------------------------------------------------------- */

struct line {
	char text[LINE_MAX];
	size_t len;
};

static void add(struct line *l, const char *text)
{
	while (*text && l->len < LINE_MAX - 1)
		l->text[l->len++] = *text++;
}

static void add_number(struct line *l, uint64_t n)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
	add(l, digits);
}

/* With one digit behind the point. */
static void add_size(struct line *l, uint64_t n)
{
	static const char *const units[] = { " B", " kB", " MB", " GB", " TB" };
	uint64_t unit = 1;
	size_t i = 0;

	for (; i < sizeof units / sizeof *units - 1 && n / unit >= 1000; i++)
		unit *= 1000;
	add_number(l, n / unit);
	if (i > 0) {
		add(l, ".");
		add_number(l, n % unit / (unit / 10));
	}
	add(l, units[i]);
}

static void add_time(struct line *l, uint64_t seconds)
{
	char text[32];

	if (seconds >= 3600)
		snprintf(text, sizeof text, "%llu:%02u:%02u", (unsigned long long)(seconds / 3600),
			 (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
	else
		snprintf(text, sizeof text, "%u:%02u", (unsigned)(seconds / 60),
			 (unsigned)(seconds % 60));
	add(l, text);
}

static void add_left(struct line *l, const struct progress *p, uint64_t bytes, uint64_t elapsed)
{
	uint64_t left;

	if (bytes == 0 || bytes >= p->all_bytes)
		return;
	left = p->all_bytes - bytes;
	add(l, ", ");
	add_time(l,
		 (uint64_t)((double)elapsed / (double)SECOND * ((double)left / (double)bytes)) + 1);
	add(l, " left");
}

static void make_line(struct line *l, struct progress *p, uint64_t now)
{
	const uint64_t files = atomic_load(&p->files), bytes = atomic_load(&p->bytes);
	const uint64_t elapsed = now - p->started;

	l->len = 0;
	add(l, "uvet: ");
	add_number(l, files);
	if (p->all_files > 0) {
		add(l, " of ");
		add_number(l, p->all_files);
	}
	add(l, p->all_files == 1 || (p->all_files == 0 && files == 1) ? " file, " : " files, ");
	add_size(l, bytes);
	add(l, ", ");
	add_size(l, (uint64_t)((double)bytes / ((double)elapsed / (double)SECOND)));
	add(l, "/s");
	add_left(l, p, bytes, elapsed);
	if (l->len > p->columns - 1)
		l->len = p->columns - 1;
}

/* Writes a line over the one that is there, and blanks over what that had more. */
static void put_line(struct progress *p, const struct line *l)
{
	char text[2 * LINE_MAX + 2];
	size_t n = 0;

	text[n++] = '\r';
	memcpy(text + n, l->text, l->len);
	n += l->len;
	for (size_t i = l->len; i < p->drawn; i++)
		text[n++] = ' ';
	text[n++] = '\r';
	(void)fwrite(text, 1, n, stderr); /* there is nobody else to tell */
	(void)fflush(stderr);
	p->drawn = l->len;
}

static void draw(struct progress *p, uint64_t now)
{
	struct line l;

	if (atomic_flag_test_and_set(&p->is_busy))
		return;
	if (p->may_draw) {
		make_line(&l, p, now);
		put_line(p, &l);
	}
	atomic_flag_clear(&p->is_busy);
}

void progress_bytes(struct progress *p, uint64_t n)
{
	uint64_t now;

	atomic_fetch_add(&p->bytes, n);
	now = platform_now();
	if (now < p->started + BEFORE || now < atomic_load(&p->drawn_at) + BETWEEN)
		return;
	atomic_store(&p->drawn_at, now);
	draw(p, now);
}

void progress_file(struct progress *p)
{
	if (!progress_active(p))
		return;
	atomic_fetch_add(&p->files, 1);
	progress_bytes(p, 0);
}

/* Drawing takes no longer than a write. */
static void wait_for(struct progress *p)
{
	while (atomic_flag_test_and_set(&p->is_busy))
		;
}

void progress_show(struct progress *p)
{
	if (!progress_active(p))
		return;
	count_once(p);
	wait_for(p);
	p->may_draw = true;
	atomic_flag_clear(&p->is_busy);
}

void progress_hide(struct progress *p)
{
	const struct line none = { .len = 0 };

	if (!progress_active(p))
		return;
	wait_for(p);
	if (p->drawn > 0)
		put_line(p, &none);
	p->may_draw = false;
	atomic_flag_clear(&p->is_busy);
}

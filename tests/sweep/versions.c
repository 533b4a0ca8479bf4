/* Which versions of which format are understood, and how far: the table conformance/coverage.md.
 * versions LIST PAGE
 *
 * It asks the decoders. A file in which nothing is wrong is given one version after another, and
 * what the decoder then says of each group of facts is the table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "sweep.h"

/* ---- Asking ---------------------------------------------------------------------------------- */

enum answer { DECODED = '+', UNVERIFIED = '-', UNSUPPORTED = 'x' };

/* What became of each group: a letter each, and a NUL. */
struct answers {
	char of[GROUPS_MAX + 1];
};

/* Every version, and every licensee at or beside which the decoders could change their mind. */
enum { VERSION_MAX = 200, LICENSEES_MAX = 512, ROWS_MAX = 256 };

struct asking {
	struct engine engine;
	uint64_t n_checks;
	uint32_t licensees[LICENSEES_MAX];
	unsigned n_licensees;
	struct answers grid[VERSION_MAX + 1][LICENSEES_MAX];
	const struct format *format; /* of the last file */
	uint64_t version;            /* that it claims */
};

static enum answer answer_of(const struct decode *d, uint32_t group)
{
	while (d->groups[group].why == STOP_NEEDS)
		group = d->groups[group].on;
	/* another build has it */
	if (d->groups[group].why == STOP_NOT || d->groups[group].why == STOP_CODEC)
		return DECODED;
	return d->groups[group].why == STOP_UNVERIFIED ? UNVERIFIED : UNSUPPORTED;
}

/* with: what lies beside the file; NULL: nothing. */
static struct answers ask(struct asking *a, const char *name, const uint8_t *bytes, size_t n,
			  const struct seed *with)
{
	struct answers out = { { 0 } };
	struct siblings siblings;
	struct source source;
	struct arena arena;
	struct decode d = engine_decode(&a->engine, &source, &arena, NULL);
	const void *facts;

	arena_init(&arena, a->engine.allocator, a->engine.limits.of[LIMIT_memory]);
	source_init_memory(&source, bytes, n, name, &arena);
	d.work = (struct work){ .max = a->engine.limits.of[LIMIT_work] };
	if (with) {
		siblings = sweep_siblings(with);
		d.siblings = &siblings;
		a->engine.keys = with->keys;
	}
	a->format = formats[format_sniff(&d)];
	memset(d.groups, 0, sizeof d.groups);
	facts = a->format ? a->format->decode(&d) : NULL;
	if (!facts)
		sweep_fail(NULL, "%s is not decoded", name);
	else
		a->version = layout_version(a->format->version(facts));
	for (uint32_t g = 0; facts && g < a->format->n_groups; g++)
		out.of[g] = (char)answer_of(&d, g);
	decode_close(&d);
	arena_free(&arena);
	a->n_checks++;
	return out;
}

static void put32(uint8_t *at, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (uint8_t)(v >> 8 * i);
}

/* ---- Packages -------------------------------------------------------------------------------- */

/* A package without names, imports and exports, as there are of the engine's own. */
static struct answers ask_package(struct asking *a, uint32_t version, uint32_t licensee)
{
	uint8_t bytes[64] = { 0 };
	bool old = version < 68;

	put32(bytes, 0x9E2A83C1u);
	put32(bytes + 4, version | licensee << 16);
	if (!old)
		put32(bytes + 52, 1); /* a generation */
	return ask(a, "Empty.u", bytes, old ? 44 : 64, NULL);
}

static void add_licensees(struct asking *a, uint32_t from, uint32_t to)
{
	for (uint32_t l = from; l <= to; l++)
		a->licensees[a->n_licensees++] = l;
}

static void ask_packages(struct asking *a)
{
	add_licensees(a, 0, 300);
	add_licensees(a, 2480, 2610);     /* Unreal II */
	add_licensees(a, 0x9126, 0x9128); /* Pariah */
	add_licensees(a, 61446, 61448);   /* Advent Rising */
	add_licensees(a, 65535, 65535);
	for (uint32_t v = 0; v <= VERSION_MAX; v++)
		for (unsigned l = 0; l < a->n_licensees; l++)
			a->grid[v][l] = ask_package(a, v, a->licensees[l]);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

struct row {
	char versions[32], licensees[160];
	struct answers answers;
};

struct rows {
	struct row of[ROWS_MAX];
	unsigned n;
};

static struct row *add_row(struct rows *r)
{
	if (r->n == ROWS_MAX)
		sweep_give_up("too many rows", "versions");
	r->of[r->n] = (struct row){ { 0 }, { 0 }, { { 0 } } };
	return &r->of[r->n++];
}

static void print_range(char *out, size_t room, uint32_t from, uint32_t to)
{
	size_t n = strlen(out);

	if (from == to)
		snprintf(out + n, room - n, "%s%u", n > 0 ? ", " : "", from);
	else
		snprintf(out + n, room - n, "%s%u to %u", n > 0 ? ", " : "", from, to);
}

static bool same(const struct answers *x, const struct answers *y)
{
	return strcmp(x->of, y->of) == 0;
}

/* The licensees of one version that have these answers, where they are not those of every other
 * one. */
static void print_licensees(const struct asking *a, uint32_t version, const struct answers *answers,
			    struct row *row)
{
	const struct answers *of = a->grid[version];

	for (unsigned from = 0; from < a->n_licensees; from++) {
		unsigned to = from;

		if (!same(&of[from], answers))
			continue;
		while (to + 1 < a->n_licensees && a->licensees[to + 1] == a->licensees[to] + 1 &&
		       same(&of[to + 1], answers))
			to++;
		print_range(row->licensees, sizeof row->licensees, a->licensees[from],
			    a->licensees[to]);
		from = to;
	}
}

static bool is_first(const struct answers *of, unsigned l)
{
	for (unsigned k = 0; k < l; k++)
		if (same(&of[k], &of[l]))
			return false;
	return true;
}

static void name_versions(struct row *row, uint32_t from, uint32_t to)
{
	if (to == VERSION_MAX)
		snprintf(row->versions, sizeof row->versions, "from %u", from);
	else
		print_range(row->versions, sizeof row->versions, from, to);
}

/* A row for each way in which some licensees of these versions are taken, and the last one for all
 * others. */
static void add_block(const struct asking *a, uint32_t from, uint32_t to, struct rows *rows)
{
	const struct answers *of = a->grid[from], *rest = &of[a->n_licensees - 1];
	struct row *row;
	unsigned n = 0;

	for (unsigned l = 0; l < a->n_licensees; l++) {
		if (!is_first(of, l) || same(&of[l], rest))
			continue;
		row = add_row(rows);
		row->answers = of[l];
		name_versions(row, from, to);
		print_licensees(a, from, &of[l], row);
		n++;
	}
	row = add_row(rows);
	row->answers = *rest;
	name_versions(row, from, to);
	snprintf(row->licensees, sizeof row->licensees, n > 0 ? "others" : "all");
}

static void list_packages(const struct asking *a, struct rows *rows)
{
	uint32_t from = 0;

	for (uint32_t v = 1; v <= VERSION_MAX + 1; v++) {
		if (v <= VERSION_MAX &&
		    memcmp(a->grid[v], a->grid[from], a->n_licensees * sizeof a->grid[v][0]) == 0)
			continue;
		add_block(a, from, v - 1, rows);
		from = v;
	}
}

/* ---- The other formats ----------------------------------------------------------------------- */

/* The rows of one format's table: a seed, where its version stands, counted from its end if that
 * is negative, and the version that it is given. */
static const struct other {
	const char *seed;
	int at;
	uint32_t version;
	bool more;        /* the next one is of the same table */
	bool versionless; /* the format has no versions */
	/* what the row is called, if not by its version, which is set only where `at` is not 0 */
	const char *as;
} others[] = {
	{ .seed = "umod/good_minimal", .at = -8, .more = true },
	{ .seed = "umod/good_minimal", .at = -8, .version = 1, .more = true },
	{ .seed = "umod/good_minimal", .at = -8, .version = 2 },
	{ .seed = "uz/good_uz", .version = 1234, .more = true },
	{ .seed = "uz/good_uz_5678", .version = 5678, .more = true },
	{ .seed = "uz/good_uz", .version = 1235 },
	{ .seed = "uz/good_uz2", .versionless = true },
	{ .seed = "uz/good_uz3", .versionless = true },
	{ .seed = "uz/good_lzma", .versionless = true },
	{ .seed = "iostore/good_v2", .as = "2, container header 0", .more = true },
	{ .seed = "iostore/good_v2_header_pre", .as = "2, the one before it", .more = true },
	{ .seed = "iostore/good_v3_header_full", .as = "3, container header 0", .more = true },
	{ .seed = "iostore/good_v3_header_pre", .as = "3, the one before it", .more = true },
	{ .seed = "iostore/good_v4", .as = "4", .more = true },
	{ .seed = "iostore/good_v5_header_1_full", .as = "5, container header 1", .more = true },
	{ .seed = "iostore/good_v5_header_2_full", .as = "5, container header 2", .more = true },
	{ .seed = "iostore/good_v5_header_3_full", .as = "5, container header 3", .more = true },
	{ .seed = "iostore/good_v6", .as = "6, container header 3", .more = true },
	{ .seed = "iostore/good_v7", .as = "7, container header 3", .more = true },
	{ .seed = "iostore/good_v8_header_4_full", .as = "8, container header 4", .more = true },
	{ .seed = "iostore/good_v8_header_5_full", .as = "8, container header 5", .more = true },
	{ .seed = "iostore/good_v10", .as = "10", .more = true },
	{ .seed = "iostore/good_v10", .at = 16, .version = 1, .as = "1", .more = true },
	{ .seed = "iostore/good_v10", .at = 16, .version = 9, .as = "9", .more = true },
	{ .seed = "iostore/good_v10", .at = 16, .version = 11, .as = "11" },
};

static const struct seed *find_seed(const struct seeds *seeds, const char *name)
{
	for (size_t i = 0; i < seeds->n; i++)
		if (strcmp(seeds->of[i].name, name) == 0)
			return &seeds->of[i];
	sweep_give_up("no seed", name);
}

static void ask_other(struct asking *a, const struct other *o, const struct seed *s,
		      struct rows *rows)
{
	struct row *row = add_row(rows);

	if (o->as && o->at != 0)
		put32(s->bytes + o->at, o->version);
	if (o->as) {
		snprintf(row->versions, sizeof row->versions, "%s", o->as);
	} else if (o->versionless) {
		snprintf(row->versions, sizeof row->versions, "none");
	} else {
		put32(s->bytes + (o->at < 0 ? (int)s->n + o->at : o->at), o->version);
		print_range(row->versions, sizeof row->versions, o->version, o->version);
	}
	row->answers = ask(a, s->file, s->bytes, s->n, s);
}

/* ---- Formats without rows of their own ------------------------------------------------------- */

static bool has_row(const struct rows *rows, const char *versions)
{
	for (unsigned i = 0; i < rows->n; i++)
		if (strcmp(rows->of[i].versions, versions) == 0)
			return true;
	return false;
}

static bool is_in_folder(const struct seed *s, const char *folder)
{
	const size_t n = strlen(folder);

	return strncmp(s->name, folder, n) == 0 && s->name[n] == '/';
}

/* A row for each version that a good seed in the format's folder has. */
static void ask_plain(struct asking *a, const struct seeds *seeds, const struct format *f,
		      struct rows *rows)
{
	for (size_t i = 0; i < seeds->n; i++) {
		const struct seed *s = &seeds->of[i];
		char versions[sizeof rows->of->versions];
		struct answers answers;

		if (!seed_is_good(s) || !is_in_folder(s, f->name))
			continue;
		answers = ask(a, s->file, s->bytes, s->n, s);
		snprintf(versions, sizeof versions, "%llu", (unsigned long long)a->version);
		if (a->format != f || has_row(rows, versions))
			continue;
		*add_row(rows) = (struct row){ .answers = answers };
		memcpy(rows->of[rows->n - 1].versions, versions, sizeof versions);
	}
}

/* ---- The page -------------------------------------------------------------------------------- */

static bool columns_alike(const struct rows *rows, uint32_t a, uint32_t b)
{
	for (unsigned i = 0; i < rows->n; i++)
		if (rows->of[i].answers.of[a] != rows->of[i].answers.of[b])
			return false;
	return true;
}

/* The first group whose column is the same. */
static uint32_t first_alike(const struct rows *rows, uint32_t group)
{
	uint32_t g = 0;

	while (!columns_alike(rows, g, group))
		g++;
	return g;
}

static void print_head(struct page *p, const struct format *f, const struct rows *rows,
		       bool licensees)
{
	page_print(p, "\n## %s\n\n| version |%s", f->title, licensees ? " licensee |" : "");
	for (uint32_t g = 0; g < f->n_groups; g++) {
		const char *separator = " ";

		if (first_alike(rows, g) != g)
			continue;
		for (uint32_t k = g; k < f->n_groups; k++) {
			if (first_alike(rows, k) != g)
				continue;
			page_print(p, "%s%s", separator, f->groups[k].name);
			separator = ", ";
		}
		page_print(p, " |");
	}
	page_print(p, "\n| --- |%s", licensees ? " --- |" : "");
	for (uint32_t g = 0; g < f->n_groups; g++)
		page_print(p, "%s", first_alike(rows, g) == g ? " --- |" : "");
	page_print(p, "\n");
}

static void print_table(struct page *p, const struct format *f, const struct rows *rows,
			bool licensees)
{
	print_head(p, f, rows, licensees);
	for (unsigned i = 0; i < rows->n; i++) {
		const struct row *row = &rows->of[i];

		page_print(p, "| %s |", row->versions);
		if (licensees)
			page_print(p, " %s |", row->licensees);
		for (uint32_t g = 0; g < f->n_groups; g++)
			if (first_alike(rows, g) == g)
				page_print(p, " %s |",
					   row->answers.of[g] == DECODED      ? "yes"
					   : row->answers.of[g] == UNVERIFIED ? "-"
									      : "no");
		page_print(p, "\n");
	}
}

/* Of the formats that are not shown yet. */
static void print_plain(struct asking *a, const struct seeds *seeds,
			const struct format *const *shown, size_t n_shown, struct page *p)
{
	for (size_t i = 0; formats[i]; i++) {
		struct rows rows = { .n = 0 };
		size_t k = 0;

		while (k < n_shown && shown[k] != formats[i])
			k++;
		if (k < n_shown || formats[i]->takes_sets) /* a set is no file */
			continue;
		ask_plain(a, seeds, formats[i], &rows);
		if (rows.n == 0)
			sweep_fail(NULL, "%s has no good seed", formats[i]->name);
		else
			print_table(p, formats[i], &rows, false);
	}
}

static void print_page(struct asking *a, const struct seeds *seeds, struct page *p)
{
	const struct format *shown[FORMATS_MAX];
	struct rows rows = { .n = 0 };
	size_t n_shown = 0;

	page_print(p, "# What is decoded of which version\n\nGenerated by tests/sweep/versions.c, "
		      "which asks the decoders: do not edit.\n\n");
	page_print(p, "A column is one or more groups of facts, as reports and `uvet rules` name "
		      "them. *yes*: it is decoded and judged. *-*: nobody\n");
	page_print(p, "measured how it is in this version; the rules about it are not evaluated, "
		      "and the report says so. *no*: the version is not\n");
	page_print(p, "supported, and the verdict is undetermined or invalid. Which names are used "
		      "(*uses*), and whether there is data that no\n");
	page_print(p, "reader knows (*other_data*), depends on the objects of a file, too. A "
		      "container has two versions, that of its .utoc and that\n");
	page_print(p, "of its container header.\n");
	ask_packages(a);
	list_packages(a, &rows);
	print_table(p, a->format, &rows, true);
	shown[n_shown++] = a->format;
	rows.n = 0;
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		ask_other(a, &others[i], find_seed(seeds, others[i].seed), &rows);
		if (others[i].more)
			continue;
		print_table(p, a->format, &rows, false);
		shown[n_shown++] = a->format;
		rows.n = 0;
	}
	print_plain(a, seeds, shown, n_shown, p);
}

int main(int argc, char **argv)
{
	struct asking *a = argc == 3 ? calloc(1, sizeof *a) : NULL;
	struct seeds seeds;
	struct page page;

	if (!a)
		return 2;
	seeds = seeds_load(argv[1], 65536);
	sweep_engine(&a->engine);
	page_init(&page);
	print_page(a, &seeds, &page);
	page_compare(&page, argv[2]);
	page_free(&page);
	seeds_free(&seeds);
	argc = sweep_end("versions", a->n_checks);
	free(a);
	return argc;
}

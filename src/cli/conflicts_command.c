/* The command conflicts: what several sets claim, as text or JSON. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

#include "cli/conflicts.h"
#include "cli/message.h"
#include "cli/quoted.h"

struct conflicts_run {
	struct conflicts conflicts;
	struct page page;
	bool is_json;
	uint64_t n_of[UVET_CLAIM_PATH + 1];
	uint64_t n_found, n_told, max_told;
};

static const char *const kinds[] = {
	[UVET_CLAIM_CHUNK] = "chunk", [UVET_CLAIM_PACKAGE] = "package", [UVET_CLAIM_PATH] = "path"
};

static void print_number(struct page *p, uint64_t n)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
	page_print(p, digits);
}

static void print_hex(struct page *p, const char *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < len; i++) {
		page_add(p, &digits[(unsigned char)bytes[i] >> 4], 1);
		page_add(p, &digits[(unsigned char)bytes[i] & 15], 1);
	}
}

/* Of a number of things, the word for one or several. */
static void print_count(struct page *p, uint64_t n, const char *word, const char *more)
{
	print_number(p, n);
	page_print(p, " ");
	page_print(p, word);
	page_print(p, n == 1 ? "" : more);
}

/* ---- Text ------------------------------------------------------------------------------------ */

static void print_ends(struct page *p, const struct conflicts *c, const struct conflict *f)
{
	static const char *const words[] = { [CLAIMANT_WINS] = "  wins       ",
					     [CLAIMANT_TIES] = "  in doubt   ",
					     [CLAIMANT_LOSES] = "  loses      ",
					     [CLAIMANT_UNFOUND] = "  not found  " };

	for (size_t i = 0; i < f->n; i++) {
		const struct conflict_file *file = &c->files[f->files[i]];

		page_print(p, words[f->ends[i]]);
		quoted_text(p, conflicts_path(c, f->files[i]));
		if (f->ends[i] == CLAIMANT_UNFOUND)
			page_print(p, " (no .pak beside it)");
		else if (file->is_loose)
			page_print(p, " (in no archive)");
		else {
			page_print(p, " (order ");
			print_number(p, file->order);
			page_print(p, ")");
		}
		page_print(p, "\n");
	}
}

static void tell_text(struct page *p, const struct conflicts *c, const struct conflict *f)
{
	page_print(p, kinds[f->kind]);
	page_print(p, " ");
	if (f->kind == UVET_CLAIM_PATH)
		quoted_bytes(p, f->bytes, f->len);
	else
		print_hex(p, f->bytes, f->len);
	page_print(p, "\n");
	print_ends(p, c, f);
}

/* Why a file is not judged whole, by its bits. */
static const struct {
	const char *name, *words;
} reasons[FILE_N_GAPS] = {
	{ "locked", "a part is encrypted, and no key opens it" },
	{ "unread", "a part cannot be read" },
	{ "hashed", "of some paths the hash alone is known" },
	{ "closed", "it cannot be read" },
	{ "link", "it is a link, which is not followed" },
	{ "limit", "a limit was reached" },
	{ "changed", "the folder changed meanwhile" },
	{ "other", "it is no .pak and no container, and other archives are not looked into" },
};

static void tell_gaps_text(struct page *p, const struct conflicts *c, size_t file)
{
	const char *before = ": ";

	page_print(p, "not judged ");
	quoted_text(p, conflicts_path(c, file));
	for (unsigned i = 0; i < FILE_N_GAPS; i++) {
		if (!(c->files[file].gaps >> i & 1))
			continue;
		page_print(p, before);
		page_print(p, reasons[i].words);
		before = "; ";
	}
	page_print(p, "\n");
}

static void end_text(struct conflicts_run *r, uint64_t n_unjudged)
{
	struct page *p = &r->page;

	print_count(p, r->conflicts.n_files, "file", "s");
	page_print(p, ": ");
	print_count(p, r->n_found, "conflict", "s");
	page_print(p, " (");
	print_count(p, r->n_of[UVET_CLAIM_PATH], "path", "s");
	page_print(p, ", ");
	print_count(p, r->n_of[UVET_CLAIM_PACKAGE], "package", "s");
	page_print(p, ", ");
	print_count(p, r->n_of[UVET_CLAIM_CHUNK], "chunk", "s");
	page_print(p, "), ");
	print_number(p, n_unjudged);
	page_print(p, " not judged whole.\n");
	if (r->n_told < r->n_found)
		page_print(p, "Not all conflicts are told: see --max-findings.\n");
	if (r->conflicts.cut)
		page_print(p, "A limit was reached: there may be more conflicts.\n");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void tell_ends(struct page *p, const struct conflicts *c, const struct conflict *f)
{
	static const char *const words[] = { [CLAIMANT_WINS] = "wins",
					     [CLAIMANT_TIES] = "in_doubt",
					     [CLAIMANT_LOSES] = "loses",
					     [CLAIMANT_UNFOUND] = "not_found" };

	for (size_t i = 0; i < f->n; i++) {
		const struct conflict_file *file = &c->files[f->files[i]];

		page_print(p, i > 0 ? ",{\"loose\":" : "{\"loose\":");
		page_print(p, file->is_loose ? "true" : "false");
		page_print(p, ",\"order\":");
		print_number(p, file->order);
		page_print(p, ",\"outcome\":\"");
		page_print(p, words[f->ends[i]]);
		page_print(p, "\",");
		quoted_path_json(p, conflicts_path(c, f->files[i]));
		page_print(p, "}");
	}
}

static void tell_json(struct conflicts_run *r, const struct conflicts *c, const struct conflict *f)
{
	struct page *p = &r->page;

	page_print(p, r->n_told > 1 ? ",{\"claimants\":[" : "{\"claimants\":[");
	tell_ends(p, c, f);
	page_print(p, "],");
	if (f->kind == UVET_CLAIM_PATH) {
		page_print(p, "\"kind\":\"path\",\"path\":");
		quoted_json(p, f->bytes, f->len);
	} else {
		page_print(p, "\"id\":\"");
		print_hex(p, f->bytes, f->len);
		page_print(p, "\",\"kind\":\"");
		page_print(p, kinds[f->kind]);
		page_print(p, "\"");
	}
	page_print(p, "}");
}

static void tell_gaps_json(struct page *p, const struct conflicts *c, size_t file)
{
	const char *before = "";

	page_print(p, "{");
	quoted_path_json(p, conflicts_path(c, file));
	page_print(p, ",\"reasons\":[");
	for (unsigned i = 0; i < FILE_N_GAPS; i++) {
		if (!(c->files[file].gaps >> i & 1))
			continue;
		page_print(p, before);
		page_print(p, "\"");
		page_print(p, reasons[i].name);
		page_print(p, "\"");
		before = ",";
	}
	page_print(p, "]}");
}

static void end_json(struct conflicts_run *r)
{
	struct page *p = &r->page;

	page_print(p, "],\"summary\":{\"chunks\":");
	print_number(p, r->n_of[UVET_CLAIM_CHUNK]);
	page_print(p, ",\"cut\":");
	page_print(p, r->conflicts.cut ? "true" : "false");
	page_print(p, ",\"files\":");
	print_number(p, r->conflicts.n_files);
	page_print(p, ",\"packages\":");
	print_number(p, r->n_of[UVET_CLAIM_PACKAGE]);
	page_print(p, ",\"paths\":");
	print_number(p, r->n_of[UVET_CLAIM_PATH]);
	page_print(p, ",\"told\":");
	print_number(p, r->n_told);
	page_print(p, "}}\n");
}

static void begin_json(struct page *p)
{
	page_print(p, "{\"schema\":\"uvet-conflicts/1\","
		      "\"tool\":{\"name\":\"uvet\",\"ruleset\":\"");
	page_print(p, uvet_ruleset());
	page_print(p, "\",\"version\":\"");
	page_print(p, uvet_version());
	page_print(p, "\"},\"conflicts\":[");
}

/* ---- Both ------------------------------------------------------------------------------------ */

static void take(void *ctx, const struct conflicts *c, const struct conflict *f)
{
	struct conflicts_run *r = ctx;

	r->n_of[f->kind]++;
	if (r->n_found++ >= r->max_told)
		return;
	r->n_told++;
	if (r->is_json)
		tell_json(r, c, f);
	else
		tell_text(&r->page, c, f);
}

/* Tells of the files that are not judged whole, and returns how many they are. */
static uint64_t tell_gaps(struct conflicts_run *r)
{
	const struct conflicts *c = &r->conflicts;
	uint64_t n = 0;

	for (size_t i = 0; i < c->n_files; i++) {
		if (c->files[i].gaps == 0)
			continue;
		if (r->is_json)
			page_print(&r->page, n > 0 ? "," : "");
		if (r->is_json)
			tell_gaps_json(&r->page, c, i);
		else
			tell_gaps_text(&r->page, c, i);
		n++;
	}
	return n;
}

static int finish(struct conflicts_run *r)
{
	uint64_t n_unjudged;

	if (r->is_json)
		page_print(&r->page, "],\"unjudged\":[");
	n_unjudged = tell_gaps(r);
	if (r->is_json)
		end_json(r);
	else
		end_text(r, n_unjudged);
	if (r->conflicts.n_files == 0)
		message("nothing was compared: no file was found");
	if (r->n_found > 0)
		return 1;
	return n_unjudged > 0 || r->conflicts.cut || r->conflicts.n_files == 0 ? STATUS_UNDETERMINED
									       : STATUS_DONE;
}

int conflicts_command(const struct settings *settings)
{
	struct conflicts_run r = { .n_found = 0 };
	const struct teller to = { take, &r };
	int code, closed;

	r.is_json = settings->query_format && strcmp(settings->query_format, "json") == 0;
	(void)uvet_options_limit(settings->options, "max-findings", &r.max_told);
	page_open(&r.page);
	if (r.is_json)
		begin_json(&r.page);
	code = conflicts_find(&r.conflicts, settings, &to);
	if (code == STATUS_DONE)
		code = finish(&r);
	closed = page_finish(&r.page);
	conflicts_free(&r.conflicts);
	return closed == STATUS_DONE ? code : closed;
}

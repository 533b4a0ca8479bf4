/* Grouping claims by what they say, and ranking who claims it. */
#include "cli/claimants.h"

#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/sort.h"

/* ---- The order of texts ---------------------------------------------------------------------- */

/* Paths come first, and chunks last: of a package all three are claimed. */
static int rank_of(uint32_t kind)
{
	static const int ranks[] = {
		[UVET_CLAIM_PATH] = 0, [UVET_CLAIM_PACKAGE] = 1, [UVET_CLAIM_CHUNK] = 2
	};

	return ranks[kind];
}

static int compare_words(const struct conflicts *c, const struct claim_text *x,
			 const struct claim_text *y)
{
	const unsigned char *a = (const unsigned char *)c->text + x->at,
			    *b = (const unsigned char *)c->text + y->at;
	const uvet_claim kind = (uvet_claim)x->kind;
	uint32_t i = 0;

	if (x->kind != y->kind)
		return rank_of(x->kind) - rank_of(y->kind);
	while (i < x->len && i < y->len && conflicts_fold(kind, a[i]) == conflicts_fold(kind, b[i]))
		i++;
	if (i < x->len && i < y->len)
		return conflicts_fold(kind, a[i]) - conflicts_fold(kind, b[i]);
	return (x->len > y->len) - (x->len < y->len);
}

/* Files that the game finds come first, then those of a higher order, then by names; files of one
 * set beside each other. */
static int compare_files(const struct conflicts *c, uint32_t a, uint32_t b)
{
	const struct conflict_file *x = &c->files[a], *y = &c->files[b];
	int result;

	if (x->is_found != y->is_found)
		return x->is_found ? -1 : 1;
	if (x->order != y->order)
		return x->order > y->order ? -1 : 1;
	result = strncmp(conflicts_path(c, a), conflicts_path(c, b),
			 x->stem < y->stem ? x->stem : y->stem);
	if (result != 0)
		return result;
	if (x->stem != y->stem)
		return x->stem < y->stem ? -1 : 1;
	return (a > b) - (a < b);
}

static int compare_texts(const void *rows, uint32_t a, uint32_t b)
{
	const struct conflicts *c = rows;
	const int result = compare_words(c, &c->texts[a], &c->texts[b]);

	return result != 0 ? result : compare_files(c, c->texts[a].file, c->texts[b].file);
}

/* ---- Groups ---------------------------------------------------------------------------------- */

struct group {
	uint32_t *files;
	uint8_t *ends;
	size_t n, room_files, room_ends;
};

static bool add_claimant(const struct conflicts *c, struct group *g, uint32_t file)
{
	uint32_t *files;
	uint8_t *ends;

	if (g->n > 0 && conflicts_same_set(c, g->files[g->n - 1], file))
		return true;
	files = grow(g->files, &g->room_files, g->n + 1, sizeof *files);
	if (!files)
		return false;
	g->files = files;
	ends = grow(g->ends, &g->room_ends, g->n + 1, sizeof *ends);
	if (!ends)
		return false;
	g->ends = ends;
	files[g->n++] = file;
	return true;
}

/* Of the highest order one wins; of several nobody knows which is mounted last. Whether a game
 * takes a file that is in no archive depends on the game. */
static void rank_claimants(const struct conflicts *c, struct group *g)
{
	const struct conflict_file *first = &c->files[g->files[0]];
	size_t n_tied = 0;
	bool has_loose = false;

	for (size_t i = 0; i < g->n; i++) {
		const struct conflict_file *f = &c->files[g->files[i]];

		n_tied += f->is_found && f->order == first->order;
		has_loose = has_loose || f->is_loose;
	}
	for (size_t i = 0; i < g->n; i++) {
		const struct conflict_file *f = &c->files[g->files[i]];

		if (!f->is_found)
			g->ends[i] = CLAIMANT_UNFOUND;
		else if (f->is_loose)
			g->ends[i] = CLAIMANT_TIES;
		else if (f->order < first->order)
			g->ends[i] = CLAIMANT_LOSES;
		else
			g->ends[i] = n_tied > 1 || has_loose ? CLAIMANT_TIES : CLAIMANT_WINS;
	}
}

static bool tell_group(struct conflicts *c, struct group *g, const uint32_t *order, size_t first,
		       size_t end, const struct teller *to)
{
	const struct claim_text *t = &c->texts[order[first]];
	struct conflict found = { .kind = (uvet_claim)t->kind,
				  .bytes = c->text + t->at,
				  .len = t->len };

	g->n = 0;
	for (size_t i = first; i < end; i++)
		if (!add_claimant(c, g, c->texts[order[i]].file))
			return false;
	if (g->n < 2)
		return true;
	rank_claimants(c, g);
	found.files = g->files;
	found.ends = g->ends;
	found.n = g->n;
	to->take(to->ctx, c, &found);
	return true;
}

bool claimants_tell(struct conflicts *c, const struct teller *to)
{
	uint32_t *order = sort_rows(c, (uint32_t)c->n_texts, compare_texts);
	struct group g = { .n = 0 };
	bool is_fine = order != NULL;

	for (size_t i = 0, end; is_fine && i < c->n_texts; i = end) {
		for (end = i + 1; end < c->n_texts &&
				  compare_words(c, &c->texts[order[i]], &c->texts[order[end]]) == 0;
		     end++)
			;
		is_fine = tell_group(c, &g, order, i, end, to);
	}
	free(order);
	free(g.files);
	free(g.ends);
	return is_fine;
}

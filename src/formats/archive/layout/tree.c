/* The tree of an archive: what each file is by its name and its folder. */
#include "formats/archive/layout/groups.h"

#include <string.h>

#include "core/path.h"

/* ---- Parts of names -------------------------------------------------------------------------- */

bool lay_is(struct text name, const char *word)
{
	const size_t n = strlen(word);

	if (name.ref.n_units != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (text_unit(name, i) != (uint8_t)word[i])
			return false;
	return true;
}

bool lay_part(struct text path, uint32_t *at, struct text *out)
{
	const uint32_t from = *at, n = path.ref.n_units;
	uint32_t to = from;

	if (from >= n)
		return false;
	while (to < n && !path_is_separator(text_unit(path, to)))
		to++;
	*out = text_sub(path, from, to - from);
	*at = to + 1;
	return true;
}

static const struct kind {
	const char *extension;
	uint32_t what;
	const char *home;
} kinds[] = {
#define KIND(extension, what, home) { extension, what, home },
#include "formats/archive/layout/names.def"
#undef KIND
};

/* Most extensions are known not to be one by their first letter. */
static const struct kind *kind_of(struct text extension)
{
	const uint32_t n = extension.ref.n_units;
	const uint32_t first = n > 0 && n < 8 ? text_fold(text_unit(extension, 0)) : 0;

	for (size_t i = 0; first != 0 && i < sizeof kinds / sizeof *kinds; i++)
		if (text_fold((uint8_t)kinds[i].extension[0]) == first &&
		    text_is(extension, kinds[i].extension))
			return &kinds[i];
	return NULL;
}

/* The parts of a name, but for what its extension says. */
static struct lay_member parts_of(const struct members *m, uint32_t row)
{
	struct lay_member x = { .row = row, .m = &m->rows[row], .name = m->rows[row].name };
	const uint32_t n = path_last_at(&x.name);

	x.folder = text_sub(x.name, 0, n);
	x.last = text_sub(x.name, n, UINT32_MAX);
	x.extension = path_extension(x.last);
	return x;
}

static void find_kind(struct lay_member *x)
{
	const struct kind *kind = kind_of(x->extension);

	if (!kind)
		return;
	x->what = kind->what;
	x->home = kind->home;
}

struct lay_member lay_look(const struct members *m, uint32_t row)
{
	struct lay_member x = parts_of(m, row);

	find_kind(&x);
	return x;
}

static bool is_spelt_alike(struct text a, struct text b)
{
	const uint64_t len = text_span(a.ref).len;

	return a.ref.n_units == b.ref.n_units && a.ref.encoding == b.ref.encoding &&
	       (len == 0 || memcmp(a.data, b.data, (size_t)len) == 0);
}

/* Most members have the extension of the member before. */
static struct lay_member look_like(const struct members *m, uint32_t row,
				   const struct lay_member *last)
{
	struct lay_member x = parts_of(m, row);

	if (!is_spelt_alike(x.extension, last->extension)) {
		find_kind(&x);
		return x;
	}
	x.what = last->what;
	x.home = last->home;
	return x;
}

struct lay_row *lay_tell(struct decode *d, uint32_t group, struct lay_list *l, uint32_t trait,
			 uint32_t member)
{
	struct lay_row *rows = decode_grow(d, group, l->rows, l->n, &l->max, sizeof *rows);

	if (!rows)
		return NULL;
	l->rows = rows;
	l->traits |= trait;
	rows[l->n] = (struct lay_row){ .member = member, .relative = LAY_NONE, .traits = trait };
	return &rows[l->n++];
}

/* ---- Folders --------------------------------------------------------------------------------- */

static const struct {
	const char *folder, *with;
	uint32_t trait;
} folders[] = {
#define FOLDER_WITH(folder, with, trait) { folder, with, trait },
#include "formats/archive/layout/names.def"
#undef FOLDER_WITH
};

static const char *const game_folders[] = {
#define GAME_FOLDER(name) name,
#include "formats/archive/layout/names.def"
#undef GAME_FOLDER
};

static bool is_game_folder(struct text part)
{
	return text_is_one(part, game_folders, sizeof game_folders / sizeof *game_folders);
}

static uint32_t folder_trait(struct text part, struct text next)
{
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (text_is(part, folders[i].folder) &&
		    (!folders[i].with || text_is(next, folders[i].with)))
			return folders[i].trait;
	return 0;
}

/* The folders of the member before are known; most members lie in the same. */
static void enter_folder(struct lay_tree *t, struct text folder)
{
	struct text part, before = { NULL, { 0 } };
	uint32_t at = 0;

	if (is_spelt_alike(folder, t->folder))
		return;
	t->folder = folder;
	t->is_noted = false;
	t->folder_trait = 0;
	t->folder_settings = '\0';
	t->in_cache = false;
	while (lay_part(folder, &at, &part)) {
		uint32_t ahead = at;
		struct text next = { NULL, { 0 } };

		if (!lay_part(folder, &ahead, &next))
			next.ref.n_units = 0;
		if (t->folder_trait == 0)
			t->folder_trait = folder_trait(part, next);
		t->in_cache = text_is(part, "Cache");
		t->folder_settings = text_is(before, "Config") ? '4'
				     : text_is(part, "System") ? '1'
							       : '\0';
		before = part;
	}
}

/* ---- One member ------------------------------------------------------------------------------ */

static const struct {
	const char *name;
	uint32_t trait;
} called[] = {
#define FILE_CALLED(name, trait) { name, trait },
#include "formats/archive/layout/names.def"
#undef FILE_CALLED
};

static const struct {
	const char *name;
	char generation;
} settings[] = {
#define OWN_SETTINGS(name, generation) { name, generation },
#include "formats/archive/layout/names.def"
#undef OWN_SETTINGS
};

/* Files of settings that take the place of the player's own, where they are unpacked as they lie.
 * Those of UE1 and UE2 do so at the root, too, which is unpacked to System. */
static bool is_settings(const struct lay_tree *t, const struct lay_member *x)
{
	const char generation = x->folder.ref.n_units == 0 ? '1' : t->folder_settings;

	for (size_t i = 0; generation && i < sizeof settings / sizeof *settings; i++)
		if (settings[i].generation == generation && text_is(x->last, settings[i].name))
			return true;
	return false;
}

static uint32_t called_trait(struct text last)
{
	if (text_starts(last, "._"))
		return LAY_CLUTTER;
	for (size_t i = 0; i < sizeof called / sizeof *called; i++)
		if (text_is(last, called[i].name))
			return called[i].trait;
	return 0;
}

/* What is told of one file; the first of these that it is. */
static uint32_t file_trait(const struct lay_tree *t, const struct lay_member *x)
{
	uint32_t trait = t->folder_trait;

	if (trait == 0)
		trait = called_trait(x->last);
	if (trait == 0 && x->what & LAY_IS_LEFT)
		trait = LAY_LEFTOVER;
	if (trait == 0 &&
	    (x->what & LAY_IS_CACHED || (t->in_cache && text_is(x->last, "cache.ini"))))
		trait = LAY_CACHE;
	if (trait == 0 && text_is(x->extension, "ini") && is_settings(t, x))
		trait = LAY_SETTINGS;
	return trait;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* A top folder is a game's if it is one of its folders, or has one, or a mod's, in it. */
static void note_top(struct lay_tree *t, const struct lay_member *x)
{
	struct text first = { NULL, { 0 } }, second;
	uint32_t at = 0;

	if (x->folder.ref.n_units == 0 || !lay_part(x->folder, &at, &first)) {
		t->is_spread = true;
		return;
	}
	t->is_spread = t->is_spread || (t->has_top && path_compare(first, t->top) != 0);
	t->top = t->has_top ? t->top : first;
	t->has_top = true;
	t->is_game = t->is_game || is_game_folder(first) ||
		     (lay_part(x->folder, &at, &second) && is_game_folder(second));
}

static bool is_seen(const struct lay_archive *a, uint32_t row)
{
	return a->is_seen && a->is_seen(a->facts, row);
}

static bool look_at_file(struct lay_tree *t, uint32_t row)
{
	const struct lay_member x = look_like(t->archive->members, row, &t->last);
	uint32_t trait;

	t->last = x;
	enter_folder(t, x.folder);
	trait = file_trait(t, &x);
	if (!(trait & (LAY_CLUTTER | LAY_WORKSHOP))) {
		t->what |= x.what | (is_seen(t->archive, row) ? LAY_IS_LOADED : 0);
		if (!t->is_noted && !t->is_spread)
			note_top(t, &x);
		t->is_noted = true;
		t->is_game = t->is_game || text_is(x.last, "enabled.txt");
	}
	return trait == 0 || lay_tell(t->d, t->group, &t->out->tree, trait, row) != NULL;
}

static bool tell_of_all(struct lay_tree *t)
{
	struct lay_row *row;

	if (!t->archive->is_whole)
		return true;
	if (t->archive->members->n_files > 0 && !(t->what & LAY_IS_USEFUL) &&
	    !lay_tell(t->d, t->group, &t->out->tree, LAY_NOTHING, LAY_NONE))
		return false;
	if (!t->has_top || t->is_spread || t->is_game)
		return true;
	row = lay_tell(t->d, t->group, &t->out->tree, LAY_TOP_FOLDER, LAY_NONE);
	if (!row)
		return false;
	row->kind = LAY_TEXT;
	row->value.text = &t->out->top;
	t->out->top = t->top;
	return true;
}

bool lay_examine(struct decode *d, uint32_t group, const struct lay_archive *a, struct lay *out)
{
	struct lay_tree t = { .d = d, .group = group, .archive = a, .out = out };
	const struct members *m = a->members;

	if (!decode_spend(d, group, m->n))
		return false;
	for (size_t i = 0; i < N_UPLOAD_READS; i++)
		out->roots[i] = LAY_NONE;
	for (uint32_t i = 0; i < m->n; i++)
		if (!decode_goes_on(d, group, i) ||
		    (m->rows[i].kind != ARC_DIRECTORY && !look_at_file(&t, i)))
			return false;
	return tell_of_all(&t) && lay_judge_site(&t) && lay_judge_all_groups(&t);
}

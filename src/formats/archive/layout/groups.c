/* What files of one name, or of one folder, are to each other. Sources: conformance/spec/layout.md,
 * 2.8, 3.4, 4.2 and chapters 6 and 7. */
#include "formats/archive/layout/groups.h"

#include <string.h>

#include "core/order.h"
#include "core/path.h"

/* ---- Files of one key ------------------------------------------------------------------------ */

static uint64_t hash_of(const void *table, uint32_t i)
{
	return path_examine(((const struct lay_picks *)table)->of[i].key).hash;
}

static int compare_keys(const void *table, uint32_t a, uint32_t b)
{
	const struct lay_picks *p = table;
	const int by_length = order_numbers(p->of[a].key.ref.n_units, p->of[b].key.ref.n_units);

	return by_length != 0 ? by_length : path_compare(p->of[a].key, p->of[b].key);
}

bool lay_pick(struct lay_tree *t, struct lay_picks *p, const struct lay_member *x, struct text key)
{
	struct lay_picked *of = decode_grow(t->d, t->group, p->of, p->n, &p->max, sizeof *of);

	if (!of)
		return false;
	p->of = of;
	of[p->n++] = (struct lay_picked){ .x = *x, .key = key };
	return true;
}

const struct lay_picked *lay_at(const struct lay_group *g, uint32_t i)
{
	return &g->picks->of[order_row(g->order, g->from + i)];
}

bool lay_judge_groups(struct lay_tree *t, const struct lay_picks *p, lay_group_judge *judge)
{
	struct order order;
	struct lay_group g = { .picks = p, .order = &order };

	if (p->n == 0)
		return true;
	if (!decode_spend(t->d, t->group, p->n))
		return false;
	if (!order_by_hash(t->d->arena, p, (uint32_t)p->n, hash_of, compare_keys, &order))
		return decode_stop(t->d, t->group, STOP_MEMORY, (struct span){ 0, 0 });
	for (; g.from < p->n; g.from += g.n) {
		for (g.n = 1; g.from + g.n < p->n; g.n++)
			if (compare_keys(p, order_row(&order, g.from),
					 order_row(&order, g.from + g.n)) != 0)
				break;
		if (!judge(t, &g))
			return false;
	}
	return true;
}

/* Tells of a member, and of another that it has to do with. */
static bool tell_pair(struct lay_tree *t, uint32_t trait, const struct lay_picked *of,
		      const struct lay_picked *other)
{
	struct lay_row *row = lay_tell(t->d, t->group, &t->out->tree, trait, of->x.row);

	if (row && other)
		row->relative = other->x.row;
	return row != NULL;
}

static bool tell_one(struct lay_tree *t, uint32_t trait, const struct lay_picked *of)
{
	return tell_pair(t, trait, of, NULL);
}

static bool is_beside(const struct lay_picked *a, const struct lay_picked *b)
{
	return path_compare(a->x.folder, b->x.folder) == 0;
}

static const struct lay_picked *first_that_is(const struct lay_group *g, uint32_t what)
{
	for (uint32_t i = 0; i < g->n; i++)
		if (lay_at(g, i)->x.what & what)
			return lay_at(g, i);
	return NULL;
}

/* The last folder of a path, and the path of what it lies in. */
static struct text last_folder(struct text folder)
{
	return path_last(text_sub(folder, 0, folder.ref.n_units > 0 ? folder.ref.n_units - 1 : 0));
}

static struct text outer_folder(struct text folder)
{
	const uint32_t n = last_folder(folder).ref.n_units;

	return text_sub(folder, 0, folder.ref.n_units > n ? folder.ref.n_units - n - 1 : 0);
}

/* ---- A package and its download -------------------------------------------------------------- */

static bool judge_packed(struct lay_tree *t, const struct lay_group *g)
{
	const struct lay_picked *package = first_that_is(g, LAY_IS_PACKAGE);

	for (uint32_t i = 0; package && i < g->n; i++)
		if (lay_at(g, i)->x.what & LAY_IS_PACKED &&
		    !tell_pair(t, LAY_PACKED_TOO, lay_at(g, i), package))
			return false;
	return true;
}

static bool find_packed(struct lay_tree *t)
{
	struct lay_picks picks = { .n = 0 };
	const struct members *m = t->archive->members;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct lay_member x = lay_look(m, i);

		if (m->rows[i].kind == ARC_FILE && x.what & (LAY_IS_PACKAGE | LAY_IS_PACKED) &&
		    !lay_pick(t, &picks, &x, x.what & LAY_IS_PACKED ? path_stem(x.last) : x.last))
			return false;
	}
	return lay_judge_groups(t, &picks, judge_packed);
}

/* ---- Packages of UE1 and UE2 ----------------------------------------------------------------- */

/* A package in the folder of another kind, or in none. */
static bool judge_home(struct lay_tree *t, const struct lay_picked *p)
{
	static const char *const homes[] = { "System", "Maps",         "Textures",  "Sounds",
					     "Music",  "StaticMeshes", "Animations" };
	const struct text folder = last_folder(p->x.folder);
	const bool is_home = text_is_one(folder, homes, sizeof homes / sizeof *homes);
	struct lay_row *row;

	if (is_home && text_is(folder, p->x.home))
		return true;
	row = lay_tell(t->d, t->group, &t->out->tree, is_home ? LAY_STRANGE_FOLDER : LAY_NO_FOLDER,
		       p->x.row);
	if (row)
		row->value.word = p->x.home;
	return row != NULL;
}

static const struct {
	enum upload upload;
	const char *name;
} stock[] = {
#define STOCK(upload, name) { upload, name },
#include "formats/archive/layout/names.def"
#undef STOCK
};

static bool is_stock(enum upload upload, const struct lay_picked *p)
{
	for (size_t i = 0; i < sizeof stock / sizeof *stock; i++)
		if (stock[i].upload == upload && text_is(p->key, stock[i].name))
			return text_is(p->x.extension, "u");
	return false;
}

static bool judge_stem(struct lay_tree *t, const struct lay_group *g)
{
	for (uint32_t i = 0; i < g->n; i++) {
		if (!judge_home(t, lay_at(g, i)) ||
		    (is_stock(t->d->upload, lay_at(g, i)) && !tell_one(t, LAY_STOCK, lay_at(g, i))))
			return false;
		if (i > 0 && path_compare(lay_at(g, i)->x.name, lay_at(g, 0)->x.name) != 0 &&
		    !tell_pair(t, LAY_ONE_STEM, lay_at(g, i), lay_at(g, 0)))
			return false;
	}
	return true;
}

static bool find_packages(struct lay_tree *t)
{
	struct lay_picks picks = { .n = 0 };
	const struct members *m = t->archive->members;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct lay_member x = lay_look(m, i);

		if (m->rows[i].kind == ARC_FILE && x.what & LAY_IS_PACKAGE &&
		    !lay_pick(t, &picks, &x, path_stem(x.last)))
			return false;
	}
	return lay_judge_groups(t, &picks, judge_stem);
}

/* ---- Containers ------------------------------------------------------------------------------ */

/* Of a partition, as Foo_s1.ucas, the stem of its container. */
static struct text container_stem(const struct lay_member *x)
{
	const struct text stem = path_stem(x->last);
	uint32_t n = stem.ref.n_units;

	while (n > 0 && text_between(text_unit(stem, n - 1), '0', '9'))
		n--;
	return n < stem.ref.n_units && text_is(x->extension, "ucas") &&
			       text_ends(text_sub(stem, 0, n), "_s")
		       ? text_sub(stem, 0, n - 2)
		       : stem;
}

/* ---- Data of containers without these -------------------------------------------------------- */

static bool judge_data(struct lay_tree *t, const struct lay_group *g)
{
	for (uint32_t i = 0; i < g->n; i++)
		if (text_is(lay_at(g, i)->x.extension, "utoc"))
			return true;
	for (uint32_t i = 0; i < g->n; i++)
		if (!tell_one(t, LAY_DATA_ALONE, lay_at(g, i)))
			return false;
	return true;
}

/* The path of a member's container, without its extension and without ./ before it. */
static struct text container_path(const struct lay_member *x)
{
	const uint32_t n = container_stem(x).ref.n_units + x->folder.ref.n_units;
	uint32_t from = 0;

	while (n - from >= 2 && text_unit(x->name, from) == '.' &&
	       text_unit(x->name, from + 1) == '/')
		from += 2;
	return text_sub(x->name, from, n - from);
}

/* The key of each is the path of its container. What macOS keeps beside a file has the name of
 * that. */
static bool find_data(struct lay_tree *t)
{
	struct lay_picks picks = { .n = 0 };
	const struct members *m = t->archive->members;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct lay_member x = lay_look(m, i);

		if (m->rows[i].kind == ARC_FILE && x.what & LAY_IS_SET &&
		    !text_starts(x.last, "._") && !lay_pick(t, &picks, &x, container_path(&x)))
			return false;
	}
	return lay_judge_groups(t, &picks, judge_data);
}

/* ---- Sets of containers ---------------------------------------------------------------------- */

/* Tells whether b is a file without which a is of no use. */
static bool belongs(const struct lay_picked *a, const struct lay_picked *b)
{
	const bool is_toc = text_is(b->x.extension, "utoc");

	if (text_is(a->x.extension, "utoc"))
		return text_is(b->x.extension, "ucas");
	return a->x.what & LAY_IS_SIG ? is_toc || b->x.what & LAY_IS_PAK : is_toc;
}

/* Parts whose other part lies in another folder alone. */
static bool judge_apart(struct lay_tree *t, const struct lay_group *g, const struct lay_picked *a)
{
	const struct lay_picked *elsewhere = NULL;

	if (a->x.what & LAY_IS_PAK)
		return true;
	for (uint32_t i = 0; i < g->n; i++) {
		const struct lay_picked *b = lay_at(g, i);

		if (!belongs(a, b))
			continue;
		if (is_beside(a, b))
			return true;
		elsewhere = elsewhere ? elsewhere : b;
	}
	return !elsewhere || tell_pair(t, LAY_SET_APART, a, elsewhere);
}

static bool has_folder(struct text folder, const char *name)
{
	struct text part;
	uint32_t at = 0;

	while (lay_part(folder, &at, &part))
		if (text_is(part, name))
			return true;
	return false;
}

static bool is_loaded_twice(const struct lay_picked *a, const struct lay_picked *b)
{
	return has_folder(a->x.folder, "LogicMods") && has_folder(b->x.folder, "~mods");
}

/* The .pak files of a group: variants, or one that two loaders load. */
static bool judge_paks(struct lay_tree *t, const struct lay_group *g)
{
	const struct lay_picked *first = first_that_is(g, LAY_IS_PAK);

	for (uint32_t i = 0; first && i < g->n; i++) {
		const struct lay_picked *p = lay_at(g, i);
		const bool twice = is_loaded_twice(first, p) || is_loaded_twice(p, first);

		if (!(p->x.what & LAY_IS_PAK) || is_beside(p, first))
			continue;
		if (!tell_pair(t, twice ? LAY_LOADED_TWICE : LAY_VARIANT, p, first))
			return false;
	}
	return true;
}

/* A .pak without a .sig beside it. */
static bool judge_signed(struct lay_tree *t, const struct lay_group *g, const struct lay_picked *a)
{
	if (!(a->x.what & LAY_IS_PAK))
		return true;
	for (uint32_t i = 0; i < g->n; i++)
		if (lay_at(g, i)->x.what & LAY_IS_SIG && is_beside(a, lay_at(g, i)))
			return true;
	return tell_one(t, LAY_NO_SIG, a);
}

/* More files of one name are no set that anybody has, and would be compared each with each. */
enum { SET_MAX = 256 };

static bool judge_container(struct lay_tree *t, const struct lay_group *g)
{
	for (uint32_t i = 0; g->n <= SET_MAX && i < g->n; i++)
		if (!judge_apart(t, g, lay_at(g, i)) || !judge_signed(t, g, lay_at(g, i)))
			return false;
	return judge_paks(t, g);
}

/* ---- Loose assets ---------------------------------------------------------------------------- */

static bool judge_asset(struct lay_tree *t, const struct lay_group *g)
{
	const struct lay_picked *exports = first_that_is(g, LAY_IS_EXPORTS);

	return !exports || first_that_is(g, LAY_IS_ASSET) || tell_one(t, LAY_HALF, exports);
}

/* ---- Mods for UE4SS -------------------------------------------------------------------------- */

static bool is_code(const struct lay_member *x)
{
	const struct text folder = last_folder(x->folder);

	return (text_is(folder, "Scripts") && text_is(x->extension, "lua")) ||
	       (text_is(folder, "dlls") && text_is(x->extension, "dll"));
}

static bool is_main(const struct lay_member *x)
{
	return is_code(x) && (text_is(x->last, "main.lua") || text_is(x->last, "main.dll"));
}

static bool judge_ue4ss(struct lay_tree *t, const struct lay_group *g)
{
	const struct lay_picked *code = NULL, *main = NULL;
	bool is_enabled = false;

	for (uint32_t i = 0; i < g->n; i++) {
		const struct lay_picked *p = lay_at(g, i);

		is_enabled = is_enabled || text_is(p->x.last, "enabled.txt");
		if (!code && is_code(&p->x))
			code = p;
		if (!main && is_main(&p->x))
			main = p;
	}
	if (code && !main)
		return tell_one(t, LAY_NO_MAIN, code);
	return !main || is_enabled || t->has_mods_txt || tell_one(t, LAY_NOT_ENABLED, main);
}

/* ---- Games of UE4 and UE5 -------------------------------------------------------------------- */

/* The files of an archive, by what they are compared by. */
struct ue4_picks {
	struct lay_picks sets, assets, mods;
	uint64_t n_loose;
	uint32_t first_loose;
};

static bool pick_ue4(struct lay_tree *t, struct ue4_picks *p, const struct lay_member *x)
{
	const uint32_t stem = x->name.ref.n_units - x->extension.ref.n_units;

	if (x->what & LAY_IS_ASSET && p->n_loose++ == 0)
		p->first_loose = x->row;
	if (x->what & (LAY_IS_ASSET | LAY_IS_EXPORTS) &&
	    !lay_pick(t, &p->assets, x, text_sub(x->name, 0, stem)))
		return false;
	if (x->what & (LAY_IS_PAK | LAY_IS_SET | LAY_IS_SIG) &&
	    !lay_pick(t, &p->sets, x, container_stem(x)))
		return false;
	t->has_mods_txt = t->has_mods_txt || text_is(x->last, "mods.txt");
	if (is_code(x))
		return lay_pick(t, &p->mods, x, outer_folder(x->folder));
	return !text_is(x->last, "enabled.txt") || lay_pick(t, &p->mods, x, x->folder);
}

static bool find_ue4(struct lay_tree *t)
{
	struct ue4_picks p = { .n_loose = 0 };
	const struct members *m = t->archive->members;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct lay_member x = lay_look(m, i);

		if (m->rows[i].kind == ARC_FILE && !pick_ue4(t, &p, &x))
			return false;
	}
	if (p.n_loose > 0 && !(t->what & (LAY_IS_PAK | LAY_IS_SET))) {
		struct lay_row *row = lay_tell(t->d, t->group, &t->out->tree, LAY_LOOSE,
					       p.first_loose);

		if (!row)
			return false;
		row->kind = LAY_NUMBER;
		row->value.number = p.n_loose;
	}
	return lay_judge_groups(t, &p.sets, judge_container) &&
	       lay_judge_groups(t, &p.assets, judge_asset) &&
	       lay_judge_groups(t, &p.mods, judge_ue4ss);
}

/* ---- Installers for Vortex ------------------------------------------------------------------- */

static bool judge_installer(struct lay_tree *t, const struct lay_group *g)
{
	for (uint32_t i = 0; i < g->n; i++)
		if (text_is(lay_at(g, i)->x.last, "ModuleConfig.xml"))
			return true;
	return tell_one(t, LAY_NO_INSTALLER, lay_at(g, 0));
}

/* The folder may lie in one other. */
static bool is_installer(const struct lay_member *x)
{
	const struct text outer = outer_folder(x->folder);

	return text_is(last_folder(x->folder), "fomod") && outer_folder(outer).ref.n_units == 0;
}

static bool find_installers(struct lay_tree *t)
{
	struct lay_picks picks = { .n = 0 };
	const struct members *m = t->archive->members;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct lay_member x = lay_look(m, i);

		if (m->rows[i].kind == ARC_FILE && is_installer(&x) &&
		    !lay_pick(t, &picks, &x, x.folder))
			return false;
	}
	return lay_judge_groups(t, &picks, judge_installer);
}

/* ---- Another game's -------------------------------------------------------------------------- */

static bool judge_game(struct lay_tree *t)
{
	static const uint32_t old = LAY_IS_PACKAGE | LAY_IS_PACKED,
			      new = LAY_IS_PAK | LAY_IS_SET | LAY_IS_ASSET | LAY_IS_EXPORTS;
	const bool wants_new = t->d->upload == UPLOAD_UE4_MODS,
		   wants_old = t->d->upload == UPLOAD_UT99 || t->d->upload == UPLOAD_UT2004;
	struct lay_row *row;

	if (!t->archive->is_whole || !(wants_new ? t->what & old : wants_old && t->what & new) ||
	    t->what & (wants_new ? new : old))
		return true;
	row = lay_tell(t->d, t->group, &t->out->tree, LAY_OTHER_GAME, LAY_NONE);
	if (row)
		row->value.word = wants_new ? "Unreal Engine 1 and 2" : "Unreal Engine 4 and 5";
	return row != NULL;
}

bool lay_judge_all_groups(struct lay_tree *t)
{
	if (!judge_game(t) || (t->what & LAY_IS_SET && !find_data(t)))
		return false;
	if (t->what & LAY_IS_PACKED && !find_packed(t))
		return false;
	switch (t->d->upload) {
	case UPLOAD_UT99:
	case UPLOAD_UT2004:
		return find_packages(t);
	case UPLOAD_UE4_MODS:
		return find_ue4(t);
	case UPLOAD_NEXUS:
		return find_installers(t);
	case UPLOAD_REDIRECT:
		return lay_judge_redirect(t);
	default:
		return true;
	}
}

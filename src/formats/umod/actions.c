/* Actions: lines that delete, or change settings, or otherwise do more than copy a member. */
#include "formats/umod/install.h"

/* Of the keys of actions, those that concern ini files come last. */
static bool is_ini_key(enum manifest_key key)
{
	return key >= KEY_INI;
}

/* What a line says that it changes. */
struct action {
	struct text path;               /* the file or folder */
	bool malformed;                 /* Ini=, AddIni= not of the form file,section.key=value, or a file not ending in .ini */
	bool core;                      /* its section begins with "Core." */
	bool outside;                   /* an ini file in a folder other than System */
	struct text package;            /* that is added to ServerPackages; empty: none is */
};

/* An ini value is file,section.key=value; the section's name has dots of its own, so the key follows the last one. */
static void read_ini_action(struct text value, struct action *a)
{
	struct text file, rest, name, folder;
	uint64_t comma = text_find(value, ',', 0), equals, dot = 0;

	file = text_trim(text_sub(value, 0, comma));
	rest = text_trim(text_sub(value, comma + 1, value.ref.n_units));
	equals = text_find(rest, '=', 0);
	name = text_sub(rest, 0, equals);
	for (uint64_t i = 0; i < name.ref.n_units; i++)
		if (text_unit(name, i) == '.')
			dot = i;
	folder = text_sub(file, 0, file.ref.n_units - path_last(file).ref.n_units);
	a->path = file;
	a->core = text_starts(rest, "Core.");
	a->outside = folder.ref.n_units > 0 && !text_is(folder, "System\\") && !text_is(folder, "System/");
	a->malformed = equals == rest.ref.n_units || dot == 0 || dot + 1 == equals || !text_is(path_extension(file), "ini");
	if (text_is(text_sub(name, dot + 1, name.ref.n_units), "ServerPackages") && !a->malformed)
		a->package = text_trim(text_sub(rest, equals + 1, rest.ref.n_units));
}

static const char *danger_of(enum manifest_key key, const struct action *a)
{
	if (key == KEY_DELETE)
		return " deletes a file";
	if (key == KEY_WIN_REGISTRY)
		return " writes the registry";
	if (key == KEY_SHORTCUT)
		return " makes a shortcut";
	if (a->outside)
		return " changes a file outside System";
	return a->core ? " changes a setting of Core" : NULL;
}

static bool note_danger(struct decode *d, struct manifest *m, const struct manifest_line *l, const char *danger)
{
	struct manifest_note note;

	if (manifest_only_counts(d, m, DEFECT_ACTION_DANGEROUS, false))
		return true;
	note = (struct manifest_note){ .line = *l, .at = l->value, .reason = danger };
	return manifest_note_line(d, m, DEFECT_ACTION_DANGEROUS, &note);
}

static bool note_path(struct decode *d, struct manifest *m, const struct manifest_line *l, const struct action *a)
{
	const bool is_search = l->key_id == KEY_REMOVE_PATH;
	struct manifest_note note;
	uint32_t traits;

	if (l->key_id == KEY_SHORTCUT || l->key_id == KEY_WIN_REGISTRY)
		return true;
	if (!install_note_long(d, m, l, a->path))
		return false;
	traits = path_examine(a->path).traits;
	if (!(traits & PATH_UNSAFE) || manifest_only_counts(d, m, DEFECT_ACTION_UNSAFE, is_search))
		return true;
	note = (struct manifest_note){ .line = *l, .at = l->value, .text = a->path.ref, .traits = traits, .lesser = is_search };
	return manifest_note_line(d, m, DEFECT_ACTION_UNSAFE, &note);
}

static bool add_package(struct decode *d, struct manifest *m, const struct action *a)
{
	struct manifest_package *p = manifest_add(d, &m->packages, sizeof *p);

	if (p)
		*p = (struct manifest_package){ manifest_unit(m, MANIFEST_INI, a->package.ref), a->package.ref.n_units };
	return p != NULL;
}

bool install_read_action(struct decode *d, struct manifest *m, const struct manifest_line *l)
{
	const bool is_ini = l->key_id == KEY_INI || l->key_id == KEY_ADD_INI;
	struct action a = { .path = install_value(m, l) };
	const char *danger;

	if (l->key_id == KEY_INI && a.path.ref.n_units > 0 && text_unit(a.path, 0) == '!')
		a.path = text_sub(a.path, 1, a.path.ref.n_units);
	if (is_ini_key(l->key_id))
		read_ini_action(a.path, &a);
	danger = danger_of(l->key_id, &a);
	if (danger && !note_danger(d, m, l, danger))
		return false;
	if (is_ini && a.malformed && !install_note(d, m, DEFECT_INI_MALFORMED, l, l->value))
		return false;
	if (is_ini && a.package.ref.n_units > 0 && !add_package(d, m, &a))
		return false;
	return note_path(d, m, l, &a);
}

/* ---- Packages of this installer --------------------------------------------------------------------------------------- */

/* A stem is a member's name without folders and extension: what a package is called by. */
struct stem {
	struct text_ref name;
	uint32_t hash;
};

struct stems {
	const struct umod *u;
	struct stem *of;                /* by member */
	struct order by_hash;
};

static struct text stem_text(const struct stems *s, uint32_t i)
{
	return text_at(&s->u->directory_window, s->of[i].name);
}

static uint64_t stem_key(const void *stems, uint32_t i)
{
	return ((const struct stems *)stems)->of[i].hash;
}

static int compare_stems(const void *stems, uint32_t a, uint32_t b)
{
	return path_compare(stem_text(stems, a), stem_text(stems, b));
}

/* Stems are cut off and hashed once: names may be long, and a search meets the same ones again and again. */
static bool list_stems(struct decode *d, struct stems *s)
{
	uint32_t n = s->u->n_members;

	s->of = decode_alloc(d, UMOD_MANIFEST, n, sizeof *s->of);
	if (!s->of)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		struct text stem = path_stem(umod_name(s->u, &s->u->members[i]));

		s->of[i] = (struct stem){ stem.ref, path_examine(stem).hash };
	}
	if (order_by_hash(d->arena, s, n, stem_key, compare_stems, &s->by_hash))
		return true;
	return decode_stop(d, UMOD_MANIFEST, STOP_MEMORY, (struct span){ 0, 0 });
}

static int match_stem(const void *stems, uint32_t i, const void *stem)
{
	return path_compare(stem_text(stems, i), *(const struct text *)stem);
}

static bool has_stem(const struct stems *s, struct text stem)
{
	return order_find(&s->by_hash, s, stem_key, path_examine(stem).hash, match_stem, &stem) != ORDER_NONE;
}

static bool is_game(const struct manifest *m, const struct manifest_term *product)
{
	const struct manifest_product *known = manifest_product_of(m, product);

	return known && known->is_game;
}

/* A package may come from another mod that the installer requires; then we cannot miss it. */
static bool requires_games_only(const struct manifest *m)
{
	for (uint32_t i = 0; i < m->n_requirements; i++) {
		const struct manifest_requirement *r = &m->requirements[i];

		if (!is_game(m, r->product) || (r->last_product && !is_game(m, r->last_product)))
			return false;
	}
	return true;
}

static bool note_package(struct decode *d, struct manifest *m, const struct manifest_package *p)
{
	struct manifest_note note;

	if (manifest_only_counts(d, m, DEFECT_PACKAGE_MISSING, false))
		return true;
	note = (struct manifest_note){ .line = manifest_line_around(m, MANIFEST_INI, p->from) };
	note.at = note.line.value;
	note.text = manifest_part(m, MANIFEST_INI, p->from, p->n_units).ref;
	return manifest_note_line(d, m, DEFECT_PACKAGE_MISSING, &note);
}

bool install_find_missing_packages(struct decode *d, struct umod *u)
{
	struct manifest *m = &u->manifest;
	struct stems stems = { .u = u };

	if (m->packages.n == 0 || !requires_games_only(m))
		return true;
	if (!list_stems(d, &stems))
		return false;
	for (uint32_t i = 0; i < m->packages.n; i++) {
		const struct manifest_package *p = MANIFEST_ROW(m, packages, manifest_package, i);

		if (!has_stem(&stems, manifest_part(m, MANIFEST_INI, p->from, p->n_units)) && !note_package(d, m, p))
			return false;
	}
	return true;
}

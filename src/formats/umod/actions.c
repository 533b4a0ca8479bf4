/* Actions: lines that delete files, change settings, or otherwise do more than copy a member. */
#include "formats/umod/install.h"

/* The keys of actions on ini files are the last ones in the enum. */
static bool is_ini_key(enum manifest_key key)
{
	return key >= KEY_INI;
}

/* What a line asks Setup to change. */
struct action {
	struct text path;    /* the file or folder */
	bool stops;          /* its value lacks a part, so that Setup stops */
	bool malformed;      /* the section or the key of an Ini= or AddIni= is empty */
	bool core;           /* its section begins with "Core." */
	bool outside;        /* an ini file in a folder other than System */
	bool record;         /* the file where the game keeps a record of what is installed */
	struct text package; /* that is added to ServerPackages; empty: none is */
};

/* The folder of a path, without the separators at its end, of which there may be several. */
static struct text folder_of(struct text file)
{
	uint64_t n = file.ref.n_units - path_last(file).ref.n_units;

	while (n > 0 && path_last(text_sub(file, 0, n)).ref.n_units == 0)
		n--;
	return text_sub(file, 0, n);
}

/* A name without a folder is a file in the game's root folder, except for the settings of the games
 * themselves, which Setup looks for in System. */
static bool is_outside(enum manifest_key key, struct text file)
{
	static const char *const in_system[] = { "UnrealTournament.ini", "UT2003.ini",
						 "UT2004.ini" };

	if (path_last(file).ref.n_units < file.ref.n_units)
		return !text_is(folder_of(file), "System");
	if (key != KEY_INI && key != KEY_SAVE_INI &&
	    text_is_one(file, in_system, sizeof in_system / sizeof in_system[0]))
		return false;
	return file.ref.n_units > 0;
}

static bool is_record(struct text file)
{
	const struct text name = path_last(file);

	return path_compare(folder_of(file), text_from("System")) == 0 &&
	       (path_compare(name, text_from("Manifest.ini")) == 0 ||
		path_compare(name, text_from("Manifest")) == 0);
}

/* The unit after the last dot; 0: there is no dot. */
static uint64_t after_dot(struct text t)
{
	uint64_t n = t.ref.n_units;

	while (n > 0 && text_unit(t, n - 1) != '.')
		n--;
	return n;
}

/* An ini value is file,section.key=value. The section's name may contain dots, so the key is what
 * follows the last one. */
static void read_ini_action(enum manifest_key key, struct text value, struct action *a)
{
	const uint64_t comma = text_find(value, ',', 0);
	const struct text file = text_trim(text_sub(value, 0, comma)),
			  rest = text_trim(text_sub(value, comma + 1, value.ref.n_units));
	const uint64_t equals = text_find(rest, '=', 0);
	const struct text name = text_sub(rest, 0, equals);
	const uint64_t setting = after_dot(name);

	a->path = file;
	a->core = text_starts(rest, "Core.");
	a->outside = is_outside(key, file);
	a->record = is_record(file);
	a->stops = key == KEY_SAVE_INI && after_dot(rest) == 0;
	if (key != KEY_INI && key != KEY_ADD_INI)
		return;
	a->stops = equals == rest.ref.n_units || setting == 0;
	a->malformed = !a->stops && (setting == 1 || setting == equals);
	if (!a->stops && !a->malformed &&
	    text_is(text_sub(name, setting, name.ref.n_units), "ServerPackages"))
		a->package = text_trim(text_sub(rest, equals + 1, rest.ref.n_units));
}

/* A registry value is root\path\name=value. */
static void read_registry_action(struct text value, struct action *a)
{
	static const char *const roots[] = { "HKEY_CLASSES_ROOT", "HKEY_CURRENT_USER",
					     "HKEY_LOCAL_MACHINE" };
	const struct text key = text_sub(value, 0, text_find(value, '=', 0));
	const uint64_t slash = text_find(key, '\\', 0);
	const bool is_known = text_is_one(text_sub(key, 0, slash), roots,
					  sizeof roots / sizeof roots[0]);

	a->stops = !is_known || key.ref.n_units == value.ref.n_units ||
		   text_find(key, '\\', slash + 1) == key.ref.n_units;
}

/* The danger of an action; 0: it has none. */
static uint32_t danger_of(enum manifest_key key, const struct action *a)
{
	if (key == KEY_DELETE)
		return UMOD_DELETES_FILE;
	if (key == KEY_WIN_REGISTRY)
		return UMOD_WRITES_REGISTRY;
	if (key == KEY_SHORTCUT)
		return UMOD_MAKES_SHORTCUT;
	if (a->outside)
		return UMOD_OUTSIDE_SYSTEM;
	if (a->record)
		return UMOD_CHANGES_RECORD;
	return a->core ? UMOD_CHANGES_CORE : 0;
}

static bool note_path(struct decode *d, struct manifest *m, const struct manifest_line *l,
		      const struct action *a)
{
	const uint32_t kind = l->key_id == KEY_REMOVE_PATH ? UMOD_SEARCH_PATH : UMOD_ACTION_PATH;
	struct manifest_note note;
	uint32_t traits;

	if (l->key_id == KEY_SHORTCUT || l->key_id == KEY_WIN_REGISTRY)
		return true;
	if (!install_note_long(d, m, l, a->path))
		return false;
	traits = path_examine(a->path).traits;
	if (!(traits & PATH_UNSAFE) || manifest_only_counts(d, m, DEFECT_ACTION_UNSAFE, kind))
		return true;
	note = (struct manifest_note){
		.line = *l, .at = l->value, .text = a->path.ref, .traits = traits, .kind = kind
	};
	return manifest_note_line(d, m, DEFECT_ACTION_UNSAFE, &note);
}

/* Tells whether files of this extension are settings: sections of key=value. */
static bool is_settings(struct text extension)
{
	return umod_is_language(text_word(extension)) || policy_is_settings(extension);
}

/* The engine adds ".ini" to a name unless it ends in a dot and three or four characters. */
static bool keeps_extension(struct text file)
{
	const uint32_t n = file.ref.n_units;

	return (n >= 4 && text_unit(file, n - 4) == '.') ||
	       (n >= 5 && text_unit(file, n - 5) == '.');
}

/* What kind of file the engine would rewrite; 0: one of settings. */
static uint32_t target_of(struct text file)
{
	const struct text extension = path_extension(file);

	if (text_find(extension, '%', 0) < extension.ref.n_units)
		return UMOD_TARGET_UNKNOWN;
	if (keeps_extension(file) &&
	    (policy_is_program(text_word(extension)) || format_promised(extension)))
		return UMOD_TARGET_PROGRAM;
	return is_settings(extension) ? 0 : UMOD_TARGET_OTHER;
}

static bool note_target(struct decode *d, struct manifest *m, const struct manifest_line *l,
			struct text file)
{
	const struct manifest_note note = {
		.line = *l, .at = l->value, .text = file.ref, .kind = target_of(file)
	};

	return note.kind == 0 || manifest_note_line(d, m, DEFECT_INI_NOT_SETTINGS, &note);
}

static bool add_value(struct decode *d, const struct manifest *m, struct manifest_rows *rows,
		      struct text_ref value)
{
	struct manifest_value *v = manifest_add(d, rows, sizeof *v);

	if (v)
		*v = (struct manifest_value){ manifest_unit(m, MANIFEST_INI, value),
					      value.n_units };
	return v != NULL;
}

bool install_read_action(struct decode *d, struct manifest *m, const struct manifest_line *l)
{
	struct action a = { .path = install_value(m, l) };
	uint32_t danger;

	if (l->key_id == KEY_INI && a.path.ref.n_units > 0 && text_unit(a.path, 0) == '!')
		a.path = text_sub(a.path, 1, a.path.ref.n_units);
	if (l->key_id == KEY_DIRECTX_HOOK)
		return a.path.ref.n_units == 0 ||
		       install_note(d, m, DEFECT_LIBRARY_LOADED, l, l->value);
	if (l->key_id == KEY_SHORTCUT && !add_value(d, m, &m->shortcuts, l->value))
		return false;
	if (is_ini_key(l->key_id))
		read_ini_action(l->key_id, a.path, &a);
	if (l->key_id == KEY_WIN_REGISTRY)
		read_registry_action(a.path, &a);
	danger = danger_of(l->key_id, &a);
	if (danger != 0 && !install_note_kind(d, m, DEFECT_ACTION_DANGEROUS, danger, l, l->value))
		return false;
	if (a.stops && !install_note(d, m, DEFECT_ACTION_STOPS, l, l->value))
		return false;
	if (a.malformed && !install_note(d, m, DEFECT_INI_MALFORMED, l, l->value))
		return false;
	if (is_ini_key(l->key_id) && !a.stops && !note_target(d, m, l, a.path))
		return false;
	if (a.package.ref.n_units > 0 && !add_value(d, m, &m->packages, a.package.ref))
		return false;
	return note_path(d, m, l, &a);
}

bool install_read_setting(struct decode *d, struct manifest *m, const struct manifest_line *l)
{
	const struct text value = install_value(m, l);

	if (l->key_id == KEY_POST_EXEC)
		return value.ref.n_units == 0 ||
		       install_note_kind(d, m, DEFECT_ACTION_DANGEROUS, UMOD_STARTS_PROGRAM, l,
					 l->value);
	return !(path_examine(value).traits & PATH_UNSAFE) ||
	       install_note_kind(d, m, DEFECT_ACTION_DANGEROUS, UMOD_CHOOSES_FOLDER, l, l->value);
}

/* ---- Packages of this installer -------------------------------------------------------------- */

/* A stem is a member's name without folders and extension, which is a package's name. */
struct stem {
	struct text_ref name;
	uint32_t hash;
};

struct stems {
	const struct umod *u;
	struct stem *of; /* by member */
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

/* Stems are found and hashed once, because names may be long and each search compares many. */
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
	return order_find(&s->by_hash, s, stem_key, path_examine(stem).hash, match_stem, &stem) !=
	       ORDER_NONE;
}

static bool is_game(const struct manifest *m, const struct manifest_term *product)
{
	const struct policy_product *known = manifest_product_of(m, product);

	return known && known->is_game;
}

/* If the installer requires another mod, a package may come from there, and is not missing. */
static bool requires_games_only(const struct manifest *m)
{
	for (uint32_t i = 0; i < m->n_requirements; i++) {
		const struct manifest_requirement *r = &m->requirements[i];

		if (!is_game(m, r->product) || (r->last_product && !is_game(m, r->last_product)))
			return false;
	}
	return true;
}

static bool note_package(struct decode *d, struct manifest *m, const struct manifest_value *p)
{
	struct manifest_note note;

	if (manifest_only_counts(d, m, DEFECT_PACKAGE_MISSING, 0))
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
		const struct manifest_value *p = MANIFEST_ROW(m, packages, manifest_value, i);

		if (!has_stem(&stems, manifest_part(m, MANIFEST_INI, p->from, p->n_units)) &&
		    !note_package(d, m, p))
			return false;
	}
	return true;
}

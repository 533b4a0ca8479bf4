/* Actions: lines that delete, or change settings, or otherwise do more than copy a member. */
#include "formats/umod/install.h"

/* Of the keys of actions, those that concern ini files come last. */
static bool is_ini_key(enum manifest_key key)
{
	return key >= KEY_INI;
}

/* An ini value is file,section.key=value; the section's name has dots of its own, so the key follows the last one. */
static void read_ini_action(const struct manifest *m, struct manifest_action *a)
{
	struct text value = install_value(m, a->line), file, rest, name, folder;
	uint64_t comma = text_find(value, ',', 0), equals, dot = 0;

	file = text_trim(text_sub(value, 0, comma));
	rest = text_trim(text_sub(value, comma + 1, value.ref.n_units));
	equals = text_find(rest, '=', 0);
	name = text_sub(rest, 0, equals);
	for (uint64_t i = 0; i < name.ref.n_units; i++)
		if (text_unit(name, i) == '.')
			dot = i;
	folder = text_sub(file, 0, file.ref.n_units - path_last(file).ref.n_units);
	a->path = file.ref;
	a->ini_core = text_starts(rest, "Core.");
	a->outside_system = folder.ref.n_units > 0 && !text_is(folder, "System\\") && !text_is(folder, "System/");
	a->ini_malformed = equals == rest.ref.n_units || dot == 0 || dot + 1 == equals || !text_is(path_extension(file), "ini");
	if (text_is(text_sub(name, dot + 1, name.ref.n_units), "ServerPackages") && !a->ini_malformed)
		a->package = text_trim(text_sub(rest, equals + 1, rest.ref.n_units)).ref;
}

void install_read_action(struct manifest *m, const struct manifest_line *l)
{
	struct manifest_action *a = &m->actions[m->n_actions++];

	*a = (struct manifest_action){ .line = l, .path = l->value };
	if (is_ini_key(l->key_id))
		read_ini_action(m, a);
	if (l->key_id != KEY_SHORTCUT && l->key_id != KEY_WIN_REGISTRY)
		a->traits = path_examine(manifest_text(m, l->file, a->path)).traits;
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

/* A package may come from another mod that the installer requires; then we cannot miss it. */
static bool requires_games_only(const struct manifest *m)
{
	for (uint32_t i = 0; i < m->n_requirements; i++)
		if (!m->requirements[i].known || !m->requirements[i].known->is_game)
			return false;
	return true;
}

bool install_find_missing_packages(struct decode *d, struct umod *u)
{
	struct manifest *m = &u->manifest;
	struct stems stems = { .u = u };

	if (!requires_games_only(m))
		return true;
	for (uint32_t i = 0; i < m->n_actions; i++) {
		struct manifest_action *a = &m->actions[i];

		if (a->package.n_units == 0)
			continue;
		if (!stems.of && !list_stems(d, &stems))
			return false;
		a->missing_package = !has_stem(&stems, manifest_text(m, a->line->file, a->package));
	}
	return true;
}

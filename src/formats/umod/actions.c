/* Actions: lines that delete, or change settings, or otherwise do more than copy a member. */
#include "formats/umod/install.h"

static bool is_ini_key(enum manifest_key key)
{
	return key >= KEY_INI && key <= KEY_REMOVE_INI_VALUE;
}

bool install_is_action(enum manifest_key key)
{
	return key >= KEY_DELETE && key <= KEY_REMOVE_INI_VALUE;
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

static struct text member_stem(const struct umod *u, uint32_t i)
{
	return path_stem(umod_name(u, &u->members[i]));
}

static uint64_t stem_key(const void *facts, uint32_t i)
{
	return path_examine(member_stem(facts, i)).hash;
}

static int compare_stems(const void *facts, uint32_t a, uint32_t b)
{
	return path_compare(member_stem(facts, a), member_stem(facts, b));
}

static bool order_stems(struct decode *d, const struct umod *u, struct order *out)
{
	return order_by_key(d->arena, u, u->n_members, stem_key, out) && order_refine(d->arena, u, stem_key, compare_stems, out);
}

static bool has_stem(const struct umod *u, const struct order *by_stem, struct text stem)
{
	uint64_t hash = path_examine(stem).hash;
	uint32_t low = 0, high = u->n_members;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2, row = order_row(by_stem, middle);
		uint64_t key = stem_key(u, row);

		if (key < hash || (key == hash && path_compare(member_stem(u, row), stem) < 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low < u->n_members && path_compare(member_stem(u, order_row(by_stem, low)), stem) == 0;
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
	struct order by_stem = { 0 };
	bool sorted = false;

	if (!requires_games_only(m))
		return true;
	for (uint32_t i = 0; i < m->n_actions; i++) {
		struct manifest_action *a = &m->actions[i];

		if (a->package.n_units == 0)
			continue;
		if (!sorted && !order_stems(d, u, &by_stem))
			return decode_stop(d, UMOD_MANIFEST, STOP_MEMORY, (struct span){ 0, 0 });
		sorted = true;
		a->missing_package = !has_stem(u, &by_stem, manifest_text(m, a->line->file, a->package));
	}
	return true;
}

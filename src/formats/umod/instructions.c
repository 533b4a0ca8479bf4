/* Manifests as instructions: each line key=value goes to the part that reads its key. */
#include "formats/umod/install.h"

#include "core/mutant.h"

/* ---- Text files of [Setup] ------------------------------------------------------------------- */

static bool is_member(const struct umod *u, struct text name)
{
	return umod_find(u, name, path_examine(name).hash) < u->n_members;
}

/* Looks for System\<name>, since Setup looks there for a name without a folder. */
static bool is_in_system(struct decode *d, const struct umod *u, struct text name, bool *found)
{
	static const char folder[] = "System\\";
	struct arena_mark mark = arena_mark(d->arena);
	uint8_t *buf = decode_alloc(d, UMOD_MANIFEST, sizeof folder - 1 + name.ref.n_units,
				    text_width(name.ref.encoding));

	if (!buf)
		return false;
	if (MUTANT(13))
		arena_rewind(d->arena, mark); /* mutant: used after it was given back */
	*found = is_member(u, text_prefixed(folder, name, buf));
	arena_rewind(d->arena, mark);
	return true;
}

/* Exe and ReadMe are opened below the game's folder. License and Logo are read relative to System
 * and only shown, so a .. is no danger there. */
static bool check_opened_path(struct decode *d, struct manifest *m, const struct manifest_line *l,
			      bool *unsafe)
{
	const bool is_opened = l->key_id == KEY_EXE || l->key_id == KEY_README;
	const struct path path = path_examine(install_value(m, l));
	const uint32_t traits = path.traits &
				(is_opened ? PATH_UNSAFE : PATH_UNSAFE & ~(uint32_t)PATH_PARENT);
	const struct manifest_note note = {
		.line = *l, .at = l->value, .traits = traits, .kind = UMOD_OPENED_UNSAFE
	};

	*unsafe = traits != 0;
	if (*unsafe)
		return manifest_note_line(d, m, DEFECT_OPENED_PATH, &note);
	return l->key_id != KEY_README || !policy_is_program(path.extension) ||
	       install_note_kind(d, m, DEFECT_OPENED_PATH, UMOD_OPENED_PROGRAM, l, l->value);
}

static bool read_text_file(struct decode *d, struct umod *u, const struct manifest_line *l)
{
	struct text name = install_value(&u->manifest, l);
	bool found, unsafe;

	if (!check_opened_path(d, &u->manifest, l, &unsafe))
		return false;
	if (unsafe || l->key_id == KEY_EXE)
		return true;
	if (!umod_index_names(d, u))
		return false;
	found = name.ref.n_units == 0 || is_member(u, name);
	if (!found && !is_in_system(d, u, name, &found))
		return false;
	return found || install_note(d, &u->manifest, DEFECT_TEXT_FILE_MISSING, l, l->value);
}

/* ---- All lines ------------------------------------------------------------------------------- */

/* Which part reads a line key=value, by its key. */
enum sort {
	SORT_OTHER,
	SORT_REFERENCE,
	SORT_TERM,
	SORT_COPY,
	SORT_ACTION,
	SORT_TEXT_FILE,
	SORT_SETTING
};
static const uint8_t sort_of_key[MANIFEST_N_KEYS] = {
	[KEY_GROUP] = SORT_REFERENCE,     [KEY_REQUIRES] = SORT_REFERENCE,
	[KEY_FILE] = SORT_COPY,           [KEY_COPY] = SORT_COPY,
	[KEY_PRODUCT] = SORT_TERM,        [KEY_VERSION] = SORT_TERM,
	[KEY_README] = SORT_TEXT_FILE,    [KEY_LICENSE] = SORT_TEXT_FILE,
	[KEY_LOGO] = SORT_TEXT_FILE,      [KEY_EXE] = SORT_TEXT_FILE,
	[KEY_DELETE] = SORT_ACTION,       [KEY_BACKUP] = SORT_ACTION,
	[KEY_FOLDER] = SORT_ACTION,       [KEY_REMOVE_PATH] = SORT_ACTION,
	[KEY_SHORTCUT] = SORT_ACTION,     [KEY_WIN_REGISTRY] = SORT_ACTION,
	[KEY_DIRECTX_HOOK] = SORT_ACTION, [KEY_DEFAULT_FOLDER] = SORT_SETTING,
	[KEY_POST_EXEC] = SORT_SETTING,   [KEY_INI] = SORT_ACTION,
	[KEY_ADD_INI] = SORT_ACTION,      [KEY_SAVE_INI] = SORT_ACTION,
	[KEY_REMOVE_INI] = SORT_ACTION,   [KEY_REMOVE_INI_VALUE] = SORT_ACTION,
};

static struct manifest_setting *setting_of(struct manifest *m, enum manifest_key key)
{
	if (key == KEY_PRODUCT)
		return &m->product;
	if (key == KEY_VERSION)
		return &m->version;
	if (key == KEY_IS_MASTER)
		return &m->is_master;
	return key == KEY_ARCHIVE ? &m->archive : NULL;
}

static bool read_setup_line(struct decode *d, struct manifest *m, const struct manifest_line *l)
{
	struct manifest_setting *s = setting_of(m, l->key_id);

	if (!s)
		return true;
	m->has_product = m->has_product || (l->key_id == KEY_PRODUCT && l->value.n_units > 0);
	if (s->first.number == 0) {
		s->first = *l;
		return true;
	}
	if (text_compare(install_value(m, &s->first), install_value(m, l)) == 0) {
		s->last.number = 0;
		return true;
	}
	s->last = *l;
	return install_note_repeated(d, m, s->first.value, l->value);
}

bool install_read_line(struct decode *d, struct umod *u, const struct manifest_line *l,
		       uint32_t section)
{
	struct manifest *m = &u->manifest;
	const bool is_setup = section == m->setup[l->file], is_ini = l->file == MANIFEST_INI;

	if (is_setup && is_ini && !read_setup_line(d, m, l))
		return false;
	switch (sort_of_key[l->key_id]) {
	case SORT_TEXT_FILE:
		return !is_setup || (l->key_id == KEY_EXE && !is_ini) || read_text_file(d, u, l);
	case SORT_SETTING:
		return !is_setup || install_read_setting(d, m, l);
	case SORT_COPY:
		return !is_ini || install_read_copy(d, u, l);
	case SORT_REFERENCE:
		return !is_ini || install_read_reference(d, m, l, section);
	case SORT_TERM:
		return !is_ini || install_read_term(d, m, l, section);
	case SORT_ACTION:
		return !is_ini || install_read_action(d, m, l);
	default:
		return true;
	}
}

/* Manifests as instructions: finding them, and sending each line to the part that reads it. */
#include "formats/umod/install.h"

#include "core/canary.h"

/* ---- Text files of [Setup] ------------------------------------------------------------------------------------------- */

/* Looks for System\<name>, which is where a bare name is looked for. */
static bool is_in_system(struct decode *d, const struct umod *u, struct text name, bool *found)
{
	static const char folder[] = "System\\";
	struct arena_mark mark = arena_mark(d->arena);
	uint8_t *buf = decode_alloc(d, UMOD_MANIFEST, sizeof folder - 1 + name.ref.n_units, text_width(name.ref.encoding));

	if (!buf)
		return false;
	if (CANARY(13)) arena_rewind(d->arena, mark);                   /* canary: used after it was given back */
	*found = umod_find(u, text_prefixed(folder, name, buf)) < u->n_members;
	arena_rewind(d->arena, mark);
	return true;
}

static bool read_text_file(struct decode *d, struct umod *u, const struct manifest_line *l)
{
	struct manifest *m = &u->manifest;
	struct text name = install_value(m, l);
	bool found = name.ref.n_units == 0 || umod_find(u, name) < u->n_members;

	if (!found && !is_in_system(d, u, name, &found))
		return false;
	m->text_files[m->n_text_files++] = (struct manifest_text_file){ l, !found };
	return true;
}

/* ---- All lines ------------------------------------------------------------------------------------------------------- */

static bool is_text_file_key(enum manifest_key key)
{
	return key == KEY_README || key == KEY_LICENSE || key == KEY_LOGO;
}

/* "100" and "1.0a" begin with a number other than 0, "0", "0.9" and "beta" do not. */
static bool starts_number(struct text t)
{
	uint64_t n = 0, number;

	while (n < t.ref.n_units && text_between(text_unit(t, n), '0', '9'))
		n++;
	return text_number(text_sub(t, 0, n), &number) && number != 0;
}

static void read_setup_line(struct manifest *m, const struct manifest_line *l)
{
	if (l->key_id == KEY_PRODUCT && !m->product && l->value.n_units > 0) {
		m->product = l;
		m->product_known = install_product(install_value(m, l));
	} else if (l->key_id == KEY_VERSION && !m->version) {
		m->version = l;
		m->version_starts_number = starts_number(install_value(m, l));
	} else if (l->key_id == KEY_ARCHIVE && !m->archive && l->value.n_units > 0) {
		m->archive = l;
		m->archive_escapes = path_examine(install_value(m, l)).traits & PATH_PARENT;
	}
}

static bool read_line(struct decode *d, struct umod *u, const struct manifest_line *l)
{
	struct manifest *m = &u->manifest;

	if (l->kind != LINE_PAIR || l->section == MANIFEST_NONE)
		return true;
	if (m->sections[l->section].is_setup && is_text_file_key(l->key_id) && !read_text_file(d, u, l))
		return false;
	if (l->file != MANIFEST_INI)
		return true;
	if (m->sections[l->section].is_setup)
		read_setup_line(m, l);
	if (l->key_id == KEY_GROUP || l->key_id == KEY_REQUIRES)
		install_read_reference(m, l);
	else if (l->key_id == KEY_FILE || l->key_id == KEY_COPY)
		install_read_copy(u, l);
	else if (install_is_action(l->key_id))
		install_read_action(m, l);
	return true;
}

/* How many lines there are of each sort: upper bounds for the lists. */
static void count_lines(const struct manifest *m, uint64_t counts[4])
{
	for (uint32_t i = 0; i < m->n_lines; i++) {
		enum manifest_key key = m->lines[i].key_id;

		counts[0] += key == KEY_GROUP || key == KEY_REQUIRES;
		counts[1] += key == KEY_FILE || key == KEY_COPY;
		counts[2] += install_is_action(key);
		counts[3] += is_text_file_key(key);
	}
}

static bool alloc_lists(struct decode *d, struct umod *u)
{
	struct manifest *m = &u->manifest;
	uint64_t counts[4] = { 0, 0, 0, 0 };

	count_lines(m, counts);
	m->references = decode_alloc(d, UMOD_MANIFEST, counts[0], sizeof *m->references);
	m->copies = decode_alloc(d, UMOD_MANIFEST, counts[1], sizeof *m->copies);
	m->actions = decode_alloc(d, UMOD_MANIFEST, counts[2], sizeof *m->actions);
	m->text_files = decode_alloc(d, UMOD_MANIFEST, counts[3], sizeof *m->text_files);
	m->listed_by = decode_alloc(d, UMOD_MANIFEST, u->n_members, sizeof *m->listed_by);
	if (!m->references || !m->copies || !m->actions || !m->text_files || !m->listed_by)
		return false;
	for (uint32_t i = CANARY(12); i < u->n_members; i++)            /* canary: the first is left as it was */
		m->listed_by[i] = MANIFEST_NONE;
	return true;
}

bool manifest_interpret(struct decode *d, struct umod *u)
{
	struct manifest *m = &u->manifest;

	if (!alloc_lists(d, u) || !decode_spend(d, UMOD_MANIFEST, m->n_lines))
		return false;
	for (uint32_t i = 0; i < m->n_lines; i++)
		if (!read_line(d, u, &m->lines[i]))
			return false;
	return install_find_meetings(d, m) && install_find_cycles(d, m) && install_find_requirements(d, m) &&
	       install_find_missing_packages(d, u);
}

/* ---- Finding the manifests ------------------------------------------------------------------------------------------- */

static void skip_byte_order_mark(struct text_ref *t, struct cursor window)
{
	const uint8_t *p;

	if (!cursor_bytes(&window, 2, &p))
		return;
	if (p[0] == 0xFF && p[1] == 0xFE)
		t->encoding = TEXT_UTF16LE;
	else if (p[0] == 0xFE && p[1] == 0xFF)
		t->encoding = TEXT_UTF16BE;
	else
		return;
	t->at += 2;
	t->n_units = (t->n_units - 2) / 2;
}

/* A final Ctrl-Z is how old editors end a file. */
static void drop_end_of_file(struct text_ref *t, const struct cursor *window)
{
	struct text text = text_at(window, *t);

	if (text.ref.n_units > 0 && text_unit(text, text.ref.n_units - 1) == 0x1A)
		t->n_units--;
}

static bool open_manifest(struct decode *d, struct umod *u, enum manifest_file f, uint32_t group, uint32_t member)
{
	struct manifest *m = &u->manifest;
	const struct umod_entry *e;
	struct span span;

	if (member == u->n_members)
		return decode_stop(d, group, STOP_MALFORMED, (struct span){ u->directory.at, u->directory.count.len });
	e = &u->members[member].entry;
	span = (struct span){ e->offset, e->size };
	if (u->members[member].traits & UMOD_OUTSIDE)
		return decode_stop(d, group, STOP_MALFORMED, span);
	if (e->size > d->limits->of[LIMIT_text])
		return decode_stop_limit(d, group, LIMIT_text, span);
	if (!decode_window(d, group, span, &m->windows[f]))
		return false;
	m->texts[f] = (struct text_ref){ .at = e->offset, .n_units = (uint32_t)e->size };
	skip_byte_order_mark(&m->texts[f], m->windows[f]);
	if (m->texts[f].encoding != TEXT_CP1252 && e->size % 2 != 0)
		return decode_stop(d, group, STOP_MALFORMED, span);
	drop_end_of_file(&m->texts[f], &m->windows[f]);
	m->present[f] = true;
	return true;
}

bool umod_decode_manifests(struct decode *d, struct umod *u)
{
	open_manifest(d, u, MANIFEST_INT, UMOD_LOCALE, u->locale_member);
	if (!open_manifest(d, u, MANIFEST_INI, UMOD_MANIFEST, u->manifest_member))
		return false;
	return manifest_tokenise(d, &u->manifest) && manifest_interpret(d, u);
}

/* What sites and managers mind of an archive and of its members' names. Sources:
 * conformance/spec/layout.md, chapters 3 to 5. */
#include "formats/archive/layout/tree.h"

#include "core/order.h"
#include "core/path.h"

/* ---- Thunderstore: the archive --------------------------------------------------------------- */

/* Thunderstore takes so many bytes and members. */
#define SITE_BYTES_MAX ((uint64_t)524288000)
enum { SITE_MEMBERS_MAX = 10000 };

static struct lay_row *refuse(struct lay_tree *t, uint32_t member, const char *words)
{
	struct lay_row *row = lay_tell(t->d, t->group, &t->out->tree, LAY_SITE_REFUSES, member);

	if (row)
		row->words = words;
	return row;
}

static bool refuse_word(struct lay_tree *t, uint32_t member, const char *words, const char *found)
{
	struct lay_row *row = refuse(t, member, words);

	if (row)
		row->value.word = found;
	return row != NULL;
}

static bool refuse_number(struct lay_tree *t, uint32_t member, const char *words,
			  enum lay_kind kind, uint64_t found)
{
	struct lay_row *row = refuse(t, member, words);

	if (!row)
		return false;
	row->kind = kind;
	row->value.number = found;
	return true;
}

static bool judge_archive(struct lay_tree *t)
{
	const struct lay_archive *a = t->archive;
	const uint64_t size = t->d->source->io.size;

	if (a->kind && !a->is_zip && !refuse_word(t, LAY_NONE, "should be a zip, and is", a->kind))
		return false;
	if (a->is_zip && size > SITE_BYTES_MAX &&
	    !refuse_number(t, LAY_NONE, "should have 500 MiB at most, and has", LAY_SIZE, size))
		return false;
	if (a->members->n > SITE_MEMBERS_MAX &&
	    !refuse_number(t, LAY_NONE, "should have 10000 members at most, and has", LAY_NUMBER,
			   a->members->n))
		return false;
	return !a->is_zip || a->begins_at_0 || a->members->n == 0 ||
	       refuse_word(t, LAY_NONE, "should begin with a member, and begins with",
			   "other bytes");
}

static bool judge_roots(struct lay_tree *t)
{
	for (size_t i = 0; i < UPLOAD_READ_CHANGELOG; i++)
		if (t->out->roots[i] == LAY_NONE &&
		    !refuse_word(t, LAY_NONE, "lacks at its root a file of this very name",
				 upload_read_name((enum upload_read)i)))
			return false;
	return true;
}

/* ---- Thunderstore: one member ---------------------------------------------------------------- */

/* What no name may have in it, and what it may not begin with. */
static const char *const refused_parts[] = {
	"/..", "//", "./", "\\..", "\\\\", ".\\", "/\\", "\\/"
};
static const char *const refused_begins[] = { "..", "/", "\\" };

static bool is_at(struct text name, uint32_t at, const char *word)
{
	for (size_t i = 0; word[i]; i++)
		if (at + i >= name.ref.n_units || text_unit(name, at + i) != (uint8_t)word[i])
			return false;
	return true;
}

static bool may_be_refused(uint32_t c)
{
	return c == '/' || c == '\\' || c == '.';
}

static const char *refused_part(struct text name)
{
	for (size_t i = 0; i < sizeof refused_begins / sizeof *refused_begins; i++)
		if (is_at(name, 0, refused_begins[i]))
			return refused_begins[i];
	for (uint32_t at = 0; at + 1 < name.ref.n_units; at++)
		for (size_t i = 0; may_be_refused(text_unit(name, at)) &&
				   i < sizeof refused_parts / sizeof *refused_parts;
		     i++)
			if (is_at(name, at, refused_parts[i]))
				return refused_parts[i];
	return NULL;
}

/* Methods that its library, Python's zipfile, decodes. */
static bool is_method_read(uint16_t method)
{
	return method == 0 || method == 8 || method == 12 || method == 14;
}

static bool judge_name(struct lay_tree *t, uint32_t row)
{
	const struct arc_member *m = &t->archive->members->rows[row];
	const char *part = refused_part(m->name);

	if (part && !refuse_word(t, row, "should not have in its name, or at its begin,", part))
		return false;
	if (m->traits & ARC_ENCRYPTED)
		return refuse_word(t, row, "should need no password, and is", "encrypted");
	return !t->archive->is_zip || is_method_read(m->method) ||
	       refuse_number(t, row, "should be compressed by method 0, 8, 12 or 14, and has",
			     LAY_NUMBER, m->method);
}

/* A file that the site looks for, spelt otherwise, of another kind, or in a folder. */
static bool is_misplaced(const struct lay_member *x)
{
	static const char *const pictures[] = { "icon.jpg", "icon.jpeg", "icon.webp", "icon.gif" };

	if (x->folder.ref.n_units > 0)
		return lay_is(x->last, "manifest.json");
	for (size_t i = 0; i < N_UPLOAD_READS; i++)
		if (text_is(x->last, upload_read_name((enum upload_read)i)))
			return true;
	return text_is(x->last, "readme.txt") ||
	       text_is_one(x->last, pictures, sizeof pictures / sizeof *pictures);
}

/* Of members of one name the library takes the last. */
static bool find_root(struct lay_tree *t, uint32_t row)
{
	for (size_t i = 0; i < N_UPLOAD_READS; i++)
		if (lay_is(t->archive->members->rows[row].name,
			   upload_read_name((enum upload_read)i))) {
			t->out->roots[i] = row;
			return true;
		}
	return false;
}

/* Which of the site's files a misplaced one may be meant for. */
static enum upload_read meant(const struct lay_member *x)
{
	for (size_t i = 0; i < N_UPLOAD_READS; i++)
		if (text_is(x->last, upload_read_name((enum upload_read)i)))
			return (enum upload_read)i;
	return text_starts(x->last, "icon") ? UPLOAD_READ_ICON : UPLOAD_READ_README;
}

/* It is told only if the file itself is missing: other mods' files in folders are none of the
 * site's business. */
static bool judge_misplaced(struct lay_tree *t)
{
	const struct members *m = t->archive->members;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct lay_member x = lay_look(m, i);
		struct lay_row *row;

		if (m->rows[i].kind != ARC_FILE || !is_misplaced(&x) ||
		    t->out->roots[meant(&x)] != LAY_NONE)
			continue;
		row = lay_tell(t->d, t->group, &t->out->tree, LAY_MISPLACED, i);
		if (!row)
			return false;
		row->value.word = upload_read_name(meant(&x));
	}
	return true;
}

/* ---- Thunderstore: names that are one in small letters --------------------------------------- */

struct twins {
	const struct members *members;
	uint32_t *hashes;
};

static int compare_names(const void *table, uint32_t a, uint32_t b)
{
	const struct members *m = ((const struct twins *)table)->members;

	return text_compare(m->rows[a].name, m->rows[b].name);
}

static bool tell_twins(struct lay_tree *t, const struct twins *w, const struct order *suspects)
{
	for (uint32_t i = 1; i < suspects->n; i++) {
		const uint32_t a = order_row(suspects, i - 1), b = order_row(suspects, i);
		struct lay_row *row;

		if (w->hashes[a] != w->hashes[b] || compare_names(w, a, b) != 0)
			continue;
		row = refuse(t, a < b ? b : a, "should not have, in small letters, the name of");
		if (!row)
			return false;
		row->relative = a < b ? a : b;
		row->kind = LAY_TEXT;
		row->value.text = &w->members->rows[row->relative].name;
	}
	return true;
}

static bool judge_twins(struct lay_tree *t)
{
	const struct members *m = t->archive->members;
	struct twins w = { .members = m };
	struct order suspects;

	if (m->n > SITE_MEMBERS_MAX) /* which is refused */
		return true;
	w.hashes = decode_alloc(t->d, t->group, m->n, sizeof *w.hashes);
	if (!w.hashes)
		return false;
	for (uint32_t i = 0; i < m->n; i++)
		w.hashes[i] = path_examine(m->rows[i].name).hash;
	if (!order_suspects(t->d->arena, w.hashes, (uint32_t)m->n, &w, compare_names, &suspects))
		return decode_stop(t->d, t->group, STOP_MEMORY, (struct span){ 0, 0 });
	return tell_twins(t, &w, &suspects);
}

/* ---- Thunderstore: the folders of a mod ------------------------------------------------------ */

static bool is_installed(struct text first)
{
	return text_is(first, "mod") || text_is(first, "pak") || text_is(first, "cfg");
}

/* Where a package has one of the folders that managers install, what a game loads lies in them. */
static bool judge_folders(struct lay_tree *t)
{
	const struct members *m = t->archive->members;
	bool has_folder = false;

	for (uint32_t i = 0; i < m->n; i++)
		has_folder = has_folder || is_installed(path_first(m->rows[i].name));
	for (uint32_t i = 0; has_folder && i < m->n; i++) {
		const struct lay_member x = lay_look(m, i);

		if (m->rows[i].kind == ARC_FILE && x.what & LAY_IS_USEFUL &&
		    !is_installed(path_first(x.name)) &&
		    !lay_tell(t->d, t->group, &t->out->tree, LAY_OUTSIDE, i))
			return false;
	}
	return true;
}

static bool judge_thunderstore(struct lay_tree *t)
{
	const struct members *m = t->archive->members;

	if (!decode_spend(t->d, t->group, m->n))
		return false;
	for (uint32_t i = 0; i < m->n; i++)
		find_root(t, i);
	if (!judge_archive(t) || !judge_roots(t) || !judge_misplaced(t))
		return false;
	for (uint32_t i = 0; i < m->n; i++)
		if (!judge_name(t, i))
			return false;
	return judge_twins(t) && judge_folders(t);
}

/* ---- mod.io ---------------------------------------------------------------------------------- */

/* mint takes the first file whose name ends in .pak, in small letters. */
static bool judge_modio(struct lay_tree *t)
{
	const struct members *m = t->archive->members;
	uint32_t first = LAY_NONE;
	struct lay_row *row;
	uint64_t n = 0;

	if (!decode_spend(t->d, t->group, m->n))
		return false;
	for (uint32_t i = 0; i < m->n; i++) {
		if (m->rows[i].kind != ARC_FILE || !lay_is(lay_look(m, i).extension, "pak"))
			continue;
		first = n == 0 ? i : first;
		n++;
	}
	if (n == 1)
		return true;
	row = lay_tell(t->d, t->group, &t->out->tree, LAY_PAKS, first);
	if (!row)
		return false;
	row->kind = LAY_NUMBER;
	row->value.number = n;
	return true;
}

bool lay_judge_site(struct lay_tree *t)
{
	switch (t->d->upload) {
	case UPLOAD_THUNDERSTORE:
		return judge_thunderstore(t);
	case UPLOAD_MODIO:
		return judge_modio(t);
	default:
		return true;
	}
}

/* File= and Copy= lines: which member is installed where. */
#include "formats/umod/install.h"

/* ---- Members --------------------------------------------------------------------------------- */

static bool is_manifest_path(struct text name, const struct path *path)
{
	return path->last == path->first + 1 &&
	       text_starts(text_sub(name, path->last, name.ref.n_units), "Manifest.") &&
	       text_is(text_sub(name, 0, path->first), "System");
}

static UVET_RARE bool note_relisted(struct decode *d, struct manifest *m,
				    const struct manifest_tuple *t, uint32_t listed_by)
{
	const struct text_ref src = t->text[TUPLE_SRC];
	struct manifest_note note = { .line = *t->line,
				      .at = src,
				      .first_number = manifest_number(m, MANIFEST_INI, listed_by) };

	/* equal names have the same length */
	note.first = manifest_part(m, MANIFEST_INI, listed_by, src.n_units).ref;
	return manifest_note_line(d, m, DEFECT_RELISTED, &note);
}

/* The first four bytes of a delta, from which Setup makes a new file, and of a .uz, which it
 * decompresses. */
#define DELTA_MAGIC 0x92F92912u
#define DOWNLOAD_SIGNATURE 5678u

enum { MAGIC_LEN = 4 };

/* For how many members the source keeps these bytes, so that they are not read again with the
 * content. Each span that it keeps slows down reading the content. */
enum { HEADS_HELD = 8 };

static bool begins_with(struct decode *d, struct manifest *m, const struct umod_member *e,
			uint64_t wanted, bool *out)
{
	const struct span head = { e->offset, MAGIC_LEN };
	uint8_t bytes[MAGIC_LEN] = { 0 };
	struct cursor c = cursor_init(bytes, sizeof bytes, 0);
	uint64_t magic = 0;
	bool read;

	*out = false;
	if (e->traits & UMOD_OUTSIDE || e->size < MAGIC_LEN)
		return true;
	read = m->n_heads < HEADS_HELD ? decode_window(d, UMOD_MANIFEST, head, &c)
				       : decode_copy(d, UMOD_MANIFEST, head, bytes);
	m->n_heads++;
	read &= cursor_u32(&c, &magic);
	*out = magic == wanted;
	return read;
}

/* Setup creates the destination before it looks at the member, so a bad member leaves an empty
 * file. */
static UVET_RARE bool note_not_unpacked(struct decode *d, struct umod *u,
					const struct manifest_tuple *t, uint32_t member,
					uint32_t kind)
{
	return u->members[member].traits & UMOD_OUTSIDE ||
	       install_note_kind(d, &u->manifest, DEFECT_NOT_UNPACKED, kind, t->line,
				 t->text[TUPLE_SRC]);
}

/* A member counts as a patch only if every line that names it treats it as one: any other line
 * installs it unchanged. */
static UVET_RARE bool note_patch(struct decode *d, struct umod *u, struct manifest_tuple *t,
				 uint32_t member, bool is_listed)
{
	struct umod_member *e = &u->members[member];
	bool delta = e->traits & UMOD_IS_PATCH;

	if (t->has_agreed_ref && !delta && !begins_with(d, &u->manifest, e, DELTA_MAGIC, &delta))
		return false;
	if (t->has_agreed_ref && !delta && !note_not_unpacked(d, u, t, member, UMOD_NO_PATCH))
		return false;
	delta = delta && (!is_listed || e->traits & UMOD_IS_PATCH);
	u->manifest.patch_bytes -= e->traits & UMOD_IS_PATCH ? e->size : 0;
	e->traits &= ~(uint32_t)UMOD_IS_PATCH;
	t->is_patch = t->has_agreed_ref && delta;
	if (!t->is_patch)
		return true;
	e->traits |= UMOD_IS_PATCH;
	u->traits |= UMOD_IS_PATCH;
	u->manifest.patch_bytes += e->size;
	return true;
}

/* Notes which member a line names, and whether an earlier line named it too. */
static inline bool note_member(struct decode *d, struct umod *u, struct manifest_tuple *t,
			       uint32_t member)
{
	struct manifest *m = &u->manifest;
	const uint32_t listed_by = m->listed_by[member];

	t->member = member;
	m->next_member = member + 1;
	if ((t->has_agreed_ref || u->members[member].traits & UMOD_IS_PATCH) &&
	    !note_patch(d, u, t, member, listed_by != MANIFEST_NONE))
		return false;
	if (listed_by == MANIFEST_NONE)
		m->listed_by[member] = manifest_unit(m, MANIFEST_INI, t->text[TUPLE_SRC]);
	return listed_by == MANIFEST_NONE || manifest_only_counts(d, m, DEFECT_RELISTED, 0) ||
	       note_relisted(d, m, t, listed_by);
}

/* Most manifests list the members in the order of the directory, and with the same spelling. */
static bool is_next_member(const struct umod *u, const struct text *src)
{
	const uint32_t next = u->manifest.next_member;

	return next < u->n_members && umod_is_spelt(u, next, src);
}

/* Tells whether two names that are otherwise equal differ in their separators. */
static bool differ_in_separators(struct text a, struct text b)
{
	for (uint32_t i = 0; i < a.ref.n_units; i++)
		if ((text_unit(a, i) == '/') != (text_unit(b, i) == '/'))
			return true;
	return false;
}

static bool read_src(struct decode *d, struct umod *u, struct manifest_tuple *t)
{
	struct manifest *m = &u->manifest;
	const struct text src = manifest_text(m, MANIFEST_INI, t->text[TUPLE_SRC]);
	uint32_t member = m->next_member;
	struct text name;
	struct path path;

	if (is_next_member(u, &src)) {
		t->src_traits = u->members[member].traits;
		t->to_hash = u->hashes[member];
		t->to_manifest = u->members[member].traits & UMOD_IS_MANIFEST;
		return note_member(d, u, t, member);
	}
	path_examine_at(&src, &path);
	t->src_traits = path.traits;
	t->to_hash = path.hash;
	t->to_manifest = is_manifest_path(src, &path);
	if (!umod_index_names(d, u))
		return false;
	member = umod_find(u, src, path.hash);
	if (member == u->n_members)
		return install_note(d, m, DEFECT_MEMBER_MISSING, t->line, t->text[TUPLE_SRC]);
	name = umod_name(u, &u->members[member]);
	if (install_differ_beyond_ascii(src, name)) {
		if (!install_note_case(d, m, manifest_unit(m, MANIFEST_INI, t->text[TUPLE_SRC])))
			return false;
	} else if (differ_in_separators(src, name) &&
		   !install_note_kind(d, m, DEFECT_READ_VARIOUSLY, UMOD_OTHER_SEPARATOR, t->line,
				      t->line->whole)) {
		return false;
	}
	return note_member(d, u, t, member);
}

/* ---- Destinations ---------------------------------------------------------------------------- */

static UVET_RARE bool note_long_path(struct decode *d, struct manifest *m,
				     const struct manifest_line *l, struct text_ref path)
{
	return manifest_note_line(
		d, m, DEFECT_TOO_LONG,
		&(struct manifest_note){ .line = *l, .at = path, .number = path.n_units });
}

bool install_note_long(struct decode *d, struct manifest *m, const struct manifest_line *l,
		       struct text path)
{
	const bool is_asked = l->key_id == KEY_FOLDER ||
			      text_between(l->key_id, KEY_INI, KEY_SAVE_INI);

	return !is_asked || path.ref.n_units <= MANIFEST_PATH_MAX ||
	       note_long_path(d, m, l, path.ref);
}

static UVET_RARE bool note_dest(struct decode *d, struct manifest *m,
				const struct manifest_tuple *t, enum tuple_key key, uint32_t traits)
{
	const struct manifest_note note = {
		.line = *t->line, .at = t->text[key], .traits = traits, .path_key = (uint8_t)key
	};

	return (!(traits & PATH_UNSAFE) || manifest_note_line(d, m, DEFECT_DEST_UNSAFE, &note)) &&
	       (!(traits & MANIFEST_TOO_LONG) || note_long_path(d, m, t->line, t->text[key])) &&
	       (!(traits & MANIFEST_DEST_UNSOUND) ||
		manifest_note_line(d, m, DEFECT_DEST_UNSOUND, &note));
}

static void look_at_kind(struct manifest_kind *k, const struct text *name, const struct path *path)
{
	if (path->extension == k->extension && path->extension != UINT32_MAX)
		return;
	k->extension = path->extension;
	k->formats = format_set(text_sub(*name, path->dot + 1, name->ref.n_units));
	k->is_program = policy_is_program(path->extension);
}

/* `told` are traits that were noted already, when the line was read in another way; they are not
 * noted again. */
static bool read_dest(struct decode *d, struct manifest *m, struct manifest_tuple *t, uint32_t told)
{
	const struct text dest = manifest_text(m, MANIFEST_INI, t->text[TUPLE_DEST]);
	struct path path;
	uint32_t traits;

	path_examine_at(&dest, &path);
	t->to_hash = path.hash;
	t->to_manifest = is_manifest_path(dest, &path);
	look_at_kind(&m->dest_kind, &dest, &path);
	t->dest_formats = m->dest_kind.formats;
	traits = path.traits;
	if (m->dest_kind.is_program && !policy_is_program(text_word(path_extension(manifest_text(
					       m, MANIFEST_INI, t->text[TUPLE_SRC])))))
		traits |= MANIFEST_BECOMES_PROGRAM;
	if (dest.ref.n_units > MANIFEST_PATH_MAX)
		traits |= MANIFEST_TOO_LONG;
	t->dest_traits = traits;
	traits &= ~told;
	return !(traits & (PATH_UNSAFE | MANIFEST_TOO_LONG | MANIFEST_DEST_UNSOUND)) ||
	       note_dest(d, m, t, TUPLE_DEST, traits);
}

/* Setup reads the file that Ref names, and writes what it makes of it to Dest. */
static UVET_RARE bool read_ref(struct decode *d, struct manifest *m, struct manifest_tuple *t,
			       uint32_t told)
{
	t->ref_traits = path_examine(manifest_text(m, MANIFEST_INI, t->text[TUPLE_REF])).traits &
			PATH_UNSAFE;
	return (t->ref_traits & ~told) == 0 || note_dest(d, m, t, TUPLE_REF, t->ref_traits & ~told);
}

static bool read_paths(struct decode *d, struct manifest *m, struct manifest_tuple *t,
		       const struct manifest_tuple *told)
{
	return (!t->has[TUPLE_DEST] || read_dest(d, m, t, told->dest_traits)) &&
	       (!t->has[TUPLE_REF] || read_ref(d, m, t, told->ref_traits));
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static UVET_RARE bool note_number(struct decode *d, struct manifest *m,
				  const struct manifest_tuple *t, enum manifest_defect defect,
				  uint32_t kind)
{
	const bool is_size = defect == DEFECT_SIZE;
	struct manifest_note note = { .line = *t->line, .member = t->member, .kind = kind };

	note.at = is_size               ? t->text[TUPLE_SIZE]
		  : t->has[TUPLE_FLAGS] ? t->text[TUPLE_FLAGS]
					: t->line->value;
	note.number = is_size ? t->size_number : t->flags_number;
	return manifest_note_line(d, m, defect, &note);
}

/* Compares a line's Size and Flags with the directory's. Manifest.ini is often larger than the Size
 * that it gives for itself, and the Size of a patch is that of the file which is made from it. */
static inline bool compare_member(struct decode *d, struct umod *u, const struct manifest_tuple *t)
{
	const struct umod_member *e = &u->members[t->member];
	const bool is_itself = t->member == u->manifest_member;

	if (t->has[TUPLE_SIZE] && !t->is_patch && t->size_number != e->size &&
	    (!is_itself || t->size_number > e->size) &&
	    !note_number(d, &u->manifest, t, DEFECT_SIZE,
			 is_itself ? UMOD_SIZE_OF_ITSELF : UMOD_SIZE_OF_MEMBER))
		return false;
	return t->flags_number == e->flags || note_number(d, &u->manifest, t, DEFECT_FLAGS, 0);
}

static bool add_copy(struct decode *d, struct manifest *m, const struct manifest_tuple *t)
{
	const bool has_dest = t->has[TUPLE_DEST];
	const struct text_ref to = t->text[has_dest ? TUPLE_DEST : TUPLE_SRC];
	uint32_t *hashes = decode_grow(d, UMOD_MANIFEST, m->dest_hashes, m->copies.n,
				       &m->max_hashes, sizeof *hashes);
	struct manifest_copy *c = hashes ? manifest_add(d, &m->copies, sizeof *c) : NULL;

	if (!c)
		return false;
	m->dest_hashes = hashes;
	hashes[m->copies.n - 1] = t->to_hash;
	*c = (struct manifest_copy){ manifest_unit(m, MANIFEST_INI, to),
				     to.n_units * 2 + has_dest };
	return true;
}

/* Setup decompresses a .uz whose Dest has another extension, unless the line has a Ref. */
static bool look_at_download(struct decode *d, struct umod *u, const struct manifest_tuple *t)
{
	const struct umod_member *e = &u->members[t->member];
	bool download = false;

	if (!t->has[TUPLE_DEST] || t->has[TUPLE_REF] || !umod_is_unpacked(umod_name(u, e)) ||
	    umod_is_unpacked(manifest_text(&u->manifest, MANIFEST_INI, t->text[TUPLE_DEST])))
		return true;
	return begins_with(d, &u->manifest, e, DOWNLOAD_SIGNATURE, &download) &&
	       (download || note_not_unpacked(d, u, t, t->member, UMOD_NO_DOWNLOAD));
}

/* A patch is not installed itself, so it has no alias. */
static bool add_alias(struct decode *d, struct umod *u, const struct manifest_tuple *t)
{
	const struct text_ref dest = t->text[TUPLE_DEST];

	return t->dest_formats == 0 || t->is_patch ||
	       install_add_alias(d, u, t->member, t->dest_formats,
				 manifest_unit(&u->manifest, MANIFEST_INI, dest), dest.n_units);
}

static bool read_tuple(struct decode *d, struct umod *u, struct manifest_tuple *t)
{
	static const struct manifest_tuple none;
	struct manifest *m = &u->manifest;

	if (!read_src(d, u, t) ||
	    ((t->has[TUPLE_DEST] || t->has[TUPLE_REF]) && !read_paths(d, m, t, &none)) ||
	    !add_copy(d, m, t))
		return false;
	if (t->to_manifest && t->flags_number != (UMOD_BOOTSTRAP | UMOD_UNBOOTSTRAP) &&
	    !install_note(d, m, DEFECT_TO_MANIFEST, t->line, t->line->value))
		return false;
	return t->member == MANIFEST_NONE ||
	       (compare_member(d, u, t) && look_at_download(d, u, t) && add_alias(d, u, t));
}

/* ---- Lists that Setup may read otherwise ----------------------------------------------------- */

static bool path_differs(const struct manifest_tuple *a, const struct manifest_tuple *b,
			 enum tuple_key key)
{
	return (a->has[key] || b->has[key]) &&
	       (a->text[key].at != b->text[key].at || a->text[key].n_units != b->text[key].n_units);
}

/* Notes the first key that Setup finds where the list has none. The finding points at the key with
 * its value. */
static bool note_hidden(struct decode *d, struct manifest *m, const struct tuple_search *s,
			uint32_t hidden)
{
	const enum tuple_key key = (enum tuple_key)bits_lowest(hidden);
	const struct text value = install_value(m, s->found.line);

	return manifest_note_line(d, m, DEFECT_KEY_HIDDEN,
				  &(struct manifest_note){
					  .line = *s->found.line,
					  .at = text_part(&value, s->from[key], s->to[key]).ref,
					  .text = s->found.text[key],
					  .path_key = (uint8_t)key,
				  });
}

/* For Setup a value ends at the first blank, and a blank before the equals sign hides the key. */
static bool note_cut(struct decode *d, struct manifest *m, const struct manifest_tuple *t,
		     const struct manifest_tuple *found, enum tuple_key key)
{
	return manifest_note_line(d, m, DEFECT_TUPLE_MALFORMED,
				  &(struct manifest_note){
					  .line = *t->line,
					  .at = t->text[key],
					  .text = found->text[key],
					  .kind = UMOD_PATH_CUT,
					  .path_key = (uint8_t)key,
				  });
}

static bool note_malformed(struct decode *d, struct manifest *m, const struct manifest_tuple *t)
{
	return manifest_note_line(d, m, DEFECT_TUPLE_MALFORMED,
				  &(struct manifest_note){
					  .line = *t->line,
					  .at = t->line->value,
					  .text = t->line->value,
					  .kind = UMOD_LIST_MALFORMED,
				  });
}

/* A list gets one note about its form at most, and one about a hidden key. */
static bool note_doubts(struct decode *d, struct manifest *m, const struct manifest_tuple *t,
			const struct tuple_search *s)
{
	const struct text value = install_value(m, t->line);
	const uint32_t hidden = install_hidden_keys(&value, s);
	enum tuple_key key = TUPLE_SRC;

	if (hidden != 0 && !note_hidden(d, m, s, hidden))
		return false;
	while (key < TUPLE_N_PATHS &&
	       (hidden >> key & 1 || !t->has[key] || !path_differs(t, &s->found, key)))
		key++;
	if (key < TUPLE_N_PATHS)
		return note_cut(d, m, t, &s->found, key);
	return !t->malformed || note_malformed(d, m, t);
}

/* Reads the paths that Setup finds instead of those in the list. If neither Src is a member, only
 * that of the list is noted. */
static bool follow_search(struct decode *d, struct umod *u, const struct manifest_tuple *t,
			  struct manifest_tuple *found)
{
	struct manifest *m = &u->manifest;
	const struct text src = manifest_text(m, MANIFEST_INI, found->text[TUPLE_SRC]);

	if (!found->has[TUPLE_SRC])
		return true;
	if (!read_paths(d, m, found, t) || !umod_index_names(d, u))
		return false;
	found->member = umod_find(u, src, path_examine(src).hash);
	if (found->member == u->n_members)
		return t->member == MANIFEST_NONE ||
		       install_note(d, m, DEFECT_MEMBER_MISSING, found->line,
				    found->text[TUPLE_SRC]);
	return add_alias(d, u, found);
}

/* Searches a line as Setup does, and notes where it finds something else than the list says. */
static bool search_as_setup(struct decode *d, struct manifest *m, const struct manifest_tuple *t,
			    struct tuple_search *s, bool *differs)
{
	const struct text value = install_value(m, t->line);

	*s = (struct tuple_search){ .found = { .line = t->line, .member = MANIFEST_NONE } };
	install_search_list(&value, s);
	*differs = path_differs(t, &s->found, TUPLE_SRC) ||
		   path_differs(t, &s->found, TUPLE_DEST) || path_differs(t, &s->found, TUPLE_REF);
	return note_doubts(d, m, t, s);
}

/* Notes a path that changes if the characters around the value belong to the list. */
static UVET_RARE bool note_list_end(struct decode *d, struct manifest *m,
				    const struct manifest_line *l)
{
	const struct text raw = install_raw_value(m, l), value = install_value(m, l);
	struct tuple_search s = { .found.line = l }, by_ut = { .found.line = l };
	enum tuple_key key = TUPLE_SRC;

	install_search_list(&value, &s);
	install_search_list(&raw, &by_ut);
	while (key < TUPLE_N_PATHS && !path_differs(&s.found, &by_ut.found, key))
		key++;
	return key == TUPLE_N_PATHS || manifest_note_line(d, m, DEFECT_LIST_END,
							  &(struct manifest_note){
								  .line = *l,
								  .at = by_ut.found.text[key],
								  .path_key = (uint8_t)key,
							  });
}

/* Tells whether there is something around the value that only Setup of UT reads: blanks, or the 1A
 * after the last line. */
static bool has_unseen_end(const struct manifest *m, const struct manifest_line *l)
{
	const struct text_ref *text = &m->texts[MANIFEST_INI];

	return l->marks & LINE_BLANK_VALUE ||
	       (m->n_units[MANIFEST_INI] > text->n_units &&
		span_end(text_span(l->whole)) == span_end(text_span(*text)));
}

/* A list without Src is read as Setup reads it. */
static UVET_RARE bool read_odd(struct decode *d, struct umod *u, struct manifest_tuple *t)
{
	struct tuple_search s;
	bool differs;

	if (!search_as_setup(d, &u->manifest, t, &s, &differs))
		return false;
	if (!t->has[TUPLE_SRC])
		return !s.found.has[TUPLE_SRC] || read_tuple(d, u, &s.found);
	t->has_agreed_ref = t->has[TUPLE_REF] && !differs;
	return read_tuple(d, u, t) && (!differs || follow_search(d, u, t, &s.found));
}

/* Reads a list in which only a blank inside a path may confuse Setup. */
static UVET_RARE bool read_blank(struct decode *d, struct umod *u, const struct manifest_tuple *t)
{
	struct tuple_search s;
	bool differs;

	return search_as_setup(d, &u->manifest, t, &s, &differs) &&
	       (!differs || follow_search(d, u, t, &s.found));
}

bool install_read_copy(struct decode *d, struct umod *u, const struct manifest_line *l)
{
	const struct text value = install_value(&u->manifest, l);
	struct manifest_tuple t = { .line = l, .member = MANIFEST_NONE };

	if (has_unseen_end(&u->manifest, l) && !note_list_end(d, &u->manifest, l))
		return false;
	install_read_list(&value, &t);
	if (t.odd)
		return read_odd(d, u, &t);
	return read_tuple(d, u, &t) &&
	       (!((t.src_traits | t.dest_traits) & (PATH_SPACE | PATH_CONTROL)) ||
		read_blank(d, u, &t));
}

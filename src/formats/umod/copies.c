/* File= and Copy= lines: which member goes where, and which of them meet. */
#include "formats/umod/install.h"

#include "core/canary.h"

/* ---- Tuples: (Src=System\Foo.u,Size=1234,Flags=0) ---------------------------------------------------------------- */

/* A manifest_tuple is what a line's value says, or as much of it as there is. */
struct manifest_tuple {
	const struct manifest_line *line;
	struct text_ref src, dest, size, flags; /* values without quotes; n_units 0 with at 0: absent */
	uint64_t size_number, flags_number;
	uint32_t member;                /* first directory entry of Src's name, or MANIFEST_NONE */
	uint32_t to_hash;               /* of where it goes */
	uint16_t dest_formats;          /* that Dest's extension promises, as format_set gives them */
	bool has_src, has_dest, has_size, has_flags;
	bool malformed;
	bool to_manifest;               /* installs to System\Manifest.* */
};

/* A tuple is read from left to right: the units of the list from `at` on, up to the bracket at `end`, are still to be read. Key and value
 * are the units that next_pair found last, and only become texts where they are needed. */
struct tuple {
	const struct text *list;
	uint32_t at, end;
	uint32_t key_from, key_to, from, to;
	bool malformed;
};

/* The first unit equal to c at or after `from`, or the bracket. */
static inline uint32_t find_in_tuple(const struct tuple *t, uint32_t c, uint32_t from)
{
	uint32_t found = (uint32_t)text_find(*t->list, c, from);

	return found < t->end ? found : t->end;
}

/* A value in quotes may hold commas, and only blanks stand between its end and the next comma. */
static bool read_quoted(struct tuple *t, uint32_t from)
{
	uint32_t close = find_in_tuple(t, '"', from), rest = close + 1, end;

	if (close == t->end) {
		t->malformed = true;
		return false;
	}
	t->from = from;
	t->to = close;
	end = find_in_tuple(t, ',', close);
	t->at = end + 1;
	text_narrow(t->list, &rest, &end);
	t->malformed = t->malformed || rest < end;
	return true;
}

/* next_pair splits the next key=value off. It returns false at the end, and where the text is not of the form. */
static inline bool next_pair(struct tuple *t)
{
	uint32_t equals, end;

	if (t->at >= t->end)
		return false;
	end = find_in_tuple(t, ',', t->at);
	equals = find_in_tuple(t, '=', t->at);
	if (equals >= end) {
		t->malformed = true;
		return false;
	}
	t->key_from = t->at;
	t->key_to = equals;
	text_narrow(t->list, &t->key_from, &t->key_to);
	if (text_unit(*t->list, equals + 1) == '"')
		return read_quoted(t, equals + 2);
	t->from = equals + 1;
	t->to = end;
	t->at = end + 1;
	text_narrow(t->list, &t->from, &t->to);
	return true;
}

/* Field by field: a whole struct that was just put together would be waited for. */
static inline void take_text(const struct tuple *t, struct text_ref *ref)
{
	ref->at = t->list->ref.at + t->from * text_width(t->list->ref.encoding);
	ref->n_units = t->to - t->from;
	ref->encoding = t->list->ref.encoding;
}

/* is_first says whether a key is new to its list, which ref tells. Setup takes the first of several. */
static inline bool is_first(struct tuple *t, const struct text_ref *ref)
{
	t->malformed = t->malformed || ref->at != 0;
	return ref->at == 0;
}

static void take_number(struct tuple *t, struct text_ref *ref, bool *has, uint64_t *number)
{
	if (!is_first(t, ref))
		return;
	take_text(t, ref);
	*has = text_number(text_part(t->list, t->from, t->to), number);
	t->malformed = t->malformed || !*has;
}

static inline void take_path(struct tuple *t, struct text_ref *ref, bool *has)
{
	if (!is_first(t, ref))
		return;
	take_text(t, ref);
	*has = t->from < t->to;
}

static inline void take_pair(struct manifest_tuple *c, struct tuple *t)
{
	struct text key = text_part(t->list, t->key_from, t->key_to);

	switch (text_word(key)) {
	case TEXT_WORD('S', 'R', 'C', 0):
		take_path(t, &c->src, &c->has_src);
		break;
	case TEXT_WORD('D', 'E', 'S', 'T'):
		take_path(t, &c->dest, &c->has_dest);
		break;
	case TEXT_WORD('S', 'I', 'Z', 'E'):
		take_number(t, &c->size, &c->has_size, &c->size_number);
		break;
	default:
		if (text_is(key, "Flags"))
			take_number(t, &c->flags, &c->has_flags, &c->flags_number);
	}
}

static void read_tuple(struct manifest_tuple *c, const struct text *list)
{
	uint32_t n = list->ref.n_units;
	struct tuple t;

	if (n < 2 || text_unit(*list, 0) != '(' || text_unit(*list, n - 1) != ')') {
		c->malformed = true;
		return;
	}
	t = (struct tuple){ .list = list, .at = 1, .end = n - 1 };
	while (next_pair(&t))
		take_pair(c, &t);
	c->malformed = t.malformed || !c->has_src;
}

static bool is_manifest_path(struct text name, const struct path *path)
{
	return path->last == path->first + 1 && text_starts(text_sub(name, path->last, name.ref.n_units), "Manifest.") &&
	       text_is(text_sub(name, 0, path->first), "System");
}

static UVET_RARE bool note_relisted(struct decode *d, struct manifest *m, const struct manifest_tuple *t, uint32_t listed_by)
{
	struct manifest_note note = { .line = *t->line, .at = t->src, .first_number = manifest_number(m, MANIFEST_INI, listed_by) };

	note.first = manifest_part(m, MANIFEST_INI, listed_by, t->src.n_units).ref;     /* names that are the same are of one length */
	return manifest_note_line(d, m, DEFECT_RELISTED, &note);
}

/* Notes that a line names a member, and whether another did before. */
static inline bool note_member(struct decode *d, struct manifest *m, struct manifest_tuple *t, uint32_t member)
{
	const uint32_t listed_by = m->listed_by[member];

	t->member = member;
	m->next_member = member + 1;
	if (listed_by == MANIFEST_NONE)
		m->listed_by[member] = manifest_unit(m, MANIFEST_INI, t->src);
	return listed_by == MANIFEST_NONE || manifest_only_counts(d, m, DEFECT_RELISTED, false) ||
	       note_relisted(d, m, t, listed_by);
}

/* Most manifests list members in the order of the directory, and spell them alike: then Src is what the member's name is. */
static bool is_expected(const struct umod *u, const struct text *src)
{
	const uint32_t next = u->manifest.next_member;

	return next < u->n_members && umod_is_spelt(u, next, src);
}

static bool read_src(struct decode *d, struct umod *u, struct manifest_tuple *t)
{
	struct manifest *m = &u->manifest;
	const struct text src = manifest_text(m, MANIFEST_INI, t->src);
	uint32_t member = m->next_member;
	struct path path;

	if (is_expected(u, &src)) {
		t->to_hash = u->hashes[member];
		t->to_manifest = u->members[member].traits & UMOD_IS_MANIFEST;
		return note_member(d, m, t, member);
	}
	path_examine_at(&src, &path);
	t->to_hash = path.hash;
	t->to_manifest = is_manifest_path(src, &path);
	if (!umod_index_names(d, u))
		return false;
	member = umod_find(u, src, path.hash);
	if (member == u->n_members)
		return install_note(d, m, DEFECT_MEMBER_MISSING, t->line, t->src);
	if (install_differ_beyond_ascii(src, umod_name(u, &u->members[member])) &&
	    !install_note_case(d, m, manifest_unit(m, MANIFEST_INI, t->src)))
		return false;
	return note_member(d, m, t, member);
}

static UVET_RARE bool note_dest(struct decode *d, struct manifest *m, const struct manifest_tuple *t, uint32_t traits)
{
	const struct manifest_note note = { .line = *t->line, .at = t->dest, .traits = traits };

	return (!(traits & PATH_UNSAFE) || manifest_note_line(d, m, DEFECT_DEST_UNSAFE, &note)) &&
	       (!(traits & MANIFEST_DEST_UNSOUND) || manifest_note_line(d, m, DEFECT_DEST_UNSOUND, &note));
}

static void look_at_kind(struct manifest_kind *k, const struct text *name, const struct path *path)
{
	if (path->extension == k->extension && path->extension != UINT32_MAX)
		return;
	k->extension = path->extension;
	k->formats = format_set(text_word8(text_sub(*name, path->dot + 1, name->ref.n_units)));
	k->is_program = umod_is_program(path->extension);
}

static bool read_dest(struct decode *d, struct manifest *m, struct manifest_tuple *t)
{
	const struct text dest = manifest_text(m, MANIFEST_INI, t->dest);
	struct path path;
	uint32_t traits;

	path_examine_at(&dest, &path);
	t->to_hash = path.hash;
	t->to_manifest = is_manifest_path(dest, &path);
	look_at_kind(&m->dest_kind, &dest, &path);
	t->dest_formats = m->dest_kind.formats;
	traits = path.traits;
	if (m->dest_kind.is_program && !umod_is_program(text_word(path_extension(manifest_text(m, MANIFEST_INI, t->src)))))
		traits |= MANIFEST_BECOMES_PROGRAM;
	return !(traits & (PATH_UNSAFE | MANIFEST_DEST_UNSOUND)) || note_dest(d, m, t, traits);
}

static UVET_RARE bool note_number(struct decode *d, struct manifest *m, const struct manifest_tuple *t, enum manifest_defect defect,
				 bool lesser)
{
	const bool is_size = defect == DEFECT_SIZE;
	struct manifest_note note = { .line = *t->line, .member = t->member, .lesser = lesser };

	note.at = is_size ? t->size : t->has_flags ? t->flags : t->line->value;
	note.number = is_size ? t->size_number : t->flags_number;
	return manifest_note_line(d, m, defect, &note);
}

/* Compares what a line says of a member with what the directory says. A Manifest.ini that is larger than its Size is normal. */
static inline bool compare_member(struct decode *d, struct umod *u, const struct manifest_tuple *t)
{
	const struct umod_member *e = &u->members[t->member];
	const bool is_itself = t->member == u->manifest_member;

	if (t->has_size && t->size_number != e->size && (!is_itself || t->size_number > e->size) &&
	    !note_number(d, &u->manifest, t, DEFECT_SIZE, is_itself))
		return false;
	return t->flags_number == e->flags || note_number(d, &u->manifest, t, DEFECT_FLAGS, false);
}

static bool add_copy(struct decode *d, struct manifest *m, const struct manifest_tuple *t)
{
	const struct text_ref to = t->has_dest ? t->dest : t->src;
	uint32_t *hashes = decode_grow(d, UMOD_MANIFEST, m->dest_hashes, m->copies.n, &m->max_hashes, sizeof *hashes);
	struct manifest_copy *c = hashes ? manifest_add(d, &m->copies, sizeof *c) : NULL;

	if (!c)
		return false;
	m->dest_hashes = hashes;
	hashes[m->copies.n - 1] = t->to_hash;
	*c = (struct manifest_copy){ manifest_unit(m, MANIFEST_INI, to), to.n_units * 2 + t->has_dest };
	return true;
}

bool install_read_copy(struct decode *d, struct umod *u, const struct manifest_line *l)
{
	struct manifest *m = &u->manifest;
	const struct text list = install_value(m, l);
	struct manifest_tuple t = { .line = l, .member = MANIFEST_NONE };

	read_tuple(&t, &list);
	if (t.malformed && !install_note(d, m, DEFECT_TUPLE_MALFORMED, l, l->value))
		return false;
	if (!t.has_src)
		return true;
	if (!read_src(d, u, &t) || (t.has_dest && !read_dest(d, m, &t)) || !add_copy(d, m, &t))
		return false;
	if (t.to_manifest && t.flags_number != (UMOD_BOOTSTRAP | UMOD_UNBOOTSTRAP) &&
	    !install_note(d, m, DEFECT_TO_MANIFEST, l, l->value))
		return false;
	if (t.member == MANIFEST_NONE)
		return true;
	return compare_member(d, u, &t) &&
	       (t.dest_formats == 0 || install_add_alias(d, u, t.member, t.dest_formats, manifest_unit(m, MANIFEST_INI, t.dest),
							 t.dest.n_units));
}

/* ---- Copies that meet ------------------------------------------------------------------------------------------------- */

static const struct manifest_copy *copy_row(const struct manifest *m, uint32_t i)
{
	return MANIFEST_ROW(m, copies, manifest_copy, i);
}

static struct text destination(const struct manifest *m, const struct manifest_copy *c)
{
	return manifest_part(m, MANIFEST_INI, c->to, c->n_units_dest / 2);
}

static int compare_dests(const void *manifest, uint32_t a, uint32_t b)
{
	return path_compare(destination(manifest, copy_row(manifest, a)), destination(manifest, copy_row(manifest, b)));
}

/* The Src of a copy, and its line: where it has a Dest they are read once more. */
struct origin {
	struct manifest_line line;
	struct text_ref src;
};

static struct origin read_origin(const struct manifest *m, const struct manifest_copy *c)
{
	struct manifest_line line = manifest_line_around(m, MANIFEST_INI, c->to);
	const struct text list = install_value(m, &line);
	struct manifest_tuple t = { .line = &line };

	read_tuple(&t, &list);
	return (struct origin){ line, t.src };
}

/* A run is copies that go to one place; the first of them is read once, for there may be many others, and its line may be long. */
struct run {
	const struct manifest_copy *first;
	struct origin origin;
	bool is_read;
};

static bool compare_origins(struct decode *d, struct manifest *m, struct run *run, const struct manifest_copy *c)
{
	struct origin own;

	if (!(run->first->n_units_dest & 1) && !(c->n_units_dest & 1))
		return true;            /* both go where they come from */
	if (!run->is_read)
		run->origin = read_origin(m, run->first);
	run->is_read = true;
	own = read_origin(m, c);
	if (path_compare(manifest_text(m, MANIFEST_INI, run->origin.src), manifest_text(m, MANIFEST_INI, own.src)) == 0)
		return true;
	return manifest_note_line(d, m, DEFECT_DEST_SHARED, &(struct manifest_note){
		.line = own.line, .at = destination(m, c).ref, .text = own.src,
		.first = destination(m, run->first).ref, .first_src = run->origin.src, .first_number = run->origin.line.number,
	});
}

static bool find_dest_clashes(struct decode *d, struct manifest *m, const struct order *by_dest)
{
	uint32_t first = order_row(by_dest, 0);
	struct run run = { .first = copy_row(m, first) };

	for (uint32_t i = 1; i < by_dest->n; i++) {
		const uint32_t row = order_row(by_dest, i);

		if (m->dest_hashes[first] != m->dest_hashes[row] || compare_dests(m, first, row) != 0) {
			first = row;
			run = (struct run){ .first = copy_row(m, first) };
		} else if (!compare_origins(d, m, &run, copy_row(m, row))) {
			return false;
		}
	}
	return true;
}

bool install_find_meetings(struct decode *d, struct manifest *m)
{
	struct order by_dest;

	if (!order_suspects(d->arena, m->dest_hashes, m->copies.n, m, compare_dests, &by_dest))
		return decode_stop(d, UMOD_MANIFEST, STOP_MEMORY, (struct span){ 0, 0 });
	for (uint32_t i = 0; CANARY(14) && i < m->copies.n && decode_spend(d, UMOD_MANIFEST, m->copies.n); i++) {} /* canary: squares */
	return by_dest.n_ties == 0 || find_dest_clashes(d, m, &by_dest);
}

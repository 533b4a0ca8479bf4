/* File= and Copy= lines: which member goes where, and which of them meet. */
#include "formats/umod/install.h"

#include "core/canary.h"

/* ---- Tuples: (Src=System\Foo.u,Size=1234,Flags=0) ---------------------------------------------------------------- */

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

static inline void take_pair(struct manifest_copy *c, struct tuple *t)
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

static void read_tuple(struct manifest_copy *c, const struct text *list)
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

static struct text destination(const struct manifest *m, const struct manifest_copy *c)
{
	return manifest_text(m, MANIFEST_INI, c->has_dest ? c->dest : c->src);
}

static void note_member(struct manifest *m, struct manifest_copy *c, uint32_t member)
{
	c->member = member;
	m->next_member = member + 1;
	if (m->listed_by[member] == MANIFEST_NONE)
		m->listed_by[member] = (uint32_t)(c - m->copies);
}

static uint32_t *dest_hash(struct manifest *m, const struct manifest_copy *c)
{
	return &m->dest_hashes[c - m->copies];
}

/* Most manifests list members in the order of the directory, and spell them alike: then Src is what the member's name is. */
static bool read_expected(struct umod *u, struct manifest_copy *c, const struct text *src)
{
	uint32_t next = u->manifest.next_member;

	if (next >= u->n_members || !umod_is_spelt(u, next, src))
		return false;
	*dest_hash(&u->manifest, c) = u->hashes[next];
	c->to_manifest = u->members[next].traits & UMOD_IS_MANIFEST;
	note_member(&u->manifest, c, next);
	return true;
}

static bool read_src(struct decode *d, struct umod *u, struct manifest_copy *c)
{
	struct text src = manifest_text(&u->manifest, MANIFEST_INI, c->src);
	struct path path;
	uint32_t member;

	if (read_expected(u, c, &src))
		return true;
	path_examine_at(&src, &path);
	*dest_hash(&u->manifest, c) = path.hash;
	c->to_manifest = is_manifest_path(src, &path);
	if (!umod_index_names(d, u))
		return false;
	member = umod_find(u, src, path.hash);
	if (member < u->n_members)
		note_member(&u->manifest, c, member);
	return true;
}

static void look_at_kind(struct manifest_kind *k, const struct text *name, const struct path *path)
{
	if (path->extension == k->extension && path->extension != UINT32_MAX)
		return;
	k->extension = path->extension;
	k->formats = format_set(text_word8(text_sub(*name, path->dot + 1, name->ref.n_units)));
	k->is_program = umod_is_program(path->extension);
}

static void read_dest(struct manifest *m, struct manifest_copy *c)
{
	struct text dest = manifest_text(m, MANIFEST_INI, c->dest);
	struct path path;

	path_examine_at(&dest, &path);
	*dest_hash(m, c) = path.hash;
	c->dest_traits = path.traits;
	c->to_manifest = is_manifest_path(dest, &path);
	look_at_kind(&m->dest_kind, &dest, &path);
	c->dest_formats = m->dest_kind.formats;
	m->dest_formats |= c->dest_formats;
	if (m->dest_kind.is_program && !umod_is_program(text_word(path_extension(manifest_text(m, MANIFEST_INI, c->src)))))
		c->dest_traits |= MANIFEST_BECOMES_PROGRAM;
	m->dest_traits |= c->dest_traits;
}

bool install_read_copy(struct decode *d, struct umod *u, const struct manifest_line *l)
{
	struct manifest *m = &u->manifest;
	struct manifest_copy *c = &m->copies[m->n_copies++];
	struct text list = install_value(m, l);

	*dest_hash(m, c) = 0;
	*c = (struct manifest_copy){ .line = l, .member = MANIFEST_NONE };
	read_tuple(c, &list);
	if (!c->has_src)
		return true;
	if (!read_src(d, u, c))
		return false;
	if (c->has_dest)
		read_dest(m, c);
	return true;
}

/* ---- Copies that meet ------------------------------------------------------------------------------------------------- */

static uint32_t list_relisted(const struct manifest *m, struct manifest_pair *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->n_copies; i++) {
		const struct manifest_copy *c = &m->copies[i];

		if (c->member == MANIFEST_NONE || m->listed_by[c->member] == i)
			continue;
		if (out)
			out[n] = (struct manifest_pair){ &m->copies[m->listed_by[c->member]], c };
		n++;
	}
	return n;
}

static int compare_dests(const void *manifest, uint32_t a, uint32_t b)
{
	const struct manifest *m = manifest;

	return path_compare(destination(m, &m->copies[a]), destination(m, &m->copies[b]));
}

static bool same_source(const struct manifest *m, const struct manifest_copy *a, const struct manifest_copy *b)
{
	return path_compare(manifest_text(m, MANIFEST_INI, a->src), manifest_text(m, MANIFEST_INI, b->src)) == 0;
}

static uint32_t list_dest_clashes(const struct manifest *m, const struct order *by_dest, struct manifest_pair *out)
{
	uint32_t n = 0, first = 0;

	for (uint32_t i = 1; i < by_dest->n; i++) {
		uint32_t a = order_row(by_dest, first), b = order_row(by_dest, i);

		if (m->dest_hashes[a] != m->dest_hashes[b] || compare_dests(m, a, b) != 0) {
			first = i;
			continue;
		}
		if (!m->copies[b].has_src || same_source(m, &m->copies[a], &m->copies[b]))
			continue;
		if (out)
			out[n] = (struct manifest_pair){ &m->copies[a], &m->copies[b] };
		n++;
	}
	return n;
}

bool install_find_meetings(struct decode *d, struct manifest *m)
{
	struct order by_dest;
	uint32_t n;

	if (!order_suspects(d->arena, m->dest_hashes, m->n_copies, m, compare_dests, &by_dest))
		return decode_stop(d, UMOD_MANIFEST, STOP_MEMORY, (struct span){ 0, 0 });
	for (uint32_t i = 0; CANARY(14) && i < m->n_copies && decode_spend(d, UMOD_MANIFEST, m->n_copies); i++) {} /* canary: squares */
	n = list_relisted(m, NULL);
	m->relisted = decode_alloc(d, UMOD_MANIFEST, n, sizeof *m->relisted);
	if (!m->relisted)
		return false;
	m->n_relisted = list_relisted(m, m->relisted);
	n = by_dest.n_ties > 0 ? list_dest_clashes(m, &by_dest, NULL) : 0;
	m->dest_clashes = decode_alloc(d, UMOD_MANIFEST, n, sizeof *m->dest_clashes);
	if (!m->dest_clashes)
		return false;
	m->n_dest_clashes = n > 0 ? list_dest_clashes(m, &by_dest, m->dest_clashes) : 0;
	return true;
}

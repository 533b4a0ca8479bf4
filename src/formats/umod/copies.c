/* File= and Copy= lines: which member goes where, and which of them meet. */
#include "formats/umod/install.h"

#include "core/canary.h"

/* ---- Tuples: (Src=System\Foo.u,Size=1234,Flags=0) ---------------------------------------------------------------- */

/* A tuple is read from left to right: the units of `inside` before `at` are done with. Key and value are the units that next_pair
 * found last, and only become texts where they are needed. */
struct tuple {
	struct text inside;
	uint32_t at;
	uint32_t key_from, key_to, from, to;
	bool malformed;
};

/* A value in quotes may hold commas, and only blanks stand between its end and the next comma. */
static bool read_quoted(struct tuple *t, uint32_t from)
{
	uint32_t close = (uint32_t)text_find(t->inside, '"', from), rest = close + 1, end;

	if (close == t->inside.ref.n_units) {
		t->malformed = true;
		return false;
	}
	t->from = from;
	t->to = close;
	end = (uint32_t)text_find(t->inside, ',', close);
	t->at = end + 1;
	text_narrow(&t->inside, &rest, &end);
	t->malformed = t->malformed || rest < end;
	return true;
}

/* next_pair splits the next key=value off. It returns false at the end, and where the text is not of the form. */
static bool next_pair(struct tuple *t)
{
	uint32_t n = t->inside.ref.n_units, equals, end;

	if (t->at >= n)
		return false;
	end = (uint32_t)text_find(t->inside, ',', t->at);
	equals = (uint32_t)text_find(t->inside, '=', t->at);
	if (equals >= end) {
		t->malformed = true;
		return false;
	}
	t->key_from = t->at;
	t->key_to = equals;
	text_narrow(&t->inside, &t->key_from, &t->key_to);
	if (equals + 1 < n && text_unit(t->inside, equals + 1) == '"')
		return read_quoted(t, equals + 2);
	t->from = equals + 1;
	t->to = end;
	t->at = end + 1;
	text_narrow(&t->inside, &t->from, &t->to);
	return true;
}

static void take_number(struct tuple *t, struct text_ref *ref, bool *has, uint64_t *number)
{
	struct text value = text_part(&t->inside, t->from, t->to);

	*ref = value.ref;
	*has = text_number(value, number);
	t->malformed = t->malformed || !*has;
}

static void take_pair(struct manifest_copy *c, struct tuple *t)
{
	struct text key = text_part(&t->inside, t->key_from, t->key_to);

	switch (text_word(key)) {
	case TEXT_WORD('S', 'R', 'C', 0):
		c->src = text_part(&t->inside, t->from, t->to).ref;
		c->has_src = t->from < t->to;
		break;
	case TEXT_WORD('D', 'E', 'S', 'T'):
		c->dest = text_part(&t->inside, t->from, t->to).ref;
		c->has_dest = t->from < t->to;
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
	t = (struct tuple){ .inside = text_part(list, 1, n - 1) };
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

/* Finds the member of a copy. Most manifests list members in the order of the directory. */
static void find_member(struct umod *u, struct manifest_copy *c, struct text src, uint32_t hash)
{
	struct manifest *m = &u->manifest;
	uint32_t member = umod_find_near(u, src, hash, m->next_member);

	if (member == u->n_members)
		return;
	c->member = member;
	m->next_member = member + 1;
	if (m->listed_by[member] == MANIFEST_NONE)
		m->listed_by[member] = (uint32_t)(c - m->copies);
}

void install_read_copy(struct umod *u, const struct manifest_line *l)
{
	struct manifest *m = &u->manifest;
	struct manifest_copy *c = &m->copies[m->n_copies++];
	struct text list = install_value(m, l), src, dest;
	struct path path;

	*c = (struct manifest_copy){ .line = l, .member = MANIFEST_NONE };
	read_tuple(c, &list);
	if (!c->has_src)
		return;
	src = manifest_text(m, MANIFEST_INI, c->src);
	path = path_examine_at(&src);
	find_member(u, c, src, path.hash);
	dest = destination(m, c);
	if (c->has_dest) {
		path = path_examine_at(&dest);
		c->dest_traits = path.traits;
	}
	c->dest_hash = path.hash;
	c->to_manifest = is_manifest_path(dest, &path);
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

static uint64_t dest_key(const void *manifest, uint32_t i)
{
	return ((const struct manifest *)manifest)->copies[i].dest_hash;
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

	for (uint32_t i = 1; i < m->n_copies; i++) {
		uint32_t a = order_row(by_dest, first), b = order_row(by_dest, i);

		if (dest_key(m, a) != dest_key(m, b) || compare_dests(m, a, b) != 0) {
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

	if (!order_by_hash(d->arena, m, m->n_copies, dest_key, compare_dests, &by_dest))
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

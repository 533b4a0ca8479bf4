/* File= and Copy= lines: which member goes where, and which of them meet. */
#include "formats/umod/install.h"

/* ---- Tuples: (Src=System\Foo.u,Size=1234,Flags=0) ---------------------------------------------------------------- */

/* next_pair splits the next key=value off a tuple's inside. A value in quotes may hold commas. It returns false at the end, and
 * sets *malformed when the text is not of the form. */
static bool next_pair(struct text inside, uint64_t *at, struct text *key, struct text *value, bool *malformed)
{
	uint64_t n = inside.ref.n_units, equals, end;

	if (*at >= n)
		return false;
	equals = text_find(inside, '=', *at);
	end = text_find(inside, ',', *at);
	if (equals >= end) {
		*malformed = true;
		return false;
	}
	*key = text_trim(text_sub(inside, *at, equals - *at));
	if (equals + 1 < n && text_unit(inside, equals + 1) == '"') {
		uint64_t close = text_find(inside, '"', equals + 2);

		*malformed = *malformed || close == n;
		if (close == n)
			return false;
		*value = text_sub(inside, equals + 2, close - (equals + 2));
		end = text_find(inside, ',', close);
		*malformed = *malformed || text_trim(text_sub(inside, close + 1, end - (close + 1))).ref.n_units > 0;
	} else {
		*value = text_trim(text_sub(inside, equals + 1, end - (equals + 1)));
	}
	*at = end + 1;
	return true;
}

static void take_number(struct text value, struct text_ref *ref, bool *has, uint64_t *number, bool *malformed)
{
	*ref = value.ref;
	*has = text_number(value, number);
	*malformed = *malformed || !*has;
}

static void take_pair(struct manifest_copy *c, struct text key, struct text value)
{
	if (text_is(key, "Src")) {
		c->src = value.ref;
		c->has_src = value.ref.n_units > 0;
	} else if (text_is(key, "Dest")) {
		c->dest = value.ref;
		c->has_dest = value.ref.n_units > 0;
	} else if (text_is(key, "Size")) {
		take_number(value, &c->size, &c->has_size, &c->size_number, &c->malformed);
	} else if (text_is(key, "Flags")) {
		take_number(value, &c->flags, &c->has_flags, &c->flags_number, &c->malformed);
	}
}

static void read_tuple(struct manifest_copy *c, struct text tuple)
{
	uint64_t n = tuple.ref.n_units, at = 0;
	struct text key, value, inside;

	if (n < 2 || text_unit(tuple, 0) != '(' || text_unit(tuple, n - 1) != ')') {
		c->malformed = true;
		return;
	}
	inside = text_sub(tuple, 1, n - 2);
	while (next_pair(inside, &at, &key, &value, &c->malformed))
		take_pair(c, key, value);
	c->malformed = c->malformed || !c->has_src;
}

static bool is_manifest_path(struct text path)
{
	struct text first = path_first(path), last = path_last(path);

	return text_is(first, "System") && text_starts(last, "Manifest.") && first.ref.n_units + 1 + last.ref.n_units == path.ref.n_units;
}

static struct text destination(const struct manifest *m, const struct manifest_copy *c)
{
	return manifest_text(m, MANIFEST_INI, c->has_dest ? c->dest : c->src);
}

void install_read_copy(struct umod *u, const struct manifest_line *l)
{
	struct manifest *m = &u->manifest;
	struct manifest_copy *c = &m->copies[m->n_copies++];
	struct path dest;
	uint32_t member;

	*c = (struct manifest_copy){ .line = l, .member = MANIFEST_NONE };
	read_tuple(c, install_value(m, l));
	if (!c->has_src)
		return;
	member = umod_find(u, manifest_text(m, MANIFEST_INI, c->src));
	if (member < u->n_members) {
		c->member = member;
		if (m->listed_by[member] == MANIFEST_NONE)
			m->listed_by[member] = m->n_copies - 1;
	}
	dest = path_examine(destination(m, c));
	c->dest_hash = dest.hash;
	c->dest_traits = c->has_dest ? dest.traits : 0;
	c->to_manifest = is_manifest_path(destination(m, c));
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

	if (!order_by_key(d->arena, m, m->n_copies, dest_key, &by_dest) ||
	    !order_refine(d->arena, m, dest_key, compare_dests, &by_dest))
		return decode_stop(d, UMOD_MANIFEST, STOP_MEMORY, (struct span){ 0, 0 });
	n = list_relisted(m, NULL);
	m->relisted = decode_alloc(d, UMOD_MANIFEST, n, sizeof *m->relisted);
	if (!m->relisted)
		return false;
	m->n_relisted = list_relisted(m, m->relisted);
	n = list_dest_clashes(m, &by_dest, NULL);
	m->dest_clashes = decode_alloc(d, UMOD_MANIFEST, n, sizeof *m->dest_clashes);
	if (!m->dest_clashes)
		return false;
	m->n_dest_clashes = list_dest_clashes(m, &by_dest, m->dest_clashes);
	return true;
}

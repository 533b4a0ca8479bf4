/* Members of a tar: what headers together say of one. */
#include "formats/archive/tar/sparse.h"

/* A name as it is to be read, with where it stands. */
struct stored_name {
	struct held bytes;
	uint64_t at;
	enum arc_coding coding;
};

static struct stored_name said_name(const struct tar_said *s, enum arc_coding coding)
{
	return (struct stored_name){ s->value, s->at, coding };
}

/* pax names are UTF-8, if it does not say that they are in no encoding. */
static enum arc_coding pax_coding(const struct tar_walk *w)
{
	return w->before.is_binary ? ARC_UNSAID : ARC_UTF8_SAID;
}

static bool copy_name(struct tar_walk *w, const struct tar_header *h, struct stored_name *out)
{
	const uint64_t before = h->prefix.len > 0 ? h->prefix.len + 1 : 0;
	uint8_t *bytes = decode_alloc(w->d, TAR_MEMBERS, before + h->name.len, 1);

	if (!bytes)
		return false;
	if (before > 0) {
		memcpy(bytes, h->prefix.bytes, (size_t)h->prefix.len);
		bytes[before - 1] = '/';
	}
	memcpy(bytes + before, h->name.bytes, (size_t)h->name.len);
	*out = (struct stored_name){ { bytes, before + h->name.len }, h->at, ARC_UNSAID };
	return true;
}

static bool find_name(struct tar_walk *w, const struct tar_header *h, struct stored_name *out)
{
	const struct tar_before *b = &w->before;

	if (b->sparse_path.value.len > 0)
		*out = said_name(&b->sparse_path, pax_coding(w));
	else if (b->path.value.len > 0)
		*out = said_name(&b->path, pax_coding(w));
	else if (b->long_path.value.len > 0)
		*out = said_name(&b->long_path, ARC_UNSAID);
	else
		return copy_name(w, h, out);
	return true;
}

static bool find_target(struct tar_walk *w, const struct tar_header *h, struct stored_name *out)
{
	const struct tar_before *b = &w->before;
	uint8_t *bytes;

	if (b->link.value.len > 0) {
		*out = said_name(&b->link, pax_coding(w));
		return true;
	}
	if (b->long_link.value.len > 0) {
		*out = said_name(&b->long_link, ARC_UNSAID);
		return true;
	}
	bytes = decode_alloc(w->d, TAR_MEMBERS, h->link.len, 1);
	if (!bytes)
		return false;
	memcpy(bytes, h->link.bytes, (size_t)h->link.len);
	*out = (struct stored_name){ { bytes, h->link.len }, h->at, ARC_UNSAID };
	return true;
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

/* v7 had no type for folders: their names end in a separator. */
static enum arc_kind kind_of(const struct tar_header *h, struct held name)
{
	static const uint8_t kinds[] = { ARC_HARD_LINK,    ARC_SYMLINK,   ARC_CHARACTER_DEVICE,
					 ARC_BLOCK_DEVICE, ARC_DIRECTORY, ARC_FIFO };

	if (h->type >= '1' && h->type <= '6')
		return kinds[h->type - '1'];
	if (h->type == 'D')
		return ARC_DIRECTORY;
	if ((h->type == 0 || h->type == '0') && name.len > 0 && held_u8(name, name.len - 1) == '/')
		return ARC_DIRECTORY;
	return ARC_FILE;
}

static bool is_sparse(const struct tar_walk *w, const struct tar_header *h)
{
	return h->type == 'S' || w->before.is_sparse;
}

/* How many bytes a member has after unpacking. */
static uint64_t real_size(const struct tar_walk *w, const struct tar_header *h, uint64_t len)
{
	uint64_t n;

	if (h->type == 'S')
		return h->real_size;
	if (w->before.real_size.value.len > 0 &&
	    tar_read_decimal(w->before.real_size.value, &n) == TAR_NUMBER)
		return n;
	return len;
}

/* ---- The row --------------------------------------------------------------------------------- */

static bool fill(struct tar_walk *w, const struct tar_header *h, struct arc_member *m)
{
	struct stored_name name, target;
	uint32_t ignored = 0;

	if (!find_name(w, h, &name) || !members_name(w->d, TAR_MEMBERS, name.bytes, name.at,
						     name.coding, &m->traits, &m->name))
		return false;
	m->kind = (uint8_t)kind_of(h, name.bytes);
	if (m->kind == ARC_FILE && h->mode & ARC_MODE_SETS_USER)
		m->traits |= ARC_SETS_USER;
	if (m->kind != ARC_SYMLINK && m->kind != ARC_HARD_LINK)
		return true;
	return find_target(w, h, &target) &&
	       members_name(w->d, TAR_MEMBERS, target.bytes, target.at, target.coding, &ignored,
			    &m->target);
}

static void note_content(struct arc_member *m, struct tar_entry *e, struct held first)
{
	if (arc_is_checked(first))
		e->state |= TAR_IS_SEEN;
	members_note_content(m, first);
}

static void look_inside(const struct tar_walk *w, struct arc_member *m, struct tar_entry *e)
{
	const struct held block = { w->block, w->n_block };
	uint64_t n = w->n_block - TAR_BLOCK;

	n = m->packed < n ? m->packed : n;
	note_content(m, e, held_part(block, TAR_BLOCK, n));
}

/* Puts the stored bytes among the first n of the content there; others are zeros. */
static bool copy_first(struct tar_walk *w, const struct tar_entry *e, uint8_t *out, uint64_t n)
{
	memset(out, 0, (size_t)n);
	for (uint64_t i = 0; i < e->n; i++) {
		const struct tar_piece *p = &w->t->pieces[e->first + i];
		const uint64_t room = p->to < n ? n - p->to : 0,
			       len = p->len < room ? p->len : room;

		if (room == 0)
			break;
		if (!decode_copy(w->d, TAR_MEMBERS, (struct span){ p->from, len }, out + p->to))
			return false;
	}
	return true;
}

static bool look_inside_sparse(struct tar_walk *w, struct arc_member *m, struct tar_entry *e)
{
	uint8_t first[ARC_SIGNATURE_LEN];
	const uint64_t n = m->size < sizeof first ? m->size : sizeof first;

	if (!copy_first(w, e, first, n))
		return false;
	note_content(m, e, (struct held){ first, n });
	return true;
}

/* What the name of a member says of it. Programs that do not know a type look whether the name is
 * that of a folder, and of a file's type it makes a folder for some. GNU tar writes a list of files
 * with a folder, whose name it ends so; others make a file of that. */
static uint32_t look_at_name(const struct tar_header *h, const struct arc_member *m)
{
	const uint32_t n = m->name.ref.n_units;
	const bool is_named = n > 0 && text_unit(m->name, n - 1) == '/';

	if (m->packed > 0)
		return is_named == (h->type != 'D') ? (uint32_t)TAR_NO_FILE : 0;
	return is_named && (h->type == '0' || h->type == '7') ? (uint32_t)TAR_FOLDER_OF_FILE : 0;
}

/* What is wrong with the headers before the member's own, and with all of them together. */
static bool add_flaws(struct tar_walk *w, const struct tar_header *h, const struct arc_member *m,
		      const struct tar_entry *e)
{
	const uint32_t settled = tar_settle(&w->before);
	const uint32_t traits = w->before.traits | settled |
				(is_sparse(w, h) ? (uint32_t)TAR_SPARSE : 0) | look_at_name(h, m);
	const struct tar_flaw flaw = {
		.at = w->before.traits ? w->before.wrong_at : h->at,
		.name = m->name,
		.said = m->packed,
		.found = m->size,
		.traits = traits,
		.type = h->type,
		.map = e->map,
	};

	w->before.traits = 0; /* they are told */
	return !traits || tar_add_flaw(w, &flaw);
}

static bool has_room(struct tar_walk *w)
{
	struct members *m = &w->t->members;
	struct arc_member *grown;
	struct tar_entry *entries;

	if (m->n >= w->d->limits->of[LIMIT_entries])
		return decode_stop_limit(w->d, TAR_MEMBERS, LIMIT_entries,
					 (struct span){ w->at, w->t->size - w->at });
	grown = decode_grow(w->d, TAR_MEMBERS, m->rows, m->n, &w->max_rows, sizeof *m->rows);
	if (!grown)
		return false;
	m->rows = grown;
	entries = decode_grow(w->d, TAR_MEMBERS, w->t->entries, m->n, &w->max_entries,
			      sizeof *entries);
	if (!entries)
		return false;
	w->t->entries = entries;
	return true;
}

/* What a member's content begins with. */
static bool find_content(struct tar_walk *w, const struct tar_header *h, struct arc_member *m,
			 struct tar_entry *e)
{
	if (!is_sparse(w, h)) {
		if (m->at == h->at + TAR_BLOCK)
			look_inside(w, m, e);
		return true;
	}
	if (m->kind != ARC_FILE)
		e->map = TAR_MAP_UNKNOWN;
	else if (e->state & TAR_IS_LOST)
		e->map = TAR_MAP_MALFORMED;
	else if (!tar_map_settle(w, h, m, e))
		return false;
	if (e->map == TAR_MAP_APPLIED)
		return look_inside_sparse(w, m, e);
	e->state |= TAR_IS_LOST;
	return true;
}

bool tar_add_member(struct tar_walk *w, const struct tar_header *h, uint64_t at, uint64_t len,
		    bool is_cut)
{
	struct arc_member m = {
		.head_at = w->member_at, .at = at, .packed = len, .may_repeat = true
	};
	struct tar_entry e = { .content = (uint32_t)w->t->members.n,
			       .state = is_cut ? TAR_IS_LOST : 0 };
	const uint64_t head_len = at - w->member_at; /* the map of a sparse member may be long */

	m.head_len = head_len < UINT32_MAX ? (uint32_t)head_len : UINT32_MAX;
	m.size = real_size(w, h, len);
	if (!has_room(w) || !fill(w, h, &m))
		return false;
	if (m.kind == ARC_DIRECTORY && m.packed > 0)
		e.state |= TAR_IS_FOLDER_BY_NAME;
	if (!find_content(w, h, &m, &e) || !add_flaws(w, h, &m, &e))
		return false;
	w->t->entries[w->t->members.n] = e;
	w->t->members.rows[w->t->members.n++] = m;
	return true;
}

/* ---- Links ----------------------------------------------------------------------------------- */

/* A hard link to a symbolic link is one itself, whose target is counted from its own folder. */
static void follow_on(struct members *m, struct arc_member *row, const struct arc_member *content)
{
	struct arc_member link = *content;

	if (content->kind != ARC_SYMLINK)
		return;
	link.name = row->name;
	if (members_link_leaves(&link))
		row->traits |= ARC_LINK_OUT;
	m->traits |= row->traits;
}

/* Whether the stored bytes of two members are the same; what cannot be read is not, which is noted.
 * Of all members together no more is compared than a few times what the file has. */
static bool have_same_bytes(struct tar_walk *w, const struct arc_member *a,
			    const struct arc_member *b)
{
	enum { TIMES_MAX = 4 };
	uint8_t x[TAR_BLOCK], y[TAR_BLOCK];
	uint64_t n;

	if (a->packed != b->packed || w->n_compared / TIMES_MAX >= w->t->size)
		return false;
	w->n_compared += a->packed;
	if (!decode_spend(w->d, TAR_MEMBERS, work_of_bytes(a->packed)))
		return false;
	for (uint64_t at = 0; at < a->packed; at += n) {
		n = a->packed - at < sizeof x ? a->packed - at : sizeof x;
		if (!decode_copy(w->d, TAR_MEMBERS, (struct span){ a->at + at, n }, x) ||
		    !decode_copy(w->d, TAR_MEMBERS, (struct span){ b->at + at, n }, y) ||
		    memcmp(x, y, (size_t)n) != 0)
			return false;
	}
	return true;
}

/* What is told of a hard link to a row that is replaced after it: who appends to a tar may do so,
 * and as long as the bytes are the same, it makes no difference. A link of the same name replaces
 * nothing: GNU tar writes one for a file that it is told of twice. */
static uint32_t stale_traits(struct tar_walk *w, uint64_t link, uint64_t row)
{
	const struct tar *t = w->t;
	const struct members *m = &t->members;
	const struct tar_entry *from = &t->entries[t->entries[row].content];
	uint64_t last;

	if (!m->rows[row].is_replaced)
		return 0;
	last = members_find_before(w->d, TAR_MEMBERS, m, m->rows[row].name, UINT64_MAX);
	if (last == link)
		return 0;
	if (last == MEMBER_NONE || m->rows[last].kind != ARC_FILE ||
	    m->rows[from->content].kind != ARC_FILE || from->map != TAR_MAP_NONE ||
	    t->entries[last].map != TAR_MAP_NONE ||
	    !have_same_bytes(w, &m->rows[from->content], &m->rows[last]))
		return TAR_LINK_STALE;
	return TAR_LINK_STALE | TAR_LINK_ALIKE;
}

static bool follow(struct tar_walk *w, uint64_t i)
{
	struct tar *t = w->t;
	struct arc_member *row = &t->members.rows[i];
	const uint64_t found = members_find_before(w->d, TAR_MEMBERS, &t->members, row->target, i);
	struct tar_flaw flaw = { .at = row->head_at, .name = row->target, .type = '1' };

	if (!decode_has(w->d, TAR_MEMBERS))
		return false;
	if (found == MEMBER_NONE) {
		flaw.traits = TAR_LINK_EARLY;
		return tar_add_flaw(w, &flaw);
	}
	t->entries[i].content = t->entries[found].content;
	follow_on(&t->members, row, &t->members.rows[t->entries[i].content]);
	flaw.traits = stale_traits(w, i,
				   found); /* the last of its name that comes before the link */
	return decode_has(w->d, TAR_MEMBERS) && (flaw.traits == 0 || tar_add_flaw(w, &flaw));
}

bool tar_follow_links(struct tar_walk *w)
{
	const struct members *m = &w->t->members;

	for (uint64_t i = 0; m->traits & ARC_LINK && i < m->n; i++)
		if (m->rows[i].kind == ARC_HARD_LINK && !follow(w, i))
			return false;
	return true;
}

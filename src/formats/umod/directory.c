/* The directory: its entries, and how the members' bytes lie before it. */
#include "formats/umod/umod.h"

#include <string.h>

#include "core/mutant.h"
#include "core/path_plain.h"
#include "formats/umod/policy.h"

/* Bytes of the first window of a directory. A longer directory is read in steps, so that a wrong
 * offset does not cost a read of the whole file. */
#define DIRECTORY_WINDOW ((uint64_t)262144)

/* Entries are examined in groups of this many after they were read. */
#define ENTRY_GROUP 32u

/* The name as the entry has it, with the flags of its text_ref. */
static struct text_ref read_name(const struct umod *u, const struct umod_member *m)
{
	struct cursor c = u->directory_window;
	struct text_ref name = { .at = 0 };
	const bool was_read = cursor_seek(&c, umod_entry_at(u, m)) && layout_read_string(&c, &name);

	return NEVER(!was_read) ? (struct text_ref){ .at = 0 } : name;
}

#define EXTENSION(a, b, c) TEXT_WORD(a, b, c, 0)

/* The folder of the name that was examined last. Most names are in the same one. */
struct folder {
	struct text name; /* the whole name; NULL: no name was examined yet */
	uint32_t n_units; /* of the folder */
	bool is_stock, is_system;
};

/* The units of a text whose units are bytes. */
static inline struct held units_of(const struct text *t)
{
	return (struct held){ t->data, t->ref.n_units };
}

static inline bool same_folder(const struct folder *f, const struct text *name, uint32_t n)
{
	if (n != f->n_units || name->ref.encoding != f->name.ref.encoding || !f->name.data)
		return false;
	if (n == 0)
		return true;
	if (n <= 8 && name->ref.n_units >= 8 && f->name.ref.n_units >= 8 &&
	    name->ref.encoding == TEXT_CP1252)
		return ((held_u64(units_of(name), 0) ^ held_u64(units_of(&f->name), 0)) &
			UINT64_MAX >> 8 * (8 - n)) == 0;
	return memcmp(name->data, f->name.data, (size_t)(n * text_width(name->ref.encoding))) == 0;
}

/* Takes the first n units of a name as its folder; n 0: it has none. It returns whether that is
 * another folder than the last name's. */
static inline bool look_at_folder(struct folder *f, const struct text *name, uint32_t n)
{
	if (same_folder(f, name, n))
		return false;
	f->name = *name;
	f->n_units = n;
	f->is_stock = n == 0 || policy_is_stock_folder(text_sub(*name, 0, n));
	f->is_system = text_is(text_sub(*name, 0, n), "System");
	return true;
}

UVET_RARE static bool is_wide_manifest(struct text name, uint32_t from)
{
	return text_starts(text_sub(name, from, name.ref.n_units), "Manifest.");
}

/* Tells whether the units of a name from `from` on begin with Manifest and a dot. */
static inline bool is_manifest(const struct text *name, uint32_t from)
{
	static const uint8_t word[] = "manifest";
	const uint64_t wanted = held_u64((struct held){ word, sizeof word }, 0);

	if (name->ref.encoding != TEXT_CP1252)
		return is_wide_manifest(*name, from);
	return name->ref.n_units - from >= 9 &&
	       (held_u64(units_of(name), from) | EACH_BYTE(0x20)) == wanted &&
	       held_u8(units_of(name), (uint64_t)from + 8) == '.';
}

/* Of several members named System\Manifest.ini or Manifest.int the first is the manifest. */
static void note_manifest(struct umod *u, struct umod_member *m, struct path path)
{
	uint32_t number = (uint32_t)(m - u->members);

	m->traits |= UMOD_IS_MANIFEST;
	u->n_manifests++;
	if (path.dot != path.last + 8) /* Manifest.something.ini */
		return;
	if (path.extension == EXTENSION('I', 'N', 'I') && u->manifest_member == u->n_members)
		u->manifest_member = number;
	if (path.extension == EXTENSION('I', 'N', 'T') && u->locale_member == u->n_members)
		u->locale_member = number;
}

static const struct {
	const char *extension;
	uint32_t word;
} languages[UMOD_N_LANGUAGES] = {
	{ "det", EXTENSION('D', 'E', 'T') }, { "est", EXTENSION('E', 'S', 'T') },
	{ "frt", EXTENSION('F', 'R', 'T') }, { "itt", EXTENSION('I', 'T', 'T') },
	{ "kot", EXTENSION('K', 'O', 'T') }, { "smt", EXTENSION('S', 'M', 'T') },
	{ "tmt", EXTENSION('T', 'M', 'T') },
};

static uint32_t language_of(uint32_t extension)
{
	uint32_t l = 0;

	while (l < UMOD_N_LANGUAGES && languages[l].word != extension)
		l++;
	return l;
}

bool umod_is_language(uint32_t extension)
{
	return language_of(extension) < UMOD_N_LANGUAGES;
}

/* The extension of the name that was examined last. Many names have the same one. */
struct extension {
	uint32_t word;
	uint32_t language; /* UMOD_N_LANGUAGES: none */
	bool is_executable, promises;
};

/* UINT32_MAX stands for all extensions that are longer than a word. */
static inline void look_at_extension(struct extension *e, const struct text *name,
				     const struct path *path)
{
	const uint32_t word = path->extension;

	if (word != e->word || word == UINT32_MAX)
		*e = (struct extension){ word, language_of(word), policy_is_program(word),
					 format_promised(text_sub(*name, path->dot + 1,
								  name->ref.n_units)) };
}

static void note_language(struct umod *u, const struct umod_member *m, uint32_t l)
{
	if (m->traits & UMOD_IS_MANIFEST)
		u->languages[l].has_manifest = true;
	else if (u->languages[l].first == u->n_members)
		u->languages[l].first = (uint32_t)(m - u->members);
}

/* The state of the pass over the entries, each of which is examined once, soon after it was
 * read. */
struct entry_pass {
	struct umod *u;
	struct folder folder;
	struct extension extension;
	uint32_t n_odd, n_long; /* members that belong in odd_names and long_indexes */
	/* a member does not begin where the one before ends, or the first not at the start */
	bool stray;
	uint64_t end; /* of the last member */
};

static inline void examine_name(struct entry_pass *s, struct umod_member *m,
				const struct umod_entry *e, uint32_t i)
{
	struct text name = text_at(&s->u->directory_window, e->name);
	struct path path;

	if (name.ref.encoding != TEXT_CP1252 || !path_examine_plain(&name, '\\', &path))
		path = path_examine(name);
	PLAIN(path_examine(name).traits == path.traits && path_examine(name).hash == path.hash);
	s->u->hashes[i] = path.hash;
	if (look_at_folder(&s->folder, &name, path.first))
		path.traits |= UMOD_FOLDER_BEGINS;
	look_at_extension(&s->extension, &name, &path);
	if (s->extension.is_executable)
		path.traits |= UMOD_IS_EXECUTABLE;
	if (s->extension.promises)
		path.traits |= UMOD_PROMISES;
	if (!s->folder.is_stock)
		path.traits |= UMOD_FOREIGN_FOLDER;
	m->traits |= path.traits;
	if (s->folder.is_system && path.last == path.first + 1 && is_manifest(&name, path.last))
		note_manifest(s->u, m, path);
	if (s->extension.language < UMOD_N_LANGUAGES)
		note_language(s->u, m, s->extension.language);
}

/* The defect of a name; 0: it has none. */
static inline uint8_t name_defect(const struct text_ref *t, uint32_t traits)
{
	if ((t->flags | t->encoding) == 0 && text_between(t->n_units, 1, UMOD_NAME_MAX - 1) &&
	    !(traits & PATH_NUL))
		return 0;
	if (t->flags & TEXT_COUNT_ZERO)
		return UMOD_NAME_COUNT_ZERO;
	if (t->flags & TEXT_UNTERMINATED)
		return UMOD_NAME_UNTERMINATED;
	if (t->n_units + 1u > UMOD_NAME_MAX)
		return UMOD_NAME_TOO_LONG;
	if (t->n_units == 0)
		return UMOD_NAME_EMPTY;
	if (traits & PATH_NUL)
		return UMOD_NAME_INNER_NUL;
	return t->encoding == TEXT_CP1252 ? 0 : UMOD_NAME_WIDE;
}

static inline void examine_flags(struct umod_member *m)
{
	uint32_t flags = m->flags & ~(uint32_t)UMOD_COMPRESSED;

	if (m->flags == 0 && !(m->traits & UMOD_IS_MANIFEST))
		return;
	if (flags != m->flags)
		m->traits |= UMOD_IS_COMPRESSED;
	if (flags != (UMOD_BOOTSTRAP | UMOD_UNBOOTSTRAP) &&
	    (flags != 0 || m->traits & UMOD_IS_MANIFEST))
		m->traits |= UMOD_ODD_FLAGS;
}

/* Members whose bytes are not all before the directory take no part in overlaps and gaps. */
static bool is_outside(const struct umod *u, const struct umod_member *m)
{
	/* mutant: one byte too many */
	return m->size > UMOD_SIZE_MAX || umod_member_end(m) > u->trailer.dir_offset + MUTANT(9);
}

static void begin_pass(struct entry_pass *s, struct umod *u, uint32_t n_members)
{
	*s = (struct entry_pass){ .u = u };
	s->extension.language = UMOD_N_LANGUAGES;
	u->n_members = u->first_out_of_order = u->manifest_member = u->locale_member = n_members;
	for (uint32_t i = 0; i < UMOD_N_LANGUAGES; i++)
		u->languages[i] = (struct umod_language){ .extension = languages[i].extension,
							  .first = n_members };
}

/* Keeps a member, with the traits that follow from its entry. */
static inline void examine_member(struct entry_pass *s, const struct umod_entry *e, uint32_t i)
{
	struct umod *u = s->u;
	struct umod_member *m = &u->members[i];

	*m = (struct umod_member){
		.at = (uint32_t)(e->at - u->directory.at),
		.n_units = e->name.n_units,
		.offset = (uint32_t)e->offset,
		.size = (uint32_t)e->size,
		.flags = (uint32_t)e->flags,
		.traits = (uint32_t)e->name.head_len << UMOD_HEAD_SHIFT |
			  (e->name.encoding == TEXT_CP1252 ? 0 : UMOD_WIDE),
	};
	examine_name(s, m, e, i);
	examine_flags(m);
	if (m->size == 0)
		m->traits |= UMOD_IS_EMPTY;
	if (is_outside(u, m))
		m->traits |= UMOD_OUTSIDE;
	u->traits |= m->traits;
	s->stray |= m->offset != s->end || (m->traits & UMOD_OUTSIDE) != 0;
	s->end = umod_member_end(m);
	if (i > 0 && m->offset < m[-1].offset && u->first_out_of_order == u->n_members)
		u->first_out_of_order = i;
	if (name_defect(&e->name, m->traits) != 0)
		s->n_odd++;
	if (e->name.flags & TEXT_COUNT_OVERLONG)
		s->n_long++;
}

static void note_odd_name(const struct decode *d, struct umod *u, struct keep keeps[2], uint32_t i,
			  uint8_t defect)
{
	struct keep *t = &keeps[defect == UMOD_NAME_WIDE];

	if (keep_row(d, t, u->n_odd_names))
		u->odd_names[u->n_odd_names++] = (struct umod_odd_name){ .entry = i,
									 .defect = defect };
	else
		u->odd_names[t->last].n_more++;
}

static bool list_odd_names(struct decode *d, struct umod *u, uint32_t n)
{
	struct keep keeps[2] = { { 0, 0 } };

	u->odd_names = decode_alloc(d, UMOD_DIRECTORY, keep_most(d, n, 2), sizeof *u->odd_names);
	if (!u->odd_names)
		return false;
	for (uint32_t i = 0; n > 0; i++) {
		const struct text_ref name = read_name(u, &u->members[i]);
		const uint8_t defect = name_defect(&name, u->members[i].traits);

		if (defect == 0)
			continue;
		note_odd_name(d, u, keeps, i, defect);
		n--;
	}
	return true;
}

static void note_long_index(const struct decode *d, struct umod *u, struct keep *t,
			    struct umod_long_index index)
{
	if (keep_row(d, t, u->n_long_indexes))
		u->long_indexes[u->n_long_indexes++] = index;
	else
		u->long_indexes[t->last].n_more++;
}

/* n is how many of them are lengths of names; that of the count comes first. */
static bool list_long_indexes(struct decode *d, struct umod *u, uint32_t n)
{
	const bool of_count = u->directory.count.form != INDEX_MINIMAL;
	struct keep keep = { 0, 0 };

	u->long_indexes = decode_alloc(d, UMOD_DIRECTORY, keep_most(d, n + (uint64_t)of_count, 1),
				       sizeof *u->long_indexes);
	if (!u->long_indexes)
		return false;
	if (of_count)
		note_long_index(d, u, &keep,
				(struct umod_long_index){ .len = (uint16_t)u->directory.count.len,
							  .of_count = true });
	for (uint32_t i = 0; n > 0; i++) {
		const struct text_ref name = read_name(u, &u->members[i]);

		if (!(name.flags & TEXT_COUNT_OVERLONG))
			continue;
		note_long_index(d, u, &keep,
				(struct umod_long_index){ .entry = i, .len = name.head_len });
		n--;
	}
	return true;
}

static uint64_t offset_key(const void *members, uint32_t i)
{
	return ((const struct umod_member *)members)[i].offset;
}

/* A coverage is the state of a pass over the members in the order of their bytes. It counts gaps
 * and overlaps, and lists them if it has lists. */
struct coverage {
	const struct decode *d;
	struct umod *u;
	struct umod_gap *gaps;
	struct pairs *overlaps;
	uint32_t n_gaps, n_overlaps;
};

static void cover_gap(struct coverage *s, uint64_t from, uint64_t to, bool last)
{
	if (from >= to)
		return;
	if (s->gaps)
		s->gaps[s->n_gaps] = (struct umod_gap){ .span = { from, to - from }, .last = last };
	s->n_gaps++;
}

static void cover_overlap(struct coverage *s, uint32_t a, uint32_t b)
{
	if (s->overlaps)
		pairs_add(s->d, s->overlaps, 0, a, b);
	s->n_overlaps++;
}

static void cover_members(struct coverage *s)
{
	struct umod *u = s->u;
	uint64_t end = u->stub.is_pe ? u->stub.image_end : 0;
	uint32_t owner = u->n_members; /* the member that reaches farthest so far */

	for (uint32_t i = 0; i < u->n_members; i++) {
		uint32_t row = order_row(&u->by_offset, i);
		const struct umod_member *m = &u->members[row];
		uint64_t from = m->offset, to = umod_member_end(m);

		if (m->traits & UMOD_OUTSIDE || m->size == 0)
			continue;
		/* mutant: late ones of one size may */
		if (from < end && owner < u->n_members &&
		    !(MUTANT(238) && i > 40 && m->size == u->members[owner].size))
			cover_overlap(s, owner, row);
		cover_gap(s, end, from, false);
		if (to > end + MUTANT(26)) { /* mutant: a reach of one byte is overlooked */
			end = to;
			owner = row;
		}
	}
	cover_gap(s, end, u->trailer.dir_offset, true);
}

bool umod_is_padding(const struct umod_gap *g)
{
	return g->span.len < 16 && !g->nonzero && (g->last || span_end(g->span) % 16 == 0);
}

/* Where all members lie back to back up to the directory, there can be no gap and no overlap. */
static bool find_gaps(struct decode *d, struct umod *u, const struct entry_pass *pass)
{
	struct coverage s = { .d = d, .u = u };

	u->by_offset = (struct order){ .n = u->n_members };
	if (u->first_out_of_order < u->n_members &&
	    !order_by_key(d->arena, u->members, u->n_members, offset_key, &u->by_offset))
		return decode_stop(d, UMOD_DIRECTORY, STOP_MEMORY, (struct span){ 0, 0 });
	if (pass->stray || pass->end != u->trailer.dir_offset)
		cover_members(&s);
	u->gaps = decode_alloc(d, UMOD_DIRECTORY, s.n_gaps, sizeof *u->gaps);
	if (!u->gaps || !pairs_make(d, UMOD_DIRECTORY, &u->overlaps, s.n_overlaps))
		return false;
	if (s.n_gaps == 0 && s.n_overlaps == 0)
		return true;
	s = (struct coverage){ .d = d, .u = u, .gaps = u->gaps, .overlaps = &u->overlaps };
	cover_members(&s);
	u->n_gaps = s.n_gaps;
	return true;
}

static bool same_name(const struct umod *u, uint32_t a, uint32_t b)
{
	return u->hashes[a] == u->hashes[b] && umod_compare_names(u, a, b) == 0;
}

/* Equal names are neighbours in this order, and the first one in the directory comes first.
 * Manifests and other members are counted separately. */
static void list_duplicates(const struct decode *d, struct umod *u, const struct order *suspects)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i < suspects->n; i++) {
		const uint32_t a = order_row(suspects, first), b = order_row(suspects, i);

		if (!same_name(u, a, b)) {
			first = i;
			continue;
		}
		u->members[b].traits |= UMOD_NAME_REPEATED;
		pairs_add(d, &u->duplicates, u->members[b].traits & UMOD_IS_MANIFEST ? 0 : 1, a, b);
	}
}

static bool find_duplicates(struct decode *d, struct umod *u)
{
	struct order suspects;

	if (!order_suspects(d->arena, u->hashes, u->n_members, u, umod_compare_names, &suspects))
		return decode_stop(d, UMOD_DIRECTORY, STOP_MEMORY, (struct span){ 0, 0 });
	if (!pairs_make(d, UMOD_DIRECTORY, &u->duplicates, suspects.n_ties))
		return false;
	if (suspects.n_ties > 0)
		list_duplicates(d, u, &suspects);
	return true;
}

/* Reads the entries from c on, up to entry n. It returns the first that could not be read, or n; *c
 * stands at it. Entries are examined in groups, because examining one right after it was read would
 * stall on store forwarding. */
static uint32_t read_entries(struct entry_pass *s, struct cursor *c, uint32_t from, uint32_t n)
{
	UVET_FILLED_LATER struct umod_entry entries[ENTRY_GROUP];
	struct cursor here = *c;
	uint32_t i = from, end, first;

	do {
		first = from;
		end = n - from < ENTRY_GROUP ? n : from + ENTRY_GROUP;
		while (i < end && umod_entry_read(&here, 0, &entries[i - first]))
			i++;
		for (; from < i; from++)
			examine_member(s, &entries[from - first], from);
	} while (i == end && i < n);
	*c = here;
	return i;
}

static bool stop_count(struct decode *d, struct umod *u, uint32_t defect)
{
	u->defects |= defect;
	return decode_stop(d, UMOD_DIRECTORY, STOP_MALFORMED, u->entry_span);
}

/* The count is believed only if the bytes before the trailer can hold as many entries. */
static bool read_count(struct decode *d, struct umod *u, struct span all)
{
	struct cursor c;
	struct span head = { all.at, all.len < 5 ? all.len : 5 };

	u->entry_span = all;
	if (!decode_window(d, UMOD_DIRECTORY, head, &c))
		return false;
	if (!umod_directory_read(&c, 0, &u->directory))
		return stop_count(d, u, UMOD_COUNT_UNREADABLE);
	u->entry_span.at += u->directory.count.len;
	u->entry_span.len -= u->directory.count.len;
	/* mutant: the count is believed */
	if (u->directory.count.value < 0 ||
	    (!MUTANT(8) && (uint64_t)u->directory.count.value > u->entry_span.len / UMOD_ENTRY_MIN))
		return stop_count(d, u, UMOD_COUNT_IMPOSSIBLE);
	if ((uint64_t)u->directory.count.value > d->limits->of[LIMIT_entries])
		return decode_stop_limit(d, UMOD_DIRECTORY, LIMIT_entries, u->entry_span);
	return true;
}

static void forget_members(struct umod *u)
{
	u->n_members = u->first_out_of_order = u->manifest_member = u->locale_member = 0;
}

static bool note_unreadable(struct decode *d, struct umod *u, uint32_t entry, struct span left)
{
	forget_members(u);
	u->odd_names = decode_alloc(d, UMOD_DIRECTORY, 1, sizeof *u->odd_names);
	if (!u->odd_names)
		return false;
	u->odd_names[0] = (struct umod_odd_name){ .entry = entry, .defect = UMOD_NAME_UNREADABLE };
	u->unreadable = left;
	u->n_odd_names = 1;
	return decode_stop(d, UMOD_DIRECTORY, STOP_MALFORMED, left);
}

static bool read_directory(struct decode *d, struct entry_pass *s, struct span all)
{
	struct umod *u = s->u;
	uint32_t n = (uint32_t)u->directory.count.value, done = 0;
	uint64_t at = u->entry_span.at, len = DIRECTORY_WINDOW;
	struct cursor c;

	u->members = decode_alloc(d, UMOD_DIRECTORY, n, sizeof *u->members);
	u->hashes = decode_alloc(d, UMOD_DIRECTORY, n, sizeof *u->hashes);
	if (!u->members || !u->hashes || !decode_spend(d, UMOD_DIRECTORY, n))
		return false;
	begin_pass(s, u, n);
	for (;; len *= 4) {
		struct span window = { all.at, len < all.len ? len : all.len };

		if (!decode_window(d, UMOD_DIRECTORY, window, &u->directory_window)) {
			forget_members(u);
			return false;
		}
		c = u->directory_window;
		if (!cursor_seek(&c, at))
			return note_unreadable(d, u, done, (struct span){ at, span_end(all) - at });
		done = read_entries(s, &c, done, n);
		at = cursor_at(&c);
		if (done == n)
			break;
		if (window.len == all.len)
			return note_unreadable(d, u, done, (struct span){ at, span_end(all) - at });
	}
	u->directory_end = at;
	if (at - u->directory.at <= UINT32_MAX)
		return true;
	forget_members(u); /* members have four bytes to say where their entries stand */
	return decode_stop(d, UMOD_DIRECTORY, STOP_MEMORY, all);
}

bool umod_decode_directory(struct decode *d, struct umod *u)
{
	uint64_t from = u->trailer.dir_offset;
	struct entry_pass s = { .u = u };
	struct span all;

	if (from >= u->trailer.at)
		return decode_stop(d, UMOD_DIRECTORY, STOP_MALFORMED,
				   (struct span){ u->trailer.at, UMOD_TRAILER_LEN });
	all = (struct span){ from, u->trailer.at - from };
	if (!read_count(d, u, all) || !read_directory(d, &s, all))
		return false;
	return list_odd_names(d, u, s.n_odd) && list_long_indexes(d, u, s.n_long) &&
	       find_gaps(d, u, &s) && find_duplicates(d, u);
}

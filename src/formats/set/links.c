/* What each import of a set's packages is: the package by its stem and place, then the object by
 * its name, what it lies in, and its class. */
#include "formats/set/links.h"

/* ---- Objects of a package -------------------------------------------------------------------- */

/* Exports stand in the order of the hashes of their names, then of their outers, then of the names
 * themselves. */
static uint64_t export_key(const void *table, uint32_t i)
{
	const struct summary_package *p = table;

	return (uint64_t)p->hashes[p->exports[i].name] << 32 | (uint32_t)p->exports[i].outer;
}

static int compare_exports(const void *table, uint32_t a, uint32_t b)
{
	const struct summary_package *p = table;
	const int result = package_text_compare(package_text_of(p, p->exports[a].name),
						package_text_of(p, p->exports[b].name));

	return result != 0 ? result : order_numbers(a, b);
}

bool set_order_exports(struct decode *d, struct set *u, uint32_t file)
{
	const struct summary_package *p = u->in->files[file]->package;
	struct set_member *m = &u->members[file];

	if (m->is_ordered)
		return true;
	m->is_ordered = true;
	if (!decode_spend(d, SET_LINKS, p->n_exports))
		return false;
	return order_by_hash(d->arena, p, p->n_exports, export_key, compare_exports, &m->exports) ||
	       decode_stop(d, SET_LINKS, STOP_MEMORY, (struct span){ 0, 0 });
}

/* What is looked for: a name in an outer. */
struct wanted {
	struct package_name name;
	uint32_t outer; /* as exports have it */
};

/* Tells how the export at a place of the order stands to what is looked for. */
static int compare_wanted(const struct set *u, uint32_t file, uint32_t place,
			  const struct wanted *w)
{
	const struct summary_package *p = u->in->files[file]->package;
	const struct package_export *e = &p->exports[order_row(&u->members[file].exports, place)];
	const uint32_t hash = p->hashes[e->name];

	if (hash != w->name.hash)
		return order_numbers(hash, w->name.hash);
	if ((uint32_t)e->outer != w->outer)
		return order_numbers((uint32_t)e->outer, w->outer);
	return package_text_compare(package_text_of(p, e->name), w->name.text);
}

/* The first place in the order of a package's exports that does not stand before what is looked
 * for. */
static uint32_t first_export(const struct set *u, uint32_t file, const struct wanted *w)
{
	uint32_t from = 0, to = u->in->files[file]->package->n_exports;

	while (from < to) {
		const uint32_t middle = from + (to - from) / 2;

		if (compare_wanted(u, file, middle, w) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* The export at a place of the order, if it is what is looked for; SET_NONE: it is another. */
static uint32_t export_at(const struct set *u, uint32_t file, uint32_t place,
			  const struct wanted *w)
{
	return place < u->in->files[file]->package->n_exports &&
			       compare_wanted(u, file, place, w) == 0
		       ? order_row(&u->members[file].exports, place)
		       : SET_NONE;
}

uint32_t set_find_class(const struct set *u, uint32_t file, struct package_name name)
{
	const struct wanted w = { name, 0 };
	uint32_t place = first_export(u, file, &w), e;

	while ((e = export_at(u, file, place++, &w)) != SET_NONE)
		if (u->in->files[file]->package->exports[e].class == 0)
			return e;
	return SET_NONE;
}

/* Whether a package has a name at all: only asked where it has not been found where it should be.
 * Of names with one hash not all are looked at; then nobody says that it is elsewhere. */
enum { ALIKE_MAX = 16 };

static bool has_name(const struct set *u, uint32_t file, struct package_name name)
{
	const struct summary_package *p = u->in->files[file]->package;
	const struct wanted w = { { { "", 0 }, name.hash }, 0 };
	uint32_t place = first_export(u, file, &w);

	for (unsigned i = 0; i < ALIKE_MAX && place < p->n_exports; i++, place++) {
		const uint32_t row = order_row(&u->members[file].exports, place);

		if (package_name_is(package_name_of(p, p->exports[row].name), name))
			return true;
	}
	return false;
}

/* ---- Classes --------------------------------------------------------------------------------- */

static bool is_word(struct package_text t, const char *word)
{
	const struct package_text other = { word, (uint32_t)strlen(word) };

	return t.len == other.len && package_text_compare(t, other) == 0;
}

/* Whether the class of an export has that name. */
static bool is_of_class(const struct set *u, uint32_t file, uint32_t export,
			struct package_name class)
{
	const struct summary_package *p = u->in->files[file]->package;
	const int32_t of = p->exports[export].class;

	if (of == 0)
		return is_word(class.text, "Class");
	return package_name_is(class, package_name_of(p, of > 0 ? p->exports[of - 1].name
								: p->imports[-(of + 1)].name));
}

#define NATIVE(package) package,
static const char *const natives[] = {
#include "formats/set/natives.def"
};
#undef NATIVE

bool set_has_native_classes(const struct set *u, uint32_t file)
{
	const struct package_name stem = set_stem(u->in->files[file]);
	const struct set_range libraries = set_range_of(u, &u->libraries, stem);

	for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
		if (is_word(stem.text, natives[i]))
			return true;
	return libraries.from < libraries.to;
}

/* ---- Packages -------------------------------------------------------------------------------- */

/* Whether a package lies elsewhere among what was given: who gives files of several folders with a
 * game may mean to install them all. */
static bool is_elsewhere(struct set_range of)
{
	return of.from < of.to;
}

static bool is_same_spelling(struct package_text a, struct package_text b)
{
	return a.len == b.len && memcmp(a.chars, b.chars, a.len) == 0;
}

/* ---- One import ------------------------------------------------------------------------------ */

/* What an import is: a package, or an export of one. */
struct target {
	uint32_t file, export; /* SET_NONE: no file can be looked into; the package itself */
	enum set_found found;
};

struct linker {
	struct decode *d;
	struct set *u;
	uint32_t file; /* whose imports are looked up */
	const struct summary_package *package;
	struct target *targets; /* of its imports */
	struct set_edges *edges;
	bool ok;
};

static void add(struct linker *l, const struct set_flaw *flaw)
{
	if (!set_add_flaw(l->d, &l->u->link_flaws, SET_LINKS, flaw))
		l->ok = false;
}

static struct target nothing(enum set_found found)
{
	return (struct target){ SET_NONE, SET_NONE, found };
}

/* Packages that no file has: the engine's None, and the one that a map calls itself. */
static bool is_no_file(struct package_text t)
{
	static const char *const names[] = { "None", "MyLevel", "Transient" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (is_word(t, names[i]))
			return true;
	return false;
}

static struct target lack_package(struct linker *l, uint32_t import, struct set_range of)
{
	const bool is_seen = l->u->in->n_unseen == 0;
	const struct set_flaw flaw = {
		.traits = is_seen ? SET_NO_PACKAGE : SET_NOT_COMPARED,
		.file = l->file,
		.other = SET_NONE,
		.row = import,
		.what = "imports a package that is not there, and a file that may have it was not "
			"looked into to its end",
	};

	if (is_elsewhere(of))
		return nothing(SET_FOUND_ELSEWHERE);
	if (!l->u->in->has_game)
		return nothing(SET_FOUND_NOT_GIVEN);
	add(l, &flaw);
	return nothing(is_seen ? SET_FOUND_MISSING : SET_FOUND_UNSEEN);
}

static enum set_found where_found(const struct set_file *f)
{
	if (f->role == SET_GAME)
		return SET_FOUND_IN_GAME;
	return f->is_download ? SET_FOUND_PACKED : SET_FOUND_GIVEN;
}

/* A package of which several are there, or that is not whole, is told elsewhere; what it has is not
 * judged. */
static struct target judge_provider(struct linker *l, struct set_range found)
{
	const uint32_t file = l->u->packages.rows[found.from].file;
	struct set_member *m = &l->u->members[file];
	const struct set_flaw flaw = {
		.traits = SET_NOT_COMPARED, .file = l->file, .other = file, .row = SET_NONE
	};

	if (!m->is_whole && l->u->in->files[file]->role == SET_GAME && !m->is_told) {
		m->is_told = true;
		add(l, &flaw);
	}
	if (!m->is_whole || found.to - found.from > 1)
		return nothing(where_found(l->u->in->files[file]));
	if (!set_order_exports(l->d, l->u, file))
		l->ok = false;
	return (struct target){ l->ok ? file : SET_NONE, SET_NONE,
				where_found(l->u->in->files[file]) };
}

static void tell_of_provider(struct linker *l, uint32_t import, struct set_range found)
{
	const struct package_text wanted = set_text(l->u, l->file,
						    l->package->imports[import].name);
	const uint32_t file = l->u->packages.rows[found.from].file;
	struct set_flaw flaw = { .file = l->file, .other = file, .row = import };

	flaw.traits = SET_OTHER_CASE;
	/* of several it is told that there are several */
	if (found.to - found.from == 1 &&
	    !is_same_spelling(set_stem_text(l->u->in->files[file]), wanted))
		add(l, &flaw);
	flaw.traits = SET_OF_MAP;
	if (l->u->members[file].kind == SET_MAP)
		add(l, &flaw);
	if (!set_add_edge(l->d, l->edges, l->file, file, import))
		l->ok = false;
}

static struct target find_package(struct linker *l, uint32_t import)
{
	const struct package_import *row = &l->package->imports[import];
	const struct package_name stem = set_name(l->u, l->file, row->name);
	struct set_range of, found;

	if (package_text_compare(stem.text, set_stem_text(l->u->in->files[l->file])) == 0 ||
	    is_no_file(stem.text) || !is_word(set_text(l->u, l->file, row->class_name), "Package"))
		return nothing(SET_FOUND_OWN);
	of = set_range_of(l->u, &l->u->packages, stem);
	found = set_find_providers(l->u, l->file, of);
	if (found.from == found.to)
		return lack_package(l, import, of);
	tell_of_provider(l, import, found);
	return judge_provider(l, found);
}

/* The engine's own packages have classes that are made by its code alone, and so may others with
 * native code: a class that is not there proves nothing. */
static struct target lack_object(struct linker *l, uint32_t import, uint32_t file)
{
	const struct package_import *row = &l->package->imports[import];
	const struct package_text class = set_text(l->u, l->file, row->class_name);
	const bool is_class = is_word(class, "Class");
	const bool is_moved = has_name(l->u, file, set_name(l->u, l->file, row->name));
	const struct set_flaw flaw = {
		.traits = SET_NO_OBJECT,
		.file = l->file,
		.other = file,
		.row = import,
		.lesser = is_class || is_moved,
		.what = is_moved   ? "; one of that name is elsewhere in the package"
			: is_class ? "; it may be a class that native code makes"
				   : "",
	};

	if (is_class && set_has_native_classes(l->u, file))
		return nothing(SET_OBJECT_NATIVE);
	/* A group without objects need not be there. */
	if (is_word(class, "Package"))
		return (struct target){ file, SET_NONE, SET_OBJECT_FOUND };
	add(l, &flaw);
	return nothing(is_moved   ? SET_OBJECT_MOVED
		       : is_class ? SET_OBJECT_NATIVE
				  : SET_OBJECT_MISSING);
}

/* An object that was found; SET_NONE: there is none of that name and place. */
struct candidate {
	uint32_t export;
	bool is_of_class;
};

/* Of several objects of that name and place the first of the class that was asked for counts, or
 * else the first. */
static struct candidate choose(struct linker *l, uint32_t file, const struct wanted *w,
			       struct package_name class)
{
	const uint32_t from = first_export(l->u, file, w);
	struct candidate best = { SET_NONE, false };
	uint32_t place = from, e;

	while (!best.is_of_class && (e = export_at(l->u, file, place, w)) != SET_NONE) {
		const bool fits = is_of_class(l->u, file, e, class);

		if (fits || best.export == SET_NONE)
			best = (struct candidate){ e, fits };
		place++;
	}
	l->ok = l->ok && decode_spend(l->d, SET_LINKS, 1 + place - from);
	return best;
}

static struct target find_object(struct linker *l, uint32_t import, const struct target *outer)
{
	const struct package_import *row = &l->package->imports[import];
	const uint32_t file = outer->file;
	const struct wanted w = { set_name(l->u, l->file, row->name),
				  outer->export != SET_NONE ? outer->export + 1 : 0 };
	const struct candidate best = choose(l, file, &w, set_name(l->u, l->file, row->class_name));
	const struct set_flaw flaw = {
		.traits = best.is_of_class ? SET_PRIVATE : SET_OTHER_CLASS,
		.file = l->file,
		.other = file,
		.row = import,
		.object = best.export,
	};

	if (!l->ok)
		return nothing(SET_OBJECT_NOT_JUDGED);
	if (best.export == SET_NONE)
		return lack_object(l, import, file);
	if (best.is_of_class && l->u->in->files[file]->package->exports[best.export].is_public)
		return (struct target){ file, best.export, SET_OBJECT_FOUND };
	add(l, &flaw);
	return (struct target){ file, best.export,
				best.is_of_class ? SET_OBJECT_PRIVATE : SET_OBJECT_OTHER_CLASS };
}

/* ---- All imports of a package ---------------------------------------------------------------- */

/* So many objects are followed from an import to its package; no engine saves as many. */
enum { CHAIN_MAX = 64 };

static bool is_none(const struct linker *l, uint32_t name)
{
	return is_word(package_text_of(l->package, name), "None");
}

static struct target find(struct linker *l, uint32_t import)
{
	const struct package_import *row = &l->package->imports[import];
	const struct target *outer;

	if (row->outer == 0)
		return is_none(l, row->name) ? nothing(SET_FOUND_OWN) : find_package(l, import);
	outer = row->outer < 0 ? &l->targets[-(row->outer + 1)] : NULL;
	if (is_none(l, row->name) || !outer || outer->file == SET_NONE)
		return nothing(SET_OBJECT_NOT_JUDGED);
	return find_object(l, import, outer);
}

/* What an import lies in is looked up before it. */
static void find_chain(struct linker *l, uint32_t import)
{
	uint32_t chain[CHAIN_MAX], n = 0;

	for (uint32_t at = import; n < CHAIN_MAX && l->targets[at].found == SET_FOUND_NOT_YET;) {
		const int32_t outer = l->package->imports[at].outer;

		chain[n++] = at;
		l->targets[at] = nothing(SET_OBJECT_NOT_JUDGED); /* should it lead back there */
		if (outer >= 0)
			break;
		at = (uint32_t) - (outer + 1);
	}
	while (n > 0) {
		n--;
		l->targets[chain[n]] = find(l, chain[n]);
	}
}

/* Passes what became of the imports to whoever asks. */
static void tell_imports(const struct linker *l)
{
	const struct set_files *in = l->u->in;
	struct set_import told = { .file = in->files[l->file],
				   .row = SET_NO_ROW,
				   .is_compared = true };

	in->on_import(in->on_import_ctx, &told);
	for (uint32_t i = 0; i < l->package->n_imports; i++) {
		told.row = i;
		told.found = l->targets[i].found;
		told.in = l->targets[i].file != SET_NONE ? in->files[l->targets[i].file] : NULL;
		in->on_import(in->on_import_ctx, &told);
	}
}

static bool link_package(struct decode *d, struct set *u, uint32_t file, struct target *room,
			 struct set_edges *edges)
{
	struct linker l = { .d = d,
			    .u = u,
			    .file = file,
			    .package = u->in->files[file]->package,
			    .targets = room,
			    .edges = edges,
			    .ok = true };
	const uint32_t n = l.package->n_imports;

	if (!decode_spend(d, SET_LINKS, n))
		return false;
	memset(room, 0, n * sizeof *room);
	for (uint32_t i = 0; i < n && l.ok; i++)
		find_chain(&l, i);
	if (l.ok && u->in->on_import)
		tell_imports(&l);
	return l.ok;
}

static bool tell_unread(struct decode *d, struct set *u, uint32_t file)
{
	const struct set_flaw flaw = {
		.traits = SET_NOT_COMPARED, .file = file, .other = SET_NONE, .row = SET_NONE
	};
	const struct set_import told = { .file = u->in->files[file], .row = SET_NO_ROW };

	if (u->in->on_import && u->members[file].kind != SET_TEXT)
		u->in->on_import(u->in->on_import_ctx, &told);
	return set_add_flaw(d, &u->link_flaws, SET_LINKS, &flaw);
}

/* Room for what the imports of any one package are. */
static struct target *make_room(struct decode *d, const struct set *u)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < u->in->n_given; i++)
		if (set_is_package(u->members[i].kind) && u->members[i].is_whole &&
		    u->in->files[i]->package->n_imports > most)
			most = u->in->files[i]->package->n_imports;
	return decode_alloc(d, SET_LINKS, most, sizeof(struct target));
}

bool set_link(struct decode *d, struct set *u)
{
	struct set_edges edges = { .n = 0 };
	struct target *room = make_room(d, u);

	if (!room)
		return false;
	for (uint32_t i = 0; i < u->in->n_given; i++) {
		const struct set_member *m = &u->members[i];

		if (!set_is_package(m->kind) && (m->kind != SET_TEXT || m->is_whole))
			continue;
		if (m->is_whole ? !link_package(d, u, i, room, &edges) : !tell_unread(d, u, i))
			return false;
	}
	return set_find_cycles(d, u, &edges);
}

/* What each import of a set's packages is: the package by its stem and place, then the object by
 * its name, what it lies in, and its class. */
#include "formats/set/links.h"

/* ---- Objects of a package -------------------------------------------------------------------- */

struct export_keys {
	const struct summary_package *package;
	const uint32_t *ids;
};

static uint64_t export_key(const void *table, uint32_t i)
{
	const struct export_keys *k = table;
	const struct package_export *e = &k->package->exports[i];

	return set_key(k->ids[e->name], (uint32_t)e->outer);
}

static struct export_keys keys_of(const struct set *u, uint32_t file)
{
	return (struct export_keys){ u->in->files[file]->package, u->members[file].ids };
}

static bool order_exports(struct decode *d, struct set *u, uint32_t file)
{
	const struct export_keys k = keys_of(u, file);
	struct set_member *m = &u->members[file];

	if (m->is_ordered)
		return true;
	m->is_ordered = true;
	if (!decode_spend(d, SET_LINKS, k.package->n_exports))
		return false;
	return order_by_key(d->arena, &k, k.package->n_exports, export_key, &m->exports) ||
	       decode_stop(d, SET_LINKS, STOP_MEMORY, (struct span){ 0, 0 });
}

/* The first place in the order of a package's exports whose key is not below one. */
static uint32_t first_export(const struct set *u, uint32_t file, uint64_t key)
{
	const struct export_keys k = keys_of(u, file);
	uint32_t from = 0, to = k.package->n_exports;

	while (from < to) {
		const uint32_t middle = from + (to - from) / 2;

		if (export_key(&k, order_row(&u->members[file].exports, middle)) < key)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* The export at a place of the order, if its key is that one; SET_NONE: it is another. */
static uint32_t export_at(const struct set *u, uint32_t file, uint32_t place, uint64_t key)
{
	const struct export_keys k = keys_of(u, file);
	uint32_t row;

	if (place >= k.package->n_exports)
		return SET_NONE;
	row = order_row(&u->members[file].exports, place);
	return export_key(&k, row) == key ? row : SET_NONE;
}

static bool has_name(const struct set *u, uint32_t file, uint32_t id)
{
	const struct export_keys k = keys_of(u, file);
	const uint32_t place = first_export(u, file, set_key(id, 0));

	return place < k.package->n_exports &&
	       export_key(&k, order_row(&u->members[file].exports, place)) >> 32 == id;
}

uint32_t set_class_of(const struct set *u, uint32_t file, uint32_t export)
{
	const struct summary_package *p = u->in->files[file]->package;
	const int32_t class = p->exports[export].class;

	if (class > 0)
		return u->members[file].ids[p->exports[class - 1].name];
	if (class < 0)
		return u->members[file].ids[p->imports[-(class + 1)].name];
	return u->words[SET_WORD_CLASS];
}

#define NATIVE(package) package,
static const char *const natives[] = {
#include "formats/set/natives.def"
};
#undef NATIVE

static bool is_word(struct package_text t, const char *word)
{
	const struct package_text other = { word, (uint32_t)strlen(word) };

	return package_text_compare(t, other) == 0;
}

bool set_has_native_classes(const struct set *u, uint32_t file)
{
	const struct package_text stem = set_stem_text(u->in->files[file]);

	for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
		if (is_word(stem, natives[i]))
			return true;
	return false;
}

/* ---- Packages -------------------------------------------------------------------------------- */

/* Where a package is looked for: beside the file that imports it, then in downloads there, then in
 * the game. */
static uint32_t find_providers(const struct set *u, uint32_t file, uint32_t stem, uint64_t *key)
{
	const struct set_file *f = u->in->files[file];
	const uint32_t own = f->in_contents ? SET_IN_CONTENTS : SET_IN_ROOT,
		       other = SET_IN_CONTENTS + SET_IN_ROOT - own;
	const uint32_t here = f->root * SET_WHERES, game = SET_GAME_ROOT * SET_WHERES;
	const uint32_t wheres[] = {
		here + own, here + other,     here + SET_PACKED + own, here + SET_PACKED + other,
		game,       game + SET_PACKED
	};

	for (size_t i = 0; i < sizeof wheres / sizeof *wheres; i++) {
		const uint32_t place = set_first_from(u, set_key(stem, wheres[i]));

		*key = set_key(stem, wheres[i]);
		if (place < u->in->n &&
		    set_provider_key(u, order_row(&u->providers, place)) == *key)
			return place;
	}
	return SET_NONE;
}

/* Whether a package lies elsewhere among what was given: who gives files of several folders with a
 * game may mean to install them all. */
static bool is_elsewhere(const struct set *u, uint32_t stem)
{
	const uint32_t place = set_first_from(u, set_key(stem, 0));

	return place < u->in->n &&
	       set_provider_key(u, order_row(&u->providers, place)) >> 32 == stem;
}

static bool is_provider(const struct set *u, uint32_t place, uint64_t key)
{
	return place < u->in->n && set_provider_key(u, order_row(&u->providers, place)) == key;
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
	const uint32_t *ids;
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

static struct target lack_package(struct linker *l, uint32_t import)
{
	const uint32_t stem = l->ids[l->package->imports[import].name];
	const struct set_flaw flaw = {
		.traits = SET_NO_PACKAGE, .file = l->file, .other = SET_NONE, .row = import
	};

	if (is_elsewhere(l->u, stem))
		return nothing(SET_FOUND_ELSEWHERE);
	if (!l->u->in->has_game)
		return nothing(SET_FOUND_NOT_GIVEN);
	add(l, &flaw);
	return nothing(SET_FOUND_MISSING);
}

static enum set_found where_found(const struct set_file *f)
{
	if (f->role == SET_GAME)
		return SET_FOUND_IN_GAME;
	return f->is_download ? SET_FOUND_PACKED : SET_FOUND_GIVEN;
}

/* A package of which several are there, or that is not whole, is told elsewhere; what it has is not
 * judged. */
static struct target judge_provider(struct linker *l, uint32_t place, uint64_t key)
{
	const uint32_t file = order_row(&l->u->providers, place);
	struct set_member *m = &l->u->members[file];
	const struct set_flaw flaw = {
		.traits = SET_NOT_COMPARED, .file = l->file, .other = file, .row = SET_NONE
	};

	if (!m->is_whole && l->u->in->files[file]->role == SET_GAME && !m->is_told) {
		m->is_told = true;
		add(l, &flaw);
	}
	if (!m->is_whole || is_provider(l->u, place + 1, key))
		return nothing(where_found(l->u->in->files[file]));
	if (!order_exports(l->d, l->u, file))
		l->ok = false;
	return (struct target){ l->ok ? file : SET_NONE, SET_NONE,
				where_found(l->u->in->files[file]) };
}

static void tell_of_provider(struct linker *l, uint32_t import, uint32_t place, uint64_t key)
{
	const struct package_text wanted = set_text(l->u, l->file,
						    l->package->imports[import].name);
	const uint32_t file = order_row(&l->u->providers, place);
	struct set_flaw flaw = { .file = l->file, .other = file, .row = import };
	bool is_spelt = false;

	for (uint32_t i = place; is_provider(l->u, i, key) && !is_spelt; i++)
		is_spelt = is_same_spelling(
			set_stem_text(l->u->in->files[order_row(&l->u->providers, i)]), wanted);
	flaw.traits = SET_OTHER_CASE;
	if (!is_spelt)
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
	const uint32_t stem = l->ids[row->name];
	uint64_t key;
	uint32_t place;

	if (stem == l->u->members[l->file].stem || is_no_file(set_text(l->u, l->file, row->name)) ||
	    l->ids[row->class_name] != l->u->words[SET_WORD_PACKAGE])
		return nothing(SET_FOUND_OWN);
	place = find_providers(l->u, l->file, stem, &key);
	if (place == SET_NONE)
		return lack_package(l, import);
	tell_of_provider(l, import, place, key);
	return judge_provider(l, place, key);
}

/* The engine's own packages have classes that are made by its code alone, and so may others with
 * native code: a class that is not there proves nothing. */
static struct target lack_object(struct linker *l, uint32_t import, uint32_t file)
{
	const struct package_import *row = &l->package->imports[import];
	const bool is_class = l->ids[row->class_name] == l->u->words[SET_WORD_CLASS];
	const bool is_moved = has_name(l->u, file, l->ids[row->name]);
	const struct set_flaw flaw = {
		.traits = SET_NO_OBJECT,
		.file = l->file,
		.other = file,
		.row = import,
		.lesser = is_class || is_moved,
		.what = is_moved   ? "; one of that name lies elsewhere in the package"
			: is_class ? "; it may be a class that native code makes"
				   : "",
	};

	if (is_class && set_has_native_classes(l->u, file))
		return nothing(SET_OBJECT_NATIVE);
	/* A group without objects need not be there. */
	if (l->ids[row->class_name] == l->u->words[SET_WORD_PACKAGE])
		return (struct target){ file, SET_NONE, SET_OBJECT_FOUND };
	add(l, &flaw);
	return nothing(is_moved   ? SET_OBJECT_MOVED
		       : is_class ? SET_OBJECT_NATIVE
				  : SET_OBJECT_MISSING);
}

/* Of several objects of that name and place the one of the class that was asked for counts. */
static struct target find_object(struct linker *l, uint32_t import, const struct target *outer)
{
	const struct package_import *row = &l->package->imports[import];
	const uint32_t file = outer->file;
	const uint32_t in = outer->export != SET_NONE ? outer->export + 1 : 0;
	const uint64_t key = set_key(l->ids[row->name], in);
	struct set_flaw flaw = { .file = l->file, .other = file, .row = import };
	uint32_t place = first_export(l->u, file, key), first = SET_NONE, best = SET_NONE, e;

	if (!decode_spend(l->d, SET_LINKS, 1)) {
		l->ok = false;
		return nothing(SET_OBJECT_NOT_JUDGED);
	}
	for (; (e = export_at(l->u, file, place, key)) != SET_NONE && best == SET_NONE; place++) {
		first = first == SET_NONE ? e : first;
		if (set_class_of(l->u, file, e) == l->ids[row->class_name])
			best = e;
	}
	if (first == SET_NONE)
		return lack_object(l, import, file);
	flaw.object = best != SET_NONE ? best : first;
	flaw.traits = best == SET_NONE ? SET_OTHER_CLASS : SET_PRIVATE;
	if (best != SET_NONE && l->u->in->files[file]->package->exports[best].is_public)
		return (struct target){ file, best, SET_OBJECT_FOUND };
	add(l, &flaw);
	return (struct target){ file, flaw.object,
				best == SET_NONE ? SET_OBJECT_OTHER_CLASS : SET_OBJECT_PRIVATE };
}

/* ---- All imports of a package ---------------------------------------------------------------- */

/* So many objects are followed from an import to its package; no engine saves as many. */
enum { CHAIN_MAX = 64 };

static bool is_none(const struct linker *l, uint32_t name)
{
	return l->ids[name] == l->u->words[SET_WORD_NONE];
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
			    .ids = u->members[file].ids,
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

	if (u->in->on_import)
		u->in->on_import(u->in->on_import_ctx, &told);
	return set_add_flaw(d, &u->link_flaws, SET_LINKS, &flaw);
}

/* Room for what the imports of any one package are. */
static struct target *make_room(struct decode *d, const struct set *u)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < u->in->n_given; i++)
		if (u->members[i].is_whole && u->in->files[i]->package->n_imports > most)
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

		if (m->kind == SET_NO_PACKAGE_FILE)
			continue;
		if (m->is_whole ? !link_package(d, u, i, room, &edges) : !tell_unread(d, u, i))
			return false;
	}
	return set_find_cycles(d, u, &edges);
}

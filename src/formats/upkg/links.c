/* What the tables say of each other: what a name or a reference means, who contains whom, and which entries are the same. */
#include "formats/upkg/upkg.h"

#include "core/canary.h"
#include "core/hash.h"
#include "core/path.h"

#define NOBODY UINT32_MAX

/* An object is a node of a graph: exports first, then imports. */
static uint32_t node_of(const struct upkg *u, int32_t reference)
{
	const uint32_t n_exports = u->tables[TABLE_EXPORTS].n, n_imports = u->tables[TABLE_IMPORTS].n;

	if (reference > 0)
		return (uint32_t)reference <= n_exports ? (uint32_t)reference - 1 : NOBODY;
	if (reference < 0)
		return (uint32_t)-(int64_t)reference <= n_imports ? n_exports + (uint32_t)(-(int64_t)reference - 1) : NOBODY;
	return NOBODY;
}

/* A parent gives the node that a node refers to, or NOBODY. Every node has one parent at most. */
typedef uint32_t node_parent(const struct upkg *u, uint32_t node);

static uint32_t outer_of(const struct upkg *u, uint32_t node)
{
	const uint32_t n_exports = u->tables[TABLE_EXPORTS].n;

	return node_of(u, node < n_exports ? u->exports[node].outer : u->imports[node - n_exports].outer);
}

/* Only exports have a class and a super that this package could tell more of. */
static uint32_t export_of(const struct upkg *u, int32_t reference)
{
	uint32_t other = node_of(u, reference);

	return other < u->tables[TABLE_EXPORTS].n ? other : NOBODY;
}

static uint32_t super_of(const struct upkg *u, uint32_t node)
{
	return export_of(u, u->exports[node].super);
}

static uint32_t class_of(const struct upkg *u, uint32_t node)
{
	return export_of(u, u->exports[node].class);
}

/* ---- Cycles ------------------------------------------------------------------------------------------------------------- */

static void mark_in_cycle(struct upkg *u, uint32_t node, enum upkg_export_trait trait)
{
	const uint32_t n_exports = u->tables[TABLE_EXPORTS].n;

	if (node < n_exports)
		u->exports[node].traits |= trait;
	else
		u->imports[node - n_exports].traits |= IMPORT_IN_CYCLE;
}

/* Each walk goes up from a node that no walk has met, and ends at one that some walk has: its own mark there means a cycle. */
static void find_cycles(struct upkg *u, node_parent *parent, enum upkg_export_trait trait, uint32_t *marks, uint32_t n)
{
	memset(marks, 0, n * sizeof *marks);
	for (uint32_t start = 0; start < n; start++) {
		uint32_t node = start, first;

		while (node != NOBODY && marks[node] == 0) {
			marks[node] = start + 1;
			node = parent(u, node);
		}
		if (node == NOBODY || marks[node] != start + 1 || (CANARY(58) && parent(u, node) == node)) /* canary: one is none */
			continue;
		first = node;
		do {
			mark_in_cycle(u, node, trait);
			node = parent(u, node);
		} while (node != first);
	}
}

/* What a reference leads to next: the outer of an import or export, or 0 at the end of the chain. */
static inline int32_t next_outer(const struct upkg *u, int32_t reference)
{
	if (reference > 0)
		return (uint32_t)reference <= u->tables[TABLE_EXPORTS].n ? u->exports[reference - 1].outer : 0;
	return (uint32_t)-(int64_t)reference <= u->tables[TABLE_IMPORTS].n ? u->imports[-(int64_t)reference - 1].outer : 0;
}

/* Tells whether all chains of outers end after a few steps, as in nearly all packages: then there are no cycles to look for. */
enum { FEW_STEPS = 8 };
static bool outers_end_soon(const struct upkg *u)
{
	const uint32_t n_exports = u->tables[TABLE_EXPORTS].n, n = n_exports + u->tables[TABLE_IMPORTS].n;

	for (uint32_t i = 0; i < n; i++) {
		int32_t next = i < n_exports ? u->exports[i].outer : u->imports[i - n_exports].outer;

		for (unsigned step = 0; next != 0; step++) {
			if (step == FEW_STEPS)
				return false;
			next = next_outer(u, next);
		}
	}
	return true;
}

static bool find_all_cycles(struct decode *d, struct upkg *u)
{
	const uint32_t n_exports = u->tables[TABLE_EXPORTS].n, n = n_exports + u->tables[TABLE_IMPORTS].n;
	struct arena_mark mark = arena_mark(d->arena);
	uint32_t *marks = decode_alloc(d, UPKG_LINKS, n, sizeof *marks);

	if (!marks)
		return false;
	if (!outers_end_soon(u))
		find_cycles(u, outer_of, EXPORT_OUTER_CYCLE, marks, n);
	if (u->export_traits & EXPORT_OWN_SUPER)
		find_cycles(u, super_of, EXPORT_SUPER_CYCLE, marks, n_exports);
	if (u->export_traits & EXPORT_OWN_CLASS)
		find_cycles(u, class_of, EXPORT_CLASS_CYCLE, marks, n_exports);
	arena_rewind(d->arena, mark);
	return true;
}

/* ---- Imports ------------------------------------------------------------------------------------------------------------ */

static bool is_dnf(const struct upkg *u)
{
	return (u->tag.version == 68 && u->tag.licensee == 2) || (u->tag.version == 156 && u->tag.licensee == 36);
}

/* The packages of Duke Nukem Forever call a package's package Engine. */
static bool is_home_of_packages(const struct upkg *u, int32_t name)
{
	enum upkg_word w = upkg_word_of(u, name);

	return w == WORD_Core || (w == WORD_Engine && is_dnf(u));
}

static bool is_own_name(const struct upkg *u, int32_t name)
{
	struct text a = upkg_text_of(u, name);

	return a.ref.n_units > 0 && path_compare(a, u->file.stem) == 0;
}

static uint32_t import_traits(const struct upkg *u, const struct upkg_import *i)
{
	bool is_package = upkg_word_of(u, i->class_name) == WORD_Package, at_home = is_home_of_packages(u, i->class_package);
	uint32_t traits = 0;

	if (i->outer == 0 && !(is_package && at_home))
		traits |= IMPORT_TOP_ODD;
	if (is_package && !at_home)
		traits |= IMPORT_PACKAGE_ODD;
	if (upkg_word_of(u, i->name) == WORD_None)
		traits |= IMPORT_NAMED_NONE;
	if (i->outer == 0 && is_own_name(u, i->name))
		traits |= IMPORT_IS_SELF;
	if (i->traits & IMPORT_BAD_NAME || upkg_word_of(u, i->class_name) == WORD_Class)
		traits |= IMPORT_IS_CLASS;
	return traits;
}

/* What stands at the end of a chain of outers, for each import: known once for all imports on the way there. */
enum { ROOT_UNKNOWN, ROOT_SOUND, ROOT_ODD };

static uint8_t root_at(const struct upkg *u, const struct upkg_import *i)
{
	if (i->outer != 0 || i->traits & IMPORT_BAD_NAME)       /* an export, or nothing that exists: other rules tell */
		return ROOT_SOUND;
	return upkg_word_of(u, i->class_name) == WORD_Package ? ROOT_SOUND : ROOT_ODD;
}

static uint32_t outer_import(const struct upkg *u, uint32_t i)
{
	const uint32_t n = u->tables[TABLE_IMPORTS].n;
	int64_t outer = u->imports[i].outer;

	return outer < 0 && -outer <= n && !(u->imports[i].traits & IMPORT_IN_CYCLE) ? (uint32_t)(-outer - 1) : NOBODY;
}

static uint8_t find_root(const struct upkg *u, uint8_t *roots, uint32_t i)
{
	uint32_t top = i, next;
	uint8_t root;

	while (roots[top] == ROOT_UNKNOWN && (next = outer_import(u, top)) != NOBODY)
		top = next;
	root = roots[top] != ROOT_UNKNOWN ? roots[top] : root_at(u, &u->imports[top]);
	for (; roots[i] == ROOT_UNKNOWN; i = outer_import(u, i)) {
		roots[i] = root;
		if (i == top)
			break;
	}
	return root;
}

static bool examine_imports(struct decode *d, struct upkg *u)
{
	const uint32_t n = u->tables[TABLE_IMPORTS].n;
	struct arena_mark mark = arena_mark(d->arena);
	uint8_t *roots = decode_alloc(d, UPKG_LINKS, n, 1);

	if (!roots)
		return false;
	memset(roots, ROOT_UNKNOWN, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t traits = import_traits(u, &u->imports[i]);

		if (find_root(u, roots, i) == ROOT_ODD)
			traits |= IMPORT_ROOTLESS;
		u->imports[i].traits |= traits;
		u->import_traits |= u->imports[i].traits;
	}
	arena_rewind(d->arena, mark);
	return true;
}

/* ---- Exports ------------------------------------------------------------------------------------------------------------ */

enum upkg_word upkg_class_word(const struct upkg *u, const struct upkg_export *e)
{
	uint32_t node = node_of(u, e->class), n_exports = u->tables[TABLE_EXPORTS].n;

	if (e->class == 0)
		return WORD_Class;
	return node != NOBODY && node >= n_exports ? upkg_word_of(u, u->imports[node - n_exports].name) : WORD_OTHER;
}

enum upkg_word upkg_class_of(const struct upkg *u, int32_t reference)
{
	if (NEVER(!upkg_refers(u, reference)) || reference == 0)
		return WORD_None;
	if (reference > 0)
		return upkg_class_word(u, &u->exports[reference - 1]);
	return upkg_word_of(u, u->imports[-(int64_t)reference - 1].class_name);
}

static bool is_class(const struct upkg *u, int32_t reference)
{
	uint32_t node = node_of(u, reference), n_exports = u->tables[TABLE_EXPORTS].n;

	if (node == NOBODY)
		return true;                    /* none, or it does not exist, which another rule tells */
	if (node < n_exports)
		return u->exports[node].class == 0;
	return u->imports[node - n_exports].traits & IMPORT_IS_CLASS;
}

/* Tells whether an export's class has a name that can be compared. */
static bool has_known_class(const struct upkg *u, const struct upkg_export *e)
{
	uint32_t node = node_of(u, e->class), n_exports = u->tables[TABLE_EXPORTS].n;

	if (e->class == 0)
		return true;
	if (node == NOBODY)
		return false;
	if (node < n_exports)
		return !(u->exports[node].traits & EXPORT_CLASS_CYCLE);
	return !(u->imports[node - n_exports].traits & IMPORT_BAD_NAME);
}

static bool has_super(enum upkg_word class)
{
	return class == WORD_Class || class == WORD_Function || class == WORD_State || class == WORD_Struct;
}

static bool is_placeholder(const struct upkg *u, const struct upkg_export *e)
{
	return e->class == 0 && e->super == 0 && e->outer == 0 && e->flags == 0 && e->size == 0 && upkg_word_of(u, e->name) == WORD_None;
}

static inline void use(struct upkg *u, int32_t reference)
{
	int64_t import = -(int64_t)reference;

	if (import > 0 && import <= (int64_t)u->tables[TABLE_IMPORTS].n)
		u->imports[import - 1].traits |= IMPORT_USED;
}

static uint32_t export_traits(const struct upkg *u, const struct upkg_export *e)
{
	const struct upkg_name *name = upkg_name_of(u, e->name);
	uint32_t traits = 0;

	if (is_placeholder(u, e))
		return EXPORT_PLACEHOLDER;
	if (e->size == 0)
		traits |= EXPORT_EMPTY;
	if (!is_class(u, e->class))
		traits |= EXPORT_CLASS_ODD;
	if (e->super != 0 && has_known_class(u, e) && !has_super(upkg_class_word(u, e)))
		traits |= EXPORT_SUPER_ODD;
	if (name && name->word == WORD_None && e->size > 0)
		traits |= EXPORT_NONE_BODY;
	if (name && name->traits & (NAME_HAS_DOT | NAME_HAS_COLON))
		traits |= EXPORT_NAME_SIGN;
	return traits;
}

static void examine_exports(struct upkg *u)
{
	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++) {
		struct upkg_export *e = &u->exports[i];

		e->traits |= export_traits(u, e);
		u->export_traits |= e->traits;
		use(u, e->class);
		use(u, e->super);
		use(u, e->outer);
	}
	for (uint32_t i = 0; i < u->tables[TABLE_IMPORTS].n; i++)
		use(u, u->imports[i].outer);
}

/* ---- Entries that are the same ------------------------------------------------------------------------------------------- */

static int compare_numbers(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_names(const struct upkg *u, int32_t a, int32_t b)
{
	return compare_numbers(upkg_first_name(u, a), upkg_first_name(u, b));
}

static int compare_imports(const void *facts, uint32_t a, uint32_t b)
{
	const struct upkg *u = facts;
	const struct upkg_import *x = &u->imports[a], *y = &u->imports[b];
	int order = compare_numbers(x->outer, y->outer);

	order = order ? order : compare_names(u, x->name, y->name);
	order = order ? order : compare_names(u, x->class_name, y->class_name);
	return order ? order : compare_names(u, x->class_package, y->class_package);
}

/* Exports of one outer and name stand together, those of one class among them too. */
static int compare_places(const struct upkg *u, uint32_t a, uint32_t b)
{
	int order = compare_numbers(u->exports[a].outer, u->exports[b].outer);

	return order ? order : compare_names(u, u->exports[a].name, u->exports[b].name);
}

static int compare_exports(const void *facts, uint32_t a, uint32_t b)
{
	const struct upkg *u = facts;
	int order = compare_places(u, a, b);

	return order ? order : compare_numbers(u->exports[a].class, u->exports[b].class);
}

UVET_WRAPS static uint32_t hash_place(const struct upkg *u, int32_t outer, int32_t name)
{
	return (uint32_t)hash_mix((uint64_t)(uint32_t)outer << 32, (uint64_t)upkg_first_name(u, name));
}

/* Lists the pairs of an order; out NULL: only counts them. */
typedef uint32_t pair_lister(const struct upkg *u, const struct order *o, struct upkg_pair *out);

static uint32_t list_import_pairs(const struct upkg *u, const struct order *o, struct upkg_pair *out)
{
	uint32_t n = 0, first = 0;

	for (uint32_t i = 1; i < o->n; i++) {
		uint32_t a = order_row(o, first), b = order_row(o, i);

		if (compare_imports(u, a, b) != 0) {
			first = i;
			continue;
		}
		if (out)
			out[n] = (struct upkg_pair){ a, b };
		n++;
	}
	return n;
}

/* Each export is paired with the first one of its outer, name and class; the first of another class with the first of its outer and
 * name. */
static uint32_t list_export_pairs(const struct upkg *u, const struct order *o, struct upkg_pair *out)
{
	uint32_t n = 0, first = NOBODY, first_of_class = NOBODY;

	for (uint32_t i = 0; i < o->n; i++) {
		uint32_t b = order_row(o, i), with = first_of_class;

		if (u->exports[b].traits & EXPORT_PLACEHOLDER)
			continue;
		if (with == NOBODY || compare_places(u, first, b) != 0) {
			first = first_of_class = b;
			continue;
		}
		if (u->exports[b].class != u->exports[with].class) {
			with = first;
			first_of_class = b;
		}
		if (out)
			out[n] = (struct upkg_pair){ with < b ? with : b, with < b ? b : with };
		n++;
	}
	return n;
}

static bool keep_pairs(struct decode *d, struct upkg *u, const struct order *o, pair_lister *list, struct upkg_pair **pairs, uint32_t *n)
{
	uint32_t found = list(u, o, NULL);

	*pairs = decode_alloc(d, UPKG_LINKS, found - (CANARY(66) && found > 0), sizeof **pairs);        /* canary: a pair less */
	if (!*pairs)
		return false;
	*n = found;
	if (found > 0)
		list(u, o, *pairs);
	return true;
}

static bool no_memory(struct decode *d)
{
	return decode_stop(d, UPKG_LINKS, STOP_MEMORY, (struct span){ 0, 0 });
}

static bool pair_imports(struct decode *d, struct upkg *u)
{
	const uint32_t n = u->tables[TABLE_IMPORTS].n;
	uint32_t *hashes = decode_alloc(d, UPKG_LINKS, n, sizeof *hashes);
	struct order o;

	if (!hashes)
		return false;
	for (uint32_t i = 0; i < n; i++)
		hashes[i] = hash_place(u, u->imports[i].outer, u->imports[i].name);
	if (!order_suspects(d->arena, hashes, n, u, compare_imports, &o))
		return no_memory(d);
	return keep_pairs(d, u, &o, list_import_pairs, &u->import_pairs, &u->n_import_pairs);
}

static bool pair_exports(struct decode *d, struct upkg *u)
{
	const uint32_t n = u->tables[TABLE_EXPORTS].n;
	uint32_t *hashes = decode_alloc(d, UPKG_LINKS, n, sizeof *hashes);
	struct order o;

	if (!hashes)
		return false;
	for (uint32_t i = 0; i < n; i++)
		hashes[i] = hash_place(u, u->exports[i].outer, u->exports[i].name);
	if (!order_suspects(d->arena, hashes, n, u, compare_exports, &o))
		return no_memory(d);
	return keep_pairs(d, u, &o, list_export_pairs, &u->export_pairs, &u->n_export_pairs);
}

bool upkg_link(struct decode *d, struct upkg *u)
{
	const uint64_t n = (uint64_t)u->tables[TABLE_IMPORTS].n + u->tables[TABLE_EXPORTS].n;

	if (!decode_spend(d, UPKG_LINKS, n) || !find_all_cycles(d, u) || !examine_imports(d, u))
		return false;
	examine_exports(u);
	return pair_imports(d, u) && pair_exports(d, u);
}

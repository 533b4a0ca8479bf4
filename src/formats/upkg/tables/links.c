/* What the tables say of each other: what a name or a reference means, who contains whom, and which entries are the same. */
#include "formats/upkg/tables/tables.h"

#include "core/mutant.h"

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
	return export_of(u, upkg_super_of(u, &u->exports[node]));
}

static uint32_t class_of(const struct upkg *u, uint32_t node)
{
	return export_of(u, u->exports[node].class);
}

/* ---- Chains ------------------------------------------------------------------------------------------------------------- */

/* Marks a node with what it has as an export, or as an import. */
static void mark_node(struct upkg *u, uint32_t node, enum upkg_export_trait of_export, enum upkg_import_trait of_import)
{
	const uint32_t n_exports = u->tables[TABLE_EXPORTS].n;

	if (node < n_exports)
		u->export_traits |= u->exports[node].traits |= of_export;
	else
		u->imports_traits[node - n_exports] |= (uint16_t)of_import;
}

/* A node while chains are followed. */
struct link {
	uint32_t parent;
	uint32_t mark;                          /* 0: no walk has met it; else of which walk it is */
	uint32_t depth;                         /* how many nodes its chain has */
};

static struct link *make_links(struct decode *d, const struct upkg *u, node_parent *parent, uint32_t n)
{
	struct link *links = decode_alloc(d, UPKG_LINKS, n, sizeof *links);

	for (uint32_t i = 0; links && i < n; i++)
		links[i] = (struct link){ .parent = parent(u, i) };
	return links;
}

static void mark_cycle(struct upkg *u, const struct link *links, uint32_t first, enum upkg_export_trait trait)
{
	uint32_t node = first;

	do {
		mark_node(u, node, trait, IMPORT_IN_CYCLE);
		node = links[node].parent;
	} while (node != first);
}

/* The chains of the nodes that a walk met, which go on with so many nodes behind the last of them. */
static void count_depths(struct upkg *u, struct link *links, uint32_t node, uint32_t n_met, uint32_t behind)
{
	for (uint32_t left = n_met; left > 0; left--, node = links[node].parent) {
		links[node].depth = behind + left;
		if (links[node].depth > UPKG_CHAIN_MAX)
			mark_node(u, node, EXPORT_DEEP, IMPORT_DEEP);
	}
}

/* Each walk goes up from a node that no walk has met, and ends at one that some walk has: its own mark there means a cycle. */
static bool follow_chains(struct decode *d, struct upkg *u, node_parent *parent, enum upkg_export_trait trait, uint32_t n)
{
	struct arena_mark mark = arena_mark(d->arena);
	struct link *links = make_links(d, u, parent, n);

	if (!links)
		return false;
	for (uint32_t start = 0; start < n; start++) {
		uint32_t node = start, n_met = 0;

		for (; node != NOBODY && links[node].mark == 0; n_met++) {
			links[node].mark = start + 1;
			node = links[node].parent;
		}
		if (node != NOBODY && links[node].mark == start + 1 && !(MUTANT(58) && links[node].parent == node)) /* mutant: 1 is none */
			mark_cycle(u, links, node, trait);
		count_depths(u, links, start, n_met, node == NOBODY ? 0 : links[node].depth);
	}
	arena_rewind(d->arena, mark);
	return true;
}

/* What a reference leads to next: the outer of an import or export, or 0 at the end of the chain. */
static inline int32_t next_outer(const struct upkg *u, int32_t reference)
{
	if (reference > 0)
		return (uint32_t)reference <= u->tables[TABLE_EXPORTS].n ? u->exports[reference - 1].outer : 0;
	return (uint32_t)-(int64_t)reference <= u->tables[TABLE_IMPORTS].n ? u->imports[-(int64_t)reference - 1].outer : 0;
}

/* Tells whether a chain of outers ends after a few steps, as nearly all do: then it leads into no cycle. */
enum { FEW_STEPS = 8 };
static inline bool ends_soon(const struct upkg *u, int32_t outer)
{
	for (unsigned step = 0; outer != 0; step++) {
		if (step == FEW_STEPS)
			return false;
		outer = next_outer(u, outer);
	}
	return true;
}

static bool follow_outers(struct decode *d, struct upkg *u)
{
	return follow_chains(d, u, outer_of, EXPORT_OUTER_CYCLE, u->tables[TABLE_EXPORTS].n + u->tables[TABLE_IMPORTS].n);
}

/* Many packages have no class with a super of their own, and most no object with a class of their own. */
static bool follow_classes(struct decode *d, struct upkg *u)
{
	const uint32_t n = u->tables[TABLE_EXPORTS].n;

	if (u->export_traits & EXPORT_OWN_SUPER && !follow_chains(d, u, super_of, EXPORT_SUPER_CYCLE, n))
		return false;
	return !(u->export_traits & EXPORT_OWN_CLASS) || follow_chains(d, u, class_of, EXPORT_CLASS_CYCLE, n);
}

/* ---- Imports ------------------------------------------------------------------------------------------------------------ */

/* What stands at the end of a chain of outers, for each import: known once for all imports on the way there. */
enum { ROOT_UNKNOWN, ROOT_SOUND, ROOT_ODD };

static uint8_t root_at(const struct upkg *u, uint32_t i)
{
	if (u->imports[i].outer != 0)                           /* an export, or nothing that exists: other rules tell */
		return ROOT_SOUND;
	return u->imports_traits[i] & (IMPORT_BAD_NAME | IMPORT_IS_PACKAGE) ? ROOT_SOUND : ROOT_ODD;
}

static uint32_t outer_import(const struct upkg *u, uint32_t i)
{
	const uint32_t n = u->tables[TABLE_IMPORTS].n;
	int64_t outer = u->imports[i].outer;

	return outer < 0 && -outer <= n && !(u->imports_traits[i] & IMPORT_IN_CYCLE) ? (uint32_t)(-outer - 1) : NOBODY;
}

static uint8_t find_root(const struct upkg *u, uint8_t *roots, uint32_t i)
{
	uint32_t top = i, next;
	uint8_t root;

	while (roots[top] == ROOT_UNKNOWN && (next = outer_import(u, top)) != NOBODY)
		top = next;
	root = roots[top] != ROOT_UNKNOWN ? roots[top] : root_at(u, top);
	for (; roots[i] == ROOT_UNKNOWN; i = outer_import(u, i)) {
		roots[i] = root;
		if (i == top)
			break;
	}
	return root;
}

/* Goes over the imports; what is in a cycle is known. */
static bool examine_imports(struct decode *d, struct upkg *u)
{
	const uint32_t n = u->tables[TABLE_IMPORTS].n;
	struct arena_mark mark = arena_mark(d->arena);
	uint8_t *roots = decode_alloc(d, UPKG_LINKS, n, 1);

	if (!roots)
		return false;
	memset(roots, ROOT_UNKNOWN, n);
	for (uint32_t i = 0; i < n; i++) {
		if (find_root(u, roots, i) == ROOT_ODD)
			u->imports_traits[i] |= IMPORT_ROOTLESS;
		u->import_traits |= u->imports_traits[i];
	}
	arena_rewind(d->arena, mark);
	return true;
}

const struct upkg_import *upkg_import_home(const struct upkg *u, const struct upkg_import *i)
{
	const struct upkg_import *home;

	if (i->outer >= 0 || !upkg_refers(u, i->outer))
		return NULL;
	home = &u->imports[-(int64_t)i->outer - 1];
	return home->outer == 0 ? home : NULL;
}

/* ---- Exports ------------------------------------------------------------------------------------------------------------ */

/* Mods have classes that are named as the engine's. What is no package, or lies in something else, nobody can tell apart by it. */
static bool is_of_mod(const struct upkg *u, const struct upkg_import *class)
{
	const struct upkg_import *home = upkg_import_home(u, class);
	enum upkg_word name;

	if (!home || !(u->imports_traits[home - u->imports] & IMPORT_IS_PACKAGE))
		return false;
	name = upkg_word_of(u, home->name);
	return name != WORD_Core && name != WORD_Engine && name != WORD_Fire;
}

enum upkg_word upkg_engine_word(const struct upkg *u, const struct upkg_import *class)
{
	return is_of_mod(u, class) ? WORD_OTHER : upkg_word_of(u, class->name);
}

enum upkg_word upkg_class_word(const struct upkg *u, const struct upkg_export *e)
{
	uint32_t node = node_of(u, e->class), n_exports = u->tables[TABLE_EXPORTS].n;

	if (e->class == 0)
		return WORD_Class;
	return node == NOBODY || node < n_exports ? WORD_OTHER : upkg_engine_word(u, &u->imports[node - n_exports]);
}

enum upkg_word upkg_class_of(const struct upkg *u, int32_t reference)
{
	if (NEVER(!upkg_refers(u, reference)) || reference == 0)
		return WORD_None;
	if (reference > 0)
		return upkg_class_word(u, &u->exports[reference - 1]);
	return upkg_import_class(u, &u->imports[-(int64_t)reference - 1]);
}

/* Of the class that is an export of the package itself nothing is known but that it has no super that objects could have. */
static inline uint32_t own_class_traits(const struct upkg *u, const struct upkg_export *e)
{
	const struct upkg_export *class = &u->exports[e->class - 1];
	uint32_t traits = class->class == 0 ? 0 : EXPORT_CLASS_ODD;

	if (class->traits & EXPORT_CLASS_CYCLE)         /* whether it is a class nobody can say */
		return 0;
	return upkg_super_of(u, e) != 0 ? traits | EXPORT_SUPER_ODD : traits;
}

/* What the engine's classes ask of an outer: none of most, of a class a package, of a function a class or state, of a variable a field. */
enum within { WITHIN_ANY, WITHIN_PACKAGE, WITHIN_STATE, WITHIN_FIELD };
static const uint8_t within_of_class[N_WORDS] = {
	[WORD_Class] = WITHIN_PACKAGE, [WORD_Function] = WITHIN_STATE, [WORD_IntProperty] = WITHIN_FIELD, [WORD_MapProperty] = WITHIN_FIELD,
	[WORD_StrProperty] = WITHIN_FIELD, [WORD_BoolProperty] = WITHIN_FIELD, [WORD_ByteProperty] = WITHIN_FIELD,
	[WORD_NameProperty] = WITHIN_FIELD, [WORD_ArrayProperty] = WITHIN_FIELD, [WORD_ClassProperty] = WITHIN_FIELD,
	[WORD_FloatProperty] = WITHIN_FIELD, [WORD_ObjectProperty] = WITHIN_FIELD, [WORD_StringProperty] = WITHIN_FIELD,
	[WORD_StructProperty] = WITHIN_FIELD, [WORD_DelegateProperty] = WITHIN_FIELD, [WORD_FixedArrayProperty] = WITHIN_FIELD,
};

/* What is within a field is one itself. */
static bool is_field(enum upkg_word class)
{
	return within_of_class[class] != WITHIN_ANY || class == WORD_State || class == WORD_Struct || class == WORD_Enum ||
	       class == WORD_Const;
}

/* Tells whether an outer, which is nothing or an export, is what is asked for. */
static bool is_fit(const struct upkg *u, int32_t outer, enum within within)
{
	const enum upkg_word class = outer == 0 ? WORD_Package : upkg_class_word(u, &u->exports[outer - 1]);

	if (within == WITHIN_PACKAGE)
		return class == WORD_Package;
	return within == WITHIN_STATE ? class == WORD_Class || class == WORD_State : is_field(class);
}

/* Most exports are told apart by the name of their class alone. */
static inline uint32_t outer_traits(const struct upkg *u, const struct upkg_export *e)
{
	const uint32_t node = node_of(u, e->class), n_exports = u->tables[TABLE_EXPORTS].n;
	enum within within = WITHIN_PACKAGE;

	if (e->class == 0 && e->outer == 0)
		return 0;
	if (node != NOBODY)
		within = node < n_exports ? WITHIN_ANY : within_of_class[upkg_word_of(u, u->imports[node - n_exports].name)];
	else if (e->class != 0)
		within = WITHIN_ANY;
	if (within == WITHIN_ANY || e->traits & EXPORT_BAD_OUTER || e->outer < 0 || upkg_class_word(u, e) == WORD_OTHER)
		return 0;
	return is_fit(u, e->outer, within) ? 0 : EXPORT_OUTER_ODD;
}

/* Goes over the exports. It returns whether all chains of their outers end soon. */
static bool examine_exports(struct upkg *u)
{
	bool soon = true;

	for (uint32_t i = 0; i < u->tables[TABLE_EXPORTS].n; i++) {
		struct upkg_export *e = &u->exports[i];

		if (e->traits & EXPORT_OWN_CLASS)
			u->export_traits |= e->traits |= own_class_traits(u, e);
		u->export_traits |= e->traits |= outer_traits(u, e);
		soon = soon && ends_soon(u, e->outer);
	}
	return soon;
}

/* Exports of one outer and name have the same hash. */
static void hash_exports(const void *facts, uint32_t first, uint32_t n, uint32_t *out)
{
	const struct upkg *u = facts;

	for (const struct upkg_export *e = &u->exports[first], *end = e + n; e < end; e++)
		*out++ = upkg_hash_place(u, e->outer, e->name);
}

static inline void use(struct upkg *u, int32_t reference)
{
	int64_t import = -(int64_t)reference;

	if (import > 0 && import <= (int64_t)u->tables[TABLE_IMPORTS].n)
		u->imports_traits[import - 1] |= IMPORT_USED;
}

static void hash_imports(const void *facts, uint32_t first, uint32_t n, uint32_t *out)
{
	const struct upkg *u = facts;

	for (const struct upkg_import *m = &u->imports[first], *end = m + n; m < end; m++)
		*out++ = upkg_hash_place(u, m->outer, m->name);
}

/* Notes what imports refer to. It returns whether all chains of their outers end soon. */
static bool follow_imports(struct upkg *u)
{
	bool soon = true;

	for (uint32_t i = 0; i < u->tables[TABLE_IMPORTS].n; i++) {
		const struct upkg_import *m = &u->imports[i];

		use(u, m->outer);
		soon = soon && ends_soon(u, m->outer);
	}
	return soon;
}

/* Only where some chain of outers is long are all followed. */
static bool examine(struct decode *d, struct upkg *u)
{
	const bool exports_end = examine_exports(u), imports_end = follow_imports(u);

	if (!(exports_end && imports_end) && !follow_outers(d, u))
		return false;
	return examine_imports(d, u);
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

static int compare_classes(const struct upkg *u, const struct upkg_import *a, const struct upkg_import *b)
{
	const struct upkg_import_entry x = upkg_import_entry_of(u, a), y = upkg_import_entry_of(u, b);
	const int order = compare_names(u, (int32_t)x.class_name.value, (int32_t)y.class_name.value);

	return order ? order : compare_names(u, (int32_t)x.class_package.value, (int32_t)y.class_package.value);
}

static int compare_imports(const void *facts, uint32_t a, uint32_t b)
{
	const struct upkg *u = facts;
	const struct upkg_import *x = &u->imports[a], *y = &u->imports[b];
	int order = compare_numbers(x->outer, y->outer);

	order = order ? order : compare_names(u, x->name, y->name);
	return order ? order : compare_classes(u, x, y);
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

static void list_import_pairs(const struct decode *d, struct upkg *u, const struct order *o)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i < o->n; i++) {
		uint32_t a = order_row(o, first), b = order_row(o, i);

		if (compare_imports(u, a, b) == 0)
			pairs_add(d, &u->import_pairs, 0, a, b);
		else
			first = i;
	}
}

/* What different rules tell of two exports of one outer and name. */
enum { PAIR_OF_CLASS, PAIR_OF_CLASSES, PAIR_OF_OTHERS };

static unsigned sort_of_pair(const struct upkg *u, uint32_t a, uint32_t b)
{
	if (u->exports[a].class != u->exports[b].class)
		return PAIR_OF_OTHERS;
	return u->exports[a].class == 0 ? PAIR_OF_CLASSES : PAIR_OF_CLASS;
}

/* Each export is paired with the first one of its outer, name and class; the first of another class with the first of its outer and
 * name. It counts the pairs, and adds them if there is room: d NULL, there is none. */
static uint32_t list_export_pairs(const struct decode *d, struct upkg *u, const struct order *o)
{
	uint32_t n = 0, first = NOBODY, first_of_class = NOBODY;

	for (uint32_t i = 0; i < o->n; i++) {
		uint32_t b = order_row(o, i), with = first_of_class;

		if (u->exports[b].traits & EXPORT_PLACEHOLDER)
			continue;
		if (with == NOBODY || compare_places(u, first, b) != 0 ||
		    (MUTANT(202) && with != first && u->exports[b].class != u->exports[with].class)) {  /* mutant: a third class is none */
			first = first_of_class = b;
			continue;
		}
		if (u->exports[b].class != u->exports[with].class) {
			with = first;
			first_of_class = b;
		}
		if (d)
			pairs_add(d, &u->export_pairs, sort_of_pair(u, with, b), with < b ? with : b, with < b ? b : with);
		n++;
	}
	return n;
}

static bool no_memory(struct decode *d)
{
	return decode_stop(d, UPKG_LINKS, STOP_MEMORY, (struct span){ 0, 0 });
}

/* Entries that are the same have the same hash of their place. */
static bool pair_imports(struct decode *d, struct upkg *u)
{
	struct order o;

	if (!order_suspects_of(d->arena, hash_imports, u->tables[TABLE_IMPORTS].n, u, compare_imports, &o))
		return no_memory(d);
	if (!pairs_make(d, UPKG_LINKS, &u->import_pairs, o.n_ties))
		return false;
	list_import_pairs(d, u, &o);
	return true;
}

static bool pair_exports(struct decode *d, struct upkg *u)
{
	struct order o;

	if (!order_suspects_of(d->arena, hash_exports, u->tables[TABLE_EXPORTS].n, u, compare_exports, &o))
		return no_memory(d);
	if (!pairs_make(d, UPKG_LINKS, &u->export_pairs, list_export_pairs(NULL, u, &o)))
		return false;
	list_export_pairs(d, u, &o);
	return true;
}

bool upkg_link(struct decode *d, struct upkg *u)
{
	const uint32_t n_imports = u->tables[TABLE_IMPORTS].n, n_exports = u->tables[TABLE_EXPORTS].n;

	if (!decode_spend(d, UPKG_LINKS, (uint64_t)n_imports + n_exports) || !follow_classes(d, u))
		return false;
	return examine(d, u) && pair_imports(d, u) && pair_exports(d, u);
}

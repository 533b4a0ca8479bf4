/* Links: what the entries of imports and exports say of each other. */
#include "formats/upkg/tables/links.h"

#include "formats/upkg/tables/chains.h"
#include "formats/upkg/tables/duplicates.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"
#include "formats/upkg/tables/references.h"

/* ---- Outers ---------------------------------------------------------------------------------- */

/* The outer of an import or export, or 0 at the end of the chain. */
static inline int32_t next_outer(const struct upkg *u, int32_t reference)
{
	if (reference > 0)
		return (uint32_t)reference <= u->tables[TABLE_EXPORTS].n
			       ? u->exports[reference - 1].outer
			       : 0;
	return (uint32_t) - (int64_t)reference <= u->tables[TABLE_IMPORTS].n
		       ? u->imports[-(int64_t)reference - 1].outer
		       : 0;
}

/* Whether a chain of outers ends after a few steps, as nearly all do: then it leads into no
 * cycle. */
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

/* ---- Imports --------------------------------------------------------------------------------- */

#define NO_IMPORT UINT32_MAX

/* What is at the end of a chain of outers, for each import: found once for all imports on the way
 * there. */
enum { ROOT_UNKNOWN, ROOT_SOUND, ROOT_NO_PACKAGE };

static uint8_t root_at(const struct upkg *u, uint32_t i)
{
	/* an export, or something that does not exist, which other defects say */
	if (u->imports[i].outer != 0)
		return ROOT_SOUND;
	return u->imports_traits[i] & (IMPORT_BAD_NAME | IMPORT_IS_PACKAGE) ? ROOT_SOUND
									    : ROOT_NO_PACKAGE;
}

static uint32_t outer_import(const struct upkg *u, uint32_t i)
{
	const uint32_t n = u->tables[TABLE_IMPORTS].n;
	int64_t outer = u->imports[i].outer;

	return outer < 0 && -outer <= n && !(u->imports_traits[i] & IMPORT_IN_CYCLE)
		       ? (uint32_t)(-outer - 1)
		       : NO_IMPORT;
}

static uint8_t find_root(const struct upkg *u, uint8_t *roots, uint32_t i)
{
	uint32_t top = i, next;
	uint8_t root;

	while (roots[top] == ROOT_UNKNOWN && (next = outer_import(u, top)) != NO_IMPORT)
		top = next;
	root = roots[top] != ROOT_UNKNOWN ? roots[top] : root_at(u, top);
	for (; roots[i] == ROOT_UNKNOWN; i = outer_import(u, i)) {
		roots[i] = root;
		if (i == top)
			break;
	}
	return root;
}

/* Finds imports that lie in no package; those in a cycle are known. */
static bool examine_imports(struct decode *d, struct upkg *u)
{
	const uint32_t n = u->tables[TABLE_IMPORTS].n;
	struct arena_mark mark = arena_mark(d->arena);
	uint8_t *roots = decode_alloc(d, UPKG_LINKS, n, 1);

	if (!roots)
		return false;
	memset(roots, ROOT_UNKNOWN, n);
	for (uint32_t i = 0; i < n; i++) {
		if (find_root(u, roots, i) == ROOT_NO_PACKAGE)
			u->imports_traits[i] |= IMPORT_ROOTLESS;
		u->import_traits |= u->imports_traits[i];
	}
	arena_rewind(d->arena, mark);
	return true;
}

/* ---- Exports --------------------------------------------------------------------------------- */

/* The class is an export of the package itself. All that is known of its objects is that they have
 * no super. */
static inline uint32_t own_class_traits(const struct upkg *u, const struct upkg_export *e)
{
	const struct upkg_export *class = &u->exports[e->class - 1];
	uint32_t traits = class->class == 0 ? 0 : EXPORT_CLASS_NO_CLASS;

	if (class->traits & EXPORT_CLASS_CYCLE) /* it cannot be said whether it is a class */
		return 0;
	return upkg_super_of(u, e) != 0 ? traits | EXPORT_SUPER_EXTRA : traits;
}

/* What the outer of an object of the engine's classes has to be: of most anything, of a class a
 * package, of a function a class or state, of a variable a field. */
enum within { WITHIN_ANY, WITHIN_PACKAGE, WITHIN_STATE, WITHIN_FIELD };
static const struct {
	bool is_field;
	uint8_t within;
} core_classes[N_WORDS] = {
#define CORE_CLASS(class, outer) [WORD_##class] = { true, WITHIN_##outer },
#define CORE_FIELD(class, outer, reader) [WORD_##class] = { true, WITHIN_##outer },
#define CORE_UE2(class, outer) [WORD_##class] = { true, WITHIN_##outer },
#include "formats/upkg/tables/core.def"
#undef CORE_CLASS
#undef CORE_FIELD
#undef CORE_UE2
};

/* Whether an outer, which is nothing or an export, is what is asked for. */
static bool is_fit(const struct upkg *u, int32_t outer, enum within within)
{
	const enum upkg_word class = outer == 0 ? WORD_Package
						: upkg_class_word(u, &u->exports[outer - 1]);

	if (within == WITHIN_PACKAGE)
		return class == WORD_Package;
	return within == WITHIN_STATE ? class == WORD_Class || class == WORD_State
				      : core_classes[class].is_field;
}

/* For most exports the name of their class decides, and asks for nothing. */
static inline enum within asked_of(const struct upkg *u, const struct upkg_export *e)
{
	if (e->class == 0)
		return WITHIN_PACKAGE;
	if (e->class > 0 || !upkg_refers(u, e->class))
		return WITHIN_ANY;
	return core_classes[upkg_word_of(u, u->imports[-(int64_t)e->class - 1].name)].within;
}

static inline uint32_t outer_traits(const struct upkg *u, const struct upkg_export *e)
{
	enum within within;

	if (e->class == 0 && e->outer == 0)
		return 0;
	within = asked_of(u, e);
	if (within == WITHIN_ANY || e->traits & EXPORT_BAD_OUTER || e->outer < 0 ||
	    upkg_class_word(u, e) == WORD_OTHER)
		return 0;
	return is_fit(u, e->outer, within) ? 0 : EXPORT_OUTER_KIND;
}

/* Examines all exports. It returns whether all chains of their outers end soon. */
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

static inline void use_import(struct upkg *u, int32_t reference)
{
	int64_t import = -(int64_t)reference;

	if (import > 0 && import <= (int64_t)u->tables[TABLE_IMPORTS].n)
		u->imports_traits[import - 1] |= IMPORT_USED;
}

/* Notes what imports refer to. It returns whether all chains of their outers end soon. */
static bool follow_imports(struct upkg *u)
{
	bool soon = true;

	for (uint32_t i = 0; i < u->tables[TABLE_IMPORTS].n; i++) {
		const struct upkg_import *m = &u->imports[i];

		use_import(u, m->outer);
		soon = soon && ends_soon(u, m->outer);
	}
	return soon;
}

/* Chains are followed to their ends only if one of them does not end soon. */
static bool examine_all(struct decode *d, struct upkg *u)
{
	const bool exports_end = examine_exports(u), imports_end = follow_imports(u);

	if (!(exports_end && imports_end) && !upkg_follow_outers(d, u))
		return false;
	return examine_imports(d, u);
}

bool upkg_link(struct decode *d, struct upkg *u)
{
	const uint32_t n_imports = u->tables[TABLE_IMPORTS].n,
		       n_exports = u->tables[TABLE_EXPORTS].n;

	if (!decode_spend(d, UPKG_LINKS, (uint64_t)n_imports + n_exports) ||
	    !upkg_follow_classes(d, u))
		return false;
	return examine_all(d, u) && upkg_pair_imports(d, u) && upkg_pair_exports(d, u);
}

/* What objects have after their properties: the reader of each class, and classes without one. */
#include "formats/upkg/classes/native.h"

#include "formats/upkg/body/parts.h"
#include "formats/upkg/classes/readers.h"
#include "formats/upkg/header/games.h"
#include "formats/upkg/tables/flags.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/objects.h"
#include "formats/upkg/tables/references.h"

/* ---- By class -------------------------------------------------------------------------------- */

/* Materials without data of their own are drawn by their properties. */
bool body_nothing(struct body *b)
{
	body_end(b);
	return true;
}

struct native {
	enum upkg_group group;
	bool (*read)(struct body *b);
};

/* The readers by class; then those of classes that UE2 alone has, or has in another form. */
static const struct native natives[N_WORDS] = {
#define NATIVE(class, group, reader) [WORD_##class] = { group, body_##reader },
#define NATIVE_UE2(class, group, reader)
#include "formats/upkg/classes/classes.def"
#undef NATIVE
#undef NATIVE_UE2
};
static const struct native natives_ue2[N_WORDS] = {
#define NATIVE(class, group, reader)
#define NATIVE_UE2(class, group, reader) [WORD_##class] = { group, body_##reader },
#include "formats/upkg/classes/classes.def"
#undef NATIVE
#undef NATIVE_UE2
};

/* ---- Other classes --------------------------------------------------------------------------- */

/* How many classes of the package are followed for one object. */
enum { ANCESTORS_MAX = 64 };

/* Whether a class of another package is Core.Object or Engine.Actor, which write nothing after the
 * properties. */
static bool writes_nothing(const struct upkg *u, const struct upkg_import *class)
{
	const enum upkg_word name = upkg_word_of(u, class->name);
	const struct upkg_import *home = upkg_import_home(u, class);

	if (upkg_import_class(u, class) != WORD_Class || !home)
		return false;
	return (name == WORD_Object && upkg_word_of(u, home->name) == WORD_Core) ||
	       (name == WORD_Actor && upkg_word_of(u, home->name) == WORD_Engine);
}

/* The first class of another package that a class of this one descends from, with no native one
 * in between; NULL: there is none, or the class itself is of another package. */
static const struct upkg_import *ancestor_of(const struct upkg *u, int32_t class)
{
	if (class < 0)
		return NULL;
	for (unsigned i = 0; class > 0 && i < ANCESTORS_MAX; i++) {
		const struct upkg_export *e = &u->exports[class - 1];
		const struct upkg_export_entry entry = upkg_export_entry_of(u, e);

		if (e->class != 0 || entry.flags & UPKG_NATIVE ||
		    !upkg_refers(u, entry.super.value))
			return NULL;
		class = (int32_t)entry.super.value;
	}
	return class < 0 ? &u->imports[-class - 1] : NULL;
}

/* Classes that always write something, in a form that was not measured. */
static const bool writes_some[N_WORDS] = {
	[WORD_StaticMesh] = true, [WORD_VertMesh] = true, [WORD_MeshAnimation] = true,
	[WORD_Vectors] = true,    [WORD_Verts] = true,    [WORD_BspNodes] = true,
	[WORD_BspSurfs] = true,
};

static bool read_other(struct body *b, const struct upkg_import *ancestor)
{
	const struct upkg *u = b->u;
	/* in others Actor was rare in the files at hand, or is said to write data */
	const bool sure = upkg_is_of_unreal(u);

	if (body_left(b) == 0)
		return body_whole(b, !writes_some[b->class]);
	if (!ancestor || !writes_nothing(u, ancestor))
		return body_leave_other(b);
	body_note(b, FLAW_OWN_DATA, 0, body_at(b), body_left(b), 0, 0);
	return sure || body_leave_other(b);
}

static bool may_be_empty(const struct native *n)
{
	return n->read == body_sound_group || n->read == body_sound_procedural;
}

/* An object of a class of the package has the data of the engine's class that it descends from. */
bool body_native(struct body *b)
{
	const struct upkg_import *ancestor = ancestor_of(b->u, b->u->exports[b->export].class);
	const struct native *n;

	if (ancestor && upkg_import_class(b->u, ancestor) == WORD_Class)
		b->class = upkg_engine_word(b->u, ancestor);
	n = &natives_ue2[b->class];
	if (b->u->era != UPKG_UE2 || !n->read)
		n = &natives[b->class];
	if (!n->read)
		return read_other(b, ancestor);
	if (n->read == body_nothing || decode_has(b->d, n->group))
		return n->read(b);
	return may_be_empty(n) ? body_leave(b, n->group) : body_leave_some(b, n->group);
}

/* The import and export tables: each entry by itself, and what exports say of names and imports,
 * which are known by then. What else entries say of each other is in links.c. */
#include "formats/upkg/tables/objects.h"

#include "core/mutant.h"
#include "formats/upkg/header/games.h"
#include "formats/upkg/header/header.h"
#include "formats/upkg/tables/flags.h"
#include "formats/upkg/tables/indexes.h"
#include "formats/upkg/tables/names.h"
#include "formats/upkg/tables/table.h"

#define LOAD_FLAGS (UPKG_LOAD_FOR_CLIENT | UPKG_LOAD_FOR_SERVER | UPKG_LOAD_FOR_EDIT)

/* Flags that are saved: RF_Load. Source: UnObjBas.h; for the three more of UE2, its packages. */
#define SAVED_UE1 0x067F0025u
#define SAVED_227 0x00000100u
#define SAVED_UE2 0x00000980u

uint32_t upkg_saved_flags(const struct upkg *u)
{
	if (u->era == UPKG_UE2)
		return SAVED_UE1 | SAVED_UE2;
	return u->tag.licensee == UPKG_LICENSEE_227 ? SAVED_UE1 | SAVED_227 : SAVED_UE1;
}

/* What entries are compared with, in one place, so that the loops over tables need not look it up
 * for each row. */
struct known {
	uint64_t n_names;
	int64_t n_imports;
	uint64_t n_objects; /* imports and exports */
	uint64_t header_end, size;
	uint64_t unsaved;    /* flags of exports that are not saved */
	bool notes_uses;     /* used names are noted */
	bool asks_who_loads; /* servers do not load all names */
};

static struct known known_of(const struct upkg *u)
{
	return (struct known){
		.n_names = u->tables[TABLE_NAMES].n,
		.n_imports = u->tables[TABLE_IMPORTS].n,
		/* mutant: one more */
		.n_objects = (uint64_t)u->tables[TABLE_IMPORTS].n + u->tables[TABLE_EXPORTS].n +
			     MUTANT(61),
		.header_end = u->header_end,
		.size = u->size + MUTANT(57), /* mutant: one byte behind the file */
		.unsaved = ~(uint64_t)upkg_saved_flags(u),
		.notes_uses = u->used_names != NULL,
		.asks_who_loads = (u->name_traits & NAME_NOT_ON_SERVER) != 0,
	};
}

/* upkg_refers, by what is known. */
static inline bool refers(const struct known *k, int64_t object)
{
	return (uint64_t)(object + k->n_imports) <= k->n_objects;
}

static inline bool is_name(const struct known *k, int64_t index)
{
	return (uint64_t)index < k->n_names;
}

static inline uint32_t is_long(const struct layout_index *index)
{
	return index->form != INDEX_MINIMAL ? 1 : 0;
}

/* ---- Imports --------------------------------------------------------------------------------- */

static bool is_dnf(const struct upkg *u)
{
	return (u->tag.version == 68 && u->tag.licensee == 2) ||
	       (u->tag.version == 156 && u->tag.licensee == 36);
}

/* In packages of Duke Nukem Forever the class Package is of Engine. */
static inline bool is_home_of_packages(const struct upkg *u, enum upkg_word name)
{
	return name == WORD_Core || (name == WORD_Engine && is_dnf(u));
}

static bool is_own_name(const struct upkg *u, int32_t name)
{
	struct text a = upkg_text_of(u, name);

	return a.ref.n_units > 0 && text_compare(a, u->file.stem) == 0;
}

/* The words that the three names of an import are. */
struct import_words {
	enum upkg_word package, class, name;
};

static inline uint32_t class_kind(const struct upkg *u, const struct import_words *w)
{
	if (w->class == WORD_Class)
		return is_home_of_packages(u, w->package)
			       ? IMPORT_IS_CLASS
			       : IMPORT_IS_CLASS | IMPORT_CLASS_ELSEWHERE;
	if (w->class != WORD_Package)
		return 0;
	return is_home_of_packages(u, w->package) ? IMPORT_IS_PACKAGE
						  : IMPORT_IS_PACKAGE | IMPORT_PACKAGE_ELSEWHERE;
}

/* Without outer it is to be a package. */
UVET_RARE static uint32_t top_traits(const struct upkg *u, int32_t name, uint32_t kind)
{
	const uint32_t traits = (kind & (IMPORT_IS_PACKAGE | IMPORT_PACKAGE_ELSEWHERE)) ==
						IMPORT_IS_PACKAGE
					? 0
					: IMPORT_TOP_NO_PACKAGE;

	return is_own_name(u, name) ? traits | IMPORT_IS_SELF : traits;
}

static inline uint32_t outer_of_import(const struct known *k, int64_t outer)
{
	if (!refers(k, outer))
		return IMPORT_BAD_OUTER;
	return outer > 0 ? IMPORT_OUTER_EXPORT : 0;
}

static inline uint32_t import_traits(const struct upkg *u, const struct known *k,
				     const struct upkg_import_entry *e,
				     const struct import_words *w)
{
	uint32_t traits = class_kind(u, w) | outer_of_import(k, e->outer);

	if (w->name == WORD_None || w->class == WORD_None || w->package == WORD_None)
		traits |= IMPORT_HAS_NONE;
	return e->outer == 0 ? traits | top_traits(u, (int32_t)e->name.value, traits) : traits;
}

static inline enum upkg_word use_name(struct upkg *u, const struct known *k, int64_t index)
{
	if (k->notes_uses)
		upkg_use_name(u, (int32_t)index);
	return (enum upkg_word)u->names[index].word;
}

/* An import with a name that does not exist may be a class. */
UVET_RARE static uint32_t bad_import_traits(struct upkg *u, const struct known *k,
					    const struct upkg_import_entry *e)
{
	const struct import_words w = {
		is_name(k, e->class_package.value) ? use_name(u, k, e->class_package.value)
						   : WORD_OTHER,
		is_name(k, e->class_name.value) ? use_name(u, k, e->class_name.value) : WORD_OTHER,
		is_name(k, e->name.value) ? use_name(u, k, e->name.value) : WORD_OTHER,
	};

	return import_traits(u, k, e, &w) | IMPORT_BAD_NAME | IMPORT_IS_CLASS;
}

/* Whether servers or games do not load one of an import's names, which exist. */
UVET_RARE static uint32_t load_traits(const struct upkg *u, const struct upkg_import_entry *e)
{
	const uint32_t all = (uint32_t)u->names[e->class_package.value].traits |
			     u->names[e->class_name.value].traits | u->names[e->name.value].traits;
	const uint32_t traits = all & NAME_NOT_ON_SERVER ? IMPORT_NOT_ON_SERVER : 0;

	return all & NAME_NOT_IN_GAME ? traits | IMPORT_NOT_IN_GAME : traits;
}

static inline uint32_t all_import_traits(struct upkg *u, const struct known *k,
					 const struct upkg_import_entry *e)
{
	struct import_words w;

	if (!is_name(k, e->class_package.value) || !is_name(k, e->class_name.value) ||
	    !is_name(k, e->name.value))
		return bad_import_traits(u, k, e);
	w.package = use_name(u, k, e->class_package.value);
	w.class = use_name(u, k, e->class_name.value);
	w.name = use_name(u, k, e->name.value);
	return import_traits(u, k, e, &w) | (k->asks_who_loads ? load_traits(u, e) : 0);
}

UVET_INLINE static inline void take_import(struct upkg *u, const struct known *k, uint32_t i,
					   const struct upkg_import_entry *e)
{
	const uint32_t traits = all_import_traits(u, k, e);

	u->imports[i] = (struct upkg_import){ .at = (uint32_t)e->at,
					      .name = (int32_t)e->name.value,
					      .outer = (int32_t)e->outer };
	u->imports_traits[i] = (uint16_t)traits;
	u->import_traits |= traits;
}

/* Reads an import that is not quick to read. */
UVET_RARE static bool take_rare_import(struct upkg *u, const struct known *k, uint32_t i,
				       struct cursor *c)
{
	struct upkg_import_entry e;

	if (!upkg_import_entry_read(c, u->tag.version, &e))
		return false;
	take_import(u, k, i, &e);
	u->long_counts[TABLE_IMPORTS] += is_long(&e.class_package) + is_long(&e.class_name) +
					 is_long(&e.name);
	return true;
}

/* The entries of imports and exports have the same form in every version, so the loops over them do
 * not ask for it. */
static uint32_t read_imports(struct upkg *u, struct cursor *c, uint32_t from, uint32_t n)
{
	const struct known k = known_of(u);
	struct cursor here = *c;
	struct upkg_import_entry e;

	for (; from < n; from++)
		if (upkg_import_entry_fast(&here, UPKG_VERSION_MIN, &e))
			take_import(u, &k, from, &e);
		else if (!take_rare_import(u, &k, from, &here))
			break;
	*c = here;
	return from;
}

/* Which names are used is not asked where bodies are not read. */
static bool note_uses(struct decode *d, struct upkg *u)
{
	const uint64_t n = u->tables[TABLE_NAMES].n / 8 + 1;

	if (d->level == LEVEL_STRUCTURE)
		return true;
	u->used_names = decode_alloc(d, UPKG_IMPORTS, n, 1);
	if (u->used_names)
		memset(u->used_names, 0, (size_t)n);
	return u->used_names != NULL;
}

bool upkg_decode_imports(struct decode *d, struct upkg *u)
{
	uint32_t n = u->tables[TABLE_IMPORTS].n;

	u->imports = decode_alloc(d, UPKG_IMPORTS, n, sizeof *u->imports);
	u->imports_traits = decode_alloc(d, UPKG_IMPORTS, n, sizeof *u->imports_traits);
	return u->imports && u->imports_traits && note_uses(d, u) &&
	       upkg_read_table(d, u, TABLE_IMPORTS, read_imports, &u->import_window) &&
	       upkg_list_long_indexes(d, u, TABLE_IMPORTS, u->import_window);
}

/* ---- Exports --------------------------------------------------------------------------------- */

/* An entry, and what follows it; the offset is only there when the size is not 0. */
struct export_row {
	struct upkg_export_entry entry;
	struct upkg_export_place place;
};

/* Reads an export. is_quick: it fails at whatever is not quick to read. */
UVET_INLINE static inline bool read_export(struct cursor *c, uint64_t version, bool is_quick,
					   struct export_row *r)
{
	struct cursor ahead = *c;

	if (!(is_quick ? upkg_export_entry_fast(&ahead, version, &r->entry)
		       : upkg_export_entry_read(&ahead, version, &r->entry)))
		return false;
	r->place = (struct upkg_export_place){ 0 };
	if (r->entry.size.value != 0 &&
	    !(is_quick ? upkg_export_place_fast(&ahead, version, &r->place)
		       : upkg_export_place_read(&ahead, version, &r->place)))
		return false;
	c->pos = ahead.pos;
	return true;
}

/* Returns 0 where the body lies in the file. */
static inline uint32_t body_traits(const struct known *k, int64_t size, int64_t offset)
{
	if (size < 0)
		return EXPORT_SIZE_NEGATIVE;
	return size > 0 && (offset < (int64_t)k->header_end || (uint64_t)(offset + size) > k->size)
		       ? EXPORT_OUTSIDE
		       : 0;
}

static inline void use_import(const struct upkg *u, int64_t object)
{
	u->imports_traits[-object - 1] |= IMPORT_USED;
}

static bool has_super(enum upkg_word class)
{
	return class == WORD_Class || class == WORD_Function || class == WORD_State ||
	       class == WORD_Struct;
}

/* An export's class and super, where the class is an import. */
static inline uint32_t import_class_traits(const struct upkg *u, const struct upkg_export_entry *e)
{
	const int64_t import = -e->class.value - 1;
	const uint32_t class = u->imports_traits[import];
	uint32_t traits = class & IMPORT_IS_CLASS ? 0 : EXPORT_CLASS_NO_CLASS;

	use_import(u, e->class.value);
	if (e->super.value != 0 && !(class & IMPORT_BAD_NAME) &&
	    !has_super(upkg_word_of(u, u->imports[import].name)))
		traits |= EXPORT_SUPER_EXTRA;
	return traits;
}

static inline uint32_t class_traits(const struct upkg *u, const struct known *k,
				    const struct upkg_export_entry *e)
{
	if (!refers(k, e->class.value))
		return EXPORT_BAD_CLASS;
	if (e->class.value < 0)
		return import_class_traits(u, e);
	if (e->class.value > 0)
		return EXPORT_OWN_CLASS;
	return e->flags & UPKG_HAS_STACK ? EXPORT_CLASS_STACK : 0;
}

static inline uint32_t super_traits(const struct upkg *u, const struct known *k, int64_t super)
{
	if (!refers(k, super))
		return EXPORT_BAD_SUPER;
	if (super < 0)
		use_import(u, super);
	return super > 0 ? EXPORT_OWN_SUPER : 0;
}

static inline uint32_t outer_traits(const struct upkg *u, const struct known *k, int64_t outer)
{
	const uint32_t traits = outer < 0 ? EXPORT_OUTER_IMPORT : 0;

	if (!refers(k, outer))
		return traits | EXPORT_BAD_OUTER;
	if (outer < 0)
		use_import(u, outer);
	return traits;
}

static inline uint32_t name_traits(const struct upkg *u, const struct known *k,
				   const struct upkg_export_entry *e)
{
	const struct upkg_name *name;

	if (!is_name(k, e->name.value))
		return EXPORT_BAD_NAME;
	name = &u->names[e->name.value];
	if (name->word == WORD_None && e->size.value > 0)
		return EXPORT_NONE_BODY;
	return name->traits & (NAME_HAS_DOT | NAME_HAS_COLON) ? EXPORT_NAME_SIGN : 0;
}

static inline uint32_t flag_traits(const struct known *k, const struct upkg_export_entry *e)
{
	uint32_t traits = e->flags & k->unsaved ? EXPORT_FLAGS_UNSAVED : 0;

	if (e->flags & UPKG_HAS_STACK)
		traits |= EXPORT_HAS_STACK;
	if (!(e->flags & (UPKG_LOAD_FOR_CLIENT | UPKG_LOAD_FOR_SERVER)))
		traits |= EXPORT_FOR_EDITOR;
	if (!(e->flags & UPKG_LOAD_FOR_SERVER))
		traits |= EXPORT_NOT_ON_SERVER;
	return e->flags & LOAD_FLAGS || e->size.value <= 0 ? traits : traits | EXPORT_NOT_LOADED;
}

/* An export without a body is a placeholder if all else in its entry is empty too. */
static uint32_t empty_traits(const struct upkg *u, const struct upkg_export_entry *e)
{
	if (e->class.value != 0 || e->super.value != 0 || e->outer != 0 || e->flags != 0)
		return EXPORT_EMPTY;
	return upkg_word_of(u, (int32_t)e->name.value) == WORD_None ? EXPORT_PLACEHOLDER
								    : EXPORT_EMPTY;
}

static void end_stretch(struct upkg *u)
{
	if (u->last_body < u->last_offset)
		u->last_body = u->last_offset;
}

/* A stretch is bodies that lie one after another in the order of the table. Most tables have
 * few. */
static uint32_t begin_stretch(struct upkg *u, uint64_t offset)
{
	u->n_stretches++;
	if (u->first_body > offset)
		u->first_body = offset;
	end_stretch(u);
	return offset < u->last_offset ? EXPORT_DESCENDS : 0;
}

/* Notes where a body lies, which is in the file. It returns a trait if that is before the body of
 * the export before it. */
static inline uint32_t order_traits(struct upkg *u, uint64_t offset, uint64_t size)
{
	uint32_t traits = offset != u->last_end ? begin_stretch(u, offset) : 0;

	u->last_end = offset + size;
	u->last_offset = offset;
	return traits;
}

UVET_INLINE static inline void take_export(struct upkg *u, const struct known *k, uint32_t i,
					   const struct export_row *r)
{
	const struct upkg_export_entry *e = &r->entry;
	const int64_t size = e->size.value, offset = r->place.offset.value;
	uint32_t traits = body_traits(k, size, offset);

	if (size == 0)
		traits |= empty_traits(u, e);
	else if (traits == 0)
		traits |= order_traits(u, (uint64_t)offset, (uint64_t)size);
	traits |= class_traits(u, k, e) | super_traits(u, k, e->super.value) |
		  outer_traits(u, k, e->outer);
	traits |= name_traits(u, k, e) | flag_traits(k, e);
	u->exports[i] = (struct upkg_export){
		.at = (uint32_t)e->at,
		.class = (int32_t)e->class.value,
		.outer = (int32_t)e->outer,
		.name = (int32_t)e->name.value,
		.size = (int32_t)size,
		.offset = (int32_t)offset,
		.traits = traits,
	};
	u->export_traits |= traits;
}

/* Reads an export that is not quick to read. */
UVET_RARE static bool take_rare_export(struct upkg *u, const struct known *k, uint32_t i,
				       struct cursor *c)
{
	struct export_row r;

	if (!read_export(c, u->tag.version, false, &r))
		return false;
	take_export(u, k, i, &r);
	u->long_counts[TABLE_EXPORTS] += is_long(&r.entry.class) + is_long(&r.entry.super) +
					 is_long(&r.entry.name) + is_long(&r.entry.size) +
					 is_long(&r.place.offset);
	return true;
}

static uint32_t read_exports(struct upkg *u, struct cursor *c, uint32_t from, uint32_t n)
{
	const struct known k = known_of(u);
	struct cursor here = *c;
	struct export_row r;

	for (; from < n; from++)
		if (read_export(&here, UPKG_VERSION_MIN, true, &r))
			take_export(u, &k, from, &r);
		else if (!take_rare_export(u, &k, from, &here))
			break;
	*c = here;
	return from;
}

bool upkg_decode_exports(struct decode *d, struct upkg *u)
{
	uint32_t n = u->tables[TABLE_EXPORTS].n;

	u->last_offset = u->last_end = 0;
	u->exports = decode_alloc(d, UPKG_EXPORTS, n, sizeof *u->exports);
	if (!u->exports || !upkg_read_table(d, u, TABLE_EXPORTS, read_exports, &u->export_window))
		return false;
	end_stretch(u);
	return upkg_list_long_indexes(d, u, TABLE_EXPORTS, u->export_window);
}

/* ---- What is not kept ------------------------------------------------------------------------ */

/* What was read once can be read again. */
struct upkg_import_entry upkg_import_entry_of(const struct upkg *u, const struct upkg_import *i)
{
	struct cursor c = u->import_window;
	struct upkg_import_entry e = { .at = i->at };
	const bool was_read = cursor_seek(&c, i->at) &&
			      (upkg_import_entry_fast(&c, UPKG_VERSION_MIN, &e) ||
			       upkg_import_entry_read(&c, u->tag.version, &e));

	return NEVER(!was_read) ? (struct upkg_import_entry){ .at = i->at } : e;
}

/* Reads an export's entry again, and returns a cursor at its end. */
static struct cursor read_again(const struct upkg *u, const struct upkg_export *export,
				struct upkg_export_entry *e)
{
	struct cursor c = u->export_window;
	const bool was_read = cursor_seek(&c, export->at) &&
			      upkg_export_entry_read(&c, u->tag.version, e);

	if (NEVER(!was_read))
		*e = (struct upkg_export_entry){ .at = export->at };
	return c;
}

struct upkg_export_entry upkg_export_entry_of(const struct upkg *u,
					      const struct upkg_export *export)
{
	struct upkg_export_entry e;

	read_again(u, export, &e);
	return e;
}

uint64_t upkg_place_of(const struct upkg *u, const struct upkg_export *export)
{
	struct upkg_export_entry e;
	struct cursor c = read_again(u, export, &e);

	return cursor_at(&c);
}

int32_t upkg_super_of(const struct upkg *u, const struct upkg_export *e)
{
	struct cursor c = u->export_window;
	struct layout_index class, super = { .value = 0 };
	const bool was_read = cursor_seek(&c, e->at) && layout_read_index(&c, &class) &&
			      layout_read_index(&c, &super);

	return NEVER(!was_read) ? 0 : (int32_t)super.value;
}

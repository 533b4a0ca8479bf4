/* The import and export tables: each entry by itself. What entries say of each other is links.c's. */
#include "formats/upkg/tables.h"

#include "core/canary.h"

#define LOAD_FLAGS      0x00070000u     /* LoadForClient, LoadForServer, LoadForEdit */
#define FLAG_STACK      0x02000000u     /* HasStack */

/* Flags that are saved: RF_Load. Source: UnObjBas.h; UE2's three more are what its packages have. */
#define SAVED_UE1       0x067F0025u
#define SAVED_227       0x00000100u
#define SAVED_UE2       0x00000980u

uint32_t upkg_saved_flags(const struct upkg *u)
{
	if (u->era == UPKG_UE2)
		return SAVED_UE1 | SAVED_UE2;
	return u->tag.licensee == UPKG_LICENSEE_227 ? SAVED_UE1 | SAVED_227 : SAVED_UE1;
}

/* What an entry is held against, in one place: so the loops over tables need not look it up for each row. */
struct known {
	uint64_t n_names;
	int64_t n_imports;
	uint64_t n_objects;                     /* imports and exports */
	uint64_t header_end, size;
	uint64_t unsaved;                       /* flags of exports that are not saved */
};

static struct known known_of(const struct upkg *u)
{
	return (struct known){
		.n_names = u->tables[TABLE_NAMES].n,
		.n_imports = u->tables[TABLE_IMPORTS].n,
		.n_objects = (uint64_t)u->tables[TABLE_IMPORTS].n + u->tables[TABLE_EXPORTS].n + CANARY(61),    /* canary: one more */
		.header_end = u->header_end,
		.size = u->size + CANARY(57),                           /* canary: one byte behind the file */
		.unsaved = ~(uint64_t)upkg_saved_flags(u),
	};
}

/* Tells whether an object reference is one: 0, an export or an import of the package. */
static inline bool refers(const struct known *k, int64_t object)
{
	return (uint64_t)(object + k->n_imports) <= k->n_objects;
}

static inline bool is_name(const struct known *k, int64_t index)
{
	return (uint64_t)index < k->n_names;
}

static inline uint32_t is_odd(const struct layout_index *index)
{
	return index->form != INDEX_MINIMAL ? 1 : 0;
}

/* ---- Imports ------------------------------------------------------------------------------------------------------------ */

static uint32_t read_imports(struct upkg *u, struct cursor *c, uint32_t from, uint32_t n)
{
	const struct known k = known_of(u);
	struct upkg_import_entry e;
	struct cursor here = *c;

	for (; from < n && upkg_import_entry_read(&here, u->tag.version, &e); from++) {
		uint32_t traits = 0;

		if (!is_name(&k, e.class_package.value) || !is_name(&k, e.class_name.value) || !is_name(&k, e.name.value))
			traits |= IMPORT_BAD_NAME | IMPORT_IS_CLASS;
		else if (upkg_word_of(u, (int32_t)e.class_name.value) == WORD_Class)
			traits |= IMPORT_IS_CLASS;
		if (!refers(&k, e.outer))
			traits |= IMPORT_BAD_OUTER;
		else if (e.outer > 0)
			traits |= IMPORT_OUTER_EXPORT;
		u->imports[from] = (struct upkg_import){
			.at = (uint32_t)e.at,
			.class_package = (int32_t)e.class_package.value,
			.class_name = (int32_t)e.class_name.value,
			.name = (int32_t)e.name.value,
			.outer = (int32_t)e.outer,
			.traits = traits,
		};
		u->import_traits |= traits;
		u->odd_counts[TABLE_IMPORTS] += is_odd(&e.class_package) + is_odd(&e.class_name) + is_odd(&e.name);
	}
	*c = here;
	return from;
}

bool upkg_decode_imports(struct decode *d, struct upkg *u)
{
	uint32_t n = u->tables[TABLE_IMPORTS].n;
	struct cursor window;

	u->imports = decode_alloc(d, UPKG_IMPORTS, n, sizeof *u->imports);
	return u->imports && upkg_read_table(d, u, TABLE_IMPORTS, read_imports, &window) &&
	       upkg_list_odd_indexes(d, u, TABLE_IMPORTS, window);
}

/* ---- Exports ------------------------------------------------------------------------------------------------------------ */

/* The offset is only there when the size is not 0. */
static inline bool read_export(struct cursor *c, uint64_t version, struct upkg_export_entry *e, struct upkg_export_place *place,
			       uint64_t *head_len)
{
	struct cursor ahead = *c;

	if (!upkg_export_entry_read(&ahead, version, e))
		return false;
	*head_len = ahead.pos - c->pos;
	*place = (struct upkg_export_place){ 0 };
	if (e->size.value != 0 && !upkg_export_place_read(&ahead, version, place))
		return false;
	*c = ahead;
	return true;
}

static inline uint32_t body_traits(const struct known *k, int64_t size, int64_t offset)
{
	if (size <= 0)
		return size < 0 ? EXPORT_SIZE_NEGATIVE : 0;
	return offset < (int64_t)k->header_end || (uint64_t)(offset + size) > k->size ? EXPORT_OUTSIDE : 0;
}

static inline uint32_t reference_traits(const struct known *k, const struct upkg_export_entry *e)
{
	uint32_t traits = 0;

	traits |= is_name(k, e->name.value) ? 0 : EXPORT_BAD_NAME;
	traits |= refers(k, e->class.value) ? 0 : EXPORT_BAD_CLASS;
	traits |= refers(k, e->super.value) ? 0 : EXPORT_BAD_SUPER;
	traits |= refers(k, e->outer) ? 0 : EXPORT_BAD_OUTER;
	traits |= e->super.value > 0 ? EXPORT_OWN_SUPER : 0;
	traits |= e->class.value > 0 ? EXPORT_OWN_CLASS : 0;
	return traits | (e->outer < 0 ? EXPORT_OUTER_IMPORT : 0);
}

static inline uint32_t flag_traits(const struct known *k, const struct upkg_export_entry *e)
{
	uint32_t traits = e->flags & k->unsaved ? EXPORT_FLAGS_ODD : 0;

	if (!(e->flags & LOAD_FLAGS) && e->size.value > 0)
		traits |= EXPORT_NOT_LOADED;
	if (e->flags & FLAG_STACK && e->class.value == 0)
		traits |= EXPORT_CLASS_STACK;
	return traits;
}

/* Notes where a body lies that is in the file: whether it begins before the one that was read last, and whether it begins where that one
 * ends. */
static inline uint32_t order_traits(struct upkg *u, uint64_t offset, uint64_t size)
{
	uint32_t traits = offset < u->last_offset ? EXPORT_DESCENDS : 0;

	u->n_stretches += offset != u->last_end;
	u->last_end = offset + size;
	u->last_offset = offset;
	if (u->first_body > offset)
		u->first_body = offset;
	if (u->last_body < offset)
		u->last_body = offset;
	return traits;
}

static uint32_t read_exports(struct upkg *u, struct cursor *c, uint32_t from, uint32_t n)
{
	const struct known k = known_of(u);
	struct upkg_export_entry e;
	struct upkg_export_place place;
	struct cursor here = *c;
	uint64_t head_len;

	for (; from < n && read_export(&here, u->tag.version, &e, &place, &head_len); from++) {
		uint32_t traits = reference_traits(&k, &e) | flag_traits(&k, &e) | body_traits(&k, e.size.value, place.offset.value);

		if (e.size.value > 0 && !(traits & EXPORT_OUTSIDE))
			traits |= order_traits(u, (uint64_t)place.offset.value, (uint64_t)e.size.value);
		u->exports[from] = (struct upkg_export){
			.at = (uint32_t)e.at,
			.class = (int32_t)e.class.value,
			.super = (int32_t)e.super.value,
			.outer = (int32_t)e.outer,
			.name = (int32_t)e.name.value,
			.flags = (uint32_t)e.flags,
			.size = (int32_t)e.size.value,
			.offset = (int32_t)place.offset.value,
			.head_len = (uint32_t)head_len,
			.traits = traits,
		};
		u->export_traits |= traits;
		u->odd_counts[TABLE_EXPORTS] += is_odd(&e.class) + is_odd(&e.super) + is_odd(&e.name) + is_odd(&e.size) +
						is_odd(&place.offset);
	}
	*c = here;
	return from;
}

bool upkg_decode_exports(struct decode *d, struct upkg *u)
{
	uint32_t n = u->tables[TABLE_EXPORTS].n;
	struct cursor window;

	u->last_offset = u->last_end = 0;
	u->exports = decode_alloc(d, UPKG_EXPORTS, n, sizeof *u->exports);
	return u->exports && upkg_read_table(d, u, TABLE_EXPORTS, read_exports, &window) &&
	       upkg_list_odd_indexes(d, u, TABLE_EXPORTS, window);
}

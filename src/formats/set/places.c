/* Where the packages of a set lie, what they are, and in which order they are looked for. */
#include "core/path.h"
#include "formats/set/set.h"

#define MAP(extension) extension,
static const char *const maps[] = {
#include "formats/set/policy.def"
	NULL
};
#undef MAP

/* ---- Kinds ----------------------------------------------------------------------------------- */

static const char *extension_of(const struct set_file *f)
{
	const char *dot = strrchr(f->name + f->last_at, '.');

	return dot ? dot + 1 : "";
}

static enum set_kind kind_of(const struct set_file *f)
{
	static const char *const cached[] = { "uxx", NULL }, *const classes[] = { "u", NULL };
	const char *extension = extension_of(f);
	const size_t len = strlen(extension);

	if (!f->format || strcmp(f->format->name, "upkg") != 0 ||
	    set_is_one_of(extension, len, cached))
		return SET_NO_PACKAGE_FILE;
	if (set_is_one_of(extension, len, maps))
		return SET_MAP;
	return set_is_one_of(extension, len, classes) ? SET_CLASSES : SET_RESOURCES;
}

/* ---- Members --------------------------------------------------------------------------------- */

bool set_find_places(struct decode *d, struct set *u)
{
	if (!decode_spend(d, SET_FILES, u->in->n))
		return false;
	for (uint32_t i = 0; i < u->in->n; i++) {
		const struct set_file *f = u->in->files[i];
		struct set_member *m = &u->members[i];

		m->kind = kind_of(f);
		m->is_whole = f->package && f->gaps == 0;
		if (f->role == SET_GAME && m->kind != SET_NO_PACKAGE_FILE &&
		    f->version > u->game_version)
			u->game_version = f->version;
	}
	return true;
}

/* ---- Providers ------------------------------------------------------------------------------- */

uint64_t set_provider_key(const struct set *u, uint32_t file)
{
	const struct set_file *f = u->in->files[file];
	const uint32_t packed = f->is_download ? SET_PACKED : 0,
		       where = f->in_contents ? SET_IN_CONTENTS : SET_IN_ROOT;

	if (u->members[file].kind == SET_NO_PACKAGE_FILE)
		return UINT64_MAX;
	return set_key(u->members[file].stem,
		       f->root * SET_WHERES + packed + (f->role == SET_GAME ? 0 : where));
}

static uint64_t provider_key(const void *table, uint32_t i)
{
	return set_provider_key(table, i);
}

bool set_order_providers(struct decode *d, struct set *u)
{
	if (!decode_spend(d, SET_FILES, u->in->n))
		return false;
	return order_by_key(d->arena, u, u->in->n, provider_key, &u->providers) ||
	       decode_stop(d, SET_FILES, STOP_MEMORY, (struct span){ 0, 0 });
}

uint32_t set_first_from(const struct set *u, uint64_t key)
{
	uint32_t from = 0, to = u->in->n;

	while (from < to) {
		const uint32_t middle = from + (to - from) / 2;

		if (set_provider_key(u, order_row(&u->providers, middle)) < key)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Placeholders: what Setup puts in the place of %Key% before it obeys a line, so that the line does
 * not do what it says. */
#include "formats/umod/install.h"

/* ---- What keys stand for --------------------------------------------------------------------- */

/* A definition is a line of [Setup] or [General] of either manifest. It is identified by its place:
 * the unit at which it begins, times two, plus its file. Apart from that only a hash is kept,
 * because there may be a definition for every few bytes. */
struct definitions {
	const struct manifest *m;
	struct order by_fact; /* the places */
	/* in that order: the key's hash, with the lowest bit set if the value is harmless */
	uint32_t *facts;
	bool foreign; /* there are manifests of other languages, whose definitions are not read */
};

/* Units of the longest key that is looked up. */
enum { KEY_LEN_MAX = 255 };

static struct text text_of(const struct manifest *m, uint32_t place)
{
	const enum manifest_file f = place % 2 ? MANIFEST_INT : MANIFEST_INI;

	return manifest_text(m, f, m->texts[f]);
}

/* Returns a definition's key, or the start of a long one: none of that length is looked up. */
static struct text key_at(const struct manifest *m, uint32_t place)
{
	const struct text head = text_sub(text_of(m, place), place / 2, KEY_LEN_MAX + 1);

	return text_trim(text_sub(head, 0, text_find(head, '=', 0)));
}

static bool is_like(uint32_t c, char pattern)
{
	return pattern == '#' ? text_between(c, '0', '9') : text_fold(c) == (uint32_t)pattern;
}

/* Tells whether a text is a part of a device's name, as the empty text is. In the names below `#`
 * is any digit. */
static bool is_part_of_device(struct text t)
{
	static const char *const devices[] = { "CON",    "PRN",     "AUX",  "NUL", "CLOCK$",
					       "CONIN$", "CONOUT$", "COM#", "LPT#" };

	for (size_t k = 0; k < sizeof devices / sizeof devices[0]; k++)
		for (size_t from = 0, len = strlen(devices[k]); from + t.ref.n_units <= len;
		     from++) {
			uint32_t i = 0;

			while (i < t.ref.n_units && is_like(text_unit(t, i), devices[k][from + i]))
				i++;
			if (i == t.ref.n_units)
				return true;
		}
	return false;
}

static bool is_plain(uint32_t c)
{
	return text_between(text_fold(c), 'A', 'Z') || text_between(c, '0', '9') ||
	       text_between(c, 0xC0, 0xFF) || c == ' ' || c == '-' || c == '_';
}

/* Tells whether a value is harmless: wherever it is inserted, it cannot make a path lead to another
 * folder, drive or device. */
static bool is_harmless(const struct manifest *m, uint32_t place)
{
	const struct text text = text_of(m, place), line = manifest_rest(&text, place / 2);
	const struct text value = text_trim(
		text_sub(line, text_find(line, '=', 0) + 1, line.ref.n_units));

	for (uint32_t i = 0; i < value.ref.n_units; i++)
		if (!is_plain(text_unit(value, i)))
			return false;
	return !is_part_of_device(value);
}

static uint32_t fact_of(struct text key, bool harmless)
{
	return (path_examine(key).hash & ~1u) | harmless;
}

static uint64_t fact_at(const void *manifest, uint32_t place)
{
	return fact_of(key_at(manifest, place), is_harmless(manifest, place));
}

static int compare_keys(const void *manifest, uint32_t a, uint32_t b)
{
	return path_compare(key_at(manifest, a), key_at(manifest, b));
}

static bool defines(const struct manifest *m, const struct manifest_line *header)
{
	const struct text name = install_header_name(m, header);

	return text_is(name, "Setup") || text_is(name, "General");
}

static uint32_t list_definitions_of(const struct manifest *m, enum manifest_file f,
				    uint32_t *places, uint32_t n)
{
	struct manifest_scan s = manifest_open(m, f);
	struct manifest_line l = { .number = 0 };
	bool inside = false;

	while (manifest_next(&s, &l)) {
		const struct text line = manifest_text(m, f, l.whole);

		if (l.kind == LINE_SECTION) {
			inside = defines(m, &l);
		} else if (inside && text_find(line, '=', 0) < line.ref.n_units) {
			if (places)
				places[n] = manifest_unit(m, f, l.whole) * 2 + (f == MANIFEST_INT);
			n++;
		}
	}
	return n;
}

/* Counts the definitions, and lists them unless places is NULL. A line that looks like a comment
 * defines a key, too. */
static uint32_t list_definitions(const struct manifest *m, uint32_t *places)
{
	const uint32_t n = list_definitions_of(m, MANIFEST_INI, places, 0);

	return m->present[MANIFEST_INT] ? list_definitions_of(m, MANIFEST_INT, places, n) : n;
}

static bool sort_definitions(struct decode *d, struct definitions *all)
{
	const struct order_by by = {
		.table = all->m, .keys = all->m, .key = fact_at, .compare = compare_keys
	};
	const uint32_t n = list_definitions(all->m, NULL);
	uint32_t *places = decode_alloc(d, UMOD_MANIFEST, n, sizeof *places);

	if (!places)
		return false;
	list_definitions(all->m, places);
	if (!order_rows(d->arena, &by, places, n, &all->by_fact))
		return decode_stop(d, UMOD_MANIFEST, STOP_MEMORY, (struct span){ 0, 0 });
	all->facts = decode_alloc(d, UMOD_MANIFEST, n, sizeof *all->facts);
	for (uint32_t i = 0; all->facts && i < n; i++)
		all->facts[i] = (uint32_t)fact_at(all->m, order_row(&all->by_fact, i));
	return all->facts != NULL;
}

/* Tells whether a key is defined with a value that is harmless, or with one that is not. */
static bool is_defined(const struct definitions *all, struct text key, bool harmless)
{
	const uint32_t fact = fact_of(key, harmless);
	uint32_t low = 0, high = all->by_fact.n;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		int order = all->facts[middle] < fact ? -1 : all->facts[middle] > fact;

		if (order == 0)
			order = path_compare(key_at(all->m, order_row(&all->by_fact, middle)), key);
		if (order == 0)
			return true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* ---- Lines that have placeholders ------------------------------------------------------------ */

/* Setup itself sets these to folders. */
static bool is_folder_of_setup(struct text key)
{
	static const char *const folders[] = { "SrcPath",
					       "DestPath",
					       "RefPath",
					       "CdPath",
					       "WinPath",
					       "WinSysPath",
					       "DesktopPath",
					       "ProgramsPath",
					       "FavoritesPath",
					       "StartupPath",
					       "CommonProgramsPath",
					       "CommonFavoritesPath",
					       "CommonStartupPath" };

	return text_is_one(key, folders, sizeof folders / sizeof folders[0]);
}

/* What becomes of %Key%: it stays, or in a path something harmless replaces it; something else
 * replaces it; or that depends on a manifest that was not read. */
enum meaning { MEANING_FINE, MEANING_OTHER, MEANING_UNKNOWN };

static enum meaning meaning_of(const struct definitions *all, struct text key, bool in_path)
{
	if (text_find(key, '=', 0) < key.ref.n_units)
		return MEANING_FINE; /* no key has one */
	if (key.ref.n_units > KEY_LEN_MAX || is_folder_of_setup(key) || is_defined(all, key, false))
		return MEANING_OTHER;
	if (is_defined(all, key, true) || text_is(key, "Language"))
		return in_path ? MEANING_FINE : MEANING_OTHER;
	return all->foreign ? MEANING_UNKNOWN : MEANING_FINE;
}

/* The units at which a line's path ends, and the part in which placeholders are looked for. */
struct line_ends {
	uint64_t path, all;
};

static struct line_ends ends_of(enum manifest_key key, struct text value)
{
	const uint64_t n = value.ref.n_units;
	struct line_ends to = { n, n };

	if (key >= KEY_INI) {
		to.path = text_find(value, ',', 0);
		to.all = text_find(value, '=', to.path);
	}
	return to;
}

static bool has_path(enum manifest_key key)
{
	return text_between(key, KEY_FILE, KEY_REMOVE_PATH) ||
	       text_between(key, KEY_INI, KEY_REMOVE_INI_VALUE);
}

/* The first percent sign opens a placeholder, the next one or the end of the value closes it. Notes
 * the first placeholder that is replaced, since later ones do no more harm, and before it the first
 * unknown one. */
static bool read_placeholders(struct decode *d, const struct definitions *all, struct manifest *m,
			      const struct manifest_line *l)
{
	const struct text value = install_value(m, l);
	const struct line_ends to = ends_of(l->key_id, value);
	const bool is_copy = l->key_id <= KEY_COPY;
	bool unknown = false;
	uint64_t close;

	for (uint64_t open = text_find(value, '%', 0); open < to.all;
	     open = text_find(value, '%', close + 1)) {
		struct manifest_note note = { .line = *l };
		enum meaning meaning;

		close = text_find(value, '%', open + 1);
		note.at = text_sub(value, open, close - open + 1).ref;
		meaning = meaning_of(all, text_trim(text_sub(value, open + 1, close - open - 1)),
				     !is_copy && open < to.path);
		if (meaning == MEANING_OTHER) {
			note.kind = open > to.path                 ? UMOD_PLACEHOLDER_IN_SETTING
				    : l->key_id == KEY_REMOVE_PATH ? UMOD_PLACEHOLDER_IN_SEARCH
								   : UMOD_PLACEHOLDER_IN_PATH;
			return manifest_note_line(d, m, DEFECT_PLACEHOLDER, &note);
		}
		if (meaning == MEANING_UNKNOWN && !unknown &&
		    !manifest_note_line(d, m, DEFECT_PLACEHOLDER_UNKNOWN, &note))
			return false;
		unknown |= meaning == MEANING_UNKNOWN;
	}
	return true;
}

bool install_find_placeholders(struct decode *d, struct umod *u)
{
	struct manifest *m = &u->manifest;
	struct definitions all = { .m = m, .foreign = install_has_others(u) };
	struct manifest_scan s = manifest_open(m, MANIFEST_INI);
	struct manifest_line l = { .number = 0 };
	bool in_section = false;

	if (!sort_definitions(d, &all))
		return false;
	while (manifest_next(&s, &l)) {
		in_section = in_section || l.kind == LINE_SECTION;
		if (in_section && has_path(l.key_id) && !read_placeholders(d, &all, m, &l))
			return false;
	}
	return true;
}

/* Texts beside packages: what an ini, a list of the download cache, a .upkg and a .int say of
 * them. */
#include "core/ascii.h"
#include "core/path.h"
#include "formats/set/set.h"

struct texts {
	struct decode *d;
	struct set *u;
	uint32_t file; /* the text */
	const struct summary_lines *lines;
};

static bool add(const struct texts *t, struct set_flaw flaw)
{
	return set_add_flaw(t->d, &t->u->text_flaws, SET_TEXTS, &flaw);
}

static struct package_name name_of(struct summary_word w)
{
	const struct package_text text = { w.chars, w.len };

	return (struct package_name){ text, (uint32_t)package_text_hash(text) };
}

static bool is_word(struct summary_word w, const char *word)
{
	const struct package_text a = { w.chars, w.len }, b = { word, (uint32_t)strlen(word) };

	return package_text_compare(a, b) == 0;
}

static bool is_called(const struct set_file *f, const char *extension)
{
	return text_ends(text_from(f->name), extension);
}

/* ---- Flags of packages ----------------------------------------------------------------------- */

static const struct flag {
	const char *key;
	uint32_t bit;
} flags[] = {
	{ "AllowDownload", 0x1 },
	{ "ClientOptional", 0x2 },
	{ "ServerSideOnly", 0x4 },
	{ "Official", 0x20 },
};

/* The folder that a .upkg's package lies below: its own, or, where that is the Classes of a
 * package, the one around both. */
static uint32_t package_folder(const struct set_file *f)
{
	static const char classes[] = "classes/";
	uint32_t len = f->folder_len;
	const uint32_t n = sizeof classes - 1;

	for (uint32_t i = 0; i < n; i++) {
		const char c = len >= n ? ascii_lower(f->name[len - n + i]) : '\0';

		if (c != classes[i] && !(classes[i] == '/' && c == '\\'))
			return len;
	}
	len -= n;
	len = len > 0 ? len - 1 : 0;
	while (len > 0 && f->name[len - 1] != '/' && f->name[len - 1] != '\\')
		len--;
	return len;
}

/* The one of a range that a .upkg is about; SET_NONE: there is none, or it is not the only one. */
static uint32_t package_of(const struct texts *t, struct set_range of)
{
	const struct set *u = t->u;
	const struct set_file *text = u->in->files[t->file];
	const uint32_t len = package_folder(text);
	uint32_t found = SET_NONE, n = 0;

	for (uint32_t i = of.from; i < of.to; i++) {
		const struct set_file *f = u->in->files[u->packages.rows[i].file];

		if (f->role != SET_GIVEN || f->is_download ||
		    !u->members[u->packages.rows[i].file].is_whole || f->root_len != len ||
		    memcmp(f->name, text->name, len) != 0)
			continue;
		found = u->packages.rows[i].file;
		n++;
	}
	return n == 1 ? found : SET_NONE;
}

static bool is_true(struct summary_word w)
{
	return is_word(w, "True") || is_word(w, "1") || is_word(w, "Yes");
}

static bool compare_flag(const struct texts *t, uint32_t line, uint32_t package)
{
	const struct summary_word key = summary_key(t->lines, line);
	const uint32_t has = t->u->in->files[package]->package->flags;

	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		const bool says = is_true(summary_value(t->lines, line));

		if (is_word(key, flags[i].key) && says != ((has & flags[i].bit) != 0))
			return add(t, (struct set_flaw){ .traits = SET_OTHER_FLAG,
							 .file = t->file,
							 .other = package,
							 .row = line,
							 .number = has,
							 .what = says ? "has not" : "has" });
	}
	return true;
}

static bool compare_flags(const struct texts *t)
{
	const struct package_name stem = set_stem(t->u->in->files[t->file]);
	const struct set_range of = set_range_of(t->u, &t->u->packages, stem);
	const uint32_t package = package_of(t, of);

	if (!decode_spend(t->d, SET_TEXTS, (uint64_t)of.to - of.from))
		return false;
	for (uint32_t i = 0; package != SET_NONE && i < t->lines->n; i++)
		if (!compare_flag(t, i, package))
			return false;
	return true;
}

/* ---- Public objects -------------------------------------------------------------------------- */

/* The value of a field of a tuple `(Name=A.B,Class=C)`; len 0: it has none of that name. */
static struct summary_word field_of(struct summary_word tuple, const char *name)
{
	const uint32_t n = (uint32_t)strlen(name);
	uint32_t from = 0;

	while (from < tuple.len) {
		const struct summary_word key = { tuple.chars + from, n };
		uint32_t to = from;

		while (to < tuple.len && tuple.chars[to] != ',' && tuple.chars[to] != '(' &&
		       tuple.chars[to] != ')')
			to++;
		if (to - from > n && tuple.chars[from + n] == '=' && is_word(key, name))
			return (struct summary_word){ tuple.chars + from + n + 1,
						      to - from - n - 1 };
		from = to + 1;
	}
	return (struct summary_word){ "", 0 };
}

/* Where the dot of `Package.Class` is; 0: it is no such name. */
static uint32_t dot_of(struct summary_word name)
{
	const char *dot = name.len > 0 ? memchr(name.chars, '.', name.len) : NULL;
	const uint32_t at = dot ? (uint32_t)(dot - name.chars) : 0;

	return at > 0 && at + 1 < name.len && !memchr(name.chars + at + 1, '.', name.len - at - 1)
		       ? at
		       : 0;
}

/* A package that is nowhere, if all of the game and of the files is known. Native code needs no
 * package. */
static bool compare_package(const struct texts *t, uint32_t line, struct summary_word package)
{
	const struct set_range libraries = set_range_of(t->u, &t->u->libraries, name_of(package));

	if (!t->u->in->has_game || t->u->in->n_unseen > 0 || libraries.from < libraries.to)
		return true;
	return add(t, (struct set_flaw){ .traits = SET_NO_TEXT_PACKAGE,
					 .file = t->file,
					 .other = SET_NONE,
					 .row = line });
}

static bool compare_object(const struct texts *t, uint32_t line)
{
	const struct summary_word tuple = summary_value(t->lines, line),
				  name = field_of(tuple, "Name");
	const uint32_t dot = dot_of(name);
	const struct summary_word package = { name.chars, dot },
				  class = { name.chars + dot + 1, name.len - dot - 1 };
	struct set_range found;
	uint32_t file;

	if (dot == 0 || !is_word(field_of(tuple, "Class"), "Class"))
		return true;
	found = set_range_of(t->u, &t->u->packages, name_of(package));
	if (found.from == found.to)
		return compare_package(t, line, package);
	found = set_find_providers(t->u, t->file, found);
	if (found.to - found.from != 1)
		return true;
	file = t->u->packages.rows[found.from].file;
	if (!t->u->members[file].is_whole)
		return true;
	if (!set_order_exports(t->d, t->u, file))
		return false;
	if (set_find_class(t->u, file, name_of(class)) != SET_NONE)
		return true;
	return add(t,
		   (struct set_flaw){
			   .traits = SET_NO_CLASS, .file = t->file, .other = file, .row = line });
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* A bit for the extension of a package, by its place in the format's list; 0: it is not there. */
static uint64_t extension_bit(const struct set_file *f)
{
	const struct text extension = path_extension(text_from(f->name + f->last_at));
	uint64_t bit = 1;

	for (const char *const *e = f->format->extensions; *e; e++, bit <<= 1)
		if (text_is(extension, *e))
			return bit;
	return 0;
}

static bool has_path(const struct texts *t, const char *extension)
{
	const size_t n = strlen(extension);

	for (uint32_t i = 0; i < t->lines->n; i++) {
		const struct summary_word w = summary_value(t->lines, i);
		const struct summary_word end = { w.chars + (w.len > n ? w.len - n : 0),
						  (uint32_t)n };

		if (t->lines->rows[i].section == SECTION_PATHS && w.len > n &&
		    is_word(end, extension) && end.chars[-1] == '.')
			return true;
	}
	return false;
}

static bool has_paths(const struct texts *t)
{
	for (uint32_t i = 0; i < t->lines->n; i++)
		if (t->lines->rows[i].section == SECTION_PATHS)
			return true;
	return false;
}

/* Each extension of a package in the game's folders is told once. */
static bool compare_extensions(const struct texts *t, uint64_t there)
{
	const struct format *f = NULL;
	const char *const *e;

	for (uint32_t i = 0; i < t->u->packages.n && !f; i++)
		f = t->u->in->files[t->u->packages.rows[i].file]->format;
	if (!f || !has_paths(t))
		return true;
	e = f->extensions;
	for (uint64_t left = there; *e; e++, left >>= 1)
		if (left & 1 && !has_path(t, *e) &&
		    !add(t, (struct set_flaw){ .traits = SET_NO_PATH,
					       .file = t->file,
					       .other = SET_NONE,
					       .row = SET_NONE,
					       .what = *e }))
			return false;
	return true;
}

/* The number of `Paths[3]`; false: it has none. */
static bool number_of(struct summary_word key, uint64_t *out)
{
	const char *open = memchr(key.chars, '[', key.len);
	const size_t at = open ? (size_t)(open - key.chars) + 1 : 0;
	uint64_t n = 0;

	for (size_t i = at; open && i < key.len && key.chars[i] != ']'; i++) {
		if (key.chars[i] < '0' || key.chars[i] > '9' || n > UINT32_MAX)
			return false;
		n = n * 10 + (uint64_t)(key.chars[i] - '0');
	}
	*out = n;
	return open && key.chars[key.len - 1] == ']' && key.len - at > 1;
}

static bool compare_numbers(const struct texts *t)
{
	uint64_t next = 0, n;

	for (uint32_t i = 0; i < t->lines->n; i++) {
		if (t->lines->rows[i].section != SECTION_PATHS ||
		    !number_of(summary_key(t->lines, i), &n))
			continue;
		if (n != next && !add(t, (struct set_flaw){ .traits = SET_PATH_NUMBER,
							    .file = t->file,
							    .other = SET_NONE,
							    .row = i,
							    .number = n,
							    .expected = next }))
			return false;
		next = n + 1;
	}
	return true;
}

/* ---- The download cache ---------------------------------------------------------------------- */

/* An entry is `GUID=name`; the file is called as the GUID is. */
static bool compare_entry(const struct texts *t, uint32_t line)
{
	const struct set *u = t->u;
	const struct set_range of = set_range_in(
		&u->caches, set_range_of(u, &u->caches, name_of(summary_key(t->lines, line))),
		set_where(u, t->file));
	struct set_flaw flaw = {
		.traits = SET_CACHE_ENTRY, .file = t->file, .other = SET_NONE, .row = line
	};

	if (of.from < of.to && !u->members[u->caches.rows[of.from].file].is_listed) {
		u->members[u->caches.rows[of.from].file].is_listed = true;
		return true;
	}
	flaw.what = of.from < of.to ? "is there twice" : "has no file";
	return add(t, flaw);
}

static bool is_guid(const struct set_file *f)
{
	static const char digits[] = "0123456789ABCDEF";
	const struct package_text stem = set_stem_text(f);
	char text[32];

	for (size_t i = 0; i < sizeof text; i++)
		text[i] = digits[f->guid[i / 8] >> (28 - 4 * (i % 8)) & 15];
	return stem.len >= sizeof text && memcmp(stem.chars, text, sizeof text) == 0 &&
	       (stem.len == sizeof text || stem.chars[sizeof text] == '-');
}

static bool compare_cached(struct decode *d, struct set *u, uint32_t file, bool has_list)
{
	struct set_flaw flaw = { .file = file, .other = SET_NONE, .row = SET_NONE };
	const struct set_member *m = &u->members[file];
	const struct set_file *f = u->in->files[file];

	flaw.traits = SET_CACHE_NAME;
	if (m->is_whole && f->identity == SUMMARY_GUID && !is_guid(f) &&
	    !set_add_flaw(d, &u->text_flaws, SET_TEXTS, &flaw))
		return false;
	flaw.traits = SET_CACHE_UNLISTED;
	return !has_list || m->is_listed || set_add_flaw(d, &u->text_flaws, SET_TEXTS, &flaw);
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* What is known of each root: the extensions of packages in its folders, and whether it has a list
 * of a cache. */
struct root {
	uint64_t extensions;
	bool has_list;
};

static bool compare_ini(const struct texts *t, const struct root *root)
{
	const struct set_file *f = t->u->in->files[t->file];

	if (f->in_contents && (!compare_extensions(t, root->extensions) || !compare_numbers(t)))
		return false;
	for (uint32_t i = 0; i < t->lines->n; i++)
		if (t->lines->rows[i].section == SECTION_CACHE && !compare_entry(t, i))
			return false;
	return true;
}

static bool compare_text(const struct texts *t, const struct root *root)
{
	const struct set_file *f = t->u->in->files[t->file];

	if (!decode_spend(t->d, SET_TEXTS, t->lines->n))
		return false;
	if (is_called(f, ".upkg"))
		return compare_flags(t);
	if (is_called(f, ".ini"))
		return compare_ini(t, root);
	for (uint32_t i = 0; i < t->lines->n; i++)
		if (!compare_object(t, i))
			return false;
	return true;
}

static bool has_list(const struct set_file *f)
{
	for (uint32_t i = 0; f->lines && i < f->lines->n; i++)
		if (f->lines->rows[i].section == SECTION_CACHE)
			return true;
	return false;
}

/* Roots are numbered from 0, and are no more than files. */
static struct root *look_at_roots(struct decode *d, const struct set *u)
{
	struct root *roots = decode_alloc(d, SET_TEXTS, u->in->n, sizeof *roots);

	if (!roots)
		return NULL;
	memset(roots, 0, u->in->n * sizeof *roots);
	for (uint32_t i = 0; i < u->in->n_given; i++) {
		const struct set_file *f = u->in->files[i];

		if (set_is_package(u->members[i].kind) && f->in_contents && !f->is_download)
			roots[f->root].extensions |= extension_bit(f);
		roots[f->root].has_list = roots[f->root].has_list || has_list(f);
	}
	return roots;
}

bool set_compare_texts(struct decode *d, struct set *u)
{
	const struct root *roots = look_at_roots(d, u);

	if (!roots)
		return false;
	for (uint32_t i = 0; i < u->in->n_given; i++) {
		const struct set_file *f = u->in->files[i];
		const struct texts t = { d, u, i, f->lines };

		if (u->members[i].kind == SET_TEXT && u->members[i].is_whole &&
		    !compare_text(&t, &roots[f->root]))
			return false;
	}
	for (uint32_t i = 0; i < u->in->n_given; i++)
		if (u->members[i].kind == SET_CACHED &&
		    !compare_cached(d, u, i, roots[u->in->files[i]->root].has_list))
			return false;
	return true;
}

/* Defects of a directory index: rows with each are counted as the specification says, comparing
 * each row with all others. */
#include <string.h>

#include "codec/cityhash.h"
#include "reference/reference_dirindex.h"
#include "reference/reference_path.h"

#define NONE 0xFFFFFFFFu

enum { LONG_PATH = 260, PAD = 15 };

/* ---- Strings --------------------------------------------------------------------------------- */

/* The part of a string from a unit on. */
static struct reference_string rest(const struct reference_string *s, uint64_t from)
{
	struct reference_string r = *s;

	r.units += from * (s->wide ? 2 : 1);
	r.n -= from;
	return r;
}

static uint32_t path_traits(const struct reference_string *s)
{
	static struct reference_path p;

	reference_path_decode(&p, s->units, s->n, s->wide ? TEXT_UTF16LE : TEXT_CP1252);
	return reference_path_traits(&p);
}

static bool is_unended(const struct reference_string *s)
{
	bool inner = false;

	for (uint64_t i = 0; i < s->n; i++)
		inner = inner || reference_unit(s, i) == 0;
	return inner || !s->ended;
}

static bool is_high(uint32_t c)
{
	return c >= 0xD800 && c <= 0xDBFF;
}

static bool is_low(uint32_t c)
{
	return c >= 0xDC00 && c <= 0xDFFF;
}

static bool is_foreign(const struct reference_string *s)
{
	for (uint64_t i = 0; i < s->n; i++) {
		uint32_t c = reference_unit(s, i);

		if (!s->wide && c >= 0x80)
			return true;
		if (s->wide && is_high(c) && (i + 1 == s->n || !is_low(reference_unit(s, i + 1))))
			return true;
		if (s->wide && is_low(c) && (i == 0 || !is_high(reference_unit(s, i - 1))))
			return true;
	}
	return false;
}

static bool escapes(const struct reference_string *s)
{
	for (uint64_t i = 0; i < s->n; i++)
		if (reference_unit(s, i) == '/' || reference_unit(s, i) == '\\' ||
		    reference_unit(s, i) == ':')
			return true;
	return s->n > 0 && s->n < 3 && reference_unit(s, 0) == '.' &&
	       reference_unit(s, s->n - 1) == '.';
}

static bool is_odd(const struct reference_string *s)
{
	const uint32_t traits = path_traits(s);

	return (traits & (PATH_CONTROL | PATH_TRAILING | PATH_DEVICE | PATH_RESERVED)) != 0 ||
	       (traits & PATH_DECEPTIVE && !is_foreign(s));
}

static uint32_t small(uint32_t c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

static bool ends_in(const struct reference_string *s, const char *end)
{
	uint64_t len = strlen(end);

	for (uint64_t i = 0; i < len && len <= s->n; i++)
		if (small(reference_unit(s, s->n - len + i)) != (uint32_t)(uint8_t)end[i])
			return false;
	return len <= s->n;
}

static bool starts_up(const struct reference_string *s)
{
	const char *up = "../../../";

	for (uint64_t i = 0; up[i]; i++)
		if (i >= s->n || reference_unit(s, i) != (uint32_t)(uint8_t)up[i])
			return false;
	return true;
}

static bool mount_escapes(const struct reference_string *s)
{
	struct reference_string r = rest(s, starts_up(s) ? 9 : 0);

	if (r.n > 0 && reference_unit(&r, 0) == '/' && s->n > 1)
		return true;
	for (uint64_t i = 0; i < r.n; i++)
		if (reference_unit(&r, i) == '\\')
			return true;
	return (path_traits(&r) & (PATH_PARENT | PATH_DRIVE | PATH_COLON)) != 0;
}

static bool mount_is_odd(const struct reference_string *s)
{
	const uint32_t odd = PATH_CONTROL | PATH_TRAILING | PATH_DEVICE | PATH_RESERVED |
			     PATH_SELF | PATH_EMPTY_COMPONENT;
	struct reference_string r;

	if (!starts_up(s))
		return s->n != 1 || reference_unit(s, 0) != '/';
	r = rest(s, 9);
	if (r.n > 0 && reference_unit(&r, r.n - 1) == '/')
		r.n--;
	if (path_traits(&r) & PATH_DECEPTIVE && !is_foreign(s) && !mount_escapes(s))
		return true;
	return (path_traits(&r) & odd) != 0 && !mount_escapes(s);
}

/* ---- Of the tables --------------------------------------------------------------------------- */

static bool is_bad(uint32_t link, uint64_t n)
{
	return link != NONE && link >= n;
}

static uint64_t count_strings(const struct reference_index *x,
			      bool (*is)(const struct reference_string *s), bool mount)
{
	uint64_t n = mount && is(&x->mount);

	for (uint64_t i = 0; i < x->n_strings; i++)
		n += is(&x->strings[i]);
	return n;
}

static uint64_t count_bad_links(const struct reference_index *x)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < x->n_directories; i++)
		n += (uint64_t)is_bad(reference_directory(x, i, 0), x->n_strings) +
		     is_bad(reference_directory(x, i, 1), x->n_directories) +
		     is_bad(reference_directory(x, i, 2), x->n_directories) +
		     is_bad(reference_directory(x, i, 3), x->n_files);
	return n;
}

static uint64_t count_bad_files(const struct reference_index *x)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < x->n_files; i++)
		n += reference_file(x, i, 0) >= x->n_strings ||
		     is_bad(reference_file(x, i, 1), x->n_files);
	return n;
}

static uint64_t count_bad_chunks(const struct reference_index *x, uint64_t n_chunks)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < x->n_files; i++)
		n += reference_file(x, i, 2) >= n_chunks;
	return n;
}

void reference_count_tables(const struct reference_index *x, const struct reference_chunks *chunks,
			    bool encrypted, struct reference_count out[REFERENCE_TABLE_COUNTS])
{
	const struct reference_string *m = &x->mount;
	bool odd_root = x->n_directories > 0 && (reference_directory(x, 0, 0) != NONE ||
						 reference_directory(x, 0, 2) != NONE);

	out[0] = (struct reference_count){ "DIR003", count_strings(x, is_unended, true) };
	out[1] = (struct reference_count){ "DIR004", count_strings(x, is_foreign, true) };
	out[2] = (struct reference_count){ "DIR006", x->n_directories == 0 && x->n_files > 0 };
	out[3] = (struct reference_count){ "DIR007", count_bad_links(x) };
	out[4] = (struct reference_count){ "DIR008", count_bad_files(x) };
	out[5] = (struct reference_count){ "DIR009", count_bad_chunks(x, chunks->n) };
	out[6] = (struct reference_count){ "DIR013", odd_root };
	out[7] = (struct reference_count){ "DIR017", count_strings(x, escapes, false) };
	out[8] = (struct reference_count){ "DIR018", count_strings(x, is_odd, false) };
	out[9] = (struct reference_count){ "DIR022", mount_is_odd(m) };
	out[10] = (struct reference_count){ "DIR023",
					    m->n > 0 && reference_unit(m, m->n - 1) != '/' };
	out[11] = (struct reference_count){ "DIR024", mount_escapes(m) };
	out[12] = (struct reference_count){ "DIR027", x->left > (encrypted ? PAD : 0) };
}

/* ---- Of the tree ----------------------------------------------------------------------------- */

uint64_t reference_unreached(const bool *reached, uint64_t n)
{
	uint64_t lost = 0;

	for (uint64_t i = 0; i < n; i++)
		lost += !reached[i];
	return lost;
}

/* Whether a string is the name of something that is reached. */
static bool is_used(const struct reference_index *x, uint64_t string)
{
	for (uint64_t i = 1; i < x->n_directories; i++)
		if (x->reached_directory[i] && reference_directory(x, i, 0) == string)
			return true;
	for (uint64_t i = 0; i < x->n_files; i++)
		if (x->reached_file[i] && reference_file(x, i, 0) == string)
			return true;
	return false;
}

static bool is_repeated(const struct reference_index *x, uint64_t string)
{
	const struct reference_string *s = &x->strings[string];

	for (uint64_t i = 0; i < string; i++) {
		const struct reference_string *t = &x->strings[i];

		if (s->wide == t->wide && s->n == t->n &&
		    (s->n == 0 || memcmp(s->units, t->units, (size_t)(s->n << s->wide)) == 0))
			return true;
	}
	return false;
}

static uint64_t count_needless(const struct reference_index *x)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < x->n_strings; i++)
		n += !is_used(x, i) || is_repeated(x, i);
	return n;
}

static bool has_no_name(const struct reference_index *x, uint32_t name)
{
	return name == NONE || x->strings[name].n == 0;
}

/* Reported once for directories and once for files. */
static uint64_t count_nameless(const struct reference_index *x)
{
	bool directory = false, file = false;

	for (uint64_t i = 1; i < x->n_directories; i++)
		directory = directory || (x->reached_directory[i] &&
					  has_no_name(x, reference_directory(x, i, 0)));
	for (uint64_t i = 0; i < x->n_files; i++)
		file = file || (x->reached_file[i] && has_no_name(x, reference_file(x, i, 0)));
	return (uint64_t)directory + file;
}

/* Files of which an earlier one that is reached has the same chunk. */
static uint64_t count_again(const struct reference_index *x, uint64_t n_chunks)
{
	bool named[REFERENCE_CHUNKS] = { false };
	uint64_t n = 0;

	for (uint64_t i = 0; i < x->n_files; i++) {
		uint32_t chunk = reference_file(x, i, 2);

		if (!x->reached_file[i] || chunk >= n_chunks)
			continue;
		n += named[chunk];
		named[chunk] = true;
	}
	return n;
}

uint64_t reference_pathless(const struct reference_index *x, const struct reference_chunks *chunks)
{
	bool named[REFERENCE_CHUNKS] = { false };
	uint64_t n = 0;

	for (uint64_t i = 0; i < x->n_files; i++)
		if (x->reached_file[i] && reference_file(x, i, 2) < chunks->n)
			named[reference_file(x, i, 2)] = true;
	for (uint64_t i = 0; i < chunks->n && x->n_files > 0; i++)
		n += chunks->kinds[i] == KIND_PACKAGE && !named[i];
	return n;
}

/* The harness makes no chunk of the kinds that three of the extensions promise. */
static bool promises_other(const struct reference_string *s, uint8_t kind)
{
	if (ends_in(s, ".uasset") || ends_in(s, ".umap"))
		return kind != KIND_PACKAGE;
	if (ends_in(s, ".m.ubulk") || ends_in(s, ".uptnl") || ends_in(s, ".ushaderbytecode"))
		return true;
	return ends_in(s, ".ubulk") && kind != KIND_BULK;
}

static void count_kinds(const struct reference_index *x, const struct reference_chunks *chunks,
			uint64_t *other, uint64_t *headers)
{
	*other = *headers = 0;
	for (uint64_t i = 0; i < x->n_files; i++) {
		uint32_t chunk = reference_file(x, i, 2);

		if (!x->reached_file[i] || chunk >= chunks->n)
			continue;
		*other += promises_other(&x->strings[reference_file(x, i, 0)],
					 chunks->kinds[chunk]);
		*headers += chunks->kinds[chunk] == KIND_HEADER;
	}
}

/* Units of the mount point and the directories, with a separator after each. */
static uint64_t length_to(const struct reference_index *x, uint32_t directory)
{
	uint64_t n = x->mount.n;

	if (n == 0 || reference_unit(&x->mount, n - 1) != '/')
		n++;
	for (uint32_t i = directory; i != 0; i = x->parent[i])
		n += 1 + (reference_directory(x, i, 0) == NONE
				  ? 0
				  : x->strings[reference_directory(x, i, 0)].n);
	return n;
}

static uint64_t count_long(const struct reference_index *x)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < x->n_files; i++)
		n += x->reached_file[i] &&
		     length_to(x, x->directory_of[i]) + x->strings[reference_file(x, i, 0)].n >
			     LONG_PATH;
	return n;
}

void reference_count_tree(const struct reference_index *x, const struct reference_chunks *chunks,
			  struct reference_count out[REFERENCE_TREE_COUNTS])
{
	uint64_t other, headers;
	bool lost = reference_unreached(x->reached_directory, x->n_directories) > 0;

	count_kinds(x, chunks, &other, &headers);
	out[0] = (struct reference_count){
		"DIR012", lost + (uint64_t)(reference_unreached(x->reached_file, x->n_files) > 0)
	};
	out[1] = (struct reference_count){ "DIR014", count_nameless(x) };
	out[2] = (struct reference_count){ "DIR016", count_again(x, chunks->n) };
	out[3] = (struct reference_count){ "DIR021", count_long(x) };
	out[4] = (struct reference_count){ "DIR025", other };
	out[5] = (struct reference_count){ "TOC025", headers };
	out[6] = (struct reference_count){ "DIR028", count_needless(x) };
	out[7] = (struct reference_count){ "DIR029", reference_pathless(x, chunks) > 0 };
}

/* ---- Of plain names -------------------------------------------------------------------------- */

static bool is_same(const struct reference_string *a, const struct reference_string *b)
{
	for (uint64_t i = 0; i < a->n && a->n == b->n; i++) {
		uint32_t c = small(reference_unit(a, i)), d = small(reference_unit(b, i));

		if ((c == '/' ? '\\' : c) != (d == '/' ? '\\' : d))
			return false;
	}
	return a->n == b->n;
}

/* Whether row i has a row before it in the same directory whose name is the same. */
static bool is_alike(const struct reference_index *x, bool files, uint64_t i)
{
	const bool *reached = files ? x->reached_file : x->reached_directory;
	const uint32_t *in = files ? x->directory_of : x->parent;
	uint32_t name = files ? reference_file(x, i, 0) : reference_directory(x, i, 0);

	for (uint64_t k = files ? 0 : 1; k < i && reached[i] && name != NONE; k++) {
		uint32_t other = files ? reference_file(x, k, 0) : reference_directory(x, k, 0);

		if (reached[k] && in[k] == in[i] && other != NONE &&
		    is_same(&x->strings[name], &x->strings[other]))
			return true;
	}
	return false;
}

void reference_count_alike(const struct reference_index *x,
			   struct reference_count out[REFERENCE_PATH_COUNTS])
{
	out[0] = (struct reference_count){ "DIR019", 0 };
	out[1] = (struct reference_count){ "DIR020", 0 };
	for (uint64_t i = 1; i < x->n_directories; i++)
		out[0].n += is_alike(x, false, i);
	for (uint64_t i = 0; i < x->n_files; i++)
		out[1].n += is_alike(x, true, i);
}

/* Cuts an end off, in any case. */
static bool drop(char *path, const char *end)
{
	struct reference_string s = { .units = (const uint8_t *)path, .n = strlen(path) };

	if (!ends_in(&s, end))
		return false;
	path[s.n - strlen(end)] = 0;
	return true;
}

uint64_t reference_package_id(char path[REFERENCE_PATH])
{
	char name[REFERENCE_PATH + 8], *content;
	uint64_t n;

	if (strncmp(path, "../../../", 9) != 0 || (!drop(path, ".uasset") && !drop(path, ".umap")))
		return 0;
	n = strlen(path);
	if (n > 3 && path[n - 3] != '/')
		drop(path, ".o");
	for (uint64_t i = 0; path[i]; i++)
		path[i] = (char)small((uint8_t)path[i]);
	content = strchr(path + 9, '/');
	if (!content || strncmp(content, "/content/", 9) != 0)
		return 0;
	strcpy(name, strncmp(path + 9, "engine/", 7) == 0 ? "/engine" : "/game");
	strcat(name, content + 8);
	return strlen(name) > 1024 ? 0 : cityhash64_wide((const uint8_t *)name, strlen(name));
}

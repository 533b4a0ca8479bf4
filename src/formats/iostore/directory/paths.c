/* Paths in the directory index: of a chunk's file, for messages, and of packages, for their ids. */
#include "codec/cityhash.h"
#include "core/mutant.h"
#include "core/text_wide.h"
#include "formats/iostore/directory/parts.h"

/* ---- For messages ---------------------------------------------------------------------------- */

/* A tail is the end of a text, written backwards from its last byte. */
struct tail {
	char *buf;
	size_t size, from; /* buf[from] is the first byte that was written; buf[size] is the end */
	bool cut;
};

static void put_byte(struct tail *t, uint8_t byte)
{
	if (t->from > 0)
		t->buf[--t->from] = (char)byte;
	else
		t->cut = true;
}

static void put_character(struct tail *t, struct text one)
{
	uint8_t utf8[4];
	bool whole;
	size_t n = text_utf8(one, 1, utf8, &whole);

	if (n > t->from)
		t->cut = true;
	for (; !t->cut && n > 0; n--)
		put_byte(t, utf8[n - 1]);
}

static bool is_pair_end(struct text x, uint64_t end)
{
	return x.ref.encoding != TEXT_CP1252 && end >= 2 &&
	       text_between(text_unit(x, end - 1), 0xDC00, 0xDFFF) &&
	       text_between(text_unit(x, end - 2), 0xD800, 0xDBFF);
}

static void put_text(struct tail *t, struct text x)
{
	uint64_t n;

	for (uint64_t end = x.ref.n_units; end > 0 && !t->cut; end -= n) {
		n = is_pair_end(x, end) ? 2 : 1;
		put_character(t, text_sub(x, end - n, n));
	}
}

static void put_name(struct tail *t, const struct directory *x, uint32_t name)
{
	if (name < x->n_strings)
		put_text(t, directory_string(x, name));
}

static size_t finish_tail(struct tail *t)
{
	size_t n = t->size - t->from;

	memmove(t->buf, t->buf + t->from, n);
	for (size_t i = 0; t->cut && i < n && (i < 3 || ((uint8_t)t->buf[i] & 0xC0) == 0x80); i++)
		t->buf[i] = '.';
	t->buf[n] = 0;
	return n;
}

size_t directory_file_path(const struct directory *x, uint64_t file, char *buf, size_t size)
{
	struct tail t = { .buf = buf, .size = size - 1, .from = size - 1 };
	const uint32_t n = x->mount.ref.n_units;

	put_name(&t, x, file_links(x->files, file).name);
	if (!x->directory_of_file || x->directory_of_file[file] == TOC_NONE)
		return finish_tail(&t);
	for (uint32_t i = x->directory_of_file[file]; i != 0 && !t.cut; i = x->parent[i]) {
		put_byte(&t, '/');
		put_name(&t, x, directory_links(x, i).name);
	}
	/* mutant: an empty mount point has a last letter */
	if (n == MUTANT(103) || text_unit(x->mount, n - 1) != '/')
		put_byte(&t, '/');
	put_text(&t, x->mount);
	return finish_tail(&t);
}

size_t directory_path(const struct directory *x, uint64_t chunk, char *buf, size_t size)
{
	buf[0] = 0;
	if (!x->file_of_chunk || chunk >= x->n_chunks || x->file_of_chunk[chunk] == TOC_NONE)
		return 0;
	return directory_file_path(x, x->file_of_chunk[chunk], buf, size);
}

/* ---- For packages ---------------------------------------------------------------------------- */

static struct package_path package_root(const char *root, uint8_t *bytes)
{
	const uint32_t n = (uint32_t)strlen(root);

	return (struct package_path){ text_widen(bytes, (const uint8_t *)root, n) ? PACKAGE_INSIDE
										  : PACKAGE_OUTSIDE,
				      (uint16_t)n };
}

/* As text_widen, for a name whose characters already have two bytes. */
UVET_RARE static bool lower_wide(uint8_t *out, const struct text *name, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		const uint32_t c = text_unit(*name, i);

		if (c >= 0x80)
			return false;
		out[2 * i] = (uint8_t)(c >= 'A' && c <= 'Z' ? c + 32 : c);
		out[2 * i + 1] = 0;
	}
	return true;
}

/* Appends the first n characters of a name to a path and returns its new length; 0: it is not
 * known. */
static inline uint32_t append_name(struct package_path path, const struct text *name, uint64_t n,
				   uint8_t *bytes)
{
	uint8_t *out = bytes + 2 * (size_t)path.n;

	if (path.n + n >= PACKAGE_PATH_MAX + 16 * (uint64_t)MUTANT(100)) /* mutant: more */
		return 0;
	out[0] = '/';
	out[1] = 0;
	if (name->ref.encoding != TEXT_CP1252)
		return lower_wide(out + 2, name, n) ? path.n + 1 + (uint32_t)n : 0;
	return text_widen(out + 2, name->data, (uint32_t)n) ? path.n + 1 + (uint32_t)n : 0;
}

static struct package_path append_directory(struct package_path path, const struct text *name,
					    uint8_t *bytes)
{
	const uint32_t n = append_name(path, name, name->ref.n_units, bytes);

	return (struct package_path){ n > 0 ? PACKAGE_INSIDE : PACKAGE_OUTSIDE, (uint16_t)n };
}

/* The name of the root is known only for the content of the project and of the engine; that of a
 * plugin need not be its folder's. */
struct package_path package_path_enter(struct package_path path, const struct text *name,
				       uint8_t *bytes)
{
	const struct package_path outside = { PACKAGE_OUTSIDE, 0 };

	switch (path.state) {
	case PACKAGE_START:
		return (struct package_path){ text_is(*name, "Engine") ? PACKAGE_ENGINE
								       : PACKAGE_PROJECT,
					      0 };
	case PACKAGE_PROJECT:
		return text_is(*name, "Content") ? package_root("/game", bytes) : outside;
	case PACKAGE_ENGINE:
		return text_is(*name, "Content") ? package_root("/engine", bytes) : outside;
	case PACKAGE_INSIDE:
		return append_directory(path, name, bytes);
	default:
		return outside;
	}
}

/* The mount point begins with `../../../`, followed by directories, each with a separator after
 * it. */
struct package_path package_path_mount(const struct text *mount, uint8_t *bytes)
{
	struct package_path path = { PACKAGE_START, 0 };
	const uint64_t n = mount->ref.n_units;
	uint64_t from = strlen("../../../");

	if (!text_starts(*mount, "../../../"))
		return (struct package_path){ PACKAGE_OUTSIDE, 0 };
	while (from < n) {
		const uint64_t to = text_find(*mount, '/', from);
		const struct text name = text_sub(*mount, from, to - from);

		path = package_path_enter(path, &name, bytes);
		from = to + 1;
	}
	return path;
}

/* Packages of an optional segment have `.o` before their extension, and the id of the package that
 * they belong to. */
uint64_t package_path_id(struct package_path path, const struct text *name, uint8_t *bytes)
{
	const uint32_t n = name->ref.n_units;
	const bool is_optional = n > 2 && text_unit(*name, n - 2) == '.' &&
				 (text_unit(*name, n - 1) | 0x20) == 'o';
	const uint32_t all = append_name(path, name, is_optional ? n - 2 : n, bytes);

	return all > 0 ? cityhash64(bytes, 2 * (uint64_t)all) : 0;
}

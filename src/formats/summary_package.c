/* What is kept of a package whole: comparing its names, and copying it. */
#include "formats/summary_package.h"

#include <string.h>

#include "core/ascii.h"
#include "core/hash.h"

static int folded(char c)
{
	return (unsigned char)ascii_lower(c);
}

int package_text_compare(struct package_text a, struct package_text b)
{
	const uint32_t n = a.len < b.len ? a.len : b.len;

	for (uint32_t i = 0; i < n; i++)
		if (folded(a.chars[i]) != folded(b.chars[i]))
			return folded(a.chars[i]) - folded(b.chars[i]);
	return (a.len > b.len) - (a.len < b.len);
}

uint64_t package_text_hash(struct package_text t)
{
	uint64_t hash = hash_mix(0, t.len), word = 0;

	for (uint32_t i = 0; i < t.len; i++) {
		word = (word & UINT64_MAX >> 8) << 8 | (uint64_t)folded(t.chars[i]);
		if (i % 8 == 7)
			hash = hash_mix(hash, word);
	}
	return hash_mix(hash, word);
}

/* No engine saves as many objects in each other. */
enum { LEVELS_MAX = 64 };

size_t package_import_path(const struct summary_package *p, uint32_t import,
			   char room[PACKAGE_PATH_MAX])
{
	size_t at = PACKAGE_PATH_MAX;

	for (unsigned n = 0; n < LEVELS_MAX; n++) {
		const struct package_text t = package_text_of(p, p->imports[import].name);

		if (t.len + 1 > at)
			break;
		if (n > 0)
			room[--at] = '.';
		at -= t.len;
		memcpy(room + at, t.chars, t.len);
		if (p->imports[import].outer >= 0)
			break;
		import = (uint32_t) - (p->imports[import].outer + 1);
	}
	return at;
}

/* Copies count rows of `size` bytes behind *at, where there is room. */
static const void *put(uint8_t **at, const void *rows, uint64_t count, size_t size)
{
	uint8_t *to = *at;
	const size_t len = (size_t)count * size;

	if (len > 0)
		memcpy(to, rows, len);
	*at = to + len;
	return to;
}

/* All rows but texts have parts of four bytes, and texts come last, so that nothing needs padding
 * between them. */
const struct summary_package *summary_package_copy(struct arena *arena,
						   const struct summary_package *p)
{
	const uint64_t n_texts = p->n_names > 0 ? p->ends[p->n_names - 1] : 0;
	const uint64_t size = sizeof *p + p->n_imports * sizeof *p->imports +
			      p->n_exports * sizeof *p->exports +
			      p->n_generations * sizeof *p->generations +
			      p->n_names * (sizeof *p->ends + sizeof *p->hashes) + n_texts;
	struct summary_package *copy = arena_alloc(arena, size, 1);
	uint8_t *at;

	if (!copy)
		return NULL;
	*copy = *p;
	at = (uint8_t *)(copy + 1);
	copy->imports = put(&at, p->imports, p->n_imports, sizeof *p->imports);
	copy->exports = put(&at, p->exports, p->n_exports, sizeof *p->exports);
	copy->generations = put(&at, p->generations, p->n_generations, sizeof *p->generations);
	copy->ends = put(&at, p->ends, p->n_names, sizeof *p->ends);
	copy->hashes = put(&at, p->hashes, p->n_names, sizeof *p->hashes);
	copy->texts = put(&at, p->texts, n_texts, 1);
	return copy;
}

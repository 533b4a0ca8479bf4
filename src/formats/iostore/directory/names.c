/* The strings of the directory index: the defects of each as a name, and what its extension
 * promises. */
#include "formats/iostore/directory/parts.h"

#include "core/mutant.h"
#include "core/path_plain.h"

/* What makes a name a way out of its directory. */
enum { PATH_ESCAPES = PATH_SEPARATOR | PATH_COLON | PATH_DRIVE | PATH_PARENT | PATH_SELF };

/* ---- Extensions ------------------------------------------------------------------------------ */

#define TAIL(a, b, c, d, e, f, g, h) TEXT_WORD8(a, b, c, d, e, f, g, h)
#define SHADERS ".ushaderbytecode"

/* The class of a name by its last eight bytes in lower case. */
static inline enum name_class tail_class(uint64_t tail, struct held name)
{
	if (tail >> 8 == TAIL('.', 'u', 'a', 's', 's', 'e', 't', 0))
		return NAME_OF_ASSET;
	if (tail >> 16 == TAIL('.', 'u', 'b', 'u', 'l', 'k', 0, 0))
		return (tail & 0xFFFF) == TEXT_WORD('.', 'm', 0, 0) ? NAME_OF_MAPPED : NAME_OF_BULK;
	if (tail >> 24 == TAIL('.', 'u', 'm', 'a', 'p', 0, 0, 0))
		return NAME_OF_MAP;
	if (tail >> 16 == TAIL('.', 'u', 'p', 't', 'n', 'l', 0, 0))
		return NAME_OF_OPTIONAL;
	if (tail != TAIL('b', 'y', 't', 'e', 'c', 'o', 'd', 'e') || name.len < sizeof SHADERS - 1)
		return NAME_OF_ANY;
	tail = held_u64(name, name.len - 16) | EACH_BYTE(0x20);
	return tail == TAIL('.', 'u', 's', 'h', 'a', 'd', 'e', 'r') ? NAME_OF_SHADERS : NAME_OF_ANY;
}

static enum name_class slow_class(const struct text *t)
{
	static const struct {
		const char *extension;
		enum name_class class;
	} rows[] = {
		{ ".uasset", NAME_OF_ASSET },   { ".umap", NAME_OF_MAP },
		{ ".m.ubulk", NAME_OF_MAPPED }, { ".ubulk", NAME_OF_BULK },
		{ ".uptnl", NAME_OF_OPTIONAL }, { SHADERS, NAME_OF_SHADERS },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (text_ends(*t, rows[i].extension))
			return rows[i].class;
	return NAME_OF_ANY;
}

/* ---- Traits ---------------------------------------------------------------------------------- */

static uint32_t encoding_traits(const struct text *t)
{
	uint32_t traits = 0;

	for (uint64_t i = 0; i < t->ref.n_units;) {
		const uint32_t c = text_next(*t, &i);

		if (c == 0)
			traits |= STRING_INNER_NUL;
		else if (t->ref.encoding == TEXT_CP1252 && c >= 0x80)
			traits |= STRING_HIGH;
		else if (t->ref.encoding != TEXT_CP1252 && text_between(c, 0xD800, 0xDFFF))
			traits |= STRING_NOT_UNICODE;
	}
	return traits;
}

static uint32_t string_traits(const struct text *t)
{
	if (t->ref.n_units == 0 && t->ref.flags & TEXT_UNTERMINATED)
		return STRING_EMPTY;
	return encoding_traits(t) | (t->ref.n_units == 0 ? STRING_EMPTY : 0u) |
	       (t->ref.flags & TEXT_UNTERMINATED ? STRING_NO_NUL : 0u);
}

/* The defects of a name that is not plain. */
UVET_RARE static uint32_t examine_slowly(const struct text *t, uint32_t *hash)
{
	struct path p;
	uint32_t traits = string_traits(t);

	path_examine_at(t, &p);
	*hash = p.hash;
	if (p.traits & PATH_ESCAPES)
		traits |= STRING_ESCAPES;
	if (p.traits & PATH_REFUSED && !MUTANT(97)) /* mutant: a device's name passes */
		traits |= STRING_ODD;
	/* DIR004 tells of those */
	if (p.traits & PATH_DECEPTIVE && !(traits & (STRING_HIGH | STRING_NOT_UNICODE)))
		traits |= STRING_ODD;
	return traits | (uint32_t)slow_class(t) << STRING_CLASS_SHIFT;
}

/* ---- The table ------------------------------------------------------------------------------- */

/* The fast path for a plain name in single bytes that ends in a NUL: how many bytes it has; 0: it
 * is no such name. */
static inline uint64_t take_quickly(const struct cursor *c, uint32_t *n_units, uint32_t *hash,
				    uint32_t *traits)
{
	struct cursor here = *c;
	struct held name;
	uint64_t raw, tail;

	if (!cursor_u32(&here, &raw) || raw == 0 || !held_take(&here, raw, &name) ||
	    held_u8(name, raw - 1) != 0)
		return 0;
	*n_units = (uint32_t)raw - 1;
	if (!path_plain_name(name.bytes, *n_units, hash, &tail))
		return 0;
	name.len--;
	*traits = (uint32_t)tail_class(tail, name) << STRING_CLASS_SHIFT;
	return utoc_count_fixed_len + raw;
}

UVET_RARE static bool take_slowly(struct directory *x, struct cursor *c, uint32_t *n_units,
				  uint32_t *hash, uint32_t *traits)
{
	struct text t;

	if (!directory_take_string(x, c, "a string", &t))
		return false;
	*n_units = t.ref.n_units;
	*traits = examine_slowly(&t, hash);
	return true;
}

/* Whether the fast path found what the complete check finds. */
static inline bool is_as_thorough(struct directory *x, struct cursor c, uint32_t n_units,
				  uint32_t hash, uint32_t traits)
{
	uint32_t n, h, t;

	return take_slowly(x, &c, &n, &h, &t) && n == n_units && h == hash && t == traits;
}

bool directory_read_names(struct directory *x, struct cursor *c, uint32_t *strings,
			  uint32_t *hashes)
{
	struct cursor here = *c;
	uint16_t *out = x->string_traits;
	uint32_t all = 0, longest = 0, n_units, traits;

	for (uint64_t i = 0; i < x->n_strings; i++) {
		uint64_t taken = take_quickly(&here, &n_units, &hashes[i], &traits);

		PLAIN(taken == 0 || is_as_thorough(x, here, n_units, hashes[i], traits));
		strings[i] = (uint32_t)here.pos;
		here.pos += taken;
		if (taken == 0 && !take_slowly(x, &here, &n_units, &hashes[i], &traits))
			return false;
		out[i] = (uint16_t)(traits | STRING_UNUSED);
		all |= traits;
		longest = n_units > longest ? n_units : longest;
	}
	out[x->n_strings] = (uint16_t)(string_traits(&x->mount) & ~(uint32_t)STRING_EMPTY);
	x->all_string_traits = (all | out[x->n_strings]) & STRING_TRAITS;
	x->longest = longest;
	*c = here;
	return true;
}

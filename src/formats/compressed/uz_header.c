/* The head of a .uz, before its codes: the stored name, the total, and the Huffman tree. */
#include "formats/compressed/uz.h"

#include "codec/inflate.h"
#include "core/mutant.h"
#include "core/path.h"
#include "formats/compressed/uz3.h"

/* How many bytes of what may be a zlib stream are decoded to tell whether it is one. */
#define PROBE_LEN ((uint64_t)65536)

static bool has_inner_nul(struct text name)
{
	return text_find(name, 0, 0) < name.ref.n_units;
}

/* The defect of a name that could be read; 0: it has none. */
static uint64_t name_defect(struct text name, uint32_t traits)
{
	if (name.ref.flags & TEXT_COUNT_ZERO)
		return UZ_NAME_COUNT_ZERO;
	if (name.ref.flags & TEXT_UNTERMINATED)
		return UZ_NAME_UNTERMINATED;
	if (name.ref.n_units == 0)
		return UZ_NAME_EMPTY;
	if (has_inner_nul(name))
		return UZ_NAME_INNER_NUL;
	if (traits & PATH_SEPARATOR)
		return UZ_NAME_FOLDER;
	return traits & PATH_UNSAFE ? UZ_NAME_UNSAFE : 0;
}

/* Reads the count of a name, without its sign, and returns how many bytes it takes; 0: there is no
 * count. */
static uint64_t peek_count(struct cursor c, uint64_t *count)
{
	uint64_t start = cursor_at(&c);
	enum index_form form;
	int64_t value;

	if (!cursor_index(&c, &value, &form))
		return 0;
	*count = value < 0 ? (uint64_t)-value : (uint64_t)value;
	return cursor_at(&c) - start;
}

static uint32_t traits_of(struct text name)
{
	return name.ref.n_units > 0 ? path_examine(name).traits : 0;
}

/* The defect of the name at c, if one can be read there. */
static bool peek_name(struct cursor c, uint64_t *defect)
{
	struct cursor start = c;
	struct uz_original original;
	uint64_t count;
	struct text name;

	if (peek_count(c, &count) == 0 || count > UZ_NAME_MAX ||
	    !uz_original_read(&c, 0, &original))
		return false;
	name = text_at(&start, original.name);
	*defect = name_defect(name, traits_of(name));
	return true;
}

bool uz_sane_name(struct cursor c)
{
	uint64_t defect;

	return peek_name(c, &defect) && defect == 0;
}

bool uz_name_is_there(struct cursor c)
{
	uint64_t defect;

	return peek_name(c, &defect) &&
	       (defect & ~(uint64_t)(UZ_NAME_FOLDER | UZ_NAME_UNSAFE)) == 0;
}

/* Whether all units are ASCII, so that names of different encodings can be compared. */
static bool is_ascii(struct text t)
{
	for (uint64_t i = 0; i < t.ref.n_units; i++)
		if (text_unit(t, i) >= 0x80)
			return false;
	return true;
}

static bool differs(const struct decode *d, struct text name)
{
	struct text stem = unpacked_stem(d->source);

	if (!unpacked_has_extension(d->source, "uz") || (!is_ascii(stem) && !is_ascii(name)))
		return false;
	return path_compare(stem, name) != 0;
}

static bool refuse_name(struct decode *d, struct uz *u, uint64_t defect, struct span at)
{
	u->defects |= defect;
	u->name_place = at;
	return decode_stop(d, UZ_NAME, STOP_MALFORMED, at);
}

bool uz_decode_name(struct decode *d, struct uz *u, struct cursor *c)
{
	struct span rest = { cursor_at(c), u->size - cursor_at(c) };
	struct cursor start = *c;
	uint64_t count, count_len = peek_count(*c, &count), defect;
	struct text name;

	if (count_len == 0)
		return refuse_name(d, u, UZ_NAME_UNREADABLE, rest);
	/* mutant: a name may be one unit too long */
	if (count > UZ_NAME_MAX + (uint64_t)MUTANT(48))
		return refuse_name(d, u, UZ_NAME_TOO_LONG, (struct span){ rest.at, count_len });
	if (!uz_original_read(c, 0, &u->original))
		return refuse_name(d, u, UZ_NAME_UNREADABLE, rest);
	name = text_at(&start, u->original.name);
	u->name_traits = traits_of(name);
	u->name_place = (struct span){ rest.at, cursor_at(c) - rest.at };
	defect = name_defect(name, u->name_traits);
	if (defect == 0) {
		u->content.name = name;
		defect = differs(d, name) ? UZ_NAME_MISMATCH : 0;
	}
	u->defects |= defect;
	return true;
}

static bool refuse_tree(struct decode *d, struct uz *u, uint64_t defect, struct span at)
{
	u->defects |= defect;
	return decode_stop(d, UZ_TREE, STOP_MALFORMED, at);
}

static bool decodes_as_zlib(struct decode *d, struct cursor window)
{
	struct arena_mark mark = arena_mark(d->arena);
	struct inflater inflater = { .arena = d->arena };
	struct inflated r = { INFLATE_NO_MEMORY, 0, 0 };
	uint64_t n = cursor_left(&window);
	uint8_t *probe = arena_alloc(d->arena, PROBE_LEN, 1);
	const uint8_t *bytes;

	if (probe && cursor_bytes(&window, n, &bytes))
		r = inflate_whole(&inflater, bytes, n, probe, PROBE_LEN);
	arena_rewind(d->arena, mark);
	if (r.result == INFLATE_NO_MEMORY)
		return decode_stop(d, UZ_TREE, STOP_MEMORY, (struct span){ window.origin, n });
	return r.result == INFLATE_DONE || r.result == INFLATE_FULL;
}

/* A total may begin with the same two bytes as a zlib stream, so the stream must decode as well,
 * to its end or to PROBE_LEN bytes. Twice as many bytes of input are enough for that. */
static bool is_zlib(struct decode *d, struct cursor c)
{
	struct span probe = { cursor_at(&c), d->source->io.size - cursor_at(&c) };
	struct cursor window;
	uint64_t first, second;

	if (!cursor_u8(&c, &first) || !cursor_u8(&c, &second) ||
	    !inflate_looks_like_zlib(first, second))
		return false;
	if (probe.len > 2 * PROBE_LEN)
		probe.len = 2 * PROBE_LEN;
	return unpacked_take(d, UZ_TREE, probe) && decode_window(d, UZ_TREE, probe, &window) &&
	       decodes_as_zlib(d, window);
}

/* Readers of .uz3 expect their stream right after the size, where a .uz has its name. */
static bool is_uz3_too(struct decode *d, const struct uz *u, struct cursor c)
{
	return u->kind == UZ_KIND_NEW && cursor_seek(&c, uz3_header_fixed_len) && is_zlib(d, c);
}

static uint64_t tree_defect(enum huffman_fault fault)
{
	static const uint64_t defects[] = {
		[HUFFMAN_FINE] = 0,
		[HUFFMAN_TREE_CUT] = UZ_TREE_CUT,
		[HUFFMAN_TREE_WIDE] = UZ_TREE_WIDE,
		[HUFFMAN_TREE_DEEP] = UZ_TREE_DEEP,
	};

	return defects[fault];
}

static bool read_tree(struct decode *d, struct uz *u, struct cursor c)
{
	enum huffman_fault fault;

	u->huffman = decode_alloc(d, UZ_TREE, 1, sizeof *u->huffman);
	if (!u->huffman)
		return false;
	u->huffman->n_in = cursor_left(&c);
	if (!cursor_bytes(&c, u->huffman->n_in, &u->huffman->in))
		return decode_stop(d, UZ_TREE, STOP_MALFORMED, u->data);
	fault = huffman_read_tree(u->huffman);
	if (fault != HUFFMAN_FINE)
		return refuse_tree(d, u, tree_defect(fault), u->data);
	return true;
}

bool uz_decode_tree(struct decode *d, struct uz *u, struct cursor *c)
{
	struct span rest = { cursor_at(c), u->size - cursor_at(c) };

	if (is_zlib(d, *c))
		return refuse_tree(d, u, UZ_ZLIB_INSIDE, rest);
	if (decode_has(d, UZ_TREE) && is_uz3_too(d, u, *c))
		return refuse_tree(d, u, UZ_UZ3_INSIDE, rest);
	if (!decode_has(d, UZ_TREE))
		return false;
	if (!uz_codes_read(c, 0, &u->codes))
		return refuse_tree(d, u, UZ_TOTAL_CUT, rest);
	u->data = (struct span){ cursor_at(c), u->size - cursor_at(c) };
	if (u->codes.total > UZ_INT_MAX)
		return refuse_tree(d, u, UZ_TOTAL_NEGATIVE, rest);
	return read_tree(d, u, *c);
}

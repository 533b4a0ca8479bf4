/* The names of files: where they are, what is wrong with them, and their hashes. */
#include "formats/pak/parts.h"

#include "core/path_plain.h"
#include "core/utf8.h"
#include "formats/blocks/index_string.h"

/* The traits of a path that leads out of the mount point. */
enum { PATH_ESCAPES = PATH_ROOTED | PATH_DRIVE | PATH_PARENT };

/* ---- Reading --------------------------------------------------------------------------------- */

/* A name of version 12: a length of n, and n bytes. */
static bool take_utf8(struct cursor *c, struct text *out, int64_t *length)
{
	struct cursor here = *c;
	struct held name;

	*length = 0;
	if (!pak_take_number(&here, length) || *length < 0 ||
	    !held_take(&here, (uint64_t)*length, &name))
		return false;
	*out = (struct text){ name.bytes,
			      { .at = cursor_at(&here) - name.len,
				.n_units = (uint32_t)name.len,
				.encoding = TEXT_CP1252 } };
	*c = here;
	return true;
}

bool pak_take_name(const struct pak *p, bool of_file, struct cursor *c, struct text *out,
		   int64_t *length)
{
	if (of_file && p->tail.version >= PAK_UTF8)
		return take_utf8(c, out, length);
	return index_string_read(c, out, length);
}

/* Since version 15 the names lie together, and a table has the offset at which each begins and
 * ends. */
static struct text flat_name(const struct pak *p, uint32_t at)
{
	const uint64_t from = held_u32(p->names, at),
		       to = held_u32(p->names, (uint64_t)at + PAK_NUMBER_LEN);
	const struct held name = held_part(p->flat.names, from, to - from);

	return (struct text){ name.bytes,
			      { .at = p->names_at + p->flat.names_at + from,
				.n_units = (uint32_t)name.len,
				.encoding = TEXT_CP1252 } };
}

/* The decoded names of directories follow one another. */
static struct text flat_directory(const struct pak *p, uint32_t i)
{
	const uint64_t from = p->directories[i].name, to = i + UINT64_C(1) < p->n_directories
								   ? p->directories[i + 1].name
								   : p->flat.decoded_len;

	return (struct text){
		p->flat.decoded + from,
		{ .at = p->names_at, .n_units = (uint32_t)(to - from), .encoding = TEXT_CP1252 }
	};
}

static struct text no_name(const struct pak *p)
{
	return (struct text){ rows_zeros, { .at = p->names_at } };
}

/* The name at a place where one was read before; *c is after it. */
static struct text take_again(const struct pak *p, bool of_file, uint32_t at, struct cursor *c)
{
	struct text t = { NULL, { .at = p->names_at } };
	int64_t length;
	bool has_place, has_name;

	*c = cursor_init(p->names.bytes, p->names.len, p->names_at);
	has_place = cursor_seek(c, p->names_at + at);
	has_name = pak_take_name(p, of_file, c, &t, &length) & has_place;
	return ALWAYS(has_name) ? t : no_name(p);
}

static struct text name_at(const struct pak *p, bool of_file, uint32_t at)
{
	struct cursor c;

	return take_again(p, of_file, at, &c);
}

bool pak_is_nameless(const struct pak *p, const struct pak_file *row)
{
	return !p->has_paths || row->traits & PAK_UNLISTED;
}

struct text pak_file_name(const struct pak *p, const struct pak_file *row)
{
	if (pak_is_nameless(p, row))
		return no_name(p);
	if (pak_is_flat(p))
		return flat_name(p, row->name);
	return name_at(p, row->directory != PAK_NONE, row->name);
}

struct text pak_whole_directory_name(const struct pak *p, uint32_t directory)
{
	return pak_is_flat(p) ? flat_directory(p, directory)
			      : name_at(p, false, p->directories[directory].name);
}

struct text pak_below_mount(struct text name)
{
	return name.ref.n_units > 0 && text_unit(name, 0) == '/'
		       ? text_sub(name, 1, name.ref.n_units)
		       : name;
}

struct text pak_directory_name(const struct pak *p, uint32_t directory)
{
	return pak_below_mount(pak_whole_directory_name(p, directory));
}

int64_t pak_file_location(const struct pak *p, const struct pak_file *row)
{
	int64_t location = 0;
	struct cursor c;
	bool is_there;

	if (pak_is_nameless(p, row))
		return pak_hash_location(p, (row->name - pak_number_fixed_len) /
						    pak_path_hash_fixed_len);
	if (pak_is_flat(p))
		return pak_flat_location(p, (uint64_t)(row - p->files));
	take_again(p, true, row->name, &c);
	is_there = pak_take_number(&c, &location);
	return ALWAYS(is_there) ? location : PAK_NO_LOCATION;
}

/* ---- Paths for messages ---------------------------------------------------------------------- */

/* Each byte that is not UTF-8 is shown as U+FFFD. */
static size_t put_utf8(struct held name, char *buf, size_t room)
{
	const struct held replacement = { (const uint8_t *)UTF8_REPLACEMENT,
					  sizeof UTF8_REPLACEMENT - 1 };
	size_t n = 0;

	for (uint64_t at = 0; at < name.len;) {
		const struct held left = held_part(name, at, name.len - at);
		uint32_t code;
		const size_t len = utf8_next(left.bytes, (size_t)left.len, &code);
		const struct held next = len > 0 ? held_part(left, 0, len) : replacement;

		if (next.len > room - n)
			return n;
		memcpy(buf + n, next.bytes, (size_t)next.len);
		n += (size_t)next.len;
		at += len > 0 ? len : 1;
	}
	return n;
}

/* Writes as much as there is room for. */
static size_t put_name(const struct text *t, bool is_utf8, char *buf, size_t room)
{
	bool whole;

	if (is_utf8)
		return put_utf8((struct held){ t->data, t->ref.n_units }, buf, room);
	return text_utf8(*t, room / 4, (uint8_t *)buf, &whole);
}

static size_t put_hash(const struct pak *p, const struct pak_file *row, char *buf, size_t room)
{
	static const char digits[] = "0123456789ABCDEF", front[] = "path 0x";
	const uint64_t hash = held_u64(p->path_hashes.held, row->name);
	size_t n = sizeof front - 1;

	if (NEVER(room < n + 16))
		return 0;
	memcpy(buf, front, n);
	for (unsigned shift = 64; shift > 0; shift -= 4)
		buf[n++] = digits[hash >> (shift - 4) & 0xF];
	return n;
}

size_t pak_file_path(const struct pak *p, const struct pak_file *row, char *buf, size_t size)
{
	struct text t;
	size_t n = 0;

	if (pak_is_nameless(p, row))
		n = put_hash(p, row, buf, size - 1);
	else {
		if (row->directory != PAK_NONE) {
			t = pak_directory_name(p, row->directory);
			n = put_name(&t, pak_is_flat(p), buf, size - 1);
		}
		t = pak_file_name(p, row);
		n += put_name(&t, row->directory != PAK_NONE && p->tail.version >= PAK_UTF8,
			      buf + n, size - 1 - n);
	}
	buf[n] = 0;
	return n;
}

size_t pak_kept_path(const struct pak *p, struct pak_kept kept, char *buf, size_t size)
{
	const struct pak_part *part = &p->path_hashes;
	const uint32_t places[] = { kept.directory, kept.name };
	size_t n = 0;

	for (unsigned i = 0; i < 2; i++) {
		struct cursor c = cursor_init(part->held.bytes, part->held.len, part->at.at);
		struct text t = no_name(p);
		int64_t length;
		const bool has_place = cursor_seek(&c, part->at.at + places[i]);
		const bool has_name = pak_take_name(p, i == 1, &c, &t, &length) & has_place;

		if (NEVER(!has_name))
			break;
		if (i == 0)
			t = pak_below_mount(t);
		n += put_name(&t, pak_has_utf8(p, i == 1), buf + n, size - 1 - n);
	}
	buf[n] = 0;
	return n;
}

size_t pak_directory_path(const struct pak *p, uint32_t directory, char *buf, size_t size)
{
	const struct text t = pak_whole_directory_name(p, directory);
	const size_t n = put_name(&t, pak_is_flat(p), buf, size - 1);

	buf[n] = 0;
	return n;
}

/* ---- Traits and quick hashes ----------------------------------------------------------------- */

/* The key of a character: the same for a letter in either case. */
static inline uint64_t key_of(uint32_t c)
{
	return (text_fold(c) | 0x20) & 0xFF;
}

static uint64_t keys_at(const struct text *t, uint32_t from, uint32_t n)
{
	uint64_t word = 0;

	for (uint32_t i = 0; i < n; i++)
		word |= key_of(text_unit(*t, from + i)) << 8 * i;
	return word;
}

static uint32_t hash_slowly(const struct text *t)
{
	const uint32_t n = t->ref.n_units;
	uint64_t sum = 0;

	if (n < PLAIN_MIN)
		return path_hash_end(sum, keys_at(t, 0, n), n);
	for (uint32_t i = 0; i + 8 < n; i += 8)
		sum = hash_mix(sum, keys_at(t, i, 8));
	return path_hash_end(sum, keys_at(t, n - 8, 8), n);
}

/* Half a surrogate pair, or a NUL, is no character of a name. */
static uint32_t character_traits(const struct text *t)
{
	uint32_t traits = 0;

	for (uint64_t i = 0; i < t->ref.n_units;) {
		const uint32_t c = text_next(*t, &i);

		if (c == 0 || (t->ref.encoding != TEXT_CP1252 && text_between(c, 0xD800, 0xDFFF)))
			traits |= PAK_NAME_INVALID;
		if (c == '\\')
			traits |= PAK_NAME_ESCAPES;
		if (c >= 0x80)
			traits |= PAK_NAME_HIGH;
	}
	return traits;
}

uint32_t pak_name_traits(const struct text *name)
{
	struct path path;
	uint32_t traits = character_traits(name);

	path_examine_at(name, &path);
	if (path.traits & PATH_ESCAPES)
		traits |= PAK_NAME_ESCAPES;
	if (name->ref.flags & TEXT_UNTERMINATED && name->ref.n_units > 0)
		traits |= PAK_NAME_INVALID;
	return traits;
}

/* What the fast path looks at, of the words before. */
struct scan {
	uint64_t rejected; /* the highest bit of each byte that the fast path cannot judge */
	uint64_t sum;
	uint64_t dots, separators; /* of the last word */
};

/* Whether a dot stands beside a dot or a separator, in a word or where it follows another. */
UVET_WRAPS static inline uint64_t dots_together(uint64_t dots, uint64_t separators,
						uint64_t dots_before, uint64_t separators_before)
{
	const uint64_t dot_before = dots << 8 | dots_before >> 56;
	const uint64_t separator_before = separators << 8 | separators_before >> 56;

	return (dots & (dot_before | separator_before)) | (separators & dot_before);
}

UVET_WRAPS static inline void scan_word(struct scan *s, uint64_t word)
{
	const uint64_t dots = EQUAL(word, '.') & TOP_BITS, separators = EQUAL(word, '/') & TOP_BITS;

	s->rejected |= word | ~AT_LEAST(word, ' ') | EQUAL(word, '\\') | EQUAL(word, ':');
	s->rejected |= dots_together(dots, separators, s->dots, s->separators);
	s->dots = dots;
	s->separators = separators;
}

/* The fast path for a name in ASCII without `\`, `:`, and dots that stand together or at an end of
 * a component: such a name has no traits. false: it is not one. */
UVET_WRAPS static inline bool hash_quickly(const struct text *t, uint32_t *hash)
{
	const struct held name = { t->data, t->ref.n_units };
	struct scan s = { .sum = 0 };
	uint64_t word, i;

	if (t->ref.encoding != TEXT_CP1252 || t->ref.flags != 0 || name.len < PLAIN_MIN)
		return false;
	for (i = 0; i + 8 < name.len; i += 8) {
		word = held_u64(name, i);
		scan_word(&s, word);
		s.sum = hash_mix(s.sum, ascii_keys(word));
	}
	word = held_u64(name, name.len - 8);
	if (i + 8 != name.len)
		s.dots = s.separators = 0; /* it has bytes of the word before */
	scan_word(&s, word);
	*hash = path_hash_end(s.sum, ascii_keys(word), t->ref.n_units);
	return (s.rejected & TOP_BITS) == 0 && held_u8(name, 0) != '/' && held_u8(name, 0) != '.' &&
	       held_u8(name, name.len - 1) != '.';
}

uint32_t pak_quick_hash(const struct text *path, uint32_t *traits, bool *is_plain)
{
	uint32_t hash;

	*is_plain = path->ref.encoding == TEXT_CP1252 && path->ref.flags == 0 &&
		    path_hash_plain(path, &hash);
	if (*is_plain) {
		PLAIN(hash == hash_slowly(path) && pak_name_traits(path) == 0);
		return hash;
	}
	if (!hash_quickly(path, &hash)) {
		*traits |= pak_name_traits(path);
		return hash_slowly(path);
	}
	PLAIN(hash == hash_slowly(path) && pak_name_traits(path) == 0);
	return hash;
}

/* ---- Hashes of paths ------------------------------------------------------------------------- */

/* FNV-1a with 64 bits; before version 11 the two constants change places. */
#define FNV_OFFSET UINT64_C(0xCBF29CE484222325)
#define FNV_PRIME UINT64_C(0x100000001B3)
#define KEY_PRIME UINT64_C(0x9E3779B97F4A7C15)

UVET_WRAPS uint64_t pak_hash_start(const struct pak *p)
{
	return (p->tail.version < PAK_FNV ? FNV_PRIME : FNV_OFFSET) + p->seed;
}

static inline uint32_t lower(uint32_t c)
{
	return text_between(c, 'A', 'Z') ? c + 32 : c;
}

static inline uint64_t prime_of(const struct pak *p)
{
	return p->tail.version < PAK_FNV ? FNV_OFFSET : FNV_PRIME;
}

UVET_WRAPS static inline uint64_t hash_unit(uint64_t hash, uint64_t prime, uint32_t unit)
{
	const uint32_t c = lower(unit);

	return ((hash ^ (c & 0xFF)) * prime ^ c >> 8) * prime;
}

uint64_t pak_hash_unit(const struct pak *p, uint64_t hash, uint32_t unit)
{
	return hash_unit(hash, prime_of(p), unit);
}

/* Characters count as two bytes, of which the second is most often 0. */
UVET_WRAPS static inline uint64_t hash_text(uint64_t hash, uint64_t prime, const struct text *part)
{
	const uint64_t square = prime * prime;
	const struct held bytes = { part->data, part->ref.n_units };

	if (part->ref.encoding == TEXT_CP1252) {
		for (uint64_t i = 0; i < bytes.len; i++)
			hash = (hash ^ lower((uint32_t)held_u8(bytes, i))) * square;
		return hash;
	}
	for (uint64_t i = 0; i < part->ref.n_units; i++)
		hash = hash_unit(hash, prime, text_unit(*part, i));
	return hash;
}

uint64_t pak_path_hash(const struct pak *p, uint64_t hash, const struct text *part)
{
	return hash_text(hash, prime_of(p), part);
}

uint64_t pak_path_key(uint64_t key, const struct text *part)
{
	return hash_text(key, KEY_PRIME, part);
}

uint64_t pak_path_key_of(const struct pak *p, const struct pak_file *row)
{
	const struct text name = pak_file_name(p, row);

	return pak_path_key(p->directories[row->directory].key, &name);
}

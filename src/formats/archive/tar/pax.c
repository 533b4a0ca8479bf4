/* Records of pax headers. */
#include "formats/archive/tar/pax.h"

#include "formats/archive/tar/header.h"

/* ---- One record ------------------------------------------------------------------------------ */

/* A record is its own length in digits, a space, a key, `=`, a value, and a line feed. */
struct record {
	struct held key, value;
	uint64_t value_at; /* in the records */
	uint64_t len;
};

/* The digits of a length: no record is as long as more of them say. */
enum { DIGITS_MAX = 9 };

static uint64_t read_length(struct held rest, uint64_t *n_digits)
{
	const uint64_t space = held_find(rest, ' ');
	uint64_t len;

	*n_digits = space;
	if (space == 0 || space > DIGITS_MAX ||
	    tar_read_decimal(held_part(rest, 0, space), &len) != TAR_NUMBER)
		return 0;
	return len;
}

static bool read_record(struct held rest, struct record *r)
{
	struct held body;
	uint64_t n_digits, equals;

	r->len = read_length(rest, &n_digits);
	if (r->len < n_digits + 3 || r->len > rest.len || held_u8(rest, r->len - 1) != '\n')
		return false;
	body = held_part(rest, n_digits + 1, r->len - n_digits - 2);
	equals = held_find(body, '=');
	if (equals == 0 || equals == body.len)
		return false;
	r->key = held_part(body, 0, equals);
	r->value = held_part(body, equals + 1, body.len - equals - 1);
	r->value_at = n_digits + 1 + equals + 1;
	return true;
}

static bool key_is(const struct record *r, const char *key)
{
	return r->key.len == strlen(key) && memcmp(r->key.bytes, key, (size_t)r->key.len) == 0;
}

static bool key_begins(const struct record *r, const char *start)
{
	return r->key.len >= strlen(start) && memcmp(r->key.bytes, start, strlen(start)) == 0;
}

static bool value_is(const struct record *r, const char *value)
{
	return r->value.len == strlen(value) &&
	       memcmp(r->value.bytes, value, (size_t)r->value.len) == 0;
}

bool tar_next_record(struct held records, uint64_t *from, struct held *key, struct held *value)
{
	struct record r;

	if (*from >= records.len ||
	    !read_record(held_part(records, *from, records.len - *from), &r))
		return false;
	*from += r.len;
	*key = r.key;
	*value = r.value;
	return true;
}

/* ---- What records say ------------------------------------------------------------------------ */

/* The keys that may be there once, as bits, of one header. */
enum { KEY_PATH = 1 << 0, KEY_LINK = 1 << 1, KEY_SIZE = 1 << 2 };

struct pax {
	struct tar_before *b;
	struct held records;
	uint32_t seen, wrong;
};

static bool is_same(struct held a, struct held b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.bytes, b.bytes, (size_t)a.len) == 0);
}

uint32_t tar_say(struct tar_said *s, struct held value, uint64_t at)
{
	const uint32_t wrong = s->value.len > 0 && !is_same(s->value, value)
				       ? (uint32_t)TAR_SAID_TWICE
				       : 0;

	*s = (struct tar_said){ value, at };
	return wrong;
}

static void take_once(struct pax *p, const struct record *r, uint64_t at, uint32_t key,
		      struct tar_said *s)
{
	const uint32_t wrong = tar_say(s, r->value, at + r->value_at);

	p->wrong |= p->seen & key ? (uint32_t)TAR_PAX_TWICE : wrong;
	p->wrong |= r->value.len == 0 ? (uint32_t)TAR_PAX_EMPTY : 0;
	p->seen |= key;
}

static void take_sparse(struct pax *p, const struct record *r, uint64_t at)
{
	struct tar_before *b = p->b;
	const struct tar_said said = { r->value, at + r->value_at };

	b->is_sparse_twice = b->is_sparse_twice ||
			     (b->is_sparse && b->sparse_records.bytes != p->records.bytes);
	b->is_sparse = true;
	b->sparse_records = p->records;
	if (key_is(r, "GNU.sparse.name"))
		b->sparse_path = said;
	else if (key_is(r, "GNU.sparse.size") || key_is(r, "GNU.sparse.realsize") ||
		 key_is(r, "SCHILY.realsize"))
		b->real_size = said;
	else if (key_is(r, "GNU.sparse.major"))
		b->sparse_major = said;
	else if (key_is(r, "GNU.sparse.minor"))
		b->sparse_minor = said;
}

/* GNU tar reads a key up to a NUL. The keys of POSIX have no dot in them, and their values are
 * texts. */
static bool has_nul(const struct record *r)
{
	const bool is_text = held_find(r->key, '.') == r->key.len && !key_is(r, "path");

	return held_find(r->key, 0) < r->key.len ||
	       (is_text && held_find(r->value, 0) < r->value.len);
}

static void take_record(struct pax *p, const struct record *r, uint64_t at)
{
	struct tar_before *b = p->b;

	if (key_is(r, "path")) {
		take_once(p, r, at, KEY_PATH, &b->path);
	} else if (key_is(r, "linkpath")) {
		take_once(p, r, at, KEY_LINK, &b->link);
	} else if (key_is(r, "size")) {
		take_once(p, r, at, KEY_SIZE, &b->size);
	} else if (key_is(r, "hdrcharset")) {
		b->is_binary = value_is(r, "BINARY");
	} else if (key_begins(r, "GNU.sparse.") || key_is(r, "SCHILY.realsize") ||
		   key_is(r, "SUN.holesdata")) {
		take_sparse(p, r, at);
	}
}

uint32_t tar_read_pax(struct held records, uint64_t at, struct tar_before *b)
{
	struct pax p = { b, records, 0, 0 };
	struct record r;

	for (uint64_t from = 0; from < records.len; from += r.len) {
		if (!read_record(held_part(records, from, records.len - from), &r))
			return p.wrong | TAR_PAX_MALFORMED;
		p.wrong |= has_nul(&r) ? (uint32_t)TAR_PAX_NUL : 0;
		take_record(&p, &r, at + from);
	}
	return p.wrong;
}

/* ---- Together -------------------------------------------------------------------------------- */

static bool differ(const struct tar_said *a, const struct tar_said *b)
{
	return a->value.len > 0 && b->value.len > 0 && !is_same(a->value, b->value);
}

uint32_t tar_settle(const struct tar_before *b)
{
	return differ(&b->path, &b->long_path) || differ(&b->link, &b->long_link)
		       ? (uint32_t)TAR_SAID_TWICE
		       : 0;
}

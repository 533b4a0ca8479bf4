/* The manifest of a package for Thunderstore. Source: conformance/spec/layout.md, chapter 3. */
#include "formats/archive/layout/json.h"
#include "formats/archive/layout/site_files.h"

/* What a manifest has; the site makes texts of no more characters. */
enum field { NAME, VERSION, WEBSITE, DESCRIPTION, DEPENDENCIES, INSTALLERS, N_FIELDS };
enum {
	NAME_MAX_LEN = 128,
	VERSION_MAX_LEN = 16,
	WEBSITE_MAX_LEN = 1024,
	DESCRIPTION_MAX_LEN = 256,
	DEPENDENCIES_MAX = 1000,
	INSTALLERS_MAX = 100
};

static const char *const field_names[N_FIELDS] = { "name",        "version_number", "website_url",
						   "description", "dependencies",   "installers" };

/* A value is what stands behind a key: of keys that are there twice the last counts. */
struct value {
	bool is_there;
	struct json_scan before; /* json_next reads it */
};

struct manifest {
	struct lay_read *read;
	struct value values[N_FIELDS];
};

/* ---- Telling --------------------------------------------------------------------------------- */

static struct lay_row *tell(struct manifest *m, const char *field, const char *words)
{
	struct lay_row *row = lay_refuse(m->read, LAY_MANIFEST, words);

	if (row)
		row->field = field;
	return row;
}

static bool tell_word(struct manifest *m, const char *field, const char *words, const char *found)
{
	struct lay_row *row = tell(m, field, words);

	if (row)
		row->value.word = found;
	return row != NULL;
}

static bool tell_number(struct manifest *m, const char *field, const char *words, uint64_t found)
{
	struct lay_row *row = tell(m, field, words);

	if (!row)
		return false;
	row->kind = LAY_NUMBER;
	row->value.number = found;
	return true;
}

static bool tell_text(struct manifest *m, const char *field, const char *words, struct text found)
{
	struct text *kept = decode_alloc(m->read->d, m->read->source->group, 1, sizeof *kept);
	struct lay_row *row = kept ? tell(m, field, words) : NULL;

	if (!row)
		return false;
	*kept = found;
	row->kind = LAY_TEXT;
	row->value.text = kept;
	return true;
}

static const char *token_name(enum json_token t)
{
	static const char *const names[] = {
		[JSON_OBJECT] = "an object", [JSON_ARRAY] = "a list", [JSON_STRING] = "a text",
		[JSON_NUMBER] = "a number",  [JSON_TRUE] = "true",    [JSON_FALSE] = "false",
		[JSON_NULL] = "null",
	};

	return names[t];
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* What str.strip of Python takes off. */
static bool is_blank(uint32_t c)
{
	return text_between(c, 9, 13) || text_between(c, 0x1C, 0x20) || c == 0x85 || c == 0xA0 ||
	       c == 0x1680 || text_between(c, 0x2000, 0x200A) || c == 0x2028 || c == 0x2029 ||
	       c == 0x202F || c == 0x205F || c == 0x3000;
}

static struct text trim(struct text t)
{
	uint32_t from = 0, to = t.ref.n_units;

	while (to > 0 && is_blank(text_unit(t, to - 1)))
		to--;
	while (from < to && is_blank(text_unit(t, from)))
		from++;
	return text_sub(t, from, to - from);
}

/* Gives a string without its escapes, and without blanks at both ends as the site does. */
static bool take_string(struct manifest *m, struct text raw, struct text *out)
{
	uint8_t *units = decode_alloc(m->read->d, m->read->source->group,
				      (uint64_t)raw.ref.n_units + 1, 2);

	if (!units)
		return false;
	*out = trim(json_unescape(raw, units));
	return true;
}

static bool is_digit(uint32_t c)
{
	return text_between(c, '0', '9');
}

static bool is_word_char(uint32_t c)
{
	return is_digit(c) || text_between(c, 'a', 'z') || text_between(c, 'A', 'Z') || c == '_';
}

static bool is_word(struct text t)
{
	for (uint64_t i = 0; i < t.ref.n_units; i++)
		if (!is_word_char(text_unit(t, i)))
			return false;
	return t.ref.n_units > 0;
}

/* Whether it is three numbers with dots between. A number of more digits than one does not begin
 * with 0 if is_strict. */
static bool is_version(struct text t, bool is_strict)
{
	unsigned dots = 0;
	uint64_t digits = 0;

	for (uint64_t i = 0; i < t.ref.n_units; i++) {
		const uint32_t c = text_unit(t, i);

		if (c == '.' && digits > 0) {
			dots++;
			digits = 0;
		} else if (!is_digit(c) ||
			   (is_strict && digits == 1 && text_unit(t, i - 1) == '0')) {
			return false;
		} else {
			digits++;
		}
	}
	return dots == 2 && digits > 0;
}

/* How many code points there are. */
static uint64_t characters(struct text t)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < t.ref.n_units; n++)
		(void)text_next(t, &i);
	return n;
}

static const struct {
	uint64_t max;
	const char *words;
} text_limits[] = {
	[NAME] = { NAME_MAX_LEN, "should have 128 characters at most, and has" },
	[VERSION] = { VERSION_MAX_LEN, "should have 16 characters at most, and has" },
	[WEBSITE] = { WEBSITE_MAX_LEN, "should have 1024 characters at most, and has" },
	[DESCRIPTION] = { DESCRIPTION_MAX_LEN, "should have 256 characters at most, and has" },
};

static bool is_link(struct text t)
{
	static const char *const schemes[] = { "http://", "https://", "mailto:", "ipfs:" };

	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (text_starts(t, schemes[i]))
			return true;
	return t.ref.n_units == 0;
}

/* What is the matter with a text, but for its length; NULL: nothing. */
static const char *text_trouble(enum field f, struct text t)
{
	switch (f) {
	case NAME:
		return is_word(t) ? NULL : "should be letters from A to Z, digits and _, and is";
	case VERSION:
		return is_version(t, true)
			       ? NULL
			       : "should be three numbers with dots between, as 1.0.0, and is";
	case WEBSITE:
		return is_link(t) ? NULL
				  : "should be empty or begin with http://, https://, mailto: or "
				    "ipfs:, and is";
	default:
		return NULL;
	}
}

static bool judge_text_field(struct manifest *m, enum field f, struct json_scan *s)
{
	const enum json_token token = json_next(s);
	const char *trouble;
	struct text t;
	uint64_t n;

	if (token == JSON_NUMBER && f == NAME) /* which the site makes a text of */
		return is_word(s->token) ||
		       tell_text(m, field_names[f], text_trouble(f, s->token), s->token);
	if (token != JSON_STRING)
		return tell_word(m, field_names[f], "should be a text, and is", token_name(token));
	if (!take_string(m, s->token, &t))
		return false;
	trouble = text_trouble(f, t);
	if (trouble)
		return tell_text(m, field_names[f], trouble, t);
	n = characters(t);
	return n <= text_limits[f].max || tell_number(m, field_names[f], text_limits[f].words, n);
}

/* ---- Dependencies ---------------------------------------------------------------------------- */

/* The last `-` before unit `end`; UINT32_MAX: there is none. */
static uint32_t last_dash(struct text t, uint32_t end)
{
	while (end > 0 && text_unit(t, end - 1) != '-')
		end--;
	return end > 0 ? end - 1 : UINT32_MAX;
}

/* The site allows a2 or b2 behind a version, and finds no package then. */
static bool is_dependency_version(struct text t)
{
	uint32_t n = t.ref.n_units;

	while (n > 0 && is_digit(text_unit(t, n - 1)))
		n--;
	if (n > 0 && n < t.ref.n_units &&
	    (text_unit(t, n - 1) == 'a' || text_unit(t, n - 1) == 'b'))
		return is_version(text_sub(t, 0, n - 1), false);
	return is_version(t, false);
}

/* Of team-name-version the part before the version; empty: it is none such. */
static struct text package_of(struct text t)
{
	const uint32_t before_version = last_dash(t, t.ref.n_units);
	const struct text none = { NULL, { 0 } };
	uint32_t before_name;

	if (before_version == UINT32_MAX ||
	    !is_dependency_version(text_sub(t, (uint64_t)before_version + 1, UINT32_MAX)))
		return none;
	before_name = last_dash(t, before_version);
	if (before_name == UINT32_MAX || before_name == 0 || before_name + 1 == before_version)
		return none;
	return text_sub(t, 0, before_version);
}

static bool is_same(struct text a, struct text b)
{
	if (a.ref.n_units != b.ref.n_units)
		return false;
	for (uint64_t i = 0; i < a.ref.n_units; i++)
		if (text_unit(a, i) != text_unit(b, i))
			return false;
	return true;
}

struct dependencies {
	struct manifest *m;
	struct text *packages;
	uint32_t n;
};

static bool take_dependency(struct dependencies *d, enum json_token token, struct text raw)
{
	const char *field = field_names[DEPENDENCIES];
	struct text t, package;

	if (token != JSON_STRING)
		return tell_word(d->m, field, "should be texts, and one is", token_name(token));
	if (!take_string(d->m, raw, &t))
		return false;
	package = package_of(t);
	if (package.ref.n_units == 0)
		return tell_text(d->m, field, "should be of the form team-name-1.0.0, and one is",
				 t);
	for (uint32_t i = 0; i < d->n; i++)
		if (is_same(d->packages[i], package))
			return tell_text(d->m, field,
					 "should have one version of a package, and have two of",
					 package);
	d->packages[d->n++] = package;
	return true;
}

static bool judge_dependencies(struct manifest *m, struct json_scan *s)
{
	struct dependencies d = { .m = m };
	enum json_token token = json_next(s);
	const uint32_t depth = s->depth;
	uint64_t n = 0;

	if (token != JSON_ARRAY)
		return tell_word(m, field_names[DEPENDENCIES], "should be a list, and is",
				 token_name(token));
	d.packages = decode_alloc(m->read->d, m->read->source->group, DEPENDENCIES_MAX,
				  sizeof *d.packages);
	if (!d.packages)
		return false;
	while ((token = json_next(s)) != JSON_CLOSE || s->depth != depth) {
		if (token == JSON_CLOSE || s->depth != depth + 1)
			continue;
		n++;
		if (n <= DEPENDENCIES_MAX && !take_dependency(&d, token, s->token))
			return false;
	}
	return n <= DEPENDENCIES_MAX ||
	       tell_number(m, field_names[DEPENDENCIES], "should be 1000 at most, and are", n);
}

/* ---- Installers ------------------------------------------------------------------------------ */

static bool judge_installers(struct manifest *m, struct json_scan *s)
{
	const char *field = field_names[INSTALLERS];
	enum json_token token = json_next(s);
	const uint32_t depth = s->depth;
	uint64_t n = 0;

	if (token != JSON_ARRAY)
		return tell_word(m, field, "should be a list, and is", token_name(token));
	while ((token = json_next(s)) != JSON_CLOSE || s->depth != depth) {
		if (token == JSON_CLOSE || s->depth != depth + 1)
			continue;
		n++;
		if (token != JSON_OBJECT)
			return tell_word(m, field, "should be objects, and one is",
					 token_name(token));
	}
	return (n > 0 && n <= INSTALLERS_MAX) ||
	       tell_number(m, field, "should be from 1 to 100, or left out, and are", n);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static bool judge_fields(struct manifest *m)
{
	for (int f = 0; f < N_FIELDS; f++) {
		struct value *v = &m->values[f];
		bool goes_on;

		if (!v->is_there)
			goes_on = f == INSTALLERS || tell_word(m, field_names[f],
							       "should be there, "
							       "and is",
							       "missing");
		else if (f == DEPENDENCIES)
			goes_on = judge_dependencies(m, &v->before);
		else if (f == INSTALLERS)
			goes_on = judge_installers(m, &v->before);
		else
			goes_on = judge_text_field(m, (enum field)f, &v->before);
		if (!goes_on)
			return false;
	}
	return true;
}

static bool note_key(struct manifest *m, const struct json_scan *s)
{
	struct text key;

	if (!take_string(m, s->token, &key))
		return false;
	for (int f = 0; f < N_FIELDS; f++)
		if (is_same(key, text_from(field_names[f])))
			m->values[f] = (struct value){ .is_there = true, .before = *s };
	return true;
}

static const char the_json[] = "the JSON";

static bool judge_json(struct manifest *m, struct text text)
{
	struct json_scan s;
	enum json_token token;

	json_begin(&s, text);
	token = json_next(&s);
	if (token != JSON_ERROR && token != JSON_OBJECT)
		return tell_word(m, the_json, "should be an object, and is", token_name(token));
	while (token != JSON_END && token != JSON_ERROR) {
		token = json_next(&s);
		if (token == JSON_KEY && s.depth == 1 && !note_key(m, &s))
			return false;
	}
	if (token == JSON_ERROR)
		return tell_number(m, the_json, s.what, s.at);
	return judge_fields(m);
}

/* ---- Encodings ------------------------------------------------------------------------------- */

/* Python's json takes UTF-8 with or without a byte order mark, and UTF-16, too. */
static bool is_utf16(struct held h, bool *big)
{
	const uint64_t a = h.len > 1 ? held_u8(h, 0) : 1, b = h.len > 1 ? held_u8(h, 1) : 1;

	*big = a == 0 || (a == 0xFE && b == 0xFF);
	return h.len % 2 == 0 && (*big || b == 0 || (a == 0xFF && b == 0xFE));
}

static struct text without_mark(struct text t)
{
	return t.ref.n_units > 0 && text_unit(t, 0) == 0xFEFF ? text_sub(t, 1, UINT32_MAX) : t;
}

bool lay_judge_manifest(struct lay_read *r)
{
	struct manifest m = { .read = r };
	uint32_t traits = 0;
	struct text text;
	bool big;

	if (!decode_spend(r->d, r->source->group, work_of_bytes(r->bytes.len)))
		return false;
	if (is_utf16(r->bytes, &big)) {
		text = (struct text){ r->bytes.bytes,
				      { .n_units = (uint32_t)(r->bytes.len / 2),
					.encoding = big ? TEXT_UTF16BE : TEXT_UTF16LE } };
		return judge_json(&m, without_mark(text));
	}
	if (!members_name(r->d, r->source->group, r->bytes, 0, ARC_UTF8_SAID, &traits, &text))
		return false;
	if (traits & ARC_MISCODED)
		return tell_word(&m, the_json, "should be UTF-8, and is", "another encoding");
	return judge_json(&m, without_mark(text));
}

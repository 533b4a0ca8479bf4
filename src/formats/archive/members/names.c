/* The names of members: what they are as texts, and what is the matter with each by itself. */
#include "formats/archive/members/members.h"

#include "core/path.h"
#include "core/utf8.h"
#include "formats/archive/members/keys.h"

/* ---- As texts -------------------------------------------------------------------------------- */

static bool is_ascii(struct held name)
{
	uint64_t all = 0;

	for (uint64_t i = 0; i < name.len; i++)
		all |= held_u8(name, i);
	return all < 0x80;
}

/* Appends a code point; out has room for two units. */
static uint32_t put_wide(uint8_t *out, uint32_t c)
{
	const uint32_t low = 0xDC00 + (c & 0x3FF);
	uint32_t high;

	if (c < 0x10000) {
		out[0] = (uint8_t)c;
		out[1] = (uint8_t)(c >> 8);
		return 1;
	}
	high = 0xD800 + ((c - 0x10000) >> 10 & 0x3FF);
	out[0] = (uint8_t)high;
	out[1] = (uint8_t)(high >> 8);
	out[2] = (uint8_t)low;
	out[3] = (uint8_t)(low >> 8);
	return 2;
}

/* Every code point of UTF-8 has at least as many bytes as it has units of UTF-16. */
static bool widen(struct decode *d, uint32_t group, struct held name, struct text *out)
{
	uint8_t *wide = decode_alloc(d, group, name.len, 2);
	uint32_t units = 0;
	size_t len;

	if (!wide)
		return false;
	for (uint64_t i = 0; i < name.len; i += len) {
		const struct held rest = held_part(name, i, name.len - i);
		uint32_t c;

		len = utf8_next(rest.bytes, (size_t)rest.len, &c);
		if (NEVER(len == 0))
			break;
		units += put_wide(wide + (size_t)2 * units, c);
	}
	out->data = wide;
	out->ref.n_units = units;
	out->ref.encoding = TEXT_UTF16LE;
	return true;
}

/* Half of a surrogate pair is no character. */
static bool has_lone_surrogate(struct text t)
{
	for (uint64_t i = 0; i < t.ref.n_units;)
		if (text_between(text_next(t, &i), 0xD800, 0xDFFF))
			return true;
	return false;
}

bool members_name(struct decode *d, uint32_t group, struct held name, uint64_t at,
		  enum arc_coding coding, uint32_t *traits, struct text *out)
{
	*out = (struct text){ name.bytes, { .at = at, .n_units = (uint32_t)name.len } };
	if (coding == ARC_UTF16) {
		out->ref.n_units = (uint32_t)(name.len / 2);
		out->ref.encoding = TEXT_UTF16LE;
		if (has_lone_surrogate(*out))
			*traits |= ARC_MISCODED;
		return true;
	}
	if (is_ascii(name))
		return true;
	if (!utf8_valid(name.bytes, (size_t)name.len)) {
		*traits |= coding == ARC_UTF8_SAID ? ARC_MISCODED : ARC_LEGACY;
		return true;
	}
	if (coding == ARC_UNSAID)
		*traits |= ARC_UNDECLARED;
	return widen(d, group, name, out);
}

/* ---- Each by itself -------------------------------------------------------------------------- */

/* What a system may refuse: a part of more than 255 bytes or units, and a path that leaves no room
 * for the folder that it is unpacked to (MAX_PATH is 260). */
enum { PART_MAX = 255, PATH_MAX_UNITS = 240 };

/* Below this no part can be too long. */
enum { SHORT_NAME = PART_MAX / 3 };

/* A character of two units has four bytes. */
static uint32_t utf8_len(uint32_t unit)
{
	if (unit < 0x80)
		return 1;
	return unit < 0x800 || text_between(unit, 0xD800, 0xDFFF) ? 2 : 3;
}

static bool is_too_long(struct text name)
{
	uint32_t len = 0;

	if (name.ref.n_units > PATH_MAX_UNITS)
		return true;
	if (name.ref.n_units <= SHORT_NAME || name.ref.encoding == TEXT_CP1252)
		return false;
	for (uint32_t i = 0; i < name.ref.n_units; i++) {
		const uint32_t c = text_unit(name, i);

		len = path_is_separator(c) ? 0 : len + utf8_len(c);
		if (len > PART_MAX)
			return true;
	}
	return false;
}

/* Extensions of files that run, or that a double click runs. */
static const char *const long_programs[] = {
	"dylib",    "application", "appref-ms",    "settingcontent-ms",
	"docm",     "xlsm",        "pptm",         "dotm",
	"xltm",     "xlam",        "potm",         "ppsm",
	"ppam",     "sldm",        "command",      "desktop",
	"appimage", "appx",        "appinstaller", "msix",
	"jnlp",     "gadget",      "library-ms",   "search-ms",
};

static bool is_program(const struct path *p, struct text name)
{
	switch (p->extension) {
#define PROGRAM(a, b, c) case TEXT_WORD(a, b, c, 0):
#include "formats/archive/members/programs.def"
#undef PROGRAM
		return true;
	case UINT32_MAX: /* a longer one */
		return text_is_one(text_sub(name, (uint64_t)p->dot + 1, UINT32_MAX), long_programs,
				   sizeof long_programs / sizeof *long_programs);
	default:
		return false;
	}
}

bool members_is_program(struct text name)
{
	const struct path p = path_examine(name);

	return is_program(&p, name);
}

/* One row of what a trait of a path is for a member. */
static const struct {
	uint32_t path, member;
} meanings[] = {
	{ PATH_DRIVE, ARC_DRIVE },       { PATH_PARENT, ARC_PARENT },
	{ PATH_NUL, ARC_NUL },           { PATH_CONTROL, ARC_CONTROL },
	{ PATH_RESERVED, ARC_RESERVED }, { PATH_COLON, ARC_RESERVED },
	{ PATH_DEVICE, ARC_DEVICE },     { PATH_TRAILING, ARC_TRAILING },
	{ PATH_SELF, ARC_SELF },         { PATH_EMPTY_COMPONENT, ARC_SELF },
};

/* `\\server`, `\\?\` and `//` name another place than the folder, as a drive does. */
static uint32_t root_traits(struct text name)
{
	if (name.ref.n_units > 1 && path_is_separator(text_unit(name, 1)))
		return ARC_DRIVE;
	return ARC_ROOTED;
}

/* A character that turns the direction of text. In an encoding that is not known these are other
 * characters. */
static bool has_turning_character(struct text name)
{
	for (uint64_t i = 0; name.ref.encoding != TEXT_CP1252 && i < name.ref.n_units; i++) {
		const uint32_t c = text_unit(name, i);

		if (text_between(c, 0x202A, 0x202E) || text_between(c, 0x2066, 0x2069))
			return true;
	}
	return false;
}

static uint32_t rare_traits(const struct path *p, struct text name)
{
	uint32_t traits = 0;

	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
		if (p->traits & meanings[i].path)
			traits |= meanings[i].member;
	if (p->traits & PATH_ROOTED)
		traits |= root_traits(name);
	if (p->traits & PATH_DECEPTIVE && has_turning_character(name))
		traits |= ARC_CONTROL;
	return traits;
}

static uint32_t kind_traits(const struct arc_member *m)
{
	switch (m->kind) {
	case ARC_SYMLINK:
	case ARC_HARD_LINK:
		return ARC_LINK;
	case ARC_CHARACTER_DEVICE:
	case ARC_BLOCK_DEVICE:
		return ARC_NODE;
	case ARC_FIFO:
	case ARC_SOCKET:
		return ARC_PIPE;
	default:
		return 0;
	}
}

/* A folder's name without the separator at its end. */
struct text members_name_of(const struct arc_member *m)
{
	const struct text name = m->name;
	const uint32_t n = name.ref.n_units;

	if (m->kind == ARC_DIRECTORY && n > 1 && path_is_separator(text_unit(name, n - 1)))
		return text_sub(name, 0, n - 1);
	return name;
}

static bool ends_in_backslash(struct text name)
{
	return name.ref.n_units > 0 && text_unit(name, name.ref.n_units - 1) == '\\';
}

/* A file whose name ends in a separator is written without it. */
static bool is_program_below(struct text name)
{
	struct text bare;
	struct path p;

	if (name.ref.n_units < 2 || !arc_name_is_slashed(name))
		return false;
	bare = text_sub(name, 0, name.ref.n_units - 1);
	path_examine_slashed(&bare, &p);
	return is_program(&p, bare);
}

uint32_t members_look_at(struct arc_member *m)
{
	const struct text name = members_name_of(m);
	struct path p;

	path_examine_slashed(&name, &p);
	if (p.traits & ~(uint32_t)(PATH_SLASH | PATH_SEPARATOR | PATH_SPACE | PATH_LONG_NAME))
		m->traits |= rare_traits(&p, name);
	if ((p.traits & PATH_SEPARATOR && text_find(name, '\\', 0) < name.ref.n_units) ||
	    ends_in_backslash(m->name))
		m->traits |= ARC_BACKSLASH;
	if (is_too_long(name))
		m->traits |= ARC_LONG_NAME;
	if (m->kind == ARC_FILE && (is_program(&p, name) || is_program_below(name)))
		m->traits |= ARC_PROGRAM;
	m->traits |= kind_traits(m);
	return p.hash;
}

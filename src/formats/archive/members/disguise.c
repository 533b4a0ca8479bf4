/* Programs under the names of other files, by their first bytes. Source:
 * conformance/spec/archive.md, 2.24. */
#include "formats/archive/members/members.h"

#include <string.h>

#include "core/path.h"

/* The header of DOS says where that of Windows is. Where this is behind the first bytes nobody
 * looks for it; where there is none, it is a program of DOS, if its header can be one. */
static bool is_windows(struct held first)
{
	enum { HEAD = 64, NEXT_AT = 60, LAST_PAGE_MAX = 511, PARAGRAPHS_LEAST = 2 };
	const uint64_t next = held_u32(first, NEXT_AT);

	if (!held_starts(first, "MZ", 2) || first.len < HEAD)
		return false;
	if (next >= HEAD && !held_has(first, next, 4))
		return first.len == ARC_SIGNATURE_LEN && next < UINT32_MAX / 2;
	if (next >= HEAD && held_u32(first, next) == 0x4550)
		return true;
	return held_u16(first, 2) <= LAST_PAGE_MAX && held_u16(first, 4) > 0 &&
	       held_u16(first, 8) >= PARAGRAPHS_LEAST && held_u16(first, 8) <= ARC_SIGNATURE_LEN;
}

/* A file for several processors has the number of them, where a class of Java, which begins so,
 * too, has its version. */
static bool is_macos(struct held first)
{
	enum { PROCESSORS_MAX = 31 };
	const uint64_t tag = held_u32(first, 0);

	if (tag == 0xFEEDFACE || tag == 0xFEEDFACF || tag == 0xCEFAEDFE || tag == 0xCFFAEDFE)
		return true;
	return held_starts(first, "\xCA\xFE\xBA\xBE\0\0\0", 7) && held_u8(first, 7) > 0 &&
	       held_u8(first, 7) <= PROCESSORS_MAX;
}

/* The name of what runs a script is a path. */
static bool is_script(struct held first)
{
	uint64_t at = 2;

	while (held_u8(first, at) == ' ' || held_u8(first, at) == '\t')
		at++;
	return held_starts(first, "#!", 2) && held_u8(first, at) == '/';
}

/* A shortcut of Windows: how long its header is, and the class that reads it. */
static bool is_shortcut(struct held first)
{
	static const char head[] = "L\0\0\0\x01\x14\x02\0\0\0\0\0\xC0\0\0\0\0\0\0\x46";

	return held_starts(first, head, sizeof head - 1);
}

bool arc_begins_as_program(struct held first)
{
	return held_starts(first,
			   "\x7F"
			   "ELF",
			   4) ||
	       is_windows(first) || is_macos(first) || is_script(first) || is_shortcut(first);
}

static const char *const data[] = {
	"txt",  "md",  "log", "rtf", "pdf",  "htm", "html", "xml", "csv", "json", "ini",
	"int",  "cfg", "png", "jpg", "jpeg", "gif", "bmp",  "tga", "dds", "ico",  "svg",
	"webp", "wav", "ogg", "mp3", "flac", "mp4", "avi",  "ttf", "otf", "doc",  "docx",
};

bool members_is_data(struct text name)
{
	const struct text extension = path_extension(name);

	/* programs for Linux that unpack themselves are called so, too */
	return (format_promised(extension) && !text_is(extension, "run")) ||
	       text_is_one(extension, data, sizeof data / sizeof *data);
}

/* ---- Names that programs cut ----------------------------------------------------------------- */

/* The end of a name, as programs write it. */
enum { KEPT_MAX = 64 };
struct kept {
	uint8_t units[2 * KEPT_MAX];
	struct text text;
};

static bool is_dropped(uint32_t c)
{
	return c == '.' || c == ' ' || path_is_separator(c);
}

/* Info-ZIP leaves control characters out, and systems a dot that is a part of its own; Windows
 * drops dots and spaces at the end. */
static void keep(struct text name, struct kept *k)
{
	uint32_t n = 0;

	for (uint32_t i = name.ref.n_units; i > 0 && n < KEPT_MAX; i--) {
		const uint32_t c = text_unit(name, i - 1);

		if (c < ' ' || c == 0x7F || (n == 0 && is_dropped(c)))
			continue;
		if (path_is_separator(c))
			break;
		n++;
		k->units[2 * (KEPT_MAX - n)] = (uint8_t)c;
		k->units[2 * (KEPT_MAX - n) + 1] = (uint8_t)(c >> 8);
	}
	k->text = (struct text){ k->units + 2 * (KEPT_MAX - n),
				 { .n_units = n, .encoding = TEXT_UTF16LE } };
}

/* What follows a colon is a stream to Windows; a number behind a semicolon is a version, which
 * Info-ZIP drops. */
struct text arc_name_cut(struct text name)
{
	struct text t = text_sub(name, 0, text_find(name, ':', 0));
	uint32_t n = t.ref.n_units;

	while (n > 0 && text_between(text_unit(t, n - 1), '0', '9'))
		n--;
	if (n > 0 && text_unit(t, n - 1) == ';')
		t.ref.n_units = n - 1;
	while (t.ref.n_units > 0 && is_dropped(text_unit(t, t.ref.n_units - 1)))
		t.ref.n_units--;
	return t;
}

bool members_promises(struct text name)
{
	struct kept k;

	if (format_promised(path_extension(name)))
		return true;
	keep(name, &k);
	return format_promised(path_extension(arc_name_cut(k.text)));
}

/* Whether programs may drop some of a name, by what was seen of it and by its last character: of
 * most names nothing, and extensions are not looked for. */
static bool may_be_cut(const struct arc_member *m)
{
	const uint32_t n = m->name.ref.n_units, last = n > 0 ? text_unit(m->name, n - 1) : 0;

	return m->traits & (ARC_CONTROL | ARC_RESERVED | ARC_TRAILING | ARC_NUL | ARC_SELF) ||
	       is_dropped(last) || last == ';' || text_between(last, '0', '9');
}

bool members_hides_promise(const struct arc_member *m)
{
	if (m->kind == ARC_FIFO || m->kind == ARC_SOCKET)
		return members_promises(m->name);
	return m->kind == ARC_FILE && may_be_cut(m) && !format_promised(path_extension(m->name)) &&
	       members_promises(m->name);
}

/* The file: what its name promises, and what its first and last bytes are. */
#include "formats/upkg/header/file.h"

#include "core/mutant.h"
#include "core/path.h"

/* How many bytes are examined at the start, and how many are read: in most packages these hold all
 * names too. */
#define HEAD_LEN ((uint64_t)64)
#define FIRST_WINDOW ((uint64_t)4096)

/* ---- First bytes ----------------------------------------------------------------------------- */

/* Kinds of files that are found under the names of packages. A wrapped package is encrypted:
 * "Lineage2Ver" and three digits in UTF-16. */
#define MAGIC(kind, what, bytes) \
	{ \
		kind, what, bytes, sizeof(bytes) - 1 \
	}
static const struct {
	enum upkg_kind kind;
	const char *what;
	const char *bytes;
	size_t len;
} magics[] = {
	MAGIC(UPKG_IS_PACKAGE, "a package", "\xC1\x83\x2A\x9E"),
	MAGIC(UPKG_IS_PACKAGE, "a package", "\xC2\x83\x2A\x9E"),
	MAGIC(UPKG_IS_BIG_ENDIAN, "a package of a console", "\x9E\x2A\x83\xC1"),
	MAGIC(UPKG_IS_WRAPPED, "an encrypted package",
	      "L\0i\0n\0e\0a\0g\0e\0"
	      "2\0V\0e\0r\0"),
	MAGIC(UPKG_IS_OTHER, "a Windows program", "MZ"),
	MAGIC(UPKG_IS_OTHER, "a Linux program",
	      "\x7F"
	      "ELF"),
	MAGIC(UPKG_IS_OTHER, "a zip archive", "PK\x03\x04"),
	MAGIC(UPKG_IS_OTHER, "a 7z archive", "7z\xBC\xAF\x27\x1C"),
	MAGIC(UPKG_IS_OTHER, "a rar archive", "Rar!\x1A\x07"),
	MAGIC(UPKG_IS_OTHER, "a gzip file", "\x1F\x8B"),
	MAGIC(UPKG_IS_OTHER, "a web page", "<!DOCTYPE"),
	MAGIC(UPKG_IS_OTHER, "a web page", "<html"),
};
#undef MAGIC

static bool starts_with(const struct cursor *window, const char *bytes, size_t len)
{
	struct cursor c = *window;
	const uint8_t *p;

	return cursor_bytes(&c, len, &p) && memcmp(p, bytes, len) == 0;
}

static void recognise(struct upkg_file *f, const struct cursor *window)
{
	f->kind = UPKG_IS_OTHER;
	f->what = NULL;
	for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++) {
		if (!starts_with(window, magics[i].bytes, magics[i].len))
			continue;
		f->kind = magics[i].kind;
		f->what = magics[i].what;
		return;
	}
}

uint64_t upkg_first_window(const struct decode *d)
{
	const uint64_t len = d->source->window_len;

	return len < HEAD_LEN ? HEAD_LEN : len < FIRST_WINDOW ? len : FIRST_WINDOW;
}

bool upkg_recognise(struct decode *d, struct upkg_file *f)
{
	const uint64_t size = d->source->io.size, len = upkg_first_window(d);
	struct cursor window;

	if (!source_window(d->source, (struct span){ 0, size < len ? size : len }, &window))
		return false;
	recognise(f, &window);
	return true;
}

/* ---- All bytes ------------------------------------------------------------------------------- */

/* Whether all bytes of a stream are the same. */
struct uniform {
	uint8_t byte;
	bool differs; /* there is another byte */
};

static bool take_uniform(void *ctx, uint64_t at, const uint8_t *bytes, uint64_t n)
{
	const struct held all = { bytes, n };
	struct uniform *all_same = ctx;

	(void)at;
	for (uint64_t i = 0; i < n && !all_same->differs; i++)
		all_same->differs = held_u8(all, i) != all_same->byte;
	return !all_same->differs;
}

static bool is_zero(struct cursor c)
{
	uint64_t byte;

	while (cursor_u8(&c, &byte))
		if (byte != 0)
			return false;
	return true;
}

/* The whole file is read only if all bytes of its head are the same, and if it is not too large to
 * be a package. */
static bool find_uniform(struct decode *d, struct upkg *u)
{
	const uint64_t size = u->size;
	const struct span all = { 0, size }, head = { 0, size < HEAD_LEN ? size : HEAD_LEN };
	struct cursor window;
	const uint8_t *bytes;
	struct uniform same;

	if (!decode_window(d, UPKG_FILE, head, &window))
		return false;
	if (size < 2 || size > UPKG_SIZE_MAX || !cursor_bytes(&window, head.len, &bytes))
		return true;
	same = (struct uniform){ .byte = (uint8_t)held_u8((struct held){ bytes, head.len }, 0) };
	if (!take_uniform(&same, 0, bytes, head.len))
		return true;
	if (!decode_stream(d, UPKG_FILE, all, take_uniform, &same))
		return same.differs;
	u->traits |= FILE_UNIFORM;
	return true;
}

static bool examine_tail(struct decode *d, struct upkg_file *f, uint64_t size)
{
	struct cursor window;

	if (size < UPKG_TAIL)
		return true;
	if (!decode_window(d, UPKG_FILE, (struct span){ size - UPKG_TAIL, UPKG_TAIL }, &window))
		return false;
	f->zero_tail = is_zero(window);
	return true;
}

bool upkg_decode_file(struct decode *d, struct upkg *u)
{
	struct upkg_file *f = &u->file;

	f->name = path_last(text_from(d->source->name));
	f->stem = path_stem(f->name);
	if (!upkg_recognise(d, f))
		return decode_stop(d, UPKG_FILE,
				   d->source->trouble != SOURCE_FINE ? STOP_INPUT : STOP_MEMORY,
				   (struct span){ 0, u->size });
	return examine_tail(d, f, u->size) && find_uniform(d, u);
}

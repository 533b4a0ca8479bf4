/* Reading archives through libarchive, where it is there. */
#include "codec/libarchive.h"

#if defined(UVET_WITH_LIBARCHIVE)

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>

/* Bytes that libarchive is given at once. */
enum { PIECE = 65536 };

struct unarchive {
	struct archive *archive;
	struct arena *arena;
	uint64_t memory; /* counted as the arena's */
	struct unarchive_input input;
	uint64_t at;     /* of the input: where libarchive reads on */
	uint64_t member; /* bytes of the member that were given */
	bool stopped;    /* by the input */
	uint8_t *piece;
};

/* ---- What libarchive asks -------------------------------------------------------------------- */

static la_ssize_t give(struct archive *a, void *ctx, const void **bytes)
{
	struct unarchive *u = ctx;
	const uint64_t left = u->input.size - u->at;
	const size_t n = left < PIECE ? (size_t)left : PIECE;

	if (n > 0 && (u->stopped || !u->input.read_at(u->input.ctx, u->at, u->piece, n))) {
		u->stopped = true;
		archive_set_error(a, EIO, "stopped");
		return ARCHIVE_FATAL;
	}
	u->at += n;
	*bytes = u->piece;
	return (la_ssize_t)n;
}

static la_int64_t skip(struct archive *a, void *ctx, la_int64_t asked)
{
	struct unarchive *u = ctx;
	const uint64_t left = u->input.size - u->at, n = asked < 0                ? 0
							 : (uint64_t)asked < left ? (uint64_t)asked
										  : left;

	(void)a;
	u->at += n;
	return (la_int64_t)n;
}

/* Where a seek begins; UINT64_MAX: it is none that libarchive makes. */
static uint64_t seek_base(const struct unarchive *u, int whence)
{
	switch (whence) {
	case SEEK_SET:
		return 0;
	case SEEK_CUR:
		return u->at;
	case SEEK_END:
		return u->input.size;
	default:
		return UINT64_MAX;
	}
}

static la_int64_t seek(struct archive *a, void *ctx, la_int64_t offset, int whence)
{
	struct unarchive *u = ctx;
	const uint64_t base = seek_base(u, whence),
		       by = offset < 0 ? 0 - (uint64_t)offset : (uint64_t)offset;

	(void)a;
	if (base > u->input.size || (offset < 0 ? by > base : by > u->input.size - base))
		return ARCHIVE_FATAL;
	u->at = offset < 0 ? base - by : base + by;
	return (la_int64_t)u->at;
}

/* ---- What it answers ------------------------------------------------------------------------- */

/* libarchive has one code for what is damaged and for what it does not read; its words tell them
 * apart. They are not translated. */
static bool says_unsupported(const struct unarchive *u)
{
	const char *words = archive_error_string(u->archive);

	return words && strstr(words, "upport");
}

/* A warning is about a member's metadata, which is not asked for. */
static enum unarchive_result result_of(const struct unarchive *u, int code)
{
	if (code == ARCHIVE_OK || code == ARCHIVE_WARN)
		return UNARCHIVE_FINE;
	if (code == ARCHIVE_EOF)
		return UNARCHIVE_END;
	if (u->stopped)
		return UNARCHIVE_STOPPED;
	if (archive_errno(u->archive) == ENOMEM)
		return UNARCHIVE_NO_MEMORY;
	if (says_unsupported(u))
		return UNARCHIVE_UNSUPPORTED;
	return code == ARCHIVE_FATAL ? UNARCHIVE_OVER : UNARCHIVE_BROKEN;
}

/* Where libarchive cannot convert a name, it takes an errno of ENOMEM, whoever left it there, for
 * its own want of memory, and ends the process (archive_entry_update_pathname_utf8). */
static void forget_errno(void)
{
	errno = 0;
}

static int support(struct archive *a, enum unarchive_format format)
{
	switch (format) {
	case UNARCHIVE_7Z:
		return archive_read_support_format_7zip(a);
	case UNARCHIVE_RAR4:
		return archive_read_support_format_rar(a);
	case UNARCHIVE_ZIP: /* from the front, without a directory */
		return archive_read_support_format_zip_streamable(a);
	default:
		return archive_read_support_format_rar5(a);
	}
}

static enum unarchive_result begin(struct unarchive *u, enum unarchive_format format)
{
	struct archive *a = u->archive;
	int code;

	forget_errno();
	code = support(a, format);
	if (code == ARCHIVE_OK)
		code = archive_read_set_read_callback(a, give);
	if (code == ARCHIVE_OK)
		code = archive_read_set_skip_callback(a, skip);
	if (code == ARCHIVE_OK)
		code = archive_read_set_seek_callback(a, seek);
	if (code == ARCHIVE_OK)
		code = archive_read_set_callback_data(a, u);
	if (code == ARCHIVE_OK)
		code = archive_read_open1(a);
	return result_of(u, code);
}

/* Takes from the arena's budget what libarchive will allocate behind its back. */
static bool count_memory(struct arena *arena, uint64_t memory)
{
	if (arena->held > arena->budget || memory > arena->budget - arena->held) {
		arena->over_budget = true;
		return false;
	}
	arena_count(arena, memory);
	arena->budget -= memory;
	return true;
}

enum unarchive_result unarchive_open(struct arena *arena, enum unarchive_format format,
				     struct unarchive_input input, uint64_t memory,
				     struct unarchive **out)
{
	struct unarchive *u = arena_alloc(arena, 1, sizeof *u);
	enum unarchive_result result;

	if (!u)
		return UNARCHIVE_NO_MEMORY;
	*u = (struct unarchive){ .arena = arena,
				 .memory = memory,
				 .input = input,
				 .piece = arena_alloc(arena, PIECE, 1) };
	if (!u->piece || !count_memory(arena, memory))
		return UNARCHIVE_NO_MEMORY;
	u->archive = archive_read_new();
	result = u->archive ? begin(u, format) : UNARCHIVE_NO_MEMORY;
	if (result != UNARCHIVE_FINE)
		unarchive_close(u);
	else
		*out = u;
	return result;
}

enum unarchive_result unarchive_next(struct unarchive *u, struct unarchive_member *out)
{
	struct archive_entry *entry;
	enum unarchive_result result;

	forget_errno();
	result = result_of(u, archive_read_next_header(u->archive, &entry));
	u->member = 0;
	if (result != UNARCHIVE_FINE)
		return result;
	*out = (struct unarchive_member){
		.header_at = (uint64_t)archive_read_header_position(u->archive),
		.size = archive_entry_size_is_set(entry) ? (uint64_t)archive_entry_size(entry)
							 : UINT64_MAX,
		.is_encrypted = archive_entry_is_encrypted(entry) != 0,
	};
	return UNARCHIVE_FINE;
}

enum unarchive_result unarchive_read(struct unarchive *u, const uint8_t **bytes, uint64_t *n,
				     uint64_t *zeros)
{
	const void *piece;
	size_t len;
	la_int64_t at;
	enum unarchive_result result;

	do {
		forget_errno();
		result = result_of(u, archive_read_data_block(u->archive, &piece, &len, &at));
	} while (result == UNARCHIVE_FINE && len == 0);
	if (result != UNARCHIVE_FINE)
		return result;
	if (at < 0 || (uint64_t)at < u->member)
		return UNARCHIVE_BROKEN;
	*bytes = piece;
	*n = len;
	*zeros = (uint64_t)at - u->member;
	u->member = (uint64_t)at + len;
	return UNARCHIVE_FINE;
}

uint64_t unarchive_used(const struct unarchive *u)
{
	return (uint64_t)archive_filter_bytes(u->archive, 0);
}

void unarchive_close(struct unarchive *u)
{
	if (u->archive)
		archive_read_free(u->archive);
	u->archive = NULL;
	u->arena->budget += u->memory;
}

bool unarchive_is_available(void)
{
	return true;
}

#else

enum unarchive_result unarchive_open(struct arena *arena, enum unarchive_format format,
				     struct unarchive_input input, uint64_t memory,
				     struct unarchive **out)
{
	(void)arena, (void)format, (void)input, (void)memory, (void)out;
	return UNARCHIVE_UNAVAILABLE;
}

enum unarchive_result unarchive_next(struct unarchive *u, struct unarchive_member *out)
{
	(void)u, (void)out;
	return UNARCHIVE_UNAVAILABLE;
}

enum unarchive_result unarchive_read(struct unarchive *u, const uint8_t **bytes, uint64_t *n,
				     uint64_t *zeros)
{
	(void)u, (void)bytes, (void)n, (void)zeros;
	return UNARCHIVE_UNAVAILABLE;
}

uint64_t unarchive_used(const struct unarchive *u)
{
	(void)u;
	return 0;
}

void unarchive_close(struct unarchive *u)
{
	(void)u;
}

bool unarchive_is_available(void)
{
	return false;
}

#endif

/* Where the extra records of rar 5 end. Source: conformance/spec/rar.md, 3.3. */
#include "formats/archive/rar/rar5.h"
#include "formats/archive/rar/rar_walk.h"

static bool skip(struct cursor *c, uint64_t n)
{
	return n <= cursor_left(c) && cursor_seek(c, cursor_at(c) + n);
}

/* A length, and as many bytes. */
static bool skip_text(struct cursor *c)
{
	uint64_t len;

	return rar5_vint(c, &len) && skip(c, len);
}

static bool skip_number(struct cursor *c)
{
	uint64_t n;

	return rar5_vint(c, &n);
}

static bool skip_hash(struct cursor *c)
{
	uint64_t kind;

	if (!rar5_vint(c, &kind))
		return false;
	return skip(c, kind == 0 ? BLAKE2_LEN : cursor_left(c));
}

/* Three times may be there, in seconds of Unix and perhaps billionths of them, or as Windows has
 * them. */
static bool skip_times(struct cursor *c)
{
	enum { IS_UNIX = 1, MODIFIED = 2, CREATED = 4, ACCESSED = 8, IS_EXACT = 16 };
	uint64_t flags, each;

	if (!rar5_vint(c, &flags))
		return false;
	each = flags & IS_UNIX && !(flags & IS_EXACT) ? 4 : 8;
	return (!(flags & MODIFIED) || skip(c, each)) && (!(flags & CREATED) || skip(c, each)) &&
	       (!(flags & ACCESSED) || skip(c, each));
}

static bool skip_owner(struct cursor *c)
{
	enum { USER = 1, GROUP = 2, USER_NUMBER = 4, GROUP_NUMBER = 8 };
	uint64_t flags;

	return rar5_vint(c, &flags) && (!(flags & USER) || skip_text(c)) &&
	       (!(flags & GROUP) || skip_text(c)) && (!(flags & USER_NUMBER) || skip_number(c)) &&
	       (!(flags & GROUP_NUMBER) || skip_number(c));
}

static bool skip_places(struct cursor *c)
{
	uint64_t flags;

	return rar5_vint(c, &flags) && (!(flags & PLACE_OF_COPIES) || skip_number(c)) &&
	       (!(flags & PLACE_OF_RECOVERY) || skip_number(c));
}

/* What no reader goes through field by field ends where it says. */
static bool skip_fields(struct cursor *c, bool is_of_archive, uint64_t type)
{
	if (is_of_archive)
		return type == EXTRA_PLACES ? skip_places(c) : skip(c, cursor_left(c));
	switch (type) {
	case EXTRA_HASH:
		return skip_hash(c);
	case EXTRA_TIMES:
		return skip_times(c);
	case EXTRA_VERSION:
		return skip_number(c) && skip_number(c);
	case EXTRA_REDIRECTION:
		return skip_number(c) && skip_number(c) && skip_text(c);
	case EXTRA_OWNER:
		return skip_owner(c);
	default:
		return skip(c, cursor_left(c));
	}
}

bool rar5_record_ends(struct cursor c, bool is_of_archive, uint64_t type)
{
	return skip_fields(&c, is_of_archive, type) && cursor_left(&c) == 0;
}

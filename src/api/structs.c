/* Structs that callers allocate: what is read and written of one whose caller may be older or newer
 * than the library. */
#include "api/api.h"

#include <string.h>

/* The bytes of a struct of that size that the library knows: as many as the last version has
 * that fits. 0: there is none, or the size is none. */
static size_t known_size(const size_t *versions, size_t n, size_t size)
{
	size_t known = 0;

	if (size > UVET_STRUCT_SIZE_MAX)
		return 0;
	for (size_t i = 0; i < n && versions[i] <= size; i++)
		known = versions[i];
	return known;
}

static bool is_zero(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i] != 0)
			return false;
	return true;
}

bool api_struct_read(void *own, const size_t *versions, size_t n, const void *theirs)
{
	size_t size, known;

	memcpy(&size, theirs, sizeof size);
	known = known_size(versions, n, size);
	if (known == 0 || !is_zero((const uint8_t *)theirs + known, size - known))
		return false;
	memset(own, 0, versions[n - 1]);
	memcpy(own, theirs, known);
	return true;
}

bool api_struct_write(void *theirs, const size_t *versions, size_t n, const void *own)
{
	size_t size, known;

	memcpy(&size, theirs, sizeof size);
	known = known_size(versions, n, size);
	if (known == 0)
		return false;
	memcpy(theirs, own, known);
	memcpy(theirs, &known, sizeof known);
	return true;
}

/* ---- The public structs ---------------------------------------------------------------------- */

/* The size of the version of a struct that ends with a member. Each version that adds members
 * adds a row; the last is the library's. The first of them lies after the size before it,
 * padding included, on every machine: an older caller may have anything in its padding. */
#define SIZE_TO(type, member) \
	((offsetof(type, member) + sizeof((type *)0)->member + _Alignof(type) - 1) / \
	 _Alignof(type) * _Alignof(type))

static const size_t ios[] = { SIZE_TO(uvet_io, find_sibling), SIZE_TO(uvet_io, list_siblings) };
static const size_t hooks[] = { SIZE_TO(uvet_hooks, timeout_ms) };
static const size_t unjudged[] = { SIZE_TO(uvet_unjudged, bytes) };
static const size_t rules[] = { SIZE_TO(uvet_rule, heuristic) };
static const size_t limits[] = { SIZE_TO(uvet_limit, standard) };

_Static_assert(SIZE_TO(uvet_io, list_siblings) == sizeof(uvet_io), "a row is missing");
_Static_assert(SIZE_TO(uvet_hooks, timeout_ms) == sizeof(uvet_hooks), "a row is missing");
_Static_assert(SIZE_TO(uvet_unjudged, bytes) == sizeof(uvet_unjudged), "a row is missing");
_Static_assert(SIZE_TO(uvet_rule, heuristic) == sizeof(uvet_rule), "a row is missing");
_Static_assert(SIZE_TO(uvet_limit, standard) == sizeof(uvet_limit), "a row is missing");

bool api_io_read(uvet_io *own, const uvet_io *theirs)
{
	return api_struct_read(own, ios, sizeof ios / sizeof *ios, theirs);
}

bool api_hooks_read(uvet_hooks *own, const uvet_hooks *theirs)
{
	*own = (uvet_hooks)UVET_HOOKS_INIT;
	return !theirs || api_struct_read(own, hooks, sizeof hooks / sizeof *hooks, theirs);
}

bool api_unjudged_write(uvet_unjudged *theirs, const uvet_unjudged *own)
{
	return api_struct_write(theirs, unjudged, sizeof unjudged / sizeof *unjudged, own);
}

bool api_rule_write(uvet_rule *theirs, const uvet_rule *own)
{
	return api_struct_write(theirs, rules, sizeof rules / sizeof *rules, own);
}

bool api_limit_write(uvet_limit *theirs, const uvet_limit *own)
{
	return api_struct_write(theirs, limits, sizeof limits / sizeof *limits, own);
}

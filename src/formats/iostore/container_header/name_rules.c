/* The rules for names: batches, and each name in them. */
#include "formats/iostore/container_header/place_rules.h"

#define NAMES_ID(id) id
#define NAMES_BATCHES CONTAINER_BATCH_ROWS
#define NAMES_ROWS CONTAINER_NAME_ROWS
#define NAMES_GROUP CONTAINER_NAMES
#define NAMES_PLACE(c, b, at, len) header_place(c, at, len)
#define NAMES_HASH_PLACE(c, b, at, len) header_place(c, at, len)
#define NAMES_HASHES_PLACE(c, b) hashes_place(c)

static struct place hashes_place(const struct check *c);

#include "formats/iostore/names/batch_rules.h"

static const struct container_part *hashes_of(const struct check *c)
{
	return &container_header_of(c)->walk.parts[PART_HASHES];
}

static struct place hashes_place(const struct check *c)
{
	return IN_HEADER_ONE(c, container_count, hashes_of(c)->count_at, count, "name_hashes");
}

static bool is_ue4(const struct container_header *h)
{
	return h->version <= CONTAINER_INITIAL;
}

RULE(CHD008, names_in_old_header, WARNING, CONTAINER_HEAD,
     .class   = CLASS_COMPATIBILITY,
     .title   = "A container header of Unreal Engine 4 should have no names of its own.",
     .message = "the container header has {0} of names, expected none",
     .data    = "length",
     .why     = "No engine or tool is known that writes any, so it is not known how the "
                "game reads them.",
     .fix     = "Players: nothing, if the mod works. Authors: nothing, if you know the "
                "tool; else pack it again.",
     .spec    = "iostore.md#8.8")
{
	const struct container_header *h = container_header_of(c);
	const struct container_part *p = &h->walk.parts[PART_NAMES];

	if (h->held.bytes && is_ue4(h) && p->is_there && p->len > 0)
		report(c, IN_HEADER_ONE(c, container_count, p->count_at, count, "names"),
		       SIZE(p->len));
}

RULE(CHD009, name_hashes_size, ERROR, CONTAINER_HEAD,
     .class   = CLASS_CORRUPTION,
     .title   = "The hashes of names shall have 8 bytes for the id of their algorithm, and 8 for "
                "each name.",
     .message = "the hashes of names have {0}, expected a multiple of 8 above 0",
     .data    = "length",
     .why     = "The engine takes the first 8 bytes for the id of the algorithm and each "
                "8 after them for a hash, and reads past the end.",
     .fix     = "Players: get the mod again. Authors: pack it again.",
     .spec    = "iostore.md#8.9")
{
	const struct container_part *p = hashes_of(c);

	if (p->is_there &&
	    (p->len < zen_name_hash_fixed_len || p->len % zen_name_hash_fixed_len != 0))
		report(c, hashes_place(c), SIZE(p->len));
}

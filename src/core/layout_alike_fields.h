/* The part of layout_alike.h that is about fields which depend on flags. */
#define FIELD_IF(r, wire, kind, field, versions, flags, mask, meaning) \
	FIELD(r, wire, kind, field, LAYOUT_##versions, meaning)
#define FIELD_UNLESS(r, wire, kind, field, versions, flags, mask, meaning) \
	FIELD(r, wire, kind, field, LAYOUT_##versions, meaning)
#define FIELD_FOR(r, wire, kind, field, versions, mask, meaning) \
	FIELD(r, wire, kind, field, LAYOUT_##versions, meaning)
#define FIELD_NOT_FOR(r, wire, kind, field, versions, mask, meaning) \
	FIELD(r, wire, kind, field, LAYOUT_##versions, meaning)

/* The part of layout_alike.h that is about records with a fast decoder. */
#define FAST_RECORD(r, meaning) RECORD(r, meaning)
#define FAST_FIELD(r, wire, kind, field, versions, meaning) \
	FIELD(r, wire, kind, field, LAYOUT_##versions, meaning)
#define FAST_END(r, len) END(r, len)

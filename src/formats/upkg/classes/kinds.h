/* Kinds: what a reference leads to, and what is asked of it. */
#ifndef UVET_FORMATS_UPKG_CLASSES_KINDS_H
#define UVET_FORMATS_UPKG_CLASSES_KINDS_H

#include "formats/upkg/body/reader.h"

/* What a reference of code or of a variable is to lead to. */
enum upkg_thing {
	THING_VARIABLE,
	THING_FUNCTION,
	THING_CLASS,
	THING_STRUCT,
	THING_ENUM,
	THING_ELEMENT,
	THING_STATE,
	THING_BOOL
};

/* body_is_thing tells whether a reference, which exists, leads to a thing; for an import that is
 * what it says of itself. */
bool body_is_thing(const struct upkg *u, int32_t reference, enum upkg_thing thing);

/* What a reference is to lead to: as far as the package can tell, to no thing of another kind, or
 * to nothing at all. */
enum body_wanted { WANT_ACTOR, WANT_TEXTURE, WANT_TEXT, WANT_POLYS };

/* body_is_wanted tells whether a reference leads to what is wanted, or to what cannot be told.
 * body_thing reads a reference; one that leads to something else is noted as a flaw of this kind
 * and part. */
bool body_is_wanted(const struct upkg *u, int32_t reference, enum body_wanted wanted);
UVET_MUST_USE bool body_thing(struct body *b, enum upkg_flaw_kind kind, uint8_t part,
			      enum body_wanted wanted);

#endif

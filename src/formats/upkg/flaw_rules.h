/* What the rules about flaws of bodies have in common. */
#ifndef UVET_FORMATS_UPKG_FLAW_RULES_H
#define UVET_FORMATS_UPKG_FLAW_RULES_H

#include "formats/upkg/upkg.h"
#include "rule/finding.h"

/* KIND is the mark of a kind of flaw. */
#define KIND(k) FLAW_MARK(FLAW_##k)

/* flaw_place is where a flaw lies: in the body of an export. */
static inline struct place flaw_place(const struct upkg_flaw *f)
{
	struct place p = AT_SPAN(f->at, f->len);

	p.record = "export";
	p.field = "body";
	p.index = f->export;
	return p;
}

/* flaw_name is a name for a message, flaw_object that of the object. */
static inline struct arg flaw_name(const struct check *c, int64_t name)
{
	return TEXT(upkg_text_of(c->facts, (int32_t)name).ref);
}
static inline struct arg flaw_object(const struct check *c, const struct upkg_flaw *f)
{
	const struct upkg *u = c->facts;

	return flaw_name(c, u->exports[f->export].name);
}

#endif

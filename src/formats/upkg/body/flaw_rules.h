/* What the rules about flaws of bodies have in common. */
#ifndef UVET_FORMATS_UPKG_FLAW_RULES_H
#define UVET_FORMATS_UPKG_FLAW_RULES_H

#include "formats/upkg/facts.h"
#include "formats/upkg/header/games.h"
#include "formats/upkg/tables/lesser_rules.h"
#include "formats/upkg/tables/names.h"
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
	p.n_more = f->n_more;
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

/* flaw_word is the word of a flaw's kind, out of a list in which that of the kind k is
 * IN_LIST(k). */
#define IN_LIST(k) (FLAW_##k % FLAWS_IN_LIST)
static inline struct arg flaw_word(const struct upkg_flaw *f, const char *const words[])
{
	return WORD(words[f->kind % FLAWS_IN_LIST]);
}

/* fail_body reports a flaw of a body that is an error where a game makes the object, and a
 * warning where only the editor does: its rule has EDITOR_LESSER. The arguments 0 and 1 are the
 * export and its object. fail_body_as can have another reason to be lesser. */
#define EDITOR_LESSER .lesser = SEVERITY_WARNING, .lesser_when = EDITOR_ALONE
#define report_body(c, f, ...) report_body_as(c, false, f, __VA_ARGS__)
#define OF_UE2 "the package is of UE2, whose engine was not examined"
#define OF_227_ALONE "the package is of licensee 227, whose engine was not examined"
#define OF_227 OF_227_ALONE ", or " EDITOR_ALONE
#define report_body_as(c, lesser, f, ...) \
	report_as(c, (lesser) || (f)->for_editor, flaw_place(f), DEC((f)->export), \
		  flaw_object(c, f), __VA_ARGS__)

/* fail_body_alone is fail_body_as for a message that has no more arguments than these two. */
#define report_body_alone(c, lesser, f) \
	report_as(c, (lesser) || (f)->for_editor, flaw_place(f), DEC((f)->export), \
		  flaw_object(c, f))

/* is_ue1 tells whether the package is of UE1. What certainly breaks an object there may in UE2
 * be a native class that writes its own form, or an engine that was not looked up. */
static inline bool is_ue1(const struct check *c)
{
	return ((const struct upkg *)c->facts)->era == UPKG_UE1;
}

/* is_227 tells whether the package is of Unreal 227, which has changed much of the engine that was
 * looked up. */
static inline bool is_227(const struct check *c)
{
	return ((const struct upkg *)c->facts)->tag.licensee == UPKG_LICENSEE_227;
}

#define report_by_era(c, f, ...) report_body_as(c, !is_ue1(c), f, __VA_ARGS__)

#endif

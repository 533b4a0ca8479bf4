/* The rules of containers for the engine and the game that they are for. */
#include "core/target.h"
#include "formats/iostore/container_header/place_rules.h"
#include "formats/iostore/facts_rules.h"

#define SPEC(n) "iostore.md#1." #n

RULE(SET032, container_newer_than_engine, ERROR, UTOC_VERSION,
     .class   = CLASS_COMPATIBILITY, .flags = RULE_FOR_ENGINE,
     .title   = "A container shall be of no version later than the engine of its game reads.",
     .message = "the container is of version {0}, and {2} is the newest that Unreal Engine {1} can "
                "read",
     .data    = "version engine known",
     .why     = "The engine refuses a container of a later version than its own, so the mod does "
                "nothing.",
     .fix     = "Players: get the mod in a version for this game. Authors: pack it again "
                "with the packer of the game's engine.",
     .spec    = SPEC(32))
{
	const struct utoc *u = utoc_of(c);
	const struct engine_info *e = u->target->engine;

	if (e->utoc != 0 && u->toc.version > e->utoc)
		report(c, AT(c, utoc_header, &u->toc.header, version), DEC(u->toc.version),
		       WORD(e->name), DEC(e->utoc));
}

/* What a container header is, and what an engine takes, in words. */
static const char *header_words(int version)
{
	static const char *const words[] = { "the form of Unreal Engine 4",
					     "version 1",
					     "version 2",
					     "version 3",
					     "version 4",
					     "version 5" };

	return words[version > CONTAINER_INITIAL ? version : 0];
}

static const char *taken_words(const struct engine_info *e)
{
	if (e->header_first == CONTAINER_NO_EXPORT_INFO &&
	    e->header_last == CONTAINER_SOFT_REFERENCES)
		return "versions 3 and 4";
	if (e->header_first == CONTAINER_NO_EXPORT_INFO &&
	    e->header_last == CONTAINER_SOFT_REFERENCES_OFFSET)
		return "versions 3 to 5";
	return header_words(e->header_last);
}

/* A header of Unreal Engine 4 does not say of which version it is. */
static struct place version_place(const struct check *c)
{
	return container_header_of(c)->has_magic
		       ? IN_HEADER_ONE(c, container_head, 0, version, "container_header")
		       : header_place(c, 0, 8);
}

RULE(SET033, container_header_not_for_engine, ERROR, CONTAINER_HEAD,
     .class   = CLASS_COMPATIBILITY, .flags = RULE_FOR_ENGINE,
     .lesser  = SEVERITY_WARNING,
     .lesser_when = "it is not proved that the engine refuses the version: of 5.0 and 5.2 to 5.4, "
                    "and of a later one than 5.5 and its successors write",
     .title   = "The container header shall be of a version that the engine of the game takes.",
     .message = "the container header is of {0}, expected {2} for Unreal Engine {1}",
     .data    = "version engine expected",
     .why     = "The engine mounts a container whose header it does not take, and registers none "
                "of its packages: the mod does nothing.",
     .fix     = "Players: get the mod in a version for this game. Authors: pack it again "
                "with the packer of the game's engine.",
     .spec    = SPEC(33))
{
	const struct container_header *h = container_header_of(c);
	const struct engine_info *e = utoc_of(c)->target->engine;
	const bool is_older = h->version < e->header_first;

	if (!h->held.bytes || e->header_first > e->header_last ||
	    (!is_older && h->version <= e->header_last))
		return;
	report_as(c, !(is_older ? e->refuses_older : e->refuses_newer), version_place(c),
		  WORD(header_words(h->version)), WORD(e->name), WORD(taken_words(e)));
}

RULE(SET034, signature_missing_for_game, ERROR, UTOC_HEADER,
     .class   = CLASS_SECURITY, .flags = RULE_FOR_SIGNED,
     .title   = "A container for a game that takes signed ones only shall be signed.",
     .message = "the game takes signed containers only, and this one is not signed",
     .data    = "",
     .why     = "The game refuses the container, so the mod does nothing.",
     .fix     = "Players: get a mod for a version of the game that takes it. Authors: only the "
                "developer of the game can sign; if the game does not refuse what is not signed, "
                "check without --game-signs.",
     .spec    = SPEC(34))
{
	const struct toc *t = toc_of(c);

	if (!t->is_signed && !t->has_signer)
		report_plain(c, AT(c, utoc_header, &t->header, flags));
}

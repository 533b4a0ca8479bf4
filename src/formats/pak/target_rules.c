/* The rule of archives for the engine that they are for. */
#include "core/target.h"
#include "formats/pak/facts_rules.h"

RULE(PAK057, pak_newer_than_engine, WARNING, PAK_VERSION,
     .class   = CLASS_COMPATIBILITY, .flags = RULE_FOR_ENGINE,
     .title   = "A .pak should be of no version later than the engine of its game knows.",
     .message = "the .pak is of version {0}, and {2} is the newest that Unreal Engine {1} can read",
     .data    = "version engine known",
     .why     = "An engine that does not know the version stops at its start when it finds "
                "the .pak.",
     .fix     = "Players: get the mod in a version for this game. Authors: pack it again "
                "with the packer of the game's engine.",
     .spec    = "pak.md#6.6")
{
	const struct pak *p = pak_of(c);
	const struct engine_info *e = p->target->engine;

	if (p->tail.version > e->pak)
		report(c, AT_SPAN(p->tail.magic_at + PAK_AT_VERSION, 4), DEC(p->tail.version),
		       WORD(e->name), DEC(e->pak));
}

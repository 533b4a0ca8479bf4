/* The rules of the family PHS: the perfect hash by which the engine finds chunks. */
#include "formats/iostore/facts_rules.h"

#define SPEC(n) "iostore.md#5." #n

DEFECT_RULE(PHS001, chunk_not_found, ERROR, UTOC_CHUNK_ROWS, k, CHUNK_LOST,
     .class   = CLASS_CORRUPTION, .versions = SINCE(4),
     .title   = "The perfect hash shall lead from each chunk's id to its place.",
     .message = "chunk {0} of type {1} with the id {2} is not found by the perfect hash",
     .data    = "chunk type id",
     .why     = "The game does not find the chunk, although every tool lists it: an asset "
                "of the mod is missing.",
     .fix     = "Players: get the mod again. Authors: pack it again with the packer of "
                "the game's engine, and change no id afterwards.",
     .spec    = SPEC(1))
{
	report(c, AT_SPAN(k->id.at, utoc_chunk_id_fixed_len), DEC(k->number),
	       WORD(chunk_type_name(k->type)), chunk_id(toc_of(c), k->number));
}

DEFECT_RULE(PHS002, overflow_outside, ERROR, UTOC_OVERFLOW_ROWS, o, OVERFLOW_OUTSIDE,
     .class   = CLASS_SECURITY, .versions = SINCE(5),
     .title   = "The list of chunks without perfect hash shall name chunks that there are.",
     .message = "entry {0} of the list names chunk {1}, which is out of range: the count "
                "of chunks is {2}",
     .data    = "entry chunk chunks",
     .why     = "The engine reads past the ids when it mounts the container, and may "
                "crash.",
     .fix     = "Players: get the mod again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(2))
{
	report(c, AT(c, utoc_seed, &o->seed, value), DEC(o->number), SIGNED(o->seed.value),
	       DEC(toc_of(c)->n_chunks));
}

DEFECT_RULE(PHS003, overflow_repeated, WARNING, UTOC_OVERFLOW_ROWS, o, OVERFLOW_REPEATED,
     .class   = CLASS_HYGIENE, .versions = SINCE(5),
     .title   = "The list of chunks without perfect hash should name each chunk once.",
     .message = "entry {0} of the list names chunk {1}, which is a duplicate",
     .data    = "entry chunk",
     .why     = "No packer does that. Another chunk may be missing from the list in its "
                "place, and the game does not find that one.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again with the "
                "packer of the game's engine.",
     .spec    = SPEC(3))
{
	report(c, AT(c, utoc_seed, &o->seed, value), DEC(o->number), SIGNED(o->seed.value));
}

DEFECT_RULE(PHS004, seed_lowest, ERROR, UTOC_SEED_ROWS, s, SEED_LOWEST,
     .class   = CLASS_SECURITY, .versions = SINCE(4),
     .title   = "A seed shall be above -2^31.",
     .message = "seed {0} is {1}, which cannot be negated in 32 bits",
     .data    = "seed value",
     .why     = "The engine negates the seed to find the chunk's place, and takes another "
                "place instead.",
     .fix     = "Players: get the mod again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(4))
{
	report(c, AT(c, utoc_seed, &s->seed, value), DEC(s->number), SIGNED(s->seed.value));
}

DEFECT_RULE(PHS005, slot_outside, ERROR, UTOC_SEED_ROWS, s, SEED_NO_SLOT,
     .class   = CLASS_SECURITY, .versions = BETWEEN(4, 4),
     .title   = "A negative seed of version 4 shall name a chunk that there is.",
     .message = "seed {0} is {1}, which is out of range: the count of chunks is {2}",
     .data    = "seed value chunks",
     .why     = "This version has no other list of chunks to look in, so the game reads "
                "past its tables or does not find the chunk.",
     .fix     = "Players: get the mod again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(5))
{
	report(c, AT(c, utoc_seed, &s->seed, value), DEC(s->number), SIGNED(s->seed.value),
	       DEC(toc_of(c)->n_chunks));
}

RULE(PHS006, overflow_missing, ERROR, UTOC_PERFECT_HASH,
     .class   = CLASS_CORRUPTION, .versions = SINCE(5),
     .title   = "A seed that leads to the list of chunks without perfect hash shall have such a "
                "list.",
     .message = "a seed leads to the list of chunks without perfect hash, but there is none",
     .data    = "",
     .why     = "The game does not find the chunks of that seed.",
     .fix     = "Players: get the mod again. Authors: pack it again with the packer of "
                "the game's engine.",
     .spec    = SPEC(6))
{
	const struct toc *t = toc_of(c);

	if (t->seed_traits & SEED_OVERFLOW && t->n_overflow == 0 && t->n_chunks > 0)
		report_plain(c, AT(c, utoc_header, &t->header, n_overflow));
}

RULE(PHS007, overflow_unreached, WARNING, UTOC_PERFECT_HASH,
     .class   = CLASS_CORRUPTION, .versions = SINCE(5),
     .title   = "At least one seed should lead to a list of chunks without perfect hash.",
     .message = "{0} {0:chunk is|chunks are} in the list of chunks without perfect hash, but no "
                "seed leads to it",
     .data    = "chunks",
     .why     = "The game never looks in that list, so it may not find these chunks.",
     .fix     = "Players: nothing, if the mod works. Authors: pack it again with the "
                "packer of the game's engine.",
     .spec    = SPEC(7))
{
	const struct toc *t = toc_of(c);

	if (t->n_overflow > 0 && t->n_seeds > 0 &&
	    !(t->seed_traits & (SEED_OVERFLOW | SEED_LOWEST)))
		report(c, AT(c, utoc_header, &t->header, n_overflow), DEC(t->n_overflow));
}

RULE(PHS008, perfect_hash_missing, NOTE, UTOC_PERFECT_HASH,
     .class   = CLASS_COMPATIBILITY, .versions = SINCE(4),
     .title   = "A container should have a perfect hash.",
     .message = "the count of seeds is 0, for {0} {0:chunk|chunks}",
     .data    = "chunks",
     .why     = "The game makes a slower table of its own and says so in its log. Most "
                "modding tools write no perfect hash.",
     .fix     = "Players and authors: nothing needs to be done.",
     .spec    = SPEC(8))
{
	const struct toc *t = toc_of(c);

	if (t->n_seeds == 0 && t->n_chunks > 0)
		report(c, AT(c, utoc_header, &t->header, n_seeds), DEC(t->n_chunks));
}

/* The usual number of seeds: half the number of chunks, rounded up, and at least one. */
static uint64_t usual_seeds(uint64_t n_chunks)
{
	const uint64_t half = (n_chunks + 1) / 2;

	return half > 0 ? half : 1;
}

RULE(PHS009, seed_count_mismatch, NOTE, UTOC_PERFECT_HASH,
     .class   = CLASS_COMPATIBILITY, .versions = SINCE(4),
     .title   = "There should be half as many seeds as chunks.",
     .message = "{0} {0:seed|seeds} for {1} {1:chunk|chunks}, expected {2}",
     .data    = "seeds chunks expected",
     .why     = "The mod works all the same; another tool than the engine's packer made "
                "it.",
     .fix     = "Players and authors: nothing needs to be done.",
     .spec    = SPEC(9))
{
	const struct toc *t = toc_of(c);

	if (t->n_seeds > 0 && t->n_seeds != usual_seeds(t->n_chunks))
		report(c, AT(c, utoc_header, &t->header, n_seeds), DEC(t->n_seeds),
		       DEC(t->n_chunks), DEC(usual_seeds(t->n_chunks)));
}

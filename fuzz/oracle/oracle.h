/* The oracle: does with one input what a server does, and holds the outcome against what uvet promises. */
#ifndef UVET_FUZZ_ORACLE_H
#define UVET_FUZZ_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/fake_folder.h"
#include "engine/engine.h"
#include "support/memory.h"
#include "support/random.h"

/* A subject is one input of a harness. */
struct subject {
	const struct format *format;    /* what it is meant to be */
	const uint8_t *data;            /* an exact-size block, or a part of one; NULL: bytes that only uvet has seen */
	size_t size;
	const char *name;               /* NULL: drawn from the hash */
	const char *const *never;       /* ids of rules that may not fail; ends in NULL; NULL: none */
	uint64_t unpacks;               /* LIMIT_unpacked, which inputs of compressed formats may reach; 0: little */
	bool has_folder;                /* files beside it are looked for among these */
	const struct neighbour *beside;
	size_t n_beside;
	const struct key *key;          /* NULL: none */
};

/* oracle_check runs every oracle on the subject, with options and faults that follow from its bytes. It returns, or stops the
 * harness at the first broken promise. */
void oracle_check(const struct subject *s);

/* oracle_check_some does so for one subject in two, by its bytes, and for all when the harness is thorough: for harnesses whose own oracle
 * has checked the subject once already. */
void oracle_check_some(const struct subject *s);

/* oracle_bytes copies n bytes into a block of exactly that size, which the caller frees. */
uint8_t *oracle_bytes(const uint8_t *data, size_t n);

/* oracle_room gives room of exactly n bytes, which a harness has at hand: the next call for that number takes it back. What it holds is
 * anything, and the byte behind it is closed to the sanitizer. oracle_room_with puts n bytes into it. */
enum oracle_room_number { ROOM_INPUT, ROOM_SECOND_INPUT, ROOM_OUT, ROOM_AGAIN, ROOM_SECOND, ORACLE_ROOMS };
uint8_t *oracle_room(enum oracle_room_number number, size_t n);
uint8_t *oracle_room_with(enum oracle_room_number number, const uint8_t *data, size_t n);

/* oracle_is_turn tells whether it is the turn of oracle `which` of n on an input with that hash. It is the turn of each when the harness is
 * thorough. */
bool oracle_is_turn(uint64_t hash, uint64_t which, uint64_t n);

/* oracle_is_thorough tells whether every oracle runs on every input, as a replay wants it, or the costly ones by turns. The
 * variable UVET_FUZZ_THOROUGH=1 asks for it. */
bool oracle_is_thorough(void);

/* oracle_engine gives the engine that trials begin with: the defaults, without an allocator, and with the signing key of second_rsa.h. */
const struct engine *oracle_engine(void);

/* oracle_copy_engine copies all of an engine that is in use, but for its allocator. */
void oracle_copy_engine(struct engine *e, const struct engine *of);

/* ---- The parts ----------------------------------------------------------------------------------------------------------- */

/* A trial is one check of the subject under given settings. */
struct trial {
	const struct subject *subject;
	struct engine engine;
	struct memory memory;
	struct beside beside;
	struct siblings siblings;       /* over it */
	const char *name;
	bool default_profile;
	bool default_limits;            /* none that the file could reach by being small is lowered */
};

/* oracle_report: counts, statuses, places, arguments and verdict of one report agree with one another and with the bytes. */
void oracle_report(const struct trial *t, const struct report *r);

/* oracle_tree: a report and those nested in it are a tree, and each holds what oracle_report, oracle_umod and oracle_upkg ask of it. With
 * `facts`, what oracle_facts asks too. */
void oracle_tree(const struct trial *t, const struct report *r, bool facts);

/* oracle_same: two reports are equal, but for the rules that `without` marks in the second, and for ENG001 if there are any; so are
 * those nested in them. */
void oracle_same(const struct report *a, const struct report *b, const bool *without);

/* oracle_same_counts holds the numbers of findings of two checks against each other that kept more or fewer of them. */
void oracle_same_counts(const struct report *a, const struct report *b);

/* oracle_facts: decodes again; regions are sorted and complete, records tile, a missing fact group is never called valid. */
void oracle_facts(const struct trial *t, const struct report *r);

/* oracle_umod: a second, slow reading of an installer agrees with the rules. */
void oracle_umod(const struct trial *t, const struct report *r);

/* oracle_upkg: so does a second, slow reading of a package's tables. */
void oracle_upkg(const struct trial *t, const struct report *r);

/* oracle_utoc: so does one of a container's tables. oracle_toc holds the facts against it. */
void oracle_utoc(const struct trial *t, const struct report *r);
void oracle_toc(const struct trial *t, const void *facts);

/* oracle_conthdr: so does one of its container header, whose bytes are given. oracle_conthdr_facts holds the facts against it. */
struct second_toc;
struct utoc;
void oracle_conthdr(const struct report *r, const struct second_toc *t, const uint8_t *bytes, uint64_t len);
void oracle_conthdr_facts(const struct utoc *u, const struct second_toc *t, const uint8_t *bytes, uint64_t len);

/* oracle_input is the input of a trial that is in memory, with what lies beside it. */
struct check_input oracle_input(const struct trial *t);

/* oracle_properties: so does a second walk over the properties of each object, of what was decoded of a package's bytes. */
void oracle_properties(const void *facts, const uint8_t *data);

/* oracle_render: the outputs of a report are well-formed and safe to show. One of them is written, by the number, or all of them
 * when the oracle is thorough. */
void oracle_render(struct engine *e, const struct report *r, uint64_t which);

/* oracle_render_maps: so are map and info of an input. */
void oracle_render_maps(const struct trial *t, const struct report *r);

/* oracle_rule is the number of a rule by its id, which exists. oracle_found counts what it found, oracle_was_judged tells whether
 * it was evaluated to its end. */
size_t oracle_rule(const char *id);
uint64_t oracle_found(const struct report *r, const char *id);

/* oracle_is_idle tells whether the profile leaves no rule that was asked of a file and can find an error. */
bool oracle_is_idle(const struct trial *t, const struct report *r);

/* oracle_found_in_tree counts what it found in a report and in those nested in it. */
uint64_t oracle_found_in_tree(const struct report *r, const char *id);
bool oracle_was_judged(const struct report *r, const char *id);

#endif

/* What an oracle looks at: the input of a harness, and one check of it under given settings. */
#ifndef UVET_FUZZ_ORACLE_ORACLE_TRIAL_H
#define UVET_FUZZ_ORACLE_ORACLE_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "support/fake_folder.h"

/* A subject is one input of a harness. */
struct subject {
	const struct format *format; /* what it is meant to be */
	/* an exact-size block, or a part of one; NULL: bytes that only uvet has seen */
	const uint8_t *data;
	size_t size;
	const char *name;         /* NULL: drawn from the hash */
	const char *const *never; /* ids of rules that may not fail; ends in NULL; NULL: none */
	/* LIMIT_unpacked, which inputs of compressed formats may reach; 0: little */
	uint64_t unpacks;
	bool has_folder; /* files beside it are looked for among its companions */
	const struct fake_file *companions;
	size_t n_companions;
	const struct key *key; /* NULL: none */
};

/* A trial is one check of the subject under the settings of an engine. */
struct trial {
	const struct subject *subject;
	const struct engine *engine;
	struct fake_folder folder;
	struct siblings siblings; /* over it */
	const char *name;
	bool default_profile;
	bool default_limits; /* none that the file could reach by being small is lowered */
};

/* oracle_open_folder opens the folder of a trial that has a subject and a name, without faults. */
void oracle_open_folder(struct trial *t);

/* oracle_input is the input of a trial that is in memory, with what lies beside it. */
struct check_input oracle_input(const struct trial *t);

/* oracle_engine returns the engine that trials begin with: the defaults, without an allocator, and
 * with the signing key of reference_rsa.h. */
const struct engine *oracle_engine(void);

/* oracle_copy_engine copies all settings of an engine to another, whose allocator stays its own,
 * and so does its thread pool. */
void oracle_copy_engine(struct engine *e, const struct engine *of);

#endif

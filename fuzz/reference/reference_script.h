/* A second walker over code of UnrealScript, slow and from the specification, to hold the engine's
 * against. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_SCRIPT_H
#define UVET_FUZZ_REFERENCE_REFERENCE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A reference_defect is one thing that a rule tells: its clause in words, where it is in the code,
 * and up to two numbers. */
enum reference_kind {
	REFERENCE_CODE_SIZE,
	REFERENCE_CODE_CUT,
	REFERENCE_REFERENCE,
	REFERENCE_TOKEN,
	REFERENCE_TARGET,
	REFERENCE_LENGTH,
	REFERENCE_DEPTH,
	REFERENCE_LABEL,
	REFERENCE_TABLE,
	REFERENCE_PLACE_OF_TOKEN
};
struct reference_defect {
	enum reference_kind kind;
	uint64_t at;
	int64_t first, second;
};

/* A reference_token is where a token begins, in the file and in memory, where its expression ends,
 * and how deep it stands. */
struct reference_token {
	uint64_t at, memory, end;
	unsigned depth;
};

/* A reference_place is a target, a length or a label: where it stands, and what it is or has to
 * be. */
struct reference_place {
	uint64_t at, value;
};

enum { REFERENCE_DEFECTS = 4096, REFERENCE_TOKENS = 8192 };

struct reference_code {
	/* Given: the body from the code on, how many bytes the code has in memory, and what the
	 * tables have; no size: all of it is walked. */
	const uint8_t *data;
	uint64_t n;
	int64_t size;
	uint64_t version;
	int64_t n_names, n_exports, n_imports, none;

	/* Found. */
	uint64_t at, memory; /* how far the walk came */
	int64_t loop_end;    /* the farthest target of a token 2F; -1: none */
	unsigned last;       /* the last statement */
	bool ended;          /* the code ends where its size says */
	uint64_t n_odd;      /* indexes that are not in the shortest form */
	struct reference_defect defects[REFERENCE_DEFECTS];
	size_t n_defects;
	struct reference_token tokens[REFERENCE_TOKENS];
	size_t n_tokens;
	struct reference_place targets[REFERENCE_TOKENS], lengths[REFERENCE_TOKENS],
		labels[REFERENCE_TOKENS];
	size_t n_targets, n_lengths, n_labels;
};

#define REFERENCE_NO_SIZE INT64_MAX

/* reference_script walks the code. */
void reference_script(struct reference_code *c);

/* reference_operands returns the operands of a token as letters; NULL: there is no such token. See
 * reference_script.c for the letters. */
const char *reference_operands(uint64_t version, unsigned token);

#endif

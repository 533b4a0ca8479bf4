/* A second walker over code of UnrealScript, slow and from the specification: for what the engine's is held against. */
#ifndef UVET_FUZZ_SECOND_SCRIPT_H
#define UVET_FUZZ_SECOND_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A second_defect is one thing that a rule tells: its clause in words, where it is in the code, and up to two numbers. */
enum second_kind {
	SECOND_CODE_SIZE, SECOND_CODE_CUT, SECOND_REFERENCE, SECOND_TOKEN, SECOND_TARGET, SECOND_LENGTH, SECOND_DEPTH, SECOND_LABEL,
	SECOND_TABLE, SECOND_PLACE_OF_TOKEN,
};
struct second_defect {
	enum second_kind kind;
	uint64_t at;
	int64_t first, second;
};

/* A second_token is where a token begins, in the file and in memory, where its expression ends, and how deep it stands. */
struct second_token {
	uint64_t at, memory, end;
	unsigned depth;
};

/* A second_place is a target, a length or a label: where it stands, and what it is or has to be. */
struct second_place {
	uint64_t at, value;
};

enum { SECOND_DEFECTS = 4096, SECOND_TOKENS = 8192 };

struct second_code {
	/* Given: the body from the code on, how many bytes the code has in memory, and what the tables have; no size: all of it is walked. */
	const uint8_t *data;
	uint64_t n;
	int64_t size;
	uint64_t version;
	int64_t n_names, n_exports, n_imports, none;

	/* Found. */
	uint64_t at, memory;                    /* how far the walk came */
	int64_t loop_end;                       /* the farthest target of a token 2F; -1: none */
	unsigned last;                          /* the last statement */
	bool ended;                             /* the code ends where its size says */
	uint64_t n_odd;                         /* indexes that are not in the shortest form */
	struct second_defect defects[SECOND_DEFECTS];
	size_t n_defects;
	struct second_token tokens[SECOND_TOKENS];
	size_t n_tokens;
	struct second_place targets[SECOND_TOKENS], lengths[SECOND_TOKENS], labels[SECOND_TOKENS];
	size_t n_targets, n_lengths, n_labels;
};

#define SECOND_NO_SIZE INT64_MAX

/* second_script walks the code. */
void second_script(struct second_code *c);

/* second_operands gives the operands of a token as letters; NULL: there is no such token. See second_script.c for the letters. */
const char *second_operands(uint64_t version, unsigned token);

#endif

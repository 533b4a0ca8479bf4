/* The mutator: changes an input by its fields, as the format's own tables and map describe them, and repairs what depends on them. */
#ifndef UVET_FUZZ_MUTATE_H
#define UVET_FUZZ_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/format.h"
#include "support/random.h"

extern const struct format umod_format, upkg_format, utoc_format;

/* A mutate_blind changes size bytes without knowing what they are, to at most max; libFuzzer's own, or mutate_havoc. */
typedef size_t mutate_blind(uint8_t *data, size_t size, size_t max);

/* mutate_input changes the input in place, by fields three times in four, and returns its new size. The same seed makes the same
 * change when blind does. */
size_t mutate_input(const struct format *f, uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind);

/* mutate_cross puts a part of one input into another, in out of at most max bytes. */
size_t mutate_cross(const struct format *f, const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
		    size_t max, uint64_t seed);

/* mutate_body changes the body of an export, which lies at that place of its package. */
size_t mutate_body(uint8_t *data, size_t size, size_t max, uint64_t at, struct dice *dice);

/* mutate_places moves by so much what in a part of a package points behind `at` into that part, which lay from `from` to `end`. */
void mutate_places(uint8_t *part, size_t len, uint64_t from, uint64_t end, uint64_t at, int64_t by);

/* mutate_version gives a number on a border of what packages have, for the field `version` or `licensee`. */
uint64_t mutate_version(struct dice *dice, const char *field);

/* mutate_script changes code of a version: expressions, targets and lengths. mutate_expression makes an expression and returns its length.
 * mutate_script_tape changes an input of fuzz_bytecode. */
size_t mutate_script(uint8_t *data, size_t size, size_t max, uint64_t version, struct dice *dice);
size_t mutate_expression(uint8_t *out, size_t max, uint64_t version, struct dice *dice);
size_t mutate_script_tape(uint8_t *data, size_t size, size_t max, struct dice *dice);

/* mutate_toc changes a .utoc by its rows, seven times in eight so that all of them are still there. mutate_split changes an input that is
 * several files (split.h), of which the first has that format, and three times in four says what the hashes of its stored chunks are then. */
size_t mutate_toc(uint8_t *data, size_t size, size_t max, struct dice *dice, mutate_blind *blind);
size_t mutate_split(const struct format *f, uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind);

/* mutate_calls changes an input of fuzz_api: its program of calls, or its files. */
size_t mutate_calls(uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind);

/* mutate_directory changes an input of fuzz_dirindex by its links and rows, one time in two. */
size_t mutate_directory(uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind);

/* mutate_uz changes a .uz by its sorted blocks, two times in three. */
size_t mutate_uz(uint8_t *data, size_t size, size_t max, uint64_t seed, mutate_blind *blind);

/* mutate_text changes a manifest by its lines and words. */
size_t mutate_text(uint8_t *data, size_t size, size_t max, struct dice *dice);

/* mutate_havoc is blind by itself, for fuzzers that offer nothing. */
size_t mutate_havoc(uint8_t *data, size_t size, size_t max, struct dice *dice);

/* mutate_blindly changes by blind, or by mutate_havoc if that is NULL; nothing where there is no room, for libFuzzer's own writes a byte
 * even there. */
size_t mutate_blindly(uint8_t *data, size_t size, size_t max, struct dice *dice, mutate_blind *blind);

/* A mutate_sink is told where a record lies. mutate_records tells of records that the map does not show. */
typedef void mutate_sink(void *ctx, const struct layout *l, struct cursor at);
void mutate_records(const struct format *f, const uint8_t *data, size_t size, mutate_sink *sink, void *ctx);

/* mutate_repair makes checksum and sizes of an input right again. */
void mutate_repair(const struct format *f, uint8_t *data, size_t size, struct dice *dice);

#endif

/* A reference reading of batches of names and of the hashes that are made of them, slow and from
 * the specification. Source: conformance/spec/iostore.md, 9. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_NAMES_H
#define UVET_FUZZ_REFERENCE_REFERENCE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most names of a batch, in as many bytes, and the most characters of one that have a hash. */
enum { REFERENCE_NAMES_MAX = 1 << 15, REFERENCE_NAME_LONGEST = 1023 };

/* A name: where its characters are, and how many. */
struct reference_text {
	uint64_t at, n;
	bool wide; /* two bytes each */
};

/* Places count in p. */
struct reference_batch {
	const uint8_t *p;
	bool fits, adds_up; /* it lies in the bytes; and the names end where it does */
	uint64_t n, end, n_hashes, hashes_at;
	struct reference_text names[REFERENCE_NAMES_MAX];
};

/* reference_batch_read reads a batch of UE5 at `at` of p, which has size bytes, at most
 * 2 * REFERENCE_NAMES_MAX; reference_batch_read_old that of UE4: names first, then, where they end,
 * the id of the algorithm and the hashes. */
void reference_batch_read(struct reference_batch *b, const uint8_t *p, uint64_t size, uint64_t at);
void reference_batch_read_old(struct reference_batch *b, const uint8_t *p, uint64_t names,
			      uint64_t hashes);

/* reference_text_len is how many bytes a name has, reference_unit its character i, or 0 after the
 * last; reference_text_is_ascii tells whether all are ASCII. */
uint64_t reference_text_len(const struct reference_text *t);
uint64_t reference_text_unit(const uint8_t *p, const struct reference_text *t, uint64_t i);
bool reference_text_is_ascii(const uint8_t *p, const struct reference_text *t);

/* reference_text_hash is the hash of a name of at most REFERENCE_NAME_LONGEST characters,
 * reference_batch_repair writes those of all names of a batch into its bytes. */
uint64_t reference_text_hash(const uint8_t *p, const struct reference_text *t);
void reference_batch_repair(const struct reference_batch *b, uint8_t *p);

/* reference_path_hash is CityHash64 of characters of one byte as UTF-16, those of ASCII in lower
 * case; at most REFERENCE_PATH_MAX. */
enum { REFERENCE_PATH_MAX = 2048 };
uint64_t reference_path_hash(const char *path, size_t n);

#endif

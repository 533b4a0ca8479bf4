/* Packing: compressed downloads for the benchmarks. What stands here encodes, so it is no part of
 * the library. */
#ifndef UVET_BENCH_PACK_H
#define UVET_BENCH_PACK_H

#include "forge.h"

/* pack_content adds a package of some n bytes: a few hundred names and imports, and exports
 * whose bodies are what packages have, tables of small numbers, sounds and textures most of all. */
void pack_content(struct heap *out, size_t n);

/* The stages of .uz. Each adds what becomes of n bytes to out. */
void pack_runs(const uint8_t *in, size_t n, struct heap *out);
void pack_sorted(const uint8_t *in, size_t n, struct heap *out);
void pack_places(const uint8_t *in, size_t n, struct heap *out);
void pack_huffman(const uint8_t *in, size_t n, struct heap *out);

/* pack_uz adds a whole .uz, with the signature 1234 or 5678; pack_uz2 a whole .uz2. */
void pack_uz(const uint8_t *in, size_t n, unsigned signature, struct heap *out);
void pack_uz2(const uint8_t *in, size_t n, struct heap *out);

#endif

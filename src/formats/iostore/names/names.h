/* Batches of names: those of a package, of a container header and of the global container. Source:
 * conformance/spec/iostore.md, 9.
 *
 * A batch is a view on bytes that stay in memory. Nothing here needs a struct decode, so that
 * workers can use it: whoever reads a batch notes the stops and charges the work. */
#ifndef UVET_FORMATS_IOSTORE_NAMES_NAMES_H
#define UVET_FORMATS_IOSTORE_NAMES_NAMES_H

#include "core/arena.h"
#include "core/span.h"
#include "formats/format.h"
#include "formats/iostore/names/hash.h"

#define LAYOUT_FILE "formats/iostore/names/names.def"
#include "core/layout_declare.h"
#undef LAYOUT_FILE
#define DEFECTS_FILE "formats/iostore/names/names.def"
#include "formats/declare_defects.h"

#define NAME_ALGORITHM 0xC1640000u

/* ---- Mapped names ---------------------------------------------------------------------------- */

/* A mapped name (FMappedName) is two numbers of 32 bits: the first has the index of a name and, in
 * its upper two bits, whose name it is; the second is the name's number, one more than the number
 * that is shown, or 0. */
enum name_owner { NAME_OF_PACKAGE, NAME_OF_CONTAINER, NAME_OF_GLOBAL, NAME_OF_NONE };

#define NAME_INDEX_BITS 30u

static inline uint64_t mapped_index(uint64_t first)
{
	return first & ((1u << NAME_INDEX_BITS) - 1);
}

static inline enum name_owner mapped_owner(uint64_t first)
{
	return (enum name_owner)(first >> NAME_INDEX_BITS & 3);
}

/* ---- Batches --------------------------------------------------------------------------------- */

/* A batch of names. Places are offsets in the bytes that hold it, of which there are less than
 * 4 GiB. In UE4 (interleaved) each name follows its head, and the hashes lie elsewhere; in UE5 all
 * hashes come first, then all heads. */
struct name_batch {
	struct held held; /* what the places count in, those of hashes in UE4 apart */
	bool is_there;    /* it was looked for; else there is nothing to judge */
	bool interleaved;
	uint64_t n;        /* names */
	uint64_t n_hashes; /* in UE4 there may be fewer hashes than names, or more */
	uint64_t start;    /* where the batch begins: in UE5 its count */
	uint64_t end;      /* where it ends */
	uint64_t n_bytes;  /* of all characters, by the batch's head; in UE4 heads and all */
	uint64_t sum;      /* the same, by the names' heads; since UE5 */
	uint64_t algorithm, algorithm_at;
	struct held
		hashes; /* n_hashes rows; they begin at hashes_at, in UE4 of whatever has them */
	uint64_t hashes_at, heads_at, bytes_at;
	uint64_t walk_end; /* UE4: where the names end, or the first that does not fit begins */
	/* BATCH_OUTSIDE: how many bytes it needs from cut_at on, and how many are left */
	uint64_t cut_at, cut_wants, cut_left;
	uint32_t defects; /* enum name_batch_trait */
	uint32_t *at;     /* n: where each name's head or, in UE5, first character stands */
	uint8_t *traits;  /* n of enum name_trait; NULL: the names were not read */
	uint32_t seen;    /* that any name has */
};
KEEPS(name, struct name_batch, traits[0]);

/* A name as rules see it. */
struct name_row {
	const struct name_batch *batch;
	uint64_t index, head_at, hash_at, at, n_units, hash;
	bool wide; /* its characters have two bytes each */
	uint32_t traits;
};

/* names_find says where the parts of a batch of UE5 are that begins at `at`, an offset in held or
 * its end. false: the batch does not fit (BATCH_OUTSIDE). names_find_interleaved does it for the
 * names of UE4 at `all`, a part of held, with the bytes of their hashes, the algorithm's id first,
 * which lie at hashes_at somewhere; it counts the names. false: they end elsewhere
 * (BATCH_OVERRUN). b->end is where what follows begins. */
UVET_MUST_USE bool names_find(struct name_batch *b, struct held held, uint64_t at);
UVET_MUST_USE bool names_find_interleaved(struct name_batch *b, struct held held, struct span all,
					  struct held hashes, uint64_t hashes_at);

/* names_read reads a batch that was found: where each name lies, and what is the matter with it.
 * `once`: names that are the same as an earlier one are looked for. false: memory ended, or the
 * check was interrupted; b->traits is NULL. If the lengths do not add up (BATCH_SUM), b->traits is
 * NULL too, and nothing is said of the names. It costs b->n units of work. */
UVET_MUST_USE bool names_read(struct name_batch *b, struct arena *arena, bool once);

/* names_are_read tells whether names can be asked for: the batch was read. */
static inline bool names_are_read(const struct name_batch *b)
{
	return b->traits != NULL;
}

/* names_row gives name i < b->n, names_view rows of a table (struct table); name_bytes is a name's
 * characters. */
void names_row(const struct name_batch *b, uint64_t i, struct name_row *out);
void names_view(const struct name_batch *b, uint64_t first, uint64_t n, void *rows);
struct held name_bytes(const struct name_row *n);

/* names_have tells whether the first number of a mapped name stands for a name of the batch, which
 * is that of `owner`. */
static inline bool names_have(const struct name_batch *b, enum name_owner owner, uint64_t first)
{
	return mapped_owner(first) == owner && mapped_index(first) < b->n;
}

/* ---- One name -------------------------------------------------------------------------------- */

/* A zen_name is what the two bytes of an FSerializedNameHeader say. */
struct zen_name {
	uint64_t n_units; /* its characters */
	bool wide;        /* they have two bytes each */
};

/* zen_name_of reads the head of a name, zen_name_len is how many bytes its characters have. */
struct zen_name zen_name_of(struct zen_name_head_row head);
uint64_t zen_name_len(struct zen_name name);

/* names_package_id is zen_id_of_name (hash.h) for a name of a batch, index < b->n. */
bool names_package_id(const struct name_batch *b, uint64_t index, uint64_t number, uint64_t *id);

#endif

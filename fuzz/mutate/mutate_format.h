/* What the mutator knows of one format. Where a member is NULL, it goes by the format's own map
 * alone. */
#ifndef UVET_FUZZ_MUTATE_MUTATE_FORMAT_H
#define UVET_FUZZ_MUTATE_MUTATE_FORMAT_H

#include "core/cursor.h"
#include "core/layout.h"
#include "mutate/mutate_blind.h"

/* A mutate_sink is told where a record lies. */
typedef void mutate_sink(void *ctx, const struct layout *l, struct cursor at);

struct mutate_format {
	const char *name; /* of an input, where the map depends on it; NULL: it does not */
	/* in a bundle its companions are changed too, and its hashes updated */
	bool has_companions;

	/* Changes the rows of its tables, seven times in eight so that every table stays whole;
	 * NULL: the map's records are changed. */
	size_t (*rows)(uint8_t *data, size_t size, size_t max, struct dice *dice,
		       mutate_blind *blind);

	/* Tells of records that the map does not show. */
	void (*records)(const uint8_t *data, size_t size, mutate_sink *sink, void *ctx);

	/* Makes checksum and sizes of an input right again. */
	void (*repair)(uint8_t *data, size_t size, struct dice *dice);

	/* Changes a part of the payload, which lies at that place of the input; NULL: as text. */
	size_t (*part)(uint8_t *data, size_t size, size_t max, uint64_t at, struct dice *dice);

	/* Adds `by` to what in a part points into that part, after `at`. The part lay from `from`
	 * to `end`. */
	void (*places)(uint8_t *part, size_t len, uint64_t from, uint64_t end, uint64_t at,
		       int64_t by);

	/* A version at the edge of those that exist, for that field of kind LAYOUT_VERSION. */
	uint64_t (*version)(struct dice *dice, const char *field);
};

#endif

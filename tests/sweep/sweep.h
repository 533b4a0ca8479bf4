/* What the sweeps share: seeds, checks of altered copies, text that is compared with a committed
 * file. */
#ifndef UVET_TESTS_SWEEP_H
#define UVET_TESTS_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"
#include "fault/faults.h"
#include "uvet/uvet.h"

#if defined(__GNUC__)
#define SWEEP_PRINTS __attribute__((format(printf, 2, 3)))
#else
#define SWEEP_PRINTS
#endif

/* Builds with instruments run many times slower. They take a sample of cuts and flips, another one
 * of each seed, and do not compare the tables, which count all. */
#if defined(UVET_COVERAGE) || defined(UVET_ASAN) || defined(UVET_MSAN)
#define SWEEP_STEP 97
#else
#define SWEEP_STEP 1
#endif

/* Those with sanitizers try fewer failures of each seed, too; what measures coverage tries all that
 * the release build tries. */
#if defined(UVET_ASAN) || defined(UVET_MSAN)
#define SWEEP_IS_SLOW 1
#else
#define SWEEP_IS_SLOW 0
#endif

/* A seed is a conformance vector as a file, with those that lie beside it if it is a container. */
enum { BESIDE_MAX = 8 };

struct seed_file {
	char *file; /* its name, without folders */
	uint8_t *bytes;
	size_t n;
};

struct seed {
	char *name;       /* the vector's */
	const char *path; /* where it lies */
	const char *file; /* the path's end, without folders: its ending counts */
	uint8_t *bytes;
	size_t n;
	struct seed_file beside[BESIDE_MAX];
	size_t n_beside;
	struct keys keys; /* none, or the one that a file keys.txt beside it has */
};

struct seeds {
	struct seed *of;
	size_t n, room;
};

/* seeds_load reads the files that a list names, a line "name TAB path" each, and after a
 * container's path those of the files beside it; it takes those of at most max bytes, and ends the
 * program when it cannot. */
struct seeds seeds_load(const char *list, size_t max);
void seeds_free(struct seeds *s);

/* seed_is_good tells whether a seed is one of those in which nothing is wrong; the committed tables
 * are about these. */
bool seed_is_good(const struct seed *s);

/* sweep_engine makes an engine with the defaults; memory comes from malloc. */
void sweep_engine(struct engine *e);

/* sweep_check checks n bytes in the place of a seed's, copied to a piece of memory that ends
 * where they end, with the files beside it. It ends the program when memory ends. */
struct report *sweep_check(struct engine *e, const struct seed *s, const uint8_t *bytes, size_t n);

/* sweep_check_for does so and asks for summaries; NULL: for none. */
struct report *sweep_check_for(struct engine *e, const struct seed *s, const uint8_t *bytes,
			       size_t n, struct summaries *all);

/* sweep_siblings opens the files beside a seed for an engine; ctx is the seed. */
struct siblings sweep_siblings(const struct seed *s);

/* A sweep_folder is a seed and the files beside it as a host serves them, each with faults of its
 * own. */
struct sweep_folder {
	struct fault_input input; /* the first: whoever is given the folder may read the seed */
	const struct seed *seed;
	struct fault_input beside[BESIDE_MAX];
};

/* sweep_serve makes the inputs, without faults; sweep_open is an open_sibling over them, ctx the
 * folder. */
void sweep_serve(struct sweep_folder *f, const struct seed *s);
int sweep_open(void *ctx, const char *name, uvet_io *out);

/* sweep_map tells the regions of a seed, as engine_map does. */
void sweep_map(struct engine *e, const struct seed *s, engine_map_sink *sink, void *ctx);

/* sweep_file tells which of a seed's files a region lies in: 0 is the seed, the others are those
 * beside it, from 1 on. */
size_t sweep_file(const struct seed *s, const struct decode *d, const struct region *r);

/* sweep_is_stored tells whether a file beside a seed holds chunks, which is what sweeps change
 * besides the seed. */
bool sweep_is_stored(const struct seed_file *f);

/* sweep_is_whole tells whether the environment has UVET_SWEEP_ALL: then sweeps of faults try
 * every fault there is, which takes some minutes, and a quarter of an hour or more with
 * instruments. Else each takes a part, which its first comment states. */
bool sweep_is_whole(void);

/* sweep_step tells how far apart those of n faults are that are tried: one, or so far that a part
 * has max of them at most. */
uint64_t sweep_step(uint64_t n, uint64_t max);

/* Ends the program with 2: the sweep itself cannot go on. */
_Noreturn void sweep_give_up(const char *what, const char *where);
/* sweep_fail says what went wrong with a seed; the program then ends with 1. */
SWEEP_PRINTS void sweep_fail(const struct seed *s, const char *format, ...);

/* A page is text that grows. */
struct page {
	char *text;
	size_t n, room;
};

void page_init(struct page *p);
void page_free(struct page *p);
SWEEP_PRINTS void page_print(struct page *p, const char *format, ...);

/* page_sink is a uvet_sink over a page. */
int page_sink(void *ctx, const void *bytes, size_t len);

/* page_compare compares a page with the file at path, or writes it there if the environment has
 * UVET_UPDATE. */
void page_compare(const struct page *p, const char *path);

/* sweep_end prints the counts and returns the exit code. */
int sweep_end(const char *name, uint64_t n_checks);

#endif

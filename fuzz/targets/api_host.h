/* A host of the public interface: it serves the files of one input through callbacks, or lays them
 * in a folder. */
#ifndef UVET_FUZZ_TARGETS_API_HOST_H
#define UVET_FUZZ_TARGETS_API_HOST_H

#include <stdatomic.h>

#include "inputs/bundle.h"
#include "uvet/uvet.h"

enum { HOST_PATH_MAX = 256 };

/* A host_file is the input or a file beside it. */
struct host_file {
	struct host *host;
	const char *ending; /* of the input's name; the input itself has none */
	uint8_t *data;      /* an exact-size block */
	size_t size;
	int state; /* of a file beside the input: what open_sibling answers */
	unsigned n_open;
};

/* What goes wrong, and when; reads are counted from 0 over all files of the host. */
struct host_faults {
	uint64_t portions;  /* a seed for how much each read returns; 0: all that was asked for */
	uint64_t fail_at;   /* that read fails; UINT64_MAX: none */
	uint64_t cancel_at; /* before that read the check is cancelled; UINT64_MAX: none */
	uvet_cancellation *cancellation;
	bool changes; /* the input is found changed at the end */
};

struct host {
	struct host_file files[BUNDLE_PARTS];
	const uint8_t *key; /* the input's own, in its bytes; NULL: it has none */
	/* of the input, where it is laid in a folder, and its name everywhere */
	char path[HOST_PATH_MAX];
	size_t folder_len; /* of the path */
	struct host_faults faults;
	_Atomic uint64_t n_reads;
	atomic_bool failed, cancelled; /* the fault came to pass */
	atomic_flag busy;              /* open_sibling or close is running */
	bool alone;                    /* nothing is served beside the input */
};

/* host_open takes the files of an input, which it copies; name is the input's, without a folder.
 * host_close gives them back. */
void host_open(struct host *h, const uint8_t *data, size_t size, const char *name);
void host_close(struct host *h);

/* host_io returns the callbacks for one check, sound or with faults; with `alone` there is no way
 * to files beside the input. host_is_closed tells whether all that was opened in it was closed,
 * host_has whether open_sibling answers so for any file. */
uvet_io host_io(struct host *h, const struct host_faults *faults, bool alone);
bool host_is_closed(const struct host *h);
bool host_has(const struct host *h, int state);

/* A host_set has the files as sources of a set, the input last; what is absent is none of them.
 * host_begin_set opens those that can be, host_end_set makes sure that nobody closed them. */
struct host_set {
	char paths[BUNDLE_PARTS][HOST_PATH_MAX];
	uvet_io files[BUNDLE_PARTS];
	const char *names[BUNDLE_PARTS];
	const uvet_io *ios[BUNDLE_PARTS];
	size_t n;
};

void host_begin_set(struct host *h, struct host_set *s);
void host_end_set(struct host *h, const struct host_set *s);

/* host_lay writes the files to a folder of their own; what cannot be opened is a folder there.
 * host_clear removes them. */
void host_lay(struct host *h);
void host_clear(struct host *h);

#endif

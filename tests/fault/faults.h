/* Faults on demand: memory that is refused, and input that fails, for tests of what happens
 * then. */
#ifndef UVET_TESTS_FAULTS_H
#define UVET_TESTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A fault_memory is an allocator that counts. What it hands out is filled with 0xA5, and what is
 * given back must have the size that was asked for, or the program aborts. Threads of one check
 * count together. */
struct fault_memory {
	_Atomic uint64_t n_asked;            /* requests so far */
	uint64_t fail_at;                    /* the request that is refused, from 1; 0: none */
	bool forever;                        /* every request after it is refused too */
	_Atomic uint64_t n_live, bytes_live; /* given and not yet given back */
};

/* fault_alloc and fault_release have the shape that uvet asks of an allocator; ctx is a
 * fault_memory. */
void *fault_alloc(void *ctx, size_t size);
void fault_release(void *ctx, void *memory, size_t size);

/* What a read does when its fault strikes. */
enum fault_read { FAULT_NONE, FAULT_FAILS, FAULT_HALF, FAULT_ONE_BYTE, FAULT_NO_BYTES };

/* A fault_input is a file in memory. Zeroed but for bytes and size it has no faults. */
struct fault_input {
	const uint8_t *bytes;
	uint64_t size;
	_Atomic uint64_t n_reads; /* so far; threads count together, too */
	uint64_t fault_at;        /* the read that has the fault, from 1; 0: none */
	enum fault_read fault;
	bool forever;    /* every read after it has the fault too */
	bool fails_over; /* a read that covers bad_offset fails */
	uint64_t bad_offset;
	bool ends_early; /* the input ends at end, whatever its size says */
	uint64_t end;
	bool changed;      /* the input is no longer what it was */
	const void *owner; /* the test's own */
};

/* These have the shape that uvet_io asks for; ctx is a fault_input. */
int fault_read_at(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read);
int fault_unchanged(void *ctx);

/* The same in the shape that a struct source_io asks for. */
bool fault_source_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n_read);
bool fault_source_unchanged(void *ctx);

#endif

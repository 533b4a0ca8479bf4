/* A small package around two bodies, sound but for what these are: for harnesses whose inputs are
 * only that. */
#ifndef UVET_FUZZ_INPUTS_PACKAGE_H
#define UVET_FUZZ_INPUTS_PACKAGE_H

#include <stddef.h>
#include <stdint.h>

/* A package in the making. */
struct package {
	uint8_t *bytes;
	size_t n;
};

/* What its tables have. */
enum {
	PACKAGE_NAMES = 10,
	PACKAGE_NONE = 0,
	PACKAGE_IMPORTS = 3,
	PACKAGE_EXPORTS = 2,
	PACKAGE_ROOM = 1024
};

/* Classes that its exports can have. */
enum package_class { PACKAGE_FUNCTION, PACKAGE_STATE, PACKAGE_STRUCT, PACKAGE_CLASS };

/* package_add adds bytes, package_add_number a number of n bytes. There is room for PACKAGE_ROOM
 * bytes besides the body's. */
void package_add(struct package *p, const void *bytes, size_t n);
void package_add_number(struct package *p, unsigned n, uint64_t v);

/* package_begin writes all that comes before the bodies, package_end all that comes after them;
 * they begin at `at`. */
void package_begin(struct package *p, unsigned version);
void package_end(struct package *p, unsigned version, enum package_class class,
		 const size_t at[PACKAGE_EXPORTS]);

#endif

/* A second walker over the state frame and the properties of an object, slow and from the
 * specification. */
#ifndef UVET_FUZZ_REFERENCE_REFERENCE_PROPERTIES_H
#define UVET_FUZZ_REFERENCE_REFERENCE_PROPERTIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is found, each by what the specification says of it; `at` is where it is in the body. */
enum reference_fault {
	FAULT_FRAME_CUT,
	FAULT_FRAME_REFERENCE,
	FAULT_FRAME_NODE,
	FAULT_FRAME_STATE,
	FAULT_FRAME_PLACE,
	FAULT_NAME,
	FAULT_CUT,
	FAULT_OPEN,
	FAULT_TYPE,
	FAULT_FORM,
	FAULT_INDEX_0,
	FAULT_WIDTH,
	FAULT_REFERENCE,
	FAULT_LENGTH,
	FAULT_TEXT,
	FAULT_STRUCT_SIZE,
	FAULT_STRUCT_NAME,
	FAULT_STRUCT_END,
	FAULT_ARRAY,
	FAULT_DELEGATE,
	FAULT_TEXT_LONG,
	FAULT_TEXT_ELEMENT
};
struct reference_found {
	enum reference_fault fault;
	uint64_t at;
};

/* A reference_name is a name of the package: its bytes, in upper case. */
struct reference_name {
	const char *text;
	uint64_t n;
};

enum { REFERENCE_FOUND = 1024, REFERENCE_TAGS = 1024, REFERENCE_NESTED = 63 };

struct reference_object {
	/* Given: the body, whether a frame comes first, what the package is and what its tables
	 * have. */
	const uint8_t *data;
	uint64_t n;
	bool has_frame, ue2;
	uint64_t version;
	const struct reference_name *names;
	int64_t n_names, n_exports, n_imports;

	/* Found. */
	uint64_t at;
	bool too_deep; /* structs stand deeper than REFERENCE_NESTED */
	struct reference_found found[REFERENCE_FOUND];
	size_t n_found;
	/* of the object's own list */
	struct {
		int64_t name;
		uint64_t index;
	} tags[REFERENCE_TAGS];
	size_t n_tags;
};

/* reference_properties walks the object. */
void reference_properties(struct reference_object *o);

/* reference_repeated counts the tags of the own list that stand in it before. */
size_t reference_repeated(const struct reference_object *o);

#endif

/* Tags of properties. */
#ifndef UVET_FORMATS_UPKG_BODY_TAG_H
#define UVET_FORMATS_UPKG_BODY_TAG_H

#include "core/span.h"

/* Types of properties. */
enum property_type {
	TYPE_BYTE = 1,
	TYPE_INT,
	TYPE_BOOL,
	TYPE_FLOAT,
	TYPE_OBJECT,
	TYPE_NAME,
	TYPE_STRING,
	TYPE_CLASS,
	TYPE_ARRAY,
	TYPE_STRUCT,
	TYPE_VECTOR,
	TYPE_ROTATOR,
	TYPE_STR,
	TYPE_MAP,
	TYPE_FIXED_ARRAY
};

/* A tag as it was read. Its value follows it. */
struct tag {
	uint64_t at, info_at, size_end, value_at;
	int32_t name, struct_name;
	uint32_t type, code, index;
	uint64_t size;
	bool is_array; /* it has an index; of a Bool the value */
	/* body_keep_value may want it: it is the object's own, and not a later one of an array */
	bool keep;
};

#endif

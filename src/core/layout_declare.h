/* Expands LAYOUT_FILE into host structs, field enums and prototypes. Included once per format, by its header. */
#include "core/layout.h"

#define LAYOUT_HOST_u8          uint64_t
#define LAYOUT_HOST_u16         uint64_t
#define LAYOUT_HOST_u32         uint64_t
#define LAYOUT_HOST_u64         uint64_t
#define LAYOUT_HOST_index       struct layout_index
#define LAYOUT_HOST_string      struct text_ref

/* The host structs. */
#define RECORD(r, meaning)                              struct r { uint64_t at;
#define FIELD(r, wire, kind, field, versions, meaning)  LAYOUT_HOST_##wire field;
#define END(r, len)                                     };
#include LAYOUT_FILE
#undef RECORD
#undef FIELD
#undef END

/* The field numbers: r_field_x. */
#define RECORD(r, meaning)                              enum r##_fields {
#define FIELD(r, wire, kind, field, versions, meaning)  r##_field_##field,
#define END(r, len)                                     r##_n_fields };
#include LAYOUT_FILE
#undef RECORD
#undef FIELD
#undef END

/* The tables and decoders. r_read reads one record of a version, or fails and changes nothing. */
#define RECORD(r, meaning)                              extern const struct layout r##_layout; \
	UVET_MUST_USE bool r##_read(struct cursor *c, uint64_t version, struct r *out);
#define FIELD(r, wire, kind, field, versions, meaning)
#define END(r, len)
#include LAYOUT_FILE
#undef RECORD
#undef FIELD
#undef END

/* Declares the sets of defects that DEFECTS_FILE lists (formats/declare.h): those of a format, or
 * of what several formats share, which has a .def of its own. */

/* The numbers of the bits. */
/* clang-format off */
#define DEFECTS(set, first, room)               enum set##_bit { set##_room = (room), set##_first_bit = (first) - 1,
#define DEFECT(trait, meaning)                  trait##_BIT,
#define TRAIT(trait, meaning)                   trait##_BIT,
#define DEFECTS_END(set)                        set##_end_bit }; \
	_Static_assert((int)set##_end_bit <= (int)set##_room, "what keeps " #set " has no room for its last bit");
/* clang-format on */
#include DEFECTS_FILE
#undef DEFECTS
#undef DEFECT
#undef TRAIT
#undef DEFECTS_END

/* The bits. Those of a set with bit 31 or more are 64 bits wide, the others are int. */
/* clang-format off */
#define DEFECTS(set, first, room)               __extension__ enum set##_trait {
#define DEFECT(trait, meaning)                  trait = UINT64_C(1) << trait##_BIT,
#define TRAIT(trait, meaning)                   trait = UINT64_C(1) << trait##_BIT,
#define DEFECTS_END(set)                        };
/* clang-format on */
#include DEFECTS_FILE
#undef DEFECTS
#undef DEFECT
#undef TRAIT
#undef DEFECTS_END

/* The defects of each set. */
/* clang-format off */
#define DEFECTS(set, first, room)               __extension__ enum { set##_defects = 0
#define DEFECT(trait, meaning)                  | trait
#define TRAIT(trait, meaning)
#define DEFECTS_END(set)                        };
/* clang-format on */
#include DEFECTS_FILE
#undef DEFECTS
#undef DEFECT
#undef TRAIT
#undef DEFECTS_END

#undef DEFECTS_FILE

/* The texts of all rules' ids. */
#include "rule/ids.h"

#define RULE_ID(id) const char id##_id[7] = #id;
#define RULE_AGAIN(id, user) const char id##_##user##_id[7] = #id;
#include "rule/ids/all.def"
#undef RULE_ID
#undef RULE_AGAIN
